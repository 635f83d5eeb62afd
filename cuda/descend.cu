/* The whole force on each bead, for whoever looks; and steepest descent, by the rules of
 * engine/descend.h: one kernel finds whether the present place is the best so far and how strong
 * the largest pull is, one keeps the place or goes back, and moves.
 *
 * Compiled without fused products, like motion.cu.
 */
#include "beads.h"

/* ---- gather ---- */

/* Energy and whole virial of the stage's restraints. */
__device__ static inline void add_restraint(TermSums *term, const double sum[SUM_WIDTH])
{
    term->energy += sum[0];
    for (int k = 0; k < 9; k++)
        term->virial[k] += sum[1 + k];
}

static __global__ void __launch_bounds__(MOTION_BLOCK)
    k_gather(const View v, const Sums s, bool measures)
{
    const int32_t block = (int32_t)blockIdx.x, i = bead_of_thread(block);
    double        x[3] = { 0, 0, 0 }, g[3] = { 0, 0, 0 }, number[2 * PART] = {};

    if (v.ledger->fault != 0)
        return;
    if (block == 0 && threadIdx.x == 0)
        v.ledger->gathered = v.ledger->step + 1;
    if (i < v.n) {
        Pull pull = pull_on(v, i);

        if (v.restraint_kJ_mol_nm2 != NULL)
            restrain(v, i, &pull, x, g);
        for (int a = 0; a < 3; a++) {
            v.force_kJ_mol_nm[i][a] = pull.f[a];
            v.torque_kJ_mol[i][a]   = pull.t[a];
        }
    }
    if (!measures || v.restraint_kJ_mol_nm2 == NULL)
        return;
    for (int a = 0; a < 3; a++)
        number[0] -= 0.5 * g[a] * x[a];
    for (int k = 0; k < 9; k++)
        number[1 + k] = x[k / 3] * g[k % 3];
    put_row<2 * PART>(number, &s.part[(int64_t)block * s.n_rows]);

    const SumRow *total = add_up(s, block, (1U << (2 * PART)) - 1);
    if (total != NULL && threadIdx.x == 0)
        add_restraint(&v.term[AMPHI_POSITION_RESTRAINT], total[0].x);
}

AmphiStatus AMPHI_T(motion_gather)(Device *d, bool measures, AmphiError *err)
{
    const Sums s = sums_of(d, 1);

    k_gather<<<(unsigned)s.n_blocks, MOTION_BLOCK, 0, d->stream>>>(d->view, s, measures);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

/* ---- descent ---- */

/* The largest of a block, in all of its threads; no number counts as the least. */
__device__ static inline double most_of_block(double mine)
{
    __shared__ double of_warp[WARPS];
    double            most = mine;

    for (int far = WARP / 2; far > 0; far /= 2)
        most = fmax(most, other_lane(most, far));
    __syncthreads();
    if (threadIdx.x % WARP == 0)
        of_warp[threadIdx.x / WARP] = most;
    __syncthreads();
    for (int k = 0; k < WARPS; k++)
        most = fmax(most, of_warp[k]);
    return most;
}

/* Judges the present place by its potential; says whether this was the last step. */
__device__ static inline void judge(const View &v, const double row[SUM_WIDTH], double pull)
{
    Ledger    *l = v.ledger;
    const bool keeps =
        descend_keeps(l->has_best, row[POTENTIAL], l->last_potential_kJ_mol, &l->step_length_nm);

    if (keeps) {
        l->has_best                = 1;
        l->last_potential_kJ_mol   = row[POTENTIAL];
        l->largest_force_kJ_mol_nm = pull;
        for (int a = 0; a < 3; a++)
            l->virial_kJ_mol[a] = row[VIRIAL + a];
    }
    find_end(&v.stage, keeps, l);
}

/* most: [n_blocks], the largest pulls. */
static __global__ void __launch_bounds__(MOTION_BLOCK, 8)
    k_judge(const View v, const Sums s, double *most)
{
    const int32_t block = (int32_t)blockIdx.x, i = bead_of_thread(block);
    double        quick[QUICK_NUMBERS] = {}, mine = 0;

    if (v.ledger->fault != 0)
        return;
    if (i < v.n) {
        const Pull pull = whole_pull(v, i, bond_pull_on(v, i), quick);

        for (int a = 0; a < 3; a++) {
            v.force_kJ_mol_nm[i][a] = pull.f[a];
            v.torque_kJ_mol[i][a]   = pull.t[a];
        }
        mine = fmax(0.0, descend_pull(&v.mover[v.bead_type[i]], pull.f, pull.t));
    }
    mine = most_of_block(mine);
    if (threadIdx.x == 0)
        most[block] = mine;
    add_quick(v, block, s.n_blocks, load_quick(v, block, s.n_blocks), quick);
    put_row<QUICK_NUMBERS>(quick, &s.part[(int64_t)block * s.n_rows]);

    const SumRow *total = add_up(s, block, (1U << QUICK_NUMBERS) - 1);
    if (total == NULL)
        return;
    mine = 0;
    for (int32_t k = (int32_t)threadIdx.x; k < s.n_blocks; k += MOTION_BLOCK)
        mine = fmax(mine, __ldcg(&most[k]));
    mine = most_of_block(mine);
    if (threadIdx.x == 0)
        judge(v, total[0].x, mine);
}

/* One bead between its present and its best place. */
__device__ static inline void keep_bead(const View &v, const Best &best, int32_t i, bool back)
{
    double q[4];

    for (int a = 0; back && a < 3; a++)
        v.image[i][a] -=
            boxes_back(best.position_nm[i][a], v.position_nm[i][a], v.ledger->box_nm[a]);
    copy3(back ? best.position_nm[i] : v.position_nm[i],
          back ? v.position_nm[i] : best.position_nm[i]);
    copy3(back ? best.force_kJ_mol_nm[i] : v.force_kJ_mol_nm[i],
          back ? v.force_kJ_mol_nm[i] : best.force_kJ_mol_nm[i]);
    copy3(back ? best.torque_kJ_mol[i] : v.torque_kJ_mol[i],
          back ? v.torque_kJ_mol[i] : best.torque_kJ_mol[i]);
    load4(back ? best.orientation[i] : v.orientation[i], q);
    store4(q, back ? v.orientation[i] : best.orientation[i]);
}

/* Reads no step number, so that the first thread may count. */
static __global__ void __launch_bounds__(MOTION_BLOCK) k_descend(const View v, const Best best)
{
    __shared__ ListRoom room;
    const int32_t       i = bead_of_thread((int32_t)blockIdx.x);
    const Ledger       *l = v.ledger;
    double              x[3], q[4];

    if (threadIdx.x == 0)
        room = room_of(v, l->box_nm);
    __syncthreads();
    if (l->fault != 0 || i >= v.n)
        return;
    keep_bead(v, best, i, l->goes_back);
    copy3(v.position_nm[i], x);
    load4(v.orientation[i], q);
    if (!l->converged) {
        descend_move(&v.mover[v.bead_type[i]], l->step_length_nm, l->largest_force_kJ_mol_nm,
                     v.force_kJ_mol_nm[i], v.torque_kJ_mol[i], x, q);
        amphi_wrap_body(room.box_nm, x, v.image[i]);
        copy3(x, v.position_nm[i]);
        store4(q, v.orientation[i]);
    }
    show_bead(v, i, &room, x, q);
    if (i == 0 && !l->converged)
        count_step(v.ledger);
}

AmphiStatus AMPHI_T(motion_descend)(Device *d, AmphiError *err)
{
    const Sums s = sums_of(d, 1);

    k_judge<<<(unsigned)s.n_blocks, MOTION_BLOCK, 0, d->stream>>>(d->view, s, d->motion->most);
    CUDA_TRY_LAUNCH();
    k_descend<<<(unsigned)s.n_blocks, MOTION_BLOCK, 0, d->stream>>>(d->view, d->motion->best);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}
