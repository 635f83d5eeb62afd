/* Laws of pairs in fixed precision: what acts on one bead is the opposite of what acts on the other
 * to the last unit, nothing acts from the cut-off on, and the reciprocal root is correctly rounded.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../../engine/fixed.h"
#include "pair_cases.h"

/* Poses of a case; of the roundings that matter a tenth and more of all pairs would show. */
enum { DRAWS = 120, BATCH = 1024 };

/* ---- the third law ---- */

static AmphiPairPose swapped_pose(const AmphiPairPose *pose)
{
    AmphiPairPose out = *pose;

    for (int k = 0; k < 2; k++) {
        memcpy(out.orientation[k], pose->orientation[1 - k], sizeof out.orientation[k]);
        out.charge_e[k]    = pose->charge_e[1 - k];
        out.dipole_e_nm[k] = pose->dipole_e_nm[1 - k];
    }
    for (int a = 0; a < 3; a++)
        out.d_nm[a] = -pose->d_nm[a];
    return out;
}

/* NAME_i and NAME_j change places, charge-dipole is dipole-charge. */
static AmphiPairTerm swapped_rule(const PairCase *c, const AmphiPairTerm *rule)
{
    const AmphiPotential *p   = c->potential;
    AmphiPairTerm         out = *rule;

    if (strcmp(p->name, "charge-dipole") == 0)
        out.kind = amphi_spec_find(p->element, "dipole-charge")->kind;
    if (strcmp(p->name, "dipole-charge") == 0)
        out.kind = amphi_spec_find(p->element, "charge-dipole")->kind;
    for (int32_t k = 0; k < p->n_fields; k++)
        for (int32_t m = 0; m < p->n_fields; m++) {
            const char  *from = p->field[k].name, *to = p->field[m].name;
            const size_t n = strlen(from);

            if (ends_with(from, "_i") && ends_with(to, "_j") && strlen(to) == n &&
                strncmp(from, to, n - 1) == 0) {
                out.field[k] = rule->field[m];
                out.field[m] = rule->field[k];
            }
        }
    return out;
}

static bool are_opposite(const AmphiPairUnits *a, const AmphiPairUnits *b)
{
    for (int k = 0; k < 3; k++)
        if (!(fabs(a->force[k]) < 0x1p29 || fabs(b->force[k]) >= 0x1p29) ||
            (fabs(a->force[k]) < 0x1p29 && llrint(a->force[k]) != -llrint(b->force[k])))
            return false;
    return llrint(a->energy * 0x1p24) == llrint(b->energy * 0x1p24);
}

static AmphiPairTerm draw_lj(const AmphiPairTerm *beside, uint64_t *seed)
{
    const PairCase lj   = { amphi_spec_find("pair", "lennard-jones"), AMPHI_FORCE_SHIFT, false };
    AmphiPairTerm  rule = draw_rule(&lj, seed);

    rule.treatment.cutoff_nm = beside->treatment.cutoff_nm;
    return rule;
}

/* Batches in which every pair is opposite, of DRAWS; half of them beside Lennard-Jones. */
static int count_opposite(const PairCase *c, AmphiProbeUnits *probe, AmphiProbeUnits *mirror)
{
    static AmphiPairPose  pose[BATCH], mirrored[BATCH];
    static AmphiPairUnits there[BATCH], back[BATCH];
    const bool            alone = c->potential->treatments[0] == '\0';
    uint64_t              seed  = 80;
    int                   good  = 0;

    for (int i = 0; i < DRAWS; i++) {
        const AmphiPairTerm rule = draw_rule(c, &seed), other = swapped_rule(c, &rule);
        const AmphiPairTerm lj   = draw_lj(&rule, &seed);
        const bool          both = i % 2 != 0 && !alone;
        bool                is   = true;

        for (int k = 0; k < BATCH; k++) {
            pose[k]     = draw_pose_at(draw(&seed, 0.25, rule.treatment.cutoff_nm), &seed);
            mirrored[k] = swapped_pose(&pose[k]);
        }
        probe(&rule, both ? &lj : NULL, BATCH, pose, there);
        mirror(&other, both ? &lj : NULL, BATCH, mirrored, back);
        for (int k = 0; k < BATCH; k++)
            is = is && are_opposite(&there[k], &back[k]);
        good += is;
    }
    return good;
}

static void the_other_bead_feels_the_opposite_to_the_last_unit(void **state)
{
    PairCase  cases[MOST_CASES];
    const int n = all_cases(cases);
    char      name[128];

    (void)state;
    for (int k = 0; k < n; k++) {
        const int good = count_opposite(&cases[k], probe_units_lanes_fixed, probe_units_fixed);

        if (good != DRAWS)
            fail_msg("%s: only %d of %d batches", case_name(&cases[k], name), good, DRAWS);
    }
}

static void units_off_by_one(const AmphiPairTerm *rule, const AmphiPairTerm *lj, int32_t n,
                             const AmphiPairPose *pose, AmphiPairUnits *out)
{
    probe_units_fixed(rule, lj, n, pose, out);
    for (int32_t k = 0; k < n; k++)
        out[k].force[2] += out[k].force[2] > 0 ? -1 : 1;
}

static void energies_off_by_two(const AmphiPairTerm *rule, const AmphiPairTerm *lj, int32_t n,
                                const AmphiPairPose *pose, AmphiPairUnits *out)
{
    probe_units_fixed(rule, lj, n, pose, out);
    out[0].energy += 0x1p-23; /* one unit might be lost in a tie */
}

static void one_unit_is_noticed(void **state)
{
    const PairCase c = { amphi_spec_find("dipoles", "dipole-dipole"), AMPHI_FORCE_SHIFT, false };

    (void)state;
    assert_int_equal(count_opposite(&c, probe_units_fixed, probe_units_fixed), DRAWS);
    assert_int_equal(count_opposite(&c, probe_units_fixed, units_off_by_one), 0);
    assert_int_equal(count_opposite(&c, probe_units_fixed, energies_off_by_two), 0);
}

static void nothing_acts_from_the_cutoff_on(void **state)
{
    PairCase  cases[MOST_CASES];
    const int n = all_cases(cases);

    (void)state;
    for (int k = 0; k < n; k++)
        for (uint64_t seed = 0; seed < 200; seed++) {
            uint64_t            s    = seed;
            const AmphiPairTerm rule = draw_rule(&cases[k], &s);
            const AmphiPairPose pose = draw_pose_at(rule.treatment.cutoff_nm * (1 + 1e-6), &s);
            const AmphiPairPose in   = draw_pose_at(rule.treatment.cutoff_nm * 0.5, &s);
            AmphiPairUnits      out[2];

            probe_units_fixed(&rule, NULL, 1, &pose, &out[0]);
            probe_units_fixed(&rule, NULL, 1, &in, &out[1]);
            for (int a = 0; a < 3; a++)
                assert_true(out[0].force[a] == 0 && out[0].field[a] == 0);
            assert_true(out[0].energy == 0);
            assert_true(out[1].energy != 0);
        }
}

static void lanes_have_the_bits_of_one_lane(void **state)
{
    PairCase       cases[MOST_CASES];
    const int      n = all_cases(cases);
    AmphiPairPose  pose[37];
    AmphiPairUnits one[37], lanes[37];

    (void)state;
    for (int k = 0; k < n; k++)
        for (uint64_t seed = 0; seed < 100; seed++) {
            uint64_t            s    = seed;
            const AmphiPairTerm rule = draw_rule(&cases[k], &s);

            for (int i = 0; i < 37; i++)
                pose[i] = draw_pose(&cases[k], &rule, &s);
            probe_units_fixed(&rule, NULL, 37, pose, one);
            probe_units_lanes_fixed(&rule, NULL, 37, pose, lanes);
            for (int i = 0; i < 37; i++) /* zeros may differ in sign */
                for (int m = 0; m < 7; m++)
                    assert_true((&one[i].force[0])[m] == (&lanes[i].force[0])[m]);
        }
}

/* ---- ranges ---- */

/* GB(3,5,2,1) with epsilon = 1 kJ/mol, the far bead along x, both axes tilted away from x. */
static AmphiPairUnits end_to_end(double r_nm, double tilt, double axis[3], AmphiPairForces *exact)
{
    static const double values[] = { 1, 2, 1, 1, 0, 1, 3, 1, 0.2, 1, 3, 1, 0.2 };
    const double        half     = 0.5 * (acos(0) - tilt); /* about y, from z */
    AmphiPairTerm       rule     = { .kind      = amphi_spec_find("pair", "gay-berne")->kind,
                                     .treatment = {
                                         .type = AMPHI_SWITCHED, .cutoff_nm = 4, .from_nm = 3.6 } };
    AmphiPairPose       pose     = { .d_nm        = { r_nm, 0, 0 },
                                     .orientation = { { cos(half), 0, sin(half), 0 },
                                                      { cos(half), 0, sin(half), 0 } } };
    AmphiPairUnits      out;

    memcpy(rule.field, values, sizeof values);
    axis[0] = sin(2 * half);
    axis[1] = 0;
    axis[2] = cos(2 * half);
    probe_pairs_double(&rule, 1, &pose, exact);
    probe_units_fixed(&rule, NULL, 1, &pose, &out);
    return out;
}

/* Where U = u, between contact and what cannot be reached. */
static double distance_of(double u, double tilt)
{
    double near = 2.5, far = 3, axis[3];

    for (int k = 0; k < 50; k++) {
        const double    middle = 0.5 * (near + far);
        AmphiPairForces exact;

        end_to_end(middle, tilt, axis, &exact);
        *(exact.energy > u ? &near : &far) = middle;
    }
    return near;
}

/* dU/du_i has a large part along u_i, which turns nothing. With it, a collision of 10 kT in the
 * fluid at T* = 1.25 is out of range; the torque is a tenth of it. */
static void a_thermal_collision_end_to_end_is_in_range(void **state)
{
    const double most = ldexp(1, FIXED_TURN_RANGE), unit = ldexp(1, -FIXED_TURN_BITS);

    (void)state;
    for (double tilt = 0; tilt < 0.5; tilt += 0.05) {
        const double         r = distance_of(15 * 1.25, tilt);
        double               axis[3];
        AmphiPairForces      exact;
        const AmphiPairUnits p    = end_to_end(r, tilt, axis, &exact);
        const double         size = length_of(p.field);
        const double         turn =
            axis[2] * p.field[0] - axis[0] * p.field[2]; /* y: the tilt is about it */

        assert_true(size < 0.5 * most);
        assert_true(fabs(axis[0] * p.field[0] + axis[2] * p.field[2]) < 1e-6 * size + 1e-6 * most);
        assert_true(fabs(turn * unit - exact.torque[0][1]) <
                    1e-5 * fabs(exact.torque[0][1]) + 1e-3);
    }
}

/* ---- the reciprocal root ---- */

/* Is y the number nearest to 1/sqrt(x)? The square of the midpoint to a neighbour, times x, is
 * on the other side of 1; midpoints have 25 bits, x has 24: all three products are exact in
 * 128 bits. */
static bool is_nearest(float x, float y)
{
    const double xx   = (double)x;
    const double up   = 0.5 * ((double)y + (double)nextafterf(y, INFINITY));
    const double down = 0.5 * ((double)y + (double)nextafterf(y, 0));
    /* up^2 has at most 50 bits: exact in two halves */
    const double up2 = up * up, up2_low = fma(up, up, -up2);
    const double down2 = down * down, down2_low = fma(down, down, -down2);
    const double over  = fma(up2, xx, -1) + up2_low * xx;
    const double under = fma(down2, xx, -1) + down2_low * xx;

    return over > 0 && under < 0;
}

typedef void Roots(int32_t n, const float *x, float *out);

static int64_t count_wrong(Roots *roots)
{
    enum { N = 4096 };
    static float x[N], y[N];
    int64_t      wrong = 0;

    for (int32_t first = 0; first < 1 << 24; first += N) {
        for (int32_t k = 0; k < N; k++) /* [1, 4): every fraction at both parities */
            x[k] = first + k < 1 << 23 ? 1 + (float)(first + k) * 0x1p-23F
                                       : 2 + (float)(first + k - (1 << 23)) * 0x1p-22F;
        roots(N, x, y);
        for (int32_t k = 0; k < N; k++)
            wrong += !is_nearest(x[k], y[k]);
    }
    return wrong;
}

static void reciprocal_roots_are_correctly_rounded_for_every_fraction(void **state)
{
    const float one = 1;
    float       root;

    (void)state;
    assert_int_equal(count_wrong(probe_inv_sqrt_lanes_fixed), 0);
    assert_int_equal(count_wrong(probe_inv_sqrt_fixed), 0);
    probe_inv_sqrt_fixed(1, &one, &root);
    assert_true(root == 1);
}

static void quotients_of_roots(int32_t n, const float *x, float *out)
{
    for (int32_t k = 0; k < n; k++)
        out[k] = 1 / sqrtf(x[k]);
}

/* A quotient of a root is rounded twice: a quarter are wrong. */
static void roots_that_are_a_last_bit_off_are_noticed(void **state)
{
    (void)state;
    assert_true(count_wrong(quotients_of_roots) > 1 << 21);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_other_bead_feels_the_opposite_to_the_last_unit),
        cmocka_unit_test(one_unit_is_noticed),
        cmocka_unit_test(nothing_acts_from_the_cutoff_on),
        cmocka_unit_test(lanes_have_the_bits_of_one_lane),
        cmocka_unit_test(a_thermal_collision_end_to_end_is_in_range),
        cmocka_unit_test(reciprocal_roots_are_correctly_rounded_for_every_fraction),
        cmocka_unit_test(roots_that_are_a_last_bit_off_are_noticed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
