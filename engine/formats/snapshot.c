/* The list of formats, reading files into memory, and what all readers and writers share. */
#include "snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats.h"
#include "lines.h"

/* Larger files than this are trajectories, which have readers of their own; formats that are read
 * in pieces have no limit. */
#define MOST_BYTES ((int64_t)1 << 32)

#define FORMAT_ADDRESS(name) &amphi_format_##name,
static const AmphiFormat *const formats[] = { FORMAT_LIST(FORMAT_ADDRESS) };

enum { N_FORMATS = (int)(sizeof formats / sizeof *formats), MOST_CUT_NAMES = 32 };

static const struct {
    uint32_t    bit;
    const char *name;
} parts[] = {
    { AMPHI_HAS_POSITIONS, "positions" }, { AMPHI_HAS_BOX, "a box" },
    { AMPHI_HAS_TYPES, "bead types" },    { AMPHI_HAS_CHARGES, "charges" },
    { AMPHI_HAS_MASSES, "masses" },       { AMPHI_HAS_BONDS, "bonds" },
    { AMPHI_HAS_DIPOLES, "dipoles" },     { AMPHI_HAS_ORIENTATIONS, "orientations" },
};

const AmphiFormat *amphi_format_at(int32_t k)
{
    return k >= 0 && k < N_FORMATS ? formats[k] : NULL;
}

bool amphi_format_is_read(const AmphiFormat *format)
{
    return format->read != NULL || format->read_pieces != NULL;
}

const AmphiFormat *amphi_format_find(const char *name)
{
    for (int32_t k = 0; k < N_FORMATS; k++)
        if (strcmp(formats[k]->name, name) == 0)
            return formats[k];
    return NULL;
}

static bool ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);

    return n > m && strcmp(text + n - m, ending) == 0;
}

const AmphiFormat *amphi_format_of_path(const char *path)
{
    const char *const slash = strrchr(path, '/');
    const char *const name  = slash == NULL ? path : slash + 1;

    for (int32_t k = 0; k < N_FORMATS; k++)
        if (ends_with(name, formats[k]->ending))
            return formats[k];
    if (ends_with(name, ".chk.prev"))
        return &amphi_format_chk;
    return strncmp(name, "data.", 5) == 0 ? &amphi_format_lammps : NULL;
}

/* "gro pdb ..." of those formats that can hold all of `bits`. */
static void list_formats(uint32_t bits, bool with_endings, char *text, size_t size)
{
    size_t n = 0;

    text[0] = '\0';
    for (int32_t k = 0; k < N_FORMATS; k++) {
        const char *const name = with_endings ? formats[k]->ending : formats[k]->name;
        if ((formats[k]->holds & bits) == bits && n + strlen(name) + 2 < size)
            n += (size_t)snprintf(text + n, size - n, "%s%s", n == 0 ? "" : " ", name);
    }
}

const AmphiFormat *amphi_format_choose(const char *path, const char *name, AmphiWhere from,
                                       AmphiNotes *notes)
{
    const AmphiFormat *const format =
        name == NULL ? amphi_format_of_path(path) : amphi_format_find(name);
    char known[128];

    if (format != NULL)
        return format;
    list_formats(0, name == NULL, known, sizeof known);
    if (name == NULL)
        strncat(known, " data.*", sizeof known - strlen(known) - 1);
    amphi_note(notes, FORMAT_UNKNOWN, from, name == NULL ? path : name, known);
    return NULL;
}

/* ---- files ---- */

/* All of an open file up to `size`; fewer bytes when it shrank meanwhile. -1: errno. */
static int64_t read_all(int file, char *bytes, int64_t size)
{
    int64_t n = 0;

    while (n < size) {
        const ssize_t got = read(file, bytes + n, (size_t)(size - n));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        n += got;
    }
    return n;
}

/* Opens a regular file to read; -1 with a note. */
static int open_file(const char *path, int64_t *n_bytes, AmphiWhere from, AmphiNotes *notes)
{
    /* opening a pipe without a writer must not block */
    const int   file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat about;

    if (file < 0) {
        amphi_note(notes, FILE_MISSING, from, path, strerror(errno));
        return -1;
    }
    if (fstat(file, &about) != 0) {
        amphi_note(notes, FILE_MISSING, from, path, strerror(errno));
        close(file);
        return -1;
    }
    if (!S_ISREG(about.st_mode)) {
        amphi_note(notes, FILE_MISSING, from, path, "not a regular file");
        close(file);
        return -1;
    }
    *n_bytes = about.st_size;
    return file;
}

static char *read_open_file(int file, const char *path, int64_t size, int64_t *n_bytes,
                            AmphiArena *arena, AmphiWhere from, AmphiNotes *notes)
{
    char *const bytes = AMPHI_TAKE(arena, char, size + 1);

    if (bytes == NULL)
        return NULL;
    *n_bytes = read_all(file, bytes, size);
    if (*n_bytes < 0) {
        amphi_note(notes, FILE_MISSING, from, path, strerror(errno));
        return NULL;
    }
    if (*n_bytes == 0) {
        amphi_note(notes, FILE_EMPTY, from, path);
        return NULL;
    }
    return bytes;
}

char *amphi_file_read(const char *path, int64_t max_bytes, int64_t *n_bytes, AmphiArena *arena,
                      AmphiWhere from, AmphiNotes *notes)
{
    int64_t   size  = 0;
    const int file  = open_file(path, &size, from, notes);
    char     *bytes = NULL;

    *n_bytes = 0;
    if (file < 0)
        return NULL;
    if (size > max_bytes)
        amphi_note(notes, FILE_TOO_LARGE, from, path, amphi_digits(size).text,
                   amphi_digits(max_bytes).text);
    else
        bytes = read_open_file(file, path, size, n_bytes, arena, from, notes);
    close(file);
    return bytes;
}

static bool is_packed(const char *bytes, int64_t n)
{
    return n >= 2 && memcmp(bytes, "\x1F\x8B", 2) == 0; /* RFC 1952 */
}

static AmphiSnapshot *read_whole(const AmphiFormat *format, const char *path, int64_t frame,
                                 AmphiArena *arena, AmphiWhere from, AmphiNotes *notes)
{
    int64_t           n_bytes = 0;
    const char *const bytes   = amphi_file_read(path, MOST_BYTES, &n_bytes, arena, from, notes);

    if (bytes == NULL)
        return NULL;
    if (is_packed(bytes, n_bytes)) {
        amphi_note(notes, FORMAT_GZIP, from, path);
        return NULL;
    }
    return format->read(path, bytes, n_bytes, frame, arena, notes);
}

static AmphiSnapshot *read_in_pieces(const AmphiFormat *format, const char *path, int64_t frame,
                                     AmphiArena *arena, AmphiWhere from, AmphiNotes *notes)
{
    int64_t        n_bytes  = 0;
    const int      handle   = open_file(path, &n_bytes, from, notes);
    FILE *const    file     = handle < 0 ? NULL : fdopen(handle, "rb");
    AmphiSnapshot *s        = NULL;
    char           front[2] = "";

    if (handle < 0)
        return NULL;
    if (file == NULL) {
        amphi_note(notes, FILE_MISSING, from, path, strerror(errno));
        close(handle);
        return NULL;
    }
    if (n_bytes == 0)
        amphi_note(notes, FILE_EMPTY, from, path);
    else if (is_packed(front, pread(handle, front, sizeof front, 0)))
        amphi_note(notes, FORMAT_GZIP, from, path);
    else
        s = format->read_pieces(path, file, n_bytes, frame, arena, notes);
    fclose(file);
    return s;
}

AmphiSnapshot *amphi_snapshot_read(const char *path, const char *format, AmphiArena *arena,
                                   AmphiWhere from, AmphiNotes *notes)
{
    return amphi_snapshot_read_frame(path, format, 0, arena, from, notes);
}

AmphiSnapshot *amphi_snapshot_read_frame(const char *path, const char *format, int64_t frame,
                                         AmphiArena *arena, AmphiWhere from, AmphiNotes *notes)
{
    const AmphiFormat *const reader = amphi_format_choose(path, format, from, notes);

    if (reader == NULL)
        return NULL;
    return reader->read != NULL ? read_whole(reader, path, frame, arena, from, notes)
                                : read_in_pieces(reader, path, frame, arena, from, notes);
}

AmphiSnapshot *amphi_snapshot_of_frame(const char *path, int64_t n_frames, int32_t n_beads,
                                       AmphiArena *arena)
{
    AmphiSnapshot *const s = AMPHI_TAKE(arena, AmphiSnapshot, 1);

    if (s == NULL)
        return NULL;
    s->path        = amphi_arena_text(arena, path);
    s->n_frames    = n_frames;
    s->n_beads     = n_beads;
    s->position_nm = amphi_arena_take(arena, n_beads, sizeof *s->position_nm);
    return amphi_arena_failed(arena) ? NULL : s;
}

/* ---- what is in a snapshot ---- */

uint32_t amphi_snapshot_has(const AmphiSnapshot *s)
{
    const bool has_axes = s->orientation != NULL && s->dipole_strength_e_nm != NULL;
    uint32_t   has      = 0;

    has |= s->position_nm != NULL ? AMPHI_HAS_POSITIONS : 0;
    has |= s->has_box ? AMPHI_HAS_BOX : 0;
    has |= s->bead_name != NULL ? AMPHI_HAS_NAMES : 0;
    has |= s->velocity_nm_ps != NULL ? AMPHI_HAS_VELOCITIES : 0;
    has |= s->type != NULL ? AMPHI_HAS_TYPES : 0;
    has |= s->charge_e != NULL ? AMPHI_HAS_CHARGES : 0;
    has |= s->mass_u != NULL ? AMPHI_HAS_MASSES : 0;
    has |= s->bond != NULL ? AMPHI_HAS_BONDS : 0;
    has |= s->dipole_e_nm != NULL || has_axes ? AMPHI_HAS_DIPOLES : 0;
    has |= s->orientation != NULL ? AMPHI_HAS_ORIENTATIONS : 0;
    return has;
}

AmphiName amphi_snapshot_bead_name(const AmphiSnapshot *s, int32_t bead)
{
    AmphiName name = { "B" };

    if (s->bead_name != NULL && s->bead_name[bead].text[0] != '\0')
        return s->bead_name[bead];
    if (s->type != NULL)
        snprintf(name.text, sizeof name.text, "B%" PRId32, s->type[bead]);
    return name;
}

AmphiName amphi_snapshot_molecule_name(const AmphiSnapshot *s, int32_t bead)
{
    if (s->molecule_name != NULL && s->molecule_name[bead].text[0] != '\0')
        return s->molecule_name[bead];
    return (AmphiName){ "MOL" };
}

int64_t amphi_snapshot_molecule_number(const AmphiSnapshot *s, int32_t bead, int64_t *next_free)
{
    if (s->molecule != NULL && s->molecule[bead] != 0)
        return s->molecule[bead];
    if (*next_free == 0) {
        *next_free = 1;
        for (int32_t i = 0; s->molecule != NULL && i < s->n_beads; i++)
            if (s->molecule[i] >= *next_free)
                *next_free = (int64_t)s->molecule[i] + 1;
    }
    return (*next_free)++;
}

/* ---- before writing ---- */

/* Warns of each name that is longer than its columns, once, and of the first few only. */
static void check_names(const AmphiFormat *format, const char *path, const AmphiSnapshot *s,
                        bool of_molecules, AmphiNotes *notes)
{
    const AmphiName *const names = of_molecules ? s->molecule_name : s->bead_name;
    const int32_t width = of_molecules ? format->molecule_name_width : format->bead_name_width;
    const char   *seen[MOST_CUT_NAMES];
    int32_t       n_seen = 0;

    for (int32_t i = 0; names != NULL && width > 0 && i < s->n_beads; i++) {
        if (strlen(names[i].text) <= (size_t)width)
            continue;

        int32_t k = 0;
        while (k < n_seen && strcmp(seen[k], names[i].text) != 0)
            k++;
        if (k < n_seen)
            continue;
        if (n_seen == MOST_CUT_NAMES)
            return;
        seen[n_seen++] = names[i].text;

        char cut[AMPHI_NAME_SIZE];
        snprintf(cut, sizeof cut, "%.*s", (int)width, names[i].text);
        amphi_note(notes, CONVERT_NAMES_CUT, ((AmphiWhere){ path, 0 }),
                   of_molecules ? "molecule name" : "bead name", names[i].text, cut, format->name,
                   amphi_digits(width).text);
    }
}

bool amphi_format_check(const AmphiFormat *format, const char *path, const AmphiSnapshot *s,
                        AmphiNotes *notes)
{
    const AmphiWhere where   = { path, 0 };
    const uint32_t   missing = format->needs & ~amphi_snapshot_has(s);

    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        char which[128];
        if ((missing & parts[k].bit) == 0)
            continue;
        list_formats(parts[k].bit, false, which, sizeof which);
        amphi_note(notes, CONVERT_MISSING, where, format->name, parts[k].name,
                   s->path == NULL ? "the system" : s->path, which);
    }
    if (missing != 0)
        return false;
    if (format->bead_name_width > 0 && s->bead_name == NULL)
        amphi_note(notes, CONVERT_NAMES_MADE, where, s->path == NULL ? "the system" : s->path);
    check_names(format, path, s, false, notes);
    check_names(format, path, s, true, notes);
    return true;
}
