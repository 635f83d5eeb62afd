/* Comparing amphi with other programs ("peers"): reading their files, writing job files, evaluating
 * a system with the reference backend, and measuring differences.
 *
 * The peer's data lie in ../shared/reference as seen from the repository (AMPHI_SHARED names
 * another `shared`). Everything allocated here ends with the process or by its own _free; a test
 * program stops at the first helper that cannot work.
 */
#ifndef AMPHI_VALIDATION_AGREE_COMPARE_H
#define AMPHI_VALIDATION_AGREE_COMPARE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../engine/backend.h"
#include "../../engine/job.h"

/* cmocka.h wants these in this order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Units of the peers in internal units. */
#define KCAL      4.184     /* kJ */
#define KCAL_A    41.84     /* kcal/mol/A in kJ/mol/nm */
#define LAMMPS_P  68568.415 /* kcal/mol/A^3 in atm, as LAMMPS has it */
#define PATH_SIZE 512

/* Finds reference/name of the peers' data and writes its path; false, with a line, when absent. */
bool peer_path(const char *name, char path[PATH_SIZE]);
/* Ends the test as skipped when the peer's data are absent. */
#define PEER_OR_SKIP(name, path)                                                                   \
    do {                                                                                           \
        if (!peer_path((name), (path)))                                                            \
            skip();                                                                                \
    } while (0)

/* A table of words: lines that do not begin with # and are not empty. */
enum { MAX_WORDS = 40, LINE_SIZE = 2048 };
typedef struct {
    FILE *file;
    bool  is_pipe;
    int   n_words;
    char *word[MAX_WORDS];
    char  line[LINE_SIZE];
} Table;

/* Opens folder/name, or folder/name.gz through zcat. */
Table *table_open(const char *folder, const char *name);
bool   table_next(Table *table);
double table_number(const Table *table, int column);
void   table_vector(const Table *table, int column, double v[3]);
void   table_close(Table *table);

/* Forces and torques of a peer's file, in ours; beads that are not listed are zero. */
typedef double (*Vectors)[3];
Vectors vectors_new(int64_t n);
/* Lines `id fx fy fz [tx ty tz]`; ids from first_id; torque may be NULL. */
void read_forces(const char *folder, const char *name, int32_t n, int32_t first_id, double unit_f,
                 double unit_t, Vectors force, Vectors torque);

/* The number at the end of a path of keys: json_number(text, "energy", "E_lj", NULL). */
char  *file_text(const char *folder, const char *name);
double json_number(const char *text, const char *key, ...);
/* The k-th number of an array. */
double json_element(const char *text, int k, const char *key, ...);

/* A temporary folder for job files; removed by folder_remove. */
void  folder_make(char path[PATH_SIZE]);
void  folder_remove(const char *path);
FILE *folder_create(const char *folder, const char *name);
void  folder_close(FILE *file);
void folder_unzip(const char *gz_folder, const char *gz_name, const char *folder, const char *name);

/* Under sanitizers, with BRIEF in the environment: membranes that have nothing but what others
 * have, and take a minute to build there. */
bool is_left_out(const char *job);

/* Loads folder/name; prints the notes and fails the test when it is refused. */
AmphiJob *job_of(const char *folder, const char *name);

/* One evaluation by the reference backend, copied out of it. */
typedef struct {
    double  energy[AMPHI_TERMS], virial[AMPHI_TERMS][3][3];
    int64_t count[AMPHI_TERMS];
    double  kinetic[3][3], rotation; /* kJ/mol; of translation: sum m v_a v_b / 2 */
    int32_t n_beads;
    Vectors force, torque;
} Evaluation;

Evaluation evaluate(const AmphiSystem *system);
void       evaluation_free(Evaluation *e);
double     total_energy(const Evaluation *e);
void       total_virial(const Evaluation *e, double w[3][3]);

/* A copy of the system in which only the terms of these slots act (bits 1 << AMPHI_LJ ...). */
AmphiSystem only_terms(const AmphiSystem *system, uint32_t slots, AmphiArena *arena);

/* Two beads of a job, put where a scan wants them. */
typedef struct {
    AmphiJob   *job;
    AmphiSystem system; /* the job's, with the arrays below */
    double      position[2][3], orientation[2][4], charge[2], dipole[2]; /* nm, e, e nm */
    double      velocity[2][3];
} Pair;

/* The pair keeps the job and frees it; the arrays start as the job has them. */
void pair_open(AmphiJob *job, Pair *pair);
void pair_close(Pair *pair);

/* A row of a scan as the peer has it, in our units; torques only with `has_torque`. */
typedef struct {
    double energy, force[2][3], torque[2][3];
    bool   has_torque;
} Row;

/* The largest differences of a scan so far, each relative to the value itself, or to the floor if
 * that is larger: where a value passes through zero, the rounding of its parts remains. */
typedef struct {
    double energy_floor, force_floor, torque_floor;
    double energy, force, torque;
    int    n_rows, n_torques; /* rows compared, and those with torques */
} Worst;

void pair_compare(const Pair *pair, const Row *row, Worst *worst);
bool worst_holds(const char *what, const Worst *worst, double bound);

/* |a - b| / |b|; the difference itself when b is zero. */
double relative(double a, double b);
/* Root of sum |a - b|^2 over sum |b|^2; not a number when b is zero everywhere. */
double relative_rms(const double (*a)[3], const double (*b)[3], int64_t n);
/* The largest |a - b| of six or nine components over the largest |b|. */
double relative_tensor(const double a[3][3], const double b[3][3], const bool has[3][3]);
/* Prints one line; false when reached is above the bound, or not a number. */
bool holds(const char *what, double reached, double bound);

#define HOLD(what, reached, bound) assert_true(holds((what), (reached), (bound)))

/* The unit quaternion of the shortest turn from z to the direction of v; 1 0 0 0 for v = 0. */
void   turn_to(const double v[3], double q[4]);
double length_of(const double v[3]);

#endif
