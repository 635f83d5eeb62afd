/* The parts of physics.sh, each judged from the folder in which it ran. A missing run counts as
 * skipped.
 */
#ifndef AMPHI_VALIDATION_PHYSICS_CASES_H
#define AMPHI_VALIDATION_PHYSICS_CASES_H

#include "figures.h"

void judge_drift(Tally *tally, const char *folder);
void judge_gayberne(Tally *tally, const char *folder);
void judge_water(Tally *tally, const char *folder);
void judge_elba_water(Tally *tally, const char *folder);
void judge_dopc(Tally *tally, const char *folder);
void judge_b08o(Tally *tally, const char *folder);
void judge_b08o_parts(Tally *tally, const char *folder);
void judge_precisions(Tally *tally, const char *folder);
void judge_laws(Tally *tally, const char *folder);
void judge_tension(Tally *tally, const char *folder);
void judge_starts(Tally *tally, const char *folder);

/* FOLDER/PATH in one of four buffers. */
const char *path_in(const char *folder, const char *path);
/* FOLDER/PATH as a table; NULL and a line 'SKIPPED' under this name when there is none. */
Table *open_run(Tally *tally, const char *name, const char *folder, const char *path);
/* "NAME, WHAT", the name of a verdict, in one of four buffers. */
const char *called(const char *name, const char *what);
/* The mean of a column, with its error, over the rows with least <= key. */
Figure mean_of(const Table *table, const char *column, const char *key, double least);
/* A failure when the rows with least <= key span less than ps. */
void judge_length(Tally *tally, const char *name, const Table *table, const char *key, double least,
                  double ps);

/* From rdf.tsv with shells narrower than 0.01 nm: the middle of the shell of 0.01 nm, at `place` or
 * up to five of them away, whose height cannot be told from that of the highest (sign 1) or lowest
 * (-1) one; of several the nearest to `place`. nm. */
double water_extreme_shell(const Table *rdf, double place, int sign);

/* A run in NVE. Energies kJ/mol, times ps; per: kJ/mol/ps in kT/ns/dof. Degrees of freedom are the
 * program's: twice the kinetic energy over kT. */
typedef struct {
    Line    conserved, full; /* the conserved energy, and U + K_full of single steps */
    double  spacing_ps, per, kT_dof, kinetic_rms;
    double *total; /* [n] U + K_full */
    int64_t n;
} Nve;

Nve    nve_read(const Table *energy);
void   nve_free(Nve *nve);
Figure nve_slope(const Line *line, const Nve *nve); /* kT/ns/dof */
double nve_walk(const Nve *nve);                    /* kT/dof after 1 ns of walking */

#endif
