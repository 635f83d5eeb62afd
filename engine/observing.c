/* What all observers have in common: opening, saving, headings of tables. */
#include "observing.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "host.h"
#include "on_disk.h"

bool amphi_frame_is_due(const AmphiObserverPlan *plan, const AmphiFrame *frame)
{
    if (frame->stage == NULL || frame->stage->ensemble == AMPHI_MINIMISE)
        return false;
    return frame->stage_step % amphi_observer_every(plan, frame->stage) == 0;
}

/* ---- names ---- */

AmphiObserverNames amphi_observer_names(const AmphiObserverKind *kind,
                                        const AmphiObserverPlan *plan)
{
    const bool         has = plan->label != NULL;
    AmphiObserverNames n;

    snprintf(n.key, sizeof n.key, "%.20s%s%.*s", kind->name, has ? "-" : "", AMPHI_MOST_LABEL,
             has ? plan->label : "");
    if (has)
        snprintf(n.file, sizeof n.file, "%s.tsv", n.key);
    else
        snprintf(n.file, sizeof n.file, "%.40s", kind->file);
    return n;
}

/* "profile-heads.tsv" */
static bool has_labelled_name(const char *name)
{
    const AmphiObserverKind *kind   = NULL;
    const size_t             length = strlen(name);

    for (int32_t k = 0; (kind = amphi_observer_kind_at(k)) != NULL; k++) {
        const size_t n = strlen(kind->name);

        if (kind->has_labels && strncmp(name, kind->name, n) == 0 && name[n] == '-' &&
            length > n + 5 && strcmp(name + length - 4, ".tsv") == 0)
            return true;
    }
    return false;
}

bool amphi_observer_is_labelled(const char *dir, const char *name)
{
    static const char first[] = "# amphi ";
    char              path[AMPHI_PATH_SIZE], text[sizeof first] = "";

    if (!has_labelled_name(name) ||
        snprintf(path, sizeof path, "%s/%s", dir, name) >= (int)sizeof path)
        return false;

    FILE *const file = fopen(path, "re");
    if (file == NULL)
        return false;

    const size_t n = fread(text, 1, sizeof first - 1, file);
    fclose(file);
    return n == sizeof first - 1 && memcmp(text, first, n) == 0;
}

/* ---- opening ---- */

static AmphiWatcher *watcher_of(AmphiObserver *o)
{
    return (AmphiWatcher *)o;
}

AmphiStatus amphi_observer_open(const AmphiObserverKind *kind, const AmphiObserverPlace *place,
                                const AmphiObserverPlan *plan, AmphiObserver **out, AmphiError *err)
{
    AmphiArena *const    arena = amphi_arena_new();
    AmphiObserver *const o     = arena == NULL ? NULL : amphi_arena_take(arena, 1, kind->size);

    *out = NULL;
    if (o == NULL) {
        amphi_arena_free(arena);
        return amphi_fail(err, AMPHI_NO_MEMORY, "%s: no memory", kind->file);
    }
    *watcher_of(o) = (AmphiWatcher){ .kind  = kind,
                                     .arena = arena,
                                     .place = *place,
                                     .plan  = *plan,
                                     .names = amphi_observer_names(kind, plan) };

    const AmphiStatus status = kind->prepare(o, err);
    if (status == AMPHI_OK)
        *out = o;
    else
        amphi_observer_close(o);
    return status;
}

void amphi_observer_close(AmphiObserver *o)
{
    if (o != NULL)
        amphi_arena_free(watcher_of(o)->arena);
}

AmphiStatus amphi_observer_see(AmphiObserver *o, const AmphiFrame *frame, AmphiError *err)
{
    AmphiWatcher *const on     = watcher_of(o);
    const bool          is_due = amphi_frame_is_due(&on->plan, frame);

    if (!on->kind->sees_all && !is_due)
        return AMPHI_OK;
    if (is_due && on->n_seen++ == 0)
        on->first_step = frame->step;
    return on->kind->see(o, frame, err);
}

AmphiStatus amphi_observer_flush(AmphiObserver *o, AmphiError *err)
{
    const AmphiObserverKind *const kind = watcher_of(o)->kind;

    return kind->flush != NULL ? kind->flush(o, err) : AMPHI_OK;
}

/* ---- saving ---- */

/* What stands before the sums; two texts follow it: what is measured, and the columns. Behind the
 * sums is the first step, which an amphi of before did not save. */
typedef struct {
    int64_t n_seen, n_measures, n_columns;
} Front;

AMPHI_ON_DISK_AT(Front, n_measures, 8);
AMPHI_ON_DISK_AT(Front, n_columns, 16);
AMPHI_ON_DISK(Front, 24);

static const char *measures_of(const AmphiWatcher *on)
{
    return on->plan.measures != NULL ? on->plan.measures : "";
}

static const char *columns_of(AmphiObserver *o)
{
    const AmphiObserverKind *const kind = watcher_of(o)->kind;

    return kind->columns != NULL ? kind->columns(o) : "";
}

AmphiStatus amphi_observer_save(AmphiObserver *o, AmphiBytes *bytes, AmphiError *err)
{
    const AmphiWatcher *const on       = watcher_of(o);
    const char *const         measures = measures_of(on);
    const char *const         columns  = columns_of(o);
    AmphiPart                 part[AMPHI_MOST_PARTS];
    const int32_t             n_parts = on->kind->parts(o, part);
    const Front               front   = { .n_seen     = on->n_seen,
                                          .n_measures = (int64_t)strlen(measures) + 1,
                                          .n_columns  = (int64_t)strlen(columns) + 1 };

    bool done = amphi_bytes_add(bytes, &front, sizeof front) &&
                amphi_bytes_add(bytes, measures, (size_t)front.n_measures) &&
                amphi_bytes_add(bytes, columns, (size_t)front.n_columns);
    for (int32_t k = 0; done && k < n_parts; k++)
        done = amphi_bytes_add(bytes, part[k].bytes, part[k].n);
    done = done && amphi_bytes_add(bytes, &on->first_step, sizeof on->first_step);
    return done ? AMPHI_OK
                : amphi_fail(err, AMPHI_NO_MEMORY, "no memory to save what was measured");
}

/* At most 80 characters of a line are shown. */
static int shown(const char *line)
{
    const size_t n = strcspn(line, "\n");

    return n < 80 ? (int)n : 80;
}

/* Goes on to the first line that differs. */
static void find_difference(const char **one, const char **other)
{
    size_t n = strcspn(*one, "\n");

    while ((*one)[n] == '\n' && strncmp(*one, *other, n + 1) == 0) {
        *one += n + 1;
        *other += n + 1;
        n = strcspn(*one, "\n");
    }
}

AmphiObserverLine amphi_observer_line(const AmphiWatcher *on)
{
    AmphiObserverLine line = { "" };

    if (on->plan.where.file != NULL)
        snprintf(line.text, sizeof line.text, "%.160s:%lld: ", on->plan.where.file,
                 (long long)on->plan.where.line);
    return line;
}

/* As "beads: phos water before, tail tail now". */
static AmphiStatus fail_changed(const AmphiWatcher *on, const char *before, AmphiError *err)
{
    const char *now = measures_of(on), *value = NULL;

    find_difference(&now, &before);
    value = strchr(now, ' ') != NULL ? strchr(now, ' ') + 1 : now;
    return amphi_fail(err, AMPHI_BAD_INPUT,
                      "%s<%s>: measures something else than in this run so far\n"
                      "    %.*s before, %.*s now\n"
                      "    write: what it was, -o with a new directory, or --fresh to begin again",
                      amphi_observer_line(on).text, on->kind->name, shown(before), before,
                      shown(value), value);
}

static AmphiStatus fail_size(const AmphiWatcher *on, AmphiError *err)
{
    return amphi_fail(err, AMPHI_BAD_FILE,
                      "<%s>: the checkpoint has sums of another size than this amphi makes\n"
                      "    write: -o with a new directory, or --fresh to begin again",
                      on->kind->name);
}

/* A text of n bytes, its zero among them; NULL: it is not there. */
static const char *take_text(const AmphiBytes *bytes, int64_t n, size_t *at)
{
    const char *const text = (const char *)bytes->data + *at;

    if (n < 1 || (uint64_t)n > bytes->n - *at || text[n - 1] != '\0')
        return NULL;
    *at += (size_t)n;
    return text;
}

static AmphiStatus take_parts(AmphiObserver *o, const AmphiBytes *bytes, size_t at, AmphiError *err)
{
    AmphiWatcher *const on = watcher_of(o);
    AmphiPart           part[AMPHI_MOST_PARTS];
    const int32_t       n_parts = on->kind->parts(o, part);
    size_t              n       = 0;

    for (int32_t k = 0; k < n_parts; k++)
        n += part[k].n;
    if (n != bytes->n - at && n + sizeof on->first_step != bytes->n - at)
        return fail_size(on, err);
    for (int32_t k = 0; k < n_parts; k++)
        amphi_bytes_take(bytes, &at, part[k].bytes, part[k].n);
    on->first_step = -1;
    amphi_bytes_take(bytes, &at, &on->first_step, sizeof on->first_step);
    return AMPHI_OK;
}

AmphiStatus amphi_observer_restore(AmphiObserver *o, const AmphiBytes *bytes, AmphiError *err)
{
    AmphiWatcher *const on = watcher_of(o);
    size_t              at = 0;
    Front               front;

    if (!amphi_bytes_take(bytes, &at, &front, sizeof front))
        return fail_size(on, err);

    const char *const measures = take_text(bytes, front.n_measures, &at);
    const char *const columns  = take_text(bytes, front.n_columns, &at);
    if (measures == NULL || columns == NULL)
        return fail_size(on, err);
    if (front.n_seen == 0)
        return AMPHI_OK;
    if (strcmp(measures, measures_of(on)) != 0)
        return fail_changed(on, measures, err);
    AMPHI_TRY(take_parts(o, bytes, at, err));
    on->n_seen = front.n_seen;
    return on->kind->resume != NULL ? on->kind->resume(o, columns, err) : AMPHI_OK;
}

int64_t amphi_observer_seen(AmphiObserver *o)
{
    return watcher_of(o)->n_seen;
}

int64_t amphi_observer_first_step(AmphiObserver *o)
{
    return watcher_of(o)->n_seen > 0 ? watcher_of(o)->first_step : -1;
}

const char *amphi_observer_remark(AmphiObserver *o)
{
    return watcher_of(o)->remark;
}

/* ---- tables ---- */

void amphi_table_begin(AmphiTable *t, const AmphiObserverPlace *place, const char *name,
                       const char *about)
{
    *t = (AmphiTable){ .path = "" };
    snprintf(t->path, sizeof t->path, "%s/%s", place->dir, name);
    amphi_sink_open(&t->sink, t->path);
    amphi_sink_print(&t->sink, "# ");
    amphi_sink_text(&t->sink, place->heading);
    amphi_sink_print(&t->sink, "\n# ");
    for (; *about != '\0'; about++)
        amphi_sink_print(&t->sink, *about == '\n' ? "\n# " : "%c", *about);
    amphi_sink_print(&t->sink, "\n");
}

AmphiStatus amphi_table_drop(const AmphiObserverPlace *place, const char *name, AmphiError *err)
{
    char path[AMPHI_PATH_SIZE];

    snprintf(path, sizeof path, "%s/%s", place->dir, name);
    return unlink(path) == 0 || errno == ENOENT
               ? AMPHI_OK
               : amphi_fail(err, AMPHI_BAD_FILE, "%.400s: %s", path, strerror(errno));
}

AmphiStatus amphi_heading_print(AmphiOutfile *file, const AmphiObserverPlace *place,
                                const char *about, AmphiError *err)
{
    AMPHI_TRY(amphi_outfile_print(file, err, "# %s\n# ", place->heading));
    for (; *about != '\0'; about++)
        AMPHI_TRY(amphi_outfile_print(file, err, *about == '\n' ? "\n# " : "%c", *about));
    return amphi_outfile_print(file, err, "\n");
}
