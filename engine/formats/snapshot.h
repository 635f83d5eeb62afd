/* A snapshot: the contents of a coordinate file in a form common to all formats.
 *
 * Arrays are [n_beads] in the order of the file (LAMMPS data: in the order of ids), NULL where the
 * format or the file has no such data. Units are internal. Positions are those of the file, not
 * wrapped; those of LAMMPS data are shifted so that the box begins at zero.
 */
#ifndef AMPHI_ENGINE_FORMATS_SNAPSHOT_H
#define AMPHI_ENGINE_FORMATS_SNAPSHOT_H

#include <stdio.h>

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
    int64_t     n_frames; /* of the file that this is one of; 0: not counted */
    bool        has_box;
    double      box_nm[3];
    int64_t     step;
    double      time_ps;
    double      xtc_per_nm;  /* XTC: positions are whole numbers over it; 0: of no such file */
    bool        has_no_step; /* DCD: `step` is the time over the length of a step, whatever else
                                the run did */

    AmphiName *bead_name, *molecule_name;
    int32_t   *type;     /* number in the file, from 1 (LAMMPS data, checkpoint) */
    int32_t   *molecule; /* number in the file */
    int64_t   *line;     /* line of the bead in the file, for messages */
    double (*position_nm)[3], (*velocity_nm_ps)[3];
    double (*dipole_e_nm)[3];             /* LAMMPS data: vectors in space */
    double (*angular_velocity_rad_ps)[3]; /* LAMMPS data: space frame */
    double (*orientation)[4];             /* checkpoint: unit quaternions, body to space */
    double (*spin_u_nm2_ps)[3];           /* angular momentum; of a checkpoint: body frame */
    double *charge_e, *mass_u, *diameter_nm;
    double *dipole_strength_e_nm; /* checkpoint: along body z */
    int32_t (*bond)[3];           /* [n_bonds] type in the file, beads from 0 */
    int32_t (*angle)[4];          /* [n_angles] type in the file, beads from 0 */

    /* by bead type, to which `type` refers from 1 */
    int32_t    n_types;
    AmphiName *type_name;            /* [n_types] */
    double    *type_mass_u;          /* [n_types] */
    double (*type_inertia_u_nm2)[3]; /* [n_types] body frame */

    /* checkpoint */
    int32_t              precision;    /* AmphiPrecision of the run that wrote it */
    uint64_t             physics_hash; /* of the job; 0: not known */
    const char          *version;      /* of the amphi that wrote it */
    const unsigned char *run;          /* [n_run_bytes] what a run continues from; NULL: none */
    int64_t              n_run_bytes;
} AmphiSnapshot;

/* Bits for what a snapshot has, what a format can hold, and what its writer requires. */
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

/* One format. A reader notes every fault with its line and returns NULL if there was one; it
 * compares counts and lengths with the size of the file before it relies on them. A writer replaces
 * the file in one rename, or on failure leaves it as it was: AMPHI_BAD_FILE if writing fails,
 * AMPHI_BAD_INPUT if something is missing, not finite, or too large for its columns. Names longer
 * than their columns are cut, of which amphi_format_check warns. */
typedef struct {
    const char *name;   /* "gro" */
    const char *ending; /* ".gro"; LAMMPS data: ".data", and "data.*" */
    uint32_t    holds, needs;
    int32_t     bead_name_width, molecule_name_width; /* bytes; 0: as many as AmphiName has */
    /* One of the two: of a file in memory, or of an open one at its beginning, which is read in
     * pieces and may be of any size. frame 0: the first; -1: the last. */
    AmphiSnapshot *(*read)(const char *path, const char *bytes, int64_t n_bytes, int64_t frame,
                           AmphiArena *arena, AmphiNotes *notes);
    AmphiSnapshot *(*read_pieces)(const char *path, FILE *file, int64_t n_bytes, int64_t frame,
                                  AmphiArena *arena, AmphiNotes *notes);
    AmphiStatus (*write)(const char *path, const AmphiSnapshot *snapshot, AmphiError *err);
} AmphiFormat;

/* By name, or by the extension of a path; NULL when unknown. */
const AmphiFormat *amphi_format_find(const char *name);
const AmphiFormat *amphi_format_of_path(const char *path);
const AmphiFormat *amphi_format_at(int32_t k); /* NULL behind the last */
bool               amphi_format_is_read(const AmphiFormat *format);

/* The format named, or that of the path when `name` is NULL; NULL with a note when unknown. */
const AmphiFormat *amphi_format_choose(const char *path, const char *name, AmphiWhere from,
                                       AmphiNotes *notes);

/* Can the snapshot be written in this format? Notes what is missing as errors, and names that will
 * be made up or cut as warnings. True when nothing is missing. */
bool amphi_format_check(const AmphiFormat *format, const char *path, const AmphiSnapshot *snapshot,
                        AmphiNotes *notes);

/* Reads a whole file of at most max_bytes, and adds a terminating zero; NULL with a note on
 * failure. Compressed files are not supported. */
char *amphi_file_read(const char *path, int64_t max_bytes, int64_t *n_bytes, AmphiArena *arena,
                      AmphiWhere from, AmphiNotes *notes);
/* Reads the first frame of a file, of at most 4 GiB where the format is not read in pieces. format
 * NULL: by the extension of the path. NULL with a note, or with a failed arena. PSF files have no
 * positions. */
AmphiSnapshot *amphi_snapshot_read(const char *path, const char *format, AmphiArena *arena,
                                   AmphiWhere from, AmphiNotes *notes);
AmphiSnapshot *amphi_snapshot_read_frame(const char *path, const char *format, int64_t frame,
                                         AmphiArena *arena, AmphiWhere from, AmphiNotes *notes);
/* What readers of trajectories begin with: a frame with room for its positions, all else zero.
 * NULL: no memory. */
AmphiSnapshot *amphi_snapshot_of_frame(const char *path, int64_t n_frames, int32_t n_beads,
                                       AmphiArena *arena);

/* A snapshot of a system at its start, with everything that it has. NULL when there is no
 * memory. */
AmphiSnapshot *amphi_snapshot_of_system(const AmphiSystem *system, AmphiArena *arena);

/* Makes molecules whole, as bonds join their beads, and puts each with the mean of its beads into
 * the box. False: no memory. */
bool amphi_snapshot_gather(AmphiSnapshot *snapshot, AmphiArena *arena);

/* The AMPHI_HAS_ bits of a snapshot. */
uint32_t amphi_snapshot_has(const AmphiSnapshot *snapshot);

/* What writers use where names are missing: bead names B1, B2, ... by type; molecules named MOL; a
 * molecule number of its own for each bead that is in none (0 in LAMMPS data). next_free is a
 * counter of the loop over beads, which sets it to 0 before. */
AmphiName amphi_snapshot_bead_name(const AmphiSnapshot *snapshot, int32_t bead);
AmphiName amphi_snapshot_molecule_name(const AmphiSnapshot *snapshot, int32_t bead);
int64_t   amphi_snapshot_molecule_number(const AmphiSnapshot *snapshot, int32_t bead,
                                         int64_t *next_free);

#endif
