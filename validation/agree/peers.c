/* Job files for the peers' systems. */
#include "peers.h"

#include <math.h>
#include <string.h>

#include "../../engine/units.h"

/* LAMMPS: 332.06371 kcal A/(mol e^2). */
#define LAMMPS_COULOMB (332.06371 * KCAL * 0.1)
/* OpenMD between dipoles: 14.39325 kcal A^3/(mol D^2), with our debye. */
#define OPENMD_COULOMB (14.39325 * KCAL * 1e-3 / (AMPHI_DEBYE * AMPHI_DEBYE))

typedef struct {
    char  folder[PATH_SIZE];
    FILE *file;
} Draft;

static Draft begin_job(void)
{
    Draft d;

    folder_make(d.folder);
    d.file = folder_create(d.folder, "job.xml");
    fprintf(d.file, "<amphi version=\"1\">\n");
    return d;
}

static AmphiJob *end_job(Draft *d)
{
    AmphiJob *job;

    fprintf(d->file, "</amphi>\n");
    folder_close(d->file);
    job = job_of(d->folder, "job.xml");
    folder_remove(d->folder);
    return job;
}

static void write_box(FILE *out, const double edge[3], const char *unit)
{
    fprintf(out, "<box x=\"%.17g %s\" y=\"%.17g %s\" z=\"%.17g %s\"/>\n", edge[0], unit, edge[1],
            unit, edge[2], unit);
}

/* Two beads in a wide box, to be moved by the scan. */
static void write_two(FILE *out, const char *first, const char *second, double edge_nm)
{
    const double edge[3] = { edge_nm, edge_nm, edge_nm };

    fprintf(out, "<system>");
    write_box(out, edge, "nm");
    fprintf(out,
            "<molecule type=\"%s\" count=\"1\"/><molecule type=\"%s\" count=\"1\"/>\n"
            "<start><beads length=\"nm\">\n%s 1 0 0 0 1 0 0 0\n%s 2 %.17g 0 0 1 0 0 0\n"
            "</beads></start></system>\n",
            first, second, first, second, 0.2 * edge_nm);
}

/* ELBA. */

AmphiJob *peer_elba(const char *peer, const char *molecules, const char *file)
{
    Draft d = begin_job();
    char  gz[PATH_SIZE];

    snprintf(gz, sizeof gz, "%s.gz", file);
    folder_unzip(peer, gz, d.folder, file);
    fprintf(d.file,
            "<forcefield><include href=\"forcefield:elba\"/></forcefield>\n"
            "<system>%s<start>\n"
            "<coordinates file=\"%s\" format=\"lammps-data\" dipoles=\"file\"/></start></system>\n"
            "<interactions><constants coulomb=\"%.17g kJ*nm/mol/e^2\"/></interactions>\n",
            molecules, file, LAMMPS_COULOMB);
    return end_job(&d);
}

/* SSD. */

static void write_ssd_interactions(FILE *out, const char *lj, const char *dipoles)
{
    fprintf(out,
            "<interactions><constants coulomb=\"%.17g kJ*nm/mol/e^2\"/><cutoff distance=\"9 A\"/>\n"
            "<treatment of=\"lennard-jones\" %s/>\n<treatment of=\"dipoles\" %s/>\n"
            "</interactions>\n",
            OPENMD_COULOMB, lj, dipoles);
}

/* Positions, and quaternions that turn the body to space as ours do. */
static void write_ssd_beads(FILE *out, const char *peer, const char *type, int n)
{
    Table *t = table_open(peer, "state.txt");
    int    i = 0;

    fprintf(out, "<molecule type=\"%s\" count=\"%d\"/>\n<start><beads length=\"A\">\n", type, n);
    for (; table_next(t); i++)
        fprintf(out, "%s %d %s %s %s %s %s %s %s\n", type, i + 1, t->word[1], t->word[2],
                t->word[3], t->word[4], t->word[5], t->word[6], t->word[7]);
    fprintf(out, "</beads></start></system>\n");
    table_close(t);
    assert_int_equal(i, n);
}

AmphiJob *peer_ssd_box(const char *peer, const char *type, int n, const char *lj,
                       const char *dipoles)
{
    char  *json = file_text(peer, "energies.json");
    double edge[3];
    Draft  d = begin_job();

    for (int k = 0; k < 3; k++)
        edge[k] = json_element(json, k, "box_A", NULL);
    amphi_release(json);
    fprintf(d.file, "<forcefield><include href=\"forcefield:ssd\"/></forcefield>\n<system>\n");
    write_box(d.file, edge, "A");
    write_ssd_beads(d.file, peer, type, n);
    write_ssd_interactions(d.file, lj, dipoles);
    return end_job(&d);
}

AmphiJob *peer_ssd_pair(const char *type, const char *lj, const char *dipoles)
{
    Draft d = begin_job();

    fprintf(d.file, "<forcefield><include href=\"forcefield:ssd\"/></forcefield>\n");
    write_two(d.file, type, type, 5);
    write_ssd_interactions(d.file, lj, dipoles);
    return end_job(&d);
}

/* Gay-Berne: reduced units as nm, kJ/mol and u. */

static const struct {
    const char *name, *length, *end;
} gb_types[] = { { "GB", "3 nm", "0.2" }, { "GB2", "2 nm", "0.5" }, { "sphere", "1 nm", "1" } };

static const struct {
    const char *pair, *epsilon;
} gb_pairs[] = { { "GB GB", "1.0" },   { "GB GB2", "0.9" },     { "GB sphere", "0.8" },
                 { "GB2 GB2", "1.1" }, { "GB2 sphere", "1.2" }, { "sphere sphere", "1.0" } };

/* Unlike wells in the peer are of the matrix form. */
static void write_gb_types(FILE *out)
{
    fprintf(out, "<forcefield>\n");
    for (size_t k = 0; k < 3; k++)
        fprintf(out,
                "<beadtype name=\"%s\" mass=\"1 u\" inertia=\"0.5 u*nm^2\" breadth=\"1 nm\" "
                "length=\"%s\" side=\"1\" end=\"%s\"/>\n",
                gb_types[k].name, gb_types[k].length, gb_types[k].end);
    for (size_t k = 0; k < sizeof gb_pairs / sizeof gb_pairs[0]; k++)
        fprintf(out,
                "<pair types=\"%s\" potential=\"gay-berne\" epsilon=\"%s kJ/mol\" mu=\"2\" "
                "nu=\"1\" width=\"1\" harmonic-wells=\"yes\"/>\n",
                gb_pairs[k].pair, gb_pairs[k].epsilon);
    for (size_t k = 0; k < 3; k++)
        fprintf(out, "<moleculetype name=\"%s\"><bead id=\"1\" type=\"%s\"/></moleculetype>\n",
                gb_types[k].name, gb_types[k].name);
    fprintf(out, "</forcefield>\n");
}

static void write_gb_interactions(FILE *out, const char *treatment)
{
    fprintf(out,
            "<interactions><cutoff distance=\"4 nm\"/>\n"
            "<treatment of=\"gay-berne\" %s/></interactions>\n",
            treatment);
}

AmphiJob *peer_gay_berne_pair(int first, int second)
{
    Draft d = begin_job();

    write_gb_types(d.file);
    write_two(d.file, gb_types[first - 1].name, gb_types[second - 1].name, 20);
    write_gb_interactions(d.file, "type=\"truncated\"");
    return end_job(&d);
}

AmphiJob *peer_gay_berne_box(const char *peer, const char *treatment)
{
    const double edge[3] = { 2 * 5.975206328700001, 2 * 5.975206328700001, 2 * 5.975206328700001 };
    Table       *t       = table_open(peer, "gb512_state.txt");
    Draft        d       = begin_job();

    write_gb_types(d.file);
    fprintf(d.file, "<system>");
    write_box(d.file, edge, "nm");
    fprintf(d.file, "<molecule type=\"GB\" count=\"512\"/>\n<start><beads length=\"nm\">\n");
    for (int i = 1; table_next(t); i++)
        fprintf(d.file, "GB %d %s %s %s %s %s %s %s\n", i, t->word[2], t->word[3], t->word[4],
                t->word[5], t->word[6], t->word[7], t->word[8]);
    fprintf(d.file, "</beads></start></system>\n");
    table_close(t);
    write_gb_interactions(d.file, treatment);
    return end_job(&d);
}

/* Charges and dipoles. */

enum { N_DIPOLE_TYPES = 5 };

/* sigma and epsilon of the peer's types, and the strengths that their beads have */
static const struct {
    const char *name, *epsilon, *sigma, *strengths;
} dipole_types[N_DIPOLE_TYPES] = {
    { "plus", "1.434", "5.4", "charge=\"0.7 e\"" },
    { "minus", "1.434", "5.2", "charge=\"-0.7 e\"" },
    { "dipole", "0.55", "3.05", "dipole=\"0.5409 e*A\" inertia=\"1 u*nm^2\"" },
    { "neutral", "0.837", "4.5", "" },
    { "both", "0.9", "4.0", "charge=\"0.4 e\" dipole=\"0.5409 e*A\" inertia=\"1 u*nm^2\"" },
};

static const DipoleStyle dipole_styles[N_DIPOLE_STYLES] = {
    { "lj_sf_dipole_sf", "type=\"quadratic-shift\"", "type=\"shifted-factors\"", true },
    { "lj_sf_dipole_sf_split_cut", "type=\"quadratic-shift\" cutoff=\"10 A\"",
      "type=\"shifted-factors\"", false },
    { "lj_cut_dipole_cut", "type=\"truncated\"", "type=\"truncated\"", false },
};

const DipoleStyle *peer_dipole_style(int k)
{
    return &dipole_styles[k];
}

static void write_dipole_pair(FILE *out, int i, int j)
{
    double e[2], s[2];

    assert_int_equal(sscanf(dipole_types[i].epsilon, "%lf", &e[0]) +
                         sscanf(dipole_types[j].epsilon, "%lf", &e[1]) +
                         sscanf(dipole_types[i].sigma, "%lf", &s[0]) +
                         sscanf(dipole_types[j].sigma, "%lf", &s[1]),
                     4);
    fprintf(out,
            "<pair types=\"%s %s\" potential=\"lennard-jones\" epsilon=\"%.17g kcal/mol\" "
            "sigma=\"%.17g A\"/>\n",
            dipole_types[i].name, dipole_types[j].name, i == j ? e[0] : sqrt(e[0] * e[1]),
            (s[0] + s[1]) / 2);
}

static void write_dipole_types(FILE *out, const DipoleStyle *style)
{
    fprintf(out, "<forcefield>\n");
    for (int i = 0; i < N_DIPOLE_TYPES; i++)
        fprintf(out, "<beadtype name=\"%s\" mass=\"40 u\" %s/>\n", dipole_types[i].name,
                dipole_types[i].strengths);
    for (int i = 0; i < N_DIPOLE_TYPES; i++)
        for (int j = i; j < N_DIPOLE_TYPES; j++)
            if (i == j || !style->is_mixed)
                write_dipole_pair(out, i, j);
    if (style->is_mixed)
        fprintf(out, "<mixing potential=\"lennard-jones\" rule=\"lorentz-berthelot\"/>\n");
    for (int i = 0; i < N_DIPOLE_TYPES; i++)
        fprintf(out, "<moleculetype name=\"%s\"><bead id=\"1\" type=\"%s\"/></moleculetype>\n",
                dipole_types[i].name, dipole_types[i].name);
    fprintf(out, "</forcefield>\n");
}

static void write_dipole_interactions(FILE *out, const DipoleStyle *style)
{
    fprintf(
        out,
        "<interactions><constants coulomb=\"%.17g kJ*nm/mol/e^2\"/><cutoff distance=\"12 A\"/>\n"
        "<treatment of=\"lennard-jones\" %s/>\n<treatment of=\"charges dipoles\" %s/>\n"
        "</interactions>\n",
        LAMMPS_COULOMB, style->lj, style->rest);
}

AmphiJob *peer_dipole_pair(const DipoleStyle *style, int first, int second)
{
    Draft d = begin_job();

    write_dipole_types(d.file, style);
    write_two(d.file, dipole_types[first - 1].name, dipole_types[second - 1].name, 6);
    write_dipole_interactions(d.file, style);
    return end_job(&d);
}

/* Beads in the file's order, each run of one type a <molecule>. */
static void write_dipole_molecules(FILE *out, const char *peer)
{
    Table *t    = table_open(peer, "box_state.txt");
    int    last = -1, n = 0;

    while (table_next(t)) {
        const int type = (int)table_number(t, 1) - 1;

        if (type != last && n > 0)
            fprintf(out, "<molecule type=\"%s\" count=\"%d\"/>\n", dipole_types[last].name, n);
        n    = type == last ? n + 1 : 1;
        last = type;
    }
    fprintf(out, "<molecule type=\"%s\" count=\"%d\"/>\n", dipole_types[last].name, n);
    table_close(t);
}

static void write_dipole_beads(FILE *out, const char *peer)
{
    Table *t = table_open(peer, "box_state.txt");

    fprintf(out, "<start><beads length=\"A\" charge=\"e\" dipole=\"e*A\">\n");
    for (int i = 1; table_next(t); i++) {
        double mu[3], q[4];

        table_vector(t, 6, mu);
        turn_to(mu, q);
        fprintf(out, "%s %d %s %s %s %.17g %.17g %.17g %.17g %s %.17g\n",
                dipole_types[(int)table_number(t, 1) - 1].name, i, t->word[2], t->word[3],
                t->word[4], q[0], q[1], q[2], q[3], t->word[5], length_of(mu));
    }
    fprintf(out, "</beads></start>\n");
    table_close(t);
}

AmphiJob *peer_dipole_box(const char *peer, const DipoleStyle *style)
{
    const double edge[3] = { 2 * 23.400000000000002, 2 * 23.400000000000002,
                             2 * 23.400000000000002 };
    Draft        d       = begin_job();

    write_dipole_types(d.file, style);
    fprintf(d.file, "<system>");
    write_box(d.file, edge, "A");
    write_dipole_molecules(d.file, peer);
    write_dipole_beads(d.file, peer);
    fprintf(d.file, "</system>\n");
    write_dipole_interactions(d.file, style);
    return end_job(&d);
}
