/* Tables of energies. A run on a device, in fixed precision, writes the bytes that a run on the cpu
 * writes: energies of every step, of steps that are watched, too, and of others. In every precision
 * a row is the same whatever else is looked at. What wants a device is skipped without one.
 */
#include "run_bench.h"

#include <stdlib.h>
#include <string.h>

static void tables_of_a_run_are_those_of_the_cpu(void **state)
{
    static const char *const every[] = { "<energies every=\"0.05 ps\"",
                                         "<energies every=\"1 steps\"",
                                         "<energies every=\"0.035 ps\"" };

    (void)state;
    skip_without_device(AMPHI_FIXED);
    for (int k = 0; k < 3; k++) {
        AmphiRunInfo info[2];
        Bench        b;

        open_bench(&b, every[0], every[k]);
        for (int j = 0; j < 2; j++) {
            const AmphiRunOptions o = options_of(b.dir[j], j == 0 ? "cpu" : "cuda", AMPHI_FIXED);

            assert_int_equal(run_once(&b, &o, &info[j]), AMPHI_OK);
        }
        assert_true(info[0].state_hash[0] != '\0');
        assert_string_equal(info[0].state_hash, info[1].state_hash);
        check_same_file(b.dir[0], b.dir[1], "energy.tsv");
        close_bench(&b);
    }
}

/* The rows of a run's table, but for the lines about the job, in one text; the caller frees it. */
static char *rows_of(const char *backend, AmphiPrecision precision, const char *watch)
{
    char            path[128];
    int64_t         n;
    Bench           b;
    AmphiRunOptions o;
    char           *text, *end;

    open_changed(&b, (const char *const[]){ "<energies every=\"0.05 ps\"",
                                            "<energies every=\"0.035 ps\"",
                                            "<watch every=\"10 steps\"", watch, NULL });
    o = options_of(b.dir[0], backend, precision);
    assert_int_equal(run_once(&b, &o, NULL), AMPHI_OK);
    snprintf(path, sizeof path, "%s/energy.tsv", b.dir[0]);
    text = end = file_bytes(path, &n);
    for (const char *line = text, *after; line < text + n; line = after) {
        after = (const char *)memchr(line, '\n', (size_t)(text + n - line));
        assert_non_null(after++);
        if (*line != '#') {
            memmove(end, line, (size_t)(after - line));
            end += after - line;
        }
    }
    *end = '\0';
    close_bench(&b);
    return text;
}

static void check_rows(const char *backend, AmphiPrecision precision)
{
    static const char *const watch[] = { "<watch every=\"1 steps\"", "<watch every=\"7 steps\"" };
    char *const              seldom  = rows_of(backend, precision, "<watch every=\"1000 steps\"");

    assert_true(strlen(seldom) > 1000); /* some thirty rows */
    for (int k = 0; k < 2; k++) {
        char *const rows = rows_of(backend, precision, watch[k]);

        assert_string_equal(rows, seldom);
        free(rows);
    }
    free(seldom);
}

static void rows_do_not_depend_on_what_is_watched(void **state)
{
    (void)state;
    for (int p = AMPHI_SINGLE; p <= AMPHI_FIXED; p++)
        check_rows("cpu", (AmphiPrecision)p);
}

static void nor_do_they_on_a_device(void **state)
{
    (void)state;
    skip_without_device(AMPHI_SINGLE);
    for (int p = AMPHI_SINGLE; p <= AMPHI_FIXED; p++)
        check_rows("cuda", (AmphiPrecision)p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_of_a_run_are_those_of_the_cpu),
        cmocka_unit_test(rows_do_not_depend_on_what_is_watched),
        cmocka_unit_test(nor_do_they_on_a_device),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
