/* compare.html: the table of a comparison and its curves, as a self-contained page. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../engine/version.h"
#include "command.h"
#include "compare_report.h"
#include "gnuplot.h"
#include "html.h"
#include "numbers.h"

enum { MOST_POINTS = 1500, CELL = TOOL_NUMBER_SIZE, HALF_WIDTH = 560, WHOLE_WIDTH = 900 };

typedef struct {
    const CompareReport *r;
    const char          *folder;
    ToolPage             page;
    AmphiError           no_gnuplot;
} Page;

/* ---- cells ---- */

static double value_of(const CompareReport *r, const char *quantity, int32_t mode)
{
    for (int32_t i = 0; i < r->n_rows; i++)
        if (strcmp(r->row[i].quantity, quantity) == 0)
            return r->row[i].value[mode];
    return (double)NAN;
}

/* Powers of ten as people write them; what has a fixed number of decimals keeps it. */
static const char *cell_of(const CompareRow *row, int32_t mode, char text[CELL])
{
    const double v        = row->value[mode];
    const bool   is_huge  = row->style == COMPARE_POINT && fabs(v) >= COMPARE_HUGE;
    const bool   is_power = row->style == COMPARE_POWER || row->style == COMPARE_SIGNED || is_huge;
    char         plain[96];

    if (row->has_text ? row->text[mode] == NULL : !isfinite(v))
        snprintf(text, CELL, "\xE2\x80\x93");
    else if (!row->has_text && is_power && !(v > 0 || v < 0))
        snprintf(text, CELL, "0");
    else if (!row->has_text && is_power)
        tool_number(v, is_huge ? 4 : row->digits + 1, text);
    else if (!row->has_text && v < 0)
        snprintf(text, CELL, "\xE2\x88\x92%s", compare_cell(row, mode, plain) + 1);
    else
        snprintf(text, CELL, "%s", compare_cell(row, mode, plain));
    return text;
}

/* What the speed is over, with a warning where something else kept the machine busy. */
static void tell_base(const CompareReport *r, int32_t k, char *text, size_t size)
{
    const double spread = value_of(r, "a step, largest less smallest", k), most = 30;

    text[0] = '\0';
    if (!isfinite(value_of(r, "speed over the base", k)))
        return;
    snprintf(text, size, "of %.24s\n", r->base);
    if (spread > most)
        snprintf(text, size, "of %.24s, uncertain: its rounds differ by %.0f %%\n", r->base,
                 spread);
}

static void put_tile(Page *p, int32_t k)
{
    const CompareReport *const r     = p->r;
    const double               speed = value_of(r, "speed over the base", k);
    const double               step  = value_of(r, "a step, median", k);
    const double               slope = value_of(r, "drift of the conserved energy", k);
    char                       value[64], base[CELL], force[CELL], drift[CELL], remark[4 * CELL];

    if (isfinite(speed))
        snprintf(value, sizeof value, "%.2f \xC3\x97 the speed", speed);
    else if (isfinite(step))
        snprintf(value, sizeof value, "%.4g ms a step", step);
    else
        snprintf(value, sizeof value, r->is_lost[k] ? "lost on its way" : "speed not measured");
    tool_number(value_of(r, "force error, relative rms", k), 2, force);
    tool_number_pm(slope, value_of(r, "drift, standard error", k), 2, drift);
    tell_base(r, k, base, sizeof base);
    snprintf(remark, sizeof remark, "%sforce error %s, relative rms\n%s%s%s", base, force,
             isfinite(slope) ? "drift " : "",
             isfinite(slope) ? drift : "drift not known: too short a run",
             isfinite(slope) ? " kT/ns/dof" : "");
    tool_page_tile(&p->page, r->is_lost[k] ? TOOL_BAD : TOOL_PLAIN, r->mode[k], value, remark);
}

/* The row behind this one, when that is its standard error. */
static const CompareRow *error_of(const CompareReport *r, int32_t i)
{
    static const char       ending[] = "standard error";
    const CompareRow *const next     = i + 1 < r->n_rows ? &r->row[i + 1] : NULL;
    const size_t            n        = next != NULL ? strlen(next->quantity) : 0;

    if (n < sizeof ending || next->part != r->row[i].part ||
        strcmp(next->quantity + n - strlen(ending), ending) != 0)
        return NULL;
    return next;
}

static void put_row(Page *p, const CompareRow *row, const CompareRow *error)
{
    const CompareReport *const r = p->r;
    char                       text[COMPARE_MODES][CELL], label[192];
    const char                *cell[COMPARE_MODES + 1] = { label };

    snprintf(label, sizeof label, "%s%s%s%s", row->quantity, row->unit[0] != '\0' ? " (" : "",
             row->unit, row->unit[0] != '\0' ? ")" : "");
    for (int32_t k = 0; k < r->n_modes; k++)
        cell[k + 1] = error != NULL && isfinite(row->value[k])
                          ? tool_number_pm(row->value[k], error->value[k], row->digits + 1, text[k])
                          : cell_of(row, k, text[k]);
    tool_page_row(&p->page, cell);
}

/* A standard error stands behind its value, not in a row of its own. */
static void put_part(Page *p, int32_t part)
{
    const CompareReport *const r                        = p->r;
    char                       align[COMPARE_MODES + 2] = "l";
    const char                *head[COMPARE_MODES + 1]  = { "" };

    for (int32_t k = 0; k < r->n_modes; k++) {
        align[k + 1] = 'r';
        align[k + 2] = '\0';
        head[k + 1]  = r->mode[k];
    }
    tool_page_table_begin(&p->page, NULL, align, head);
    for (int32_t i = 0; i < r->n_rows; i++) {
        const CompareRow *const error = error_of(r, i);

        if (r->row[i].part != part)
            continue;
        put_row(p, &r->row[i], error);
        i += error != NULL;
    }
    tool_page_table_end(&p->page);
}

/* ---- curves ---- */

/* On logarithmic axes only what is above zero can be drawn. */
static int64_t count_points(const CompareCurve *c, int32_t mode)
{
    int64_t n = 0;

    for (int64_t i = 0; i < c->n; i++)
        n += isfinite(c->y[mode][i]) && (!c->is_log || c->y[mode][i] > 0);
    return n;
}

/* A point alone is no curve. */
static bool can_be_drawn(const CompareReport *r, const CompareCurve *c)
{
    for (int32_t k = 0; k < r->n_modes; k++)
        if (count_points(c, k) > 1)
            return true;
    return false;
}

static double first_of(const CompareCurve *c, int32_t mode)
{
    for (int64_t i = 0; i < c->n; i++)
        if (isfinite(c->y[mode][i]))
            return c->y[mode][i];
    return 0;
}

static void put_curves(AmphiSink *s, const CompareReport *r, const CompareCurve *c)
{
    int n = 0;

    for (int32_t k = 0; k < r->n_modes; k++) {
        const double zero = c->is_change ? first_of(c, k) : 0;

        if (count_points(c, k) == 0)
            continue;
        tool_gnuplot_curve(s, &n);
        amphi_sink_print(s, "data every step using 1:($%d - (%.17g)) with %s lt %d lw 1.6 title ",
                         (int)k + 2, zero, c->n <= 20 ? "linespoints pt 7 ps 0.5" : "lines",
                         (int)k + 1);
        tool_gnuplot_text(s, r->mode[k]);
    }
    amphi_sink_print(s, "\n");
}

static AmphiStatus write_script(const CompareReport *r, const CompareCurve *c, int width,
                                const char *path, AmphiError *err)
{
    const ToolPicture picture = { c->name, "svg", width, 340, 1, 1 };
    AmphiSink         s;

    amphi_sink_open(&s, path);
    tool_gnuplot_begin(&s, &picture);
    amphi_sink_print(&s, "data = here.'%s.tsv'\nstep = %" PRId64 "\n", c->name,
                     c->n / MOST_POINTS + 1);
    amphi_sink_print(&s,
                     "set key above horizontal left reverse Left noenhanced samplen 1.5\n"
                     "set key autotitle columnhead\nset format y '%s'\nset ylabel ",
                     c->is_log || c->has_log_y ? "10^{%T}" : "%.6g");
    amphi_sink_print(&s, "\"%s%s (%s)\"\nset xlabel \"%s\"\n", c->y_name,
                     c->is_change ? ", change" : "", c->unit,
                     strcmp(c->x_name, "lag_ps") == 0 ? "lag (ps)" : "time (ps)");
    if (c->is_log)
        amphi_sink_print(&s, "set logscale x\n");
    if (c->is_log || c->has_log_y)
        amphi_sink_print(&s, "set logscale y\n");
    if (c->has_log_y) /* what is below is the rounding of the start */
        amphi_sink_print(&s, "set yrange [1e-10:*]\n");
    put_curves(&s, r, c);
    return tool_gnuplot_end(&picture, &s, err);
}

/* An SVG of an earlier time must not stand for one that could not be drawn. */
static void put_figure(Page *p, const CompareCurve *c, int width)
{
    AmphiError err = { .status = AMPHI_OK };
    char       name[96], path[AMPHI_PATH_SIZE];

    if (!can_be_drawn(p->r, c) || p->no_gnuplot.status != AMPHI_OK)
        return;
    snprintf(name, sizeof name, "%s.gp", c->name);
    if (tool_join(p->folder, name, path, &err) == AMPHI_OK &&
        write_script(p->r, c, width, path, &err) == AMPHI_OK) {
        snprintf(name, sizeof name, "%s.svg", c->name);
        if (tool_join(p->folder, name, path, &err) == AMPHI_OK) {
            remove(path);
            if (tool_gnuplot_draw(p->folder, c->name, &err) == AMPHI_OK &&
                tool_page_svg(&p->page, path, c->about))
                return;
        }
    }
    if (err.status == AMPHI_BAD_COMMAND)
        p->no_gnuplot = err;
    else
        tool_page_remark(&p->page, "%s.tsv: %s", c->name,
                         err.text[0] != '\0' ? err.text : "its figure is missing");
}

/* ---- the page ---- */

/* One alone is as wide as the page. */
static void put_figures(Page *p, const char *part)
{
    const size_t length = strlen(part);
    int32_t      n      = 0;

    for (int32_t k = 0; k < p->r->n_curves; k++)
        n += strncmp(p->r->curve[k].name, part, length) == 0;
    if (n > 1)
        tool_page_remark(&p->page, "Where curves agree, the last of them covers the others.");
    if (n > 1)
        tool_page_pair_begin(&p->page);
    for (int32_t k = 0; k < p->r->n_curves; k++)
        if (strncmp(p->r->curve[k].name, part, length) == 0)
            put_figure(p, &p->r->curve[k], n > 1 ? HALF_WIDTH : WHOLE_WIDTH);
    if (n > 1)
        tool_page_pair_end(&p->page);
}

static bool is_alarm(const char *remark)
{
    return strstr(remark, "was lost") != NULL || strstr(remark, "stopped early") != NULL;
}

static void put_beginning(Page *p)
{
    const CompareReport *const r = p->r;

    for (int32_t k = 0; k < r->n_remarks; k++)
        if (is_alarm(r->remark[k]))
            tool_page_alarm(&p->page, TOOL_BAD, r->remark[k]);
    tool_page_tiles_begin(&p->page);
    for (int32_t k = 0; k < r->n_modes; k++)
        put_tile(p, k);
    tool_page_tiles_end(&p->page);
    tool_page_text(&p->page, "All modes start from one state: %s.", r->start);
    for (int32_t k = 0; k < r->n_modes; k++)
        tool_page_remark(&p->page, "%s", r->about[k]);
    for (int32_t k = 0; k < r->n_remarks; k++)
        if (!is_alarm(r->remark[k]))
            tool_page_remark(&p->page, "%s", r->remark[k]);
}

AmphiStatus compare_write_page(const CompareReport *r, const char *folder, const char *command,
                               AmphiError *err)
{
    Page p = { .r = r, .folder = folder };
    char path[AMPHI_PATH_SIZE], title[300], foot[400];

    AMPHI_TRY(tool_join(folder, "compare.html", path, err));
    snprintf(title, sizeof title, "Modes compared: %.240s", r->title);
    snprintf(foot, sizeof foot, "amphi %s. %.300s. Every number: compare.tsv, compare.json.",
             AMPHI_VERSION, command);
    tool_page_begin(&p.page, path, title, r->input);
    put_beginning(&p);
    for (int32_t k = 0; k < r->n_parts; k++) {
        tool_page_section(&p.page, r->part[k].title);
        tool_page_remark(&p.page, "%s", r->part[k].about);
        put_part(&p, k);
        put_figures(&p, r->part[k].name);
    }
    if (p.no_gnuplot.status != AMPHI_OK)
        tool_page_remark(&p.page, "%s", p.no_gnuplot.text);
    return tool_page_end(&p.page, foot, err);
}
