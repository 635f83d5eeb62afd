/* Jobs in a folder of their own, for tests: files are written, read by amphi_job_load, and removed.
 * Included behind cmocka.h.
 */
#ifndef AMPHI_VALIDATION_UNIT_JOB_FOLDER_H
#define AMPHI_VALIDATION_UNIT_JOB_FOLDER_H

#include <stdbool.h>
#include <stdint.h>

#include "../../engine/job.h"

/* What a reading gave; the notes are there in any case. */
typedef struct {
    AmphiJob   *job; /* NULL: refused */
    AmphiNotes *notes;
    AmphiError  err;
} JobReading;

/* A new empty folder below /tmp, and its removal with all files (no folders) in it. */
char *folder_make(void);
void  folder_remove(char *folder);
void  folder_write(const char *folder, const char *name, const void *bytes, int64_t n_bytes);
void  folder_write_text(const char *folder, const char *name, const char *text);
/* folder/name, in memory of its own that the next but seven calls uses again. */
const char *folder_path(const char *folder, const char *name);

/* Bytes of a file, closed by a zero; the caller frees them. */
char *file_bytes(const char *path, int64_t *n_bytes);

/* The folder with forcefield/ and systems/: AMPHI_DATA, or the present one. */
const char *data_folder(void);

/* Loads folder/name with the force fields of data_folder and 512 MB. */
JobReading read_job_file(const char *folder, const char *name);
/* Parses a text as /nowhere/job.xml. */
JobReading read_job_text(const char *text);
void       reading_free(JobReading *reading);

/* `text` with its only `from` made `to`; fails the test when there is not just one. The caller
 * frees it. */
char *replaced(const char *text, const char *from, const char *to);

/* The job that most tests change a little: two ions that are bonded and two dipoles. Its pieces
 * stand once each, a line an element. */
extern const char job_base[];
/* Reads it with its only `from` made `to`; fails the test, and prints why, when it is refused. */
JobReading read_changed(const char *from, const char *to);

/* Its <beads>, to be replaced by other starts. */
#define JOB_BEADS                                                                                  \
    "<beads length=\"nm\">\n"                                                                      \
    "ion 1  1.0 1 1  1 0 0 0\n"                                                                    \
    "cl  1  1.4 1 1  1 0 0 0\n"                                                                    \
    "dip 2  2.0 2 1  1 0 0 0\n"                                                                    \
    "dip 3  2.0 1 2  1 0 0 0\n"                                                                    \
    "</beads>\n"
#define JOB_BOX "<box x=\"3 nm\" y=\"3 nm\" z=\"3 nm\"/>\n"
#define JOB_MOLECULES                                                                              \
    "<molecule type=\"salt\" count=\"1\"/>\n"                                                      \
    "<molecule type=\"water\" count=\"2\"/>\n"

#endif
