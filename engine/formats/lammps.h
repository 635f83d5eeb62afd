/* LAMMPS data files: what lammps.c, lammps_rows.c and lammps_write.c share. */
#ifndef AMPHI_ENGINE_FORMATS_LAMMPS_H
#define AMPHI_ENGINE_FORMATS_LAMMPS_H

#include "lines.h"
#include "snapshot.h"

/* The counts in the header. */
enum { ATOMS, BONDS, ANGLES, ATOM_TYPES, BOND_TYPES, ANGLE_TYPES, N_COUNTS };

/* The sections that are read. */
enum { MASSES, BOND_COEFFS, BEADS, VELOCITIES, BOND_LINES, ANGLE_LINES, N_SECTIONS };

typedef struct {
    int64_t id, line;
    int32_t type, molecule;
    double  x[3], charge, dipole[3], diameter;
} LammpsBead;

typedef struct {
    AmphiLines     lines;
    AmphiSnapshot *s;
    AmphiArena    *arena;
    int64_t        n[N_COUNTS], count_line[N_COUNTS];
    double         low[3], high[3];
    bool           has_edge[3], has_odd_line; /* odd: of the header, none that is known */
    int64_t        section_line[N_SECTIONS];  /* 0: not yet read */
    int64_t        row;                       /* of the present section, from 0 */
    LammpsBead    *bead;                      /* [n_beads], sorted by id once Atoms is read */
    int64_t       *mass_line;                 /* [n_types] line of its mass, 0: none yet */
    int64_t       *velocity_line;             /* [n_beads] the same */
    const char    *section, *columns;         /* of the present section */
} LammpsReader;

/* One line of a section, as words. */
typedef void LammpsRow(LammpsReader *r, const AmphiSlice *word, int32_t n);

LammpsRow amphi_lammps_mass, amphi_lammps_bead, amphi_lammps_velocity, amphi_lammps_bond,
    amphi_lammps_angle, amphi_lammps_coefficients;

/* Converts n words to numbers; false with a note when one of them is not a number. */
bool amphi_lammps_numbers(LammpsReader *r, const AmphiSlice *word, int32_t n, const char *what,
                          double *value);

/* Writes a snapshot, which must have positions, box, types, charges and masses, and dipoles either
 * as vectors or as strengths with orientations. */
AmphiStatus amphi_lammps_write(const char *path, const AmphiSnapshot *snapshot, AmphiError *err);

#endif
