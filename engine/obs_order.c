/* order.tsv: P2 = <3 cos^2 t - 1>/2 of the bonds along the tails of the lipids, t from z. */
#include <assert.h>
#include <string.h>

#include "blocks.h"
#include "leaflets.h"
#include "observing.h"

/* One bond of one tail of one type of molecule. */
typedef struct {
    int32_t molecule_type, tail, from, to; /* places in the molecule */
} TailBond;

struct AmphiObserver {
    AmphiWatcher  on; /* first */
    AmphiLeaflets leaflets;
    int32_t       n_bonds;
    TailBond     *bond;   /* [n_bonds] */
    AmphiBlocks   blocks; /* of each bond, and last of all of them together */
};

static bool is_wanted(const AmphiObserverPlan *plan, const char *tail)
{
    for (int32_t k = 0; k < plan->n_names; k++)
        if (strcmp(plan->name[k], tail) == 0)
            return true;
    return plan->n_names == 0;
}

/* Into o->bond when that is there; how many there are. */
static int32_t find_bonds(AmphiObserver *o, const bool *has_molecules)
{
    const AmphiSystem *const s = o->on.place.system;
    int32_t                  n = 0;

    for (int32_t t = 0; t < s->n_molecule_types; t++) {
        const AmphiMoleculeType *const type = &s->molecule_type[t];

        if (!has_molecules[t] || strcmp(type->kind, "lipid") != 0)
            continue;
        for (int32_t k = 0; k < type->n_tails; k++)
            for (int32_t b = 1;
                 is_wanted(&o->on.plan, type->tail[k].name) && b < type->tail[k].n_beads; b++, n++)
                if (o->bond != NULL)
                    o->bond[n] = (TailBond){ .molecule_type = t,
                                             .tail          = k,
                                             .from          = type->tail[k].bead[b - 1],
                                             .to            = type->tail[k].bead[b] };
    }
    return n;
}

static AmphiStatus prepare(AmphiObserver *o, AmphiError *err)
{
    const AmphiSystem *const s             = o->on.place.system;
    bool *const              has_molecules = AMPHI_TAKE(o->on.arena, bool, s->n_molecule_types);

    if (has_molecules == NULL || !amphi_leaflets_init(&o->leaflets, s, o->on.arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "order.tsv: no memory");
    for (int32_t m = 0; m < s->n_molecules; m++)
        has_molecules[s->molecule[m].type] = true;
    o->n_bonds = find_bonds(o, has_molecules);
    assert(o->n_bonds > 0);
    o->bond = AMPHI_TAKE(o->on.arena, TailBond, o->n_bonds);
    if (o->bond == NULL || !amphi_blocks_init(&o->blocks, o->n_bonds + 1, o->on.arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "order.tsv: no memory");
    find_bonds(o, has_molecules);
    return AMPHI_OK;
}

static double second_legendre(const double a[3], const double b[3])
{
    const double d[3] = { b[0] - a[0], b[1] - a[1], b[2] - a[2] };
    const double r2   = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];

    return r2 > 0 ? 1.5 * d[2] * d[2] / r2 - 0.5 : 0;
}

static AmphiStatus see_order(AmphiObserver *o, const AmphiFrame *f, AmphiError *err)
{
    AmphiLeaflets *const l = &o->leaflets;

    (void)err;
    amphi_leaflets_find(l, f);
    amphi_leaflets_remark(l, "order.tsv", o->on.remark, sizeof o->on.remark);
    for (int32_t m = 0; m < l->n_lipids; m++) {
        const int32_t t = o->on.place.system->molecule[l->lipid[m]].type;

        amphi_leaflets_take(l, m, f);
        for (int32_t k = 0; k < o->n_bonds; k++) {
            if (o->bond[k].molecule_type != t)
                continue;
            const double p2 = second_legendre(l->x[o->bond[k].from], l->x[o->bond[k].to]);
            amphi_blocks_add(&o->blocks, k, p2, 1);
            amphi_blocks_add(&o->blocks, o->n_bonds, p2, 1);
        }
    }
    amphi_blocks_next(&o->blocks);
    return AMPHI_OK;
}

static void print_bond(const AmphiObserver *o, int32_t k, AmphiSink *sink)
{
    const AmphiMoleculeType *const type =
        &o->on.place.system->molecule_type[o->bond[k].molecule_type];

    amphi_sink_print(sink, "%s\t%s\t%s-%s", type->name, type->tail[o->bond[k].tail].name,
                     type->bead_name[o->bond[k].from], type->bead_name[o->bond[k].to]);
}

static AmphiStatus flush_order(AmphiObserver *o, AmphiError *err)
{
    AmphiTable t;

    if (o->blocks.count->frames == 0)
        return amphi_table_drop(&o->on.place, "order.tsv", err);
    amphi_table_begin(&t, &o->on.place, "order.tsv",
                      "order parameter P2 = <3 cos^2 t - 1>/2 of tail bonds, t from z, no unit");
    amphi_sink_print(&t.sink, "# frames: %lld\n# error: standard error from %lld blocks\n",
                     (long long)o->blocks.count->frames, (long long)o->blocks.count->n_full);
    amphi_blocks_print_rough(&o->blocks, o->n_bonds + 1, &t.sink);
    amphi_sink_print(&t.sink, "molecule\ttail\tbond\torder\terror\n");
    for (int32_t k = 0; k <= o->n_bonds; k++) {
        if (k < o->n_bonds)
            print_bond(o, k, &t.sink);
        else
            amphi_sink_print(&t.sink, "all\tall\tall");
        amphi_sink_print(&t.sink, "\t%.10g\t%.3g\n", amphi_blocks_mean(&o->blocks, k),
                         amphi_blocks_error(&o->blocks, k));
    }
    return amphi_sink_close(&t.sink, err);
}

static int32_t parts_of(AmphiObserver *o, AmphiPart *part)
{
    amphi_blocks_parts(&o->blocks, part);
    return AMPHI_BLOCK_PARTS;
}

const AmphiObserverKind amphi_obs_order = {
    .name    = "order",
    .file    = "order.tsv",
    .size    = sizeof(AmphiObserver),
    .needs   = AMPHI_NEED_POSITIONS,
    .prepare = prepare,
    .see     = see_order,
    .flush   = flush_order,
    .parts   = parts_of,
};
