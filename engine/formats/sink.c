/* Files, written whole or not at all. */
#include "sink.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../text.h"

bool amphi_temporary_path(const char *path, char temporary[AMPHI_PATH_SIZE])
{
    const int length = snprintf(temporary, AMPHI_PATH_SIZE, "%s.tmp", path);

    return length > 0 && length < AMPHI_PATH_SIZE;
}

FILE *amphi_create_file(const char *path)
{
    if (unlink(path) != 0 && errno != ENOENT)
        return NULL;

    const int handle = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (handle < 0)
        return NULL;

    FILE *const file = fdopen(handle, "w+b");
    if (file == NULL)
        close(handle);
    return file;
}

AmphiStatus amphi_sync_folder(const char *folder, AmphiError *err)
{
    const int handle = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* file systems that cannot synchronise a folder say EINVAL */
    const bool is_lost = handle < 0 || (fsync(handle) != 0 && errno != EINVAL);
    const int  fault   = errno;

    if (handle >= 0)
        close(handle);
    return is_lost ? amphi_fail(err, AMPHI_BAD_FILE, "%s: %s", folder, strerror(fault)) : AMPHI_OK;
}

/* The one that a file is in. */
static AmphiStatus sync_folder_of(const char *path, AmphiError *err)
{
    const char *const slash = strrchr(path, '/');
    char              folder[AMPHI_PATH_SIZE];

    if (slash == NULL)
        return amphi_sync_folder(".", err);
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path + 1), path);
    return amphi_sync_folder(folder, err);
}

/* Does the path lead to a stream of this process or to a link of the system, whatever is behind it
 * just now? /dev/stdout, /proc/self/fd/1, and a link to either. Not /dev/shm, where files lie. */
static bool is_of_the_system(const char *path)
{
    enum { MOST_LINKS = 40 }; /* as many as the kernel follows */
    char at[AMPHI_PATH_SIZE], next[AMPHI_PATH_SIZE], folder[PATH_MAX];

    snprintf(at, sizeof at, "%s", path);
    for (int k = 0; k < MOST_LINKS; k++) {
        const char *const slash = strrchr(at, '/');

        snprintf(next, sizeof next, "%.*s", slash == NULL ? 1 : (int)(slash - at + 1),
                 slash == NULL ? "." : at);
        if (realpath(next, folder) == NULL)
            return false; /* what cannot be reached fails by itself */
        if (strcmp(folder, "/dev") == 0 || strncmp(folder, "/proc/", 6) == 0)
            return true;

        const ssize_t n = readlink(at, next, sizeof next - 1);
        if (n < 0)
            return false; /* no link */
        next[n]          = '\0';
        const int length = next[0] == '/' ? snprintf(at, sizeof at, "%s", next)
                                          : snprintf(at, sizeof at, "%s/%s", folder, next);
        if (length >= (int)sizeof at)
            return false;
    }
    return false;
}

/* A rename would put a file in the place of a device, a pipe or a stream, for every program of the
 * machine if it may: /dev/null, /dev/stdout. */
static bool can_be_replaced(const char *path)
{
    struct stat about;

    return !is_of_the_system(path) &&
           (stat(path, &about) != 0 || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode));
}

AmphiStatus amphi_rename_file(const char *from, const char *to, AmphiError *err)
{
    if (!can_be_replaced(to))
        return amphi_fail(err, AMPHI_BAD_FILE, "%s: not a regular file", to);
    if (rename(from, to) != 0)
        return amphi_fail(err, AMPHI_BAD_FILE, "%s: %s", to, strerror(errno));
    return sync_folder_of(to, err);
}

static void fail_by_errno(AmphiSink *sink)
{
    amphi_sink_fail(sink, AMPHI_BAD_FILE, "%s: %s", sink->path, strerror(errno));
}

void amphi_sink_open(AmphiSink *sink, const char *path)
{
    *sink = (AmphiSink){ .path = path };
    if (!amphi_temporary_path(path, sink->temporary)) {
        amphi_sink_fail(sink, AMPHI_BAD_FILE, "%.100s...: the path is too long", path);
        return;
    }
    sink->file = amphi_create_file(sink->temporary);
    if (sink->file == NULL)
        fail_by_errno(sink);
}

void amphi_sink_fail(AmphiSink *sink, AmphiStatus status, const char *form, ...)
{
    char    text[sizeof sink->fault.text];
    va_list values;

    if (sink->fault.status != AMPHI_OK)
        return;
    va_start(values, form);
    vsnprintf(text, sizeof text, form, values);
    va_end(values);
    amphi_fail(&sink->fault, status, "%s", text);
}

void amphi_sink_bytes(AmphiSink *sink, const void *bytes, size_t n)
{
    if (sink->fault.status == AMPHI_OK && n > 0 && fwrite(bytes, 1, n, sink->file) != n)
        fail_by_errno(sink);
}

static void print_values(AmphiSink *sink, const char *form, va_list values)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);

    if (plain == (locale_t)0) {
        fail_by_errno(sink);
        return;
    }
    const locale_t before = uselocale(plain);
    const int      n      = vfprintf(sink->file, form, values);
    const int      fault  = errno;

    uselocale(before);
    freelocale(plain);
    errno = fault;
    if (n < 0)
        fail_by_errno(sink);
}

void amphi_sink_print(AmphiSink *sink, const char *form, ...)
{
    va_list values;

    if (sink->fault.status != AMPHI_OK)
        return;
    va_start(values, form);
    print_values(sink, form, values);
    va_end(values);
}

void amphi_sink_text(AmphiSink *sink, const char *text)
{
    for (; text != NULL && *text != '\0'; text++) {
        const unsigned char byte = (unsigned char)*text;
        amphi_sink_bytes(sink, byte < 0x20 || byte == 0x7F ? " " : text, 1);
    }
}

static const char *owner_of(int64_t bead, char text[32])
{
    text[0] = '\0';
    if (bead >= 0)
        snprintf(text, 32, " of bead %lld", (long long)bead + 1);
    return text;
}

void amphi_sink_fixed(AmphiSink *sink, double value, int width, int decimals, const char *what,
                      int64_t bead)
{
    char      owner[32], text[64];
    const int n = amphi_text_print(text, sizeof text, "%*.*f", width, decimals, value);

    if (!isfinite(value))
        amphi_sink_fail(sink, AMPHI_BAD_INPUT, "%s: %s%s is not finite", sink->path, what,
                        owner_of(bead, owner));
    else if (n > width)
        amphi_sink_fail(sink, AMPHI_BAD_INPUT,
                        "%s: %s%s is %.6g, too large for the %d columns of this format", sink->path,
                        what, owner_of(bead, owner), value, width);
    else if (n < 0)
        fail_by_errno(sink);
    else
        amphi_sink_bytes(sink, text, (size_t)n);
}

void amphi_sink_sync(AmphiSink *sink)
{
    if (sink->fault.status != AMPHI_OK)
        return;
    if (fflush(sink->file) != 0 || fsync(fileno(sink->file)) != 0)
        fail_by_errno(sink);
}

AmphiStatus amphi_sink_close(AmphiSink *sink, AmphiError *err)
{
    amphi_sink_sync(sink);
    if (sink->file != NULL && fclose(sink->file) != 0)
        fail_by_errno(sink);
    if (sink->fault.status != AMPHI_OK) {
        if (sink->file != NULL)
            unlink(sink->temporary);
        return amphi_fail(err, sink->fault.status, "%s", sink->fault.text);
    }

    const AmphiStatus status = amphi_rename_file(sink->temporary, sink->path, err);
    if (status != AMPHI_OK)
        unlink(sink->temporary);
    return status;
}
