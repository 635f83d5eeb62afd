/* Fixed precision on the device: whole numbers are the state, and every sum over beads, pairs or
 * bonds is a sum of whole numbers, by atomics where that is handy, because their order does not
 * matter.
 *
 * Sums that many blocks add to stand in several copies, so that blocks need not queue for one
 * address. Who reads them clears them, where no other reads; sums of kicks, which all blocks of a
 * drift read, stand twice: each drift clears those that the next kick adds to.
 */
#ifndef AMPHI_CUDA_FIXED_VIEW_H
#define AMPHI_CUDA_FIXED_VIEW_H

#include <stdint.h>

enum { FIXED_COPIES = 16, FIXED_SUM_WIDTH = 16 };

typedef struct __align__(128)
{
    int64_t x[FIXED_SUM_WIDTH];
}
FixedRow;

/* Part of every view; all NULL in other precisions. [n] in the order of the file; what no term of
 * the system has is NULL. */
typedef struct {
    uint64_t (*x)[3]; /* as engine/fixed_motion.h has them */
    int64_t (*p)[3], (*q)[4], (*l)[3];
    const double *dipole_e_nm; /* [n] */
    /* of pairs: FORCE; field on dipoles, FIELD; field on unit axes and torque of frames, TURN */
    int64_t (*force)[3], (*field)[3], (*turn)[3], (*torque)[3];
    int32_t (*bond_force)[4], (*bond_torque)[4]; /* [roles] FORCE, TURN, perhaps coarse; of three */
    int64_t (*whole_force)[3], (*whole_torque)[3]; /* FORCE, TORQUE: by motion_gather */
    FixedRow *pairs, *bonds;    /* [FIXED_COPIES] potential and virial; of pairs twice */
    FixedRow *kick;             /* [2][FIXED_COPIES][max_groups] */
    FixedRow *summed;           /* the same of whole steps, by View.at */
    int64_t (*summed_quick)[4]; /* [2] and what pairs and bonds had in them */
    FixedRow *drift;            /* [FIXED_COPIES][max_groups] */
    FixedRow *term;             /* [AMPHI_TERMS][FIXED_COPIES] */
    FixedRow *total;            /* [max_groups] of the kick in hand */
    double   *heat;             /* [max_groups] that its factors bring */
    int32_t  *turns; /* [2] which half of `kick` the next kick adds to, and the last one did */
    unsigned long long *out_of_range; /* the lowest bead << 32 | FixedFault, or NOTHING_OUT */
    FixedRow           *noise;        /* [2] copies of the heat of a step, by View.at */
    uint32_t           *arrived;      /* blocks of a drift or step with noise; 0 between steps */
    unsigned long long *most_pull;    /* of a descent, as bits; 0 between steps */
    uint64_t (*best_x)[3];            /* of a descent; NULL in other stages */
    int64_t (*best_q)[4];
    int64_t ticks;      /* of a step */
    int32_t coarse;     /* bits that pairs and bonds leave out */
    int32_t has_scaled; /* the move of the box in hand: the host's own */
    /* of the stage: axes (bits) by restraint and bead; k by restraint */
    int32_t        n_restraints;
    const uint8_t *restrained;
    const double  *k_kJ_mol_nm2;
} FixedView;

constexpr unsigned long long NOTHING_OUT = ~0ULL;

#endif
