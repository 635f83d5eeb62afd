/* What the files of bonded terms share: the bonds of a system on the device. bonded_plan.cu puts them
 * there, bonded.cu and fixed_bonded.cu evaluate them.
 */
#ifndef AMPHI_CUDA_BONDED_H
#define AMPHI_CUDA_BONDED_H

#include "state.h"

typedef struct __align__(16)
{
    int32_t rule, bead[AMPHI_MAX_BOND_BEADS], place[AMPHI_MAX_BOND_BEADS], spare;
}
Bond;

/* What kernels see; device memory. */
typedef struct {
    int32_t         n, first_restraint;
    const Bond     *bond;         /* [n] */
    const BondTerm *term;         /* [n_bond_rules] */
    const double (*anchor_nm)[3]; /* [restraints] in the box of the start; they move with the box */
    double start_box_nm[3];
} Bonds;

struct BondedPlan {
    Bonds     bonds;
    int32_t   first[AMPHI_TERMS + 1]; /* bond of a slot */
    TermSums *part;                   /* [n_bond_blocks] */
};

static inline int32_t blocks_of_bonds(int32_t n_bonds)
{
    return (n_bonds + BEAD_BLOCK - 1) / BEAD_BLOCK;
}

#endif
