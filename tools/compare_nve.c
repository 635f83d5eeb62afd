/* NVE: the drift of the energy in each mode, and when its trajectory diverges from the base's. */
#include <math.h>

#include "../engine/units.h"
#include "compare.h"
#include "compare_figures.h"

static const double parted_nm[2] = { 0.01, 0.1 };

enum { ENERGY, TOTAL, POTENTIAL, TEMPERATURE, PARTING, SERIES };

typedef struct {
    Compare      *c;
    CompareCurve *curve[SERIES];
    int64_t       seen[COMPARE_MODES];       /* samples of each mode */
    double        sum_before[COMPARE_MODES]; /* of the conserved energy, over every step so far */
    int64_t       count_before[COMPARE_MODES];
    int64_t       n_told[COMPARE_MODES];
    double        freedom, spacing_ps;
    bool          parts; /* is any trajectory still to part? */
    CompareFlight flight;
} Nve;

/* ---- seeing ---- */

/* Root of the mean squared distance of beads, to the nearest image. */
static double distance_of(const AmphiFrame *a, const AmphiFrame *b, int32_t n)
{
    double sum = 0;

    for (int32_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            const double d = a->position_nm[i][k] - b->position_nm[i][k];
            const double x = d - b->box_nm[k] * floor(d / b->box_nm[k] + 0.5);

            sum += x * x;
        }
    return sqrt(sum / n);
}

/* The mean of every step since the last sample belongs to the middle of those steps; the first
 * sample has no such mean. */
static double energy_of(Nve *s, int32_t k, const AmphiFrame *f)
{
    const int64_t steps = f->conserved_count - s->count_before[k];
    const double  sum   = f->conserved_sum_kJ_mol - s->sum_before[k];

    s->count_before[k] = f->conserved_count;
    s->sum_before[k]   = f->conserved_sum_kJ_mol;
    if (s->n_told[k]++ == 0)
        return (double)NAN;
    return steps > 0 ? sum / (double)steps : f->conserved_kJ_mol;
}

static void see_mode(Nve *s, int32_t k, int64_t sample)
{
    const AmphiFrame *const f    = &s->c->mode[k].frame;
    const AmphiFrame *const base = s->c->base >= 0 ? &s->c->mode[s->c->base].frame : NULL;
    const double            K    = f->translation.half + f->rotation.half;

    s->freedom                          = (double)(f->freedom[0] + f->freedom[1]);
    s->curve[ENERGY]->y[k][sample]      = energy_of(s, k, f);
    s->curve[TOTAL]->y[k][sample]       = compare_total(f);
    s->curve[POTENTIAL]->y[k][sample]   = compare_potential(f);
    s->curve[TEMPERATURE]->y[k][sample] = 2 * K / (AMPHI_BOLTZMANN * s->freedom);
    s->seen[k]                          = sample + 1;
    if (!s->parts || base == NULL || s->c->mode[s->c->base].is_lost || k == s->c->base)
        return;
    s->curve[PARTING]->y[k][sample] = distance_of(f, base, s->c->system.n_beads);
}

/* Positions are asked for only until the last trajectory has parted. */
static AmphiStatus see(void *user, int64_t sample, AmphiError *err)
{
    Nve *const    s       = user;
    const int64_t first   = sample * s->flight.every;
    const double  dt_ps   = s->flight.stage->dt_ps;
    bool          is_near = false;

    (void)err;
    for (int k = 0; k < SERIES; k++)
        s->curve[k]->x[sample] = (double)first * dt_ps;
    if (sample > 0)
        s->curve[ENERGY]->x[sample] -= 0.5 * (double)(s->flight.every - 1) * dt_ps;
    for (int32_t k = 0; k < s->c->n_modes; k++) {
        if (s->c->mode[k].is_lost)
            continue;
        see_mode(s, k, sample);
        if (k != s->c->base && !(s->curve[PARTING]->y[k][sample] > parted_nm[1]))
            is_near = true;
    }
    s->parts        = s->parts && is_near;
    s->flight.needs = AMPHI_NEED_NUMBERS | AMPHI_NEED_POTENTIAL |
                      (s->parts ? AMPHI_NEED_POSITIONS | AMPHI_NEED_FORCES : 0);
    return AMPHI_OK;
}

/* ---- what came of it ---- */

/* Nothing is told of a mode that was lost on the way: its last samples may be anything. */

static bool any_known(const double value[COMPARE_MODES])
{
    for (int k = 0; k < COMPARE_MODES; k++)
        if (isfinite(value[k]))
            return true;
    return false;
}

/* The first sample is left out: it is no mean. */
static AmphiStatus add_drift(Nve *s, AmphiError *err)
{
    const int64_t most = s->flight.n_seen;
    double *const rest = AMPHI_TAKE(s->c->report->arena, double, most + 1);
    double slope[COMPARE_MODES], error[COMPARE_MODES], walk[COMPARE_MODES], rms[COMPARE_MODES];
    CompareCurve *steps;
    int64_t       n_lags = 0;

    compare_unknown(slope);
    compare_unknown(error);
    compare_unknown(walk);
    compare_unknown(rms);
    for (int64_t lag = 1; 4 * lag < most; lag *= 2)
        n_lags++;
    steps = compare_add_curve(s->c->report, "nve-walk",
                              "mean square change of the conserved energy, less its line, by lag: "
                              "flat for noise, growing for a random walk",
                              "lag_ps", "mean square change", "(kJ/mol)^2", n_lags);
    if (rest == NULL || steps == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for the drift");
    steps->is_log = true;
    for (int32_t k = 0; k < s->c->n_modes; k++) {
        if (s->c->mode[k].is_lost)
            continue;
        const int64_t     n  = s->seen[k] - 1;
        const double      kT = AMPHI_BOLTZMANN * compare_mean(s->curve[TEMPERATURE]->y[k], n).mean;
        const double      unit = kT * s->freedom;
        const CompareLine line = compare_line(s->curve[ENERGY]->y[k] + 1, n, s->spacing_ps, rest);

        slope[k] = 1e3 * line.slope / unit;
        error[k] = 1e3 * line.error / unit;
        walk[k]  = sqrt(1e3 * line.walk) / unit;
        rms[k]   = line.rms;
        for (int64_t i = 0, lag = 1; i < n_lags; i++, lag *= 2) {
            steps->x[i]    = (double)lag * s->spacing_ps;
            steps->y[k][i] = compare_increment(rest, n, lag);
        }
    }
    compare_add_row(s->c->report, "drift of the conserved energy", "kT/ns/dof", COMPARE_SIGNED, 2,
                    slope);
    compare_add_row(s->c->report, "drift, standard error", "kT/ns/dof", COMPARE_POWER, 1, error);
    compare_add_row(s->c->report, "random walk after 1 ns", "kT/dof", COMPARE_POWER, 1, walk);
    compare_add_row(s->c->report, "rms about the line", "kJ/mol", COMPARE_SHORT, 3, rms);
    if (!any_known(slope))
        compare_add_remark(s->c->report,
                           "too short to tell a drift: --length makes the runs longer");
    return AMPHI_OK;
}

static void add_energies(Nve *s)
{
    const double n = s->c->system.n_beads;
    double total[COMPARE_MODES], spread[COMPARE_MODES], away[COMPARE_MODES], heat[COMPARE_MODES];

    compare_unknown(total);
    compare_unknown(spread);
    compare_unknown(away);
    compare_unknown(heat);
    for (int32_t k = 0; k < s->c->n_modes; k++) {
        if (s->c->mode[k].is_lost)
            continue;
        const CompareMean m = compare_mean(s->curve[TOTAL]->y[k], s->seen[k]);

        total[k]  = m.mean / n;
        spread[k] = m.deviation / n;
        heat[k]   = compare_mean(s->curve[TEMPERATURE]->y[k], s->seen[k]).mean;
    }
    for (int32_t k = 0; k < s->c->n_modes && s->c->base >= 0; k++)
        if (k != s->c->base)
            away[k] = 100 * (total[k] - total[s->c->base]) / fabs(total[s->c->base]);
    compare_add_row(s->c->report, "total energy a bead, mean", "kJ/mol", COMPARE_POINT, 6, total);
    compare_add_row(s->c->report, "total energy a bead, deviation", "kJ/mol", COMPARE_POWER, 2,
                    spread);
    compare_add_row(s->c->report, "total energy, away from the base", "%", COMPARE_SIGNED, 1, away);
    compare_add_row(s->c->report, "temperature, mean", "K", COMPARE_POINT, 2, heat);
}

static void add_parting(Nve *s)
{
    const CompareCurve *const p = s->curve[PARTING];
    double                    when[2][COMPARE_MODES], early[COMPARE_MODES];
    char                      label[96];

    compare_unknown(when[0]);
    compare_unknown(when[1]);
    compare_unknown(early);
    for (int32_t k = 0; k < s->c->n_modes; k++)
        for (int64_t i = s->seen[k] - 1; i >= 0 && !s->c->mode[k].is_lost; i--) {
            if (p->x[i] >= 1 - 1e-9 && p->x[i] < 1 + s->spacing_ps * (1 - 1e-9))
                early[k] = p->y[k][i];
            for (int j = 0; j < 2; j++)
                if (p->y[k][i] >= parted_nm[j])
                    when[j][k] = p->x[i];
        }
    compare_add_row(s->c->report, "rms distance after 1 ps", "nm", COMPARE_POWER, 2, early);
    for (int j = 0; j < 2; j++) {
        snprintf(label, sizeof label, "rms distance passes %g nm after", parted_nm[j]);
        compare_add_row(s->c->report, label, "ps", COMPARE_SHORT, 4, when[j]);
    }
}

/* Do bodies turn, and one of the modes turns them in whole numbers? */
static bool turns_in_fixed(const Compare *c)
{
    bool turns = false, is_fixed = false;

    for (int32_t t = 0; t < c->system.n_types; t++)
        turns |= c->system.type[t].rotor != AMPHI_POINT;
    for (int32_t k = 0; k < c->n_modes; k++)
        is_fixed |= c->mode[k].backend->precision == AMPHI_FIXED;
    return turns && is_fixed;
}

static AmphiStatus report(Nve *s, AmphiError *err)
{
    char about[600];

    for (int k = 0; k < SERIES; k++)
        s->curve[k]->n = s->flight.n_seen;
    snprintf(about, sizeof about,
             "%.6g ps at %g fs without thermostat and barostat. The drift is the slope of a line "
             "through the conserved energy, which is averaged over every step of each %.3g ps; its "
             "error is from 20 blocks and counts what still correlates between them. The random "
             "walk is what the energy would gain in 1 ns beside that, from how its changes grow "
             "with their lag. The base: %s.",
             (double)((s->flight.n_seen - 1) * s->flight.every) * s->flight.stage->dt_ps,
             1e3 * s->flight.stage->dt_ps, s->spacing_ps,
             s->c->base >= 0 ? s->c->report->base : "none");
    compare_add_part(s->c->report, "nve", "Energy that is kept (NVE)", about);
    AMPHI_TRY(add_drift(s, err));
    add_energies(s);
    if (s->c->base < 0)
        return AMPHI_OK;
    snprintf(about, sizeof about,
             "The same runs: how far the beads are from where %s has them at the same step. "
             "A dash: not within the run.%s",
             s->c->report->base,
             turns_in_fixed(s->c)
                 ? " Fixed turns bodies by rotations that can be undone to the bit. They differ "
                   "from those of the others by the third power of the time step, which is more "
                   "than what rounding does: so it parts sooner."
                 : "");
    compare_add_part(s->c->report, "parting", "When trajectories part", about);
    add_parting(s);
    return AMPHI_OK;
}

static AmphiStatus take_curves(Nve *s, AmphiError *err)
{
    static const char *const text[SERIES][4] = {
        { "nve-conserved",
          "NVE: conserved energy, each point the mean of every step since the last",
          "conserved energy", "kJ/mol" },
        { "nve-total", "NVE: potential and kinetic energy of single steps", "total energy",
          "kJ/mol" },
        { "nve-potential", "NVE: potential energy of single steps", "potential energy", "kJ/mol" },
        { "nve-temperature", "NVE: temperature of single steps", "temperature", "K" },
        { "parting", "rms distance of the beads from those of the base at the same step",
          "rms distance", "nm" },
    };

    for (int k = 0; k < SERIES; k++) {
        s->curve[k] = compare_add_curve(s->c->report, text[k][0], text[k][1], "time_ps", text[k][2],
                                        text[k][3], s->flight.n_samples);
        if (s->curve[k] == NULL)
            return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d modes of %lld samples",
                              (int)s->c->n_modes, (long long)s->flight.n_samples);
    }
    s->curve[ENERGY]->is_change  = true;
    s->curve[TOTAL]->is_change   = true;
    s->curve[PARTING]->has_log_y = true;
    return AMPHI_OK;
}

AmphiStatus compare_nve(Compare *c, AmphiError *err)
{
    Nve s    = { .c = c, .parts = c->base >= 0 };
    s.flight = (CompareFlight){ .c     = c,
                                .part  = "nve",
                                .stage = &c->nve,
                                .needs = AMPHI_NEED_NUMBERS | AMPHI_NEED_POTENTIAL |
                                         AMPHI_NEED_POSITIONS | AMPHI_NEED_FORCES,
                                .see  = see,
                                .user = &s };
    compare_plan_flight(&s.flight, c->length_ps);
    s.spacing_ps = (double)s.flight.every * c->nve.dt_ps;
    AMPHI_TRY(take_curves(&s, err));
    AMPHI_TRY(compare_fly(&s.flight, err));
    return s.flight.n_seen > 0 ? report(&s, err) : AMPHI_OK;
}
