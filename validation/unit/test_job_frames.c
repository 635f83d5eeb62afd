/* A start from a file of several frames. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "../../engine/formats/dcd.h"
#include "job_folder.h"

/* Whatever the name of the file; of three frames the first. */
static void a_start_from_a_trajectory_is_its_first_frame_and_says_so(void **state)
{
    (void)state;
    char *const       folder  = folder_make();
    static const char start[] = "<coordinates file=\"a.bin\" format=\"dcd\"/>\n"
                                "<orientations seed=\"1\"/>\n";
    char *const       job     = replaced(job_base, JOB_BEADS, start);
    const double      box[3]  = { 3, 3, 3 };
    double            x[4][3] = { { 1, 1, 1 }, { 1.4, 1, 1 }, { 2, 2, 1 }, { 2, 1, 2 } };
    AmphiDcdWriter    w       = { .path = NULL };
    int64_t           n       = 0;
    const AmphiNote  *note;

    assert_int_equal(amphi_dcd_create(&w, folder_path(folder, "a.bin"), 4, 0, 1, 0.01, NULL),
                     AMPHI_OK);
    for (int k = 0; k < 3; k++) {
        x[0][1] = 1 + 0.1 * k;
        assert_int_equal(amphi_dcd_append(&w, box, (const double(*)[3])x, NULL), AMPHI_OK);
    }
    assert_int_equal(amphi_dcd_finish(&w, NULL), AMPHI_OK);
    folder_write_text(folder, "job.xml", job);

    JobReading r = read_job_file(folder, "job.xml");
    assert_non_null(r.job);
    note = amphi_notes_sorted(r.notes, &n);
    assert_int_equal(n, 1);
    assert_string_equal(note->text,
                        "<coordinates file=\"a.bin\">: 3 frames; the first is the start");
    assert_true(fabs(r.job->system.position_nm[0][1] - 1) < 1e-6);
    reading_free(&r);
    free(job);
    folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_from_a_trajectory_is_its_first_frame_and_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
