/* The closest beads of a system, with the builder's cells. */
#include "overlap.h"

#include <math.h>

#include "build_cells.h"

bool amphi_is_excluded(const AmphiSystem *s, int32_t i, int32_t j)
{
    const int32_t first = i < j ? i : j, second = i < j ? j : i;
    int32_t       low = 0, high = s->n_exclusions;

    while (low < high) {
        const int32_t  middle = low + (high - low) / 2;
        const int32_t *pair   = s->exclusion[middle];

        if (pair[0] == first && pair[1] == second)
            return true;
        if (pair[0] < first || (pair[0] == first && pair[1] < second))
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* A pair nearer than this fraction of sigma ends the search: if all beads were in one place, a full
 * search would take quadratic time. */
static const double near_enough = 0.1;

/* The contact distance of charges and dipoles without a repulsive core. */
static const double bare_sigma_nm = 1e-3;

static void look_at(const AmphiSystem *s, int32_t i, int32_t j, AmphiClosest *closest)
{
    const AmphiPairRule *rule  = &s->pair_rule[s->bead_type[i] * s->n_types + s->bead_type[j]];
    const double         sigma = rule->sigma_nm > 0  ? rule->sigma_nm
                                 : rule->n_terms > 0 ? bare_sigma_nm
                                                     : 0;
    double               d[3], r;

    if (sigma <= 0)
        return;
    amphi_nearest_image(s->position_nm[i], s->position_nm[j], s->box_nm, d);
    r = sqrt(amphi_dot(d, d));
    if (r >= sigma || r * closest->sigma_nm >= closest->distance_nm * sigma ||
        amphi_is_excluded(s, i, j))
        return;
    *closest = (AmphiClosest){ { i, j }, r, sigma };
}

AmphiStatus amphi_closest_pair(const AmphiSystem *s, AmphiClosest *closest, AmphiError *err)
{
    AmphiArena *arena  = amphi_arena_new();
    AmphiStatus status = AMPHI_OK;
    AmphiCells  cells;
    double      reach = 0;
    int32_t     around[27];

    *closest = (AmphiClosest){ { -1, -1 }, 1, 1 };
    if (arena == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to look for overlaps");
    for (int64_t k = 0; k < (int64_t)s->n_types * s->n_types; k++)
        reach = fmax(reach, s->pair_rule[k].sigma_nm);
    reach  = fmax(reach, bare_sigma_nm);
    status = amphi_cells_make(s->box_nm, reach, s->n_beads, arena, &cells, err);
    if (status != AMPHI_OK)
        goto done;
    for (int32_t i = 0; i < s->n_beads && closest->distance_nm >= near_enough * closest->sigma_nm;
         i++) {
        const int32_t n = amphi_cells_around(&cells, s->position_nm[i], around);

        for (int32_t k = 0; k < n; k++)
            for (int32_t j = cells.first[around[k]]; j >= 0; j = cells.next[j])
                look_at(s, i, j, closest);
        amphi_cells_put(&cells, i, s->position_nm[i]);
    }

done:
    amphi_arena_free(arena);
    return status;
}
