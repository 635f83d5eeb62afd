/* The formulas of two dipoles in fewer operations say what the plain one does, and energies of
 * dipoles are those of the field, in the double build.
 */
#define AMPHI_BUILD_DOUBLE 1

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../../forcefield/classes.h"
#include "../../forcefield/spec.h"
#include "../property/draw.h"

enum { DRAWS = 2000 };

static const double cutoff_nm = 0.9, from_nm = 0.7;
/* Some dozens of roundings, 1e-16 each. */
static const double rounding_bound = 1e-14;

static PairTerm term_with(int32_t kind, int32_t treatment, double from)
{
    const AmphiPairTerm rule = { .kind      = kind,
                                 .treatment = { treatment, cutoff_nm, from, 78.5, 1 },
                                 .field     = { 138.9 } };

    return pair_prepare(&rule);
}

static PairTerm dipoles_with(int32_t treatment, double from)
{
    return term_with(PAIR_dipole_dipole, treatment, from);
}

static real3 draw_vector(uint64_t *seed, double length)
{
    double n[3];

    draw_direction(seed, n);
    return (real3){ length * n[0], length * n[1], length * n[2] };
}

static PairGeometry geometry_at(double r, uint64_t *seed)
{
    PairGeometry g = { .d        = draw_vector(seed, r),
                       .axis_i   = draw_vector(seed, draw(seed, 0.02, 0.06)),
                       .axis_j   = draw_vector(seed, draw(seed, 0.02, 0.06)),
                       .charge_j = -0.7 };

    g.r2    = dot3(g.d, g.d);
    g.inv_r = 1 / sqrt(g.r2);
    return g;
}

static bool are_near(real3 a, real3 b, double size)
{
    return fabs(a.x - b.x) <= rounding_bound * size && fabs(a.y - b.y) <= rounding_bound * size &&
           fabs(a.z - b.z) <= rounding_bound * size;
}

/* Of an energy without shift and switch. */
static double size_of(const PairTerm *term, const PairGeometry *g)
{
    return term->as.dipole_dipole.k3 *
           sqrt(dot3(g->axis_i, g->axis_i) * dot3(g->axis_j, g->axis_j)) * g->inv_r * g->inv_r *
           g->inv_r;
}

/* Force and torque on i, against the plain formula with a force along d besides. A switch makes a
 * force of an energy over its width. */
static bool says_the_same(const PairTerm *term, const PairGeometry *g, double more_fd, real3 f,
                          real3 ti)
{
    PairParts    w    = pair_parts_of_kind(PAIR_dipole_dipole, term->switched, term, g);
    const double size = size_of(term, g);

    w.fd += more_fd;

    const PairResult plain = pair_whole(&w, g, 1, 1);

    return are_near(f, plain.f, 10 * size / (cutoff_nm - from_nm) + fabs(more_fd)) &&
           are_near(ti, plain.ti, 10 * size);
}

static bool holds_with_shifts(const PairTerm *term, const PairGeometry *g, double more_fd)
{
    const DipoleParts w = pair_dipoles_shifted(&term->as.dipole_dipole, g, more_fd);
    const real3       p = scale3(w.t3 * w.qd, g->axis_i), q = scale3(w.fq, w.turned);
    const real3       f = add3(add3(scale3(w.fd, g->d), p), q);
    /* what sums take for the part along d */
    const real3 d  = scale3(fma(w.fq, w.m, w.fd), g->d);
    const real3 s  = add3(add3(d, p), scale3(w.fq, g->axis_j));
    const real3 ti = cross3(g->axis_i, scale3(-w.fz / 3, w.turned));

    return says_the_same(term, g, more_fd, f, ti) && says_the_same(term, g, more_fd, s, ti);
}

/* The same of parts that have an energy, too. */
static bool are_the_same(const PairTerm *term, const PairGeometry *g, double more_fd,
                         const PairParts *w)
{
    const PairResult out   = pair_whole(w, g, 1, 1);
    const double     u     = pair_parts_of_kind(PAIR_dipole_dipole, term->switched, term, g).u;
    const double     scale = size_of(term, g);

    return fabs(w->u - u) <= rounding_bound * 10 * scale &&
           says_the_same(term, g, more_fd, out.f, out.ti);
}

static bool holds_alike(const PairTerm *term, const PairGeometry *g, double more_fd)
{
    const PairParts w = pair_dipoles_alike(&term->as.dipole_dipole, g, more_fd);

    return are_the_same(term, g, more_fd, &w);
}

static bool holds_with_a_switch(const PairTerm *term, const PairGeometry *g, double more_fd)
{
    const PairParts w =
        pair_dipoles_switched(&term->as.dipole_dipole, &term->at_cutoff, g, more_fd);

    return are_the_same(term, g, more_fd, &w);
}

typedef bool Form(const PairTerm *term, const PairGeometry *g, double more_fd);

static void check(Form *form, int32_t treatment, double from, double r_low, double r_high)
{
    const PairTerm term = dipoles_with(treatment, from);
    uint64_t       seed = (uint64_t)treatment + 1;

    for (int k = 0; k < DRAWS; k++) {
        const PairGeometry g = geometry_at(draw(&seed, r_low, r_high), &seed);

        if (!form(&term, &g, draw(&seed, -50, 50)))
            fail_msg("treatment %d, draw %d, r = %g nm", treatment, k, sqrt(g.r2));
    }
}

static void with_shifts_forces_and_torques_are_those_of_the_plain_formula(void **state)
{
    (void)state;
    check(holds_with_shifts, AMPHI_SHIFTED_FACTORS, 0, 0.25, cutoff_nm);
    check(holds_with_shifts, AMPHI_FORCE_SHIFT, 0, 0.25, cutoff_nm);
    check(holds_with_shifts, AMPHI_ENERGY_SHIFT, 0, 0.25, cutoff_nm);
    check(holds_with_shifts, AMPHI_TRUNCATED, 0, 0.25, cutoff_nm);
}

static void parts_that_round_alike_are_those_of_the_plain_formula(void **state)
{
    (void)state;
    check(holds_alike, AMPHI_SHIFTED_FACTORS, 0, 0.25, cutoff_nm);
    check(holds_alike, AMPHI_FORCE_SHIFT, 0, 0.25, cutoff_nm);
    check(holds_alike, AMPHI_ENERGY_SHIFT, 0, 0.25, cutoff_nm);
    check(holds_alike, AMPHI_TRUNCATED, 0, 0.25, cutoff_nm);
    check(holds_alike, AMPHI_REACTION_FIELD, 0, 0.25, cutoff_nm);
}

/* Before the switch, in it, and beyond it. */
static void with_a_switch_forces_and_torques_are_those_of_the_plain_formula(void **state)
{
    (void)state;
    check(holds_with_a_switch, AMPHI_SWITCHED, from_nm, 0.25, from_nm);
    check(holds_with_a_switch, AMPHI_SWITCHED, from_nm, from_nm, cutoff_nm);
    check(holds_with_a_switch, AMPHI_SWITCHED, from_nm, cutoff_nm, 1.1 * cutoff_nm);
    check(holds_with_a_switch, AMPHI_REACTION_FIELD, from_nm, 0.25, from_nm);
    check(holds_with_a_switch, AMPHI_REACTION_FIELD, from_nm, from_nm, cutoff_nm);
    check(holds_with_a_switch, AMPHI_REACTION_FIELD, from_nm, cutoff_nm, 1.1 * cutoff_nm);
}

/* Is the energy minus the product of the dipole of i with the field there, within rounding? */
static bool is_of_field(const PairTerm *term, const PairGeometry *g)
{
    const PairParts w    = pair_parts_of_kind(term->kind, term->switched, term, g);
    const double    u    = -dot3(g->axis_i, add3(scale3(w.fp, g->d), scale3(w.fz, g->axis_j)));
    const double    size = fabs(w.u) + 0.06 * (fabs(w.fp) * sqrt(g->r2) + 0.06 * fabs(w.fz));

    return fabs(u - w.u) <= rounding_bound * size;
}

static void hold_energy_of_field(int32_t kind, int32_t treatment)
{
    const bool     has_switch = treatment == AMPHI_REACTION_FIELD || treatment == AMPHI_SWITCHED;
    const PairTerm term       = term_with(kind, treatment, has_switch ? from_nm : 0);
    uint64_t       seed       = (uint64_t)(7 * treatment + kind + 1);

    for (int n = 0; n < DRAWS; n++) {
        const PairGeometry g = geometry_at(draw(&seed, 0.25, cutoff_nm), &seed);

        if (!is_of_field(&term, &g))
            fail_msg("%s, treatment %d, r = %g nm: does it feel the axis of i, and is it linear "
                     "in it? pairs.h has to say so",
                     amphi_potential_of_kind(kind, false)->name, treatment, sqrt(g.r2));
    }
}

/* Of all potentials that say so. */
static void the_energy_of_a_dipole_is_that_of_the_field_there(void **state)
{
    const int32_t treatments[] = { AMPHI_TRUNCATED,       AMPHI_ENERGY_SHIFT,   AMPHI_FORCE_SHIFT,
                                   AMPHI_SHIFTED_FACTORS, AMPHI_REACTION_FIELD, AMPHI_SWITCHED };
    int           n_kinds      = 0;

    (void)state;
    for (int32_t kind = 0; kind < PAIR_KINDS; kind++) {
        if ((KINDS_OF_AXES >> kind & 1) == 0 || !pair_is_linear_in_dipole(kind))
            continue;
        n_kinds++;
        for (size_t k = 0; k < sizeof treatments / sizeof *treatments; k++)
            hold_energy_of_field(kind, treatments[k]);
    }
    assert_true(n_kinds >= 2);
}

/* The other bead's dipole is in another field. */
static void the_energy_of_a_charge_is_not(void **state)
{
    const PairTerm term = term_with(PAIR_charge_dipole, AMPHI_SHIFTED_FACTORS, 0);
    uint64_t       seed = 5;
    PairGeometry   g    = geometry_at(0.5, &seed);

    (void)state;
    g.charge_i = 0.7;
    assert_false(is_of_field(&term, &g));
}

/* Each has what the other leaves out. */
static void either_is_wrong_where_it_does_not_belong(void **state)
{
    const PairTerm     shifted  = dipoles_with(AMPHI_SHIFTED_FACTORS, 0);
    const PairTerm     switched = dipoles_with(AMPHI_REACTION_FIELD, from_nm);
    uint64_t           seed     = 3;
    const PairGeometry g        = geometry_at(0.8, &seed);

    (void)state;
    assert_false(holds_with_shifts(&switched, &g, 0));
    assert_false(holds_with_a_switch(&shifted, &g, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_that_round_alike_are_those_of_the_plain_formula),
        cmocka_unit_test(with_shifts_forces_and_torques_are_those_of_the_plain_formula),
        cmocka_unit_test(with_a_switch_forces_and_torques_are_those_of_the_plain_formula),
        cmocka_unit_test(either_is_wrong_where_it_does_not_belong),
        cmocka_unit_test(the_energy_of_a_dipole_is_that_of_the_field_there),
        cmocka_unit_test(the_energy_of_a_charge_is_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
