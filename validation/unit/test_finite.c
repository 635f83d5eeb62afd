/* The watch over results: each place where a number can go wrong is seen, and the bead is named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "../../tools/finite.h"

enum { N_BEADS = 3 };

static const AmphiBeadType     type          = { .name = "ion", .mass_u = 1 };
static const int32_t           bead_type[1]  = { 0 };
static const char *const       bead_name[1]  = { "ion" };
static const AmphiMoleculeType molecule_type = {
    .name = "ion", .n_beads = 1, .bead_type = bead_type, .bead_name = bead_name
};
static const AmphiMolecule molecule[N_BEADS]    = { { 0, 0 }, { 0, 1 }, { 0, 2 } };
static const int32_t       types[N_BEADS]       = { 0 };
static const int32_t       molecules[N_BEADS]   = { 0, 1, 2 };
static const double        position[N_BEADS][3] = { { 0.1, 1, 1 }, { 1.5, 1, 1 }, { 2.9, 1, 1 } };

static const AmphiSystem three_ions = { .box_nm           = { 3, 3, 3 },
                                        .n_types          = 1,
                                        .n_beads          = N_BEADS,
                                        .n_molecules      = N_BEADS,
                                        .n_molecule_types = 1,
                                        .type             = &type,
                                        .molecule_type    = &molecule_type,
                                        .molecule         = molecule,
                                        .bead_type        = types,
                                        .bead_molecule    = molecules,
                                        .position_nm      = position };

typedef struct {
    AmphiFrame frame;
    double     force[N_BEADS][3], torque[N_BEADS][3];
} Result;

static Result *healthy(void)
{
    static Result r;

    memset(&r, 0, sizeof r);
    for (int i = 0; i < N_BEADS; i++)
        r.force[i][1] = i + 1;
    for (int a = 0; a < 3; a++)
        r.frame.box_nm[a] = 3;
    r.frame.force_kJ_mol_nm = (const double(*)[3])r.force;
    r.frame.torque_kJ_mol   = (const double(*)[3])r.torque;
    return &r;
}

static void check_told(const Result *r, const char *words)
{
    AmphiError err = { .status = AMPHI_OK };

    assert_int_equal(tool_check_finite("x.xml", &three_ions, &r->frame, &err), AMPHI_UNSTABLE);
    assert_int_equal(err.status, AMPHI_UNSTABLE);
    if (strstr(err.text, words) == NULL)
        fail_msg("not in it: %s\n%s", words, err.text);
}

static void finite_results_pass_and_the_largest_force_is_found(void **state)
{
    Result *const r   = healthy();
    AmphiError    err = { .status = AMPHI_OK };
    (void)state;

    assert_int_equal(tool_check_finite("x.xml", &three_ions, &r->frame, &err), AMPHI_OK);
    assert_int_equal(tool_largest_force(&three_ions, &r->frame), 2);
    r->force[1][0] = -4;
    assert_int_equal(tool_largest_force(&three_ions, &r->frame), 1);
}

static void a_force_or_torque_names_its_bead_and_the_nearest(void **state)
{
    Result *r = healthy();
    (void)state;

    r->force[0][2] = (double)NAN;
    /* bead 3 is nearest, through the wall of the box */
    check_told(r, "x.xml: a force or an energy is not finite\n    bead 1 = ion 1; nearest is ion 3 "
                  "at 0.2 nm");
    r               = healthy();
    r->torque[1][0] = -HUGE_VAL;
    check_told(r, "bead 2 = ion 2; nearest is ion 1 at 1.4 nm");
}

static void an_energy_or_a_pressure_names_the_bead_with_the_largest_force(void **state)
{
    Result *r = healthy();
    (void)state;

    r->frame.term_kJ_mol[AMPHI_QQ] = HUGE_VAL;
    check_told(r, "bead 3 = ion 3");
    r                                           = healthy();
    r->frame.term_virial_kJ_mol[AMPHI_LJ][0][1] = (double)NAN;
    check_told(r, "bead 3 = ion 3");
    r                             = healthy();
    r->frame.kinetic_kJ_mol[2][2] = HUGE_VAL;
    check_told(r, "bead 3 = ion 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finite_results_pass_and_the_largest_force_is_found),
        cmocka_unit_test(a_force_or_torque_names_its_bead_and_the_nearest),
        cmocka_unit_test(an_energy_or_a_pressure_names_the_bead_with_the_largest_force),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
