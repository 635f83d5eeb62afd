/* The first half of a step on the device: kick with its books and thermostats, moves of the box. The
 * physics is that of engine/bodies_motion.c, in the same headers.
 *
 * Compiled without fused products: a body then moves by the same bits in every instance of a kernel,
 * and as on the host.
 */
#include "beads.h"

/* ---- kick ---- */

/* Numbers of a bead: kinetic energies of translation and rotation before, at and after the kick,
 * momentum after it, the upper half of the tensor of the half-step mean; and those of a QUICK row. */
enum { TRANSLATION = 0, ROTATION = 3, MOMENTUM = 6, TENSOR = 9, KICK_SUMS = 15, KICK_COLUMNS = 19 };
static_assert(KICK_COLUMNS == KICK_SUMS + int(QUICK_NUMBERS), "a QUICK row stands behind");

/* Columns NULL: nobody adds up. */
__device__ static inline void add_tensor(Column *column, double tensor[6], double mass,
                                         const double v[3])
{
    if (column == NULL)
        return;
    for (int k = 0, a = 0; a < 3; a++)
        for (int c = a; c < 3; c++, k++)
            tensor[k] += 0.25 * mass * v[a] * v[c];
}

__device__ static inline void kick_body(const View &v, int32_t i, const Mover *m, const Push *push,
                                        bool looked_at, Column *column, double u[3], double l[3])
{
    double tensor[6] = { 0, 0, 0, 0, 0, 0 };

    for (int at = 0; at < 3; at++) {
        if (column != NULL) {
            put_column(column, TRANSLATION + at, kinetic_of(m, u));
            put_column(column, ROTATION + at, rotation_of(m, l));
        }
        if (at != 1)
            add_tensor(column, tensor, m->mass, u);
        for (int a = 0; at == 1 && looked_at && a < 3; a++) {
            v.velocity_now_nm_ps[i][a] = u[a];
            v.spin_now_u_nm2_ps[i][a]  = l[a];
        }
        if (at != 2)
            add_push(push, 0.5 * v.stage.dt_ps, u, l);
    }
    if (column == NULL)
        return;
    for (int a = 0; a < 3; a++)
        put_column(column, MOMENTUM + a, m->mass * u[a]);
    for (int k = 0; k < 6; k++)
        put_column(column, TENSOR + k, tensor[k]);
}

__device__ static inline void kick_bead(const View &v, int32_t i, uint32_t fault, bool looked_at,
                                        Column *column, bool has_quick)
{
    const Mover *m    = &v.mover[v.bead_type[i]];
    const Pull   pull = whole_pull(v, i, has_quick ? column : NULL, KICK_SUMS);
    double       u[3], l[3], q[4];

    load3(v.velocity_nm_ps[i], u);
    load3(v.spin_u_nm2_ps[i], l);
    load4(v.orientation[i], q);
    if (fault != 0)
        return;

    const Push push = push_of(m, q, pull.f, pull.t);

    kick_body(v, i, m, &push, looked_at, column, u, l);
    for (int a = 0; a < 3; a++) {
        v.velocity_nm_ps[i][a] = u[a];
        if (m->turning != TURNS_NOT)
            v.spin_u_nm2_ps[i][a] = l[a];
    }
}

/* Beside the beads, so that nobody waits for random numbers; each warp has numbers of its own. */
__device__ static inline void draw_ahead(const View &v, const Draws &draws)
{
    const int32_t t = (int32_t)threadIdx.x, warp = t / 32;
    const int64_t step    = v.ledger->step;
    const bool    rescale = v.stage.thermostat.type == AMPHI_VELOCITY_RESCALE;

    for (int32_t g = t % 32; rescale && warp < 2 && g < v.n_groups; g += 32) {
        const RescaleDraw draw = draw_rescale(draws.share, v.freedom[g][0] + v.freedom[g][1],
                                              v.stage.seed, (uint64_t)g, (uint64_t)step);

        if (warp == 1) {
            draws.rescale[g].squares = draw.squares;
            continue;
        }
        draws.rescale[g].keep   = draw.keep;
        draws.rescale[g].normal = draw.normal;
    }
    if (t == BEAD_BLOCK - 1 && v.stage.barostat.type == AMPHI_CELL_RESCALE) {
        const TwoNormals r = draw_normals(v.stage.seed, 0, (uint64_t)step, AMPHI_STREAM_CELL, 0);

        draws.cell[0] = r.first;
        draws.cell[1] = r.second;
    }
}

/* ---- the books of a kick, by the last block ---- */

/* Of one thread, in registers. */
typedef struct {
    AmphiKinetic translation, rotation;
    double       tensor[6], potential, virial[3];
} Totals;

/* The heat that the group's factors bring. */
__device__ static inline double weigh_group(const View &v, const Draws &draws, int32_t g,
                                            const double sum[SUM_WIDTH])
{
    const AmphiThermostatType type = v.stage.thermostat.type;
    const AmphiKinetic k[2] = { kinetic_from(&sum[TRANSLATION]), kinetic_from(&sum[ROTATION]) };
    Heat               heat = {};

    v.group[g][0] = k[0];
    v.group[g][1] = k[1];
    if (!scales_velocities(type))
        return 0;
    heat.kT    = v.stage.kT;
    heat.share = draws.share;
    return rescale_group(type, heat, k, v.freedom[g], &draws.rescale[g], v.factor[g]);
}

__device__ static inline Totals sum_groups(const View &v, const SumRow *total, bool has_quick)
{
    const Ledger *l = v.ledger;
    const double *q = has_quick ? total[v.n_groups].x : NULL;
    Totals        t = {};

    for (int32_t g = 0; g < v.n_groups; g++) {
        t.translation = add_kinetic(t.translation, kinetic_from(&total[g].x[TRANSLATION]));
        t.rotation    = add_kinetic(t.rotation, kinetic_from(&total[g].x[ROTATION]));
        for (int k = 0; k < 6; k++)
            t.tensor[k] += total[g].x[TENSOR + k];
    }
    t.potential = has_quick ? q[POTENTIAL] : l->potential_kJ_mol;
    for (int a = 0; a < 3; a++)
        t.virial[a] = has_quick ? q[VIRIAL + a] : l->virial_kJ_mol[a];
    return t;
}

__device__ static inline void put_totals(Ledger *l, const Totals *t)
{
    l->translation      = t->translation;
    l->rotation         = t->rotation;
    l->potential_kJ_mol = t->potential;
    for (int k = 0, a = 0; a < 3; a++) {
        l->virial_kJ_mol[a] = t->virial[a];
        for (int c = a; c < 3; c++, k++)
            l->kinetic_half_kJ_mol[a][c] = l->kinetic_half_kJ_mol[c][a] = t->tensor[k];
    }
}

/* The conserved quantity takes heat and work as they were before this kick. */
__device__ static inline void book_kick(const View &v, const Totals *t, double heat, bool looked_at)
{
    Ledger      *l      = v.ledger;
    const double energy = energy_of_motion(t->potential, t->translation, t->rotation);
    const double before = l->heat_kJ_mol, conserved = energy - before - l->work_kJ_mol;

    if (looked_at || v.stage.conserved_mean)
        l->conserved_kJ_mol = conserved;
    if (v.stage.conserved_mean) {
        l->conserved_sum_kJ_mol += conserved;
        l->conserved_count++;
    }
    l->heat_kJ_mol   = before + heat;
    l->energy_kJ_mol = energy + heat;
}

__device__ static inline void find_move(const View &v, const Draws &draws, const Totals *t,
                                        bool has_quick)
{
    const AmphiBarostat *p          = &v.stage.barostat;
    Ledger              *l          = v.ledger;
    const double         kinetic[3] = { t->tensor[0], t->tensor[3], t->tensor[5] };
    double               strain[3], stretch[3] = { 1, 1, 1 }, slow[3] = { 1, 1, 1 };

    if (has_quick && moves_box(p, l->stage_step)) {
        const Squeeze s = squeeze_of(p, v.stage.kT, v.stage.dt_ps, l->box_nm, kinetic, t->virial);

        find_strain(p, &s, draws.cell, strain);
        find_stretch(p, strain, stretch, slow);
    }
    for (int a = 0; a < 3; a++) {
        l->stretch[a] = stretch[a];
        l->slow[a]    = slow[a];
    }
}

/* Where no noise comes in between, momenta after the drift are known now. */
__device__ static inline void foresee_drift(const View &v, int32_t g, const double sum[SUM_WIDTH])
{
    const bool   scales   = scales_velocities(v.stage.thermostat.type);
    const bool   squeezes = v.stage.barostat.type != AMPHI_NO_BAROSTAT;
    const double factor   = scales ? v.factor[g][0] : 1;
    double       p[3];

    for (int a = 0; a < 3; a++)
        p[a] = sum[MOMENTUM + a] * factor * (squeezes ? v.ledger->slow[a] : 1);
    find_drift(v, g, p);
}

__device__ static inline void finish_kick(const View &v, const Draws &draws, const SumRow *total,
                                          bool has_quick, bool looked_at)
{
    __shared__ double heat[BEAD_BLOCK];
    const int32_t     me  = (int32_t)threadIdx.x;
    double            sum = 0;

    for (int32_t g = me; g < v.n_groups; g += BEAD_BLOCK)
        sum += weigh_group(v, draws, g, total[g].x);
    heat[me] = sum;
    __syncthreads();
    if (me == 0) {
        const Totals t = sum_groups(v, total, has_quick);

        for (int32_t k = 1; k < v.n_groups && k < BEAD_BLOCK; k++)
            sum += heat[k];
        put_totals(v.ledger, &t);
        book_kick(v, &t, sum, looked_at);
        if (v.stage.barostat.type != AMPHI_NO_BAROSTAT)
            find_move(v, draws, &t, has_quick);
    }
    if (!v.stage.remove_drift || v.stage.thermostat.type == AMPHI_LANGEVIN)
        return;
    __syncthreads();
    for (int32_t g = me; g < v.n_groups; g += BEAD_BLOCK)
        foresee_drift(v, g, total[g].x);
}

/* Six blocks a processor: with the registers of eight, the books spill. */
template <bool HAS_SUMS, bool HAS_QUICK>
static __global__ void __launch_bounds__(BEAD_BLOCK, 6)
    k_kick(const View v, const Sums s, const Draws draws, bool looked_at)
{
    __shared__ Column  column[HAS_SUMS ? (HAS_QUICK ? KICK_COLUMNS : KICK_SUMS) : 1];
    __shared__ int32_t group[HAS_SUMS ? BEAD_BLOCK : 1];
    const uint32_t     fault = v.ledger->fault;
    const int32_t      block = (int32_t)blockIdx.x - (HAS_SUMS ? draws.n_blocks : 0);
    const int32_t      i     = block < 0 ? v.n : bead_of_thread(block);
    double             quick = HAS_QUICK && block >= 0 ? quick_share(v, block, s.n_blocks) : 0;

    if (i < v.n)
        kick_bead(v, i, fault, looked_at, HAS_SUMS ? column : NULL, HAS_QUICK);
    if (!HAS_SUMS || fault != 0)
        return;
    if (block < 0) {
        draw_ahead(v, draws);
    } else {
        for (int k = 0; i >= v.n && k < (int)(sizeof column / sizeof column[0]); k++)
            put_column(column, k, 0);
        group[threadIdx.x] = i < v.n && v.n_groups > 1 ? v.group_of[i] : 0;
        __syncthreads();
        put_rows(v, s, block, column, KICK_SUMS, group);
        if (HAS_QUICK)
            put_row(column + KICK_SUMS, QUICK_NUMBERS, NULL, 0, quick,
                    &s.part[(int64_t)block * s.n_rows + v.n_groups]);
    }

    const SumRow *total = add_up(s, block, draws.n_blocks);
    if (total != NULL)
        finish_kick(v, draws, total, HAS_QUICK, looked_at);
}

AmphiStatus AMPHI_T(motion_kick)(Device *d, SumsLevel level, bool looked_at, AmphiError *err)
{
    const View      &v        = d->view;
    const StageView &stage    = v.stage;
    const bool       is_noisy = stage.thermostat.type == AMPHI_LANGEVIN;
    const bool       has_sums = looked_at || level == QUICK || stage.conserved_mean ||
                          scales_velocities(stage.thermostat.type) ||
                          stage.barostat.type != AMPHI_NO_BAROSTAT ||
                          (stage.remove_drift && !is_noisy);
    const Sums     s     = sums_of(d, v.n_groups + (level == QUICK));
    const Draws    draws = d->motion->draws;
    const unsigned n     = (unsigned)s.n_blocks;
    const unsigned more  = (unsigned)draws.n_blocks;

    if (!has_sums)
        k_kick<false, false><<<n, BEAD_BLOCK, 0, d->stream>>>(v, s, draws, false);
    else if (level == NO_SUMS)
        k_kick<true, false><<<n + more, BEAD_BLOCK, 0, d->stream>>>(v, s, draws, looked_at);
    else
        k_kick<true, true><<<n + more, BEAD_BLOCK, 0, d->stream>>>(v, s, draws, looked_at);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

/* ---- moves of the box ---- */

static __global__ void __launch_bounds__(BEAD_BLOCK)
    k_move_box(const View v, const Sums s, cudaGraphConditionalHandle handle)
{
    const int32_t       block = (int32_t)blockIdx.x, i = bead_of_thread(block);
    __shared__ ListRoom room;
    double              x[3], q[4];

    if (v.ledger->fault != 0)
        return;
    if (threadIdx.x == 0) {
        for (int a = 0; a < 3; a++)
            x[a] = v.ledger->box_nm[a] * v.ledger->stretch[a];
        room = room_of(v, x);
    }
    __syncthreads();
    if (i < v.n) {
        for (int a = 0; a < 3; a++) {
            x[a] = v.position_nm[i][a] * v.ledger->stretch[a];

            v.position_nm[i][a] = x[a];
            v.anchor_nm[i][a] *= v.ledger->stretch[a];
        }
        load4(v.orientation[i], q);
        show_bead(v, i, &room, x, q, handle);
    }
    /* nobody reads the old box any more */
    if (add_up(s, block, 0) != NULL && threadIdx.x == 0) {
        for (int a = 0; a < 3; a++)
            v.ledger->box_nm[a] = room.box_nm[a];
        v.ledger->box_moved = 1;
    }
}

/* Velocities are scaled by the drift; until then whoever needs them does it by himself. */
static __global__ void __launch_bounds__(BEAD_BLOCK) k_book_move(const View v, const Sums s)
{
    __shared__ Column column[1 + QUICK_NUMBERS];
    const int32_t     block = (int32_t)blockIdx.x, i = bead_of_thread(block);
    SumRow           *row    = s.part + (int64_t)block * s.n_rows;
    const double      quick  = quick_share(v, block, s.n_blocks);
    double            energy = 0, u[3], l[3], q[4];

    if (v.ledger->fault != 0)
        return;
    for (int k = 0; i >= v.n && k < QUICK_NUMBERS; k++)
        put_column(column, 1 + k, 0);
    if (i < v.n) {
        const Mover *m    = &v.mover[v.bead_type[i]];
        const Pull   pull = whole_pull(v, i, column, 1);

        load3(v.velocity_nm_ps[i], u);
        load3(v.spin_u_nm2_ps[i], l);
        load4(v.orientation[i], q);
        const Scale scale = load_scale(v, i);
        scale_velocity(&scale, u, l);

        const Push push = push_of(m, q, pull.f, pull.t);
        energy          = look_back(m, &push, v.stage.dt_ps, u, l);
    }
    put_column(column, 0, energy);
    __syncthreads();
    put_row(column, 1, NULL, 0, 0, &row[0]);
    put_row(column + 1, QUICK_NUMBERS, NULL, 0, quick, &row[1]);

    const SumRow *total  = add_up(s, block, 0);
    Ledger       *ledger = v.ledger;
    if (total == NULL || threadIdx.x != 0)
        return;
    ledger->potential_kJ_mol = total[1].x[POTENTIAL];
    for (int a = 0; a < 3; a++)
        ledger->virial_kJ_mol[a] = total[1].x[VIRIAL + a];
    ledger->work_kJ_mol += total[1].x[POTENTIAL] + total[0].x[0] - ledger->energy_kJ_mol;
    ledger->box_moved = 0;
}

AmphiStatus AMPHI_T(motion_move_box)(Device *d, cudaGraphConditionalHandle handle, AmphiError *err)
{
    const Sums s = sums_of(d, 0);

    k_move_box<<<(unsigned)s.n_blocks, BEAD_BLOCK, 0, d->stream>>>(d->view, s, handle);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(motion_book_move)(Device *d, AmphiError *err)
{
    const Sums s = sums_of(d, 2);

    k_book_move<<<(unsigned)s.n_blocks, BEAD_BLOCK, 0, d->stream>>>(d->view, s);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}
