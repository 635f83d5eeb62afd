/* Files that grow: what is written, what a checkpoint knows of it, how a file is cut back to that,
 * and every way in which a file may be refused or a write may fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "../../engine/arena.h"
#include "../../engine/outfile.h"
#include "format_cases.h"
#include "skipping.h"

/* What a run and its continuation have open. */
typedef struct {
    AmphiOutfiles    *files;
    AmphiOutfile     *file;
    AmphiOutfileMark *mark;
    int32_t           n_marks;
    AmphiError        err;
    AmphiStatus       status;
} Run;

static void open_with(Run *r, const char *name, uint64_t head_bytes, const Run *before)
{
    *r = (Run){ .files = amphi_outfiles_new(folder()) };
    r->status =
        amphi_outfile_open_headed(r->files, name, head_bytes, before != NULL ? before->mark : NULL,
                                  before != NULL ? before->n_marks : 0, &r->file, &r->err);
    assert_true((r->status == AMPHI_OK) == (r->file != NULL));
}

static void save(Run *r)
{
    amphi_release(r->mark);
    r->status = amphi_outfiles_sync(r->files, &r->mark, &r->n_marks, &r->err);
}

static void put(Run *r, const char *text)
{
    r->status = amphi_outfile_write(r->file, text, strlen(text), &r->err);
}

static void close_run(Run *r)
{
    amphi_outfiles_free(r->files);
    amphi_release(r->mark);
    *r = (Run){ .files = NULL };
}

/* The marks stay. */
static void stop(Run *r)
{
    amphi_outfiles_free(r->files);
    r->files = NULL;
}

static bool holds(const char *name, const char *expected)
{
    int64_t     n       = 0;
    char *const bytes   = bytes_of_file(path_of(name), &n);
    const bool  is_same = n == (int64_t)strlen(expected) && memcmp(bytes, expected, (size_t)n) == 0;

    free(bytes);
    return is_same;
}

/* "one" is known to a checkpoint; " two" is what came after it. */
static Run one_and_two(const char *name)
{
    Run r;

    unlink(path_of(name));
    open_with(&r, name, 0, NULL);
    assert_int_equal(r.status, AMPHI_OK);
    assert_true(amphi_outfile_is_new(r.file));
    put(&r, "one");
    assert_false(amphi_outfile_is_new(r.file));
    save(&r);
    assert_int_equal(r.status, AMPHI_OK);
    assert_int_equal(r.n_marks, 1);
    assert_int_equal(r.mark[0].length, 3);
    put(&r, " two");
    assert_int_equal(amphi_outfile_length(r.file), 7);
    stop(&r);
    return r;
}

static void a_continued_file_is_cut_back_to_its_mark_and_goes_on(void **state)
{
    (void)state;
    Run before = one_and_two("a.tsv"), r;

    assert_true(holds("a.tsv", "one two"));
    assert_false(holds("a.tsv", "one to"));
    open_with(&r, "a.tsv", 0, &before);
    assert_int_equal(r.status, AMPHI_OK);
    assert_false(amphi_outfile_is_new(r.file));
    assert_true(holds("a.tsv", "one two")); /* nothing is touched by looking */
    put(&r, " 2");
    assert_int_equal(r.status, AMPHI_OK);
    assert_true(holds("a.tsv", "one 2"));
    close_run(&r);
    close_run(&before);
}

static void the_mark_is_the_same_whether_or_not_the_run_was_broken(void **state)
{
    (void)state;
    Run before = one_and_two("a.tsv"), broken, whole;

    open_with(&broken, "a.tsv", 0, &before);
    put(&broken, " two and a half");
    save(&broken);
    unlink(path_of("b.tsv"));
    open_with(&whole, "b.tsv", 0, NULL);
    put(&whole, "one two");
    put(&whole, "");
    put(&whole, " and a half");
    save(&whole);
    assert_int_equal(broken.mark->length, whole.mark->length);
    assert_memory_equal(broken.mark->hash, whole.mark->hash, sizeof whole.mark->hash);
    put(&whole, ".");
    save(&whole);
    assert_memory_not_equal(broken.mark->hash, whole.mark->hash, sizeof whole.mark->hash);
    close_run(&broken);
    close_run(&whole);
    close_run(&before);
}

static void saving_alone_cuts_what_the_checkpoint_does_not_know(void **state)
{
    (void)state;
    Run before = one_and_two("a.tsv"), r;

    open_with(&r, "a.tsv", 0, &before);
    save(&r);
    assert_int_equal(r.status, AMPHI_OK);
    assert_true(holds("a.tsv", "one"));
    close_run(&r);
    close_run(&before);
}

/* Refused for this reason, and untouched. */
static void is_refused(const char *name, const Run *before, const char *reason, const char *content)
{
    Run r;

    open_with(&r, name, 0, before);
    assert_int_equal(r.status, AMPHI_BAD_FILE);
    assert_non_null(strstr(r.err.text, name));
    if (strstr(r.err.text, reason) == NULL)
        fail_msg("got \"%s\", expected \"%s\"", r.err.text, reason);
    if (content != NULL)
        assert_true(holds(name, content));
    close_run(&r);
}

static void a_file_that_the_checkpoint_does_not_know_is_refused(void **state)
{
    (void)state;
    Run before = one_and_two("a.tsv"), r;

    is_refused("a.tsv", NULL, "it is there already, and no checkpoint knows it", "one two");
    write_file(path_of("b.tsv"), "x", 1);
    is_refused("b.tsv", &before, "it is there already", "x");
    write_file(path_of("b.tsv"), "", 0); /* nothing can be lost */
    open_with(&r, "b.tsv", 0, NULL);
    assert_int_equal(r.status, AMPHI_OK);
    close_run(&r);
    close_run(&before);
}

/* A run that is refused leaves nothing; an empty file that a checkpoint knows stays. */
static void what_was_opened_for_nothing_goes_again(void **state)
{
    (void)state;
    Run r, before;

    unlink(path_of("new.tsv"));
    open_with(&r, "new.tsv", 0, NULL);
    assert_int_equal(access(path_of("new.tsv"), F_OK), 0);
    close_run(&r);
    assert_int_equal(access(path_of("new.tsv"), F_OK), -1);

    write_file(path_of("empty.tsv"), "", 0);
    open_with(&r, "empty.tsv", 0, NULL);
    close_run(&r);
    assert_true(holds("empty.tsv", ""));

    open_with(&before, "new.tsv", 0, NULL);
    save(&before);
    stop(&before);
    open_with(&r, "new.tsv", 0, &before);
    assert_int_equal(r.status, AMPHI_OK);
    close_run(&r);
    assert_true(holds("new.tsv", ""));
    close_run(&before);
}

static void a_shorter_a_changed_and_a_missing_file_are_refused(void **state)
{
    (void)state;
    Run before = one_and_two("a.tsv");

    write_file(path_of("a.tsv"), "on", 2);
    is_refused("a.tsv", &before, "2 bytes, and the checkpoint knows 3: it was cut or replaced",
               "on");
    write_file(path_of("a.tsv"), "oNe two", 7);
    is_refused("a.tsv", &before, "not the bytes that the checkpoint knows", "oNe two");
    unlink(path_of("a.tsv"));
    is_refused("a.tsv", &before,
               "a.tsv: it is not there, and the run so far has written to it\n    put it back",
               NULL);
    assert_int_equal(mkdir(path_of("a.tsv"), 0777), 0);
    is_refused("a.tsv", &before, "Is a directory", NULL);
    assert_int_equal(rmdir(path_of("a.tsv")), 0);
    close_run(&before);
}

static void links_and_pipes_are_not_followed(void **state)
{
    (void)state;
    Run before = one_and_two("a.tsv");

    write_file(path_of("elsewhere"), "", 0);
    assert_int_equal(symlink(path_of("elsewhere"), path_of("link.tsv")), 0);
    is_refused("link.tsv", NULL, "symbolic link", NULL);
    unlink(path_of("link.tsv"));
    unlink(path_of("a.tsv"));
    assert_int_equal(mkfifo(path_of("a.tsv"), 0666), 0);
    is_refused("a.tsv", &before, "not a plain file", NULL);
    unlink(path_of("a.tsv"));
    close_run(&before);
}

static void two_outputs_may_not_write_one_file(void **state)
{
    (void)state;
    char long_name[80];
    Run  r;

    unlink(path_of("a.tsv"));
    open_with(&r, "a.tsv", 0, NULL);
    assert_int_equal(amphi_outfile_open(r.files, "a.tsv", NULL, 0, &r.file, &r.err),
                     AMPHI_BAD_INPUT);
    assert_non_null(strstr(r.err.text, "two outputs write this file"));
    memset(long_name, 'x', sizeof long_name);
    long_name[sizeof long_name - 1] = '\0';
    for (int k = 0; k < 3; k++) {
        const char *const name = k == 0 ? "" : k == 1 ? "../a.tsv" : long_name;

        assert_int_equal(amphi_outfile_open(r.files, name, NULL, 0, &r.file, &r.err),
                         AMPHI_BAD_INPUT);
        assert_non_null(strstr(r.err.text, "no name for a file of a run"));
    }
    close_run(&r);
}

static void a_head_may_change_and_the_rest_may_not(void **state)
{
    (void)state;
    Run before, r;

    unlink(path_of("h.dcd"));
    open_with(&before, "h.dcd", 4, NULL);
    assert_int_equal(amphi_outfile_write_head(before.file, "h001", &before.err), AMPHI_DEFECT);
    put(&before, "h0");
    put(&before, "00frame"); /* a write across the end of the head */
    assert_int_equal(amphi_outfile_write_head(before.file, "h001", &before.err), AMPHI_OK);
    save(&before);
    put(&before, "frame");
    assert_int_equal(amphi_outfile_write_head(before.file, "h002", &before.err), AMPHI_OK);
    stop(&before);
    assert_true(holds("h.dcd", "h002frameframe"));

    open_with(&r, "h.dcd", 4, &before);
    assert_int_equal(r.status, AMPHI_OK);
    assert_int_equal(amphi_outfile_write_head(r.file, "h001", &r.err), AMPHI_OK);
    assert_true(holds("h.dcd", "h001frame"));
    close_run(&r);

    write_file(path_of("h.dcd"), "h001fRame", 9);
    open_with(&r, "h.dcd", 4, &before);
    assert_int_equal(r.status, AMPHI_BAD_FILE);
    close_run(&r);
    close_run(&before);
}

static void lines_reach_the_file_whole(void **state)
{
    (void)state;
    char expected[3000];
    Run  r;

    unlink(path_of("l.tsv"));
    open_with(&r, "l.tsv", 0, NULL);
    assert_int_equal(amphi_outfile_print(r.file, &r.err, "%d\t", 1), AMPHI_OK);
    assert_false(amphi_outfile_is_new(r.file));
    assert_true(holds("l.tsv", ""));
    assert_int_equal(amphi_outfile_print(r.file, &r.err, "%s\n", "two"), AMPHI_OK);
    assert_true(holds("l.tsv", "1\ttwo\n"));
    assert_int_equal(amphi_outfile_print(r.file, &r.err, "%2990d\n", 3), AMPHI_OK);
    snprintf(expected, sizeof expected, "1\ttwo\n%2990d\n", 3);
    assert_true(holds("l.tsv", expected));
    assert_int_equal(amphi_outfile_print(r.file, &r.err, "rest"), AMPHI_OK);
    save(&r);
    assert_int_equal(r.mark->length, 6 + 2991 + 4);
    close_run(&r);
}

static void numbers_are_written_alike_in_every_locale(void **state)
{
    (void)state;
    Run r;

    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL || *localeconv()->decimal_point != ',')
        SKIP("no locale with a decimal comma (Debian: locales-all)");
    unlink(path_of("n.tsv"));
    open_with(&r, "n.tsv", 0, NULL);
    assert_int_equal(amphi_outfile_print(r.file, &r.err, "%g\n", 0.5), AMPHI_OK);
    assert_true(holds("n.tsv", "0.5\n"));
    close_run(&r);
    setlocale(LC_ALL, "C");
}

/* A limit on the size of files stands for a full disk: a write that begins below it is cut short,
 * the next one fails. */
static void a_full_disk_is_noticed_and_costs_nothing_that_was_saved(void **state)
{
    (void)state;
    Run           before = one_and_two("a.tsv"), r;
    struct rlimit old;
    char          many[64];

    memset(many, 'm', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);

    open_with(&r, "a.tsv", 0, &before);
    const struct rlimit tight = { 10, old.rlim_max };
    setrlimit(RLIMIT_FSIZE, &tight);
    put(&r, many);
    const AmphiStatus status = r.status;
    setrlimit(RLIMIT_FSIZE, &old);

    assert_int_equal(status, AMPHI_BAD_FILE);
    assert_non_null(strstr(r.err.text, "a.tsv: File too large"));
    assert_int_equal(amphi_outfile_length(r.file), 3);
    put(&r, "x"); /* there is room again, but a line is missing */
    assert_int_equal(r.status, AMPHI_BAD_FILE);
    assert_int_equal(amphi_outfile_print(r.file, &r.err, "x\n"), AMPHI_BAD_FILE);
    assert_int_equal(amphi_outfile_write_head(r.file, "", &r.err), AMPHI_BAD_FILE);
    save(&r);
    assert_int_equal(r.status, AMPHI_BAD_FILE);
    assert_null(r.mark);
    close_run(&r);

    open_with(&r, "a.tsv", 0, &before); /* the same command again */
    put(&r, many);
    assert_int_equal(r.status, AMPHI_OK);
    assert_int_equal(amphi_outfile_length(r.file), 3 + sizeof many - 1);
    close_run(&r);
    close_run(&before);
}

static void a_folder_that_is_not_there_is_said(void **state)
{
    (void)state;
    AmphiOutfiles    *files = amphi_outfiles_new("/nowhere/at/all");
    AmphiOutfile     *file  = NULL;
    AmphiOutfileMark *marks = NULL;
    AmphiError        err   = { 0 };
    int32_t           n     = 0;

    assert_int_equal(amphi_outfile_open(files, "a.tsv", NULL, 0, &file, &err), AMPHI_BAD_FILE);
    assert_string_equal(err.text, "/nowhere/at/all/a.tsv: No such file or directory");
    assert_int_equal(amphi_outfiles_sync(files, &marks, &n, &err), AMPHI_BAD_FILE);
    amphi_outfiles_free(files);
    amphi_outfiles_free(NULL);
}

static void no_memory_is_an_answer(void **state)
{
    (void)state;
    AmphiStatus status = AMPHI_NO_MEMORY;

    for (int64_t n = 1; status != AMPHI_OK; n++) {
        AmphiOutfile     *file  = NULL;
        AmphiOutfileMark *marks = NULL;
        AmphiError        err   = { 0 };
        int32_t           k     = 0;

        assert_true(n < 20);
        unlink(path_of("m.tsv"));
        amphi_arena_fail_at(n);
        AmphiOutfiles *files = amphi_outfiles_new(folder());
        status               = AMPHI_NO_MEMORY;
        if (files != NULL)
            status = amphi_outfile_open(files, "m.tsv", NULL, 0, &file, &err);
        if (status == AMPHI_OK)
            status = amphi_outfile_print(file, &err, "line\n");
        if (status == AMPHI_OK)
            status = amphi_outfiles_sync(files, &marks, &k, &err);
        amphi_release(marks);
        amphi_outfiles_free(files);
    }
    amphi_arena_fail_at(0);
    assert_true(holds("m.tsv", "line\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_continued_file_is_cut_back_to_its_mark_and_goes_on),
        cmocka_unit_test(the_mark_is_the_same_whether_or_not_the_run_was_broken),
        cmocka_unit_test(saving_alone_cuts_what_the_checkpoint_does_not_know),
        cmocka_unit_test(a_file_that_the_checkpoint_does_not_know_is_refused),
        cmocka_unit_test(what_was_opened_for_nothing_goes_again),
        cmocka_unit_test(a_shorter_a_changed_and_a_missing_file_are_refused),
        cmocka_unit_test(links_and_pipes_are_not_followed),
        cmocka_unit_test(two_outputs_may_not_write_one_file),
        cmocka_unit_test(a_head_may_change_and_the_rest_may_not),
        cmocka_unit_test(lines_reach_the_file_whole),
        cmocka_unit_test(numbers_are_written_alike_in_every_locale),
        cmocka_unit_test(a_full_disk_is_noticed_and_costs_nothing_that_was_saved),
        cmocka_unit_test(a_folder_that_is_not_there_is_said),
        cmocka_unit_test(no_memory_is_an_answer),
    };

    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
