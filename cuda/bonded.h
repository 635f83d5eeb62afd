/* What the files of bonded terms share: the bonds of a system on the device, and the one formula of
 * each. bonded_plan.cu puts them there, bonded.cu and fixed_bonded.cu evaluate them.
 */
#ifndef AMPHI_CUDA_BONDED_H
#define AMPHI_CUDA_BONDED_H

#include "beside.h"
#include "state.h"

extern "C" {
#include "../engine/bond_blocks.h"
}

typedef struct __align__(16)
{
    int32_t rule, bead[AMPHI_MAX_BOND_BEADS], place[AMPHI_MAX_BOND_BEADS], spare;
}
Bond;

/* What kernels see; device memory. */
typedef struct {
    int32_t               n, first_restraint;
    const AmphiBondBlock *block;  /* [n_bond_blocks] if view.sums_bonds */
    const int32_t        *order;  /* [n] bonds by block, and by slot in each */
    const Bond           *bond;   /* [n] */
    const BondTerm       *term;   /* [n_bond_rules] */
    const double (*anchor_nm)[3]; /* [restraints] in the box of the start; they move with the box */
    double start_box_nm[3];
} Bonds;

/* A block of whole molecules has no more beads and no more bonds than threads, unless one molecule
 * has; and that has no more than so many, or others would wait for one. */
enum { MOST_OF_MOLECULE = 16 * BEAD_BLOCK };

struct BondedPlan {
    Bonds     bonds;
    int32_t   first[AMPHI_TERMS + 1]; /* bond of a slot */
    TermSums *part;                   /* of the blocks of each slot */
    double   *torn_nm;                /* [n_bond_rules] for look.cu */
};

static inline int32_t blocks_of_bonds(int32_t n_bonds)
{
    return (n_bonds + BEAD_BLOCK - 1) / BEAD_BLOCK;
}

/* Beads that the kind does not have: zeros. */
typedef struct {
    int32_t      n;
    BondGeometry g;
    BondResult   b;
} Evaluated;

/* All that a formula may want; what it does not read is not loaded. Images is the including file's,
 * with find_images(v, &images), and as real3: between(v, images, to bead, from bead),
 * from_anchor(v, images, bead, bonds, restraint) and axis_of(v, images, bead). */
template <class Images, int N_BEADS, int KIND>
__device__ __forceinline__ BondGeometry geometry_of(const View &v, const Bonds &bonds, int32_t k)
{
    const Bond   *bond  = &bonds.bond[k];
    const int32_t first = bond->bead[0];
    BondGeometry  g     = {};
    Images        images;

    find_images(v, &images);
#pragma unroll
    for (int m = 0; m < N_BEADS; m++) {
        if (m > 0)
            g.x[m] = between(v, images, bond->bead[m], first);
        g.u[m] = axis_of(v, images, bond->bead[m]);
    }
    if (bond_is_angle(KIND))
        g.x[2] = nearer_image(g.x[2], g.x[1], v.ledger->box_nm);
    if (KIND == BOND_position_restraint)
        g.x[0] = from_anchor(v, images, first, bonds, k - bonds.first_restraint);
    return g;
}

#define EVALUATE(name, slot, n_beads)                                                              \
    case BOND_##name:                                                                              \
        out.n = n_beads;                                                                           \
        out.g = geometry_of<Images, n_beads, BOND_##name>(v, bonds, k);                            \
        out.b = name(&term->as.name, &out.g);                                                      \
        break;

template <class Images>
__device__ __forceinline__ static Evaluated evaluate(const View &v, const Bonds &bonds, int32_t k)
{
    const BondTerm *term = &bonds.term[bonds.bond[k].rule];
    Evaluated       out  = {};

    switch (term->kind) {
        BOND_LIST(EVALUATE)
    default:
        break;
    }
    return out;
}

/* ---- launches ---- */

/* Begins beside the last blocks of the kernel before it, and waits for it first. */
typedef void BondKernel(const View, const Bonds);

static inline AmphiStatus launch_bonds(const Device *d, BondKernel *kernel, cudaStream_t stream,
                                       AmphiError *err)
{
    cudaLaunchAttribute      is_beside;
    const cudaLaunchConfig_t config = launch_beside(
        d->begins_early, (unsigned)d->view.n_bond_blocks, BEAD_BLOCK, stream, &is_beside);

    CUDA_TRY(cudaLaunchKernelEx(&config, kernel, d->view, d->bonded->bonds));
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

/* The bonds of one slot, and where their sums go: `to` is the including file's. */
template <class Sums>
static AmphiStatus launch_measure(const Device *d, int32_t slot, Sums *to,
                                  void (*kernel)(const View, const Bonds, int32_t, int32_t, Sums *),
                                  AmphiError *err)
{
    const struct BondedPlan *plan  = d->bonded;
    const int32_t            first = plan->first[slot], n = plan->first[slot + 1] - first;

    if (n == 0)
        return AMPHI_OK;
    kernel<<<(unsigned)blocks_of_bonds(n), BEAD_BLOCK, 0, d->stream>>>(d->view, plan->bonds, first,
                                                                       n, to);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

#endif
