/* What a coordinate file says, whatever its format: the common ground of readers and writers.
 *
 * Arrays are [n_beads], in file order (LAMMPS data: in the order of ids), NULL where the format or
 * the file is silent. Units are internal; positions as in the file, not wrapped; only LAMMPS data
 * are shifted, so that the box begins at zero.
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
    double *dipole_strength_e_nm; /* checkpoint: along body z */
    int32_t (*bond)[3];           /* [n_bonds] type in the file, beads from 0 */
    int32_t (*angle)[4];          /* [n_angles] type in the file, beads from 0 */

    /* by bead type; `type` counts along them from 1 */
    int32_t    n_types;
    AmphiName *type_name;            /* [n_types] */
    double    *type_mass_u;          /* [n_types] */
    double (*type_inertia_u_nm2)[3]; /* [n_types] body frame */

    /* checkpoint */
    int32_t              precision;    /* AmphiPrecision of the run that wrote it */
    uint64_t             physics_hash; /* of the job; 0: not told */
    const char          *version;      /* of the amphi that wrote it */
    const unsigned char *run;          /* [n_run_bytes] what a run needs to go on; NULL: none */
    int64_t              n_run_bytes;
} AmphiSnapshot;

/* What a snapshot has, what a format can hold, what its writer needs. */
enum {
    AMPHI_HAS_POSITIONS    = 1,
    AMPHI_HAS_BOX          = 2,
    AMPHI_HAS_NAMES        = 4,
    AMPHI_HAS_VELOCITIES   = 8,
    AMPHI_HAS_TYPES        = 16,
    AMPHI_HAS_CHARGES      = 32,
    AMPHI_HAS_MASSES       = 64,
    AMPHI_HAS_BONDS        = 128,
    AMPHI_HAS_DIPOLES      = 256,
    AMPHI_HAS_ORIENTATIONS = 512
};

/* One format. A reader notes every fault with its line and returns NULL when there was one; it
 * never trusts a count or length before it has compared it with the size of the file. A writer
 * replaces the file whole or leaves it as it was: AMPHI_BAD_FILE when a write fails,
 * AMPHI_BAD_INPUT when something is missing, not finite, or too large for its columns. Names that
 * are longer than their columns are cut; amphi_format_check says so before. */
typedef struct {
    const char *name;   /* "gro" */
    const char *ending; /* ".gro"; LAMMPS data: ".data", and "data.*" */
    uint32_t    holds, needs;
    int32_t     bead_name_width, molecule_name_width; /* bytes; 0: as many as AmphiName has */
    /* frame 0 is the first, -1 the last. */
    AmphiSnapshot *(*read)(const char *path, const char *bytes, int64_t n_bytes, int64_t frame,
                           AmphiArena *arena, AmphiNotes *notes);
    AmphiStatus (*write)(const char *path, const AmphiSnapshot *snapshot, AmphiError *err);
} AmphiFormat;

/* By name, or by the ending of a path; NULL when unknown. */
const AmphiFormat *amphi_format_find(const char *name);
const AmphiFormat *amphi_format_of_path(const char *path);
const AmphiFormat *amphi_format_at(int32_t k); /* NULL behind the last */

/* The format named, or that of the path when `name` is NULL; NULL with a note when unknown. */
const AmphiFormat *amphi_format_choose(const char *path, const char *name, AmphiWhere from,
                                       AmphiNotes *notes);

/* Can this be written to `path` in this format? Notes what is missing (errors), and which names
 * are made up or cut (warnings). True when nothing is missing. */
bool amphi_format_check(const AmphiFormat *format, const char *path, const AmphiSnapshot *snapshot,
                        AmphiNotes *notes);

/* Reads a whole file (gzip is not unpacked), at most max_bytes; NULL with a note when it cannot.
 * A zero byte stands behind the last. */
char *amphi_file_read(const char *path, int64_t max_bytes, int64_t *n_bytes, AmphiArena *arena,
                      AmphiWhere from, AmphiNotes *notes);
/* Finds the format (`format` NULL: by the ending), reads the file, and calls the reader for the
 * first frame. NULL with a note, or with a failed arena. Of PSF there are no positions. */
AmphiSnapshot *amphi_snapshot_read(const char *path, const char *format, AmphiArena *arena,
                                   AmphiWhere from, AmphiNotes *notes);
AmphiSnapshot *amphi_snapshot_read_frame(const char *path, const char *format, int64_t frame,
                                         AmphiArena *arena, AmphiWhere from, AmphiNotes *notes);

/* A checked system at its start, as a snapshot: names, strengths, bonds and all. NULL when there is
 * no memory. */
AmphiSnapshot *amphi_snapshot_of_system(const AmphiSystem *system, AmphiArena *arena);

/* The AMPHI_HAS_ bits of a snapshot. */
uint32_t amphi_snapshot_has(const AmphiSnapshot *snapshot);

/* What writers fall back on: bead names B1, B2 ... after the types, molecules called MOL, a number
 * of its own for each bead that is in no molecule (number 0 in LAMMPS data). `next_free` begins at
 * 0 and belongs to the loop over all beads. */
AmphiName amphi_snapshot_bead_name(const AmphiSnapshot *snapshot, int32_t bead);
AmphiName amphi_snapshot_molecule_name(const AmphiSnapshot *snapshot, int32_t bead);
int64_t   amphi_snapshot_molecule_number(const AmphiSnapshot *snapshot, int32_t bead,
                                         int64_t *next_free);

#endif
