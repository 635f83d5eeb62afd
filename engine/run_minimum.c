/* What a minimisation came to: from the frame that is read for the checkpoint at its end, so that
 * nothing is computed for it.
 */
#include "descend.h"
#include "run_parts.h"

/* The frame's forces are those of the last step computed once more: in single precision they may
 * differ in their last digits. */
static const double same_force = 1 + 1e-4;

static Mover mover_of(const AmphiSystem *s, int32_t bead)
{
    const AmphiBeadType *type = &s->type[s->bead_type[bead]];

    return mover_prepare(type->mass_u, type->inertia_u_nm2);
}

static void find_largest(const AmphiSystem *s, const AmphiFrame *frame, AmphiRunMinimum *m)
{
    for (int32_t i = 0; i < s->n_beads; i++) {
        const Mover  mover = mover_of(s, i);
        const double pull =
            descend_pull(&mover, frame->force_kJ_mol_nm[i], frame->torque_kJ_mol[i]);

        if (i > 0 && !(pull > m->force_kJ_mol_nm))
            continue;
        m->bead            = i;
        m->force_kJ_mol_nm = pull;
        m->is_torque       = pull > descend_length(frame->force_kJ_mol_nm[i]);
    }
}

void amphi_run_note_minimum(AmphiRun *run, const AmphiFrame *frame)
{
    const AmphiStage *stage = amphi_run_stage(run);
    AmphiRunMinimum  *m     = &run->minimum;

    *m = (AmphiRunMinimum){ .stage = run->at.stage, .n_steps = run->at.step - run->at.stage_began };
    for (int k = 0; k < AMPHI_TERMS; k++)
        m->potential_kJ_mol += frame->term_kJ_mol[k];
    find_largest(&run->job->system, frame, m);
    m->end = m->force_kJ_mol_nm <= same_force * stage->stop_force_kJ_mol_nm ? AMPHI_FORCE_MET
             : m->n_steps >= stage->n_steps                                 ? AMPHI_STEPS_MADE
                                                                            : AMPHI_NONE_LOWER;
    run->has_minimum = true;
}

const AmphiRunMinimum *amphi_run_minimum(const AmphiRun *run)
{
    return run->has_minimum ? &run->minimum : NULL;
}
