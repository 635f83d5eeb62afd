/* Files that grow with a run and can be cut back to a checkpoint.
 *
 * Each knows its length and a running XXH3-128 of everything in it. A checkpoint stores both for
 * every file; on resume a file that is at least as long and has the recorded hash up to there is cut
 * to the recorded length, anything else is an error and is left untouched. Every write is checked.
 */
#ifndef AMPHI_ENGINE_OUTFILE_H
#define AMPHI_ENGINE_OUTFILE_H

#include <stddef.h>

#include "error.h"

typedef struct AmphiOutfile  AmphiOutfile;
typedef struct AmphiOutfiles AmphiOutfiles; /* all files of a run */

/* What a checkpoint keeps of a file. */
typedef struct {
    char     name[64]; /* in the run directory */
    uint64_t length, hash[2];
} AmphiOutfileMark;

/* NULL when there is no memory. dir is copied. */
AmphiOutfiles *amphi_outfiles_new(const char *dir);
void           amphi_outfiles_free(AmphiOutfiles *files); /* closes those that are open */

/* Opens dir/name to write at its end: new (it must not exist, or be empty), or, when `marks` has it,
 * cut back to its mark. Nothing is cut before the first write or sync, so that all files of a run
 * are looked at before one is touched. AMPHI_BAD_FILE says which file and why. A run that saves
 * itself between opening its files and writing to them may be killed at any time. */
AmphiStatus amphi_outfile_open(AmphiOutfiles *files, const char *name,
                               const AmphiOutfileMark *marks, int32_t n_marks, AmphiOutfile **out,
                               AmphiError *err);
/* The same for a file whose first head_bytes change as it grows: they are no part of the hash. */
AmphiStatus amphi_outfile_open_headed(AmphiOutfiles *files, const char *name, uint64_t head_bytes,
                                      const AmphiOutfileMark *marks, int32_t n_marks,
                                      AmphiOutfile **out, AmphiError *err);
/* A file that failed once fails ever after, its sync too. */
AmphiStatus amphi_outfile_write(AmphiOutfile *file, const void *bytes, size_t n, AmphiError *err);
/* In the C locale's form whatever the locale; a line goes to the file as a whole. */
AmphiStatus amphi_outfile_print(AmphiOutfile *file, AmphiError *err, const char *form, ...)
    __attribute__((format(printf, 3, 4)));
/* Replaces the first bytes, all head_bytes of them; they must have been written before. */
AmphiStatus amphi_outfile_write_head(AmphiOutfile *file, const void *bytes, AmphiError *err);
uint64_t    amphi_outfile_length(const AmphiOutfile *file);
/* Has it no byte yet, so that a heading is wanted? */
bool amphi_outfile_is_new(const AmphiOutfile *file);

/* Everything on the disk (fsync), and the marks of all files; the array is the caller's to
 * release. */
AmphiStatus amphi_outfiles_sync(AmphiOutfiles *files, AmphiOutfileMark **marks, int32_t *n,
                                AmphiError *err);

#endif
