/* Bytes in memory or of a file. */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool amphi_source_open(AmphiSource *s, const char *path, AmphiWhere from, AmphiNotes *notes)
{
    struct stat about;

    *s      = (AmphiSource){ .path = path };
    s->file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (s->file < 0 || fstat(s->file, &about) != 0)
        amphi_note(notes, FILE_MISSING, from, path, strerror(errno));
    else if (!S_ISREG(about.st_mode))
        amphi_note(notes, FILE_MISSING, from, path, "not a regular file");
    else {
        s->n_bytes = about.st_size;
        return true;
    }
    amphi_source_close(s);
    return false;
}

void amphi_source_close(AmphiSource *s)
{
    if (s->bytes == NULL && s->path != NULL && s->file >= 0)
        close(s->file);
    *s = (AmphiSource){ .file = -1 };
}

bool amphi_source_fetch(const AmphiSource *s, int64_t at, void *out, int64_t n)
{
    if (at < 0 || n < 0 || at > s->n_bytes - n)
        return false;
    if (s->bytes != NULL) {
        memcpy(out, s->bytes + at, (size_t)n);
        return true;
    }
    for (int64_t done = 0; done < n;) {
        const ssize_t got = pread(s->file, (char *)out + done, (size_t)(n - done), at + done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += got;
    }
    return true;
}
