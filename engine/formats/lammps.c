/* LAMMPS data files in the dialect of ELBA: units real, atom_style hybrid angle dipole sphere.
 *
 * Beads come in the order of their ids. Positions are those of the file, wrapped or not, shifted so
 * that the box begins at zero; image flags are checked and dropped. A bead's mass is that of its
 * type (the density column gives another one, which the ELBA force field does not mean); its
 * diameter is kept. Coefficients are not: those of the force field count. Angles with a repeated
 * bead (i j j) are ELBA's dipole restraints; those with a third bead that has no meaning, as
 * lammps_write.c writes them, look like other angles here.
 */
#include "lammps.h"

#include <stdlib.h>
#include <string.h>

#include "formats.h"

enum { MOST_WORDS = 16, NOT_READ = -1 };

/* THE LIST of sections that are read. */
static const struct section {
    const char *name, *columns;
    int32_t     count; /* which count of the header it has lines of */
    int32_t     least_words, most_words;
    LammpsRow  *read;
} sections[N_SECTIONS] = {
    [MASSES]      = { "Masses", "type mass", ATOM_TYPES, 2, 2, amphi_lammps_mass },
    [BOND_COEFFS] = { "Bond Coeffs", "type k length", BOND_TYPES, 2, 8, amphi_lammps_coefficients },
    [BEADS] = { "Atoms", "id type x y z molecule q mux muy muz diameter density [ix iy iz]", ATOMS,
                12, 15, amphi_lammps_bead },
    [VELOCITIES]  = { "Velocities", "id vx vy vz wx wy wz", ATOMS, 7, 7, amphi_lammps_velocity },
    [BOND_LINES]  = { "Bonds", "number type id id", BONDS, 4, 4, amphi_lammps_bond },
    [ANGLE_LINES] = { "Angles", "number type id id id", ANGLES, 5, 5, amphi_lammps_angle },
};

static const char *const counts[N_COUNTS] = {
    "atoms", "bonds", "angles", "atom types", "bond types", "angle types",
};

/* Bytes that a line of each of them takes at least: a byte a word and a blank behind it. Bond and
 * angle types may have no lines. */
static const int32_t least_bytes[N_COUNTS] = { 24, 8, 10, 4, 0, 0 };

/* ---- header ---- */

/* The words behind the numbers, single blanks between; without a comment. */
static int32_t split_header(AmphiSlice line, AmphiSlice word[4], char keyword[48])
{
    AmphiSlice next, rest = line;
    double     value     = 0;
    int32_t    n         = 0;
    size_t     n_letters = 0;
    bool       is_text   = false;

    keyword[0] = '\0';
    while (amphi_slice_word(&rest, &next) && next.at[0] != '#') {
        is_text = is_text || !amphi_slice_number(next, &value);
        if (!is_text && n < 4)
            word[n++] = next;
        else if (n_letters < 46)
            n_letters += (size_t)snprintf(keyword + n_letters, 48 - n_letters, "%s%.*s",
                                          n_letters == 0 ? "" : " ",
                                          (int)(next.length < 40 ? next.length : 40), next.at);
        n_letters = n_letters < 47 ? n_letters : 47;
    }
    return n;
}

static void read_edge(LammpsReader *r, int k, const AmphiSlice *word)
{
    if (!amphi_lammps_numbers(r, word, 1, "box edge", &r->low[k]) ||
        !amphi_lammps_numbers(r, word + 1, 1, "box edge", &r->high[k]))
        return;
    r->has_edge[k] = true;
    if (r->low[k] >= r->high[k])
        amphi_lines_note(&r->lines, FORMAT_BOX, (const char *const[]){ "x", "y", "z" }[k],
                         amphi_decimal((r->high[k] - r->low[k]) / 10).text);
}

static void read_tilt(LammpsReader *r, const AmphiSlice *word)
{
    double tilt[3];

    if (!amphi_lammps_numbers(r, word, 3, "tilt", tilt))
        return;
    for (int k = 0; k < 3; k++)
        if (tilt[k] != 0) {
            amphi_lines_note(&r->lines, FORMAT_TRICLINIC, amphi_slice_short(word[k]).text);
            return;
        }
}

/* Counts of things that amphi does not have: they must be zero. */
static bool is_foreign_count(const char *keyword)
{
    static const char *const known[] = {
        "dihedrals", "impropers", "dihedral types", "improper types", "ellipsoids",
        "lines",     "triangles", "bodies",         "crossterms",
    };

    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(keyword, known[k]) == 0)
            return true;
    return false;
}

static void read_count(LammpsReader *r, int32_t count, AmphiSlice word)
{
    const int64_t left = r->lines.end - r->lines.at;
    int64_t       n    = 0;

    if (!amphi_lines_whole(&r->lines, word, counts[count], 0, INT32_MAX, &n))
        return;
    r->count_line[count] = r->lines.number;
    r->n[count]          = n;
    if (n > left / (least_bytes[count] > 0 ? least_bytes[count] : 1)) {
        amphi_lines_note(&r->lines, FORMAT_COUNT, amphi_digits(n).text, counts[count],
                         amphi_digits(left).text);
        r->n[count] = NOT_READ;
    }
}

static void read_header_line(LammpsReader *r, const AmphiSlice *word, int32_t n,
                             const char *keyword)
{
    static const char *const edges[] = { "xlo xhi", "ylo yhi", "zlo zhi" };
    int64_t                  value   = 0;

    for (int32_t k = 0; k < N_COUNTS && n == 1; k++)
        if (strcmp(keyword, counts[k]) == 0) {
            read_count(r, k, word[0]);
            return;
        }
    for (int k = 0; k < 3 && n == 2; k++)
        if (strcmp(keyword, edges[k]) == 0) {
            read_edge(r, k, word);
            return;
        }
    if (n == 3 && strcmp(keyword, "xy xz yz") == 0) {
        read_tilt(r, word);
        return;
    }
    /* "extra bond per atom" and its kin reserve memory in LAMMPS */
    if (n == 1 && strncmp(keyword, "extra ", 6) == 0)
        return;
    if (n == 1 && is_foreign_count(keyword)) {
        if (!amphi_slice_whole(word[0], &value) || value != 0)
            amphi_lines_note(&r->lines, LAMMPS_NOT_READ, amphi_slice_short(word[0]).text, keyword);
        return;
    }
    r->has_odd_line = true;
    amphi_lines_note(&r->lines, LAMMPS_HEADER,
                     amphi_slice_short(amphi_slice_trim(r->lines.line)).text,
                     "such as: 6784 atoms; 6 atom types; 1536 bonds; -33.7 33.7 xlo xhi");
}

static bool header_is_whole(LammpsReader *r)
{
    static const char *const edges[] = { "xlo xhi", "ylo yhi", "zlo zhi" };

    if (r->has_odd_line)
        return false; /* noted; what is missing may be that */
    for (int k = 0; k < 3; k++)
        if (!r->has_edge[k])
            amphi_lines_note(&r->lines, LAMMPS_MISSING, edges[k]);
    if (r->count_line[ATOMS] == 0)
        amphi_lines_note(&r->lines, LAMMPS_MISSING, "the line `N atoms`");
    else if (r->n[ATOMS] == 0)
        amphi_lines_note(&r->lines, FORMAT_NO_BEADS, "");
    if (r->count_line[ATOM_TYPES] == 0)
        amphi_lines_note(&r->lines, LAMMPS_MISSING, "the line `N atom types`");
    return r->lines.n_faults == 0;
}

static bool take_arrays(LammpsReader *r)
{
    AmphiSnapshot *const s = r->s;
    const int64_t        n = r->n[ATOMS];

    s->n_beads       = (int32_t)n;
    s->n_bonds       = (int32_t)r->n[BONDS];
    s->n_angles      = (int32_t)r->n[ANGLES];
    s->n_types       = (int32_t)r->n[ATOM_TYPES];
    s->type_mass_u   = AMPHI_TAKE(r->arena, double, s->n_types);
    r->mass_line     = AMPHI_TAKE(r->arena, int64_t, s->n_types);
    s->bond          = amphi_arena_take(r->arena, s->n_bonds, sizeof *s->bond);
    s->angle         = amphi_arena_take(r->arena, s->n_angles, sizeof *s->angle);
    s->type          = AMPHI_TAKE(r->arena, int32_t, n);
    s->molecule      = AMPHI_TAKE(r->arena, int32_t, n);
    s->line          = AMPHI_TAKE(r->arena, int64_t, n);
    s->position_nm   = amphi_arena_take(r->arena, n, sizeof *s->position_nm);
    s->dipole_e_nm   = amphi_arena_take(r->arena, n, sizeof *s->dipole_e_nm);
    s->charge_e      = AMPHI_TAKE(r->arena, double, n);
    s->mass_u        = AMPHI_TAKE(r->arena, double, n);
    s->diameter_nm   = AMPHI_TAKE(r->arena, double, n);
    r->bead          = AMPHI_TAKE(r->arena, LammpsBead, n);
    r->velocity_line = AMPHI_TAKE(r->arena, int64_t, n);
    s->has_box       = true;
    for (int k = 0; k < 3; k++)
        s->box_nm[k] = (r->high[k] - r->low[k]) / 10;
    return !amphi_arena_failed(r->arena);
}

/* ---- sections ---- */

static int by_id(const void *a, const void *b)
{
    const LammpsBead *const p = a, *const q = b;

    if (p->id != q->id)
        return (p->id > q->id) - (p->id < q->id);
    return (p->line > q->line) - (p->line < q->line);
}

/* Sorts the beads by id, so that later sections find them, and spreads them into the arrays. */
static void finish_beads(LammpsReader *r)
{
    AmphiSnapshot *const s = r->s;

    qsort(r->bead, (size_t)s->n_beads, sizeof *r->bead, by_id);
    for (int32_t i = 0; i < s->n_beads; i++) {
        const LammpsBead *const b = &r->bead[i];

        s->type[i]        = b->type;
        s->molecule[i]    = b->molecule;
        s->line[i]        = b->line;
        s->charge_e[i]    = b->charge;
        s->diameter_nm[i] = b->diameter / 10;
        for (int k = 0; k < 3; k++) {
            s->position_nm[i][k] = (b->x[k] - r->low[k]) / 10;
            s->dipole_e_nm[i][k] = b->dipole[k] / 10;
        }
        if (i > 0 && r->bead[i - 1].id == b->id) {
            r->lines.n_faults++;
            amphi_note(r->lines.notes, LAMMPS_TWICE, ((AmphiWhere){ r->lines.path, b->line }),
                       "Atoms", amphi_digits(b->id).text, amphi_digits(r->bead[i - 1].line).text);
        }
    }
}

static AmphiSlice without_comment(AmphiSlice line)
{
    const char *const hash = memchr(line.at, '#', (size_t)line.length);

    if (hash != NULL)
        line.length = hash - line.at;
    return amphi_slice_trim(line);
}

static void note_count(LammpsReader *r, const struct section *section, int64_t found)
{
    amphi_lines_note(&r->lines, LAMMPS_COUNT, section->name, amphi_digits(found).text,
                     amphi_digits(r->count_line[section->count]).text,
                     amphi_digits(r->n[section->count]).text);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Reads the lines of a section up to the next one; true when a line of that next one, or a line too
 * many, is at hand. */
static bool read_rows(LammpsReader *r, const struct section *section)
{
    const int64_t n = r->n[section->count];
    AmphiSlice    word[MOST_WORDS];

    r->section = section->name;
    r->columns = section->columns;
    r->row     = 0;
    while (amphi_lines_next_filled(&r->lines) && !amphi_lines_enough(&r->lines)) {
        const AmphiSlice line    = without_comment(r->lines.line);
        const int32_t    n_words = amphi_slice_words(line, word, MOST_WORDS);

        if (n_words == 0)
            continue;
        if (is_letter(line.at[0])) {
            if (r->row != n)
                note_count(r, section, r->row);
            return true;
        }
        if (r->row < n && (n_words < section->least_words || n_words > section->most_words))
            amphi_lines_note(&r->lines, LAMMPS_WORDS, section->name, amphi_digits(n_words).text,
                             section->columns);
        else if (r->row < n)
            section->read(r, word, n_words);
        r->row++;
    }
    if (r->row != n && !amphi_lines_enough(&r->lines))
        note_count(r, section, r->row);
    return false;
}

static const struct section *find_section(AmphiSlice name)
{
    for (int k = 0; k < N_SECTIONS; k++)
        if (amphi_slice_is(name, sections[k].name))
            return &sections[k];
    return NULL;
}

/* Sections of coefficients whose rows are passed over unread: data files may have them, those of
 * hybrid styles with words among the numbers. The force field has its own. */
static bool is_passed_over(AmphiSlice name)
{
    static const char *const names[] = { "Pair Coeffs", "PairIJ Coeffs", "Angle Coeffs" };

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (amphi_slice_is(name, names[k]))
            return true;
    return false;
}

static void note_unknown_section(LammpsReader *r, AmphiSlice name)
{
    const AmphiShort word = amphi_slice_short(name);
    const char      *known[N_SECTIONS], *nearest = NULL;
    char             list[128] = "", mean[64] = "";

    for (int k = 0; k < N_SECTIONS; k++) {
        known[k] = sections[k].name;
        strncat(list, k == 0 ? "" : ", ", sizeof list - strlen(list) - 1);
        strncat(list, known[k], sizeof list - strlen(list) - 1);
    }
    nearest = amphi_nearest(word.text, known, N_SECTIONS);
    if (nearest != NULL)
        snprintf(mean, sizeof mean, "        (did you mean %s?)", nearest);
    amphi_lines_note(&r->lines, LAMMPS_SECTION, word.text, list, mean);
}

/* "Atoms # hybrid": LAMMPS writes the style there. */
static void check_style(LammpsReader *r, AmphiSlice line)
{
    const char *const hash = memchr(line.at, '#', (size_t)line.length);
    AmphiSlice        style;

    if (hash == NULL)
        return;
    style = amphi_slice_trim((AmphiSlice){ hash + 1, line.at + line.length - hash - 1 });
    if (style.length > 0 && !amphi_slice_begins(style, "hybrid"))
        amphi_lines_note(&r->lines, LAMMPS_STYLE, amphi_slice_short(style).text);
}

/* Passes over a section that is not read; true when the present line is the next one. */
static bool skip_section(LammpsReader *r)
{
    while (amphi_lines_next_filled(&r->lines))
        if (is_letter(amphi_slice_trim(r->lines.line).at[0]))
            return true;
    return false;
}

static void take_velocities(LammpsReader *r)
{
    AmphiSnapshot *const s = r->s;

    s->velocity_nm_ps = amphi_arena_take(r->arena, s->n_beads, sizeof *s->velocity_nm_ps);
    s->angular_velocity_rad_ps =
        amphi_arena_take(r->arena, s->n_beads, sizeof *s->angular_velocity_rad_ps);
}

/* Reads one section, whose name is the present line; true when the present line is the next. */
static bool read_section(LammpsReader *r)
{
    const AmphiSlice            line    = r->lines.line;
    const AmphiSlice            name    = without_comment(line);
    const struct section *const section = find_section(name);

    if (section == NULL) {
        if (!is_passed_over(name))
            note_unknown_section(r, name);
        return skip_section(r);
    }
    const ptrdiff_t k = section - sections;

    if (r->section_line[k] != 0) {
        amphi_lines_note(&r->lines, LAMMPS_SECTION_TWICE, section->name);
        return skip_section(r);
    }
    r->section_line[k] = r->lines.number;
    if (k > BEADS && r->section_line[BEADS] == 0) {
        amphi_lines_note(&r->lines, LAMMPS_ORDER, section->name, "Atoms");
        return skip_section(r);
    }

    const int32_t n_before = r->lines.n_faults;
    if (k == BEADS)
        check_style(r, line);
    if (k == VELOCITIES)
        take_velocities(r);
    if (amphi_arena_failed(r->arena))
        return false;

    const bool is_next = read_rows(r, section);
    if (k != BEADS)
        return is_next;
    if (r->lines.n_faults == n_before)
        finish_beads(r);
    return is_next && r->lines.n_faults == n_before; /* else later ids mean nothing */
}

/* As write_data has them in the title: "..., units = real". */
static void check_units(LammpsReader *r, AmphiSlice title)
{
    AmphiSlice before = { NULL, 0 }, sign, word;

    while (title.length > 0 && amphi_slice_word(&title, &word)) {
        if (before.at != NULL && amphi_slice_is(before, "units") && amphi_slice_is(word, "=") &&
            amphi_slice_word(&title, &sign)) {
            if (!amphi_slice_is(sign, "real"))
                amphi_lines_note(&r->lines, LAMMPS_UNITS, amphi_slice_short(sign).text);
            return;
        }
        before = word;
    }
}

static bool read_header(LammpsReader *r)
{
    AmphiSlice word[4];
    char       keyword[48];

    amphi_lines_next(&r->lines); /* the first line is a title whatever else it says */
    r->s->title = amphi_slice_copy(amphi_slice_trim(r->lines.line), r->arena);
    check_units(r, r->lines.line);
    while (amphi_lines_next_filled(&r->lines) && !amphi_lines_enough(&r->lines)) {
        const AmphiSlice line = without_comment(r->lines.line);
        const int32_t    n    = split_header(line, word, keyword);

        if (line.length == 0)
            continue;
        if (n == 0)
            return header_is_whole(r) && take_arrays(r);
        read_header_line(r, word, n, keyword);
    }
    header_is_whole(r);
    if (r->lines.n_faults == 0)
        amphi_lines_note(&r->lines, LAMMPS_MISSING, "the section Atoms");
    return false;
}

/* What must be there once all is read; and each bead gets the mass of its type. */
static void finish(LammpsReader *r)
{
    AmphiSnapshot *const s = r->s;

    for (int k = 0; k < N_SECTIONS; k++) {
        const bool is_needed = k != VELOCITIES && k != BOND_COEFFS && r->n[sections[k].count] > 0;
        if (is_needed && r->section_line[k] == 0) {
            char text[64];
            snprintf(text, sizeof text, "the section %s", sections[k].name);
            amphi_lines_note(&r->lines, LAMMPS_MISSING, text);
        }
    }
    for (int32_t i = 0; r->lines.n_faults == 0 && i < s->n_beads; i++)
        s->mass_u[i] = s->type_mass_u[s->type[i] - 1];
}

static AmphiSnapshot *read_lammps(const char *path, const char *bytes, int64_t n_bytes,
                                  int64_t frame, AmphiArena *arena, AmphiNotes *notes)
{
    LammpsReader r = { .lines = amphi_lines_of(path, bytes, n_bytes, notes), .arena = arena };

    r.s = AMPHI_TAKE(arena, AmphiSnapshot, 1);
    if (r.s == NULL)
        return NULL;
    r.s->path = amphi_arena_text(arena, path);
    if (frame != 0 && frame != -1) {
        amphi_lines_note(&r.lines, FORMAT_FRAME, amphi_digits(frame).text, "1");
        return NULL;
    }
    if (!read_header(&r))
        return NULL;
    while (read_section(&r) && !amphi_lines_enough(&r.lines))
        continue;
    if (r.lines.n_faults == 0 && !amphi_arena_failed(arena))
        finish(&r);
    return r.lines.n_faults == 0 && !amphi_arena_failed(arena) ? r.s : NULL;
}

const AmphiFormat amphi_format_lammps = {
    .name   = "lammps-data",
    .ending = ".data",
    .holds  = AMPHI_HAS_POSITIONS | AMPHI_HAS_BOX | AMPHI_HAS_VELOCITIES | AMPHI_HAS_TYPES |
             AMPHI_HAS_CHARGES | AMPHI_HAS_MASSES | AMPHI_HAS_BONDS | AMPHI_HAS_DIPOLES,
    .needs = AMPHI_HAS_POSITIONS | AMPHI_HAS_BOX | AMPHI_HAS_TYPES | AMPHI_HAS_CHARGES |
             AMPHI_HAS_MASSES | AMPHI_HAS_DIPOLES,
    .read  = read_lammps,
    .write = amphi_lammps_write,
};
