/* What the loops over bodies in whole numbers keep beside the state, and the parts of a step that
 * bodies*.c call where the bodies have whole numbers. Private to engine/bodies*.c.
 */
#ifndef AMPHI_ENGINE_BODIES_FIXED_WORK_H
#define AMPHI_ENGINE_BODIES_FIXED_WORK_H

#include "bodies_fixed.h"
#include "bodies_work.h"

/* Of one group within one block. */
typedef struct {
    int64_t kinetic[2][3], momentum[3];
} FixedGroupPart;

typedef struct {
    int64_t tensor[6], heat;
} FixedBlockPart;

struct AmphiFixedWork {
    FixedGroupPart *group_part; /* [n_blocks][n_groups] */
    FixedBlockPart *block_part; /* [n_blocks] */
    double (*stride)[3];        /* [n_types] of the drift in hand */

    /* the best place of a minimisation; NULL until the first of all */
    uint64_t (*x)[3];
    int64_t (*q)[4], (*force)[3], (*torque)[3];
    int64_t potential;
};

void amphi_fixed_show_place(AmphiBodies *bodies, int32_t bead);

/* Minimisation. */
bool amphi_fixed_take_best(AmphiBodies *bodies);
void amphi_fixed_copy_best(AmphiBodies *bodies, bool back);

/* The beginning of a stage: AMPHI_BAD_INPUT for a step that is no whole number of ticks. */
AmphiStatus amphi_fixed_check_step(const AmphiStage *stage, AmphiError *err);
/* p(t - dt_old/2) to p(t - dt_new/2). */
void amphi_fixed_change_step(AmphiBodies *bodies, double dt_ps);

/* A kick; with its books, and v(t) and l(t) for those who look. */
void amphi_fixed_kick(AmphiBodies *bodies, bool books, bool looked_at);
/* Sums of the books, kJ/mol: of a group before, at and after the kick; the upper half of the tensor. */
void amphi_fixed_kinetic(const AmphiBodies *bodies, int32_t group, double sum[2][3]);
void amphi_fixed_tensor(const AmphiBodies *bodies, double tensor[3][3]);
/* By the factors of the groups, translation and rotation. */
void amphi_fixed_scale_velocities(AmphiBodies *bodies);
/* The box has moved. */
void amphi_fixed_follow_box(AmphiBodies *bodies, const double stretch[3], const double slow[3]);
/* Kinetic part of the energy of the motion that goes on from the last kick, by these forces. */
double amphi_fixed_look_back(AmphiBodies *bodies);
/* The heat of the noise, kJ/mol. noise NULL: none. */
double amphi_fixed_drift(AmphiBodies *bodies, const Noise *noise);
/* The momenta of the groups; then that of one, u nm/ps. */
void amphi_fixed_sum_momenta(AmphiBodies *bodies);
void amphi_fixed_group_momentum(const AmphiBodies *bodies, int32_t group, double p[3]);
void amphi_fixed_remove_drift(AmphiBodies *bodies, const double (*drift_nm_ps)[3]);

/* One restraint on one bead: the force that it has at x from its anchor, energy and the diagonal of
 * the virial are rounded and added. And at the end of its stage: half a kick by that force, which
 * the next has not. */
void amphi_fixed_restrain(AmphiBodies *bodies, int32_t bead, const double x_nm[3],
                          const double force[3]);
void amphi_fixed_give_back(AmphiBodies *bodies, int32_t bead, const double force[3]);

#endif
