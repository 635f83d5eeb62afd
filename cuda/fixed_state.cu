/* What fixed precision keeps on the device beside the rest: its memory, and a stage's constants. */
#include <string.h>

#include "fixed_sums.h"

extern "C" {
#include "../engine/arena.h"
#include "../engine/bodies_fixed.h"
}

static AmphiStatus take_rows(Device *d, AmphiError *err)
{
    FixedView    *f      = &d->view.fixed;
    DeviceMemory *m      = &d->memory;
    const int64_t groups = d->view.max_groups;

    AMPHI_TRY(amphi_device_take_array(m, FIXED_COPIES, &f->pairs, err));
    AMPHI_TRY(amphi_device_take_array(m, FIXED_COPIES, &f->bonds, err));
    AMPHI_TRY(amphi_device_take_array(m, 2 * FIXED_COPIES * groups, &f->kick, err));
    AMPHI_TRY(amphi_device_take_array(m, 2 * FIXED_COPIES * groups, &f->summed, err));
    AMPHI_TRY(amphi_device_take_array(m, 2, &f->summed_quick, err));
    AMPHI_TRY(amphi_device_take_array(m, FIXED_COPIES * groups, &f->drift, err));
    AMPHI_TRY(amphi_device_take_array(m, (int64_t)AMPHI_TERMS * FIXED_COPIES, &f->term, err));
    AMPHI_TRY(amphi_device_take_array(m, groups, &f->total, err));
    AMPHI_TRY(amphi_device_take_array(m, groups, &f->heat, err));
    AMPHI_TRY(amphi_device_take_array(m, 2, &f->turns, err));
    AMPHI_TRY(amphi_device_take_array(m, 2, &f->noise, err));
    AMPHI_TRY(amphi_device_take_array(m, 1, &f->arrived, err));
    AMPHI_TRY(amphi_device_take_array(m, 1, &f->most_pull, err));
    return amphi_device_take_array(m, 1, &f->out_of_range, err);
}

/* After the plan of pairs, which says what records they read. */
AmphiStatus AMPHI_T(fixed_open)(Device *d, AmphiError *err)
{
    FixedView    *f       = &d->view.fixed;
    DeviceMemory *m       = &d->memory;
    const int64_t n       = d->view.n;
    const auto    records = d->view.records;

    AMPHI_TRY(amphi_device_take_array(m, n, &f->x, err));
    AMPHI_TRY(amphi_device_take_array(m, n, &f->p, err));
    AMPHI_TRY(amphi_device_take_array(m, n, &f->q, err));
    AMPHI_TRY(amphi_device_take_array(m, n, &f->l, err));
    AMPHI_TRY(amphi_device_take_array(m, n, &f->force, err));
    AMPHI_TRY(amphi_device_take_array(m, n, &f->field, err));
    if ((records & 1U << UNIT_AXES) != 0)
        AMPHI_TRY(amphi_device_take_array(m, n, &f->turn, err));
    if ((records & 1U << FRAMES) != 0)
        AMPHI_TRY(amphi_device_take_array(m, n, &f->torque, err));
    AMPHI_TRY(amphi_device_take_array(m, n, &f->whole_force, err));
    AMPHI_TRY(amphi_device_take_array(m, n, &f->whole_torque, err));
    AMPHI_TRY(take_rows(d, err));
    AMPHI_TRY(
        amphi_device_put_array(m, d->system->bead_dipole_e_nm, n, d->stream, &f->dipole_e_nm, err));
    return amphi_fixed_open(d->mirror, err);
}

/* ---- sums ---- */

AmphiStatus AMPHI_T(fixed_begin_sums)(FixedRow *rows, SumsLevel level, cudaStream_t stream,
                                      AmphiError *err)
{
    const int                    first = level == QUICK ? 0 : 1; /* the potential is before */
    const size_t                 width = sizeof *rows - (size_t)first * sizeof rows->x[0];
    enum cudaStreamCaptureStatus is;

    CUDA_TRY(cudaStreamIsCapturing(stream, &is));
    if (is == cudaStreamCaptureStatusNone)
        CUDA_TRY(cudaMemset2DAsync(&rows->x[first], sizeof *rows, 0, width, FIXED_COPIES, stream));
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(fixed_clear)(Device *d, AmphiError *err)
{
    const FixedView *f      = &d->view.fixed;
    const size_t     copies = FIXED_COPIES * sizeof(FixedRow);
    const size_t     groups = copies * (size_t)d->view.max_groups;

    CUDA_TRY(cudaMemsetAsync(f->noise, 0, 2 * sizeof *f->noise, d->stream));
    CUDA_TRY(cudaMemsetAsync(f->arrived, 0, sizeof *f->arrived, d->stream));
    CUDA_TRY(cudaMemsetAsync(f->pairs, 0, copies, d->stream));
    CUDA_TRY(cudaMemsetAsync(f->bonds, 0, copies, d->stream));
    CUDA_TRY(cudaMemsetAsync(f->kick, 0, 2 * groups, d->stream));
    CUDA_TRY(cudaMemsetAsync(f->summed, 0, 2 * groups, d->stream));
    CUDA_TRY(cudaMemsetAsync(f->drift, 0, groups, d->stream));
    CUDA_TRY(cudaMemsetAsync(f->term, 0, (size_t)AMPHI_TERMS * copies, d->stream));
    CUDA_TRY(cudaMemsetAsync(f->most_pull, 0, sizeof *f->most_pull, d->stream));
    CUDA_TRY(cudaMemsetAsync(f->out_of_range, 0xFF, sizeof *f->out_of_range, d->stream));
    return AMPHI_OK;
}

/* The state stands still where it was; the mirror tells it as the host does. */
AmphiStatus AMPHI_T(fixed_judge)(const Device *d, AmphiError *err)
{
    struct AmphiFixed *f = d->mirror->fixed;
    unsigned long long what;

    AMPHI_TRY(amphi_device_get(&what, d->view.fixed.out_of_range, sizeof what, d->stream, err));
    f->fault = AmphiFixedFault{ (FixedFault)(what & 0xFFFFFFFFU), (int32_t)(what >> 32) };
    return amphi_fixed_check(d->mirror, err);
}

AmphiStatus AMPHI_T(fixed_forgive)(Device *d, bool *was_out, AmphiError *err)
{
    Ledger l;

    *was_out = false;
    if (d->mirror->stage != NULL)
        return AMPHI_OK;
    AMPHI_TRY(amphi_device_get(&l, d->view.ledger, sizeof l, d->stream, err));
    if (l.fault != FAULT_RANGE)
        return AMPHI_OK;
    *was_out = true;
    l.fault  = 0;
    AMPHI_TRY(AMPHI_T(fixed_clear)(d, err));
    return amphi_device_put(d->view.ledger, &l, sizeof l, d->stream, err);
}

/* ---- the beginning of a stage ---- */

void AMPHI_T(fixed_expect)(Device *d, const AmphiStage *stage)
{
    amphi_fixed_expect(d->mirror, stage);
    d->view.fixed.coarse = d->mirror->fixed->is_coarse ? FIXED_COARSE_BITS : 0;
}

static AmphiStatus put_restraints(Device *d, const AmphiStage *stage, AmphiError *err)
{
    const int64_t n = d->view.n, n_r = stage->n_restraints;
    FixedView    *f    = &d->view.fixed;
    uint8_t      *axes = (uint8_t *)amphi_alloc(n * n_r, sizeof *axes); /* zeros */
    double       *k    = (double *)amphi_alloc(n_r, sizeof *k);
    AmphiStatus   status =
        axes != NULL && k != NULL
              ? AMPHI_OK
              : amphi_fail(err, AMPHI_NO_MEMORY, "no memory for restraints of %d beads", d->view.n);

    for (int32_t r = 0; status == AMPHI_OK && r < n_r; r++) {
        const AmphiStageRestraint *restraint = &stage->restraint[r];
        const AmphiGroup          *group     = &d->system->group[restraint->group];

        k[r] = restraint->k_kJ_mol_nm2;
        for (int32_t at = 0; at < group->n_beads; at++)
            for (int a = 0; a < 3; a++)
                if (restraint->axis[a])
                    axes[r * n + group->bead[at]] |= (uint8_t)(1 << a);
    }
    if (status == AMPHI_OK)
        status = amphi_device_put_array(&d->memory, axes, n * n_r, d->stream, &f->restrained, err);
    if (status == AMPHI_OK)
        status = amphi_device_put_array(&d->memory, k, n_r, d->stream, &f->k_kJ_mol_nm2, err);
    if (status == AMPHI_OK)
        f->n_restraints = stage->n_restraints;
    amphi_release(axes);
    amphi_release(k);
    return status;
}

static AmphiStatus take_best(Device *d, AmphiError *err)
{
    FixedView *f = &d->view.fixed;

    if (f->best_q != NULL)
        return AMPHI_OK;
    AMPHI_TRY(amphi_device_take_array(&d->memory, d->view.n, &f->best_x, err));
    return amphi_device_take_array(&d->memory, d->view.n, &f->best_q, err);
}

static void drop_best(Device *d)
{
    FixedView *f = &d->view.fixed;

    amphi_device_drop(&d->memory, f->best_x);
    amphi_device_drop(&d->memory, f->best_q);
    f->best_x = NULL;
    f->best_q = NULL;
}

AmphiStatus AMPHI_T(fixed_begin_stage)(Device *d, const AmphiStage *stage, AmphiError *err)
{
    FixedView *f = &d->view.fixed;

    f->ticks      = fixed_ticks(d->mirror->dt_ps);
    f->has_scaled = false;
    if (stage->ensemble != AMPHI_MINIMISE)
        drop_best(d);
    if (f->n_restraints > 0) {
        amphi_device_drop(&d->memory, (void *)f->restrained);
        amphi_device_drop(&d->memory, (void *)f->k_kJ_mol_nm2);
    }
    f->n_restraints = 0;
    if (stage->n_restraints > 0)
        AMPHI_TRY(put_restraints(d, stage, err));
    return stage->ensemble == AMPHI_MINIMISE ? take_best(d, err) : AMPHI_OK;
}
