/* The backend `cpu`: neighbour lists and pair forces in groups of lanes, bonded terms and motion in
 * double. Single, double and fixed differ in the pair forces alone; the instruction set is chosen
 * when a state is opened.
 */
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "cpu_list.h"
#include "cpu_pairs.h"
#include "host.h"
#include "typed/backends.h"
#include "typed/bonded.h"

/* One list a build; a wider margin costs more in every step than it saves in builds. */
static const double default_margin_nm = 0.1;

struct AmphiForces {
    AmphiArena               *arena;
    AmphiBodies              *bodies;
    AmphiCpuList             *list;
    const AmphiCpuPairsTable *table;
    AmphiCpuPairs            *pairs;
    AmphiBonded              *bonded;
    char                      about[96];
};

static void close_forces(AmphiForces *f)
{
    if (f == NULL)
        return;
    if (f->pairs != NULL)
        f->table->close(f->pairs);
    amphi_cpu_list_close(f->list);
    amphi_arena_free(f->arena);
}

static const AmphiCpuPairsTable *choose_table(AmphiPrecision precision)
{
    const bool v4 = amphi_cpu_has_v4();

    if (precision == AMPHI_SINGLE)
        return v4 ? &amphi_cpu_pairs_single_v4 : &amphi_cpu_pairs_single_v3;
    if (precision == AMPHI_DOUBLE)
        return v4 ? &amphi_cpu_pairs_double_v4 : &amphi_cpu_pairs_double_v3;
    return v4 ? &amphi_cpu_pairs_fixed_v4 : &amphi_cpu_pairs_fixed_v3;
}

static AmphiStatus open_parts(AmphiForces *f, AmphiBodies *bodies, const AmphiCompute *choice,
                              AmphiError *err)
{
    const AmphiSystem *s = bodies->system;
    const double       margin =
        choice != NULL && choice->margin_nm > 0 ? choice->margin_nm : default_margin_nm;

    AMPHI_TRY(amphi_cpu_list_open(s, margin, f->table->lanes, &f->list, err));
    AMPHI_TRY(f->table->open(s, f->list, &f->pairs, err));
    f->bonded = amphi_bonded_new(s, f->arena);
    if (f->bonded == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d bonded terms", s->n_bonds);
    snprintf(f->about, sizeof f->about, "cpu %s, %d lanes, margin %g nm, %d thread%s",
             f->table->name, f->table->lanes, margin, bodies->threads,
             bodies->threads == 1 ? "" : "s");
    return AMPHI_OK;
}

static AmphiStatus open_forces(AmphiPrecision precision, AmphiBodies *bodies,
                               const AmphiCompute *choice, AmphiForces **out, AmphiError *err)
{
    AmphiArena  *arena = amphi_arena_new();
    AmphiForces *f     = arena != NULL ? AMPHI_TAKE(arena, AmphiForces, 1) : NULL;
    AmphiStatus  status;

    *out = NULL;
    if (f == NULL) {
        amphi_arena_free(arena);
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for the cpu backend");
    }
    f->arena  = arena;
    f->bodies = bodies;
    f->table  = choose_table(precision);
    status    = open_parts(f, bodies, choice, err);
    if (status == AMPHI_OK)
        *out = f;
    else
        close_forces(f);
    return status;
}

static AmphiStatus find_neighbours(AmphiForces *f, AmphiError *err)
{
    const double(*x)[3] = (const double(*)[3])f->bodies->position_nm;

    if (!amphi_cpu_list_is_stale(f->list, f->bodies->box_nm, x))
        return AMPHI_OK;
    return amphi_cpu_list_build(f->list, f->bodies->box_nm, x, f->bodies->threads, err);
}

static AmphiStatus compute(AmphiForces *f, uint32_t needs, AmphiSums *sums, AmphiError *err)
{
    AmphiBodies *b = f->bodies;

    if (f->list->n_builds == 0) /* a state that was only opened */
        AMPHI_TRY(find_neighbours(f, err));
    f->table->compute(f->pairs, b, needs, sums);
    amphi_bonded_add(f->bonded, b, sums);
    return AMPHI_OK;
}

/* A list that was built at other positions has its rows in another order, and sums in other last
 * bits: so where it was built is part of the state. */
static AmphiStatus save(const AmphiForces *f, AmphiBytes *bytes, AmphiError *err)
{
    const uint8_t has = f->list->n_builds > 0;

    if (!amphi_bytes_add(bytes, &has, sizeof has) ||
        (has && (!amphi_bytes_add(bytes, f->list->box_nm, sizeof f->list->box_nm) ||
                 !amphi_bytes_add(bytes, f->list->built_nm,
                                  (size_t)f->list->n * sizeof *f->list->built_nm))))
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to save the neighbour list");
    return AMPHI_OK;
}

static AmphiStatus restore(AmphiForces *f, const AmphiBytes *bytes, size_t *at, AmphiError *err)
{
    const size_t size = (size_t)f->list->n * sizeof *f->list->built_nm;
    double(*built)[3] = NULL;
    double      box[3];
    uint8_t     has;
    AmphiStatus status = AMPHI_OK;

    if (!amphi_bytes_take(bytes, at, &has, sizeof has))
        return amphi_fail(err, AMPHI_BAD_FILE, "the saved state ends before its neighbour list");
    if (!has)
        return AMPHI_OK;
    built = amphi_alloc(f->list->n, sizeof *built);
    if (built == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to restore the neighbour list");
    if (!amphi_bytes_take(bytes, at, box, sizeof box) || !amphi_bytes_take(bytes, at, built, size))
        status = amphi_fail(err, AMPHI_BAD_FILE, "the saved neighbour list is cut short");
    else
        status =
            amphi_cpu_list_build(f->list, box, (const double(*)[3])built, f->bodies->threads, err);
    amphi_release(built);
    return status;
}

static const char *about(const AmphiForces *f)
{
    return f->about;
}

#define CPU_BACKEND(precision_, PRECISION)                                                           \
    static AmphiStatus open_forces_##precision_(AmphiBodies *b, const AmphiCompute *choice,          \
                                                AmphiForces **out, AmphiError *err)                  \
    {                                                                                                \
        return open_forces(PRECISION, b, choice, out, err);                                          \
    }                                                                                                \
    static const AmphiForcesKind lists_##precision_ = { .open            = open_forces_##precision_, \
                                                        .close           = close_forces,             \
                                                        .find_neighbours = find_neighbours,          \
                                                        .compute         = compute,                  \
                                                        .memory          = "neighbour list",         \
                                                        .save            = save,                     \
                                                        .restore         = restore,                  \
                                                        .about           = about };                            \
    static AmphiStatus           open_##precision_(const AmphiSystem *s, const AmphiCompute *choice, \
                                                   AmphiState **out, AmphiError *err)                \
    {                                                                                                \
        return amphi_host_open(&lists_##precision_, s, choice, out, err);                            \
    }                                                                                                \
    const AmphiBackend cpu_backend_##precision_ = {                                                  \
        .name = "cpu", .precision = PRECISION, .open = open_##precision_, AMPHI_HOST_TABLE           \
    };

CPU_BACKEND(single, AMPHI_SINGLE)
CPU_BACKEND(double, AMPHI_DOUBLE)
