/* A look at every bead and every bond, as the watch of a run does on the host (faults.h), without
 * waiting for the device: who reads a frame finds the fault.
 */
#include "bonded.h"
#include "read.h"

#include "../engine/fixed_motion.h"
#include "../forcefield/bond_fixed.h"

extern "C" {
#include "../engine/arena.h"
#include "../engine/faults.h"
}

/* ---- beads ---- */

__device__ static inline double norm4(const double q[4])
{
    return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

__device__ static inline bool is_wild_motion(const double u[3], const double q[4],
                                             double most_nm_ps)
{
    return u[0] * u[0] + u[1] * u[1] + u[2] * u[2] > most_nm_ps * most_nm_ps ||
           !(fabs(norm4(q) - 1) < AMPHI_MOST_STRETCH);
}

#ifdef AMPHI_BUILD_FIXED
/* Whole numbers are finite. */
__device__ static inline bool is_wild(const View &v, int32_t i, double most_nm_ps)
{
    double u[3], q[4];

    fixed_show_velocity(&v.mover[v.bead_type[i]], v.fixed.p[i], u);
    fixed_show_orientation(v.fixed.q[i], q);
    return is_wild_motion(u, q, most_nm_ps);
}
#else
__device__ static inline bool is_finite3(const double x[3])
{
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

__device__ static inline bool is_wild(const View &v, int32_t i, double most_nm_ps)
{
    const double *u = v.velocity_nm_ps[i], *q = v.orientation[i];
    const Four    f = v.pair_force[i], t = v.pair_torque[i];
    const double  force[3] = { f.x, f.y, f.z }, torque[3] = { t.x, t.y, t.z };

    return !is_finite3(v.position_nm[i]) || !is_finite3(u) || !is_finite3(v.spin_u_nm2_ps[i]) ||
           !is_finite3(q) || !isfinite(q[3]) || !is_finite3(force) || !is_finite3(torque) ||
           is_wild_motion(u, q, most_nm_ps);
}
#endif

/* Nothing is looked at behind another fault. */
__device__ static inline bool has_other_fault(const View &v, uint32_t fault)
{
    return (v.ledger->fault & ~fault) != 0;
}

__device__ static inline void raise(const View &v, uint32_t fault, int32_t bead)
{
    atomicOr(&v.ledger->fault, fault);
    atomicMin(&v.ledger->fault_bead, bead);
}

__global__ static void __launch_bounds__(BEAD_BLOCK)
    k_look_at_beads(const View v, double most_nm_ps)
{
    const int32_t i = (int32_t)(blockIdx.x * BEAD_BLOCK + threadIdx.x);

    if (!has_other_fault(v, FAULT_WILD) && i < v.n && is_wild(v, i, most_nm_ps))
        raise(v, FAULT_WILD, i);
}

/* ---- bonds ---- */

__device__ static inline double length_of(const View &v, const Bond &bond)
{
    const int32_t i = bond.bead[0], j = bond.bead[1];
#ifdef AMPHI_BUILD_FIXED
    const real3  between = bond_fixed_between(v.fixed.x[j], v.fixed.x[i], v.ledger->box_nm);
    const double d[3]    = { between.x, between.y, between.z };
#else
    double d[3];

    for (int a = 0; a < 3; a++) {
        d[a] = v.position_nm[j][a] - v.position_nm[i][a];
        d[a] -= v.ledger->box_nm[a] * rint(d[a] / v.ledger->box_nm[a]);
    }
#endif
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* Those of the slot of bonds, n from `first` on. */
__global__ static void __launch_bounds__(BEAD_BLOCK)
    k_look_at_bonds(const View v, const Bond *bond, int32_t n, const double *torn_nm)
{
    const int32_t k = (int32_t)(blockIdx.x * BEAD_BLOCK + threadIdx.x);

    if (!has_other_fault(v, FAULT_TORN) && k < n && length_of(v, bond[k]) > torn_nm[bond[k].rule])
        raise(v, FAULT_TORN, bond[k].bead[0]);
}

/* ---- host ---- */

AmphiStatus AMPHI_T(look_begin_stage)(Device *d, const AmphiStage *stage, AmphiError *err)
{
    const int32_t n       = d->system->n_bond_rules;
    double *const torn_nm = (double *)amphi_alloc(n + 1, sizeof *torn_nm);
    AmphiStatus   status;

    if (torn_nm == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d bonded terms", n);
    amphi_torn_lengths(d->system, stage, torn_nm);
    status =
        amphi_device_put(d->bonded->torn_nm, torn_nm, sizeof *torn_nm * (size_t)n, d->stream, err);
    amphi_release(torn_nm);
    return status;
}

static AmphiStatus look_at_bonds(const Device *d, AmphiError *err)
{
    const struct BondedPlan *plan  = d->bonded;
    const int32_t            first = plan->first[AMPHI_BOND];
    const int32_t            n     = plan->first[AMPHI_BOND + 1] - first;

    if (n == 0)
        return AMPHI_OK;
    k_look_at_bonds<<<(unsigned)blocks_of_bonds(n), BEAD_BLOCK, 0, d->stream>>>(
        d->view, plan->bonds.bond + first, n, plan->torn_nm);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(device_look)(Device *d, AmphiError *err)
{
    const AmphiStage *stage = d->mirror->stage;
    const double      dt_ps = stage != NULL ? d->view.stage.dt_ps : 0;
    const double      most  = dt_ps > 0 ? AMPHI_LONGEST_STEP_NM / dt_ps : (double)INFINITY;

    k_look_at_beads<<<(d->view.n + BEAD_BLOCK - 1) / BEAD_BLOCK, BEAD_BLOCK, 0, d->stream>>>(
        d->view, most);
    CUDA_TRY_LAUNCH();
    if (stage == NULL || stage->ensemble == AMPHI_MINIMISE)
        return AMPHI_OK;
    return look_at_bonds(d, err);
}
