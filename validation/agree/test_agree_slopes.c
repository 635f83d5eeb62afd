/* Forces and torques of the reference backend are the slopes of its own energy, on every shipped
 * and every shared system: 200 beads at random, three components each, torques where beads turn (of
 * more than 20 000 beads: a column of them).
 *
 * The slope is a central difference of fourth order from the energy of the moved bead alone. With h
 * = 1e-5 nm the rounding of an energy of 1000 kJ/mol leaves 1e-8 kJ/mol/nm, 1e-10 of the rms force,
 * and the formula some 1e-11; the bound has room for cut-offs, where second derivatives jump.
 */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "peers.h"

enum { N_SAMPLE = 200, FEW = 40 }; /* few: under sanitizers, with BRIEF in the environment */

static const double bound = 1e-7;

/* One coordinate of one bead: displacement along, or rotation about, an axis of space. */
typedef struct {
    const AmphiState  *state;
    const AmphiSystem *system;
    int32_t            bead;
    int                axis;
    bool               turns;
} Coordinate;

/* Turned about the space axis by the angle: (cos, sin axis) q. */
static void turned(const double q[4], int axis, double angle, double out[4])
{
    const double c = cos(angle / 2), s = sin(angle / 2);
    const int    x = axis + 1, y = (axis + 1) % 3 + 1, z = (axis + 2) % 3 + 1;

    out[0] = c * q[0] - s * q[x];
    out[x] = c * q[x] + s * q[0];
    out[y] = c * q[y] - s * q[z];
    out[z] = c * q[z] + s * q[y];
}

static double energy_at(const Coordinate *c, double x)
{
    double position[3], orientation[4];

    memcpy(position, c->system->position_nm[c->bead], sizeof position);
    memcpy(orientation, c->system->orientation[c->bead], sizeof orientation);
    if (c->turns)
        turned(c->system->orientation[c->bead], c->axis, x, orientation);
    else
        position[c->axis] += x;
    return amphi_reference_bead_energy(c->state, c->bead, position, orientation);
}

/* A pair at the edge of a range or of a switch puts a step or a kink into the stencil: then the two
 * differences disagree, and a smaller step leaves the edge out. */
static double slope_of(const Coordinate *c, double scale)
{
    double slope = 0;

    for (double h = 1e-5; h > 1e-8; h *= 0.2) {
        const double near = (energy_at(c, h) - energy_at(c, -h)) / (2 * h);
        const double far  = (energy_at(c, 2 * h) - energy_at(c, -2 * h)) / (4 * h);

        slope = (4 * near - far) / 3;
        if (fabs(near - far) < 1e-6 * scale)
            break;
    }
    return slope;
}

/* Without repetition when there are few beads; the numbers only have to be spread. */
static int32_t draw_bead(int32_t k, int32_t n_sample, int32_t n_beads)
{
    const uint64_t hash = (uint64_t)(k + 1) * 0x9e3779b97f4a7c15U;
    const int64_t  low  = (int64_t)k * n_beads / n_sample,
                  high  = (int64_t)(k + 1) * n_beads / n_sample;

    return (int32_t)(low + (int64_t)(hash >> 33) % (high - low));
}

typedef struct {
    double off2, all2;
} Sum;

static double rms(const double (*v)[3], int32_t n)
{
    double sum = 0;

    for (int32_t i = 0; i < n; i++)
        sum += v[i][0] * v[i][0] + v[i][1] * v[i][1] + v[i][2] * v[i][2];
    return sqrt(sum / (3.0 * n));
}

static void add_bead(Coordinate c, const double exact[3], double scale, Sum *sum)
{
    for (c.axis = 0; c.axis < 3; c.axis++) {
        const double off = -slope_of(&c, scale) - exact[c.axis];

        sum->off2 += off * off;
        sum->all2 += exact[c.axis] * exact[c.axis];
    }
}

/* Beads that turn, in order; the number of them. */
static int32_t find_rotors(const AmphiSystem *s, int32_t *rotor)
{
    int32_t n = 0;

    for (int32_t i = 0; i < s->n_beads; i++)
        if (s->type[s->bead_type[i]].rotor != AMPHI_POINT)
            rotor[n++] = i;
    return n;
}

/* Of slopes against what is said to be exact, over a sample of the candidates (NULL: all beads). */
static double sample_error(const Coordinate *kind, const double (*exact)[3],
                           const int32_t *candidate, int32_t n)
{
    const int32_t wanted   = getenv("BRIEF") != NULL ? FEW : N_SAMPLE;
    const int32_t n_sample = n < wanted ? n : wanted;
    const double  scale    = rms(exact, kind->system->n_beads);
    Sum           sum      = { 0, 0 };

    for (int32_t k = 0; k < n_sample; k++) {
        Coordinate c = *kind;

        c.bead = draw_bead(k, n_sample, n);
        c.bead = candidate != NULL ? candidate[c.bead] : c.bead;
        add_bead(c, exact[c.bead], scale, &sum);
    }
    return sqrt(sum.off2 / sum.all2);
}

static void check_system(const char *name, const AmphiSystem *system)
{
    const AmphiBackend *backend = amphi_backend_find("reference", AMPHI_DOUBLE);
    const uint32_t      needs   = AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES;
    int32_t            *rotor   = amphi_alloc(system->n_beads, sizeof *rotor);
    Coordinate          c       = { .system = system };
    AmphiState         *state   = NULL;
    AmphiError          err     = { AMPHI_OK, "" };
    AmphiFrame          frame;
    int32_t             n_rotors;

    assert_non_null(rotor);
    print_message("  %s, %d beads\n", name, (int)system->n_beads);
    if (backend->open(system, NULL, &state, &err) != AMPHI_OK ||
        backend->compute_forces(state, needs, &err) != AMPHI_OK ||
        backend->read_frame(state, needs, &frame, &err) != AMPHI_OK)
        fail_msg("%s: %s", name, err.text);
    c.state = state;
    HOLD("forces", sample_error(&c, frame.force_kJ_mol_nm, NULL, system->n_beads), bound);
    c.turns  = true;
    n_rotors = find_rotors(system, rotor);
    if (n_rotors > 0)
        HOLD("torques", sample_error(&c, frame.torque_kJ_mol, rotor, n_rotors), bound);
    backend->close(state);
    amphi_release(rotor);
}

/* A column of a large system: the judge looks at all pairs, which takes minutes for 100 000 beads.
 * Kept are the molecules that begin in it, whole, in the same box; the bonded terms and exclusions
 * of the others go. */

typedef struct {
    int32_t  n, *place; /* [n_beads] in the column, -1: not in it */
    int32_t *bead;      /* [n] of the whole */
} Column;

static Column choose_column(const AmphiSystem *s, double edge_nm)
{
    Column c = { .place = amphi_alloc(s->n_beads, sizeof *c.place),
                 .bead  = amphi_alloc(s->n_beads, sizeof *c.bead) };

    assert_true(c.place != NULL && c.bead != NULL);
    for (int32_t i = 0; i < s->n_beads; i++) {
        const double *x = s->position_nm[s->molecule[s->bead_molecule[i]].first_bead];

        c.place[i] = -1;
        if (x[0] < edge_nm && x[1] < edge_nm) {
            c.bead[c.n] = i;
            c.place[i]  = c.n++;
        }
    }
    return c;
}

/* [n] of an array [n_beads] of items */
static void *gathered(const void *items, size_t size, const Column *c, AmphiArena *arena)
{
    unsigned char       *out  = amphi_arena_take(arena, c->n, size);
    const unsigned char *from = items;

    assert_non_null(out);
    for (int32_t k = 0; k < c->n; k++)
        memcpy(out + (size_t)k * size, from + (size_t)c->bead[k] * size, size);
    return out;
}

static void cut_bonds(const AmphiSystem *s, const Column *c, AmphiArena *arena, AmphiSystem *out)
{
    AmphiBond *bond   = AMPHI_TAKE(arena, AmphiBond, s->n_bonds);
    int32_t(*pair)[2] = amphi_arena_take(arena, s->n_exclusions, sizeof *pair);

    assert_true(bond != NULL && pair != NULL);
    assert_null(s->anchor_nm); /* anchors would have to be cut too */
    out->n_bonds = out->n_exclusions = 0;
    for (int32_t k = 0; k < s->n_bonds; k++) {
        AmphiBond cut = s->bond[k];

        if (c->place[cut.bead[0]] < 0)
            continue;
        for (int32_t b = 0; b < AMPHI_MAX_BOND_BEADS; b++)
            cut.bead[b] = c->place[cut.bead[b]];
        bond[out->n_bonds++] = cut;
    }
    for (int32_t k = 0; k < s->n_exclusions; k++)
        if (c->place[s->exclusion[k][0]] >= 0) {
            pair[out->n_exclusions][0]   = c->place[s->exclusion[k][0]];
            pair[out->n_exclusions++][1] = c->place[s->exclusion[k][1]];
        }
    out->bond      = bond;
    out->exclusion = (const int32_t(*)[2])pair;
}

static AmphiSystem cut_to_column(const AmphiSystem *s, double edge_nm, AmphiArena *arena)
{
    Column      c   = choose_column(s, edge_nm);
    AmphiSystem out = *s;

    out.n_beads          = c.n;
    out.bead_type        = gathered(s->bead_type, sizeof *s->bead_type, &c, arena);
    out.bead_charge_e    = gathered(s->bead_charge_e, sizeof(double), &c, arena);
    out.bead_dipole_e_nm = gathered(s->bead_dipole_e_nm, sizeof(double), &c, arena);
    out.position_nm      = gathered(s->position_nm, sizeof(double[3]), &c, arena);
    out.velocity_nm_ps   = gathered(s->velocity_nm_ps, sizeof(double[3]), &c, arena);
    out.orientation      = gathered(s->orientation, sizeof(double[4]), &c, arena);
    out.spin_u_nm2_ps    = gathered(s->spin_u_nm2_ps, sizeof(double[3]), &c, arena);
    cut_bonds(s, &c, arena, &out);
    amphi_release(c.place);
    amphi_release(c.bead);
    return out;
}

enum { MAX_BEADS = 20000 };

static void check_job(const char *name, AmphiJob *job)
{
    const AmphiSystem *whole = &job->system;

    if (whole->n_beads > MAX_BEADS) {
        const double      share = (double)MAX_BEADS / 2 / whole->n_beads;
        const double      edge  = sqrt(share * whole->box_nm[0] * whole->box_nm[1]);
        const AmphiSystem cut   = cut_to_column(whole, edge, job->arena);

        print_message("  of %d beads, a column: ", (int)whole->n_beads);
        check_system(name, &cut);
    } else
        check_system(name, whole);
    amphi_job_free(job);
}

static bool is_job(const char *name)
{
    const size_t n = strlen(name);

    return n > 4 && strcmp(name + n - 4, ".xml") == 0;
}

static void slopes_hold_on_every_shipped_system(void **unused)
{
    DIR *folder = opendir("systems");
    int  n      = 0;

    (void)unused;
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
        if (is_job(entry->d_name) && !is_left_out(entry->d_name)) {
            check_job(entry->d_name, job_of("systems", entry->d_name));
            n++;
        }
    closedir(folder);
    assert_true(n >= 11);
}

static void slopes_hold_on_the_membrane_and_the_water_of_lammps(void **unused)
{
    char peer[PATH_SIZE];

    (void)unused;
    PEER_OR_SKIP("elba/dmpc", peer);
    check_job("elba/dmpc", peer_elba(peer, PEER_MEMBRANE, "data.dmpc"));
    PEER_OR_SKIP("elba/water", peer);
    check_job("elba/water",
              peer_elba(peer, "<molecule type=\"water\" count=\"1024\"/>", "data.water"));
}

static void slopes_hold_on_the_boxes_of_openmd(void **unused)
{
    static const char *const box[][2] = { { "ssd/ssd256", "SSD" },
                                          { "ssd/ssd1_256", "SSD1" },
                                          { "ssd/ssde256", "SSDE" },
                                          { "ssd/ssdrf256", "SSDRF" } };
    char                     peer[PATH_SIZE];

    (void)unused;
    for (int k = 0; k < 4; k++) {
        PEER_OR_SKIP(box[k][0], peer);
        check_job(box[k][0], peer_ssd_box(peer, box[k][1], 256, "type=\"force-shift\"",
                                          "type=\"switched\" from=\"8.55 A\""));
    }
    PEER_OR_SKIP("ssd/dimer_sample_SSD_E", peer);
    check_job("ssd/dimer", peer_ssd_box(peer, "SSDE", 2, "type=\"truncated\"",
                                        "type=\"reaction-field\" permittivity=\"80\""));
}

static void slopes_hold_on_the_other_boxes_of_lammps(void **unused)
{
    char peer[PATH_SIZE];

    (void)unused;
    PEER_OR_SKIP("gayberne", peer);
    check_job("gayberne, switched", peer_gay_berne_box(peer, "type=\"switched\" from=\"3.6 nm\""));
    check_job("gayberne, shifted", peer_gay_berne_box(peer, "type=\"energy-shift\""));
    PEER_OR_SKIP("dipoles", peer);
    for (int k = 0; k < N_DIPOLE_STYLES; k++)
        check_job(peer_dipole_style(k)->name, peer_dipole_box(peer, peer_dipole_style(k)));
}

/* Forces and torques that are too large by one part in 100 000 are no slopes. */
static void a_wrong_force_and_a_wrong_torque_are_seen(void **unused)
{
    const AmphiBackend *backend = amphi_backend_find("reference", AMPHI_DOUBLE);
    AmphiJob           *job     = job_of("systems", "pair.xml");
    Evaluation          e       = evaluate(&job->system);
    AmphiState         *state   = NULL;
    AmphiError          err     = { AMPHI_OK, "" };
    Coordinate          c       = { .system = &job->system };

    (void)unused;
    assert_int_equal(backend->open(&job->system, NULL, &state, &err), AMPHI_OK);
    c.state = state;
    for (int k = 0; k < 6; k++) {
        e.force[k / 3][k % 3] *= 1 + 1e-5;
        e.torque[k / 3][k % 3] *= 1 + 1e-5;
    }
    assert_true(sample_error(&c, (const double(*)[3])e.force, NULL, 2) > 50 * bound);
    c.turns = true;
    assert_true(sample_error(&c, (const double(*)[3])e.torque, NULL, 2) > 50 * bound);
    backend->close(state);
    evaluation_free(&e);
    amphi_job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_force_and_a_wrong_torque_are_seen),
        cmocka_unit_test(slopes_hold_on_every_shipped_system),
        cmocka_unit_test(slopes_hold_on_the_membrane_and_the_water_of_lammps),
        cmocka_unit_test(slopes_hold_on_the_boxes_of_openmd),
        cmocka_unit_test(slopes_hold_on_the_other_boxes_of_lammps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
