/* What the parts of a system mean together: names of beads, freedom, and where each check begins.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "job_folder.h"

static bool is_called(const JobReading *r, int32_t bead, const char *name)
{
    char text[96];

    return strcmp(amphi_system_bead(&r->job->system, bead, text, sizeof text), name) == 0;
}

static void beads_are_called_after_their_molecules(void **state)
{
    (void)state;
    char *const job = replaced(job_base, JOB_MOLECULES,
                               "<molecule type=\"water\" count=\"1\"/>\n"
                               "<molecule type=\"salt\" count=\"1\"/>\n"
                               "<molecule type=\"water\" count=\"2\"/>\n"
                               "<molecule type=\"salt\" count=\"1\"/>\n");
    char *const all = replaced(job, JOB_BEADS,
                               "<beads length=\"nm\">dip 1 1 2 2 1 0 0 0\n"
                               "ion 2 1 1 1 1 0 0 0\ncl 2 1.5 1 1 1 0 0 0\n"
                               "dip 3 2 2 2 1 0 0 0\ndip 4 2 2 1 1 0 0 0\n"
                               "ion 5 1 1 2 1 0 0 0\ncl 5 1.5 1 2 1 0 0 0\n</beads>\n");
    JobReading  r   = read_job_text(all);

    assert_non_null(r.job);
    assert_true(is_called(&r, 0, "water 1"));
    assert_true(is_called(&r, 1, "salt 1 bead NA"));
    assert_true(is_called(&r, 2, "salt 1 bead CL"));
    /* molecules of a row are counted, a row begins anew */
    assert_true(is_called(&r, 3, "water 1"));
    assert_true(is_called(&r, 4, "water 2"));
    assert_true(is_called(&r, 6, "salt 1 bead CL"));
    assert_false(is_called(&r, 6, "salt 2 bead CL"));
    char cut[8];
    assert_string_equal(amphi_system_bead(&r.job->system, 1, cut, sizeof cut), "salt 1 ");
    reading_free(&r);
    free(all);
    free(job);
}

static void freedom_counts_what_turns(void **state)
{
    (void)state;
    static const struct {
        const char *inertia;
        int64_t     n_rotations;
    } rows[] = {
        { "inertia=\"1 u*nm^2\"", 2 * 2 },
        { "inertia=\"1 u*nm^2\" rotor=\"top\"", 2 * 3 },
        { "moments=\"1 2 3 u*nm^2\"", 2 * 3 },
    };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char *const job = replaced(job_base, "inertia=\"1 u*nm^2\"", rows[k].inertia);
        JobReading  r   = read_job_text(job);
        int64_t     freedom[2];

        assert_non_null(r.job);
        amphi_system_freedom(&r.job->system, freedom);
        assert_int_equal(freedom[0], 12);
        assert_int_equal(freedom[1], rows[k].n_rotations);
        reading_free(&r);
        free(job);
    }
}

/* ---- where the checks begin ---- */

/* Reads job_base with one piece replaced; is this message there? */
static bool has_message_in(const char *base, const char *from, const char *to, AmphiMessageId id)
{
    char *const      job   = replaced(base, from, to);
    JobReading       r     = read_job_text(job);
    int64_t          n     = 0;
    const AmphiNote *list  = amphi_notes_sorted(r.notes, &n);
    bool             found = false;

    for (int64_t k = 0; k < n; k++)
        found = found || list[k].id == id;
    reading_free(&r);
    free(job);
    return found;
}

static bool has_message(const char *from, const char *to, AmphiMessageId id)
{
    return has_message_in(job_base, from, to, id);
}

static void half_the_box_may_be_the_cutoff(void **state)
{
    (void)state;
    assert_false(
        has_message("distance=\"1.2 nm\"", "distance=\"1.5 nm\"", AMPHI_MSG_BOX_TOO_SMALL));
    assert_true(
        has_message("distance=\"1.2 nm\"", "distance=\"1.5000001 nm\"", AMPHI_MSG_BOX_TOO_SMALL));
    assert_true(has_message("z=\"3 nm\"", "z=\"2.39 nm\"", AMPHI_MSG_BOX_TOO_SMALL));
}

static void a_millionth_of_a_charge_is_rounding(void **state)
{
    (void)state;
    assert_false(has_message("charge=\"1 e\"", "charge=\"1.0000005 e\"", AMPHI_MSG_NET_CHARGE));
    assert_true(has_message("charge=\"1 e\"", "charge=\"1.000002 e\"", AMPHI_MSG_NET_CHARGE));
    assert_true(has_message("charge=\"1 e\"", "charge=\"0.99 e\"", AMPHI_MSG_NET_CHARGE));
}

/* The dipoles' sigma is 0.2 nm: half of it is a doubt, a tenth an error. */
static void overlaps_are_measured_in_sigma(void **state)
{
    (void)state;
    static const char *const third = "dip 3  2.0 1 2  1 0 0 0\n";
    static const struct {
        const char    *bead;
        AmphiMessageId id;
        bool           is_told;
    } rows[] = {
        { "dip 3  2.101 2 1  1 0 0 0\n", AMPHI_MSG_CLOSE_BEADS, false },
        { "dip 3  2.099 2 1  1 0 0 0\n", AMPHI_MSG_CLOSE_BEADS, true },
        { "dip 3  2.021 2 4  1 0 0 0\n", AMPHI_MSG_CLOSE_BEADS, true }, /* across the box */
        { "dip 3  2.021 2 1  1 0 0 0\n", AMPHI_MSG_OVERLAP, false },
        { "dip 3  2.019 2 1  1 0 0 0\n", AMPHI_MSG_OVERLAP, true },
        { "dip 3  2 2 1  1 0 0 0\n", AMPHI_MSG_OVERLAP, true },
    };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_int_equal(has_message(third, rows[k].bead, rows[k].id), rows[k].is_told);
    /* where nothing acts there is no contact */
    char *const near = replaced(job_base, third, "dip 3  2.015 2 1  1 0 0 0\n");
    assert_true(has_message_in(near, "2 kJ/mol", "1 kJ/mol", AMPHI_MSG_OVERLAP));
    assert_false(has_message_in(near, "2 kJ/mol", "0 kJ/mol", AMPHI_MSG_OVERLAP));
    free(near);
    /* bonded beads may be as close as their bond lets them */
    assert_false(has_message("cl  1  1.4 1 1", "cl  1  1.0 1 1", AMPHI_MSG_OVERLAP));
}

static void a_million_boxes_away_is_too_far(void **state)
{
    (void)state;
    assert_false(has_message("dip 3  2.0 1 2", "dip 3  2.9e6 1 2", AMPHI_MSG_FAR_OUTSIDE));
    assert_true(has_message("dip 3  2.0 1 2", "dip 3  3.1e6 1 2", AMPHI_MSG_FAR_OUTSIDE));
    assert_true(has_message("dip 3  2.0 1 2", "dip 3  2 1 -3.1e6", AMPHI_MSG_FAR_OUTSIDE));
}

static void strengths_have_a_largest_size(void **state)
{
    (void)state;
    assert_false(has_message("dip 3  2.0 1 2  1 0 0 0", "dip 3  2.0 1 2  1 0 0 0 1e12",
                             AMPHI_MSG_OUT_OF_RANGE));
    assert_true(has_message("dip 3  2.0 1 2  1 0 0 0", "dip 3  2.0 1 2  1 0 0 0 1.1e12",
                            AMPHI_MSG_OUT_OF_RANGE));
    assert_true(has_message("dip 3  2.0 1 2  1 0 0 0", "dip 3  2.0 1 2  1 0 0 0 0 -1.1e12",
                            AMPHI_MSG_OUT_OF_RANGE));
}

static void only_what_turns_may_have_a_dipole(void **state)
{
    (void)state;
    assert_true(has_message("ion 1  1.0 1 1  1 0 0 0", "ion 1  1.0 1 1  1 0 0 0  1 0.1",
                            AMPHI_MSG_DIPOLE_ON_POINT));
    assert_false(has_message("ion 1  1.0 1 1  1 0 0 0", "ion 1  1.0 1 1  1 0 0 0  1 0",
                             AMPHI_MSG_DIPOLE_ON_POINT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beads_are_called_after_their_molecules),
        cmocka_unit_test(freedom_counts_what_turns),
        cmocka_unit_test(half_the_box_may_be_the_cutoff),
        cmocka_unit_test(a_millionth_of_a_charge_is_rounding),
        cmocka_unit_test(overlaps_are_measured_in_sigma),
        cmocka_unit_test(a_million_boxes_away_is_too_far),
        cmocka_unit_test(strengths_have_a_largest_size),
        cmocka_unit_test(only_what_turns_may_have_a_dipole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
