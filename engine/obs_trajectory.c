/* trajectory.dcd, a frame at a time, and what belongs to it: topology.psf, final.gro and final.data,
 * view.vmd and view.pml.
 *
 * The header of a DCD counts its frames, so it changes as the file grows: it follows each frame and
 * is no part of the hash.
 */
#include <math.h>

#include "formats/dcd.h"
#include "formats/formats.h"
#include "last_frame.h"
#include "observing.h"
#include "views.h"

/* What the header says, kept in checkpoints. Readers take first_step * dt_ps for the time, and the
 * steps of a minimisation took none: so steps are counted here from time zero. */
typedef struct {
    int64_t first_step, steps_between;
    double  dt_ps;
} Times;

struct AmphiObserver {
    AmphiArena        *arena;
    AmphiObserverPlace place;
    AmphiObserverPlan  plan;
    AmphiOutfile      *file;
    AmphiLastFrame     last;
    Times              times;
    bool               is_described; /* topology and views are written */
    int32_t            n_beads;      /* of the file */
    const int32_t     *bead;         /* [n_beads] of the system; NULL: all of them */
    double (*position_nm)[3];        /* [n_beads] */
    unsigned char *frame;            /* one frame of the file */
};

static void close_trajectory(AmphiObserver *o)
{
    if (o != NULL)
        amphi_arena_free(o->arena);
}

static void choose_beads(AmphiObserver *o)
{
    const AmphiSystem *const s = o->place.system;

    o->n_beads = s->n_beads;
    if (o->plan.group < 0 || o->plan.group >= s->n_groups ||
        s->group[o->plan.group].n_beads == s->n_beads)
        return;
    o->n_beads = s->group[o->plan.group].n_beads;
    o->bead    = s->group[o->plan.group].bead;
}

static bool prepare(AmphiObserver *o)
{
    choose_beads(o);
    o->position_nm = amphi_arena_take(o->arena, o->n_beads, sizeof *o->position_nm);
    o->frame       = amphi_arena_take(o->arena, amphi_dcd_frame_bytes(o->n_beads), 1);
    return amphi_last_frame_init(&o->last, o->place.system, o->arena) &&
           !amphi_arena_failed(o->arena);
}

static AmphiStatus open_trajectory(const AmphiObserverPlace *place, const AmphiObserverPlan *plan,
                                   AmphiObserver **out, AmphiError *err)
{
    AmphiArena *const    arena = amphi_arena_new();
    AmphiObserver *const o     = arena == NULL ? NULL : AMPHI_TAKE(arena, AmphiObserver, 1);

    *out = NULL;
    if (o != NULL) {
        o->arena = arena;
        o->place = *place;
        o->plan  = *plan;
    }
    if (o == NULL || !prepare(o)) {
        amphi_arena_free(arena);
        return amphi_fail(err, AMPHI_NO_MEMORY, "trajectory.dcd: no memory for a frame");
    }
    const AmphiStatus status =
        amphi_outfile_open_headed(place->files, "trajectory.dcd", AMPHI_DCD_HEAD_BYTES,
                                  place->marks, place->n_marks, &o->file, err);
    if (status == AMPHI_OK)
        *out = o;
    else
        close_trajectory(o);
    return status;
}

/* ---- a frame ---- */

static AmphiStatus describe(AmphiObserver *o, AmphiError *err)
{
    if (o->is_described)
        return AMPHI_OK;
    AMPHI_TRY(amphi_topology_write(&o->place, o->bead, o->n_beads, err));
    AMPHI_TRY(amphi_views_write(&o->place, o->bead == NULL, err));
    o->is_described = true;
    return AMPHI_OK;
}

static AmphiDcdWriter writer_of(const AmphiObserver *o)
{
    const uint64_t length  = amphi_outfile_length(o->file);
    const int64_t  of_head = AMPHI_DCD_HEAD_BYTES;

    return (AmphiDcdWriter){
        .path    = "trajectory.dcd",
        .n_beads = o->n_beads,
        .n_frames =
            length == 0 ? 0 : ((int64_t)length - of_head) / amphi_dcd_frame_bytes(o->n_beads),
        .first_step    = o->times.first_step,
        .steps_between = o->times.steps_between,
        .dt_ps         = o->times.dt_ps,
    };
}

static void pick_positions(AmphiObserver *o, const AmphiFrame *f)
{
    const double(*const x)[3] =
        o->plan.is_whole ? (const double(*)[3])o->last.position_nm : f->position_nm;

    for (int32_t i = 0; i < o->n_beads; i++)
        memcpy(o->position_nm[i], x[o->bead == NULL ? i : o->bead[i]], sizeof o->position_nm[i]);
}

static AmphiStatus append_frame(AmphiObserver *o, const AmphiFrame *f, AmphiError *err)
{
    unsigned char head[AMPHI_DCD_HEAD_BYTES];

    if (amphi_outfile_is_new(o->file)) {
        o->times = (Times){ .first_step    = (int64_t)floor(f->time_ps / f->stage->dt_ps + 0.5),
                            .steps_between = amphi_observer_every(&o->plan, f->stage),
                            .dt_ps         = f->stage->dt_ps };

        const AmphiDcdWriter empty = writer_of(o);
        AMPHI_TRY(amphi_dcd_put_head(&empty, head, err));
        AMPHI_TRY(amphi_outfile_write(o->file, head, sizeof head, err));
    }
    AmphiDcdWriter w = writer_of(o);

    pick_positions(o, f);
    AMPHI_TRY(
        amphi_dcd_put_frame(&w, f->box_nm, (const double(*)[3])o->position_nm, o->frame, err));
    AMPHI_TRY(
        amphi_outfile_write(o->file, o->frame, (size_t)amphi_dcd_frame_bytes(o->n_beads), err));
    w.n_frames++;
    AMPHI_TRY(amphi_dcd_put_head(&w, head, err));
    return amphi_outfile_write_head(o->file, head, err);
}

static AmphiStatus see_trajectory(AmphiObserver *o, const AmphiFrame *f, AmphiError *err)
{
    if ((f->has & AMPHI_NEED_POSITIONS) == 0)
        return AMPHI_OK;
    amphi_last_frame_take(&o->last, f);
    if (!amphi_frame_is_due(&o->plan, f))
        return AMPHI_OK;
    AMPHI_TRY(describe(o, err));
    return append_frame(o, f, err);
}

static AmphiStatus flush_trajectory(AmphiObserver *o, AmphiError *err)
{
    return amphi_last_frame_write(&o->last, &o->place, err);
}

static AmphiStatus save_trajectory(const AmphiObserver *o, AmphiBytes *bytes, AmphiError *err)
{
    Times           times = o->times;
    const AmphiPart part  = { &times, sizeof times };

    return amphi_parts_save(&part, 1, bytes, err);
}

static AmphiStatus restore_trajectory(AmphiObserver *o, const AmphiBytes *bytes, AmphiError *err)
{
    const AmphiPart part = { &o->times, sizeof o->times };

    return amphi_parts_restore(&part, 1, bytes, err);
}

const AmphiObserverKind amphi_obs_trajectory = {
    .name    = "trajectory",
    .needs   = AMPHI_NEED_POSITIONS,
    .open    = open_trajectory,
    .see     = see_trajectory,
    .flush   = flush_trajectory,
    .save    = save_trajectory,
    .restore = restore_trajectory,
    .close   = close_trajectory,
};
