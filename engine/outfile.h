/* Files that grow with a run and can be cut back to a checkpoint.
 *
 * Each knows its length and a running XXH3-128 of everything in it. A checkpoint stores both for
 * every file; on resume a file that is at least as long and has the recorded hash up to there is cut
 * to the recorded length, anything else is an error and is left untouched. Every write is checked.
 */
#ifndef AMPHI_ENGINE_OUTFILE_H
#define AMPHI_ENGINE_OUTFILE_H

#include "error.h"

#include <stddef.h>

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

/* Opens dir/name to write at its end: new (it must not exist), or, when `marks` has it, cut back to
 * its mark. AMPHI_BAD_FILE says which file and why. */
AmphiStatus amphi_outfile_open(AmphiOutfiles *files, const char *name,
                               const AmphiOutfileMark *marks, int32_t n_marks, AmphiOutfile **out,
                               AmphiError *err);
AmphiStatus amphi_outfile_write(AmphiOutfile *file, const void *bytes, size_t n, AmphiError *err);
AmphiStatus amphi_outfile_print(AmphiOutfile *file, AmphiError *err, const char *form, ...)
    __attribute__((format(printf, 3, 4)));
/* Is it as it was when opened new: no byte written? */
bool amphi_outfile_is_new(const AmphiOutfile *file);

/* Everything on the disk (fsync), and the marks of all files; the array is the caller's to
 * release. */
AmphiStatus amphi_outfiles_sync(AmphiOutfiles *files, AmphiOutfileMark **marks, int32_t *n,
                                AmphiError *err);

#endif
