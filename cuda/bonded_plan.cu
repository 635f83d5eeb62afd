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
    int32_t   *role_start, *next; /* [n_bonded + 1], [n_bonded] */
    BondBlock *block;             /* [n_blocks] */
    int32_t   *block_of;          /* [n_bonded] */
    int32_t   *n_begin;           /* [n_bonded] bonds that have no bead before this one */
    int32_t   *order;             /* [n_bonds] */
    int32_t    n_bonded, n_roles, n_blocks;
    int32_t    most; /* bonds or beads of a molecule */
} Draft;

static void free_draft(Draft *t)
{
    amphi_release(t->term);
    amphi_release(t->bond);
    amphi_release(t->anchor_nm);
    amphi_release(t->role_start);
    amphi_release(t->next);
    amphi_release(t->block);
    amphi_release(t->block_of);
    amphi_release(t->n_begin);
    amphi_release(t->order);
}

static AmphiStatus take_draft(const AmphiSystem *s, Draft *t, AmphiError *err)
{
    t->term       = (BondTerm *)amphi_alloc(s->n_bond_rules + 1, sizeof *t->term);
    t->bond       = (Bond *)amphi_alloc(s->n_bonds + 1, sizeof *t->bond);
    t->anchor_nm  = (double(*)[3])amphi_alloc(s->n_bonds + 1, sizeof *t->anchor_nm);
    t->role_start = (int32_t *)amphi_alloc(s->n_beads + 1, sizeof *t->role_start);
    t->next       = (int32_t *)amphi_alloc(s->n_beads + 1, sizeof *t->next);
    t->block      = (BondBlock *)amphi_alloc(s->n_beads + 1, sizeof *t->block);
    t->block_of   = (int32_t *)amphi_alloc(s->n_beads + 1, sizeof *t->block_of);
    t->n_begin    = (int32_t *)amphi_alloc(s->n_beads + 1, sizeof *t->n_begin);
    t->order      = (int32_t *)amphi_alloc(s->n_bonds + 1, sizeof *t->order);
    if (t->term == NULL || t->bond == NULL || t->anchor_nm == NULL || t->role_start == NULL ||
        t->next == NULL || t->block == NULL || t->block_of == NULL || t->n_begin == NULL ||
        t->order == NULL)
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

    for (int32_t slot = 0; slot < AMPHI_TERMS; slot++)
        next[slot] = first[slot];
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

/* In block_of the last bead that is bonded to a bead and not before it: itself, if none is. */
static void find_ends(const AmphiSystem *s, Draft *t)
{
    for (int32_t i = 0; i < t->n_bonded; i++)
        t->block_of[i] = i;
    for (int32_t k = 0; k < s->n_bonds; k++) {
        const int32_t *bead = s->bond[k].bead, n = t->term[s->bond[k].rule].n_beads;
        int32_t        first = bead[0], last = bead[0];

        for (int32_t m = 1; m < n; m++) {
            first = bead[m] < first ? bead[m] : first;
            last  = bead[m] > last ? bead[m] : last;
        }
        t->n_begin[first]++;
        t->block_of[first] = last > t->block_of[first] ? last : t->block_of[first];
    }
}

/* Of the beads from `first` to the one before `end`. */
static void add_block(Draft *t, int32_t first, int32_t end, int32_t n_bonds)
{
    const BondBlock *before = t->n_blocks > 0 ? &t->block[t->n_blocks - 1] : NULL;

    t->block[t->n_blocks] = BondBlock{ before == NULL ? 0 : before->first_bond + before->n_bonds,
                                       n_bonds, first, end - first };
    for (int32_t i = first; i < end; i++)
        t->block_of[i] = t->n_blocks;
    t->n_blocks++;
}

/* A molecule ends where no bond goes on. As many to a block as it has threads for. */
static void find_blocks(Draft *t)
{
    int32_t first = 0, n_bonds = 0;         /* of the block */
    int32_t begin = 0, n_own = 0, last = 0; /* of the molecule */

    for (int32_t i = 0; i < t->n_bonded; i++) {
        last = t->block_of[i] > last ? t->block_of[i] : last;
        n_own += t->n_begin[i];
        if (i < last)
            continue;
        if (begin > first && (i + 1 - first > BEAD_BLOCK || n_bonds + n_own > BEAD_BLOCK)) {
            add_block(t, first, begin, n_bonds);
            first   = begin;
            n_bonds = 0;
        }
        t->most = n_own > t->most ? n_own : t->most;
        t->most = i + 1 - begin > t->most ? i + 1 - begin : t->most;
        n_bonds += n_own;
        n_own = 0;
        begin = last = i + 1;
    }
    if (t->n_bonded > 0)
        add_block(t, first, t->n_bonded, n_bonds);
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

/* Bonds by block, in each in the order that they have. */
static void order_bonds(const AmphiSystem *s, Draft *t)
{
    for (int32_t b = 0; b < t->n_blocks; b++)
        t->next[b] = t->block[b].first_bond;
    for (int32_t k = 0; k < s->n_bonds; k++)
        t->order[t->next[t->block_of[t->bond[k].bead[0]]]++] = k;
}

static AmphiStatus put_draft(Device *d, const Draft *t, AmphiError *err)
{
    const AmphiSystem *s    = d->system;
    struct BondedPlan *plan = d->bonded;
    View              *v    = &d->view;
    DeviceMemory      *m    = &d->memory;
    const int32_t      n_restraints =
        plan->first[AMPHI_POSITION_RESTRAINT + 1] - plan->first[AMPHI_POSITION_RESTRAINT];
    const BondTerm  *term;
    const Bond      *bond;
    const BondBlock *block = NULL;
    const int32_t   *order = NULL;
    const double(*anchor_nm)[3];

    AMPHI_TRY(amphi_device_put_array(m, t->term, s->n_bond_rules, d->stream, &term, err));
    AMPHI_TRY(amphi_device_put_array(m, t->bond, s->n_bonds, d->stream, &bond, err));
    AMPHI_TRY(amphi_device_put_array(m, t->anchor_nm, n_restraints, d->stream, &anchor_nm, err));
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
#endif
    AMPHI_TRY(amphi_device_take_array(m, blocks_of_bonds(s->n_bonds) + (int32_t)AMPHI_TERMS,
                                      &plan->part, err));
    if (v->sums_bonds) {
        AMPHI_TRY(amphi_device_put_array(m, t->block, t->n_blocks, d->stream, &block, err));
        AMPHI_TRY(amphi_device_put_array(m, t->order, s->n_bonds, d->stream, &order, err));
    }
    plan->bonds =
        Bonds{ s->n_bonds, plan->first[AMPHI_POSITION_RESTRAINT],       block, order, bond, term,
               anchor_nm,  { s->box_nm[0], s->box_nm[1], s->box_nm[2] } };
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(bonded_open)(Device *d, AmphiError *err)
{
    const AmphiSystem *s     = d->system;
    Draft              draft = {};
    AmphiStatus        status;

    d->bonded = AMPHI_TAKE(d->mirror->arena, struct BondedPlan, 1);
    if (d->bonded == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for bonded terms");
    status = take_draft(s, &draft, err);
    if (status == AMPHI_OK) {
        for (int32_t k = 0; k < s->n_bond_rules; k++)
            draft.term[k] = bond_prepare(&s->bond_rule[k]);
        count_roles(s, &draft);
        if (may_sum_bonds(d)) {
            find_ends(s, &draft);
            find_blocks(&draft);
        }
        d->view.sums_bonds    = draft.n_blocks > 0 && draft.most <= MOST_OF_MOLECULE;
        d->view.n_bond_blocks = d->view.sums_bonds ? draft.n_blocks : blocks_of_bonds(s->n_bonds);
        give_places(d->view.sums_bonds != 0, &draft);
        count_slots(s, &draft, d->bonded->first);
        place_bonds(s, d->bonded->first, &draft);
        if (d->view.sums_bonds)
            order_bonds(s, &draft);
        status = put_draft(d, &draft, err);
    }
    free_draft(&draft);
    return status;
}
