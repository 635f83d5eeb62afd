/* Every pair potential of the list with every treatment that it takes, with random fields and
 * poses: what the laws of test_pairs.c and the comparisons of test_builds.c run over. A potential
 * that is added to the list comes in by itself, but for the size of its terms (size_of_energy).
 */
#ifndef AMPHI_VALIDATION_PAIR_CASES_H
#define AMPHI_VALIDATION_PAIR_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "../../engine/typed/probe.h"
#include "../../forcefield/spec.h"
#include "draw.h"

typedef struct {
    const AmphiPotential *potential;
    int32_t               type; /* AmphiTreatmentType */
    bool                  has_switch;
} PairCase;

/* How large the parts are that a result is the sum of, and so what its error is relative to. */
typedef struct {
    double energy, force, torque;
} TermSize;

enum { MOST_CASES = 64 };

static const char *const treatment_names[AMPHI_TREATMENTS] = { "truncated",       "energy-shift",
                                                               "force-shift",     "quadratic-shift",
                                                               "shifted-factors", "reaction-field",
                                                               "switched" };

/* Is the treatment made by a kind of its own (element "shifted")? Then that kind is the case. */
static inline bool has_variant(const AmphiPotential *potential, const char *treatment)
{
    const AmphiPotential *variant = amphi_spec_find("shifted", potential->name);

    return variant != NULL && variant != potential &&
           strstr(variant->treatments, treatment) != NULL;
}

static inline int all_cases(PairCase out[MOST_CASES])
{
    const AmphiPotential *p;
    int                   n = 0;

    for (int32_t k = 0; (p = amphi_spec_at(k)) != NULL; k++) {
        if (amphi_potential_is_bonded(p))
            continue;
        if (p->treatments[0] == '\0')
            out[n++] = (PairCase){ p, AMPHI_TRUNCATED, false };
        for (int32_t t = 0; t < AMPHI_TREATMENTS; t++) {
            if (strstr(p->treatments, treatment_names[t]) == NULL ||
                has_variant(p, treatment_names[t]))
                continue;
            out[n++] = (PairCase){ p, t, t == AMPHI_SWITCHED };
            if (t == AMPHI_REACTION_FIELD)
                out[n++] = (PairCase){ p, t, true };
        }
    }
    return n;
}

static inline const char *case_name(const PairCase *c, char text[128])
{
    snprintf(text, 128, "%s, %s%s", c->potential->name, treatment_names[c->type],
             c->has_switch ? " with a switch" : "");
    return text;
}

static inline double field_of(const AmphiPotential *potential, const AmphiPairTerm *rule,
                              const char *name)
{
    for (int32_t k = 0; k < potential->n_fields; k++)
        if (strcmp(potential->field[k].name, name) == 0)
            return rule->field[k];
    return (double)NAN;
}

static inline bool ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);

    return n >= m && strcmp(text + n - m, ending) == 0;
}

static inline double draw_field(const AmphiField *field, double before, uint64_t *seed)
{
    if (ends_with(field->name, "_to"))
        return before + draw(seed, 0.06, 0.15);
    switch (field->dimension) {
    case AMPHI_DIM_LENGTH:
        return draw(seed, 0.3, 0.6);
    case AMPHI_DIM_ENERGY:
        return draw(seed, 0.5, 5);
    case AMPHI_DIM_WHOLE:
        return floor(draw(seed, 1, 3.999));
    case AMPHI_DIM_FLAG:
        return floor(draw(seed, 0, 1.999));
    case AMPHI_DIM_COULOMB:
        return draw(seed, 50, 150);
    default:
        return draw(seed, 0.3, 1.5);
    }
}

static inline AmphiPairTerm draw_rule(const PairCase *c, uint64_t *seed)
{
    const AmphiPotential *p    = c->potential;
    AmphiPairTerm         rule = { .kind = p->kind };
    AmphiTreatment       *t    = &rule.treatment;

    *t         = (AmphiTreatment){ .type                = c->type,
                                   .cutoff_nm           = draw(seed, 1, 1.4),
                                   .permittivity        = draw(seed, 2, 100),
                                   .permittivity_within = 1 };
    t->from_nm = c->has_switch ? t->cutoff_nm - draw(seed, 0.1, 0.3) : t->cutoff_nm;
    for (int32_t k = 0; k < p->n_fields; k++)
        rule.field[k] = draw_field(&p->field[k], k > 0 ? rule.field[k - 1] : 0, seed);
    if (p->treatments[0] == '\0') { /* its own range: the last end of its switches */
        t->cutoff_nm = 0;
        for (int32_t k = 0; k < p->n_fields; k++)
            if (ends_with(p->field[k].name, "_to"))
                t->cutoff_nm = fmax(t->cutoff_nm, rule.field[k]);
        t->from_nm = t->cutoff_nm;
    }
    return rule;
}

static inline AmphiPairForces evaluate(const AmphiPairTerm *rule, const AmphiPairPose *pose)
{
    AmphiPairForces out;

    probe_pairs_double(rule, 1, pose, &out);
    return out;
}

/* Second derivatives jump where a switch begins or ends: no place for differences. */
static inline bool is_near_a_kink(const PairCase *c, const AmphiPairTerm *rule, double r)
{
    const double near = 2e-3;

    for (int32_t k = 0; k < c->potential->n_fields; k++)
        if (fabs(r - rule->field[k]) < near)
            return true;
    return fabs(r - rule->treatment.from_nm) < near || fabs(r - rule->treatment.cutoff_nm) < near;
}

static inline AmphiPairPose draw_pose_at(double r, uint64_t *seed)
{
    AmphiPairPose pose;

    draw_direction(seed, pose.d_nm);
    for (int a = 0; a < 3; a++)
        pose.d_nm[a] *= r;
    for (int k = 0; k < 2; k++) {
        draw_orientation(seed, pose.orientation[k]);
        pose.charge_e[k]    = draw(seed, -1, 1);
        pose.dipole_e_nm[k] = draw(seed, 0.03, 0.06);
    }
    return pose;
}

/* Within the cut-off, off the kinks, and not so deep in a core (1e5 kJ/mol) as no run can come. */
static inline AmphiPairPose draw_pose(const PairCase *c, const AmphiPairTerm *rule, uint64_t *seed)
{
    AmphiPairPose pose;
    double        r;

    do {
        r    = draw(seed, 0.25, rule->treatment.cutoff_nm);
        pose = draw_pose_at(r, seed);
    } while (is_near_a_kink(c, rule, r) || fabs(evaluate(rule, &pose).energy) > 1e5);
    return pose;
}

static inline AmphiPairPose stretched(AmphiPairPose pose, double by)
{
    for (int a = 0; a < 3; a++)
        pose.d_nm[a] *= by;
    return pose;
}

/* Gay-Berne, bare: the same pose, a little nearer and farther, since sizes depend on
 * orientations. */
static inline double size_of_gay_berne(const AmphiPairTerm *rule, const AmphiPairPose *pose)
{
    AmphiPairTerm bare = *rule;
    double        sum  = 0;

    bare.kind      = amphi_spec_find("pair", "gay-berne")->kind;
    bare.treatment = (AmphiTreatment){ .type = AMPHI_TRUNCATED, .cutoff_nm = 10 };
    for (double by = 0.98; by < 1.03; by += 0.02) {
        const AmphiPairPose near = stretched(*pose, by);

        sum += fabs(evaluate(&bare, &near).energy);
    }
    return sum;
}

static inline double size_of_energy(const PairCase *c, const AmphiPairTerm *rule,
                                    const AmphiPairPose *pose)
{
    const double r  = length_of(pose->d_nm);
    const double s6 = pow(field_of(c->potential, rule, "sigma") / r, 6);
    const double K  = field_of(c->potential, rule, "coulomb");

    switch (c->potential->slot) {
    case AMPHI_LJ:
        return 4 * field_of(c->potential, rule, "epsilon") * s6 * (s6 + 1);
    case AMPHI_QQ:
        return K * fabs(pose->charge_e[0] * pose->charge_e[1]) / r;
    case AMPHI_QD:
        return K * (fabs(pose->charge_e[0]) + fabs(pose->charge_e[1])) * 0.06 / (r * r);
    case AMPHI_DD:
        return 3 * K * pose->dipole_e_nm[0] * pose->dipole_e_nm[1] / (r * r * r);
    case AMPHI_STICKY:
        return field_of(c->potential, rule, "v0");
    case AMPHI_GAY_BERNE:
        return size_of_gay_berne(rule, pose);
    default:
        fail_msg("%s: say in pair_cases.h how large its terms are", c->potential->name);
        return (double)NAN;
    }
}

/* Forces are at most about 12 u/r, plus what a switch adds; torques at most 6 u. */
static inline TermSize size_of_terms(const PairCase *c, const AmphiPairTerm *rule,
                                     const AmphiPairPose *pose)
{
    const double energy = size_of_energy(c, rule, pose);
    const double width  = rule->treatment.cutoff_nm - rule->treatment.from_nm;
    double       force  = 12 * energy / length_of(pose->d_nm);

    if (c->has_switch)
        force += 1.5 * energy / width;
    return (TermSize){ energy, force, 6 * energy };
}

#endif
