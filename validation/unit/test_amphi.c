/* The public header: it is enough by itself, and the example in its comment is code that runs. */
#include "../../engine/amphi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What follows up to the next comment is the example, word for word. */
static double energy_kJ_mol(const char *path, const char *data_dir, AmphiError *err)
{
    const AmphiLoadOptions    options = { .data_dir = data_dir };
    const AmphiBackend *const backend = amphi_backend_find("reference", AMPHI_DOUBLE);
    AmphiNotes *const         notes   = amphi_notes_new();
    AmphiJob *const           job     = amphi_job_load(path, &options, notes, err);
    AmphiState               *state   = NULL;
    AmphiFrame                frame   = { .step = 0 };
    double                    sum     = (double)NAN;

    amphi_notes_print(notes, stderr, false);
    if (job != NULL && backend->open(&job->system, NULL, &state, err) == AMPHI_OK &&
        backend->compute_forces(state, AMPHI_NEED_ENERGY, err) == AMPHI_OK &&
        backend->read_frame(state, AMPHI_NEED_ENERGY, &frame, err) == AMPHI_OK) {
        sum = 0;
        for (int slot = 0; slot < AMPHI_TERMS; slot++)
            sum += frame.term_kJ_mol[slot];
    }
    backend->close(state);
    amphi_job_free(job);
    amphi_notes_free(notes);
    return sum;
}
/* The end of the example. */

#define EXAMPLE_BEGINS "static double energy_kJ_mol("

enum { MOST_BYTES = 65536 };

static char *read_text(const char *path)
{
    static char bytes[2][MOST_BYTES];
    static int  which = 0;
    FILE *const file  = fopen(path, "r");

    if (file == NULL)
        fail_msg("%s is not there; run this from the top of the repository", path);
    which          = 1 - which;
    const size_t n = fread(bytes[which], 1, MOST_BYTES - 1, file);
    fclose(file);
    bytes[which][n] = '\0';
    return bytes[which];
}

/* Copies the lines from the one that holds the beginning of the example to the first that is a
 * closing brace, each without `skip` bytes in front. */
static void cut_example(const char *text, size_t skip, char *out, size_t size)
{
    const char *at = strstr(text, EXAMPLE_BEGINS);
    size_t      n  = 0;

    assert_non_null(at);
    at -= skip;
    for (;;) {
        const size_t length = strcspn(at, "\n");
        const size_t left   = length > skip ? skip : length;

        assert_true(n + length + 2 < size);
        memcpy(out + n, at + left, length - left);
        n += length - left;
        out[n++] = '\n';
        if (length == skip + 1 && at[skip] == '}')
            break;
        assert_true(at[length] != '\0');
        at += length + 1;
    }
    out[n] = '\0';
}

static void the_example_of_the_header_is_the_code_that_runs_here(void **state)
{
    static char header[8192], here[8192];
    (void)state;

    cut_example(read_text("engine/amphi.h"), strlen(" *     "), header, sizeof header);
    cut_example(read_text("validation/unit/test_amphi.c"), 0, here, sizeof here);
    assert_string_equal(header, here);
}

static void the_example_gives_the_energy_of_a_pair(void **state)
{
    AmphiError   err = { .status = AMPHI_OK };
    const double u   = energy_kJ_mol("systems/pair.xml", NULL, &err);
    (void)state;

    /* an ion and a dipole at 0.424 nm attract; the numbers themselves are judged elsewhere */
    assert_int_equal(err.status, AMPHI_OK);
    assert_true(isfinite(u) && u < 0);
}

static void the_example_survives_a_file_that_is_not_there(void **state)
{
    AmphiError err = { .status = AMPHI_OK };
    (void)state;

    assert_true(isnan(energy_kJ_mol("systems/none.xml", NULL, &err)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_header_is_the_code_that_runs_here),
        cmocka_unit_test(the_example_gives_the_energy_of_a_pair),
        cmocka_unit_test(the_example_survives_a_file_that_is_not_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
