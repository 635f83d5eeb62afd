/* trajectory.dcd or trajectory.xtc, and the files that belong to it: topology.psf, final.gro and
 * final.data, view.vmd and view.pml.
 *
 * The header of a DCD file contains the number of frames. It is rewritten after each frame, and the
 * hash of the file leaves it out. It also has the time of the first frame and one interval for all:
 * frames carry no time. An XTC file has no header, and each frame its step and time.
 */
#include <math.h>
#include <string.h>

#include "formats/formats.h"
#include "formats/trajectory.h"
#include "last_frame.h"
#include "observing.h"
#include "on_disk.h"
#include "views.h"

/* What a format does its own way. */
typedef struct {
    uint64_t head_bytes;
    AmphiStatus (*prepare)(AmphiObserver *, AmphiError *);
    /* Writes the positions that were picked. */
    AmphiStatus (*append)(AmphiObserver *, const AmphiFrame *, AmphiError *);
    /* Makes a whole file of what is there. */
    AmphiStatus (*end)(AmphiObserver *, AmphiError *);
    /* Behind frames of an earlier process. */
    AmphiStatus (*go_on)(AmphiObserver *, AmphiError *);
} Format;

/* The numbers of a DCD header, saved with checkpoints; zeros with XTC. Programs take first_step *
 * dt_ps as the time of the first frame, and minimisations take no time: so steps are counted from
 * time zero. */
typedef struct {
    int64_t first_step, steps_between;
    double  dt_ps;
} Times;

AMPHI_ON_DISK_AT(Times, steps_between, 8);
AMPHI_ON_DISK_AT(Times, dt_ps, 16);
AMPHI_ON_DISK(Times, 24);

struct AmphiObserver {
    AmphiWatcher   on; /* first */
    const Format  *format;
    const char    *name; /* of the file */
    AmphiOutfile  *file;
    AmphiLastFrame last;
    Times          times;
    bool           is_described; /* topology and views are written */
    int32_t        n_beads;      /* of the file */
    const int32_t *bead;         /* [n_beads] of the system; NULL: all of them */
    double (*position_nm)[3];    /* [n_beads] */
    unsigned char *frame;        /* DCD: one frame of the file */
    AmphiXtcWriter xtc;
};

/* ---- DCD ---- */

static AmphiStatus prepare_dcd(AmphiObserver *o, AmphiError *err)
{
    o->frame = amphi_arena_take(o->on.arena, amphi_dcd_frame_bytes(o->n_beads), 1);
    return o->frame != NULL
               ? AMPHI_OK
               : amphi_fail(err, AMPHI_NO_MEMORY, "trajectory.dcd: no memory for a frame");
}

/* Of how many steps the header makes one: so many that 32 bits tell the first frame's and those
 * between frames, which are whole ones. */
static int64_t steps_in_one(const Times *t)
{
    int64_t n = 1;

    while (n < t->steps_between && (t->first_step / n > INT32_MAX ||
                                    t->steps_between / n > INT32_MAX || t->steps_between % n != 0))
        n++;
    return n;
}

static AmphiDcdWriter writer_of(const AmphiObserver *o)
{
    const uint64_t length  = amphi_outfile_length(o->file);
    const int64_t  of_head = AMPHI_DCD_HEAD_BYTES;
    const int64_t  in_one  = steps_in_one(&o->times);

    return (AmphiDcdWriter){
        .path    = "trajectory.dcd",
        .n_beads = o->n_beads,
        .n_frames =
            length == 0 ? 0 : ((int64_t)length - of_head) / amphi_dcd_frame_bytes(o->n_beads),
        .first_step    = o->times.first_step / in_one,
        .steps_between = o->times.steps_between / in_one,
        .dt_ps         = o->times.dt_ps * (double)in_one,
    };
}

/* Its head tells how many frames it has; behind a process that was killed, fewer than were written.
 */
static AmphiStatus end_dcd(AmphiObserver *o, AmphiError *err)
{
    const AmphiDcdWriter w = writer_of(o);
    unsigned char        head[AMPHI_DCD_HEAD_BYTES];

    if (amphi_outfile_is_new(o->file))
        return AMPHI_OK;
    AMPHI_TRY(amphi_dcd_put_head(&w, head, err));
    return amphi_outfile_write_head(o->file, head, err);
}

static AmphiStatus append_dcd(AmphiObserver *o, const AmphiFrame *f, AmphiError *err)
{
    unsigned char head[AMPHI_DCD_HEAD_BYTES];

    if (amphi_outfile_is_new(o->file)) {
        o->times = (Times){ .first_step    = (int64_t)floor(f->time_ps / f->stage->dt_ps + 0.5),
                            .steps_between = amphi_observer_every(&o->on.plan, f->stage),
                            .dt_ps         = f->stage->dt_ps };

        const AmphiDcdWriter empty = writer_of(o);
        AMPHI_TRY(amphi_dcd_put_head(&empty, head, err));
        AMPHI_TRY(amphi_outfile_write(o->file, head, sizeof head, err));
    }
    const AmphiDcdWriter w = writer_of(o);

    AMPHI_TRY(
        amphi_dcd_put_frame(&w, f->box_nm, (const double(*)[3])o->position_nm, o->frame, err));
    AMPHI_TRY(
        amphi_outfile_write(o->file, o->frame, (size_t)amphi_dcd_frame_bytes(o->n_beads), err));
    return end_dcd(o, err);
}

/* Readers take the interval of the header for all frames. */
static AmphiStatus go_on_dcd(AmphiObserver *o, AmphiError *err)
{
    const AmphiStage as_first = { .dt_ps = o->times.dt_ps };
    const double     in_ps    = (double)o->times.steps_between * o->times.dt_ps;

    if (amphi_outfile_is_new(o->file))
        return AMPHI_OK;

    const int64_t every = amphi_observer_every(&o->on.plan, &as_first);
    if (every == o->times.steps_between)
        return AMPHI_OK;
    return amphi_fail(err, AMPHI_BAD_INPUT,
                      "%s<trajectory>: frames of trajectory.dcd are %.9g ps apart, and would be "
                      "%.9g ps from here on: a DCD file has one interval for all\n"
                      "    write: every=\"%.9g ps\" as it was, -o with a new directory, or --fresh "
                      "to begin again",
                      amphi_observer_line(&o->on).text, in_ps, (double)every * o->times.dt_ps,
                      in_ps);
}

/* ---- XTC ---- */

static AmphiStatus prepare_xtc(AmphiObserver *o, AmphiError *err)
{
    return amphi_xtc_writer_init(&o->xtc, o->name, o->n_beads, o->on.plan.xtc_per_nm, o->on.arena,
                                 err);
}

static AmphiStatus append_xtc(AmphiObserver *o, const AmphiFrame *f, AmphiError *err)
{
    AMPHI_TRY(amphi_xtc_put_frame(&o->xtc, f->step, f->time_ps, f->box_nm,
                                  (const double(*)[3])o->position_nm, err));
    return amphi_outfile_write(o->file, o->xtc.bytes, (size_t)o->xtc.n_bytes, err);
}

static AmphiStatus do_nothing(AmphiObserver *o, AmphiError *err)
{
    (void)o;
    (void)err;
    return AMPHI_OK;
}

/* ---- the observer ---- */

static const Format as_dcd = { .head_bytes = AMPHI_DCD_HEAD_BYTES,
                               .prepare    = prepare_dcd,
                               .append     = append_dcd,
                               .end        = end_dcd,
                               .go_on      = go_on_dcd };

static const Format as_xtc = {
    .prepare = prepare_xtc, .append = append_xtc, .end = do_nothing, .go_on = do_nothing
};

static void choose_beads(AmphiObserver *o)
{
    const AmphiSystem *const s = o->on.place.system;

    o->n_beads = s->n_beads;
    if (o->on.plan.group < 0 || o->on.plan.group >= s->n_groups ||
        s->group[o->on.plan.group].n_beads == s->n_beads)
        return;
    o->n_beads = s->group[o->on.plan.group].n_beads;
    o->bead    = s->group[o->on.plan.group].bead;
}

static AmphiStatus prepare(AmphiObserver *o, AmphiError *err)
{
    const AmphiObserverPlace *const p = &o->on.place;

    o->format = o->on.plan.is_xtc ? &as_xtc : &as_dcd;
    o->name   = amphi_trajectory_name(o->on.plan.is_xtc);
    choose_beads(o);
    o->position_nm = amphi_arena_take(o->on.arena, o->n_beads, sizeof *o->position_nm);
    if (!amphi_last_frame_init(&o->last, p->system, o->on.arena) || amphi_arena_failed(o->on.arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "%s: no memory for a frame", o->name);
    AMPHI_TRY(o->format->prepare(o, err));
    return amphi_outfile_open_headed(p->files, o->name, o->format->head_bytes, p->marks, p->n_marks,
                                     &o->file, err);
}

static AmphiStatus describe(AmphiObserver *o, AmphiError *err)
{
    if (o->is_described)
        return AMPHI_OK;
    AMPHI_TRY(amphi_topology_write(&o->on.place, o->bead, o->n_beads, err));
    AMPHI_TRY(amphi_views_write(&o->on.place, o->bead == NULL, o->on.plan.is_xtc, err));
    o->is_described = true;
    return AMPHI_OK;
}

static void pick_positions(AmphiObserver *o, const AmphiFrame *f)
{
    const double(*const x)[3] =
        o->on.plan.is_whole ? (const double(*)[3])o->last.position_nm : f->position_nm;

    for (int32_t i = 0; i < o->n_beads; i++)
        memcpy(o->position_nm[i], x[o->bead == NULL ? i : o->bead[i]], sizeof o->position_nm[i]);
}

static AmphiStatus see_trajectory(AmphiObserver *o, const AmphiFrame *f, AmphiError *err)
{
    if ((f->has & AMPHI_NEED_POSITIONS) == 0)
        return AMPHI_OK;
    amphi_last_frame_take(&o->last, f);
    if (!amphi_frame_is_due(&o->on.plan, f))
        return AMPHI_OK;
    AMPHI_TRY(describe(o, err));
    pick_positions(o, f);
    return o->format->append(o, f, err);
}

static AmphiStatus flush_trajectory(AmphiObserver *o, AmphiError *err)
{
    AMPHI_TRY(o->format->end(o, err));
    return amphi_last_frame_write(&o->last, &o->on.place, err);
}

static const char *lacks(const AmphiObserverPlan *plan)
{
    (void)plan;
    return "the velocities and orientations of final.gro and final.data";
}

static int32_t parts_of(AmphiObserver *o, AmphiPart *part)
{
    part[0] = (AmphiPart){ &o->times, sizeof o->times };
    return 1;
}

static AmphiStatus resume(AmphiObserver *o, const char *columns, AmphiError *err)
{
    (void)columns;
    return o->format->go_on(o, err);
}

const AmphiObserverKind amphi_obs_trajectory = {
    .name     = "trajectory",
    .file     = "trajectory.dcd",
    .also     = (const char *const[]){ "trajectory.xtc", "topology.psf", "final.gro", "final.data",
                                       "view.vmd", "view.pml", NULL },
    .size     = sizeof(AmphiObserver),
    .needs    = AMPHI_NEED_POSITIONS,
    .sees_all = true,
    .lacks    = lacks,
    .prepare  = prepare,
    .see      = see_trajectory,
    .flush    = flush_trajectory,
    .parts    = parts_of,
    .resume   = resume,
};
