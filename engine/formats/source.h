/* Where binary formats are read from: bytes in memory, or a file on the disk, which may be larger
 * than memory.
 */
#ifndef AMPHI_ENGINE_FORMATS_SOURCE_H
#define AMPHI_ENGINE_FORMATS_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "../error.h"

typedef struct {
    const char *path;  /* for messages; borrowed */
    const char *bytes; /* borrowed; NULL: read from `file` */
    int         file;
    int64_t     n_bytes;
} AmphiSource;

static inline AmphiSource amphi_source_of_bytes(const char *path, const char *bytes,
                                                int64_t n_bytes)
{
    return (AmphiSource){ .path = path, .bytes = bytes, .file = -1, .n_bytes = n_bytes };
}

/* Opens a file on the disk, named at `from`. False with a note when it cannot be read, or is a
 * folder, a device or a pipe. */
bool amphi_source_open(AmphiSource *source, const char *path, AmphiWhere from, AmphiNotes *notes);
/* Also allowed on a zeroed one. */
void amphi_source_close(AmphiSource *source);
/* n bytes from `at` on, all or nothing. */
bool amphi_source_fetch(const AmphiSource *source, int64_t at, void *out, int64_t n);

#endif
