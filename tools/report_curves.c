/* Figures of profiles, order parameters, mean-square displacement, radial distribution and waves.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/leaflets.h"
#include "../engine/observe.h"
#include "gnuplot.h"
#include "report_parts.h"

enum { CURVE_HEIGHT = 260, MOST_TAILS = 12 };

/* ---- profiles ---- */

static const struct {
    const char *column, *error, *name, *title, *label;
    bool        is_odd; /* its sign is another one on the other side */
} densities[] = {
    { "mass_g_cm3", "mass_error", "mass", "Mass", "mass (g/cm\xC2\xB3)", false },
    { "electrons_nm3", "electrons_error", "electrons", "Electrons", "electrons (1/nm\xC2\xB3)",
      false },
    { "number_nm3", "number_error", "number", "Beads", "beads (1/nm\xC2\xB3)", false },
    { "charge_e_nm3", "charge_error", "charge", "Charge", "charge (e/nm\xC2\xB3)", false },
    { "dipole_e_nm2", "dipole_error", "dipole", "Dipole moment along the axis",
      "dipole (e/nm\xC2\xB2)", true },
};

enum { N_DENSITIES = (int)(sizeof densities / sizeof *densities) };

/* Asymmetry of a profile: rms of (left - right) in units of its standard error; NaN: not known. */
static double difference(const ReportTable *t, int k)
{
    const char *const axis = t->head[0];
    const double      sign = densities[k].is_odd ? -1 : 1;
    double            sum  = 0;
    int               n    = 0;

    for (int32_t a = 0, b = t->n_rows - 1; a < b; a++, b--) {
        const double low  = report_number(t, a, densities[k].column);
        const double high = report_number(t, b, densities[k].column);
        const double error =
            hypot(report_number(t, a, densities[k].error), report_number(t, b, densities[k].error));
        const double z = report_number(t, a, axis) + report_number(t, b, axis);

        if (!(fabs(z) < 1e-6) || !(error > 0) || !isfinite(low + high))
            continue;
        sum += (low - sign * high) * (low - sign * high) / (error * error);
        n++;
    }
    return n > 0 ? sqrt(sum / n) : (double)NAN;
}

/* As many of this type in one leaflet as in the other? */
static bool is_balanced(const AmphiLeaflets *l, int32_t type)
{
    int32_t sum = 0;

    for (int32_t k = 0; k < l->n_lipids; k++)
        sum += l->system->molecule[l->lipid[k]].type == type ? l->side[k] : 0;
    return sum == 0;
}

/* Do both leaflets of the start have the same lipids? Only then should the sides be alike. */
static bool has_like_leaflets(const Report *r)
{
    const AmphiSystem *const s = r->job != NULL ? &r->job->system : NULL;
    AmphiFrame               start;
    AmphiLeaflets            l;
    bool                     all = true;

    if (s == NULL || !amphi_leaflets_init(&l, s, r->arena) || l.n_lipids == 0)
        return false;
    start = (AmphiFrame){ .box_nm      = { s->box_nm[0], s->box_nm[1], s->box_nm[2] },
                          .position_nm = s->position_nm };
    amphi_leaflets_find(&l, &start);
    for (int32_t t = 0; t < s->n_molecule_types; t++)
        all = all && is_balanced(&l, t);
    return all;
}

static void draw_density(Report *r, const ReportTable *t, int k, bool is_even)
{
    const char *const axis  = t->head[0];
    const double      apart = difference(t, k);
    char              name[64], caption[400], number[TOOL_NUMBER_SIZE];
    ReportScript      script;
    AmphiSink *const  s = &script.sink;

    snprintf(name, sizeof name, "profile-%s", densities[k].name);
    if (!report_begin_script(r, &script, name, REPORT_HALF, CURVE_HEIGHT, 1, 1))
        return;
    amphi_sink_print(
        s,
        "data = here.'../profile.tsv'\nset key autotitle columnhead\n"
        "set key above left horizontal Left reverse samplen 2\n"
        "set xlabel '%c from the middle (nm)' offset 0,0.5\nset ylabel '%s' offset 0.5,0\n"
        "set xrange [*:*] noextend\n",
        axis[0], densities[k].label);
    amphi_sink_print(
        s,
        "plot data using (column('%s')):(column('%s')-column('%s')):"
        "(column('%s')+column('%s')) with filledcurves fc rgb '#bfe0f2' notitle, \\\n"
        "     data using (column('%s')):(column('%s')) with lines lt 1 lw 1.8 title "
        "'mean', \\\n"
        "     data using (-column('%s')):(%s1*column('%s')) with lines lt 2 lw 1.2 dt 2 title "
        "'mirrored'\n",
        axis, densities[k].column, densities[k].error, densities[k].column, densities[k].error,
        axis, densities[k].column, axis, densities[k].is_odd ? "-" : "", densities[k].column);
    snprintf(caption, sizeof caption, "%s: mean with its standard error, and the same mirrored.",
             densities[k].title);
    if (isfinite(apart))
        snprintf(caption + strlen(caption), sizeof caption - strlen(caption),
                 " The two sides differ by %s standard errors (root mean square%s).",
                 tool_number(apart, 2, number), is_even ? "; 1 is expected" : "");
    if (strcmp(densities[k].name, "mass") == 0)
        snprintf(caption + strlen(caption), sizeof caption - strlen(caption),
                 " Masses are those of the model's beads, not of the atoms they stand for.");
    report_end_script(r, &script, caption);
}

void report_draw_profiles(Report *r, const ReportTable *t)
{
    const bool is_even = has_like_leaflets(r);

    tool_page_pair_begin(&r->page);
    for (int k = 0; k < N_DENSITIES; k++)
        if (report_has(t, densities[k].column) && report_has(t, densities[k].error))
            draw_density(r, t, k, is_even);
    tool_page_pair_end(&r->page);
}

/* The next output of this kind that has a label, from `from` on, and its table; -1: none. */
static int32_t find_labelled(const Report *r, const char *kind, int32_t from, ReportTable *t,
                             AmphiObserverNames *names)
{
    for (int32_t k = from; r->job != NULL && k < r->job->n_observers; k++) {
        const AmphiObserverPlan *const plan = &r->job->observer[k];

        if (plan->label == NULL || strcmp(plan->kind, kind) != 0)
            continue;
        *names = amphi_observer_names(amphi_observer_kind(kind), plan);
        if (report_find(r, names->file, t))
            return k;
    }
    return -1;
}

/* The next profile of a group along an axis that has this density. */
static int32_t find_group(const Report *r, int k, int axis, int32_t from, ReportTable *t,
                          AmphiObserverNames *names)
{
    int32_t o = from - 1;

    while ((o = find_labelled(r, "profile", o + 1, t, names)) >= 0)
        if (r->job->observer[o].axis == axis && report_has(t, densities[k].column))
            return o;
    return -1;
}

static bool has_groups_of(const Report *r, int k, int axis)
{
    AmphiObserverNames names;
    ReportTable        t;

    return find_group(r, k, axis, 0, &t, &names) >= 0;
}

/* Those along one axis. along: "-x" where there are others, too, else "". */
static void draw_groups_of(Report *r, int k, int axis, const char *along)
{
    char               name[64], caption[200];
    ReportScript       script;
    AmphiSink *const   s = &script.sink;
    AmphiObserverNames names;
    ReportTable        t;
    int                n = 0;

    snprintf(name, sizeof name, "profile-groups-%s%s", densities[k].name, along);
    if (!report_begin_script(r, &script, name, REPORT_HALF, CURVE_HEIGHT, 1, 1))
        return;
    amphi_sink_print(s,
                     "set key above left horizontal Left reverse samplen 2 maxcols 3\n"
                     "set xlabel '%c from the middle (nm)' offset 0,0.5\nset ylabel '%s' offset "
                     "0.5,0\nset xrange [*:*] noextend\n",
                     "xyz"[axis], densities[k].label);
    for (int32_t o = -1; (o = find_group(r, k, axis, o + 1, &t, &names)) >= 0;) {
        tool_gnuplot_curve(s, &n);
        amphi_sink_print(s, "here.'../%s' using 1:(column('%s')) with lines lt %d lw 1.8 title ",
                         names.file, densities[k].column, (n - 1) % 8 + 1);
        tool_gnuplot_text(s, r->job->observer[o].label);
    }
    amphi_sink_print(s, "\n");
    snprintf(caption, sizeof caption, "%s of groups: means. Numbers: profile-GROUP.tsv.",
             densities[k].title);
    report_end_script(r, &script, caption);
}

bool report_has_groups(const Report *r)
{
    AmphiObserverNames names;
    ReportTable        t;

    return find_labelled(r, "profile", 0, &t, &names) >= 0;
}

void report_draw_groups(Report *r)
{
    static const char *const along[3] = { "-x", "-y", "-z" };

    tool_page_pair_begin(&r->page);
    for (int k = 0; k < N_DENSITIES; k++) {
        int n_axes = 0;

        for (int axis = 0; axis < 3; axis++)
            n_axes += has_groups_of(r, k, axis);
        for (int axis = 0; axis < 3; axis++)
            if (has_groups_of(r, k, axis))
                draw_groups_of(r, k, axis, n_axes == 1 ? "" : along[axis]);
    }
    tool_page_pair_end(&r->page);
}

/* ---- order ---- */

/* Rows of one tail of one molecule follow each other; the last row is the mean of all. */
static bool is_new_tail(const ReportTable *t, int32_t row)
{
    return row == 0 ||
           strcmp(report_cell(t, row, "molecule"), report_cell(t, row - 1, "molecule")) != 0 ||
           strcmp(report_cell(t, row, "tail"), report_cell(t, row - 1, "tail")) != 0;
}

static bool is_bond(const ReportTable *t, int32_t row)
{
    return strcmp(report_cell(t, row, "bond"), "all") != 0;
}

/* One block of numbers a tail, counted along it. The most bonds of a tail. */
static int write_tails(AmphiSink *s, const ReportTable *t)
{
    int n_tails = 0, n_bonds = 0, most = 0;

    amphi_sink_print(s, "$order << END\n");
    for (int32_t row = 0; row < t->n_rows; row++) {
        const double error = report_number(t, row, "error");

        if (!is_bond(t, row))
            continue;
        if (is_new_tail(t, row)) {
            amphi_sink_print(s, "%s", n_tails > 0 ? "\n\n" : "");
            n_tails++;
            n_bonds = 0;
        }
        n_bonds++;
        most = n_bonds > most ? n_bonds : most;
        amphi_sink_print(s, "%d\t%.9g\t%.9g\n", n_bonds, report_number(t, row, "order"),
                         isfinite(error) ? error : 0);
    }
    amphi_sink_print(s, "END\n");
    return most;
}

void report_draw_order(Report *r, const ReportTable *t)
{
    ReportScript     script;
    AmphiSink *const s = &script.sink;
    int              n = 0, tail = 0;

    if (!report_has(t, "molecule") || !report_has(t, "tail") || !report_has(t, "bond") ||
        !report_begin_script(r, &script, "order", REPORT_HALF, CURVE_HEIGHT, 1, 1))
        return;
    const int most = write_tails(s, t);

    amphi_sink_print(s,
                     "set key above left horizontal Left reverse samplen 2 maxcols 3\n"
                     "set xlabel 'bond, from the head' offset 0,0.5\n"
                     "set ylabel 'order parameter P\xE2\x82\x82'\nset xtics 1\n"
                     "set xrange [0.5:%g]\n",
                     most + 0.5);
    for (int32_t row = 0; row < t->n_rows && tail < MOST_TAILS; row++) {
        if (!is_bond(t, row) || !is_new_tail(t, row))
            continue;
        tool_gnuplot_curve(s, &n);
        amphi_sink_print(
            s, "$order index %d using 1:2:3 with yerrorlines lt %d lw 1.5 pt 7 ps 0.5 title ", tail,
            tail % 8 + 1);
        tail++;
        tool_gnuplot_text(s, report_cell(t, row, "molecule"));
        amphi_sink_print(s, ".' '.");
        tool_gnuplot_text(s, report_cell(t, row, "tail"));
    }
    amphi_sink_print(s, "\n");
    report_end_script(
        r, &script,
        "Order of the bonds along the tails, from the head to the end, with standard errors.");
}

/* ---- diffusion, radial distribution ---- */

void report_draw_diffusion(Report *r, const ReportTable *t)
{
    ReportScript     script;
    AmphiSink *const s = &script.sink;

    if (!report_has(t, "lag_ps") || t->n_rows < 2 ||
        !report_begin_script(r, &script, "diffusion", REPORT_HALF, CURVE_HEIGHT, 1, 1))
        return;
    amphi_sink_print(
        s, "data = here.'../diffusion.tsv'\nset key autotitle columnhead\nset key off\n"
           "set xlabel 'lag (ps)' offset 0,0.5\nset ylabel 'displacement\xC2\xB2 (nm\xC2\xB2)' "
           "offset 0.5,0\n"
           "set xrange [0:*] noextend\nset yrange [0:*]\n"
           "plot data using (column('lag_ps')):(column('msd_nm2')-column('error')):"
           "(column('msd_nm2')+column('error')) with filledcurves fc rgb '#bfe0f2', \\\n"
           "     data using (column('lag_ps')):(column('msd_nm2')) with lines lt 1 lw 1.8\n");
    report_end_script(
        r, &script,
        "Mean-square displacement against lag, with standard errors where there are enough "
        "windows.");
}

static void draw_rdf(Report *r, const ReportTable *t, const char *file, const char *name,
                     const char *caption)
{
    ReportScript     script;
    AmphiSink *const s = &script.sink;

    if (t->n_columns < 2 || t->n_rows < 2 ||
        !report_begin_script(r, &script, name, REPORT_HALF, CURVE_HEIGHT, 1, 1))
        return;
    amphi_sink_print(
        s,
        "data = here.'../%s'\nset key off\nset xlabel 'distance (nm)' offset 0,0.5\nset "
        "ylabel 'g(r)'\n"
        "set xrange [0:*] noextend\nset yrange [0:*]\n"
        "set arrow from graph 0, first 1 to graph 1, first 1 nohead lc rgb '#8a94a0' dt 3\n"
        "plot data every ::1 using 1:2 with lines lt 1 lw 1.8\n",
        file);
    report_end_script(r, &script, caption);
}

void report_draw_rdfs(Report *r)
{
    AmphiObserverNames names;
    ReportTable        t;
    char               caption[300];

    if (report_find(r, "rdf.tsv", &t))
        draw_rdf(r, &t, "rdf.tsv", "rdf", "Radial distribution function.");
    for (int32_t o = -1; (o = find_labelled(r, "rdf", o + 1, &t, &names)) >= 0;) {
        const char *const beads = report_comment(&t, "beads");

        snprintf(caption, sizeof caption, "Radial distribution function %s: %.100s.",
                 r->job->observer[o].label, beads != NULL ? beads : "");
        draw_rdf(r, &t, names.file, names.key, caption);
    }
}

void report_draw_undulations(Report *r, const ReportTable *t)
{
    static const char key[] = "bending modulus, of waves longer than 6.28 nm";
    const char *const note  = report_comment(t, key);
    const double      kappa = note != NULL ? report_mean_in(note, NULL).mean : (double)NAN;
    ReportScript      script;
    AmphiSink *const  s = &script.sink;
    char              caption[400], noted[REPORT_NOTED];
    const char *const modulus = report_noted(t, key, noted);

    if (!report_has(t, "undulation_nm4") || t->n_rows < 2 ||
        !report_begin_script(r, &script, "undulations", REPORT_HALF, CURVE_HEIGHT, 1, 1))
        return;
    amphi_sink_print(s, "data = here.'../undulations.tsv'\nset key above left horizontal Left "
                        "reverse samplen 2 autotitle columnhead\n"
                        "set logscale xy\nset format y '10^{%%T}'\n"
                        "set xlabel 'q (1/nm)' offset 0,0.5\nset ylabel 'A <|h|^2> (nm^4)'\n"
                        "plot data using (column('q_1_nm')):(column('undulation_nm4')) with points "
                        "lt 1 pt 7 ps 0.4 title 'undulation', \\\n"
                        "     data using (column('q_1_nm')):(column('thickness_nm4')) with points "
                        "lt 2 pt 6 ps 0.4 title 'thickness'");
    if (kappa > 0)
        amphi_sink_print(s,
                         ", \\\n     1/(%.9g*x**4) with lines lt 3 lw 1.2 title "
                         "'1/({/Symbol k} q^4)'",
                         kappa);
    amphi_sink_print(s, "\n");
    snprintf(caption, sizeof caption,
             "Waves of the membrane: of the mean of both leaflets, and of "
             "half their distance. Bending modulus, of waves longer than 6.28 nm: %s.",
             modulus != NULL ? modulus : "the box has none");
    report_end_script(r, &script, caption);
}
