/* Forces of a step that somebody looks at, and what is measured of them, as one graph: the host
 * would launch a dozen kernels one by one. In fixed precision forces are launched outside of it:
 * only there are their sums cleared first.
 */
#include "rooms.h"

extern "C" {
#include "../engine/bodies_fixed.h"
}

/* The potential of the terms, where no kernel of forces has added one up. */
__global__ static void __launch_bounds__(32) k_total_terms(const View v)
{
    double potential = 0, virial[3] = { 0, 0, 0 };

    if (threadIdx.x != 0 || v.ledger->fault != 0)
        return;
    for (int slot = 0; slot < AMPHI_TERMS; slot++) {
        potential += v.term[slot].energy;
        for (int a = 0; a < 3; a++)
            virial[a] += v.term[slot].virial[4 * a];
    }
    v.ledger->potential_kJ_mol = potential;
    for (int a = 0; a < 3; a++)
        v.ledger->virial_kJ_mol[a] = virial[a];
}

/* Bonded terms beside pairs. */
static AmphiStatus measure(Device *d, bool has_sums, AmphiError *err)
{
    const cudaStream_t main = d->stream;
    AmphiStatus        status;

    AMPHI_TRY(AMPHI_T(graphs_fork)(d, d->side, err));
    d->stream = d->side;
    status    = AMPHI_T(bonded_measure)(d, err);
    d->stream = main;
    AMPHI_TRY(status);
    AMPHI_TRY(AMPHI_T(forces_measure)(d, err));
    AMPHI_TRY(AMPHI_T(graphs_join)(d, d->side, err));
    AMPHI_TRY(AMPHI_T(motion_gather)(d, true, err));
    if (has_sums)
        return AMPHI_OK;
    k_total_terms<<<1, 32, 0, d->stream>>>(d->view);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

/* Forces have the same bits whatever is added up beside them. */
static AmphiStatus compute(Device *d, SumsLevel level, bool sums, AmphiError *err)
{
    return AMPHI_T(graphs_forces)(d, sums ? QUICK : level, err);
}

static AmphiStatus show(Device *d, SumsLevel level, bool sums, Shows shows, AmphiError *err)
{
    if (shows == SHOWS_ENERGIES)
        return measure(d, sums || level == QUICK, err);
    return shows == SHOWS_FORCES ? AMPHI_T(motion_gather)(d, false, err) : AMPHI_OK;
}

static const bool is_fixed = AMPHI_BUILD_PRECISION == AMPHI_FIXED;

static AmphiStatus capture(Device *d, SumsLevel level, bool sums, Shows shows, cudaGraphExec_t *to,
                           AmphiError *err)
{
    AmphiStatus status = AMPHI_OK;

    CUDA_TRY(cudaStreamBeginCapture(d->stream, cudaStreamCaptureModeThreadLocal));
    if (!is_fixed)
        status = compute(d, level, sums, err);
    if (status == AMPHI_OK)
        status = show(d, level, sums, shows, err);
    return AMPHI_T(graphs_end)(d->stream, status, 0, to, err);
}

#ifdef AMPHI_BUILD_FIXED
/* A start that nobody has moved yet may have overlaps: it is shown in coarse units. */
static AmphiStatus retry_coarsely(Device *d, SumsLevel level, bool sums, AmphiError *err)
{
    bool was_out;

    if (d->view.fixed.coarse != 0)
        return AMPHI_OK;
    AMPHI_TRY(AMPHI_T(motion_gather)(d, false, err));
    AMPHI_TRY(AMPHI_T(fixed_forgive)(d, &was_out, err));
    if (!was_out)
        return AMPHI_OK;
    d->mirror->fixed->is_coarse = true;
    d->view.fixed.coarse        = FIXED_COARSE_BITS;
    return compute(d, level, sums, err);
}
#endif

/* Before the first stage: of a state that was only opened, once. */
static AmphiStatus show_start(Device *d, SumsLevel level, bool sums, Shows shows, AmphiError *err)
{
    AMPHI_TRY(compute(d, level, sums, err));
#ifdef AMPHI_BUILD_FIXED
    AMPHI_TRY(retry_coarsely(d, level, sums, err));
#endif
    return show(d, level, sums, shows, err);
}

AmphiStatus AMPHI_T(frames_forces)(Device *d, SumsLevel level, bool sums, Shows shows,
                                   AmphiError *err)
{
    cudaGraphExec_t *graph = &d->shown[sums][level][shows];

    if (d->mirror->stage == NULL)
        return show_start(d, level, sums, shows, err);
    if (is_fixed)
        AMPHI_TRY(compute(d, level, sums, err));
    if (is_fixed && shows == SHOWS_NOTHING)
        return AMPHI_OK;
    if (*graph == NULL)
        AMPHI_TRY(capture(d, level, sums, shows, graph, err));
    CUDA_TRY(amphi_device_launch(*graph, d->stream));
    return AMPHI_OK;
}
