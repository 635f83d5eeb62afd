/* PDB, the fixed-column format of structures, in angstrom: ATOM and HETATM, CRYST1, CONECT, and
 * MODEL to ENDMDL as frames. Other records are passed over.
 *
 * Three decimals are 1e-4 nm: enough to draw a membrane, too few to go on from. Residue names take
 * columns 18 to 21, the fourth being free in the standard and used by all membrane programs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "lines.h"
#include "sink.h"

enum {
    LINE_WIDTH  = 54,    /* up to the end of z */
    NO_SERIAL   = -1,    /* not a number, as other programs write beyond 99 999 beads */
    LAST_SERIAL = 99999, /* five columns */
    WRAP        = 10000  /* residue numbers have four */
};

#define PDB_LINE                                                                                   \
    "ATOM, columns 7-11 number, 13-16 bead, 18-21 residue, 23-26 its number, 31-54 x y z"

typedef struct {
    int64_t serial;
    int32_t bead;
} Serial;

typedef struct {
    AmphiLines     lines;
    AmphiSnapshot *s;
    AmphiArena    *arena;
    int64_t        frame;     /* of the present line */
    bool           has_beads; /* in the lines before it */
    Serial        *serial;    /* [n_beads] */
    int32_t        n_serials;
} Reader;

static bool is_bead(AmphiSlice line)
{
    return amphi_slice_begins(line, "ATOM  ") || amphi_slice_begins(line, "HETATM");
}

/* ENDMDL; or END, which VMD writes between frames, and others behind the last. */
static bool ends_frame(const Reader *r)
{
    const AmphiSlice line = r->lines.line;

    return amphi_slice_begins(line, "ENDMDL") ||
           (r->has_beads && amphi_slice_is(amphi_slice_trim(line), "END"));
}

/* The next line, and the frame it belongs to. Before the first line is an empty one. */
static bool next_line(Reader *r)
{
    r->has_beads = r->has_beads || is_bead(r->lines.line);
    if (ends_frame(r)) {
        r->frame++;
        r->has_beads = false;
    }
    return amphi_lines_next(&r->lines);
}

/* Frames of the file, and beads and bonds of one of them. */
typedef struct {
    int64_t n_frames, n_beads, n_bonds;
} Tally;

static Tally count(Reader r, int64_t frame)
{
    Tally tally = { 0 };

    while (next_line(&r)) {
        if (is_bead(r.lines.line)) {
            tally.n_frames = r.frame + 1;
            tally.n_beads += r.frame == frame;
        }
        if (amphi_slice_begins(r.lines.line, "CONECT"))
            tally.n_bonds += 4;
    }
    return tally;
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
    r->serial        = AMPHI_TAKE(r->arena, Serial, n);
    return !amphi_arena_failed(r->arena);
}

/* Behind 9999 other programs go on with letters among the digits, as VMD does in hexadecimal: no
 * number of a residue that anybody wrote, but another one than that of its neighbours. False: the
 * columns have none of that form. */
static bool read_lettered(AmphiSlice columns, int64_t *number)
{
    bool has_letter = false;

    *number = 0;
    for (int64_t k = 0; k < columns.length; k++) {
        const char c        = columns.at[k];
        const bool is_digit = c >= '0' && c <= '9';

        if (!is_digit && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z'))
            return false;
        has_letter = has_letter || !is_digit;
        *number    = 36 * *number + (is_digit ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    *number += WRAP;
    return has_letter && columns.length == 4;
}

static void read_bead(Reader *r)
{
    static const char *const name[] = { "x", "y", "z" };
    AmphiLines *const        lines  = &r->lines;
    AmphiSnapshot *const     s      = r->s;
    const AmphiSlice         line   = lines->line;
    const int32_t            i      = r->n_serials++;
    int64_t                  number = NO_SERIAL;

    if (line.length < LINE_WIDTH) {
        amphi_lines_note(lines, FORMAT_SHORT_LINE, amphi_digits(line.length).text,
                         amphi_digits(LINE_WIDTH).text, PDB_LINE);
        return;
    }
    amphi_slice_whole(amphi_slice_columns(line, 6, 5), &number);
    r->serial[i]        = (Serial){ number, i };
    s->line[i]          = lines->number;
    s->bead_name[i]     = amphi_slice_name(amphi_slice_columns(line, 12, 4));
    s->molecule_name[i] = amphi_slice_name(amphi_slice_columns(line, 17, 4));

    const AmphiSlice residue = amphi_slice_columns(line, 22, 4);

    if (!read_lettered(residue, &number) &&
        !amphi_lines_whole(lines, residue, "residue number", -999, 9999, &number))
        return;
    s->molecule[i] = (int32_t)number;
    for (int k = 0; k < 3; k++) {
        double     value = 0;
        const bool is_ok =
            amphi_lines_number(lines, amphi_slice_columns(line, 30 + 8 * k, 8), name[k], &value);
        if (!is_ok)
            return;
        s->position_nm[i][k] = value / 10;
    }
}

/* Edges in columns 7 to 33, angles in 34 to 54. Edges of one angstrom mean that there is no box. */
static void read_box(Reader *r)
{
    static const char *const edge[] = { "x", "y", "z" };
    AmphiLines *const        lines  = &r->lines;
    double                   a[3], angle[3];

    if (lines->line.length < LINE_WIDTH) {
        amphi_lines_note(lines, FORMAT_SHORT_LINE, amphi_digits(lines->line.length).text,
                         amphi_digits(LINE_WIDTH).text,
                         "CRYST1, edges in columns 7-33, angles in columns 34-54");
        return;
    }
    for (int k = 0; k < 3; k++) {
        const AmphiSlice of_edge  = amphi_slice_columns(lines->line, 6 + 9 * k, 9);
        const AmphiSlice of_angle = amphi_slice_columns(lines->line, 33 + 7 * k, 7);
        if (!amphi_lines_number(lines, of_edge, edge[k], &a[k]) ||
            !amphi_lines_number(lines, of_angle, "angle", &angle[k]))
            return;
        if (fabs(angle[k] - 90) > 0.005) { /* two decimals */
            amphi_lines_note(lines, FORMAT_TRICLINIC, amphi_slice_short(of_angle).text);
            return;
        }
    }
    if ((a[0] == 1 && a[1] == 1 && a[2] == 1) || (a[0] == 0 && a[1] == 0 && a[2] == 0))
        return; /* no box: by the format, and by VMD */
    r->s->has_box = true;
    for (int k = 0; k < 3; k++) {
        r->s->box_nm[k] = a[k] / 10;
        if (a[k] <= 0)
            amphi_lines_note(lines, FORMAT_BOX, edge[k], amphi_decimal(a[k]).text);
    }
}

static int by_serial(const void *a, const void *b)
{
    const Serial *const p = a, *const q = b;

    return (p->serial > q->serial) - (p->serial < q->serial);
}

static int by_beads(const void *a, const void *b)
{
    const int32_t *const p = a, *const q = b;

    if (p[1] != q[1])
        return (p[1] > q[1]) - (p[1] < q[1]);
    return (p[2] > q[2]) - (p[2] < q[2]);
}

/* The bead of a serial number; -1 with a note when none has it, or two. */
static int32_t find_serial(Reader *r, int64_t serial)
{
    const Serial        key   = { serial, 0 };
    const size_t        n     = (size_t)r->n_serials;
    const Serial *const found = bsearch(&key, r->serial, n, sizeof key, by_serial);
    const Serial *const end   = r->serial + n;

    if (found == NULL) {
        amphi_lines_note(&r->lines, PDB_SERIAL, "no", amphi_digits(serial).text);
        return -1;
    }
    if ((found > r->serial && found[-1].serial == serial) ||
        (found + 1 < end && found[1].serial == serial)) {
        amphi_lines_note(&r->lines, PDB_SERIAL, "several", amphi_digits(serial).text);
        return -1;
    }
    return found->bead;
}

/* CONECT: a bead and up to four that it is bonded to, five columns each. */
static void read_bonds_of_line(Reader *r)
{
    AmphiSnapshot *const s    = r->s;
    int32_t              from = -1;

    for (int k = 0; k < 5; k++) {
        const AmphiSlice column = amphi_slice_columns(r->lines.line, 6 + 5 * k, 5);
        int64_t          serial = 0;

        if (k > 0 && column.length == 0)
            return;
        if (!amphi_lines_whole(&r->lines, column, "serial number", 0, LAST_SERIAL, &serial))
            return;
        const int32_t bead = find_serial(r, serial);
        if (bead < 0)
            return;
        if (k == 0)
            from = bead;
        else if (bead != from)
            memcpy(s->bond[s->n_bonds++],
                   (const int32_t[3]){ 0, from < bead ? from : bead, from < bead ? bead : from },
                   sizeof *s->bond);
    }
}

/* A second pass: bonds may stand in front of their beads, and each is usually given twice. */
static void read_bonds(Reader *r, AmphiLines from_start, int64_t most)
{
    AmphiSnapshot *const s = r->s;
    int32_t              n = 0;

    if (most == 0 || most > INT32_MAX)
        return;
    s->bond = amphi_arena_take(r->arena, most, sizeof *s->bond);
    if (s->bond == NULL)
        return;
    qsort(r->serial, (size_t)r->n_serials, sizeof *r->serial, by_serial);
    from_start.n_faults = r->lines.n_faults;
    r->lines            = from_start;
    while (amphi_lines_next(&r->lines) && !amphi_lines_enough(&r->lines))
        if (amphi_slice_begins(r->lines.line, "CONECT"))
            read_bonds_of_line(r);
    qsort(s->bond, (size_t)s->n_bonds, sizeof *s->bond, by_beads);
    for (int32_t k = 0; k < s->n_bonds; k++)
        if (n == 0 || by_beads(s->bond[n - 1], s->bond[k]) != 0)
            memcpy(s->bond[n++], s->bond[k], sizeof *s->bond);
    s->n_bonds = n;
}

static void read_lines(Reader *r, int64_t frame)
{
    while (next_line(r) && !amphi_lines_enough(&r->lines)) {
        const AmphiSlice line = r->lines.line;

        if (r->frame == frame && is_bead(line))
            read_bead(r);
        else if (amphi_slice_begins(line, "CRYST1") && r->frame <= frame)
            read_box(r);
        else if (amphi_slice_begins(line, "TITLE ") && r->s->title == NULL)
            r->s->title = amphi_slice_copy(amphi_slice_columns(line, 10, 70), r->arena);
    }
}

static AmphiSnapshot *read_pdb(const char *path, const char *bytes, int64_t n_bytes, int64_t frame,
                               AmphiArena *arena, AmphiNotes *notes)
{
    const AmphiLines start = amphi_lines_of(path, bytes, n_bytes, notes);
    Reader           r     = { .lines = start, .arena = arena };
    Tally            tally = count(r, frame);

    r.s = AMPHI_TAKE(arena, AmphiSnapshot, 1);
    if (r.s == NULL)
        return NULL;
    r.s->path = amphi_arena_text(arena, path);
    if (frame < 0) {
        frame = tally.n_frames - 1;
        tally = count(r, frame);
    }
    if (tally.n_frames == 0) {
        amphi_lines_note(&r.lines, FORMAT_NO_BEADS, "");
        return NULL;
    }
    if (tally.n_beads == 0 || tally.n_beads > INT32_MAX) {
        amphi_lines_note(&r.lines, FORMAT_FRAME, amphi_digits(frame).text,
                         amphi_digits(tally.n_frames).text);
        return NULL;
    }
    r.s->n_frames = tally.n_frames;
    if (!take_arrays(&r, tally.n_beads))
        return NULL;
    read_lines(&r, frame);
    if (r.lines.n_faults == 0)
        read_bonds(&r, start, tally.n_bonds);
    return r.lines.n_faults == 0 && !amphi_arena_failed(arena) ? r.s : NULL;
}

/* ---- writing ---- */

/* Names of up to three letters begin in the second of their four columns: the first belongs to
 * element symbols of two letters. */
static void write_bead(AmphiSink *out, const AmphiSnapshot *s, int32_t i, int64_t *next_free)
{
    static const char *const axis[]   = { "x", "y", "z" };
    const AmphiName          bead     = amphi_snapshot_bead_name(s, i);
    const AmphiName          molecule = amphi_snapshot_molecule_name(s, i);
    const int64_t            number   = amphi_snapshot_molecule_number(s, i, next_free) % WRAP;
    const bool               is_short = strlen(bead.text) < 4;

    amphi_sink_print(out, "ATOM  %5d %s%-*.4s %-4.4s %4d    ", (i + 1) % (LAST_SERIAL + 1),
                     is_short ? " " : "", is_short ? 3 : 4, bead.text, molecule.text,
                     (int)(number < 0 ? 0 : number));
    for (int k = 0; k < 3; k++)
        amphi_sink_fixed(out, 10 * s->position_nm[i][k], 8, 3, axis[k], i);
    amphi_sink_print(out, "  1.00  0.00      %-4.4s\n", molecule.text);
}

/* Serial numbers beyond five columns begin again, and bonds cannot be told any more. */
static void write_bonds(AmphiSink *out, const AmphiSnapshot *s)
{
    if (s->bond == NULL || s->n_beads > LAST_SERIAL)
        return;
    for (int32_t k = 0; k < s->n_bonds; k++)
        amphi_sink_print(out, "CONECT%5d%5d\n", s->bond[k][1] + 1, s->bond[k][2] + 1);
}

static AmphiStatus write_pdb(const char *path, const AmphiSnapshot *s, AmphiError *err)
{
    AmphiSink out;
    int64_t   next_free = 0;

    if (s->position_nm == NULL)
        return amphi_fail(err, AMPHI_BAD_INPUT, "%s: a PDB file needs positions", path);
    amphi_sink_open(&out, path);
    if (s->title != NULL && s->title[0] != '\0') {
        amphi_sink_print(&out, "TITLE     ");
        amphi_sink_text(&out, s->title);
        amphi_sink_print(&out, "\n");
    }
    if (s->has_box) {
        amphi_sink_print(&out, "CRYST1");
        for (int k = 0; k < 3; k++)
            amphi_sink_fixed(&out, 10 * s->box_nm[k], 9, 3, "the box", -1);
        amphi_sink_print(&out, "  90.00  90.00  90.00 P 1           1\n");
    }
    for (int32_t i = 0; i < s->n_beads; i++)
        write_bead(&out, s, i, &next_free);
    write_bonds(&out, s);
    amphi_sink_print(&out, "END\n");
    return amphi_sink_close(&out, err);
}

const AmphiFormat amphi_format_pdb = {
    .name                = "pdb",
    .ending              = ".pdb",
    .holds               = AMPHI_HAS_POSITIONS | AMPHI_HAS_BOX | AMPHI_HAS_NAMES | AMPHI_HAS_BONDS,
    .needs               = AMPHI_HAS_POSITIONS,
    .bead_name_width     = 4,
    .molecule_name_width = 4,
    .read                = read_pdb,
    .write               = write_pdb,
};
