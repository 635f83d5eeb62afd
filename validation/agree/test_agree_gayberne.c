/* LAMMPS on Gay-Berne: scans of pairs alike, unlike and with a sphere, and a box of 512.
 *
 * Reduced units are written as nm, kJ/mol and u. The peer prints 17 digits and computes with
 * matrices, which costs it some: 1e-9 relative is the agreement that the data themselves were
 * checked to, and the bound here; where an energy passes through zero (contact) or vanishes (the
 * boundary r = 4, which counts as outside) the floors are 1e-2 of a well and of its slopes.
 */
#include <math.h>
#include <string.h>

#include "peers.h"

static const double bound = 1e-9;

static const bool six[3][3] = { { true, true, true },
                                { false, true, true },
                                { false, false, true } };

/* "#   side_side: q1 w x y z q2 w x y z d x y z" in the head of the file. */
static void read_orientation(const char *peer, const char *name, double q[2][4], double d[3])
{
    char  path[2 * PATH_SIZE], line[LINE_SIZE], form[LINE_SIZE];
    FILE *in;
    int   n = 0;

    snprintf(path, sizeof path, "%s/pair_scan.txt", peer);
    snprintf(form, sizeof form,
             "#   %s: q1 %%lf %%lf %%lf %%lf q2 %%lf %%lf %%lf %%lf d %%lf %%lf %%lf", name);
    in = fopen(path, "r");
    assert_non_null(in);
    while (n != 11 && fgets(line, sizeof line, in) != NULL)
        n = sscanf(line, form, &q[0][0], &q[0][1], &q[0][2], &q[0][3], &q[1][0], &q[1][1], &q[1][2],
                   &q[1][3], &d[0], &d[1], &d[2]);
    fclose(in);
    assert_int_equal(n, 11);
}

/* type1 type2 orientation r E f1 t1 f2 t2 */
static Row scan_row(const Table *t, bool has_torque)
{
    Row row = { .energy = table_number(t, 4), .has_torque = has_torque };

    for (int b = 0; b < 2; b++) {
        table_vector(t, 5 + 6 * b, row.force[b]);
        table_vector(t, 8 + 6 * b, row.torque[b]);
    }
    return row;
}

static void place_pair(const char *peer, const Table *t, Pair *pair)
{
    const double r = table_number(t, 3);
    double       d[3];

    read_orientation(peer, t->word[2], pair->orientation, d);
    memset(pair->position, 0, sizeof pair->position);
    for (int k = 0; k < 3; k++)
        pair->position[1][k] = r * d[k];
}

/* The peer drops r >= 4, and so do we; r d may round below 4, where the potential does not
 * vanish. */
static bool is_boundary(const Table *t)
{
    return table_number(t, 3) >= 4;
}

/* sigma0 = 1 and the peer's types: sigma of the pair at its orientations. */
static double contact_of(const Pair *pair, const int type[2])
{
    static const double length[] = { 3, 2, 1 };
    double              axis[2][3], x[2], n2 = 0, z = 0;

    for (int b = 0; b < 2; b++) {
        const double *q = pair->orientation[b];

        axis[b][0] = 2 * (q[1] * q[3] + q[0] * q[2]);
        axis[b][1] = 2 * (q[2] * q[3] - q[0] * q[1]);
        axis[b][2] = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
    }
    for (int k = 0; k < 3; k++) {
        n2 += pair->position[1][k] * pair->position[1][k];
        z += axis[0][k] * axis[1][k];
    }
    for (int b = 0; b < 2; b++)
        x[b] = (axis[b][0] * pair->position[1][0] + axis[b][1] * pair->position[1][1] +
                axis[b][2] * pair->position[1][2]) /
               sqrt(n2);

    const double Li = length[type[0] - 1] * length[type[0] - 1];
    const double Lj = length[type[1] - 1] * length[type[1] - 1];
    const double Xi = (Li - 1) / (Li + 1), Xj = (Lj - 1) / (Lj + 1);
    const double H = (Xi * x[0] * x[0] + Xj * x[1] * x[1] - 2 * Xi * Xj * x[0] * x[1] * z) /
                     (1 - Xi * Xj * z * z);

    return 1 / sqrt(1 - H);
}

/* Deep inside each other, rho = r - sigma + 1 < 0.3, the peer follows the formula to its false well
 * behind the pole; we go on repelling (forcefield/pair_gay_berne.h). */
static bool is_behind_pole(const Table *t, const Pair *pair, const int type[2])
{
    return table_number(t, 3) - contact_of(pair, type) + 1 < 0.3;
}

typedef struct {
    int compared, boundary, behind; /* rows */
} Rows;

static void compare_row(const Table *t, Pair *pair, const int type[2], bool has_torque, Rows *rows,
                        Worst *worst)
{
    const Row row = scan_row(t, has_torque);

    if (is_boundary(t)) {
        assert_true(row.energy == 0);
        rows->boundary++;
    } else if (is_behind_pole(t, pair, type)) {
        Evaluation e = evaluate(&pair->system);

        assert_true(total_energy(&e) > 1e6);
        evaluation_free(&e);
        rows->behind++;
    } else {
        pair_compare(pair, &row, worst);
        rows->compared++;
    }
}

static void check_scan(const char *peer, int first, int second, Rows wanted, bool has_torque)
{
    const int type[2] = { first, second };
    Table    *t       = table_open(peer, "pair_scan.txt");
    Worst     worst   = { .energy_floor = 1e-2, .force_floor = 1e-2, .torque_floor = 1e-2 };
    Rows      rows    = { 0, 0, 0 };
    char      what[64];
    Pair      pair;

    pair_open(peer_gay_berne_pair(first, second), &pair);
    while (table_next(t)) {
        if ((int)table_number(t, 0) != first || (int)table_number(t, 1) != second)
            continue;
        place_pair(peer, t, &pair);
        compare_row(t, &pair, type, has_torque, &rows, &worst);
    }
    table_close(t);
    snprintf(what, sizeof what, "types %d and %d; left out: %d at r = 4, %d behind the pole", first,
             second, rows.boundary, rows.behind);
    assert_true(worst_holds(what, &worst, bound));
    assert_int_equal(rows.compared, wanted.compared);
    assert_int_equal(rows.boundary, wanted.boundary);
    assert_int_equal(rows.behind, wanted.behind);
    pair_close(&pair);
}

static void scans_of_pairs_agree_with_lammps(void **unused)
{
    char peer[PATH_SIZE];

    (void)unused;
    PEER_OR_SKIP("gayberne", peer);
    check_scan(peer, 1, 1, (Rows){ 230, 1, 1 }, true);
    check_scan(peer, 1, 2, (Rows){ 233, 0, 1 }, true);
    /* the peer's torques of an ellipsoid with a sphere are wrong: they break the balance */
    check_scan(peer, 1, 3, (Rows){ 241, 0, 0 }, false);
    check_scan(peer, 2, 2, (Rows){ 249, 0, 1 }, true);
}

/* The reason for leaving those torques out, from the data: t1 + t2 + (r1 - r2) x f1 is not zero. */
static double imbalance(const Row *row, const double d[3], double r)
{
    const double *f      = row->force[0];
    const double  x[3]   = { -r * d[0], -r * d[1], -r * d[2] };
    const double  sum[3] = {
         row->torque[0][0] + row->torque[1][0] + x[1] * f[2] - x[2] * f[1],
         row->torque[0][1] + row->torque[1][1] + x[2] * f[0] - x[0] * f[2],
         row->torque[0][2] + row->torque[1][2] + x[0] * f[1] - x[1] * f[0],
    };

    return length_of(sum) / fmax(length_of(row->torque[0]), 1e-2);
}

static void torques_of_the_peer_with_a_sphere_break_the_balance(void **unused)
{
    double worst_sphere = 0, worst_other = 0;
    char   peer[PATH_SIZE];
    Table *t;

    (void)unused;
    PEER_OR_SKIP("gayberne", peer);
    t = table_open(peer, "pair_scan.txt");
    while (table_next(t)) {
        const Row row = scan_row(t, true);
        double    q[2][4], d[3], x;

        read_orientation(peer, t->word[2], q, d);
        x = imbalance(&row, d, table_number(t, 3));
        if (strcmp(t->word[1], "3") == 0)
            worst_sphere = fmax(worst_sphere, x);
        else
            worst_other = fmax(worst_other, x);
    }
    table_close(t);
    print_message("    imbalance with a sphere %.1e, otherwise %.1e\n", worst_sphere, worst_other);
    assert_true(worst_sphere > 1e-2);
    assert_true(worst_other < 1e-9);
}

static void check_virial(const char *json, const Evaluation *e)
{
    static const char *const name[3][3] = { { "xx", "xy", "xz" },
                                            { "", "yy", "yz" },
                                            { "", "", "zz" } };
    const double             volume     = json_number(json, "volume", NULL);
    double                   peer[3][3] = { { 0 } };

    for (int a = 0; a < 3; a++)
        for (int b = a; b < 3; b++)
            peer[a][b] = volume * json_number(json, "virial_pressure", name[a][b], NULL);
    HOLD("virial",
         relative_tensor((const double(*)[3])e->virial[AMPHI_GAY_BERNE], (const double(*)[3])peer,
                         six),
         bound);
}

static void a_box_of_512_agrees_with_lammps(void **unused)
{
    char       peer[PATH_SIZE];
    char      *json;
    Vectors    force, torque;
    AmphiJob  *job;
    Evaluation e;

    (void)unused;
    PEER_OR_SKIP("gayberne", peer);
    json   = file_text(peer, "gb512_energy.json");
    job    = peer_gay_berne_box(peer, "type=\"truncated\"");
    e      = evaluate(&job->system);
    force  = vectors_new(512);
    torque = vectors_new(512);
    read_forces(peer, "gb512_forces.txt", 512, 1, 1, 1, force, torque);
    HOLD("energy", relative(e.energy[AMPHI_GAY_BERNE], json_number(json, "E_pair", NULL)), bound);
    check_virial(json, &e);
    HOLD("forces", relative_rms((const double(*)[3])e.force, (const double(*)[3])force, 512),
         bound);
    HOLD("torques", relative_rms((const double(*)[3])e.torque, (const double(*)[3])torque, 512),
         bound);
    amphi_release(force);
    amphi_release(torque);
    amphi_release(json);
    evaluation_free(&e);
    amphi_job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scans_of_pairs_agree_with_lammps),
        cmocka_unit_test(torques_of_the_peer_with_a_sphere_break_the_balance),
        cmocka_unit_test(a_box_of_512_agrees_with_lammps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
