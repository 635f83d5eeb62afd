/* amphi evaluate: energies by term, pressure, and the force and torque on every bead of one
 * configuration. */
#include <inttypes.h>
#include <string.h>

#include "../engine/backend.h"
#include "command.h"
#include "finite.h"
#include "print.h"
#include "tables.h"

/* ---- the backend ---- */

/* NULL, and what there is instead. */
static const AmphiBackend *find_backend(const ToolCall *call, AmphiError *err)
{
    const char *const   asked  = tool_value(call, "backend");
    const char *const   exact  = tool_value(call, "precision");
    const char *const   name   = asked != NULL ? asked : "reference";
    const char *const   wanted = exact != NULL ? exact : "double";
    const AmphiBackend *b      = NULL;

    for (int32_t k = 0; (b = amphi_backend_at(k)) != NULL; k++)
        if (strcmp(b->name, name) == 0 && strcmp(amphi_precision_name(b->precision), wanted) == 0)
            return b;
    amphi_backend_fail(name, wanted, err);
    return NULL;
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
    const int32_t      largest = tool_largest_force(s, frame);
    char               name[96], safe[400];

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
            tool_norm(frame->force_kJ_mol_nm[largest]), largest + 1,
            tool_harmless(amphi_system_bead(s, largest, name, sizeof name), safe, sizeof safe));
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
    const int32_t      largest = tool_largest_force(s, frame);
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
    tool_json_number(&json, "force_kJ_mol_nm", tool_norm(frame->force_kJ_mol_nm[largest]));
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
    AmphiCompute   choice = { .device = job->compute.choice.device };
    AmphiState    *state  = NULL;
    AmphiFrame     frame  = { .step = 0 };
    AmphiStatus    status = tool_device(call, &choice.device, err);

    if (status == AMPHI_OK)
        status = backend->open(&job->system, &choice, &state, err);
    if (status == AMPHI_OK)
        status = backend->compute_forces(state, needs, err);
    if (status == AMPHI_OK)
        status = backend->read_frame(state, needs, &frame, err);
    if (status == AMPHI_OK)
        status = tool_check_finite(call->argument[0], &job->system, &frame, err);
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
    tool_remark_device(call, backend->is_there != NULL);

    const AmphiStatus status = evaluate(call, backend, job, err);
    amphi_job_free(job);
    return status;
}
