/* What the three files of the LAMMPS data format share: the state of the reader, its rows, and the
 * writer.
 */
#ifndef AMPHI_ENGINE_FORMATS_LAMMPS_H
#define AMPHI_ENGINE_FORMATS_LAMMPS_H

#include "lines.h"
#include "snapshot.h"

/* What the header counts. */
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
    bool           has_edge[3];
    int64_t        section_line[N_SECTIONS]; /* 0: not yet read */
    int64_t        row;                      /* of the present section, from 0 */
    LammpsBead    *bead;                     /* [n_beads], sorted by id once Atoms is read */
    int64_t       *mass_line;                /* [n_types] where it was given, 0: nowhere */
    int64_t       *velocity_line;            /* [n_beads] the same */
    const char    *section, *columns;        /* of the present section */
} LammpsReader;

/* One line of a section, as words. */
typedef void LammpsRow(LammpsReader *r, const AmphiSlice *word, int32_t n);

LammpsRow amphi_lammps_mass, amphi_lammps_bead, amphi_lammps_velocity, amphi_lammps_bond,
    amphi_lammps_angle, amphi_lammps_coefficients;

/* n words as numbers; false with a note when one is none. */
bool amphi_lammps_numbers(LammpsReader *r, const AmphiSlice *word, int32_t n, const char *what,
                          double *value);

/* Needs positions, box, types, charges, masses, and dipoles as vectors or as strengths with
 * orientations. */
AmphiStatus amphi_lammps_write(const char *path, const AmphiSnapshot *snapshot, AmphiError *err);

#endif
