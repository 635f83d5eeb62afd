/* Filling the rows of a neighbour list, vectorised: candidates are collected once for each cell,
 * type by type, tested LANES at a time, and packed. Compiled in single for each instruction set;
 * the list serves every precision.
 */
#include "../cpu_rows.h"

#include <omp.h>
#include <string.h>

#include "../num/lanes_x86.h"

#define PASTE_SET(name, set) name##_##set
#define WITH_SET(name, set)  PASTE_SET(name, set)

/* Candidates of one cell, by type; [n_types][room], ids -1 behind the last. */
typedef struct {
    int32_t  room;
    int32_t *count; /* [n_types] */
    int32_t *x, *y, *z, *id;
} Candidates;

/* The k-th cell around c along one direction: -reach .. reach, each cell once. */
static int32_t around(int32_t c, int32_t k, int32_t reach, int32_t n)
{
    if (2 * reach + 1 >= n)
        return k < n ? k : -1;
    return k <= 2 * reach ? (c - reach + k + n) % n : -1;
}

/* Copies LANES at a time; what is copied beyond the end of the run is overwritten by the next
 * one. */
static void add_run(const AmphiCpuList *list, int32_t run, Candidates *c)
{
    const int32_t from = list->run_start[run], n = list->run_start[run + 1] - from;
    const int32_t t           = list->type_of[from];
    const int64_t to          = (int64_t)t * c->room + c->count[t];
    int32_t *restrict const x = c->x + to, *restrict const y = c->y + to;
    int32_t *restrict const z = c->z + to, *restrict const id = c->id + to;
    const int32_t *restrict const at[3] = { list->at[0] + from, list->at[1] + from,
                                            list->at[2] + from };

    c->count[t] += n;
    for (int32_t k = 0; k < n; k += LANES) {
        copy_slots(x + k, at[0] + k);
        copy_slots(y + k, at[1] + k);
        copy_slots(z + k, at[2] + k);
        count_slots(id + k, from + k);
    }
}

static void add_cell(const AmphiCpuList *list, int32_t cell, Candidates *c)
{
    for (int32_t run = list->cell_run[cell]; run < list->cell_run[cell + 1]; run++)
        add_run(list, run, c);
}

static void collect(const AmphiCpuList *list, const AmphiRowsPlan *plan, int32_t cell,
                    Candidates *c)
{
    const int32_t *n = list->n_cells, *stride = list->cell_stride;
    int32_t        own[3], x, y, z;

    memset(c->count, 0, (size_t)list->n_types * sizeof *c->count);
    for (int a = 0; a < 3; a++)
        own[a] = amphi_cpu_cell_along(list, cell, a);
    for (int32_t k = 0; (z = around(own[2], k, plan->reach[2], n[2])) >= 0; k++)
        for (int32_t j = 0; (y = around(own[1], j, plan->reach[1], n[1])) >= 0; j++)
            for (int32_t i = 0; (x = around(own[0], i, plan->reach[0], n[0])) >= 0; i++)
                add_cell(list, z * stride[2] + y * stride[1] + x * stride[0], c);
    for (int32_t t = 0; t < list->n_types; t++)
        for (int k = 0; k < LANES; k++)
            c->id[(int64_t)t * c->room + c->count[t] + k] = -1;
}

/* Distances of a group from a point, nearest images. */
typedef struct {
    real x, y, z;
} Apart;

/* Differences that wrap, as differences of unsigned numbers may. */
AMPHI_BOTH real along(int32_t at, lane_slots other)
{
    typedef uint32_t units __attribute__((vector_size(sizeof(lane_slots))));

    return __builtin_convertvector((lane_slots)((uint32_t)at - (units)other), real);
}

AMPHI_BOTH Apart apart(const int32_t at[3], const float scale[3], const Candidates *c, int64_t k)
{
    Apart d;

    d.x = along(at[0], load_slots(c->x + k)) * scale[0];
    d.y = along(at[1], load_slots(c->y + k)) * scale[1];
    d.z = along(at[2], load_slots(c->z + k)) * scale[2];
    return d;
}

AMPHI_BOTH real beyond(real d, float half)
{
    const real size = (real)((whole)d & INT32_MAX) - half; /* without the sign */

    return keep(size > 0, size);
}

/* Selects the candidates of one type that are within reach of any point of an octant of the
 * cell, for beads of any type. */
static void sieve_type(const AmphiRowsPlan *plan, const int32_t middle[3], int32_t type,
                       const Candidates *all, Candidates *near)
{
    const int64_t from = (int64_t)type * all->room;
    /* one rounding more than in a row */
    const float reach2      = plan->most_reach2_nm2[type] * 1.0001F;
    const float scale[3]    = { plan->nm_per_unit[0], plan->nm_per_unit[1], plan->nm_per_unit[2] };
    const float half[3]     = { plan->half_nm[0], plan->half_nm[1], plan->half_nm[2] };
    const Candidates source = *all, out = *near;
    const int32_t    count = all->count[type];
    int64_t          to    = from;

    for (int64_t k = from; k < from + count; k += LANES) {
        const Apart      d  = apart(middle, scale, &source, k);
        const real       dx = beyond(d.x, half[0]), dy = beyond(d.y, half[1]);
        const real       dz = beyond(d.z, half[2]);
        const lane_slots id = load_slots(source.id + k);
        const unsigned   in = lanes_within(dx * dx + dy * dy + dz * dz, reach2, id, -1);

        pack(out.x + to, load_slots(source.x + k), in);
        pack(out.y + to, load_slots(source.y + k), in);
        pack(out.z + to, load_slots(source.z + k), in);
        to += pack(out.id + to, id, in);
    }
    for (int k = 0; k < LANES; k++)
        out.id[to + k] = -1;
    near->count[type] = (int32_t)(to - from);
}

/* Writes the neighbours of slot i of one type to `row`; returns their number. The loop reads only
 * local variables, because for the compiler a store to the row could change anything else. */
static int32_t test_type(const AmphiCpuList *list, const AmphiRowsPlan *plan, int32_t i,
                         const Candidates *near, int32_t type, int32_t *restrict row, int32_t room)
{
    const float      reach2 = plan->reach2_nm2[list->type_of[i] * list->n_types + type];
    const Candidates c      = *near;
    const int64_t    from   = (int64_t)type * c.room;
    const int32_t    count  = c.count[type];
    const int32_t    at[3]  = { list->at[0][i], list->at[1][i], list->at[2][i] };
    const float scale[3]    = { plan->nm_per_unit[0], plan->nm_per_unit[1], plan->nm_per_unit[2] };
    int32_t     n           = 0;

    for (int64_t k = from; k < from + count; k += LANES) {
        const Apart      d  = apart(at, scale, &c, k);
        const lane_slots id = load_slots(c.id + k);
        const unsigned   in = lanes_within(d.x * d.x + d.y * d.y + d.z * d.z, reach2, id, i);

        if (n + LANES > room) { /* from here on count only */
            n += __builtin_popcount(in);
            room = 0;
            continue;
        }
        n += pack(row + n, id, in);
    }
    return n;
}

/* k n-ths of an edge in units of 2^-32. */
static uint32_t fraction_of(int64_t k, int64_t n)
{
    return (uint32_t)((k << 32) / n);
}

static void sieve(const AmphiCpuList *list, const AmphiRowsPlan *plan, const int32_t cell[3],
                  int eighth, const Candidates *all, Candidates *near)
{
    int32_t middle[3];

    for (int a = 0; a < 3; a++)
        middle[a] =
            (int32_t)fraction_of(4 * cell[a] + 1 + 2 * (eighth >> a & 1), 4 * list->n_cells[a]);
    for (int32_t t = 0; t < list->n_types; t++)
        sieve_type(plan, middle, t, all, near);
}

/* The index of a slot among n entries of a row; n: it is not there. Reads LANES at a time. */
static int32_t find_slot(const int32_t *row, int32_t n, int32_t slot)
{
    for (int32_t k = 0; k < n; k += LANES) {
        if (!any(load_slots(row + k) == slot))
            continue;
        while (k < n && row[k] != slot)
            k++;
        return k;
    }
    return n;
}

/* Of the neighbours of one type. */
static int32_t drop_exclusions(const AmphiCpuList *list, int32_t bead, int32_t type, int32_t *row,
                               int32_t n)
{
    int32_t kept = n;

    for (int32_t k = list->exclusion_start[bead]; k < list->exclusion_start[bead + 1]; k++) {
        const int32_t slot = list->slot_of[list->exclusion[k]];
        const int32_t j    = list->type_of[slot] == type ? find_slot(row, kept, slot) : kept;

        if (j == kept)
            continue;
        memmove(row + j, row + j + 1, (size_t)(kept - j - 1) * sizeof *row);
        kept--;
    }
    return kept;
}

/* The entries that row k needs for its slot i; it is complete when the stride has them. */
static int32_t fill_row(AmphiCpuList *list, const AmphiRowsPlan *plan, int32_t k, int32_t i,
                        const Candidates *c, int64_t *n_neighbours)
{
    int32_t *row  = list->entry + list->row_start[k];
    int32_t  used = 0, most = 0;

    for (int32_t t = 0; t < list->n_types; t++) {
        const int32_t room = list->stride - used;
        int32_t       n    = test_type(list, plan, i, c, t, row + used, room > 0 ? room : 0);

        most = used + n + LANES + list->pad;
        if (most <= list->stride) {
            n = drop_exclusions(list, list->bead_of[i], t, row + used, n);
            *n_neighbours += n;
            fill_slots(row + used + n,
                       i); /* more than the pad, which the next segment overwrites */
            n = (n + list->pad - 1) & -list->pad;
        }
        used += n;
        list->segment_end[(int64_t)k * list->n_types + t] = used;
    }
    return most > used + LANES ? most : used + LANES;
}

static int eighth_of(const int32_t at[3], const uint32_t middle[3])
{
    return ((uint32_t)at[0] >= middle[0]) + 2 * ((uint32_t)at[1] >= middle[1]) +
           4 * ((uint32_t)at[2] >= middle[2]);
}

/* The rows of a cell, octant by octant. */
static int32_t fill_cell(AmphiCpuList *list, const AmphiRowsPlan *plan, int32_t cell,
                         const Candidates *all, Candidates *near, int64_t *n_neighbours)
{
    int32_t  longest = 0, k = list->cell_start[cell], c[3];
    int64_t  start = (int64_t)k * list->stride;
    uint32_t middle[3];

    for (int a = 0; a < 3; a++) {
        c[a]      = amphi_cpu_cell_along(list, cell, a);
        middle[a] = fraction_of(4 * c[a] + 2, 4 * list->n_cells[a]);
    }
    for (int eighth = 0; eighth < 8; eighth++) {
        bool is_sieved = false;

        for (int32_t i = list->cell_start[cell]; i < list->cell_start[cell + 1]; i++) {
            const int32_t at[3] = { list->at[0][i], list->at[1][i], list->at[2][i] };
            int32_t       needed;

            if (eighth_of(at, middle) != eighth)
                continue;
            if (!is_sieved)
                sieve(list, plan, c, eighth, all, near);
            is_sieved          = true;
            list->owner[k]     = i;
            list->row_start[k] = start;
            needed             = fill_row(list, plan, k, i, near, n_neighbours);
            longest            = needed > longest ? needed : longest;
            if (needed <= list->stride)
                start += list->segment_end[(int64_t)k * list->n_types + list->n_types - 1];
            k++;
        }
    }
    return longest;
}

/* Fills all rows; returns the length of the longest. Cells are independent, so that the rows do not
 * depend on the number of threads. */
static int32_t fill_if_any(AmphiCpuList *list, const AmphiRowsPlan *plan, int32_t cell,
                           Candidates c[2], int64_t *n_neighbours)
{
    if (list->cell_start[cell] == list->cell_start[cell + 1])
        return 0;
    collect(list, plan, cell, &c[0]);
    return fill_cell(list, plan, cell, &c[0], &c[1], n_neighbours);
}

/* Kept from build to build: fresh memory would be cleared each time, by one thread. */
static bool take_candidates(AmphiCpuList *list, int64_t n)
{
    if (n <= list->n_candidates)
        return true;
    amphi_release(list->candidates);
    list->candidates   = amphi_alloc(n + n / 4, sizeof *list->candidates);
    list->n_candidates = list->candidates != NULL ? n + n / 4 : 0;
    return list->candidates != NULL;
}

int32_t WITH_SET(amphi_cpu_rows, AMPHI_CPU_SET)(AmphiCpuList *list, const AmphiRowsPlan *plan,
                                                int32_t threads)
{
    const int32_t room         = plan->most_candidates + 2 * LANES; /* whole groups, and an end */
    const int64_t each         = (int64_t)room * list->n_types;
    const int64_t share        = (4 * each + list->n_types + 31) / 32 * 32; /* cache lines */
    const int32_t cells        = list->n_cells[0] * list->n_cells[1] * list->n_cells[2];
    int32_t       most         = 0;
    int64_t       n_neighbours = 0;

    if (!take_candidates(list, 2 * share * threads))
        return -1;
#pragma omp parallel num_threads(threads) reduction(max : most) reduction(+ : n_neighbours)
    {
        Candidates c[2]; /* of a cell, of an eighth of it */

        for (int k = 0; k < 2; k++) {
            int32_t *own = list->candidates + share * (2 * omp_get_thread_num() + k);

            c[k] = (Candidates){ room,       own + 4 * each, own,
                                 own + each, own + 2 * each, own + 3 * each };
        }
#pragma omp for schedule(dynamic)
        for (int32_t cell = 0; cell < cells; cell++) {
            const int32_t longest = fill_if_any(list, plan, cell, c, &n_neighbours);

            most = longest > most ? longest : most;
        }
    }
    list->n_neighbours = n_neighbours;
    return most;
}
