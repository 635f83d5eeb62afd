/* The judge: every pair of beads, one thread, double. No list, no cells, nothing clever.
 *
 * The distance is tested before anything is evaluated, so a membrane of some thousand beads still
 * takes a fraction of a second. The system must outlive the state.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../forcefield/bonds.h"
#include "../../forcefield/pairs.h"
#include "../arena.h"
#include "../backend.h"
#include "backends.h"
#include "box.h"

typedef struct {
    real3   at;           /* nm */
    real3   axis, dipole; /* unit body z, and e nm, space frame */
    quat    frame;
    real    charge; /* e */
    int32_t type;
} Bead;

/* All that acts between two types. */
typedef struct {
    int32_t  n_terms;
    real     cutoff2; /* nm^2, the largest of the terms */
    PairTerm term[AMPHI_MAX_PAIR_TERMS];
} Rule;

/* The terms between one pair of beads that are within their range. */
typedef struct {
    int32_t    n;
    real3      d;
    int32_t    slot[AMPHI_MAX_PAIR_TERMS];
    PairResult term[AMPHI_MAX_PAIR_TERMS];
} Acting;

struct AmphiState {
    AmphiArena        *arena;
    const AmphiSystem *system;
    Box                box;
    Rule              *rule;      /* [n_types][n_types] */
    BondTerm          *bond_term; /* [n_bond_rules] */
    Bead              *bead;      /* [n_beads] */
    double (*force)[3], (*torque)[3];
    double   energy[AMPHI_TERMS], virial[AMPHI_TERMS][3][3];
    int64_t  count[AMPHI_TERMS];
    uint32_t has;
};

static real3 vector_of(const double x[3])
{
    return (real3){ x[0], x[1], x[2] };
}

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

static Bead make_bead(const AmphiSystem *system, int32_t i, const double position[3],
                      const double orientation[4])
{
    const quat q = { orientation[0], orientation[1], orientation[2], orientation[3] };

    return (Bead){ .at     = vector_of(position),
                   .axis   = body_axis(q),
                   .dipole = scale3(system->bead_dipole_e_nm[i], body_axis(q)),
                   .frame  = q,
                   .charge = system->bead_charge_e[i],
                   .type   = system->bead_type[i] };
}

static Acting acting_between(const AmphiState *state, const Bead *a, const Bead *b)
{
    const Rule      *rule   = &state->rule[a->type * state->system->n_types + b->type];
    const real3      d      = nearest_image(&state->box, sub3(a->at, b->at));
    const real       r2     = dot3(d, d);
    const PairFrames frames = { a->frame, b->frame };

    Acting out;
    out.n = 0;
    out.d = d;
    if (r2 >= rule->cutoff2)
        return out;
    for (int32_t k = 0; k < rule->n_terms; k++) {
        const PairTerm    *term = &rule->term[k];
        const bool         unit = pair_reads_unit_axis(term->kind);
        const PairGeometry g    = { d,
                                    r2,
                                    inv_sqrt(r2),
                                 unit ? a->axis : a->dipole,
                                 unit ? b->axis : b->dipole,
                                    a->charge,
                                    b->charge };

        if (r2 >= term->cutoff2)
            continue;
        out.slot[out.n] = term->slot;
        out.term[out.n] = pair_eval(term, &g, &frames);
        out.n++;
    }
    return out;
}

static void add_pair(AmphiState *state, int32_t i, int32_t j)
{
    const Acting acting = acting_between(state, &state->bead[i], &state->bead[j]);

    for (int32_t k = 0; k < acting.n; k++) {
        const PairResult *p    = &acting.term[k];
        const int32_t     slot = acting.slot[k];

        state->energy[slot] += p->u;
        state->count[slot]++;
        add_outer(state->virial[slot], acting.d, p->f);
        add_to(state->force[i], p->f);
        add_to(state->force[j], neg3(p->f));
        add_to(state->torque[i], p->ti);
        add_to(state->torque[j], p->tj);
    }
}

/* Pairs come in the order of the sorted exclusions, so one look at the next of them is enough. */
static void add_pairs(AmphiState *state)
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

/* Positions from the first bead, nearest images; of a restraint, from its anchor. */
static BondGeometry bond_geometry(const AmphiState *state, int32_t bond, int32_t n_beads,
                                  const Bead *const member[AMPHI_MAX_BOND_BEADS])
{
    const AmphiSystem *system = state->system;
    BondGeometry       g      = { 0 };

    for (int32_t k = 0; k < n_beads; k++) {
        g.x[k] = nearest_image(&state->box, sub3(member[k]->at, member[0]->at));
        g.u[k] = member[k]->axis;
    }
    if (system->bond_rule[system->bond[bond].rule].kind == BOND_position_restraint)
        g.x[0] =
            nearest_image(&state->box, sub3(member[0]->at, vector_of(system->anchor_nm[bond])));
    return g;
}

static void add_bond(AmphiState *state, int32_t bond)
{
    const int32_t  *bead = state->system->bond[bond].bead;
    const BondTerm *term = &state->bond_term[state->system->bond[bond].rule];
    const Bead     *member[AMPHI_MAX_BOND_BEADS];

    for (int32_t k = 0; k < term->n_beads; k++)
        member[k] = &state->bead[bead[k]];

    const BondGeometry g = bond_geometry(state, bond, term->n_beads, member);
    const BondResult   b = bond_eval(term, &g);

    state->energy[term->slot] += b.u;
    state->count[term->slot]++;
    for (int32_t k = 0; k < term->n_beads; k++) {
        add_outer(state->virial[term->slot], g.x[k], b.f[k]);
        add_to(state->force[bead[k]], b.f[k]);
        add_to(state->torque[bead[k]], b.t[k]);
    }
}

static AmphiStatus reference_compute_forces(AmphiState *state, uint32_t needs, AmphiError *err)
{
    const AmphiSystem *system = state->system;
    const size_t       vector = sizeof(double[3]) * (size_t)system->n_beads;
    double             total  = 0;

    (void)needs;
    memset(state->force, 0, vector);
    memset(state->torque, 0, vector);
    memset(state->energy, 0, sizeof state->energy);
    memset(state->virial, 0, sizeof state->virial);
    memset(state->count, 0, sizeof state->count);
    add_pairs(state);
    for (int32_t k = 0; k < system->n_bonds; k++)
        add_bond(state, k);

    for (int32_t slot = 0; slot < AMPHI_TERMS; slot++)
        total += state->energy[slot];
    if (!isfinite(total))
        return amphi_fail(err, AMPHI_UNSTABLE, "the energy is not finite: do beads overlap?");
    state->has = AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES | AMPHI_NEED_POSITIONS;
    return AMPHI_OK;
}

static bool is_excluded(const AmphiSystem *system, int32_t i, int32_t j)
{
    const int32_t first = i < j ? i : j, second = i < j ? j : i;
    int32_t       low = 0, high = system->n_exclusions;

    while (low < high) {
        const int32_t  middle = low + (high - low) / 2;
        const int32_t *pair   = system->exclusion[middle];

        if (pair[0] == first && pair[1] == second)
            return true;
        if (pair[0] < first || (pair[0] == first && pair[1] < second))
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* Zero when the bead is no member. */
static double bond_energy_with(const AmphiState *state, int32_t bond, int32_t bead,
                               const Bead *moved)
{
    const int32_t  *index   = state->system->bond[bond].bead;
    const BondTerm *term    = &state->bond_term[state->system->bond[bond].rule];
    bool            is_here = false;
    const Bead     *member[AMPHI_MAX_BOND_BEADS];

    for (int32_t k = 0; k < term->n_beads; k++) {
        member[k] = index[k] == bead ? moved : &state->bead[index[k]];
        is_here   = is_here || index[k] == bead;
    }
    if (!is_here)
        return 0;

    const BondGeometry g = bond_geometry(state, bond, term->n_beads, member);
    return bond_eval(term, &g).u;
}

double amphi_reference_bead_energy(const AmphiState *state, int32_t bead, const double position[3],
                                   const double orientation[4])
{
    const AmphiSystem *system = state->system;
    const Bead         moved  = make_bead(system, bead, position, orientation);
    double             sum    = 0;

    for (int32_t j = 0; j < system->n_beads; j++) {
        if (j == bead)
            continue;
        const Acting acting = acting_between(state, &moved, &state->bead[j]);
        if (acting.n > 0 && is_excluded(system, bead, j))
            continue;
        for (int32_t k = 0; k < acting.n; k++)
            sum += acting.term[k].u;
    }
    for (int32_t k = 0; k < system->n_bonds; k++)
        sum += bond_energy_with(state, k, bead, &moved);
    return sum;
}

static void add_kinetic(const AmphiSystem *system, int32_t i, AmphiFrame *frame)
{
    const AmphiBeadType *type = &system->type[system->bead_type[i]];
    const double        *v = system->velocity_nm_ps[i], *l = system->spin_u_nm2_ps[i];
    const int            n_moments = type->rotor == AMPHI_POINT          ? 0
                                     : type->rotor == AMPHI_LINEAR_ROTOR ? 2
                                                                         : 3;

    add_outer(frame->kinetic_kJ_mol, scale3(0.5 * type->mass_u, vector_of(v)), vector_of(v));
    for (int k = 0; k < n_moments; k++)
        frame->rotation_kJ_mol += l[k] * l[k] / (2 * type->inertia_u_nm2[k]);
}

static AmphiStatus reference_read_frame(AmphiState *state, uint32_t needs, AmphiFrame *frame,
                                        AmphiError *err)
{
    const AmphiSystem *system = state->system;

    (void)needs;
    (void)err;
    *frame = (AmphiFrame){
        .has             = state->has,
        .position_nm     = system->position_nm,
        .force_kJ_mol_nm = (const double(*)[3])state->force,
        .torque_kJ_mol   = (const double(*)[3])state->torque,
        .velocity_nm_ps  = system->velocity_nm_ps,
        .orientation     = system->orientation,
        .spin_u_nm2_ps   = system->spin_u_nm2_ps,
    };
    memcpy(frame->box_nm, system->box_nm, sizeof frame->box_nm);
    memcpy(frame->term_kJ_mol, state->energy, sizeof state->energy);
    memcpy(frame->term_virial_kJ_mol, state->virial, sizeof state->virial);
    memcpy(frame->term_count, state->count, sizeof state->count);
    for (int32_t i = 0; i < system->n_beads; i++)
        add_kinetic(system, i, frame);
    return AMPHI_OK;
}

static void prepare_rules(AmphiState *state)
{
    const AmphiSystem *system = state->system;

    for (int32_t k = 0; k < system->n_types * system->n_types; k++) {
        Rule *rule = &state->rule[k];

        rule->n_terms = system->pair_rule[k].n_terms;
        for (int32_t t = 0; t < rule->n_terms; t++) {
            rule->term[t] = pair_prepare(&system->pair_rule[k].term[t]);
            rule->cutoff2 = fmax(rule->cutoff2, rule->term[t].cutoff2);
        }
    }
    for (int32_t k = 0; k < system->n_bond_rules; k++)
        state->bond_term[k] = bond_prepare(&system->bond_rule[k]);
}

static void reference_close(AmphiState *state)
{
    if (state != NULL)
        amphi_arena_free(state->arena);
}

static AmphiStatus reference_open(const AmphiSystem *system, AmphiState **out, AmphiError *err)
{
    AmphiArena   *arena   = amphi_arena_new();
    AmphiState   *state   = arena == NULL ? NULL : AMPHI_TAKE(arena, AmphiState, 1);
    const int64_t n_types = system->n_types, n_beads = system->n_beads;

    *out = NULL;
    if (state == NULL) {
        amphi_arena_free(arena);
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for the reference backend");
    }
    state->arena     = arena;
    state->system    = system;
    state->box       = box_prepare(system->box_nm);
    state->rule      = AMPHI_TAKE(arena, Rule, n_types * n_types);
    state->bond_term = AMPHI_TAKE(arena, BondTerm, system->n_bond_rules);
    state->bead      = AMPHI_TAKE(arena, Bead, n_beads);
    state->force     = amphi_arena_take(arena, n_beads, sizeof(double[3]));
    state->torque    = amphi_arena_take(arena, n_beads, sizeof(double[3]));
    if (amphi_arena_failed(arena)) {
        amphi_arena_free(arena);
        return amphi_fail(err, AMPHI_NO_MEMORY, "no memory for %d beads", (int)n_beads);
    }
    prepare_rules(state);
    for (int32_t i = 0; i < system->n_beads; i++)
        state->bead[i] = make_bead(system, i, system->position_nm[i], system->orientation[i]);
    *out = state;
    return AMPHI_OK;
}

const AmphiBackend AMPHI_T(reference_backend) = {
    .name           = "reference",
    .precision      = AMPHI_DOUBLE,
    .open           = reference_open,
    .close          = reference_close,
    .compute_forces = reference_compute_forces,
    .read_frame     = reference_read_frame,
};
