/* Files written whole or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "../../engine/formats/sink.h"
#include "format_cases.h"
#include "skipping.h"

static bool file_is(const char *path, const char *expected)
{
    int64_t     n       = 0;
    char *const bytes   = bytes_of_file(path, &n);
    const bool  is_same = n == (int64_t)strlen(expected) && memcmp(bytes, expected, (size_t)n) == 0;

    free(bytes);
    return is_same;
}

static void nothing_is_there_until_all_of_it_is(void **state)
{
    (void)state;
    const char *const path = path_of("a.txt");
    AmphiSink         sink;
    AmphiError        err = { 0 };

    write_file(path, "old", 3);
    amphi_sink_open(&sink, path);
    amphi_sink_print(&sink, "%s %d\n", "new", 5);
    amphi_sink_sync(&sink);
    assert_true(file_is(path, "old"));
    assert_int_equal(amphi_sink_close(&sink, &err), AMPHI_OK);
    assert_true(file_is(path, "new 5\n"));
    assert_false(file_is(path, "new 6\n"));
    assert_int_equal(access(path_of("a.txt.tmp"), F_OK), -1);
}

static void a_failure_leaves_the_old_file_and_its_first_reason(void **state)
{
    (void)state;
    const char *const path = path_of("b.txt");
    AmphiSink         sink;
    AmphiError        err = { 0 };

    write_file(path, "old", 3);
    amphi_sink_open(&sink, path);
    amphi_sink_fail(&sink, AMPHI_BAD_INPUT, "reason %d", 1);
    amphi_sink_fail(&sink, AMPHI_BAD_FILE, "reason %d", 2);
    amphi_sink_print(&sink, "new");
    assert_int_equal(amphi_sink_close(&sink, &err), AMPHI_BAD_INPUT);
    assert_string_equal(err.text, "reason 1");
    assert_true(file_is(path, "old"));
    assert_int_equal(access(path_of("b.txt.tmp"), F_OK), -1);
}

static void refuse_to_replace(const char *path)
{
    AmphiSink   sink;
    AmphiError  err = { 0 };
    struct stat before, after;

    assert_int_equal(lstat(path, &before), 0);
    amphi_sink_open(&sink, path);
    amphi_sink_print(&sink, "new");
    assert_int_equal(amphi_sink_close(&sink, &err), AMPHI_BAD_FILE);
    assert_non_null(strstr(err.text, "not a regular file"));
    assert_int_equal(lstat(path, &after), 0);
    assert_int_equal(after.st_mode, before.st_mode);
    assert_int_equal(after.st_ino, before.st_ino);
}

static void devices_and_pipes_are_not_replaced(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(path_of("pipe"), 0600), 0);
    assert_int_equal(symlink("/dev/null", path_of("null")), 0);
    refuse_to_replace(path_of("pipe"));
    refuse_to_replace(path_of("null"));
    assert_int_equal(access(path_of("pipe.tmp"), F_OK), -1);
    assert_int_equal(access(path_of("null.tmp"), F_OK), -1);
}

/* Though a file is behind it: /dev/stdout is such a link. */
static void streams_are_not_replaced(void **state)
{
    (void)state;
    char link_to[64];

    write_file(path_of("behind.txt"), "old", 3);
    const int stream = open(path_of("behind.txt"), O_WRONLY);
    assert_true(stream > 2);
    snprintf(link_to, sizeof link_to, "/proc/self/fd/%d", stream);
    assert_int_equal(symlink(link_to, path_of("stream")), 0);
    assert_int_equal(symlink("stream", path_of("link")), 0);
    refuse_to_replace(path_of("stream"));
    refuse_to_replace(path_of("link"));
    refuse_to_replace("/dev/stdout");
    assert_true(file_is(path_of("behind.txt"), "old"));
    close(stream);
}

static void a_disk_that_fills_up_is_a_failure(void **state)
{
    (void)state;
    const char *const   path = path_of("c.txt");
    const struct rlimit none = { 4096, RLIM_INFINITY };
    struct rlimit       before;
    AmphiSink           sink;
    AmphiError          err = { 0 };

    write_file(path, "old", 3);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    amphi_sink_open(&sink, path);
    for (int k = 0; k < 10000; k++)
        amphi_sink_bytes(&sink, "0123456789", 10);
    const AmphiStatus status = amphi_sink_close(&sink, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(status, AMPHI_BAD_FILE);
    assert_non_null(strstr(err.text, "c.txt: File too large"));
    assert_true(file_is(path, "old"));
    assert_int_equal(access(path_of("c.txt.tmp"), F_OK), -1);
}

static void a_link_in_the_way_is_not_followed(void **state)
{
    (void)state;
    AmphiSink  sink;
    AmphiError err = { 0 };

    write_file(path_of("other"), "mine", 4);
    assert_int_equal(symlink(path_of("other"), path_of("d.txt.tmp")), 0);
    amphi_sink_open(&sink, path_of("d.txt"));
    amphi_sink_print(&sink, "new");
    assert_int_equal(amphi_sink_close(&sink, &err), AMPHI_OK);
    assert_true(file_is(path_of("other"), "mine"));
}

static void places_that_cannot_be_written_are_failures(void **state)
{
    (void)state;
    char       longer[5000];
    AmphiSink  sink;
    AmphiError err = { 0 };

    amphi_sink_open(&sink, "/nowhere/a");
    amphi_sink_print(&sink, "x");
    assert_int_equal(amphi_sink_close(&sink, &err), AMPHI_BAD_FILE);
    assert_string_equal(err.text, "/nowhere/a: No such file or directory");
    memset(longer, 'a', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    amphi_sink_open(&sink, longer);
    assert_int_equal(amphi_sink_close(&sink, &err), AMPHI_BAD_FILE);
    assert_non_null(strstr(err.text, "the path is too long"));

    assert_int_equal(mkdir(path_of("full"), 0700), 0); /* a folder cannot be replaced */
    write_file(path_of("full/x"), "", 0);
    amphi_sink_open(&sink, path_of("full"));
    assert_int_equal(amphi_sink_close(&sink, &err), AMPHI_BAD_FILE);
    assert_int_equal(access(path_of("full.tmp"), F_OK), -1);
}

static void numbers_fill_their_columns_exactly(void **state)
{
    (void)state;
    const char *const path = path_of("e.txt");
    AmphiSink         sink;
    AmphiError        err = { 0 };

    amphi_sink_open(&sink, path);
    amphi_sink_fixed(&sink, -999.9994, 8, 3, "x", 0);
    amphi_sink_fixed(&sink, 9999.9994, 8, 3, "x", 0);
    amphi_sink_fixed(&sink, -0.0004, 8, 3, "x", 0);
    assert_int_equal(amphi_sink_close(&sink, &err), AMPHI_OK);
    assert_true(file_is(path, "-999.9999999.999  -0.000"));

    static const double too_large[] = { -999.9996, 9999.9996, 1e300, (double)NAN,
                                        -(double)INFINITY };
    for (size_t k = 0; k < sizeof too_large / sizeof *too_large; k++) {
        amphi_sink_open(&sink, path);
        amphi_sink_fixed(&sink, too_large[k], 8, 3, "x", 0);
        assert_int_equal(amphi_sink_close(&sink, &err), AMPHI_BAD_INPUT);
    }
}

static void text_of_others_stays_in_its_line(void **state)
{
    (void)state;
    AmphiSink  sink;
    AmphiError err = { 0 };

    amphi_sink_open(&sink, path_of("f.txt"));
    amphi_sink_text(&sink, "two\nlines\033[0m\177~");
    amphi_sink_text(&sink, NULL);
    assert_int_equal(amphi_sink_close(&sink, &err), AMPHI_OK);
    assert_true(file_is(path_of("f.txt"), "two lines [0m ~"));
}

/* Where a locale with a decimal comma is installed. */
static void numbers_have_a_point_in_every_locale(void **state)
{
    (void)state;
    AmphiSink  sink;
    AmphiError err = { 0 };

    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL && setlocale(LC_ALL, "fr_FR.UTF-8") == NULL) {
        SKIP("no locale with a decimal comma (Debian: locales-all)");
    }
    amphi_sink_open(&sink, path_of("g.txt"));
    amphi_sink_print(&sink, "%.2f ", 1.5);
    amphi_sink_fixed(&sink, 2.5, 6, 3, "x", 0);
    assert_int_equal(amphi_sink_close(&sink, &err), AMPHI_OK);
    setlocale(LC_ALL, "C");
    assert_true(file_is(path_of("g.txt"), "1.50  2.500"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_there_until_all_of_it_is),
        cmocka_unit_test(a_failure_leaves_the_old_file_and_its_first_reason),
        cmocka_unit_test(devices_and_pipes_are_not_replaced),
        cmocka_unit_test(streams_are_not_replaced),
        cmocka_unit_test(a_disk_that_fills_up_is_a_failure),
        cmocka_unit_test(a_link_in_the_way_is_not_followed),
        cmocka_unit_test(places_that_cannot_be_written_are_failures),
        cmocka_unit_test(numbers_fill_their_columns_exactly),
        cmocka_unit_test(text_of_others_stays_in_its_line),
        cmocka_unit_test(numbers_have_a_point_in_every_locale),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
