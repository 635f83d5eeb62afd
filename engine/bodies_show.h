/* Bodies as others want them: as a frame, and as bytes. The same for every backend. */
#ifndef AMPHI_ENGINE_BODIES_SHOW_H
#define AMPHI_ENGINE_BODIES_SHOW_H

#include "backend.h"
#include "bodies.h"

/* Sums of one computation of forces. */
typedef struct {
    double  energy_kJ_mol[AMPHI_TERMS], virial_kJ_mol[AMPHI_TERMS][3][3];
    int64_t count[AMPHI_TERMS];                       /* pairs or bonds in range */
    double  potential_kJ_mol, total_virial_kJ_mol[3]; /* of all terms; the diagonal */
} AmphiSums;

/* The frame borrows the bodies' arrays. `has`: the AMPHI_NEED_ bits that hold for the present
 * positions. freedom[groups of the thermostat]: room for their degrees of freedom. */
void amphi_bodies_show(const AmphiBodies *bodies, const AmphiSums *sums, uint32_t has,
                       int64_t (*freedom)[2], AmphiFrame *frame);

/* What a saved state begins with; behind it position, image, velocity, orientation, spin and anchor,
 * [n] each, as AmphiBodies has them. */
typedef struct {
    int64_t n, step, stage_step, conserved_count;
    double  stage_began_ps, time_ps, dt_ps, box_nm[3];
    double  heat, work, conserved_sum, step_length, last_potential;
} AmphiSavedNumbers;

/* Adds numbers and arrays to the bytes; false when there is no memory. */
bool amphi_bodies_pack(const AmphiBodies *bodies, AmphiBytes *bytes);
/* And back; *at moves on. The stage must have begun: what was packed overwrites what its beginning
 * set. False when it was not packed from bodies of this system. */
bool amphi_bodies_unpack(AmphiBodies *bodies, const AmphiBytes *bytes, size_t *at);

/* What only some backends can read of a state stands behind the bodies under a name, and the others
 * pass over it: without it the state is whole, and other last bits may come out. Begin, add to the
 * bytes, end. False when there is no memory; *began is for the end. */
bool amphi_memory_begin(AmphiBytes *bytes, const char *name, size_t *began);
void amphi_memory_end(AmphiBytes *bytes, size_t began);
/* *is_there: a memory of this name follows, and *at moves on to its bytes, which are the last. False
 * when there are fewer or more than it says. */
bool amphi_memory_find(const AmphiBytes *bytes, const char *name, size_t *at, bool *is_there);

/* Bytes that grow; false when there is no memory. */
bool amphi_bytes_add(AmphiBytes *bytes, const void *from, size_t n);
/* The next n bytes, or false when there are fewer left; *at moves on. */
bool amphi_bytes_take(const AmphiBytes *bytes, size_t *at, void *to, size_t n);

#endif
