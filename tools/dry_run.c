/* Simulates about a second of the run, with its observers and checks: a short minimisation, which
 * keeps the steps stable, and then steps of the longest stage of dynamics.
 */
#include "dry_run.h"

#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>

#include "../engine/clock.h"
#include "../engine/formats/snapshot.h"
#include "../engine/observe.h"
#include "command.h"
#include "sha256.h"
#include "timings_show.h"

enum { MOST_DOWNHILL = 100, LEAST_STEPS = 40 };
static const double enough_s = 1;

typedef struct {
    const AmphiJob     *job;
    const AmphiBackend *backend;
    int32_t             device;
    AmphiState         *state;
    double              downhill_s, step_s; /* each; 0: none was done */
    size_t              most_bytes;         /* of the device, at any time */
} Trial;

/* Of the stages that move or of those that do not; NULL: there are none. */
static const AmphiStage *find_longest(const AmphiJob *job, bool moves)
{
    const AmphiStage *longest = NULL;

    for (int32_t k = 0; k < job->n_stages; k++)
        if ((job->stage[k].ensemble != AMPHI_MINIMISE) == moves &&
            (longest == NULL || job->stage[k].n_steps > longest->n_steps))
            longest = &job->stage[k];
    return longest;
}

/* A stage gives back what it alone wants. */
static void note_memory(Trial *t)
{
    size_t taken = 0, is_free = 0;

    if (t->backend->memory == NULL)
        return;
    t->backend->memory(t->state, &taken, &is_free);
    if (taken > t->most_bytes)
        t->most_bytes = taken;
}

/* Without a minimisation the start is taken for a good one. */
static AmphiStatus go_downhill(Trial *t, AmphiError *err)
{
    const AmphiStage *const stage     = find_longest(t->job, false);
    bool                    converged = false;
    int                     n         = 0;

    if (stage == NULL)
        return AMPHI_OK;
    AMPHI_TRY(t->backend->begin_stage(t->state, stage, err));
    const double began = amphi_clock_s();
    while (!converged && n < MOST_DOWNHILL &&
           (n < LEAST_STEPS || amphi_clock_s() - began < enough_s)) {
        AMPHI_TRY(t->backend->find_neighbours(t->state, err));
        AMPHI_TRY(t->backend->compute_forces(t->state, AMPHI_NEED_ENERGY, err));
        AMPHI_TRY(t->backend->descend(t->state, &converged, err));
        n++;
    }
    t->downhill_s = (amphi_clock_s() - began) / n;
    note_memory(t);
    return AMPHI_OK;
}

static uint32_t needs_of(const AmphiBackend *backend, const AmphiJob *job, const AmphiStage *stage,
                         int64_t step)
{
    const uint32_t all   = AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES | AMPHI_NEED_POSITIONS;
    const uint32_t look  = backend->keep != NULL ? AMPHI_NEED_NUMBERS : all;
    uint32_t       needs = step % job->compute.watch_every == 0 ? look : 0;

    for (int32_t k = 0; k < job->n_observers; k++)
        if (step % amphi_observer_every(&job->observer[k], stage) == 0)
            needs |= amphi_observer_kind(job->observer[k].kind)->needs;
    return needs;
}

static AmphiStatus step(const Trial *t, uint32_t needs, AmphiError *err)
{
    AmphiFrame frame;

    AMPHI_TRY(t->backend->find_neighbours(t->state, err));
    AMPHI_TRY(t->backend->compute_forces(t->state, needs, err));
    AMPHI_TRY(t->backend->kick(t->state, needs, err));
    if (needs != 0)
        AMPHI_TRY(t->backend->read_frame(t->state, needs, &frame, err));
    else if (t->backend->wait != NULL) /* or a device would have work for long */
        AMPHI_TRY(t->backend->wait(t->state, err));
    return t->backend->drift(t->state, err);
}

/* What restraints hold on a device is a matter of their stages. */
static AmphiStatus begin_restrained(Trial *t, AmphiError *err)
{
    for (int32_t k = 0; t->backend->memory != NULL && k < t->job->n_stages; k++)
        if (t->job->stage[k].n_restraints > 0) {
            AMPHI_TRY(t->backend->begin_stage(t->state, &t->job->stage[k], err));
            note_memory(t);
        }
    return AMPHI_OK;
}

/* The first step makes the lists and warms the caches. */
static AmphiStatus move(Trial *t, AmphiError *err)
{
    const AmphiStage *const stage = find_longest(t->job, true);
    int64_t                 n     = 0;

    if (stage == NULL)
        return AMPHI_OK;
    AMPHI_TRY(t->backend->begin_stage(t->state, stage, err));
    AMPHI_TRY(step(t, 0, err));
    const double began = amphi_clock_s();
    while (n < LEAST_STEPS || amphi_clock_s() - began < enough_s) {
        int64_t quiet = 0;

        while (t->backend->advance != NULL && quiet < 1000 &&
               needs_of(t->backend, t->job, stage, n + 1 + quiet) == 0)
            quiet++;
        if (quiet > 0)
            AMPHI_TRY(t->backend->advance(t->state, quiet, err));
        n += quiet + 1;
        AMPHI_TRY(step(t, needs_of(t->backend, t->job, stage, n), err));
    }
    t->step_s = (amphi_clock_s() - began) / (double)n;
    return AMPHI_OK;
}

static AmphiStatus set_aside(const Trial *t, AmphiError *err)
{
    for (int slot = 0; t->backend->keep != NULL && slot < 2; slot++)
        AMPHI_TRY(t->backend->keep(t->state, slot, err));
    return AMPHI_OK;
}

/* Allocates what a run needs besides its state: the last valid state and the present one as bytes,
 * a checkpoint or a last frame being written, and the hashes of the input. */
static AmphiStatus take_memory(const Trial *t, AmphiError *err)
{
    AmphiArena *const arena = amphi_arena_new();
    AmphiBytes        good = { .data = NULL }, tried = { .data = NULL };
    AmphiStatus       status = set_aside(t, err);
    char              hash[TOOL_SHA256_SIZE];

    if (status == AMPHI_OK)
        status = t->backend->save(t->state, &good, err);
    if (status == AMPHI_OK)
        status = t->backend->save(t->state, &tried, err);
    if (status == AMPHI_OK &&
        (arena == NULL || amphi_snapshot_of_system(&t->job->system, arena) == NULL ||
         amphi_snapshot_of_system(&t->job->system, arena) == NULL ||
         !tool_sha256(good.data, good.n, hash)))
        status = amphi_fail(err, AMPHI_NO_MEMORY, "no memory for a checkpoint");
    amphi_release(good.data);
    amphi_release(tried.data);
    amphi_arena_free(arena);
    return status;
}

/* Steps of the minimisations among those of the run. */
static int64_t count_downhill(const AmphiJob *job, int64_t n_steps)
{
    int64_t n = 0;

    for (int32_t k = 0; k < job->n_stages; k++)
        n += job->stage[k].ensemble == AMPHI_MINIMISE ? job->stage[k].n_steps : 0;
    return n < n_steps ? n : n_steps;
}

/* "3.2 s", "25 min", "4.5 h", "12 days" */
static const char *span_text(double s, char text[32])
{
    if (s < 120)
        snprintf(text, 32, "%.2g s", s);
    else if (s < 7200)
        snprintf(text, 32, "%.0f min", s / 60);
    else if (s < 2 * 86400)
        snprintf(text, 32, "%.3g h", s / 3600);
    else
        snprintf(text, 32, "%.3g days", s / 86400);
    return text;
}

/* Memory on a device: of the state at most, per bead, and the number of beads of the largest system
 * of this composition. */
typedef struct {
    double taken_MB, bytes_a_bead, largest;
} DeviceRoom;

static bool find_room(const Trial *t, DeviceRoom *room)
{
    const double n     = t->job->system.n_beads;
    const double most  = (double)t->most_bytes;
    size_t       taken = 0, is_free = 0;

    if (t->backend->memory == NULL)
        return false;
    t->backend->memory(t->state, &taken, &is_free);
    room->taken_MB     = most / 1e6;
    room->bytes_a_bead = most / n;
    room->largest      = n * ((double)is_free + (double)taken) / most;
    return true;
}

static void print_device(const ToolCall *call, const Trial *t)
{
    DeviceRoom room;

    if (find_room(t, &room))
        fprintf(call->out,
                "  %-12s %" PRId32
                ", %.0f MB, %.0f bytes a bead; room for %.2g beads of this kind\n",
                "device", t->device, room.taken_MB, room.bytes_a_bead, room.largest);
}

static void add_device(ToolJson *json, const Trial *t)
{
    DeviceRoom room;

    if (!find_room(t, &room))
        return;
    tool_json_whole(json, "device", t->device);
    tool_json_number(json, "device_MB", room.taken_MB);
    tool_json_number(json, "device_bytes_per_bead", room.bytes_a_bead);
    tool_json_number(json, "device_largest_beads", room.largest);
}

static void print_estimate(const ToolCall *call, const Trial *t, int64_t n_steps)
{
    const int64_t n_downhill = count_downhill(t->job, n_steps);
    const double  total_s =
        t->downhill_s * (double)n_downhill + t->step_s * (double)(n_steps - n_downhill);
    const double      each_s   = n_steps > 0 ? total_s / (double)n_steps : 0;
    struct rusage     usage    = { .ru_maxrss = 0 };
    const double      kB_in_MB = 1024;
    const char *const about    = t->backend->about(t->state);
    char              span[32];

    getrusage(RUSAGE_SELF, &usage);
    if (tool_has(call, "json")) {
        ToolJson json = tool_json_begin(call->out, "dry-run");

        tool_json_text(&json, "backend", about);
        tool_json_whole(&json, "steps", n_steps);
        tool_json_number(&json, "s_per_step", each_s);
        tool_json_number(&json, "s_in_all", total_s);
        tool_json_number(&json, "memory_MB", (double)usage.ru_maxrss / kB_in_MB);
        add_device(&json, t);
        tool_json_end(&json);
        return;
    }
    fprintf(call->out, "  %-12s %s\n  %-12s %" PRId64 ", about %.3g ms each, %s in all\n",
            "backend", about, "steps", n_steps, 1e3 * each_s, span_text(total_s, span));
    fprintf(call->out, "  %-12s %.0f MB\n", "memory", (double)usage.ru_maxrss / kB_in_MB);
    print_device(call, t);
}

static AmphiStatus show_timings(const ToolCall *call, const Trial *t, AmphiError *err)
{
    AmphiTimings timings = { .n = 0 };

    if (t->step_s > 0)
        AMPHI_TRY(amphi_timings_measure(t->backend, t->state, &timings, err));
    tool_show_timings(call, &timings);
    return AMPHI_OK;
}

AmphiStatus tool_dry_run(const ToolCall *call, const AmphiJob *job, const AmphiRunOptions *o,
                         AmphiError *err)
{
    const AmphiCompute choice       = amphi_run_compute(job, o);
    Trial              t            = { .job = job, .device = choice.device };
    char               remark[1000] = "";
    AmphiStatus        status;

    AMPHI_TRY(amphi_run_choose_there(job, o, &t.backend, remark, sizeof remark, err));
    if (remark[0] != '\0')
        tool_remark(call, "%s", remark);
    tool_remark_device(call, t.backend->is_there != NULL);
    AMPHI_TRY(amphi_run_check_length(job, o, err));
    AMPHI_TRY(t.backend->open(&job->system, &choice, &t.state, err));
    status = go_downhill(&t, err);
    if (status == AMPHI_OK)
        status = begin_restrained(&t, err);
    if (status == AMPHI_OK)
        status = move(&t, err);
    if (status == AMPHI_OK)
        status = take_memory(&t, err);
    note_memory(&t);
    if (status == AMPHI_OK)
        print_estimate(call, &t, amphi_run_steps(job, o));
    if (status == AMPHI_OK && tool_has(call, "timings"))
        status = show_timings(call, &t, err);
    t.backend->close(t.state);
    return status;
}
