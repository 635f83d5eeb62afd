/* What the kernels of motion share: one body in registers, the whole force on a bead, the bead's
 * part of the stage's restraints; and what motion keeps from one kernel to the next.
 */
#ifndef AMPHI_CUDA_BEADS_H
#define AMPHI_CUDA_BEADS_H

#include "beside.h"
#include "records.h"
#include "roles.h"
#include "stale.h"
#include "sums.h"
#include "whole.h"

extern "C" {
#include "../engine/bodies_work.h"
}

#include "../engine/descend.h"
#include "../engine/thermostat.h"

/* What a step draws before its energies are known; device memory. */
typedef struct {
    RescaleDraw *rescale;  /* [max_groups] */
    double      *cell;     /* [2] deviates of a move of the box */
    double       share;    /* of the thermostat's time, from one scaling to the next */
    int32_t      n_blocks; /* that draw: 1 or 0 */
} Draws;

/* The best place of a minimisation; device memory, NULL in other stages. Places are NULL in fixed
 * precision, where FixedView has them. */
typedef struct {
    double (*position_nm)[3], (*orientation)[4], (*force_kJ_mol_nm)[3], (*torque_kJ_mol)[3];
} Best;

struct MotionPlan {
    StageView stage;     /* of all its steps: view.stage is that of one */
    Sums      sums;      /* rows by sums_of */
    int32_t   most_rows; /* that a block of them has room for */
    Draws     draws;
    bool      is_open; /* the books of the last kick wait for the drift */
    bool      moves;   /* and so does a move of the box */
    SumsLevel open_level;
    Best      best;
    double   *most;       /* [n_blocks] largest pulls of a descent; with Best */
    double   *group_mass; /* [max_groups], as are the next two */
    int32_t  *group_size;
    int64_t (*freedom)[2];
    double (*restraint_kJ_mol_nm2)[3]; /* NULL until a stage has some */
};

typedef struct {
    double f[3], t[3];
} Pull;

__device__ static inline int32_t bead_of_thread(int32_t block)
{
    return block * MOTION_BLOCK + (int32_t)threadIdx.x;
}

/* Boxes that a bead has entered by a trial of a descent from `best` to `now`, and leaves as it goes
 * back: a trial goes much less far than half of a box, which is `edge` long in units of both. */
__device__ static inline int32_t boxes_back(double best, double now, double edge)
{
    return (int32_t)rint((best - now) / edge);
}

template <class T> __device__ static inline void copy3(const T from[3], T to[3])
{
    for (int a = 0; a < 3; a++)
        to[a] = from[a];
}

/* Two numbers at a time: quaternions lie at multiples of 32 bytes. */
template <class Two, class T> __device__ static inline void load_twice(const T from[4], T to[4])
{
    const Two low = ((const Two *)from)[0], high = ((const Two *)from)[1];

    to[0] = low.x;
    to[1] = low.y;
    to[2] = high.x;
    to[3] = high.y;
}

__device__ static inline void load4(const double from[4], double to[4])
{
    load_twice<double2>(from, to);
}

__device__ static inline void store4(const double from[4], double to[4])
{
    ((double2 *)to)[0] = make_double2(from[0], from[1]);
    ((double2 *)to)[1] = make_double2(from[2], from[3]);
}

/* Three numbers of each bead, by all lanes of a warp whose beads lie side by side: whole sectors of
 * memory instead of three times a third of them. A warp that ends with the last bead writes as it
 * has them. */
template <class T>
__device__ static inline void store3(const View &v, int32_t i, const T from[3], T (*to)[3])
{
    __shared__ T part[3 * MOTION_BLOCK];
    const int    t = (int)threadIdx.x, lane = t % WARP, first = 3 * (t - lane);

    if (i - lane + WARP > v.n) {
        copy3(from, to[i]);
        return;
    }
    __syncwarp();
    copy3(from, &part[3 * t]);
    __syncwarp();

    T *flat = &to[i - lane][0];
    for (int k = lane; k < 3 * WARP; k += WARP)
        flat[k] = part[first + k];
}

/* What pairs do to a bead. In single both halves are written in one piece each, and w is the turn
 * of the forces: so a step can tell that those of a bead are there while pairs go on elsewhere. */
typedef struct {
    Four force, torque;
} PairPull;

#ifdef AMPHI_BUILD_SINGLE
__device__ static inline PairPull look_at_pull(const View &v, int32_t i)
{
    return PairPull{ load_in_one_piece(&v.pair_force[i]), load_in_one_piece(&v.pair_torque[i]) };
}

__device__ static inline bool is_of_turn(const PairPull &pull, int32_t turn)
{
    return (int)(__float_as_int(pull.force.w) == turn) &
           (int)(__float_as_int(pull.torque.w) == turn);
}
#endif

/* What bonds do to a bead, force and torque: of its roles, if that is not added up by then. There
 * before a step that follows pairs begins. */
typedef struct {
    double sum[6];
} BondPull;

__device__ static inline BondPull bond_pull_on(const View &v, int32_t i)
{
    BondPull pull = {};

    if (i >= v.n_bonded)
        return pull;
    if (!v.sums_bonds) {
        add_roles(v, load_roles(v, i), pull.sum);
        return pull;
    }

    const Four f = v.bond_force[i], t = v.bond_torque[i];

    pull.sum[0] = f.x;
    pull.sum[1] = f.y;
    pull.sum[2] = f.z;
    pull.sum[3] = t.x;
    pull.sum[4] = t.y;
    pull.sum[5] = t.z;
    return pull;
}

/* Pairs, then bonds. */
__device__ static inline Pull pull_with(const View &v, int32_t i, const PairPull &pairs,
                                        const BondPull &bonds)
{
    const Four f = pairs.force, t = pairs.torque;
    Pull       pull = { { f.x, f.y, f.z }, { t.x, t.y, t.z } };

    for (int a = 0; i < v.n_bonded && a < 3; a++) {
        pull.f[a] += bonds.sum[a];
        pull.t[a] += bonds.sum[3 + a];
    }
    return pull;
}

__device__ static inline Pull pull_on(const View &v, int32_t i)
{
    return pull_with(v, i, PairPull{ v.pair_force[i], v.pair_torque[i] }, bond_pull_on(v, i));
}

/* Adds the stage's restraint on a bead; x is how far it is from its anchor, g the force. */
__device__ static inline void restrain(const View &v, int32_t i, Pull *pull, double x[3],
                                       double g[3])
{
    for (int a = 0; a < 3; a++) {
        x[a] = v.position_nm[i][a] + v.image[i][a] * v.ledger->box_nm[a] - v.anchor_nm[i][a];
        g[a] = -2 * v.restraint_kJ_mol_nm2[i][a] * x[a];
        pull->f[a] += g[a];
    }
}

/* Anchors go with the box. Where nothing is restrained nobody reads them in this stage, and the
 * next one sets them anew. */
__device__ static inline void stretch_anchor(const View &v, int32_t i, const double stretch[3])
{
    for (int a = 0; v.restraint_kJ_mol_nm2 != NULL && a < 3; a++)
        v.anchor_nm[i][a] *= stretch[a];
}

/* The whole force; energy and virial of the bead's restraint are added to quick (NULL: not
 * wanted). */
__device__ static inline Pull whole_pull_with(const View &v, int32_t i, const PairPull &pairs,
                                              const BondPull &bonds, double *quick)
{
    Pull   pull = pull_with(v, i, pairs, bonds);
    double x[3] = { 0, 0, 0 }, g[3] = { 0, 0, 0 };

    if (v.restraint_kJ_mol_nm2 == NULL)
        return pull;
    restrain(v, i, &pull, x, g);
    for (int a = 0; quick != NULL && a < 3; a++) {
        quick[POTENTIAL] -= 0.5 * g[a] * x[a];
        quick[VIRIAL + a] += x[a] * g[a];
    }
    return pull;
}

__device__ static inline Pull whole_pull(const View &v, int32_t i, const BondPull &bonds,
                                         double *quick)
{
    return whole_pull_with(v, i, PairPull{ v.pair_force[i], v.pair_torque[i] }, bonds, quick);
}

/* By one thread of one block: what the drift of the next step will say of the list, not yet said.
 */
__device__ static inline void clear_waits(const View &v)
{
    for (int k = 0; k < NOBODY_WAITS; k++)
        if (k != v.waits_at)
            v.ledger->waits[k] = 0;
}

/* By one thread of one block, when no other reads these numbers in this kernel. */
__device__ static inline void count_step(Ledger *l)
{
    l->step++;
    l->stage_step++;
}

static inline Sums sums_of(const Device *d, int32_t n_groups, bool has_quick = false)
{
    Sums s = d->motion->sums;

    s.n_groups = n_groups;
    s.n_rows   = n_groups + has_quick;
    return s;
}

/* For a whole step with sums: rows of its own, while those of the one before it are still read. */
static inline Sums sums_of_turn(const Device *d, int32_t n_groups, bool has_quick)
{
    Sums          s     = sums_of(d, n_groups, has_quick);
    SumRow *const first = s.bundle;

    if (d->view.at == 0)
        return s;
    s.bundle = s.other;
    s.other  = first;
    if (s.per_bundle == 1)
        s.part = s.bundle;
    return s;
}

/* What the books of the kick have for a bead's velocities. */
typedef struct {
    double v, l, slow[3];
} SpeedScale;

__device__ static inline SpeedScale load_scale(const View &v, int32_t i)
{
    const int32_t g = v.n_groups > 1 ? v.group_of[i] : 0;
    SpeedScale    s = { 1, 1, { 1, 1, 1 } };

    if (scales_velocities(v.stage.thermostat.type)) {
        s.v = v.factor[g][0];
        s.l = v.factor[g][1];
    }
    if (v.stage.barostat.type != AMPHI_NO_BAROSTAT)
        copy3(v.ledger->now.slow, s.slow);
    return s;
}

__device__ static inline void scale_velocity(const SpeedScale *s, double u[3], double l[3])
{
    for (int a = 0; a < 3; a++) {
        u[a] = u[a] * s->v * s->slow[a];
        l[a] *= s->l;
    }
}

/* Of one group's centre of mass, from its momentum. */
__device__ static inline void find_drift(const View &v, int32_t g, const double p[3],
                                         double drift_nm_ps[3])
{
    for (int a = 0; a < 3; a++)
        drift_nm_ps[a] = v.group_size[g] > 1 ? p[a] / v.group_mass[g] : 0;
}

__device__ static inline int32_t group_of_bead(const View &v, int32_t i)
{
    return v.n_groups > 1 && i < v.n ? v.group_of[i] : 0;
}

/* The rows of a block, one a group, from the numbers of each thread's bead. wanted: bits of them;
 * a part of which nobody wants a number is left out. */
__device__ static inline void put_rows(const View &v, const Sums &s, int32_t block, int32_t group,
                                       const double number[SUM_WIDTH], uint32_t wanted)
{
    SumRow *row = s.part + (int64_t)block * s.n_rows;

#pragma unroll 1
    for (int32_t g = 0; g < v.n_groups; g++) {
        const bool is_own = v.n_groups == 1 || group == g;

#pragma unroll
        for (int first = 0; first < SUM_WIDTH; first += PART) {
            double own[PART];

            if ((wanted >> first & PART_BITS) == 0)
                continue;
#pragma unroll
            for (int k = 0; k < PART; k++)
                own[k] = is_own ? number[first + k] : 0;
            put_row<PART>(own, &row[g].x[first]);
        }
    }
}

/* Was this the last step downhill? keeps: the present place is the best so far. */
__device__ static inline void find_end(const StageView *stage, bool keeps, Ledger *l)
{
    l->potential_kJ_mol = l->conserved_kJ_mol = l->last_potential_kJ_mol;
    l->goes_back                              = !keeps;
    l->converged = l->largest_force_kJ_mol_nm <= stage->stop_force_kJ_mol_nm ||
                   l->largest_force_kJ_mol_nm == 0 || l->step_length_nm < DESCEND_LEAST_NM ||
                   (stage->n_steps > 0 && l->stage_step >= stage->n_steps);
}

#ifndef AMPHI_BUILD_FIXED /* which has its own */
/* The bead's records, and what follows for the list from where it is. */
__device__ static inline void show_place(const View &v, int32_t i, const Shown &shown,
                                         const double built_nm[3], const ListRoom *room,
                                         const double x[3], const double q[4])
{
    put_records(v, v.shown, shown, room->inv_box, x, q);
    judge_place(v, room, i, built_nm, x);
}

/* Reads before it writes, so that nothing waits in between. */
__device__ static inline void show_bead(const View &v, int32_t i, const ListRoom *room,
                                        const double x[3], const double q[4])
{
    double built_nm[3];

    copy3(v.built_nm[i], built_nm);
    show_place(v, i, shown_of(v, i, v.slot_of[i]), built_nm, room, x, q);
}
#endif

#endif
