/* Copies of a system side by side. */
#include "replicate.h"

#include <string.h>

/* Copies `n` items of `size` bytes k times one after another; NULL when there is no memory. */
static void *repeat(AmphiArena *arena, const void *from, int64_t n, size_t size, int64_t k)
{
    char *out = amphi_arena_take(arena, n * k, size);

    for (int64_t c = 0; out != NULL && from != NULL && c < k; c++)
        memcpy(out + (size_t)(c * n) * size, from, (size_t)n * size);
    return out;
}

/* What names beads or molecules by number. */
typedef struct {
    AmphiBond     *bond;
    AmphiMolecule *molecule;
    int32_t (*exclusion)[2], *bead_molecule;
} Named;

static void renumber(const Named *named, const AmphiSystem *s, int64_t k)
{
    for (int64_t c = 1; c < k; c++) {
        const int32_t beads = (int32_t)(c * s->n_beads), molecules = (int32_t)(c * s->n_molecules);

        for (int32_t b = 0; b < s->n_bonds; b++)
            for (int m = 0; m < AMPHI_MAX_BOND_BEADS; m++)
                named->bond[c * s->n_bonds + b].bead[m] += beads;
        for (int32_t e = 0; e < s->n_exclusions; e++)
            for (int m = 0; m < 2; m++)
                named->exclusion[c * s->n_exclusions + e][m] += beads;
        for (int32_t m = 0; m < s->n_molecules; m++)
            named->molecule[c * s->n_molecules + m].first_bead += beads;
        for (int32_t i = 0; i < s->n_beads; i++)
            named->bead_molecule[c * s->n_beads + i] += molecules;
    }
}

/* Unwrapped first: a molecule across a face would be torn between two copies. */
static void shift_places(double (*x)[3], const int32_t (*image)[3], const double edge[3],
                         const int32_t copies[3], int32_t n)
{
    for (int64_t c = 0; c < (int64_t)copies[0] * copies[1] * copies[2]; c++) {
        const int64_t along[3] = { c % copies[0], c / copies[0] % copies[1],
                                   c / copies[0] / copies[1] };

        for (int32_t i = 0; i < n; i++)
            for (int a = 0; a < 3; a++)
                x[c * n + i][a] += (double)(along[a] + (image != NULL ? image[i][a] : 0)) * edge[a];
    }
}

static AmphiGroup *repeat_groups(const AmphiSystem *s, int64_t k, AmphiArena *arena)
{
    AmphiGroup *group = AMPHI_TAKE(arena, AmphiGroup, s->n_groups);

    for (int32_t g = 0; group != NULL && g < s->n_groups; g++) {
        const AmphiGroup *from = &s->group[g];
        int32_t          *bead = repeat(arena, from->bead, from->n_beads, sizeof *bead, k);

        for (int64_t i = 0; bead != NULL && i < k * from->n_beads; i++)
            bead[i] += (int32_t)(i / from->n_beads * s->n_beads);
        group[g] = (AmphiGroup){ from->name, (int32_t)(k * from->n_beads), bead };
    }
    return group;
}

bool replicate(const AmphiSystem *s, const AmphiFrame *frame, const int32_t copies[3],
               AmphiArena *arena, AmphiSystem *out)
{
    const bool    has = frame != NULL;
    const int64_t k = (int64_t)copies[0] * copies[1] * copies[2], n = s->n_beads;
    const double *edge = has ? frame->box_nm : s->box_nm;
    double(*x)[3] =
        repeat(arena, has ? frame->position_nm : s->position_nm, n, sizeof(double[3]), k);

    const Named named = {
        .bond          = repeat(arena, s->bond, s->n_bonds, sizeof(AmphiBond), k),
        .molecule      = repeat(arena, s->molecule, s->n_molecules, sizeof(AmphiMolecule), k),
        .exclusion     = repeat(arena, s->exclusion, s->n_exclusions, sizeof(int32_t[2]), k),
        .bead_molecule = repeat(arena, s->bead_molecule, n, sizeof(int32_t), k),
    };

    *out              = *s;
    out->n_beads      = (int32_t)(k * n);
    out->n_molecules  = (int32_t)(k * s->n_molecules);
    out->n_bonds      = (int32_t)(k * s->n_bonds);
    out->n_exclusions = (int32_t)(k * s->n_exclusions);
    for (int a = 0; a < 3; a++)
        out->box_nm[a] = copies[a] * edge[a];
    out->position_nm = (const double(*)[3])x;
    out->velocity_nm_ps =
        repeat(arena, has ? frame->velocity_nm_ps : s->velocity_nm_ps, n, sizeof(double[3]), k);
    out->orientation =
        repeat(arena, has ? frame->orientation : s->orientation, n, sizeof(double[4]), k);
    out->spin_u_nm2_ps =
        repeat(arena, has ? frame->spin_u_nm2_ps : s->spin_u_nm2_ps, n, sizeof(double[3]), k);
    out->bead_type        = repeat(arena, s->bead_type, n, sizeof(int32_t), k);
    out->bead_molecule    = named.bead_molecule;
    out->bead_charge_e    = repeat(arena, s->bead_charge_e, n, sizeof(double), k);
    out->bead_dipole_e_nm = repeat(arena, s->bead_dipole_e_nm, n, sizeof(double), k);
    out->bond             = named.bond;
    out->molecule         = named.molecule;
    out->exclusion        = (const int32_t(*)[2])named.exclusion;
    out->group            = repeat_groups(s, k, arena);
    out->anchor_nm        = NULL; /* membranes and water have no restraints */
    if (amphi_arena_failed(arena) || s->anchor_nm != NULL)
        return false;
    renumber(&named, s, k);
    shift_places(x, has ? frame->image : NULL, edge, copies, s->n_beads);
    return true;
}
