/* Opening a run: its backend, its directory, an earlier checkpoint, its observers; and closing
 * it. */
#include <string.h>
#include <unistd.h>

#include "run_parts.h"

AmphiRunOptions amphi_run_options_default(void)
{
    return (
        AmphiRunOptions){ .precision = -1, .compute.device = -1, .n_steps = -1, .until_ps = -1 };
}

/* ---- the backend ---- */

const AmphiBackend *amphi_run_choose(const AmphiJob *job, const AmphiRunOptions *options,
                                     AmphiError *err)
{
    static const char *const best[] = { "cuda", "cpu", "reference" };
    const AmphiBackend      *found  = NULL;
    const char    *name = options->backend != NULL ? options->backend : job->compute.backend;
    AmphiPrecision precision =
        options->precision >= 0 ? (AmphiPrecision)options->precision : job->compute.precision;

    /* the reference exists in double only, so that the precision need not be given */
    if (name != NULL && strcmp(name, "reference") == 0 && options->precision < 0 &&
        (options->backend != NULL || !job->compute.names_precision))
        precision = AMPHI_DOUBLE;
    for (size_t k = 0; name == NULL && found == NULL && k < sizeof best / sizeof *best; k++)
        found = amphi_backend_there(best[k], precision);
    if (name != NULL)
        found = amphi_backend_find(name, precision);
    if (found == NULL)
        amphi_backend_fail(name != NULL ? name : "cpu", amphi_precision_name(precision), err);
    return found;
}

/* As the options say, else that of the checkpoint, else a new choice. past NULL: there is no
 * checkpoint. */
static const AmphiBackend *choose(const AmphiRun *run, const AmphiRunPast *past, AmphiError *err)
{
    AmphiRunOptions wanted = run->options;

    if (past != NULL && wanted.backend == NULL)
        wanted.backend = past->backend;
    if (past != NULL && wanted.precision < 0 && strcmp(wanted.backend, past->backend) == 0)
        wanted.precision = (int32_t)past->precision;
    return amphi_run_choose(run->job, &wanted, err);
}

static AmphiStatus open_backend(AmphiRun *run, const AmphiRunPast *past, AmphiError *err)
{
    const AmphiCompute choice = amphi_run_compute(run->job, &run->options);

    if (run->state != NULL)
        run->backend->close(run->state);
    run->state   = NULL;
    run->backend = choose(run, past, err);
    if (run->backend == NULL)
        return AMPHI_BAD_COMMAND;
    if (run->options.reverse)
        AMPHI_TRY(amphi_run_can_reverse(run, err));
    return run->backend->open(&run->job->system, &choice, &run->state, err);
}

AmphiCompute amphi_run_compute(const AmphiJob *job, const AmphiRunOptions *options)
{
    AmphiCompute choice = job->compute.choice;

    if (options->compute.device >= 0)
        choice.device = options->compute.device;
    if (options->compute.threads > 0)
        choice.threads = options->compute.threads;
    if (options->compute.margin_nm > 0)
        choice.margin_nm = options->compute.margin_nm;
    return choice;
}

/* ---- what went before ---- */

static void add_remark(AmphiRun *run, const char *text)
{
    const size_t n = strlen(run->remark);

    snprintf(run->remark + n, sizeof run->remark - n, "%s%s", n > 0 ? "; " : "", text);
}

static void remark_change(AmphiRun *run, const AmphiRunPast *past)
{
    const char *const now = run->backend->about(run->state);
    AmphiRunInfo      info;
    char              text[320];

    if (run->backend->precision != past->precision)
        memset(run->at.first_hash, 0, sizeof run->at.first_hash);
    else if (run->backend->precision == AMPHI_FIXED) /* the same bits on every backend */
        return;
    if (strcmp(now, past->about) == 0)
        return;
    run->at.has_momentum = 0; /* rounding errors of another precision are different */
    amphi_run_info(run, &info);
    if (info.step >= info.n_steps) /* with no step left nothing goes on */
        return;
    snprintf(text, sizeof text,
             "goes on with %.100s, after %.100s: the bits may differ from those of an unbroken run",
             now, past->about);
    add_remark(run, text);
}

/* What the file names does not count where a run goes on: input/ would say otherwise without a
 * word. The reference has one precision, which nobody needs to name. */
static void remark_kept(AmphiRun *run)
{
    const AmphiComputePlan *const c   = &run->job->compute;
    const char *const             now = run->backend->name;
    const bool                    other_backend =
        run->options.backend == NULL && c->backend != NULL && strcmp(c->backend, now) != 0;
    const bool has_choice      = strcmp(other_backend ? c->backend : now, "reference") != 0;
    const bool other_precision = run->options.precision < 0 && c->names_precision && has_choice &&
                                 c->precision != run->backend->precision;
    const char *const backend   = other_backend ? c->backend : "";
    const char *const precision = other_precision ? amphi_precision_name(c->precision) : "";
    const char *const gap       = other_backend && other_precision ? " " : "";
    char              text[240];

    if (!other_backend && !other_precision)
        return;
    snprintf(text, sizeof text,
             "stays with %s %s, as so far, and not %s%s%s of <compute>: write %s%s%s%s%s to change",
             now, amphi_precision_name(run->backend->precision), backend, gap, precision,
             other_backend ? "--backend " : "", backend, gap, other_precision ? "--precision " : "",
             precision);
    add_remark(run, text);
}

/* Another length of a stage that is over changes nothing. The first such stage is told. */
static void remark_lengths(AmphiRun *run)
{
    for (int32_t k = 0; k < run->at.stage; k++) {
        const AmphiStage *const s = &run->job->stage[k];
        const int64_t           n = run->began[k + 1].step - run->began[k].step;
        char                    text[200];

        if (s->ensemble == AMPHI_MINIMISE || run->began[k].step < 0 || n == s->n_steps)
            continue;
        snprintf(text, sizeof text,
                 "stage %.60s is over: it ran %.9g ps, and %.9g ps in the file changes nothing",
                 s->name, (double)n * s->dt_ps, (double)s->n_steps * s->dt_ps);
        add_remark(run, text);
        return;
    }
}

/* Begins the stage with the state of the start, then overwrites it with the saved state. */
static AmphiStatus go_back(AmphiRun *run, const AmphiRunPast *past, AmphiError *err)
{
    run->at = past->at;
    for (int32_t k = 0; k <= run->at.stage; k++)
        run->began[k] = past->began != NULL ? past->began[k] : (AmphiStageBegan){ .step = -1 };
    remark_kept(run);
    remark_change(run, past);
    remark_lengths(run);
    run->first_step    = past->at.step;
    run->saved_step    = past->at.step;
    run->saved_stage   = past->at.stage;
    run->momentum_step = past->at.step;
    if (run->at.stage < 0)
        return AMPHI_OK;
    amphi_run_note_hash(run, &past->state);
    AMPHI_TRY(run->backend->begin_stage(run->state, amphi_run_stage(run), err));
    return run->backend->restore(run->state, &past->state, err);
}

/* ---- observers ---- */

static AmphiObserverNames names_of(const AmphiRunObserver *o)
{
    return amphi_observer_names(o->kind, o->plan);
}

static bool has_sums(const AmphiRunPast *past, const AmphiRunObserver *o)
{
    const AmphiObserverNames names = names_of(o);

    for (int32_t k = 0; k < past->n_observers; k++)
        if (strcmp(past->key[k], names.key) == 0)
            return true;
    return false;
}

/* Is it a table of sums? A file that is appended to tells of when its rows are; and the other files
 * of a trajectory, or of means, have no sums of their own. */
static bool is_of_sums(const AmphiObserverKind *kind)
{
    return kind->flush != NULL && kind->also == NULL;
}

/* Has an observer seen frames of before the stage that it begins with? */
static bool saw_earlier(const AmphiRun *run, const AmphiRunObserver *o)
{
    const int32_t from = o->plan->from_stage;

    if (from > run->at.stage)
        return amphi_observer_seen(o->observer) > 0;
    /* either may be unknown: -1 */
    return amphi_observer_first_step(o->observer) >= 0 &&
           amphi_observer_first_step(o->observer) < run->began[from].step;
}

/* `from` may be moved while a run is stopped. */
static void remark_early_sums(AmphiRun *run, const AmphiRunObserver *o)
{
    const AmphiObserverNames names = names_of(o);
    char                     text[320];

    if ((!is_of_sums(o->kind) && o->kind->means == NULL) || !saw_earlier(run, o))
        return;
    snprintf(text, sizeof text,
             "%s: has frames from before \"%.60s\", with which it begins now; to leave them out "
             "write: --fresh, or -o with a new directory",
             o->kind->means != NULL ? o->kind->means : names.file,
             run->job->stage[o->plan->from_stage].name);
    add_remark(run, text);
}

/* A table of sums that nobody kept is about to be written over: that of means, of an observer that
 * has lines beside it. A file that is appended to is refused instead. */
static void remark_lost_sums(AmphiRun *run, const AmphiRunObserver *o, const AmphiRunPast *past)
{
    const AmphiObserverNames names = names_of(o);
    const char *const        sums  = o->kind->means != NULL ? o->kind->means : names.file;
    char                     path[AMPHI_PATH_SIZE], text[240];

    if ((!is_of_sums(o->kind) && o->kind->means == NULL) || !past->is_there || has_sums(past, o) ||
        amphi_run_path(run, sums, path, NULL) != AMPHI_OK || access(path, F_OK) != 0)
        return;
    snprintf(text, sizeof text,
             "%s: begins anew: what was measured before it was left out is not in it", sums);
    add_remark(run, text);
}

static AmphiStatus restore_observer(AmphiRun *run, AmphiRunObserver *o, const AmphiRunPast *past,
                                    AmphiError *err)
{
    const AmphiObserverNames names = names_of(o);

    for (int32_t k = 0; k < past->n_observers; k++)
        if (strcmp(past->key[k], names.key) == 0)
            AMPHI_TRY(amphi_observer_restore(o->observer, &past->observer[k], err));
    if (amphi_observer_remark(o->observer)[0] != '\0')
        add_remark(run, amphi_observer_remark(o->observer));
    remark_early_sums(run, o);
    return AMPHI_OK;
}

static AmphiStatus open_observers(AmphiRun *run, const AmphiRunPast *past, AmphiError *err)
{
    const AmphiJob          *job   = run->job;
    const AmphiObserverPlace place = { .system   = &job->system,
                                       .dir      = run->path,
                                       .heading  = run->options.heading,
                                       .files    = run->files,
                                       .marks    = past->marks,
                                       .n_marks  = past->n_marks,
                                       .stage    = job->stage,
                                       .n_stages = job->n_stages,
                                       .threads  = amphi_run_compute(job, &run->options).threads };

    run->observer = AMPHI_TAKE(run->arena, AmphiRunObserver, job->n_observers);
    if (run->observer == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for observers");
    for (int32_t k = 0; k < job->n_observers; k++) {
        AmphiRunObserver *o = &run->observer[run->n_observers];

        o->plan = &job->observer[k];
        o->kind = amphi_observer_kind(o->plan->kind);
        if (o->kind == NULL)
            return amphi_fail(err, AMPHI_DEFECT, "nothing writes <%s>", o->plan->kind);
        remark_lost_sums(run, o, past);
        AMPHI_TRY(amphi_observer_open(o->kind, &place, o->plan, &o->observer, err));
        run->n_observers++;
        AMPHI_TRY(restore_observer(run, o, past, err));
    }
    return AMPHI_OK;
}

const char *amphi_run_output_remark(const AmphiRun *run, int32_t k)
{
    return k < run->n_observers ? amphi_observer_remark(run->observer[k].observer) : NULL;
}

/* ---- opening ---- */

static AmphiStatus take_parts(AmphiRun *run, AmphiError *err)
{
    run->snapshot = amphi_snapshot_of_system(&run->job->system, run->arena);
    run->files    = amphi_outfiles_new(run->path);
    run->began    = AMPHI_TAKE(run->arena, AmphiStageBegan, run->job->n_stages);
    run->torn_nm  = AMPHI_TAKE(run->arena, double, run->job->system.n_bond_rules);
    return run->snapshot != NULL && run->began != NULL && run->files != NULL && run->torn_nm != NULL
               ? AMPHI_OK
               : amphi_fail(err, AMPHI_NO_MEMORY, "no memory for a run");
}

/* Output files without a checkpoint are not overwritten: nothing says where they come from. */
static AmphiStatus check_remains(const AmphiRun *run, AmphiError *err)
{
    AmphiObserverNames names;

    if (!amphi_run_remains(run, &names))
        return AMPHI_OK;
    return amphi_fail(err, AMPHI_BAD_FILE,
                      "%.300s/%s is there, but no checkpoint to go on from\n"
                      "    write: -o with a new directory, or --fresh to begin again",
                      run->path, names.file);
}

/* Outputs that are new stay empty until a checkpoint knows of them. */
static bool wants_checkpoint(const AmphiRun *run, const AmphiRunPast *past)
{
    for (int32_t k = 0; k < run->n_observers; k++)
        if (!has_sums(past, &run->observer[k]))
            return true;
    /* a trajectory that has seen no frame may have become one of another format */
    return !past->is_there || run->last_is_bad || amphi_outfiles_have_new(run->files);
}

static AmphiStatus enter_history(AmphiRun *run, AmphiError *err)
{
    AmphiRunPast past;
    AmphiStatus  status = AMPHI_OK;

    AMPHI_TRY(amphi_run_find_past(run, &past, err));
    if (past.is_there || run->state == NULL)
        AMPHI_TRY(open_backend(run, past.is_there ? &past : NULL, err));
    if (past.is_there)
        AMPHI_TRY(go_back(run, &past, err));
    else
        AMPHI_TRY(check_remains(run, err));
    AMPHI_TRY(open_observers(run, &past, err));
    if (wants_checkpoint(run, &past))
        status = amphi_run_save(run, err);
    else
        amphi_run_keep_spare(run);
    if (status == AMPHI_UNSTABLE)
        amphi_run_report(run, err);
    return status;
}

static AmphiStatus take_path(AmphiRun *run, AmphiError *err)
{
    if (snprintf(run->path, sizeof run->path, "%s", run->options.dir) >= (int)sizeof run->path)
        return amphi_fail(err, AMPHI_BAD_FILE, "%.100s...: the path is too long", run->options.dir);
    return AMPHI_OK;
}

static AmphiStatus open_run(AmphiRun *run, AmphiError *err)
{
    if (run->job->n_stages == 0)
        return amphi_fail(err, AMPHI_BAD_INPUT,
                          "there is no <plan>, so there is nothing to run\n"
                          "    write: <plan timestep=\"10 fs\"><run .../>"
                          "</plan> in <amphi>");
    AMPHI_TRY(amphi_run_check_length(run->job, &run->options, err));
    AMPHI_TRY(take_path(run, err));
    AMPHI_TRY(take_parts(run, err));
    /* a run that cannot begin must not leave a directory */
    if (run->options.fresh || !amphi_run_has_past(run))
        AMPHI_TRY(open_backend(run, NULL, err));
    AMPHI_TRY(amphi_run_enter(run, err));
    if (run->options.fresh)
        AMPHI_TRY(amphi_run_clear(run, err));
    return enter_history(run, err);
}

/* NULL: there is no memory. */
static AmphiRun *make_run(const AmphiJob *job, const AmphiRunOptions *options, AmphiError *err)
{
    AmphiArena *const arena = amphi_arena_new();
    AmphiRun *const   r     = arena != NULL ? AMPHI_TAKE(arena, AmphiRun, 1) : NULL;

    if (r == NULL) {
        amphi_arena_free(arena);
        amphi_fail(err, AMPHI_NO_MEMORY, "no memory for a run");
        return NULL;
    }
    r->arena    = arena;
    r->job      = job;
    r->options  = *options;
    r->lock     = -1;
    r->at.stage = -1;
    r->began_s = r->saved_s = r->told_s = amphi_clock_s();
    if (options->save_requested != NULL)
        r->saves_asked = amphi_word(options->save_requested);
    return r;
}

AmphiStatus amphi_run_open(const AmphiJob *job, const AmphiRunOptions *options, AmphiRun **run,
                           AmphiError *err)
{
    AmphiRun *const r = make_run(job, options, err);
    AmphiStatus     status;

    *run = NULL;
    if (r == NULL)
        return AMPHI_NO_MEMORY;
    status = open_run(r, err);
    /* until a save is measured: a run that goes on has read one, a new one begins with one */
    r->save_took_s = amphi_clock_s() - r->began_s;
    if (status == AMPHI_OK)
        *run = r;
    else
        amphi_run_close(r);
    return status;
}

static AmphiStatus choose_there(AmphiRun *run, AmphiError *err)
{
    AmphiRunPast past = { .is_there = false };

    AMPHI_TRY(take_path(run, err));
    if (!run->options.fresh && run->job->n_stages > 0)
        AMPHI_TRY(amphi_run_find_past(run, &past, err));
    run->backend = choose(run, past.is_there ? &past : NULL, err);
    if (run->backend == NULL)
        return AMPHI_BAD_COMMAND;
    if (past.is_there)
        remark_kept(run);
    return AMPHI_OK;
}

AmphiStatus amphi_run_choose_there(const AmphiJob *job, const AmphiRunOptions *options,
                                   const AmphiBackend **backend, char *remark, size_t size,
                                   AmphiError *err)
{
    AmphiRun *const run = make_run(job, options, err);
    AmphiStatus     status;

    *backend = NULL;
    if (run == NULL)
        return AMPHI_NO_MEMORY;
    status = choose_there(run, err);
    if (status == AMPHI_OK) {
        *backend = run->backend;
        snprintf(remark, size, "%s", run->remark);
    }
    amphi_run_close(run);
    return status;
}

void amphi_run_release(AmphiRun *run)
{
    for (int32_t k = 0; k < run->n_observers; k++)
        amphi_observer_close(run->observer[k].observer);
    run->n_observers = 0;
    amphi_outfiles_free(run->files);
    run->files = NULL;
    if (run->lock >= 0)
        amphi_run_spend_spare(run);
    if (run->state != NULL)
        run->backend->close(run->state);
    run->state = NULL;
    amphi_release(run->good.data);
    amphi_release(run->tried.data);
    amphi_release(run->verify_from.data);
    run->good = run->tried = run->verify_from = (AmphiBytes){ .data = NULL };
}

void amphi_run_close(AmphiRun *run)
{
    if (run == NULL)
        return;
    amphi_run_release(run);
    amphi_run_leave(run);
    amphi_arena_free(run->arena);
}
