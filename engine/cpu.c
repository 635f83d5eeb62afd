/* The backend `cpu`: neighbour lists, vectorised pair forces, bonded terms and motion in double.
 * The precisions single and double differ only in the pair forces, fixed also in bonded terms and
 * motion. The instruction set is chosen when a state is opened.
 */
#include <omp.h>
#include <stdio.h>

#include "bodies_fixed.h"
#include "bodies_work.h"
#include "clock.h"
#include "cpu_list.h"
#include "cpu_pairs.h"
#include "host.h"
#include "list_ahead.h"
#include "list_margin.h"
#include "typed/backends.h"
#include "typed/bonded.h"
#include "typed/bonded_fixed.h"

struct AmphiForces {
    AmphiArena   *arena;
    AmphiBodies  *bodies;
    AmphiCpuList *list;
    double (*expected_nm)[3]; /* [n] points to build a list around; list_ahead.h */
    const AmphiCpuPairsTable *table;
    AmphiCpuPairs            *pairs;
    AmphiBonded              *bonded;
    AmphiBondedFixed         *bonded_fixed;      /* in fixed precision instead */
    double                    pairs_s, bonded_s; /* of the last computation */
    bool                      chooses_margin;
    double                    build_cost;
    AmphiMargin               margin;
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

/* A margin that is tuned is not mentioned, so that the text is the same during the whole run. */
static void say_about(AmphiForces *f)
{
    char margin[32] = "chosen by itself";

    if (!f->chooses_margin)
        snprintf(margin, sizeof margin, "%g nm", f->margin.margin_nm);
    snprintf(f->about, sizeof f->about, "cpu %s, %d lanes, margin %s, %d thread%s", f->table->name,
             f->table->lanes, margin, f->bodies->threads, f->bodies->threads == 1 ? "" : "s");
}

static AmphiStatus open_parts(AmphiForces *f, AmphiBodies *bodies, const AmphiCompute *choice,
                              AmphiError *err)
{
    const AmphiSystem *s = bodies->system;

    f->chooses_margin = choice == NULL || choice->margin_nm == 0;
    f->margin         = amphi_margin_begin();
    if (!f->chooses_margin)
        f->margin.margin_nm = choice->margin_nm;
    AMPHI_TRY(amphi_cpu_list_open(s, f->margin.margin_nm, f->table->lanes, &f->list, err));
    AMPHI_TRY(f->table->open(s, f->list, &f->pairs, err));
    f->expected_nm = amphi_arena_take(f->arena, s->n_beads, sizeof *f->expected_nm);
    if (f->expected_nm == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for the neighbour list of %d beads",
                          s->n_beads);
    if (bodies->fixed != NULL)
        f->bonded_fixed = amphi_bonded_fixed_new(s, f->arena);
    else
        f->bonded = amphi_bonded_new(s, f->arena);
    if (f->bonded == NULL && f->bonded_fixed == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d bonded terms", s->n_bonds);
    say_about(f);
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
    f->arena      = arena;
    f->bodies     = bodies;
    f->table      = choose_table(precision);
    f->build_cost = amphi_margin_build_cost(precision, amphi_cpu_has_v4());
    status        = open_parts(f, bodies, choice, err);
    if (status == AMPHI_OK)
        *out = f;
    else
        close_forces(f);
    return status;
}

/* Where beads are expected in the next steps. */
static void look_ahead(AmphiForces *f)
{
    const AmphiBodies *b = f->bodies;

#pragma omp parallel for schedule(static) num_threads(b->threads)
    for (int32_t i = 0; i < b->n; i++) {
        const double inv_mass = amphi_mover_of(b, i)->inv_mass;
        double       v[3], rate[3]; /* rate: acceleration */

        for (int a = 0; a < 3; a++) {
            v[a] = b->fixed == NULL ? b->velocity_nm_ps[i][a]
                                    : (double)b->fixed->p[i][a] * FIXED_MOMENTUM_UNIT * inv_mass;
            rate[a] =
                inv_mass * (b->fixed == NULL ? b->force_kJ_mol_nm[i][a]
                                             : (double)b->fixed->force[i][a] * FIXED_UNIT(FORCE));
        }
        expected_nm(b->position_nm[i], v, rate, b->dt_ps, f->margin.margin_nm, f->expected_nm[i]);
    }
}

static AmphiStatus find_neighbours(AmphiForces *f, AmphiError *err)
{
    const double(*x)[3] = (const double(*)[3])f->bodies->position_nm;

    if (!amphi_cpu_list_is_stale(f->list, f->bodies->box_nm, x, f->bodies->threads))
        return AMPHI_OK;
    if (f->chooses_margin) /* a minimisation says nothing about how fast beads move */
        amphi_margin_built(&f->margin, f->bodies->system->cutoff_nm, f->build_cost,
                           f->bodies->dt_ps > 0 ? f->bodies->step : -1);
    f->list->margin_nm = f->margin.margin_nm;
    look_ahead(f);
    return amphi_cpu_list_build(f->list, f->bodies->box_nm, (const double(*)[3])f->expected_nm,
                                f->bodies->threads, err);
}

/* As one thread sees it. */
static void note_time(double *at_s)
{
    if (omp_get_thread_num() == 0)
        *at_s = amphi_clock_s();
}

/* Everything for every bead in one parallel region. Whoever is late with records and bonds takes
 * fewer pairs. */
static void visit_all(AmphiForces *f, uint32_t needs)
{
    AmphiBodies *b = f->bodies;
    double       at_s[5];

    note_time(&at_s[0]);
    f->table->begin(f->pairs, b);
#pragma omp parallel num_threads(b->threads)
    {
        f->table->write(f->pairs, b);
        note_time(&at_s[1]);
        if (f->bonded != NULL)
            amphi_bonded_visit(f->bonded, b);
        note_time(&at_s[2]);
        f->table->visit(f->pairs, b, needs);
        note_time(&at_s[3]);
        if (f->bonded != NULL)
            amphi_bonded_add_forces(f->bonded, b);
    }
    note_time(&at_s[4]);
    f->pairs_s  = at_s[1] - at_s[0] + at_s[3] - at_s[2];
    f->bonded_s = at_s[2] - at_s[1] + at_s[4] - at_s[3];
}

static AmphiStatus compute(AmphiForces *f, uint32_t needs, AmphiSums *sums, AmphiError *err)
{
    if (f->list->n_builds == 0) /* a state that has just been opened */
        AMPHI_TRY(find_neighbours(f, err));
    visit_all(f, needs);
    f->table->add_sums(f->pairs, f->bodies, needs, sums);
    if (f->bonded != NULL) {
        amphi_bonded_add_sums(f->bonded, sums);
        return AMPHI_OK;
    }
    const double began = amphi_clock_s();
    amphi_bonded_fixed_add(f->bonded_fixed, f->bodies, needs, sums);
    f->bonded_s += amphi_clock_s() - began;
    return AMPHI_OK;
}

static void tell_spent(const AmphiForces *f, AmphiForcesSpent *to)
{
    const AmphiCpuList *l = f->list;

    *to = (AmphiForcesSpent){ .pairs_s    = f->pairs_s,
                              .bonded_s   = f->bonded_s,
                              .n_builds   = l->n_builds,
                              .neighbours = (double)l->n_neighbours / l->n,
                              .room       = l->stride };
}

/* The points of the last build and the margin decide the order of the rows, and with it the last
 * bits of sums: so they are part of the saved state. */
static AmphiStatus save(const AmphiForces *f, AmphiBytes *bytes, AmphiError *err)
{
    const uint8_t has = f->list->n_builds > 0;

    if (!amphi_bytes_add(bytes, &has, sizeof has) ||
        (has && (!amphi_bytes_add(bytes, &f->margin, sizeof f->margin) ||
                 !amphi_bytes_add(bytes, f->list->box_nm, sizeof f->list->box_nm) ||
                 !amphi_bytes_add(bytes, f->list->built_nm,
                                  (size_t)f->list->n * sizeof *f->list->built_nm))))
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to save the neighbour list");
    return AMPHI_OK;
}

/* A margin that the user has set is not replaced by the saved one. */
static AmphiStatus build_again(AmphiForces *f, const AmphiMargin *margin, const double box_nm[3],
                               const double (*built_nm)[3], AmphiError *err)
{
    if (!(margin->margin_nm > 0 && margin->margin_nm <= AMPHI_MOST_MARGIN_NM))
        return amphi_fail(err, AMPHI_BAD_FILE, "the saved neighbour list has a margin of %g nm",
                          margin->margin_nm);
    if (f->chooses_margin)
        f->margin = *margin;
    f->list->margin_nm = f->margin.margin_nm;
    return amphi_cpu_list_build(f->list, box_nm, built_nm, f->bodies->threads, err);
}

static AmphiStatus restore(AmphiForces *f, const AmphiBytes *bytes, size_t *at, AmphiError *err)
{
    const size_t size = (size_t)f->list->n * sizeof *f->list->built_nm;
    double(*built)[3] = NULL;
    double      box[3];
    AmphiMargin margin;
    uint8_t     has;
    AmphiStatus status = AMPHI_OK;

    if (!amphi_bytes_take(bytes, at, &has, sizeof has))
        return amphi_fail(err, AMPHI_BAD_FILE, "the saved state ends before its neighbour list");
    if (!has)
        return AMPHI_OK;
    built = amphi_alloc(f->list->n, sizeof *built);
    if (built == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to restore the neighbour list");
    if (!amphi_bytes_take(bytes, at, &margin, sizeof margin) ||
        !amphi_bytes_take(bytes, at, box, sizeof box) || !amphi_bytes_take(bytes, at, built, size))
        status = amphi_fail(err, AMPHI_BAD_FILE, "the saved neighbour list is cut short");
    else
        status = build_again(f, &margin, box, (const double(*)[3])built, err);
    amphi_release(built);
    return status;
}

static const char *about(const AmphiForces *f)
{
    return f->about;
}

#define CPU_BACKEND(precision_, PRECISION, ...)                                                      \
    static AmphiStatus open_forces_##precision_(AmphiBodies *b, const AmphiCompute *choice,          \
                                                AmphiForces **out, AmphiError *err)                  \
    {                                                                                                \
        return open_forces(PRECISION, b, choice, out, err);                                          \
    }                                                                                                \
    static const AmphiForcesKind lists_##precision_ = { .open            = open_forces_##precision_, \
                                                        .close           = close_forces,             \
                                                        .find_neighbours = find_neighbours,          \
                                                        .compute         = compute,                  \
                                                        .about           = about,                    \
                                                        .spent           = tell_spent,               \
                                                        __VA_ARGS__ };                               \
    static AmphiStatus           open_##precision_(const AmphiSystem *s, const AmphiCompute *choice, \
                                                   AmphiState **out, AmphiError *err)                \
    {                                                                                                \
        return amphi_host_open(&lists_##precision_, s, choice, out, err);                            \
    }                                                                                                \
    const AmphiBackend cpu_backend_##precision_ = {                                                  \
        .name = "cpu", .precision = PRECISION, .open = open_##precision_, AMPHI_HOST_TABLE           \
    };

#define REMEMBERS_ITS_LIST .memory = "list and margin", .save = save, .restore = restore

CPU_BACKEND(single, AMPHI_SINGLE, REMEMBERS_ITS_LIST)
CPU_BACKEND(double, AMPHI_DOUBLE, REMEMBERS_ITS_LIST)
CPU_BACKEND(fixed, AMPHI_FIXED, .is_fixed = true)
