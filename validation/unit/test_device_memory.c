/* A device without room: what is wanted and what is free are said, nothing runs, and the state goes
 * away whole. Skipped without a device.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../engine/amphi.h"

#ifdef AMPHI_CUDA
#include "device_memory.h"

static AmphiJob *load(const char *path)
{
    const AmphiLoadOptions options = { .data_dir = "." };
    AmphiNotes            *notes   = amphi_notes_new();
    AmphiError             err     = { AMPHI_OK, "" };
    AmphiJob              *job     = amphi_job_load(path, &options, notes, &err);

    amphi_notes_free(notes);
    return job;
}

/* The rows of 5888 beads take more than what is left, the first arrays less: it fails midway. */
static void a_full_device_says_what_is_wanted_and_free(void **state)
{
    const size_t        left = (size_t)6 << 20;
    const AmphiBackend *cuda = amphi_backend_there("cuda", AMPHI_SINGLE);
    AmphiState         *opened;
    AmphiJob           *job;
    AmphiError          err = { AMPHI_OK, "" };

    (void)state;
    if (cuda == NULL) {
        print_message("SKIPPED: no NVIDIA device\n");
        skip();
    }
    job = load("systems/bilayer-128.xml");
    assert_non_null(job);
    assert_int_equal(cuda->open(&job->system, NULL, &opened, &err), AMPHI_OK);
    cuda->close(opened); /* kernels are loaded now, and find their room */

    assert_true(device_memory_hold(left));
    assert_int_equal(cuda->open(&job->system, NULL, &opened, &err), AMPHI_NO_MEMORY);
    print_message("note: %s\n", err.text);
    assert_int_equal(amphi_exit_code(err.status), 6);
    assert_non_null(strstr(err.text, "wanted"));
    assert_non_null(strstr(err.text, "free"));
    assert_null(opened);
    device_memory_release();

    assert_int_equal(cuda->open(&job->system, NULL, &opened, &err), AMPHI_OK);
    cuda->close(opened);
    amphi_job_free(job);
}

#else

static void a_full_device_says_what_is_wanted_and_free(void **state)
{
    (void)state;
    print_message("SKIPPED: built without CUDA\n");
    skip();
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_device_says_what_is_wanted_and_free),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
