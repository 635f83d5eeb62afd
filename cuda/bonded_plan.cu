/* Bonded terms of a system, once a state: in order of energy slots, each bead of a bond with a
 * place for its force; places of a bead lie side by side, in the order of the file. Whole molecules
 * in blocks, if none is too large.
 */
#include "bonded.h"
#include "pair_row.h"

extern "C" {
#include "../engine/arena.h"
}

/* On the host, while the places are given out. */
typedef struct {
    BondTerm *term; /* [n_bond_rules] */
    Bond     *bond; /* [n_bonds] in order of slots */
    double (*anchor_nm)[3];
    int32_t        *role_start, *next; /* [n_bonded + 1], [n_bonded] */
    AmphiBondSpan  *span;              /* [n_bonds] in order of slots */
    AmphiBondBlocks blocks;
    int32_t         n_bonded, n_roles;
} Draft;

static void free_draft(Draft *t)
{
    amphi_release(t->term);
    amphi_release(t->bond);
    amphi_release(t->anchor_nm);
    amphi_release(t->role_start);
    amphi_release(t->next);
    amphi_release(t->span);
    amphi_bond_blocks_free(&t->blocks);
}

static AmphiStatus take_draft(const AmphiSystem *s, Draft *t, AmphiError *err)
{
    t->term       = (BondTerm *)amphi_alloc(s->n_bond_rules + 1, sizeof *t->term);
    t->bond       = (Bond *)amphi_alloc(s->n_bonds + 1, sizeof *t->bond);
    t->anchor_nm  = (double(*)[3])amphi_alloc(s->n_bonds + 1, sizeof *t->anchor_nm);
    t->role_start = (int32_t *)amphi_alloc(s->n_beads + 1, sizeof *t->role_start);
    t->next       = (int32_t *)amphi_alloc(s->n_beads + 1, sizeof *t->next);
    t->span       = (AmphiBondSpan *)amphi_alloc(s->n_bonds + 1, sizeof *t->span);
    if (t->term == NULL || t->bond == NULL || t->anchor_nm == NULL || t->role_start == NULL ||
        t->next == NULL || t->span == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d bonded terms", s->n_bonds);
    return AMPHI_OK;
}

/* In role_start how many roles the bead before has. */
static void count_roles(const AmphiSystem *s, Draft *t)
{
    for (int32_t k = 0; k < s->n_bonds; k++)
        for (int32_t m = 0; m < t->term[s->bond[k].rule].n_beads; m++) {
            const int32_t end = s->bond[k].bead[m] + 1;

            t->role_start[end]++;
            t->n_bonded = end > t->n_bonded ? end : t->n_bonded;
        }
}

/* From that to where they are. has_sums: behind one for each bead. */
static void give_places(bool has_sums, Draft *t)
{
    if (has_sums)
        t->role_start[0] = t->n_bonded;
    for (int32_t i = 0; i < t->n_bonded; i++) {
        t->next[i] = t->role_start[i];
        t->role_start[i + 1] += t->role_start[i];
    }
    t->n_roles = t->role_start[t->n_bonded];
}

/* Where the bonds of each slot begin. */
static void count_slots(const AmphiSystem *s, const Draft *t, int32_t first[AMPHI_TERMS + 1])
{
    for (int32_t k = 0; k < s->n_bonds; k++)
        first[t->term[s->bond[k].rule].slot + 1]++;
    for (int32_t slot = 0; slot < AMPHI_TERMS; slot++)
        first[slot + 1] += first[slot];
}

static void place_bonds(const AmphiSystem *s, const int32_t first[AMPHI_TERMS + 1], Draft *t)
{
    int32_t next[AMPHI_TERMS];

    memcpy(next, first, sizeof next);
    for (int32_t k = 0; k < s->n_bonds; k++) {
        const AmphiBond *from = &s->bond[k];
        const BondTerm  *term = &t->term[from->rule];
        const int32_t    at   = next[term->slot]++;
        Bond            *to   = &t->bond[at];

        to->rule = from->rule;
        for (int32_t m = 0; m < term->n_beads; m++) {
            to->bead[m]  = from->bead[m];
            to->place[m] = t->next[from->bead[m]]++;
        }
        if (term->kind == BOND_position_restraint)
            for (int a = 0; a < 3; a++)
                t->anchor_nm[at - first[AMPHI_POSITION_RESTRAINT]][a] = s->anchor_nm[k][a];
    }
}

/* ---- blocks of whole molecules ---- */

static AmphiBondSpan span_of(const AmphiBond *bond, int32_t n_beads)
{
    AmphiBondSpan span = { bond->bead[0], bond->bead[0] };

    for (int32_t m = 1; m < n_beads; m++) {
        span.first = bond->bead[m] < span.first ? bond->bead[m] : span.first;
        span.last  = bond->bead[m] > span.last ? bond->bead[m] : span.last;
    }
    return span;
}

static void find_spans(const AmphiSystem *s, const int32_t first[AMPHI_TERMS + 1], Draft *t)
{
    int32_t next[AMPHI_TERMS];

    memcpy(next, first, sizeof next);
    for (int32_t k = 0; k < s->n_bonds; k++) {
        const BondTerm *term = &t->term[s->bond[k].rule];

        t->span[next[term->slot]++] = span_of(&s->bond[k], term->n_beads);
    }
}

/* Up to so many beads blocks of bonds have whole molecules, and add up what those do to a bead.
 * Where pairs take longer, because there are more or some are of ellipsoids, a step goes ahead of
 * them and does so itself; and in fixed, where the order does not matter. */
enum { MOLECULES_UPTO = 16384 };

static bool may_sum_bonds(const Device *d)
{
    return AMPHI_BUILD_PRECISION != AMPHI_FIXED && d->view.n <= MOLECULES_UPTO &&
           (d->forces->classes & SET_GAY_BERNE) == 0;
}

static AmphiStatus put_draft(Device *d, const Draft *t, AmphiError *err)
{
    const AmphiSystem *s    = d->system;
    struct BondedPlan *plan = d->bonded;
    View              *v    = &d->view;
    DeviceMemory      *m    = &d->memory;
    const int32_t      n_restraints =
        plan->first[AMPHI_POSITION_RESTRAINT + 1] - plan->first[AMPHI_POSITION_RESTRAINT];
    const BondTerm       *term;
    const Bond           *bond;
    const AmphiBondBlock *block = NULL;
    const int32_t        *order = NULL;
    const double(*anchor_nm)[3];

    AMPHI_TRY(amphi_device_put_array(m, t->term, s->n_bond_rules, d->stream, &term, err));
    AMPHI_TRY(amphi_device_put_array(m, t->bond, s->n_bonds, d->stream, &bond, err));
    AMPHI_TRY(amphi_device_put_array(m, t->anchor_nm, n_restraints, d->stream, &anchor_nm, err));
    AMPHI_TRY(amphi_device_take_array(m, s->n_bond_rules, &plan->torn_nm, err));
    v->n_bonded = t->n_bonded;
    AMPHI_TRY(amphi_device_put_array(m, t->role_start, (int64_t)t->n_bonded + 1, d->stream,
                                     &v->role_start, err));
#ifdef AMPHI_BUILD_FIXED
    AMPHI_TRY(amphi_device_take_array(m, t->n_roles, &v->fixed.bond_force, err));
    AMPHI_TRY(amphi_device_take_array(m, t->n_roles, &v->fixed.bond_torque, err));
#else
    AMPHI_TRY(amphi_device_take_array(m, t->n_roles, &v->bond_force, err));
    AMPHI_TRY(amphi_device_take_array(m, t->n_roles, &v->bond_torque, err));
    AMPHI_TRY(amphi_device_take_array(m, v->n_bond_blocks, &v->bond_sums, err));
    AMPHI_TRY(amphi_device_take_array(m, blocks_of_bonds(s->n_bonds) + (int32_t)AMPHI_TERMS,
                                      &plan->part, err));
#endif
    if (v->sums_bonds) {
        AMPHI_TRY(
            amphi_device_put_array(m, t->blocks.block, t->blocks.n_blocks, d->stream, &block, err));
        AMPHI_TRY(amphi_device_put_array(m, t->blocks.order, s->n_bonds, d->stream, &order, err));
    }
    plan->bonds =
        Bonds{ s->n_bonds, plan->first[AMPHI_POSITION_RESTRAINT],       block, order, bond, term,
               anchor_nm,  { s->box_nm[0], s->box_nm[1], s->box_nm[2] } };
    return AMPHI_OK;
}

/* Where each bond stands, which block has it, and which place its forces have. */
static AmphiStatus plan_bonds(Device *d, Draft *t, AmphiError *err)
{
    const AmphiSystem *s = d->system;
    View              *v = &d->view;

    for (int32_t k = 0; k < s->n_bond_rules; k++)
        t->term[k] = bond_prepare(&s->bond_rule[k]);
    count_roles(s, t);
    count_slots(s, t, d->bonded->first);
    if (may_sum_bonds(d)) {
        find_spans(s, d->bonded->first, t);
        AMPHI_TRY(
            amphi_bond_blocks_find(t->span, s->n_bonds, t->n_bonded, BEAD_BLOCK, &t->blocks, err));
    }
    v->sums_bonds    = t->blocks.n_blocks > 0 && t->blocks.most <= MOST_OF_MOLECULE;
    v->n_bond_blocks = v->sums_bonds ? t->blocks.n_blocks : blocks_of_bonds(s->n_bonds);
    give_places(v->sums_bonds != 0, t);
    place_bonds(s, d->bonded->first, t);
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(bonded_open)(Device *d, AmphiError *err)
{
    Draft       draft = {};
    AmphiStatus status;

    d->bonded = AMPHI_TAKE(d->mirror->arena, struct BondedPlan, 1);
    if (d->bonded == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for bonded terms");
    status = take_draft(d->system, &draft, err);
    if (status == AMPHI_OK)
        status = plan_bonds(d, &draft, err);
    if (status == AMPHI_OK)
        status = put_draft(d, &draft, err);
    free_draft(&draft);
    return status;
}
