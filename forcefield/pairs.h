/* The list of pair potentials, and the functions that select one by its number. README.md has the
 * steps to add one, of which this list is the second.
 *
 *   ENTRY(name, slot, needs): the functions are pair_NAME and pair_NAME_prepare; the energy counts
 *   for the slot AMPHI_SLOT of frame.h. needs AXES: the formula reads one axis of each bead and
 *   returns PairParts. FRAMES: it reads whole orientations and returns a PairResult.
 */
#ifndef AMPHI_FORCEFIELD_PAIRS_H
#define AMPHI_FORCEFIELD_PAIRS_H

#include <assert.h>
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

#define PAIR_SLOT_FITS(name, slot, needs)                                                          \
    static_assert((int)AMPHI_##slot < (int)AMPHI_PAIR_TERMS,                                       \
                  #name ": in frame.h a slot of pairs stands before AMPHI_BOND");

PAIR_LIST(PAIR_SLOT_FITS)

/* Kernel constants of one potential between two bead types. */
typedef struct {
    int32_t    kind;     /* PairKind */
    int32_t    slot;     /* AmphiTermSlot */
    int32_t    switched; /* is it multiplied by the switch at_cutoff? */
    scalar     cutoff2;  /* nm^2 */
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

/* A potential of needs AXES, without its switch; zero for others. */
AMPHI_BOTH PairParts pair_bare_parts(int32_t kind, const PairTerm *term, const PairGeometry *g)
{
    switch (kind) {
        PAIR_LIST(PAIR_PARTS_CASE)
    default:
        return (PairParts){ 0 };
    }
}

/* The same with its switch. There is no cut-off test. */
AMPHI_BOTH PairParts pair_parts_of_kind(int32_t kind, int switched, const PairTerm *term,
                                        const PairGeometry *g)
{
    const PairParts bare = pair_bare_parts(kind, term, g);

    return switched ? pair_switched(&term->at_cutoff, g, bare) : bare;
}

/* Two dipoles, with or without their switch, and a force along d besides, in fewer operations: what
 * loops over many j evaluate in the place of the above. */
AMPHI_BOTH PairParts pair_dipoles_with(real more_fd, int switched, const PairTerm *term,
                                       const PairGeometry *g)
{
    const struct pair_dipole_dipole *p = &term->as.dipole_dipole;

    return switched ? pair_dipoles_switched(p, &term->at_cutoff, g, more_fd)
                    : pair_dipoles_alike(p, g, more_fd);
}

#define PAIR_WHOLE_AXES(name)
#define PAIR_WHOLE_FRAMES(name)                                                                    \
    case PAIR_##name:                                                                              \
        return pair_##name(&term->as.name, g, frames);
#define PAIR_WHOLE_CASE(name, slot, needs) PAIR_WHOLE_##needs(name)

/* Does the energy depend on the axis of i, of j? A loop leaves out the terms with other axes. */
AMPHI_BOTH int pair_feels_axis_i(int32_t kind)
{
    return kind != PAIR_lj && kind != PAIR_charge_charge && kind != PAIR_charge_dipole;
}

AMPHI_BOTH int pair_feels_axis_j(int32_t kind)
{
    return kind != PAIR_lj && kind != PAIR_charge_charge && kind != PAIR_dipole_charge;
}

/* Energy, force and torques of any kind, for r < r_c. Potentials of needs FRAMES take no switch. */
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

/* The same, with kind and switch read from the term. The caller must make sure that r < r_c. */
AMPHI_BOTH PairResult pair_eval(const PairTerm *term, const PairGeometry *g,
                                const PairFrames *frames)
{
    return pair_of_kind(term->kind, term->switched, term, g, frames);
}

/* Is the axis in PairGeometry a unit vector (Gay-Berne), or a dipole vector (all others)? */
AMPHI_BOTH int pair_reads_unit_axis(int32_t kind)
{
    return kind == PAIR_gay_berne || kind == PAIR_gay_berne_shifted;
}

/* Is the energy linear in the dipole p of i, so that u = -p.g_i, with g_i = fp d + fz q (pair.h)?
 * Of potentials that read axes; one of dipoles that is not linear in them is to be left out here.
 */
AMPHI_BOTH int pair_is_linear_in_dipole(int32_t kind)
{
    return pair_feels_axis_i(kind) && !pair_reads_unit_axis(kind);
}

#define PAIR_PREPARE(name, slot_, needs)                                                           \
    case PAIR_##name: {                                                                            \
        struct pair_##name##_input in;                                                             \
        memcpy(&in, rule->field, sizeof in);                                                       \
        term.as.name = pair_##name##_prepare(&in, &rule->treatment);                               \
        term.slot    = AMPHI_##slot_;                                                              \
        break;                                                                                     \
    }

/* Kernel constants from a checked rule; on the host, at the beginning of a run. */
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
