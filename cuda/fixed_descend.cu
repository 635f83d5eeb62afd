/* The whole force on each bead, for whoever looks, and steepest descent, in fixed precision: forces
 * and energies are whole numbers, the way downhill goes in double and is rounded, as on the host.
 *
 * Compiled without fused products, like fixed_motion.cu.
 */
#include "fixed_books.h"

/* ---- gather ---- */

/* The whole force, in whole numbers and as others read it. */
__device__ static inline void put_pull(const View &v, int32_t i, const FixedPull *pull)
{
    for (int a = 0; a < 3; a++) {
        v.fixed.whole_force[i][a]  = pull->f[a];
        v.fixed.whole_torque[i][a] = pull->t[a];
        v.force_kJ_mol_nm[i][a]    = (double)pull->f[a] * FIXED_UNIT(FORCE);
        v.torque_kJ_mol[i][a]      = (double)pull->t[a] * FIXED_UNIT(TORQUE);
    }
}

/* The same of bead i; energy and virial of restraints are added to quick (NULL: not wanted). */
__device__ static inline void find_pull(const View &v, int32_t i, int64_t *quick)
{
    int64_t q[4];

    load4(v.fixed.q[i], q);

    const FixedPull pull = fixed_whole_pull(v, i, q, quick);

    put_pull(v, i, &pull);
}

/* Energy and whole virial of the stage's restraints on a bead. */
__device__ static inline void measure_restraints(const View &v, int32_t i, int64_t *number)
{
    for (int32_t r = 0; r < v.fixed.n_restraints; r++) {
        double x[3], f[3], energy = 0;

        if (!fixed_restraint(v, r, i, x, f))
            continue;
        for (int a = 0; a < 3; a++)
            energy -= 0.5 * f[a] * x[a];
        number[TERM_ENERGY] += fixed_energy(energy);
        for (int k = 0; k < 9; k++)
            number[TERM_VIRIAL + k] += fixed_energy(x[k / 3] * f[k % 3]);
    }
}

static __global__ void __launch_bounds__(MOTION_BLOCK) k_fixed_gather(const View v, bool measures)
{
    const int32_t block = (int32_t)blockIdx.x, i = bead_of_thread(block);
    int64_t       number[FIXED_SUM_WIDTH] = {};

    if (v.ledger->fault != 0)
        return;
    if (block == 0 && threadIdx.x == 0)
        v.ledger->gathered = v.ledger->step + 1;
    if (i < v.n) {
        find_pull(v, i, NULL);
        if (measures)
            measure_restraints(v, i, number);
    }
    if (measures && v.fixed.n_restraints > 0)
        add_to_row<FIXED_SUM_WIDTH>(number, &v.fixed.drift[block % FIXED_COPIES * v.max_groups]);
}

/* Adds them to those of the system's own restraints. */
static __global__ void __launch_bounds__(MOTION_BLOCK) k_fixed_add_restraints(const View v)
{
    const int t    = (int)threadIdx.x;
    TermSums *term = &v.term[AMPHI_POSITION_RESTRAINT];

    if (v.ledger->fault != 0)
        return;
    if (t < TERM_COUNT)
        ((double *)term)[t] += fixed_energy_kJ_mol(total_of(v.fixed.drift, v.max_groups, t));
    __syncthreads();
    clear_rows(v.fixed.drift, FIXED_COPIES * v.max_groups);
}

AmphiStatus AMPHI_T(motion_gather)(Device *d, bool measures, AmphiError *err)
{
    k_fixed_gather<<<(unsigned)blocks_of_beads(d), MOTION_BLOCK, 0, d->stream>>>(d->view, measures);
    CUDA_TRY_LAUNCH();
    if (!measures || d->view.fixed.n_restraints == 0)
        return AMPHI_OK;
    k_fixed_add_restraints<<<1, MOTION_BLOCK, 0, d->stream>>>(d->view);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

/* ---- descent ---- */

/* A trial step out of range is no fault where there is a better place to go back to: judge takes it
 * for one of infinite energy. */
static __global__ void __launch_bounds__(WARP) k_fixed_forgive_trial(const View v)
{
    if (threadIdx.x == 0 && v.ledger->fault == FAULT_RANGE && v.ledger->has_best)
        v.ledger->fault = 0;
}

/* Forces, what restraints have of the potential, and the largest pull: a double that is not
 * negative is in order of its bits. */
static __global__ void __launch_bounds__(MOTION_BLOCK) k_fixed_pull(const View v)
{
    const int32_t block = (int32_t)blockIdx.x, i = bead_of_thread(block);
    int64_t       quick[QUICK_NUMBERS] = {};

    if (v.ledger->fault != 0)
        return;
    if (i < v.n) {
        find_pull(v, i, quick);
        atomicMax(v.fixed.most_pull,
                  (unsigned long long)__double_as_longlong(descend_pull(
                      &v.mover[v.bead_type[i]], v.force_kJ_mol_nm[i], v.torque_kJ_mol[i])));
    }
    add_to_row<QUICK_NUMBERS>(quick, &v.fixed.drift[block % FIXED_COPIES * v.max_groups]);
}

/* Judges the present place by its potential; says whether this was the last step. */
__device__ static inline void judge(const View &v)
{
    Ledger      *l         = v.ledger;
    const double pull      = __longlong_as_double((long long)*v.fixed.most_pull);
    const bool   is_out    = *v.fixed.out_of_range != NOTHING_OUT;
    const double potential = is_out ? HUGE_VAL : l->potential_kJ_mol;
    const bool   keeps =
        descend_keeps(l->has_best, potential, l->last_potential_kJ_mol, &l->step_length_nm);

    if (keeps) {
        l->has_best                = 1;
        l->last_potential_kJ_mol   = potential;
        l->largest_force_kJ_mol_nm = pull;
    }
    find_end(&v.stage, keeps, l);
    if (!is_out)
        return;
    l->potential_kJ_mol   = l->last_potential_kJ_mol;
    *v.fixed.out_of_range = NOTHING_OUT;
}

static __global__ void __launch_bounds__(MOTION_BLOCK) k_fixed_judge(const View v)
{
    if (v.ledger->fault != 0)
        return;
    if (threadIdx.x == 0) {
        int64_t quick[QUICK_NUMBERS];

        for (int k = 0; k < QUICK_NUMBERS; k++)
            quick[k] = quick_of(v, k) + total_of(v.fixed.drift, v.max_groups, k);
        put_quick(v, quick, QUICK);
        judge(v);
        *v.fixed.most_pull = 0;
    }
    __syncthreads();
    clear_rows(v.fixed.drift, FIXED_COPIES * v.max_groups);
    clear_quick(v);
}

template <class T> __device__ static inline void keep_array(bool back, int n, T *now, T *best)
{
    for (int k = 0; k < n; k++)
        (back ? now : best)[k] = (back ? best : now)[k];
}

/* One bead between its present and its best place. */
__device__ static inline void keep_bead(const View &v, const Best &best, int32_t i, bool back)
{
    if (back)
        fixed_carry_spin(&v.mover[v.bead_type[i]], v.fixed.q[i], v.fixed.best_q[i], v.fixed.l[i]);
    for (int a = 0; back && a < 3; a++)
        v.image[i][a] -= boxes_back((double)v.fixed.best_x[i][a], (double)v.fixed.x[i][a],
                                    FIXED_POWER(32) * FIXED_POWER(32));
    keep_array(back, 3, v.fixed.x[i], v.fixed.best_x[i]);
    keep_array(back, 4, v.fixed.q[i], v.fixed.best_q[i]);
    keep_array(back, 3, v.force_kJ_mol_nm[i], best.force_kJ_mol_nm[i]);
    keep_array(back, 3, v.torque_kJ_mol[i], best.torque_kJ_mol[i]);
}

/* In double, and to whole numbers again. */
__device__ static inline void move_downhill(const View &v, int32_t i, const double box_nm[3])
{
    const Ledger *l = v.ledger;
    const Mover  *m = &v.mover[v.bead_type[i]];
    double        x[3], q[4];
    int64_t       before[4];

    for (int a = 0; a < 3; a++)
        x[a] = fixed_place_nm(v.fixed.x[i][a], box_nm[a]);
    load4(v.fixed.q[i], before);
    fixed_show_orientation(before, q);
    descend_move(m, l->step_length_nm, l->largest_force_kJ_mol_nm, v.force_kJ_mol_nm[i],
                 v.torque_kJ_mol[i], x, q);
    amphi_wrap_body(box_nm, x, v.image[i]);
    for (int a = 0; a < 3; a++) {
        int32_t boxes;

        v.fixed.x[i][a] = fixed_place_of(x[a], box_nm[a], &boxes);
        v.image[i][a] += boxes;
    }
    for (int k = 0; k < 4; k++)
        v.fixed.q[i][k] = fixed_round(q[k] * FIXED_POWER(FIXED_ORIENTATION_BITS));
    fixed_carry_spin(m, before, v.fixed.q[i], v.fixed.l[i]);
}

/* Reads no step number, so that the first thread may count. */
static __global__ void __launch_bounds__(MOTION_BLOCK)
    k_fixed_descend(const View v, const Best best)
{
    __shared__ ListRoom room;
    const int32_t       i = bead_of_thread((int32_t)blockIdx.x);
    const Ledger       *l = v.ledger;

    if (threadIdx.x == 0)
        room = room_of(v, l->box_nm);
    __syncthreads();
    if (l->fault != 0 || i >= v.n)
        return;
    keep_bead(v, best, i, l->goes_back);
    if (!l->converged)
        move_downhill(v, i, room.box_nm);
    show_fixed_place(v, i, shown_of(v, i, v.slot_of[i]), v.built_nm[i], &room, v.fixed.x[i],
                     v.fixed.q[i]);
    if (i == 0 && !l->converged)
        count_step(v.ledger);
}

AmphiStatus AMPHI_T(motion_descend)(Device *d, AmphiError *err)
{
    const unsigned n = (unsigned)blocks_of_beads(d);

    k_fixed_forgive_trial<<<1, WARP, 0, d->stream>>>(d->view);
    CUDA_TRY_LAUNCH();
    k_fixed_pull<<<n, MOTION_BLOCK, 0, d->stream>>>(d->view);
    CUDA_TRY_LAUNCH();
    k_fixed_judge<<<1, MOTION_BLOCK, 0, d->stream>>>(d->view);
    CUDA_TRY_LAUNCH();
    k_fixed_descend<<<n, MOTION_BLOCK, 0, d->stream>>>(d->view, d->motion->best);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}
