/* Reads energy.tsv in one pass, with block sums, so that its length does not matter. */
#include "report_stages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

enum { LINE = 8192 };

/* ---- reading ---- */

static void read_heading(ReportStages *s, char *line)
{
    char *rest = line;

    for (char *word = strtok_r(rest, "\t\n", &rest); word != NULL && s->n_columns < REPORT_VALUES;
         word       = strtok_r(NULL, "\t\n", &rest)) {
        s->column[s->n_columns] = amphi_arena_text(s->arena, word);
        s->n_columns += s->column[s->n_columns] != NULL;
    }
}

int32_t report_place(const ReportStages *s, const char *column)
{
    for (int32_t k = 0; k < s->n_columns; k++)
        if (strcmp(s->column[k], column) == 0)
            return k;
    return -1;
}

/* Of a whole line; false: it has another number of cells, or something that is no number. */
static bool read_values(const ReportStages *s, const char *line, double *value)
{
    const char *at = line;

    for (int32_t k = 0; k < s->n_columns; k++) {
        char *end = NULL;

        value[k] = strtod(at, &end);
        if (end == at || *end != (k + 1 < s->n_columns ? '\t' : '\n'))
            return false;
        at = end + 1;
    }
    return true;
}

static ReportStage *begin_stage(ReportStages *s, const double *value, int32_t number)
{
    if (s->n == s->room) {
        s->room += s->room + 16;
        s->stage = amphi_arena_grow(s->arena, s->stage, s->n, s->room, sizeof *s->stage);
    }
    if (s->stage == NULL)
        return NULL;

    ReportStage *const stage = &s->stage[s->n];

    *stage = (ReportStage){ .number = number, .first_ps = value[report_place(s, "time_ps")] };
    if (!amphi_blocks_init(&stage->blocks, 2 * s->n_columns, s->arena))
        return NULL;
    memcpy(stage->first, value, (size_t)s->n_columns * sizeof *value);
    memcpy(stage->least, value, (size_t)s->n_columns * sizeof *value);
    memcpy(stage->most, value, (size_t)s->n_columns * sizeof *value);
    s->n++;
    return stage;
}

static void add_point(ReportLine *l, double t, double e)
{
    const double n  = (double)++l->n;
    const double dt = t - l->mean_t, de = e - l->mean_e;

    l->mean_t += dt / n;
    l->mean_e += de / n;
    l->tt += dt * (t - l->mean_t);
    l->te += dt * (e - l->mean_e);
}

/* Less the first value: squares of the rest keep their digits. */
static void add_values(const ReportStages *s, ReportStage *stage, const double *value)
{
    const int32_t time = report_place(s, "time_ps"), energy = report_place(s, "conserved");

    for (int32_t k = 0; k < s->n_columns; k++) {
        const double x      = value[k] - stage->first[k];
        const double weight = isfinite(x) ? 1 : 0;

        amphi_blocks_add(&stage->blocks, 2 * k, weight > 0 ? x : 0, weight);
        amphi_blocks_add(&stage->blocks, 2 * k + 1, weight > 0 ? x * x : 0, weight);
        stage->least[k] = fmin(stage->least[k], value[k]);
        stage->most[k]  = fmax(stage->most[k], value[k]);
    }
    amphi_blocks_next(&stage->blocks);
    stage->n_lines++;
    stage->last_ps = value[time];
    if (energy >= 0 && isfinite(value[energy]))
        add_point(&stage->line, value[time] - stage->first_ps,
                  value[energy] - stage->first[energy]);
}

static bool add_line(ReportStages *s, const char *line)
{
    const int32_t place = report_place(s, "stage");
    double        value[REPORT_VALUES];
    ReportStage  *stage = s->n > 0 ? &s->stage[s->n - 1] : NULL;

    if (!read_values(s, line, value))
        return true;

    const int32_t number = value[place] > 0 && value[place] < INT32_MAX ? (int32_t)value[place] : 0;

    if (stage == NULL || number != stage->number)
        stage = begin_stage(s, value, number);
    if (stage == NULL)
        return false;
    add_values(s, stage, value);
    s->n_lines++;
    return true;
}

void report_stages(const char *dir, AmphiArena *arena, ReportStages *s)
{
    char        path[AMPHI_PATH_SIZE], line[LINE];
    AmphiError  err = { .status = AMPHI_OK };
    FILE *const in = tool_join(dir, "energy.tsv", path, &err) == AMPHI_OK ? fopen(path, "r") : NULL;
    bool        is_ok = true;

    *s = (ReportStages){ .arena = arena };
    while (in != NULL && is_ok && fgets(line, sizeof line, in) != NULL) {
        if (line[0] == '#')
            continue;
        if (s->n_columns > 0) {
            is_ok = add_line(s, line);
            continue;
        }
        read_heading(s, line);
        is_ok = report_place(s, "stage") >= 0 && report_place(s, "time_ps") >= 0;
    }
    if (in != NULL)
        fclose(in);
}

/* ---- telling ---- */

ReportMean report_mean(const ReportStages *s, int32_t stage, const char *column)
{
    const int32_t k = report_place(s, column);

    if (k < 0 || stage < 0 || stage >= s->n)
        return (ReportMean){ (double)NAN, (double)NAN, (double)NAN };

    const AmphiBlocks *const b = &s->stage[stage].blocks;
    const AmphiBlockEstimate e = amphi_blocks_estimate(b, 2 * k, 2 * k + 1);

    return (ReportMean){ s->stage[stage].first[k] + amphi_blocks_mean(b, 2 * k), e.error,
                         e.independent };
}

/* Expansion about the normal distribution: good to 0.3 % from 4 degrees of freedom on. */
double report_student(double freedom)
{
    const double z = 1.959964, z2 = z * z, n = freedom;

    return z * (1 + (z2 + 1) / (4 * n) + ((5 * z2 + 16) * z2 + 3) / (96 * n * n) +
                (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * n * n * n));
}

/* k T times the degrees of freedom is twice the kinetic energy. */
ReportDrift report_drift(const ReportStages *s, int32_t stage)
{
    const double  ps_in_ns = 1e3;
    const int32_t time = report_place(s, "time_ps"), energy = report_place(s, "conserved");
    const double  unit = 2 * report_mean(s, stage, "kinetic_half").mean / ps_in_ns;
    ReportDrift   d    = { (double)NAN, (double)NAN, (double)NAN,
                           (double)NAN, (double)NAN, (double)NAN,
                           (double)NAN, (double)NAN, 0 };

    if (stage < 0 || stage >= s->n || energy < 0)
        return d;

    const ReportStage *const now = &s->stage[stage];
    const ReportLine *const  l   = &now->line;

    d.n = l->n;
    if (l->n < 3 || !(l->tt > 0))
        return d;
    d.slope_kJ_mol_ps = l->te / l->tt;
    d.slope_error = amphi_blocks_slope_error(&now->blocks, 2 * time, 2 * energy, d.slope_kJ_mol_ps);
    d.at_ps       = now->first_ps + l->mean_t;
    d.energy_kJ_mol   = now->first[energy] + l->mean_e;
    d.spread_ps       = sqrt(l->tt / (double)l->n);
    d.student         = report_student(fmax((double)now->blocks.count->n_full - 2, 1));
    d.drift_kT_ns_dof = unit > 0 ? d.slope_kJ_mol_ps / unit : (double)NAN;
    d.drift_error     = unit > 0 ? d.slope_error / unit : (double)NAN;
    return d;
}
