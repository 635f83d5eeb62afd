/* The second half of a step on the device: drift, noise, removal of drift, wrap, records. The physics
 * is that of engine/bodies_motion.c, in the same headers.
 *
 * Compiled without fused products, like motion.cu.
 */
#include "beads.h"

/* Numbers of a bead that noise makes worth adding up. */
enum { HEAT = 0, NEW_MOMENTUM = 1, DRIFT_SUMS = 4 };

typedef struct {
    double  x[3], u[3], l[3], q[4];
    int32_t image[3];
} Body;

__device__ static inline Body load_body(const View &v, int32_t i)
{
    Body b;

    load3(v.position_nm[i], b.x);
    load3(v.velocity_nm_ps[i], b.u);
    load3(v.spin_u_nm2_ps[i], b.l);
    load4(v.orientation[i], b.q);
    for (int a = 0; a < 3; a++)
        b.image[a] = v.image[i][a];
    return b;
}

/* What has not changed is not written: memory is all that large systems wait for. */
__device__ static inline void store_body(const View &v, int32_t i, const Mover *m, const Body *b,
                                         const int32_t image[3], bool is_noisy)
{
    const bool scales = scales_velocities(v.stage.thermostat.type);
    const bool pushes =
        scales || is_noisy || v.stage.remove_drift || v.stage.barostat.type != AMPHI_NO_BAROSTAT;

    for (int a = 0; a < 3; a++) {
        v.position_nm[i][a] = b->x[a];
        if (pushes)
            v.velocity_nm_ps[i][a] = b->u[a];
        if (m->turning == TURNS_TUMBLING || (m->turning != TURNS_NOT && (scales || is_noisy)))
            v.spin_u_nm2_ps[i][a] = b->l[a];
        if (b->image[a] != image[a])
            v.image[i][a] = b->image[a];
    }
    if (m->turning != TURNS_NOT)
        store4(b->q, v.orientation[i]);
}

/* Reads and computes, then writes. */
__device__ static inline void drift_bead(const View &v, int32_t i, Body *b, const Scale *scale,
                                         const ListRoom *room, Column *column,
                                         cudaGraphConditionalHandle handle)
{
    const Mover  *m        = &v.mover[v.bead_type[i]];
    const double  dt       = v.stage.dt_ps;
    const int32_t image[3] = { b->image[0], b->image[1], b->image[2] };
    double        normal[6];

    scale_velocity(scale, b->u, b->l);
    if (column != NULL) {
        draw_noise(m, v.stage.seed, (uint64_t)i, (uint64_t)v.ledger->step, normal);
        put_column(column, HEAT,
                   drift_with_noise(m, dt, &v.stage.noise, normal, b->x, b->u, b->q, b->l));
        for (int a = 0; a < 3; a++)
            put_column(column, NEW_MOMENTUM + a, m->mass * b->u[a]);
    } else {
        const double *drift = v.drift_nm_ps[v.n_groups > 1 ? v.group_of[i] : 0];

        go(dt, b->u, b->x);
        turn_freely(m, dt, b->q, b->l);
        for (int a = 0; v.stage.remove_drift && a < 3; a++)
            b->u[a] -= drift[a];
    }
    amphi_wrap_body(room->box_nm, b->x, b->image);
    show_bead(v, i, room, b->x, b->q, handle);
    store_body(v, i, m, b, image, column != NULL);
}

/* By one thread of one block, when no other reads these numbers in this kernel. */
__device__ static inline void count_step(const View &v, double heat)
{
    Ledger *l = v.ledger;

    for (int32_t g = 0; v.stage.remove_drift && g < v.n_groups; g++)
        for (int a = 0; a < 3; a++)
            heat -= 0.5 * v.group_mass[g] * v.drift_nm_ps[g][a] * v.drift_nm_ps[g][a];
    l->heat_kJ_mol += heat;
    l->step++;
    l->stage_step++;
}

static __global__ void __launch_bounds__(BEAD_BLOCK)
    k_drift(const View v, cudaGraphConditionalHandle handle)
{
    __shared__ ListRoom room;
    const uint32_t      fault = v.ledger->fault;
    const int32_t       i     = bead_of_thread((int32_t)blockIdx.x);
    Body                b     = {};
    Scale               scale = {};

    if (i < v.n) {
        b     = load_body(v, i);
        scale = load_scale(v, i);
    }
    if (threadIdx.x == 0)
        room = room_of(v, v.ledger->box_nm);
    __syncthreads();
    if (fault != 0 || i >= v.n)
        return;
    drift_bead(v, i, &b, &scale, &room, NULL, handle);
    if (i == 0)
        count_step(v, 0);
}

/* Takes its step number from the ledger, so that the last block must count. */
static __global__ void __launch_bounds__(BEAD_BLOCK)
    k_drift_with_noise(const View v, const Sums s, cudaGraphConditionalHandle handle)
{
    __shared__ Column   column[DRIFT_SUMS];
    __shared__ int32_t  group[BEAD_BLOCK];
    __shared__ ListRoom room;
    const uint32_t      fault = v.ledger->fault;
    const int32_t       block = (int32_t)blockIdx.x, i = bead_of_thread(block);
    Body                b     = {};
    Scale               scale = {};
    double              heat  = 0;

    if (i < v.n) {
        b     = load_body(v, i);
        scale = load_scale(v, i);
    }
    for (int k = 0; i >= v.n && k < DRIFT_SUMS; k++)
        put_column(column, k, 0);
    group[threadIdx.x] = i < v.n && v.n_groups > 1 ? v.group_of[i] : 0;
    if (threadIdx.x == 0)
        room = room_of(v, v.ledger->box_nm);
    __syncthreads();
    if (fault != 0)
        return;
    if (i < v.n)
        drift_bead(v, i, &b, &scale, &room, column, handle);
    __syncthreads();
    put_rows(v, s, block, column, DRIFT_SUMS, group);

    const SumRow *total = add_up(s, block, 0);
    if (total == NULL)
        return;
    for (int32_t g = (int32_t)threadIdx.x; g < v.n_groups; g += BEAD_BLOCK)
        find_drift(v, g, &total[g].x[NEW_MOMENTUM]);
    __syncthreads();
    for (int32_t g = 0; threadIdx.x == 0 && g < v.n_groups; g++)
        heat += total[g].x[HEAT];
    if (threadIdx.x == 0)
        count_step(v, heat);
}

static __global__ void __launch_bounds__(BEAD_BLOCK) k_remove_drift(const View v)
{
    const int32_t i = bead_of_thread((int32_t)blockIdx.x);

    if (v.ledger->fault != 0 || i >= v.n)
        return;
    for (int a = 0; a < 3; a++)
        v.velocity_nm_ps[i][a] -= v.drift_nm_ps[v.n_groups > 1 ? v.group_of[i] : 0][a];
}

AmphiStatus AMPHI_T(motion_drift)(Device *d, cudaGraphConditionalHandle handle, AmphiError *err)
{
    const View    &v = d->view;
    const Sums     s = sums_of(d, v.n_groups);
    const unsigned n = (unsigned)s.n_blocks;

    if (v.stage.thermostat.type != AMPHI_LANGEVIN) {
        k_drift<<<n, BEAD_BLOCK, 0, d->stream>>>(v, handle);
        CUDA_TRY_LAUNCH();
        return AMPHI_OK;
    }
    k_drift_with_noise<<<n, BEAD_BLOCK, 0, d->stream>>>(v, s, handle);
    CUDA_TRY_LAUNCH();
    if (v.stage.remove_drift) {
        k_remove_drift<<<n, BEAD_BLOCK, 0, d->stream>>>(v);
        CUDA_TRY_LAUNCH();
    }
    return AMPHI_OK;
}
