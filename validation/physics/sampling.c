/* The loop over steps, and what is taken from a frame. */
#include "sampling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../engine/fixed.h"
#include "../../engine/units.h"
#include "../property/draw.h"

static const char *const fixed_columns[] = {
    "stage",
    "time_ps",
    "kT",
    "pressure",
    "freedom_translation",
    "freedom_rotation",
    "potential",
    "kinetic_full",
    "conserved",
    "volume",
    "temperature",
    "translation_plus",
    "translation_half",
    "rotation_plus",
    "rotation_half",
    "momentum_x",
    "momentum_y",
    "momentum_z",
    "momentum_scale",
    "turning_x",
    "turning_y",
    "turning_z",
    "turning_scale",
    "orbit_x",
    "orbit_y",
    "orbit_z",
    "orbit_scale",
};

enum { FIXED_COLUMNS = sizeof fixed_columns / sizeof *fixed_columns, MOST_TYPES = 16 };

/* Kinetic energies of half-steps and degrees of freedom of a molecule type: translation,
 * rotation. */
typedef struct {
    double half[2], freedom[2];
} TypeSums;

typedef struct {
    double momentum[3], turning[3], orbit[3], momentum_square, turning_square;
} Totals;

/* ---- sums over beads ---- */

/* (K before + K after the kick)/2 of one degree of freedom = (p^2 + (dt f/2)^2)/(2 m). */
static double half_energy(double momentum, double push, double dt, double inertia)
{
    return (momentum * momentum + 0.25 * dt * dt * push * push) / (2 * inertia);
}

static void add_bead(const AmphiSystem *s, const AmphiFrame *f, int32_t i, double all_mass,
                     TypeSums *sums)
{
    const AmphiBeadType *const type    = &s->type[s->bead_type[i]];
    const double *const        q       = f->orientation[i];
    const double               back[4] = { q[0], -q[1], -q[2], -q[3] }, dt = f->stage->dt_ps;
    double                     torque[3];

    turn_vector(back, f->torque_kJ_mol[i], torque);
    for (int a = 0; a < 3; a++) {
        const double inertia = type->rotor == AMPHI_POINT ? 0 : type->inertia_u_nm2[a];

        sums->half[0] += half_energy(type->mass_u * f->velocity_nm_ps[i][a],
                                     f->force_kJ_mol_nm[i][a], dt, type->mass_u);
        if (inertia > 0) {
            sums->half[1] += half_energy(f->spin_u_nm2_ps[i][a], torque[a], dt, inertia);
            sums->freedom[1] += 1;
        }
    }
    /* A momentum of zero takes away from each what its share of the mass is. */
    sums->freedom[0] += 3 - (f->freedom[0] < 3 * s->n_beads ? 3 * type->mass_u / all_mass : 0);
}

static void add_totals(const AmphiSystem *s, const AmphiFrame *f, int32_t i, Totals *t)
{
    const double mass = s->type[s->bead_type[i]].mass_u;
    double       place[3], momentum[3], orbit[3], spin[3];

    for (int a = 0; a < 3; a++) {
        place[a]    = f->position_nm[i][a] + (f->image[i][a] - 0.5) * f->box_nm[a];
        momentum[a] = mass * f->velocity_nm_ps[i][a];
    }
    cross(place, momentum, orbit);
    turn_vector(f->orientation[i], f->spin_u_nm2_ps[i], spin);
    for (int a = 0; a < 3; a++) {
        t->momentum[a] += momentum[a];
        t->orbit[a] += orbit[a];
        t->turning[a] += orbit[a] + spin[a];
        t->momentum_square += momentum[a] * momentum[a];
        t->turning_square += orbit[a] * orbit[a] + spin[a] * spin[a];
    }
    if (f->is_fixed && i == s->n_beads - 1)
        for (int a = 0; a < 3; a++)
            t->momentum[a] = (double)f->momentum[a] * FIXED_MOMENTUM_UNIT;
}

/* ---- rows ---- */

static double temperature_of(double kinetic, double freedom)
{
    return freedom > 0 ? 2 * kinetic / (freedom * AMPHI_BOLTZMANN) : 0;
}

static void fill_row(const AmphiSystem *s, const AmphiFrame *f, int32_t stage, double *row)
{
    const AmphiStage *const place            = f->stage;
    TypeSums                sums[MOST_TYPES] = { 0 };
    Totals                  t                = { { 0 }, { 0 }, { 0 }, 0, 0 };
    double                  potential = 0, mass = 0;

    for (int slot = 0; slot < AMPHI_TERMS; slot++)
        potential += f->term_kJ_mol[slot];
    for (int32_t i = 0; i < s->n_beads; i++)
        mass += s->type[s->bead_type[i]].mass_u;
    for (int32_t i = 0; i < s->n_beads; i++) {
        add_bead(s, f, i, mass, &sums[s->molecule[s->bead_molecule[i]].type]);
        add_totals(s, f, i, &t);
    }
    const double head[] = {
        stage + 1,
        (double)f->stage_step * place->dt_ps,
        place->thermostat.temperature_K * AMPHI_BOLTZMANN,
        place->barostat.pressure_kJ_mol_nm3,
        (double)f->freedom[0],
        (double)f->freedom[1],
        potential,
        f->translation.full + f->rotation.full,
        f->conserved_kJ_mol,
        f->box_nm[0] * f->box_nm[1] * f->box_nm[2],
        temperature_of(f->translation.half + f->rotation.half,
                       (double)(f->freedom[0] + f->freedom[1])),
        f->translation.plus,
        f->translation.half,
        f->rotation.plus,
        f->rotation.half,
        t.momentum[0],
        t.momentum[1],
        t.momentum[2],
        sqrt(t.momentum_square),
        t.turning[0],
        t.turning[1],
        t.turning[2],
        sqrt(t.turning_square),
        t.orbit[0],
        t.orbit[1],
        t.orbit[2],
        sqrt(t.turning_square),
    };
    memcpy(row, head, sizeof head);
    for (int32_t k = 0; k < s->n_molecule_types; k++)
        for (int m = 0; m < 2; m++)
            row[FIXED_COLUMNS + 2 * k + m] = temperature_of(sums[k].half[m], sums[k].freedom[m]);
}

static int64_t count_rows(const AmphiJob *job, int64_t every)
{
    int64_t n = 0;

    for (int32_t k = 0; k < job->n_stages; k++)
        n += job->stage[k].ensemble == AMPHI_MINIMISE ? 0 : job->stage[k].n_steps / every;
    return n;
}

static Table *make_table(const AmphiSystem *s, int64_t n_rows)
{
    static const char *const motion[2] = { "shift", "turn" };
    Table *const             t         = calloc(1, sizeof *t);
    char                     name[96];

    if (t == NULL)
        return NULL;
    t->n_columns = FIXED_COLUMNS + 2 * s->n_molecule_types;
    t->name      = calloc((size_t)t->n_columns, sizeof *t->name);
    t->cell      = calloc((size_t)(n_rows * t->n_columns) + 1, sizeof *t->cell);
    for (int32_t c = 0; t->name != NULL && c < t->n_columns; c++) {
        const int32_t of_type = c - FIXED_COLUMNS;

        if (of_type >= 0)
            snprintf(name, sizeof name, "%s_%s", motion[of_type % 2],
                     s->molecule_type[of_type / 2].name);
        t->name[c] = strdup(of_type >= 0 ? name : fixed_columns[c]);
    }
    if (t->name != NULL && t->cell != NULL)
        return t;
    t->n_columns = 0;
    table_free(t);
    return NULL;
}

/* ---- steps ---- */

typedef struct {
    const AmphiJob     *job;
    const AmphiBackend *backend;
    AmphiState         *state;
    int64_t             every;
    Table              *table;
} Sampler;

static AmphiStatus minimise(const Sampler *w, const AmphiStage *stage, AmphiError *err)
{
    bool converged = false;

    for (int64_t k = 0; k < stage->n_steps && !converged; k++) {
        AMPHI_TRY(w->backend->find_neighbours(w->state, err));
        AMPHI_TRY(w->backend->compute_forces(w->state, AMPHI_NEED_POTENTIAL, err));
        AMPHI_TRY(w->backend->descend(w->state, &converged, err));
    }
    return AMPHI_OK;
}

static AmphiStatus look(const Sampler *w, int32_t stage, AmphiError *err)
{
    AmphiFrame frame;

    AMPHI_TRY(w->backend->read_frame(
        w->state, AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES | AMPHI_NEED_POSITIONS, &frame, err));
    if (!isfinite(frame.conserved_kJ_mol) || (frame.is_fixed && frame.culprit > 0))
        return amphi_fail(err, AMPHI_UNSTABLE, "stage %s left what numbers can hold",
                          frame.stage->name);
    fill_row(&w->job->system, &frame, stage,
             w->table->cell + w->table->n_rows * w->table->n_columns);
    w->table->n_rows++;
    return AMPHI_OK;
}

static AmphiStatus run_stage(const Sampler *w, int32_t k, AmphiError *err)
{
    const AmphiStage *const stage = &w->job->stage[k];
    const uint32_t          all   = AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES | AMPHI_NEED_POSITIONS;

    AMPHI_TRY(w->backend->begin_stage(w->state, stage, err));
    if (stage->ensemble == AMPHI_MINIMISE)
        return minimise(w, stage, err);
    for (int64_t step = 1; step <= stage->n_steps; step++) {
        const bool     is_due = step % w->every == 0;
        const uint32_t needs  = is_due ? all : 0;

        AMPHI_TRY(w->backend->find_neighbours(w->state, err));
        AMPHI_TRY(w->backend->compute_forces(w->state, needs, err));
        AMPHI_TRY(w->backend->kick(w->state, needs, err));
        if (is_due)
            AMPHI_TRY(look(w, k, err));
        AMPHI_TRY(w->backend->drift(w->state, err));
    }
    return AMPHI_OK;
}

Table *sample_job(const AmphiJob *job, const AmphiBackend *backend, int64_t every, AmphiError *err)
{
    AmphiCompute compute = job->compute.choice;
    Sampler      w       = { job, backend, NULL, every, NULL };
    AmphiStatus  status;

    compute.threads = 1;
    if (job->system.n_molecule_types <= MOST_TYPES)
        w.table = make_table(&job->system, count_rows(job, every));
    if (w.table == NULL) {
        amphi_fail(err, AMPHI_NO_MEMORY, "no memory for the samples");
        return NULL;
    }
    status = backend->open(&job->system, &compute, &w.state, err);
    for (int32_t k = 0; status == AMPHI_OK && k < job->n_stages; k++)
        status = run_stage(&w, k, err);
    if (w.state != NULL)
        backend->close(w.state);
    if (status == AMPHI_OK)
        return w.table;
    table_free(w.table);
    return NULL;
}
