/* Beads that have gone further than half of the margin: does the list miss a pair by that?
 *
 * A pair that the list has not was further apart than cut-off and margin when it was built, and has
 * come within its cut-off only if both beads together have gone further than the margin. While the
 * first beads have gone more than half of it, nearly all have gone much less, and hardly ever
 * towards those: so each stray is looked at with all beads that may have come near to it, and the
 * list holds while no such pair is found.
 */
#include "beside.h"
#include "reach.h"
#include "rooms.h"
#include "stale.h"

/* A block has a stray at a time. */
enum { THREADS = 128, BLOCKS = 4 /* a processor */ };
/* Of a stray: beads that may have come near to it. */
enum { MOST_NEAR = 512 };
/* Places of a run that are asked for together: otherwise the longest run keeps all waiting. */
enum { ABREAST = 8 };

typedef struct {
    int32_t n, slot[MOST_NEAR];
} Near;

/* Is a pair within its cut-off, or nearly so, that the list need not have? */
__device__ static bool may_be_missing(const View &v, const ListRoom &room, int32_t i, int32_t j,
                                      double cutoff_nm)
{
    const double near = cutoff_nm * (1 + LIST_ROUNDING), reach = cutoff_nm + v.margin_nm;
    double       now2 = 0, built2 = 0;

    for (int a = 0; a < 3; a++) {
        const double s = (v.position_nm[i][a] - v.position_nm[j][a]) * room.inv_box[a];
        const double t = (v.built_nm[i][a] - v.built_nm[j][a]) * room.inv_built[a];
        const double d = (s - rint(s)) * room.box_nm[a], e = (t - rint(t)) / room.inv_built[a];

        now2 += d * d;
        built2 += e * e;
    }
    return now2 < near * near && built2 > reach * reach;
}

/* Of points that lists are built around. */
__device__ static float distance2(const float nm_per_unit[3], const Place &p, const Place &q)
{
    const float x = (float)(int32_t)(p.x - q.x) * nm_per_unit[0];
    const float y = (float)(int32_t)(p.y - q.y) * nm_per_unit[1];
    const float z = (float)(int32_t)(p.z - q.z) * nm_per_unit[2];

    return x * x + y * y + z * z;
}

/* The grid, for whoever may have come within the cut-off of a bead that has gone so far. Fractions
 * of the box are told in nm of the present one. */
__device__ static Grid grid_around(const View &v, const Grid &built, const ListRoom &room,
                                   double moved_nm)
{
    const double far_nm =
        v.cutoff_nm * (1 + LIST_ROUNDING) + moved_nm + GONE * sqrt(room.room2_nm2);
    Grid g = built;

    for (int a = 0; a < 3; a++) {
        g.reach_units[a] = far_nm * room.inv_box[a] * 4294967296.0;
        g.nm_per_unit[a] = (float)(room.box_nm[a] * (1 / 4294967296.0));
    }
    g.reach2_nm2 = (float)(far_nm * far_nm) * (1 + 1e-5F);
    return g;
}

__device__ static double cutoff_of(const View &v, int32_t kind, int32_t other)
{
    return v.kind_cutoff_nm != NULL ? (double)v.kind_cutoff_nm[kind * v.n_kinds + other]
                                    : v.cutoff_nm;
}

__device__ static void keep_near(Near *near, int32_t slot)
{
    const int32_t k = atomicAdd(&near->n, 1);

    if (k < MOST_NEAR)
        near->slot[k] = slot;
}

/* By a block, in all columns and of all kinds at once: what is not in the row, and not too far. */
__device__ static void find_near(const View &v, const CellsWork &w, const Grid &built,
                                 const Grid &g, const Place &me, int32_t own_kind, Near *near)
{
    const Around b = around(g, me);

    for (int32_t q = (int32_t)threadIdx.x; q < b.n_runs * v.n_kinds; q += THREADS) {
        const int32_t  kind      = q % v.n_kinds;
        const Span     cells     = cells_of(g, b, q / v.n_kinds);
        const int32_t *start     = v.cell_start + kind * g.layer_cells + cells.from;
        const double   cutoff_nm = cutoff_of(v, own_kind, kind);
        const float    reach     = (float)((cutoff_nm + v.margin_nm) * (1 - LIST_ROUNDING));

        if (cells.n == 0 || cutoff_nm <= 0)
            continue;
        for (int32_t slot = start[0], end = start[cells.n]; slot < end; slot += ABREAST) {
            Place you[ABREAST];

#pragma unroll
            for (int k = 0; k < ABREAST; k++)
                you[k] = w.place[min(slot + k, end - 1)];
#pragma unroll
            for (int k = 0; k < ABREAST; k++)
                if (slot + k < end && distance2(built.nm_per_unit, me, you[k]) > reach * reach &&
                    distance2(g.nm_per_unit, me, you[k]) < g.reach2_nm2)
                    keep_near(near, slot + k);
        }
    }
}

/* By a block: has the list lost a pair of the bead in a slot? */
__device__ static bool misses_pair(const View &v, const CellsWork &w, const Grid &built,
                                   const ListRoom &room, const Stray &stray, Near *near)
{
    const Place me = w.place[stray.slot];
    bool        lost;

    if (threadIdx.x == 0)
        near->n = 0;
    __syncthreads();
    find_near(v, w, built, grid_around(v, built, room, stray.moved_nm), me, stray.kind, near);
    __syncthreads();
    lost = near->n > MOST_NEAR; /* may be */
    for (int32_t k = (int32_t)threadIdx.x; k < min(near->n, (int32_t)MOST_NEAR); k += THREADS) {
        const int32_t slot = near->slot[k];

        lost |= may_be_missing(v, room, stray.bead, v.bead_of[slot],
                               cutoff_of(v, stray.kind, v.kind_of[v.type_of[slot]].kind));
    }
    return __syncthreads_or(lost) != 0;
}

/* The last block forgets the strays. */
__global__ static void __launch_bounds__(THREADS) k_look_at_strays(const View v, const CellsWork w)
{
    __shared__ Near near;
    int32_t         n;

    let_next_begin();
    wait_for_last();
    n = min(v.ledger->n_strays, v.most_strays);
    if (n == 0)
        return;
    if ((v.ledger->fault == 0) & (v.ledger->stale == 0)) {
        const Grid     grid = *w.grid;
        const ListRoom room = room_of(v, v.ledger->box_nm);

        for (int32_t k = (int32_t)blockIdx.x; k < n; k += (int32_t)gridDim.x)
            if (misses_pair(v, w, grid, room, v.stray[k], &near)) {
                mark_stale(v);
                break;
            }
    }
    __syncthreads();
    if (threadIdx.x != 0 || atomicAdd(&v.ledger->n_looked, 1) != (int32_t)gridDim.x - 1)
        return;
    v.ledger->n_looked = v.ledger->n_strays = 0;
}

AmphiStatus AMPHI_T(cells_look)(Device *d, AmphiError *err)
{
    cudaLaunchAttribute      is_beside;
    const cudaLaunchConfig_t config = launch_beside(
        d->begins_early, BLOCKS * (unsigned)d->n_processors, THREADS, d->stream, &is_beside);

    if (d->view.stray == NULL)
        return AMPHI_OK;
    CUDA_TRY(cudaLaunchKernelEx(&config, k_look_at_strays, d->view, d->cells->work));
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}
