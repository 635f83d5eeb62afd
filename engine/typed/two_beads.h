/* All terms between two beads, in double, one pair after the other: for the reference backend, and
 * for whoever asks how the momentum goes from bead to bead.
 */
#ifndef AMPHI_TYPED_TWO_BEADS_H
#define AMPHI_TYPED_TWO_BEADS_H

#include <math.h>

#include "../../forcefield/pairs.h"
#include "../arena.h"
#include "../system.h"
#include "box.h"

typedef struct {
    real3   at;           /* nm */
    real3   axis, dipole; /* unit body z, and e nm, space frame */
    quat    frame;
    real    charge; /* e */
    int32_t type;
} Bead;

/* The terms between two bead types. */
typedef struct {
    int32_t  n_terms;
    real     cutoff2; /* nm^2, the largest of the terms */
    PairTerm term[AMPHI_MAX_PAIR_TERMS];
} Rule;

/* The terms between one pair of beads that are within their range. */
typedef struct {
    int32_t    n;
    real3      d;
    int32_t    slot[AMPHI_MAX_PAIR_TERMS];
    PairResult term[AMPHI_MAX_PAIR_TERMS];
} Acting;

/* All of them, by the types of two beads. */
typedef struct {
    int32_t n_types;
    real    cutoff2; /* nm^2, the largest */
    Rule   *rule;    /* [n_types][n_types] */
} PairRules;

static inline real3 vector_of(const double x[3])
{
    return (real3){ x[0], x[1], x[2] };
}

static inline Bead make_bead(const AmphiSystem *system, int32_t i, const double position[3],
                             const double orientation[4])
{
    const quat q = { orientation[0], orientation[1], orientation[2], orientation[3] };

    return (Bead){ .at     = vector_of(position),
                   .axis   = body_axis(q),
                   .dipole = scale3(system->bead_dipole_e_nm[i], body_axis(q)),
                   .frame  = q,
                   .charge = system->bead_charge_e[i],
                   .type   = system->bead_type[i] };
}

static inline Acting acting_between(const PairRules *rules, const Box *box, const Bead *a,
                                    const Bead *b)
{
    const Rule      *rule   = &rules->rule[a->type * rules->n_types + b->type];
    const real3      d      = nearest_image(box, sub3(a->at, b->at));
    const real       r2     = dot3(d, d);
    const PairFrames frames = { a->frame, b->frame };

    Acting out;
    out.n = 0;
    out.d = d;
    if (r2 >= rule->cutoff2)
        return out;
    for (int32_t k = 0; k < rule->n_terms; k++) {
        const PairTerm    *term = &rule->term[k];
        const bool         unit = pair_reads_unit_axis(term->kind);
        const PairGeometry g    = { d,
                                    r2,
                                    inv_sqrt(r2),
                                 unit ? a->axis : a->dipole,
                                 unit ? b->axis : b->dipole,
                                    a->charge,
                                    b->charge,
                                    { 0, 0, 0 } };

        if (r2 >= term->cutoff2)
            continue;
        out.slot[out.n] = term->slot;
        out.term[out.n] = pair_eval(term, &g, &frames);
        out.n++;
    }
    return out;
}

/* False when there is no memory. */
static inline bool pair_rules_init(PairRules *rules, const AmphiSystem *system, AmphiArena *arena)
{
    const int64_t n = system->n_types;

    *rules = (PairRules){ .n_types = system->n_types, .rule = AMPHI_TAKE(arena, Rule, n * n) };
    for (int64_t k = 0; rules->rule != NULL && k < n * n; k++) {
        Rule *rule = &rules->rule[k];

        rule->n_terms = system->pair_rule[k].n_terms;
        for (int32_t t = 0; t < rule->n_terms; t++) {
            rule->term[t] = pair_prepare(&system->pair_rule[k].term[t]);
            rule->cutoff2 = fmax(rule->cutoff2, rule->term[t].cutoff2);
        }
        rules->cutoff2 = fmax(rules->cutoff2, rule->cutoff2);
    }
    return rules->rule != NULL;
}

#endif
