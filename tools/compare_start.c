/* The state that all modes start from: that of a checkpoint, or the end of the job's stages but the
 * last, each shortened to a given length; and the NVE and NVT stages derived from the last one.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "../engine/formats/snapshot.h"
#include "../engine/run.h"
#include "compare.h"

enum { ABOUT = 512 };

typedef struct {
    Compare            *c;
    const AmphiBackend *backend;
    AmphiState         *state;
    char                about[ABOUT];
    bool                is_cut; /* was any stage made shorter? */
} Way;

static void say(char about[ABOUT], const char *form, ...) __attribute__((format(printf, 2, 3)));
static void say(char about[ABOUT], const char *form, ...)
{
    const size_t n = strlen(about);
    va_list      values;

    va_start(values, form);
    vsnprintf(about + n, ABOUT - n, form, values);
    va_end(values);
}

/* ---- the stages ---- */

static int32_t find_last(const AmphiJob *job)
{
    int32_t k = job->n_stages - 1;

    while (k >= 0 && job->stage[k].ensemble == AMPHI_MINIMISE)
        k--;
    return k;
}

/* Of the last stage, or the nearest one before it that has a bath. */
static const AmphiStage *find_bath(const AmphiJob *job, int32_t last)
{
    for (int32_t k = last; k >= 0; k--)
        if (job->stage[k].thermostat.type != AMPHI_NO_THERMOSTAT)
            return &job->stage[k];
    return NULL;
}

static void plan_stages(Compare *c, int32_t last)
{
    const AmphiStage *const model = &c->job->stage[last];
    const AmphiStage *const bath  = find_bath(c->job, last);

    c->dt_ps              = c->dt_ps > 0 ? c->dt_ps : model->dt_ps;
    c->nve                = *model;
    c->nve.name           = "nve";
    c->nve.ensemble       = AMPHI_NVE;
    c->nve.dt_ps          = c->dt_ps;
    c->nve.n_steps        = INT64_MAX;
    c->nve.remove_drift   = false;
    c->nve.conserved_mean = true;
    c->nve.thermostat     = (AmphiThermostat){ .type = AMPHI_NO_THERMOSTAT };
    c->nve.barostat       = (AmphiBarostat){ .type = AMPHI_NO_BAROSTAT };

    c->nvt                = c->nve;
    c->nvt.name           = "nvt";
    c->nvt.ensemble       = AMPHI_NVT;
    c->nvt.conserved_mean = false;
    c->has_bath           = bath != NULL;
    if (bath != NULL) {
        c->nvt.thermostat   = bath->thermostat;
        c->nvt.remove_drift = bath->remove_drift;
    }
}

/* ---- arrays of the start ---- */

typedef struct {
    double (*position)[3], (*velocity)[3], (*orientation)[4], (*spin)[3];
} Arrays;

static AmphiStatus take_arrays(Compare *c, Arrays *a, AmphiError *err)
{
    AmphiArena *const arena = c->report->arena;
    const int32_t     n     = c->job->system.n_beads;

    a->position    = amphi_arena_take(arena, n, sizeof *a->position);
    a->velocity    = amphi_arena_take(arena, n, sizeof *a->velocity);
    a->orientation = amphi_arena_take(arena, n, sizeof *a->orientation);
    a->spin        = amphi_arena_take(arena, n, sizeof *a->spin);
    if (amphi_arena_failed(arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for a start of %d beads", (int)n);
    c->system.position_nm    = (const double(*)[3])a->position;
    c->system.velocity_nm_ps = (const double(*)[3])a->velocity;
    c->system.orientation    = (const double(*)[4])a->orientation;
    c->system.spin_u_nm2_ps  = (const double(*)[3])a->spin;
    return AMPHI_OK;
}

/* The box of the start. Anchors of restraints are told in the box that a system has. */
static AmphiStatus take_box(Compare *c, const double box_nm[3], AmphiError *err)
{
    AmphiSystem *const s     = &c->system;
    double(*const anchor)[3] = amphi_arena_take(c->report->arena, s->n_bonds, sizeof *anchor);

    if (anchor == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for anchors");
    for (int32_t k = 0; s->anchor_nm != NULL && k < s->n_bonds; k++)
        for (int a = 0; a < 3; a++)
            anchor[k][a] = s->anchor_nm[k][a] * (box_nm[a] / s->box_nm[a]);
    if (s->anchor_nm != NULL)
        s->anchor_nm = (const double(*)[3])anchor;
    memcpy(s->box_nm, box_nm, sizeof s->box_nm);
    return AMPHI_OK;
}

static AmphiStatus take_frame(Compare *c, const AmphiFrame *f, AmphiError *err)
{
    const size_t n = (size_t)c->job->system.n_beads;
    Arrays       a;

    AMPHI_TRY(take_arrays(c, &a, err));
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            a.position[i][k] = f->position_nm[i][k] + f->image[i][k] * f->box_nm[k];
    memcpy(a.velocity, f->velocity_nm_ps, n * sizeof *a.velocity);
    memcpy(a.orientation, f->orientation, n * sizeof *a.orientation);
    memcpy(a.spin, f->spin_u_nm2_ps, n * sizeof *a.spin);
    return take_box(c, f->box_nm, err);
}

/* ---- from a checkpoint ---- */

static AmphiStatus take_snapshot(Compare *c, const AmphiSnapshot *s, AmphiError *err)
{
    const size_t n = (size_t)c->job->system.n_beads;
    Arrays       a;

    if (s->n_beads != c->job->system.n_beads)
        return amphi_fail(err, AMPHI_BAD_INPUT, "%.200s has %d beads, and %.200s has %d", c->from,
                          (int)s->n_beads, c->path, (int)c->job->system.n_beads);
    if (!s->has_box || s->position_nm == NULL || s->velocity_nm_ps == NULL ||
        s->orientation == NULL || s->spin_u_nm2_ps == NULL)
        return amphi_fail(err, AMPHI_BAD_INPUT,
                          "%.300s: velocities, orientations or the box are missing\n"
                          "    write: --from with the run.chk of a run",
                          c->from);
    AMPHI_TRY(take_arrays(c, &a, err));
    memcpy(a.position, s->position_nm, n * sizeof *a.position);
    memcpy(a.velocity, s->velocity_nm_ps, n * sizeof *a.velocity);
    memcpy(a.orientation, s->orientation, n * sizeof *a.orientation);
    memcpy(a.spin, s->spin_u_nm2_ps, n * sizeof *a.spin);
    AMPHI_TRY(take_box(c, s->box_nm, err));
    c->report->start = amphi_arena_print(c->report->arena, "%s, step %" PRId64 ", %.6g ps", c->from,
                                         s->step, s->time_ps);
    if (s->physics_hash != 0 && s->physics_hash != c->job->physics_hash)
        compare_add_remark(c->report, "%s is of a run whose physics differs from that of %s",
                           c->from, c->path);
    return AMPHI_OK;
}

static AmphiStatus read_checkpoint(Compare *c, bool *is_taken, AmphiError *err)
{
    AmphiArena *const arena = amphi_arena_new();
    AmphiNotes *const notes = amphi_notes_new();
    AmphiSnapshot    *s     = NULL;
    AmphiStatus       status;
    const AmphiNote  *note;
    int64_t           n = 0;

    if (arena != NULL && notes != NULL)
        s = amphi_snapshot_read(c->from, "chk", arena, (AmphiWhere){ .file = NULL }, notes);
    *is_taken = s != NULL && (!c->is_guess || s->physics_hash == c->job->physics_hash);
    if (*is_taken && c->is_guess && s->step == 0) {
        *is_taken = false;
        compare_add_remark(c->report, "%s is of before the first step: left alone", c->from);
        status = AMPHI_OK;
    } else if (*is_taken) {
        status = take_snapshot(c, s, err);
    } else if (c->is_guess) {
        compare_add_remark(c->report, "%s is no state of this job as it stands: left alone",
                           c->from);
        status = AMPHI_OK;
    } else {
        note = notes != NULL ? amphi_notes_sorted(notes, &n) : NULL;

        const char *const why   = n > 0 ? note[0].text : "no memory for a checkpoint";
        const bool        names = strncmp(why, c->from, strlen(c->from)) == 0;

        status = amphi_fail(err, n > 0 ? AMPHI_BAD_FILE : AMPHI_NO_MEMORY, "%.200s%s%.280s",
                            names ? "" : c->from, names ? "" : ": ", why);
    }
    amphi_notes_free(notes);
    amphi_arena_free(arena);
    return status;
}

/* ---- by the stages of the job ---- */

static void tell(const Compare *c, const char *stage, int64_t done, int64_t of)
{
    char part[96];

    snprintf(part, sizeof part, "start, %.80s", stage);
    if (c->tell != NULL)
        c->tell(c->user, part, done, of);
}

static AmphiStatus minimise(Way *w, const AmphiStage *stage, AmphiError *err)
{
    const AmphiBackend *const be        = w->backend;
    bool                      converged = false;
    int64_t                   n         = 0;

    while (!converged) {
        AMPHI_TRY(be->find_neighbours(w->state, err));
        AMPHI_TRY(be->compute_forces(w->state, AMPHI_NEED_POTENTIAL, err));
        AMPHI_TRY(be->descend(w->state, &converged, err));
        n += !converged;
        if (compare_stops(w->c))
            return AMPHI_STOPPED;
        tell(w->c, stage->name, n, stage->n_steps);
    }
    say(w->about, "%s%s (%" PRId64 " steps)", w->about[0] != '\0' ? ", " : "", stage->name, n);
    return AMPHI_OK;
}

static AmphiStatus move(Way *w, const AmphiStage *stage, AmphiError *err)
{
    const double  cut     = ceil(w->c->settle_ps / stage->dt_ps * (1 - 1e-12));
    const int64_t n       = cut < (double)stage->n_steps ? (int64_t)cut : stage->n_steps;
    const int64_t at_once = 50;
    CompareMode   mode    = { .backend = w->backend, .state = w->state };

    for (int64_t done = 0; done < n; done += at_once) {
        AMPHI_TRY(compare_go(&mode, n - done < at_once ? n - done : at_once, err));
        if (compare_stops(w->c))
            return AMPHI_STOPPED;
        tell(w->c, stage->name, done, n);
    }
    w->is_cut = w->is_cut || n < stage->n_steps;
    say(w->about, "%s%s (%.4g of %.4g ps)", w->about[0] != '\0' ? ", " : "", stage->name,
        (double)n * stage->dt_ps, (double)stage->n_steps * stage->dt_ps);
    return AMPHI_OK;
}

/* v(t) is known behind a kick. */
static AmphiStatus look(Way *w, AmphiFrame *frame, AmphiError *err)
{
    const uint32_t all = AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES | AMPHI_NEED_POSITIONS;

    AMPHI_TRY(w->backend->find_neighbours(w->state, err));
    AMPHI_TRY(w->backend->compute_forces(w->state, all, err));
    AMPHI_TRY(w->backend->kick(w->state, all, err));
    return w->backend->read_frame(w->state, all, frame, err);
}

static AmphiStatus go(Way *w, int32_t last, AmphiError *err)
{
    AmphiFrame frame;

    for (int32_t k = 0; k < last; k++) {
        const AmphiStage *const stage = &w->c->job->stage[k];

        AMPHI_TRY(w->backend->begin_stage(w->state, stage, err));
        AMPHI_TRY(stage->ensemble == AMPHI_MINIMISE ? minimise(w, stage, err)
                                                    : move(w, stage, err));
    }
    AMPHI_TRY(look(w, &frame, err));
    return take_frame(w->c, &frame, err);
}

/* As `amphi run` would, or else with what is compared anyway. */
static const AmphiBackend *choose(const Compare *c)
{
    const AmphiRunOptions     options = amphi_run_options_default();
    AmphiError                err     = { .status = AMPHI_OK };
    const AmphiBackend *const best    = amphi_run_choose(c->job, &options, &err);
    const AmphiBackend *const there =
        best != NULL ? amphi_backend_there(best->name, best->precision) : NULL;

    return there != NULL ? there : c->mode[c->base >= 0 ? c->base : 0].backend;
}

static AmphiStatus follow_stages(Compare *c, int32_t last, AmphiError *err)
{
    Way         w = { .c = c, .backend = choose(c) };
    AmphiStatus status;

    c->report->start = "that of the system file";
    if (last == 0)
        return AMPHI_OK;
    AMPHI_TRY(w.backend->open(&c->job->system, &c->choice, &w.state, err));
    status = go(&w, last, err);
    if (status == AMPHI_OK)
        c->report->start =
            amphi_arena_print(c->report->arena, "that of the system file, then on %s: %s",
                              w.backend->about(w.state), w.about);
    w.backend->close(w.state);
    if (w.is_cut)
        compare_add_remark(c->report,
                           "the start is younger than the plan wants it: --settle makes it "
                           "older, --from takes the state of a run");
    if (c->report->start == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for a start");
    return status;
}

AmphiStatus compare_find_start(Compare *c, AmphiError *err)
{
    const int32_t last     = find_last(c->job);
    bool          is_taken = false;

    c->system = c->job->system;
    if (last < 0)
        return amphi_fail(err, AMPHI_BAD_INPUT,
                          "%.300s: its <plan> has no <run>, so there is no time step to compare "
                          "with\n    write: <plan timestep=\"10 fs\"><run .../></plan> in <amphi>",
                          c->path);
    plan_stages(c, last);
    if (c->from != NULL)
        AMPHI_TRY(read_checkpoint(c, &is_taken, err));
    if (!is_taken)
        AMPHI_TRY(follow_stages(c, last, err));
    c->report->n_beads   = c->system.n_beads;
    c->report->length_ps = c->length_ps;
    c->report->dt_ps     = c->dt_ps;
    c->report->input     = amphi_arena_print(
            c->report->arena, "%.6g ps of NVE, and %s%.6g ps of NVT, in steps of %g fs; %d beads",
            c->length_ps, c->has_bath ? "" : "none of ", c->length_ps, 1e3 * c->dt_ps,
            c->system.n_beads);
    if (c->report->start == NULL || c->report->input == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for a start");
    return AMPHI_OK;
}
