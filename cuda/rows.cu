/* Rows of the neighbour list. A warp takes a tile, some beads that follow each other in space, and
 * goes through the beads that can be near one of them, 32 at a time: each lane holds one candidate
 * and tests it against all beads of the tile.
 *
 * Candidates come in runs: slots of one kind in the part of one column that is in reach of the
 * smallest box around the tile. Kinds are outermost, then columns by x and y, then slots; so a row
 * is in an order that the configuration alone decides. Pairs that stay out of rows, a bead's own
 * and excluded ones, are found by their place among the candidates and not by comparing slots.
 */
#include "pair_row.h"
#include "reach.h"

/* Beads of a tile. More share the work on a candidate, but have more that are in reach of only some
 * of them: 8 take a tenth less time than 4 where there are enough tiles to keep the device busy. */
enum { SMALL_TILE = 4, LARGE_TILE = 8 };

/* nm from the middle of the tile; in a small box units of 2^-32 of it, so that differences wrap to
 * the nearest image. */
typedef union {
    float   nm;
    int32_t units;
} Coord;

typedef struct {
    Coord x, y, z;
    float r2; /* of nm; 0 for units. Out of any reach where there is no candidate */
} Candidate;

/* Of r2 + x x' + y y' + z z' = |r - r'|^2 - |r'|^2: from the candidate r2, x, y, z and from the
 * bead x', y', z' = -2 r'. In a small box, x', y', z' are its units. */
typedef struct {
    Coord     x, y, z;
    float     limit, short_limit; /* of that sum */
    uint32_t *row;
    int32_t  *short_row, used, n_short;
} Home;

/* What the loop over candidates needs of the grid and of the box around the tile. */
typedef struct {
    uint32_t centre[3];
    float    nm_per_unit[3];
} Frame;

/* ---- candidates ---- */

/* The candidates of one kind in 32 runs: how many, where this lane's run begins (far away if it is
 * empty), and from places to slots in that run of those not empty that has the lane's number. */
typedef struct {
    int32_t n, begin, shift;
} Line;

__device__ static __forceinline__ Line line_of(const Tables &s, const Span &mine)
{
    enum { FAR_AWAY = 1 << 30 };
    const int32_t  lane = lane_of();
    const uint32_t has  = __ballot_sync(ALL_LANES, mine.n > 0);
    const int32_t  end  = sum_up_to_lane<WARP>(lane, mine.n);
    Line           l;

    __syncwarp();
    if (mine.n > 0)
        s.shift[__popc(has & ((1u << lane) - 1))] = mine.from - (end - mine.n);
    __syncwarp();
    l.shift = s.shift[lane];
    l.begin = mine.n > 0 ? end - mine.n : FAR_AWAY;
    l.n     = (int32_t)__reduce_add_sync(ALL_LANES, (uint32_t)mine.n);
    return l;
}

/* This lane's candidate of those from some place on. */
typedef struct {
    int32_t slot, n_begun; /* runs up to its group of 32 */
    Place   place;
    bool    is_there;
} Fetched;

/* Of the group from place p on; a beginning at `begin` is 2^begin, shifted out when it is not in
 * the group. Branches would keep the compiler from mixing this with tests. */
__device__ static __forceinline__ Fetched fetch(const CellsWork &w, const Line &l, int32_t p,
                                                int32_t n_begun)
{
    const int32_t  lane   = lane_of();
    const uint32_t own    = __funnelshift_lc(0u, 1u, (uint32_t)(l.begin - p));
    const uint32_t begins = __reduce_or_sync(ALL_LANES, own);
    const int32_t  run    = n_begun - 1 + __popc(begins & (2u << lane) - 1);
    Fetched        f;

    f.is_there = p + lane < l.n;
    f.slot     = __shfl_sync(ALL_LANES, l.shift, run & 31) + p + lane;
    f.place    = w.place[f.is_there ? f.slot : 0];
    f.n_begun  = n_begun + __popc(begins);
    return f;
}

template <bool WRAPS>
__device__ static __forceinline__ Coord coord_of(uint32_t at, uint32_t centre, float nm_per_unit)
{
    Coord c;

    c.units = (int32_t)(at - centre);
    if (!WRAPS)
        c.nm = (float)c.units * nm_per_unit;
    return c;
}

template <bool WRAPS>
__device__ static __forceinline__ Candidate candidate_of(const Frame &f, const Place &p,
                                                         bool is_there)
{
    Candidate c;

    c.x  = coord_of<WRAPS>(p.x, f.centre[0], f.nm_per_unit[0]);
    c.y  = coord_of<WRAPS>(p.y, f.centre[1], f.nm_per_unit[1]);
    c.z  = coord_of<WRAPS>(p.z, f.centre[2], f.nm_per_unit[2]);
    c.r2 = WRAPS ? 0 : c.x.nm * c.x.nm + c.y.nm * c.y.nm + c.z.nm * c.z.nm;
    c.r2 = is_there ? c.r2 : 1e30f;
    return c;
}

/* ---- rows ---- */

/* Keeps the compiler from finding an address in global memory anew at every use. */
__device__ static __forceinline__ uint32_t *fixed_address(uint32_t *p)
{
    size_t at = __cvta_generic_to_global(p);

    asm("" : "+l"(at));
    return (uint32_t *)__cvta_global_to_generic(at);
}

template <bool WRAPS, bool SHORT>
__device__ static __forceinline__ Home home_of(const View &v, const Frame &f, const Around &b,
                                               float short2_nm2, const Place &mine, int32_t my_slot,
                                               int32_t k, bool is_there)
{
    const int32_t slot = __shfl_sync(ALL_LANES, my_slot, k);
    Place         p;
    Candidate     c;
    Home          h;

    p.x = __shfl_sync(ALL_LANES, mine.x, k);
    p.y = __shfl_sync(ALL_LANES, mine.y, k);
    p.z = __shfl_sync(ALL_LANES, mine.z, k);
    c   = candidate_of<WRAPS>(f, p, true);
    h.x = c.x;
    h.y = c.y;
    h.z = c.z;
    if (!WRAPS) {
        h.x.nm *= -2;
        h.y.nm *= -2;
        h.z.nm *= -2;
    }
    h.limit       = is_there ? b.reach2_nm2 - c.r2 : -1e30f;
    h.short_limit = is_there ? short2_nm2 + b.slack_nm2 - c.r2 : -1e30f;
    h.row         = fixed_address(v.row + (int64_t)slot * v.stride);
    h.short_row   = SHORT ? v.short_row + (int64_t)slot * v.short_stride : NULL;
    h.used = h.n_short = 0;
    return h;
}

/* Entries of the lanes that have one, in the order of lanes, from entry n on; the new n. What is
 * beyond the room, which is of whole rounds, is only counted. EACH: lanes a bead of the pair
 * kernel, for row_place; 1: entries as they come. */
template <int EACH, class Entry>
__device__ static __forceinline__ int32_t append(bool takes, Entry entry, Entry *row, int32_t room,
                                                 int32_t n)
{
    const uint32_t mask = __ballot_sync(ALL_LANES, takes);
    const int32_t  k    = n + __popc(mask & ((1u << lane_of()) - 1));

    if (takes && (uint32_t)k < (uint32_t)room)
        row[EACH == 1 ? k : row_place(k, EACH)] = entry;
    return n + __popc(mask);
}

template <bool WRAPS>
__device__ static __forceinline__ float square_of(const Frame &f, const Candidate &c, const Home &h)
{
    float dx, dy, dz;

    if (!WRAPS)
        return fmaf(h.x.nm, c.x.nm, fmaf(h.y.nm, c.y.nm, fmaf(h.z.nm, c.z.nm, c.r2)));
    dx = (float)(int32_t)((uint32_t)c.x.units - (uint32_t)h.x.units) * f.nm_per_unit[0];
    dy = (float)(int32_t)((uint32_t)c.y.units - (uint32_t)h.y.units) * f.nm_per_unit[1];
    dz = (float)(int32_t)((uint32_t)c.z.units - (uint32_t)h.z.units) * f.nm_per_unit[2];
    return fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, c.r2)));
}

/* is_short: bits of the beads that have a sticky term with these candidates. */
template <int TILE, int EACH, bool WRAPS, bool SHORT, bool BANS>
__device__ static __forceinline__ void test(const View &v, const Frame &f, const Fetched &you,
                                            uint32_t banned, uint32_t is_short, Home home[TILE])
{
    const Candidate c    = candidate_of<WRAPS>(f, you.place, you.is_there);
    const uint32_t  half = half_of(you.slot);

#pragma unroll
    for (int k = 0; k < TILE; k++) {
        Home       *h     = &home[k];
        const float r2    = square_of<WRAPS>(f, c, *h);
        const bool  meets = !BANS || (banned >> k & 1) == 0;

        h->used = append<EACH>(meets && r2 < h->limit, half, h->row, v.stride, h->used);
        if (SHORT && (is_short >> k & 1) != 0)
            h->n_short = append<1>(meets && r2 < h->short_limit, you.slot, h->short_row,
                                   v.short_stride, h->n_short);
    }
}

/* The candidates of one kind in 32 runs. The next are on their way while these are tested. */
template <int TILE, int EACH, bool WRAPS, bool SHORT>
__device__ static __forceinline__ void meet(const View &v, const CellsWork &w, const Frame &f,
                                            const Tables &s, const Bans &bans, const Span &mine,
                                            int32_t first, int32_t parts, int32_t kind,
                                            uint32_t is_short, Home home[TILE])
{
    const Line     l = line_of(s, mine);
    const uint32_t groups =
        bans.kinds >> kind % 32 & 1 ? place_banned(s, bans, mine, l.begin, first, parts) : 0;
    Fetched next = fetch(w, l, 0, 0);

    for (int32_t p = 0; p < l.n; p += 32) {
        const Fetched you = next;

        if (groups >> min(p / 32, 31) & 1) {
            const uint32_t banned = banned_at(s, bans.n, p);

            next = fetch(w, l, p + 32, you.n_begun);
            test<TILE, EACH, WRAPS, SHORT, true>(v, f, you, banned, is_short, home);
        } else {
            next = fetch(w, l, p + 32, you.n_begun);
            test<TILE, EACH, WRAPS, SHORT, false>(v, f, you, 0, is_short, home);
        }
    }
}

/* Lane k has the slot of bead k. */
template <bool SHORT>
__device__ static uint32_t short_bits(const View &v, int32_t own_kind, int32_t kind)
{
    if (!SHORT)
        return 0;
    return __ballot_sync(ALL_LANES, v.is_short[own_kind * v.n_kinds + kind] != 0);
}

/* The lengths of the short rows; the longest. */
template <int TILE>
__device__ static __forceinline__ int32_t end_short(const View &v, const Home home[TILE],
                                                    int32_t slot, int32_t n_homes)
{
    int32_t n = 0;

#pragma unroll
    for (int k = 0; k < TILE; k++)
        n = lane_of() == k ? home[k].n_short : n;
    if (lane_of() < n_homes)
        v.short_end[slot] = n;
    return (int32_t)__reduce_max_sync(ALL_LANES, (uint32_t)n);
}

/* A stretch begins at a whole round of lanes. Lane k has the type of bead k. */
template <int TILE, int EACH>
__device__ static __forceinline__ void begin_segment(const View &v, int32_t type, int32_t kind,
                                                     Home home[TILE])
{
    const uint32_t begins = __ballot_sync(ALL_LANES, v.begins[type * v.n_kinds + kind] != 0);

#pragma unroll
    for (int k = 0; k < TILE; k++)
        if (begins >> k & 1)
            home[k].used = (home[k].used + 2 * EACH - 1) & ~(2 * EACH - 1);
}

/* What bead k of the tile has used of its row, in lane k. */
template <int TILE> __device__ static __forceinline__ int32_t used_of(const Home home[TILE])
{
    int32_t used = 0;

#pragma unroll
    for (int k = 0; k < TILE; k++)
        used = lane_of() == k ? home[k].used : used;
    return used;
}

template <int TILE, int EACH, bool WRAPS, bool SHORT>
__device__ static __forceinline__ void fill_tile(const View &v, const CellsWork &w, const Around &b,
                                                 const Place &mine, int32_t slot, int32_t n_homes,
                                                 const Tables &s, int32_t longest[2])
{
    const int32_t n_cells = w.grid->cells, n_runs = b.n_runs, parts = b.parts, lane = lane_of();
    const Bans    bans = list_banned<TILE>(v, w, b, slot, n_homes, s);
    const int32_t type = v.type_of[slot], own_kind = v.kind_of[type].kind;
    Span          next    = slots_of(v, n_cells, cells_kept(*w.grid, s, n_runs, 0), 0);
    Segment       segment = { 0, 0 };
    Home          home[TILE];
    Frame         f;

#pragma unroll
    for (int a = 0; a < 3; a++) {
        f.centre[a]      = b.centre[a];
        f.nm_per_unit[a] = w.grid->nm_per_unit[a];
    }
#pragma unroll
    for (int k = 0; k < TILE; k++)
        home[k] = home_of<WRAPS, SHORT>(v, f, b, w.grid->short2_nm2, mine, slot, k, k < n_homes);
    for (int32_t t = 0; t < v.n_kinds; t++) {
        const uint32_t is_short = short_bits<SHORT>(v, own_kind, t);

        begin_segment<TILE, EACH>(v, type, t, home);
        segment.begin = used_of<TILE>(home);
        for (int32_t first = 0; first < n_runs; first += 32) {
            const Span now     = next;
            const bool is_last = first + 32 >= n_runs;

            if (!is_last || t + 1 < v.n_kinds)
                next =
                    slots_of(v, n_cells, cells_kept(*w.grid, s, n_runs, is_last ? 0 : first + 32),
                             is_last ? t + 1 : t);
            if (__any_sync(ALL_LANES, now.n > 0))
                meet<TILE, EACH, WRAPS, SHORT>(v, w, f, s, bans, now, first, parts, t, is_short,
                                               home);
        }
        segment.end = used_of<TILE>(home);
        if (lane < n_homes)
            v.segment[(int64_t)slot * v.n_kinds + t] = segment;
    }
    longest[0] = (int32_t)__reduce_max_sync(ALL_LANES, (uint32_t)segment.end);
    longest[1] = SHORT ? end_short<TILE>(v, home, slot, n_homes) : 0;
}

/* Reading first saves most of the atomics: the largest only grows. */
__device__ static void keep_largest(int32_t *largest, int32_t x)
{
    if (x > *(const volatile int32_t *)largest)
        atomicMax(largest, x);
}

/* By the last block: the list stands, or there was no room for it. All blocks have looked at the
 * ledger before. */
__device__ static void end_build(const View &v, const CellsWork &w)
{
    const int32_t longest = atomicMax(&v.ledger->longest_row, 0);

    if (longest > v.stride || atomicMax(&w.grid->longest_short, 0) > v.short_stride) {
        v.ledger->fault_size = longest;
        atomicOr(&v.ledger->fault, (uint32_t)FAULT_ROWS);
        return;
    }
    v.ledger->stale = 0;
    v.ledger->n_builds++;
}

/* Warps that a processor is to hold. This code waits for its own results: more of them bring more
 * than registers do, as long as nothing spills. */
constexpr int warps_at_once(int tile, bool has_short)
{
    const int fewer =
        AMPHI_BUILD_PRECISION == AMPHI_SINGLE ? 0 : 4; /* of exact roots and quotients */

    return tile == SMALL_TILE ? 20 : (has_short ? 16 : 20) - fewer;
}

/* One warp a block: it waits for nobody. SHORT: has any pair of types a sticky term? */
template <int TILE, int EACH, bool SHORT>
__global__ static void __launch_bounds__(32, warps_at_once(TILE, SHORT))
    k_fill_rows(const View v, const CellsWork w)
{
    extern __shared__ Banned banned[];
    __shared__ Around        box;
    __shared__ Span          column[KEPT_COLUMNS];
    __shared__ int32_t       shift[32];
    const Tables             s     = { &box, column, shift, banned };
    const int32_t            first = (int32_t)blockIdx.x * TILE, n_homes = min(TILE, v.n - first);
    int32_t                  longest[2], slot; /* row, short row */
    Place                    mine;
    Around                   b;

    if (v.ledger->fault != 0 || v.ledger->stale == 0)
        return;
    slot = w.in_space[first + min(lane_of() % TILE, n_homes - 1)];
    mine = w.place[slot];
    b    = around(*w.grid, mine);
    if (lane_of() == 0)
        box = b;
#pragma unroll
    for (int32_t k = 0; k < KEPT_COLUMNS; k += 32)
        if (k < b.n_runs)
            column[k + lane_of()] = cells_of(*w.grid, b, k + lane_of());
    __syncwarp();
    if (b.wraps)
        fill_tile<TILE, EACH, true, SHORT>(v, w, b, mine, slot, n_homes, s, longest);
    else
        fill_tile<TILE, EACH, false, SHORT>(v, w, b, mine, slot, n_homes, s, longest);
    if (lane_of() != 0)
        return;
    keep_largest(&v.ledger->longest_row, longest[0]);
    if (SHORT)
        keep_largest(&w.grid->longest_short, longest[1]);
    __threadfence();
    if (atomicAdd(&w.grid->done, 1u) == gridDim.x - 1)
        end_build(v, w);
}

/* ---- launches ---- */

typedef void FillRows(View v, CellsWork w);

/* Beads of a tile, and the kernel for them. */
static int32_t choose_kernel(const View *v, FillRows **kernel)
{
    static FillRows *const of[2][3] = {
        { k_fill_rows<LARGE_TILE, 4, false>, k_fill_rows<LARGE_TILE, 8, false>,
          k_fill_rows<SMALL_TILE, 16, false> },
        { k_fill_rows<LARGE_TILE, 4, true>, k_fill_rows<LARGE_TILE, 8, true>,
          k_fill_rows<SMALL_TILE, 16, true> },
    };

    *kernel = of[v->short_cutoff_nm > 0][lanes_index(v->lanes)];
    return v->lanes >= 16 ? SMALL_TILE : LARGE_TILE;
}

AmphiStatus AMPHI_T(rows_fill)(Device *d, AmphiError *err)
{
    const struct CellsPlan *c = d->cells;
    FillRows               *kernel;
    const int32_t           tile = choose_kernel(&d->view, &kernel);

    kernel<<<(uint32_t)((d->view.n + tile - 1) / tile), 32, c->shared_bytes, d->stream>>>(d->view,
                                                                                          c->work);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(rows_open)(Device *d, AmphiError *err)
{
    enum { WITHOUT_ASKING = 48 << 10, BESIDE = 4096 /* of the kernel, and of the system */ };
    const cudaFuncAttribute most = cudaFuncAttributeMaxDynamicSharedMemorySize;
    struct CellsPlan       *c    = d->cells;
    FillRows               *kernel;
    const int32_t           tile  = choose_kernel(&d->view, &kernel);
    int                     limit = 0;

    CUDA_TRY(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    c->shared_bytes = sizeof(Banned) * (size_t)tile * ((size_t)c->most_exclusions + 1);
    if (c->shared_bytes > (size_t)(limit - BESIDE))
        return amphi_fail(err, AMPHI_BAD_INPUT,
                          "%d exclusions of one bead are more than the device's shared memory has "
                          "room for",
                          c->most_exclusions);
    if (c->shared_bytes > WITHOUT_ASKING - BESIDE) /* all there is: other states may need more */
        CUDA_TRY(cudaFuncSetAttribute(kernel, most, limit - BESIDE));
    return AMPHI_OK;
}
