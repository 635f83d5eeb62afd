/* The backend `reference`, by which the others are judged: all pairs of beads, in double, on one
 * thread, without neighbour lists or cells.
 *
 * Distances are tested first, so that a membrane of some thousand beads takes a fraction of a
 * second.
 */
#include <stdlib.h>
#include <string.h>

#include "../arena.h"
#include "../backend.h"
#include "../host.h"
#include "../overlap.h"
#include "backends.h"
#include "bonded.h"
#include "two_beads.h"

struct AmphiForces {
    AmphiArena        *arena;
    const AmphiSystem *system;
    AmphiBodies       *bodies;
    AmphiSums         *sums; /* of the computation at work */
    Box                box;
    PairRules          rules;
    AmphiBonded       *bonded;
    Bead              *bead; /* [n_beads] */
};

static void add_to(double sum[3], real3 a)
{
    sum[0] += a.x;
    sum[1] += a.y;
    sum[2] += a.z;
}

static void add_outer(double sum[3][3], real3 a, real3 b)
{
    add_to(sum[0], scale3(a.x, b));
    add_to(sum[1], scale3(a.y, b));
    add_to(sum[2], scale3(a.z, b));
}

/* Excludes most pairs of a large system by their positions alone. */
static bool is_far(const AmphiForces *state, const double a[3], const double b[3])
{
    const real3 d = nearest_image(&state->box, sub3(vector_of(a), vector_of(b)));

    return dot3(d, d) >= state->rules.cutoff2;
}

static void add_pair(AmphiForces *state, int32_t i, int32_t j)
{
    if (is_far(state, state->bodies->position_nm[i], state->bodies->position_nm[j]))
        return;

    const Acting acting =
        acting_between(&state->rules, &state->box, &state->bead[i], &state->bead[j]);

    for (int32_t k = 0; k < acting.n; k++) {
        const PairResult *p    = &acting.term[k];
        const int32_t     slot = acting.slot[k];

        state->sums->energy_kJ_mol[slot] += p->u;
        state->sums->count[slot]++;
        add_outer(state->sums->virial_kJ_mol[slot], acting.d, p->f);
        add_to(state->bodies->force_kJ_mol_nm[i], p->f);
        add_to(state->bodies->force_kJ_mol_nm[j], neg3(p->f));
        add_to(state->bodies->torque_kJ_mol[i], p->ti);
        add_to(state->bodies->torque_kJ_mol[j], p->tj);
    }
}

/* Pairs come in the order of the sorted exclusions, so one look at the next of them is enough. */
static void add_pairs(AmphiForces *state)
{
    const AmphiSystem *system = state->system;
    int32_t            next   = 0;

    for (int32_t i = 0; i < system->n_beads; i++)
        for (int32_t j = i + 1; j < system->n_beads; j++) {
            if (next < system->n_exclusions && system->exclusion[next][0] == i &&
                system->exclusion[next][1] == j)
                next++;
            else
                add_pair(state, i, j);
        }
}

static void place_beads(AmphiForces *state)
{
    const AmphiBodies *b = state->bodies;

    state->box = box_prepare(b->box_nm);
    for (int32_t i = 0; i < b->n; i++)
        state->bead[i] = make_bead(state->system, i, b->position_nm[i], b->orientation[i]);
}

/* Computes everything, whatever is needed. */
static AmphiStatus compute(AmphiForces *state, uint32_t needs, AmphiSums *sums, AmphiError *err)
{
    const size_t vectors = (size_t)state->bodies->n * sizeof(double[3]);

    (void)needs;
    (void)err;
    memset(state->bodies->force_kJ_mol_nm, 0, vectors);
    memset(state->bodies->torque_kJ_mol, 0, vectors);
    place_beads(state);
    state->sums = sums;
    add_pairs(state);
    amphi_bonded_add(state->bonded, state->bodies, sums);
    amphi_sums_total(sums);
    return AMPHI_OK;
}

double amphi_reference_bead_energy(const AmphiState *host, int32_t bead, const double position[3],
                                   const double orientation[4])
{
    const AmphiForces *state  = amphi_host_forces(host);
    const AmphiSystem *system = state->system;
    const Bead         moved  = make_bead(system, bead, position, orientation);
    double             sum    = 0;

    for (int32_t j = 0; j < system->n_beads; j++) {
        if (j == bead || is_far(state, position, state->bodies->position_nm[j]))
            continue;
        const Acting acting = acting_between(&state->rules, &state->box, &moved, &state->bead[j]);
        if (acting.n > 0 && amphi_is_excluded(system, bead, j))
            continue;
        for (int32_t k = 0; k < acting.n; k++)
            sum += acting.term[k].u;
    }
    return sum +
           amphi_bonded_energy_with(state->bonded, state->bodies, bead, position, orientation);
}

/* There is no list. */
static AmphiStatus find_neighbours(AmphiForces *state, AmphiError *err)
{
    (void)state;
    (void)err;
    return AMPHI_OK;
}

static const char *about(const AmphiForces *state)
{
    (void)state;
    return "reference double: every pair, one thread";
}

static void close(AmphiForces *state)
{
    if (state != NULL)
        amphi_arena_free(state->arena);
}

static AmphiStatus open(AmphiBodies *bodies, const AmphiCompute *choice, AmphiForces **out,
                        AmphiError *err)
{
    const AmphiSystem *system = bodies->system;
    AmphiArena        *arena  = amphi_arena_new();
    AmphiForces       *state  = arena == NULL ? NULL : AMPHI_TAKE(arena, AmphiForces, 1);

    (void)choice;
    *out = NULL;
    if (state == NULL) {
        amphi_arena_free(arena);
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for the reference backend");
    }
    state->arena  = arena;
    state->system = system;
    state->bodies = bodies;
    state->bonded = amphi_bonded_new(system, arena);
    state->bead   = AMPHI_TAKE(arena, Bead, system->n_beads);
    if (!pair_rules_init(&state->rules, system, arena) || amphi_arena_failed(arena)) {
        amphi_arena_free(arena);
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d beads", system->n_beads);
    }
    place_beads(state);
    *out = state;
    return AMPHI_OK;
}

static const AmphiForcesKind every_pair = { .open            = open,
                                            .close           = close,
                                            .find_neighbours = find_neighbours,
                                            .compute         = compute,
                                            .about           = about };

static AmphiStatus reference_open(const AmphiSystem *system, const AmphiCompute *choice,
                                  AmphiState **out, AmphiError *err)
{
    return amphi_host_open(&every_pair, system, choice, out, err);
}

const AmphiBackend AMPHI_T(reference_backend) = {
    .name = "reference", .precision = AMPHI_DOUBLE, .open = reference_open, AMPHI_HOST_TABLE
};
