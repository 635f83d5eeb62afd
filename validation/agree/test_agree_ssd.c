/* OpenMD on the four SSD waters: boxes of 256 in five treatments, a dimer, and scans of two
 * molecules.
 *
 * The peer's dipole kernels are splines, refined for these data: its energies are those of the
 * formula to 1e-11, its forces to about 1e-9 kcal/mol/A, that is 1e-10 of the rms. Its pressure
 * tensor comes with 17 digits, but from those forces, and holds the kinetic part. So 1e-9 is what
 * the data can carry for energies and torques, and for rms forces; the promise of the project is
 * 1e-7.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "peers.h"

/* kcal/mol in u A^2/fs^2 */
#define KCAL_U_A_FS (KCAL * 1e-4)

static const double bound = 1e-9;

static const bool nine[3][3] = { { true, true, true }, { true, true, true }, { true, true, true } };

/* A way to end the potentials at 9 A: the peer's case, and how we say it. */
typedef struct {
    const char *name, *lj, *dipoles;
    double      self; /* of the peer's constant self term, in (eps - 1)/((2 eps + 1) rc^3) */
} Treatment;

static const Treatment treatments[] = {
    { "hard", "type=\"truncated\"", "type=\"truncated\"", 0 },
    { "shifted_force", "type=\"force-shift\"", "type=\"force-shift\"", 0 },
    { "shifted_potential", "type=\"energy-shift\"", "type=\"energy-shift\"", 0 },
    { "switched", "type=\"switched\" from=\"7.65 A\"", "type=\"switched\" from=\"7.65 A\"", 0 },
    /* in this peer a reaction field of dipoles is the energy shift and a constant */
    { "reaction_field", "type=\"truncated\"", "type=\"energy-shift\"", 1 },
};
/* Not from the peer: a formula in the reference data. */
static const Treatment textbook = { "textbook_reaction_field_NOT_FROM_PEER", "type=\"truncated\"",
                                    "type=\"reaction-field\" permittivity=\"80\"", 0 };

typedef struct {
    const char *folder, *type;
    int32_t     n;
} Box;

static const Box boxes[] = {
    { "ssd256", "SSD", 256 },     { "ssd1_256", "SSD1", 256 },         { "ssde256", "SSDE", 256 },
    { "ssdrf256", "SSDRF", 256 }, { "dimer_sample_SSD_E", "SSDE", 2 },
};

/* kcal/mol: the peer's constant, not of the forces. */
static double self_energy(const char *json, const Box *box, const Treatment *how)
{
    const double mu = json_number(json, "parameters", "mu", NULL);

    return -14.39325 * how->self * (80 - 1) / ((2 * 80 + 1) * 9.0 * 9.0 * 9.0) * mu * mu * box->n;
}

static void check_energies(const char *json, const Box *box, const Treatment *how, const char *elec,
                           const Evaluation *e)
{
    const double lj     = KCAL * json_number(json, "cases", how->name, "E_vdw", NULL);
    const double sticky = KCAL * json_number(json, "cases", how->name, "E_sticky", NULL);
    const double self   = KCAL * self_energy(json, box, how);
    const double dd     = KCAL * json_number(json, "cases", how->name, elec, NULL);

    HOLD("lj", relative(e->energy[AMPHI_LJ], lj), bound);
    HOLD("dd", relative(e->energy[AMPHI_DD] + self, dd), bound);
    HOLD("sticky", relative(e->energy[AMPHI_STICKY], sticky), bound);
    HOLD("total", relative(total_energy(e) + self, lj + dd + sticky), bound);
}

static void check_forces(const char *peer, const Treatment *how, const Evaluation *e)
{
    Vectors force = vectors_new(e->n_beads), torque = vectors_new(e->n_beads);
    char    name[PATH_SIZE];

    snprintf(name, sizeof name, "forces_%s.txt", how->name);
    read_forces(peer, name, e->n_beads, 0, KCAL_A, KCAL, force, torque);
    HOLD("forces",
         relative_rms((const double(*)[3])e->force, (const double(*)[3])force, e->n_beads), bound);
    HOLD("torques",
         relative_rms((const double(*)[3])e->torque, (const double(*)[3])torque, e->n_beads),
         bound);
    amphi_release(force);
    amphi_release(torque);
}

/* sum m v v in u A^2/fs^2, from the velocities of the state */
static void kinetic_part(const char *peer, double kv[3][3])
{
    Table *t = table_open(peer, "state.txt");

    memset(kv, 0, 9 * sizeof(double));
    while (table_next(t)) {
        double v[3];

        table_vector(t, 8, v);
        for (int k = 0; k < 9; k++)
            kv[k / 3][k % 3] += 18.0153 * v[k / 3] * v[k % 3];
    }
    table_close(t);
}

/* The peer's tensor is P V = sum m v v + sum d F, in u/(fs^2 A). */
static void check_pressure(const char *peer, const char *json, const Treatment *how,
                           const Evaluation *e)
{
    const double volume = pow(json_element(json, 0, "box_A", NULL), 3);
    double       kv[3][3], w[3][3], ours[3][3], theirs[3][3];

    kinetic_part(peer, kv);
    total_virial(e, w);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            ours[a][b]   = w[a][b] / KCAL * KCAL_U_A_FS;
            theirs[a][b] = volume * json_element(json, 3 * a + b, "cases", how->name,
                                                 "pressure_tensor_amu_per_fs2_A", NULL) -
                           kv[a][b];
        }
    HOLD("virial, from the pressure tensor",
         relative_tensor((const double(*)[3])ours, (const double(*)[3])theirs, nine), 1e-7);
}

static void check_box(const char *peer, const Box *box, const Treatment *how, bool is_peer)
{
    char      *json = file_text(peer, "energies.json");
    AmphiJob  *job  = peer_ssd_box(peer, box->type, box->n, how->lj, how->dipoles);
    Evaluation e    = evaluate(&job->system);

    print_message("  %s, %s\n", box->folder, how->name);
    check_energies(json, box, how, is_peer ? "E_elec" : "E_elec_without_self", &e);
    check_forces(peer, how, &e);
    if (is_peer)
        check_pressure(peer, json, how, &e);
    evaluation_free(&e);
    amphi_job_free(job);
    amphi_release(json);
}

static void boxes_and_dimer_agree_with_openmd(void **unused)
{
    (void)unused;
    for (size_t b = 0; b < sizeof boxes / sizeof boxes[0]; b++) {
        char name[PATH_SIZE], peer[PATH_SIZE];

        snprintf(name, sizeof name, "ssd/%s", boxes[b].folder);
        PEER_OR_SKIP(name, peer);
        for (size_t k = 0; k < sizeof treatments / sizeof treatments[0]; k++)
            check_box(peer, &boxes[b], &treatments[k], true);
    }
}

static void a_reaction_field_agrees_with_its_formula(void **unused)
{
    (void)unused;
    for (size_t b = 0; b < sizeof boxes / sizeof boxes[0]; b++) {
        char name[PATH_SIZE], peer[PATH_SIZE];

        snprintf(name, sizeof name, "ssd/%s", boxes[b].folder);
        PEER_OR_SKIP(name, peer);
        check_box(peer, &boxes[b], &textbook, false);
    }
}

/* Scans: molecule 1 at the origin, molecule 2 at (r, 0, 0). */

/* The quaternions of an orientation stand in the head of the file: "#   name: (w, x, y, z)
 * (...)". */
static void read_orientation(const char *peer, const char *file, const char *name, double q[2][4])
{
    char  path[2 * PATH_SIZE], line[LINE_SIZE], form[LINE_SIZE];
    FILE *in;
    int   n = 0;

    snprintf(path, sizeof path, "%s/%s", peer, file);
    snprintf(form, sizeof form, "#   %s: (%%lf, %%lf, %%lf, %%lf) (%%lf, %%lf, %%lf, %%lf)", name);
    in = fopen(path, "r");
    assert_non_null(in);
    while (n != 8 && fgets(line, sizeof line, in) != NULL)
        n = sscanf(line, form, &q[0][0], &q[0][1], &q[0][2], &q[0][3], &q[1][0], &q[1][1], &q[1][2],
                   &q[1][3]);
    fclose(in);
    assert_int_equal(n, 8);
}

/* model orientation r E_lj E_elec E_sticky E_total f1 t1 f2 t2 */
static Row scan_row(const Table *t)
{
    Row row = { .energy = KCAL * table_number(t, 6), .has_torque = true };

    for (int b = 0; b < 2; b++)
        for (int k = 0; k < 3; k++) {
            row.force[b][k]  = KCAL_A * table_number(t, 7 + 6 * b + k);
            row.torque[b][k] = KCAL * table_number(t, 10 + 6 * b + k);
        }
    return row;
}

/* Energies are of the formula, forces and torques of the peer; floors of 1 kcal/mol and 1
 * kcal/mol/A, because the peer's splines are good to an absolute 1e-9. */
static void check_scan(const char *peer, const char *file, const char *type, int n_rows)
{
    Table *t     = table_open(peer, file);
    Worst  worst = { .energy_floor = KCAL, .force_floor = KCAL_A, .torque_floor = KCAL };
    Pair   pair;

    pair_open(peer_ssd_pair(type, treatments[0].lj, treatments[0].dipoles), &pair);
    while (table_next(t)) {
        const Row row = scan_row(t);

        read_orientation(peer, file, t->word[1], pair.orientation);
        memset(pair.position, 0, sizeof pair.position);
        pair.position[1][0] = 0.1 * table_number(t, 2);
        pair_compare(&pair, &row, &worst);
    }
    table_close(t);
    assert_int_equal(worst.n_rows, n_rows);
    assert_true(worst_holds(file, &worst, bound));
    pair_close(&pair);
}

static void scans_of_two_molecules_agree_with_openmd(void **unused)
{
    char peer[PATH_SIZE];

    (void)unused;
    PEER_OR_SKIP("ssd", peer);
    check_scan(peer, "scan_SSD.txt", "SSD", 210);
    check_scan(peer, "scan_SSD_E.txt", "SSDE", 210);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_and_dimer_agree_with_openmd),
        cmocka_unit_test(a_reaction_field_agrees_with_its_formula),
        cmocka_unit_test(scans_of_two_molecules_agree_with_openmd),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
