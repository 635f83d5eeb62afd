/* Reading checkpoints: the newest intact one of a directory, and whether its physics is the
 * same. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"
#include "run_checkpoint.h"
#include "run_parts.h"
#include "text.h"
#include "units.h"

/* ---- blocks ---- */

typedef struct {
    AmphiBytes bytes;
    size_t     at;
} Blocks;

/* The next block, not copied; false when it is truncated. */
static bool take_block(Blocks *b, AmphiBytes *block)
{
    int64_t length = 0;

    if (!amphi_bytes_take(&b->bytes, &b->at, &length, sizeof length) || length < 0 ||
        (uint64_t)length > b->bytes.n - b->at)
        return false;
    *block = (AmphiBytes){ .data = b->bytes.data + b->at, .n = (size_t)length };
    b->at += (size_t)length;
    return true;
}

static bool take_into(Blocks *b, void *to, size_t n)
{
    AmphiBytes block;

    if (!take_block(b, &block) || block.n != n)
        return false;
    if (n > 0)
        memcpy(to, block.data, n);
    return true;
}

static bool take_marks(AmphiRun *run, Blocks *b, AmphiRunPast *past, int64_t n)
{
    const int64_t most = (int64_t)(b->bytes.n / sizeof *past->marks);

    if (n < 0 || n > most)
        return false;
    past->marks   = AMPHI_TAKE(run->arena, AmphiOutfileMark, n);
    past->n_marks = (int32_t)n;
    return past->marks != NULL && take_into(b, past->marks, (size_t)n * sizeof *past->marks);
}

/* Checkpoints of this form have not always had it. */
static bool take_began(AmphiRun *run, Blocks *b, AmphiRunPast *past)
{
    const int64_t          n     = past->at.stage + 1;
    AmphiStageBegan *const began = AMPHI_TAKE(run->arena, AmphiStageBegan, n);

    if (b->at == b->bytes.n)
        return true;
    past->began = began;
    return began != NULL && take_into(b, began, (size_t)n * sizeof *began);
}

static bool is_closed(const AmphiBytes *block)
{
    return block->n > 0 && block->data[block->n - 1] == '\0';
}

static bool take_observers(AmphiRun *run, Blocks *b, AmphiRunPast *past, int64_t n)
{
    if (n < 0 || n > (int64_t)(b->bytes.n / sizeof(int64_t)))
        return false;
    past->key      = AMPHI_TAKE(run->arena, const char *, n);
    past->observer = AMPHI_TAKE(run->arena, AmphiBytes, n);
    for (int64_t k = 0; k < n; k++) {
        AmphiBytes name;

        if (past->key == NULL || past->observer == NULL || !take_block(b, &name) ||
            !is_closed(&name) || !take_block(b, &past->observer[k]))
            return false;
        past->key[k] = (const char *)name.data;
    }
    past->n_observers = (int32_t)n;
    return true;
}

/* ---- the physics ---- */

typedef struct {
    int32_t     stage;
    const char *key, *value;
} Text;

static bool take_text(Blocks *b, Text *text)
{
    AmphiBytes block;
    size_t     n_key;

    if (!take_block(b, &block) || block.n < sizeof text->stage + 2 || !is_closed(&block))
        return false;
    memcpy(&text->stage, block.data, sizeof text->stage);
    text->key = (const char *)block.data + sizeof text->stage;
    n_key     = strlen(text->key) + 1;
    if (sizeof text->stage + n_key >= block.n)
        return false;
    text->value = text->key + n_key;
    return true;
}

/* Of a message, which has 512 bytes for these lines, the path before and the hint behind them. */
enum { DIFFERENCES_TEXT = 256 };

typedef struct {
    char    text[DIFFERENCES_TEXT]; /* one line for each that it has room for */
    int32_t n, n_told;
    bool    is_of_stages; /* all of them */
} Differences;

typedef struct {
    char text[48];
} Shown;

/* Numbers are kept with all digits, as 0.0080000000000000002 ps, and told as people write them. */
static Shown shown(const char *value)
{
    const size_t n    = strcspn(value, " ");
    const char  *unit = value + n;
    double       number, again;
    char         word[32], few[32];
    Shown        s;
    bool         is_one = n < sizeof word && (*unit == '\0' || isalpha((unsigned char)unit[1]));

    snprintf(word, sizeof word, "%.*s", (int)n, value);
    is_one = is_one && amphi_units_number(word, &number);
    if (is_one)
        (void)amphi_text_print(few, sizeof few, "%.15g", number);
    if (is_one && amphi_units_number(few, &again) && again == number)
        snprintf(s.text, sizeof s.text, "%s%.15s", few, unit);
    else
        snprintf(s.text, sizeof s.text, "%.32s", value);
    return s;
}

static void add_difference(Differences *d, int32_t stage, const char *key, const char *before,
                           const char *now)
{
    const size_t n = strlen(d->text), room = sizeof d->text - n;
    const bool   all_told = d->n == d->n_told;

    d->is_of_stages = stage >= 0 && (d->n == 0 || d->is_of_stages);
    d->n++;
    if (!all_told)
        return;
    if (snprintf(d->text + n, room, "\n    %.60s: %s before, %s now", key, shown(before).text,
                 shown(now).text) < (int)room)
        d->n_told++;
    else
        d->text[n] = '\0';
}

/* What belongs to a stage that has not begun may change. */
static bool counts(const AmphiRunPast *past, int32_t stage)
{
    return stage < 0 || stage <= past->at.stage;
}

/* Texts that checkpoints of this form have not always had; where they are missing, any value is
 * right. */
static bool is_later(const char *key)
{
    return strncmp(key, AMPHI_PHYSICS_BOX " ", sizeof AMPHI_PHYSICS_BOX) == 0;
}

static bool compare(const AmphiRun *run, Blocks *b, const AmphiRunPast *past, int64_t n,
                    Differences *d)
{
    const AmphiJob *job  = run->job;
    bool           *seen = AMPHI_TAKE(run->arena, bool, job->n_physics);

    if (seen == NULL)
        return false;
    for (int64_t k = 0; k < n; k++) {
        Text    text;
        int32_t j = 0;

        if (!take_text(b, &text))
            return false;
        while (j < job->n_physics && (seen[j] || strcmp(job->physics[j].key, text.key) != 0))
            j++;
        if (j < job->n_physics)
            seen[j] = true;
        if (!counts(past, text.stage))
            continue;
        if (j == job->n_physics)
            add_difference(d, text.stage, text.key, text.value, "nothing");
        else if (strcmp(job->physics[j].value, text.value) != 0)
            add_difference(d, text.stage, text.key, text.value, job->physics[j].value);
    }
    for (int32_t j = 0; j < job->n_physics; j++)
        if (!seen[j] && counts(past, job->physics[j].stage) && !is_later(job->physics[j].key))
            add_difference(d, job->physics[j].stage, job->physics[j].key, "nothing",
                           job->physics[j].value);
    return true;
}

static AmphiStatus fail_changed(const AmphiRun *run, const Differences *d, AmphiError *err)
{
    char more[32] = "";

    if (d->n > run->job->n_physics / 2)
        return amphi_fail(err, AMPHI_BAD_INPUT,
                          "%.400s: holds the run of another system\n"
                          "    write: -o with a new directory, or --fresh to begin again",
                          run->path);
    if (d->n > d->n_told)
        snprintf(more, sizeof more, "\n    and %d more", d->n - d->n_told);
    return amphi_fail(err, AMPHI_BAD_INPUT,
                      "%.80s: the physics has changed since this run began%s%s\n"
                      "    write: %s-o with a new directory, or --fresh to begin again",
                      run->path, d->text, more, d->is_of_stages ? "a further stage with it, " : "");
}

/* ---- one file ---- */

static bool is_place(const AmphiRun *run, const AmphiPlace *at)
{
    return at->step >= 0 && at->stage_began >= 0 && at->stage_began <= at->step &&
           at->stage >= -1 && at->count.n_full >= 0 && at->count.n_full < AMPHI_BLOCKS &&
           at->count.frames_a_block >= (at->stage >= 0) && run->job->n_stages > 0;
}

static AmphiStatus fail_form(const char *path, int64_t form, AmphiError *err)
{
    return amphi_fail(err, AMPHI_BAD_FILE,
                      "%.100s: of another amphi, whose runs are saved in form %" PRId64
                      "; here it is %d\n"
                      "    write: the amphi that began it, or -o with a new directory",
                      path, form, AMPHI_RUN_SECTION);
}

static AmphiStatus read_section(AmphiRun *run, const char *path, const AmphiSnapshot *s,
                                AmphiRunPast *past, AmphiError *err)
{
    Blocks        b = { .bytes = { .data = NULL, .n = (size_t)s->n_run_bytes } };
    Differences   d = { .n = 0 };
    AmphiRunFront front;

    b.bytes.data = amphi_arena_take(run->arena, s->n_run_bytes, 1);
    if (b.bytes.data == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "%.400s: no memory", path);
    memcpy(b.bytes.data, s->run, b.bytes.n);

    const bool has_front = take_into(&b, &front, sizeof front);
    if (has_front && front.version != AMPHI_RUN_SECTION)
        return fail_form(path, front.version, err);
    if (!has_front || !take_into(&b, &past->at, sizeof past->at) || !is_place(run, &past->at) ||
        !take_block(&b, &past->state) || !take_marks(run, &b, past, front.n_marks) ||
        !take_observers(run, &b, past, front.n_observers) ||
        !compare(run, &b, past, front.n_physics, &d))
        return amphi_fail(err, AMPHI_BAD_FILE, "%.400s: not written by this amphi", path);
    if (d.n > 0)
        return fail_changed(run, &d, err);
    if (past->at.stage >= run->job->n_stages || s->n_beads != run->job->system.n_beads)
        return amphi_fail(err, AMPHI_BAD_INPUT, "%.400s: of another plan, or another system", path);
    if (!take_began(run, &b, past))
        return amphi_fail(err, AMPHI_BAD_FILE, "%.400s: not written by this amphi", path);
    front.backend[sizeof front.backend - 1] = '\0';
    front.about[sizeof front.about - 1]     = '\0';
    past->backend                           = amphi_arena_text(run->arena, front.backend);
    past->about                             = amphi_arena_text(run->arena, front.about);
    if (past->backend == NULL || past->about == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "%.400s: no memory", path);
    past->precision = (AmphiPrecision)s->precision;
    past->is_there  = true;
    return AMPHI_OK;
}

const char *amphi_run_fault_in(AmphiNotes *notes)
{
    int64_t          n    = 0;
    const AmphiNote *list = amphi_notes_sorted(notes, &n);

    for (int64_t k = 0; k < n; k++)
        if (list[k].severity == AMPHI_NOTE_ERROR)
            return list[k].text;
    return "it cannot be read";
}

AmphiStatus amphi_run_read_file(const char *path, AmphiArena *arena, AmphiSnapshot **out,
                                AmphiError *err)
{
    AmphiNotes *const notes  = amphi_notes_new();
    AmphiStatus       status = AMPHI_OK;

    *out = NULL;
    if (arena != NULL && notes != NULL)
        *out = amphi_snapshot_read(path, "chk", arena, (AmphiWhere){ NULL, 0 }, notes);
    if (notes == NULL || amphi_arena_failed(arena))
        status = amphi_fail(err, AMPHI_NO_MEMORY, "%.400s: no memory", path);
    else if (*out == NULL)
        status = amphi_fail(err, AMPHI_BAD_FILE, "%.200s: %.280s", path, amphi_run_fault_in(notes));
    amphi_notes_free(notes);
    return status;
}

static AmphiStatus read_past(AmphiRun *run, const char *path, AmphiRunPast *past, AmphiError *err)
{
    AmphiArena *const arena  = amphi_arena_new();
    AmphiSnapshot    *s      = NULL;
    AmphiStatus       status = amphi_run_read_file(path, arena, &s, err);

    if (status == AMPHI_OK && s->run != NULL)
        status = read_section(run, path, s, past, err);
    else if (status == AMPHI_OK)
        status =
            amphi_fail(err, AMPHI_BAD_FILE, "%.400s: holds a state, but not that of a run", path);
    amphi_arena_free(arena);
    return status;
}

/* ---- the directory ---- */

static bool is_missing(const char *path)
{
    return access(path, F_OK) != 0 && errno == ENOENT;
}

bool amphi_run_has_past(const AmphiRun *run)
{
    char now[AMPHI_PATH_SIZE], prev[AMPHI_PATH_SIZE];

    return amphi_run_path(run, "run.chk", now, NULL) == AMPHI_OK &&
           amphi_run_path(run, "run.chk.prev", prev, NULL) == AMPHI_OK &&
           (!is_missing(now) || !is_missing(prev));
}

AmphiStatus amphi_run_find_past(AmphiRun *run, AmphiRunPast *past, AmphiError *err)
{
    char        now[AMPHI_PATH_SIZE], prev[AMPHI_PATH_SIZE];
    AmphiError  first = { .status = AMPHI_OK };
    AmphiStatus status;

    *past = (AmphiRunPast){ .is_there = false };
    AMPHI_TRY(amphi_run_path(run, "run.chk", now, err));
    AMPHI_TRY(amphi_run_path(run, "run.chk.prev", prev, err));
    if (is_missing(now) && is_missing(prev))
        return AMPHI_OK;
    status = read_past(run, now, past, &first);
    if (status == AMPHI_OK)
        return AMPHI_OK;
    if (status == AMPHI_BAD_FILE && !is_missing(prev)) {
        *past  = (AmphiRunPast){ .is_there = false };
        status = read_past(run, prev, past, err);
        if (status != AMPHI_BAD_FILE) {
            run->last_is_bad = true;
            snprintf(run->remark, sizeof run->remark, "%.170s; run.chk.prev is used, step %" PRId64,
                     first.text, past->at.step);
            return status;
        }
        return amphi_fail(err, AMPHI_BAD_FILE, "%.200s\n    and run.chk.prev is no better",
                          first.text);
    }
    return amphi_fail(err, status, "%s", first.text);
}
