/* Single pairs against numbers worked out elsewhere, to the digits that are printed there: the
 * worked pair vectors and the Gay-Berne reference points of the physics notes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "../../engine/typed/probe.h"
#include "../../engine/units.h"
#include "../../forcefield/spec.h"

enum { MOST_TERMS = 3 };

static const double coulomb = 138.93545764; /* of those tables: AMPHI_COULOMB less one digit */

typedef struct {
    const char *element, *potential;
    double      field[AMPHI_MAX_FIELDS];
    int32_t     treatment;
    double      cutoff, permittivity;
} Term;

typedef struct {
    const char *name;
    Term        term[MOST_TERMS];
    double      charge[2], dipole[2]; /* e, e nm */
    double      d[3];
    double      energy, force[3], torque[2][3];
} Row;

/* ---- what the rows are made of: nm, kJ/mol, kcal/mol where KCAL says so ---- */

#define KCAL(x)  ((x)*AMPHI_KCAL)
#define DEBYE(x) ((x)*AMPHI_DEBYE)
#define BARE(element, name, ...)                                                                   \
    {                                                                                              \
        element, name, { __VA_ARGS__ }, AMPHI_TRUNCATED, 99, 1                                     \
    }
#define ELBA(element, name, how, ...)                                                              \
    {                                                                                              \
        element, name, { __VA_ARGS__ }, how, 1.2, 1                                                \
    }
#define DIPOLES BARE("dipoles", "dipole-dipole", coulomb)
#define DIPOLES_IN_80                                                                              \
    {                                                                                              \
        "dipoles", "dipole-dipole", { coulomb }, AMPHI_REACTION_FIELD, 0.9, 80                     \
    }
#define SSD_LJ(sigma)   BARE("pair", "lennard-jones", KCAL(0.152), sigma)
#define STICKY(v0, ...) BARE("pair", "sticky", KCAL(v0), 0.07715, __VA_ARGS__)
#define ELBA_LJ(epsilon, sigma)                                                                    \
    ELBA("pair", "lennard-jones", AMPHI_QUADRATIC_SHIFT, KCAL(epsilon), sigma)
#define ELBA_QQ ELBA("charges", "charge-charge", AMPHI_SHIFTED_FACTORS, coulomb)
#define ELBA_QD ELBA("dipoles", "charge-dipole", AMPHI_SHIFTED_FACTORS, coulomb)
#define ELBA_DQ ELBA("dipoles", "dipole-charge", AMPHI_SHIFTED_FACTORS, coulomb)
#define ELBA_DD ELBA("dipoles", "dipole-dipole", AMPHI_SHIFTED_FACTORS, coulomb)
/* epsilon, mu, nu, width, harmonic wells; breadth, length, side, end of each */
#define GAY_BERNE(...) BARE("pair", "gay-berne", __VA_ARGS__)
#define TAIL           0.405, 0.630, 1, 1 / 2.7
#define BOTH(x)                                                                                    \
    {                                                                                              \
        x, x                                                                                       \
    }

static const Row rows[] = {
    { "SSD",
      { SSD_LJ(0.3051), DIPOLES, STICKY(3.7284, 0.275, 0.335, 0.275, 0.400) },
      { 0, 0 },
      BOTH(DEBYE(2.35)),
      { 0.11, -0.17, 0.21 },
      18.92926626,
      { 159.415281, -220.407249, 203.029328 },
      { { -2.9664308, -7.6614573, -3.25401063 }, { -8.80410572, -3.48252574, 0.398210154 } } },
    { "SSD1",
      { SSD_LJ(0.3016), DIPOLES, STICKY(3.6613, 0.275, 0.335, 0.275, 0.400) },
      { 0, 0 },
      BOTH(DEBYE(2.35)),
      { 0.11, -0.17, 0.21 },
      18.55056029,
      { 151.236072, -208.517368, 189.568032 },
      { { -2.85618959, -7.56088124, -3.2303373 }, { -8.70589237, -3.34621045, 0.457115538 } } },
    { "SSD/E",
      { SSD_LJ(0.3035), DIPOLES, STICKY(3.90, 0.240, 0.380, 0.275, 0.335) },
      { 0, 0 },
      BOTH(DEBYE(2.42)),
      { 0.11, -0.17, 0.21 },
      19.49465803,
      { 140.157231, -196.085631, 180.240548 },
      { { -2.1149512, -7.18771272, -3.23221583 }, { -8.42213823, -2.41884557, 0.974905956 } } },
    { "SSD/RF",
      { SSD_LJ(0.3019), DIPOLES, STICKY(3.90, 0.240, 0.380, 0.275, 0.335) },
      { 0, 0 },
      BOTH(DEBYE(2.48)),
      { 0.11, -0.17, 0.21 },
      20.18455235,
      { 139.848583, -196.447192, 180.628372 },
      { { -1.9467708, -7.29807069, -3.33542095 }, { -8.60031621, -2.20101087, 1.17035288 } } },
    { "SSD/RF in its reaction field",
      { SSD_LJ(0.3019), DIPOLES_IN_80, STICKY(3.90, 0.240, 0.380, 0.275, 0.335) },
      { 0, 0 },
      BOTH(DEBYE(2.48)),
      { 0.11, -0.17, 0.21 },
      19.87163322,
      { 139.848583, -196.447192, 180.628372 },
      { { -1.74688235, -7.46220875, -3.62489179 }, { -8.80020467, -2.03687281, 1.45982373 } } },
    { "SSD/E, elsewhere",
      { SSD_LJ(0.3035), DIPOLES, STICKY(3.90, 0.240, 0.380, 0.275, 0.335) },
      { 0, 0 },
      BOTH(DEBYE(2.42)),
      { 0.2, 0.2, -0.15 },
      -8.396892719,
      { -1.76005911, 7.94826258, 91.207254 },
      { { -9.3057549, 2.51579236, -1.78644267 }, { -10.1279353, 15.4616496, -0.155221671 } } },
    { "ELBA water and water",
      { ELBA_LJ(0.550, 0.3050), ELBA_DD },
      { 0, 0 },
      BOTH(DEBYE(2.60)),
      { 0.11, -0.17, 0.24 },
      13.2832976,
      { 79.9263958, -132.263528, 192.602863 },
      { { 3.79777596, -2.29613273, -1.33939532 }, { -2.79853604, 4.30011267, 2.30089616 } } },
    { "ELBA choline and glycerol",
      { ELBA_LJ(1.171, 0.5), ELBA_QD },
      { 0.7, 0 },
      { 0, DEBYE(1.6) },
      { 0.31, -0.27, 0.24 },
      14.59240234,
      { 375.18854, -348.082337, 295.69377 },
      { { 0, 0, 0 }, { -3.70244316, 1.61981888, 6.60461865 } } },
    { "ELBA ester and phosphate",
      { ELBA_LJ(1.171, 0.49), ELBA_DQ },
      { 0, -0.7 },
      { DEBYE(2.0), 0 },
      { 0.31, -0.27, 0.24 },
      1.510005091,
      { 235.552012, -236.363869, 195.386502 },
      { { -3.97297297, 4.03733266, 9.67375599 }, { 0, 0, 0 } } },
    { "ELBA phosphate and choline",
      { ELBA_LJ(1.434, 0.53), ELBA_QQ },
      { -0.7, 0.7 },
      { 0, 0 },
      { 0.31, -0.27, 0.34 },
      -39.65829593,
      { 27.8957552, -24.2963029, 30.5953444 },
      { { 0 } } },
    { "GB(3,5,2,1)",
      { GAY_BERNE(1, 2, 1, 1, 0, 1, 3, 1, 0.2, 1, 3, 1, 0.2) },
      { 0, 0 },
      { 0, 0 },
      { 1.1, -1.7, 1.2 },
      -0.08677400519,
      { -0.151523087, 0.210734804, -0.111753932 },
      { { -0.00315225627, 0.0385855891, 0.186668051 },
        { 0.0660523368, 0.0203127902, -0.160887088 } } },
    { "two tail ellipsoids",
      { GAY_BERNE(2.226, 2, 1, 1, 0, TAIL, TAIL) },
      { 0, 0 },
      { 0, 0 },
      { 0.25, -0.37, 0.3 },
      -1.619876754,
      { -4.82911155, 7.07692607, -5.64688263 },
      { { -0.0318231446, 0.0468618873, 0.150956333 },
        { 0.0655543942, -0.00984907872, -0.133416577 } } },
    { "tail ellipsoid and sphere",
      { GAY_BERNE(3, 2, 1, 1, 0, TAIL, 0.46, 0.46, 1, 1) },
      { 0, 0 },
      { 0, 0 },
      { 0.25, -0.37, 0.3 },
      -2.471801685,
      { -6.67675624, 9.10014734, -7.64592871 },
      { { -0.0989494193, 0.091544696, 0.195362974 }, { 0, 0, 0 } } },
    { "two charges",
      { BARE("charges", "charge-charge", coulomb) },
      { 0.3, 0.2 },
      { 0, 0 },
      { 0.25, -0.37, 0.3 },
      15.49583855,
      { 13.386177, -19.811542, 16.0634125 },
      { { 0 } } },
    { "charge and dipole",
      { BARE("dipoles", "charge-dipole", coulomb) },
      { 0.3, 0 },
      { 0, 0.2 },
      { 0.25, -0.37, 0.3 },
      10.91083152,
      { -17.3684991, -60.282156, 12.8646337 },
      { { 0, 0, 0 }, { -13.3247323, 8.42670818, 21.4968837 } } },
    { "two dipoles",
      { DIPOLES },
      { 0, 0 },
      { 0.3, 0.2 },
      { 0.25, -0.37, 0.3 },
      62.64560754,
      { 143.586142, -265.350594, 179.535224 },
      { { 0.823857078, -2.99503704, -12.9221035 }, { -14.0010023, 4.80300052, 26.1328795 } } },
};

/* Is the number the printed one, as far as that is printed: half a unit of its last digit? Zeros
 * are exact but for rounding. */
static bool is_as_printed(double got, double printed, int digits)
{
    if (printed == 0)
        return fabs(got) < 1e-12;
    const double unit = pow(10, floor(log10(fabs(printed))) - (digits - 1));

    return fabs(got - printed) <= 0.501 * unit;
}

/* The two orientations of the table, which are normalised on reading. */
static void set_orientations(double q[2][4])
{
    static const double raw[2][4] = { { 0.5, -0.3, 0.7, 0.4 }, { -0.2, 0.6, 0.1, 0.9 } };

    for (int k = 0; k < 2; k++) {
        double square = 0;

        for (int a = 0; a < 4; a++)
            square += raw[k][a] * raw[k][a];
        for (int a = 0; a < 4; a++)
            q[k][a] = raw[k][a] / sqrt(square);
    }
}

static AmphiPairTerm rule_of(const Term *term)
{
    const AmphiPotential *p    = amphi_spec_find(term->element, term->potential);
    AmphiPairTerm         rule = { .kind      = p->kind,
                                   .treatment = { .type                = term->treatment,
                                                  .cutoff_nm           = term->cutoff,
                                                  .permittivity        = term->permittivity,
                                                  .permittivity_within = 1 } };

    memcpy(rule.field, term->field, sizeof rule.field);
    return rule;
}

static AmphiPairForces sum_of_terms(const Row *row)
{
    AmphiPairForces sum  = { 0 };
    AmphiPairPose   pose = { .charge_e    = { row->charge[0], row->charge[1] },
                             .dipole_e_nm = { row->dipole[0], row->dipole[1] } };

    memcpy(pose.d_nm, row->d, sizeof pose.d_nm);
    set_orientations(pose.orientation);
    for (int k = 0; k < MOST_TERMS && row->term[k].potential != NULL; k++) {
        const AmphiPairTerm rule = rule_of(&row->term[k]);
        AmphiPairForces     one;

        probe_pairs_double(&rule, 1, &pose, &one);
        sum.energy += one.energy;
        for (int a = 0; a < 3; a++) {
            sum.force[a] += one.force[a];
            sum.torque[0][a] += one.torque[0][a];
            sum.torque[1][a] += one.torque[1][a];
        }
    }
    return sum;
}

static bool row_holds(const Row *row, const AmphiPairForces *got)
{
    bool holds = is_as_printed(got->energy, row->energy, 10);

    for (int a = 0; a < 3; a++) {
        holds = holds && is_as_printed(got->force[a], row->force[a], 9);
        holds = holds && is_as_printed(got->torque[0][a], row->torque[0][a], 9);
        holds = holds && is_as_printed(got->torque[1][a], row->torque[1][a], 9);
    }
    return holds;
}

static void pairs_have_the_worked_energies_forces_and_torques(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const AmphiPairForces got = sum_of_terms(&rows[k]);

        if (!row_holds(&rows[k], &got))
            fail_msg("%s: u %.10g, f %.9g %.9g %.9g, ti %.9g %.9g %.9g, tj %.9g %.9g %.9g",
                     rows[k].name, got.energy, got.force[0], got.force[1], got.force[2],
                     got.torque[0][0], got.torque[0][1], got.torque[0][2], got.torque[1][0],
                     got.torque[1][1], got.torque[1][2]);
    }
}

static void one_digit_off_is_noticed(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const AmphiPairForces good = sum_of_terms(&rows[k]);
        AmphiPairForces       off  = good;

        off.energy *= 1 + 1e-8;
        assert_false(row_holds(&rows[k], &off));
        off = good;
        off.force[2] *= 1 + 2e-8;
        assert_false(row_holds(&rows[k], &off));
        off = good;
        off.torque[1][0] += 1e-7;
        assert_false(row_holds(&rows[k], &off));
    }
    assert_false(is_as_printed((double)NAN, 1, 9));
}

/* i is the dipole, j the bead that it points to; K = 4.99988 kJ/mol, rest angle 0. */
static void the_dipole_restraint_has_the_worked_numbers(void **state)
{
    const Row           row  = { .energy = 4.005444052,
                                 .force  = { -11.3268711, -17.3202876, 2.36200486 },
                                 .torque = { { -3.75532819, 3.45067058, 7.29485724 } } };
    const AmphiBondRule rule = { .kind  = amphi_spec_find("orientation", "dipole-restraint")->kind,
                                 .field = { 4.99988, 0 } };
    AmphiBondPose       pose = { .x_nm = { { 0 }, { -0.31, 0.17, -0.24 } } };
    AmphiBondForces     got;
    AmphiPairForces     as_pair = { 0 };
    double              q[2][4];

    (void)state;
    set_orientations(q);
    memcpy(pose.orientation, q, sizeof q);
    probe_bonds_double(&rule, 1, &pose, &got);
    as_pair.energy = got.energy;
    memcpy(as_pair.force, got.force[0], sizeof as_pair.force);
    memcpy(as_pair.torque, got.torque, sizeof as_pair.torque);
    assert_true(row_holds(&row, &as_pair));
}

typedef struct {
    double turn_i, turn_j; /* about y, away from the line between the beads (z); rad */
    double roll_j;         /* then of j about z */
    double sigma, depth, r_min;
} Configuration;

/* At sigma the energy is zero, at r_min it is -depth and the force vanishes. */
static bool has_well(const Configuration *c)
{
    const Term          term = GAY_BERNE(1, 2, 1, 1, 0, 1, 3, 1, 0.2, 1, 3, 1, 0.2);
    const AmphiPairTerm rule = rule_of(&term);
    const double        r[2] = { c->sigma, c->r_min };
    AmphiPairForces     got[2];

    for (int k = 0; k < 2; k++) {
        const AmphiPairPose pose = {
            .d_nm        = { 0, 0, r[k] },
            .orientation = { { cos(c->turn_i / 2), 0, sin(c->turn_i / 2), 0 },
                             { cos(c->roll_j / 2) * cos(c->turn_j / 2),
                               -sin(c->roll_j / 2) * sin(c->turn_j / 2),
                               cos(c->roll_j / 2) * sin(c->turn_j / 2),
                               sin(c->roll_j / 2) * cos(c->turn_j / 2) } },
        };
        probe_pairs_double(&rule, 1, &pose, &got[k]);
    }
    /* Printed to 1e-6: at sigma the slope is 24 depths a length. */
    return fabs(got[0].energy) <= 24e-6 && fabs(got[1].energy + c->depth) <= 1e-6 &&
           fabs(got[1].force[2]) <= 60e-6 * c->depth;
}

static void the_gay_berne_fluid_has_its_four_wells(void **state)
{
    const double        quarter = acos(0.);
    const Configuration side    = { quarter, quarter, 0, 1, 5. / 3, 1.122462 };
    const Configuration crossed = { quarter, quarter, quarter, 1, 1, 1.122462 };
    const Configuration tee     = { 0, quarter, 0, 2.236068, 0.381966, 2.358530 };
    const Configuration end     = { 0, 0, 0, 3, 1. / 3, 3.122462 };
    Configuration       wrong   = end;

    (void)state;
    assert_true(has_well(&side) && has_well(&crossed) && has_well(&tee) && has_well(&end));
    wrong.r_min += 1e-4;
    assert_false(has_well(&wrong));
    wrong       = end;
    wrong.depth = 0.3334;
    assert_false(has_well(&wrong));
    wrong       = crossed;
    wrong.sigma = 1.0001;
    assert_false(has_well(&wrong));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_have_the_worked_energies_forces_and_torques),
        cmocka_unit_test(one_digit_off_is_noticed),
        cmocka_unit_test(the_dipole_restraint_has_the_worked_numbers),
        cmocka_unit_test(the_gay_berne_fluid_has_its_four_wells),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
