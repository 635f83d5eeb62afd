/* Beads that have gone further than half of the margin: does the list miss a pair by that?
 *
 * A pair that the list has not was further apart than cut-off and margin when it was built, and has
 * come within its cut-off only if both beads together have gone further than the margin. While the
 * first beads have gone more than half of it, nearly all have gone much less, and hardly ever
 * towards those: so each stray is looked at with all beads that may have come near to it, and the
 * list holds while no such pair is found. So it is with short rows, by the cut-off of sticky terms.
 *
 * All pairs wait for that, so what counts is the longest chain of loads: a stray brings what it
 * takes to find the cells around it, and of a bead in those both places are asked for at once, that
 * of the list and the present one.
 */
#include "beside.h"
#include "pair_row.h"
#include "reach.h"

/* A block has a stray at a time, or some of the columns around one: those of a stray are shared out
 * to at most MOST_PARTS blocks, as long as there are more blocks than strays. */
enum { THREADS = 256, BLOCKS = 2 /* a processor */, MOST_PARTS = 8 };
/* Columns around a stray, in their parts: less than eight by eight, for columns are at least half
 * as wide as the list reaches, and no stray is looked at further than three of these away. */
enum { MOST_RUNS = 128 };
/* Threads that share out the beads of one kind in a column, and how many a thread asks for at once.
 */
enum { SHARES = 4, ABREAST = 4 };

/* A bead as the list has it, and as pairs read it. */
typedef struct {
    Place       built;
    RecordPlace now;
} Look;

/* As the step before has written it. */
__device__ static RecordPlace load_now(const View &v, int32_t slot)
{
    const int4 *word = (const int4 *)&v.shown[DIPOLES][half_of(slot)].place;
    RecordPlace out;

#pragma unroll
    for (int k = 0; k < (int)(sizeof out / sizeof *word); k++)
        ((int4 *)&out)[k] = __ldcg(&word[k]);
    return out;
}

__device__ static Look look_at(const View &v, const CellsWork &w, int32_t slot)
{
    return Look{ w.place[slot], load_now(v, slot) };
}

/* When the list was built, by the same numbers as in rows. */
__device__ static float built2_nm2(const Grid &built, const Place &p, const Place &q)
{
    const float x = (float)(int32_t)(p.x - q.x) * built.nm_per_unit[0];
    const float y = (float)(int32_t)(p.y - q.y) * built.nm_per_unit[1];
    const float z = (float)(int32_t)(p.z - q.z) * built.nm_per_unit[2];

    return x * x + y * y + z * z;
}

__device__ static real now2_nm2(const BoxScale &scale, const RecordPlace &p, const RecordPlace &q)
{
    const real x = along(p.at[0], q.at[0], scale.nm_per_unit[0]);
    const real y = along(p.at[1], q.at[1], scale.nm_per_unit[1]);
    const real z = along(p.at[2], q.at[2], scale.nm_per_unit[2]);

    return x * x + y * y + z * z;
}

/* The grid, for whoever was so near. Fractions of the box are told in nm of the present one. */
__device__ static Grid grid_upto(const Grid &built, const BoxScale &scale, float far_nm)
{
    Grid g = built;

    for (int a = 0; a < 3; a++) {
#ifdef AMPHI_BUILD_DOUBLE
        g.nm_per_unit[a] = (float)(scale.nm_per_unit[a] * (1 / 4294967296.0));
#else
        g.nm_per_unit[a] = (float)scale.nm_per_unit[a];
#endif
        g.reach_units[a] = far_nm / g.nm_per_unit[a];
    }
    g.reach2_nm2 = far_nm * far_nm;
    return g;
}

__device__ static double cutoff_of(const View &v, int32_t kind, int32_t other)
{
    return v.kind_cutoff_nm != NULL ? (double)v.kind_cutoff_nm[kind * v.n_kinds + other]
                                    : v.cutoff_nm;
}

/* Of sticky terms; 0: there are none. */
__device__ static double short_cutoff_of(const View &v, int32_t kind, int32_t other)
{
    return v.is_short != NULL && v.is_short[kind * v.n_kinds + other] != 0 ? v.short_cutoff_nm : 0;
}

/* Two distances, squared: who is nearer now than the one, or as near but for rounding, is in rows
 * if it was nearer than the other when the list was built. */
typedef struct {
    real  near2;
    float reach2;
} Edge;

__device__ static Edge edge_at(const View &v, double cutoff_nm)
{
    const real  near  = (real)(cutoff_nm * (1 + LIST_ROUNDING));
    const float reach = (float)((cutoff_nm + v.margin_nm) * (1 - LIST_ROUNDING));

    return Edge{ near * near, reach * reach };
}

__device__ static bool is_lost(const Edge &edge, real now2, float built2)
{
    return now2 < edge.near2 && built2 > edge.reach2;
}

/* In cells and of a kind, every SHARES-th from the first on: is one within its cut-off, or nearly,
 * that was further away than rows look? */
__device__ static bool misses_any(const View &v, const CellsWork &w, const Grid &built,
                                  const BoxScale &scale, const Look &me, const Span &cells,
                                  int32_t own_kind, int32_t kind, int32_t first)
{
    const int32_t *start      = v.cell_start + kind * built.layer_cells + cells.from;
    const double   cutoff_nm  = cutoff_of(v, own_kind, kind);
    const Edge     edge       = edge_at(v, cutoff_nm);
    const Edge     short_edge = edge_at(v, short_cutoff_of(v, own_kind, kind));
    bool           lost       = false;

    if (cells.n == 0 || cutoff_nm <= 0)
        return false;
    for (int32_t slot = start[0] + first, end = start[cells.n]; slot < end;
         slot += SHARES * ABREAST) {
        Look you[ABREAST];

#pragma unroll
        for (int k = 0; k < ABREAST; k++)
            you[k] = look_at(v, w, min(slot + k * SHARES, end - 1));
#pragma unroll
        for (int k = 0; k < ABREAST; k++) {
            const real  now2   = now2_nm2(scale, me.now, you[k].now);
            const float built2 = built2_nm2(built, me.built, you[k].built);

            lost |= is_lost(edge, now2, built2) || is_lost(short_edge, now2, built2);
        }
    }
    return lost;
}

/* Some of the columns around a stray. */
typedef struct {
    int32_t part, n_parts;
} Share;

/* By a block: has the list lost a pair of the bead in a slot with one in those columns? */
__device__ static bool misses_pair(const View &v, const CellsWork &w, const Grid &built,
                                   const BoxScale &scale, const Stray &stray, const Share &share)
{
    __shared__ Span column[MOST_RUNS];
    const Look      me     = look_at(v, w, stray.slot);
    const Grid      g      = grid_upto(built, scale, stray.far_nm);
    const Around    b      = around(g, me.built);
    const int32_t   thread = (int32_t)threadIdx.x;
    bool            lost   = b.n_runs > MOST_RUNS; /* may be */
    const int32_t   n      = (min(b.n_runs, (int32_t)MOST_RUNS) - share.part + share.n_parts - 1) /
                      share.n_parts; /* columns of the share */

    if (thread < n)
        column[thread] = cells_of(g, b, share.part + thread * share.n_parts);
    __syncthreads();
    for (int32_t q = thread; !lost && q < n * v.n_kinds * SHARES; q += THREADS)
        lost = misses_any(v, w, built, scale, me, column[q / SHARES / v.n_kinds], stray.kind,
                          q / SHARES % v.n_kinds, q % SHARES);
    return __syncthreads_or(lost) != 0;
}

/* The last block forgets the strays. */
__global__ static void __launch_bounds__(THREADS, BLOCKS)
    k_look_at_strays(const View v, const CellsWork w)
{
    int32_t n;

    let_next_begin();
    wait_for_last();
    n = min(v.ledger->n_strays, v.most_strays);
    if (n == 0)
        return;
    /* other blocks may mark the list meanwhile: all threads of this one are to see the same */
    if (__syncthreads_and((v.ledger->fault == 0) & (v.ledger->stale == 0))) {
        const Grid     grid  = *w.grid;
        const BoxScale scale = scale_of(v);

        const int32_t n_parts = max(1, min((int32_t)MOST_PARTS, (int32_t)gridDim.x / n));

        for (int32_t k = (int32_t)blockIdx.x; k < n * n_parts; k += (int32_t)gridDim.x)
            if (misses_pair(v, w, grid, scale, v.stray[k / n_parts],
                            Share{ k % n_parts, n_parts })) {
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
