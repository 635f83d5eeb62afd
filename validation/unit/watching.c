/* Observers at work, and tables read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "watching.h"

static void expect_ok(const Watch *w, AmphiStatus status)
{
    if (status != AMPHI_OK)
        fail_msg("%s: %s", w->plan.kind, w->err.text);
}

static void open_observer(Watch *w)
{
    w->place.files   = amphi_outfiles_new(w->place.dir);
    w->place.marks   = w->mark;
    w->place.n_marks = w->n_marks;
    assert_non_null(w->place.files);
    expect_ok(w, amphi_observer_open(w->kind, &w->place, &w->plan, &w->observer, &w->err));
}

void watch_open(Watch *w, const AmphiObserverPlace *place, const AmphiObserverPlan *plan)
{
    *w = (Watch){ .kind = amphi_observer_kind(plan->kind), .place = *place, .plan = *plan };
    assert_non_null(w->kind);
    open_observer(w);
}

void watch_see(Watch *w, const AmphiFrame *frame)
{
    expect_ok(w, amphi_observer_see(w->observer, frame, &w->err));
}

void watch_save(Watch *w)
{
    amphi_release(w->mark);
    amphi_release(w->sums.data);
    w->sums = (AmphiBytes){ .data = NULL };
    expect_ok(w, amphi_observer_save(w->observer, &w->sums, &w->err));
    expect_ok(w, amphi_outfiles_sync(w->place.files, &w->mark, &w->n_marks, &w->err));
}

void watch_stop(Watch *w)
{
    expect_ok(w, amphi_observer_flush(w->observer, &w->err));
    amphi_observer_close(w->observer);
    w->observer = NULL;
    amphi_outfiles_free(w->place.files);
}

void watch_resume(Watch *w)
{
    open_observer(w);
    expect_ok(w, amphi_observer_restore(w->observer, &w->sums, &w->err));
}

void watch_end(Watch *w)
{
    watch_stop(w);
    amphi_release(w->mark);
    amphi_release(w->sums.data);
}

static void show(Watch *w, const FrameSource *source, int32_t from, int32_t to)
{
    for (int32_t k = from; k < to; k++) {
        AmphiFrame frame = { .step = 0 };

        source->make(source->user, k, &frame);
        watch_see(w, &frame);
    }
}

static bool same_bytes(const char *one, const char *two, const char *name)
{
    char  path[2][512];
    FILE *file[2];
    int   a = 0, b = 0;

    snprintf(path[0], sizeof path[0], "%s/%s", one, name);
    snprintf(path[1], sizeof path[1], "%s/%s", two, name);
    for (int k = 0; k < 2; k++) {
        file[k] = fopen(path[k], "rb");
        if (file[k] == NULL)
            fail_msg("%s is not there", path[k]);
    }
    do {
        a = fgetc(file[0]);
        b = fgetc(file[1]);
    } while (a == b && a != EOF);
    fclose(file[0]);
    fclose(file[1]);
    if (a != b)
        print_message("%s differs\n", name);
    return a == b;
}

bool broken_is_the_same(const FrameSource *source, const AmphiObserverPlace *place,
                        const AmphiObserverPlan *plan, const char *dir, int32_t at, int32_t lost,
                        const char *const *files)
{
    char               folder[2][256];
    AmphiObserverPlace here = *place;
    Watch              whole, broken;
    bool               is_same = true;

    for (int k = 0; k < 2; k++) {
        snprintf(folder[k], sizeof folder[k], "%s/%s-%d-%d-%s", dir, plan->kind, (int)at, (int)lost,
                 k == 0 ? "one" : "two");
        assert_int_equal(mkdir(folder[k], 0777), 0);
    }
    here.dir = folder[0];
    watch_open(&whole, &here, plan);
    show(&whole, source, 0, source->n_frames);
    watch_end(&whole);

    here.dir = folder[1];
    watch_open(&broken, &here, plan);
    show(&broken, source, 0, at - lost);
    watch_save(&broken);
    show(&broken, source, at - lost, at);
    watch_stop(&broken);
    watch_resume(&broken);
    show(&broken, source, at - lost, source->n_frames);
    watch_end(&broken);
    for (; *files != NULL; files++)
        is_same = same_bytes(folder[0], folder[1], *files) && is_same;
    return is_same;
}

/* ---- tables ---- */

enum { LINE = 4096 };

static int column_of(char *heading, const char *column)
{
    int k = 0;

    for (char *word = strtok(heading, "\t\n"); word != NULL; word = strtok(NULL, "\t\n"), k++)
        if (strcmp(word, column) == 0)
            return k;
    fail_msg("there is no column %s", column);
    return -1;
}

static double value_of(char *line, int column)
{
    char *word = strtok(line, "\t\n");

    for (int k = 0; word != NULL && k < column; k++)
        word = strtok(NULL, "\t\n");
    assert_non_null(word);
    return strtod(word, NULL);
}

double table_value(const char *path, const char *column, int32_t n)
{
    FILE *const file  = fopen(path, "r");
    int         where = -1;
    double      value = 0;
    bool        found = false;
    char        line[LINE];

    if (file == NULL)
        fail_msg("%s is not there", path);
    while (!found && fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#')
            continue;
        if (where < 0) {
            where = column_of(line, column);
            continue;
        }
        found = n-- == 0;
        if (found)
            value = value_of(line, where);
    }
    fclose(file);
    assert_true(found);
    return value;
}

int32_t table_lines(const char *path)
{
    FILE *const file = fopen(path, "r");
    int32_t     n    = -1;
    char        line[LINE];

    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        n += line[0] != '#';
    fclose(file);
    return n;
}

double table_note(const char *path, const char *name)
{
    FILE *const  file   = fopen(path, "r");
    const size_t length = strlen(name);
    char         line[LINE];

    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "# ", 2) == 0 && strncmp(line + 2, name, length) == 0) {
            fclose(file);
            return strtod(line + 2 + length, NULL);
        }
    fclose(file);
    fail_msg("%s has no note %s", path, name);
    return 0;
}
