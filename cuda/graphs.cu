/* Steps as graphs: pairs beside bonded terms, kick, drift, and a list built where the drift found
 * that it must be, beside which pairs go ahead with the list that there is. The host decides
 * nothing.
 *
 * In small systems the kernels of a list stand in every step, and return at once where it still
 * holds. To pass a conditional node takes longer than that: a step 12 % at 5888 beads, 4 % at
 * 23 552. In larger ones they have so many blocks that such a node is better, by 1 % at 94 208.
 */
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

/* The list, and pair forces if those were left to it. */
typedef struct {
    bool      is_node; /* a conditional one, that runs when the handle says so */
    bool      has_forces;
    SumsLevel level; /* of the forces */

    cudaGraph_t                graph;
    cudaGraphConditionalHandle handle; /* 0: no node */
} Rebuild;

/* In a stream of its own. */
static AmphiStatus launch_rebuild(Device *d, const Rebuild *r, AmphiError *err)
{
    const PairsTurn turn = r->is_node ? AT_ONCE : BEHIND_LIST;
    cudaStream_t    main = d->stream;
    AmphiStatus     status;

    d->stream = d->body; /* where cells_build launches */
    status    = AMPHI_T(cells_build)(d, err);
    if (status == AMPHI_OK && r->has_forces)
        status = AMPHI_T(forces_compute)(d, r->level, turn, d->body, err);
    d->stream = main;
    return status;
}

/* Behind all that the stream has so far; nothing waits for it yet. */
static AmphiStatus add_node(Device *d, const Rebuild *r, cudaGraphNode_t *node, AmphiError *err)
{
    const cudaGraphNode_t       *before = NULL;
    const cudaGraphEdgeData     *edges  = NULL;
    enum cudaStreamCaptureStatus is;
    size_t                       n_before = 0;
    cudaGraphNodeParams          params   = {};
    AmphiStatus                  status;

    params.type               = cudaGraphNodeTypeConditional;
    params.conditional.handle = r->handle;
    params.conditional.type   = cudaGraphCondTypeIf;
    params.conditional.size   = 1;
    CUDA_TRY(cudaStreamGetCaptureInfo(d->stream, &is, NULL, NULL, &before, &edges, &n_before));
    CUDA_TRY(cudaGraphAddNode(node, r->graph, before, edges, n_before, &params));
    CUDA_TRY(cudaStreamBeginCaptureToGraph(d->body, params.conditional.phGraph_out[0], NULL, NULL,
                                           0, cudaStreamCaptureModeThreadLocal));
    status = launch_rebuild(d, r, err);
    return amphi_device_end_capture(d->body, NULL, status, err);
}

/* Between a drift and the end of a graph. */
static AmphiStatus capture_list(Device *d, const Rebuild *r, AmphiError *err)
{
    cudaGraphNode_t node;

    if (!r->is_node)
        return AMPHI_T(cells_build)(d, err);
    AMPHI_TRY(add_node(d, r, &node, err));
    CUDA_TRY(cudaStreamUpdateCaptureDependencies(d->stream, &node, NULL, 1,
                                                 cudaStreamSetCaptureDependencies));
    return AMPHI_OK;
}

/* Forces behind a drift. To learn that no list is due takes longer than a kernel takes to begin:
 * pairs go ahead beside it, and the list has forces of its own. */
static AmphiStatus capture_forces(Device *d, Rebuild *r, AmphiError *err)
{
    const bool      has_bonds = d->view.n_bond_blocks > 0;
    cudaGraphNode_t node;

    r->has_forces = true;
    if (r->is_node)
        AMPHI_TRY(add_node(d, r, &node, err));
    else
        AMPHI_TRY(fork_to(d, d->body, err));
    if (has_bonds)
        AMPHI_TRY(fork_to(d, d->side, err));
    AMPHI_TRY(AMPHI_T(forces_compute)(d, r->level, AHEAD_OF_LIST, d->stream, err));
    if (has_bonds) {
        AMPHI_TRY(AMPHI_T(bonded_compute)(d, r->level, d->side, err));
        AMPHI_TRY(join_from(d, d->side, err));
    }
    if (!r->is_node) {
        AMPHI_TRY(launch_rebuild(d, r, err));
        return join_from(d, d->body, err);
    }
    CUDA_TRY(cudaStreamUpdateCaptureDependencies(d->stream, &node, NULL, 1,
                                                 cudaStreamAddCaptureDependencies));
    return AMPHI_OK;
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

static AmphiStatus move_bodies(Device *d, const StepPlan *plan, cudaGraphConditionalHandle handle,
                               AmphiError *err)
{
    AMPHI_T(motion_expect)(d, plan);
    if (AMPHI_T(motion_is_plain)(d, plan))
        return AMPHI_T(motion_step)(d, handle, err);
    AMPHI_TRY(AMPHI_T(motion_kick)(d, plan->level, false, err));
    if (plan->moves_box)
        AMPHI_TRY(AMPHI_T(motion_move_box)(d, err));
    return AMPHI_T(motion_drift)(d, handle, err);
}

/* From forces to forces; next NULL: of the last step, which leaves them to another graph. k: of the
 * graph. */
static AmphiStatus capture_step(Device *d, int k, const StepPlan *plan, const StepPlan *next,
                                cudaGraph_t graph, AmphiError *err)
{
    const SumsLevel level = next != NULL ? next->level : NO_SUMS;
    Rebuild         r     = { d->view.n > FEW_BEADS, false, level, graph, 0 };

    if (r.is_node)
        CUDA_TRY(cudaGraphConditionalHandleCreate(&r.handle, graph, 0, cudaGraphCondAssignDefault));
    d->view.waits_at = next != NULL ? k % NOBODY_WAITS : (int32_t)NOBODY_WAITS;
    AMPHI_TRY(move_bodies(d, plan, r.handle, err));
    return next != NULL ? capture_forces(d, &r, err) : capture_list(d, &r, err);
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
    const int64_t                now = d->mirror->stage_step;
    enum cudaStreamCaptureStatus is;
    cudaGraph_t                  graph  = NULL;
    AmphiStatus                  status = AMPHI_OK;

    CUDA_TRY(cudaStreamBeginCapture(d->stream, cudaStreamCaptureModeThreadLocal));
    CUDA_TRY(cudaStreamGetCaptureInfo(d->stream, &is, NULL, &graph));
    status = AMPHI_T(graphs_forces)(d, AMPHI_T(graphs_plan)(d, now).level, err);
    for (int k = 0; k < n && status == AMPHI_OK; k++) {
        const StepPlan plan = AMPHI_T(graphs_plan)(d, now + k);
        const StepPlan next = AMPHI_T(graphs_plan)(d, now + k + 1);

        status = capture_step(d, k, &plan, k + 1 < n ? &next : NULL, graph, err);
    }
    d->view.waits_at = NOBODY_WAITS;
    status           = amphi_device_end_capture(d->stream, &graph, status, err);
    if (status == AMPHI_OK) {
        const cudaError_t made = cudaGraphInstantiate(out, graph, 0);

        status =
            made == cudaSuccess ? AMPHI_OK : amphi_device_failed(made, "cudaGraphInstantiate", err);
    }
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

void AMPHI_T(graphs_drop)(Device *d)
{
    cudaGraphExec_t *graph = &d->graph[0][0][0][0];

    for (size_t k = 0; k < sizeof d->graph / sizeof *graph; k++) {
        if (graph[k] != NULL)
            (void)cudaGraphExecDestroy(graph[k]);
        graph[k] = NULL;
    }
}
