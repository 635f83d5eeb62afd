/* Lines about a run, for people and for programs. */
#include "run_show.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "../engine/blocks.h"
#include "../engine/formats/sink.h"
#include "../engine/version.h"
#include "command.h"
#include "drift.h"
#include "machine.h"
#include "print.h"

static const double s_in_day = 86400, ps_in_ns = 1000;

/* ---- speed ---- */

void tool_speed_note(ToolSpeed *speed, const AmphiRunInfo *info)
{
    const double interval_s = 0.45, window_s = 10;
    int32_t      old = 0;

    if (speed->n > 0 && info->wall_s - speed->wall_s[speed->n - 1] < interval_s)
        return;
    while (old < speed->n - 1 && speed->wall_s[old] < info->wall_s - window_s)
        old++;
    if (speed->n - old == TOOL_SPEEDS)
        old++;
    memmove(speed->wall_s, speed->wall_s + old, (size_t)(speed->n - old) * sizeof(double));
    memmove(speed->time_ps, speed->time_ps + old, (size_t)(speed->n - old) * sizeof(double));
    speed->n -= old;
    speed->wall_s[speed->n]    = info->wall_s;
    speed->time_ps[speed->n++] = info->time_ps;
}

double tool_speed_now(const ToolSpeed *speed)
{
    const int32_t last = speed->n - 1;
    const double  s    = last > 0 ? speed->wall_s[last] - speed->wall_s[0] : 0;

    return s > 0 ? (speed->time_ps[last] - speed->time_ps[0]) / ps_in_ns / s * s_in_day : 0;
}

double tool_speed_mean(const AmphiRunInfo *info, double first_ps)
{
    return info->wall_s > 0 ? (info->time_ps - first_ps) / ps_in_ns / info->wall_s * s_in_day : 0;
}

/* ---- the line ---- */

/* "2 500 000" */
static const char *grouped(int64_t n, char text[32])
{
    char      plain[24];
    const int length = snprintf(plain, sizeof plain, "%" PRId64, n);
    int       at     = 0;

    for (int k = 0; k < length; k++) {
        if (k > 0 && (length - k) % 3 == 0)
            text[at++] = ' ';
        text[at++] = plain[k];
    }
    text[at] = '\0';
    return text;
}

static const char *time_text(double time_ps, char text[32])
{
    if (time_ps < ps_in_ns)
        snprintf(text, 32, "%.4g ps", time_ps);
    else
        snprintf(text, 32, "%.4g ns", time_ps / ps_in_ns);
    return text;
}

/* "4 h 22 min (14:32)" */
static const char *left_text(double left_s, char text[48])
{
    const time_t end   = time(NULL) + (time_t)left_s;
    struct tm    about = { .tm_sec = 0 };
    char         clock[16];

    localtime_r(&end, &about);
    strftime(clock, sizeof clock, "%H:%M", &about);
    if (left_s < 60)
        snprintf(text, 48, "%.0f s (%s)", left_s, clock);
    else if (left_s < 3600)
        snprintf(text, 48, "%.0f min (%s)", left_s / 60, clock);
    else if (left_s < 2 * s_in_day)
        snprintf(text, 48, "%.0f h %.0f min (%s)", floor(left_s / 3600),
                 floor(fmod(left_s, 3600) / 60), clock);
    else
        snprintf(text, 48, "%.1f days", left_s / s_in_day);
    return text;
}

/* "+2e-06(3)": the error in units of the last digit shown. */
static const char *drift_text(const ToolDrift *d, char text[64])
{
    const double size  = fmax(fabs(d->drift), d->error);
    const double digit = size > 0 ? pow(10, floor(log10(size))) : 1;

    snprintf(text, 64, "%+.0e(%.0f)%s", d->drift, ceil(d->error / digit),
             d->is_few ? ", few samples" : "");
    return text;
}

static ToolDrift drift_of(const AmphiRunInfo *info)
{
    return tool_drift(info->drift_kT_ns_dof, info->drift_error, (double)info->n_drift,
                      info->drift_bound, info->backend);
}

/* By steps, for a minimisation takes no time; of what this process does. */
static double left_s(const AmphiRunInfo *info)
{
    const double done = (double)(info->step - info->first_step);

    return done > 0 ? info->wall_s / done * (double)(info->n_steps - info->step) : 0;
}

void tool_run_line(const AmphiRunInfo *info, double ns_day, char line[TOOL_LINE_SIZE])
{
    const ToolDrift d = drift_of(info);
    char            step[32], all[32], now[32], left[48], drift[64];
    const double    percent =
        info->n_steps > 0 ? 100 * (double)info->step / (double)info->n_steps : 100;
    int n = snprintf(line, TOOL_LINE_SIZE, "%.40s  %s/%s  %s  %.0f %%", info->stage,
                     grouped(info->step, step), grouped(info->n_steps, all),
                     time_text(info->time_ps, now), floor(percent));

    if (ns_day > 0)
        n += snprintf(line + n, (size_t)(TOOL_LINE_SIZE - n), "   %.3g ns/day", ns_day);
    if (info->step > info->first_step && info->step < info->n_steps)
        n += snprintf(line + n, (size_t)(TOOL_LINE_SIZE - n), "   left %s",
                      left_text(left_s(info), left));
    if (info->temperature_K > 0)
        n += snprintf(line + n, (size_t)(TOOL_LINE_SIZE - n), "   %.1f K", info->temperature_K);
    if (tool_drift_means(&d))
        snprintf(line + n, (size_t)(TOOL_LINE_SIZE - n), "   drift %s", drift_text(&d, drift));
}

void tool_minimum_line(const AmphiRunMinimum *m, const AmphiJob *job, char line[TOOL_MINIMUM_SIZE])
{
    static const char *const before[] = { [AMPHI_FORCE_MET]  = "",
                                          [AMPHI_STEPS_MADE] = "all that were allowed, ",
                                          [AMPHI_NONE_LOWER] = "then no lower place was found, " };
    const AmphiStage *const  stage    = &job->stage[m->stage];
    char                     name[96], steps[32];

    amphi_system_bead(&job->system, m->bead, name, sizeof name);
    snprintf(line, TOOL_MINIMUM_SIZE,
             "%.100s: %s step%s, %sstop-force %.6g kJ/mol/nm %smet; largest force %.4g kJ/mol/nm%s "
             "on bead %" PRId32 " (%s); potential energy %.8g kJ/mol",
             stage->name, grouped(m->n_steps, steps), m->n_steps == 1 ? "" : "s", before[m->end],
             stage->stop_force_kJ_mol_nm, m->end == AMPHI_FORCE_MET ? "" : "not ",
             m->force_kJ_mol_nm, m->is_torque ? " (a torque over 0.1 nm)" : "", m->bead + 1, name,
             m->potential_kJ_mol);
}

static double known_drift(const AmphiRunInfo *info)
{
    return isfinite(info->drift_error) ? info->drift_kT_ns_dof : (double)NAN;
}

/* ---- status.json ---- */

AmphiStatus tool_run_status(const char *dir, const AmphiRunInfo *info, double ns_day,
                            const char *state, AmphiError *err)
{
    AmphiSink sink;
    char      path[AMPHI_PATH_SIZE];

    AMPHI_TRY(tool_join(dir, "status.json", path, err));
    amphi_sink_open(&sink, path);
    if (sink.fault.status == AMPHI_OK) {
        ToolJson json = tool_json_begin(sink.file, "status");

        tool_json_text(&json, "amphi", AMPHI_VERSION);
        tool_json_text(&json, "state", state);
        tool_json_text(&json, "stage", info->stage);
        tool_json_whole(&json, "step", info->step);
        tool_json_whole(&json, "steps", info->n_steps);
        tool_json_number(&json, "time_ps", info->time_ps);
        tool_json_number(&json, "ns_per_day", ns_day);
        tool_json_number(&json, "left_s", left_s(info));
        tool_json_number(&json, "temperature_K", info->temperature_K);
        tool_json_number(&json, "drift_kT_ns_dof", known_drift(info));
        tool_json_number(&json, "drift_error", info->drift_error);
        tool_json_whole(&json, "drift_samples", info->n_drift);
        tool_json_text(&json, "backend", info->backend);
        tool_json_number(&json, "wall_s", info->wall_s);
        tool_json_number(&json, "memory_MB", tool_peak_memory_MB());
        if (info->state_hash[0] != '\0')
            tool_json_text(&json, "saved_state", info->state_hash);
        tool_json_end(&json);
        if (ferror(sink.file) != 0)
            amphi_sink_fail(&sink, AMPHI_BAD_FILE, "%s: writing failed", path);
    }
    return amphi_sink_close(&sink, err);
}

/* ---- the end ---- */

/* "(good in single: below 4e-05; allowed: 1e-03)" */
static void print_bounds(const ToolDrift *d, FILE *out)
{
    if (isinf(d->bound))
        return;
    if (isfinite(d->good))
        fprintf(out, " (good in %s: below %.0e; ", d->precision, d->good);
    else
        fprintf(out, " (");
    fprintf(out, "allowed: %.2g)", d->bound);
}

static void print_drift(const AmphiRunInfo *info, const AmphiComputePlan *plan, FILE *out)
{
    const ToolDrift d = drift_of(info);

    fprintf(out, "  %-12s ", "drift");
    if (!isfinite(info->drift_error) && info->n_drift < AMPHI_BLOCKS_FOR_SLOPE) {
        fprintf(out, "not known yet: %" PRId64 " of %d samples, one in %" PRId64 " steps\n",
                info->n_drift, AMPHI_BLOCKS_FOR_SLOPE, plan->watch_every);
        return;
    }
    if (!isfinite(info->drift_error)) {
        fprintf(out, "not known\n");
        return;
    }
    fprintf(out, "%+.2e +- %.1e kT/ns/dof: %s", d.drift, d.error, tool_drift_words(&d));
    print_bounds(&d, out);
    if (d.is_few)
        fprintf(out, "; from few samples, %" PRId64, info->n_drift);
    fprintf(out, "\n");
}

/* Particle steps are those of this process, the speed may be that of an earlier one. */
static void print_speed(const AmphiRunInfo *info, double ns_day, FILE *out)
{
    const double steps  = (double)(info->step - info->first_step);
    const double each_s = info->wall_s > 0 ? steps * info->n_beads / info->wall_s : 0;

    if (!(ns_day > 0) && !(each_s > 0))
        return;
    fprintf(out, "  %-12s ", "speed");
    if (ns_day > 0)
        fprintf(out, "%.4g ns/day", ns_day);
    if (ns_day > 0 && each_s > 0)
        fprintf(out, ", ");
    if (each_s > 0)
        fprintf(out, "%.3g particle-steps/s", each_s);
    fprintf(out, " (%s)\n", info->backend);
}

/* A single sample, or the mean of a few, has no error, and no more digits than it is worth. */
static void print_heat(const char *before, const ToolMean *mean, FILE *out)
{
    char text[64];

    if (!isfinite(mean->value))
        return;
    if (isfinite(mean->error))
        fprintf(out, "%s%s K", before, tool_mean_text(mean, text));
    else
        fprintf(out, "%s%.1f K", before, mean->value);
}

static bool has_heats(const AmphiRunInfo *info, const ToolMeans *means)
{
    return means->stage != NULL && strcmp(means->stage, info->stage) == 0;
}

/* From the same lines of energy.tsv as that of translation and of rotation; without lines of this
 * stage the run's own, from its looks for faults, and not a number where there was none. */
static ToolMean heat_of(const AmphiRunInfo *info, const ToolMeans *means)
{
    const bool was_seen = info->mean_temperature_K > 0;

    return has_heats(info, means) ? means->temperature_K
                                  : (ToolMean){ was_seen ? info->mean_temperature_K : (double)NAN,
                                                info->mean_error_K, false };
}

/* A minimisation has none. */
static void print_temperature(const AmphiRunInfo *info, const ToolMeans *means, FILE *out)
{
    const ToolMean both = heat_of(info, means);

    if (!(both.value > 0))
        return;
    fprintf(out, "  %-12s ", "temperature");
    print_heat("", &both, out);
    fprintf(out, " in %s", info->stage);
    if (has_heats(info, means)) {
        print_heat("; translation ", &means->translation_K, out);
        print_heat(", rotation ", &means->rotation_K, out);
        if (both.is_rough || means->translation_K.is_rough || means->rotation_K.is_rough)
            fprintf(out, "; %s", TOOL_ROUGH_ERROR);
    }
    fprintf(out, "\n");
}

/* Minimisations alone keep no energy that could drift. */
static bool moves(const AmphiJob *job)
{
    for (int32_t k = 0; k < job->n_stages; k++)
        if (job->stage[k].ensemble != AMPHI_MINIMISE)
            return true;
    return false;
}

void tool_run_block(const AmphiRunInfo *info, double ns_day, const ToolMeans *means,
                    const AmphiJob *job, const char *dir, FILE *out)
{
    char steps[32], time_now[32], safe[AMPHI_PATH_SIZE];

    fprintf(out, "  %-12s %s steps, %s%s\n", "length", grouped(info->step, steps),
            time_text(info->time_ps, time_now),
            info->finished ? "" : "; stopped early: the same command goes on");
    print_speed(info, ns_day, out);
    if (moves(job))
        print_drift(info, &job->compute, out);
    print_temperature(info, means, out);
    tool_means_print(means, job, out);
    if (info->n_limited > 0)
        fprintf(out, "  %-12s %s moves were cut short, at a tenth of an edge\n", "box",
                grouped(info->n_limited, steps));
    fprintf(out, "  %-12s 0\n", "faults");
    if (info->state_hash[0] != '\0')
        fprintf(out, "  %-12s %s\n", "state", info->state_hash);
    fprintf(out, "  %-12s %s\n", "files", tool_harmless(dir, safe, sizeof safe));
}

static void write_mean(ToolJson *json, const char *name, const ToolMean *mean)
{
    char error[64];

    snprintf(error, sizeof error, "%.40s_error", name);
    tool_json_number(json, name, mean->value);
    tool_json_number(json, error, mean->error);
}

void tool_run_json(const AmphiRunInfo *info, double ns_day, const ToolMeans *means, const char *dir,
                   FILE *out)
{
    const ToolMean both = heat_of(info, means);
    ToolJson       json = tool_json_begin(out, "run");

    tool_json_text(&json, "folder", dir);
    tool_json_flag(&json, "finished", info->finished);
    tool_json_whole(&json, "step", info->step);
    tool_json_number(&json, "time_ps", info->time_ps);
    tool_json_number(&json, "ns_per_day", ns_day);
    tool_json_text(&json, "backend", info->backend);
    if (info->state_hash[0] != '\0')
        tool_json_text(&json, "state", info->state_hash);
    tool_json_whole(&json, "drift_samples", info->n_drift);
    tool_json_number(&json, "drift_kT_ns_dof", known_drift(info));
    tool_json_number(&json, "drift_error", info->drift_error);
    tool_json_flag(&json, "drifts", info->drifts);
    tool_json_number(&json, "mean_temperature_K", both.value);
    tool_json_number(&json, "mean_temperature_error_K", both.error);
    write_mean(&json, "translation_K", &means->translation_K);
    write_mean(&json, "rotation_K", &means->rotation_K);
    write_mean(&json, "area_nm2", &means->area_nm2);
    write_mean(&json, "volume_nm3", &means->volume_nm3);
    write_mean(&json, "thickness_nm", &means->thickness_nm);
    write_mean(&json, "density_g_cm3", &means->density_g_cm3);
    tool_json_end(&json);
}
