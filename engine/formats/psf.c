/* PSF, the topology beside a trajectory: names, charges, masses, bonds. The segment is the molecule
 * type.
 *
 * Written in the NAMD flavour, whose words are told apart by blanks, so that names may be longer
 * than four letters; VMD and MDAnalysis read it. Bead numbers have columns of eight, or where these
 * would touch of ten, which the word EXT in the first line says. Read: any flavour whose words have
 * blanks between.
 * Angles are written where three beads make them; dipole restraints have no place here.
 */
#include <math.h>

#include "formats.h"
#include "lines.h"
#include "sink.h"

enum {
    LEAST_BEAD_LINE = 16,      /* bytes: eight words and the blanks behind them */
    MOST_OF_EIGHT   = 9999999, /* beads whose numbers leave a blank in columns of eight */
    BEAD_WORDS      = 8
};

typedef struct {
    AmphiLines     lines;
    AmphiSnapshot *s;
    AmphiArena    *arena;
} Reader;

/* "    1536 !NBOND: bonds": the number, and the word without its colon. */
static bool is_section(AmphiSlice line, int64_t *n, AmphiSlice *name)
{
    AmphiSlice word[2];

    if (amphi_slice_words(line, word, 2) < 2 || word[1].at[0] != '!' ||
        !amphi_slice_whole(word[0], n))
        return false;
    *name = (AmphiSlice){ word[1].at + 1, word[1].length - 1 };
    if (name->length > 0 && name->at[name->length - 1] == ':')
        name->length--;
    return true;
}

static bool take_beads(Reader *r, int64_t n)
{
    AmphiSnapshot *const s    = r->s;
    const int64_t        left = r->lines.end - r->lines.at;

    if (n == 0) {
        amphi_lines_note(&r->lines, FORMAT_NO_BEADS, "");
        return false;
    }
    if (n < 0 || n > left / LEAST_BEAD_LINE || n > INT32_MAX) {
        amphi_lines_note(&r->lines, FORMAT_COUNT, amphi_digits(n).text, "beads",
                         amphi_digits(left).text);
        return false;
    }
    s->n_beads       = (int32_t)n;
    s->bead_name     = AMPHI_TAKE(r->arena, AmphiName, n);
    s->molecule_name = AMPHI_TAKE(r->arena, AmphiName, n);
    s->molecule      = AMPHI_TAKE(r->arena, int32_t, n);
    s->line          = AMPHI_TAKE(r->arena, int64_t, n);
    s->charge_e      = AMPHI_TAKE(r->arena, double, n);
    s->mass_u        = AMPHI_TAKE(r->arena, double, n);
    return !amphi_arena_failed(r->arena);
}

static void read_bead(Reader *r, int32_t i)
{
    AmphiSnapshot *const s = r->s;
    AmphiSlice           word[BEAD_WORDS];
    const int32_t        n      = amphi_slice_words(r->lines.line, word, BEAD_WORDS);
    int64_t              number = 0;

    if (n < BEAD_WORDS) {
        amphi_lines_note(&r->lines, PSF_ATOM, amphi_digits(n).text);
        return;
    }
    s->line[i]          = r->lines.number;
    s->molecule_name[i] = amphi_slice_name(word[3]);
    s->bead_name[i]     = amphi_slice_name(word[4]);
    if (!amphi_lines_whole(&r->lines, word[2], "residue number", INT32_MIN, INT32_MAX, &number) ||
        !amphi_lines_number(&r->lines, word[6], "charge", &s->charge_e[i]) ||
        !amphi_lines_number(&r->lines, word[7], "mass", &s->mass_u[i]))
        return;
    s->molecule[i] = (int32_t)number;
    if (s->mass_u[i] < 0)
        amphi_lines_note(&r->lines, FORMAT_NOT_NUMBER, "mass", amphi_slice_short(word[7]).text);
}

static void read_beads(Reader *r, int64_t n)
{
    if (!take_beads(r, n))
        return;
    for (int32_t i = 0; i < n && !amphi_lines_enough(&r->lines); i++) {
        if (!amphi_lines_next(&r->lines)) {
            amphi_lines_note(&r->lines, FORMAT_CUT, "its last bead");
            return;
        }
        read_bead(r, i);
    }
}

/* n groups of `size` bead numbers, any number of them in a line, behind one unused place for the
 * type. NULL with a note, or when there is no memory. */
static int32_t *read_groups(Reader *r, int64_t n, int32_t size, const char *what)
{
    const int64_t left = r->lines.end - r->lines.at;

    if (n < 0 || n > left / (2 * (int64_t)size) || n > INT32_MAX) {
        amphi_lines_note(&r->lines, FORMAT_COUNT, amphi_digits(n).text, what,
                         amphi_digits(left).text);
        return NULL;
    }
    int32_t *const group = amphi_arena_take(r->arena, n, (size_t)(size + 1) * sizeof *group);
    AmphiSlice     rest  = { r->lines.at, 0 }, word;

    for (int64_t k = 0; group != NULL && k < n * size; k++) {
        int64_t bead = 0;
        while (!amphi_slice_word(&rest, &word)) {
            if (!amphi_lines_next(&r->lines)) {
                amphi_lines_note(&r->lines, FORMAT_CUT, "its last bond");
                return NULL;
            }
            rest = r->lines.line;
        }
        if (!amphi_slice_whole(word, &bead) || bead < 1 || bead > r->s->n_beads) {
            amphi_lines_note(&r->lines, FORMAT_BEAD, what, amphi_slice_short(word).text,
                             amphi_digits(r->s->n_beads).text);
            return NULL;
        }
        group[k / size * (size + 1) + k % size + 1] = (int32_t)bead - 1;
    }
    return group;
}

static void read_bonds(Reader *r, int64_t n)
{
    int32_t *const pair = read_groups(r, n, 2, "bonds");

    r->s->bond    = (int32_t(*)[3])pair;
    r->s->n_bonds = pair == NULL ? 0 : (int32_t)n;
}

static void read_angles(Reader *r, int64_t n)
{
    int32_t *const triple = read_groups(r, n, 3, "angles");

    r->s->angle    = (int32_t(*)[4])triple;
    r->s->n_angles = triple == NULL ? 0 : (int32_t)n;
}

static void read_sections(Reader *r)
{
    AmphiSnapshot *const s = r->s;

    while (r->lines.n_faults == 0 && amphi_lines_next(&r->lines)) {
        AmphiSlice name;
        int64_t    n = 0;

        if (!is_section(r->lines.line, &n, &name))
            continue;
        if (amphi_slice_is(name, "NATOM") && s->n_beads == 0)
            read_beads(r, n);
        else if (amphi_slice_is(name, "NBOND") && s->bond == NULL && s->n_beads > 0)
            read_bonds(r, n);
        else if (amphi_slice_is(name, "NTHETA") && s->angle == NULL && s->n_beads > 0)
            read_angles(r, n);
        if (amphi_arena_failed(r->arena))
            return;
    }
}

static AmphiSnapshot *read_psf(const char *path, const char *bytes, int64_t n_bytes, int64_t frame,
                               AmphiArena *arena, AmphiNotes *notes)
{
    Reader r = { .lines = amphi_lines_of(path, bytes, n_bytes, notes), .arena = arena };

    r.s = AMPHI_TAKE(arena, AmphiSnapshot, 1);
    if (r.s == NULL)
        return NULL;
    r.s->path = amphi_arena_text(arena, path);
    if (frame != 0 && frame != -1) {
        amphi_lines_note(&r.lines, FORMAT_FRAME, amphi_digits(frame).text, "1");
        return NULL;
    }
    if (!amphi_lines_next_filled(&r.lines) ||
        !amphi_slice_begins(amphi_slice_trim(r.lines.line), "PSF")) {
        amphi_lines_note(&r.lines, PSF_HEADER, "");
        return NULL;
    }
    read_sections(&r);
    if (r.lines.n_faults == 0 && r.s->n_beads == 0)
        amphi_lines_note(&r.lines, PSF_MISSING, "!NATOM");
    if (r.lines.n_faults == 0 && r.s->bond == NULL)
        amphi_lines_note(&r.lines, PSF_MISSING, "!NBOND");
    return r.lines.n_faults == 0 && !amphi_arena_failed(arena) ? r.s : NULL;
}

/* ---- writing ---- */

/* A name as one word. */
static AmphiName one_word(AmphiName name)
{
    for (char *c = name.text; *c != '\0'; c++)
        if (*c == ' ' || *c == '\t')
            *c = '_';
    return name;
}

static void write_beads(AmphiSink *out, const AmphiSnapshot *s, int columns)
{
    int64_t next_free = 0;

    amphi_sink_print(out, "%*d !NATOM\n", columns, s->n_beads);
    for (int32_t i = 0; i < s->n_beads; i++) {
        const AmphiName molecule = one_word(amphi_snapshot_molecule_name(s, i));
        const AmphiName bead     = one_word(amphi_snapshot_bead_name(s, i));
        const bool      is_typed = s->type_name != NULL && s->type != NULL;
        const AmphiName type     = is_typed ? one_word(s->type_name[s->type[i] - 1]) : bead;

        if (!isfinite(s->charge_e[i]) || !isfinite(s->mass_u[i]))
            amphi_sink_fail(out, AMPHI_BAD_INPUT, "%s: charge or mass of bead %d is not finite",
                            out->path, i + 1);
        amphi_sink_print(out, "%*d %-4s %-4lld %-4s %-4s %-4s %13.6f %13.6f %11d\n", columns, i + 1,
                         molecule.text, (long long)amphi_snapshot_molecule_number(s, i, &next_free),
                         molecule.text, bead.text, type.text[0] == '\0' ? "B" : type.text,
                         s->charge_e[i], s->mass_u[i], 0);
    }
}

static void write_bonds(AmphiSink *out, const AmphiSnapshot *s, int columns)
{
    amphi_sink_print(out, "\n%*d !NBOND: bonds", columns, s->n_bonds);
    for (int32_t k = 0; k < s->n_bonds; k++)
        amphi_sink_print(out, "%s%*d%*d", k % 4 == 0 ? "\n" : "", columns, s->bond[k][1] + 1,
                         columns, s->bond[k][2] + 1);
    amphi_sink_print(out, "\n\n");
}

static bool is_angle(const int32_t angle[4])
{
    return angle[1] != angle[2] && angle[2] != angle[3] && angle[1] != angle[3];
}

static void write_angles(AmphiSink *out, const AmphiSnapshot *s, int columns)
{
    int32_t n = 0;

    for (int32_t k = 0; k < s->n_angles; k++)
        n += is_angle(s->angle[k]);
    amphi_sink_print(out, "%*d !NTHETA: angles", columns, n);
    n = 0;
    for (int32_t k = 0; k < s->n_angles; k++) {
        const int32_t *const a = s->angle[k];
        if (is_angle(a))
            amphi_sink_print(out, "%s%*d%*d%*d", n++ % 3 == 0 ? "\n" : "", columns, a[1] + 1,
                             columns, a[2] + 1, columns, a[3] + 1);
    }
    amphi_sink_print(out, "\n\n");
}

AmphiStatus amphi_psf_write(const char *path, const AmphiSnapshot *s, int columns, AmphiError *err)
{
    const int c = columns;
    AmphiSink out;

    if (s->charge_e == NULL || s->mass_u == NULL || s->bond == NULL)
        return amphi_fail(err, AMPHI_BAD_INPUT, "%s: a PSF file needs charges, masses and bonds",
                          path);
    amphi_sink_open(&out, path);
    amphi_sink_print(&out, "PSF%s NAMD\n\n%*d !NTITLE\n REMARKS amphi ", c > 8 ? " EXT" : "", c, 1);
    amphi_sink_text(&out, s->title);
    amphi_sink_print(&out, "\n\n");
    write_beads(&out, s, c);
    write_bonds(&out, s, c);
    write_angles(&out, s, c);
    amphi_sink_print(&out, "%*d !NPHI: dihedrals\n\n\n%*d !NIMPHI: impropers\n\n\n", c, 0, c, 0);
    amphi_sink_print(&out, "%*d !NDON: donors\n\n\n%*d !NACC: acceptors\n\n\n%*d !NNB\n\n\n", c, 0,
                     c, 0, c, 0);
    return amphi_sink_close(&out, err);
}

static AmphiStatus write_psf(const char *path, const AmphiSnapshot *s, AmphiError *err)
{
    return amphi_psf_write(path, s, s->n_beads > MOST_OF_EIGHT ? 10 : 8, err);
}

const AmphiFormat amphi_format_psf = {
    .name                = "psf",
    .ending              = ".psf",
    .holds               = AMPHI_HAS_NAMES | AMPHI_HAS_CHARGES | AMPHI_HAS_MASSES | AMPHI_HAS_BONDS,
    .needs               = AMPHI_HAS_CHARGES | AMPHI_HAS_MASSES | AMPHI_HAS_BONDS,
    .bead_name_width     = AMPHI_NAME_SIZE - 1,
    .molecule_name_width = AMPHI_NAME_SIZE - 1,
    .read                = read_psf,
    .write               = write_psf,
};
