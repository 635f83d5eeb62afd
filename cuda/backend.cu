/* The backend `cuda`: its table. What is looked at goes through these calls one by one; whole steps
 * that nobody looks at are graphs.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read.h"

extern "C" {
#include "../engine/bodies_fixed.h"
#include "../engine/typed/backends.h"
}

/* ---- the list, with room for what it needs ---- */

/* Has a list found none, and nothing worse? */
static bool lacks_room(const Ledger *l)
{
    return l->fault != 0 && (l->fault & ~FAULTS_OF_ROOM) == 0;
}

static AmphiStatus clear_fault(Device *d, Ledger *l, AmphiError *err)
{
    l->fault = 0;
    l->stale = 1;
    memset(l->waits, 0, sizeof l->waits);
    return amphi_device_put(d->view.ledger, l, sizeof *l, d->stream, err);
}

/* Those of graphs are added to what is there, which the books of a kick leave at zero. */
static AmphiStatus clear_sums(Device *d, AmphiError *err)
{
#ifdef AMPHI_BUILD_FIXED
    AMPHI_TRY(AMPHI_T(fixed_begin_sums)(d->view.fixed.pairs, QUICK, d->stream, err));
    AMPHI_TRY(AMPHI_T(fixed_begin_sums)(d->view.fixed.bonds, QUICK, d->stream, err));
#else
    (void)d;
    (void)err;
#endif
    return AMPHI_OK;
}

/* A list that found no room stopped the state at the top of a step: it gets room, and the steps
 * that were asked for since are made up for. Bonds beside that list may have left sums. */
static AmphiStatus give_room(Device *d, Ledger *l, AmphiError *err)
{
    const int64_t missing = d->mirror->stage_step - l->stage_step;

    d->is_listed = false;
    AMPHI_T(graphs_drop)(d);
    AMPHI_TRY(clear_fault(d, l, err));
    AMPHI_TRY(AMPHI_T(motion_owed_heat)(d, d->stream, err)); /* of the step before the list */
    AMPHI_TRY(clear_sums(d, err));
    AMPHI_TRY(AMPHI_T(cells_grow)(d, l, err));
    AMPHI_TRY(AMPHI_T(cells_build)(d, err));
    d->mirror->step -= missing;
    d->mirror->stage_step -= missing;
    for (int64_t left = missing, done; left > 0; left -= done)
        AMPHI_TRY(AMPHI_T(graphs_launch)(d, left, &done, err));
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(device_build_list)(Device *d, AmphiError *err)
{
    Ledger l;

    AMPHI_TRY(AMPHI_T(device_has_kept)(d, err));
    for (int tries = 0; tries < 16; tries++) {
        if (!d->is_listed)
            AMPHI_TRY(AMPHI_T(cells_build)(d, err));
        AMPHI_TRY(AMPHI_T(state_get_ledger)(d, &l, err));
        if (!lacks_room(&l))
            return AMPHI_T(state_judge)(d, &l, err);
        AMPHI_TRY(give_room(d, &l, err));
    }
    return AMPHI_T(state_judge)(d, &l, err);
}

/* Nobody waits for it: where it finds no room the state stops, and read_frame, wait or save makes
 * up for that. A descent waits in every step. */
static AmphiStatus find_neighbours(AmphiState *d, AmphiError *err)
{
    const AmphiStage *stage = d->mirror->stage;

    d->wishes = Wishes{};
    if (stage == NULL || stage->ensemble == AMPHI_MINIMISE)
        return AMPHI_T(device_build_list)(d, err);
    AMPHI_TRY(AMPHI_T(device_has_kept)(d, err));
    if (!d->is_listed)
        AMPHI_TRY(AMPHI_T(cells_build)(d, err));
    d->is_listed = true;
    return AMPHI_OK;
}

/* ---- forces ---- */

/* Does anybody want what forces add up? The conserved quantity is found from these sums, as on the
 * cpu, and not from the terms, which are rounded one by one: so whoever looks at energies of a step
 * wants them, and a row of energies has the same bits whatever else is looked at. */
static bool wants_sums(const Device *d, uint32_t needs)
{
    const bool by_energies = d->mirror->stage != NULL && (needs & AMPHI_NEED_ENERGY) != 0;

    return by_energies || (needs & AMPHI_NEED_NUMBERS) != 0;
}

static void forget_kick(Device *d)
{
    d->has_books = d->has_motion = false;
}

static AmphiStatus compute_forces(AmphiState *d, uint32_t needs, AmphiError *err)
{
    const AmphiBodies *b      = d->mirror;
    const bool         is_new = b->stage == NULL; /* a state that was only opened */
    const SumsLevel    level  = is_new ? NO_SUMS : AMPHI_T(graphs_plan)(d, b->stage_step).level;
    const bool         sums   = wants_sums(d, needs);
    const Shows        shows  = (needs & AMPHI_NEED_ENERGY) != 0             ? SHOWS_ENERGIES
                                : (needs & AMPHI_NEED_FORCES) != 0 || is_new ? SHOWS_FORCES
                                                                             : SHOWS_NOTHING;

    if (is_new)
        AMPHI_TRY(find_neighbours(d, err));
    d->wishes.computes  = true;
    d->wishes.of_forces = needs;
    AMPHI_TRY(AMPHI_T(frames_forces)(d, level, sums, shows, err));
    d->sums_level = sums ? QUICK : level;
    forget_kick(d);
    d->has = shows == SHOWS_ENERGIES ? AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES
             : shows == SHOWS_FORCES ? AMPHI_NEED_FORCES
                                     : 0;
    /* only now: forces would wait for the host to ask for one copy after another */
    return AMPHI_T(device_keep_all)(d, err);
}

/* ---- what is repeated behind a list that found no room ---- */

static AmphiStatus keep(AmphiState *d, int slot, AmphiError *err)
{
    d->wishes.keeps[slot] = true;
    return AMPHI_T(device_keep)(d, slot, err);
}

static AmphiStatus kick(AmphiState *d, uint32_t needs, AmphiError *err)
{
    const KickLook look = (needs & AMPHI_NEED_POSITIONS) != 0 ? MOTION_LOOKED_AT
                          : needs != 0                        ? BOOKS_LOOKED_AT
                                                              : NOT_LOOKED_AT;
    StepPlan       plan = AMPHI_T(graphs_plan)(d, d->mirror->stage_step);

    d->wishes.kicks   = true;
    d->wishes.of_kick = needs;
    plan.level        = d->sums_level;
    d->has_books      = true;
    d->has_motion     = look == MOTION_LOOKED_AT;
    d->sums_level     = NO_SUMS; /* the kick uses them up */
    AMPHI_TRY(AMPHI_T(device_has_kept_motion)(d, err));
    AMPHI_T(motion_expect)(d, &plan);
    return AMPHI_T(motion_kick)(d, plan.level, look, err);
}

/* The list gets room, steps are made up for, and a look behind them. */
static AmphiStatus repeat(Device *d, AmphiError *err)
{
    const Wishes wishes = d->wishes;

    AMPHI_TRY(AMPHI_T(device_build_list)(d, err));
    for (int slot = 0; slot < 2; slot++)
        if (wishes.keeps[slot])
            AMPHI_TRY(AMPHI_T(device_keep)(d, slot, err));
    if (wishes.computes)
        AMPHI_TRY(compute_forces(d, wishes.of_forces, err));
    return wishes.kicks ? kick(d, wishes.of_kick, err) : AMPHI_OK;
}

static AmphiStatus wait(AmphiState *d, AmphiError *err)
{
    Ledger l;

    AMPHI_TRY(AMPHI_T(state_get_ledger)(d, &l, err));
    return lacks_room(&l) ? repeat(d, err) : AMPHI_T(state_judge)(d, &l, err);
}

static AmphiStatus read_frame(AmphiState *d, uint32_t needs, AmphiFrame *frame, AmphiError *err)
{
    AMPHI_TRY(AMPHI_T(device_ask_frame)(d, needs, err));
    if (!d->fault_told && lacks_room(&d->landing->ledger)) {
        const AmphiStatus status = repeat(d, err);

        d->fault_told = status != AMPHI_OK; /* whoever asks again wants to see it */
        d->has        = status == AMPHI_OK ? d->has : 0;
        AMPHI_TRY(status);
        AMPHI_TRY(AMPHI_T(device_ask_frame)(d, needs, err));
    }
    return AMPHI_T(device_take_frame)(d, needs, frame, err);
}

/* A list that is due is built first, by forces that nobody saves. */
static AmphiStatus save(AmphiState *d, AmphiBytes *bytes, AmphiError *err)
{
    Ledger l;

    AMPHI_TRY(AMPHI_T(state_get_ledger)(d, &l, err));
    if (lacks_room(&l))
        AMPHI_TRY(repeat(d, err));
    else if (l.fault == 0 && l.stale != 0)
        AMPHI_TRY(AMPHI_T(device_build_list)(d, err));
    return AMPHI_T(device_save)(d, bytes, err);
}

/* ---- stages and steps ---- */

static AmphiStatus begin_stage(AmphiState *d, const AmphiStage *stage, AmphiError *err)
{
    bool   was_out = false;
    Ledger l;

    d->wishes    = Wishes{};
    d->is_listed = false;
    forget_kick(d);
    /* a list that is due is of the stage before, also where nobody saves between the two */
    AMPHI_TRY(AMPHI_T(device_build_list)(d, err));
    AMPHI_T(graphs_drop)(d);
#ifdef AMPHI_BUILD_FIXED
    AMPHI_T(fixed_expect)(d, stage);
#endif
    AMPHI_TRY(AMPHI_T(cells_begin_stage)(d, stage, err));
    d->view.stage.dt_ps = 0; /* for a new margin: no saved state knows that stage's forces */
    AMPHI_TRY(AMPHI_T(device_build_list)(d, err));
    AMPHI_TRY(AMPHI_T(graphs_forces)(d, NO_SUMS, err));
    AMPHI_TRY(AMPHI_T(motion_gather)(d, false, err));
#ifdef AMPHI_BUILD_FIXED
    AMPHI_TRY(AMPHI_T(fixed_forgive)(d, &was_out, err));
#endif
    AMPHI_TRY(AMPHI_T(state_get_numbers)(d, &l, err));
    AMPHI_TRY(AMPHI_T(state_get_bodies)(d, err));
    AMPHI_TRY(AMPHI_T(state_get_forces)(d, err));
    if (was_out) /* forces out of range push nothing */
        amphi_fixed_clear(d->mirror);
    AMPHI_TRY(amphi_bodies_begin_stage(d->mirror, stage, err));
    AMPHI_TRY(AMPHI_T(state_put)(d, err));
    AMPHI_TRY(AMPHI_T(look_begin_stage)(d, stage, err));
    return AMPHI_T(motion_begin_stage)(d, stage, err);
}

static AmphiStatus drift(AmphiState *d, AmphiError *err)
{
    d->wishes    = Wishes{};
    d->is_listed = false;
    AMPHI_TRY(AMPHI_T(device_has_kept)(d, err));
    if (AMPHI_T(graphs_plan)(d, d->mirror->stage_step).moves_box)
        AMPHI_TRY(AMPHI_T(motion_move_box)(d, err));
    AMPHI_TRY(AMPHI_T(motion_drift)(d, err));
    AMPHI_TRY(AMPHI_T(cells_look)(d, err));
    d->has = 0;
    forget_kick(d);
    d->mirror->step++;
    d->mirror->stage_step++;
    return AMPHI_OK;
}

/* Of forces that nobody has kicked by. */
static AmphiStatus drop_sums(AmphiState *d, AmphiError *err)
{
    if (d->sums_level != NO_SUMS)
        AMPHI_TRY(clear_sums(d, err));
    d->sums_level = NO_SUMS;
    return AMPHI_OK;
}

static AmphiStatus advance(AmphiState *d, int64_t n_steps, AmphiError *err)
{
    int64_t done;

    d->wishes = Wishes{};
    d->has    = 0;
    forget_kick(d);
    AMPHI_TRY(AMPHI_T(device_has_kept)(d, err));
    AMPHI_TRY(drop_sums(d, err));
    if (!d->is_listed)
        AMPHI_TRY(AMPHI_T(cells_build)(d, err)); /* the last drift may have asked for it */
    d->is_listed = true;                         /* as graphs leave it */
    for (int64_t left = n_steps; left > 0; left -= done)
        AMPHI_TRY(AMPHI_T(graphs_launch)(d, left, &done, err));
    return AMPHI_OK;
}

static AmphiStatus descend(AmphiState *d, bool *converged, AmphiError *err)
{
    Ledger l;

    d->wishes    = Wishes{};
    d->is_listed = false;
    AMPHI_TRY(AMPHI_T(device_has_kept)(d, err));
    AMPHI_TRY(AMPHI_T(motion_descend)(d, err));
    AMPHI_TRY(AMPHI_T(state_get_numbers)(d, &l, err));
    if (!isfinite(l.potential_kJ_mol))
        return amphi_fail(err, AMPHI_UNSTABLE, "the energy is not finite: do beads overlap?");
    *converged = l.converged != 0;
    return AMPHI_OK;
}

/* ---- the table ---- */

#ifdef AMPHI_HASTE
static const char haste[] = ", kernels compiled in haste: slow";
#else
static const char haste[] = "";
#endif

static AmphiStatus open(const AmphiSystem *system, const AmphiCompute *compute, AmphiState **out,
                        AmphiError *err)
{
    char margin[32] = "by the time step";

    AMPHI_TRY(AMPHI_T(state_open)(system, compute, out, err));
    if (!(*out)->tunes_margin)
        snprintf(margin, sizeof margin, "%g nm", (*out)->view.margin_nm);
    snprintf((*out)->about, sizeof(*out)->about,
             "cuda " AMPHI_PRECISION_NAME ", %.40s, margin %s%s", (*out)->device_name, margin,
             haste);
    return AMPHI_OK;
}

static void memory(const AmphiState *d, size_t *taken, size_t *is_free)
{
    size_t all = 0;

    *taken   = d->memory.bytes;
    *is_free = 0;
    (void)cudaMemGetInfo(is_free, &all);
}

static const char *about(const AmphiState *d)
{
    return d->about;
}

extern "C" const AmphiBackend AMPHI_T(cuda_backend) = {
    .name            = "cuda",
    .precision       = AMPHI_BUILD_PRECISION,
    .is_there        = amphi_device_is_there,
    .open            = open,
    .close           = AMPHI_T(state_close),
    .begin_stage     = begin_stage,
    .find_neighbours = find_neighbours,
    .compute_forces  = compute_forces,
    .kick            = kick,
    .drift           = drift,
    .advance         = advance,
    .descend         = descend,
    .read_frame      = read_frame,
    .wait            = wait,
    .works_beside    = true,
    .save            = save,
    .restore         = AMPHI_T(device_restore),
    .keep            = keep,
    .kept            = AMPHI_T(device_kept),
    .memory          = memory,
    .timings         = AMPHI_T(device_timings),
    .about           = about,
};
