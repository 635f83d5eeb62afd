/* amphi.1: all commands, options and elements are in it, and roff understands every line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../engine/schema.h"
#include "../../tools/commands.h"
#include "../../tools/man.h"
#include "skipping.h"

static char page[1 << 18];

static int write_page(void **state)
{
    FILE *const out = fmemopen(page, sizeof page, "w");
    (void)state;

    if (out == NULL)
        return 1;
    tool_write_man(out);
    return fclose(out) != 0 || strlen(page) + 1 >= sizeof page;
}

/* `text` as put writes it: a minus is \-. */
static bool is_in(const char *front, const char *text)
{
    char   wanted[600];
    size_t n = (size_t)snprintf(wanted, sizeof wanted, "%s", front);

    for (; *text != '\0' && n + 3 < sizeof wanted; text++) {
        if (*text == '-')
            wanted[n++] = '\\';
        wanted[n++] = *text;
    }
    wanted[n] = '\0';
    return strstr(page, wanted) != NULL;
}

static void commands_and_options_are_in_it(void **state)
{
    const ToolCommand *c = NULL;
    (void)state;

    for (int k = 0; (c = tool_command_at(k)) != NULL; k++) {
        assert_true(is_in(".SS \"amphi ", c->name));
        for (const ToolOption *o = c->option; o->name != NULL; o++)
            assert_true(is_in("\\-\\-", o->name));
    }
    assert_true(is_in("INT, TERM, ", "HUP"));
    assert_true(is_in("AMPHI_", "CPU"));
    assert_false(is_in("\\-\\-", "no-such-option"));
    assert_false(is_in(".SS \"amphi ", "evalute"));
}

static void elements_and_attributes_are_in_it(void **state)
{
    const AmphiElement *e = NULL;
    (void)state;

    for (int32_t k = 0; (e = amphi_schema_at(k)) != NULL; k++) {
        assert_true(is_in(".SS \"<", e->name));
        for (const AmphiAttribute *a = e->attribute; a->name != NULL; a++)
            assert_true(is_in(".TP\n\\fB", a->name));
    }
}

static bool is_request(const char *line)
{
    static const char *const known[] = { ".TH ", ".SH ", ".SS ", ".TP", ".PP",  ".nf",
                                         ".fi",  ".RS",  ".RE",  ".nh", ".ad l" };

    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strncmp(line, known[k], strlen(known[k])) == 0)
            return true;
    return false;
}

/* A line of text that began with a point would be a request, and vanish. */
static void lines_with_a_point_in_front_are_requests(void **state)
{
    (void)state;
    assert_false(is_request(".tsv is a table"));
    for (const char *line = page; *line != '\0'; line = strchr(line, '\n') + 1) {
        assert_non_null(strchr(line, '\n'));
        if ((line[0] == '.' || line[0] == '\'') && !is_request(line))
            fail_msg("no request: %.60s", line);
    }
}

static void groff_has_no_warning(void **state)
{
    char  path[] = "/tmp/amphi-test-XXXXXX", line[128], said[256];
    FILE *in     = NULL;
    (void)state;

    if (system("command -v groff >/dev/null 2>&1") != 0)
        SKIP("no groff (Debian: groff-base)");
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    snprintf(line, sizeof line, "groff -man -Tutf8 -ww >/dev/null 2>%s", path);
    in = popen(line, "w");
    assert_non_null(in);
    assert_true(fputs(page, in) >= 0);
    assert_int_equal(pclose(in), 0);
    in = fopen(path, "r");
    assert_non_null(in);
    if (fgets(said, sizeof said, in) != NULL)
        fail_msg("%s", said);
    fclose(in);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_and_options_are_in_it),
        cmocka_unit_test(elements_and_attributes_are_in_it),
        cmocka_unit_test(lines_with_a_point_in_front_are_requests),
        cmocka_unit_test(groff_has_no_warning),
    };

    return cmocka_run_group_tests(tests, write_page, NULL);
}
