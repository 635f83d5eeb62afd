/* Gnuplot scripts of a run: which columns are plotted in which panel, with which units. */
#include "plots.h"

#include <inttypes.h>

#include "command.h"
#include "gnuplot.h"

enum { MOST_POINTS = 4000 };

static ToolPicture picture_of(const char *name, int height, int n_panels)
{
    return (ToolPicture){ name, "svg png", .width = 900, .height = height, n_panels, 1 };
}

/* The key at the right of the panels, one below the other. */
static void begin_script(AmphiSink *s, const ToolPicture *picture)
{
    tool_gnuplot_begin(s, picture);
    amphi_sink_print(s, "set key left top at screen 0.77, graph 1 Left reverse noenhanced samplen "
                        "1.5\n"
                        "set lmargin at screen 0.15\nset rmargin at screen 0.74\n"
                        "set format y '%%.6g'\n");
}

/* ---- energies ---- */

static void add_curve(AmphiSink *s, int *n_curves, const char *column, const char *title)
{
    tool_gnuplot_curve(s, n_curves);
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

/* Relative to the first value of each stage, as heat and work are zero at its beginning; without a
 * line from one stage to the next. The line of zero is drawn because gnuplot fails at a panel
 * without points, which it is as long as every stage has one value. */
static void plot_conserved(AmphiSink *s)
{
    amphi_sink_print(s, "at = -1\n"
                        "from(e) = (at == column('stage') ? e - first : "
                        "(at = column('stage'), first = e, NaN))\n"
                        "set format y '%%.3g'\n"
                        "plot data every step using (x(0)):(0) with lines lc rgb '#e4e4e4' "
                        "notitle, \\\n"
                        "     data every step using (x(0)):(from(column('conserved'))) "
                        "with lines lt 1 lw 1.5 notitle\n"
                        "set format y '%%.6g'\n");
}

static AmphiStatus write_energies(const char *path, const ToolTable *t, AmphiError *err)
{
    const bool        is_long = t->last_time_ps >= 2000;
    const char *const x_label = is_long ? "time (ns)" : "time (ps)";
    const ToolPicture picture = picture_of("energies", 900, 3);
    int               n       = 0;
    AmphiSink         s;

    amphi_sink_open(&s, path);
    begin_script(&s, &picture);
    amphi_sink_print(&s,
                     "data = here.'energy.tsv'\nset key autotitle columnhead\nstep = %" PRId64 "\n"
                     "x(n) = column('time_ps')%s\nset xrange [*:*] noextend\n",
                     t->n_lines / MOST_POINTS + 1, is_long ? "/1000" : "");
    panel(&s, "energy (kJ/mol)", false, x_label);
    for (int k = 0; k < t->n_columns; k++)
        if (tool_table_is_term(t->column[k]))
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
    return tool_gnuplot_end(&picture, &s, err);
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

static AmphiStatus write_profile(const char *path, const ToolTable *t, AmphiError *err)
{
    const char *const axis     = t->column[0];
    int               n_panels = 0, n_drawn = 0;
    char              x_label[64];
    AmphiSink         s;

    for (int k = 0; k < N_DENSITIES; k++)
        n_panels += tool_table_has(t, densities[k].column);
    snprintf(x_label, sizeof x_label, "%c from the middle (nm)", axis[0]);
    amphi_sink_open(&s, path);

    const ToolPicture picture = picture_of("profile", 60 + PANEL_HEIGHT * n_panels, n_panels);
    begin_script(&s, &picture);
    amphi_sink_print(&s, "data = here.'profile.tsv'\nset key autotitle columnhead\n");
    for (int k = 0; k < N_DENSITIES; k++) {
        if (!tool_table_has(t, densities[k].column))
            continue;
        n_drawn++;
        panel(&s, densities[k].label, n_drawn == n_panels, x_label);
        plot_density(&s, k, axis);
    }
    return tool_gnuplot_end(&picture, &s, err);
}

/* ---- a run ---- */

static AmphiStatus plot_table(const char *folder, const char *table, const char *name,
                              AmphiStatus (*write)(const char *, const ToolTable *, AmphiError *),
                              AmphiError *err)
{
    char      path[AMPHI_PATH_SIZE], script[64];
    ToolTable t;

    AMPHI_TRY(tool_join(folder, table, path, err));
    AMPHI_TRY(tool_table_look(path, &t, err));
    if (t.n_lines < 2)
        return AMPHI_OK;
    snprintf(script, sizeof script, "%s.gp", name);
    AMPHI_TRY(tool_join(folder, script, path, err));
    AMPHI_TRY(write(path, &t, err));
    return tool_gnuplot_draw(folder, name, err);
}

AmphiStatus tool_plot_run(const char *folder, AmphiError *err)
{
    AMPHI_TRY(plot_table(folder, "energy.tsv", "energies", write_energies, err));
    return plot_table(folder, "profile.tsv", "profile", write_profile, err);
}
