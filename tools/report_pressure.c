/* The section on the pressure across a membrane, from lateral-pressure.tsv. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report_parts.h"
#include "tables.h"

static const char file[] = "lateral-pressure.tsv";

/* How much the normal pressure varies from slab to slab, in its standard errors; NaN: not known. */
static double unevenness(const ReportTable *t)
{
    double  sum = 0, weight = 0, squares = 0;
    int32_t n = 0;

    for (int pass = 0; pass < 2; pass++)
        for (int32_t k = 0; k < t->n_rows; k++) {
            const double p     = report_number(t, k, "normal_bar");
            const double error = report_number(t, k, "normal_error");

            if (!isfinite(p) || !(error > 0))
                continue;
            if (pass == 0) {
                sum += p / (error * error);
                weight += 1 / (error * error);
                n++;
            } else {
                squares += pow((p - sum / weight) / error, 2);
            }
        }
    return n > 1 ? sqrt(squares / (n - 1)) : (double)NAN;
}

static void begin(AmphiSink *s, const char *axis, const char *label)
{
    amphi_sink_print(s,
                     "data = here.'../%s'\nset key autotitle columnhead\n"
                     "set key outside right top vertical Left reverse samplen 2\n"
                     "set xlabel '%c from the middle (nm)' offset 0,0.5\n"
                     "set ylabel '%s' offset 0.5,0\nset xrange [*:*] noextend\n"
                     "set arrow from graph 0, first 0 to graph 1, first 0 nohead lc rgb '#8a94a0' "
                     "dt 3\n",
                     file, axis[0], label);
}

static void draw_difference(Report *r, const ReportTable *t)
{
    const char *const axis = t->head[0];
    ReportScript      script;

    if (!report_begin_script(r, &script, "lateral-pressure", REPORT_WIDE, REPORT_HEIGHT, 1, 1))
        return;
    begin(&script.sink, axis, "pressure (bar)");
    amphi_sink_print(
        &script.sink,
        "plot data using (column('%s')):(column('difference_bar')-column('difference_error')):"
        "(column('difference_bar')+column('difference_error')) with filledcurves "
        "fc rgb '#bfe0f2' notitle, \\\n"
        "     data using (column('%s')):(column('difference_bar')) with lines lt 1 lw 1.8 "
        "title 'lateral - normal', \\\n"
        "     data using (-column('%s')):(column('difference_bar')) with lines lt 2 lw 1.2 dt 2 "
        "title 'mirrored', \\\n"
        "     data using (column('%s')):(column('normal_bar')) with lines lt 3 lw 1.2 "
        "title 'normal'\n",
        axis, axis, axis, axis);
    report_end_script(r, &script,
                      "Lateral pressure less the normal one with its standard error, the same "
                      "mirrored, and the normal pressure.");
}

static bool is_part(const char *column)
{
    const size_t n = strlen(column);

    return n > 4 && strcmp(column + n - 4, "_bar") == 0 && strcmp(column, "normal_bar") != 0 &&
           strcmp(column, "lateral_bar") != 0 && strcmp(column, "difference_bar") != 0;
}

static bool varies(const ReportTable *t, const char *column)
{
    for (int32_t k = 0; k < t->n_rows; k++)
        if (fabs(report_number(t, k, column)) > 1)
            return true;
    return false;
}

/* A term's name in words, of "lj_bar". */
static void print_title(AmphiSink *s, const char *column)
{
    char term[64];

    snprintf(term, sizeof term, "%.*s", (int)(strlen(column) - 4), column);
    tool_gnuplot_text(s, strcmp(term, "kinetic") == 0 ? "motion" : tool_term_words(term));
}

static void draw_parts(Report *r, const ReportTable *t)
{
    ReportScript script;
    int          n = 0;

    if (!report_begin_script(r, &script, "lateral-pressure-parts", REPORT_WIDE, REPORT_HEIGHT, 1,
                             1))
        return;
    begin(&script.sink, t->head[0], "lateral - normal (bar)");
    for (int32_t c = 0; c < t->n_columns; c++) {
        if (!is_part(t->head[c]) || !varies(t, t->head[c]))
            continue;
        n++;
        amphi_sink_print(&script.sink,
                         "%s data using (column('%s')):(column('%s')) with lines lt %d lw 1.4 "
                         "title ",
                         n == 1 ? "plot" : ", \\\n    ", t->head[0], t->head[c], n);
        print_title(&script.sink, t->head[c]);
    }
    amphi_sink_print(&script.sink, n == 0 ? "plot 0 notitle\n" : "\n");
    report_end_script(r, &script, "What it consists of; parts below 1 bar are left out.");
}

void report_pressures(Report *r)
{
    char        number[TOOL_NUMBER_SIZE], noted[REPORT_NOTED];
    ReportTable t;

    if (!report_find(r, file, &t) || t.n_rows < 2)
        return;

    const char *const tension = report_noted(&t, "tension of the whole", noted);
    const char *const frames  = report_comment(&t, "frames");
    const double      uneven  = unevenness(&t);

    tool_page_section(&r->page, "Pressure across the membrane");
    draw_difference(r, &t);
    draw_parts(r, &t);
    tool_page_remark(&r->page,
                     "Over %s frames; tension of the whole: %s. In equilibrium the normal pressure "
                     "is the same everywhere; here it differs by %s standard errors (root mean "
                     "square; 1 is expected). Numbers: %s.",
                     frames != NULL ? frames : "?", tension != NULL ? tension : "not known",
                     isfinite(uneven) ? tool_number(uneven, 2, number) : "?", file);
}
