/* Where the time of a step goes, kernel by kernel. Each operation is captured once, and its kernels
 * are strung into a graph of their own with an event between any two: the device runs them as it
 * does in a run, only one after another. The host looks at the clock between steps, as a run never
 * does.
 */
#include "entries.h"
#include "read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" {
#include "../engine/arena.h"
#include "../engine/timings.h"
}

enum { MOST_LINKS = 96 };

/* One kernel after another; event k stands before link k, and one behind the last. */
typedef struct {
    cudaGraph_t     graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t last;
    int             n;
    AmphiTiming    *part[MOST_LINKS];
    bool            is_list[MOST_LINKS];
    cudaEvent_t     event[MOST_LINKS + 2];
} Chain;

typedef AmphiStatus (*Launch)(Device *d, SumsLevel level, AmphiError *err);

static AmphiStatus launch_pairs(Device *d, SumsLevel level, AmphiError *err)
{
    return AMPHI_T(forces_compute)(d, level, AT_ONCE, d->stream, err);
}

static AmphiStatus launch_bonded(Device *d, SumsLevel level, AmphiError *err)
{
    return d->view.n_bond_blocks > 0 ? AMPHI_T(bonded_compute)(d, level, d->stream, err) : AMPHI_OK;
}

static AmphiStatus launch_step(Device *d, SumsLevel level, AmphiError *err)
{
    (void)level;
    AMPHI_TRY(AMPHI_T(motion_step)(d, err));
    if (d->view.stage.thermostat.type != AMPHI_LANGEVIN)
        return AMPHI_OK;
    return AMPHI_T(motion_owed_heat)(d, d->stream, err);
}

static AmphiStatus launch_kick(Device *d, SumsLevel level, AmphiError *err)
{
    return AMPHI_T(motion_kick)(d, level, NOT_LOOKED_AT, err);
}

static AmphiStatus launch_move(Device *d, SumsLevel level, AmphiError *err)
{
    (void)level;
    return AMPHI_T(motion_move_box)(d, err);
}

static AmphiStatus launch_drift(Device *d, SumsLevel level, AmphiError *err)
{
    (void)level;
    return AMPHI_T(motion_drift)(d, err);
}

static AmphiStatus launch_look(Device *d, SumsLevel level, AmphiError *err)
{
    (void)level;
    return AMPHI_T(cells_look)(d, err);
}

static AmphiStatus launch_list(Device *d, SumsLevel level, AmphiError *err)
{
    (void)level;
    return AMPHI_T(cells_build)(d, err);
}

/* In which steps: kick and drift are one kernel, or two. */
typedef enum { EVERY, PLAIN, SUMMED, MOVING } Which;

/* A step in order. */
static const struct {
    const char *name;
    Launch      launch;
    Which       which;
    bool        is_list;
} operations[] = {
    { "pairs", launch_pairs, EVERY, false }, { "bonded", launch_bonded, EVERY, false },
    { "motion", launch_step, PLAIN, false }, { "kick", launch_kick, SUMMED, false },
    { "move", launch_move, MOVING, false },  { "drift", launch_drift, SUMMED, false },
    { "strays", launch_look, EVERY, false }, { "list", launch_list, EVERY, true },
};

static bool has_operation(const Device *d, const StepPlan *plan, Which which)
{
    const bool is_plain = AMPHI_T(motion_is_plain)(d, plan);

    return which == EVERY || (which == PLAIN && is_plain) || (which == SUMMED && !is_plain) ||
           (which == MOVING && plan->moves_box);
}

/* ---- names ---- */

/* The name in a mangled one: names stand behind their lengths, that of the file first. */
static void plain_name(const char *mangled, char *name, size_t size)
{
    const char *at = mangled;

    snprintf(name, size, "%s", mangled);
    while ((at = strpbrk(at, "0123456789")) != NULL) {
        char     *text;
        const int n = (int)strtol(at, &text, 10);

        if (n <= 0 || (size_t)n > strlen(text))
            return;
        snprintf(name, size, "%.*s", n, text);
        if (strncmp(text, "_INTERNAL", 9) != 0 && strncmp(text, "_GLOBAL", 7) != 0)
            return;
        at = text + n;
    }
}

/* Warps that the device holds of this launch over those that it has room for. */
static double occupancy_of(const Device *d, const cudaKernelNodeParams *p)
{
    const int threads = (int)(p->blockDim.x * p->blockDim.y * p->blockDim.z);
    double    blocks  = (double)p->gridDim.x * p->gridDim.y * p->gridDim.z;
    int       each = 0, most = 0;

    if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, p->func, threads, p->sharedMemBytes) !=
            cudaSuccess ||
        cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, d->device) !=
            cudaSuccess ||
        most == 0) {
        (void)cudaGetLastError(); /* a number less, and nothing else */
        return 0;
    }
    if (blocks > (double)each * d->n_processors)
        blocks = (double)each * d->n_processors;
    return blocks * threads / ((double)most * d->n_processors);
}

/* ---- chains ---- */

static void drop_chain(Chain *c)
{
    for (int k = 0; k < MOST_LINKS + 2; k++)
        if (c->event[k] != NULL)
            (void)cudaEventDestroy(c->event[k]);
    amphi_device_destroy(c->exec);
    if (c->graph != NULL)
        (void)cudaGraphDestroy(c->graph);
    *c = Chain{};
}

static AmphiStatus add_event(Chain *c, int k, AmphiError *err)
{
    cudaGraphNode_t node;

    CUDA_TRY(cudaEventCreate(&c->event[k]));
    CUDA_TRY(cudaGraphAddEventRecordNode(&node, c->graph, c->last != NULL ? &c->last : NULL,
                                         c->last != NULL ? 1 : 0, c->event[k]));
    c->last = node;
    return AMPHI_OK;
}

static AmphiStatus add_kernel(Device *d, Chain *c, cudaGraphNode_t from, const char *operation,
                              AmphiTimings *t, AmphiError *err)
{
    const char          *mangled = "";
    cudaKernelNodeParams p       = {};
    char                 kernel[64], name[sizeof t->part->name];
    cudaGraphNode_t      node;

    CUDA_TRY(cudaGraphKernelNodeGetParams(from, &p));
    CUDA_TRY(cudaGraphAddKernelNode(&node, c->graph, &c->last, 1, &p));
    (void)cudaGraphKernelNodeCopyAttributes(node, from);
    (void)cudaGetLastError(); /* none that a kernel here cannot do without */
    CUDA_TRY(cudaFuncGetName(&mangled, p.func));
    plain_name(mangled, kernel, sizeof kernel);
    snprintf(name, sizeof name, "%.20s: %.40s", operation, kernel);
    c->part[c->n] = amphi_timings_part(t, name);
    if (c->part[c->n]->occupancy == 0)
        c->part[c->n]->occupancy = occupancy_of(d, &p);
    c->last = node;
    return AMPHI_OK;
}

static AmphiStatus add_fill(Chain *c, cudaGraphNode_t from, const char *operation, AmphiTimings *t,
                            AmphiError *err)
{
    cudaMemsetParams p = {};
    char             name[sizeof t->part->name];
    cudaGraphNode_t  node;

    CUDA_TRY(cudaGraphMemsetNodeGetParams(from, &p));
    CUDA_TRY(cudaGraphAddMemsetNode(&node, c->graph, &c->last, 1, &p));
    snprintf(name, sizeof name, "%.20s: filling memory", operation);
    c->part[c->n] = amphi_timings_part(t, name);
    c->last       = node;
    return AMPHI_OK;
}

static AmphiStatus add_link(Device *d, Chain *c, cudaGraphNode_t from, int operation,
                            AmphiTimings *t, AmphiError *err)
{
    const char       *name = operations[operation].name;
    cudaGraphNodeType type;

    CUDA_TRY(cudaGraphNodeGetType(from, &type));
    if (type != cudaGraphNodeTypeKernel && type != cudaGraphNodeTypeMemset)
        return AMPHI_OK; /* an edge between streams */
    if (c->n == MOST_LINKS)
        return amphi_fail(err, AMPHI_DEFECT, "a step has more than %d kernels", (int)MOST_LINKS);
    AMPHI_TRY(type == cudaGraphNodeTypeKernel ? add_kernel(d, c, from, name, t, err)
                                              : add_fill(c, from, name, t, err));
    c->is_list[c->n] = operations[operation].is_list;
    c->n++;
    return add_event(c, c->n, err);
}

/* The nodes of a graph that one stream has written: each is followed by one. */
static AmphiStatus add_links(Device *d, Chain *c, cudaGraph_t from, int operation, AmphiTimings *t,
                             AmphiError *err)
{
    cudaGraphNode_t   node;
    cudaGraphEdgeData edge;
    size_t            n = 0, one = 1;

    CUDA_TRY(cudaGraphGetRootNodes(from, NULL, &n));
    if (n > 0)
        CUDA_TRY(cudaGraphGetRootNodes(from, &node, &one));
    while (n > 0) {
        AMPHI_TRY(add_link(d, c, node, operation, t, err));
        n = 1;
        CUDA_TRY(cudaGraphNodeGetDependentNodes(node, &node, &edge, &n));
    }
    return AMPHI_OK;
}

static AmphiStatus add_operation(Device *d, Chain *c, int operation, SumsLevel level,
                                 AmphiTimings *t, AmphiError *err)
{
    cudaGraph_t graph = NULL;
    AmphiStatus status;

    CUDA_TRY(cudaStreamBeginCapture(d->stream, cudaStreamCaptureModeThreadLocal));
    status = operations[operation].launch(d, level, err);
    status = amphi_device_end_capture(d->stream, &graph, status, err);
    if (status == AMPHI_OK)
        status = add_links(d, c, graph, operation, t, err);
    if (graph != NULL)
        (void)cudaGraphDestroy(graph);
    return status;
}

/* The step that is next. Behind it two events with nothing between: what an event costs. */
static AmphiStatus make_chain(Device *d, Chain *c, const StepPlan *plan, AmphiTimings *t,
                              AmphiError *err)
{
    const int n = (int)(sizeof operations / sizeof operations[0]);

    AMPHI_T(motion_expect)(d, plan);
    CUDA_TRY(cudaGraphCreate(&c->graph, 0));
    AMPHI_TRY(add_event(c, 0, err));
    for (int k = 0; k < n; k++)
        if (has_operation(d, plan, operations[k].which))
            AMPHI_TRY(add_operation(d, c, k, plan->level, t, err));
    AMPHI_TRY(add_event(c, c->n + 1, err));
    CUDA_TRY(cudaGraphInstantiate(&c->exec, c->graph, 0));
    return AMPHI_OK;
}

/* ---- steps ---- */

/* Kernels of the list return at once in most steps, and in a run they are not even launched: only
 * builds count. */
static AmphiStatus add_times(const Chain *c, bool was_built, AmphiError *err)
{
    float empty_ms, ms;

    CUDA_TRY(cudaEventElapsedTime(&empty_ms, c->event[c->n], c->event[c->n + 1]));
    for (int k = 0; k < c->n; k++) {
        CUDA_TRY(cudaEventElapsedTime(&ms, c->event[k], c->event[k + 1]));
        if (c->is_list[k] && !was_built)
            continue;
        c->part[k]->us += 1e3 * fmax(0.0, (double)ms - (double)empty_ms);
        c->part[k]->calls++;
    }
    return AMPHI_OK;
}

enum { CHAINS = 8 };

static AmphiStatus take_step(Device *d, Chain chain[CHAINS], AmphiTimings *t, int64_t *n_builds,
                             AmphiError *err)
{
    const StepPlan plan = AMPHI_T(graphs_plan)(d, d->mirror->stage_step);
    Chain *c = &chain[(plan.level != NO_SUMS) | (int)plan.moves_box << 1 | (int)plan.acts << 2];
    Ledger l;

    if (c->exec == NULL)
        AMPHI_TRY(make_chain(d, c, &plan, t, err));
    CUDA_TRY(amphi_device_launch(c->exec, d->stream));
    d->mirror->step++;
    d->mirror->stage_step++;
    AMPHI_TRY(amphi_device_get(&l, d->view.ledger, sizeof l, d->stream, err));
    AMPHI_TRY(add_times(c, l.n_builds != *n_builds, err));
    t->builds += (double)(l.n_builds - *n_builds);
    if (l.fault != 0) { /* a list without room gets it, and the step is made up for */
        for (int k = 0; k < CHAINS; k++)
            drop_chain(&chain[k]);
        AMPHI_TRY(AMPHI_T(device_build_list)(d, err));
        AMPHI_TRY(amphi_device_get(&l, d->view.ledger, sizeof l, d->stream, err));
    }
    *n_builds = l.n_builds;
    return AMPHI_OK;
}

static AmphiStatus take_steps(Device *d, int64_t n_steps, Chain chain[CHAINS], AmphiTimings *t,
                              AmphiError *err)
{
    Ledger l;

    AMPHI_TRY(AMPHI_T(device_build_list)(d, err));
    AMPHI_TRY(amphi_device_get(&l, d->view.ledger, sizeof l, d->stream, err));
    t->builds = 0;
    for (int64_t k = 0; k < n_steps; k++)
        AMPHI_TRY(take_step(d, chain, t, &l.n_builds, err));
    for (int k = 0; k < t->n; k++) {
        t->part[k].us /= (double)n_steps;
        t->part[k].calls /= (double)n_steps;
    }
    t->builds /= (double)n_steps;
    t->n_steps = n_steps;
    return AMPHI_OK;
}

static AmphiStatus count_neighbours(Device *d, AmphiTimings *t, AmphiError *err)
{
    const View   *v       = &d->view;
    const int64_t n       = (int64_t)v->n * v->n_kinds;
    Segment      *segment = (Segment *)amphi_alloc(n, sizeof *segment);
    double        total   = 0;
    AmphiStatus   status;

    if (segment == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to count neighbours");
    status = amphi_device_get(segment, v->segment, sizeof *segment * (size_t)n, d->stream, err);
    for (int64_t k = 0; status == AMPHI_OK && k < n; k++)
        total += segment[k].end - segment[k].begin;
    t->neighbours = total / v->n;
    t->room       = (int32_t)((int64_t)v->n_rounds * round_of(layout_of(*v)) / v->n);
    amphi_release(segment);
    return status;
}

AmphiStatus AMPHI_T(device_timings)(Device *d, int64_t n_steps, AmphiTimings *t, AmphiError *err)
{
    Chain      *chain = (Chain *)amphi_alloc(CHAINS, sizeof *chain);
    AmphiStatus status;

    if (chain == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for timings");
    d->is_listed = false;
    status       = take_steps(d, n_steps, chain, t, err);
    for (int k = 0; k < CHAINS; k++)
        drop_chain(&chain[k]);
    amphi_release(chain);
    return status == AMPHI_OK ? count_neighbours(d, t, err) : status;
}
