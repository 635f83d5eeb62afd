/* Sections with results: energies, temperatures, box and membrane, profiles, means. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/units.h"
#include "gnuplot.h"
#include "report_parts.h"
#include "run_means.h"
#include "tables.h"

enum { TEXT = 512 };

/* A table that this run writes. */
bool report_find(const Report *r, const char *name, ReportTable *t)
{
    return tool_is_written(r->job, name) && report_table(r->dir, name, r->arena, t);
}

/* ---- energies ---- */

/* Nothing where there is no error to count from. */
static const char *independent(double n, char text[TOOL_NUMBER_SIZE])
{
    return isfinite(n) ? tool_number_short(n < 10 ? n : floor(n), n < 10 ? 2 : 12, text) : "";
}

static void tell_terms(Report *r)
{
    static const char *const head[] = { "term", "mean (kJ/mol)", "independent samples" };
    const int32_t            last   = report_last(r);
    char                     caption[TEXT], name[128], mean[TOOL_NUMBER_SIZE], n[TOOL_NUMBER_SIZE];

    snprintf(caption, sizeof caption,
             "Means over stage %s, of the whole system; standard errors from blocks.",
             report_stage_name(r, last, name));
    tool_page_table_begin(&r->page, caption, "lrr", head);
    for (int32_t k = 0; k < r->stages.n_columns; k++) {
        const char *const column = r->stages.column[k];
        const ReportMean  m      = report_mean(&r->stages, last, column);

        if (!tool_table_is_term(column) && strcmp(column, "potential") != 0 &&
            strcmp(column, "kinetic_half") != 0)
            continue;
        tool_page_row(&r->page, (const char *const[]){ strcmp(column, "kinetic_half") == 0
                                                           ? "kinetic"
                                                           : tool_term_words(column),
                                                       tool_number_pm(m.mean, m.error, 6, mean),
                                                       independent(m.independent, n) });
    }
    tool_page_table_end(&r->page);
}

void report_energies(Report *r)
{
    tool_page_section(&r->page, "Energy");
    for (int32_t k = 0; k < r->log.n_minimised; k++)
        tool_page_remark(&r->page, "Minimised %s.", r->log.minimised[k]);
    if (r->stages.n == 0) {
        tool_page_remark(&r->page,
                         "No energies were written: there is no <energies> in <output>, or "
                         "nothing has moved yet.");
        return;
    }
    report_draw_conserved(r);
    report_draw_terms(r);
    tell_terms(r);
}

/* ---- stages ---- */

static const char *ensemble_of(const Report *r, int32_t k)
{
    static const char *const names[] = {
        [AMPHI_MINIMISE] = "minimise", [AMPHI_NVE] = "NVE", [AMPHI_NVT] = "NVT", [AMPHI_NPT] = "NPT"
    };
    const AmphiStage *const s = report_stage_of(r, k);

    return s != NULL ? names[s->ensemble] : "";
}

static const char *mean_text(const Report *r, int32_t stage, const char *column,
                             char text[TOOL_NUMBER_SIZE])
{
    const ReportMean m = report_mean(&r->stages, stage, column);

    return tool_number_pm(m.mean, m.error, 4, text);
}

/* "303.0 ± 0.5\ntarget 303" */
static const char *with_target(const char *text, double target, char both[TEXT])
{
    char number[TOOL_NUMBER_SIZE];

    snprintf(both, TEXT, isfinite(target) ? "%s\n(%s)" : "%s", text,
             tool_number_short(target, 5, number));
    return both;
}

/* Where the next stage begins; of the last one its last line. */
static double end_of_stage(const ReportStages *s, int32_t k)
{
    return k + 1 < s->n ? s->stage[k + 1].first_ps : s->stage[k].last_ps;
}

static void tell_stage(Report *r, int32_t k)
{
    const AmphiStage *const s     = report_stage_of(r, k);
    const ReportDrift       d     = report_drift(&r->stages, k);
    const bool              warm  = s != NULL && s->thermostat.type != AMPHI_NO_THERMOSTAT;
    const bool              turns = report_mean(&r->stages, k, "temperature_rotation").mean > 0;
    char                    name[128], kind[TEXT], number[TOOL_NUMBER_SIZE], time[TEXT], step[TEXT];
    char both[TOOL_NUMBER_SIZE], translation[TOOL_NUMBER_SIZE], rotation[TOOL_NUMBER_SIZE];
    char pressure[TOOL_NUMBER_SIZE], drift[TOOL_NUMBER_SIZE], t_cell[TEXT], p_cell[TEXT];

    report_stage_name(r, k, name);
    snprintf(kind, sizeof kind, "%s\n%s", name, ensemble_of(r, k));
    snprintf(time, sizeof time, "%s", tool_number_short(end_of_stage(&r->stages, k), 7, number));
    snprintf(step, sizeof step, "%s",
             s != NULL ? tool_number_short(1000 * s->dt_ps, 3, number) : "");
    tool_page_row(
        &r->page,
        (const char *const[]){
            kind, time, step,
            with_target(mean_text(r, k, "temperature", both),
                        warm ? s->thermostat.temperature_K : (double)NAN, t_cell),
            mean_text(r, k, "temperature_translation", translation),
            turns ? mean_text(r, k, "temperature_rotation", rotation) : "",
            with_target(mean_text(r, k, "pressure", pressure), report_pressure_held(s), p_cell),
            tool_number_pm(d.drift_kT_ns_dof, d.drift_error, 2, drift) });
}

void report_states(Report *r)
{
    static const char *const head[] = { "stage",   "until (ps)",       "step (fs)",
                                        "T (K)",   "translation (K)",  "rotation (K)",
                                        "P (bar)", "drift (kT/ns/dof)" };

    if (r->stages.n == 0)
        return;
    tool_page_section(&r->page, "Temperature, pressure, shape");
    report_draw_temperature(r);
    tool_page_table_begin(&r->page,
                          "Means by stage with standard errors from blocks; what a thermostat or a "
                          "barostat aims at in parentheses. A dash: too short.",
                          "lrrrrrrr", head);
    for (int32_t k = 0; k < r->stages.n; k++)
        tell_stage(r, k);
    tool_page_table_end(&r->page);
    report_draw_states(r);
}

/* ---- profiles ---- */

void report_profiles(Report *r)
{
    ReportTable t;
    const bool  has_all = report_find(r, "profile.tsv", &t);

    if (!has_all && !report_has_groups(r))
        return;
    tool_page_section(&r->page, "Profiles");
    if (has_all)
        report_draw_profiles(r, &t);
    if (has_all && report_comment(&t, "frames") != NULL)
        tool_page_remark(
            &r->page, "Over %s frames, from the middle of what is centred. Numbers: profile.tsv.",
            report_comment(&t, "frames"));
    report_draw_groups(r);
}

/* ---- results ---- */

/* What others found for one quantity, a line each. */
static void published(const Report *r, size_t member, const char *unit, double per_unit,
                      char text[4 * TEXT])
{
    char number[TOOL_NUMBER_SIZE];

    text[0] = '\0';
    for (int32_t k = 0; r->job != NULL && k < r->job->n_literature; k++) {
        const AmphiLiterature *const l     = &r->job->literature[k];
        double                       value = 0;
        const size_t                 n     = strlen(text);

        memcpy(&value, (const char *)l + member, sizeof value);
        if (!(value > 0))
            continue;
        value /= per_unit;
        snprintf(text + n, 4 * TEXT - n, "%s%s %s", n > 0 ? "\n" : "",
                 tool_number_short(value, 4, number), unit);
        if (l->temperature_K > 0)
            snprintf(text + strlen(text), 4 * TEXT - strlen(text), " at %g K", l->temperature_K);
        snprintf(text + strlen(text), 4 * TEXT - strlen(text), ": %.300s",
                 l->source != NULL ? l->source : "");
    }
}

static void tell_result(Report *r, const char *quantity, const ReportMean *m, const char *unit,
                        const char *others)
{
    char value[TOOL_NUMBER_SIZE + 64], number[TOOL_NUMBER_SIZE], n[TOOL_NUMBER_SIZE];

    if (!isfinite(m->mean))
        return;
    snprintf(value, sizeof value, unit[0] == '\xC2' ? "(%s)%s" : "%s %s",
             tool_number_pm(m->mean, m->error, 4, number), unit);
    tool_page_row(&r->page,
                  (const char *const[]){ quantity, value, independent(m->independent, n), others });
}

/* In place of a member of AmphiLiterature: it has none for this. */
static const size_t NOBODY = SIZE_MAX;

static void tell_mean_of(Report *r, const char *output, const char *row, const char *quantity,
                         const char *unit, size_t member)
{
    ReportTable t;
    char        others[4 * TEXT], samples[64], means[64];

    snprintf(samples, sizeof samples, "%.50s.tsv", output);
    snprintf(means, sizeof means, "%.50s-mean.tsv", output);
    if (!tool_is_written(r->job, samples) || !report_table(r->dir, means, r->arena, &t))
        return;

    const int32_t    k = report_row(&t, row);
    const ReportMean m = { report_number(&t, k, "mean"), report_number(&t, k, "error"),
                           report_number(&t, k, "independent") };

    others[0] = '\0';
    if (member != NOBODY)
        published(r, member, unit, 1, others);
    tell_result(r, quantity, &m, unit, others);
}

static bool has_lipids(const AmphiSystem *s)
{
    for (int32_t m = 0; m < s->n_molecules; m++)
        if (strcmp(s->molecule_type[s->molecule[m].type].kind, "lipid") == 0)
            return true;
    return false;
}

static void tell_density(Report *r)
{
    ToolMeans means;
    char      others[4 * TEXT];
    double    g_cm3 = 1;

    if (r->job == NULL || has_lipids(&r->job->system))
        return;
    tool_means_read(r->dir, r->job, &means);
    amphi_units_factor("g/cm^3", AMPHI_DIM_DENSITY, &g_cm3);
    published(r, offsetof(AmphiLiterature, density_u_nm3), "g/cm\xC2\xB3", g_cm3, others);
    tell_result(r, "density of the box",
                &(ReportMean){ means.density_g_cm3.value, means.density_g_cm3.error, (double)NAN },
                "g/cm\xC2\xB3", others);
}

ReportMean report_mean_in(const char *text, const char **unit)
{
    static const char sign[] = " +- ";
    char             *end    = NULL;
    ReportMean        m      = { strtod(text, &end), (double)NAN, (double)NAN };

    if (strncmp(end, sign, sizeof sign - 1) == 0)
        m.error = strtod(end + sizeof sign - 1, &end);
    if (unit != NULL)
        *unit = *end == ' ' ? end + 1 : end;
    return m;
}

const char *report_noted(const ReportTable *t, const char *key, char text[REPORT_NOTED])
{
    char              number[TOOL_NUMBER_SIZE];
    const char *const note = report_comment(t, key);
    const char       *unit = "";

    if (note == NULL)
        return NULL;

    const ReportMean m = report_mean_in(note, &unit);
    snprintf(text, REPORT_NOTED, "%s\xC2\xA0%.40s", tool_number_pm(m.mean, m.error, 4, number),
             unit);
    return text;
}

/* What stands beside a D of lags at which nothing diffuses yet. */
static const char *not_diffusive(const ReportTable *t, char text[TEXT])
{
    const char *const note     = report_comment(t, "exponent");
    const double      exponent = note != NULL ? strtod(note, NULL) : 1;

    text[0] = '\0';
    if (fabs(exponent - 1) > 0.2)
        snprintf(text, TEXT, "no diffusion yet: msd as lag^%.2f", exponent);
    return text;
}

static void tell_diffusion(Report *r)
{
    ReportTable t;
    char        quantity[TEXT], remark[TEXT];

    if (!report_find(r, "diffusion.tsv", &t))
        return;

    const char *const text  = report_comment(&t, "D_1e-5_cm2_s");
    const char *const group = report_comment(&t, "group"), *const plane =
                                                               report_comment(&t, "plane");

    if (text == NULL)
        return;

    const ReportMean m = report_mean_in(text, NULL);
    snprintf(quantity, sizeof quantity, "diffusion of %.100s%s%.20s", group != NULL ? group : "all",
             plane != NULL ? ", " : "", plane != NULL ? plane : "");
    tell_result(r, quantity, &m,
                "\xC2\xB7"
                "10\xE2\x81\xBB\xE2\x81\xB5 cm\xC2\xB2/s",
                not_diffusive(&t, remark));
}

static void tell_order(Report *r, const ReportTable *t)
{
    static const char *const head[] = { "molecule", "tail", "bond", "order P\xE2\x82\x82" };
    char                     number[TOOL_NUMBER_SIZE];

    tool_page_table_begin(&r->page, "Order of the bonds of the tails, from the normal.", "lllr",
                          head);
    for (int32_t k = 0; k < t->n_rows; k++)
        tool_page_row(&r->page, (const char *const[]){
                                    report_cell(t, k, "molecule"), report_cell(t, k, "tail"),
                                    report_cell(t, k, "bond"),
                                    tool_number_pm(report_number(t, k, "order"),
                                                   report_number(t, k, "error"), 3, number) });
    tool_page_table_end(&r->page);
}

static void tell_values(Report *r)
{
    static const char *const head[] = { "quantity", "this run", "independent samples",
                                        "published" };
    ToolMeans                means  = { .leaflets_differ = false };

    if (r->job != NULL) /* or else the numbers of lipids are not known */
        tool_means_read(r->dir, r->job, &means);
    tool_page_table_begin(
        &r->page,
        "Means with standard errors from blocks. An error from fewer than some ten "
        "independent samples is itself uncertain, and rather too small.",
        "lrrl", head);
    tell_mean_of(r, "area", "area_per_lipid_nm2",
                 means.leaflets_differ ? "area per lipid of the larger leaflet" : "area per lipid",
                 "nm\xC2\xB2", offsetof(AmphiLiterature, area_nm2));
    tell_mean_of(r, "area", "volume_per_lipid_nm3", "volume per lipid", "nm\xC2\xB3",
                 offsetof(AmphiLiterature, volume_nm3));
    tell_mean_of(r, "area", "area_modulus_mN_m", "area compressibility modulus", "mN/m", NOBODY);
    tell_mean_of(r, "thickness", "thickness_nm", "thickness, head to head", "nm",
                 offsetof(AmphiLiterature, thickness_nm));
    tell_diffusion(r);
    tell_density(r);
    tool_page_table_end(&r->page);
}

void report_results(Report *r)
{
    ReportTable order, msd, waves;
    const bool  has_order = report_find(r, "order.tsv", &order);

    tool_page_section(&r->page, "Results");
    tell_values(r);
    tool_page_pair_begin(&r->page);
    if (has_order) {
        report_draw_order(r, &order);
        tell_order(r, &order);
    }
    if (report_find(r, "diffusion.tsv", &msd))
        report_draw_diffusion(r, &msd);
    report_draw_rdfs(r);
    if (report_find(r, "undulations.tsv", &waves))
        report_draw_undulations(r, &waves);
    tool_page_pair_end(&r->page);
}
