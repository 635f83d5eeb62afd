/* Classes of pair terms: the combinations that one pass over the neighbours of a bead can evaluate,
 * which are one potential alone, or Lennard-Jones together with another. Every backend has one
 * compiled loop for each class, in which the kinds and the switch are constants. All backends
 * divide the terms of a pair rule into passes by take_visit, so that they add them in the same
 * order.
 */
#ifndef AMPHI_FORCEFIELD_CLASSES_H
#define AMPHI_FORCEFIELD_CLASSES_H

#include <assert.h>
#include <stdbool.h>

#include "pairs.h"

enum { PAIR_none = -1 };

/* CLASS(name, kind, second, switched). Of two kinds the first is Lennard-Jones, which has no axes
 * and in these classes no switch; `switched` is then that of the second. Both have the same
 * cut-off. */
#define CLASS_LIST(CLASS)                                                                          \
    CLASS(lj_charge_charge, lj, charge_charge, 0)                                                  \
    CLASS(lj_charge_dipole, lj, charge_dipole, 0)                                                  \
    CLASS(lj_dipole_charge, lj, dipole_charge, 0)                                                  \
    CLASS(lj_dipole_dipole, lj, dipole_dipole, 0)                                                  \
    CLASS(lj_dipole_dipole_switched, lj, dipole_dipole, 1)                                         \
    CLASS(lj, lj, none, 0)                                                                         \
    CLASS(charge_charge, charge_charge, none, 0)                                                   \
    CLASS(charge_dipole, charge_dipole, none, 0)                                                   \
    CLASS(dipole_charge, dipole_charge, none, 0)                                                   \
    CLASS(dipole_dipole, dipole_dipole, none, 0)                                                   \
    CLASS(gay_berne, gay_berne, none, 0)                                                           \
    CLASS(gay_berne_shifted, gay_berne_shifted, none, 0)                                           \
    CLASS(lj_switched, lj, none, 1)                                                                \
    CLASS(charge_charge_switched, charge_charge, none, 1)                                          \
    CLASS(charge_dipole_switched, charge_dipole, none, 1)                                          \
    CLASS(dipole_charge_switched, dipole_charge, none, 1)                                          \
    CLASS(dipole_dipole_switched, dipole_dipole, none, 1)                                          \
    CLASS(gay_berne_switched, gay_berne, none, 1)

#define CLASS_NUMBER(name, kind, second, switched) CLASS_##name,

typedef enum { CLASS_LIST(CLASS_NUMBER) CLASSES, CLASS_NONE = -1 } PairClass;

/* Potentials as bits: those of needs AXES, and those that have a class alone without and with the
 * switch. Only potentials of needs FRAMES are evaluated without a class. */
#define CLASS_BIT_AXES(name) | 1 << PAIR_##name
#define CLASS_BIT_FRAMES(name)
#define CLASS_WANTED(name, slot, needs) CLASS_BIT_##needs(name)
#define FRAMES_BIT_AXES(name)
#define FRAMES_BIT_FRAMES(name)             | 1 << PAIR_##name
#define CLASS_NOT_WANTED(name, slot, needs) FRAMES_BIT_##needs(name)
#define CLASS_PLAIN(name, kind, second, switched)                                                  \
    | ((int)PAIR_##second == (int)PAIR_none && (switched) == 0 ? 1 << PAIR_##kind : 0)
#define CLASS_SWITCHED(name, kind, second, switched)                                               \
    | ((int)PAIR_##second == (int)PAIR_none && (switched) == 1 ? 1 << PAIR_##kind : 0)

enum {
    KINDS_OF_AXES        = 0 PAIR_LIST(CLASS_WANTED),
    KINDS_OF_FRAMES      = 0 PAIR_LIST(CLASS_NOT_WANTED),
    KINDS_PLAIN          = 0 CLASS_LIST(CLASS_PLAIN),
    KINDS_SWITCHED       = 0 CLASS_LIST(CLASS_SWITCHED),
    KINDS_WITHOUT_SWITCH = 1 << PAIR_gay_berne_shifted /* it has an energy shift instead */
};

static_assert((int)KINDS_PLAIN == (int)KINDS_OF_AXES, "an AXES potential has no class alone");
static_assert(((int)KINDS_SWITCHED ^ (int)KINDS_WITHOUT_SWITCH) == (int)KINDS_OF_AXES,
              "an AXES potential has no class with the switch: if it takes none, let "
              "KINDS_WITHOUT_SWITCH have it, too");
static_assert((int)KINDS_OF_FRAMES == 1 << PAIR_sticky,
              "all backends take the sticky term for the only one of needs FRAMES");

/* One pass over neighbours of one type: the terms of a class, or one sticky term (CLASS_NONE). */
typedef struct {
    int32_t  is; /* PairClass */
    int32_t  n_terms;
    PairTerm term[2];
} PairVisit;

#define CLASS_ROW(name, kind, second, switched) { PAIR_##kind, PAIR_##second, switched },

/* The class of one term (b NULL) or of two; CLASS_NONE if there is no such class. */
static inline PairClass find_class(const PairTerm *a, const PairTerm *b)
{
    static const struct {
        int32_t kind, second, switched;
    } classes[] = { CLASS_LIST(CLASS_ROW) };

    for (int32_t k = 0; k < CLASSES; k++) {
        const bool fits_alone = b == NULL && classes[k].second == PAIR_none &&
                                classes[k].kind == a->kind && classes[k].switched == a->switched;
        const bool fits_both = b != NULL && classes[k].kind == a->kind &&
                               classes[k].second == b->kind && !a->switched &&
                               classes[k].switched == b->switched && a->cutoff2 == b->cutoff2;

        if (fits_alone || fits_both)
            return (PairClass)k;
    }
    return CLASS_NONE;
}

/* The pass for term a of a rule, together with the first later term that forms a class with it.
 * Marks in done[] the terms that it contains. */
static inline PairVisit take_visit(const AmphiPairRule *rule, int32_t a,
                                   bool done[AMPHI_MAX_PAIR_TERMS])
{
    PairVisit visit = { CLASS_NONE, 1, { pair_prepare(&rule->term[a]) } };

    done[a] = true;
    if (visit.term[0].kind == PAIR_sticky)
        return visit;
    for (int32_t b = a + 1; b < rule->n_terms && visit.n_terms == 1; b++) {
        const PairTerm  second = pair_prepare(&rule->term[b]);
        const PairClass both   = done[b] ? CLASS_NONE : find_class(&visit.term[0], &second);

        if (both == CLASS_NONE)
            continue;
        visit.is      = both;
        visit.n_terms = 2;
        visit.term[1] = second;
        done[b]       = true;
    }
    if (visit.n_terms == 1)
        visit.is = find_class(&visit.term[0], NULL);
    assert(visit.is != CLASS_NONE);
    return visit;
}

#endif
