/* Figures of time series from energy.tsv, area.tsv and thickness.tsv. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../engine/units.h"
#include "command.h"
#include "gnuplot.h"
#include "report_parts.h"
#include "run_means.h"
#include "tables.h"

enum { MOST_POINTS = 1200, BINS = 60, TERM_HEIGHT = 168, TERM_COLUMNS = 3 };

/* ---- what all of them have ---- */

bool report_begin_script(const Report *r, ReportScript *script, const char *name, int width,
                         int height, int rows, int columns)
{
    char       file[TOOL_FIGURE_SIZE];
    AmphiError err = { .status = AMPHI_OK };

    snprintf(file, sizeof file, "%s.gp", name);
    if (r->figures[0] == '\0' || tool_join(r->figures, file, script->path, &err) != AMPHI_OK)
        return false;
    script->picture = (ToolPicture){ name, "svg", width, height, rows, columns };
    amphi_sink_open(&script->sink, script->path);
    tool_gnuplot_begin(&script->sink, &script->picture);
    amphi_sink_print(&script->sink, "set key noenhanced\nset format y '%%.6g'\nset minussign\n");
    return true;
}

/* An SVG of an earlier time must not stand for one that could not be drawn. */
void report_end_script(Report *r, ReportScript *script, const char *caption)
{
    char       file[TOOL_FIGURE_SIZE], path[AMPHI_PATH_SIZE];
    AmphiError err = { .status = AMPHI_OK };

    snprintf(file, sizeof file, "%s.svg", script->picture.name);
    if (tool_gnuplot_end(&script->picture, &script->sink, &err) == AMPHI_OK &&
        tool_join(r->figures, file, path, &err) == AMPHI_OK) {
        remove(path);
        if (r->no_gnuplot.status != AMPHI_OK) /* the script is for a machine that has it */
            return;
        if (tool_gnuplot_draw(r->figures, script->picture.name, &err) == AMPHI_OK &&
            tool_page_svg(&r->page, path, caption))
            return;
    }
    if (err.status == AMPHI_BAD_COMMAND)
        r->no_gnuplot = err;
    else
        tool_page_remark(&r->page, "%s", err.text[0] != '\0' ? err.text : "a figure is missing");
}

/* The table beside the folder of figures, thinned out, its time, and means over a 60th of it. */
static void begin_curves(AmphiSink *s, const char *file, const ToolTable *t)
{
    const bool   is_long = t->last_time_ps >= 2000;
    const double unit = is_long ? 1000 : 1, span = (t->last_time_ps - t->first_time_ps) / unit;

    amphi_sink_print(s,
                     "data = here.'../%s'\nset key autotitle columnhead\nstep = %" PRId64 "\n"
                     "x(n) = column('time_ps')/%g\nwidth = %.9g\n"
                     "bin(n) = (floor(x(0)/width) + 0.5)*width\n"
                     "set xrange [%.9g:%.9g]\nset xlabel 'time (%s)' offset 0,0.5\n",
                     file, t->n_lines / MOST_POINTS + 1, unit, span > 0 ? span / BINS : 1,
                     t->first_time_ps / unit,
                     (t->last_time_ps > t->first_time_ps ? t->last_time_ps : t->first_time_ps + 1) /
                         unit,
                     is_long ? "ns" : "ps");
}

/* Every value in a pale colour, and their means over a 60th of the time in a full one. */
static void add_both(AmphiSink *s, int *n, const char *column, const char *title, int colour)
{
    static const char *const pale[] = { "#a6cfe8", "#f2c6a6", "#a3d9c8", "#ecd0de" };

    tool_gnuplot_curve(s, n);
    amphi_sink_print(
        s, "data every step using (x(0)):(column('%s')) with lines lw 0.7 lc rgb '%s' notitle",
        column, pale[(colour - 1) % 4]);
    tool_gnuplot_curve(s, n);
    amphi_sink_print(
        s, "data using (bin(0)):(column('%s')) smooth unique with lines lt %d lw 2 title '%s'",
        column, colour, title);
}

/* A level that a thermostat or a barostat holds. */
static void add_level(AmphiSink *s, int *n, double from, double to, double level)
{
    tool_gnuplot_curve(s, n);
    amphi_sink_print(s,
                     "'+' using (%.9g + $0*%.9g):(%.9g) every ::0::1 with lines lc rgb '#000000' "
                     "lw 1.2 dt 2 title '%s'",
                     from, to - from, level, "target");
}

/* Where one stage ends and the next begins; with names along the top. */
static void mark_stages(const Report *r, AmphiSink *s, double unit, bool with_names)
{
    for (int32_t k = 0; k < r->stages.n; k++) {
        const ReportStage *const stage = &r->stages.stage[k];
        char                     name[128];

        if (k > 0)
            amphi_sink_print(
                s,
                "set arrow from %.9g, graph 0 to %.9g, graph 1 nohead lc rgb '#8a94a0' "
                "lw 1 dt 3 back\n",
                stage->first_ps / unit, stage->first_ps / unit);
        if (!with_names)
            continue;
        amphi_sink_print(s, "set label ");
        tool_gnuplot_text(s, report_stage_name(r, k, name));
        amphi_sink_print(s, " at %.9g, graph 1 offset 0.4,0.6 left noenhanced tc rgb '#5a6470'\n",
                         stage->first_ps / unit);
    }
}

static double unit_of(const ToolTable *t)
{
    return t->last_time_ps >= 2000 ? 1000 : 1;
}

static bool look_at(const Report *r, const char *file, ToolTable *t)
{
    char       path[AMPHI_PATH_SIZE];
    AmphiError err = { .status = AMPHI_OK };

    return tool_is_written(r->job, file) && tool_join(r->dir, file, path, &err) == AMPHI_OK &&
           tool_table_look(path, t, &err) == AMPHI_OK && t->n_lines >= 2 &&
           tool_table_has(t, "time_ps");
}

/* Between marks, so that three to five of them fit: 1, 2 or 5 times a power of ten. */
static double tics_of(double range)
{
    const double step = range / 4, power = pow(10, floor(log10(step)));

    return power * (step < 1.5 * power ? 1 : step < 3.5 * power ? 2 : step < 7.5 * power ? 5 : 10);
}

/* The range of the last stage with a margin: what happened before may leave it. */
static void set_range(const Report *r, AmphiSink *s, const char *const *columns, int n)
{
    const ReportStage *const stage = &r->stages.stage[r->stages.n - 1];
    double                   low = (double)INFINITY, high = -(double)INFINITY;

    for (int k = 0; k < n; k++) {
        const int32_t place = report_place(&r->stages, columns[k]);

        if (place < 0)
            continue;
        low  = fmin(low, stage->least[place]);
        high = fmax(high, stage->most[place]);
    }
    if (isfinite(low) && isfinite(high) && high > low && stage->n_lines > 1)
        amphi_sink_print(s, "set yrange [%.12g:%.12g]\nset ytics %.3g\n", low - 0.35 * (high - low),
                         high + 0.35 * (high - low), tics_of(1.7 * (high - low)));
    else
        amphi_sink_print(s, "set yrange [*:*]\nset ytics autofreq\n");
}

/* ---- energies ---- */

static bool is_drawn(const char *column)
{
    return tool_table_is_term(column) || strcmp(column, "potential") == 0;
}

void report_draw_terms(Report *r)
{
    ReportScript script;
    ToolTable    t;
    int          n_panels = 0, rows;

    if (!look_at(r, "energy.tsv", &t) || r->stages.n == 0)
        return;
    for (int k = 0; k < t.n_columns; k++)
        n_panels += is_drawn(t.column[k]);
    rows = (n_panels + TERM_COLUMNS - 1) / TERM_COLUMNS;
    if (!report_begin_script(r, &script, "terms", REPORT_WIDE, rows * TERM_HEIGHT + 14, rows,
                             TERM_COLUMNS))
        return;
    begin_curves(&script.sink, "energy.tsv", &t);
    mark_stages(r, &script.sink, unit_of(&t), false);
    amphi_sink_print(&script.sink,
                     "set lmargin 9.5\nset rmargin 1.5\nset bmargin 2.8\nset tmargin 1.8\n"
                     "set xtics offset 0,0.2\n");
    for (int k = 0; k < t.n_columns; k++) {
        const char *const column = t.column[k];
        int               n      = 0;

        if (!is_drawn(column))
            continue;
        amphi_sink_print(&script.sink, "set title ");
        tool_gnuplot_text(&script.sink, tool_term_words(column));
        amphi_sink_print(&script.sink, " noenhanced offset 0,-0.7\n");
        set_range(r, &script.sink, &column, 1);
        add_both(&script.sink, &n, column, "", strcmp(column, "potential") == 0 ? 2 : 1);
        amphi_sink_print(&script.sink, " \nunset key\n");
    }
    report_end_script(
        r, &script,
        "Energy terms in kJ/mol over time: every value (pale) and means over a 60th of the time. "
        "Each has "
        "its own range, that of the last stage; earlier stages, parted by dotted lines, may leave "
        "it.");
}

static void write_band(const Report *r, AmphiSink *s, const ReportDrift *d, double unit)
{
    const ReportStage *const stage = &r->stages.stage[r->stages.n - 1];
    const int32_t            place = report_place(&r->stages, "conserved");

    amphi_sink_print(
        s,
        "unit = %g\nbegin = %.12g\nslope = %.9g\nerror = %.9g\nat = %.12g\nlevel = %.12g\n"
        "spread = %.9g\n"
        "line(t) = level + slope*(t*unit - at)\n"
        "band(t) = error*sqrt(spread**2 + (t*unit - at)**2)\n",
        unit, stage->first[place], d->slope_kJ_mol_ps,
        isfinite(d->slope_error) ? d->student * d->slope_error : 0, d->at_ps,
        d->energy_kJ_mol - stage->first[place], d->spread_ps);
}

void report_draw_conserved(Report *r)
{
    ReportScript      script;
    ToolTable         t;
    char              slope[TOOL_NUMBER_SIZE], caption[512], name[128];
    const int32_t     last = report_last(r);
    const ReportDrift d    = report_drift(&r->stages, last);
    AmphiSink *const  s    = &script.sink;

    if (!isfinite(d.slope_kJ_mol_ps) || !look_at(r, "energy.tsv", &t) ||
        !report_begin_script(r, &script, "conserved", REPORT_WIDE, REPORT_HEIGHT, 1, 1))
        return;

    const ReportStage *const stage = &r->stages.stage[last];
    const double             unit  = unit_of(&t);

    begin_curves(s, "energy.tsv", &t);
    write_band(r, s, &d, unit);
    amphi_sink_print(
        s,
        "set xrange [%.9g:%.9g]\nset samples 101\n"
        "set ylabel 'change (kJ/mol)'\nset key above left horizontal Left reverse samplen 2\n"
        "now(e) = column('stage') == %d ? e - begin : NaN\n"
        "plot '+' using 1:(line($1)-band($1)):(line($1)+band($1)) with filledcurves "
        "fc rgb '#f7dcc8' title '%s', \\\n"
        "     data every step using (x(0)):(now(column('conserved'))) with lines lt 1 lw 1.2 "
        "title 'conserved energy', \\\n"
        "     '+' using 1:(line($1)) with lines lt 2 lw 2 title 'fitted line'\n",
        stage->first_ps / unit, stage->last_ps / unit, stage->number,
        isfinite(d.slope_error) ? "95 % band of the line" : "");
    snprintf(caption, sizeof caption,
             "Conserved energy in stage %s, from its first value, with a straight line through its "
             "%" PRId64 " lines: slope %s kJ/mol/ps.%s",
             report_stage_name(r, last, name), d.n,
             tool_number_pm(d.slope_kJ_mol_ps, d.slope_error, 2, slope),
             isfinite(d.slope_error) ? " The error is that of correlated data, from blocks."
                                     : " There are too few lines for an error.");
    report_end_script(r, &script, caption);
}

/* ---- temperatures, pressures, shapes ---- */

static double target_K(const Report *r)
{
    const AmphiStage *const stage = report_stage_of(r, report_last(r));

    return stage != NULL && stage->thermostat.type != AMPHI_NO_THERMOSTAT
               ? stage->thermostat.temperature_K
               : (double)NAN;
}

void report_draw_temperature(Report *r)
{
    static const char *const columns[] = { "temperature_translation", "temperature_rotation" };
    ReportScript             script;
    ToolTable                t;
    int                      n = 0;
    AmphiSink *const         s = &script.sink;

    if (!look_at(r, "energy.tsv", &t) || r->stages.n == 0 || !tool_table_has(&t, columns[0]) ||
        !report_begin_script(r, &script, "temperature", REPORT_WIDE, REPORT_HEIGHT, 1, 1))
        return;

    const bool turns = report_mean(&r->stages, report_last(r), columns[1]).mean > 0;

    begin_curves(s, "energy.tsv", &t);
    mark_stages(r, s, unit_of(&t), true);
    set_range(r, s, columns, turns ? 2 : 1);
    amphi_sink_print(s, "set ylabel 'temperature (K)'\nset tmargin 4\n"
                        "set key at graph 1, graph 1.27 right horizontal Left reverse samplen 2\n");
    add_both(s, &n, columns[0], "of translation", 1);
    if (turns)
        add_both(s, &n, columns[1], "of rotation", 2);
    if (isfinite(target_K(r)))
        add_level(s, &n, t.first_time_ps / unit_of(&t), t.last_time_ps / unit_of(&t), target_K(r));
    amphi_sink_print(s, "\n");
    report_end_script(
        r, &script,
        turns ? "Temperature of translation and of rotation: every value (pale) and means over a "
                "60th of the "
                "time. Where energy is shared equally, the two agree within their errors."
              : "Temperature: every value (pale) and means over a 60th of the time.");
}

typedef struct {
    const char *name, *file, *label, *caption;
    int         n_columns;
    const char *column[3], *title[3];
} TimeFigure;

static const TimeFigure states[] = {
    { "pressure", "energy.tsv", "pressure (bar)", "Pressure.", 1, { "pressure" }, { "mean" } },
    { "box",
      "energy.tsv",
      "edge (nm)",
      "Edges of the box.",
      3,
      { "box_x", "box_y", "box_z" },
      { "x", "y", "z" } },
    { "area",
      "area.tsv",
      "area per lipid (nm\xC2\xB2)",
      "Area of the box in its plane over the lipids of the larger leaflet.",
      1,
      { "area_per_lipid_nm2" },
      { "mean" } },
    { "thickness",
      "thickness.tsv",
      "thickness (nm)",
      "Distance of the heads of the two leaflets.",
      1,
      { "thickness_nm" },
      { "mean" } },
};

double report_pressure_held(const AmphiStage *stage)
{
    const AmphiBarostat *const p = stage != NULL ? &stage->barostat : NULL;

    return p != NULL && p->type != AMPHI_NO_BAROSTAT && p->coupling != AMPHI_CONSTANT_AREA &&
                   p->tension_kJ_mol_nm2 == 0
               ? p->pressure_kJ_mol_nm3 / AMPHI_BAR
               : (double)NAN;
}

/* A box that no barostat moves needs no picture. */
static bool is_constant(const Report *r, const TimeFigure *f)
{
    bool varies = strcmp(f->name, "box") != 0;

    for (int c = 0; c < f->n_columns && !varies; c++) {
        const int32_t place = report_place(&r->stages, f->column[c]);
        double        low = (double)INFINITY, high = -(double)INFINITY;

        for (int32_t k = 0; k < r->stages.n && place >= 0; k++) {
            low  = fmin(low, r->stages.stage[k].least[place]);
            high = fmax(high, r->stages.stage[k].most[place]);
        }
        varies = place < 0 || high > low;
    }
    return !varies;
}

static void draw_state(Report *r, const TimeFigure *f)
{
    ReportScript     script;
    ToolTable        t;
    int              n        = 0;
    AmphiSink *const s        = &script.sink;
    const bool       is_run   = strcmp(f->file, "energy.tsv") == 0;
    const double     held_bar = report_pressure_held(report_stage_of(r, report_last(r)));

    if (!look_at(r, f->file, &t) || !tool_table_has(&t, f->column[0]) || is_constant(r, f) ||
        !report_begin_script(r, &script, f->name, REPORT_HALF, REPORT_HEIGHT - 40, 1, 1))
        return;
    begin_curves(s, f->file, &t);
    if (is_run && r->stages.n > 0) {
        mark_stages(r, s, unit_of(&t), false);
        if (f->n_columns == 1)
            set_range(r, s, f->column, 1);
    }
    amphi_sink_print(
        s, "set ylabel '%s' offset 0.5,0\nset key above left horizontal Left reverse samplen 2\n",
        f->label);
    for (int k = 0; k < f->n_columns; k++)
        add_both(s, &n, f->column[k], f->title[k], k + 1);
    if (strcmp(f->name, "pressure") == 0 && isfinite(held_bar))
        add_level(s, &n, t.first_time_ps / unit_of(&t), t.last_time_ps / unit_of(&t), held_bar);
    amphi_sink_print(s, "\n");
    report_end_script(r, &script, f->caption);
}

void report_draw_states(Report *r)
{
    tool_page_pair_begin(&r->page);
    for (size_t k = 0; k < sizeof states / sizeof *states; k++)
        draw_state(r, &states[k]);
    tool_page_pair_end(&r->page);
}
