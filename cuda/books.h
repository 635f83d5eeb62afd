/* The books of a kick: from the sums of its blocks to energies, thermostat factors, drift and
 * strain of the box. What a drift needs of them each of its blocks finds for itself, in less time
 * than one block would take to find it for all; one block more keeps the books. Both add up in one
 * order.
 */
#ifndef AMPHI_CUDA_BOOKS_H
#define AMPHI_CUDA_BOOKS_H

#include "beads.h"

/* Numbers of a bead: kinetic energies of translation and rotation after the kick and momentum,
 * which lead because every drift wants them; kinetic energies before and at the kick; the upper
 * half of the tensor of the half-step mean. */
enum {
    PLUS        = 0,
    MOMENTUM    = 2,
    LEADS       = 5,
    TRANSLATION = LEADS,
    ROTATION    = 7,
    TENSOR      = 9,
    KICK_SUMS   = 15
};

enum { FEW_GROUPS = 4 }; /* of which a drift adds up the leads; there is a QUICK row besides */
static_assert(FEW_GROUPS < int(FEW_ROWS), "totals of few groups stay in the block");

/* Does anybody want energies or factors of this kick? */
static inline bool needs_energies(const StageView *stage, SumsLevel level, bool looked_at)
{
    return looked_at || level == QUICK || stage->conserved_mean ||
           scales_velocities(stage->thermostat.type) || stage->barostat.type != AMPHI_NO_BAROSTAT;
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

/* ---- leads ---- */

typedef double Leads[WARPS][LEADS]; /* of a group, by warp */

/* Of one group, by all threads of a block; to be read after a barrier. */
__device__ static inline void put_leads(const View &v, const Sums &s, int32_t g,
                                        double (*to)[LEADS])
{
    const int t = (int)threadIdx.x, n = v.stage.remove_drift ? (int)LEADS : (int)MOMENTUM;
    double    lead[LEADS] = { 0, 0, 0, 0, 0 };

    for (int32_t at = t; at < s.n_bundles; at += MOTION_BLOCK)
#pragma unroll
        for (int k = 0; k < LEADS; k++)
            if (k < n)
                lead[k] += s.bundle[(int64_t)at * s.n_rows + g].x[k];
#pragma unroll
    for (int k = 0; k < LEADS; k++) {
        for (int bit = 1; k < n && bit < WARP; bit *= 2)
            lead[k] += other_lane(lead[k], bit);
        if (t % WARP == 0)
            to[t / WARP][k] = lead[k];
    }
}

__device__ static inline double lead_of(const double (*leads)[LEADS], int k)
{
    return leads[0][k] + leads[1][k];
}

/* Factors of a group, whose kinetic energies after the kick are leads; the heat they bring. */
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
__device__ static inline double weigh_group(const View &v, const Draws &draws, int32_t g,
                                            const SumRow *row)
{
    const AmphiKinetic k[2] = { kinetic_of_row(row, TRANSLATION, PLUS),
                                kinetic_of_row(row, ROTATION, PLUS + 1) };
    double             factor[2];
    const double heat = find_factors(v, draws.share, v.freedom[g], &draws.rescale[g], k, factor);

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

__device__ static inline void book_kick(const View &v, const Totals *t, double heat, bool looked_at)
{
    Ledger      *l      = v.ledger;
    const double energy = energy_of_motion(t->potential, t->translation, t->rotation);
    const double before = l->heat_kJ_mol;

    book_conserved(v, energy - before - l->work_kJ_mol, looked_at);
    l->heat_kJ_mol   = before + heat;
    l->energy_kJ_mol = energy + heat;
}

/* Sets all that a move of the box needs; 1 where none is due. Y and Z: where the tensor, which
 * begins with xx, has yy and zz. */
template <int Y, int Z>
__device__ static inline void find_move(const View &v, const Draws &draws, const double *tensor,
                                        const double *virial, bool has_quick)
{
    const AmphiBarostat *p          = &v.stage.barostat;
    Ledger              *l          = v.ledger;
    const double         kinetic[3] = { tensor[0], tensor[Y], tensor[Z] };
    double               strain[3], stretch[3] = { 1, 1, 1 }, slow[3] = { 1, 1, 1 };

    if (has_quick && moves_box(p, l->stage_step)) {
        const Squeeze s = squeeze_of(p, v.stage.kT, v.stage.dt_ps, l->box_nm, kinetic, virial);

        find_strain(p, &s, draws.cell, strain);
        find_stretch(p, strain, stretch, slow);
    }
    for (int a = 0; a < 3; a++) {
        l->stretch[a] = stretch[a];
        l->slow[a]    = slow[a];
    }
}

/* Totals of the kick's rows, their leads in the order of the drift's. */
__device__ static inline void add_kick(const View &v, const Sums &s, SumRow *total)
{
    __shared__ Leads leads;

    add_rows(s.bundle, s.n_bundles, s.n_rows, total);
    for (int32_t g = 0; g < v.n_groups; g++) {
        put_leads(v, s, g, leads);
        __syncthreads();
        if (threadIdx.x < (v.stage.remove_drift ? (unsigned)LEADS : (unsigned)MOMENTUM))
            total[g].x[threadIdx.x] = lead_of(leads, (int)threadIdx.x);
        __syncthreads();
    }
}

/* By a block of its own, when all blocks of the kick are through. */
__device__ static inline void keep_books(const View &v, const Sums &s, const Draws &draws,
                                         bool has_quick, bool looked_at)
{
    __shared__ double heat[MOTION_BLOCK];
    __shared__ SumRow few[FEW_ROWS];
    SumRow           *total = s.n_rows <= FEW_ROWS ? few : s.total;
    const int32_t     me    = (int32_t)threadIdx.x;
    double            sum   = 0;

    add_kick(v, s, total);
    for (int32_t g = me; g < v.n_groups; g += MOTION_BLOCK)
        sum += weigh_group(v, draws, g, &total[g]);
    heat[me] = sum;
    __syncthreads();
    if (me == 0) {
        const Totals t = sum_groups(v, total, has_quick);

        for (int32_t k = 1; k < v.n_groups && k < MOTION_BLOCK; k++)
            sum += heat[k];
        put_totals(v.ledger, &t);
        book_kick(v, &t, sum, looked_at);
        if (v.stage.barostat.type != AMPHI_NO_BAROSTAT)
            find_move<3, 5>(v, draws, t.tensor, t.virial, has_quick);
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
