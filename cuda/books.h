/* The books of a kick: from the sums of its blocks to energies, thermostat factors, drift and
 * strain of the box. What a drift needs of them each of its blocks finds for itself, in less time
 * than one block would take to find it for all; one block more keeps the books. Both add up in one
 * order.
 */
#ifndef AMPHI_CUDA_BOOKS_H
#define AMPHI_CUDA_BOOKS_H

#include "beads.h"

/* Numbers of a bead: kinetic energies of translation and rotation after the kick, before and at it;
 * momentum; the upper half of the tensor of the half-step mean. */
enum { PLUS = 0, TRANSLATION = 2, ROTATION = 4, MOMENTUM = 6, TENSOR = 9, KICK_SUMS = 15 };

/* The diagonal in the upper half of a tensor. */
enum { XX = 0, YY = 3, ZZ = 5 };

/* Which numbers does somebody want? Bits. */
enum {
    PLUS_BITS     = 3,
    KINETIC_BITS  = 63,
    MOMENTUM_BITS = 7 << MOMENTUM,
    TENSOR_BITS   = 63 << TENSOR
};

enum { FEW_GROUPS = 4 }; /* of which a drift finds the factors; there is a QUICK row besides */
static_assert(FEW_GROUPS < int(FEW_ROWS), "totals of few groups stay in the block");

/* Does anybody want energies or factors of this kick? */
static inline bool needs_energies(const StageView *stage, SumsLevel level, bool looked_at)
{
    return looked_at || level == QUICK || stage->conserved_mean ||
           scales_velocities(stage->thermostat.type) || stage->barostat.type != AMPHI_NO_BAROSTAT;
}

static inline bool needs_sums(const StageView *stage, SumsLevel level, bool looked_at)
{
    return needs_energies(stage, level, looked_at) ||
           (stage->remove_drift && stage->thermostat.type != AMPHI_LANGEVIN);
}

__host__ __device__ static inline uint32_t bits_wanted(const StageView *stage, bool has_quick,
                                                       bool looked_at)
{
    const bool tensor = looked_at || (has_quick && stage->barostat.type != AMPHI_NO_BAROSTAT);

    return KINETIC_BITS | (stage->remove_drift ? (uint32_t)MOMENTUM_BITS : 0U) |
           (tensor ? (uint32_t)TENSOR_BITS : 0U);
}

/* ---- draws ---- */

/* By a block of a kick beside the beads, so that nobody waits for random numbers; each warp has
 * numbers of its own. */
__device__ static inline void draw_ahead(const View &v, const Draws &draws)
{
    const int32_t t = (int32_t)threadIdx.x, warp = t / WARP;
    const int64_t step    = v.ledger->step;
    const bool    rescale = v.stage.thermostat.type == AMPHI_VELOCITY_RESCALE;

    for (int32_t g = t % WARP; rescale && warp < 2 && g < v.n_groups; g += WARP) {
        const RescaleDraw draw = draw_rescale(draws.share, v.freedom[g][0] + v.freedom[g][1],
                                              v.stage.seed, (uint64_t)g, (uint64_t)step);

        if (warp == 1) {
            draws.rescale[g].squares = draw.squares;
            continue;
        }
        draws.rescale[g].keep   = draw.keep;
        draws.rescale[g].normal = draw.normal;
    }
    if (t == MOTION_BLOCK - 1 && v.stage.barostat.type == AMPHI_CELL_RESCALE) {
        const TwoNormals r = draw_normals(v.stage.seed, 0, (uint64_t)step, AMPHI_STREAM_CELL, 0);

        draws.cell[0] = r.first;
        draws.cell[1] = r.second;
    }
}

/* ---- totals of a group ---- */

typedef double Parts[WARPS][KICK_SUMS]; /* by warp */

/* By all threads of a block; to be read after a barrier. */
__device__ static inline void put_parts(const Sums &s, int32_t g, uint32_t wanted, Parts to)
{
    const int t                 = (int)threadIdx.x;
    double    number[KICK_SUMS] = {};

    for (int32_t at = t; at < s.n_bundles; at += MOTION_BLOCK)
#pragma unroll
        for (int k = 0; k < KICK_SUMS; k++)
            if ((wanted >> k & 1) != 0)
                number[k] += s.bundle[(int64_t)at * s.n_rows + g].x[k];
#pragma unroll
    for (int k = 0; k < KICK_SUMS; k++) {
        if ((wanted >> k & 1) == 0)
            continue;
        for (int bit = 1; bit < WARP; bit *= 2)
            number[k] += other_lane(number[k], bit);
        if (t % WARP == 0)
            to[t / WARP][k] = number[k];
    }
}

__device__ static inline double total_of_parts(const Parts parts, int k)
{
    return parts[0][k] + parts[1][k];
}

/* Factors of a group, from its kinetic energies after the kick; the heat they bring. */
__device__ static inline double find_factors(const View &v, double share, const int64_t freedom[2],
                                             const RescaleDraw *draw, const AmphiKinetic k[2],
                                             double factor[2])
{
    const AmphiThermostatType type = v.stage.thermostat.type;
    Heat                      heat = {};

    factor[0] = factor[1] = 1;
    if (!scales_velocities(type))
        return 0;
    heat.kT    = v.stage.kT;
    heat.share = share;
    return rescale_group(type, heat, k, freedom, draw, factor);
}

/* Where no noise comes in between, momenta after the drift are known before it. */
__device__ static inline bool foresees_drift(const View &v)
{
    return v.stage.remove_drift && v.stage.thermostat.type != AMPHI_LANGEVIN;
}

__device__ static inline void foresee_drift(const View &v, int32_t g, const double momentum[3],
                                            double factor, const double slow[3],
                                            double drift_nm_ps[3])
{
    double p[3];

    for (int a = 0; a < 3; a++)
        p[a] = momentum[a] * factor * slow[a];
    find_drift(v, g, p, drift_nm_ps);
}

/* ---- the books, by one block ---- */

/* Of one thread, in registers. */
typedef struct {
    AmphiKinetic translation, rotation;
    double       tensor[6], potential, virial[3];
} Totals;

__device__ static inline AmphiKinetic kinetic_of_row(const SumRow *row, int first, int plus)
{
    const double sum[3] = { row->x[first], row->x[first + 1], row->x[plus] };

    return kinetic_from(sum);
}

/* The heat that the group's factors bring. */
__device__ static inline double weigh_group(const View &v, double share, const RescaleDraw *draw,
                                            int32_t g, const SumRow *row)
{
    const AmphiKinetic k[2] = { kinetic_of_row(row, TRANSLATION, PLUS),
                                kinetic_of_row(row, ROTATION, PLUS + 1) };
    double             factor[2];
    const double       heat = find_factors(v, share, v.freedom[g], draw, k, factor);

    v.group[g][0]  = k[0];
    v.group[g][1]  = k[1];
    v.factor[g][0] = factor[0];
    v.factor[g][1] = factor[1];
    return heat;
}

__device__ static inline Totals sum_groups(const View &v, const SumRow *total, bool has_quick)
{
    const Ledger *l = v.ledger;
    const double *q = has_quick ? total[v.n_groups].x : NULL;
    Totals        t = {};

    for (int32_t g = 0; g < v.n_groups; g++) {
        t.translation = add_kinetic(t.translation, kinetic_of_row(&total[g], TRANSLATION, PLUS));
        t.rotation    = add_kinetic(t.rotation, kinetic_of_row(&total[g], ROTATION, PLUS + 1));
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
__device__ static inline void book_conserved(const View &v, double conserved, bool looked_at)
{
    Ledger *l = v.ledger;

    if (looked_at || v.stage.conserved_mean)
        l->conserved_kJ_mol = conserved;
    if (v.stage.conserved_mean) {
        l->conserved_sum_kJ_mol += conserved;
        l->conserved_count++;
    }
}

/* The other half of the work of the last step's move, if there was one. */
__device__ static inline void finish_work(const View &v)
{
    Ledger *l = v.ledger;

    if (has_moved_box(&v.stage.barostat, l->stage_step))
        l->work_kJ_mol += half_work(l->strain, l->virial_kJ_mol);
}

__device__ static inline void book_kick(const View &v, const Totals *t, double heat, bool looked_at)
{
    Ledger      *l      = v.ledger;
    const double energy = energy_of_motion(t->potential, t->translation, t->rotation);
    const double before = l->heat_kJ_mol;

    finish_work(v);
    book_conserved(v, energy - before - l->work_kJ_mol, looked_at);
    l->heat_kJ_mol = before + heat;
}

/* What a move of the box does. */
typedef struct {
    double strain[3], stretch[3], slow[3];
} Move;

/* From the diagonals of the half-step kinetic tensor and of the virial. */
__device__ static inline Move move_by(const View &v, const Draws &draws, const double kinetic[3],
                                      const double virial[3])
{
    const AmphiBarostat *p = &v.stage.barostat;
    const Squeeze s = squeeze_of(p, v.stage.kT, v.stage.dt_ps, v.ledger->box_nm, kinetic, virial);
    Move          m;

    find_strain(p, &s, draws.cell, m.strain);
    find_stretch(p, m.strain, m.stretch, m.slow);
    return m;
}

/* Sets all that a move of the box needs; 1 where none is due. Y and Z: where the tensor, which
 * begins with xx, has yy and zz. */
template <int Y, int Z>
__device__ static inline void find_move(const View &v, const Draws &draws, const double *tensor,
                                        const double *virial, bool has_quick)
{
    Ledger      *l          = v.ledger;
    const double kinetic[3] = { tensor[0], tensor[Y], tensor[Z] };
    Move         m          = { {}, { 1, 1, 1 }, { 1, 1, 1 } };

    if (has_quick && moves_box(&v.stage.barostat, l->stage_step)) {
        m = move_by(v, draws, kinetic, virial);
        copy3(m.strain, l->strain);
    }
    copy3(m.stretch, l->stretch);
    copy3(m.slow, l->slow);
}

/* Totals of the kick's rows. */
__device__ static inline void add_kick(const View &v, const Sums &s, uint32_t wanted, SumRow *total)
{
    __shared__ Parts parts;
    const int        k = (int)threadIdx.x;

    for (int32_t g = 0; g < v.n_groups; g++) {
        put_parts(s, g, wanted, parts);
        __syncthreads();
        if (k < SUM_WIDTH)
            total[g].x[k] = k < KICK_SUMS && (wanted >> k & 1) != 0 ? total_of_parts(parts, k) : 0;
        __syncthreads();
    }
    if (s.n_rows > v.n_groups)
        add_row(s.bundle + v.n_groups, s.n_bundles, s.n_rows, &total[v.n_groups]);
}

/* By a block of its own, when all blocks of the kick are through. */
__device__ static inline void keep_books(const View &v, const Sums &s, const Draws &draws,
                                         uint32_t wanted, bool has_quick, bool looked_at)
{
    __shared__ double heat[MOTION_BLOCK];
    __shared__ SumRow few[FEW_ROWS];
    SumRow           *total    = s.n_rows <= FEW_ROWS ? few : s.total;
    const int32_t     me       = (int32_t)threadIdx.x;
    const bool        draws_on = v.stage.thermostat.type == AMPHI_VELOCITY_RESCALE;
    RescaleDraw       draw     = {};
    double            sum      = 0;

    if (draws_on && me < v.n_groups) /* on its way while sums are */
        draw = draws.rescale[me];
    add_kick(v, s, wanted, total);
    for (int32_t g = me; g < v.n_groups; g += MOTION_BLOCK) {
        if (draws_on && g >= MOTION_BLOCK)
            draw = draws.rescale[g];
        sum += weigh_group(v, draws.share, &draw, g, &total[g]);
    }
    heat[me] = sum;
    __syncthreads();
    if (me == 0) {
        const Totals t = sum_groups(v, total, has_quick);

        for (int32_t k = 1; k < v.n_groups && k < MOTION_BLOCK; k++)
            sum += heat[k];
        put_totals(v.ledger, &t);
        book_kick(v, &t, sum, looked_at);
        if (v.stage.barostat.type != AMPHI_NO_BAROSTAT)
            find_move<YY, ZZ>(v, draws, t.tensor, t.virial, has_quick);
    }
    __syncthreads();
    if (!foresees_drift(v))
        return;
    for (int32_t g = me; g < v.n_groups; g += MOTION_BLOCK) {
        double slow[3] = { 1, 1, 1 };

        if (v.stage.barostat.type != AMPHI_NO_BAROSTAT)
            copy3(v.ledger->slow, slow);
        foresee_drift(v, g, &total[g].x[MOMENTUM], v.factor[g][0], slow, v.drift_nm_ps[g]);
    }
}

/* By one thread, when the box moves: the first half of the work. */
__device__ static inline void begin_work(Ledger *l)
{
    const double kinetic[3] = { l->kinetic_half_kJ_mol[0][0], l->kinetic_half_kJ_mol[1][1],
                                l->kinetic_half_kJ_mol[2][2] };

    l->work_kJ_mol += half_work(l->strain, l->virial_kJ_mol) + slowing_work(l->slow, kinetic);
}

__device__ static inline void stretch_box(Ledger *l, const double stretch[3])
{
    for (int a = 0; a < 3; a++)
        l->box_nm[a] *= stretch[a];
}

/* By one thread, when the box moves: edges, and the first half of the work. */
__device__ static inline void follow_strain(Ledger *l)
{
    stretch_box(l, l->stretch);
    begin_work(l);
}

/* The energy that goes with the drift; by one thread. */
__device__ static inline void book_drift(const View &v)
{
    const AmphiThermostatType type  = v.stage.thermostat.type;
    const bool                moves = v.stage.barostat.type != AMPHI_NO_BAROSTAT;
    double                    heat  = 0;

    for (int32_t g = 0; v.stage.remove_drift && g < v.n_groups; g++)
        for (int a = 0; a < 3; a++) {
            const double u     = v.drift_nm_ps[g][a];
            const double scale = scales_velocities(type) ? v.factor[g][0] : 1;
            const double slow  = moves ? v.ledger->slow[a] : 1;

            heat +=
                heat_of_drift(v.group_mass[g] * u, u, type == AMPHI_LANGEVIN ? 0 : scale * slow);
        }
    v.ledger->heat_kJ_mol += heat;
}

#endif
