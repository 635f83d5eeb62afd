/* Scripts for gnuplot: which curves of a table go into which panel, in which units. */
#include "plots.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/formats/sink.h"
#include "command.h"
#include "launch.h"

enum { LINE = 8192, MOST_COLUMNS = 64, MOST_POINTS = 4000 };

/* A table, as far as its picture needs it. */
typedef struct {
    char    heading[LINE];
    int     n_columns;
    char   *column[MOST_COLUMNS]; /* into heading */
    int64_t n_lines;              /* below the heading */
    double  last_time_ps;         /* the second column of the last line */
} Table;

/* ---- reading ---- */

static void split_heading(Table *t)
{
    char *rest = t->heading;

    for (char *word = strtok_r(rest, "\t\n", &rest); word != NULL && t->n_columns < MOST_COLUMNS;
         word       = strtok_r(NULL, "\t\n", &rest))
        t->column[t->n_columns++] = word;
}

static void read_line(Table *t, const char *line)
{
    const char *const second = strchr(line, '\t');

    if (line[0] == '#')
        return;
    if (t->n_columns == 0) {
        memcpy(t->heading, line, strlen(line) + 1);
        split_heading(t);
        return;
    }
    t->n_lines++;
    t->last_time_ps = second == NULL ? 0 : strtod(second, NULL);
}

/* A table that is not there has no lines. */
static AmphiStatus read_table(const char *path, Table *t, AmphiError *err)
{
    FILE *const in = fopen(path, "r");
    char        line[LINE];

    *t = (Table){ .n_columns = 0 };
    if (in == NULL && errno == ENOENT)
        return AMPHI_OK;
    if (in == NULL)
        return amphi_fail(err, AMPHI_BAD_FILE, "%.400s: %s", path, strerror(errno));
    while (fgets(line, sizeof line, in) != NULL)
        read_line(t, line);
    const bool is_bad = ferror(in) != 0;
    fclose(in);
    return is_bad ? amphi_fail(err, AMPHI_BAD_FILE, "%.400s: it cannot be read", path) : AMPHI_OK;
}

static bool has_column(const Table *t, const char *name)
{
    for (int k = 0; k < t->n_columns; k++)
        if (strcmp(t->column[k], name) == 0)
            return true;
    return false;
}

/* ---- what all scripts have ---- */

/* gnuplot's own colours for people who do not see all of them: Okabe & Ito. */
static const char common[] =
    "set datafile separator tab\n"
    "set datafile missing 'nan'\n"
    "set encoding utf8\n"
    "set border 3 lc rgb '#404040'\n"
    "set tics nomirror out scale 0.6\n"
    "set grid y lc rgb '#e4e4e4' lt 1\n"
    "set linetype 1 lc rgb '#0072b2'\n"
    "set linetype 2 lc rgb '#d55e00'\n"
    "set linetype 3 lc rgb '#009e73'\n"
    "set linetype 4 lc rgb '#cc79a7'\n"
    "set linetype 5 lc rgb '#e69f00'\n"
    "set linetype 6 lc rgb '#56b4e9'\n"
    "set linetype 7 lc rgb '#000000'\n"
    "set linetype 8 lc rgb '#999933'\n"
    "set linetype cycle 8\n"
    "set key left top at screen 0.77, graph 1 Left reverse noenhanced samplen 1.5\n"
    "set lmargin at screen 0.15\n"
    "set rmargin at screen 0.74\n"
    "set format y '%.6g'\n";

static void begin_script(AmphiSink *s, const char *name, int height, int n_panels)
{
    amphi_sink_print(s, "# gnuplot -c %s.gp\n", name);
    amphi_sink_print(s,
                     "here = exists('ARG0') && strlen(ARG0) > %d ? ARG0[1:strlen(ARG0)-%d] : ''\n",
                     (int)strlen(name) + 3, (int)strlen(name) + 3);
    amphi_sink_print(s, "%s", common);
    amphi_sink_print(s,
                     "do for [kind in 'svg png'] {\n"
                     "if (kind eq 'svg') { set terminal svg size 900,%d font 'sans,13' "
                     "background '#ffffff' }\n"
                     "if (kind eq 'png') { set terminal pngcairo size 900,%d font 'sans,11' }\n"
                     "set output here.'%s.'.kind\n"
                     "set multiplot layout %d,1\n",
                     height, height, name, n_panels);
}

static AmphiStatus finish_script(AmphiSink *s, AmphiError *err)
{
    amphi_sink_print(s, "unset multiplot\nset output\n}\n");
    return amphi_sink_close(s, err);
}

static AmphiStatus draw(const char *folder, const char *name, AmphiError *err)
{
    char  program[] = "gnuplot", call[] = "-c", script[TOOL_PATH_SIZE], file[64];
    char *arguments[] = { program, call, script, NULL };
    int   code        = 0;

    snprintf(file, sizeof file, "%s.gp", name);
    AMPHI_TRY(tool_join(folder, file, script, err));
    AMPHI_TRY(tool_launch(arguments, "gnuplot-nox", &code, err));
    return code == 0 ? AMPHI_OK
                     : amphi_fail(err, AMPHI_BAD_FILE, "%.400s: gnuplot failed to draw it", script);
}

/* ---- energies ---- */

/* What energy.tsv has beside the terms of the potential energy. */
static bool is_term(const char *column)
{
    static const char *const others[] = { "step",     "time_ps",     "stage",    "potential",
                                          "kinetic_", "temperature", "pressure", "box_",
                                          "heat",     "work",        "conserved" };

    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strncmp(column, others[k], strlen(others[k])) == 0)
            return false;
    return true;
}

/* "plot" before the first curve, a comma before the others. */
static void begin_curve(AmphiSink *s, int *n_curves)
{
    amphi_sink_print(s, "%s", *n_curves == 0 ? "plot " : ", \\\n     ");
    (*n_curves)++;
}

static void add_curve(AmphiSink *s, int *n_curves, const char *column, const char *title)
{
    begin_curve(s, n_curves);
    amphi_sink_print(s,
                     "data every step using (x(0)):(column('%s')) with lines lw 1.5 "
                     "title '%s'",
                     column, title);
}

static void panel(AmphiSink *s, const char *label, bool is_last, const char *x_label)
{
    amphi_sink_print(s, "set ylabel \"%s\" offset -1,0\nset xlabel '%s'\n", label,
                     is_last ? x_label : "");
}

/* Each stage from its own first value: heat and work begin anew there. The jump of the line from one
 * to the next is left out. */
static void plot_conserved(AmphiSink *s)
{
    amphi_sink_print(s, "at = -1\n"
                        "from(e) = (at == column('stage') ? e - first : "
                        "(at = column('stage'), first = e, NaN))\n"
                        "set format y '%%.3g'\n"
                        "plot data every step using (x(0)):(from(column('conserved'))) "
                        "with lines lw 1.5 notitle\n"
                        "set format y '%%.6g'\n");
}

static AmphiStatus write_energies(const char *path, const Table *t, AmphiError *err)
{
    const bool        is_long = t->last_time_ps >= 2000;
    const char *const x_label = is_long ? "time (ns)" : "time (ps)";
    int               n       = 0;
    AmphiSink         s;

    amphi_sink_open(&s, path);
    begin_script(&s, "energies", 900, 3);
    amphi_sink_print(&s,
                     "data = here.'energy.tsv'\nset key autotitle columnhead\nstep = %" PRId64 "\n"
                     "x(n) = column('time_ps')%s\nset xrange [*:*] noextend\n",
                     t->n_lines / MOST_POINTS + 1, is_long ? "/1000" : "");
    panel(&s, "energy (kJ/mol)", false, x_label);
    for (int k = 0; k < t->n_columns; k++)
        if (is_term(t->column[k]))
            add_curve(&s, &n, t->column[k], t->column[k]);
    add_curve(&s, &n, "potential", "potential");
    amphi_sink_print(&s, "\n");
    panel(&s, "conserved energy, change\\nin its stage (kJ/mol)", false, x_label);
    plot_conserved(&s);
    panel(&s, "temperature (K)", true, x_label);
    n = 0;
    add_curve(&s, &n, "temperature_translation", "of translation");
    add_curve(&s, &n, "temperature_rotation", "of rotation");
    add_curve(&s, &n, "temperature", "of both");
    amphi_sink_print(&s, "\n");
    return finish_script(&s, err);
}

/* ---- profile ---- */

static const struct {
    const char *column, *error, *label;
} densities[] = {
    { "mass_g_cm3", "mass_error", "mass (g/cm^3)" },
    { "electrons_nm3", "electrons_error", "electrons (1/nm^3)" },
    { "number_nm3", "number_error", "beads (1/nm^3)" },
    { "charge_e_nm3", "charge_error", "charge (e/nm^3)" },
    { "dipole_e_nm2", "dipole_error", "dipole (e nm/nm^3)" },
};

enum { N_DENSITIES = (int)(sizeof densities / sizeof *densities), PANEL_HEIGHT = 260 };

static void plot_density(AmphiSink *s, int k, const char *axis)
{
    amphi_sink_print(s,
                     "plot data using (column('%s')):(column('%s')-column('%s')):"
                     "(column('%s')+column('%s')) with filledcurves fc rgb '#a6cfe8' "
                     "title 'standard error', \\\n"
                     "     data using (column('%s')):(column('%s')) with lines lt 1 lw 1.5 "
                     "title 'mean'\n",
                     axis, densities[k].column, densities[k].error, densities[k].column,
                     densities[k].error, axis, densities[k].column);
}

static AmphiStatus write_profile(const char *path, const Table *t, AmphiError *err)
{
    const char *const axis     = t->column[0];
    int               n_panels = 0, n_drawn = 0;
    char              x_label[64];
    AmphiSink         s;

    for (int k = 0; k < N_DENSITIES; k++)
        n_panels += has_column(t, densities[k].column);
    snprintf(x_label, sizeof x_label, "%c from the middle (nm)", axis[0]);
    amphi_sink_open(&s, path);
    begin_script(&s, "profile", 60 + PANEL_HEIGHT * n_panels, n_panels);
    amphi_sink_print(&s, "data = here.'profile.tsv'\nset key autotitle columnhead\n");
    for (int k = 0; k < N_DENSITIES; k++) {
        if (!has_column(t, densities[k].column))
            continue;
        n_drawn++;
        panel(&s, densities[k].label, n_drawn == n_panels, x_label);
        plot_density(&s, k, axis);
    }
    return finish_script(&s, err);
}

/* ---- a run ---- */

static AmphiStatus plot_table(const char *folder, const char *table, const char *name,
                              AmphiStatus (*write)(const char *, const Table *, AmphiError *),
                              AmphiError *err)
{
    char  path[TOOL_PATH_SIZE], script[64];
    Table t;

    AMPHI_TRY(tool_join(folder, table, path, err));
    AMPHI_TRY(read_table(path, &t, err));
    if (t.n_lines < 2)
        return AMPHI_OK;
    snprintf(script, sizeof script, "%s.gp", name);
    AMPHI_TRY(tool_join(folder, script, path, err));
    AMPHI_TRY(write(path, &t, err));
    return draw(folder, name, err);
}

AmphiStatus tool_plot_run(const char *folder, AmphiError *err)
{
    AMPHI_TRY(plot_table(folder, "energy.tsv", "energies", write_energies, err));
    return plot_table(folder, "profile.tsv", "profile", write_profile, err);
}
