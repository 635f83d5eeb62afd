/* A grid of chains over a periodic box. */
#include "build_cells.h"

/* Never many more cells than beads: a few molecules in a vast box need no memory for it. */
static int32_t count_along(double edge_nm, double reach_nm, double most)
{
    const double n = floor(edge_nm / reach_nm);

    return n < 1 ? 1 : n > most ? (int32_t)most : (int32_t)n;
}

/* The largest n with n^3 <= 2 n_beads + 27. */
static double most_along(int32_t n_beads)
{
    const int64_t most = 2 * (int64_t)n_beads + 27;
    int64_t       n    = 3;

    while ((n + 1) * (n + 1) * (n + 1) <= most)
        n++;
    return (double)n;
}

AmphiStatus amphi_cells_make(const double box_nm[3], double reach_nm, int32_t n_beads,
                             AmphiArena *arena, AmphiCells *cells, AmphiError *err)
{
    const double most    = most_along(n_beads);
    int64_t      n_cells = 1;

    for (int k = 0; k < 3; k++) {
        cells->box_nm[k] = box_nm[k];
        cells->n[k]      = count_along(box_nm[k], reach_nm, most);
        n_cells *= cells->n[k];
    }
    cells->first = AMPHI_TAKE(arena, int32_t, n_cells);
    cells->next  = AMPHI_TAKE(arena, int32_t, n_beads);
    if (cells->first == NULL || cells->next == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for the cells of a start");
    amphi_cells_clear(cells);
    return AMPHI_OK;
}

void amphi_cells_clear(AmphiCells *cells)
{
    const int64_t n_cells = (int64_t)cells->n[0] * cells->n[1] * cells->n[2];

    for (int64_t c = 0; c < n_cells; c++)
        cells->first[c] = -1;
}

static void place_of(const AmphiCells *cells, const double position_nm[3], int32_t place[3])
{
    for (int k = 0; k < 3; k++) {
        const double  edge = cells->box_nm[k];
        const int32_t p    = (int32_t)(amphi_wrap(position_nm[k], edge) / edge * cells->n[k]);

        place[k] = p < cells->n[k] ? p : cells->n[k] - 1;
    }
}

static int32_t cell_at(const AmphiCells *cells, int32_t x, int32_t y, int32_t z)
{
    return (z * cells->n[1] + y) * cells->n[0] + x;
}

void amphi_cells_put(AmphiCells *cells, int32_t bead, const double position_nm[3])
{
    int32_t place[3];

    place_of(cells, position_nm, place);
    int32_t *first = &cells->first[cell_at(cells, place[0], place[1], place[2])];

    cells->next[bead] = *first;
    *first            = bead;
}

/* With one or two cells along an edge the neighbours on both sides are the same cell. */
static int32_t list_along(int32_t place, int32_t n, int32_t along[3])
{
    const int32_t count = n < 3 ? n : 3;

    for (int32_t k = 0; k < count; k++)
        along[k] = (place + k + n - (n < 3 ? 0 : 1)) % n;
    return count;
}

int32_t amphi_cells_around(const AmphiCells *cells, const double position_nm[3], int32_t cell[27])
{
    int32_t place[3], along[3][3], count[3], n = 0;

    place_of(cells, position_nm, place);
    for (int k = 0; k < 3; k++)
        count[k] = list_along(place[k], cells->n[k], along[k]);
    for (int32_t z = 0; z < count[2]; z++)
        for (int32_t y = 0; y < count[1]; y++)
            for (int32_t x = 0; x < count[0]; x++)
                cell[n++] = cell_at(cells, along[0][x], along[1][y], along[2][z]);
    return n;
}
