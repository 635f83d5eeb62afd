/* Steepest descent that moves and turns: the way of a minimise stage.
 *
 * A torque over ARM counts as a force. The largest of all makes a move of one step length, which
 * grows while the energy falls and is halved when it rises.
 */
#include <math.h>
#include <string.h>

#include "bodies_work.h"

/* The longest step turns by most / arm = 0.3 rad; the shortest is the end. */
static const double arm_nm = 0.1, first_nm = 0.01, most_nm = 0.03, least_nm = 1e-6;
static const double growth = 1.2, shrinkage = 0.5;

static void copy_best(AmphiBodies *b, bool back)
{
    struct AmphiBodiesWork *w = b->work;

    const struct {
        void  *now, *best;
        size_t size;
    } part[] = {
        { b->position_nm, w->position_nm, sizeof *b->position_nm },
        { b->image, w->image, sizeof *b->image },
        { b->orientation, w->orientation, sizeof *b->orientation },
        { b->force_kJ_mol_nm, w->force_kJ_mol_nm, sizeof *b->force_kJ_mol_nm },
        { b->torque_kJ_mol, w->torque_kJ_mol, sizeof *b->torque_kJ_mol },
    };

    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        memcpy(back ? part[k].now : part[k].best, back ? part[k].best : part[k].now,
               part[k].size * (size_t)b->n);
}

/* Keeps the present place if its energy is lower, else goes back; sets the next step length. */
static void judge(AmphiBodies *b)
{
    if (!b->work->has_best) {
        b->work->has_best = true;
        b->step_length_nm = first_nm;
    } else if (b->potential_kJ_mol < b->last_potential_kJ_mol) {
        b->step_length_nm = fmin(growth * b->step_length_nm, most_nm);
    } else {
        b->step_length_nm *= shrinkage;
        b->potential_kJ_mol = b->last_potential_kJ_mol;
        copy_best(b, true);
        return;
    }
    b->last_potential_kJ_mol = b->potential_kJ_mol;
    copy_best(b, false);
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double largest_force(const AmphiBodies *b)
{
    double most = 0;

    for (int32_t i = 0; i < b->n; i++) {
        most = fmax(most, length_of(b->force_kJ_mol_nm[i]));
        if (amphi_mover_of(b, i)->turning != TURNS_NOT)
            most = fmax(most, length_of(b->torque_kJ_mol[i]) / arm_nm);
    }
    return most;
}

static void move_downhill(AmphiBodies *b, double most)
{
    const double move = b->step_length_nm / most;
    const double turn = b->step_length_nm / (arm_nm * arm_nm * most);

    for (int32_t i = 0; i < b->n; i++) {
        double angle[3];

        for (int a = 0; a < 3; a++) {
            b->position_nm[i][a] += move * b->force_kJ_mol_nm[i][a];
            angle[a] = turn * b->torque_kJ_mol[i][a];
        }
        if (amphi_mover_of(b, i)->turning != TURNS_NOT)
            turn_in_space(angle, b->orientation[i]);
        amphi_wrap_body(b->box_nm, b->position_nm[i], b->image[i]);
    }
}

bool amphi_bodies_descend(AmphiBodies *b)
{
    double most;

    judge(b);
    b->conserved_kJ_mol = b->potential_kJ_mol;
    most                = largest_force(b);
    if (most <= b->stage->stop_force_kJ_mol_nm || most == 0 || b->step_length_nm < least_nm ||
        (b->stage->n_steps > 0 && b->stage_step >= b->stage->n_steps))
        return true;
    move_downhill(b, most);
    b->step++;
    b->stage_step++;
    return false;
}
