/* CHK, amphi's own checkpoint: a snapshot in exact bits. Little endian throughout.
 *
 *   byte  type    what
 *      0  8 char  "AMPHICHK"
 *      8  u32     format version, 1
 *     12  u32     layout, 1: arrays in the order of the file's beads, reals are IEEE doubles
 *     16  16 char version of the amphi that wrote it, zeros behind
 *     32  u32     precision of the run (AmphiPrecision)
 *     36  u32     number of sections
 *     40  i64     beads, bonds, angles, bead types: four numbers
 *     72  i64     step
 *     80  f64     time, ps
 *     88  f64     box edges, nm: three numbers; all zero: no box
 *    112  u64     hash of the bead types' names: XXH3-64 of section typename; 0: none
 *    120  u64     physics hash of the job
 *    128          sections, each: 8 char name, i64 bytes of its data, data, zeros up to a multiple
 *                 of 8. Which there are, and their shapes, is the table below: reals are f64,
 *                 whole numbers i32, names 24 char with a zero at the end. A section stands once.
 *                 The section `run` is as long as it says: what a run keeps beside the snapshot.
 *     -16  2 u64  XXH3-128 of everything before: low half, high half
 */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#define XXH_STATIC_LINKING_ONLY /* a hash state without a heap */
#include <xxhash.h>

#include "../version.h"
#include "formats.h"
#include "lines.h"
#include "sink.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are written as they lie");

enum {
    FORMAT_VERSION = 1,
    LAYOUT         = 1,
    HEADER_BYTES   = 128,
    FRONT_BYTES    = 16, /* of a section: its name and length */
    TRAILER_BYTES  = 16,
    PIECE          = 1 << 16,
    MOST_PRECISION = 2 /* AMPHI_FIXED */
};

static const char magic[8] = { 'A', 'M', 'P', 'H', 'I', 'C', 'H', 'K' };

typedef struct {
    char     magic[8];
    uint32_t version, layout;
    char     amphi[16];
    uint32_t precision, n_sections;
    int64_t  n_beads, n_bonds, n_angles, n_types, step;
    double   time_ps, box_nm[3];
    uint64_t names_hash, physics_hash;
} Header;

_Static_assert(sizeof(Header) == HEADER_BYTES, "no padding: the header is written as it lies");

typedef enum { REALS, WHOLES, NAMES, BYTES } Element;
typedef enum { OF_BEADS, OF_BONDS, OF_ANGLES, OF_TYPES, OF_RUN } Owner;

static const int64_t element_bytes[] = { sizeof(double), sizeof(int32_t), sizeof(AmphiName), 1 };

/* THE LIST of sections; each is an array of the snapshot. */
typedef struct {
    char    name[9];
    size_t  place; /* of the pointer in AmphiSnapshot */
    int32_t columns;
    Element element;
    Owner   owner;
} Section;

#define PLACE(member) offsetof(AmphiSnapshot, member)

static const Section sections[] = {
    { "position", PLACE(position_nm), 3, REALS, OF_BEADS },
    { "orient", PLACE(orientation), 4, REALS, OF_BEADS },
    { "velocity", PLACE(velocity_nm_ps), 3, REALS, OF_BEADS },
    { "spin", PLACE(spin_u_nm2_ps), 3, REALS, OF_BEADS },
    { "type", PLACE(type), 1, WHOLES, OF_BEADS },
    { "charge", PLACE(charge_e), 1, REALS, OF_BEADS },
    { "dipole", PLACE(dipole_strength_e_nm), 1, REALS, OF_BEADS },
    { "mass", PLACE(mass_u), 1, REALS, OF_BEADS },
    { "molecule", PLACE(molecule), 1, WHOLES, OF_BEADS },
    { "beadname", PLACE(bead_name), 1, NAMES, OF_BEADS },
    { "molname", PLACE(molecule_name), 1, NAMES, OF_BEADS },
    { "bond", PLACE(bond), 3, WHOLES, OF_BONDS },
    { "angle", PLACE(angle), 4, WHOLES, OF_ANGLES },
    { "typename", PLACE(type_name), 1, NAMES, OF_TYPES },
    { "typemass", PLACE(type_mass_u), 1, REALS, OF_TYPES },
    { "inertia", PLACE(type_inertia_u_nm2), 3, REALS, OF_TYPES },
    { "run", PLACE(run), 1, BYTES, OF_RUN },
};

enum { N_SECTIONS = (int)(sizeof sections / sizeof *sections) };

static const void *array_of(const AmphiSnapshot *s, const Section *section)
{
    const void *array = NULL;

    memcpy(&array, (const char *)s + section->place, sizeof array);
    return array;
}

static int64_t rows_of(const AmphiSnapshot *s, const Section *section)
{
    const int64_t n[] = { s->n_beads, s->n_bonds, s->n_angles, s->n_types, s->n_run_bytes };

    return n[section->owner];
}

static int64_t bytes_of(const AmphiSnapshot *s, const Section *section)
{
    return rows_of(s, section) * section->columns * element_bytes[section->element];
}

static int64_t padded(int64_t n)
{
    return (n + 7) / 8 * 8;
}

static uint64_t hash_names(const AmphiSnapshot *s)
{
    if (s->type_name == NULL)
        return 0;
    return XXH3_64bits(s->type_name, (size_t)s->n_types * sizeof *s->type_name);
}

/* ---- reading ---- */

typedef struct {
    const char *path;
    FILE       *file;
    int64_t     n_bytes; /* without the trailer */
    Header      header;
    AmphiNotes *notes;
} Reader;

#define refuse(r, id, ...)                                                                         \
    (amphi_note((r)->notes, id, ((AmphiWhere){ (r)->path, 0 }), __VA_ARGS__), false)

static bool refuse_section(const Reader *r, int64_t at, const char *name, const char *why)
{
    return refuse(r, CHK_SECTION, amphi_digits(at).text, name, why);
}

/* The next bytes of the file, of which n_bytes say that they are there. */
static bool get(const Reader *r, void *bytes, int64_t n)
{
    if (fread(bytes, 1, (size_t)n, r->file) == (size_t)n)
        return true;
    return refuse(r, FILE_MISSING, r->path,
                  ferror(r->file) ? strerror(errno) : "it became shorter while it was read");
}

static bool go_to(const Reader *r, int64_t at)
{
    return fseeko(r->file, at, SEEK_SET) == 0 || refuse(r, FILE_MISSING, r->path, strerror(errno));
}

/* Of the whole file, before any of it is believed or takes memory. */
static bool check_sum(const Reader *r)
{
    XXH3_state_t hash;
    char         piece[PIECE];
    uint64_t     trailer[2];

    if (!go_to(r, 0))
        return false;
    XXH3_128bits_reset(&hash);
    for (int64_t left = r->n_bytes; left > 0; left -= PIECE) {
        const int64_t n = left < PIECE ? left : PIECE;

        if (!get(r, piece, n))
            return false;
        XXH3_128bits_update(&hash, piece, (size_t)n);
    }
    if (!get(r, trailer, sizeof trailer))
        return false;

    const XXH128_hash_t sum = XXH3_128bits_digest(&hash);
    if (trailer[0] != sum.low64 || trailer[1] != sum.high64)
        return refuse(r, CHK_CHECKSUM, "");
    return go_to(r, HEADER_BYTES);
}

/* Checks magic, version and checksum, in this order, so that each fault has its own message. */
static bool check_file(Reader *r, int64_t n_bytes)
{
    const int64_t least = HEADER_BYTES + TRAILER_BYTES;

    if (!get(r, &r->header, n_bytes < HEADER_BYTES ? n_bytes : HEADER_BYTES))
        return false;
    if (memcmp(r->header.magic, magic, sizeof magic) != 0)
        return refuse(r, CHK_MAGIC, "");
    if (n_bytes < least)
        return refuse(r, CHK_CUT, amphi_digits(n_bytes).text, amphi_digits(least).text);
    r->n_bytes                                  = n_bytes - TRAILER_BYTES;
    r->header.amphi[sizeof r->header.amphi - 1] = '\0';
    if (r->header.version != FORMAT_VERSION || r->header.layout != LAYOUT)
        return refuse(r, CHK_VERSION, amphi_digits(r->header.version).text,
                      amphi_digits(r->header.layout).text, amphi_digits(FORMAT_VERSION).text,
                      amphi_digits(LAYOUT).text, r->header.amphi);
    return check_sum(r);
}

static bool is_count(int64_t n, int64_t n_bytes, int64_t least_bytes)
{
    return n >= 0 && n <= INT32_MAX && n <= n_bytes / least_bytes;
}

/* The counts against the bytes that must hold them: 24 for a position, 12 a bond, 16 an angle, 8
 * for what is least known of a type. */
static bool read_header(const Reader *r, AmphiSnapshot *s, AmphiArena *arena)
{
    const Header *const h        = &r->header;
    const double *const b        = h->box_nm;
    const bool          is_empty = b[0] == 0 && b[1] == 0 && b[2] == 0;

    if (h->n_beads == 0)
        return refuse(r, FORMAT_NO_BEADS, "");
    if (!is_count(h->n_beads, r->n_bytes, 24) || !is_count(h->n_bonds, r->n_bytes, 12) ||
        !is_count(h->n_angles, r->n_bytes, 16) || !is_count(h->n_types, r->n_bytes, 8))
        return refuse_section(r, 40, "header", "a count is more than the file can hold");
    if (h->precision > MOST_PRECISION || !isfinite(h->time_ps))
        return refuse_section(r, 32, "header", "precision or time is out of range");
    for (int k = 0; k < 3; k++)
        if (!isfinite(b[k]) || (!is_empty && b[k] <= 0))
            return refuse_section(r, 88, "header", "a box edge is not above zero");
    s->n_beads      = (int32_t)h->n_beads;
    s->n_bonds      = (int32_t)h->n_bonds;
    s->n_angles     = (int32_t)h->n_angles;
    s->n_types      = (int32_t)h->n_types;
    s->step         = h->step;
    s->time_ps      = h->time_ps;
    s->has_box      = !is_empty;
    s->precision    = (int32_t)h->precision;
    s->physics_hash = h->physics_hash;
    s->version      = amphi_arena_text(arena, h->amphi);
    memcpy(s->box_nm, b, sizeof s->box_nm);
    return true;
}

static const Section *find_section(const char name[8])
{
    for (int k = 0; k < N_SECTIONS; k++)
        if (strncmp(sections[k].name, name, 8) == 0)
            return &sections[k];
    return NULL;
}

/* Reads a section's data; the padding behind it is zeros, so that equal states are equal files. */
static bool read_section(const Reader *r, int64_t *at, AmphiSnapshot *s, AmphiArena *arena)
{
    char    name[9] = "", zeros[8];
    int64_t n       = 0;

    if (r->n_bytes - *at < FRONT_BYTES)
        return refuse_section(r, *at, "", "the file ends before its last section");
    if (!get(r, name, 8) || !get(r, &n, sizeof n))
        return false;

    const Section *const section = find_section(name);
    if (section == NULL)
        return refuse_section(r, *at, name, "no section of that name is known");
    if (array_of(s, section) != NULL)
        return refuse_section(r, *at, name, "it stands twice");
    if (section->owner == OF_RUN && n > 0 && n <= r->n_bytes)
        s->n_run_bytes = n;
    if (n != bytes_of(s, section) || padded(n) > r->n_bytes - *at - FRONT_BYTES)
        return refuse_section(r, *at, name, "its length does not fit the counts of the header");

    void *const array = amphi_arena_take(arena, n, 1);
    if (array == NULL || !get(r, array, n) || !get(r, zeros, padded(n) - n))
        return false;
    memcpy((char *)s + section->place, &array, sizeof array);
    *at += FRONT_BYTES + padded(n);
    return true;
}

static bool are_finite(const double *value, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        if (!isfinite(value[k]))
            return false;
    return true;
}

/* Closed by a zero, no control characters. */
static bool are_names(const AmphiName *name, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        size_t length = 0;
        while (length < sizeof name->text && name[k].text[length] != '\0') {
            const unsigned char byte = (unsigned char)name[k].text[length++];
            if (byte < 0x20 || byte == 0x7F)
                return false;
        }
        if (length == sizeof name->text)
            return false;
    }
    return true;
}

/* Columns from, from + 1, ... of rows lie in [least, most]. */
static bool are_within(const int32_t *value, int64_t n_rows, int32_t columns, int32_t from,
                       int32_t least, int32_t most)
{
    for (int64_t k = 0; value != NULL && k < n_rows; k++)
        for (int32_t c = from; c < columns; c++)
            if (value[k * columns + c] < least || value[k * columns + c] > most)
                return false;
    return true;
}

/* Unit within the rounding of single precision, which is the loosest state there is. */
static bool are_unit(const double (*q)[4], int64_t n)
{
    for (int64_t k = 0; q != NULL && k < n; k++) {
        const double norm2 =
            q[k][0] * q[k][0] + q[k][1] * q[k][1] + q[k][2] * q[k][2] + q[k][3] * q[k][3];
        if (!(fabs(norm2 - 1) < 1e-5))
            return false;
    }
    return true;
}

static bool check_values(const Reader *r, const AmphiSnapshot *s)
{
    for (int k = 0; k < N_SECTIONS; k++) {
        const Section *const section = &sections[k];
        const void *const    array   = array_of(s, section);
        const int64_t        n       = rows_of(s, section) * section->columns;

        if (array != NULL && section->element == REALS && !are_finite(array, n))
            return refuse_section(r, 0, section->name, "a value is not finite");
        if (array != NULL && section->element == NAMES && !are_names(array, n))
            return refuse_section(r, 0, section->name, "a name is not closed or not text");
    }
    if (s->bond != NULL && !are_within(s->bond[0], s->n_bonds, 3, 1, 0, s->n_beads - 1))
        return refuse_section(r, 0, "bond", "a bead number is out of range");
    if (s->angle != NULL && !are_within(s->angle[0], s->n_angles, 4, 1, 0, s->n_beads - 1))
        return refuse_section(r, 0, "angle", "a bead number is out of range");
    if (!are_within(s->type, s->n_beads, 1, 0, 1, s->n_types))
        return refuse_section(r, 0, "type", "a bead type is out of range");
    if (!are_unit((const double(*)[4])s->orientation, s->n_beads))
        return refuse_section(r, 0, "orient", "a quaternion is not of unit length");
    if (hash_names(s) != r->header.names_hash)
        return refuse_section(r, 112, "typename", "the hash of the type names does not hold");
    if (s->n_bonds > 0 && s->bond == NULL)
        return refuse_section(r, 0, "bond", "it is missing");
    if (s->n_angles > 0 && s->angle == NULL)
        return refuse_section(r, 0, "angle", "it is missing");
    if (s->position_nm == NULL)
        return refuse_section(r, 0, "position", "it is missing");
    return true;
}

static AmphiSnapshot *read_chk(const char *path, FILE *file, int64_t n_bytes, int64_t frame,
                               AmphiArena *arena, AmphiNotes *notes)
{
    Reader         r  = { .path = path, .file = file, .notes = notes };
    AmphiSnapshot *s  = AMPHI_TAKE(arena, AmphiSnapshot, 1);
    int64_t        at = HEADER_BYTES;

    if (s == NULL || !check_file(&r, n_bytes) || !read_header(&r, s, arena))
        return NULL;
    if (frame != 0 && frame != -1) {
        amphi_note(notes, FORMAT_FRAME, ((AmphiWhere){ path, 0 }), amphi_digits(frame).text, "1");
        return NULL;
    }
    s->path = amphi_arena_text(arena, path);
    for (uint32_t k = 0; k < r.header.n_sections; k++)
        if (!read_section(&r, &at, s, arena))
            return NULL;
    if (at != r.n_bytes) {
        refuse_section(&r, at, "", "bytes behind the last section");
        return NULL;
    }
    return check_values(&r, s) && !amphi_arena_failed(arena) ? s : NULL;
}

/* ---- writing ---- */

typedef struct {
    AmphiSink    sink;
    XXH3_state_t hash;
} Writer;

static void put(Writer *w, const void *bytes, int64_t n)
{
    amphi_sink_bytes(&w->sink, bytes, (size_t)n);
    XXH3_128bits_update(&w->hash, bytes, (size_t)n);
}

static void put_header(Writer *w, const AmphiSnapshot *s)
{
    Header h = { .version      = FORMAT_VERSION,
                 .layout       = LAYOUT,
                 .amphi        = AMPHI_VERSION,
                 .precision    = (uint32_t)s->precision,
                 .n_beads      = s->n_beads,
                 .n_bonds      = s->n_bonds,
                 .n_angles     = s->n_angles,
                 .n_types      = s->n_types,
                 .step         = s->step,
                 .time_ps      = s->time_ps,
                 .names_hash   = hash_names(s),
                 .physics_hash = s->physics_hash };

    memcpy(h.magic, magic, sizeof magic);
    if (s->has_box)
        memcpy(h.box_nm, s->box_nm, sizeof h.box_nm);
    for (int k = 0; k < N_SECTIONS; k++)
        h.n_sections += array_of(s, &sections[k]) != NULL;
    put(w, &h, sizeof h);
}

static void put_section(Writer *w, const AmphiSnapshot *s, const Section *section)
{
    static const char zeros[8];
    const int64_t     n = bytes_of(s, section);

    put(w, section->name, 8);
    put(w, &n, sizeof n);
    put(w, array_of(s, section), n);
    put(w, zeros, padded(n) - n);
}

/* Reads the file back from the disk, before it is renamed, and compares its hash. */
static void verify(Writer *w, XXH128_hash_t expected)
{
    char   piece[PIECE];
    size_t got = 0;

    amphi_sink_sync(&w->sink);
    if (w->sink.fault.status != AMPHI_OK)
        return;
    XXH3_128bits_reset(&w->hash);
    rewind(w->sink.file);
    while ((got = fread(piece, 1, sizeof piece, w->sink.file)) > 0)
        XXH3_128bits_update(&w->hash, piece, got);
    if (ferror(w->sink.file) || !XXH128_isEqual(XXH3_128bits_digest(&w->hash), expected))
        amphi_sink_fail(&w->sink, AMPHI_BAD_FILE, "%s: reads back differently than written",
                        w->sink.path);
}

/* Refuses to write a state that is not valid. */
static AmphiStatus check_finite(const char *path, const AmphiSnapshot *s, AmphiError *err)
{
    for (int k = 0; k < N_SECTIONS; k++) {
        const Section *const section = &sections[k];
        const void *const    array   = array_of(s, section);

        if (array != NULL && section->element == REALS &&
            !are_finite(array, rows_of(s, section) * section->columns))
            return amphi_fail(err, AMPHI_BAD_INPUT, "%s: %s is not finite everywhere", path,
                              section->name);
    }
    return AMPHI_OK;
}

static AmphiStatus write_chk(const char *path, const AmphiSnapshot *s, AmphiError *err)
{
    Writer w;

    if (s->position_nm == NULL)
        return amphi_fail(err, AMPHI_BAD_INPUT, "%s: a checkpoint needs positions", path);
    AMPHI_TRY(check_finite(path, s, err));
    amphi_sink_open(&w.sink, path);
    XXH3_128bits_reset(&w.hash);
    put_header(&w, s);
    for (int k = 0; k < N_SECTIONS; k++)
        if (array_of(s, &sections[k]) != NULL)
            put_section(&w, s, &sections[k]);

    const XXH128_hash_t hash       = XXH3_128bits_digest(&w.hash);
    const uint64_t      trailer[2] = { hash.low64, hash.high64 };
    put(&w, trailer, sizeof trailer);
    verify(&w, XXH3_128bits_digest(&w.hash));
    return amphi_sink_close(&w.sink, err);
}

const AmphiFormat amphi_format_chk = {
    .name   = "chk",
    .ending = ".chk",
    .holds  = AMPHI_HAS_POSITIONS | AMPHI_HAS_BOX | AMPHI_HAS_NAMES | AMPHI_HAS_VELOCITIES |
             AMPHI_HAS_TYPES | AMPHI_HAS_CHARGES | AMPHI_HAS_MASSES | AMPHI_HAS_BONDS |
             AMPHI_HAS_DIPOLES | AMPHI_HAS_ORIENTATIONS,
    .needs       = AMPHI_HAS_POSITIONS | AMPHI_HAS_BOX | AMPHI_HAS_TYPES | AMPHI_HAS_ORIENTATIONS,
    .read_pieces = read_chk,
    .write       = write_chk,
};
