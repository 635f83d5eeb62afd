/* Rows of the neighbour list. A warp takes a tile, some beads that follow each other in space, and
 * goes through the beads that can be near one of them, 32 at a time: each lane holds one candidate
 * and tests it against all beads of the tile.
 *
 * Candidates come in runs: slots of one kind in the part of one column that is in reach of the
 * smallest box around the tile. Kinds are outermost, then columns by x and y, then slots; so a row
 * is in an order that the configuration alone decides. Pairs that stay out of rows, a bead's own
 * and excluded ones, are found by their place among the candidates and not by comparing slots.
 */
#include "candidates.h"
#include "drafts.h"
#include "pair_row.h"

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
    Coord    x, y, z;
    float    limit, short_limit;    /* of that sum */
    uint32_t last, end;             /* entry of its row, and where that ends: addresses */
    int32_t *short_row, short_last; /* -1: none */
} Home;

/* What the loop over candidates needs of the grid and of the box around the tile. */
typedef struct {
    uint32_t centre[3];
    float    nm_per_unit[3];
    int32_t  base, n; /* of the tile's entries; slots */
} Frame;

/* ---- candidates ---- */

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
__device__ static __forceinline__ Candidate candidate_of(const Frame &f, const Place &p, float far2)
{
    Candidate c;

    c.x  = coord_of<WRAPS>(p.x, f.centre[0], f.nm_per_unit[0]);
    c.y  = coord_of<WRAPS>(p.y, f.centre[1], f.nm_per_unit[1]);
    c.z  = coord_of<WRAPS>(p.z, f.centre[2], f.nm_per_unit[2]);
    c.r2 = WRAPS ? far2 : fmaf(c.z.nm, c.z.nm, fmaf(c.x.nm, c.x.nm, fmaf(c.y.nm, c.y.nm, far2)));
    return c;
}

/* ---- rows ---- */

__device__ static __forceinline__ Frame frame_of(const View &v, const Grid &g, const Around &b,
                                                 int32_t base)
{
    Frame f;

#pragma unroll
    for (int a = 0; a < 3; a++) {
        f.centre[a]      = b.centre[a];
        f.nm_per_unit[a] = g.nm_per_unit[a];
    }
    f.base = base;
    f.n    = v.n;
    return f;
}

__device__ static __forceinline__ Coord coord_of_lane(Coord c, int32_t lane)
{
    c.units = __shfl_sync(ALL_LANES, c.units, lane);
    return c;
}

/* Lane k finds what is needed of bead k, and tells it to all. */
template <int TILE, bool WRAPS, bool SHORT, class Entry>
__device__ static __forceinline__ void
find_homes(const View &v, const Frame &f, const Around &b, float short2_nm2, const Mine &of_lane,
           int32_t n_homes, const Drafts<Entry> &drafts, Home home[TILE])
{
    const bool is_there = lane_of() < n_homes;
    Candidate  mine     = candidate_of<WRAPS>(f, of_lane.place, 0);
    float      limit, short_limit;

    limit       = is_there ? b.reach2_nm2 - mine.r2 : -1e30f;
    short_limit = is_there ? short2_nm2 + b.slack_nm2 - mine.r2 : -1e30f;
    if (!WRAPS) {
        mine.x.nm *= -2;
        mine.y.nm *= -2;
        mine.z.nm *= -2;
    }
#pragma unroll
    for (int k = 0; k < TILE; k++) {
        const int64_t at = __shfl_sync(ALL_LANES, of_lane.slot, k);
        Home         *h  = &home[k];

        h->x           = coord_of_lane(mine.x, k);
        h->y           = coord_of_lane(mine.y, k);
        h->z           = coord_of_lane(mine.z, k);
        h->limit       = __shfl_sync(ALL_LANES, limit, k);
        h->short_limit = SHORT ? __shfl_sync(ALL_LANES, short_limit, k) : 0;
        h->last        = drafts.address(k, -1);
        h->end         = drafts.address(k, drafts.longest);
        h->short_row   = SHORT ? v.short_row + at * v.short_stride : NULL;
        h->short_last  = -1;
    }
}

/* What rows of the tile have of a slot: how far it or its record is from the base, past the end of
 * the box where that is; or where its record is. */
template <int LAYOUT>
__device__ static __forceinline__ EntryOf<LAYOUT> tell_slot(const Frame &f, int32_t slot)
{
    const int32_t far   = is_wide(LAYOUT) ? slot : slot - f.base;
    const int32_t ahead = far < 0 ? far + f.n : far;

    return (EntryOf<LAYOUT>)(tells_halves(LAYOUT) ? half_of(ahead) : (uint32_t)ahead);
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

/* Beads whose tests go side by side: as many as there are predicates for. What one waits for the
 * others wait for, too. */
enum { SIDE_BY_SIDE = 4 };

/* Of short rows, to which most candidates are too far. */
__device__ static __forceinline__ void test_short(const View &v, const float r2[SIDE_BY_SIDE],
                                                  int32_t slot, uint32_t is_short,
                                                  Home home[SIDE_BY_SIDE])
{
    bool    takes[SIDE_BY_SIDE], any = false;
    int32_t mine[SIDE_BY_SIDE];

#pragma unroll
    for (int k = 0; k < SIDE_BY_SIDE; k++) {
        takes[k] = (is_short >> k & 1) != 0 && r2[k] < home[k].short_limit;
        any |= takes[k];
    }
    if (!__any_sync(ALL_LANES, any))
        return;
#pragma unroll
    for (int k = 0; k < SIDE_BY_SIDE; k++)
        mine[k] = home[k].short_last + __popc(__ballot_sync(ALL_LANES, takes[k]) & up_to_lane());
#pragma unroll
    for (int k = 0; k < SIDE_BY_SIDE; k++)
        append_short(takes[k] && mine[k] < v.short_stride, slot, home[k].short_row + mine[k]);
#pragma unroll
    for (int k = 0; k < SIDE_BY_SIDE; k++)
        home[k].short_last = __shfl_sync(ALL_LANES, mine[k], 31);
}

template <class Entry, bool WRAPS, bool SHORT, bool BANS>
__device__ static __forceinline__ void test_some(const View &v, const Frame &f, const Candidate &c,
                                                 int32_t slot, Entry entry, uint32_t banned,
                                                 uint32_t is_short, Home home[SIDE_BY_SIDE])
{
    float    r2[SIDE_BY_SIDE];
    bool     takes[SIDE_BY_SIDE];
    uint32_t mask[SIDE_BY_SIDE], mine[SIDE_BY_SIDE];

#pragma unroll
    for (int k = 0; k < SIDE_BY_SIDE; k++) {
        r2[k] = square_of<WRAPS>(f, c, home[k]);
        if (BANS)
            r2[k] = (banned >> k & 1) == 0 ? r2[k] : INFINITY;
    }
#pragma unroll
    for (int k = 0; k < SIDE_BY_SIDE; k++) {
        takes[k] = r2[k] < home[k].limit;
        mask[k]  = __ballot_sync(ALL_LANES, takes[k]);
    }
#pragma unroll
    for (int k = 0; k < SIDE_BY_SIDE; k++)
        mine[k] = place_behind<Entry>(mask[k], home[k].last);
#pragma unroll
    for (int k = 0; k < SIDE_BY_SIDE; k++)
        append(takes[k], entry, mine[k], home[k].end);
#pragma unroll
    for (int k = 0; k < SIDE_BY_SIDE; k++)
        home[k].last = __shfl_sync(ALL_LANES, mine[k], 31);
    if (SHORT && is_short != 0)
        test_short(v, r2, slot, is_short, home);
}

/* is_short: bits of the beads that have a sticky term with these candidates. */
template <int TILE, int LAYOUT, bool WRAPS, bool SHORT, bool BANS>
__device__ static __forceinline__ void test(const View &v, const Frame &f, const Fetched &you,
                                            uint32_t banned, uint32_t is_short, Home home[TILE])
{
    static_assert(TILE % SIDE_BY_SIDE == 0, "beads are tested in whole groups");
    typedef EntryOf<LAYOUT> Entry;
    const Candidate         c     = candidate_of<WRAPS>(f, you.place, you.far2);
    const Entry             entry = tell_slot<LAYOUT>(f, you.place.slot);

#pragma unroll
    for (int k = 0; k < TILE; k += SIDE_BY_SIDE)
        test_some<Entry, WRAPS, SHORT, BANS>(v, f, c, you.place.slot, entry, banned >> k,
                                             is_short >> k, home + k);
}

/* The next place from p on whose group of candidates has a banned pair; n: none. */
__device__ static __forceinline__ int32_t next_banned(uint32_t groups, int32_t p, int32_t n)
{
    const uint32_t left = groups >> min((uint32_t)p / 32, 31u);

    return left != 0 ? min(p + 32 * (__ffs((int)left) - 1), n) : n;
}

/* The candidates of one kind in 32 runs. The next are on their way while these are tested, and the
 * slots of those after them are known, so that loads need not wait for anything. */
template <int TILE, int LAYOUT, bool WRAPS, bool SHORT>
__device__ static __forceinline__ void meet(const View &v, const CellsWork &w, const Frame &f,
                                            const Tables &s, const Bans &bans, const Span &mine,
                                            int32_t first, int32_t parts, int32_t kind,
                                            uint32_t is_short, Home home[TILE])
{
    const Line     l = line_of(s, mine);
    const uint32_t groups =
        bans.kinds >> kind % 32 & 1 ? place_banned(s, bans, mine, l.begin, first, parts) : 0;
    Located at   = locate(l, 0, -1);
    Fetched next = fetch(w, at);
    int32_t p    = 0;

    at = locate(l, 32, at.last_run);
    while (p < l.n) {
        const int32_t plain = next_banned(groups, p, l.n);

        for (; p < plain; p += 32) {
            const Fetched you = next;

            next = fetch(w, at);
            at   = locate(l, p + 64, at.last_run);
            test<TILE, LAYOUT, WRAPS, SHORT, false>(v, f, you, 0, is_short, home);
        }
        if (p < l.n) {
            const Fetched  you    = next;
            const uint32_t banned = banned_at(s, bans.n, p);

            next = fetch(w, at);
            at   = locate(l, p + 64, at.last_run);
            test<TILE, LAYOUT, WRAPS, SHORT, true>(v, f, you, banned, is_short, home);
            p += 32;
        }
    }
}

/* Lane k has the kind of bead k. */
template <bool SHORT>
__device__ static uint32_t short_bits(const View &v, int32_t own_kind, int32_t kind)
{
    if (!SHORT)
        return 0;
    return __ballot_sync(ALL_LANES, v.is_short[own_kind * v.n_kinds + kind] != 0);
}

/* What the square of its reach for one kind is shorter than the longest, in lane k of bead k. */
__device__ static __forceinline__ float shorter_reach2(const View &v, const Grid &g,
                                                       int32_t own_kind, int32_t kind)
{
    const float cutoff_nm = v.kind_cutoff_nm[own_kind * v.n_kinds + kind];
    const float reach_nm  = fmaxf(0, (cutoff_nm + (float)v.margin_nm) * (1 + 1.1e-5F));

    return fmaxf(0, g.reach2_nm2 - reach_nm * reach_nm);
}

/* For the next kind. What limits lose by rounding is less than reaches are enlarged by. */
template <int TILE>
__device__ static __forceinline__ void change_reach(float change, Home home[TILE])
{
#pragma unroll
    for (int k = 0; k < TILE; k++)
        home[k].limit += __shfl_sync(ALL_LANES, change, k);
}

/* Of a tile: entries, and whether 16 bits are too few for one. */
typedef struct {
    int32_t row, short_row, is_beyond;
} Longest;

/* The lengths of the short rows; the longest. */
template <int TILE>
__device__ static __forceinline__ int32_t end_short(const View &v, const Home home[TILE],
                                                    int32_t slot, int32_t n_homes)
{
    int32_t n = 0;

#pragma unroll
    for (int k = 0; k < TILE; k++)
        n = lane_of() == k ? home[k].short_last + 1 : n;
    if (lane_of() < n_homes)
        v.short_end[slot] = n;
    return (int32_t)__reduce_max_sync(ALL_LANES, (uint32_t)n);
}

/* What lane k has used of the row of bead k, when a segment begins there: if a stretch does, at a
 * whole round of lanes. */
template <int TILE, int ROUND, class Entry>
__device__ static __forceinline__ int32_t begin_segment(bool begins, int32_t used,
                                                        const Drafts<Entry> &drafts,
                                                        Home                 home[TILE])
{
    if (begins)
        used = (used + ROUND - 1) & ~(ROUND - 1);
#pragma unroll
    for (int k = 0; k < TILE; k++)
        home[k].last = drafts.address(k, __shfl_sync(ALL_LANES, used - 1, k));
    return used;
}

/* What bead k of the tile has used of its row, in lane k. */
template <int TILE, class Entry>
__device__ static __forceinline__ int32_t used_of(const Drafts<Entry> &drafts,
                                                  const Home           home[TILE])
{
    int32_t used = 0;

#pragma unroll
    for (int k = 0; k < TILE; k++)
        used = lane_of() == k ? drafts.entries_upto(k, home[k].last) : used;
    return used;
}

/* ---- a tile ---- */

/* What entries of a tile count from: the first slot of the first layer in reach, down to a whole
 * group of records. Are there slots in reach that they cannot tell, or without an echo where one is
 * needed? */
typedef struct {
    int32_t base;
    bool    is_beyond;
} Window;

template <int LAYOUT>
__device__ static __forceinline__ Window window_of(const View &v, const Grid &g, const Around &b)
{
    constexpr int32_t MOST  = tells_halves(LAYOUT) ? REACHED_BY_HALF : REACHED;
    const int32_t     layer = g.layer_cells * v.n_kinds;
    const int32_t     first = wrapped(b.first[0], g.n_cells[0]);
    const int32_t     last  = wrapped(b.first[0] + b.n[0] - 1, g.n_cells[0]);
    const bool        wraps = last < first;
    Window            w     = { 0, false };

    if (!v.is_layered || is_wide(LAYOUT))
        return w;
    w.base      = v.cell_start[first * layer] & ~(RECORD_GROUP - 1);
    w.is_beyond = v.cell_start[(last + 1) * layer] - w.base + (wraps ? v.n : 0) > MOST ||
                  (wraps && last >= ECHOED_LAYERS);
    return w;
}

template <int TILE, int LAYOUT, bool WRAPS, bool SHORT>
__device__ static __forceinline__ void
fill_tile(const View &v, const CellsWork &w, const Around &b, const Mine &mine, int32_t n_homes,
          const Tables &s, const Drafts<EntryOf<LAYOUT>> &drafts, Longest *longest)
{
    const int32_t  n_runs = b.n_runs, lane = lane_of();
    const int32_t  own_kind    = v.kind_of[mine.type].kind;
    const uint8_t *begins      = v.begins + mine.type * v.n_kinds;
    Asked          next        = ask_slots(v, *w.grid, s, n_runs, 0, 0);
    uint8_t        begins_next = begins[0];
    const Bans     bans        = list_banned<TILE>(v, w, b, mine, n_homes, s);
    const Window   window      = window_of<LAYOUT>(v, *w.grid, b);
    const Frame    f           = frame_of(v, *w.grid, b, window.base);
    Segment        segment     = { 0, 0 };
    Home           home[TILE];
    float          shorter = 0;
    uint32_t       round;

    drafts.template clear<TILE>(tell_slot<LAYOUT>(f, mine.slot));
    find_homes<TILE, WRAPS, SHORT>(v, f, b, w.grid->short2_nm2, mine, n_homes, drafts, home);
    for (int32_t t = 0; t < v.n_kinds; t++) {
        const uint32_t is_short = short_bits<SHORT>(v, own_kind, t);

        if (v.kind_cutoff_nm != NULL) {
            const float next_shorter = shorter_reach2(v, *w.grid, own_kind, t);

            change_reach<TILE>(shorter - next_shorter, home);
            shorter = next_shorter;
        }
        segment.begin =
            begin_segment<TILE, round_of(LAYOUT)>(begins_next != 0, segment.end, drafts, home);
        begins_next = begins[min(t + 1, v.n_kinds - 1)];
        for (int32_t first = 0; first < n_runs; first += 32) {
            const Span now     = { next.from, next.end - next.from };
            const bool is_last = first + 32 >= n_runs;

            if (!is_last || t + 1 < v.n_kinds)
                next =
                    ask_slots(v, *w.grid, s, n_runs, is_last ? 0 : first + 32, is_last ? t + 1 : t);
            if (__any_sync(ALL_LANES, now.n > 0))
                meet<TILE, LAYOUT, WRAPS, SHORT>(v, w, f, s, bans, now, first, b.parts, t, is_short,
                                                 home);
        }
        segment.end = used_of<TILE>(drafts, home);
        if (lane < n_homes)
            v.segment[(int64_t)mine.slot * v.n_kinds + t] = segment;
    }
    longest->row       = (int32_t)__reduce_max_sync(ALL_LANES, (uint32_t)segment.end);
    longest->short_row = SHORT ? end_short<TILE>(v, home, mine.slot, n_homes) : 0;
    longest->is_beyond = window.is_beyond;
    round              = put_rows<TILE, LAYOUT>(v, w, drafts, lane < n_homes ? segment.end : 0);
    if (lane < n_homes)
        v.row[mine.slot] = RowAt{ round, window.base };
}

/* Reading first saves most of the atomics: the largest only grows. It is to be seen by who sees
 * that this block is done; who has read as much need not wait, for the block that wrote it has. */
__device__ static void keep_largest(int32_t *largest, int32_t x)
{
    if (x <= *(const volatile int32_t *)largest)
        return;
    atomicMax(largest, x);
    __threadfence();
}

/* By the last block: the list stands, or there was no room for it. All blocks have looked at the
 * ledger before. */
__device__ static void end_build(const View &v, const CellsWork &w)
{
    const int32_t longest = atomicMax(&v.ledger->longest_row, 0);

    if (longest > v.longest || atomicMax(&w.grid->n_rounds, 0u) > v.n_rounds ||
        atomicMax(&w.grid->longest_short, 0) > v.short_stride) {
        v.ledger->fault_size = longest;
        atomicOr(&v.ledger->fault, (uint32_t)FAULT_ROWS);
        return;
    }
    if (atomicMax(&w.grid->is_beyond, 0) != 0) {
        atomicOr(&v.ledger->fault, (uint32_t)FAULT_ENTRIES);
        return;
    }
    w.grid->wants_order = 1;
    v.ledger->stale     = 0;
    v.ledger->n_builds++;
}

/* Warps that a processor is to hold. This code waits for its own results: more of them bring more
 * than registers do, as long as nothing spills. A multiple of its four schedulers. */
constexpr int warps_at_once(int tile, bool has_short)
{
    const bool is_single = AMPHI_BUILD_PRECISION == AMPHI_SINGLE; /* no exact roots, quotients */

    if (tile == SMALL_TILE)
        return 20;
    return has_short ? (is_single ? 16 : 12) : (is_single ? 24 : 16);
}

/* In the order of what has to be waited for. */
__device__ static __forceinline__ Mine ask_about(const View &v, const CellsWork &w, int32_t slot)
{
    const int32_t bead = v.bead_of[slot];
    Mine          m;

    m.place      = w.place[slot];
    m.slot       = slot;
    m.type       = v.type_of[slot];
    m.exclusions = Asked{ v.exclusion_start[bead], v.exclusion_start[bead + 1] };
    return m;
}

/* One warp a block: it waits for nobody. SHORT: has any pair of types a sticky term? */
template <int TILE, int LAYOUT, bool SHORT>
__global__ static void __launch_bounds__(32, warps_at_once(TILE, SHORT))
    k_fill_rows(const View v, const CellsWork w)
{
    extern __shared__ int4        drafted[]; /* TILE rows; then what is banned */
    __shared__ Around             box;
    __shared__ Span               column[KEPT_COLUMNS];
    __shared__ int32_t            shift[32];
    __shared__ uint32_t           of[32];
    const Drafts<EntryOf<LAYOUT>> drafts(drafted, v.longest);
    Banned *const banned = (Banned *)((EntryOf<LAYOUT> *)drafted + TILE * v.longest);
    const Tables  s      = { &box, column, shift, of, banned };
    const Grid    grid   = *w.grid; /* all of it asked for at once */
    const int32_t first = (int32_t)blockIdx.x * TILE, n_homes = min(TILE, v.n - first);
    const int32_t bead = min(lane_of() % TILE, n_homes - 1);
    Longest       longest;
    Mine          mine;
    Around        b;

    mine.slot = w.in_space[first + bead];
    /* none is negative; asked so, it is on its way together with what the ledger says */
    if ((v.ledger->fault != 0) | (v.ledger->stale == 0) | (mine.slot < 0))
        return;
    mine = ask_about(v, w, mine.slot);
    b    = around(grid, mine.place);
    keep_columns(grid, s, &b);
    if (b.wraps)
        fill_tile<TILE, LAYOUT, true, SHORT>(v, w, b, mine, n_homes, s, drafts, &longest);
    else
        fill_tile<TILE, LAYOUT, false, SHORT>(v, w, b, mine, n_homes, s, drafts, &longest);
    if (lane_of() != 0)
        return;
    keep_largest(&v.ledger->longest_row, longest.row);
    if (SHORT)
        keep_largest(&w.grid->longest_short, longest.short_row);
    if (!is_wide(LAYOUT))
        keep_largest(&w.grid->is_beyond, longest.is_beyond);
    if (atomicAdd(&w.grid->done, 1u) == gridDim.x - 1)
        end_build(v, w);
}

/* ---- launches ---- */

typedef void FillRows(View v, CellsWork w);

static FillRows *const kernels[2][N_LAYOUTS] = {
    { k_fill_rows<LARGE_TILE, 4, false>, k_fill_rows<LARGE_TILE, 8, false>,
      k_fill_rows<SMALL_TILE, 16, false>, k_fill_rows<LARGE_TILE, 4 | WIDE, false>,
      k_fill_rows<LARGE_TILE, 4 | HALVES, false> },
    { k_fill_rows<LARGE_TILE, 4, true>, k_fill_rows<LARGE_TILE, 8, true>,
      k_fill_rows<SMALL_TILE, 16, true>, k_fill_rows<LARGE_TILE, 4 | WIDE, true>,
      k_fill_rows<LARGE_TILE, 4 | HALVES, true> },
};

AmphiStatus AMPHI_T(rows_fill)(Device *d, AmphiError *err)
{
    const struct CellsPlan *c      = d->cells;
    const int32_t           tile   = tile_of(d->view.lanes);
    FillRows               *kernel = kernels[d->view.short_cutoff_nm > 0][layout_index(&d->view)];

    kernel<<<(uint32_t)((d->view.n + tile - 1) / tile), 32, c->shared_bytes, d->stream>>>(d->view,
                                                                                          c->work);
    CUDA_TRY_LAUNCH();
    return sorts_rows(d->view.lanes) ? AMPHI_T(rows_sort)(d, err) : AMPHI_OK;
}

/* A processor gives up as much of its first cache for drafts as the warps want that it holds. */
static AmphiStatus allow_shared(const Device *d, FillRows *kernel, int32_t n_warps, AmphiError *err)
{
    enum { BESIDE = 4096 /* of the kernel, and of the system */ };
    const size_t bytes = d->cells->shared_bytes;
    int          most = 0, all = 0;
    int64_t      percent;

    CUDA_TRY(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, d->device));
    CUDA_TRY(cudaDeviceGetAttribute(&all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, d->device));
    if (bytes > (size_t)(most - BESIDE))
        return amphi_fail(err, AMPHI_BAD_INPUT,
                          "rows of %d neighbours and %d exclusions of one bead are more than the "
                          "device's shared memory has room for",
                          d->view.longest, d->cells->most_exclusions);
    percent = (int64_t)n_warps * (int64_t)(bytes + BESIDE / 2) * 100 / all + 1;
    /* all there is: other states may need more */
    CUDA_TRY(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most - BESIDE));
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                  percent < 100 ? (int)percent : 100));
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(rows_fit)(Device *d, AmphiError *err)
{
    const View   *v         = &d->view;
    const bool    has_short = v->short_cutoff_nm > 0;
    const int32_t tile      = tile_of(v->lanes);

    d->cells->shared_bytes =
        (size_t)tile * (sizeof(Banned) * ((size_t)d->cells->most_exclusions + 1) +
                        entry_bytes(v) * (size_t)v->longest);
    return allow_shared(d, kernels[has_short][layout_index(v)], warps_at_once(tile, has_short),
                        err);
}
