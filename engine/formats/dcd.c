/* DCD, read: the CHARMM flavour, little or big endian, with or without unit cell.
 *
 * Every record stands between two copies of its length in bytes. A header of 84 bytes ("CORD" and
 * 20 numbers), a title, the number of beads; then for each frame a cell of six doubles and x, y, z
 * in angstrom as floats, a record each. All frames are equally long, so the file's length tells how
 * many whole ones there are.
 */
#include "dcd.h"

#include <math.h>
#include <string.h>

#include "dcd_layout.h"
#include "formats.h"
#include "lines.h"

static void swap(void *values, int64_t n, int32_t size)
{
    unsigned char *byte = values;

    for (int64_t k = 0; k < n; k++, byte += size)
        for (int32_t j = 0; j < size / 2; j++) {
            const unsigned char kept = byte[j];
            byte[j]                  = byte[size - 1 - j];
            byte[size - 1 - j]       = kept;
        }
}

static bool fetch_numbers(const AmphiDcdReader *r, int64_t at, void *out, int64_t n, int32_t size)
{
    if (!amphi_source_fetch(&r->from, at, out, n * size))
        return false;
    if (r->is_swapped)
        swap(out, n, size);
    return true;
}

/* Does a record of exactly so many bytes lie at `at`? */
static bool has_record(const AmphiDcdReader *r, int64_t at, int64_t n_bytes)
{
    int32_t front = 0, back = 0;

    return fetch_numbers(r, at, &front, 1, 4) &&
           fetch_numbers(r, at + MARK + n_bytes, &back, 1, 4) && front == n_bytes &&
           back == n_bytes;
}

static bool refuse(const AmphiDcdReader *r, const char *why, AmphiNotes *notes)
{
    amphi_note(notes, DCD_HEADER, ((AmphiWhere){ r->from.path, 0 }), why);
    return false;
}

/* The first record: which byte order, and the numbers that matter. */
static bool read_numbers(AmphiDcdReader *r, AmphiNotes *notes)
{
    int32_t number[N_NUMBERS];
    char    word[4];
    float   dt = 0;

    if (!has_record(r, 0, HEADER_BYTES)) {
        r->is_swapped = true;
        if (!has_record(r, 0, HEADER_BYTES))
            return refuse(r, "it does not begin with a record of 84 bytes", notes);
    }
    if (!amphi_source_fetch(&r->from, MARK, word, 4) || memcmp(word, "CORD", 4) != 0)
        return refuse(r, "the word CORD is missing", notes);
    if (!fetch_numbers(r, MARK + 4, number, N_NUMBERS, 4) ||
        !fetch_numbers(r, MARK + 4 + 4 * DT, &dt, 1, 4))
        return refuse(r, "the header is cut", notes);
    if (number[VERSION] == 0)
        return refuse(r, "the version number is 0, so it is X-PLOR's", notes);
    if (number[N_FIXED] != 0)
        return refuse(r, "it has fixed beads, which are in its first frame only", notes);
    if (number[HAS_FOURTH] != 0)
        return refuse(r, "it has a fourth dimension", notes);
    r->has_cell      = number[HAS_CELL] != 0;
    r->n_told        = number[N_FRAMES];
    r->first_step    = number[FIRST_STEP];
    r->steps_between = number[STEPS_BETWEEN];
    r->dt_ps         = isfinite(dt) && dt > 0 ? (double)dt * dcd_time_unit_ps() : 0;
    return true;
}

static void note_rest(const AmphiDcdReader *r, AmphiNotes *notes)
{
    const int64_t rest = r->from.n_bytes - r->first_frame_at - r->n_frames * r->frame_bytes;
    char          what[128];

    if (rest > 0)
        snprintf(what, sizeof what, "are %s bytes of another", amphi_digits(rest).text);
    else
        snprintf(what, sizeof what, "there is nothing, and its header tells of %s",
                 amphi_digits(r->n_told).text);
    if (rest > 0 || r->n_told > r->n_frames)
        amphi_note(notes, DCD_REST, ((AmphiWhere){ r->from.path, 0 }),
                   amphi_digits(r->n_frames).text, what);
}

static bool refuse_without_frame(const AmphiDcdReader *r, AmphiNotes *notes)
{
    amphi_note(notes, NO_WHOLE_FRAME, ((AmphiWhere){ r->from.path, 0 }), "");
    return false;
}

static bool read_header(AmphiDcdReader *r, AmphiNotes *notes)
{
    const int64_t title_at = HEADER_BYTES + 2 * MARK;
    int32_t       n_title  = 0;
    char          word[sizeof DCD_TITLE - 1];

    if (r->from.n_bytes == 0)
        return refuse_without_frame(r, notes);
    if (!read_numbers(r, notes))
        return false;
    if (!fetch_numbers(r, title_at, &n_title, 1, 4) || n_title < 4 ||
        !has_record(r, title_at, n_title))
        return refuse(r, "the record of the title is damaged", notes);

    r->is_of_amphi = n_title >= 4 + (int)sizeof word &&
                     amphi_source_fetch(&r->from, title_at + MARK + 4, word, sizeof word) &&
                     memcmp(word, DCD_TITLE, sizeof word) == 0;

    const int64_t count_at = title_at + n_title + 2 * MARK;
    if (!has_record(r, count_at, 4) || !fetch_numbers(r, count_at + MARK, &r->n_beads, 1, 4))
        return refuse(r, "the record with the number of beads is damaged", notes);
    if (r->n_beads <= 0 || r->n_beads > DCD_MOST_BEADS)
        return refuse(r, "the number of beads is out of range", notes);
    r->first_frame_at = count_at + 4 + 2 * MARK;
    r->frame_bytes    = dcd_frame_bytes(r->n_beads, r->has_cell);
    r->n_frames       = (r->from.n_bytes - r->first_frame_at) / r->frame_bytes;
    if (r->n_frames <= 0)
        return refuse_without_frame(r, notes);
    note_rest(r, notes);
    return true;
}

bool amphi_dcd_of_bytes(AmphiDcdReader *r, const char *path, const char *bytes, int64_t n_bytes,
                        AmphiNotes *notes)
{
    *r = (AmphiDcdReader){ .from = amphi_source_of_bytes(path, bytes, n_bytes) };
    return read_header(r, notes);
}

bool amphi_dcd_open(AmphiDcdReader *r, const char *path, AmphiWhere from, AmphiNotes *notes)
{
    *r = (AmphiDcdReader){ .n_beads = 0 };
    if (!amphi_source_open(&r->from, path, from, notes))
        return false;
    if (read_header(r, notes))
        return true;
    amphi_dcd_close(r);
    return false;
}

void amphi_dcd_close(AmphiDcdReader *r)
{
    amphi_source_close(&r->from);
    *r = (AmphiDcdReader){ .from = r->from };
}

static bool refuse_frame(const AmphiDcdReader *r, int64_t frame, int64_t at, const char *why,
                         AmphiNotes *notes)
{
    amphi_note(notes, DCD_RECORD, ((AmphiWhere){ r->from.path, 0 }), amphi_digits(frame).text,
               amphi_digits(at).text, why);
    return false;
}

/* A, gamma, B, beta, alpha, C. Programs write right angles as 90 degrees, as their cosine, or as
 * zeros off the diagonal of a matrix. */
static bool read_cell(const AmphiDcdReader *r, int64_t frame, int64_t at, double box_nm[3],
                      AmphiNotes *notes)
{
    static const int edge[] = { 0, 2, 5 }, angle[] = { 1, 3, 4 };
    double           cell[6];

    if (!has_record(r, at, CELL_BYTES) || !fetch_numbers(r, at + MARK, cell, 6, 8))
        return refuse_frame(r, frame, at, "the record of the cell is damaged", notes);
    for (int k = 0; k < 3; k++) {
        const double a = cell[angle[k]];
        if (!isfinite(cell[edge[k]]) || cell[edge[k]] < 0)
            return refuse_frame(r, frame, at, "an edge of the cell is not a length", notes);
        /* 1e-6 is what single precision leaves of an angle */
        if (!(fabs(a) < 1e-6 || fabs(a - 90) < 1e-4)) {
            amphi_note(notes, FORMAT_TRICLINIC, ((AmphiWhere){ r->from.path, 0 }),
                       amphi_decimal(a).text);
            return false;
        }
        box_nm[k] = cell[edge[k]] / 10;
    }
    return true;
}

/* One of the three records of a frame, in pieces, so that no memory is taken. */
static bool read_axis(const AmphiDcdReader *r, int64_t frame, int64_t at, int axis,
                      double (*position_nm)[3], AmphiNotes *notes)
{
    float piece[PIECE];

    if (!has_record(r, at, 4 * (int64_t)r->n_beads))
        return refuse_frame(r, frame, at, "the record of the positions is damaged", notes);
    for (int64_t i = 0; i < r->n_beads; i += PIECE) {
        const int64_t left = r->n_beads - i, n = left < PIECE ? left : PIECE;

        if (!fetch_numbers(r, at + MARK + 4 * i, piece, n, 4))
            return refuse_frame(r, frame, at, "reading failed", notes);
        for (int64_t k = 0; k < n; k++) {
            if (!isfinite(piece[k]))
                return refuse_frame(r, frame, at + MARK + 4 * (i + k), "a position is not finite",
                                    notes);
            position_nm[i + k][axis] = (double)piece[k] / 10;
        }
    }
    return true;
}

bool amphi_dcd_read(const AmphiDcdReader *r, int64_t frame, double box_nm[3],
                    double (*position_nm)[3], AmphiNotes *notes)
{
    const int64_t which = frame == -1 ? r->n_frames - 1 : frame;

    if (which < 0 || which >= r->n_frames) {
        amphi_note(notes, FORMAT_FRAME, ((AmphiWhere){ r->from.path, 0 }), amphi_digits(frame).text,
                   amphi_digits(r->n_frames).text);
        return false;
    }
    int64_t at = r->first_frame_at + which * r->frame_bytes;

    memset(box_nm, 0, 3 * sizeof *box_nm);
    if (r->has_cell) {
        if (!read_cell(r, which, at, box_nm, notes))
            return false;
        at += CELL_BYTES + 2 * MARK;
    }
    for (int axis = 0; axis < 3; axis++, at += 4 * (int64_t)r->n_beads + 2 * MARK)
        if (!read_axis(r, which, at, axis, position_nm, notes))
            return false;
    return true;
}

bool amphi_dcd_has_steps(const AmphiDcdReader *r)
{
    return r->n_frames == 1 || r->steps_between > 0;
}

int64_t amphi_dcd_step(const AmphiDcdReader *r, int64_t k)
{
    return amphi_dcd_has_steps(r) ? r->first_step + k * r->steps_between : k;
}

double amphi_dcd_time_ps(const AmphiDcdReader *r, int64_t k)
{
    return amphi_dcd_has_steps(r) ? (double)amphi_dcd_step(r, k) * r->dt_ps : 0;
}

AmphiSnapshot *amphi_dcd_snapshot(const AmphiDcdReader *r, int64_t frame, AmphiArena *arena,
                                  AmphiNotes *notes)
{
    AmphiSnapshot *const s = amphi_snapshot_of_frame(r->from.path, r->n_frames, r->n_beads, arena);
    const int64_t        which = frame == -1 ? r->n_frames - 1 : frame;

    if (s == NULL || !amphi_dcd_read(r, frame, s->box_nm, s->position_nm, notes))
        return NULL;
    s->has_box     = s->box_nm[0] > 0 && s->box_nm[1] > 0 && s->box_nm[2] > 0;
    s->step        = amphi_dcd_step(r, which);
    s->time_ps     = amphi_dcd_time_ps(r, which);
    s->has_no_step = true;
    return s;
}

static AmphiSnapshot *read_dcd(const char *path, const char *bytes, int64_t n_bytes, int64_t frame,
                               AmphiArena *arena, AmphiNotes *notes)
{
    AmphiDcdReader r;

    if (!amphi_dcd_of_bytes(&r, path, bytes, n_bytes, notes))
        return NULL;
    return amphi_dcd_snapshot(&r, frame, arena, notes);
}

const AmphiFormat amphi_format_dcd = {
    .name   = "dcd",
    .ending = ".dcd",
    .holds  = AMPHI_HAS_POSITIONS | AMPHI_HAS_BOX,
    .needs  = AMPHI_HAS_POSITIONS,
    .read   = read_dcd,
    .write  = amphi_dcd_write_one,
};
