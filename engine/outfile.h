/* Files that are appended to during a run and can be truncated to a checkpoint.
 *
 * Of each file the length and a running XXH3-128 of its contents are known, and stored in every
 * checkpoint. A run that continues truncates a file to the recorded length if the hash up to there
 * is the recorded one; otherwise it fails and leaves the file as it is. Every write is checked.
 */
#ifndef AMPHI_ENGINE_OUTFILE_H
#define AMPHI_ENGINE_OUTFILE_H

#include <stddef.h>

#include "error.h"
#include "on_disk.h"

typedef struct AmphiOutfile  AmphiOutfile;
typedef struct AmphiOutfiles AmphiOutfiles; /* all files of a run */

/* What a checkpoint keeps of a file. */
typedef struct {
    char     name[64]; /* in the run directory */
    uint64_t length, hash[2];
} AmphiOutfileMark;

AMPHI_ON_DISK_AT(AmphiOutfileMark, length, 64);
AMPHI_ON_DISK_AT(AmphiOutfileMark, hash, 72);
AMPHI_ON_DISK(AmphiOutfileMark, 88);

/* NULL when there is no memory. dir is copied. */
AmphiOutfiles *amphi_outfiles_new(const char *dir);
/* Closes those that are open, and removes what was made and neither written nor synced. */
void amphi_outfiles_free(AmphiOutfiles *files);

/* Opens dir/name for appending: as a new file (it must not exist, or be empty), or, if it is among
 * `marks`, truncated to its mark. It is truncated only at the first write or sync, so that all
 * files of a run are verified before any is changed; a run that saves a checkpoint between the two
 * may be killed at any time. AMPHI_BAD_FILE: err says which file and why. */
AmphiStatus amphi_outfile_open(AmphiOutfiles *files, const char *name,
                               const AmphiOutfileMark *marks, int32_t n_marks, AmphiOutfile **out,
                               AmphiError *err);
/* The same for a file whose first head_bytes are rewritten as it grows; the hash leaves them
 * out. */
AmphiStatus amphi_outfile_open_headed(AmphiOutfiles *files, const char *name, uint64_t head_bytes,
                                      const AmphiOutfileMark *marks, int32_t n_marks,
                                      AmphiOutfile **out, AmphiError *err);
/* Appends bytes. After a failure every later write and sync of this file fails too. */
AmphiStatus amphi_outfile_write(AmphiOutfile *file, const void *bytes, size_t n, AmphiError *err);
/* Appends formatted text, with the decimal point of the C locale. Lines are written as a whole. */
AmphiStatus amphi_outfile_print(AmphiOutfile *file, AmphiError *err, const char *form, ...)
    __attribute__((format(printf, 3, 4)));
/* Replaces the first head_bytes, which must have been written before. */
AmphiStatus amphi_outfile_write_head(AmphiOutfile *file, const void *bytes, AmphiError *err);
uint64_t    amphi_outfile_length(const AmphiOutfile *file);
/* Is it empty, so that it needs a heading? */
bool amphi_outfile_is_new(const AmphiOutfile *file);

/* Was a file made here, of which no mark tells, that is neither written nor saved yet? */
bool amphi_outfiles_have_new(const AmphiOutfiles *files);
/* Cuts off what lies behind the marks that the files were opened with, where nothing has been
 * written since. */
AmphiStatus amphi_outfiles_cut(AmphiOutfiles *files, AmphiError *err);
/* Brings everything to the disk (fsync) and returns the marks of all files [*n], an array that the
 * caller releases with amphi_release. */
AmphiStatus amphi_outfiles_sync(AmphiOutfiles *files, AmphiOutfileMark **marks, int32_t *n,
                                AmphiError *err);

#endif
