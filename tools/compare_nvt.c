/* NVT: temperatures and energies, as in tables 6 and 7 of Shkurti et al. (2013). */
#include <math.h>

#include "../engine/turn.h"
#include "../engine/units.h"
#include "compare.h"
#include "compare_figures.h"
#include "compare_nvt.h"

enum { POTENTIAL, TOTAL, ALL, TRANSLATION, ROTATION, KINDS };
enum { MOST_KINDS = 6, SERIES = KINDS + MOST_KINDS };

typedef struct {
    Compare      *c;
    int32_t       n_series;
    double       *y[SERIES][COMPARE_MODES]; /* [n_samples]; behind KINDS: molecule types */
    double        freedom[SERIES];          /* of molecule types */
    CompareCurve *curve[KINDS];
    int64_t       seen[COMPARE_MODES];
    CompareFlight flight;
} Nvt;

/* ---- molecule types ---- */

/* Mean kinetic energy of the half steps t - dt/2 and t + dt/2, from v(t): that of v(t) plus
 * (dt^2/8) F^2/m. Torques are rotated to the body frame, in which angular momenta are stored. */
static double translation_of(const AmphiBeadType *type, const double v[3], const double f[3],
                             double dt)
{
    double sum = 0;

    for (int a = 0; a < 3; a++)
        sum += type->mass_u * v[a] * v[a] / 2 + dt * dt * f[a] * f[a] / (8 * type->mass_u);
    return sum;
}

static double rotation_of(const AmphiBeadType *type, const double q[4], const double l[3],
                          const double torque[3], double dt)
{
    double sum = 0, t[3];

    if (type->rotor == AMPHI_POINT)
        return 0;
    amphi_turn_back(q, torque, t);
    for (int a = 0; a < 3; a++)
        if (type->inertia_u_nm2[a] > 0)
            sum += (l[a] * l[a] + dt * dt * t[a] * t[a] / 4) / (2 * type->inertia_u_nm2[a]);
    return sum;
}

void compare_kinetic(const AmphiSystem *s, const AmphiFrame *f, double dt_ps, double *kinetic)
{
    for (int32_t m = 0; m < s->n_molecule_types; m++)
        kinetic[m] = 0;
    for (int32_t i = 0; i < s->n_beads; i++) {
        const AmphiBeadType *const type = &s->type[s->bead_type[i]];
        const int32_t              m    = s->molecule[s->bead_molecule[i]].type;

        kinetic[m] +=
            translation_of(type, f->velocity_nm_ps[i], f->force_kJ_mol_nm[i], dt_ps) +
            rotation_of(type, f->orientation[i], f->spin_u_nm2_ps[i], f->torque_kJ_mol[i], dt_ps);
    }
}

static void count_freedom(const AmphiSystem *s, double *freedom)
{
    for (int32_t m = 0; m < s->n_molecule_types; m++)
        freedom[m] = 0;
    for (int32_t i = 0; i < s->n_beads; i++) {
        const AmphiBeadType *const type = &s->type[s->bead_type[i]];
        double *const              to   = &freedom[s->molecule[s->bead_molecule[i]].type];

        *to += 3;
        for (int a = 0; a < 3; a++)
            *to += type->rotor != AMPHI_POINT && type->inertia_u_nm2[a] > 0;
    }
}

/* What the momentum that a group has not takes away belongs to its molecules by their mass. */
static void take_momentum(const AmphiSystem *s, const int32_t *bead, int32_t n, double missing,
                          double *freedom)
{
    double mass = 0;

    for (int32_t i = 0; i < n; i++)
        mass += s->type[s->bead_type[bead != NULL ? bead[i] : i]].mass_u;
    for (int32_t i = 0; i < n; i++) {
        const int32_t b = bead != NULL ? bead[i] : i;

        freedom[s->molecule[s->bead_molecule[b]].type] -=
            missing * s->type[s->bead_type[b]].mass_u / mass;
    }
}

void compare_freedom(const AmphiSystem *s, const AmphiStage *stage, const AmphiFrame *f,
                     double *freedom)
{
    const AmphiThermostat *const t = &stage->thermostat;

    count_freedom(s, freedom);
    if (t->n_groups == 0)
        take_momentum(s, NULL, s->n_beads, 3.0 * s->n_beads - (double)f->freedom[0], freedom);
    for (int32_t g = 0; g < t->n_groups; g++) {
        const AmphiGroup *const group = &s->group[t->group[g]];

        take_momentum(s, group->bead, group->n_beads,
                      3.0 * group->n_beads - (double)f->group_freedom[g][0], freedom);
    }
}

/* ---- seeing ---- */

static double temperature_of(double kinetic, double freedom)
{
    return freedom > 0 ? 2 * kinetic / (AMPHI_BOLTZMANN * freedom) : (double)NAN;
}

static void see_mode(Nvt *s, int32_t k, int64_t sample)
{
    const AmphiFrame *const f = &s->c->mode[k].frame;
    const double            n = s->c->system.n_beads;
    const double            F = (double)f->freedom[0], G = (double)f->freedom[1];
    double                  kinetic[MOST_KINDS] = { 0 };

    s->y[POTENTIAL][k][sample]   = compare_potential(f) / n;
    s->y[TOTAL][k][sample]       = compare_total(f) / n;
    s->y[ALL][k][sample]         = temperature_of(f->translation.half + f->rotation.half, F + G);
    s->y[TRANSLATION][k][sample] = temperature_of(f->translation.half, F);
    s->y[ROTATION][k][sample]    = temperature_of(f->rotation.half, G);
    s->seen[k]                   = sample + 1;
    if (s->n_series == KINDS)
        return;
    if (sample == 0)
        compare_freedom(&s->c->system, s->flight.stage, f, &s->freedom[KINDS]);
    compare_kinetic(&s->c->system, f, s->flight.stage->dt_ps, kinetic);
    for (int32_t m = 0; m < s->n_series - KINDS; m++)
        s->y[KINDS + m][k][sample] = temperature_of(kinetic[m], s->freedom[KINDS + m]);
}

static AmphiStatus see(void *user, int64_t sample, AmphiError *err)
{
    Nvt *const s = user;

    (void)err;
    for (int k = 0; k < KINDS; k++)
        s->curve[k]->x[sample] = (double)(sample * s->flight.every) * s->flight.stage->dt_ps;
    for (int32_t k = 0; k < s->c->n_modes; k++)
        if (!s->c->mode[k].is_lost)
            see_mode(s, k, sample);
    return AMPHI_OK;
}

/* ---- what came of it ---- */

static void add_series(Nvt *s, int32_t which, const char *name)
{
    const bool  is_energy = which == POTENTIAL || which == TOTAL;
    const char *unit      = is_energy ? "kJ/mol" : "K";
    double      mean[COMPARE_MODES], error[COMPARE_MODES], spread[COMPARE_MODES];
    double      away[COMPARE_MODES];
    char        label[128];

    compare_unknown(mean);
    compare_unknown(error);
    compare_unknown(spread);
    compare_unknown(away);
    for (int32_t k = 0; k < s->c->n_modes; k++) {
        if (s->c->mode[k].is_lost) /* its last samples may be anything */
            continue;
        const CompareMean m = compare_mean(s->y[which][k], s->seen[k]);

        mean[k]   = m.mean;
        error[k]  = m.error;
        spread[k] = m.deviation;
    }
    for (int32_t k = 0; k < s->c->n_modes && s->c->base >= 0; k++)
        if (k != s->c->base)
            away[k] = 100 * (mean[k] - mean[s->c->base]) / fabs(mean[s->c->base]);
    snprintf(label, sizeof label, "%.90s, mean", name);
    compare_add_row(s->c->report, label, unit, COMPARE_POINT, is_energy ? 5 : 3, mean);
    snprintf(label, sizeof label, "%.90s, standard error", name);
    compare_add_row(s->c->report, label, unit, COMPARE_SHORT, 2, error);
    snprintf(label, sizeof label, "%.90s, deviation", name);
    compare_add_row(s->c->report, label, unit, COMPARE_POINT, is_energy ? 5 : 3, spread);
    if (is_energy) {
        snprintf(label, sizeof label, "%.90s, away from the base", name);
        compare_add_row(s->c->report, label, "%", COMPARE_SIGNED, 1, away);
    }
}

static void report(Nvt *s)
{
    static const char *const name[KINDS] = { "potential energy a bead", "total energy a bead",
                                             "temperature", "temperature of translation",
                                             "temperature of rotation" };
    char                     about[320], label[96];

    for (int k = 0; k < KINDS; k++)
        s->curve[k]->n = s->flight.n_seen;
    snprintf(about, sizeof about,
             "%.6g ps at %g fs, %g K by the thermostat of the job. Deviation: standard deviation "
             "of single samples %.3g ps "
             "apart. Standard errors are from blocks, and know of correlation.",
             (double)((s->flight.n_seen - 1) * s->flight.every) * s->flight.stage->dt_ps,
             1e3 * s->flight.stage->dt_ps, s->flight.stage->thermostat.temperature_K,
             (double)s->flight.every * s->flight.stage->dt_ps);
    compare_add_part(s->c->report, "nvt", "Temperatures and energies in a bath (NVT)", about);
    for (int32_t m = 0; m < s->n_series - KINDS; m++) {
        snprintf(label, sizeof label, "temperature of %.60s", s->c->system.molecule_type[m].name);
        if (s->freedom[KINDS + m] > 0)
            add_series(s, KINDS + m, label);
    }
    for (int32_t k = ALL; k < KINDS; k++)
        if (k != ROTATION || isfinite(s->y[ROTATION][0][0]))
            add_series(s, k, name[k]);
    add_series(s, POTENTIAL, name[POTENTIAL]);
    add_series(s, TOTAL, name[TOTAL]);
}

static AmphiStatus take_series(Nvt *s, AmphiError *err)
{
    static const char *const text[KINDS][4] = {
        { "nvt-potential", "NVT: potential energy of single steps", "potential energy a bead",
          "kJ/mol" },
        { "nvt-total", "NVT: potential and kinetic energy of single steps", "total energy a bead",
          "kJ/mol" },
        { "nvt-temperature", "NVT: temperature of single steps", "temperature", "K" },
        { "nvt-translation", "NVT: temperature of translation, single steps", "temperature", "K" },
        { "nvt-rotation", "NVT: temperature of rotation, single steps", "temperature", "K" },
    };
    CompareReport *const r = s->c->report;
    const int64_t        n = s->flight.n_samples;

    for (int32_t j = 0; j < s->n_series; j++) {
        if (j < KINDS)
            s->curve[j] =
                compare_add_curve(r, text[j][0], text[j][1], "time_ps", text[j][2], text[j][3], n);
        for (int32_t k = 0; k < s->c->n_modes && (j >= KINDS || s->curve[j] != NULL); k++)
            s->y[j][k] = j < KINDS ? s->curve[j]->y[k] : AMPHI_TAKE(r->arena, double, n);
        if (amphi_arena_failed(r->arena) || (j < KINDS && s->curve[j] == NULL))
            return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d modes of %lld samples",
                              (int)s->c->n_modes, (long long)n);
    }
    return AMPHI_OK;
}

AmphiStatus compare_nvt(Compare *c, AmphiError *err)
{
    const int32_t n_kinds = c->system.n_molecule_types;
    const bool    splits  = n_kinds > 1 && n_kinds <= MOST_KINDS;
    Nvt           s       = { .c = c, .n_series = KINDS + (splits ? n_kinds : 0) };

    if (!c->has_bath) {
        compare_add_remark(c->report,
                           "no stage of the plan has a thermostat: nothing is run in NVT");
        return AMPHI_OK;
    }
    s.flight = (CompareFlight){
        .c     = c,
        .part  = "nvt",
        .stage = &c->nvt,
        .needs = AMPHI_NEED_NUMBERS | AMPHI_NEED_POTENTIAL |
                 (splits ? AMPHI_NEED_POSITIONS | AMPHI_NEED_FORCES : 0),
        .see  = see,
        .user = &s,
    };
    compare_plan_flight(&s.flight, c->length_ps);
    AMPHI_TRY(take_series(&s, err));
    AMPHI_TRY(compare_fly(&s.flight, err));
    if (s.flight.n_seen > 0)
        report(&s);
    return AMPHI_OK;
}
