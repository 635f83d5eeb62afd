/* The table of a comparison: filled in row by row, printed as text and as JSON lines. */
#include "compare_report.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "json.h"
#include "print.h"

/* ---- filling in ---- */

CompareReport *compare_report_new(void)
{
    AmphiArena *const    arena = amphi_arena_new();
    CompareReport *const r     = arena != NULL ? AMPHI_TAKE(arena, CompareReport, 1) : NULL;

    if (r == NULL)
        amphi_arena_free(arena);
    else
        r->arena = arena;
    return r;
}

void compare_report_free(CompareReport *r)
{
    if (r != NULL)
        amphi_arena_free(r->arena);
}

static const char *copy_of(CompareReport *r, const char *text)
{
    const char *const copy = amphi_arena_text(r->arena, text);

    return copy != NULL ? copy : "";
}

void compare_add_part(CompareReport *r, const char *name, const char *title, const char *about)
{
    assert(r->n_parts < COMPARE_MOST_PARTS);
    r->part[r->n_parts++] = (ComparePart){ copy_of(r, name), copy_of(r, title), copy_of(r, about) };
}

static CompareRow *next_row(CompareReport *r, const char *quantity, const char *unit)
{
    assert(r->n_parts > 0);
    if (r->n_rows == COMPARE_MOST_ROWS)
        return NULL;

    CompareRow *const row = &r->row[r->n_rows++];
    *row                  = (CompareRow){ .part     = r->n_parts - 1,
                                          .quantity = copy_of(r, quantity),
                                          .unit     = copy_of(r, unit) };
    return row;
}

void compare_add_row(CompareReport *r, const char *quantity, const char *unit, CompareStyle style,
                     int digits, const double value[COMPARE_MODES])
{
    CompareRow *const row = next_row(r, quantity, unit);

    if (row == NULL)
        return;
    row->style  = style;
    row->digits = digits;
    memcpy(row->value, value, sizeof row->value);
}

void compare_add_words(CompareReport *r, const char *quantity,
                       const char *const text[COMPARE_MODES])
{
    CompareRow *const row = next_row(r, quantity, "");

    if (row == NULL)
        return;
    row->has_text = true;
    for (int32_t k = 0; k < r->n_modes; k++)
        row->text[k] = text[k] != NULL ? copy_of(r, text[k]) : NULL;
}

void compare_add_remark(CompareReport *r, const char *form, ...)
{
    char    text[1024];
    va_list values;

    va_start(values, form);
    vsnprintf(text, sizeof text, form, values);
    va_end(values);
    if (r->n_remarks < COMPARE_MOST_REMARKS)
        r->remark[r->n_remarks++] = copy_of(r, text);
}

CompareCurve *compare_add_curve(CompareReport *r, const char *name, const char *about,
                                const char *x_name, const char *y_name, const char *unit, int64_t n)
{
    CompareCurve c = { .name   = copy_of(r, name),
                       .about  = copy_of(r, about),
                       .x_name = copy_of(r, x_name),
                       .y_name = copy_of(r, y_name),
                       .unit   = copy_of(r, unit),
                       .n      = n,
                       .x      = AMPHI_TAKE(r->arena, double, n) };

    for (int32_t k = 0; k < r->n_modes; k++)
        c.y[k] = AMPHI_TAKE(r->arena, double, n);
    if (amphi_arena_failed(r->arena) || r->n_curves == COMPARE_MOST_CURVES)
        return NULL;
    for (int32_t k = 0; k < r->n_modes; k++)
        for (int64_t i = 0; i < n; i++)
            c.y[k][i] = (double)NAN;
    r->curve[r->n_curves] = c;
    return &r->curve[r->n_curves++];
}

/* ---- as text ---- */

const char *compare_cell(const CompareRow *row, int32_t k, char text[96])
{
    const double v = row->value[k];

    if (row->has_text)
        return tool_harmless(row->text[k] != NULL ? row->text[k] : "-", text, 96);
    if (!isfinite(v))
        snprintf(text, 96, "-");
    else if (row->style == COMPARE_POWER && !(v > 0 || v < 0))
        snprintf(text, 96, "0");
    else if (row->style == COMPARE_POWER)
        snprintf(text, 96, "%.*e", row->digits, v);
    else if (row->style == COMPARE_SIGNED)
        snprintf(text, 96, "%+.*e", row->digits, v);
    else if (row->style == COMPARE_POINT && fabs(v) >= COMPARE_HUGE)
        snprintf(text, 96, "%.3e", v);
    else if (row->style == COMPARE_POINT)
        snprintf(text, 96, "%.*f", row->digits, v);
    else
        snprintf(text, 96, "%.*g", row->digits, v);
    return text;
}

enum { LEAST_COLUMN = 12, BETWEEN = 2, INDENT = 2 };

static int wider(int width, const char *text)
{
    const int n = (int)strlen(text);

    return n > width ? n : width;
}

static const char *label_of(const CompareRow *row, char label[160])
{
    snprintf(label, 160, "%s%s%s", row->quantity, row->unit[0] != '\0' ? ", " : "", row->unit);
    return label;
}

static void print_rows(const CompareReport *r, int32_t part, int left, FILE *out)
{
    char text[160];

    for (int32_t i = 0; i < r->n_rows; i++) {
        if (r->row[i].part != part)
            continue;
        fprintf(out, "%*s%-*s", INDENT, "", left, label_of(&r->row[i], text));
        for (int32_t k = 0; k < r->n_modes; k++) {
            int width = wider(LEAST_COLUMN, r->mode[k]);

            for (int32_t j = 0; j < r->n_rows; j++)
                width =
                    wider(width, r->row[j].part == part ? compare_cell(&r->row[j], k, text) : "");
            fprintf(out, "%*s", width + BETWEEN, compare_cell(&r->row[i], k, text));
        }
        fprintf(out, "\n");
    }
}

static void print_part(const CompareReport *r, int32_t part, FILE *out)
{
    int  left = 24;
    char text[160];

    fprintf(out, "\n%s\n", r->part[part].title);
    if (r->part[part].about[0] != '\0') {
        ToolLines lines = tool_lines_begin(out, 2 * INDENT, "");

        tool_lines_text(&lines, r->part[part].about);
        tool_lines_end(&lines);
    }
    for (int32_t i = 0; i < r->n_rows; i++)
        if (r->row[i].part == part)
            left = wider(left, label_of(&r->row[i], text));
    fprintf(out, "%*s%-*s", INDENT, "", left, "");
    for (int32_t k = 0; k < r->n_modes; k++) {
        int width = wider(LEAST_COLUMN, r->mode[k]);

        for (int32_t j = 0; j < r->n_rows; j++)
            width = wider(width, r->row[j].part == part ? compare_cell(&r->row[j], k, text) : "");
        fprintf(out, "%*s", width + BETWEEN, r->mode[k]);
    }
    fprintf(out, "\n");
    print_rows(r, part, left, out);
}

static void print_fact(FILE *out, const char *label, const char *text)
{
    ToolLines lines = tool_lines_begin(out, 14, label);

    tool_lines_text(&lines, text);
    tool_lines_end(&lines);
}

void compare_print(const CompareReport *r, FILE *out)
{
    char safe[1024];

    fprintf(out, "%s\n", tool_harmless(r->title, safe, sizeof safe));
    print_fact(out, "start", r->start);
    print_fact(out, "length", r->input);
    for (int32_t k = 0; k < r->n_modes; k++)
        print_fact(out, k == 0 ? "modes" : "", r->about[k]);
    for (int32_t k = 0; k < r->n_remarks; k++)
        print_fact(out, k == 0 ? "remarks" : "", r->remark[k]);
    for (int32_t k = 0; k < r->n_parts; k++)
        print_part(r, k, out);
}

/* ---- as JSON ---- */

static void print_head_json(const CompareReport *r, FILE *out)
{
    ToolJson json = tool_json_begin(out, "compare");

    tool_json_text(&json, "system", r->system);
    tool_json_text(&json, "title", r->title);
    tool_json_text(&json, "start", r->start);
    tool_json_whole(&json, "beads", r->n_beads);
    tool_json_number(&json, "length_ps", r->length_ps);
    tool_json_number(&json, "timestep_ps", r->dt_ps);
    tool_json_text(&json, "judge", r->judge);
    tool_json_text(&json, "base", r->base);
    tool_json_texts(&json, "modes", r->mode, r->n_modes);
    tool_json_texts(&json, "about", r->about, r->n_modes);
    tool_json_texts(&json, "remarks", r->remark, r->n_remarks);
    tool_json_end(&json);
}

static void print_row_json(const CompareReport *r, const CompareRow *row, FILE *out)
{
    ToolJson json = tool_json_begin(out, "row");

    tool_json_text(&json, "part", r->part[row->part].name);
    tool_json_text(&json, "quantity", row->quantity);
    tool_json_text(&json, "unit", row->unit);
    if (row->has_text)
        tool_json_texts(&json, "value", row->text, r->n_modes);
    else
        tool_json_numbers(&json, "value", row->value, r->n_modes);
    tool_json_end(&json);
}

void compare_print_json(const CompareReport *r, FILE *out)
{
    print_head_json(r, out);
    for (int32_t i = 0; i < r->n_rows; i++)
        print_row_json(r, &r->row[i], out);
}
