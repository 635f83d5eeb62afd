/* Several runs at once: a thread each, which writes into pipes, and one that prints what comes. */
#include "run_several.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <omp.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../engine/clock.h"
#include "print.h"
#include "run_case.h"
#include "run_find.h"
#include "run_job.h"
#include "stop.h"

enum {
    MOST_RUNS      = 64,
    FOR_DEVICE     = 8,  /* at once: more make no step of all of them cheaper (validation/bench) */
    MOST_ON_DEVICE = 16, /* a step has up to five kernels under way, and a device 128 of all runs */
    PIECE          = 4096
};

/* What comes out of a pipe and is not printed yet. */
typedef struct {
    int    from; /* -1: closed */
    char  *text;
    size_t n, room;
} Pipe;

typedef struct {
    ToolRunCase of;
    Pipe        out, eye;
    bool        was_begun;
    AmphiStatus status;
    AmphiError  err;
} One;

typedef struct {
    const ToolCall              *call;
    One                         *one; /* [n] */
    int                          n, at_once;
    double                       began_s, max_hours; /* 0: no limit */
    const volatile sig_atomic_t *stop;               /* NULL: nobody can ask */
    pthread_mutex_t              turn;
    int                          next; /* to begin; under the mutex */
} Several;

/* ---- what is printed ---- */

static void tell_error(const One *one, const char *before)
{
    const ToolCall *const call = &one->of.call;
    ToolJson              json;

    if (one->err.text[0] == '\0')
        return;
    if (!tool_has(call, "json")) {
        fprintf(call->eye, "%serror: %s\n", before, one->err.text);
        return;
    }
    json = tool_json_begin(call->out, "error");
    tool_json_whole(&json, "exit_code", amphi_exit_code(one->status));
    tool_json_text(&json, "text", one->err.text);
    tool_json_end(&json);
}

/* A line for the eye, behind the folder of its run. */
static void print_line(const Several *s, const One *one, const char *line)
{
    char         safe[AMPHI_PATH_SIZE];
    const char  *folder = tool_harmless(one->of.folder, safe, sizeof safe);
    const size_t length = strlen(folder);

    if (strncmp(line, folder, length) == 0 && line[length] == ':')
        fprintf(s->call->eye, "%s\n", line);
    else
        fprintf(s->call->eye, "%s: %s\n", folder, line);
}

/* An object of JSON, with one member more. */
static void print_object(const Several *s, const One *one, const char *line)
{
    ToolJson json = { .out = s->call->out, .has_member = true };

    fprintf(s->call->out, "%.*s", (int)strlen(line) - 1, line);
    tool_json_text(&json, "run", one->of.folder);
    tool_json_end(&json);
    fflush(s->call->out);
}

static void print_each(const Several *s, const One *one, Pipe *p,
                       void (*print)(const Several *s, const One *one, const char *line))
{
    char *at = p->text, *end;

    while ((end = memchr(at, '\n', p->n - (size_t)(at - p->text))) != NULL) {
        *end = '\0';
        print(s, one, at);
        at = end + 1;
    }
    p->n -= (size_t)(at - p->text);
    memmove(p->text, at, p->n);
}

/* Results, all of a run together. */
static void print_results(const Several *s, const One *one, Pipe *p)
{
    char safe[AMPHI_PATH_SIZE];

    if (p->n == 0)
        return;
    fprintf(s->call->out, "%s\n%.*s", tool_harmless(one->of.folder, safe, sizeof safe), (int)p->n,
            p->text);
    fflush(s->call->out);
    p->n = 0;
}

static void print_come(const Several *s, One *one, Pipe *p)
{
    if (p == &one->eye)
        print_each(s, one, p, print_line);
    else if (tool_has(s->call, "json"))
        print_each(s, one, p, print_object);
    else if (p->from < 0)
        print_results(s, one, p);
}

/* ---- pipes ---- */

static bool has_room(Pipe *p)
{
    char *wider;

    if (p->room - p->n >= PIECE)
        return true;
    wider = realloc(p->text, 2 * p->room + PIECE);
    if (wider == NULL)
        return false;
    p->text = wider;
    p->room = 2 * p->room + PIECE;
    return true;
}

/* What has come since; without memory for it, it is lost. */
static void take(const Several *s, One *one, Pipe *p)
{
    ssize_t got;

    if (!has_room(p))
        p->n = 0;
    got = read(p->from, p->text + p->n, PIECE);
    if (got < 0 && errno == EINTR)
        return;
    if (got > 0)
        p->n += (size_t)got;
    if (got <= 0) {
        close(p->from);
        p->from = -1;
    }
    print_come(s, one, p);
}

/* Until all runs have closed theirs. */
static void print_all(Several *s)
{
    struct pollfd wait[2 * MOST_RUNS];
    bool          is_open = true;

    while (is_open) {
        is_open = false;
        for (int k = 0; k < s->n; k++) {
            wait[2 * k]     = (struct pollfd){ .fd = s->one[k].out.from, .events = POLLIN };
            wait[2 * k + 1] = (struct pollfd){ .fd = s->one[k].eye.from, .events = POLLIN };
            is_open         = is_open || s->one[k].out.from >= 0 || s->one[k].eye.from >= 0;
        }
        if (!is_open || poll(wait, 2 * (nfds_t)s->n, -1) <= 0) /* a signal: once more */
            continue;
        for (int k = 0; k < s->n; k++) {
            if (wait[2 * k + 1].revents != 0)
                take(s, &s->one[k], &s->one[k].eye);
            if (wait[2 * k].revents != 0)
                take(s, &s->one[k], &s->one[k].out);
        }
    }
}

static AmphiStatus open_pipe(Pipe *p, FILE **to, AmphiError *err)
{
    int end[2];

    if (!has_room(p) || pipe(end) != 0)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no pipe for what a run says: %s", strerror(errno));
    p->from = end[0];
    *to     = fdopen(end[1], "w");
    if (*to == NULL) {
        close(end[1]);
        return amphi_fail(err, AMPHI_NO_MEMORY, "no stream for what a run says");
    }
    (void)fcntl(end[0], F_SETFD, FD_CLOEXEC); /* gnuplot is not to keep them open */
    (void)fcntl(end[1], F_SETFD, FD_CLOEXEC);
    setvbuf(*to, NULL, _IOLBF, BUFSIZ);
    return AMPHI_OK;
}

static void free_pipe(Pipe *p)
{
    if (p->from >= 0)
        close(p->from);
    free(p->text);
}

static AmphiStatus open_pipes(Several *s, AmphiError *err)
{
    AmphiStatus status = AMPHI_OK;

    for (int k = 0; k < s->n && status == AMPHI_OK; k++) {
        One *const one = &s->one[k];
        FILE      *out = NULL, *eye = NULL;

        status = open_pipe(&one->out, &out, err);
        if (status == AMPHI_OK) {
            one->of.call.out = out;
            status           = open_pipe(&one->eye, &eye, err);
        }
        if (status == AMPHI_OK)
            one->of.call.eye = eye;
    }
    return status;
}

static void close_one(const Several *s, One *one)
{
    if (one->of.call.out != s->call->out)
        fclose(one->of.call.out);
    if (one->of.call.eye != s->call->eye)
        fclose(one->of.call.eye);
    one->of.call.out = s->call->out;
    one->of.call.eye = s->call->eye;
}

/* ---- runs ---- */

/* Is it too late to begin another? Reports have up to a quarter of the hours. */
static bool is_over(const Several *s)
{
    return (s->stop != NULL && amphi_word(s->stop) != 0) ||
           (s->max_hours > 0 && amphi_clock_s() - s->began_s > 0.75 * 3600 * s->max_hours);
}

static void *run_in_turn(void *several)
{
    Several *const s = several;

    for (;;) {
        pthread_mutex_lock(&s->turn);
        One *const one = s->next < s->n ? &s->one[s->next++] : NULL;
        pthread_mutex_unlock(&s->turn);
        if (one == NULL)
            return NULL;
        one->was_begun = !is_over(s);
        one->status    = one->was_begun ? tool_case_run(&one->of, s->began_s, s->at_once, &one->err)
                                        : AMPHI_STOPPED;
        if (!one->was_begun)
            tool_remark(&one->of.call, "not begun: the same command begins it");
        tell_error(one, "");
        close_one(s, one);
        tool_case_close(&one->of);
    }
}

static AmphiStatus run_all(Several *s, AmphiError *err)
{
    pthread_t thread[MOST_RUNS];
    int       n = 0;

    AMPHI_TRY(open_pipes(s, err));
    while (n < s->at_once && pthread_create(&thread[n], NULL, run_in_turn, s) == 0)
        n++;
    if (n == 0)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no thread for a run");
    print_all(s);
    for (int k = 0; k < n; k++)
        pthread_join(thread[k], NULL);
    return AMPHI_OK;
}

/* ---- how many at once ---- */

static bool is_on_device(const One *one)
{
    const AmphiBackend *backend     = NULL;
    char                remark[512] = "";
    AmphiError          err         = { .status = AMPHI_OK };

    return amphi_run_choose_there(one->of.job, &one->of.options, &backend, remark, sizeof remark,
                                  &err) == AMPHI_OK &&
           backend->is_there != NULL;
}

/* 0: nobody has said. */
static int threads_of(const One *one)
{
    const int threads = amphi_run_compute(one->of.job, &one->of.options).threads;

    return threads > 0 ? threads : getenv("OMP_NUM_THREADS") != NULL ? omp_get_max_threads() : 0;
}

/* How many are on the device: on one, all of them. */
static AmphiStatus count_on_device(const Several *s, int *n, AmphiError *err)
{
    int32_t device = -1;

    *n = 0;
    for (int k = 0; k < s->n; k++) {
        const One *const one = &s->one[k];
        const int32_t    its = amphi_run_compute(one->of.job, &one->of.options).device;

        if (!is_on_device(one))
            continue;
        if (*n > 0 && its != device)
            return amphi_fail(err, AMPHI_BAD_COMMAND,
                              "%.300s is for device %" PRId32 ", others for device %" PRId32
                              ": all runs of one command are on one\n    write: --device %" PRId32,
                              s->call->argument[k], its, device, device);
        device = its;
        ++*n;
    }
    return AMPHI_OK;
}

/* As many as have a processor for each of their threads, or as a device is busy with; threads that
 * nobody has given are shared out. */
static AmphiStatus share_out(Several *s, int64_t asked, AmphiError *err)
{
    const int processors = omp_get_num_procs();
    int       widest = 1, n_on_device = 0;

    AMPHI_TRY(count_on_device(s, &n_on_device, err));
    for (int k = 0; k < s->n; k++) {
        const int threads = threads_of(&s->one[k]);

        widest = threads > widest ? threads : widest;
    }
    s->at_once = n_on_device < s->n ? processors / widest : FOR_DEVICE;
    if (n_on_device > 0 && s->at_once > FOR_DEVICE)
        s->at_once = FOR_DEVICE;
    if (asked > 0)
        s->at_once = asked < MOST_RUNS ? (int)asked : MOST_RUNS;
    if (n_on_device > 0 && s->at_once > MOST_ON_DEVICE)
        s->at_once = MOST_ON_DEVICE;
    if (s->at_once < 1)
        s->at_once = 1;
    if (s->at_once > s->n)
        s->at_once = s->n;
    for (int k = 0; k < s->n; k++)
        if (threads_of(&s->one[k]) == 0)
            s->one[k].of.options.compute.threads =
                processors > s->at_once ? processors / s->at_once : 1;
    if (tool_has(s->call, "dry-run"))
        s->at_once = 1;
    else
        tool_remark(s->call, "%d runs, %d at once", s->n, s->at_once);
    return AMPHI_OK;
}

/* ---- from the command line to the end ---- */

static AmphiStatus check_folders(const Several *s, AmphiError *err)
{
    for (int k = 1; k < s->n; k++)
        for (int j = 0; j < k; j++)
            if (strcmp(s->one[j].of.folder, s->one[k].of.folder) == 0 ||
                tool_is_same_file(s->one[j].of.folder, s->one[k].of.folder))
                return amphi_fail(err, AMPHI_BAD_COMMAND,
                                  "%.300s and %.300s: both would run in %.300s\n"
                                  "    write: another name for one of them",
                                  s->call->argument[j], s->call->argument[k], s->one[k].of.folder);
    return AMPHI_OK;
}

/* What is said of it, which as JSON names the run. */
static AmphiStatus read_one(const Several *s, One *one, AmphiError *err)
{
    const bool as_json = tool_has(s->call, "json");
    Pipe       said    = { .from = -1 };

    if (as_json)
        one->of.call.out = open_memstream(&said.text, &said.n);
    if (one->of.call.out == NULL) {
        one->of.call.out = s->call->out;
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for what is said of a system");
    }
    one->status = tool_case_read(&one->of, &one->err);
    tell_error(one, "amphi: ");
    if (as_json) {
        fclose(one->of.call.out);
        one->of.call.out = s->call->out;
        print_each(s, one, &said, print_object);
        free(said.text);
    }
    return AMPHI_OK;
}

/* All of them, so that all mistakes are told. AMPHI_STOPPED: there is no time left to run any. */
static AmphiStatus read_all(const Several *s, AmphiError *err)
{
    for (int k = 0; k < s->n; k++) {
        if (is_over(s)) {
            tool_remark(s->call, "no run was begun");
            return AMPHI_STOPPED;
        }
        AMPHI_TRY(read_one(s, &s->one[k], err));
    }
    return AMPHI_OK;
}

static void tell_end(const Several *s)
{
    static const char *const words[]  = { "done", "stopped early", "not begun", "failed" };
    int                      count[4] = { 0 };
    char                     text[160];

    for (int k = 0; k < s->n; k++) {
        const AmphiStatus status = s->one[k].status;

        count[!s->one[k].was_begun      ? 2
              : status == AMPHI_OK      ? 0
              : status == AMPHI_STOPPED ? 1
                                        : 3]++;
    }
    int n = snprintf(text, sizeof text, "%d runs", s->n);
    for (int k = 0, first = 1; k < 4; k++)
        if (count[k] > 0) {
            n += snprintf(text + n, sizeof text - (size_t)n, "%s %d %s", first ? ":" : ",",
                          count[k], words[k]);
            first = 0;
        }
    tool_remark(s->call, "%s", text);
}

/* A failure before a stop. */
static AmphiStatus status_of_all(const Several *s)
{
    AmphiStatus status = AMPHI_OK;

    for (int k = 0; k < s->n; k++)
        if (status == AMPHI_OK || status == AMPHI_STOPPED)
            status = s->one[k].status != AMPHI_OK ? s->one[k].status : status;
    return status;
}

/* OpenMP gives the first thread of each team the same place. */
static AmphiStatus check_binding(AmphiError *err)
{
    static const char *const binds[] = { "OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY" };

    for (size_t k = 0; k < sizeof binds / sizeof *binds; k++) {
        const char *const value = getenv(binds[k]);

        if (value != NULL && value[0] != '\0' && strcmp(value, "false") != 0)
            return amphi_fail(err, AMPHI_BAD_COMMAND,
                              "%s=%.80s: would bind all runs to the same processors\n"
                              "    write: env -u %s amphi run ...",
                              binds[k], value, binds[k]);
    }
    return AMPHI_OK;
}

/* In which the folders of the runs are; NULL: the present one. */
static AmphiStatus make_parent(const Several *s, AmphiError *err)
{
    const char *const parent = tool_value(s->call, "output");

    return parent != NULL ? tool_make_folder(parent, err) : AMPHI_OK;
}

static AmphiStatus check_parent(const Several *s, AmphiError *err)
{
    const char *const parent = tool_value(s->call, "output");

    if (parent != NULL && tool_is_run(parent))
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "--output %.300s: is a run, and the folder for those of %d systems is "
                          "wanted\n    write: -o DIR, with another name",
                          parent, s->n);
    return AMPHI_OK;
}

static AmphiStatus run_these(Several *s, int64_t asked, AmphiError *err)
{
    /* Streams of more runs than two would be queued behind each other: the driver has 8 queues
     * unless it is told so before it begins. */
    (void)setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
    AMPHI_TRY(check_binding(err));
    AMPHI_TRY(check_parent(s, err));
    for (int k = 0; k < s->n; k++)
        AMPHI_TRY(tool_case_open(s->call, k, &s->one[k].of, err));
    AMPHI_TRY(check_folders(s, err));
    s->max_hours = s->one[0].of.options.max_hours;
    if (!tool_has(s->call, "dry-run")) {
        s->stop = tool_listen_for_stop();
        tool_listen_for_requests();
    }
    AMPHI_TRY(read_all(s, err));
    if (status_of_all(s) != AMPHI_OK)
        return status_of_all(s);
    AMPHI_TRY(share_out(s, asked, err));
    if (!tool_has(s->call, "dry-run"))
        AMPHI_TRY(make_parent(s, err));
    AMPHI_TRY(run_all(s, err));
    if (!tool_has(s->call, "dry-run"))
        tell_end(s);
    return status_of_all(s);
}

AmphiStatus tool_run_several(const ToolCall *call, double began_s, AmphiError *err)
{
    Several     s     = { .call = call, .n = call->n_arguments, .began_s = began_s };
    int64_t     asked = -1;
    AmphiStatus status;

    AMPHI_TRY(tool_whole(call, "at-once", &asked, err));
    if (asked == 0)
        return amphi_fail(err, AMPHI_BAD_COMMAND, "--at-once 0: none would run");
    if (s.n > MOST_RUNS)
        return amphi_fail(err, AMPHI_BAD_COMMAND, "%d systems: %d at most are run by one command",
                          s.n, MOST_RUNS);
    if (tool_has(call, "timings") && !tool_has(call, "dry-run"))
        return amphi_fail(err, AMPHI_BAD_COMMAND,
                          "--timings: of one system alone, for others would run beside it");
    s.one = calloc((size_t)s.n, sizeof *s.one);
    if (s.one == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d runs", s.n);
    for (int k = 0; k < s.n; k++)
        s.one[k] = (One){ .of = { .call = *call }, .out = { .from = -1 }, .eye = { .from = -1 } };
    pthread_mutex_init(&s.turn, NULL);
    status = run_these(&s, asked, err);
    for (int k = 0; k < s.n; k++) {
        close_one(&s, &s.one[k]);
        tool_case_close(&s.one[k].of);
        free_pipe(&s.one[k].out);
        free_pipe(&s.one[k].eye);
    }
    pthread_mutex_destroy(&s.turn);
    free(s.one);
    return status;
}
