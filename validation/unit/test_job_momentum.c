/* Momentum of a start file, which a thermostat counts as heat. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "job_folder.h"

#define STAGE(name, ensemble, content)                                                             \
    "<run name=\"" name "\" ensemble=\"" ensemble "\" length=\"1 ps\">" content "</run>"
#define BATH(name, attributes)                                                                     \
    STAGE(name, "nvt", "<thermostat temperature=\"300 K\" " attributes "/>")

/* Of a start file whose four beads have these velocities along x. */
static int n_warned_of_start(const double v[4], const char *start, const char *run)
{
    static const char *const bead[] = { "    1salt    NA    1   1.000   1.000   1.000",
                                        "    1salt    CL    2   1.400   1.000   1.000",
                                        "    2water    W    3   2.000   2.000   1.000",
                                        "    3water    W    4   2.000   1.000   2.000" };
    char *const              folder = folder_make();
    char *const              free_job =
        replaced(job_base, "<restrain group=\"ions\" k=\"10 kJ/mol/nm^2\"/>\n", "");
    char *const from_file = replaced(free_job, JOB_BEADS, start);
    char        stages[1024], gro[512];
    int         n = snprintf(gro, sizeof gro, "A test\n4\n"), found = 0;
    int64_t     n_notes = 0;

    for (int k = 0; k < 4; k++)
        n += snprintf(gro + n, sizeof gro - (size_t)n, "%s%8.4f%8.4f%8.4f\n", bead[k], v[k], 0.0,
                      0.0);
    snprintf(gro + n, sizeof gro - (size_t)n, "3.0 3.0 3.0\n");
    snprintf(stages, sizeof stages, "<plan timestep=\"5 fs\">%s</plan><output/></amphi>\n", run);
    char *const job = replaced(from_file, "</amphi>\n", stages);
    folder_write_text(folder, "a.gro", gro);
    folder_write_text(folder, "job.xml", job);

    JobReading       r    = read_job_file(folder, "job.xml");
    const AmphiNote *note = amphi_notes_sorted(r.notes, &n_notes);
    for (int64_t k = 0; k < n_notes; k++)
        found += note[k].id == AMPHI_MSG_MOMENTUM_AS_HEAT &&
                 strstr(note[k].text, "momentum that the start leaves") != NULL;
    assert_non_null(r.job);
    reading_free(&r);
    free(job);
    free(from_file);
    free(free_job);
    folder_remove(folder);
    return found;
}

static void a_start_file_whose_beads_move_together_is_warned_of(void **state)
{
    (void)state;
    static const char   file[]     = "<coordinates file=\"a.gro\"/>\n<orientations seed=\"1\"/>\n";
    static const char   anew[]     = "<coordinates file=\"a.gro\"/>\n<orientations seed=\"1\"/>\n"
                                     "<velocities temperature=\"300 K\" seed=\"1\"/>\n";
    static const double together[] = { 2, 2, 2, 2 }, apart[] = { 2, -2, 2, -2 };

    assert_int_equal(n_warned_of_start(together, file, BATH("a", "")), 1);
    assert_int_equal(n_warned_of_start(together, file, "<minimise name=\"m\"/>" BATH("a", "")), 1);
    assert_int_equal(n_warned_of_start(together, anew, BATH("a", "")), 0);
    assert_int_equal(n_warned_of_start(together, file, BATH("a", "remove-drift=\"yes\"")), 0);
    assert_int_equal(n_warned_of_start(together, file, BATH("a", "type=\"langevin\"")), 0);
    assert_int_equal(n_warned_of_start(together, file, STAGE("a", "nve", "")), 0);
    assert_int_equal(n_warned_of_start(apart, file, BATH("a", "")), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_file_whose_beads_move_together_is_warned_of),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
