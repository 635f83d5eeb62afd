/* Bonded terms in fixed precision: a thread a bond, as in bonded.cu; what it does to each bead is
 * rounded once, and sums are of whole numbers.
 *
 * Compiled without fused products, roots and quotients of IEEE.
 */
#include "bonded.h"
#include "fixed_sums.h"

#include "../forcefield/bond_fixed.h"

typedef struct {
    const double *box_nm;
} Images;

__device__ static inline void find_images(const View &v, Images *out)
{
    out->box_nm = v.ledger->box_nm;
}

__device__ static inline real3 between(const View &v, const Images &images, int32_t to,
                                       int32_t from)
{
    return bond_fixed_between(v.fixed.x[to], v.fixed.x[from], images.box_nm);
}

__device__ static inline real3 from_anchor(const View &v, const Images &images, int32_t i,
                                           const Bonds &bonds, int32_t restraint)
{
    return bond_fixed_from_anchor(v.fixed.x[i], bonds.anchor_nm[restraint], bonds.start_box_nm,
                                  images.box_nm);
}

__device__ static inline real3 axis_of(const View &v, const Images &, int32_t i)
{
    double q[4];

    fixed_show_orientation(v.fixed.q[i], q);
    return bond_fixed_axis(q);
}

__device__ static inline void put_forces(const View &v, const Bond *bond, int32_t n,
                                         const FixedBond *b)
{
#pragma unroll
    for (int m = 0; m < AMPHI_MAX_BOND_BEADS; m++) {
        const int32_t *f = b->force[m], *t = b->turn[m];

        if (m >= n)
            continue;
        *(int4 *)v.fixed.bond_force[bond->place[m]]  = make_int4(f[0], f[1], f[2], 0);
        *(int4 *)v.fixed.bond_torque[bond->place[m]] = make_int4(t[0], t[1], t[2], 0);
    }
}

template <SumsLevel LEVEL>
__launch_bounds__(BEAD_BLOCK) __global__ static void k_fixed_bonds(const View v, const Bonds bonds)
{
    const int32_t k         = (int32_t)(blockIdx.x * BEAD_BLOCK + threadIdx.x);
    int64_t       number[4] = { 0, 0, 0, 0 };

    wait_for_last();
    if (v.ledger->fault != 0)
        return;
    if (k < bonds.n) {
        const Evaluated e = evaluate<Images>(v, bonds, k);
        const FixedBond b = bond_fixed(&e.g, &e.b, e.n, v.fixed.coarse);

        raise_range(v, b.fault, bonds.bond[k].bead[0]);
        put_forces(v, &bonds.bond[k], e.n, &b);
        number[0] = LEVEL == QUICK ? b.energy : 0;
        for (int a = 0; a < 3; a++)
            number[1 + a] = b.virial[a];
    }
    if (LEVEL != NO_SUMS)
        add_to_row<4>(number, &v.fixed.bonds[blockIdx.x % FIXED_COPIES]);
    __threadfence(); /* a step reads this before it waits */
}

/* Bonds from `first` on, n of them, into the rows of their slot. */
__launch_bounds__(BEAD_BLOCK) __global__
    static void k_fixed_measure_bonds(const View v, const Bonds bonds, int32_t first, int32_t n,
                                      FixedRow *rows)
{
    const int32_t k                       = (int32_t)(blockIdx.x * BEAD_BLOCK + threadIdx.x);
    int64_t       number[FIXED_SUM_WIDTH] = {};

    if (v.ledger->fault != 0)
        return;
    if (k < n) {
        const Evaluated e     = evaluate<Images>(v, bonds, first + k);
        FixedFault      fault = FIXED_GOOD;

        number[TERM_ENERGY] = bond_fixed_energy((double)e.b.u, &fault);
        for (int c = 0; c < 9; c++)
            number[TERM_VIRIAL + c] =
                bond_fixed_energy(bond_fixed_virial(&e.g, &e.b, e.n, c / 3, c % 3), &fault);
        number[TERM_COUNT] = 1;
    }
    add_to_row<FIXED_SUM_WIDTH>(number, &rows[blockIdx.x % FIXED_COPIES]);
}

AmphiStatus AMPHI_T(bonded_compute)(Device *d, SumsLevel level, cudaStream_t stream,
                                    AmphiError *err)
{
    static BondKernel *const kernels[SUMS_LEVELS] = { k_fixed_bonds<NO_SUMS>,
                                                      k_fixed_bonds<VIRIALS>,
                                                      k_fixed_bonds<QUICK> };

    if (d->view.n_bond_blocks == 0)
        return AMPHI_OK;
    if (level != NO_SUMS)
        AMPHI_TRY(AMPHI_T(fixed_begin_sums)(d->view.fixed.bonds, level, stream, err));
    return launch_bonds(d, kernels[level], stream, err);
}

AmphiStatus AMPHI_T(bonded_measure)(Device *d, AmphiError *err)
{
    for (int32_t slot = AMPHI_BOND; slot < AMPHI_TERMS; slot++)
        AMPHI_TRY(launch_measure(d, slot, d->view.fixed.term + slot * FIXED_COPIES,
                                 k_fixed_measure_bonds, err));
    k_fixed_put_terms<<<AMPHI_TERMS - AMPHI_BOND, WARP, 0, d->stream>>>(d->view, AMPHI_BOND);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}
