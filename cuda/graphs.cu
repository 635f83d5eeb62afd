/* Steps as graphs: pairs beside bonded terms, kick, drift, and a list built where the drift found
 * that it must be, beside which pairs go ahead with the list that there is. The host decides
 * nothing.
 *
 * The device launches the kernels of a list by itself where it is due (gate.h), as a graph of
 * their own. In systems with bonds of some 10 000 to 16 000 beads they stand in every step, and
 * return at once where the list still holds: that takes 4 % less there, in others the former takes
 * 2 to 10 % less. So they do on devices for which no code that launches graphs was compiled.
 */
#include "cells.h"
#include "rooms.h"

#include "../engine/barostat.h"
#include "../engine/thermostat.h"

static AmphiStatus fork_to(Device *d, cudaStream_t other, AmphiError *err)
{
    CUDA_TRY(cudaEventRecord(d->fork, d->stream));
    CUDA_TRY(cudaStreamWaitEvent(other, d->fork, 0));
    return AMPHI_OK;
}

static AmphiStatus join_from(Device *d, cudaStream_t other, AmphiError *err)
{
    CUDA_TRY(cudaEventRecord(d->join, other));
    CUDA_TRY(cudaStreamWaitEvent(d->stream, d->join, 0));
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(graphs_forces)(Device *d, SumsLevel level, AmphiError *err)
{
    if (d->view.n_bond_blocks == 0)
        return AMPHI_T(forces_compute)(d, level, AT_ONCE, d->stream, err);
    AMPHI_TRY(fork_to(d, d->side, err));
    AMPHI_TRY(AMPHI_T(bonded_compute)(d, level, d->side, err));
    AMPHI_TRY(AMPHI_T(forces_compute)(d, level, AT_ONCE, d->stream, err));
    return join_from(d, d->side, err);
}

/* Does the device launch a list by itself? */
static bool launches_lists(const Device *d)
{
    return d->begins_early && (AMPHI_BUILD_PRECISION != AMPHI_SINGLE || goes_ahead(d) ||
                               rows_have_places(d->view.lanes));
}

/* The list and forces by it, in the list's stream. */
static AmphiStatus capture_rebuild(Device *d, SumsLevel level, PairsTurn turn, AmphiError *err)
{
    cudaStream_t main = d->stream;
    AmphiStatus  status;

    d->stream = d->list; /* where cells_build launches */
    status    = AMPHI_T(cells_build)(d, err);
    if (status == AMPHI_OK)
        status = AMPHI_T(forces_compute)(d, level, turn, d->list, err);
    d->stream = main;
    return status;
}

static AmphiStatus instantiate(cudaGraph_t graph, unsigned flags, cudaGraphExec_t *out,
                               AmphiError *err)
{
    const cudaError_t made = cudaGraphInstantiate(out, graph, flags);

    return made == cudaSuccess ? AMPHI_OK : amphi_device_failed(made, "cudaGraphInstantiate", err);
}

static AmphiStatus capture_launched(Device *d, SumsLevel level, AmphiError *err)
{
    AMPHI_TRY(capture_rebuild(d, level, AT_ONCE, err));
    return amphi_gate_end(&d->view.ledger->gate, d->list, err);
}

/* The graph that the device launches where a list is due, if it is not there yet. */
static AmphiStatus ready_rebuild(Device *d, SumsLevel level, AmphiError *err)
{
    cudaGraph_t graph = NULL;
    AmphiStatus status;

    if (d->rebuild[level] != NULL)
        return AMPHI_OK;
    d->view.turn = TURN_OF_GATE;
    CUDA_TRY(cudaStreamBeginCapture(d->list, cudaStreamCaptureModeThreadLocal));
    status       = amphi_device_end_capture(d->list, &graph, capture_launched(d, level, err), err);
    d->view.turn = 0;
    if (status == AMPHI_OK)
        status = instantiate(graph, cudaGraphInstantiateFlagDeviceLaunch, &d->rebuild[level], err);
    if (graph != NULL)
        (void)cudaGraphDestroy(graph);
    AMPHI_TRY(status);
    CUDA_TRY(cudaGraphUpload(d->rebuild[level], d->stream));
    return AMPHI_OK;
}

/* Beside pairs that are ahead of the list: it, and forces by it, where it is due. */
static AmphiStatus capture_list(Device *d, SumsLevel level, AmphiError *err)
{
    Ledger *l = d->view.ledger;

    if (launches_lists(d))
        return amphi_gate_capture(&l->waits[d->view.waits_at], d->rebuild[level], &l->gate,
                                  d->view.turn, d->list, err);
    return capture_rebuild(d, level, BEHIND_LIST, err);
}

/* Forces behind a drift. Pairs come first behind it, and only then what goes beside them: a graph
 * keeps the first kernel behind another in that one's queue, and from queue to queue none begins
 * early. */
static AmphiStatus capture_forces(Device *d, SumsLevel level, AmphiError *err)
{
    const bool has_bonds = d->view.n_bond_blocks > 0;

    AMPHI_TRY(fork_to(d, d->list, err));
    if (has_bonds)
        AMPHI_TRY(fork_to(d, d->side, err));
    AMPHI_TRY(AMPHI_T(forces_compute)(d, level, AHEAD_OF_LIST, d->stream, err));
    if (has_bonds) {
        AMPHI_TRY(AMPHI_T(bonded_compute)(d, level, d->side, err));
        AMPHI_TRY(join_from(d, d->side, err));
    }
    AMPHI_TRY(capture_list(d, level, err));
    return join_from(d, d->list, err);
}

StepPlan AMPHI_T(graphs_plan)(const Device *d, int64_t stage_step)
{
    const AmphiStage *stage     = d->mirror->stage;
    const bool        moves     = moves_box(&stage->barostat, stage_step) != 0;
    const bool        potential = stage->ensemble == AMPHI_MINIMISE || stage->conserved_mean;
    const bool        virials   = moves || has_moved_box(&stage->barostat, stage_step);

    return StepPlan{ potential ? QUICK
                     : virials ? VIRIALS
                               : NO_SUMS,
                     moves, thermostat_acts(&stage->thermostat, stage_step) != 0 };
}

static AmphiStatus move_bodies(Device *d, const StepPlan *plan, AmphiError *err)
{
    AMPHI_T(motion_expect)(d, plan);
    if (AMPHI_T(motion_is_plain)(d, plan))
        return AMPHI_T(motion_step)(d, err);
    AMPHI_TRY(AMPHI_T(motion_kick)(d, plan->level, false, err));
    if (plan->moves_box)
        AMPHI_TRY(AMPHI_T(motion_move_box)(d, err));
    return AMPHI_T(motion_drift)(d, err);
}

/* From forces to forces; next NULL: of the last step, which leaves them to another graph. k: of the
 * graph. Where there are two sets of records its steps take them in turn, from the first on, where
 * the last leaves beads. */
static AmphiStatus capture_step(Device *d, int k, const StepPlan *plan, const StepPlan *next,
                                AmphiError *err)
{
    const int n_sets = d->records[1][DIPOLES] != NULL ? 2 : 1;
    const int shows  = next != NULL ? (k + 1) % n_sets : 0;

    d->view.waits_at = next != NULL ? k % NOBODY_WAITS : (int32_t)NOBODY_WAITS;
    use_records(d, k % n_sets, shows);
    AMPHI_TRY(move_bodies(d, plan, err));
    use_records(d, shows, shows);
    if (next == NULL)
        return AMPHI_T(cells_build)(d, err);
    d->view.turn = goes_ahead(d) ? k + 1 : 0;
    return capture_forces(d, next->level, err);
}

/* Of n steps: does none do a thing, all, the first of every ten alone, or the first two? All that
 * add up have one level: a stage wants the potential of all of them or of none. */
typedef enum { NONE, ALL, FIRST, FIRST_TWO, OTHER } Pattern;

enum { PERIOD = 10 };

/* does: a bit for each step. */
static Pattern pattern_of(uint64_t does, int n)
{
    const uint64_t all    = ((uint64_t)1 << n) - 1;
    uint64_t       firsts = 0;

    for (int k = 0; k < n; k += PERIOD)
        firsts |= (uint64_t)1 << k;
    if (does == 0 || does == all)
        return does == 0 ? NONE : ALL;
    return does == firsts ? FIRST : does == ((firsts | firsts << 1) & all) ? FIRST_TWO : OTHER;
}

typedef struct {
    Pattern sums, moves, acts;
} Patterns;

static Patterns find_patterns(const Device *d, int n)
{
    uint64_t sums = 0, moves = 0, acts = 0;

    for (int k = 0; k < n; k++) {
        const StepPlan plan = AMPHI_T(graphs_plan)(d, d->mirror->stage_step + k);

        sums |= (uint64_t)(plan.level != NO_SUMS) << k;
        moves |= (uint64_t)plan.moves_box << k;
        acts |= (uint64_t)plan.acts << k;
    }
    return Patterns{ pattern_of(sums, n), pattern_of(moves, n), pattern_of(acts, n) };
}

static AmphiStatus capture_steps(Device *d, int n, cudaGraphExec_t *out, AmphiError *err)
{
    const int64_t now    = d->mirror->stage_step;
    cudaGraph_t   graph  = NULL;
    AmphiStatus   status = AMPHI_OK;

    for (int k = 1; k < n && launches_lists(d); k++)
        AMPHI_TRY(ready_rebuild(d, AMPHI_T(graphs_plan)(d, now + k).level, err));
    CUDA_TRY(cudaStreamBeginCapture(d->stream, cudaStreamCaptureModeThreadLocal));
    status = AMPHI_T(graphs_forces)(d, AMPHI_T(graphs_plan)(d, now).level, err);
    for (int k = 0; k < n && status == AMPHI_OK; k++) {
        const StepPlan plan = AMPHI_T(graphs_plan)(d, now + k);
        const StepPlan next = AMPHI_T(graphs_plan)(d, now + k + 1);

        status = capture_step(d, k, &plan, k + 1 < n ? &next : NULL, err);
    }
    d->view.waits_at = NOBODY_WAITS;
    d->view.turn     = 0;
    use_records(d, 0, 0);
    status = amphi_device_end_capture(d->stream, &graph, status, err);
    if (status == AMPHI_OK)
        status = instantiate(graph, 0, out, err);
    if (graph != NULL)
        (void)cudaGraphDestroy(graph);
    return status;
}

/* Steps of a graph. Each graph costs a launch, and its first pairs go ahead of nothing: so there
 * are long ones. Ten steps are those from one action of thermostat or barostat to the next, and
 * nine those between a look at a tenth step and the next tenth. */
static const int steps_of_graph[GRAPH_SIZES] = { 1, 3, 9, 10, 50 };

AmphiStatus AMPHI_T(graphs_launch)(Device *d, int64_t n_steps, int64_t *done, AmphiError *err)
{
    int              kind = GRAPH_SIZES, n;
    Patterns         are;
    cudaGraphExec_t *graph;

    do { /* the largest that is not too long and repeats itself; one step always does */
        n   = steps_of_graph[--kind];
        are = find_patterns(d, n);
    } while (n > 1 &&
             (n > n_steps || are.sums == OTHER || are.moves == OTHER || are.acts == OTHER));
    graph = &d->graph[are.sums][are.moves][are.acts][kind];
    if (*graph == NULL)
        AMPHI_TRY(capture_steps(d, n, graph, err));
    CUDA_TRY(cudaGraphLaunch(*graph, d->stream));
    d->mirror->step += n;
    d->mirror->stage_step += n;
    *done = n;
    return AMPHI_OK;
}

static void drop_all(cudaGraphExec_t *graph, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (graph[k] != NULL)
            (void)cudaGraphExecDestroy(graph[k]);
        graph[k] = NULL;
    }
}

void AMPHI_T(graphs_drop)(Device *d)
{
    drop_all(&d->graph[0][0][0][0], sizeof d->graph / sizeof(cudaGraphExec_t));
    drop_all(d->rebuild, SUMS_LEVELS);
}
