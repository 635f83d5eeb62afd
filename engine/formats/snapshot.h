/* What a coordinate file says, whatever its format: the common ground of readers and writers.
 *
 * Arrays are [n_beads], in file order (LAMMPS data: in the order of ids), NULL where the format or
 * the file is silent. Units are internal; positions as in the file, not wrapped.
 */
#ifndef AMPHI_ENGINE_FORMATS_SNAPSHOT_H
#define AMPHI_ENGINE_FORMATS_SNAPSHOT_H

#include "../arena.h"
#include "../error.h"
#include "../system.h"

enum { AMPHI_NAME_SIZE = 24 };

typedef struct {
    char text[AMPHI_NAME_SIZE];
} AmphiName;

typedef struct {
    const char *path, *title;
    int32_t     n_beads, n_bonds, n_angles;
    bool        has_box;
    double      box_nm[3];
    int64_t     step;
    double      time_ps;

    AmphiName *bead_name, *molecule_name;
    int32_t   *type;     /* number in the file, from 1 (LAMMPS data, checkpoint) */
    int32_t   *molecule; /* number in the file */
    int64_t   *line;     /* where the bead stands, for messages */
    double (*position_nm)[3], (*velocity_nm_ps)[3];
    double (*dipole_e_nm)[3];             /* LAMMPS data: vectors in space */
    double (*angular_velocity_rad_ps)[3]; /* LAMMPS data: space frame */
    double (*orientation)[4];             /* checkpoint: unit quaternions, body to space */
    double (*spin_u_nm2_ps)[3];           /* checkpoint: body frame */
    double *charge_e, *mass_u, *diameter_nm;
    int32_t (*bond)[3];  /* [n_bonds] type in the file, beads from 0 */
    int32_t (*angle)[4]; /* [n_angles] type in the file, beads from 0 */
} AmphiSnapshot;

/* One format. read and write may be NULL. A reader notes every fault with its line and returns NULL
 * when the file cannot be used at all; it never trusts a count or length before it has compared it
 * with the size of the file. A writer returns AMPHI_BAD_FILE when a write fails. */
typedef struct {
    const char *name;   /* "gro" */
    const char *ending; /* ".gro"; LAMMPS data: ".data", and "data.*" */
    AmphiSnapshot *(*read)(const char *path, const char *bytes, int64_t n_bytes, AmphiArena *arena,
                           AmphiNotes *notes);
    AmphiStatus (*write)(const char *path, const AmphiSnapshot *snapshot, AmphiError *err);
} AmphiFormat;

/* By name, or by the ending of a path; NULL when unknown. */
const AmphiFormat *amphi_format_find(const char *name);
const AmphiFormat *amphi_format_of_path(const char *path);
const AmphiFormat *amphi_format_at(int32_t k); /* NULL behind the last */

/* Reads a whole file (gzip is not unpacked), at most max_bytes; NULL with a note when it cannot. */
char *amphi_file_read(const char *path, int64_t max_bytes, int64_t *n_bytes, AmphiArena *arena,
                      AmphiWhere from, AmphiNotes *notes);
/* Finds the format, reads the file, and calls the reader. */
AmphiSnapshot *amphi_snapshot_read(const char *path, const char *format, AmphiArena *arena,
                                   AmphiWhere from, AmphiNotes *notes);

/* A checked system at its start, as a snapshot: names, strengths, bonds and all. */
AmphiSnapshot *amphi_snapshot_of_system(const AmphiSystem *system, AmphiArena *arena);

#endif
