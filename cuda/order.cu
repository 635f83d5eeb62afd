/* The order in which pairs go over rows: those of a warp are as long as each other and have the
 * same kinds of pairs, and the device comes to an end with all of them at once. Ellipsoids among
 * others have one of their own.
 */
#include "cells.h"
#include "pair_row.h"

/* Up to so many beads pairs go kind by kind, although slots go layer by layer: the device is filled
 * a few times, and the last blocks should have little to do and come to an end together. That takes
 * 5 % off a step of 94 208 beads, and adds 0.3 % to one of 211 968 and 2 % to one of a million,
 * which finds fewer records in its caches. Where there are ellipsoids among others, whose pairs are
 * other instructions and many more, it takes 14 % off a step of 211 968, too. */
enum { KIND_BY_KIND = 200000 };

/* Kind by kind? */
static bool goes_by_kind(const Device *d)
{
    const uint32_t classes = d->forces->classes;

    return d->view.n <= KIND_BY_KIND ||
           ((classes & SET_GAY_BERNE) != 0 && (classes & ~SET_GAY_BERNE) != 0);
}

/* The slot at a place of the order of kinds, layers and slots. */
__device__ static int32_t slot_of_place(const View &v, const CellsWork &w, int32_t place)
{
    int32_t type = 0, layer = 0, end = w.grid->n_cells[0];

    for (int32_t t = v.kind_of[0].end_type; t < v.n_types; t = v.kind_of[t].end_type)
        type = v.kind_of[t].n_before <= place ? t : type;

    const Kind     kind   = v.kind_of[type];
    const int32_t  nth    = place - kind.n_before;
    const int32_t *before = w.before_layer + (int64_t)kind.kind * MOST_CELLS_ALONG;

    while (end - layer > 1) {
        const int32_t middle = (layer + end) / 2;

        if (before[middle] <= nth)
            layer = middle;
        else
            end = middle;
    }
    return v.cell_start[((int64_t)layer * v.n_kinds + kind.kind) * w.grid->layer_cells] + nth -
           before[layer];
}

/* What is sorted: a row, and how much of it is met. */
typedef struct {
    Opening opening;
    int32_t length;
} Sortable;

/* As long as with entries of 16 bits, in whose rounds stretches begin, also where entries are wide:
 * a state that became wide in its time and one that was from the beginning have one order. */
__device__ static int32_t length_of_row(const View &v, int32_t slot)
{
    const Segment *segment = v.segment + (int64_t)slot * v.n_kinds;
    const uint8_t *begins  = v.begins + (int64_t)v.type_of[slot] * v.n_kinds;
    const int32_t  round   = round_of(v.lanes);
    int32_t        used    = 0;

    if (v.entries != WIDE)
        return segment[v.n_kinds - 1].end;
    for (int32_t k = 0; k < v.n_kinds; k++) {
        used = begins[k] != 0 ? (used + round - 1) / round * round : used;
        used += segment[k].end - segment[k].begin;
    }
    return used;
}

__device__ static Sortable whole_row(const View &v, const Stretches &s, int32_t slot)
{
    return Sortable{ open_slot(v, s, slot), length_of_row(v, slot) };
}

/* From the first stretch to the last of those that the type has of some classes, with entries or
 * not: the beads of a warp go over them together. */
__device__ static Sortable row_of_classes(const View &v, const Stretches &s, int32_t slot,
                                          uint32_t classes)
{
    const int32_t type = v.type_of[slot], end = s.start[type + 1];
    const RowAt   at    = load_row_at(v, slot);
    Part          first = { end, end, 0, 0 };
    Sortable      row   = {};

    for (int32_t k = s.start[type]; k < end; k++) {
        const Part part = part_of_row(v, s, slot, k, end);

        if ((classes >> s.stretch[k].pass.is & 1) == 0)
            continue;
        if (first.k == end)
            first = part;
        first.last = k + 1;
        row.length += part.n;
    }
    row.opening = opening_of(v, slot, type, first, at);
    return row;
}

/* Kinds apart, each with the longest rows first: the place of this thread's row among those of a
 * block. Bits of sums over pairs follow from this order, which follows from the rows. */
__device__ static int32_t place_of_row(const View &v, int32_t n, const Sortable &row)
{
    __shared__ int64_t key[SORTED]; /* all different */
    const int32_t      me     = (int32_t)threadIdx.x;
    int32_t            before = 0;

    if (me < n) {
        const int64_t kinds_left = v.n_kinds - v.kind_of[row.opening.type].kind;

        key[me] = (kinds_left << 32 | row.length) * SORTED + me;
    }
    __syncthreads();
    for (int32_t k = 0; me < n && k < n; k++)
        before += key[k] > key[me];
    __syncthreads();
    return before;
}

/* by_kind: among all slots, and not only in each SORTED of them. Ellipsoids among others have an
 * order of their own, from the last kind to the first if the last is of ellipsoids, whose rows take
 * longest. */
__global__ static void __launch_bounds__(SORTED)
    k_sort_rows(const View v, const CellsWork w, const Stretches s, bool by_kind,
                bool is_last_first)
{
    const int32_t first = (int32_t)blockIdx.x * SORTED, n = min(SORTED, v.n - first);
    const int32_t me   = (int32_t)threadIdx.x;
    int32_t       slot = first + me, place;
    Sortable      row  = {};

    if ((int)(v.ledger->fault != 0) | (int)(w.grid->wants_order == 0))
        return;
    if (by_kind && me < n)
        slot = slot_of_place(v, w, slot);
    if (me < n)
        row = v.is_apart ? row_of_classes(v, s, slot, SET_OTHERS) : whole_row(v, s, slot);
    place = place_of_row(v, n, row);
    if (me < n)
        v.opening[first + place] = row.opening;
    if (v.is_apart) {
        if (me < n)
            row = row_of_classes(v, s, slot, SET_GAY_BERNE);
        place = place_of_row(v, n, row);
        if (me < n)
            v.apart_opening[(is_last_first ? v.n - first - n : first) + place] = row.opening;
    }
    if (me == 0 && atomicAdd(&w.grid->n_sorted, 1u) == gridDim.x - 1)
        w.grid->wants_order = 0;
}

AmphiStatus AMPHI_T(rows_sort)(Device *d, AmphiError *err)
{
    const uint32_t n = (uint32_t)((d->view.n + SORTED - 1) / SORTED);

    k_sort_rows<<<n, SORTED, 0, d->stream>>>(d->view, d->cells->work, d->forces->stretches,
                                             goes_by_kind(d), d->forces->last_is_ellipsoid);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}
