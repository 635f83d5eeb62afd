/* amphi evaluate: energies by term, pressure, and the force and torque on every bead, once. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../engine/backend.h"
#include "command.h"
#include "tables.h"

/* ---- the backend ---- */

/* NULL, and what there is instead. */
static const AmphiBackend *find_backend(const ToolCall *call, AmphiError *err)
{
    const char *const   asked    = tool_value(call, "backend");
    const char *const   exact    = tool_value(call, "precision");
    const char *const   name     = asked != NULL ? asked : "reference";
    const char *const   wanted   = exact != NULL ? exact : "double";
    const AmphiBackend *b        = NULL;
    char                all[256] = "";

    for (int32_t k = 0; (b = amphi_backend_at(k)) != NULL; k++) {
        const char *const precision = amphi_precision_name(b->precision);
        const size_t      n         = strlen(all);

        if (strcmp(b->name, name) == 0 && strcmp(precision, wanted) == 0)
            return b;
        snprintf(all + n, sizeof all - n, "%s--backend %s --precision %s", n > 0 ? ", " : "",
                 b->name, precision);
    }
    amphi_fail(err, AMPHI_BAD_COMMAND, "there is no backend %.60s in %s precision\n    write: %s",
               name, wanted, all);
    return NULL;
}

/* ---- what is not finite ---- */

static bool is_finite3(const double v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

static double norm(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* The bead with the largest force; one that is not finite is the largest. */
static int32_t find_largest(const AmphiSystem *s, const AmphiFrame *frame)
{
    int32_t largest = 0;
    double  most    = -1;

    for (int32_t i = 0; i < s->n_beads; i++) {
        const double f = norm(frame->force_kJ_mol_nm[i]);

        if (!is_finite3(frame->force_kJ_mol_nm[i]) || !is_finite3(frame->torque_kJ_mol[i]))
            return i;
        if (f > most) {
            most    = f;
            largest = i;
        }
    }
    return largest;
}

static bool is_finite_frame(const AmphiSystem *s, const AmphiFrame *frame)
{
    const ToolPressure p = tool_pressure(frame);

    for (int slot = 0; slot < AMPHI_TERMS; slot++)
        if (!isfinite(frame->term_kJ_mol[slot]))
            return false;
    for (int a = 0; a < 3; a++)
        if (!is_finite3(p.total_bar[a]))
            return false;
    for (int32_t i = 0; i < s->n_beads; i++)
        if (!is_finite3(frame->force_kJ_mol_nm[i]) || !is_finite3(frame->torque_kJ_mol[i]))
            return false;
    return true;
}

static double distance(const AmphiSystem *s, int32_t i, int32_t j)
{
    double d[3];

    for (int a = 0; a < 3; a++) {
        d[a] = s->position_nm[i][a] - s->position_nm[j][a];
        d[a] -= s->box_nm[a] * nearbyint(d[a] / s->box_nm[a]);
    }
    return norm(d);
}

/* The bead nearest to this one; -1: it is alone. */
static int32_t find_nearest(const AmphiSystem *s, int32_t bead)
{
    int32_t nearest = -1;

    for (int32_t j = 0; j < s->n_beads; j++)
        if (j != bead && (nearest < 0 || distance(s, bead, j) < distance(s, bead, nearest)))
            nearest = j;
    return nearest;
}

static AmphiStatus fail_unstable(const char *path, const AmphiSystem *s, const AmphiFrame *frame,
                                 AmphiError *err)
{
    const int32_t bead    = find_largest(s, frame);
    const int32_t nearest = find_nearest(s, bead);
    char          name[96], near[128] = "alone", other[96];

    if (nearest >= 0)
        snprintf(near, sizeof near, "nearest is %s at %.3g nm",
                 amphi_system_bead(s, nearest, other, sizeof other), distance(s, bead, nearest));
    return amphi_fail(err, AMPHI_UNSTABLE,
                      "%.150s: a force or an energy is not finite\n"
                      "    bead %" PRId32 " = %s; %s\n"
                      "    often: two beads in one place",
                      path, bead + 1, amphi_system_bead(s, bead, name, sizeof name), near);
}

/* ---- results on standard output ---- */

static bool is_used(const AmphiFrame *frame, int slot)
{
    return frame->term_count[slot] > 0 || frame->term_kJ_mol[slot] < 0 ||
           frame->term_kJ_mol[slot] > 0;
}

static void print_results(const AmphiSystem *s, const AmphiFrame *frame, FILE *out)
{
    const ToolPressure p       = tool_pressure(frame);
    const int32_t      largest = find_largest(s, frame);
    char               name[96];

    fprintf(out, "%-20s %20s %14s\n", "term", "energy (kJ/mol)", "in range");
    for (int slot = 0; slot < AMPHI_TERMS; slot++)
        if (is_used(frame, slot))
            fprintf(out, "%-20s %20.6f %14" PRId64 "\n", amphi_term_name((AmphiTermSlot)slot),
                    frame->term_kJ_mol[slot], frame->term_count[slot]);
    fprintf(out, "%-20s %20.6f\n\n", "total", tool_total_energy(frame));

    const double(*const k)[3] = frame->kinetic_kJ_mol;
    fprintf(out, "%-20s %20.6f kJ/mol of translation, %.6f of rotation\n", "kinetic energy",
            k[0][0] + k[1][1] + k[2][2], frame->rotation_kJ_mol);
    fprintf(out, "%-20s %20.6f bar (xx %.6g  yy %.6g  zz %.6g)\n", "pressure", p.mean_bar,
            p.total_bar[0][0], p.total_bar[1][1], p.total_bar[2][2]);
    fprintf(out, "%-20s %20.6g kJ/mol/nm on bead %" PRId32 ", %s\n", "largest force",
            norm(frame->force_kJ_mol_nm[largest]), largest + 1,
            amphi_system_bead(s, largest, name, sizeof name));
}

static void write_term(FILE *out, const char *name, double energy, int64_t count,
                       const double virial[3][3])
{
    ToolJson json = tool_json_begin(out, "term");

    tool_json_text(&json, "term", name);
    tool_json_number(&json, "energy_kJ_mol", energy);
    tool_json_whole(&json, "in_range", count);
    tool_json_numbers(&json, "virial_kJ_mol", &virial[0][0], 9);
    tool_json_end(&json);
}

static void write_results(const AmphiSystem *s, const AmphiFrame *frame, FILE *out)
{
    const ToolPressure p       = tool_pressure(frame);
    const int32_t      largest = find_largest(s, frame);
    double             virial[3][3];
    int64_t            count = 0;
    char               name[96];

    for (int slot = 0; slot < AMPHI_TERMS; slot++) {
        write_term(out, amphi_term_name((AmphiTermSlot)slot), frame->term_kJ_mol[slot],
                   frame->term_count[slot], frame->term_virial_kJ_mol[slot]);
        count += frame->term_count[slot];
    }
    tool_total_virial(frame, virial);
    write_term(out, "total", tool_total_energy(frame), count, (const double(*)[3])virial);

    ToolJson json = tool_json_begin(out, "pressure");
    tool_json_number(&json, "mean_bar", p.mean_bar);
    tool_json_numbers(&json, "virial_bar", &p.virial_bar[0][0], 9);
    tool_json_numbers(&json, "kinetic_bar", &p.kinetic_bar[0][0], 9);
    tool_json_numbers(&json, "total_bar", &p.total_bar[0][0], 9);
    tool_json_end(&json);

    json = tool_json_begin(out, "largest_force");
    tool_json_whole(&json, "bead", largest + 1);
    tool_json_text(&json, "name", amphi_system_bead(s, largest, name, sizeof name));
    tool_json_number(&json, "force_kJ_mol_nm", norm(frame->force_kJ_mol_nm[largest]));
    tool_json_end(&json);
}

static AmphiStatus write_files(const ToolCall *call, const AmphiJob *job, const AmphiFrame *frame,
                               AmphiError *err)
{
    const char *const folder = tool_value(call, "output");
    char              hash[TOOL_HASH_SIZE];

    if (folder == NULL)
        return AMPHI_OK;
    AMPHI_TRY(tool_input_hash(job, hash, err));
    AMPHI_TRY(tool_make_folder(folder, err));
    AMPHI_TRY(tool_tables_write(folder, &job->system, frame, hash, job->n_files, err));
    tool_remark(call, "%.400s: energies.tsv pressure.tsv forces.tsv", folder);
    return AMPHI_OK;
}

static AmphiStatus evaluate(const ToolCall *call, const AmphiBackend *backend, const AmphiJob *job,
                            AmphiError *err)
{
    const uint32_t needs  = AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES | AMPHI_NEED_POSITIONS;
    AmphiState    *state  = NULL;
    AmphiFrame     frame  = { .step = 0 };
    AmphiStatus    status = backend->open(&job->system, NULL, &state, err);

    if (status == AMPHI_OK)
        status = backend->compute_forces(state, needs, err);
    if (status == AMPHI_OK)
        status = backend->read_frame(state, needs, &frame, err);
    if (status == AMPHI_OK && !is_finite_frame(&job->system, &frame))
        status = fail_unstable(call->argument[0], &job->system, &frame, err);
    if (status == AMPHI_OK)
        status = write_files(call, job, &frame, err);
    if (status == AMPHI_OK && tool_has(call, "json"))
        write_results(&job->system, &frame, call->out);
    else if (status == AMPHI_OK)
        print_results(&job->system, &frame, call->out);
    backend->close(state);
    return status;
}

AmphiStatus cmd_evaluate(const ToolCall *call, AmphiError *err)
{
    const AmphiBackend *const backend = find_backend(call, err);
    AmphiJob                 *job     = NULL;

    if (backend == NULL)
        return err->status;
    AMPHI_TRY(tool_load(call, &job, err));

    const AmphiStatus status = evaluate(call, backend, job, err);
    amphi_job_free(job);
    return status;
}
