/* The list of pair potentials. To add one, include it and name it below; forcefield/README.md has
 * the checklist.
 *
 *   ENTRY(name, slot, frames): the functions are pair_name and pair_name_prepare, the energy goes to
 *   the slot AMPHI_<slot>; `frames` is AXES or FRAMES: what of an orientation the formula reads.
 *   AXES gives parts, FRAMES a whole result.
 */
#ifndef AMPHI_FORCEFIELD_PAIRS_H
#define AMPHI_FORCEFIELD_PAIRS_H

#include <string.h>

#include "../engine/frame.h"
#include "pair_charge_charge.h"
#include "pair_charge_dipole.h"
#include "pair_dipole_dipole.h"
#include "pair_gay_berne.h"
#include "pair_lj.h"
#include "pair_sticky.h"
#include "rules.h"

#define PAIR_LIST(ENTRY)                                                                           \
    ENTRY(lj, LJ, AXES)                                                                            \
    ENTRY(charge_charge, QQ, AXES)                                                                 \
    ENTRY(charge_dipole, QD, AXES)                                                                 \
    ENTRY(dipole_charge, QD, AXES)                                                                 \
    ENTRY(dipole_dipole, DD, AXES)                                                                 \
    ENTRY(sticky, STICKY, FRAMES)                                                                  \
    ENTRY(gay_berne, GAY_BERNE, AXES)                                                              \
    ENTRY(gay_berne_shifted, GAY_BERNE, AXES)

#define PAIR_KIND(name, slot, frames)   PAIR_##name,
#define PAIR_MEMBER(name, slot, frames) struct pair_##name name;

typedef enum { PAIR_LIST(PAIR_KIND) PAIR_KINDS } PairKind;

/* Kernel constants of one potential between two types of beads. */
typedef struct {
    int32_t    kind; /* PairKind */
    int32_t    slot; /* AmphiTermSlot */
    int32_t    switched;
    scalar     cutoff2;
    PairSwitch at_cutoff;
    union {
        PAIR_LIST(PAIR_MEMBER)
    } as;
} PairTerm;

#define PAIR_PARTS_AXES(name)                                                                      \
    case PAIR_##name:                                                                              \
        return pair_##name(&term->as.name, g);
#define PAIR_PARTS_FRAMES(name)
#define PAIR_PARTS_CASE(name, slot, needs) PAIR_PARTS_##needs(name)

/* The bare potential of a kind that feels axes alone. */
AMPHI_BOTH PairParts pair_bare_parts(int32_t kind, const PairTerm *term, const PairGeometry *g)
{
    switch (kind) {
        PAIR_LIST(PAIR_PARTS_CASE)
    default:
        return (PairParts){ 0 };
    }
}

/* With the switch, no cut-off test. */
AMPHI_BOTH PairParts pair_parts_of_kind(int32_t kind, int switched, const PairTerm *term,
                                        const PairGeometry *g)
{
    const PairParts bare = pair_bare_parts(kind, term, g);

    return switched ? pair_switched(&term->at_cutoff, g, bare) : bare;
}

#define PAIR_WHOLE_AXES(name)
#define PAIR_WHOLE_FRAMES(name)                                                                    \
    case PAIR_##name:                                                                              \
        return pair_##name(&term->as.name, g, frames);
#define PAIR_WHOLE_CASE(name, slot, needs) PAIR_WHOLE_##needs(name)

/* Which axes change the energy? A loop leaves out the parts that belong to the others. */
AMPHI_BOTH int pair_feels_axis_i(int32_t kind)
{
    return kind != PAIR_lj && kind != PAIR_charge_charge && kind != PAIR_charge_dipole;
}

AMPHI_BOTH int pair_feels_axis_j(int32_t kind)
{
    return kind != PAIR_lj && kind != PAIR_charge_charge && kind != PAIR_dipole_charge;
}

/* Of any kind; what reads whole frames takes no switch. */
AMPHI_BOTH PairResult pair_of_kind(int32_t kind, int switched, const PairTerm *term,
                                   const PairGeometry *g, const PairFrames *frames)
{
    const PairParts parts = pair_parts_of_kind(kind, switched, term, g);

    switch (kind) {
        PAIR_LIST(PAIR_WHOLE_CASE)
    default:
        return pair_whole(&parts, g, pair_feels_axis_i(kind), pair_feels_axis_j(kind));
    }
}

/* The potential with its treatment at the cut-off. The caller has made sure that r < r_c. */
AMPHI_BOTH PairResult pair_eval(const PairTerm *term, const PairGeometry *g,
                                const PairFrames *frames)
{
    return pair_of_kind(term->kind, term->switched, term, g, frames);
}

/* Gay-Berne reads unit axes, dipoles read dipole vectors. */
AMPHI_BOTH int pair_reads_unit_axis(int32_t kind)
{
    return kind == PAIR_gay_berne || kind == PAIR_gay_berne_shifted;
}

#define PAIR_PREPARE(name, slot_, needs)                                                           \
    case PAIR_##name: {                                                                            \
        struct pair_##name##_input in;                                                             \
        memcpy(&in, rule->field, sizeof in);                                                       \
        term.as.name = pair_##name##_prepare(&in, &rule->treatment);                               \
        term.slot    = AMPHI_##slot_;                                                              \
        break;                                                                                     \
    }

/* Kernel constants from a checked rule. Once a run, on the host. */
static inline PairTerm pair_prepare(const AmphiPairTerm *rule)
{
    const AmphiTreatment *t    = &rule->treatment;
    PairTerm              term = { .kind     = rule->kind,
                                   .switched = amphi_treatment_switches(t),
                                   .cutoff2  = (scalar)(t->cutoff_nm * t->cutoff_nm) };

    if (term.switched)
        term.at_cutoff = pair_switch_prepare(t->from_nm, t->cutoff_nm);
    switch (rule->kind) {
        PAIR_LIST(PAIR_PREPARE)
    default:
        break;
    }
    return term;
}

#endif
