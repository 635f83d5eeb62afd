/* GRO, the text format of GROMACS: nm, nm/ps, any number of decimals.
 *
 * A frame is a title, the number of beads, a line a bead (residue number and name, bead name and
 * number in five columns each, then x y z and perhaps vx vy vz in columns as wide as the distance
 * between decimal points), and the box: 3 numbers, or 9 of which the last six are off the diagonal.
 */
#include <string.h>

#include "formats.h"
#include "lines.h"
#include "sink.h"

enum {
    DECIMALS        = 9, /* three lose 5e-4 nm, and per cents of a force */
    WIDTH           = DECIMALS + 5,
    FIRST_COLUMN    = 20,
    WIDEST_COLUMN   = 40,
    LEAST_BEAD_LINE = FIRST_COLUMN + 3 * 2 + 1, /* bytes: three columns of ".1", and a line end */
    WRAP            = 100000                    /* numbers have five columns */
};

#define GRO_LINE                                                                                   \
    "residue number, residue, bead, bead number in 5 columns each; x y z in nm, equally wide"

typedef struct {
    AmphiLines     lines;
    AmphiSnapshot *s;
    AmphiArena    *arena;
    int64_t        count_line;
    int64_t        width; /* of a column of coordinates */
    bool           has_velocities;
} Reader;

static bool read_title(AmphiLines *lines)
{
    if (amphi_lines_next(lines))
        return true;
    amphi_lines_note(lines, FORMAT_CUT, "its title");
    return false;
}

static bool read_count(AmphiLines *lines, int64_t *n)
{
    if (!amphi_lines_next(lines)) {
        amphi_lines_note(lines, FORMAT_CUT, "the number of beads");
        return false;
    }
    const AmphiSlice word = amphi_slice_trim(lines->line);
    if (!amphi_slice_whole(word, n) || *n < 0) {
        amphi_lines_note(lines, GRO_COUNT, amphi_slice_short(word).text);
        return false;
    }
    if (*n == 0) {
        amphi_lines_note(lines, FORMAT_NO_BEADS, "");
        return false;
    }
    const int64_t left = lines->end - lines->at;
    if (*n > left / LEAST_BEAD_LINE || *n > INT32_MAX) {
        amphi_lines_note(lines, FORMAT_COUNT, amphi_digits(*n).text, "beads",
                         amphi_digits(left).text);
        return false;
    }
    return true;
}

/* Is there anything but blank lines? */
static bool has_more(const AmphiLines *lines)
{
    AmphiLines ahead = *lines;

    return amphi_lines_next_filled(&ahead);
}

static bool skip_frame(AmphiLines *lines)
{
    int64_t n = 0;

    if (!read_title(lines) || !read_count(lines, &n))
        return false;
    for (int64_t k = 0; k <= n; k++) {
        if (amphi_lines_next(lines))
            continue;
        amphi_lines_note(lines, FORMAT_CUT, k == n ? "its box" : "its last bead");
        return false;
    }
    return true;
}

static bool find_frame(AmphiLines *lines, int64_t frame)
{
    AmphiLines at = *lines;

    for (int64_t k = 0; k != frame; k++) {
        AmphiLines behind = at;
        if (!skip_frame(&behind))
            return false;
        if (!has_more(&behind)) {
            if (frame < 0)
                break;
            amphi_lines_note(lines, FORMAT_FRAME, amphi_digits(frame).text,
                             amphi_digits(k + 1).text);
            return false;
        }
        at = behind;
    }
    *lines = at;
    return true;
}

/* Whole ones from here on. What else is behind a frame has never been a fault. */
static int64_t count_frames(AmphiLines at)
{
    int64_t n = 0;

    at.notes = NULL;
    while (has_more(&at) && skip_frame(&at))
        n++;
    return n;
}

/* "t= 12.5" and "step= 1000" behind a title, as GROMACS writes them. */
static void read_time(Reader *r, AmphiSlice title)
{
    AmphiSlice word, value;
    double     time = 0;
    int64_t    step = 0;

    while (amphi_slice_word(&title, &word)) {
        if (amphi_slice_is(word, "t=") && amphi_slice_word(&title, &value) &&
            amphi_slice_number(value, &time))
            r->s->time_ps = time;
        else if (amphi_slice_is(word, "step=") && amphi_slice_word(&title, &value) &&
                 amphi_slice_whole(value, &step))
            r->s->step = step;
    }
}

/* The title without its time and step. */
static AmphiSlice bare_title(AmphiSlice title)
{
    for (int64_t k = 0; k + 4 <= title.length; k++)
        if (memcmp(title.at + k, " t= ", 4) == 0)
            return amphi_slice_trim((AmphiSlice){ title.at, k });
    return amphi_slice_trim(title);
}

/* How wide columns are: the distance between the first two decimal points, which the next distance
 * must equal. */
static bool find_columns(Reader *r)
{
    const AmphiSlice line = r->lines.line;
    int64_t          point[3];
    int32_t          n = 0;

    for (int64_t k = FIRST_COLUMN; k < line.length && n < 3; k++)
        if (line.at[k] == '.')
            point[n++] = k;
    if (n < 3 || point[1] - point[0] != point[2] - point[1] || point[1] - point[0] < 2 ||
        point[1] - point[0] > WIDEST_COLUMN) {
        amphi_lines_note(&r->lines, GRO_COLUMNS, GRO_LINE);
        return false;
    }
    r->width = point[1] - point[0];
    r->has_velocities =
        amphi_slice_columns(line, FIRST_COLUMN + 3 * r->width, line.length).length > 0;
    return true;
}

static bool take_arrays(Reader *r, int64_t n)
{
    AmphiSnapshot *const s = r->s;

    s->n_beads       = (int32_t)n;
    s->bead_name     = AMPHI_TAKE(r->arena, AmphiName, n);
    s->molecule_name = AMPHI_TAKE(r->arena, AmphiName, n);
    s->molecule      = AMPHI_TAKE(r->arena, int32_t, n);
    s->line          = AMPHI_TAKE(r->arena, int64_t, n);
    s->position_nm   = amphi_arena_take(r->arena, n, sizeof *s->position_nm);
    if (r->has_velocities)
        s->velocity_nm_ps = amphi_arena_take(r->arena, n, sizeof *s->velocity_nm_ps);
    return !amphi_arena_failed(r->arena);
}

static bool read_vector(Reader *r, int64_t first_column, const char *const name[3], double value[3])
{
    for (int k = 0; k < 3; k++) {
        const int64_t from = first_column + k * r->width;
        if (!amphi_lines_number(&r->lines, amphi_slice_columns(r->lines.line, from, r->width),
                                name[k], &value[k]))
            return false;
    }
    return true;
}

/* A line of 3 or 9 numbers and nothing else: the box, where a bead was expected. */
static bool is_box_line(AmphiSlice line)
{
    AmphiSlice    word[9];
    const int32_t n     = amphi_slice_words(line, word, 9);
    double        value = 0;

    for (int32_t k = 0; k < n && k < 9; k++)
        if (!amphi_slice_number(word[k], &value))
            return false;
    return n == 3 || n == 9;
}

static void read_bead(Reader *r, int32_t i)
{
    static const char *const of_place[] = { "x", "y", "z" }, *const of_motion[] = { "vx", "vy",
                                                                                    "vz" };
    AmphiSnapshot *const s      = r->s;
    const AmphiSlice     line   = r->lines.line;
    const int64_t        behind = FIRST_COLUMN + 3 * r->width;
    int64_t              number = 0;

    s->line[i]          = r->lines.number;
    s->bead_name[i]     = amphi_slice_name(amphi_slice_columns(line, 10, 5));
    s->molecule_name[i] = amphi_slice_name(amphi_slice_columns(line, 5, 5));
    if (!amphi_lines_whole(&r->lines, amphi_slice_columns(line, 0, 5), "residue number", -9999,
                           99999, &number) ||
        !read_vector(r, FIRST_COLUMN, of_place, s->position_nm[i]))
        return;
    s->molecule[i] = (int32_t)number;

    const bool has_velocity = amphi_slice_columns(line, behind, line.length).length > 0;
    if (r->has_velocities && !has_velocity)
        amphi_lines_note(&r->lines, GRO_VELOCITY, "");
    else if (r->has_velocities)
        read_vector(r, behind, of_motion, s->velocity_nm_ps[i]);
}

static bool read_beads(Reader *r, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        if (!amphi_lines_next(&r->lines)) {
            amphi_lines_note(&r->lines, FORMAT_CUT, "its last bead");
            return false;
        }
        if (is_box_line(r->lines.line)) {
            amphi_lines_note(&r->lines, GRO_TOO_MANY, amphi_digits(i).text,
                             amphi_digits(r->count_line).text, amphi_digits(n).text);
            return false;
        }
        if (i == 0 && (!find_columns(r) || !take_arrays(r, n)))
            return false;
        read_bead(r, (int32_t)i);
        if (amphi_lines_enough(&r->lines))
            return false;
    }
    return true;
}

/* Box vectors v1 to v3, GROMACS order: v1x v2y v3z, then v1y v1z v2x v2z v3x v3y. All zeros:
 * none. */
static void read_box(Reader *r)
{
    AmphiSlice        word[9];
    AmphiLines *const lines    = &r->lines;
    double            value[9] = { 0 };

    if (!amphi_lines_next(lines)) {
        amphi_lines_note(lines, FORMAT_CUT, "its box");
        return;
    }
    if (!is_box_line(lines->line)) {
        amphi_lines_note(lines, GRO_BOX, amphi_digits(r->s->n_beads).text,
                         amphi_digits(r->count_line).text);
        return;
    }
    const int32_t n = amphi_slice_words(lines->line, word, 9);
    for (int32_t k = 0; k < n; k++)
        amphi_slice_number(word[k], &value[k]);
    for (int32_t k = 3; k < 9; k++) {
        if (value[k] != 0) {
            amphi_lines_note(lines, FORMAT_TRICLINIC, amphi_slice_short(word[k]).text);
            return;
        }
    }
    r->s->has_box = value[0] != 0 || value[1] != 0 || value[2] != 0;
    for (int32_t k = 0; k < 3 && r->s->has_box; k++) {
        r->s->box_nm[k] = value[k];
        if (value[k] <= 0)
            amphi_lines_note(lines, FORMAT_BOX, (const char *const[]){ "x", "y", "z" }[k],
                             amphi_decimal(value[k]).text);
    }
}

static AmphiSnapshot *read_gro(const char *path, const char *bytes, int64_t n_bytes, int64_t frame,
                               AmphiArena *arena, AmphiNotes *notes)
{
    Reader  r = { .lines = amphi_lines_of(path, bytes, n_bytes, notes), .arena = arena };
    int64_t n = 0;

    r.s = AMPHI_TAKE(arena, AmphiSnapshot, 1);
    if (r.s == NULL || !find_frame(&r.lines, frame))
        return NULL;
    if (!read_title(&r.lines))
        return NULL;
    r.s->path  = amphi_arena_text(arena, path);
    r.s->title = amphi_slice_copy(bare_title(r.lines.line), arena);
    read_time(&r, r.lines.line);
    if (!read_count(&r.lines, &n))
        return NULL;
    r.count_line = r.lines.number;
    if (read_beads(&r, n))
        read_box(&r);
    if (frame >= 0)
        r.s->n_frames = frame + 1 + count_frames(r.lines);
    return r.lines.n_faults == 0 && !amphi_arena_failed(arena) ? r.s : NULL;
}

/* ---- writing ---- */

static void write_bead(AmphiSink *out, const AmphiSnapshot *s, int32_t i, int64_t *next_free)
{
    static const char *const of_place[] = { "x", "y", "z" }, *const of_motion[] = { "vx", "vy",
                                                                                    "vz" };
    const AmphiName bead     = amphi_snapshot_bead_name(s, i);
    const AmphiName molecule = amphi_snapshot_molecule_name(s, i);
    const int64_t   number   = amphi_snapshot_molecule_number(s, i, next_free) % WRAP;

    amphi_sink_print(out, "%5d%-5.5s%5.5s%5d", (int)(number < 0 ? 0 : number), molecule.text,
                     bead.text, (i + 1) % WRAP);
    for (int k = 0; k < 3; k++)
        amphi_sink_fixed(out, s->position_nm[i][k], WIDTH, DECIMALS, of_place[k], i);
    for (int k = 0; k < 3 && s->velocity_nm_ps != NULL; k++)
        amphi_sink_fixed(out, s->velocity_nm_ps[i][k], WIDTH, DECIMALS, of_motion[k], i);
    amphi_sink_print(out, "\n");
}

static AmphiStatus write_gro(const char *path, const AmphiSnapshot *s, AmphiError *err)
{
    AmphiSink out;
    int64_t   next_free = 0;

    if (s->position_nm == NULL)
        return amphi_fail(err, AMPHI_BAD_INPUT, "%s: a GRO file needs positions", path);
    amphi_sink_open(&out, path);
    amphi_sink_text(&out, s->title);
    amphi_sink_print(&out, " t= %.6f", s->time_ps);
    if (!s->has_no_step)
        amphi_sink_print(&out, " step= %lld", (long long)s->step);
    amphi_sink_print(&out, "\n");
    amphi_sink_print(&out, "%d\n", s->n_beads);
    for (int32_t i = 0; i < s->n_beads; i++)
        write_bead(&out, s, i, &next_free);
    for (int k = 0; k < 3; k++)
        amphi_sink_print(&out, "%s%.9f", k == 0 ? "   " : " ", s->has_box ? s->box_nm[k] : 0.0);
    amphi_sink_print(&out, "\n");
    return amphi_sink_close(&out, err);
}

const AmphiFormat amphi_format_gro = {
    .name            = "gro",
    .ending          = ".gro",
    .holds           = AMPHI_HAS_POSITIONS | AMPHI_HAS_BOX | AMPHI_HAS_NAMES | AMPHI_HAS_VELOCITIES,
    .needs           = AMPHI_HAS_POSITIONS,
    .bead_name_width = 5,
    .molecule_name_width = 5,
    .read                = read_gro,
    .write               = write_gro,
};
