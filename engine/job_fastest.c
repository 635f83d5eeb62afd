/* The fastest motion that can be foreseen, for which a time step can be too long. Leapfrog steps of
 * a harmonic motion are stable up to its period over pi (omega dt < 2); with a tenth of it the
 * frequency is too high by (omega dt)^2/24, less than 2 %.
 *
 * Motions are seen one at a time: u'' of the energy along one coordinate, times the inverse mass of
 * that (Wilson, J. Chem. Phys. 9, 76 (1941)), is the square of its angular frequency.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../forcefield/spec.h"
#include "build_contact.h"
#include "reader.h"

/* rate2: angular frequency squared, 1/ps^2; not positive: no motion. */
static void see(AmphiFastest *fastest, double rate2, const char *what,
                const AmphiBeadType *const of[], int32_t n_of, const char *rest)
{
    const double period_ps = rate2 > 0 ? 2 * acos(-1.0) / sqrt(rate2) : (double)INFINITY;
    size_t       n;

    if (!(period_ps < fastest->period_ps))
        return;
    fastest->period_ps = period_ps;
    n = (size_t)snprintf(fastest->name, sizeof fastest->name, "%s %.32s", what, of[0]->name);
    for (int32_t k = 1; k < n_of; k++)
        n += (size_t)snprintf(fastest->name + n, sizeof fastest->name - n, "-%.32s", of[k]->name);
    snprintf(fastest->name + n, sizeof fastest->name - n, "%s", rest);
}

/* ---- what is bonded ---- */

/* Of a bond of a molecule. */
typedef struct {
    const AmphiPotential *potential;
    const double         *field;
    const int32_t        *bead; /* in the molecule */
    const AmphiBeadType  *type[AMPHI_MAX_BOND_BEADS];
} Term;

static Term term_of(const AmphiSystem *s, const AmphiMoleculeType *m, const AmphiBond *bond)
{
    const AmphiBondRule *const rule = &s->bond_rule[bond->rule];
    Term t = { amphi_potential_of_kind(rule->kind, true), rule->field, bond->bead, { NULL } };

    for (int32_t k = 0; t.potential != NULL && k < t.potential->n_beads; k++)
        t.type[k] = &s->type[m->bead_type[bond->bead[k]]];
    return t;
}

static bool is_of(const Term *t, const char *element)
{
    return t->potential != NULL && strcmp(t->potential->element, element) == 0;
}

static double value_of(const Term *t, const char *field)
{
    return amphi_field_value(t->potential, t->field, field);
}

/* A bond at rest: bead < other. */
typedef struct {
    int32_t bead, other;
    double  length_nm;
} Arm;

/* Of a molecule, sorted. */
typedef struct {
    int32_t n;
    Arm    *arm;
} Arms;

static int compare_arms(const void *a, const void *b)
{
    const Arm *p = a, *q = b;

    if (p->bead != q->bead)
        return p->bead < q->bead ? -1 : 1;
    return (p->other > q->other) - (p->other < q->other);
}

static Arm arm_between(int32_t a, int32_t b, double length_nm)
{
    return (Arm){ a < b ? a : b, a < b ? b : a, length_nm };
}

static Arms find_arms(AmphiReader *r, const AmphiMoleculeType *m)
{
    Arms arms = { 0, AMPHI_TAKE(r->arena, Arm, m->n_bonds) };

    for (int32_t k = 0; arms.arm != NULL && k < m->n_bonds; k++) {
        const Term t = term_of(r->system, m, &m->bond[k]);

        if (is_of(&t, "bond"))
            arms.arm[arms.n++] = arm_between(t.bead[0], t.bead[1], value_of(&t, "length"));
    }
    if (arms.n > 0)
        qsort(arms.arm, (size_t)arms.n, sizeof *arms.arm, compare_arms);
    return arms;
}

/* 1/nm; 0 where there is no bond. */
static double inverse_length(const Arms *arms, int32_t a, int32_t b)
{
    const Arm  key = arm_between(a, b, 0);
    const Arm *arm =
        arms->n > 0 ? bsearch(&key, arms->arm, (size_t)arms->n, sizeof key, compare_arms) : NULL;

    return arm != NULL && arm->length_nm > 0 ? 1 / arm->length_nm : 0;
}

/* u'' at rest, kJ/(mol rad^2), of k (t - t0)^2, k (cos t - cos t0)^2 and k (1 - cos^2 t). */
static double stiffness_of_turn(const Term *t)
{
    const double k = value_of(t, "k"), sine = sin(value_of(t, "angle"));

    return 2 * k *
           (strcmp(t->potential->name, "cosine-squared") == 0 ||
                    strcmp(t->potential->name, "dipole-restraint") == 0
                ? sine * sine
                : 1);
}

static void see_bond(const Term *t, AmphiFastest *fastest)
{
    const double inverse_mass = 1 / t->type[0]->mass_u + 1 / t->type[1]->mass_u;

    see(fastest, 2 * value_of(t, "k") * inverse_mass, "a bond", t->type, 2, "");
}

/* Of bonds that keep their lengths, 1/a and 1/b. The inverse moment of inertia is Wilson's element
 * a^2/m1 + b^2/m3 + (a^2 + b^2 - 2 a b cos t)/m2, 1/(u nm^2). */
static void see_angle(const Arms *arms, const Term *t, AmphiFastest *fastest)
{
    const double a      = inverse_length(arms, t->bead[0], t->bead[1]);
    const double b      = inverse_length(arms, t->bead[2], t->bead[1]);
    const double vertex = a * a + b * b - 2 * a * b * cos(value_of(t, "angle"));
    const double inverse_inertia =
        a * a / t->type[0]->mass_u + b * b / t->type[2]->mass_u + vertex / t->type[1]->mass_u;

    if (a > 0 && b > 0)
        see(fastest, stiffness_of_turn(t) * inverse_inertia, "an angle", t->type, 3, "");
}

/* 1/(u nm^2), about an axis across the bead's own. */
static double inverse_inertia_of(const AmphiBeadType *t)
{
    return t->rotor != AMPHI_POINT ? 1 / fmin(t->inertia_u_nm2[0], t->inertia_u_nm2[1]) : 0;
}

/* A bead's axis against the direction from one bead to another: of a dipole from itself. */
static void see_orientation(const Arms *arms, const Term *t, AmphiFastest *fastest)
{
    const int32_t to = t->potential->n_beads - 1, from = to - 1;
    const double  a               = inverse_length(arms, t->bead[from], t->bead[to]);
    const double  inverse_inertia = inverse_inertia_of(t->type[0]) +
                                   a * a * (1 / t->type[from]->mass_u + 1 / t->type[to]->mass_u);

    see(fastest, stiffness_of_turn(t) * inverse_inertia, "the orientation of", t->type, 1, "");
}

static void see_molecule(AmphiReader *r, const AmphiMoleculeType *m, AmphiFastest *fastest)
{
    const Arms arms = find_arms(r, m);

    for (int32_t k = 0; k < m->n_bonds; k++) {
        const Term t = term_of(r->system, m, &m->bond[k]);

        if (is_of(&t, "bond"))
            see_bond(&t, fastest);
        if (is_of(&t, "angle"))
            see_angle(&arms, &t, fastest);
        if (is_of(&t, "orientation"))
            see_orientation(&arms, &t, fastest);
    }
}

/* ---- ellipsoids at contact ---- */

/* X, Y and the rest of pair_gay_berne.h: Cleaver et al., Phys. Rev. E 54, 559 (1996). */
typedef struct {
    double X[2], Y[2], epsilon, mu, nu, width_nm;
} Ellipsoids;

static Ellipsoids ellipsoids_of(const AmphiPotential *p, const double *field)
{
    const AmphiContact contact     = amphi_contact_of_ellipsoids(p, field);
    const double       mu          = amphi_field_value(p, field, "mu");
    const bool         is_harmonic = amphi_field_value(p, field, "harmonic_wells") != 0;
    const double       m           = is_harmonic ? -1 / mu : 1 / mu;
    const double       S[2]        = { pow(amphi_field_value(p, field, "side_i"), m),
                                       pow(amphi_field_value(p, field, "side_j"), m) };
    const double       E[2]        = { pow(amphi_field_value(p, field, "end_i"), m),
                                       pow(amphi_field_value(p, field, "end_j"), m) };
    Ellipsoids         out         = { .X       = { contact.xi, contact.xj },
                                       .epsilon = amphi_field_value(p, field, "epsilon"),
                                       .mu      = mu,
                                       .nu      = amphi_field_value(p, field, "nu") };

    out.width_nm = amphi_field_value(p, field, "width") * contact.sigma_nm;
    for (int k = 0; k < 2; k++) {
        const double other_S = S[1 - k], other_E = E[1 - k];

        out.Y[k] =
            is_harmonic ? (E[k] - S[k]) / (E[k] + other_S) : (S[k] - E[k]) / (S[k] + other_E);
    }
    return out;
}

/* eps of pair_gay_berne.h, how deep the well is, kJ/mol: x = u_i.n, y = u_j.n, z = u_i.u_j. */
static double depth_of(const Ellipsoids *e, double x, double y, double z)
{
    const double X2 = e->X[0] * e->X[1], Y2 = e->Y[0] * e->Y[1];
    const double H = (e->Y[0] * x * x + e->Y[1] * y * y - 2 * Y2 * x * y * z) / (1 - Y2 * z * z);

    return e->epsilon * pow(1 - X2 * z * z, -e->nu / 2) * pow(1 - H, e->mu);
}

/* The same with the first axis turned by an angle, in the plane of both axes and n, from one of the
 * places where they are along n or across it. */
static double depth_when_turned(const Ellipsoids *e, int place, double angle)
{
    const double s = sin(angle), c = cos(angle);

    switch (place) {
    case 0: /* side by side */
        return depth_of(e, s, 0, c);
    case 1: /* end to end */
        return depth_of(e, c, 1, c);
    case 2: /* the first by its end, the other by its side */
        return depth_of(e, c, 0, s);
    default: /* the other way round */
        return depth_of(e, s, 1, s);
    }
}

/* u'' in the deepest well, kJ/(mol nm^2) along the line between two, and kJ/(mol rad^2) of the
 * first axis. At the bottom of 4 eps (rho^-12 - rho^-6) it is 72/2^(1/3) eps by rho; there the
 * distance is at its best, which changes by the square of a small turn, and the energy by the
 * square of that. */
static void stiffness_of_ellipsoids(const Ellipsoids *e, double *along, double *turn)
{
    enum { PLACES = 4 };
    const double small   = 0.01; /* rad: what is of fourth order is 1e-4 of the second */
    int          deepest = 0;

    for (int k = 1; k < PLACES; k++)
        if (depth_when_turned(e, k, 0) > depth_when_turned(e, deepest, 0))
            deepest = k;

    const double depth = depth_when_turned(e, deepest, 0);

    *along = 72 / cbrt(2) * depth / (e->width_nm * e->width_nm);
    *turn  = 2 * (depth - depth_when_turned(e, deepest, small)) / (small * small);
}

/* ---- pairs at contact ---- */

/* What attracts and repels two beads along the line between them, in kJ/mol and nm: the potentials
 * of pair_lj.h, pair_charge_*.h and pair_dipole_dipole.h in forcefield/ without their shifts, with
 * dipoles along that line, as they attract most.
 *   u(r) = 4 e [(s/r)^12 - (s/r)^6] - a1/r - a2/r^2 - a3/r^3
 *   a1 = -C q q',  a2 = C (|q| mu' + |q'| mu),  a3 = 2 C mu mu' */
typedef struct {
    double e, s, a[3];
} Contact;

static Contact contact_of(const AmphiSystem *s, int32_t i, int32_t j)
{
    const AmphiPotential *const lj   = amphi_spec_find("pair", "lennard-jones");
    const AmphiPairRule *const  rule = &s->pair_rule[(int64_t)i * s->n_types + j];
    const AmphiBeadType *const p = &s->type[i], *const q = &s->type[j];
    const double c    = s->coulomb_kJ_nm_mol_e2;
    Contact      pair = { 0 };

    for (int32_t k = 0; k < rule->n_terms; k++)
        if (rule->term[k].kind == lj->kind) {
            pair.e = amphi_field_value(lj, rule->term[k].field, "epsilon");
            pair.s = amphi_field_value(lj, rule->term[k].field, "sigma");
        }
    pair.a[0] = -c * p->charge_e * q->charge_e;
    pair.a[1] = c * (fabs(p->charge_e) * q->dipole_e_nm + fabs(q->charge_e) * p->dipole_e_nm);
    pair.a[2] = 2 * c * p->dipole_e_nm * q->dipole_e_nm;
    return pair;
}

static double slope_at(const Contact *pair, double r)
{
    const double s6  = pow(pair->s / r, 6);
    double       sum = -24 * pair->e * s6 * (2 * s6 - 1) / r;

    for (int n = 1; n <= 3; n++)
        sum += n * pair->a[n - 1] / pow(r, n + 1);
    return sum;
}

static double curvature_at(const Contact *pair, double r)
{
    const double s6  = pow(pair->s / r, 6);
    double       sum = 24 * pair->e * s6 * (26 * s6 - 7) / (r * r);

    for (int n = 1; n <= 3; n++)
        sum -= n * (n + 1) * pair->a[n - 1] / pow(r, n + 2);
    return sum;
}

/* u'' where u is least, kJ/(mol nm^2); 0: nowhere near contact. */
static double stiffness_of(const Contact *pair)
{
    double low = 0.3 * pair->s, high = 1.2 * pair->s;

    if (!(pair->e > 0) || !(pair->s > 0) || !(slope_at(pair, low) < 0 && slope_at(pair, high) > 0))
        return 0;
    for (int k = 0; k < 50; k++) {
        const double middle = 0.5 * (low + high);

        if (slope_at(pair, middle) < 0)
            low = middle;
        else
            high = middle;
    }
    return curvature_at(pair, low);
}

/* Beads in a row, each held between two neighbours at contact that move against it: a spring u''
 * on either side. Of ELBA water 166 fs; its membranes hold their energy at 10 fs, and not as well
 * at 14 (validation/physics). */
static void see_spring(const AmphiBeadType *p, const AmphiBeadType *q, double k_kJ_mol_nm2,
                       AmphiFastest *fastest)
{
    const AmphiBeadType *const of[] = { p, q };

    see(fastest, 2 * k_kJ_mol_nm2 * (1 / p->mass_u + 1 / q->mass_u), "a pair", of, 2,
        " at contact");
}

/* An ellipsoid's turn against two neighbours, as well. */
static void see_ellipsoids(const AmphiSystem *s, int32_t i, int32_t j, AmphiFastest *fastest)
{
    const AmphiPairRule *const rule = &s->pair_rule[(int64_t)i * s->n_types + j];
    const AmphiBeadType *const p = &s->type[i], *const q = &s->type[j];
    double along, turn;

    for (int32_t k = 0; k < rule->n_terms; k++) {
        const AmphiPotential *const potential = amphi_potential_of_kind(rule->term[k].kind, false);

        if (potential == NULL || potential->slot != AMPHI_GAY_BERNE)
            continue;

        const Ellipsoids e = ellipsoids_of(potential, rule->term[k].field);

        stiffness_of_ellipsoids(&e, &along, &turn);
        see_spring(p, q, along, fastest);
        see(fastest, 2 * turn * inverse_inertia_of(p), "an ellipsoid", &p, 1, " at contact");
    }
}

static void see_contacts(const AmphiSystem *s, AmphiFastest *fastest)
{
    for (int32_t i = 0; i < s->n_types; i++)
        for (int32_t j = 0; j < s->n_types; j++) {
            const Contact pair = contact_of(s, i, j);

            if (i <= j)
                see_spring(&s->type[i], &s->type[j], stiffness_of(&pair), fastest);
            see_ellipsoids(s, i, j, fastest);
        }
}

/* The libration of a dipole in the field of two neighbours at contact, one on either side: an
 * energy mu B, with B = 4 C mu / sigma^3 of two dipoles and 2 C q / sigma^2 of two charges. */
static void see_dipole(const AmphiSystem *s, int32_t i, int32_t j, AmphiFastest *fastest)
{
    const AmphiBeadType *const t = &s->type[i], *const other = &s->type[j];
    const double sigma           = s->pair_rule[(int64_t)i * s->n_types + j].sigma_nm;
    const double scale           = s->coulomb_kJ_nm_mol_e2 * t->dipole_e_nm / (sigma * sigma);
    const double inverse_inertia = inverse_inertia_of(t);

    if (!(sigma > 0))
        return;
    see(fastest, 4 * scale * other->dipole_e_nm / sigma * inverse_inertia, "a dipole", &t, 1, "");
    see(fastest, 2 * scale * fabs(other->charge_e) * inverse_inertia, "a dipole", &t, 1,
        " by charges");
}

/* The libration of a molecule that has four bonds by the sticky term. At its best w of that is a
 * harmonic of degree 3 with the value 4 / sqrt(27), so that its two curvatures on the sphere are 6
 * times that; the energy has half of it, and turning about any axis sees 8/3 of four tetrahedral
 * directions. */
static void see_sticky(const AmphiSystem *s, int32_t i, int32_t j, AmphiFastest *fastest)
{
    const AmphiPairRule *const rule    = &s->pair_rule[(int64_t)i * s->n_types + j];
    const AmphiBeadType *const t       = &s->type[i];
    const double *const        moment  = t->inertia_u_nm2;
    const AmphiPotential      *sticky  = amphi_spec_find("pair", "sticky");
    const double               turning = 8. / 3 * 0.5 * 6 * 4 / sqrt(27);

    for (int32_t k = 0; k < rule->n_terms; k++)
        if (t->rotor == AMPHI_TOP && rule->term[k].kind == sticky->kind)
            see(fastest,
                turning * amphi_field_value(sticky, rule->term[k].field, "v0") /
                    fmin(moment[0], fmin(moment[1], moment[2])),
                "a sticky", &t, 1, "");
}

static void see_turns(const AmphiSystem *s, AmphiFastest *fastest)
{
    for (int32_t i = 0; i < s->n_types; i++)
        for (int32_t j = 0; j < s->n_types; j++) {
            see_dipole(s, i, j, fastest);
            see_sticky(s, i, j, fastest);
        }
}

AmphiFastest amphi_reader_fastest(AmphiReader *r)
{
    const AmphiSystem *s       = r->system;
    AmphiFastest       fastest = { .period_ps = (double)INFINITY };

    for (int32_t k = 0; k < s->n_molecule_types; k++)
        see_molecule(r, &s->molecule_type[k], &fastest);
    see_turns(s, &fastest);
    see_contacts(s, &fastest);
    return fastest;
}

void amphi_reader_fastest_held(AmphiReader *r, const AmphiStageRestraint *held, int32_t n,
                               AmphiFastest *fastest)
{
    const AmphiSystem *s = r->system;
    double(*k)[3]        = NULL;

    if (n == 0)
        return;
    k = amphi_alloc(s->n_beads, sizeof *k); /* zeros */
    if (k == NULL) {
        r->no_memory = true;
        return;
    }
    for (int32_t h = 0; h < n; h++)
        for (int32_t b = 0; b < s->group[held[h].group].n_beads; b++) {
            const int32_t              bead = s->group[held[h].group].bead[b];
            const AmphiBeadType *const t    = &s->type[s->bead_type[bead]];

            for (int a = 0; a < 3; a++) {
                k[bead][a] += held[h].axis[a] ? held[h].k_kJ_mol_nm2 : 0;
                see(fastest, 2 * k[bead][a] / t->mass_u, "a restrained bead", &t, 1, "");
            }
        }
    amphi_release(k);
}
