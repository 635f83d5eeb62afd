/* XTC, read: frames of different length, found from one to the next by what their heads tell. */
#include "xtc.h"

#include <math.h>
#include <string.h>

#include "formats.h"
#include "lines.h"
#include "xtc_code.h"
#include "xtc_layout.h"

/* A frame's head as bytes, and how many of them there are. */
typedef struct {
    unsigned char byte[XTC_HEAD];
    int64_t       n;
} Head;

static int32_t whole_at(const unsigned char *bytes, int at)
{
    uint32_t value = 0;
    int32_t  number;

    for (int k = 0; k < 4; k++)
        value = value << 8 | bytes[at + k];
    memcpy(&number, &value, sizeof number);
    return number;
}

static double float_at(const unsigned char *bytes, int at)
{
    const int32_t bits = whole_at(bytes, at);
    float         value;

    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* ---- the index ---- */

static const char cut[] = "it is cut";

/* The bytes of the frame with this head, and its number of beads; else why it is none. */
static const char *measure(const Head *h, int32_t *n_beads, int64_t *n_bytes)
{
    if (h->n < XTC_FRONT)
        return cut;
    if (whole_at(h->byte, XTC_MAGIC_AT) == XTC_MAGIC_WIDE)
        return "it begins with 2023, which is for more than 298261617 beads";
    if (whole_at(h->byte, XTC_MAGIC_AT) != XTC_MAGIC)
        return "it does not begin with 1995";
    *n_beads = whole_at(h->byte, XTC_COUNT_AT);
    if (*n_beads <= 0 || *n_beads > XTC_MOST_BEADS)
        return "the number of beads is out of range";
    if (whole_at(h->byte, XTC_AGAIN_AT) != *n_beads)
        return "its two numbers of beads differ";
    if (*n_beads <= XTC_MOST_FLOATS) {
        *n_bytes = XTC_FRONT + 12 * *n_beads;
        return NULL;
    }
    if (h->n < XTC_HEAD)
        return cut;

    const int32_t length = whole_at(h->byte, XTC_LENGTH);
    if (length < *n_beads / 4) /* a bead takes two bits at least */
        return "it is too short for its beads";
    *n_bytes = XTC_HEAD + xtc_padded(length);
    return NULL;
}

/* The frame at `at`; NULL, or why there is none. Frames behind the first must have its beads. */
static const char *place_frame(const AmphiXtcReader *r, int64_t at, AmphiXtcPlace *place,
                               int32_t *n_beads)
{
    const int64_t left = r->from.n_bytes - at;
    Head          h    = { .n = left < XTC_HEAD ? left : XTC_HEAD };

    if (!amphi_source_fetch(&r->from, at, h.byte, h.n))
        return "reading failed";

    const char *const why = measure(&h, n_beads, &place->n_bytes);
    if (why != NULL)
        return why;
    if (r->n_beads != 0 && *n_beads != r->n_beads)
        return "it has another number of beads than the first";
    if (place->n_bytes > left)
        return cut;
    place->at      = at;
    place->step    = whole_at(h.byte, XTC_STEP_AT);
    place->time_ps = float_at(h.byte, XTC_TIME_AT);
    place->per_nm  = *n_beads > XTC_MOST_FLOATS ? float_at(h.byte, XTC_PER_NM) : 0;
    return isfinite(place->time_ps) ? NULL : "its time is not finite";
}

/* Adds places while there are whole frames; why the first that is none is not, NULL at the end. */
static const char *index_frames(AmphiXtcReader *r, AmphiArena *arena, int64_t *longest)
{
    AmphiXtcPlace *list = NULL;
    const char    *why  = NULL;
    int64_t        at = 0, room = 0;

    while (why == NULL && at < r->from.n_bytes) {
        AmphiXtcPlace place = { 0 };
        int32_t       n     = 0;

        if (r->n_frames == room) {
            const int64_t more = room > 0 ? 2 * room : 64;
            list               = amphi_arena_grow(arena, list, room, more, sizeof *list);
            room               = more;
        }
        if (list == NULL)
            return NULL;
        why = place_frame(r, at, &place, &n);
        if (why != NULL)
            break;
        r->n_beads          = n;
        list[r->n_frames++] = place;
        *longest            = place.n_bytes > *longest ? place.n_bytes : *longest;
        at += place.n_bytes;
    }
    r->frame = list;
    r->n_cut = r->from.n_bytes - at;
    return why;
}

static bool find_frames(AmphiXtcReader *r, AmphiArena *arena, AmphiNotes *notes)
{
    const AmphiWhere  where   = { r->from.path, 0 };
    int64_t           longest = 0;
    const char *const why     = index_frames(r, arena, &longest);

    if (r->from.bytes == NULL && longest > 0)
        r->piece = amphi_arena_take(arena, longest, 1);
    if (amphi_arena_failed(arena))
        return false;
    if (r->n_frames == 0) {
        if (why == NULL)
            amphi_note(notes, NO_WHOLE_FRAME, where, "");
        else
            amphi_note(notes, XTC_HEADER, where, why);
        return false;
    }
    if (why != NULL)
        amphi_note(notes, XTC_REST, where, amphi_digits(r->n_frames).text,
                   amphi_digits(r->n_cut).text, why);
    return true;
}

bool amphi_xtc_of_bytes(AmphiXtcReader *r, const char *path, const char *bytes, int64_t n_bytes,
                        AmphiArena *arena, AmphiNotes *notes)
{
    *r = (AmphiXtcReader){ .from = amphi_source_of_bytes(path, bytes, n_bytes) };
    return find_frames(r, arena, notes);
}

bool amphi_xtc_open(AmphiXtcReader *r, const char *path, AmphiArena *arena, AmphiWhere from,
                    AmphiNotes *notes)
{
    *r = (AmphiXtcReader){ .n_beads = 0 };
    if (!amphi_source_open(&r->from, path, from, notes))
        return false;
    if (find_frames(r, arena, notes))
        return true;
    amphi_xtc_close(r);
    return false;
}

void amphi_xtc_close(AmphiXtcReader *r)
{
    amphi_source_close(&r->from);
    *r = (AmphiXtcReader){ .from = r->from };
}

/* ---- a frame ---- */

static bool refuse_frame(const AmphiXtcReader *r, int64_t frame, const char *why, AmphiNotes *notes)
{
    amphi_note(notes, XTC_FRAME, ((AmphiWhere){ r->from.path, 0 }), amphi_digits(frame).text,
               amphi_digits(r->frame[frame].at).text, why);
    return false;
}

static bool read_box(const AmphiXtcReader *r, int64_t frame, const unsigned char *bytes,
                     double box_nm[3], AmphiNotes *notes)
{
    for (int row = 0; row < 3; row++)
        for (int k = 0; k < 3; k++) {
            const double edge = float_at(bytes, XTC_BOX_AT + 12 * row + 4 * k);

            if (!isfinite(edge) || (row == k && edge < 0))
                return refuse_frame(r, frame, "an edge of the box is not a length", notes);
            if (row == k) {
                box_nm[k] = edge;
            } else if (fabs(edge) > 1e-5) { /* what rounding of angles leaves */
                amphi_note(notes, FORMAT_TRICLINIC, ((AmphiWhere){ r->from.path, 0 }),
                           amphi_decimal(edge).text);
                return false;
            }
        }
    return true;
}

static const char *read_floats(const unsigned char *bytes, int32_t n, double (*position_nm)[3])
{
    for (int32_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            position_nm[i][k] = float_at(bytes, XTC_FRONT + 12 * i + 4 * k);
            if (!isfinite(position_nm[i][k]))
                return "a position is not finite";
        }
    return NULL;
}

static const char *read_numbers(const unsigned char *bytes, int32_t n, double (*position_nm)[3])
{
    const double per_nm = float_at(bytes, XTC_PER_NM);
    XtcRange     range  = { .small = whole_at(bytes, XTC_SMALL) };

    if (!(per_nm >= 1e-6 && per_nm <= 1e12))
        return "its precision is none";
    for (int k = 0; k < 3; k++) {
        range.low[k]  = whole_at(bytes, XTC_LOW + 4 * k);
        range.high[k] = whole_at(bytes, XTC_HIGH + 4 * k);
    }
    return xtc_decode(&range, bytes + XTC_HEAD, whole_at(bytes, XTC_LENGTH), n, per_nm,
                      position_nm);
}

bool amphi_xtc_read(const AmphiXtcReader *r, int64_t frame, double box_nm[3],
                    double (*position_nm)[3], AmphiNotes *notes)
{
    const int64_t which = frame == -1 ? r->n_frames - 1 : frame;

    if (which < 0 || which >= r->n_frames) {
        amphi_note(notes, FORMAT_FRAME, ((AmphiWhere){ r->from.path, 0 }), amphi_digits(frame).text,
                   amphi_digits(r->n_frames).text);
        return false;
    }
    const AmphiXtcPlace *const p     = &r->frame[which];
    const unsigned char       *bytes = r->piece;
    Head                       h     = { .n = p->n_bytes < XTC_HEAD ? p->n_bytes : XTC_HEAD };
    int64_t                    n     = 0;
    int32_t                    n_now = 0;

    if (r->from.bytes != NULL)
        bytes = (const unsigned char *)r->from.bytes + p->at;
    else if (!amphi_source_fetch(&r->from, p->at, r->piece, p->n_bytes))
        return refuse_frame(r, which, "reading failed", notes);

    /* a file may change under its reader */
    memcpy(h.byte, bytes, (size_t)h.n);
    if (measure(&h, &n_now, &n) != NULL || n_now != r->n_beads || n != p->n_bytes)
        return refuse_frame(r, which, "it has changed", notes);
    if (!read_box(r, which, bytes, box_nm, notes))
        return false;

    const char *const why = r->n_beads <= XTC_MOST_FLOATS
                                ? read_floats(bytes, r->n_beads, position_nm)
                                : read_numbers(bytes, r->n_beads, position_nm);
    return why == NULL || refuse_frame(r, which, why, notes);
}

AmphiSnapshot *amphi_xtc_snapshot(const AmphiXtcReader *r, int64_t frame, AmphiArena *arena,
                                  AmphiNotes *notes)
{
    AmphiSnapshot *const s = amphi_snapshot_of_frame(r->from.path, r->n_frames, r->n_beads, arena);
    const int64_t        which = frame == -1 ? r->n_frames - 1 : frame;

    if (s == NULL || !amphi_xtc_read(r, frame, s->box_nm, s->position_nm, notes))
        return NULL;
    s->has_box = s->box_nm[0] > 0 && s->box_nm[1] > 0 && s->box_nm[2] > 0;
    s->step    = r->frame[which].step;
    s->time_ps = r->frame[which].time_ps;

    s->xtc_per_nm = r->frame[which].per_nm;
    return s;
}

int64_t amphi_xtc_whole_step(int64_t in_file, int64_t by_time)
{
    const int64_t turn  = (int64_t)INT32_MAX + 1;
    const int64_t turns = (by_time - in_file + turn / 2) / turn;

    return in_file + (turns > 0 ? turns : 0) * turn;
}

static AmphiSnapshot *read_xtc(const char *path, const char *bytes, int64_t n_bytes, int64_t frame,
                               AmphiArena *arena, AmphiNotes *notes)
{
    AmphiXtcReader r;

    if (!amphi_xtc_of_bytes(&r, path, bytes, n_bytes, arena, notes))
        return NULL;
    return amphi_xtc_snapshot(&r, frame, arena, notes);
}

const AmphiFormat amphi_format_xtc = {
    .name   = "xtc",
    .ending = ".xtc",
    .holds  = AMPHI_HAS_POSITIONS | AMPHI_HAS_BOX,
    .needs  = AMPHI_HAS_POSITIONS,
    .read   = read_xtc,
    .write  = amphi_xtc_write_one,
};
