/* Stages, and what holds their temperature, their pressure and their beads. */
#include "plan_show.h"

#include <inttypes.h>

#include "../engine/units.h"
#include "print.h"

enum { INDENT = 18 };

static double in_unit(double value, const char *unit, AmphiDimension dimension)
{
    double factor = 1;

    amphi_units_factor(unit, dimension, &factor);
    return value / factor;
}

static void put_every(ToolLines *lines, int32_t every)
{
    if (every > 1)
        tool_lines_word(lines, "every %" PRId32 " steps,", every);
    else
        tool_lines_word(lines, "every step,");
}

static void print_thermostat(const AmphiSystem *s, const AmphiStage *stage, FILE *out)
{
    static const char *const name[] = { [AMPHI_VELOCITY_RESCALE] = "velocity-rescale",
                                        [AMPHI_BERENDSEN_T]      = "berendsen",
                                        [AMPHI_LANGEVIN]         = "langevin" };
    const AmphiThermostat   *t      = &stage->thermostat;

    if (t->type == AMPHI_NO_THERMOSTAT)
        return;
    ToolLines lines = tool_lines_begin(out, INDENT, "");
    tool_lines_word(&lines, "thermostat %s:", name[t->type]);
    tool_lines_word(&lines, "%.6g K,", t->temperature_K);
    tool_lines_word(&lines, "time %.6g ps,", t->time_ps);
    put_every(&lines, t->type == AMPHI_LANGEVIN ? 1 : t->every);
    if (stage->remove_drift)
        tool_lines_word(&lines, "without drift,");
    for (int32_t k = 0; k < t->n_groups; k++)
        tool_lines_word(&lines, "%s%s", k == 0 ? "of " : "and ", s->group[t->group[k]].name);
    if (t->n_groups == 0)
        tool_lines_word(&lines, "of all");
    tool_lines_end(&lines);
}

static void print_barostat(const AmphiBarostat *b, FILE *out)
{
    const double per_bar =
        in_unit(b->compressibility_nm3_mol_kJ, "1/bar", AMPHI_DIM_COMPRESSIBILITY);

    static const char *const coupling[] = { "isotropic", "semi-isotropic", "constant-area" };

    if (b->type == AMPHI_NO_BAROSTAT)
        return;
    ToolLines lines = tool_lines_begin(out, INDENT, "");
    tool_lines_word(&lines,
                    "barostat %s:", b->type == AMPHI_CELL_RESCALE ? "cell-rescale" : "berendsen");
    tool_lines_word(&lines, "%s,", coupling[b->coupling]);
    tool_lines_word(&lines, "%.6g bar,",
                    in_unit(b->pressure_kJ_mol_nm3, "bar", AMPHI_DIM_PRESSURE));
    if (b->tension_kJ_mol_nm2 != 0)
        tool_lines_word(&lines, "tension %.6g mN/m,",
                        in_unit(b->tension_kJ_mol_nm2, "mN/m", AMPHI_DIM_ENERGY_PER_AREA));
    tool_lines_word(&lines, "time %.6g ps,", b->time_ps);
    put_every(&lines, b->every);
    tool_lines_word(&lines, "compressibility %.6g 1/bar", per_bar);
    tool_lines_end(&lines);
}

static void print_restraints(const AmphiSystem *s, const AmphiStage *stage, FILE *out)
{
    for (int32_t k = 0; k < stage->n_restraints; k++) {
        const AmphiStageRestraint *r     = &stage->restraint[k];
        ToolLines                  lines = tool_lines_begin(out, INDENT, "");

        tool_lines_word(&lines, "restraint of %s along %s%s%s:", s->group[r->group].name,
                        r->axis[0] ? "x" : "", r->axis[1] ? "y" : "", r->axis[2] ? "z" : "");
        tool_lines_word(&lines, "%.6g kJ/mol/nm^2", r->k_kJ_mol_nm2);
        tool_lines_end(&lines);
    }
}

static void print_stage(const AmphiSystem *s, const AmphiStage *stage, FILE *out)
{
    static const char *const name[] = {
        [AMPHI_NVE] = "nve", [AMPHI_NVT] = "nvt", [AMPHI_NPT] = "npt"
    };
    ToolLines lines = tool_lines_begin(out, INDENT, stage->name);

    if (stage->ensemble == AMPHI_MINIMISE) {
        tool_lines_word(&lines, "minimise:");
        tool_lines_word(&lines, "at most %" PRId64 " steps,", stage->n_steps);
        tool_lines_word(&lines, "until no force is above %.6g kJ/mol/nm",
                        stage->stop_force_kJ_mol_nm);
        tool_lines_end(&lines);
        return;
    }
    tool_lines_word(&lines, "%s:", name[stage->ensemble]);
    tool_lines_word(&lines, "%.9g ps,", (double)stage->n_steps * stage->dt_ps);
    tool_lines_word(&lines, "%" PRId64 " steps of %.6g fs", stage->n_steps, 1e3 * stage->dt_ps);
    tool_lines_end(&lines);
    print_thermostat(s, stage, out);
    print_barostat(&stage->barostat, out);
    print_restraints(s, stage, out);
}

void tool_plan_print(const AmphiJob *job, FILE *out)
{
    if (job->n_stages > 0)
        fprintf(out, "\nthe plan\n");
    for (int32_t k = 0; k < job->n_stages; k++)
        print_stage(&job->system, &job->stage[k], out);
}
