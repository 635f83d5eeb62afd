/* Pages: what is escaped, what a table and a picture become, and that nothing comes from
 * elsewhere. */
#include "../../tools/html.h"

#include "run_amphi.h"

static char page_text[RUN_MOST_BYTES];

static const char *ended(ToolPage *page)
{
    AmphiError err = { .status = AMPHI_OK };

    assert_int_equal(tool_page_end(page, "the end", &err), AMPHI_OK);
    read_into(in_folder("page.html"), page_text);
    return page_text;
}

static ToolPage begun(void)
{
    static char path[AMPHI_PATH_SIZE];
    ToolPage    page;

    snprintf(path, sizeof path, "%s", in_folder("page.html"));
    tool_page_begin(&page, path, "A <title> & more", NULL);
    return page;
}

/* The text behind the head of the page, where no style is. */
static const char *body_of(const char *text)
{
    const char *const body = strstr(text, "<body>");

    assert_non_null(body);
    return body;
}

static void check_has_not(const char *text, const char *part)
{
    if (strstr(text, part) != NULL)
        fail_msg("in it: %s", part);
}

static void a_page_is_whole_and_asks_for_nothing_from_elsewhere(void **state)
{
    (void)state;
    ToolPage page = begun();

    tool_page_section(&page, "One");
    const char *const text = ended(&page);

    assert_int_equal(strncmp(text, "<!DOCTYPE html>\n<html lang=\"en\">", 32), 0);
    check_has(text, "<h1>A &lt;title&gt; &amp; more</h1>");
    check_has(text, "<footer>the end</footer>");
    check_has(text, "</body>\n</html>\n");
    check_has(text, "default-src 'none'");
    check_has_not(text, "<script");
    check_has_not(text, "http://");
    check_has_not(text, "https://");
    check_has_not(text, "@import");
}

static void text_from_elsewhere_cannot_become_markup(void **state)
{
    (void)state;
    static const char *const head[] = { "<b>", "\"q\"" };
    static const char *const row[]  = { "<script>alert(1)</script>", NULL };
    ToolPage                 page   = begun();

    tool_page_text(&page, "%s", "<img src=x onerror=y> & \x01\xFF two\nlines");
    tool_page_listing(&page, "a < b\n\xC3", 7);
    tool_page_table_begin(&page, "<i>", "lr", head);
    tool_page_row(&page, row);
    tool_page_table_end(&page);
    tool_page_tiles_begin(&page);
    tool_page_tile(&page, TOOL_BAD, "<u>", "</span>", "<s>");
    tool_page_tiles_end(&page);
    tool_page_alarm(&page, TOOL_BAD, "</div>");
    const char *const text = body_of(ended(&page));

    check_has(text, "&lt;img src=x onerror=y&gt; &amp; \xEF\xBF\xBD\xEF\xBF\xBD two<br>lines");
    check_has(text, "<pre>\na &lt; b\n\xEF\xBF\xBD</pre>");
    check_has(text, "<caption>&lt;i&gt;</caption>");
    check_has(text, "<th>&lt;b&gt;</th><th class=\"r\">&quot;q&quot;</th>");
    check_has(text, "<td>&lt;script&gt;alert(1)&lt;/script&gt;</td><td class=\"r\"></td>");
    check_has(text, "<b>&lt;u&gt;</b>");
    check_has(text, "<i>&lt;s&gt;</i>");
    check_has(text, "&lt;/div&gt;</div>");
    check_has_not(text, "<script");
    check_has_not(text, "<img");
}

/* A verdict is told by a sign too, for those who do not see its colour. */
static void a_verdict_has_a_sign_and_not_only_a_colour(void **state)
{
    (void)state;
    ToolPage page = begun();

    tool_page_tiles_begin(&page);
    tool_page_tile(&page, TOOL_GOOD, "a", "1", "");
    tool_page_tile(&page, TOOL_BAD, "b", "2", "");
    tool_page_tile(&page, TOOL_PLAIN, "c", "3", "");
    tool_page_tiles_end(&page);
    const char *const text = body_of(ended(&page));

    check_has(text, "<div class=\"tile good\"><b>a</b><span>\xE2\x9C\x93 1</span></div>");
    check_has(text, "<div class=\"tile bad\"><b>b</b><span>\xE2\x9C\x97 2</span></div>");
    check_has(text, "<div class=\"tile\"><b>c</b><span>3</span></div>");
}

static const char svg[] = "<?xml version=\"1.0\"?>\n<svg width=\"9\">\n<title>Gnuplot</title>\n"
                          "<desc>Produced by it</desc>\n<g id=\"a\"><path id='p'/></g>\n"
                          "<use xlink:href='#p'/><g clip-path=\"url(#a)\"></g></svg>\n";

static void ids_of_two_pictures_do_not_meet(void **state)
{
    (void)state;
    ToolPage page = begun();

    write_text("a.svg", svg);
    assert_true(tool_page_svg(&page, in_folder("a.svg"), "first <"));
    assert_true(tool_page_svg(&page, in_folder("a.svg"), "second"));
    const char *const text = body_of(ended(&page));

    check_has(text, "<svg width=\"9\">");
    check_has(text, "<g id=\"f1-a\"><path id='f1-p'/></g>");
    check_has(text, "<use xlink:href='#f1-p'/><g clip-path=\"url(#f1-a)\">");
    check_has(text, "<path id='f2-p'/>");
    check_has(text, "<figcaption>first &lt;</figcaption>");
    check_has_not(text, "<?xml");
    check_has_not(text, "Gnuplot");
    check_has_not(text, "Produced");
}

static void a_png_is_put_in_as_base64(void **state)
{
    (void)state;
    ToolPage page = begun();

    write_text("a.png", "\x89PNG\r\n\x1a\nfoob");
    assert_true(tool_page_png(&page, in_folder("a.png"), "a \"b\"", "it"));
    check_has(body_of(ended(&page)),
              "<img alt=\"a &quot;b&quot;\" src=\"data:image/png;base64,iVBORw0KGgpmb29i\">");
}

static void what_is_no_picture_is_left_out(void **state)
{
    (void)state;
    ToolPage page = begun();

    write_text("a.png", "GIF89a, not a PNG");
    write_text("a.svg", "<svg without an end");
    assert_false(tool_page_png(&page, in_folder("a.png"), "", ""));
    assert_false(tool_page_png(&page, in_folder("none.png"), "", ""));
    assert_false(tool_page_svg(&page, in_folder("a.svg"), ""));
    assert_false(tool_page_svg(&page, in_folder("none.svg"), ""));
    check_has_not(body_of(ended(&page)), "<figure");
}

static void a_page_that_cannot_be_written_is_told_at_the_end(void **state)
{
    (void)state;
    AmphiError err = { .status = AMPHI_OK };
    ToolPage   page;

    tool_page_begin(&page, "/nowhere/page.html", "t", "s");
    tool_page_text(&page, "lost");
    assert_int_equal(tool_page_end(&page, NULL, &err), AMPHI_BAD_FILE);
    check_has(err.text, "/nowhere/page.html");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_is_whole_and_asks_for_nothing_from_elsewhere),
        cmocka_unit_test(text_from_elsewhere_cannot_become_markup),
        cmocka_unit_test(a_verdict_has_a_sign_and_not_only_a_colour),
        cmocka_unit_test(ids_of_two_pictures_do_not_meet),
        cmocka_unit_test(a_png_is_put_in_as_base64),
        cmocka_unit_test(what_is_no_picture_is_left_out),
        cmocka_unit_test(a_page_that_cannot_be_written_is_told_at_the_end),
    };

    return cmocka_run_group_tests(tests, make_run_folder, remove_run_folder);
}
