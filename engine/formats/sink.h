/* Files that are written completely or not at all: to PATH.tmp, which is synchronised and renamed
 * to PATH at the end.
 *
 * A sink remembers its first failure, so that writers need to check only amphi_sink_close.
 */
#ifndef AMPHI_ENGINE_FORMATS_SINK_H
#define AMPHI_ENGINE_FORMATS_SINK_H

#include "../error.h"

enum { AMPHI_PATH_SIZE = 4096 };

typedef struct {
    FILE       *file;
    const char *path;
    AmphiError  fault; /* the first; status AMPHI_OK while there is none */
    char        temporary[AMPHI_PATH_SIZE];
} AmphiSink;

/* Opens PATH.tmp. path is borrowed until the sink is closed. */
void amphi_sink_open(AmphiSink *sink, const char *path);
void amphi_sink_bytes(AmphiSink *sink, const void *bytes, size_t n);
/* Formatted text, with the decimal point of the C locale. */
void amphi_sink_print(AmphiSink *sink, const char *form, ...) __attribute__((format(printf, 2, 3)));
/* Text from input as part of one line: control characters become blanks. NULL: nothing. */
void amphi_sink_text(AmphiSink *sink, const char *text);
/* A number in exactly `width` columns. If it does not fit or is not finite, the sink fails with a
 * message that names `what`, and the bead (from 0) unless it is below 0. width: below 64. */
void amphi_sink_fixed(AmphiSink *sink, double value, int width, int decimals, const char *what,
                      int64_t bead);
void amphi_sink_fail(AmphiSink *sink, AmphiStatus status, const char *form, ...)
    __attribute__((format(printf, 3, 4)));

/* Brings all bytes to the disk, still under the temporary name. Optional. */
void amphi_sink_sync(AmphiSink *sink);
/* Renames the file to PATH; or, after a failure, removes the temporary file and describes it. */
AmphiStatus amphi_sink_close(AmphiSink *sink, AmphiError *err);

/* Writes PATH.tmp to temporary; false when it is too long. */
bool amphi_temporary_path(const char *path, char temporary[AMPHI_PATH_SIZE]);
/* Creates a file for writing. An old file of that name is removed first, symbolic links are not
 * followed. NULL with errno. */
FILE *amphi_create_file(const char *path);
/* Makes sure that the names of a folder's files are on the disk: before that neither a new file nor
 * a rename is safe. AMPHI_BAD_FILE. */
AmphiStatus amphi_sync_folder(const char *folder, AmphiError *err);
/* Renames a file and synchronises its directory. AMPHI_BAD_FILE: it cannot, or `to` is a device or
 * a pipe, which stays. */
AmphiStatus amphi_rename_file(const char *from, const char *to, AmphiError *err);

#endif
