/* Bodies, sums, frames and saved states of the backends on the host. */
#include "host.h"

#include <math.h>
#include <string.h>

struct AmphiState {
    const AmphiForcesKind *kind;
    AmphiForces           *forces;
    AmphiBodies           *bodies;
    AmphiSums              sums;
    uint32_t               has; /* AMPHI_NEED_ bits that are those of the present positions */
    int64_t (*freedom)[2];      /* [groups of a thermostat] translation, rotation */
};

void amphi_host_close(AmphiState *h)
{
    if (h == NULL)
        return;
    h->kind->close(h->forces);
    amphi_bodies_close(h->bodies);
    amphi_release(h->freedom);
    amphi_release(h);
}

AmphiStatus amphi_host_open(const AmphiForcesKind *kind, const AmphiSystem *system,
                            const AmphiCompute *compute, AmphiState **state, AmphiError *err)
{
    AmphiState *h = amphi_alloc(1, sizeof *h);
    AmphiStatus status;

    *state = NULL;
    if (h == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for a state");
    h->kind    = kind;
    h->freedom = amphi_alloc(system->n_groups + 1, sizeof *h->freedom);
    status     = h->freedom != NULL ? amphi_bodies_open(system, &h->bodies, err)
                                    : amphi_fail(err, AMPHI_NO_MEMORY, "no memory for a state");
    if (status == AMPHI_OK && compute != NULL && compute->threads > 0)
        h->bodies->threads = compute->threads;
    if (status == AMPHI_OK)
        status = kind->open(h->bodies, compute, &h->forces, err);
    if (status == AMPHI_OK)
        *state = h;
    else
        amphi_host_close(h);
    return status;
}

const AmphiForces *amphi_host_forces(const AmphiState *h)
{
    return h->forces;
}

const char *amphi_host_about(const AmphiState *h)
{
    return h->kind->about(h->forces);
}

AmphiStatus amphi_host_find_neighbours(AmphiState *h, AmphiError *err)
{
    return h->kind->find_neighbours(h->forces, err);
}

static void clear(AmphiState *h)
{
    const size_t vectors = (size_t)h->bodies->n * sizeof(double[3]);

    memset(h->bodies->force_kJ_mol_nm, 0, vectors);
    memset(h->bodies->torque_kJ_mol, 0, vectors);
    memset(&h->sums, 0, sizeof h->sums);
}

static void sum_terms(AmphiState *h)
{
    AmphiBodies *b = h->bodies;

    b->potential_kJ_mol = 0;
    memset(b->virial_kJ_mol, 0, sizeof b->virial_kJ_mol);
    for (int32_t slot = 0; slot < AMPHI_TERMS; slot++) {
        b->potential_kJ_mol += h->sums.energy_kJ_mol[slot];
        for (int k = 0; k < 9; k++)
            b->virial_kJ_mol[k / 3][k % 3] += h->sums.virial_kJ_mol[slot][k / 3][k % 3];
    }
}

static void restrain(AmphiState *h)
{
    double virial[3][3] = { { 0 } };

    h->sums.energy_kJ_mol[AMPHI_POSITION_RESTRAINT] += amphi_bodies_restrain(h->bodies, virial);
    for (int k = 0; k < 9; k++)
        h->sums.virial_kJ_mol[AMPHI_POSITION_RESTRAINT][k / 3][k % 3] += virial[k / 3][k % 3];
}

AmphiStatus amphi_host_compute_forces(AmphiState *h, uint32_t needs, AmphiError *err)
{
    AmphiBodies *b = h->bodies;

    if (b->stage != NULL)
        needs |= amphi_bodies_needs(b);
    clear(h);
    AMPHI_TRY(h->kind->compute(h->forces, needs, &h->sums, err));
    sum_terms(h);
    if (b->stage != NULL && b->stage->n_restraints > 0)
        restrain(h);
    h->has = AMPHI_NEED_FORCES | AMPHI_NEED_POSITIONS | (needs & AMPHI_NEED_ENERGY);
    if ((needs & AMPHI_NEED_ENERGY) != 0 && !isfinite(b->potential_kJ_mol))
        return amphi_fail(err, AMPHI_UNSTABLE, "the energy is not finite: do beads overlap?");
    return AMPHI_OK;
}

AmphiStatus amphi_host_begin_stage(AmphiState *h, const AmphiStage *stage, AmphiError *err)
{
    AMPHI_TRY(amphi_host_find_neighbours(h, err));
    AMPHI_TRY(amphi_host_compute_forces(h, AMPHI_NEED_ENERGY, err));
    return amphi_bodies_begin_stage(h->bodies, stage, err);
}

AmphiStatus amphi_host_kick(AmphiState *h, uint32_t needs, AmphiError *err)
{
    (void)err;
    amphi_bodies_kick(h->bodies, needs != 0);
    return AMPHI_OK;
}

AmphiStatus amphi_host_drift(AmphiState *h, AmphiError *err)
{
    (void)err;
    amphi_bodies_drift(h->bodies);
    return AMPHI_OK;
}

AmphiStatus amphi_host_descend(AmphiState *h, bool *converged, AmphiError *err)
{
    (void)err;
    *converged = amphi_bodies_descend(h->bodies);
    return AMPHI_OK;
}

/* Velocities and spins at the time of the positions: after a kick those, else the file's. */
static void add_kinetic(const AmphiState *h, const double (*velocity)[3], const double (*spin)[3],
                        AmphiFrame       *frame)
{
    const AmphiSystem *s = h->bodies->system;

    for (int32_t i = 0; i < s->n_beads; i++) {
        const AmphiBeadType *type = &s->type[s->bead_type[i]];

        for (int k = 0; k < 9; k++)
            frame->kinetic_kJ_mol[k / 3][k % 3] +=
                0.5 * type->mass_u * velocity[i][k / 3] * velocity[i][k % 3];
        for (int k = 0; k < 3; k++)
            if (type->rotor != AMPHI_POINT && type->inertia_u_nm2[k] > 0)
                frame->rotation_kJ_mol += spin[i][k] * spin[i][k] / (2 * type->inertia_u_nm2[k]);
    }
}

static void add_freedom(const AmphiState *h, AmphiFrame *frame)
{
    for (int32_t g = 0; g < h->bodies->n_groups; g++) {
        amphi_bodies_freedom(h->bodies, g, h->freedom[g]);
        for (int k = 0; k < 2; k++)
            frame->freedom[k] += h->freedom[g][k];
    }
    frame->group_freedom = (const int64_t(*)[2])h->freedom;
}

AmphiStatus amphi_host_read_frame(AmphiState *h, uint32_t needs, AmphiFrame *frame, AmphiError *err)
{
    AmphiBodies *b      = h->bodies;
    const bool   kicked = b->stage != NULL;
    const double(*v)[3] = (const double(*)[3])(kicked ? b->velocity_now_nm_ps : b->velocity_nm_ps);
    const double(*l)[3] = (const double(*)[3])(kicked ? b->spin_now_u_nm2_ps : b->spin_u_nm2_ps);

    (void)needs;
    (void)err;
    *frame = (AmphiFrame){ .step            = b->step,
                           .time_ps         = b->time_ps,
                           .has             = h->has,
                           .position_nm     = (const double(*)[3])b->position_nm,
                           .image           = (const int32_t(*)[3])b->image,
                           .force_kJ_mol_nm = (const double(*)[3])b->force_kJ_mol_nm,
                           .torque_kJ_mol   = (const double(*)[3])b->torque_kJ_mol,
                           .velocity_nm_ps  = v,
                           .orientation     = (const double(*)[4])b->orientation,
                           .spin_u_nm2_ps   = l };
    memcpy(frame->box_nm, b->box_nm, sizeof frame->box_nm);
    memcpy(frame->term_kJ_mol, h->sums.energy_kJ_mol, sizeof h->sums.energy_kJ_mol);
    memcpy(frame->term_virial_kJ_mol, h->sums.virial_kJ_mol, sizeof h->sums.virial_kJ_mol);
    memcpy(frame->term_count, h->sums.count, sizeof h->sums.count);
    add_kinetic(h, v, l, frame);
    if (kicked) {
        add_freedom(h, frame);
        frame->stage            = b->stage;
        frame->stage_step       = b->stage_step;
        frame->translation      = b->translation;
        frame->rotation         = b->rotation;
        frame->n_groups         = b->n_groups;
        frame->group            = (const AmphiKinetic(*)[2])b->group;
        frame->heat_kJ_mol      = b->heat_kJ_mol;
        frame->work_kJ_mol      = b->work_kJ_mol;
        frame->conserved_kJ_mol = b->conserved_kJ_mol;

        frame->conserved_sum_kJ_mol = b->conserved_sum_kJ_mol;
        frame->conserved_count      = b->conserved_count;
        memcpy(frame->kinetic_half_kJ_mol, b->kinetic_half_kJ_mol,
               sizeof frame->kinetic_half_kJ_mol);
    }
    return AMPHI_OK;
}

/* Bytes. */

bool amphi_bytes_add(AmphiBytes *bytes, const void *from, size_t n)
{
    unsigned char *data = amphi_resize(bytes->data, (int64_t)(bytes->n + n), 1);

    if (data == NULL)
        return false;
    bytes->data = data;
    memcpy(data + bytes->n, from, n);
    bytes->n += n;
    return true;
}

bool amphi_bytes_take(const AmphiBytes *bytes, size_t *at, void *to, size_t n)
{
    if (n > bytes->n - *at)
        return false;
    memcpy(to, bytes->data + *at, n);
    *at += n;
    return true;
}

/* The numbers beside the arrays, in one piece. */
typedef struct {
    int64_t n, step, stage_step, conserved_count;
    double  stage_began_ps, time_ps, dt_ps, box_nm[3];
    double  heat, work, conserved_sum, step_length, last_potential;
} Numbers;

static Numbers numbers_of(const AmphiBodies *b)
{
    return (Numbers){ .n               = b->n,
                      .step            = b->step,
                      .stage_step      = b->stage_step,
                      .conserved_count = b->conserved_count,
                      .stage_began_ps  = b->stage_began_ps,
                      .time_ps         = b->time_ps,
                      .dt_ps           = b->dt_ps,
                      .box_nm          = { b->box_nm[0], b->box_nm[1], b->box_nm[2] },
                      .heat            = b->heat_kJ_mol,
                      .work            = b->work_kJ_mol,
                      .conserved_sum   = b->conserved_sum_kJ_mol,
                      .step_length     = b->step_length_nm,
                      .last_potential  = b->last_potential_kJ_mol };
}

static void set_numbers(AmphiBodies *b, const Numbers *k)
{
    b->step                  = k->step;
    b->stage_step            = k->stage_step;
    b->conserved_count       = k->conserved_count;
    b->stage_began_ps        = k->stage_began_ps;
    b->time_ps               = k->time_ps;
    b->dt_ps                 = k->dt_ps;
    b->heat_kJ_mol           = k->heat;
    b->work_kJ_mol           = k->work;
    b->conserved_sum_kJ_mol  = k->conserved_sum;
    b->step_length_nm        = k->step_length;
    b->last_potential_kJ_mol = k->last_potential;
    memcpy(b->box_nm, k->box_nm, sizeof b->box_nm);
}

typedef struct {
    void  *array;
    size_t size;
} Part;

enum { N_PARTS = 6 };

static void parts_of(const AmphiBodies *b, Part part[N_PARTS])
{
    part[0] = (Part){ b->position_nm, sizeof *b->position_nm };
    part[1] = (Part){ b->image, sizeof *b->image };
    part[2] = (Part){ b->velocity_nm_ps, sizeof *b->velocity_nm_ps };
    part[3] = (Part){ b->orientation, sizeof *b->orientation };
    part[4] = (Part){ b->spin_u_nm2_ps, sizeof *b->spin_u_nm2_ps };
    part[5] = (Part){ b->anchor_nm, sizeof *b->anchor_nm };
}

AmphiStatus amphi_host_save(AmphiState *h, AmphiBytes *bytes, AmphiError *err)
{
    const AmphiBodies *b       = h->bodies;
    const Numbers      numbers = numbers_of(b);
    Part               part[N_PARTS];
    bool               done = amphi_bytes_add(bytes, &numbers, sizeof numbers);

    parts_of(b, part);
    for (int k = 0; done && k < N_PARTS; k++)
        done = amphi_bytes_add(bytes, part[k].array, (size_t)b->n * part[k].size);
    if (!done)
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to save %d beads", b->n);
    return h->kind->save != NULL ? h->kind->save(h->forces, bytes, err) : AMPHI_OK;
}

/* The stage must have begun: what was saved overwrites what its beginning set. */
AmphiStatus amphi_host_restore(AmphiState *h, const AmphiBytes *bytes, AmphiError *err)
{
    AmphiBodies *b  = h->bodies;
    size_t       at = 0;
    Numbers      numbers;
    Part         part[N_PARTS];
    bool         done = amphi_bytes_take(bytes, &at, &numbers, sizeof numbers) && numbers.n == b->n;

    parts_of(b, part);
    for (int k = 0; done && k < N_PARTS; k++)
        done = amphi_bytes_take(bytes, &at, part[k].array, (size_t)b->n * part[k].size);
    if (!done)
        return amphi_fail(err, AMPHI_BAD_FILE, "the saved state is not one of this system");
    set_numbers(b, &numbers);
    h->has = 0;
    if (h->kind->restore != NULL)
        AMPHI_TRY(h->kind->restore(h->forces, bytes, &at, err));
    if (at != bytes->n)
        return amphi_fail(err, AMPHI_BAD_FILE, "the saved state has more bytes than it should");
    return AMPHI_OK;
}
