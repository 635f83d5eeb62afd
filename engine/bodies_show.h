/* Bodies as a frame and as the bytes of a saved state, in one form for every backend. */
#ifndef AMPHI_ENGINE_BODIES_SHOW_H
#define AMPHI_ENGINE_BODIES_SHOW_H

#include "backend.h"
#include "bodies.h"
#include "on_disk.h"

/* The sums of one computation of forces. */
typedef struct {
    double  energy_kJ_mol[AMPHI_TERMS], virial_kJ_mol[AMPHI_TERMS][3][3];
    int64_t count[AMPHI_TERMS];                       /* pairs or bonds inside their cut-off */
    double  potential_kJ_mol, total_virial_kJ_mol[3]; /* of all terms; virial: the diagonal */
} AmphiSums;

/* Sets the totals to the sums of all terms. */
void amphi_sums_total(AmphiSums *sums);
/* Are the totals those of the terms? Of n_beads beads, in any precision: within 1e-4 of the sum of
 * the terms' magnitudes, to which each bead adds 1 kJ/mol. That is about a bar of the pressure
 * of a membrane; rounding is far below it. */
bool amphi_sums_agree(const AmphiSums *sums, int32_t n_beads);

/* Fills in a frame, which borrows the bodies' arrays. has: the AMPHI_NEED_ bits of what is up to
 * date. freedom: [thermostat groups], memory for degrees of freedom, borrowed as well. */
void amphi_bodies_show(const AmphiBodies *bodies, const AmphiSums *sums, uint32_t has,
                       int64_t (*freedom)[2], AmphiFrame *frame);

/* What a saved state begins with; behind it position, image, velocity, orientation, spin
 * (angular momentum) and anchor, [n] each, as AmphiBodies has them. */
typedef struct {
    int32_t n, n_limited;
    int64_t step, stage_step, conserved_count;
    double  stage_began_ps, time_ps, dt_ps, box_nm[3];
    double  heat, work, conserved_sum, step_length, last_potential, strain[3];
    double  due[AMPHI_MOVE_LAG][3];
} AmphiSavedNumbers;

AMPHI_ON_DISK_AT(AmphiSavedNumbers, n_limited, 4);
AMPHI_ON_DISK_AT(AmphiSavedNumbers, step, 8);
AMPHI_ON_DISK_AT(AmphiSavedNumbers, stage_step, 16);
AMPHI_ON_DISK_AT(AmphiSavedNumbers, conserved_count, 24);
AMPHI_ON_DISK_AT(AmphiSavedNumbers, stage_began_ps, 32);
AMPHI_ON_DISK_AT(AmphiSavedNumbers, time_ps, 40);
AMPHI_ON_DISK_AT(AmphiSavedNumbers, dt_ps, 48);
AMPHI_ON_DISK_AT(AmphiSavedNumbers, box_nm, 56);
AMPHI_ON_DISK_AT(AmphiSavedNumbers, heat, 80);
AMPHI_ON_DISK_AT(AmphiSavedNumbers, work, 88);
AMPHI_ON_DISK_AT(AmphiSavedNumbers, conserved_sum, 96);
AMPHI_ON_DISK_AT(AmphiSavedNumbers, step_length, 104);
AMPHI_ON_DISK_AT(AmphiSavedNumbers, last_potential, 112);
AMPHI_ON_DISK_AT(AmphiSavedNumbers, strain, 120);
AMPHI_ON_DISK_AT(AmphiSavedNumbers, due, 144);
AMPHI_ON_DISK(AmphiSavedNumbers, 192);

/* Appends numbers and arrays to the bytes; false when there is no memory. */
bool amphi_bodies_pack(const AmphiBodies *bodies, AmphiBytes *bytes);
/* Reads them back from *at, which it advances. The stage must have begun: this overwrites what
 * beginning it has set. False: the bytes are not of bodies of this system. */
bool amphi_bodies_unpack(AmphiBodies *bodies, const AmphiBytes *bytes, size_t *at);

/* What only some backends can read of a state stands behind the bodies under a name, and the others
 * pass over it: without it the state is whole, and other last bits may come out. Begin, add to the
 * bytes, end. False when there is no memory; *began is for the end. */
bool amphi_memory_begin(AmphiBytes *bytes, const char *name, size_t *began);
void amphi_memory_end(AmphiBytes *bytes, size_t began);
/* *is_there: a memory of this name follows, and *at moves on to its bytes, which are the last.
 * False when there are fewer or more than it says. */
bool amphi_memory_find(const AmphiBytes *bytes, const char *name, size_t *at, bool *is_there);

/* Bytes that grow; false when there is no memory. */
bool amphi_bytes_add(AmphiBytes *bytes, const void *from, size_t n);
/* The next n bytes, or false when there are fewer left; *at moves on. */
bool amphi_bytes_take(const AmphiBytes *bytes, size_t *at, void *to, size_t n);

#endif
