/* Runs in NVE: how well the energy is kept, and what all cases share. */
#include <math.h>
#include <stdlib.h>

#include "../../engine/units.h"
#include "cases.h"

const char *path_in(const char *folder, const char *path)
{
    static char buffer[4][4096];
    static int  which = 0;

    which = (which + 1) % 4;
    snprintf(buffer[which], sizeof buffer[which], "%s/%s", folder, path);
    return buffer[which];
}

const char *called(const char *name, const char *what)
{
    static char buffer[4][256];
    static int  which = 0;

    which = (which + 1) % 4;
    snprintf(buffer[which], sizeof buffer[which], "%s, %s", name, what);
    return buffer[which];
}

Table *open_run(Tally *tally, const char *name, const char *folder, const char *path)
{
    Table *const t = table_read(path_in(folder, path));

    if (t == NULL)
        judge_skip(tally, name, path_in(folder, path));
    return t;
}

Figure mean_of(const Table *t, const char *column, const char *key, double least)
{
    int64_t       n;
    double *const x = table_take(t, column, key, least, &n);
    const Figure  f = figure_mean(x, n);

    free(x);
    return f;
}

void judge_length(Tally *tally, const char *name, const Table *t, const char *key, double least,
                  double ps)
{
    int64_t       n;
    double *const time = table_take(t, "time_ps", key, least, &n);
    const double  span = n < 2 ? 0 : time[n - 1] - time[0];
    char          text[96];

    snprintf(text, sizeof text, "%.6g ps, at least %.6g", span, ps);
    judge_that(tally, called(name, "measured"), span >= ps, text);
    free(time);
}

void nve_free(Nve *nve)
{
    free(nve->total);
    nve->total = NULL;
}

Nve nve_read(const Table *t)
{
    Nve           nve = { 0 };
    int64_t       n;
    double *const u    = table_take(t, "potential", "stage", 1, &nve.n);
    double *const full = table_take(t, "kinetic_full", "stage", 1, &n);
    double *const half = table_take(t, "kinetic_half", "stage", 1, &n);
    double *const hot  = table_take(t, "temperature", "stage", 1, &n);
    double *const kept = table_take(t, "conserved", "stage", 1, &n);
    double *const time = table_take(t, "time_ps", "stage", 1, &n);

    nve.total = u;
    if (n > 1) {
        const double kT  = AMPHI_BOLTZMANN * figure_mean(hot, n).value;
        const double dof = 2 * half[0] / (AMPHI_BOLTZMANN * hot[0]);

        for (int64_t k = 0; k < n; k++)
            u[k] += full[k];
        nve.spacing_ps  = (time[n - 1] - time[0]) / (double)(n - 1);
        nve.kT_dof      = kT * dof;
        nve.per         = 1000 / nve.kT_dof;
        nve.full        = figure_line(u, n, nve.spacing_ps);
        nve.conserved   = figure_line(kept + 1, n - 1, nve.spacing_ps);
        nve.kinetic_rms = figure_line(full, n, nve.spacing_ps).rms.value;
    }
    free(full);
    free(half);
    free(hot);
    free(kept);
    free(time);
    return nve;
}

Figure nve_slope(const Line *line, const Nve *nve)
{
    return figure_scaled(line->slope, nve->per);
}

double nve_walk(const Nve *nve)
{
    return sqrt(nve->conserved.walk * 1000) / nve->kT_dof;
}

static void show_nve(Tally *tally, const char *name, const Nve *nve)
{
    judge_note(tally, called(name, "random walk, kT/dof after 1 ns"), (Figure){ nve_walk(nve), 0 });
    judge_note(tally, called(name, "slope of U + K_full, kT/ns/dof"), nve_slope(&nve->full, nve));
    judge_note(tally, called(name, "rms of U + K_full about its line, kJ/mol"), nve->full.rms);
    judge_note(tally, called(name, "rms of the conserved energy about its line, kJ/mol"),
               nve->conserved.rms);
}

/* The energy error of a symplectic step goes with its square; steps here differ by 2. */
static void judge_order(Tally *tally, const char *name, const Nve *fine, const Nve *coarse)
{
    judge_within(tally, called(name, "fluctuation ratio of the time steps"),
                 figure_ratio(coarse->full.rms, fine->full.rms), 3.6, 4.4);
}

/* ---- the membrane, and LAMMPS beside it ---- */

enum { KCAL_ROWS = 100 };

/* As long as LAMMPS ran; both have full-step energies at the same spacing of 0.1 ps. */
static void compare_peer(Tally *tally, const char *name, const Nve *nve, const char *folder,
                         const char *log)
{
    Table *const t = table_read_lammps(path_in(folder, log));
    int64_t      n;

    if (t == NULL || t->n_rows < KCAL_ROWS) {
        judge_skip(tally, called(name, "beside LAMMPS"), "no run of LAMMPS");
        table_free(t);
        return;
    }
    double *const total = table_take(t, "v_total", "Step", 0, &n);
    for (int64_t k = 0; k < n; k++)
        total[k] *= AMPHI_KCAL;
    n                       = n < nve->n ? n : nve->n;
    const Line   peer       = figure_line(total, n, nve->spacing_ps);
    const Line   ours       = figure_line(nve->total, n, nve->spacing_ps);
    const Figure peer_slope = nve_slope(&peer, nve), our_slope = nve_slope(&ours, nve);
    const double bound = fabs(peer_slope.value) + 2 * hypot(peer_slope.error, our_slope.error);

    judge_note(tally, called(name, "LAMMPS, slope of U + K_full, kT/ns/dof"), peer_slope);
    judge_note(tally, called(name, "LAMMPS, rms of U + K_full, kJ/mol"), peer.rms);
    judge_within(tally, called(name, "slope of U + K_full not worse than LAMMPS's"),
                 (Figure){ fabs(our_slope.value), 0 }, 0, bound);
    judge_within(tally, called(name, "fluctuation over LAMMPS's"), figure_ratio(ours.rms, peer.rms),
                 0.85, 1.15);
    free(total);
    table_free(t);
}

/* At 5 fs the bound is that of every run in double, at 10 fs what LAMMPS showed on this membrane:
 * -9e-5, and -4e-5 at 5 fs. */
void judge_drift(Tally *tally, const char *folder)
{
    static const struct {
        const char *name, *path, *log;
        double      bound;
    } run[2]   = { { "drift 5 fs", "drift-5fs.run/energy.tsv", "lammps-5fs.log", 2e-6 },
                   { "drift 10 fs", "drift-10fs.run/energy.tsv", "lammps-10fs.log", 9e-5 } };
    Nve nve[2] = { { .n = 0 }, { .n = 0 } };

    for (int k = 0; k < 2; k++) {
        Table *const t = open_run(tally, run[k].name, folder, run[k].path);

        if (t == NULL)
            continue;
        nve[k] = nve_read(t);
        judge_length(tally, run[k].name, t, "stage", 1, 199.9);
        judge_small(tally, called(run[k].name, "slope kT/ns/dof"),
                    nve_slope(&nve[k].conserved, &nve[k]), run[k].bound);
        show_nve(tally, run[k].name, &nve[k]);
        compare_peer(tally, run[k].name, &nve[k], folder, run[k].log);
        table_free(t);
    }
    if (nve[0].n > 0 && nve[1].n > 0)
        judge_order(tally, "drift", &nve[0], &nve[1]);
    nve_free(&nve[0]);
    nve_free(&nve[1]);
}

/* ---- the Gay-Berne fluid ---- */

/* The bound of the slope is that of every run in double. A healthy run has less than 0.02 of the
 * fluctuation of the kinetic energy. */
void judge_gayberne(Tally *tally, const char *folder)
{
    static const char *const name[2] = { "gayberne 1 fs", "gayberne 2 fs" };
    static const char *const path[2] = { "gayberne-1fs.run/energy.tsv",
                                         "gayberne-2fs.run/energy.tsv" };
    Nve                      nve[2]  = { { .n = 0 }, { .n = 0 } };

    for (int k = 0; k < 2; k++) {
        Table *const t = open_run(tally, name[k], folder, path[k]);

        if (t == NULL)
            continue;
        nve[k] = nve_read(t);
        judge_length(tally, name[k], t, "stage", 1, 199.9);
        judge_small(tally, called(name[k], "slope kT/ns/dof"),
                    nve_slope(&nve[k].conserved, &nve[k]), 2e-6);
        judge_small(tally, called(name[k], "rms of U + K_full over that of K"),
                    (Figure){ nve[k].full.rms.value / nve[k].kinetic_rms, 0 }, 0.02);
        show_nve(tally, name[k], &nve[k]);
        table_free(t);
    }
    if (nve[0].n > 0 && nve[1].n > 0)
        judge_order(tally, "gayberne", &nve[0], &nve[1]);
    nve_free(&nve[0]);
    nve_free(&nve[1]);
}
