/* Forces and torques of the reference backend are the slopes of its own energy, on every shipped and
 * every shared system: 200 beads at random, three components each, torques where beads turn.
 *
 * The slope is a central difference of fourth order from the energy of the moved bead alone. With
 * h = 1e-5 nm the rounding of an energy of 1000 kJ/mol leaves 1e-8 kJ/mol/nm, 1e-10 of the rms force,
 * and the formula some 1e-11; the bound has room for cut-offs, where second derivatives jump.
 */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "peers.h"

enum { N_SAMPLE = 200 };

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
        if (fabs(near - far) < 1e-5 * scale)
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
    double  off2, all2;
    int64_t n;
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
        sum->n++;
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

static void check_sample(const char *what, const Coordinate *kind, const double (*exact)[3],
                         const int32_t *candidate, int32_t n)
{
    const int32_t n_sample = n < N_SAMPLE ? n : N_SAMPLE;
    const double  scale    = rms(exact, kind->system->n_beads);
    Sum           sum      = { 0, 0, 0 };

    for (int32_t k = 0; k < n_sample; k++) {
        Coordinate c = *kind;

        c.bead = draw_bead(k, n_sample, n);
        c.bead = candidate != NULL ? candidate[c.bead] : c.bead;
        add_bead(c, exact[c.bead], scale, &sum);
    }
    if (n_sample > 0)
        HOLD(what, sqrt(sum.off2 / sum.all2), bound);
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

    assert_non_null(rotor);
    print_message("  %s, %d beads\n", name, (int)system->n_beads);
    if (backend->open(system, &state, &err) != AMPHI_OK ||
        backend->compute_forces(state, needs, &err) != AMPHI_OK ||
        backend->read_frame(state, needs, &frame, &err) != AMPHI_OK)
        fail_msg("%s: %s", name, err.text);
    c.state = state;
    check_sample("forces", &c, frame.force_kJ_mol_nm, NULL, system->n_beads);
    c.turns = true;
    check_sample("torques", &c, frame.torque_kJ_mol, rotor, find_rotors(system, rotor));
    backend->close(state);
    amphi_release(rotor);
}

static void check_job(const char *name, AmphiJob *job)
{
    check_system(name, &job->system);
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
        if (is_job(entry->d_name)) {
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_hold_on_every_shipped_system),
        cmocka_unit_test(slopes_hold_on_the_membrane_and_the_water_of_lammps),
        cmocka_unit_test(slopes_hold_on_the_boxes_of_openmd),
        cmocka_unit_test(slopes_hold_on_the_other_boxes_of_lammps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
