/* The frame of a page, its tables, and pictures put into it. */
#include "html.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "../engine/arena.h"
#include "utf8.h"

/* Colours as in the figures (Okabe & Ito), darkened for text on white. */
static const char *const style[] = {
    ":root{color-scheme:light;--ink:#1a1d21;--soft:#5a6470;--rule:#d9dee4;--wash:#f5f7f9;",
    "--good:#00664b;--doubt:#8a5a00;--bad:#a63a00}",
    "*{box-sizing:border-box}",
    "body{margin:0 auto;padding:2.2rem 1.4rem 3rem;",
    "max-width:62rem;color:var(--ink);background:#fff;",
    "font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','Liberation Sans',",
    "'DejaVu Sans',Arial,sans-serif;counter-reset:section}",
    "header{border-bottom:2px solid var(--ink);padding-bottom:.7rem;margin-bottom:1.4rem}",
    "h1{font-size:1.7rem;line-height:1.2;margin:0 0 .3rem;font-weight:650;text-wrap:balance}",
    "header p{margin:0;color:var(--soft)}",
    "h2{font-size:1.2rem;margin:2.4rem 0 .7rem;padding-bottom:.25rem;",
    "border-bottom:1px solid var(--rule);font-weight:650;break-after:avoid}",
    "h2::before{counter-increment:section;content:counter(section) '\\2002';color:var(--soft);",
    "font-weight:400}",
    "h3{font-size:1rem;margin:1.4rem 0 .4rem;font-weight:650;break-after:avoid}",
    "p{margin:.5rem 0;max-width:46rem}",
    ".remark,figcaption,caption,footer{color:var(--soft);font-size:.86rem;line-height:1.42}",
    ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:.8rem;",
    "margin:1rem 0}",
    ".tile{border:1px solid var(--rule);border-left:5px solid var(--rule);border-radius:4px;",
    "padding:.6rem .9rem;background:#fff;break-inside:avoid}",
    ".tile b{display:block;font-size:.8rem;font-weight:600;color:var(--soft);letter-spacing:.01em}",
    ".tile span{display:block;font-size:1.3rem;line-height:1.3;margin:.1rem 0;font-weight:600;",
    "font-variant-numeric:tabular-nums}",
    ".tile i{display:block;font-style:normal;font-size:.86rem;line-height:1.4;color:var(--soft)}",
    ".tile.good{border-left-color:var(--good)}.tile.good span{color:var(--good)}",
    ".tile.doubt{border-left-color:var(--doubt)}.tile.doubt span{color:var(--doubt)}",
    ".tile.bad{border-left-color:var(--bad)}.tile.bad span{color:var(--bad)}",
    ".alarm{border:1px solid var(--rule);border-left:5px solid var(--bad);border-radius:4px;",
    "padding:.7rem .9rem;margin:1rem 0;background:var(--wash);overflow-wrap:anywhere}",
    ".alarm.good{border-left-color:var(--good)}.alarm.doubt{border-left-color:var(--doubt)}",
    "pre,.alarm{font:.82rem/1.45 ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;",
    "white-space:pre-wrap}",
    "pre{background:var(--wash);border:1px solid var(--rule);border-radius:4px;",
    "padding:.7rem .9rem;overflow-wrap:anywhere;margin:.6rem 0}",
    ".wide{overflow-x:auto;margin:.7rem 0 1rem}",
    "table{border-collapse:collapse;font-size:.9rem;line-height:1.4;",
    "font-variant-numeric:tabular-nums;border-top:1.5px solid var(--ink);",
    "border-bottom:1.5px solid var(--ink)}",
    "caption{caption-side:top;text-align:left;padding:0 0 .35rem}",
    "th,td{padding:.28rem .85rem .28rem 0;text-align:left;vertical-align:top}",
    "td:last-child{overflow-wrap:anywhere}",
    "th{font-weight:600;border-bottom:1px solid var(--ink);vertical-align:bottom}",
    "td{border-top:1px solid var(--rule)}",
    ".r{text-align:right;white-space:nowrap;padding-left:.85rem}",
    "td:last-child,th:last-child{padding-right:0}",
    ".many{font-size:.76rem}.many th,.many td{padding-right:.3rem}.many .r{padding-left:.3rem}",
    ".many td:first-child{min-width:9rem}",
    "figure{margin:1rem 0 1.3rem;break-inside:avoid}",
    "figure svg,figure img{display:block;width:100%;height:auto}",
    "@media (max-width:40rem){figure{overflow-x:auto}figure svg{min-width:27rem}}",
    "figure img{border:1px solid var(--rule);border-radius:4px}",
    "figure svg text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',",
    "'Liberation Sans','DejaVu Sans',Arial,sans-serif}",
    "figcaption{margin-top:.4rem}",
    ".pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(20rem,1fr));gap:0 1.4rem;",
    "align-items:start}",
    ".legend{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;padding:0;",
    "margin:.4rem 0;font-size:.9rem}",
    ".legend i{display:inline-block;width:.85em;height:.85em;border-radius:50%;",
    "margin-right:.4em;border:1px solid #0003;vertical-align:-.05em}",
    "footer{margin-top:2.5rem;padding-top:.6rem;border-top:1px solid var(--rule);",
    "overflow-wrap:anywhere}",
    "@media print{@page{size:A4;margin:15mm 14mm}body{padding:0;max-width:none;font-size:10pt}",
    "h2{margin-top:1.5rem}.wide{overflow:visible}table{font-size:.82em}",
    ".pair{grid-template-columns:1fr 1fr}",
    ".tiles{grid-template-columns:repeat(3,1fr)}",
    "tr{break-inside:avoid}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}",
};

/* ---- text ---- */

static void put(ToolPage *page, const char *markup)
{
    amphi_sink_bytes(&page->sink, markup, strlen(markup));
}

/* A control character is not allowed in HTML, escaped or not: it goes the way of broken UTF-8. */
static void put_character(ToolPage *page, const char *at, int length)
{
    if (*at == '<')
        put(page, "&lt;");
    else if (*at == '>')
        put(page, "&gt;");
    else if (*at == '&')
        put(page, "&amp;");
    else if (*at == '"')
        put(page, "&quot;");
    else if (*at == '\t')
        put(page, " ");
    else if (length == 0 || (unsigned char)*at < 0x20 || *at == 0x7F)
        put(page, "\xEF\xBF\xBD");
    else
        amphi_sink_bytes(&page->sink, at, (size_t)length);
}

/* Up to n bytes; `line_feed` stands for a line feed. */
static void put_text(ToolPage *page, const char *text, size_t n, const char *line_feed)
{
    const char *at = text;

    while (at < text + n && *at != '\0') {
        int length = tool_utf8_length((const unsigned char *)at);

        if (length > text + n - at)
            length = 0;
        if (*at == '\n')
            put(page, line_feed);
        else
            put_character(page, at, length);
        at += length > 0 ? length : 1;
    }
}

static void put_words(ToolPage *page, const char *text)
{
    if (text != NULL)
        put_text(page, text, strlen(text), "<br>");
}

static void put_element(ToolPage *page, const char *name, const char *text)
{
    amphi_sink_print(&page->sink, "<%s>", name);
    put_words(page, text);
    amphi_sink_print(&page->sink, "</%s>\n", name);
}

/* ---- the frame ---- */

void tool_page_begin(ToolPage *page, const char *path, const char *title, const char *subtitle)
{
    page->n_figures = 0;
    page->align     = "";
    amphi_sink_open(&page->sink, path);
    put(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
              "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
              "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
              "style-src 'unsafe-inline'; img-src data:\">\n");
    put_element(page, "title", title);
    put(page, "<style>\n");
    for (size_t k = 0; k < sizeof style / sizeof *style; k++) {
        put(page, style[k]);
        put(page, "\n");
    }
    put(page, "</style>\n</head>\n<body>\n<header>\n");
    put_element(page, "h1", title);
    if (subtitle != NULL)
        put_element(page, "p", subtitle);
    put(page, "</header>\n");
}

AmphiStatus tool_page_end(ToolPage *page, const char *foot, AmphiError *err)
{
    if (foot != NULL)
        put_element(page, "footer", foot);
    put(page, "</body>\n</html>\n");
    return amphi_sink_close(&page->sink, err);
}

void tool_page_section(ToolPage *page, const char *heading)
{
    put_element(page, "h2", heading);
}

void tool_page_part(ToolPage *page, const char *heading)
{
    put_element(page, "h3", heading);
}

static void put_form(ToolPage *page, const char *markup, const char *form, va_list values)
{
    char text[4096];

    vsnprintf(text, sizeof text, form, values);
    put(page, markup);
    put_words(page, text);
    put(page, "</p>\n");
}

void tool_page_text(ToolPage *page, const char *form, ...)
{
    va_list values;

    va_start(values, form);
    put_form(page, "<p>", form, values);
    va_end(values);
}

void tool_page_remark(ToolPage *page, const char *form, ...)
{
    va_list values;

    va_start(values, form);
    put_form(page, "<p class=\"remark\">", form, values);
    va_end(values);
}

/* HTML drops one line feed behind <pre>: it gets one of its own. */
void tool_page_listing(ToolPage *page, const char *text, size_t n)
{
    put(page, "<pre>\n");
    put_text(page, text, n, "\n");
    put(page, "</pre>\n");
}

static const char *const classes[] = {
    [TOOL_PLAIN] = "", [TOOL_GOOD] = " good", [TOOL_DOUBTFUL] = " doubt", [TOOL_BAD] = " bad"
};

void tool_page_alarm(ToolPage *page, ToolVerdict verdict, const char *text)
{
    amphi_sink_print(&page->sink, "<div class=\"alarm%s\">", classes[verdict]);
    put_text(page, text, strlen(text), "\n");
    put(page, "</div>\n");
}

void tool_page_tiles_begin(ToolPage *page)
{
    put(page, "<div class=\"tiles\">\n");
}

/* The sign tells what the colour tells. */
void tool_page_tile(ToolPage *page, ToolVerdict verdict, const char *label, const char *value,
                    const char *remark)
{
    static const char *const sign[] = { [TOOL_PLAIN]    = "",
                                        [TOOL_GOOD]     = "\xE2\x9C\x93 ",
                                        [TOOL_DOUBTFUL] = "? ",
                                        [TOOL_BAD]      = "\xE2\x9C\x97 " };

    amphi_sink_print(&page->sink, "<div class=\"tile%s\"><b>", classes[verdict]);
    put_words(page, label);
    put(page, "</b><span>");
    put(page, sign[verdict]);
    put_words(page, value);
    put(page, "</span>");
    if (remark[0] != '\0')
        put_element(page, "i", remark);
    put(page, "</div>\n");
}

void tool_page_tiles_end(ToolPage *page)
{
    put(page, "</div>\n");
}

/* ---- tables ---- */

static void put_cells(ToolPage *page, const char *name, const char *const *cell)
{
    put(page, "<tr>");
    for (int k = 0; page->align[k] != '\0'; k++) {
        amphi_sink_print(&page->sink, "<%s%s>", name, page->align[k] == 'r' ? " class=\"r\"" : "");
        put_words(page, cell[k]);
        amphi_sink_print(&page->sink, "</%s>", name);
    }
    put(page, "</tr>\n");
}

void tool_page_table_begin(ToolPage *page, const char *caption, const char *align,
                           const char *const *head)
{
    enum { MANY = 6 }; /* columns that the page's width has room for in its usual size */

    page->align = align;
    amphi_sink_print(&page->sink, "<div class=\"wide\"><table%s>\n",
                     strlen(align) > MANY ? " class=\"many\"" : "");
    if (caption != NULL)
        put_element(page, "caption", caption);
    if (head != NULL) {
        put(page, "<thead>");
        put_cells(page, "th", head);
        put(page, "</thead>\n");
    }
    put(page, "<tbody>\n");
}

void tool_page_row(ToolPage *page, const char *const *cell)
{
    put_cells(page, "td", cell);
}

void tool_page_table_end(ToolPage *page)
{
    put(page, "</tbody></table></div>\n");
}

/* ---- pictures ---- */

void tool_page_pair_begin(ToolPage *page)
{
    put(page, "<div class=\"pair\">\n");
}

void tool_page_pair_end(ToolPage *page)
{
    put(page, "</div>\n");
}

void tool_page_legend_begin(ToolPage *page)
{
    put(page, "<ul class=\"legend\">");
}

void tool_page_legend(ToolPage *page, const double rgb[3], const char *name)
{
    amphi_sink_print(&page->sink, "<li><i style=\"background:rgb(%.0f,%.0f,%.0f)\"></i>",
                     255 * rgb[0], 255 * rgb[1], 255 * rgb[2]);
    put_words(page, name);
    put(page, "</li>");
}

void tool_page_legend_end(ToolPage *page)
{
    put(page, "</ul>\n");
}

/* The bytes of a file with a zero behind them; NULL: it cannot be read. */
static char *read_bytes(const char *path, AmphiArena *arena, size_t *n)
{
    FILE *const in    = fopen(path, "rb");
    char       *bytes = NULL;
    long        size  = -1;

    if (in == NULL)
        return NULL;
    if (fseek(in, 0, SEEK_END) == 0)
        size = ftell(in);
    if (size >= 0 && fseek(in, 0, SEEK_SET) == 0)
        bytes = amphi_arena_take(arena, size + 1, 1);
    if (bytes != NULL && fread(bytes, 1, (size_t)size, in) != (size_t)size)
        bytes = NULL;
    fclose(in);
    *n = bytes != NULL ? (size_t)size : 0;
    return bytes;
}

/* How many bytes from `at` name an id of the picture, up to and with its '#' or quote: id="...",
 * href='#...', url(#...). 0: none begins here. */
static size_t before_id(const char *at)
{
    static const char *const starts[] = { " id='", " id=\"", "href='#", "href=\"#", "url(#" };

    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
        if (strncmp(at, starts[k], strlen(starts[k])) == 0)
            return strlen(starts[k]);
    return 0;
}

/* gnuplot's title and description show up under the mouse: they say nothing of the figure. */
static const char *behind_element(const char *at, const char *name)
{
    const size_t length = strlen(name);

    if (at[0] != '<' || strncmp(at + 1, name, length) != 0 || at[length + 1] != '>')
        return NULL;
    const char *const end = strstr(at, "</");

    return end != NULL && strchr(end, '>') != NULL ? strchr(end, '>') + 1 : NULL;
}

static void put_svg(ToolPage *page, const char *at)
{
    const char *from = at;

    while (*at != '\0') {
        const char  *behind = behind_element(at, "title");
        const size_t n      = before_id(at);

        if (behind == NULL)
            behind = behind_element(at, "desc");
        if (behind == NULL && n == 0) {
            at++;
            continue;
        }
        amphi_sink_bytes(&page->sink, from, (size_t)(at - from) + n);
        if (n > 0)
            amphi_sink_print(&page->sink, "f%d-", page->n_figures);
        at   = n > 0 ? at + n : behind;
        from = at;
    }
    amphi_sink_bytes(&page->sink, from, (size_t)(at - from));
}

bool tool_page_svg(ToolPage *page, const char *path, const char *caption)
{
    AmphiArena *const arena = amphi_arena_new();
    size_t            n     = 0;
    const char *const bytes = arena != NULL ? read_bytes(path, arena, &n) : NULL;
    const char *const svg   = bytes != NULL ? strstr(bytes, "<svg") : NULL;
    const bool        is    = svg != NULL && strstr(svg, "</svg>") != NULL;

    if (is) {
        page->n_figures++;
        put(page, "<figure>\n");
        put_svg(page, svg);
        put_element(page, "figcaption", caption);
        put(page, "</figure>\n");
    }
    amphi_arena_free(arena);
    return is;
}

/* In pieces of whole triples, so that no '=' comes before the end. */
static void put_base64(ToolPage *page, const unsigned char *bytes, size_t n)
{
    enum { PIECE = 3072 };
    unsigned char text[PIECE / 3 * 4 + 1];

    for (size_t k = 0; k < n; k += PIECE) {
        const int length = EVP_EncodeBlock(text, bytes + k, n - k < PIECE ? (int)(n - k) : PIECE);

        amphi_sink_bytes(&page->sink, text, (size_t)length);
    }
}

bool tool_page_png(ToolPage *page, const char *path, const char *alternative, const char *caption)
{
    static const char start[8] = { '\x89', 'P', 'N', 'G', '\r', '\n', '\x1a', '\n' };
    AmphiArena *const arena    = amphi_arena_new();
    size_t            n        = 0;
    const char *const bytes    = arena != NULL ? read_bytes(path, arena, &n) : NULL;
    const bool        is       = bytes != NULL && n > sizeof start && memcmp(bytes, start, 8) == 0;

    if (is) {
        put(page, "<figure>\n<img alt=\"");
        put_text(page, alternative, strlen(alternative), " ");
        put(page, "\" src=\"data:image/png;base64,");
        put_base64(page, (const unsigned char *)bytes, n);
        put(page, "\">\n");
        put_element(page, "figcaption", caption);
        put(page, "</figure>\n");
    }
    amphi_arena_free(arena);
    return is;
}
