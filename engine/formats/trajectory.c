/* Trajectory files of either format, read, and copied from one to the other. */
#include "trajectory.h"

#include <math.h>
#include <unistd.h>

#include "formats.h"
#include "lines.h"
#include "sink.h"

const char *amphi_trajectory_name(bool is_xtc)
{
    return is_xtc ? "trajectory.xtc" : "trajectory.dcd";
}

bool amphi_format_is_trajectory(const AmphiFormat *format)
{
    return format == &amphi_format_dcd || format == &amphi_format_xtc;
}

bool amphi_trajectory_open(AmphiTrajectory *t, const AmphiFormat *format, const char *path,
                           AmphiArena *arena, AmphiWhere from, AmphiNotes *notes)
{
    *t = (AmphiTrajectory){ .is_xtc = format == &amphi_format_xtc };
    if (t->is_xtc) {
        if (!amphi_xtc_open(&t->xtc, path, arena, from, notes))
            return false;
        t->n_beads  = t->xtc.n_beads;
        t->n_frames = t->xtc.n_frames;
        t->n_cut    = t->xtc.n_cut;
        return true;
    }
    if (!amphi_dcd_open(&t->dcd, path, from, notes))
        return false;
    t->n_beads  = t->dcd.n_beads;
    t->n_frames = t->dcd.n_frames;
    t->n_cut = t->dcd.from.n_bytes - t->dcd.first_frame_at - t->dcd.n_frames * t->dcd.frame_bytes;
    return true;
}

void amphi_trajectory_close(AmphiTrajectory *t)
{
    amphi_dcd_close(&t->dcd);
    amphi_xtc_close(&t->xtc);
}

int64_t amphi_trajectory_step(const AmphiTrajectory *t, int64_t k)
{
    return t->is_xtc ? t->xtc.frame[k].step : amphi_dcd_step(&t->dcd, k);
}

double amphi_trajectory_time_ps(const AmphiTrajectory *t, int64_t k)
{
    return t->is_xtc ? t->xtc.frame[k].time_ps : amphi_dcd_time_ps(&t->dcd, k);
}

bool amphi_trajectory_read(const AmphiTrajectory *t, int64_t frame, double box_nm[3],
                           double (*position_nm)[3], AmphiNotes *notes)
{
    return t->is_xtc ? amphi_xtc_read(&t->xtc, frame, box_nm, position_nm, notes)
                     : amphi_dcd_read(&t->dcd, frame, box_nm, position_nm, notes);
}

AmphiSnapshot *amphi_trajectory_snapshot(const AmphiTrajectory *t, int64_t frame, AmphiArena *arena,
                                         AmphiNotes *notes)
{
    return t->is_xtc ? amphi_xtc_snapshot(&t->xtc, frame, arena, notes)
                     : amphi_dcd_snapshot(&t->dcd, frame, arena, notes);
}

void amphi_trajectory_tell_times(const AmphiTrajectory *t, const AmphiFormat *to, AmphiNotes *notes)
{
    const AmphiWhere where = { t->dcd.from.path, 0 };

    if (t->is_xtc || (to != &amphi_format_xtc && to != &amphi_format_gro))
        return;
    if (!amphi_dcd_has_steps(&t->dcd))
        amphi_note(notes, CONVERT_NO_TIMES, where, "steps between frames",
                   "frames are numbered from 0 instead, and all are at 0 ps");
    else if (!(t->dcd.dt_ps > 0))
        amphi_note(notes, CONVERT_NO_TIMES, where, "length of a step", "all frames are at 0 ps");
    else if (t->dcd.is_of_amphi && to == &amphi_format_xtc)
        amphi_note(notes, CONVERT_STEPS, where, amphi_decimal(t->dcd.dt_ps).text);
}

/* ---- copying ---- */

typedef struct {
    const AmphiTrajectory *from;
    const char            *to;
    AmphiArena            *arena;
    AmphiNotes            *notes;
    double (*position_nm)[3]; /* [n_beads] of the frame that was read */
    double box_nm[3];
} Copy;

static AmphiStatus fail_copy(const Copy *c, AmphiError *err)
{
    const char *const from = c->from->is_xtc ? c->from->xtc.from.path : c->from->dcd.from.path;

    if (amphi_arena_failed(c->arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "%s: no memory for it", from);
    return amphi_fail(err, AMPHI_BAD_INPUT, "%s cannot be converted to %s", from, c->to);
}

static AmphiStatus read_frame(Copy *c, int64_t k, AmphiError *err)
{
    return amphi_trajectory_read(c->from, k, c->box_nm, c->position_nm, c->notes)
               ? AMPHI_OK
               : fail_copy(c, err);
}

/* The first frame whose time is not that of even frames, beyond what single precision leaves; -1:
 * all are even. */
static int64_t first_uneven(const AmphiTrajectory *t, double interval_ps)
{
    const double first_ps = amphi_trajectory_time_ps(t, 0);

    for (int64_t k = 1; k < t->n_frames; k++) {
        const double time_ps = amphi_trajectory_time_ps(t, k);
        const double miss    = fabs(time_ps - (first_ps + (double)k * interval_ps));

        if (!(miss <= 1e-3 * fabs(interval_ps) + 3e-7 * (fabs(time_ps) + fabs(first_ps))))
            return k;
    }
    return -1;
}

/* The one interval of a DCD file: of the first two frames to the last bit where it is for all. */
static double interval_of(const Copy *c)
{
    const AmphiTrajectory *const t        = c->from;
    const int64_t                last     = t->n_frames - 1;
    const double                 first_ps = amphi_trajectory_time_ps(t, 0);

    if (last == 0)
        return 0;

    const double mean = (amphi_trajectory_time_ps(t, last) - first_ps) / (double)last;
    if (first_uneven(t, mean) < 0)
        return mean;

    const double  interval_ps = amphi_trajectory_time_ps(t, 1) - first_ps;
    const int64_t k           = first_uneven(t, interval_ps);
    amphi_note(c->notes, CONVERT_UNEVEN, ((AmphiWhere){ c->to, 0 }), amphi_digits(k).text,
               amphi_decimal(amphi_trajectory_time_ps(t, k)).text,
               amphi_decimal(first_ps + (double)k * interval_ps).text);
    return interval_ps;
}

/* Is a time a whole number of steps, beyond what single precision leaves? */
static bool is_on_steps(double time_ps, double dt_ps)
{
    const double steps = dt_ps > 0 ? time_ps / dt_ps : 0;

    return fabs(steps - floor(steps + 0.5)) * dt_ps <= 1e-3 * dt_ps + 3e-7 * fabs(time_ps);
}

enum { FINER = 1000 };

/* Programs take first_step * dt as the time of the first frame. */
static AmphiDcdWriter times_of(const Copy *c)
{
    const AmphiTrajectory *const t = c->from;

    if (!t->is_xtc)
        return (AmphiDcdWriter){ .first_step    = t->dcd.first_step,
                                 .steps_between = t->dcd.steps_between,
                                 .dt_ps         = t->dcd.dt_ps };

    const double   interval_ps = interval_of(c), first_ps = amphi_trajectory_time_ps(t, 0);
    const int64_t  first = amphi_trajectory_step(t, 0);
    const int64_t  apart = t->n_frames > 1 ? amphi_trajectory_step(t, 1) - first : 1;
    AmphiDcdWriter w     = { .first_step = first, .steps_between = apart > 0 ? apart : 1 };

    w.dt_ps = t->n_frames > 1 ? interval_ps / (double)w.steps_between
              : first > 0     ? first_ps / (double)first
                              : 0;
    if (!is_on_steps(first_ps, w.dt_ps)) { /* as where steps are numbers of frames */
        w.steps_between *= FINER;
        w.dt_ps /= FINER;
    }
    if (w.dt_ps > 0 && first_ps / w.dt_ps < (double)INT32_MAX)
        w.first_step = (int64_t)floor(first_ps / w.dt_ps + 0.5);
    return w;
}

/* The first frame whose step such a file does not tell. */
static void tell_steps(const Copy *c, const AmphiDcdWriter *w)
{
    for (int64_t k = 0; k < c->from->n_frames; k++) {
        const int64_t step = amphi_trajectory_step(c->from, k);
        const int64_t told = w->first_step + k * w->steps_between;

        if (step == told)
            continue;
        amphi_note(c->notes, CONVERT_STEPS_LOST, ((AmphiWhere){ c->to, 0 }), amphi_digits(k).text,
                   amphi_digits(step).text, amphi_digits(told).text);
        return;
    }
}

static AmphiStatus append_dcd(Copy *c, AmphiDcdWriter *w, AmphiError *err)
{
    for (int64_t k = 0; k < c->from->n_frames; k++) {
        AMPHI_TRY(read_frame(c, k, err));
        AMPHI_TRY(amphi_dcd_append(w, c->box_nm, (const double(*)[3])c->position_nm, err));
    }
    return AMPHI_OK;
}

static AmphiStatus copy_to_dcd(Copy *c, AmphiError *err)
{
    const AmphiDcdWriter times = times_of(c);
    char                 temporary[AMPHI_PATH_SIZE];
    AmphiDcdWriter       w = { 0 };

    if (!amphi_temporary_path(c->to, temporary))
        return amphi_fail(err, AMPHI_BAD_FILE, "%.100s...: the path is too long", c->to);
    if (c->from->is_xtc)
        tell_steps(c, &times);

    AmphiStatus status = amphi_dcd_create(&w, temporary, c->from->n_beads, times.first_step,
                                          times.steps_between, times.dt_ps, err);
    if (status == AMPHI_OK)
        status = append_dcd(c, &w, err);

    const AmphiStatus finished = amphi_dcd_finish(&w, status == AMPHI_OK ? err : NULL);
    if (status == AMPHI_OK)
        status = finished;
    if (status == AMPHI_OK)
        status = amphi_rename_file(temporary, c->to, err);
    if (status != AMPHI_OK)
        unlink(temporary);
    return status;
}

/* With the precision that it has, so that an XTC file becomes the same again. */
static double per_nm_of(const AmphiTrajectory *t, int64_t frame)
{
    return t->is_xtc && t->xtc.frame[frame].per_nm > 0 ? t->xtc.frame[frame].per_nm
                                                       : AMPHI_XTC_PER_NM;
}

static AmphiStatus append_xtc(Copy *c, AmphiXtcWriter *w, AmphiSink *sink, AmphiError *err)
{
    for (int64_t k = 0; k < c->from->n_frames && sink->fault.status == AMPHI_OK; k++) {
        AMPHI_TRY(read_frame(c, k, err));
        w->per_nm = per_nm_of(c->from, k);
        AMPHI_TRY(amphi_xtc_put_frame(w, amphi_trajectory_step(c->from, k),
                                      amphi_trajectory_time_ps(c->from, k), c->box_nm,
                                      (const double(*)[3])c->position_nm, err));
        amphi_sink_bytes(sink, w->bytes, (size_t)w->n_bytes);
    }
    return AMPHI_OK;
}

static AmphiStatus copy_to_xtc(Copy *c, AmphiError *err)
{
    AmphiError     why = { .status = AMPHI_OK };
    AmphiXtcWriter w;
    AmphiSink      sink;

    AMPHI_TRY(amphi_xtc_writer_init(&w, c->to, c->from->n_beads, AMPHI_XTC_PER_NM, c->arena, err));
    amphi_sink_open(&sink, c->to);
    if (append_xtc(c, &w, &sink, &why) != AMPHI_OK)
        amphi_sink_fail(&sink, why.status, "%s", why.text);
    return amphi_sink_close(&sink, err);
}

AmphiStatus amphi_trajectory_copy(const AmphiTrajectory *t, const AmphiFormat *format,
                                  const char *to, AmphiArena *arena, AmphiNotes *notes,
                                  AmphiError *err)
{
    Copy c = { .from = t, .to = to, .arena = arena, .notes = notes };

    c.position_nm = amphi_arena_take(arena, t->n_beads, sizeof *c.position_nm);
    if (c.position_nm == NULL)
        return fail_copy(&c, err);
    AMPHI_TRY(format == &amphi_format_xtc ? copy_to_xtc(&c, err) : copy_to_dcd(&c, err));
    amphi_trajectory_tell_times(t, format, notes);
    return AMPHI_OK;
}
