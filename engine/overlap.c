/* The closest beads of a system, with the builder's cells. */
#include "overlap.h"

#include <math.h>

#include "build_cells.h"
#include "build_contact.h"
#include "turn.h"

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

/* Where they touch as they are turned; 0: they do not act on each other. */
static double contact_at(const AmphiSystem *s, const AmphiContact *contact, int32_t i, int32_t j,
                         const double d[3], double r)
{
    const AmphiPairRule *rule = &s->pair_rule[s->bead_type[i] * s->n_types + s->bead_type[j]];
    double               axis_i[3], axis_j[3];

    if (!(contact->sigma_nm > 0))
        return rule->n_terms > 0 ? bare_sigma_nm : 0;
    if ((contact->xi == 0 && contact->xj == 0) || r == 0)
        return contact->sigma_nm;
    amphi_axis_of(s->orientation[i], axis_i);
    amphi_axis_of(s->orientation[j], axis_j);
    return amphi_contact_nm(contact, axis_i, axis_j, d, r);
}

static void look_at(const AmphiSystem *s, const AmphiContact *contacts, int32_t i, int32_t j,
                    AmphiClosest *closest)
{
    const AmphiContact *contact = &contacts[s->bead_type[i] * s->n_types + s->bead_type[j]];
    double              d[3], r, sigma;

    amphi_nearest_image(s->position_nm[i], s->position_nm[j], s->box_nm, d);
    r = sqrt(amphi_dot(d, d));
    if (r >= fmax(contact->widest_nm, bare_sigma_nm))
        return;
    sigma = contact_at(s, contact, i, j, d, r);
    if (r >= sigma || r * closest->sigma_nm >= closest->distance_nm * sigma ||
        amphi_is_excluded(s, i, j))
        return;
    *closest = (AmphiClosest){ { i, j }, r, sigma };
}

AmphiStatus amphi_closest_pair(const AmphiSystem *s, AmphiClosest *closest, AmphiError *err)
{
    AmphiArena         *arena    = amphi_arena_new();
    const AmphiContact *contacts = amphi_contacts_make(s, arena);
    AmphiStatus         status   = AMPHI_OK;
    AmphiCells          cells;
    double              reach = bare_sigma_nm;
    int32_t             around[27];

    *closest = (AmphiClosest){ { -1, -1 }, 1, 1 };
    if (contacts == NULL) {
        status = amphi_fail(err, AMPHI_NO_MEMORY, "no memory to look for overlaps");
        goto done;
    }
    for (int64_t k = 0; k < (int64_t)s->n_types * s->n_types; k++)
        reach = fmax(reach, contacts[k].widest_nm);
    status = amphi_cells_make(s->box_nm, reach, s->n_beads, arena, &cells, err);
    if (status != AMPHI_OK)
        goto done;
    for (int32_t i = 0; i < s->n_beads && closest->distance_nm >= near_enough * closest->sigma_nm;
         i++) {
        const int32_t n = amphi_cells_around(&cells, s->position_nm[i], around);

        for (int32_t k = 0; k < n; k++)
            for (int32_t j = cells.first[around[k]]; j >= 0; j = cells.next[j])
                look_at(s, contacts, i, j, closest);
        amphi_cells_put(&cells, i, s->position_nm[i]);
    }

done:
    amphi_arena_free(arena);
    return status;
}
