/* Files, written whole or not at all: into PATH.tmp, synchronised, and renamed over PATH.
 *
 * A sink keeps its first failure, so writers may go on and look once at the end.
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

/* Opens PATH.tmp; `path` stays the caller's until the end. */
void amphi_sink_open(AmphiSink *sink, const char *path);
void amphi_sink_bytes(AmphiSink *sink, const void *bytes, size_t n);
/* In the C locale's form whatever the locale. */
void amphi_sink_print(AmphiSink *sink, const char *form, ...) __attribute__((format(printf, 2, 3)));
/* Text from elsewhere as part of one line: control characters become blanks. NULL: nothing. */
void amphi_sink_text(AmphiSink *sink, const char *text);
/* A number in exactly so many columns; `what` and bead (from 0) name it when it does not fit or is
 * not finite. */
void amphi_sink_fixed(AmphiSink *sink, double value, int width, int decimals, const char *what,
                      int64_t bead);
void amphi_sink_fail(AmphiSink *sink, AmphiStatus status, const char *form, ...)
    __attribute__((format(printf, 3, 4)));

/* Brings all bytes to the disk, under the temporary name still. Optional, before the end. */
void amphi_sink_sync(AmphiSink *sink);
/* The end: the file stands under its name, or the temporary one is removed and err says why. */
AmphiStatus amphi_sink_close(AmphiSink *sink, AmphiError *err);

/* PATH.tmp; false when it is too long. */
bool amphi_temporary_path(const char *path, char temporary[AMPHI_PATH_SIZE]);
/* A new file for writing: an old one of that name is removed first, a link is not followed. NULL
 * with errno. */
FILE *amphi_create_file(const char *path);
/* Renames and synchronises the folder. */
AmphiStatus amphi_rename_file(const char *from, const char *to, AmphiError *err);

#endif
