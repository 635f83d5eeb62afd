/* Liquids: SSD water at a density, ELBA water at a pressure, and those that the wells of B08o are
 * fitted to. */
#include <math.h>
#include <stdlib.h>

#include "cases.h"

enum { MEASURED = 4 }; /* the stage: minimise, warm, settle, measure */

/* ---- SSD/RF and SSD/E ---- */

/* Bars at 298 K; a width of 0: no bar, the figure is only shown. Energies of a molecule. */
typedef struct {
    const char *name, *folder;
    int32_t     n_molecules;
    double      energy[2], diffusion[2];         /* kJ/mol, 1e-5 cm^2/s: value, width */
    double      first[2], minimum[2], second[2]; /* of g(r): nm, height */
} Water;

/* Energies and diffusion: the bars for this treatment (Lennard-Jones with shifted force at 0.9 nm,
 * the dipole part switched off from 0.855 nm). SSD/E has no bar of its own for its diffusion. */
static const Water waters[] = {
    { "SSD/RF 256",
      "water-ssd-rf-256.run",
      256,
      { -42.3, 0.15 },
      { 2.2, 0.2 },
      { 0.275, 2.69 },
      { 0.335, 0.84 },
      { 0.495, 1.12 } },
    { "SSD/RF 2048",
      "water-ssd-rf-2048.run",
      2048,
      { -42.3, 0.15 },
      { 2.4, 0.2 },
      { 0.275, 2.69 },
      { 0.335, 0.84 },
      { 0.495, 1.12 } },
    { "SSD/E 256",
      "water-ssd-e-256.run",
      256,
      { -40.3, 0.2 },
      { 0, 0 },
      { 0.275, 2.70 },
      { 0.345, 0.89 },
      { 0.505, 1.11 } },
    { "SSD/E 2048",
      "water-ssd-e-2048.run",
      2048,
      { -40.3, 0.2 },
      { 0, 0 },
      { 0.275, 2.70 },
      { 0.345, 0.89 },
      { 0.505, 1.11 } },
};

#define WANTED_K     298.0
#define SLOPE_KJ_MOL 0.075 /* of the potential energy a molecule, for each K */

/* Each line is corrected by its own temperature: energy that the thermostat gave shows in both. */
static void judge_energy(Tally *tally, const Water *w, const Table *t)
{
    int64_t       n;
    double *const u   = table_take(t, "potential", "stage", MEASURED, &n);
    double *const hot = table_take(t, "temperature", "stage", MEASURED, &n);

    for (int64_t k = 0; k < n; k++)
        u[k] = u[k] / w->n_molecules + SLOPE_KJ_MOL * (WANTED_K - hot[k]);
    judge_note(tally, called(w->name, "temperature K"), figure_mean(hot, n));
    judge_within(tally, called(w->name, "U/N kJ/mol at 298 K"), figure_mean(u, n),
                 w->energy[0] - w->energy[1], w->energy[0] + w->energy[1]);
    judge_note(tally, called(w->name, "pressure bar"), mean_of(t, "pressure", "stage", MEASURED));
    free(u);
    free(hot);
}

/* Half-step temperatures of translation and rotation. */
static void judge_partition(Tally *tally, const Water *w, const Table *t)
{
    int64_t       n;
    double *const shift = table_take(t, "temperature_translation", "stage", MEASURED, &n);
    double *const turn  = table_take(t, "temperature_rotation", "stage", MEASURED, &n);

    for (int64_t k = 0; k < n; k++)
        shift[k] -= turn[k];
    judge_zero(tally, called(w->name, "T of translation less T of rotation, K"),
               figure_mean(shift, n), 3, 1);
    free(shift);
    free(turn);
}

static void judge_diffusion(Tally *tally, const Water *w, const char *path)
{
    FILE *const file = fopen(path, "r");
    char        line[256];
    Figure      d = { (double)NAN, (double)NAN };

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "# D_1e-5_cm2_s: %lf +- %lf", &d.value, &d.error) == 2)
            break;
    if (file != NULL)
        fclose(file);
    if (w->diffusion[1] > 0)
        judge_within(tally, called(w->name, "D 1e-5 cm^2/s"), d, w->diffusion[0] - w->diffusion[1],
                     w->diffusion[0] + w->diffusion[1]);
    else
        judge_note(tally, called(w->name, "D 1e-5 cm^2/s"), d);
}

/* The mean over the shell of 0.01 nm about `place`, with the error of its shells taken together. */
static Figure shell_mean(const Table *t, double place)
{
    int64_t       n;
    double *const r    = table_take(t, "r_nm", "r_nm", 0, &n);
    double *const g    = table_take(t, "g", "r_nm", 0, &n);
    double *const e    = table_take(t, "error", "r_nm", 0, &n);
    Figure        mean = { 0, 0 };
    double        all  = 0;

    for (int64_t k = 0; k < n; k++)
        if (fabs(r[k] - place) < 0.005) {
            mean.value += r[k] * r[k] * g[k];
            mean.error += r[k] * r[k] * e[k];
            all += r[k] * r[k];
        }
    free(r);
    free(g);
    free(e);
    return figure_scaled(mean, 1 / all);
}

/* The error of a shell's height in the figures to compare with, from 256 molecules in some 180 ps:
 * that of two such runs of ours, whose second maximum of SSD/E lay in different shells. */
#define SOURCE_ERROR 0.0025

/* Cannot be told: by two errors, of ours and of the source. */
double water_extreme_shell(const Table *t, double place, int sign)
{
    enum { SIDE = 5 };
    Figure shell[2 * SIDE + 1];
    int    top = 0, nearest = -1;

    for (int k = 0; k <= 2 * SIDE; k++) {
        shell[k] = shell_mean(t, place + 0.01 * (k - SIDE));
        if (sign * shell[k].value > sign * shell[top].value)
            top = k;
    }
    for (int k = 0; k <= 2 * SIDE; k++) {
        const double error      = hypot(hypot(shell[k].error, shell[top].error), SOURCE_ERROR);
        const bool   is_as_high = fabs(shell[k].value - shell[top].value) <= 2 * error;

        if (is_as_high && (nearest < 0 || abs(k - SIDE) < abs(nearest - SIDE)))
            nearest = k;
    }
    return place + 0.01 * (nearest - SIDE);
}

/* The extremum within 0.05 nm of where it should be. The figures to compare with are from shells of
 * 0.01 nm: so are the place, the middle of a shell, and the height that are held to them. `reach`:
 * of the parabola, which tells more. */
static void judge_extremum(Tally *tally, const Water *w, const Table *t, const char *what,
                           const double *bar, int sign, double reach)
{
    const double  range[2] = { bar[0] - 0.05, bar[0] + 0.05 };
    int64_t       n;
    double *const r     = table_take(t, "r_nm", "r_nm", 0, &n);
    double *const g     = table_take(t, "g", "r_nm", 0, &n);
    double        place = (double)NAN, height = (double)NAN;
    char          text[2][64];

    figure_peak(r, g, n, range, sign, reach, &place, &height);
    snprintf(text[0], sizeof text[0], "%s of g(r), nm", what);
    snprintf(text[1], sizeof text[1], "%s of g(r), height", what);
    judge_within(tally, called(w->name, text[0]),
                 (Figure){ water_extreme_shell(t, bar[0], sign), 0 }, bar[0] - 0.005,
                 bar[0] + 0.005);
    judge_note(tally, called(w->name, "the same, of the parabola"), (Figure){ place, 0 });
    judge_within(tally, called(w->name, text[1]), shell_mean(t, bar[0]), 0.97 * bar[1],
                 1.03 * bar[1]);
    judge_note(tally, called(w->name, "the same, of the parabola"), (Figure){ height, 0 });
    free(r);
    free(g);
}

static void judge_structure(Tally *tally, const Water *w, const char *path)
{
    Table *const t = table_read(path);

    if (t == NULL) {
        judge_skip(tally, called(w->name, "g(r)"), path);
        return;
    }
    judge_extremum(tally, w, t, "first maximum", w->first, 1, 0.0075);
    judge_extremum(tally, w, t, "first minimum", w->minimum, -1, 0.02);
    judge_extremum(tally, w, t, "second maximum", w->second, 1, 0.04);
    table_free(t);
}

void judge_water(Tally *tally, const char *folder)
{
    for (size_t k = 0; k < sizeof waters / sizeof *waters; k++) {
        const Water *const w = &waters[k];
        char               in[4096];

        snprintf(in, sizeof in, "%s/%s", folder, w->folder);
        Table *const t = open_run(tally, w->name, in, "energy.tsv");

        if (t == NULL)
            continue;
        judge_length(tally, w->name, t, "stage", MEASURED, 199);
        judge_energy(tally, w, t);
        judge_partition(tally, w, t);
        judge_diffusion(tally, w, path_in(in, "diffusion.tsv"));
        judge_structure(tally, w, path_in(in, "rdf.tsv"));
        table_free(t);
    }
}

/* ---- ELBA water ---- */

#define DALTON_NM3 1.66053906660e-3 /* g/cm^3 */

/* Of a cube that holds so much; g/cm^3. */
static Figure density_of(const Table *t, double mass_u)
{
    int64_t       n;
    double *const x = table_take(t, "box_x", "stage", MEASURED, &n);

    for (int64_t k = 0; k < n; k++)
        x[k] = mass_u * DALTON_NM3 / (x[k] * x[k] * x[k]);
    const Figure f = figure_mean(x, n);
    free(x);
    return f;
}

/* What the temperature would be called from full-step velocities. */
static Figure full_step_heat(const Table *t)
{
    const Figure half = mean_of(t, "kinetic_half", "stage", MEASURED);
    const Figure full = mean_of(t, "kinetic_full", "stage", MEASURED);

    return figure_scaled(mean_of(t, "temperature", "stage", MEASURED), full.value / half.value);
}

/* One bar for all: the density with full-step velocities at 10 fs is the published one, and that
 * with half-step velocities, which should not depend on the time step, is held to it too. */
void judge_elba_water(Tally *tally, const char *folder)
{
    static const struct {
        const char *name, *path;
    } run[3] = {
        { "ELBA water 18.0153 u, 10 fs, full-step 298 K and 1 bar", "elba-water-10fs-full.run" },
        { "ELBA water 18.0153 u, 10 fs, half-step 298 K and 1 bar", "elba-water-10fs.run" },
        { "ELBA water 18.0153 u, 5 fs, half-step 298 K and 1 bar", "elba-water-5fs.run" },
    };
    Figure density[3];
    bool   is_there[3] = { false };

    for (int k = 0; k < 3; k++) {
        Table *const t = open_run(tally, run[k].name, path_in(folder, run[k].path), "energy.tsv");

        if (t == NULL)
            continue;
        is_there[k] = true;
        density[k]  = density_of(t, 2048 * 18.0153);
        judge_length(tally, run[k].name, t, "stage", MEASURED, 300);
        judge_within(tally, called(run[k].name, "density g/cm^3"), density[k], 0.995, 1.001);
        judge_note(tally, called(run[k].name, "full-step temperature K"), full_step_heat(t));
        judge_note(tally, called(run[k].name, "temperature K"),
                   mean_of(t, "temperature", "stage", MEASURED));
        judge_note(tally, called(run[k].name, "pressure bar"),
                   mean_of(t, "pressure", "stage", MEASURED));
        judge_note(tally, called(run[k].name, "U/N kJ/mol"),
                   figure_scaled(mean_of(t, "potential", "stage", MEASURED), 1. / 2048));
        table_free(t);
    }
    if (is_there[1] && is_there[2])
        judge_alike(tally, "ELBA water 18.0153 u, density of half steps at 5 fs", density[2],
                    density[1], 0.002);
}

/* ---- the liquids that the wells of B08o are fitted to ---- */

#define CHAINS_U (400 * 5 * 42.)
#define BAR_NM   0.1 /* mN/m */

/* Of each of two faces across z, mN/m, from pressures in bar and the edge in nm: L_z/2 times the
 * pressure across less that along (Kirkwood and Buff, J. Chem. Phys. 17, 338 (1949)). */
static Figure tension_of(const Table *t)
{
    int64_t       n;
    double *const along_x = table_take(t, "pressure_xx", "stage", MEASURED, &n);
    double *const along_y = table_take(t, "pressure_yy", "stage", MEASURED, &n);
    double *const across  = table_take(t, "pressure_zz", "stage", MEASURED, &n);
    double *const edge    = table_take(t, "box_z", "stage", MEASURED, &n);

    for (int64_t k = 0; k < n; k++)
        across[k] = BAR_NM * edge[k] / 2 * (across[k] - (along_x[k] + along_y[k]) / 2);
    const Figure f = figure_mean(across, n);
    free(along_x);
    free(along_y);
    free(across);
    free(edge);
    return f;
}

/* Hexadecane at 298 K, experiment: 0.770 g/cm^3, and some 52 mN/m against water. */
void judge_b08o_parts(Tally *tally, const char *folder)
{
    Table *const chains =
        open_run(tally, "B08o, chains", path_in(folder, "b08o-chains.run"), "energy.tsv");
    Table *const slab =
        open_run(tally, "B08o, slab", path_in(folder, "b08o-slab.run"), "energy.tsv");

    if (chains != NULL) {
        judge_length(tally, "B08o, chains", chains, "stage", MEASURED, 299);
        judge_within(tally, "B08o, chains of five, density g/cm^3", density_of(chains, CHAINS_U),
                     0.755, 0.785);
        judge_note(tally, "B08o, chains of five, temperature K",
                   mean_of(chains, "temperature", "stage", MEASURED));
    }
    if (slab != NULL) {
        judge_length(tally, "B08o, slab", slab, "stage", MEASURED, 599);
        judge_within(tally, "B08o, chains of five against water, tension mN/m", tension_of(slab),
                     47, 57);
        judge_note(tally, "B08o, chains of five against water, temperature K",
                   mean_of(slab, "temperature", "stage", MEASURED));
    }
    table_free(chains);
    table_free(slab);
}
