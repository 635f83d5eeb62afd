/* Simulates a stage in all modes: each sample is taken in all modes before any of them continues.
 */
#include <math.h>

#include "compare.h"

static const double  sample_ps    = 0.1;
static const int64_t most_samples = 20000;

double compare_total(const AmphiFrame *f)
{
    return f->conserved_kJ_mol + f->heat_kJ_mol + f->work_kJ_mol;
}

double compare_potential(const AmphiFrame *f)
{
    const double full = f->translation.full + f->rotation.full;
    const double half = f->translation.half + f->rotation.half;

    return compare_total(f) - (2 * full + half) / 3;
}

void compare_plan_flight(CompareFlight *f, double length_ps)
{
    const double  dt_ps   = f->stage->dt_ps;
    const double  most    = 9007199254740992.0; /* steps; above, a double has no whole numbers */
    const int64_t n_steps = (int64_t)fmin(ceil(length_ps / dt_ps * (1 - 1e-12)), most);
    const int64_t fine    = (int64_t)floor(sample_ps / dt_ps + 0.5);
    const int64_t coarse  = (n_steps + most_samples - 1) / most_samples;

    f->every     = fine > coarse ? fine : coarse;
    f->every     = f->every < n_steps ? f->every : n_steps; /* a short one has its end */
    f->every     = f->every > 0 ? f->every : 1;
    f->n_samples = (n_steps + f->every - 1) / f->every + 1;
    f->n_seen    = 0;
}

AmphiStatus compare_go(CompareMode *m, int64_t n_steps, AmphiError *err)
{
    const AmphiBackend *const be = m->backend;

    if (be->advance != NULL && n_steps > 0)
        return be->advance(m->state, n_steps, err);
    for (int64_t k = 0; k < n_steps; k++) {
        AMPHI_TRY(be->find_neighbours(m->state, err));
        AMPHI_TRY(be->compute_forces(m->state, 0, err));
        AMPHI_TRY(be->kick(m->state, 0, err));
        AMPHI_TRY(be->drift(m->state, err));
    }
    return AMPHI_OK;
}

/* An energy that is not finite is a fault whatever the backend says. */
AmphiStatus compare_look(CompareMode *m, uint32_t needs, AmphiError *err)
{
    const AmphiBackend *const be = m->backend;

    AMPHI_TRY(be->find_neighbours(m->state, err));
    AMPHI_TRY(be->compute_forces(m->state, needs, err));
    AMPHI_TRY(be->kick(m->state, needs, err));
    AMPHI_TRY(be->read_frame(m->state, needs, &m->frame, err));
    if (!isfinite(m->frame.conserved_kJ_mol))
        return amphi_fail(err, AMPHI_UNSTABLE, "the energy is not finite");
    return AMPHI_OK;
}

static AmphiStatus leave(CompareMode *m, int64_t n_steps, AmphiError *err)
{
    AMPHI_TRY(m->backend->drift(m->state, err));
    return compare_go(m, n_steps - 1, err);
}

typedef enum { BEGIN, LOOK, LEAVE } Move;

/* One move of every mode that is left. */
static AmphiStatus move_all(const CompareFlight *f, Move move)
{
    for (int32_t k = 0; k < f->c->n_modes; k++) {
        CompareMode *const m      = &f->c->mode[k];
        AmphiError         why    = { .status = AMPHI_OK };
        AmphiStatus        status = AMPHI_OK;

        if (m->is_lost)
            continue;
        if (move == BEGIN)
            status = m->backend->begin_stage(m->state, f->stage, &why);
        else if (move == LOOK)
            status = compare_look(m, f->needs, &why);
        else
            status = leave(m, f->every, &why);
        AMPHI_TRY(compare_lose(m, status, &why));
    }
    return AMPHI_OK;
}

AmphiStatus compare_fly(CompareFlight *f, AmphiError *err)
{
    const int64_t n_steps = (f->n_samples - 1) * f->every;

    AMPHI_TRY(move_all(f, BEGIN));
    while (f->n_seen < f->n_samples && !compare_stops(f->c)) {
        if (f->n_seen > 0)
            AMPHI_TRY(move_all(f, LEAVE));
        AMPHI_TRY(move_all(f, LOOK));
        AMPHI_TRY(f->see(f->user, f->n_seen, err));
        f->n_seen++;
        if (f->c->tell != NULL)
            f->c->tell(f->c->user, f->part, (f->n_seen - 1) * f->every, n_steps);
    }
    return AMPHI_OK;
}
