/* LAMMPS on the ELBA membrane and water box: the public data files, read as they are.
 *
 * Both sides are double, and the peer prints with 17 digits: what is left is the order of some
 * millions of additions, about 1e-13 of energies and virials, and in kinetic energies 7e-11, for
 * LAMMPS's conversion has ten digits. The figures reached are printed.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../forcefield/spec.h"
#include "peers.h"

#define ELEC  ((1U << AMPHI_QQ) | (1U << AMPHI_QD) | (1U << AMPHI_DD))
#define EVERY ((1U << AMPHI_TERMS) - 1)

static const double bound = 1e-10;

/* LAMMPS prints xx yy zz xy xz yz with W_xy = sum d_x F_y. */
static const bool        six[3][3]      = { { true, true, true },
                                            { false, true, true },
                                            { false, false, true } };
static const char *const six_name[3][3] = { { "xx", "xy", "xz" },
                                            { "", "yy", "yz" },
                                            { "", "", "zz" } };

typedef struct {
    char      peer[PATH_SIZE];
    char     *json;
    AmphiJob *job;
} Case;

static Case open_case(const char *peer, const char *molecules, const char *file)
{
    Case c;

    memcpy(c.peer, peer, sizeof c.peer);
    c.job  = peer_elba(peer, molecules, file);
    c.json = file_text(peer, "single_point.json");
    return c;
}

static void close_case(Case *c)
{
    amphi_job_free(c->job);
    amphi_release(c->json);
}

static double volume_A3(const Case *c)
{
    return json_number(c->json, "volume_A3", NULL);
}

/* P V / 68568.415 is the virial in kcal/mol. */
static double virial_kJ(const Case *c, double pressure_atm)
{
    return pressure_atm * volume_A3(c) / LAMMPS_P * KCAL;
}

static void peer_virial(const Case *c, const char *term, double w[3][3])
{
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            w[a][b] = six[a][b] ? virial_kJ(c, json_number(c->json, "virial_pressure_atm", term,
                                                           six_name[a][b], NULL))
                                : 0;
}

/* Each component on its own would ask for relative figures of numbers that cancel to nothing: the
 * bound is of the largest component. */
static void check_virial(const Case *c, const char *term, const double w[3][3])
{
    double peer[3][3];
    char   what[64];

    peer_virial(c, term, peer);
    snprintf(what, sizeof what, "virial %s", term);
    HOLD(what, relative_tensor(w, (const double(*)[3])peer, six), bound);
}

static void check_energies(const Case *c, const Evaluation *e)
{
    static const struct {
        const char *key;
        int         slot;
    } term[] = {
        { "E_lj", AMPHI_LJ },
        { "E_elec_qq", AMPHI_QQ },
        { "E_elec_qd", AMPHI_QD },
        { "E_elec_dd", AMPHI_DD },
        { "E_bond", AMPHI_BOND },
        { "E_angle_cosine_squared", AMPHI_ANGLE_COSINE },
        { "E_angle_dipole", AMPHI_DIPOLE_RESTRAINT },
    };
    const double total = KCAL * json_number(c->json, "energy", "E_potential_total", NULL);

    for (size_t k = 0; k < sizeof term / sizeof term[0]; k++)
        HOLD(term[k].key,
             relative(e->energy[term[k].slot],
                      KCAL * json_number(c->json, "energy", term[k].key, NULL)),
             bound);
    HOLD("E_potential_total", relative(total_energy(e), total), bound);
}

static void add_virials(const Evaluation *e, uint32_t slots, double w[3][3])
{
    memset(w, 0, 9 * sizeof(double));
    for (int s = 0; s < AMPHI_TERMS; s++)
        for (int k = 0; k < 9 && (slots >> s & 1U) != 0; k++)
            w[k / 3][k % 3] += e->virial[s][k / 3][k % 3];
}

static void check_virial_of(const Case *c, const char *term, const Evaluation *e, uint32_t slots)
{
    double w[3][3];

    add_virials(e, slots, w);
    check_virial(c, term, (const double(*)[3])w);
}

static void check_forces(const Case *c, const char *file, const Evaluation *e, bool has_torque)
{
    Vectors force = vectors_new(e->n_beads), torque = vectors_new(e->n_beads);
    char    what[64];

    read_forces(c->peer, file, e->n_beads, 1, KCAL_A, KCAL, force, torque);
    snprintf(what, sizeof what, "%.*s, forces", (int)strcspn(file, "."), file);
    HOLD(what, relative_rms((const double(*)[3])e->force, (const double(*)[3])force, e->n_beads),
         bound);
    snprintf(what, sizeof what, "%.*s, torques", (int)strcspn(file, "."), file);
    if (has_torque)
        HOLD(what,
             relative_rms((const double(*)[3])e->torque, (const double(*)[3])torque, e->n_beads),
             bound);
    amphi_release(force);
    amphi_release(torque);
}

static void check_forces_of(const Case *c, const char *file, uint32_t slots, bool has_torque)
{
    const AmphiSystem part = only_terms(&c->job->system, slots, c->job->arena);
    Evaluation        e    = evaluate(&part);

    check_forces(c, file, &e, has_torque);
    evaluation_free(&e);
}

static void check_box(const Case *c)
{
    const double *box = c->job->system.box_nm;

    HOLD("volume", relative(1000 * box[0] * box[1] * box[2], volume_A3(c)), 1e-14);
    assert_int_equal(c->job->system.n_beads, (int)json_number(c->json, "n_beads", NULL));
}

/* I omega^2 / 2 of the peer's waters (1 u nm^2), in kJ/mol, less the spin about the dipole: in the
 * peer every bead is a sphere, in ours a dipole is a linear rotor. */
static double turning_energy(const Case *c)
{
    Table *table = table_open(c->peer, "beads.txt");
    double sum   = 0;

    while (table_next(table)) {
        double mu[3], omega[3], along = 0, square = 0;

        table_vector(table, 7, mu);
        table_vector(table, 15, omega);
        for (int a = 0; a < 3; a++) {
            along += 1000 * omega[a] * mu[a] / length_of(mu);
            square += 1e6 * omega[a] * omega[a];
        }
        sum += 0.5 * (square - along * along);
    }
    table_close(table);
    return sum;
}

/* The velocities of the file with the masses of the force field; LAMMPS's constant for (A/fs)^2 u
 * is 48.88821291^2 kcal/mol, which is ours to 1e-9. */
static void check_kinetic(const Case *c, const Evaluation *e, bool is_water)
{
    const double translation = e->kinetic[0][0] + e->kinetic[1][1] + e->kinetic[2][2];

    HOLD("KE_translation",
         relative(translation, KCAL * json_number(c->json, "energy", "KE_translation", NULL)),
         bound);
    if (is_water)
        HOLD("KE_rotation across the dipoles", relative(e->rotation, turning_energy(c)), bound);
}

/* LAMMPS leaves the restraint out of its virial; its README gives the missing part in atm. */
static void check_missing_virial(const Case *c, const Evaluation *e)
{
    static const double atm[3][3]      = { { -2.0206588823935, 0.52570, -2.63122 },
                                           { -1.17233, 2.0522929859375, 5.17000 },
                                           { 0.93751, -1.54487, -0.0316341035440 } };
    static const bool   diagonal[3][3] = { { true }, { false, true }, { false, false, true } };
    static const bool   nine[3][3]     = { { true, true, true },
                                           { true, true, true },
                                           { true, true, true } };
    double              peer[3][3];

    for (int k = 0; k < 9; k++)
        peer[k / 3][k % 3] = virial_kJ(c, atm[k / 3][k % 3]);
    HOLD("virial dipole restraint, diagonal",
         relative_tensor((const double(*)[3])e->virial[AMPHI_DIPOLE_RESTRAINT],
                         (const double(*)[3])peer, diagonal),
         bound);
    /* half of the fifth decimal over 5.17 */
    HOLD("virial dipole restraint, five decimals",
         relative_tensor((const double(*)[3])e->virial[AMPHI_DIPOLE_RESTRAINT],
                         (const double(*)[3])peer, nine),
         1e-6);
}

static void the_membrane_agrees_with_lammps(void **unused)
{
    char       peer[PATH_SIZE];
    Evaluation e;
    Case       c;

    (void)unused;
    PEER_OR_SKIP("elba/dmpc", peer);
    c = open_case(peer, PEER_MEMBRANE, "data.dmpc");
    e = evaluate(&c.job->system);
    check_box(&c);
    check_energies(&c, &e);
    check_virial_of(&c, "pair_lj", &e, 1U << AMPHI_LJ);
    check_virial_of(&c, "pair_elec", &e, ELEC);
    check_virial_of(&c, "bond", &e, 1U << AMPHI_BOND);
    check_virial_of(&c, "angle_all_as_reported", &e, 1U << AMPHI_ANGLE_COSINE);
    check_virial_of(&c, "total_virial_as_reported", &e, EVERY & ~(1U << AMPHI_DIPOLE_RESTRAINT));
    check_missing_virial(&c, &e);
    check_kinetic(&c, &e, false);
    check_forces(&c, "forces_total.txt", &e, true);
    evaluation_free(&e);
    close_case(&c);
}

static void each_term_of_the_membrane_agrees_with_lammps(void **unused)
{
    char peer[PATH_SIZE];
    Case c;

    (void)unused;
    PEER_OR_SKIP("elba/dmpc", peer);
    c = open_case(peer, PEER_MEMBRANE, "data.dmpc");
    check_forces_of(&c, "forces_pair_lj.txt", 1U << AMPHI_LJ, false);
    check_forces_of(&c, "forces_pair_elec.txt", ELEC, true);
    check_forces_of(&c, "forces_bond.txt", 1U << AMPHI_BOND, false);
    check_forces_of(&c, "forces_angle_cosine_squared.txt", 1U << AMPHI_ANGLE_COSINE, false);
    check_forces_of(&c, "forces_angle_dipole.txt", 1U << AMPHI_DIPOLE_RESTRAINT, true);
    close_case(&c);
}

static void the_water_box_agrees_with_lammps(void **unused)
{
    char       peer[PATH_SIZE];
    Evaluation e;
    Case       c;

    (void)unused;
    PEER_OR_SKIP("elba/water", peer);
    c = open_case(peer, "<molecule type=\"water\" count=\"1024\"/>", "data.water");
    e = evaluate(&c.job->system);
    check_box(&c);
    check_energies(&c, &e);
    check_virial_of(&c, "pair_lj", &e, 1U << AMPHI_LJ);
    check_virial_of(&c, "pair_elec", &e, ELEC);
    check_virial_of(&c, "total_virial_as_reported", &e, EVERY);
    check_kinetic(&c, &e, true);
    check_forces(&c, "forces_total.txt", &e, true);
    evaluation_free(&e);
    check_forces_of(&c, "forces_pair_lj.txt", 1U << AMPHI_LJ, false);
    check_forces_of(&c, "forces_pair_elec.txt", ELEC, true);
    close_case(&c);
}

/* The other mass variant is the same water: nothing that LAMMPS says of forces depends on it. */
static void light_water_feels_what_heavy_water_feels(void **unused)
{
    char       peer[PATH_SIZE];
    Evaluation e;
    Case       c;

    (void)unused;
    PEER_OR_SKIP("elba/water", peer);
    c = open_case(peer, "<molecule type=\"water18\" count=\"1024\"/>", "data.water");
    e = evaluate(&c.job->system);
    check_energies(&c, &e);
    check_forces(&c, "forces_total.txt", &e, true);
    evaluation_free(&e);
    close_case(&c);
}

/* With the types' dipoles the same file gives other forces, by about the spread of the file's: the
 * comparison sees such a difference. */
static void the_strengths_of_the_file_matter(void **unused)
{
    char        peer[PATH_SIZE];
    Case        c;
    AmphiSystem system;
    double     *dipole;
    Evaluation  e;
    Vectors     force;
    double      off;

    (void)unused;
    PEER_OR_SKIP("elba/water", peer);
    c      = open_case(peer, "<molecule type=\"water\" count=\"1024\"/>", "data.water");
    system = c.job->system;
    dipole = AMPHI_TAKE(c.job->arena, double, system.n_beads);
    force  = vectors_new(system.n_beads);
    assert_non_null(dipole);
    for (int32_t i = 0; i < system.n_beads; i++)
        dipole[i] = system.type[system.bead_type[i]].dipole_e_nm;
    system.bead_dipole_e_nm = dipole;
    e                       = evaluate(&system);
    read_forces(c.peer, "forces_total.txt", e.n_beads, 1, KCAL_A, KCAL, force, NULL);
    off = relative_rms((const double(*)[3])e.force, (const double(*)[3])force, e.n_beads);
    print_message("    forces with the types' dipoles are off by     %8.1e\n", off);
    assert_true(off > 1e-6 && off < 1e-3);
    amphi_release(force);
    evaluation_free(&e);
    close_case(&c);
}

/* What the peer's systems do not contain: the other lipids, held to the rules by which their
 * authors chose the numbers. sigma of unlike beads is the mean of the like ones; a bond rests at
 * 0.9 sigma of its beads. Both are exact in the printed digits. */

static AmphiJob *one_of_each(void)
{
    static const char *const name[] = {
        "DMPC", "DOPC", "POPC", "DOPE", "DSPC", "water", "water18"
    };
    char      folder[PATH_SIZE];
    FILE     *out;
    AmphiJob *job;

    folder_make(folder);
    out = folder_create(folder, "job.xml");
    fprintf(out,
            "<amphi version=\"1\">\n<forcefield><include href=\"forcefield:elba\"/></forcefield>\n"
            "<system><start><fill density=\"0.1 g/cm^3\">\n");
    for (int k = 0; k < 7; k++)
        fprintf(out, "<part type=\"%s\" count=\"%d\"/>\n", name[k], k < 5 ? 1 : 100);
    fprintf(out, "</fill></start></system>\n</amphi>\n");
    folder_close(out);
    job = job_of(folder, "job.xml");
    folder_remove(folder);
    return job;
}

static double sigma_nm(const AmphiSystem *s, int32_t i, int32_t j)
{
    return s->pair_rule[i * s->n_types + j].sigma_nm;
}

static int count_bonds(const AmphiSystem *s, const AmphiMoleculeType *m, const char *element,
                       const char *potential)
{
    const int32_t kind = amphi_spec_find(element, potential)->kind;
    int           n    = 0;

    for (int32_t k = 0; k < m->n_bonds; k++)
        n += s->bond_rule[m->bond[k].rule].kind == kind;
    return n;
}

static int count_bent(const AmphiSystem *s, const AmphiMoleculeType *m)
{
    const double  bent = 120 * acos(-1) / 180;
    const int32_t kind = amphi_spec_find("angle", "cosine-squared")->kind;
    int           n    = 0;

    for (int32_t k = 0; k < m->n_bonds; k++) {
        const AmphiBondRule *rule = &s->bond_rule[m->bond[k].rule];

        n += rule->kind == kind && fabs(rule->field[1] - bent) < 1e-12;
    }
    return n;
}

static void check_lengths(const AmphiSystem *s, const AmphiMoleculeType *m)
{
    const int32_t kind = amphi_spec_find("bond", "harmonic")->kind;

    for (int32_t k = 0; k < m->n_bonds; k++) {
        const AmphiBond     *b    = &m->bond[k];
        const AmphiBondRule *rule = &s->bond_rule[b->rule];

        if (rule->kind == kind)
            assert_true(relative(rule->field[1], 0.9 * sigma_nm(s, m->bead_type[b->bead[0]],
                                                                m->bead_type[b->bead[1]])) < 1e-14);
    }
}

static const AmphiMoleculeType *molecule_of(const AmphiSystem *s, const char *name)
{
    for (int32_t k = 0; k < s->n_molecule_types; k++)
        if (strcmp(s->molecule_type[k].name, name) == 0)
            return &s->molecule_type[k];
    fail_msg("no molecule type %s", name);
    return NULL;
}

static void all_lipids_obey_the_rules_of_their_authors(void **unused)
{
    /* name, beads, bonds, angles, bent angles; three restraints each */
    static const struct {
        const char *name;
        int         n[4];
    } lipid[]              = { { "DMPC", { 13, 12, 11, 0 } },
                               { "DOPC", { 15, 14, 13, 2 } },
                               { "POPC", { 14, 13, 12, 1 } },
                               { "DOPE", { 15, 14, 13, 2 } },
                               { "DSPC", { 15, 14, 13, 0 } } };
    AmphiJob          *job = one_of_each();
    const AmphiSystem *s   = &job->system;

    (void)unused;
    assert_int_equal(s->n_types, 8);
    for (int32_t i = 0; i < s->n_types; i++)
        for (int32_t j = 0; j < s->n_types; j++)
            assert_true(relative(sigma_nm(s, i, j), (sigma_nm(s, i, i) + sigma_nm(s, j, j)) / 2) <
                        1e-14);
    for (int k = 0; k < 5; k++) {
        const AmphiMoleculeType *m = molecule_of(s, lipid[k].name);

        assert_int_equal(m->n_beads, lipid[k].n[0]);
        assert_int_equal(count_bonds(s, m, "bond", "harmonic"), lipid[k].n[1]);
        assert_int_equal(count_bonds(s, m, "angle", "cosine-squared"), lipid[k].n[2]);
        assert_int_equal(count_bent(s, m), lipid[k].n[3]);
        assert_int_equal(count_bonds(s, m, "orientation", "dipole-restraint"), 3);
        check_lengths(s, m);
    }
    amphi_job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_membrane_agrees_with_lammps),
        cmocka_unit_test(each_term_of_the_membrane_agrees_with_lammps),
        cmocka_unit_test(the_water_box_agrees_with_lammps),
        cmocka_unit_test(light_water_feels_what_heavy_water_feels),
        cmocka_unit_test(the_strengths_of_the_file_matter),
        cmocka_unit_test(all_lipids_obey_the_rules_of_their_authors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
