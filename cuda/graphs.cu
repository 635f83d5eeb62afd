/* Steps as graphs: pairs beside bonded terms, kick, drift, and a list built where the drift found
 * that it must be, beside which pairs go ahead with the list that there is. The host decides
 * nothing.
 *
 * The device launches the kernels of a list by itself where it is due (gate.h), as a graph of
 * their own. In single, in systems with bonds of some 10 000 to 16 000 beads, they stand in every
 * step, and return at once where the list still holds: that takes 4 % less there, in others the
 * former takes 2 to 10 % less. So they do on devices for which no code that launches graphs was
 * compiled.
 */
#include "cells.h"
#include "rooms.h"

#include "../engine/barostat.h"
#include "../engine/thermostat.h"

AmphiStatus AMPHI_T(graphs_fork)(Device *d, cudaStream_t other, AmphiError *err)
{
    CUDA_TRY(cudaEventRecord(d->fork, d->stream));
    CUDA_TRY(cudaStreamWaitEvent(other, d->fork, 0));
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(graphs_join)(Device *d, cudaStream_t other, AmphiError *err)
{
    CUDA_TRY(cudaEventRecord(d->join, other));
    CUDA_TRY(cudaStreamWaitEvent(d->stream, d->join, 0));
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(graphs_forces)(Device *d, SumsLevel level, AmphiError *err)
{
    if (d->view.n_bond_blocks == 0)
        return AMPHI_T(forces_compute)(d, level, AT_ONCE, d->stream, err);
    AMPHI_TRY(AMPHI_T(graphs_fork)(d, d->side, err));
    AMPHI_TRY(AMPHI_T(bonded_compute)(d, level, d->side, err));
    AMPHI_TRY(AMPHI_T(forces_compute)(d, level, AT_ONCE, d->stream, err));
    return AMPHI_T(graphs_join)(d, d->side, err);
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

AmphiStatus AMPHI_T(graphs_end)(cudaStream_t stream, AmphiStatus status, unsigned flags,
                                cudaGraphExec_t *out, AmphiError *err)
{
    cudaGraph_t graph = NULL;

    status = amphi_device_end_capture(stream, &graph, status, err);
    if (status == AMPHI_OK) {
        const cudaError_t made = CUDA_SAYS(cudaGraphInstantiate(out, graph, flags));

        if (made != cudaSuccess)
            status = amphi_device_failed(made, "cudaGraphInstantiate", err);
    }
    if (graph != NULL)
        (void)cudaGraphDestroy(graph);
    return status;
}

static AmphiStatus capture_launched(Device *d, SumsLevel level, AmphiError *err)
{
    AMPHI_TRY(capture_rebuild(d, level, AT_ONCE, err));
    return amphi_gate_end(&d->view.ledger->gate, d->list, err);
}

/* The graph that the device launches where a list is due, if it is not there yet. */
static AmphiStatus ready_rebuild(Device *d, SumsLevel level, AmphiError *err)
{
    AmphiStatus status;

    if (d->rebuild[level] != NULL)
        return AMPHI_OK;
    CUDA_TRY(cudaStreamBeginCapture(d->list, cudaStreamCaptureModeThreadLocal));
    d->view.turn = TURN_OF_GATE;
    status       = capture_launched(d, level, err);
    d->view.turn = 0;
    AMPHI_TRY(AMPHI_T(graphs_end)(d->list, status, cudaGraphInstantiateFlagDeviceLaunch,
                                  &d->rebuild[level], err));
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

/* How bodies move in a step: by one kernel where nobody wants sums, with noise or without it; by
 * kick and drift; by one kernel with sums; by one without sums that keeps the books of the one
 * before it. Books of steps with sums, and the heat of noise, are kept in the step behind them, or
 * beside forces. */
typedef enum { PLAIN, NOISY, APART, SUMMED, CLOSING } StepKind;

/* A step of a graph. hands_on: does the one behind it keep its books? */
typedef struct {
    StepPlan plan;
    StepKind kind;
    int32_t  leads; /* View.leads */
    bool     hands_on;
} Step;

/* Keeps the books of a step, if no other step does. */
static AmphiStatus settle_books(Device *d, const Step *step, cudaStream_t stream, AmphiError *err)
{
    if (step->hands_on || (step->kind != SUMMED && step->kind != NOISY))
        return AMPHI_OK;
    if (step->kind == NOISY)
        return AMPHI_T(motion_owed_heat)(d, stream, err);
    return AMPHI_T(motion_owed_books)(d, step->plan.level, stream, err);
}

/* Forces behind the drift of a step, of this level for the next one. Pairs come first behind it,
 * and only then what goes beside them: a graph keeps the first kernel behind another in that one's
 * queue, and from queue to queue none begins early. */
static AmphiStatus capture_forces(Device *d, const Step *step, SumsLevel level, AmphiError *err)
{
    const bool has_bonds = d->view.n_bond_blocks > 0;

    AMPHI_TRY(AMPHI_T(graphs_fork)(d, d->list, err));
    if (has_bonds)
        AMPHI_TRY(AMPHI_T(graphs_fork)(d, d->side, err));
    AMPHI_TRY(AMPHI_T(forces_compute)(d, level, AHEAD_OF_LIST, d->stream, err));
    if (has_bonds) {
        AMPHI_TRY(AMPHI_T(bonded_compute)(d, level, d->side, err));
        AMPHI_TRY(AMPHI_T(graphs_join)(d, d->side, err));
    }
    AMPHI_TRY(capture_list(d, level, err));
    AMPHI_TRY(settle_books(d, step, d->list, err));
    return AMPHI_T(graphs_join)(d, d->list, err);
}

StepPlan AMPHI_T(graphs_plan)(const Device *d, int64_t stage_step)
{
    const AmphiStage *stage     = d->mirror->stage;
    const bool        potential = stage->ensemble == AMPHI_MINIMISE || stage->conserved_mean;

    return StepPlan{ potential                                    ? QUICK
                     : wants_virial(&stage->barostat, stage_step) ? VIRIALS
                                                                  : NO_SUMS,
                     moves_box(&stage->barostat, stage_step) != 0,
                     thermostat_acts(&stage->thermostat, stage_step) != 0 };
}

/* Can somebody before step k set its move of the box aside? The step before it, if that has sums;
 * or that whose kick asks for the move, with a step in between in which nobody does anything. */
static bool is_led(const Step *step, int k)
{
    if (k > 0 && step[k - 1].plan.level != NO_SUMS)
        return true;
    return k > 1 && step[k].plan.moves_box && step[k - 2].plan.level != NO_SUMS &&
           (step[k - 1].kind == PLAIN || step[k - 1].kind == CLOSING);
}

static StepKind kind_of(Device *d, const Step *step, int k)
{
    const StepPlan *plan = &step[k].plan;

    AMPHI_T(motion_expect)(d, plan);
    if (AMPHI_T(motion_is_plain)(d, plan) && d->view.stage.thermostat.type == AMPHI_LANGEVIN)
        return NOISY;
    if (AMPHI_T(motion_is_plain)(d, plan))
        return k > 0 && step[k - 1].kind == SUMMED ? CLOSING : PLAIN;
    return is_led(step, k) && AMPHI_T(motion_is_summed)(d, plan) ? SUMMED : APART;
}

static void find_steps(Device *d, int n, Step *step)
{
    for (int k = 0; k < n; k++) {
        step[k]      = Step{ AMPHI_T(graphs_plan)(d, d->mirror->stage_step + k) };
        step[k].kind = kind_of(d, step, k);
    }
    for (int k = 0; k + 1 < n; k++) {
        const bool then  = step[k + 1].kind == SUMMED;
        const bool later = step[k].kind == APART && step[k + 1].kind == PLAIN && k + 2 < n &&
                           step[k + 2].kind == SUMMED;

        step[k].leads    = then ? 1 : later ? 2 : 0;
        step[k].hands_on = then || step[k + 1].kind == CLOSING ||
                           (step[k].kind == NOISY && step[k + 1].kind == NOISY);
    }
}

/* before: the step before it, which is there where this one is CLOSING. */
static AmphiStatus move_bodies(Device *d, const Step *before, const Step *step, AmphiError *err)
{
    const StepPlan *plan = &step->plan;

    AMPHI_T(motion_expect)(d, step->kind == CLOSING ? &before->plan : plan);
    if (step->kind == PLAIN || step->kind == NOISY)
        return AMPHI_T(motion_step)(d, err);
    if (step->kind == SUMMED)
        return AMPHI_T(motion_step_summed)(d, plan->level, true, err);
    if (step->kind == CLOSING)
        return AMPHI_T(motion_step_summed)(d, before->plan.level, false, err);
    AMPHI_TRY(AMPHI_T(motion_kick)(d, plan->level, NOT_LOOKED_AT, err));
    if (plan->moves_box)
        AMPHI_TRY(AMPHI_T(motion_move_box)(d, err));
    return AMPHI_T(motion_drift)(d, err);
}

/* From forces to forces, step k of n; the last one leaves forces to another graph. Where there are
 * two sets of records its steps take them in turn, from the first on, where the last leaves beads.
 */
static AmphiStatus capture_step(Device *d, int k, int n, const Step *step, AmphiError *err)
{
    const bool is_last = k + 1 == n;
    const int  n_sets  = d->records[1][DIPOLES] != NULL ? 2 : 1;
    const int  shows   = is_last ? 0 : (k + 1) % n_sets;

    d->view.waits_at = is_last ? (int32_t)NOBODY_WAITS : k % NOBODY_WAITS;
    d->view.at       = k % 2;
    d->view.leads    = step[k].leads;
    use_records(d, k % n_sets, shows);
    AMPHI_TRY(move_bodies(d, k > 0 ? &step[k - 1] : NULL, &step[k], err));
    AMPHI_TRY(AMPHI_T(cells_look)(d, err));
    use_records(d, shows, shows);
    if (is_last) {
        AMPHI_TRY(settle_books(d, &step[k], d->stream, err));
        return AMPHI_T(cells_build)(d, err);
    }
    d->view.turn = goes_ahead(d) ? k + 1 : 0;
    return capture_forces(d, &step[k], step[k + 1].plan.level, err);
}

/* Which of n steps do a thing: none, all, or the same of every ten. From a tenth step on these are
 * what acts, asks for a pressure, or in between moves the box and books its work; from the step
 * behind it on the other three. All steps that add up have one level: a stage wants the potential
 * of all of them or of none. */
enum { PERIOD = 10, OTHER = PATTERNS };
static const uint32_t bits_of_pattern[PATTERNS] = {
    0,
    (1 << PERIOD) - 1,
    1,
    1 << AMPHI_MOVE_LAG,
    1 | 3 << AMPHI_MOVE_LAG,
    1 << (PERIOD - 1),
    1 << (AMPHI_MOVE_LAG - 1),
    1 << (PERIOD - 1) | 3 << (AMPHI_MOVE_LAG - 1),
};

/* What steps do: a bit for each of the first ten, and whether all others do as they. */
typedef struct {
    uint32_t bits;
    bool     repeats;
} Does;

static void add_step(Does *does, int k, bool it_does)
{
    if (k < PERIOD)
        does->bits |= (uint32_t)it_does << k;
    else
        does->repeats = does->repeats && (does->bits >> k % PERIOD & 1) == (uint32_t)it_does;
}

static int pattern_of(const Does &does, int n)
{
    const uint32_t all = (1U << (n < PERIOD ? n : PERIOD)) - 1;
    int            pattern;

    for (pattern = 0; pattern < PATTERNS && does.bits != (bits_of_pattern[pattern] & all);)
        pattern++;
    return does.repeats ? pattern : OTHER;
}

typedef struct {
    int sums, moves, acts;
} Patterns;

static Patterns find_patterns(const Device *d, int n)
{
    Does sums = { 0, true }, moves = { 0, true }, acts = { 0, true };

    for (int k = 0; k < n; k++) {
        const StepPlan plan = AMPHI_T(graphs_plan)(d, d->mirror->stage_step + k);

        add_step(&sums, k, plan.level != NO_SUMS);
        add_step(&moves, k, plan.moves_box);
        add_step(&acts, k, plan.acts);
    }
    return Patterns{ pattern_of(sums, n), pattern_of(moves, n), pattern_of(acts, n) };
}

static bool is_known(const Patterns &are)
{
    return are.sums != OTHER && are.moves != OTHER && are.acts != OTHER;
}

/* Steps of a graph. Each graph costs a launch, and its first pairs go ahead of nothing, together 10
 * us with 5 888 beads, 20 with 94 208: so there are long ones. Ten steps are those from one action
 * of thermostat or barostat to the next; 99 are those between two looks of the watch. */
enum { MOST_STEPS = 100 };
static_assert(MOST_STEPS <= 120, "CUDA lets a graph launch no more graphs from the device");
static const int steps_of_graph[GRAPH_SIZES] = { 1, 3, 9, 10, 49, 50, 99, MOST_STEPS };

static AmphiStatus capture_steps(Device *d, int n, cudaGraphExec_t *out, AmphiError *err)
{
    Step        step[MOST_STEPS];
    AmphiStatus status = AMPHI_OK;

    find_steps(d, n, step);
    for (int k = 1; k < n && launches_lists(d); k++)
        AMPHI_TRY(ready_rebuild(d, step[k].plan.level, err));
    CUDA_TRY(cudaStreamBeginCapture(d->stream, cudaStreamCaptureModeThreadLocal));
    status = AMPHI_T(graphs_forces)(d, step[0].plan.level, err);
    for (int k = 0; k < n && status == AMPHI_OK; k++)
        status = capture_step(d, k, n, step, err);
    d->view.waits_at = NOBODY_WAITS;
    d->view.turn     = 0;
    d->view.at       = 0;
    d->view.leads    = 0;
    use_records(d, 0, 0);
    return AMPHI_T(graphs_end)(d->stream, status, 0, out, err);
}

AmphiStatus AMPHI_T(graphs_launch)(Device *d, int64_t n_steps, int64_t *done, AmphiError *err)
{
    int              kind = GRAPH_SIZES, n;
    Patterns         are;
    cudaGraphExec_t *graph;

    do { /* the largest that is not too long and repeats itself; one step always does */
        n   = steps_of_graph[--kind];
        are = n <= n_steps ? find_patterns(d, n) : Patterns{ OTHER, OTHER, OTHER };
    } while (!is_known(are));
    graph = &d->graph[are.sums][are.moves][are.acts][kind];
    if (*graph == NULL)
        AMPHI_TRY(capture_steps(d, n, graph, err));
    CUDA_TRY(amphi_device_launch(*graph, d->stream));
    d->mirror->step += n;
    d->mirror->stage_step += n;
    *done = n;
    return AMPHI_OK;
}

static void drop_all(cudaGraphExec_t *graph, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        amphi_device_destroy(graph[k]);
        graph[k] = NULL;
    }
}

void AMPHI_T(graphs_drop)(Device *d)
{
    drop_all(&d->graph[0][0][0][0], sizeof d->graph / sizeof(cudaGraphExec_t));
    drop_all(d->rebuild, SUMS_LEVELS);
    drop_all(&d->shown[0][0][0], sizeof d->shown / sizeof(cudaGraphExec_t));
}
