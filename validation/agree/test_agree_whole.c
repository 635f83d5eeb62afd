/* A system as a whole: moved, turned so that x becomes y, y becomes z and z becomes x, or with its
 * molecules listed the other way round, it has the same energies, and the forces that go with that.
 * In each precision, on the cpu and on a device where there is one. No lattice of cells, no order
 * of beads and no edge of the box may be seen in a force.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../engine/arena.h"
#include "../bench/replicate.h"
#include "../property/draw.h"
#include "backends.h"

/* A shipped system, and copies of it along each axis. */
static const struct {
    const char *name;
    int32_t     copies[3];
} systems[] = {
    { "systems/bilayer-128.xml", { 1, 1, 1 } },  { "systems/bilayer-b08o.xml", { 1, 1, 1 } },
    { "systems/mixture.xml", { 1, 1, 1 } },      { "systems/gay-berne.xml", { 1, 1, 1 } },
    { "systems/water-ssd-rf.xml", { 1, 1, 1 } }, { "systems/water-elba.xml", { 1, 1, 1 } },
    { "systems/bilayer-128.xml", { 5, 3, 1 } }, /* goes another way on a device, and only there */
};
enum { N_SYSTEMS = sizeof systems / sizeof *systems };

/* What has been done to a system: bead i of the first is bead to[i] of the other, and what was
 * along axis a is along axis axis[a]. */
typedef struct {
    AmphiSystem system;
    AmphiArena *arena;
    int32_t    *to;
    int         axis[3];
    const char *what;
} Changed;

/* A copy that can be written. */
static void *copy(AmphiArena *arena, const void *from, int64_t n, size_t size)
{
    void *to = amphi_arena_take(arena, n, size);

    assert_non_null(to);
    return from != NULL ? memcpy(to, from, (size_t)n * size) : to;
}

static Changed begin_change(const AmphiSystem *s, const char *what)
{
    Changed c = { .system = *s, .arena = amphi_arena_new(), .axis = { 0, 1, 2 }, .what = what };

    c.to = copy(c.arena, NULL, s->n_beads, sizeof *c.to);
    for (int32_t i = 0; i < s->n_beads; i++)
        c.to[i] = i;
    return c;
}

/* Past three edges of the box. */
static Changed moved(const AmphiSystem *s)
{
    Changed c      = begin_change(s, "moved");
    double(*x)[3]  = copy(c.arena, s->position_nm, s->n_beads, sizeof *x);
    double(*at)[3] = NULL;

    for (int32_t i = 0; i < s->n_beads; i++)
        for (int a = 0; a < 3; a++)
            x[i][a] += s->box_nm[a] * (0.31 + 0.17 * a);
    if (s->anchor_nm != NULL) {
        at = copy(c.arena, s->anchor_nm, s->n_bonds, sizeof *at);
        for (int32_t b = 0; b < s->n_bonds; b++)
            for (int a = 0; a < 3; a++)
                at[b][a] += s->box_nm[a] * (0.31 + 0.17 * a);
        c.system.anchor_nm = (const double(*)[3])at;
    }
    c.system.position_nm = (const double(*)[3])x;
    return c;
}

/* A third of a turn about the diagonal of a cube. */
static Changed turned(const AmphiSystem *s)
{
    const double third[4] = { 0.5, 0.5, 0.5, 0.5 };
    Changed      c        = begin_change(s, "turned");
    double(*x)[3]         = copy(c.arena, NULL, s->n_beads, sizeof *x);
    double(*q)[4]         = copy(c.arena, NULL, s->n_beads, sizeof *q);

    for (int a = 0; a < 3; a++) {
        c.axis[a]                    = (a + 1) % 3;
        c.system.box_nm[(a + 1) % 3] = s->box_nm[a];
    }
    for (int32_t i = 0; i < s->n_beads; i++) {
        for (int a = 0; a < 3; a++)
            x[i][c.axis[a]] = s->position_nm[i][a];
        multiply_turns(third, s->orientation[i], q[i]);
    }
    c.system.position_nm = (const double(*)[3])x;
    c.system.orientation = (const double(*)[4])q;
    return c;
}

/* Molecules from the last to the first, each with its beads in order. */
static void reverse(Changed *c, const AmphiSystem *s, AmphiMolecule *molecule)
{
    int32_t n = 0;

    for (int32_t m = s->n_molecules - 1; m >= 0; m--) {
        const AmphiMolecule *from  = &s->molecule[m];
        const int32_t        beads = s->molecule_type[from->type].n_beads;

        molecule[s->n_molecules - 1 - m] = (AmphiMolecule){ from->type, n };
        for (int32_t k = 0; k < beads; k++)
            c->to[from->first_bead + k] = n++;
    }
    assert_int_equal(n, s->n_beads);
}

static int compare_pairs(const void *a, const void *b)
{
    const int32_t *p = a, *q = b;

    return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

/* An array of beads in the new order. */
static void *reordered(const Changed *c, const void *from, size_t size)
{
    char *to = copy(c->arena, NULL, c->system.n_beads, size);

    for (int32_t i = 0; i < c->system.n_beads; i++)
        memcpy(to + (size_t)c->to[i] * size, (const char *)from + (size_t)i * size, size);
    return to;
}

static Changed listed_backwards(const AmphiSystem *s)
{
    Changed        c        = begin_change(s, "listed backwards");
    AmphiSystem   *t        = &c.system;
    AmphiMolecule *molecule = copy(c.arena, NULL, s->n_molecules, sizeof *molecule);
    AmphiBond     *bond     = copy(c.arena, s->bond, s->n_bonds, sizeof *bond);
    int32_t(*excluded)[2]   = copy(c.arena, s->exclusion, s->n_exclusions, sizeof *excluded);
    int32_t *of             = copy(c.arena, NULL, s->n_beads, sizeof *of);

    reverse(&c, s, molecule);
    for (int32_t i = 0; i < s->n_beads; i++)
        of[c.to[i]] = s->n_molecules - 1 - s->bead_molecule[i];
    for (int32_t b = 0; b < s->n_bonds; b++)
        for (int k = 0; k < AMPHI_MAX_BOND_BEADS; k++)
            if (bond[b].bead[k] >= 0)
                bond[b].bead[k] = c.to[bond[b].bead[k]];
    for (int32_t e = 0; e < s->n_exclusions; e++) {
        const int32_t one = c.to[s->exclusion[e][0]], other = c.to[s->exclusion[e][1]];

        excluded[e][0] = one < other ? one : other;
        excluded[e][1] = one < other ? other : one;
    }
    qsort(excluded, (size_t)s->n_exclusions, sizeof *excluded, compare_pairs);
    t->molecule         = molecule;
    t->bond             = bond;
    t->exclusion        = (const int32_t(*)[2])excluded;
    t->bead_molecule    = of;
    t->n_groups         = 0;
    t->bead_type        = reordered(&c, s->bead_type, sizeof *s->bead_type);
    t->bead_charge_e    = reordered(&c, s->bead_charge_e, sizeof *s->bead_charge_e);
    t->bead_dipole_e_nm = reordered(&c, s->bead_dipole_e_nm, sizeof *s->bead_dipole_e_nm);
    t->position_nm      = reordered(&c, s->position_nm, sizeof *s->position_nm);
    t->velocity_nm_ps   = reordered(&c, s->velocity_nm_ps, sizeof *s->velocity_nm_ps);
    t->orientation      = reordered(&c, s->orientation, sizeof *s->orientation);
    t->spin_u_nm2_ps    = reordered(&c, s->spin_u_nm2_ps, sizeof *s->spin_u_nm2_ps);
    return c;
}

/* ---- what comes of it ---- */

/* Relative: places, axes and sums are rounded in another way, but for the order of beads in fixed
 * precision. Either side may be as far from the truth as backends.h says; in double, where places
 * are fractions of the box, that goes with its edge. */
static double bound_of(AmphiPrecision p, const Changed *c)
{
    const double *b       = c->system.box_nm;
    const bool    is_same = c->axis[0] == 0 && c->to[0] != 0;

    if (p == AMPHI_DOUBLE)
        return 2e-13 * fmax(1, fmax(b[0], fmax(b[1], b[2])) / 6.5);
    return p == AMPHI_FIXED && is_same ? 0 : 4e-6;
}

/* Vectors of the changed system, as they were before the change. */
static Vectors taken_back(const Changed *c, const double (*changed)[3])
{
    Vectors v = vectors_new(c->system.n_beads);

    for (int32_t i = 0; i < c->system.n_beads; i++)
        for (int a = 0; a < 3; a++)
            v[i][a] = changed[c->to[i]][c->axis[a]];
    return v;
}

static void hold_change(const AmphiBackend *backend, AmphiPrecision p, const AmphiFrame *before,
                        Changed c)
{
    AmphiState      *state  = open_state(backend, &c.system, 0);
    const AmphiFrame after  = forces_of(backend, state);
    Vectors          force  = taken_back(&c, after.force_kJ_mol_nm);
    Vectors          torque = taken_back(&c, after.torque_kJ_mol);
    const int32_t    n      = c.system.n_beads;
    const double     bound  = bound_of(p, &c);
    double           scale  = 0;

    print_message("  %s\n", c.what);
    for (int k = 0; k < AMPHI_TERMS; k++)
        scale = fmax(scale, fabs(before->term_kJ_mol[k]));
    for (int k = 0; k < AMPHI_TERMS; k++) {
        assert_true(llabs(after.term_count[k] - before->term_count[k]) <=
                    (p == AMPHI_DOUBLE ? 0 : 1 + before->term_count[k] / 20000));
        if (before->term_count[k] > 0)
            HOLD("energy of a term", fabs(after.term_kJ_mol[k] - before->term_kJ_mol[k]) / scale,
                 bound == 0 ? 0 : energy_bound_of(p));
    }
    HOLD("force", relative_rms((const double(*)[3])force, before->force_kJ_mol_nm, n), bound);
    if (largest(&before->torque_kJ_mol[0][0], 3 * n) > 0)
        HOLD("torque", relative_rms((const double(*)[3])torque, before->torque_kJ_mol, n), bound);
    amphi_release(force);
    amphi_release(torque);
    backend->close(state);
    amphi_arena_free(c.arena);
}

static void hold_changes(const AmphiBackend *backend, AmphiPrecision p, const AmphiSystem *system)
{
    AmphiState *state  = open_state(backend, system, 0);
    AmphiFrame  before = forces_of(backend, state);

    hold_change(backend, p, &before, moved(system));
    if (system->anchor_nm == NULL) { /* restraints name their axes, and have anchors by bond */
        hold_change(backend, p, &before, turned(system));
        hold_change(backend, p, &before, listed_backwards(system));
    }
    backend->close(state);
}

static void hold_systems(const char *name)
{
    const bool is_cpu = strcmp(name, "cpu") == 0;

    for (AmphiPrecision p = AMPHI_SINGLE; p <= AMPHI_FIXED; p++) {
        const AmphiBackend *backend = is_cpu ? amphi_backend_find(name, p) : device_or_skip(p);

        for (int k = 0; k < N_SYSTEMS; k++) {
            if (is_cpu && systems[k].copies[0] > 1)
                continue;
            AmphiJob   *job    = job_of(".", systems[k].name);
            AmphiArena *arena  = amphi_arena_new();
            AmphiSystem system = job->system;

            if (systems[k].copies[0] > 1)
                assert_true(replicate(&job->system, NULL, systems[k].copies, arena, &system));
            print_message("%s %s, %s, %d beads\n", name, amphi_precision_name(p), systems[k].name,
                          system.n_beads);
            hold_changes(backend, p, &system);
            amphi_arena_free(arena);
            amphi_job_free(job);
        }
    }
}

/* ---- a box that is shorter than twice two arms ---- */

static const char CHAIN[] =
    "<amphi version='1'><forcefield>"
    "<beadtype name='b' mass='40 u' inertia='1 u*nm^2'/>"
    "<pair types='b b' potential='none'/>"
    "<moleculetype name='chain'>"
    "<bead id='1' type='b'/><bead id='2' type='b'/><bead id='3' type='b'/><bead id='4' type='b'/>"
    "<bond beads='1 2' potential='harmonic' k='600 kJ/mol/nm^2' length='0.4 nm'/>"
    "<bond beads='2 3' potential='harmonic' k='600 kJ/mol/nm^2' length='0.4 nm'/>"
    "<bond beads='3 4' potential='harmonic' k='600 kJ/mol/nm^2' length='0.4 nm'/>"
    "<angle beads='1 2 3' potential='cosine-squared' k='15 kJ/mol' angle='140 deg'/>"
    "<angle beads='2 3 4' potential='harmonic' k='20 kJ/mol/rad^2' angle='150 deg'/>"
    "<orientation beads='3 2 4' potential='bond-axis' k='10 kJ/mol'/>"
    "</moleculetype></forcefield>"
    "<system><box x='%g nm' y='%g nm' z='%g nm'/><molecule type='chain' count='1'/><start>"
    "<beads length='nm'>"
    "b 1 0.10 0.30 1.10 0.7 -0.1 0.7 0.1\nb 1 0.45 0.55 1.15 0.5 0.5 -0.5 0.5\n"
    "b 1 0.95 0.50 1.30 0.1 0.9 0.3 0.3\nb 1 1.25 0.90 1.35 0.9 0.1 0.3 0.3\n"
    "</beads></start></system>"
    "<interactions><cutoff distance='0.55 nm'/></interactions></amphi>";

/* Nothing is as far from its neighbour as half the box, but from the next along x. The axis of the
 * middle one of three is coupled to both. */
static void hold_chain(const AmphiBackend *backend, AmphiPrecision p)
{
    AmphiJob        *small_job = job_of_text(CHAIN, 1.2, 1.2, 1.2);
    AmphiJob        *large_job = job_of_text(CHAIN, 5.0, 5.0, 5.0);
    AmphiState      *small_box = open_state(backend, &small_job->system, 0);
    AmphiState      *large_box = open_state(backend, &large_job->system, 0);
    const AmphiFrame got       = forces_of(backend, small_box);
    const AmphiFrame wanted    = forces_of(backend, large_box);
    const int32_t    n         = large_job->system.n_beads;
    const double     bound     = p == AMPHI_DOUBLE ? 2e-13 : 4e-6;
    double           scale     = 0;

    for (int k = 0; k < AMPHI_TERMS; k++)
        scale = fmax(scale, fabs(wanted.term_kJ_mol[k]));
    assert_true(scale > 1);
    for (int k = 0; k < AMPHI_TERMS; k++) {
        HOLD("energy of a term", fabs(got.term_kJ_mol[k] - wanted.term_kJ_mol[k]) / scale,
             energy_bound_of(p));
        for (int a = 0; a < 9; a++)
            HOLD("virial of a term",
                 fabs(got.term_virial_kJ_mol[k][a / 3][a % 3] -
                      wanted.term_virial_kJ_mol[k][a / 3][a % 3]) /
                     scale,
                 energy_bound_of(p));
    }
    HOLD("force", relative_rms(got.force_kJ_mol_nm, wanted.force_kJ_mol_nm, n), bound);
    HOLD("torque", relative_rms(got.torque_kJ_mol, wanted.torque_kJ_mol, n), bound);
    backend->close(small_box);
    backend->close(large_box);
    amphi_job_free(small_job);
    amphi_job_free(large_job);
}

static void two_arms_longer_than_half_the_box_on_the_cpu(void **state)
{
    (void)state;
    for (AmphiPrecision p = AMPHI_SINGLE; p <= AMPHI_FIXED; p++)
        hold_chain(amphi_backend_find("cpu", p), p);
    hold_chain(amphi_backend_find("reference", AMPHI_DOUBLE), AMPHI_DOUBLE);
}

static void two_arms_longer_than_half_the_box_on_a_device(void **state)
{
    (void)state;
    for (AmphiPrecision p = AMPHI_SINGLE; p <= AMPHI_FIXED; p++)
        hold_chain(device_or_skip(p), p);
}

static void a_system_as_a_whole_on_the_cpu(void **state)
{
    (void)state;
    hold_systems("cpu");
}

static void a_system_as_a_whole_on_a_device(void **state)
{
    (void)state;
    hold_systems("cuda");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_system_as_a_whole_on_the_cpu),
        cmocka_unit_test(a_system_as_a_whole_on_a_device),
        cmocka_unit_test(two_arms_longer_than_half_the_box_on_the_cpu),
        cmocka_unit_test(two_arms_longer_than_half_the_box_on_a_device),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
