/* A membrane without tension, under tension, and at a constant area: how far it stretches, how its
 * area fluctuates, and what it pulls with must be one modulus. */
#include <math.h>
#include <stdlib.h>

#include "../../engine/units.h"
#include "cases.h"

/* Of jobs/tension.xml: what its stages hold, and from when to when they have settled, ps. */
enum { SEEDS = 4 };
#define TENSION       30. /* mN/m */
#define TEMPERATURE_K 303.

static const double is_free[2] = { 5050, 18050 }, is_stretched[2] = { 20050, 32050 },
                    is_held[2] = { 32550, 42050 };

/* What one seed found; areas nm^2, tensions and moduli mN/m. */
typedef struct {
    Figure area_free, area_stretched, tension_free, tension_stretched, tension_held, normal_held;
    double variance, area_held, area_held_spread;
} Membrane;

/* Of the rows of a span: the column, and how many there are. */
static double *take(const Table *t, const char *column, const double span[2], int64_t *n)
{
    double *const x  = table_take(t, column, "time_ps", span[0], n);
    double *const at = table_take(t, "time_ps", "time_ps", span[0], n);

    while (*n > 0 && at[*n - 1] > span[1] + 1e-6)
        --*n;
    free(at);
    return x;
}

static Figure mean_in(const Table *t, const char *column, const double span[2], double *variance)
{
    int64_t       n;
    double *const x       = take(t, column, span, &n);
    const Figure  mean    = figure_mean(x, n);
    double        squares = 0;

    for (int64_t k = 0; k < n; k++)
        squares += (x[k] - mean.value) * (x[k] - mean.value);
    if (variance != NULL)
        *variance = squares / (double)n;
    free(x);
    return mean;
}

/* L_z (P_zz - (P_xx + P_yy)/2); 1 bar nm is 0.1 mN/m. */
static Figure tension_in(const Table *energy, const double span[2])
{
    static const char *const column[] = { "pressure_xx", "pressure_yy", "pressure_zz", "box_z" };
    double                  *x[4];
    int64_t                  n = 0;

    for (int c = 0; c < 4; c++)
        x[c] = take(energy, column[c], span, &n);
    for (int64_t k = 0; k < n; k++)
        x[0][k] = 0.1 * x[3][k] * (x[2][k] - 0.5 * (x[0][k] + x[1][k]));
    const Figure mean = figure_mean(x[0], n);
    for (int c = 0; c < 4; c++)
        free(x[c]);
    return mean;
}

static bool read_membrane(Tally *tally, const char *folder, int seed, Membrane *m)
{
    char   name[64], path[64];
    double spread;

    snprintf(name, sizeof name, "tension, seed %d", seed);
    snprintf(path, sizeof path, "tension-%d.run/area.tsv", seed);
    Table *const area = open_run(tally, name, folder, path);
    snprintf(path, sizeof path, "tension-%d.run/energy.tsv", seed);
    Table *const energy   = area != NULL ? open_run(tally, name, folder, path) : NULL;
    const bool   is_there = energy != NULL;

    if (is_there) {
        m->area_free         = mean_in(area, "box_area_nm2", is_free, &m->variance);
        m->area_stretched    = mean_in(area, "box_area_nm2", is_stretched, NULL);
        m->area_held         = mean_in(area, "box_area_nm2", is_held, &spread).value;
        m->area_held_spread  = sqrt(spread);
        m->tension_free      = tension_in(energy, is_free);
        m->tension_stretched = tension_in(energy, is_stretched);
        m->tension_held      = tension_in(energy, is_held);
        m->normal_held       = mean_in(energy, "pressure_zz", is_held, NULL);
        judge_length(tally, name, energy, "time_ps", is_held[0], is_held[1] - is_held[0] - 10);
    }
    table_free(area);
    table_free(energy);
    return is_there;
}

/* Of as many numbers as there are seeds, with the error by which they scatter. */
static Figure mean_of_seeds(const double x[SEEDS])
{
    double mean = 0, squares = 0;

    for (int s = 0; s < SEEDS; s++)
        mean += x[s] / SEEDS;
    for (int s = 0; s < SEEDS; s++)
        squares += (x[s] - mean) * (x[s] - mean);
    return (Figure){ mean, sqrt(squares / (SEEDS * (SEEDS - 1))) };
}

static Figure mean_of_figures(const Figure x[SEEDS])
{
    Figure mean = { 0, 0 };

    for (int s = 0; s < SEEDS; s++) {
        mean.value += x[s].value / SEEDS;
        mean.error = hypot(mean.error, x[s].error / SEEDS);
    }
    return mean;
}

static Figure less(Figure figure, double what)
{
    return (Figure){ figure.value - what, figure.error };
}

/* All seeds know the area without tension, and the modulus by which tension stretches it. At a
 * constant area the membrane pulls as that tells. */
static void judge_moduli(Tally *tally, const Membrane m[SEEDS])
{
    const double kT = AMPHI_BOLTZMANN * TEMPERATURE_K / (10 * AMPHI_BAR); /* nm^2 mN/m */
    double       by_fluctuation[SEEDS], by_tension[SEEDS], pulls[SEEDS], area[SEEDS];

    for (int s = 0; s < SEEDS; s++) {
        by_fluctuation[s] = kT * m[s].area_free.value / m[s].variance;
        by_tension[s]     = TENSION / (m[s].area_stretched.value / m[s].area_free.value - 1);
        area[s]           = m[s].area_free.value;
    }
    const Figure fluctuates = mean_of_seeds(by_fluctuation), stretches = mean_of_seeds(by_tension);
    const Figure free_area = mean_of_seeds(area);

    for (int s = 0; s < SEEDS; s++)
        pulls[s] =
            m[s].tension_held.value - stretches.value * (m[s].area_held / free_area.value - 1);
    judge_note(tally, "area modulus by fluctuation, mN/m", fluctuates);
    judge_note(tally, "area modulus by tension, mN/m", stretches);
    judge_zero(tally, "area modulus, by fluctuation over by tension, less 1",
               less(figure_ratio(fluctuates, stretches), 1), 3, 0.25);
    judge_zero(tally, "constant area, tension less that by the modulus, mN/m", mean_of_seeds(pulls),
               3, 4);
}

void judge_tension(Tally *tally, const char *folder)
{
    Membrane m[SEEDS];
    Figure   none[SEEDS], held[SEEDS], normal[SEEDS];
    double   spread = 0;

    for (int s = 0; s < SEEDS; s++) {
        if (!read_membrane(tally, folder, s + 1, &m[s]))
            return;
        none[s]   = m[s].tension_free;
        held[s]   = m[s].tension_stretched;
        normal[s] = m[s].normal_held;
        spread    = fmax(spread, m[s].area_held_spread);
    }
    judge_zero(tally, "no tension, tension mN/m", mean_of_figures(none), 3, 3);
    judge_zero(tally, "30 mN/m, tension less that, mN/m", less(mean_of_figures(held), TENSION), 3,
               3);
    judge_moduli(tally, m);
    judge_zero(tally, "constant area, normal pressure less 1 bar, bar",
               less(mean_of_figures(normal), 1), 3, 4);
    judge_that(tally, "constant area, the area stands still", spread < 1e-9, "it moves");
}
