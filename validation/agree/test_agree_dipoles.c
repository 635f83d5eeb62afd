/* LAMMPS on charges and point dipoles: scans of pairs and a mixed box of 600, in three pair styles.
 *
 * Both sides are double and evaluate the same formulas; the peer prints 17 digits. A pair keeps
 * 1e-12 of its largest part, the sums over the box 1e-12 of theirs; the bound leaves a factor of a
 * thousand.
 */
#include <math.h>
#include <string.h>

#include "peers.h"

static const double bound = 1e-9;

static const bool six[3][3] = { { true, true, true },
                                { false, true, true },
                                { false, false, true } };

/* Scans. */

/* set type1 type2 r d q1 mu1 q2 mu2 E f1 t1 f2 t2 */
static void place_pair(const Table *t, Pair *pair)
{
    double d[3];

    table_vector(t, 4, d);
    memset(pair->position, 0, sizeof pair->position);
    for (int k = 0; k < 3; k++)
        pair->position[1][k] = 0.1 * table_number(t, 3) * d[k];
    for (int b = 0; b < 2; b++) {
        double mu[3];

        pair->charge[b] = table_number(t, 7 + 4 * b);
        table_vector(t, 8 + 4 * b, mu);
        pair->dipole[b] = 0.1 * length_of(mu);
        turn_to(mu, pair->orientation[b]);
    }
}

static Row scan_row(const Table *t)
{
    Row row = { .energy = KCAL * table_number(t, 15), .has_torque = true };

    for (int b = 0; b < 2; b++)
        for (int k = 0; k < 3; k++) {
            row.force[b][k]  = KCAL_A * table_number(t, 16 + 6 * b + k);
            row.torque[b][k] = KCAL * table_number(t, 19 + 6 * b + k);
        }
    return row;
}

/* Floors of 1e-3 in the peer's units: energies and forces pass through zero, where their parts, of
 * some kcal/mol, leave 1e-15. */
static void check_scan(const char *peer, const DipoleStyle *style)
{
    char   name[64];
    int    open[2] = { -1, -1 };
    Worst  worst   = { .energy_floor = 1e-3 * KCAL,
                       .force_floor  = 1e-3 * KCAL_A,
                       .torque_floor = 1e-3 * KCAL };
    Table *t;
    Pair   pair = { .job = NULL };

    snprintf(name, sizeof name, "pair_scan_%s.txt", style->name);
    t = table_open(peer, name);
    while (table_next(t)) {
        const int type[2] = { (int)table_number(t, 1), (int)table_number(t, 2) };
        const Row row     = scan_row(t);

        if (type[0] != open[0] || type[1] != open[1]) {
            pair_close(&pair);
            pair_open(peer_dipole_pair(style, type[0], type[1]), &pair);
            memcpy(open, type, sizeof open);
        }
        place_pair(t, &pair);
        pair_compare(&pair, &row, &worst);
    }
    table_close(t);
    pair_close(&pair);
    assert_int_equal(worst.n_rows, 14 * 38);
    assert_true(worst_holds(name, &worst, bound));
}

static void scans_of_charges_and_dipoles_agree_with_lammps(void **unused)
{
    char peer[PATH_SIZE];

    (void)unused;
    PEER_OR_SKIP("dipoles", peer);
    for (int k = 0; k < N_DIPOLE_STYLES; k++)
        check_scan(peer, peer_dipole_style(k));
}

static void check_totals(const char *json, const Evaluation *e)
{
    static const char *const name[3][3] = { { "xx", "xy", "xz" },
                                            { "", "yy", "yz" },
                                            { "", "", "zz" } };
    const double             volume     = json_number(json, "volume_A3", NULL);
    double                   ours[3][3], peer[3][3] = { { 0 } };

    for (int a = 0; a < 3; a++)
        for (int b = a; b < 3; b++)
            peer[a][b] = json_number(json, "virial_pressure_atm", name[a][b], NULL) * volume /
                         LAMMPS_P * KCAL;
    total_virial(e, ours);
    HOLD("E_lj", relative(e->energy[AMPHI_LJ], KCAL * json_number(json, "E_lj", NULL)), bound);
    HOLD("E_elec",
         relative(e->energy[AMPHI_QQ] + e->energy[AMPHI_QD] + e->energy[AMPHI_DD],
                  KCAL * json_number(json, "E_elec", NULL)),
         bound);
    HOLD("E_total", relative(total_energy(e), KCAL * json_number(json, "E_total", NULL)), bound);
    HOLD("virial", relative_tensor((const double(*)[3])ours, (const double(*)[3])peer, six), bound);
}

static void check_box(const char *peer, const DipoleStyle *style)
{
    Vectors    force = vectors_new(600), torque = vectors_new(600);
    AmphiJob  *job = peer_dipole_box(peer, style);
    Evaluation e   = evaluate(&job->system);
    char       name[64];
    char      *json;

    print_message("  box, %s\n", style->name);
    snprintf(name, sizeof name, "box_energy_%s.json", style->name);
    json = file_text(peer, name);
    check_totals(json, &e);
    snprintf(name, sizeof name, "box_forces_%s.txt", style->name);
    read_forces(peer, name, 600, 1, KCAL_A, KCAL, force, torque);
    HOLD("forces", relative_rms((const double(*)[3])e.force, (const double(*)[3])force, 600),
         bound);
    HOLD("torques", relative_rms((const double(*)[3])e.torque, (const double(*)[3])torque, 600),
         bound);
    amphi_release(force);
    amphi_release(torque);
    amphi_release(json);
    evaluation_free(&e);
    amphi_job_free(job);
}

static void mixed_boxes_agree_with_lammps(void **unused)
{
    char peer[PATH_SIZE];

    (void)unused;
    PEER_OR_SKIP("dipoles", peer);
    for (int k = 0; k < N_DIPOLE_STYLES; k++)
        check_box(peer, peer_dipole_style(k));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scans_of_charges_and_dipoles_agree_with_lammps),
        cmocka_unit_test(mixed_boxes_agree_with_lammps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
