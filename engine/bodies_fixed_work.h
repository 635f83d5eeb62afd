/* Fixed precision: the operations that bodies*.c call instead of their own, and scratch memory.
 * Private to engine/bodies*.c.
 */
#ifndef AMPHI_ENGINE_BODIES_FIXED_WORK_H
#define AMPHI_ENGINE_BODIES_FIXED_WORK_H

#include "bodies_fixed.h"
#include "bodies_work.h"

/* Of one group within one block. */
typedef struct {
    int64_t kinetic[2][3], tensor[6], momentum[3], pushed[3];
} FixedGroupPart;

/* Of one type. */
typedef struct {
    double rate[3], sense; /* fixed_turn_rate, 0 for points; fixed_turn_sense */
} FixedPace;

struct AmphiFixedWork {
    FixedGroupPart *group_part; /* [n_blocks][n_groups] */
    int64_t        *block_heat; /* [n_blocks] of the noise of a drift */
    double (*stride)[3];        /* [n_types] of the present drift; fixed_stride */
    FixedPace *pace;            /* [n_types] */

    /* the best state of a minimisation so far; NULL before the first minimisation */
    uint64_t (*x)[3];
    int64_t (*q)[4], (*force)[3], (*torque)[3];
    int64_t potential;
};

void amphi_fixed_show_place(AmphiBodies *bodies, int32_t bead);

/* Minimisation: allocates memory for the best state (false: there is none); stores the present
 * state there, or copies it back. */
bool amphi_fixed_take_best(AmphiBodies *bodies);
void amphi_fixed_copy_best(AmphiBodies *bodies, bool back);

/* AMPHI_BAD_INPUT if the time step of the stage is not a whole number of ticks. */
AmphiStatus amphi_fixed_check_step(const AmphiStage *stage, AmphiError *err);
/* p(t - dt_old/2) to p(t - dt_new/2). */
void amphi_fixed_change_step(AmphiBodies *bodies, double dt_ps);

/* What is computed in a kick besides it: kinetic energies; and their tensor; and v(t) and l(t). */
typedef enum { BOOK_NOTHING, BOOK_KINETIC, BOOK_TENSOR, BOOK_ALL } FixedBooking;

void amphi_fixed_kick(AmphiBodies *bodies, FixedBooking what);
/* Kinetic energies of that kick, kJ/mol: of a group, [0] translation and [1] rotation, before, at
 * and after the kick; the upper half of the kinetic tensor. */
void amphi_fixed_kinetic(const AmphiBodies *bodies, int32_t group, double sum[2][3]);
void amphi_fixed_tensor(const AmphiBodies *bodies, double tensor[3][3]);
/* The diagonal of the kinetic tensor of one group. */
void amphi_fixed_along(const AmphiBodies *bodies, int32_t group, double along[3]);
/* Multiplies momenta and angular momenta by the factors of their groups in bodies->work. */
void amphi_fixed_scale_velocities(AmphiBodies *bodies);
/* Scales anchors and momenta after a move of the box; the drift shows the new places. */
void amphi_fixed_follow_box(AmphiBodies *bodies, const double stretch[3], const double slow[3]);
/* The drift; returns the heat of the noise, kJ/mol. noise NULL: none. given_nm_ps [n_groups]:
 * velocities that the noise gives each group, and leaves out; NULL: it leaves nothing out. */
double amphi_fixed_drift(AmphiBodies *bodies, const Noise *noise, const double (*given_nm_ps)[3]);
/* Adds up the momenta of all groups, block by block; or, if noise is not NULL, what the noise of
 * this step gives them. */
void amphi_fixed_sum_momenta(AmphiBodies *bodies, const Noise *noise);
/* Of one group, u nm/ps: its momentum by that sum, or what the last kick with books has added. */
void amphi_fixed_part_momentum(const AmphiBodies *bodies, int32_t group, bool is_pushed,
                               double p[3]);
void amphi_fixed_remove_drift(AmphiBodies *bodies, const double (*drift_nm_ps)[3]);

/* Adds the force, energy and virial of a restraint on one bead, displaced by x from its anchor. */
void amphi_fixed_restrain(AmphiBodies *bodies, int32_t bead, const double x_nm[3],
                          const double force[3]);
/* At the end of a stage with restraints: takes back the half kick of that force. */
void amphi_fixed_give_back(AmphiBodies *bodies, int32_t bead, const double force[3]);

#endif
