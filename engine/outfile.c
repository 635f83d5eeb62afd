/* Files that are appended to during a run: every write is checked, hashed and counted. */
#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_STATIC_LINKING_ONLY /* a hash state without a heap */
#include <xxhash.h>

#include "arena.h"
#include "formats/sink.h"

enum { PIECE = 1 << 14 };

struct AmphiOutfile {
    XXH3_state_t   hash; /* first: it asks for 64-byte alignment */
    AmphiOutfiles *files;
    AmphiOutfile  *next;
    char           name[sizeof((AmphiOutfileMark *)0)->name];
    const char    *path;
    int            handle;    /* -1: not open */
    int            fault;     /* errno of the first failure; 0: none */
    bool           is_cut;    /* nothing lies behind length */
    bool           is_unused; /* made here, and neither written nor saved */
    uint64_t       length, head_bytes;
    char          *line; /* what was printed since the last line break */
    size_t         n_line, room;
};

struct AmphiOutfiles {
    AmphiArena   *arena;
    AmphiOutfile *first, **end;
    locale_t      plain; /* numbers in the C locale's form, whatever the program's */
    const char   *dir;
};

AmphiOutfiles *amphi_outfiles_new(const char *dir)
{
    AmphiArena *const    arena = amphi_arena_new();
    AmphiOutfiles *const files = arena == NULL ? NULL : AMPHI_TAKE(arena, AmphiOutfiles, 1);
    const locale_t       plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);

    if (files != NULL) {
        files->arena = arena;
        files->end   = &files->first;
        files->plain = plain;
        files->dir   = amphi_arena_text(arena, dir);
    }
    if (files != NULL && files->dir != NULL && plain != (locale_t)0)
        return files;
    if (plain != (locale_t)0)
        freelocale(plain);
    amphi_arena_free(arena);
    return NULL;
}

void amphi_outfiles_free(AmphiOutfiles *files)
{
    if (files == NULL)
        return;
    for (const AmphiOutfile *f = files->first; f != NULL; f = f->next) {
        close(f->handle);
        if (f->is_unused)
            unlink(f->path);
        amphi_release(f->line);
    }
    freelocale(files->plain);
    amphi_arena_free(files->arena);
}

static AmphiStatus fail(const AmphiOutfile *f, AmphiError *err, const char *why)
{
    return amphi_fail(err, AMPHI_BAD_FILE, "%s/%s: %s", f->files->dir, f->name, why);
}

/* Remembers the first failure: what follows it would leave a hole. */
static AmphiStatus fail_by_errno(AmphiOutfile *f, AmphiError *err)
{
    if (f->fault == 0)
        f->fault = errno != 0 ? errno : EIO;
    return fail(f, err, strerror(f->fault));
}

/* ---- opening ---- */

static AmphiStatus take_file(AmphiOutfiles *files, const char *name, AmphiOutfile **out,
                             AmphiError *err)
{
    AmphiOutfile *f = NULL;

    if (name[0] == '\0' || strlen(name) >= sizeof f->name || strchr(name, '/') != NULL)
        return amphi_fail(err, AMPHI_BAD_INPUT, "%.80s: no name for a file of a run", name);
    for (f = files->first; f != NULL; f = f->next)
        if (strcmp(f->name, name) == 0)
            return amphi_fail(err, AMPHI_BAD_INPUT, "%s/%s: two outputs write this file",
                              files->dir, name);
    f = AMPHI_TAKE(files->arena, AmphiOutfile, 1);
    if (f != NULL)
        f->path = amphi_arena_print(files->arena, "%s/%s", files->dir, name);
    if (f == NULL || f->path == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "%s: no memory", name);
    f->files  = files;
    f->handle = -1;
    memcpy(f->name, name, strlen(name) + 1);
    XXH3_128bits_reset(&f->hash);
    *out = f;
    return AMPHI_OK;
}

static int open_path(const AmphiOutfile *f, int flags)
{
    return open(f->path, flags | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0666);
}

static AmphiStatus measure(AmphiOutfile *f, uint64_t *size, AmphiError *err)
{
    struct stat about;

    if (fstat(f->handle, &about) != 0)
        return fail_by_errno(f, err);
    if (!S_ISREG(about.st_mode))
        return fail(f, err, "not a plain file");
    *size = (uint64_t)about.st_size;
    return AMPHI_OK;
}

static AmphiStatus open_new(AmphiOutfile *f, AmphiError *err)
{
    uint64_t size = 0;

    f->handle    = open_path(f, O_CREAT | O_EXCL);
    f->is_unused = f->handle >= 0;
    if (f->handle < 0 && errno == EEXIST)
        f->handle = open_path(f, 0);
    if (f->handle < 0)
        return fail_by_errno(f, err);
    AMPHI_TRY(measure(f, &size, err));
    if (size > 0)
        return fail(
            f, err,
            "it is there already, and no checkpoint knows it\n"
            "    move it away; or write: -o with a new directory, or --fresh to begin again");
    f->is_cut = true;
    return AMPHI_OK;
}

/* Up to n bytes from `at` on; fewer at the end of the file. */
static int64_t read_at(int handle, char *bytes, size_t n, uint64_t at)
{
    ssize_t got = 0;

    do
        got = pread(handle, bytes, n, (off_t)at);
    while (got < 0 && errno == EINTR);
    return got;
}

static AmphiStatus hash_file(AmphiOutfile *f, AmphiError *err)
{
    char piece[PIECE];

    for (uint64_t at = f->head_bytes; at < f->length;) {
        const uint64_t left = f->length - at;
        const int64_t  n    = read_at(f->handle, piece, left < PIECE ? left : PIECE, at);

        if (n < 0)
            return fail_by_errno(f, err);
        if (n == 0)
            return fail(f, err, "it became shorter while it was read");
        XXH3_128bits_update(&f->hash, piece, (size_t)n);
        at += (uint64_t)n;
    }
    return AMPHI_OK;
}

static bool has_hash(const AmphiOutfile *f, const AmphiOutfileMark *mark)
{
    const XXH128_hash_t hash = XXH3_128bits_digest(&f->hash);

    return hash.low64 == mark->hash[0] && hash.high64 == mark->hash[1];
}

#define PUT_BACK "\n    put it back as it was; or leave out of <output> what writes it"

static AmphiStatus open_marked(AmphiOutfile *f, const AmphiOutfileMark *mark, AmphiError *err)
{
    uint64_t size = 0;

    f->handle = open_path(f, 0);
    if (f->handle < 0 && errno == ENOENT)
        return fail(f, err, "it is not there, and the run so far has written to it" PUT_BACK);
    if (f->handle < 0)
        return fail_by_errno(f, err);
    AMPHI_TRY(measure(f, &size, err));
    if (size < mark->length)
        return amphi_fail(
            err, AMPHI_BAD_FILE,
            "%s/%s: %llu bytes, and the checkpoint knows %llu: it was cut or replaced" PUT_BACK,
            f->files->dir, f->name, (unsigned long long)size, (unsigned long long)mark->length);
    f->length = mark->length;
    AMPHI_TRY(hash_file(f, err));
    if (!has_hash(f, mark) || (f->length > 0 && f->length < f->head_bytes))
        return fail(f, err,
                    "not the bytes that the checkpoint knows: it was changed or replaced" PUT_BACK);
    f->is_cut = size == mark->length;
    return AMPHI_OK;
}

AmphiStatus amphi_outfile_open_headed(AmphiOutfiles *files, const char *name, uint64_t head_bytes,
                                      const AmphiOutfileMark *marks, int32_t n_marks,
                                      AmphiOutfile **out, AmphiError *err)
{
    const AmphiOutfileMark *mark = NULL;
    AmphiOutfile           *f    = NULL;

    *out = NULL;
    AMPHI_TRY(take_file(files, name, &f, err));
    f->head_bytes = head_bytes;
    for (int32_t k = 0; k < n_marks; k++)
        if (strncmp(marks[k].name, name, sizeof marks[k].name) == 0)
            mark = &marks[k];

    const AmphiStatus status = mark == NULL ? open_new(f, err) : open_marked(f, mark, err);
    if (status != AMPHI_OK) {
        if (f->handle >= 0)
            close(f->handle);
        return status;
    }
    *files->end = f;
    files->end  = &f->next;
    *out        = f;
    return AMPHI_OK;
}

AmphiStatus amphi_outfile_open(AmphiOutfiles *files, const char *name,
                               const AmphiOutfileMark *marks, int32_t n_marks, AmphiOutfile **out,
                               AmphiError *err)
{
    return amphi_outfile_open_headed(files, name, 0, marks, n_marks, out, err);
}

/* ---- writing ---- */

/* On a full disk a write may be incomplete; only the next one reports why. */
static bool write_at(int handle, const char *bytes, size_t n, uint64_t at)
{
    while (n > 0) {
        const ssize_t done = pwrite(handle, bytes, n, (off_t)at);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes += done;
        n -= (size_t)done;
        at += (uint64_t)done;
    }
    return true;
}

static AmphiStatus make_ready(AmphiOutfile *f, AmphiError *err)
{
    f->is_unused = false;
    if (f->fault != 0)
        return fail(f, err, strerror(f->fault));
    errno = 0;
    if (!f->is_cut && ftruncate(f->handle, (off_t)f->length) != 0)
        return fail_by_errno(f, err);
    f->is_cut = true;
    return AMPHI_OK;
}

static AmphiStatus append(AmphiOutfile *f, const char *bytes, size_t n, AmphiError *err)
{
    const uint64_t not_hashed = f->length < f->head_bytes ? f->head_bytes - f->length : 0;

    AMPHI_TRY(make_ready(f, err));
    if (!write_at(f->handle, bytes, n, f->length))
        return fail_by_errno(f, err);
    if (n > not_hashed)
        XXH3_128bits_update(&f->hash, bytes + not_hashed, n - not_hashed);
    f->length += n;
    return AMPHI_OK;
}

static AmphiStatus append_line(AmphiOutfile *f, AmphiError *err)
{
    const size_t n = f->n_line;

    f->n_line = 0;
    return n > 0 ? append(f, f->line, n, err) : AMPHI_OK;
}

AmphiStatus amphi_outfile_write(AmphiOutfile *f, const void *bytes, size_t n, AmphiError *err)
{
    AMPHI_TRY(append_line(f, err));
    return append(f, bytes, n, err);
}

AmphiStatus amphi_outfile_write_head(AmphiOutfile *f, const void *bytes, AmphiError *err)
{
    AMPHI_TRY(make_ready(f, err));
    if (f->length < f->head_bytes)
        return amphi_fail(err, AMPHI_DEFECT, "%s: its head was never written", f->name);
    return write_at(f->handle, bytes, f->head_bytes, 0) ? AMPHI_OK : fail_by_errno(f, err);
}

/* Formats behind what the line has, as far as there is room; how many bytes that takes. */
static int put_values(AmphiOutfile *f, const char *form, va_list values)
{
    const locale_t before = uselocale(f->files->plain);
    const size_t   left   = f->room - f->n_line;
    const int      n      = vsnprintf(left > 0 ? f->line + f->n_line : NULL, left, form, values);

    uselocale(before);
    return n;
}

static bool make_room(AmphiOutfile *f, int n)
{
    const size_t wanted = 2 * (f->n_line + (size_t)n + 1);
    char *const  line   = amphi_resize(f->line, (int64_t)wanted, 1);

    if (line == NULL)
        return false;
    f->line = line;
    f->room = wanted;
    return true;
}

AmphiStatus amphi_outfile_print(AmphiOutfile *f, AmphiError *err, const char *form, ...)
{
    va_list values;

    va_start(values, form);
    int n = put_values(f, form, values);
    va_end(values);
    if (n >= 0 && (size_t)n >= f->room - f->n_line) {
        if (!make_room(f, n))
            return amphi_fail(err, AMPHI_NO_MEMORY, "%s: no memory for a line", f->name);
        va_start(values, form);
        n = put_values(f, form, values);
        va_end(values);
    }
    if (n < 0)
        return fail_by_errno(f, err);
    f->n_line += (size_t)n;
    return f->n_line > 0 && f->line[f->n_line - 1] == '\n' ? append_line(f, err) : AMPHI_OK;
}

bool amphi_outfile_is_new(const AmphiOutfile *f)
{
    return f->length == 0 && f->n_line == 0;
}

uint64_t amphi_outfile_length(const AmphiOutfile *f)
{
    return f->length;
}

/* ---- checkpoints ---- */

static AmphiOutfileMark mark_of(const AmphiOutfile *f)
{
    const XXH128_hash_t hash = XXH3_128bits_digest(&f->hash);
    AmphiOutfileMark    mark = { .length = f->length, .hash = { hash.low64, hash.high64 } };

    memcpy(mark.name, f->name, sizeof mark.name);
    return mark;
}

bool amphi_outfiles_have_new(const AmphiOutfiles *files)
{
    for (const AmphiOutfile *f = files->first; f != NULL; f = f->next)
        if (f->is_unused)
            return true;
    return false;
}

AmphiStatus amphi_outfiles_cut(AmphiOutfiles *files, AmphiError *err)
{
    for (AmphiOutfile *f = files->first; f != NULL; f = f->next)
        if (!f->is_cut)
            AMPHI_TRY(make_ready(f, err));
    return AMPHI_OK;
}

AmphiStatus amphi_outfiles_sync(AmphiOutfiles *files, AmphiOutfileMark **marks, int32_t *n,
                                AmphiError *err)
{
    int32_t k = 0;

    *marks = NULL;
    *n     = 0;
    for (AmphiOutfile *f = files->first; f != NULL; f = f->next, k++) {
        AMPHI_TRY(make_ready(f, err));
        AMPHI_TRY(append_line(f, err));
        if (fsync(f->handle) != 0)
            return fail_by_errno(f, err);
    }
    AMPHI_TRY(amphi_sync_folder(files->dir, err)); /* of new files */

    AmphiOutfileMark *const all = amphi_alloc(k, sizeof *all);
    if (all == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "%s: no memory", files->dir);
    for (const AmphiOutfile *f = files->first; f != NULL; f = f->next)
        all[(*n)++] = mark_of(f);
    *marks = all;
    return AMPHI_OK;
}
