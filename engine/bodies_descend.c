/* Steepest descent of the bodies; the rules are in descend.h. */
#include <math.h>
#include <string.h>

#include "bodies_fixed_work.h"
#include "descend.h"

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
    if (b->fixed != NULL)
        amphi_fixed_copy_best(b, back);
}

/* Stores the present state if it is the best so far, else goes back; sets the next step length. */
static void judge(AmphiBodies *b)
{
    const bool keeps = descend_keeps(b->work->has_best, b->potential_kJ_mol,
                                     b->last_potential_kJ_mol, &b->step_length_nm);

    copy_best(b, !keeps);
    if (!keeps) {
        b->potential_kJ_mol = b->last_potential_kJ_mol;
        return;
    }
    b->work->has_best        = true;
    b->last_potential_kJ_mol = b->potential_kJ_mol;
}

static double largest_force(const AmphiBodies *b)
{
    double most = 0;

    for (int32_t i = 0; i < b->n; i++)
        most = fmax(most,
                    descend_pull(amphi_mover_of(b, i), b->force_kJ_mol_nm[i], b->torque_kJ_mol[i]));
    return most;
}

static void move_downhill(AmphiBodies *b, double most)
{
    for (int32_t i = 0; i < b->n; i++) {
        descend_move(amphi_mover_of(b, i), b->step_length_nm, most, b->force_kJ_mol_nm[i],
                     b->torque_kJ_mol[i], b->position_nm[i], b->orientation[i]);
        amphi_wrap_body(b->box_nm, b->position_nm[i], b->image[i]);
    }
    if (b->fixed != NULL)
        amphi_fixed_take_places(b);
}

bool amphi_bodies_descend(AmphiBodies *b)
{
    double most;

    if (b->fixed != NULL)
        amphi_fixed_show_forces(b);
    judge(b);
    b->conserved_kJ_mol = b->potential_kJ_mol;
    most                = largest_force(b);
    if (most <= b->stage->stop_force_kJ_mol_nm || most == 0 ||
        b->step_length_nm < DESCEND_LEAST_NM ||
        (b->stage->n_steps > 0 && b->stage_step >= b->stage->n_steps))
        return true;
    move_downhill(b, most);
    b->step++;
    b->stage_step++;
    return false;
}
