/* <literature>: kept where it is about the molecules of the system, and no part of the physics. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job_folder.h"

static JobReading read_with(const char *literature)
{
    char text[1024];

    snprintf(text, sizeof text, "%s</forcefield>\n", literature);
    char *const job = replaced(job_base, "</forcefield>\n", text);
    JobReading  r   = read_job_text(job);

    free(job);
    return r;
}

/* How many of these lines are kept. */
static int32_t n_kept(const char *literature)
{
    JobReading r = read_with(literature);

    assert_non_null(r.job);
    const int32_t n = r.job->n_literature;
    reading_free(&r);
    return n;
}

#define LINE(of) "<literature of=\"" of "\" source=\"a paper\" area=\"0.6 nm^2\"/>\n"

static void what_is_about_exactly_these_molecules_is_kept(void **state)
{
    (void)state;
    assert_int_equal(n_kept(""), 0);
    assert_int_equal(n_kept(LINE("salt water")), 1);
    assert_int_equal(n_kept(LINE("water salt") LINE("salt water")), 2);
    assert_int_equal(n_kept(LINE("salt")), 0);
    assert_int_equal(n_kept(LINE("water")), 0);
}

static void of_a_membrane_the_lipids_alone_count(void **state)
{
    char *const job = replaced(job_base, "<moleculetype name=\"salt\">",
                               "<moleculetype name=\"salt\" kind=\"lipid\">");
    (void)state;

    for (int k = 0; k < 2; k++) {
        char *const whole = replaced(job, "</forcefield>\n",
                                     k == 0 ? LINE("salt") "</forcefield>\n"
                                            : LINE("salt water") "</forcefield>\n");
        JobReading  r     = read_job_text(whole);

        assert_non_null(r.job);
        assert_int_equal(r.job->n_literature, k == 0 ? 1 : 0);
        reading_free(&r);
        free(whole);
    }
    free(job);
}

static void values_are_in_internal_units(void **state)
{
    JobReading r = read_with("<literature of=\"salt water\" source=\"a paper\" area=\"60 A^2\" "
                             "volume=\"1250 A^3\" thickness=\"33 A\" temperature=\"303 K\" "
                             "density=\"1 g/cm^3\"/>\n");
    (void)state;

    assert_non_null(r.job);
    assert_int_equal(r.job->n_literature, 1);
    const AmphiLiterature *const l = r.job->literature;

    /* one rounding of the conversion */
    assert_true(fabs(l->area_nm2 - 0.6) < 1e-15);
    assert_true(fabs(l->volume_nm3 - 1.25) < 1e-15);
    assert_true(fabs(l->thickness_nm - 3.3) < 1e-15);
    assert_true(fabs(l->density_u_nm3 - 602.214076) < 1e-12);
    assert_true(fabs(l->temperature_K - 303) < 1e-12);
    assert_string_equal(l->source, "a paper");
    reading_free(&r);
}

static void an_unknown_molecule_is_a_mistake(void **state)
{
    JobReading r = read_with(LINE("salt wather"));
    (void)state;

    assert_null(r.job);
    assert_int_equal(amphi_notes_count(r.notes, AMPHI_NOTE_ERROR), 1);
    reading_free(&r);
}

/* A run goes on when somebody has published something since. */
static void it_is_no_part_of_the_physics(void **state)
{
    JobReading without = read_with(""), with = read_with(LINE("salt water") LINE("salt"));
    JobReading other =
        read_with("<override pair=\"ion cl\" scale-epsilon=\"0.9\" why=\"a test\"/>\n");
    (void)state;

    assert_non_null(without.job);
    assert_non_null(with.job);
    assert_non_null(other.job);
    assert_true(with.job->physics_hash == without.job->physics_hash);
    assert_true(other.job->physics_hash != without.job->physics_hash);
    reading_free(&without);
    reading_free(&with);
    reading_free(&other);
}

static void shipped_force_fields_know_their_own(void **state)
{
    JobReading r = read_job_file(data_folder(), "systems/bilayer-128-dopc.xml");
    (void)state;

    assert_non_null(r.job);
    assert_int_equal(r.job->n_literature, 2);
    assert_true(fabs(r.job->literature[0].area_nm2 - 0.7308) < 1e-15);
    reading_free(&r);
    /* by mass, of beads of 40 u as of beads of 18 u */
    r = read_job_file(data_folder(), "systems/water-elba.xml");
    assert_non_null(r.job);
    assert_int_equal(r.job->n_literature, 1);
    assert_true(fabs(r.job->literature[0].density_u_nm3 * 40 / 18.0153 / (2.217 * 602.214) - 1) <
                1e-3);
    reading_free(&r);
    r = read_job_file(data_folder(), "systems/water-ssd-rf.xml");
    assert_non_null(r.job);
    assert_int_equal(r.job->n_literature, 0);
    reading_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_about_exactly_these_molecules_is_kept),
        cmocka_unit_test(of_a_membrane_the_lipids_alone_count),
        cmocka_unit_test(values_are_in_internal_units),
        cmocka_unit_test(an_unknown_molecule_is_a_mistake),
        cmocka_unit_test(it_is_no_part_of_the_physics),
        cmocka_unit_test(shipped_force_fields_know_their_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
