/* amphi check: reads a system and prints its errors, or a summary of it. Simulates nothing. */
#include <inttypes.h>
#include <math.h>

#include "../engine/overlap.h"
#include "command.h"
#include "pairs.h"
#include "plan_show.h"
#include "print.h"
#include "reference.h"

enum { INDENT = 18 };

typedef struct {
    double  mass_u, charge_e, volume_nm3, density_g_cm3;
    int64_t freedom[2];
} Totals;

static Totals add_up(const AmphiSystem *s)
{
    Totals t     = { .volume_nm3 = s->box_nm[0] * s->box_nm[1] * s->box_nm[2] };
    double g_cm3 = 1;

    for (int32_t i = 0; i < s->n_beads; i++) {
        t.mass_u += s->type[s->bead_type[i]].mass_u;
        t.charge_e += s->bead_charge_e[i];
    }
    /* sums of thousandths of e leave dust behind */
    if (fabs(t.charge_e) < 1e-9)
        t.charge_e = 0;
    amphi_units_factor("g/cm^3", AMPHI_DIM_DENSITY, &g_cm3);
    t.density_g_cm3 = t.mass_u / t.volume_nm3 / g_cm3;
    amphi_system_freedom(s, t.freedom);
    return t;
}

static const char *start_name(AmphiStart start)
{
    static const char *const names[] = { [AMPHI_START_FILE]    = "from a coordinates file",
                                         [AMPHI_START_BEADS]   = "written out in the system file",
                                         [AMPHI_START_BILAYER] = "a bilayer",
                                         [AMPHI_START_FILL]    = "a box filled at random" };

    return names[start];
}

static bool is_built(const AmphiJob *job)
{
    return job->start == AMPHI_START_BILAYER || job->start == AMPHI_START_FILL;
}

static int32_t count_molecules(const AmphiSystem *s, int32_t type)
{
    int32_t n = 0;

    for (int32_t k = 0; k < s->n_molecules; k++)
        n += s->molecule[k].type == type;
    return n;
}

static int32_t count_beads(const AmphiSystem *s, int32_t type)
{
    int32_t n = 0;

    for (int32_t i = 0; i < s->n_beads; i++)
        n += s->bead_type[i] == type;
    return n;
}

/* Bonded terms of one kind in the whole system. */
static int32_t count_bonds(const AmphiSystem *s, int32_t kind)
{
    int32_t n = 0;

    for (int32_t k = 0; k < s->n_bonds; k++)
        n += s->bond_rule[s->bond[k].rule].kind == kind;
    return n;
}

/* ---- for people ---- */

static void print_files(const AmphiJob *job, FILE *out)
{
    ToolLines lines = tool_lines_begin(out, INDENT, "files");

    for (int32_t k = 0; k < job->n_files; k++)
        tool_lines_word(&lines, "%.400s (%" PRId64 " bytes)", job->file[k].path,
                        job->file[k].bytes);
    tool_lines_end(&lines);
}

static void print_force_fields(const AmphiJob *job, FILE *out)
{
    char safe[1024];

    for (int32_t k = 0; k < job->n_force_fields; k++) {
        const AmphiForceField *const f     = &job->force_field[k];
        ToolLines                    lines = tool_lines_begin(out, INDENT, "force field");

        if (f->name != NULL)
            tool_lines_word(&lines, "%.80s%s", tool_harmless(f->name, safe, sizeof safe),
                            f->cite != NULL ? "; to cite:" : "");
        if (f->cite != NULL)
            tool_lines_text(&lines, tool_harmless(f->cite, safe, sizeof safe));
        tool_lines_end(&lines);
    }
}

static void print_velocities(const AmphiJob *job, FILE *out)
{
    char drawn[64];

    snprintf(drawn, sizeof drawn, "drawn at %g K", job->drawn_K);
    fprintf(out, "  %-15s %s\n", "velocities",
            !job->has_velocities ? "none: it begins at rest"
            : job->drawn_K >= 0  ? drawn
                                 : "those of the file");
}

static void print_contents(const AmphiSystem *s, FILE *out)
{
    ToolLines lines = tool_lines_begin(out, INDENT, "molecules");

    for (int32_t k = 0; k < s->n_molecule_types; k++)
        tool_lines_word(&lines, "%" PRId32 " %s", count_molecules(s, k), s->molecule_type[k].name);
    tool_lines_end(&lines);

    lines = tool_lines_begin(out, INDENT, "beads");
    tool_lines_word(&lines, "%" PRId32 ":", s->n_beads);
    for (int32_t k = 0; k < s->n_types; k++)
        tool_lines_word(&lines, "%" PRId32 " %s", count_beads(s, k), s->type[k].name);
    tool_lines_end(&lines);

    lines = tool_lines_begin(out, INDENT, "bonded terms");
    const AmphiPotential *p;
    bool                  has_some = false;
    for (int32_t kind = 0; (p = amphi_potential_of_kind(kind, true)) != NULL; kind++)
        if (count_bonds(s, kind) > 0) {
            tool_lines_word(&lines, "%" PRId32 " %s %s", count_bonds(s, kind), p->element, p->name);
            has_some = true;
        }
    tool_lines_word(&lines, has_some ? "(%" PRId32 " exclusions)" : "none (%" PRId32 " exclusions)",
                    s->n_exclusions);
    tool_lines_end(&lines);
}

static void print_closest(const AmphiSystem *s, const AmphiClosest *c, FILE *out)
{
    char first[96], second[96], safe[2][400];

    if (c->bead[0] < 0) {
        fprintf(out, "  %-15s none nearer than its contact distance\n", "closest pair");
        return;
    }
    fprintf(out, "  %-15s %.4g nm, %.3g sigma: %s and %s\n", "closest pair", c->distance_nm,
            c->distance_nm / c->sigma_nm,
            tool_harmless(amphi_system_bead(s, c->bead[0], first, sizeof first), safe[0],
                          sizeof safe[0]),
            tool_harmless(amphi_system_bead(s, c->bead[1], second, sizeof second), safe[1],
                          sizeof safe[1]));
}

static void print_system(const AmphiJob *job, const AmphiClosest *closest, FILE *out)
{
    const AmphiSystem *const s = &job->system;
    const Totals             t = add_up(s);
    char                     safe[1024];

    fprintf(out, "%s\n",
            s->title != NULL && *s->title != '\0' ? tool_harmless(s->title, safe, sizeof safe)
                                                  : "(no title)");
    print_files(job, out);
    print_force_fields(job, out);
    fprintf(out, "  %-15s %s", "start", start_name(job->start));
    if (is_built(job))
        fprintf(out, ", seed %" PRIu64, job->seed);
    fputc('\n', out);
    print_velocities(job, out);
    fprintf(out, "  %-15s %.6g x %.6g x %.6g nm, %.6g nm^3\n", "box", s->box_nm[0], s->box_nm[1],
            s->box_nm[2], t.volume_nm3);
    print_contents(s, out);
    fprintf(out, "  %-15s %.8g u, %.4g g/cm^3\n", "mass", t.mass_u, t.density_g_cm3);
    fprintf(out, "  %-15s %.6g e\n", "charge", t.charge_e);
    fprintf(out, "  %-15s %" PRId64 " of translation, %" PRId64 " of rotation\n", "freedom",
            t.freedom[0], t.freedom[1]);
    print_closest(s, closest, out);
    fprintf(out, "  %-15s %.12g kJ*nm/mol/e^2 over the relative permittivity\n", "coulomb",
            s->coulomb_kJ_nm_mol_e2);
    fprintf(out, "  %-15s %.6g nm\n", "largest cut-off", s->cutoff_nm);
    for (int32_t k = 0; k < job->n_overrides; k++)
        fprintf(out, "  %-15s %s\n", "override",
                tool_harmless(job->override[k], safe, sizeof safe));
    fprintf(out, "  %-15s %.1f MB\n", "memory", (double)amphi_arena_bytes(job->arena) / 1e6);
}

/* ---- for programs ---- */

static void write_parts(const AmphiSystem *s, FILE *out)
{
    for (int32_t k = 0; k < s->n_molecule_types; k++) {
        ToolJson json = tool_json_begin(out, "molecules");

        tool_json_text(&json, "type", s->molecule_type[k].name);
        tool_json_whole(&json, "count", count_molecules(s, k));
        tool_json_end(&json);
    }
    for (int32_t k = 0; k < s->n_types; k++) {
        ToolJson json = tool_json_begin(out, "beads");

        tool_json_text(&json, "type", s->type[k].name);
        tool_json_whole(&json, "count", count_beads(s, k));
        tool_json_number(&json, "mass_u", s->type[k].mass_u);
        tool_json_number(&json, "charge_e", s->type[k].charge_e);
        tool_json_number(&json, "dipole_e_nm", s->type[k].dipole_e_nm);
        tool_json_end(&json);
    }
    const AmphiPotential *p;
    for (int32_t kind = 0; (p = amphi_potential_of_kind(kind, true)) != NULL; kind++) {
        ToolJson json = tool_json_begin(out, "bonded");

        tool_json_text(&json, "element", p->element);
        tool_json_text(&json, "potential", p->name);
        tool_json_whole(&json, "count", count_bonds(s, kind));
        tool_json_end(&json);
    }
}

static void write_closest(const AmphiClosest *c, FILE *out)
{
    if (c->bead[0] < 0)
        return;
    ToolJson json = tool_json_begin(out, "closest");
    tool_json_whole(&json, "first", c->bead[0] + 1);
    tool_json_whole(&json, "second", c->bead[1] + 1);
    tool_json_number(&json, "distance_nm", c->distance_nm);
    tool_json_number(&json, "sigma_nm", c->sigma_nm);
    tool_json_end(&json);
}

static void write_system(const AmphiJob *job, const AmphiClosest *closest, FILE *out)
{
    const AmphiSystem *const s    = &job->system;
    const Totals             t    = add_up(s);
    ToolJson                 json = tool_json_begin(out, "system");

    tool_json_text(&json, "title", s->title);
    tool_json_numbers(&json, "box_nm", s->box_nm, 3);
    tool_json_whole(&json, "beads", s->n_beads);
    tool_json_whole(&json, "molecules", s->n_molecules);
    tool_json_whole(&json, "exclusions", s->n_exclusions);
    tool_json_number(&json, "mass_u", t.mass_u);
    tool_json_number(&json, "charge_e", t.charge_e);
    tool_json_number(&json, "density_g_cm3", t.density_g_cm3);
    tool_json_whole(&json, "freedom_translation", t.freedom[0]);
    tool_json_whole(&json, "freedom_rotation", t.freedom[1]);
    tool_json_number(&json, "coulomb_kJ_nm_mol_e2", s->coulomb_kJ_nm_mol_e2);
    tool_json_number(&json, "cutoff_nm", s->cutoff_nm);
    tool_json_texts(&json, "overrides", job->override, job->n_overrides);
    tool_json_whole(&json, "memory_bytes", (int64_t)amphi_arena_bytes(job->arena));
    tool_json_end(&json);
    for (int32_t k = 0; k < job->n_files; k++) {
        json = tool_json_begin(out, "file");
        tool_json_text(&json, "path", job->file[k].path);
        tool_json_whole(&json, "bytes", job->file[k].bytes);
        tool_json_end(&json);
    }
    write_parts(s, out);
    write_closest(closest, out);
}

static AmphiStatus show(const ToolCall *call, const AmphiJob *job, AmphiError *err)
{
    AmphiClosest closest;

    AMPHI_TRY(amphi_closest_pair(&job->system, &closest, err));
    if (tool_has(call, "json")) {
        write_system(job, &closest, call->out);
        tool_pairs_write(&job->system, call->out);
        return AMPHI_OK;
    }
    print_system(job, &closest, call->out);
    tool_plan_print(job, call->out);
    tool_pairs_print(&job->system, job->arena, tool_has(call, "verbose"), call->out);
    return amphi_arena_failed(job->arena)
               ? amphi_fail(err, AMPHI_NO_MEMORY, "no memory for the list of pairs")
               : AMPHI_OK;
}

AmphiStatus cmd_check(const ToolCall *call, AmphiError *err)
{
    AmphiJob *job = NULL;

    AMPHI_TRY(tool_load(call, &job, err));

    const AmphiStatus status = show(call, job, err);
    amphi_job_free(job);
    return status;
}
