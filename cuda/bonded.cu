/* Bonded terms: a thread a bond, in order of energy slots so that a warp evaluates one formula.
 * Each bead of a bond has a place of its own for its force; places of a bead lie side by side, in
 * the order of the file. In small systems a block has whole molecules, and adds up what their bonds
 * do to each of their beads; in others who moves the bead does. bonded_plan.cu says where.
 *
 * Nearest images come from positions in double; formulas are in the precision of the build.
 */
#include "../engine/num/roots.h"
#include "bonded.h"
#include "roles.h"
#include "totals.h"

/* ---- one bond ---- */

typedef struct {
    double edge[3], inv_edge[3];
} Images;

__device__ static inline void find_images(const View &v, Images *out)
{
    for (int a = 0; a < 3; a++) {
        out->edge[a]     = v.ledger->box_nm[a];
        out->inv_edge[a] = device_reciprocal(out->edge[a]);
    }
}

__device__ static inline real3 nearest_between(const Images &box, const double to[3],
                                               const double from[3])
{
    double d[3];

    for (int a = 0; a < 3; a++) {
        d[a] = to[a] - from[a];
        d[a] = fma(-box.edge[a], rint(d[a] * box.inv_edge[a]), d[a]);
    }
    return real3{ (real)d[0], (real)d[1], (real)d[2] };
}

__device__ static inline real3 between(const View &v, const Images &box, int32_t to, int32_t from)
{
    return nearest_between(box, v.position_nm[to], v.position_nm[from]);
}

__device__ static inline real3 from_anchor(const View &v, const Images &box, int32_t i,
                                           const Bonds &bonds, int32_t restraint)
{
    double anchor[3];

    for (int a = 0; a < 3; a++)
        anchor[a] = bonds.anchor_nm[restraint][a] * (v.ledger->box_nm[a] / bonds.start_box_nm[a]);
    return nearest_between(box, v.position_nm[i], anchor);
}

__device__ static inline real3 axis_of(const View &v, const Images &, int32_t i)
{
    const double *q = v.orientation[i];

    return real3{ (real)(2 * (q[1] * q[3] + q[0] * q[2])), (real)(2 * (q[2] * q[3] - q[0] * q[1])),
                  (real)(1 - 2 * (q[1] * q[1] + q[2] * q[2])) };
}

__device__ static inline void put_forces(const View &v, const Bond *bond, const Evaluated &e)
{
#pragma unroll
    for (int m = 0; m < AMPHI_MAX_BOND_BEADS; m++)
        if (m < e.n) {
            v.bond_force[bond->place[m]]  = Four{ e.b.f[m].x, e.b.f[m].y, e.b.f[m].z, 0 };
            v.bond_torque[bond->place[m]] = Four{ e.b.t[m].x, e.b.t[m].y, e.b.t[m].z, 0 };
        }
}

/* Potential and virial. */
__device__ static inline void add_bond_to(double sum[4], const Evaluated &e)
{
    sum[0] += e.b.u;
#pragma unroll
    for (int m = 0; m < AMPHI_MAX_BOND_BEADS; m++) {
        sum[1] = fma((double)e.g.x[m].x, (double)e.b.f[m].x, sum[1]);
        sum[2] = fma((double)e.g.x[m].y, (double)e.b.f[m].y, sum[2]);
        sum[3] = fma((double)e.g.x[m].z, (double)e.b.f[m].z, sum[3]);
    }
}

/* ---- whole molecules ---- */

/* By way of memory: what a block had of a processor's shared memory would divide its first cache
 * anew, and no block begins beside those of pairs, which divide it otherwise. */
template <SumsLevel LEVEL>
__launch_bounds__(BEAD_BLOCK) __global__
    static void k_bonds_of_molecules(const View v, const Bonds bonds)
{
    const AmphiBondBlock b      = bonds.block[blockIdx.x];
    double               sum[4] = { 0, 0, 0, 0 };

    wait_for_last();
    if (v.ledger->fault != 0)
        return;
    for (int32_t k = (int32_t)threadIdx.x; k < b.n_bonds; k += BEAD_BLOCK) {
        const int32_t   bond = bonds.order[b.first_bond + k];
        const Evaluated e    = evaluate<Images>(v, bonds, bond);

        put_forces(v, &bonds.bond[bond], e);
        if (LEVEL != NO_SUMS)
            add_bond_to(sum, e);
    }
    __syncthreads();
    for (int32_t k = (int32_t)threadIdx.x; k < b.n_beads; k += BEAD_BLOCK) {
        const int32_t i      = b.first_bead + k;
        double        all[6] = { 0, 0, 0, 0, 0, 0 };

        add_roles(v, load_roles(v, i), all);
        v.bond_force[i]  = Four{ (scalar)all[0], (scalar)all[1], (scalar)all[2], 0 };
        v.bond_torque[i] = Four{ (scalar)all[3], (scalar)all[4], (scalar)all[5], 0 };
    }
    if (LEVEL != NO_SUMS)
        put_quick_sums<BEAD_BLOCK, LEVEL>(sum, &v.bond_sums[blockIdx.x]);
    __threadfence(); /* a step reads this before it waits */
}

/* ---- bonds ---- */

template <SumsLevel LEVEL>
__launch_bounds__(BEAD_BLOCK) __global__ static void k_bonds(const View v, const Bonds bonds)
{
    const int32_t k      = (int32_t)(blockIdx.x * BEAD_BLOCK + threadIdx.x);
    double        sum[4] = { 0, 0, 0, 0 };

    wait_for_last();
    if (v.ledger->fault != 0)
        return;
    if (k < bonds.n) {
        const Evaluated e = evaluate<Images>(v, bonds, k);

        put_forces(v, &bonds.bond[k], e);
        if (LEVEL != NO_SUMS)
            add_bond_to(sum, e);
    }
    if (LEVEL != NO_SUMS)
        put_quick_sums<BEAD_BLOCK, LEVEL>(sum, &v.bond_sums[blockIdx.x]);
    __threadfence(); /* a step reads this before it waits */
}

__device__ static inline void add_bond(const Evaluated &e, TermSums *to)
{
    to->energy += e.b.u;
    to->count += 1;
#pragma unroll
    for (int m = 0; m < AMPHI_MAX_BOND_BEADS; m++) {
        const double x[3] = { e.g.x[m].x, e.g.x[m].y, e.g.x[m].z };
        const double f[3] = { e.b.f[m].x, e.b.f[m].y, e.b.f[m].z };

#pragma unroll
        for (int a = 0; a < 9; a++)
            to->virial[a] += x[a / 3] * f[a % 3];
    }
}

/* Bonds from `first` on, n of them. */
__launch_bounds__(BEAD_BLOCK) __global__
    static void k_measure_bonds(const View v, const Bonds bonds, int32_t first, int32_t n,
                                TermSums *part)
{
    const int32_t k    = (int32_t)(blockIdx.x * BEAD_BLOCK + threadIdx.x);
    TermSums      mine = {};

    if (v.ledger->fault != 0)
        return;
    if (k < n)
        add_bond(evaluate<Images>(v, bonds, first + k), &mine);
    put_term_sums<BEAD_BLOCK>(&mine, &part[blockIdx.x]);
}

AmphiStatus AMPHI_T(bonded_compute)(Device *d, SumsLevel level, cudaStream_t stream,
                                    AmphiError *err)
{
    static BondKernel *const kernels[2][SUMS_LEVELS] = {
        { k_bonds<NO_SUMS>, k_bonds<VIRIALS>, k_bonds<QUICK> },
        { k_bonds_of_molecules<NO_SUMS>, k_bonds_of_molecules<VIRIALS>,
          k_bonds_of_molecules<QUICK> }
    };

    if (d->view.n_bond_blocks == 0)
        return AMPHI_OK;
    return launch_bonds(d, kernels[d->view.sums_bonds != 0][level], stream, err);
}

AmphiStatus AMPHI_T(bonded_measure)(Device *d, AmphiError *err)
{
    enum { SLOTS = AMPHI_TERMS - AMPHI_BOND };
    const struct BondedPlan *plan  = d->bonded;
    SlotParts                parts = { plan->part };

    for (int32_t k = 0; k < SLOTS; k++) {
        const int32_t slot = AMPHI_BOND + k;
        const int32_t n    = blocks_of_bonds(plan->first[slot + 1] - plan->first[slot]);

        AMPHI_TRY(launch_measure(d, slot, plan->part + parts.first[k], k_measure_bonds, err));
        parts.first[k + 1] = parts.first[k] + n;
    }
    k_add_parts<<<SLOTS, SUM_BLOCK, 0, d->stream>>>(d->view, parts, &d->view.term[AMPHI_BOND]);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}
