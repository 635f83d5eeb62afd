/* Writes the three tables of evaluate, and the sums that stand in them. */
#include "tables.h"

#include <inttypes.h>
#include <string.h>

#include "../engine/formats/sink.h"
#include "../engine/units.h"
#include "../engine/version.h"
#include "command.h"

enum { N_TABLES = 3 };

static const char axes[3] = { 'x', 'y', 'z' };

/* ---- sums ---- */

double tool_total_energy(const AmphiFrame *frame)
{
    double sum = 0;

    for (int slot = 0; slot < AMPHI_TERMS; slot++)
        sum += frame->term_kJ_mol[slot];
    return sum;
}

void tool_total_virial(const AmphiFrame *frame, double virial[3][3])
{
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            virial[a][b] = 0;
            for (int slot = 0; slot < AMPHI_TERMS; slot++)
                virial[a][b] += frame->term_virial_kJ_mol[slot][a][b];
        }
}

ToolPressure tool_pressure(const AmphiFrame *frame)
{
    const double volume = frame->box_nm[0] * frame->box_nm[1] * frame->box_nm[2];
    const double to_bar = 1 / (volume * AMPHI_BAR);
    double       w[3][3];
    ToolPressure p = { .mean_bar = 0 };

    tool_total_virial(frame, w);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            const double k = frame->kinetic_kJ_mol[a][b] + frame->kinetic_kJ_mol[b][a];

            p.virial_bar[a][b]  = 0.5 * (w[a][b] + w[b][a]) * to_bar;
            p.kinetic_bar[a][b] = k * to_bar;
            p.total_bar[a][b]   = p.virial_bar[a][b] + p.kinetic_bar[a][b];
        }
    p.mean_bar = (p.total_bar[0][0] + p.total_bar[1][1] + p.total_bar[2][2]) / 3;
    return p;
}

/* ---- files ---- */

static void print_head(AmphiSink *sink, const char *quantity, const char *unit, const char *hash,
                       int32_t n_files)
{
    amphi_sink_print(sink, "# quantity: %s\n# unit: %s\n", quantity, unit);
    amphi_sink_print(sink, "# amphi %s\n", AMPHI_VERSION);
    amphi_sink_print(sink, "# input: XXH3-128 %s of %" PRId32 " file%s\n", hash, n_files,
                     n_files == 1 ? "" : "s");
}

static void print_nine_names(AmphiSink *sink, const char *first, const char *prefix,
                             const char *unit)
{
    amphi_sink_print(sink, "%s", first);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            amphi_sink_print(sink, "\t%s%c%c%s", prefix, axes[a], axes[b], unit);
    amphi_sink_print(sink, "\n");
}

static void print_nine(AmphiSink *sink, const double t[3][3])
{
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            amphi_sink_print(sink, "\t%.17g", t[a][b]);
    amphi_sink_print(sink, "\n");
}

static void print_energies(AmphiSink *sink, const AmphiFrame *frame)
{
    double total[3][3];

    print_nine_names(sink, "term\tenergy_kJ_mol", "virial_", "_kJ_mol");
    for (int slot = 0; slot < AMPHI_TERMS; slot++) {
        amphi_sink_print(sink, "%s\t%.17g", amphi_term_name((AmphiTermSlot)slot),
                         frame->term_kJ_mol[slot]);
        print_nine(sink, frame->term_virial_kJ_mol[slot]);
    }
    tool_total_virial(frame, total);
    amphi_sink_print(sink, "total\t%.17g", tool_total_energy(frame));
    print_nine(sink, (const double(*)[3])total);
}

static void print_pressure(AmphiSink *sink, const AmphiFrame *frame)
{
    const ToolPressure p = tool_pressure(frame);

    print_nine_names(sink, "part", "", "_bar");
    amphi_sink_print(sink, "virial");
    print_nine(sink, p.virial_bar);
    amphi_sink_print(sink, "kinetic");
    print_nine(sink, p.kinetic_bar);
    amphi_sink_print(sink, "total");
    print_nine(sink, p.total_bar);
}

static void print_forces(AmphiSink *sink, const AmphiSystem *s, const AmphiFrame *frame)
{
    amphi_sink_print(sink, "bead\ttype\tfx_kJ_mol_nm\tfy_kJ_mol_nm\tfz_kJ_mol_nm\ttx_kJ_mol\t"
                           "ty_kJ_mol\ttz_kJ_mol\n");
    for (int32_t i = 0; i < s->n_beads; i++) {
        const double *const f = frame->force_kJ_mol_nm[i], *const t = frame->torque_kJ_mol[i];

        amphi_sink_print(sink, "%" PRId32 "\t", i + 1);
        amphi_sink_text(sink, s->type[s->bead_type[i]].name);
        amphi_sink_print(sink, "\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\n", f[0], f[1], f[2],
                         t[0], t[1], t[2]);
    }
}

static void print_table(AmphiSink *sink, int which, const AmphiSystem *s, const AmphiFrame *frame,
                        const char *hash, int32_t n_files)
{
    switch (which) {
    case 0:
        print_head(sink, "energy of each term and its virial W_ab = sum d_a F_b, not symmetrised",
                   "kJ/mol", hash, n_files);
        print_energies(sink, frame);
        break;
    case 1:
        print_head(sink, "pressure tensor P_ab = (2 K_ab + W_ab) / V, symmetrised", "bar", hash,
                   n_files);
        print_pressure(sink, frame);
        break;
    default:
        print_head(sink, "force and torque on each bead, in the order of the file, space frame",
                   "kJ/mol/nm and kJ/mol", hash, n_files);
        print_forces(sink, s, frame);
    }
}

AmphiStatus tool_tables_write(const char *folder, const AmphiSystem *system,
                              const AmphiFrame *frame, const char *hash, int32_t n_files,
                              AmphiError *err)
{
    static const char *const name[N_TABLES] = { "energies.tsv", "pressure.tsv", "forces.tsv" };
    char                     path[N_TABLES][AMPHI_PATH_SIZE];
    AmphiSink                sink[N_TABLES];
    AmphiStatus              status = AMPHI_OK;

    for (int k = 0; k < N_TABLES; k++)
        AMPHI_TRY(tool_join(folder, name[k], path[k], err));
    for (int k = 0; k < N_TABLES; k++) {
        amphi_sink_open(&sink[k], path[k]);
        print_table(&sink[k], k, system, frame, hash, n_files);
        amphi_sink_sync(&sink[k]);
        if (status == AMPHI_OK && sink[k].fault.status != AMPHI_OK) {
            status = sink[k].fault.status;
            *err   = sink[k].fault;
        }
    }
    for (int k = 0; k < N_TABLES; k++) {
        if (status != AMPHI_OK)
            amphi_sink_fail(&sink[k], status, "%s", err->text);

        const AmphiStatus closed = amphi_sink_close(&sink[k], status == AMPHI_OK ? err : NULL);
        if (status == AMPHI_OK)
            status = closed;
    }
    return status;
}

/* ---- words ---- */

static const char *words_of(AmphiTermSlot slot)
{
    switch (slot) { /* a slot without words does not compile */
    case AMPHI_LJ:
        return "Lennard-Jones";
    case AMPHI_QQ:
        return "charge-charge";
    case AMPHI_QD:
        return "charge-dipole";
    case AMPHI_DD:
        return "dipole-dipole";
    case AMPHI_STICKY:
        return "sticky";
    case AMPHI_GAY_BERNE:
        return "Gay-Berne";
    case AMPHI_BOND:
        return "bonds";
    case AMPHI_ANGLE:
    case AMPHI_ANGLE_COSINE:
        return "angles";
    case AMPHI_DIPOLE_RESTRAINT:
        return "dipoles held by bonds";
    case AMPHI_BOND_AXIS:
        return "axes held by bonds";
    case AMPHI_POSITION_RESTRAINT:
        return "beads held in place";
    case AMPHI_TERMS:
        break;
    }
    return "";
}

const char *tool_term_words(const char *column)
{
    for (int slot = 0; slot < AMPHI_TERMS; slot++)
        if (strcmp(column, amphi_term_name((AmphiTermSlot)slot)) == 0)
            return words_of((AmphiTermSlot)slot);
    return strcmp(column, "potential") == 0 ? "potential, all terms" : column;
}
