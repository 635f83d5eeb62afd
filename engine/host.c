/* Bodies, sums, frames and saved states of the backends on the host. */
#include "host.h"

#include <math.h>
#include <string.h>

#include "bodies_fixed.h"

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
    if (status == AMPHI_OK && kind->is_fixed)
        status = amphi_fixed_open(h->bodies, err);
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

const AmphiForcesKind *amphi_host_kind(const AmphiState *h)
{
    return h->kind;
}

const char *amphi_host_about(const AmphiState *h)
{
    return h->kind->about(h->forces);
}

AmphiStatus amphi_host_find_neighbours(AmphiState *h, AmphiError *err)
{
    /* in every step: between two builds of a list a barostat moves the box */
    AMPHI_TRY(amphi_system_check_box(h->bodies->system, h->bodies->box_nm, err));
    return h->kind->find_neighbours(h->forces, err);
}

static void clear(AmphiState *h)
{
    const size_t vectors = (size_t)h->bodies->n * sizeof(double[3]);

    memset(&h->sums, 0, sizeof h->sums);
    if (h->bodies->fixed == NULL)
        return;
    memset(h->bodies->force_kJ_mol_nm, 0, vectors); /* restraints are added to these too */
    memset(h->bodies->torque_kJ_mol, 0, vectors);
    amphi_fixed_clear(h->bodies);
}

/* What the motion uses comes from the totals, whose bits do not depend on who looks. */
static void take_totals(AmphiState *h)
{
    AmphiBodies *b = h->bodies;

    if (b->fixed != NULL) {
        amphi_fixed_show_totals(b);
        return;
    }
    b->potential_kJ_mol = h->sums.potential_kJ_mol;
    memset(b->virial_kJ_mol, 0, sizeof b->virial_kJ_mol);
    for (int a = 0; a < 3; a++)
        b->virial_kJ_mol[a][a] = h->sums.total_virial_kJ_mol[a];
}

static void restrain(AmphiState *h)
{
    double virial[3][3] = { { 0 } };

    h->sums.energy_kJ_mol[AMPHI_POSITION_RESTRAINT] += amphi_bodies_restrain(h->bodies, virial);
    for (int k = 0; k < 9; k++)
        h->sums.virial_kJ_mol[AMPHI_POSITION_RESTRAINT][k / 3][k % 3] += virial[k / 3][k % 3];
}

static AmphiStatus compute_all(AmphiState *h, uint32_t needs, AmphiError *err)
{
    clear(h);
    AMPHI_TRY(h->kind->compute(h->forces, needs, &h->sums, err));
    take_totals(h);
    if (h->bodies->stage != NULL && h->bodies->stage->n_restraints > 0)
        restrain(h);
    return AMPHI_OK;
}

/* A start that nobody has moved yet may have overlaps: it is shown in coarse units. */
static bool wants_coarse(const AmphiBodies *b)
{
    return b->fixed != NULL && b->stage == NULL && !b->fixed->is_coarse &&
           b->fixed->fault.what != FIXED_GOOD;
}

AmphiStatus amphi_host_compute_forces(AmphiState *h, uint32_t needs, AmphiError *err)
{
    AmphiBodies *b = h->bodies;

    if (b->stage != NULL)
        needs |= amphi_bodies_needs(b);
    AMPHI_TRY(compute_all(h, needs, err));
    if (wants_coarse(b)) {
        b->fixed->is_coarse = true;
        AMPHI_TRY(compute_all(h, needs, err));
    }
    AMPHI_TRY(amphi_fixed_check(b, err));
    h->has = AMPHI_NEED_FORCES | AMPHI_NEED_POSITIONS | (needs & AMPHI_NEED_ENERGY);
    if (b->fixed == NULL && (needs & (AMPHI_NEED_ENERGY | AMPHI_NEED_POTENTIAL)) != 0 &&
        !isfinite(b->potential_kJ_mol))
        return amphi_fail(err, AMPHI_UNSTABLE, "the energy is not finite: do beads overlap?");
    return AMPHI_OK;
}

/* The first stage: forces out of range push nothing. They are either not asked for, by a
 * minimisation or a state that is restored next, or out of range in the first step too. */
static AmphiStatus begin_whole(AmphiState *h, const AmphiStage *stage, AmphiError *err)
{
    AMPHI_TRY(compute_all(h, AMPHI_NEED_POTENTIAL, err));
    if (amphi_fixed_check(h->bodies, NULL) != AMPHI_OK)
        amphi_fixed_clear(h->bodies);
    h->has = 0;
    return amphi_bodies_begin_stage(h->bodies, stage, err);
}

AmphiStatus amphi_host_begin_stage(AmphiState *h, const AmphiStage *stage, AmphiError *err)
{
    AmphiBodies *b = h->bodies;

    if (b->fixed != NULL)
        amphi_fixed_expect(b, stage);
    AMPHI_TRY(amphi_host_find_neighbours(h, err));
    if (b->fixed != NULL && b->stage == NULL)
        return begin_whole(h, stage, err);
    AMPHI_TRY(amphi_host_compute_forces(h, AMPHI_NEED_POTENTIAL, err));
    return amphi_bodies_begin_stage(b, stage, err);
}

AmphiStatus amphi_host_kick(AmphiState *h, uint32_t needs, AmphiError *err)
{
    amphi_bodies_kick(h->bodies, needs != 0);
    return amphi_fixed_check(h->bodies, err);
}

AmphiStatus amphi_host_drift(AmphiState *h, AmphiError *err)
{
    amphi_bodies_drift(h->bodies);
    return amphi_fixed_check(h->bodies, err);
}

AmphiStatus amphi_host_descend(AmphiState *h, bool *converged, AmphiError *err)
{
    (void)err;
    *converged = amphi_bodies_descend(h->bodies);
    return AMPHI_OK;
}

AmphiStatus amphi_host_read_frame(AmphiState *h, uint32_t needs, AmphiFrame *frame, AmphiError *err)
{
    (void)needs;
    (void)err;
    if (h->bodies->fixed != NULL)
        amphi_fixed_show_forces(h->bodies);
    if (h->bodies->fixed != NULL && !amphi_bodies_have_kicks(h->bodies))
        amphi_fixed_show_motion(h->bodies);
    amphi_bodies_show(h->bodies, &h->sums, h->has, h->freedom, frame);
    return AMPHI_OK;
}

AmphiStatus amphi_host_save(AmphiState *h, AmphiBytes *bytes, AmphiError *err)
{
    const bool remembers = h->kind->save != NULL;
    size_t     began     = 0;

    /* a list that is due is built by the last forces, which nobody saves */
    AMPHI_TRY(amphi_host_find_neighbours(h, err));
    if (h->bodies->fixed != NULL)
        amphi_fixed_show_motion(h->bodies);
    if (!amphi_bodies_pack(h->bodies, bytes) ||
        (h->bodies->fixed != NULL && !amphi_fixed_pack(h->bodies, bytes)) ||
        (remembers && !amphi_memory_begin(bytes, h->kind->memory, &began)))
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory to save %d beads", h->bodies->n);
    if (!remembers)
        return AMPHI_OK;
    AMPHI_TRY(h->kind->save(h->forces, bytes, err));
    amphi_memory_end(bytes, began);
    return AMPHI_OK;
}

/* The stage must have begun: what was saved overwrites what its beginning set. */
AmphiStatus amphi_host_restore(AmphiState *h, const AmphiBytes *bytes, AmphiError *err)
{
    const char *const name     = h->kind->memory != NULL ? h->kind->memory : "";
    size_t            at       = 0;
    bool              is_there = false;

    if (!amphi_bodies_unpack(h->bodies, bytes, &at) ||
        !(h->bodies->fixed != NULL ? amphi_fixed_unpack(h->bodies, bytes, &at)
                                   : amphi_memory_find(bytes, name, &at, &is_there)))
        return amphi_fail(err, AMPHI_BAD_FILE, "the saved state is not one of this system");
    h->has = 0;
    if (h->kind->restore == NULL || !is_there)
        return AMPHI_OK;
    AMPHI_TRY(h->kind->restore(h->forces, bytes, &at, err));
    return at == bytes->n ? AMPHI_OK
                          : amphi_fail(err, AMPHI_BAD_FILE,
                                       "the saved %s has more bytes than it should", name);
}
