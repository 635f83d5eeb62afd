/* The beads of lipids by whose heights a leaflet is known. */
#include "heads.h"

#include <math.h>
#include <string.h>

static bool is_named(const AmphiObserverPlan *plan, const char *name)
{
    for (int32_t k = 0; k < plan->n_names; k++)
        if (strcmp(plan->name[k], name) == 0)
            return true;
    return false;
}

static void choose_beads(AmphiHeads *h, const AmphiObserverPlan *plan, int32_t t)
{
    const AmphiMoleculeType *const type = &h->system->molecule_type[t];

    for (int32_t k = 0; plan->n_names == 0 && k < type->n_heads; k++)
        h->counts[t][type->head[k]] = true;
    for (int32_t i = 0; plan->n_names > 0 && i < type->n_beads; i++)
        h->counts[t][i] = is_named(plan, h->system->type[type->bead_type[i]].name);
}

bool amphi_heads_init(AmphiHeads *h, const AmphiObserverPlan *plan, const AmphiSystem *s,
                      AmphiArena *arena)
{
    int32_t most = 0;

    *h = (AmphiHeads){ .system = s, .counts = AMPHI_TAKE(arena, bool *, s->n_molecule_types) };
    for (int32_t t = 0; h->counts != NULL && t < s->n_molecule_types; t++) {
        const AmphiMoleculeType *const type = &s->molecule_type[t];

        h->counts[t] = AMPHI_TAKE(arena, bool, type->n_beads);
        most         = type->n_beads > most ? type->n_beads : most;
        if (h->counts[t] != NULL && strcmp(type->kind, "lipid") == 0)
            choose_beads(h, plan, t);
    }
    h->x = amphi_arena_take(arena, most, sizeof *h->x);
    return !amphi_arena_failed(arena);
}

int32_t amphi_heads_take(AmphiHeads *h, AmphiLeaflets *l, int32_t lipid, const AmphiFrame *f,
                         double middle_nm)
{
    const int32_t                  t    = h->system->molecule[l->lipid[lipid]].type;
    const AmphiMoleculeType *const type = &h->system->molecule_type[t];
    const double                   edge = f->box_nm[2];
    int32_t                        n    = 0;

    amphi_leaflets_take(l, lipid, f);

    const double above = amphi_leaflets_height(l, type) - middle_nm;
    const double shift = middle_nm + edge * floor(above / edge + 0.5);
    for (int32_t i = 0; i < type->n_beads; i++)
        if (h->counts[t][i]) {
            memcpy(h->x[n], l->x[i], sizeof h->x[n]);
            h->x[n++][2] -= shift;
        }
    return n;
}
