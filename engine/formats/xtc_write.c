/* XTC, written: a frame at a time, as bytes. */
#include <math.h>
#include <string.h>

#include "sink.h"
#include "xtc.h"
#include "xtc_code.h"
#include "xtc_layout.h"

static void put_whole(unsigned char *at, int64_t value)
{
    for (int k = 0; k < 4; k++)
        at[k] = (unsigned char)((uint64_t)value >> (24 - 8 * k));
}

static void put_float(unsigned char *at, double value)
{
    const float narrow = (float)value;
    uint32_t    bits   = 0;

    memcpy(&bits, &narrow, sizeof bits);
    put_whole(at, bits);
}

AmphiStatus amphi_xtc_writer_init(AmphiXtcWriter *w, const char *path, int32_t n_beads,
                                  double per_nm, AmphiArena *arena, AmphiError *err)
{
    *w = (AmphiXtcWriter){ .path = path, .n_beads = n_beads, .per_nm = per_nm };
    if (n_beads <= 0 || n_beads > XTC_MOST_BEADS) {
        amphi_fail(err, AMPHI_BAD_INPUT, "%s: %d beads do not fit into an XTC frame", path,
                   n_beads);
        return AMPHI_BAD_INPUT;
    }
    w->bytes  = amphi_arena_take(arena, XTC_HEAD + xtc_padded(xtc_most_bytes(n_beads)), 1);
    w->number = amphi_arena_take(arena, n_beads, sizeof *w->number);
    w->gap    = amphi_arena_take(arena, n_beads, sizeof *w->gap);
    w->choice = AMPHI_TAKE(arena, uint16_t, n_beads);
    if (w->bytes != NULL && !amphi_arena_failed(arena))
        return AMPHI_OK;
    amphi_fail(err, AMPHI_NO_MEMORY, "%s: no memory", path);
    return AMPHI_NO_MEMORY;
}

static void put_front(AmphiXtcWriter *w, int64_t step, double time_ps, const double box_nm[3])
{
    memset(w->bytes, 0, XTC_FRONT);
    put_whole(w->bytes + XTC_MAGIC_AT, XTC_MAGIC);
    put_whole(w->bytes + XTC_COUNT_AT, w->n_beads);
    put_whole(w->bytes + XTC_STEP_AT, step & INT32_MAX);
    put_float(w->bytes + XTC_TIME_AT, time_ps);
    for (int k = 0; box_nm != NULL && k < 3; k++)
        put_float(w->bytes + XTC_BOX_AT + 16 * k, box_nm[k]); /* on the diagonal */
    put_whole(w->bytes + XTC_AGAIN_AT, w->n_beads);
}

/* ---- a few beads ---- */

static AmphiStatus put_floats(AmphiXtcWriter *w, const double (*x)[3], AmphiError *err)
{
    for (int32_t i = 0; i < w->n_beads; i++)
        for (int k = 0; k < 3; k++) {
            if (!(fabs(x[i][k]) < 3.4e38)) /* the largest float */
                return amphi_fail(err, AMPHI_BAD_INPUT, "%s: the position of bead %d is not finite",
                                  w->path, i + 1);
            put_float(w->bytes + XTC_FRONT + 12 * i + 4 * k, x[i][k]);
        }
    w->n_bytes = XTC_FRONT + 12 * w->n_beads;
    return AMPHI_OK;
}

/* ---- many ---- */

static AmphiStatus fail_far(const AmphiXtcWriter *w, int32_t i, double x_nm, AmphiError *err)
{
    if (!isfinite(x_nm))
        return amphi_fail(err, AMPHI_BAD_INPUT, "%s: the position of bead %d is not finite",
                          w->path, i + 1);
    return amphi_fail(err, AMPHI_BAD_INPUT,
                      "%s: bead %d is at %.6g nm, and XTC with %g nm reaches over %.6g nm\n"
                      "    write: a DCD file",
                      w->path, i + 1, x_nm, 1 / w->per_nm, XTC_LARGEST / w->per_nm);
}

/* Whole numbers of one axis, and their range, which must be small enough too. */
static AmphiStatus round_axis(AmphiXtcWriter *w, const double (*x)[3], int axis, XtcRange *range,
                              AmphiError *err)
{
    int32_t lowest = 0, highest = 0;

    for (int32_t i = 0; i < w->n_beads; i++) {
        const double scaled = x[i][axis] * w->per_nm;

        if (!(fabs(scaled) < XTC_LARGEST))
            return fail_far(w, i, x[i][axis], err);
        w->number[i][axis] = (int32_t)lrint(scaled);
        lowest             = w->number[i][axis] < w->number[lowest][axis] ? i : lowest;
        highest            = w->number[i][axis] > w->number[highest][axis] ? i : highest;
    }
    range->low[axis]  = w->number[lowest][axis];
    range->high[axis] = w->number[highest][axis];
    if ((int64_t)range->high[axis] - range->low[axis] < XTC_LARGEST)
        return AMPHI_OK;

    const int32_t further = fabs(x[lowest][axis]) > fabs(x[highest][axis]) ? lowest : highest;
    return fail_far(w, further, x[further][axis], err);
}

static AmphiStatus put_numbers(AmphiXtcWriter *w, const double (*x)[3], AmphiError *err)
{
    XtcWork  work = { w->gap, w->choice };
    XtcRange range;

    for (int axis = 0; axis < 3; axis++)
        AMPHI_TRY(round_axis(w, x, axis, &range, err));

    const int64_t length =
        xtc_encode(&range, (const int32_t(*)[3])w->number, w->n_beads, &work, w->bytes + XTC_HEAD);
    if (length > INT32_MAX)
        return amphi_fail(err, AMPHI_BAD_INPUT, "%s: %d beads make more than 2 GiB of an XTC frame",
                          w->path, w->n_beads);
    put_float(w->bytes + XTC_PER_NM, w->per_nm);
    for (int k = 0; k < 3; k++) {
        put_whole(w->bytes + XTC_LOW + 4 * k, range.low[k]);
        put_whole(w->bytes + XTC_HIGH + 4 * k, range.high[k]);
    }
    put_whole(w->bytes + XTC_SMALL, range.small);
    put_whole(w->bytes + XTC_LENGTH, length);
    memset(w->bytes + XTC_HEAD + length, 0, (size_t)(xtc_padded(length) - length));
    w->n_bytes = XTC_HEAD + xtc_padded(length);
    return AMPHI_OK;
}

AmphiStatus amphi_xtc_put_frame(AmphiXtcWriter *w, int64_t step, double time_ps,
                                const double box_nm[3], const double (*position_nm)[3],
                                AmphiError  *err)
{
    put_front(w, step, time_ps, box_nm);
    return w->n_beads <= XTC_MOST_FLOATS ? put_floats(w, position_nm, err)
                                         : put_numbers(w, position_nm, err);
}

static AmphiStatus write_snapshot(const char *path, const AmphiSnapshot *s, AmphiArena *arena,
                                  AmphiError *err)
{
    AmphiXtcWriter w;
    AmphiSink      sink;

    AMPHI_TRY(amphi_xtc_writer_init(
        &w, path, s->n_beads, s->xtc_per_nm > 0 ? s->xtc_per_nm : AMPHI_XTC_PER_NM, arena, err));
    AMPHI_TRY(amphi_xtc_put_frame(&w, s->step, s->time_ps, s->has_box ? s->box_nm : NULL,
                                  (const double(*)[3])s->position_nm, err));
    amphi_sink_open(&sink, path);
    amphi_sink_bytes(&sink, w.bytes, (size_t)w.n_bytes);
    return amphi_sink_close(&sink, err);
}

AmphiStatus amphi_xtc_write_one(const char *path, const AmphiSnapshot *s, AmphiError *err)
{
    if (s->position_nm == NULL)
        return amphi_fail(err, AMPHI_BAD_INPUT, "%s: an XTC file needs positions", path);

    AmphiArena *const arena  = amphi_arena_new();
    const AmphiStatus status = write_snapshot(path, s, arena, err);

    amphi_arena_free(arena);
    return status;
}
