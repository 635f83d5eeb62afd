/* Rows of a neighbour list in groups of lanes: candidates are collected once a cell, type by type,
 * tested a group at a time and packed. Compiled in single for each instruction set; the list serves
 * every precision.
 */
#include "../cpu_rows.h"

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

/* Whole groups are copied, whatever stands behind the run: the next run overwrites it. */
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
    const int32_t *n  = list->n_cells;
    const int32_t  cx = cell % n[0], cy = cell / n[0] % n[1], cz = cell / n[0] / n[1];
    int32_t        x, y, z;

    memset(c->count, 0, (size_t)list->n_types * sizeof *c->count);
    for (int32_t k = 0; (z = around(cz, k, plan->reach[2], n[2])) >= 0; k++)
        for (int32_t j = 0; (y = around(cy, j, plan->reach[1], n[1])) >= 0; j++)
            for (int32_t i = 0; (x = around(cx, i, plan->reach[0], n[0])) >= 0; i++)
                add_cell(list, (z * n[1] + y) * n[0] + x, c);
    for (int32_t t = 0; t < list->n_types; t++)
        for (int k = 0; k < LANES; k++)
            c->id[(int64_t)t * c->room + c->count[t] + k] = -1;
}

/* The candidates of one type that slot i reaches, behind `row`; their number. Everything that the
 * loop reads is in locals: stores to the row could be to any of it, for all the compiler knows. */
static int32_t test_type(const AmphiCpuList *list, const AmphiRowsPlan *plan, int32_t i,
                         const Candidates *c, int32_t type, int32_t *restrict row, int32_t room)
{
    const int64_t from              = (int64_t)type * c->room;
    const int32_t count             = c->count[type];
    const int32_t *restrict const x = c->x + from, *restrict const y = c->y + from;
    const int32_t *restrict const z = c->z + from, *restrict const ids = c->id + from;
    const int32_t at[3]    = { list->at[0][i], list->at[1][i], list->at[2][i] };
    const float   scale[3] = { plan->nm_per_unit[0], plan->nm_per_unit[1], plan->nm_per_unit[2] };
    const float   reach2   = plan->reach2_nm2;
    int32_t       n        = 0;

    for (int32_t k = 0; k < count; k += LANES) {
        const lane_slots id   = load_slots(ids + k);
        const real       dx   = __builtin_convertvector(at[0] - load_slots(x + k), real) * scale[0];
        const real       dy   = __builtin_convertvector(at[1] - load_slots(y + k), real) * scale[1];
        const real       dz   = __builtin_convertvector(at[2] - load_slots(z + k), real) * scale[2];
        const whole      near = (dx * dx + dy * dy + dz * dz < reach2) & (id >= 0) & (id != i);

        if (n + LANES > room) { /* from here on count only */
            for (int l = 0; l < LANES; l++)
                n += near[l] != 0;
            room = 0;
            continue;
        }
        n += pack(row + n, id, near);
    }
    return n;
}

static int32_t drop_exclusions(const AmphiCpuList *list, int32_t bead, int32_t *row, int32_t n)
{
    int32_t kept = n;

    for (int32_t k = list->exclusion_start[bead]; k < list->exclusion_start[bead + 1]; k++) {
        const int32_t slot = list->slot_of[list->exclusion[k]];

        for (int32_t j = 0; j < kept; j++)
            if (row[j] == slot) {
                memmove(row + j, row + j + 1, (size_t)(kept - j - 1) * sizeof *row);
                kept--;
            }
    }
    return kept;
}

/* The entries that the row of slot i needs; the row is complete when the stride has them. */
static int32_t fill_row(AmphiCpuList *list, const AmphiRowsPlan *plan, int32_t i,
                        const Candidates *c, int64_t *n_neighbours)
{
    int32_t *row  = list->row + (int64_t)i * list->stride;
    int32_t  used = 0, most = 0;

    for (int32_t t = 0; t < list->n_types; t++) {
        const int32_t room = list->stride - used;
        int32_t       n    = test_type(list, plan, i, c, t, row + used, room > 0 ? room : 0);

        most = used + n + LANES + list->pad;
        if (most <= list->stride) {
            n = drop_exclusions(list, list->bead_of[i], row + used, n);
            *n_neighbours += n;
            for (const int32_t whole_groups = (n + list->pad - 1) & -list->pad; n < whole_groups;
                 n++)
                row[used + n] = i;
        }
        used += n;
        list->segment_end[(int64_t)i * list->n_types + t] = used;
    }
    return most > used + LANES ? most : used + LANES;
}

/* The longest row of a share of the cells; cells are independent, so any share gives the same rows. */
static int32_t fill_cells(AmphiCpuList *list, const AmphiRowsPlan *plan, int32_t first,
                          int32_t stride, Candidates *c, int64_t *n_neighbours)
{
    const int32_t cells = list->n_cells[0] * list->n_cells[1] * list->n_cells[2];
    int32_t       most  = 0;

    for (int32_t cell = first; cell < cells; cell += stride) {
        if (list->cell_start[cell] == list->cell_start[cell + 1])
            continue;
        collect(list, plan, cell, c);
        for (int32_t i = list->cell_start[cell]; i < list->cell_start[cell + 1]; i++) {
            const int32_t needed = fill_row(list, plan, i, c, n_neighbours);

            most = needed > most ? needed : most;
        }
    }
    return most;
}

int32_t WITH_SET(amphi_cpu_rows, AMPHI_CPU_SET)(AmphiCpuList *list, const AmphiRowsPlan *plan,
                                                int32_t threads)
{
    const int32_t room         = plan->most_candidates + 2 * LANES; /* whole groups, and an end */
    const int64_t each         = (int64_t)room * list->n_types;
    const int64_t share        = 4 * each + list->n_types;
    int32_t      *block        = amphi_alloc(share * threads, sizeof *block);
    int32_t       most         = 0;
    int64_t       n_neighbours = 0;

    if (block == NULL)
        return -1;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(max : most) reduction(+ : n_neighbours)
    for (int32_t t = 0; t < threads; t++) {
        int32_t      *own = block + share * t;
        Candidates    c = { room, own + 4 * each, own, own + each, own + 2 * each, own + 3 * each };
        const int32_t longest = fill_cells(list, plan, t, threads, &c, &n_neighbours);

        most = longest > most ? longest : most;
    }
    list->n_neighbours = n_neighbours;
    amphi_release(block);
    return most;
}
