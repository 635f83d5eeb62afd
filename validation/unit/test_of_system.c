/* A system as a snapshot: every number, name and bond, and in no other order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../forcefield/spec.h"
#include "format_cases.h"

/* The kind of the first potential of this element with so many beads. */
static int32_t kind_of(const char *element, int32_t n_beads)
{
    const AmphiPotential *p = NULL;

    for (int32_t k = 0; (p = amphi_spec_at(k)) != NULL; k++)
        if (strcmp(p->element, element) == 0 && p->n_beads == n_beads)
            return p->kind;
    fail_msg("no potential <%s> of %d beads", element, n_beads);
    return -1;
}

enum { N_BEADS = 4, N_RULES = 6, N_TERMS = 7 };

/* A molecule of three beads with one of each kind of bonded term, and a water. */
typedef struct {
    AmphiSystem       system;
    AmphiBeadType     type[2];
    AmphiBondRule     rule[N_RULES];
    AmphiMoleculeType molecule_type[2];
    AmphiMolecule     molecule[2];
    AmphiBond         bond[N_TERMS];
    int32_t           bead_type[N_BEADS], bead_molecule[N_BEADS];
    double            charge[N_BEADS], dipole[N_BEADS];
    double            position[N_BEADS][3], velocity[N_BEADS][3], spin[N_BEADS][3];
    double            orientation[N_BEADS][4];
} Made;

static const char *const lipid_names[] = { "NC", "PO", "a name that is longer than 23" };
static const char *const water_names[] = { "W" };

static void make_terms(Made *m)
{
    const int32_t   kinds[N_RULES] = { kind_of("orientation", 2), kind_of("bond", 2),
                                       kind_of("angle", 3),       kind_of("orientation", 3),
                                       kind_of("restrain", 1),    kind_of("bond", 2) };
    const AmphiBond bond[N_TERMS]  = { { 1, { 0, 1 } },    { 5, { 1, 2 } },    { 0, { 2, 1 } },
                                       { 2, { 0, 1, 2 } }, { 3, { 2, 0, 1 } }, { 4, { 3 } },
                                       { 5, { 0, 2 } } };

    memcpy(m->bond, bond, sizeof bond);
    for (int r = 0; r < N_RULES; r++)
        m->rule[r].kind = kinds[r];
}

static void make_system(Made *m)
{
    memset(m, 0, sizeof *m);
    m->type[0] = (AmphiBeadType){ .name = "lipid", .mass_u = 72 };
    m->type[1] = (AmphiBeadType){ .name = "water", .mass_u = 40, .inertia_u_nm2 = { 1, 2, 3 } };
    m->molecule_type[0] = (AmphiMoleculeType){ .name = "DMPC", .bead_name = lipid_names };
    m->molecule_type[1] = (AmphiMoleculeType){ .name = "water", .bead_name = water_names };
    m->molecule[0]      = (AmphiMolecule){ 0, 0 };
    m->molecule[1]      = (AmphiMolecule){ 1, 3 };
    make_terms(m);
    for (int i = 0; i < N_BEADS; i++) {
        m->bead_type[i] = m->bead_molecule[i] = i == 3;
        m->charge[i]                          = 0.1 * i;
        m->dipole[i]                          = 0.01 * i;
        for (int k = 0; k < 3; k++) {
            m->position[i][k] = i + 0.1 * k;
            m->velocity[i][k] = i - 0.1 * k;
            m->spin[i][k]     = i * 0.1 * k;
        }
        m->orientation[i][i] = 1;
    }
    m->system = (AmphiSystem){ .title            = "made",
                               .box_nm           = { 3, 4, 5 },
                               .n_types          = 2,
                               .n_beads          = N_BEADS,
                               .n_molecules      = 2,
                               .n_molecule_types = 2,
                               .n_bonds          = N_TERMS,
                               .n_bond_rules     = N_RULES,
                               .type             = m->type,
                               .bond_rule        = m->rule,
                               .molecule_type    = m->molecule_type,
                               .molecule         = m->molecule,
                               .bond             = m->bond,
                               .bead_type        = m->bead_type,
                               .bead_molecule    = m->bead_molecule,
                               .bead_charge_e    = m->charge,
                               .bead_dipole_e_nm = m->dipole,
                               .position_nm      = (const double(*)[3])m->position,
                               .velocity_nm_ps   = (const double(*)[3])m->velocity,
                               .orientation      = (const double(*)[4])m->orientation,
                               .spin_u_nm2_ps    = (const double(*)[3])m->spin };
}

static void numbers_and_names_are_those_of_the_system(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    Made              m;

    make_system(&m);
    const AmphiSnapshot *const s = amphi_snapshot_of_system(&m.system, arena);
    assert_non_null(s);
    assert_int_equal(amphi_snapshot_has(s), 1023);
    assert_string_equal(s->title, "made");
    assert_true(are_near(s->box_nm, m.system.box_nm, 3, 0));
    assert_true(are_near(s->position_nm, m.position, 3 * N_BEADS, 0));
    assert_true(are_near(s->velocity_nm_ps, m.velocity, 3 * N_BEADS, 0));
    assert_true(are_near(s->spin_u_nm2_ps, m.spin, 3 * N_BEADS, 0));
    assert_true(are_near(s->orientation, m.orientation, 4 * N_BEADS, 0));
    assert_true(are_near(s->charge_e, m.charge, N_BEADS, 0));
    assert_true(are_near(s->dipole_strength_e_nm, m.dipole, N_BEADS, 0));
    assert_true(are_near(s->mass_u, (const double[]){ 72, 72, 72, 40 }, N_BEADS, 0));
    assert_true(are_near(s->type_inertia_u_nm2[1], (const double[]){ 1, 2, 3 }, 3, 0));
    assert_true(are_near(s->type_mass_u, (const double[]){ 72, 40 }, 2, 0));
    assert_string_equal(s->type_name[1].text, "water");
    assert_string_equal(s->bead_name[2].text, "a name that is longer t");
    assert_string_equal(s->bead_name[3].text, "W");
    assert_string_equal(s->molecule_name[2].text, "DMPC");
    assert_memory_equal(s->molecule, ((const int32_t[]){ 1, 1, 1, 2 }), 16);
    assert_memory_equal(s->type, ((const int32_t[]){ 1, 1, 1, 2 }), 16);
    amphi_arena_free(arena);
}

/* Bond and angle types count apart, from 1, in the order of the rules. The axis coupling and the
 * position restraint are no bonds; the dipole restraint is an angle i j j. */
static void bonds_and_angles_are_numbered_as_other_programs_do(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    Made              m;

    make_system(&m);
    const AmphiSnapshot *const s = amphi_snapshot_of_system(&m.system, arena);
    assert_int_equal(s->n_bonds, 3);
    assert_int_equal(s->n_angles, 2);
    assert_memory_equal(s->bond, ((const int32_t[9]){ 1, 0, 1, 2, 1, 2, 2, 0, 2 }), 36);
    assert_memory_equal(s->angle, ((const int32_t[8]){ 1, 2, 1, 1, 2, 0, 1, 2 }), 32);
    amphi_arena_free(arena);
}

static void every_writer_takes_it_and_the_checkpoint_keeps_it(void **state)
{
    (void)state;
    AmphiArena *const arena = amphi_arena_new();
    Made              m;

    make_system(&m);
    const AmphiSnapshot *const s = amphi_snapshot_of_system(&m.system, arena);
    for (int32_t k = 0; amphi_format_at(k) != NULL; k++) {
        int64_t     n     = 0;
        char *const bytes = bytes_written(amphi_format_at(k), s, &n);
        Reading     r     = read_bytes(amphi_format_at(k), bytes, n, 0);
        if (amphi_format_at(k) == &amphi_format_psf) /* reads names as words: fine as well */
            assert_string_equal(r.s->bead_name[2].text, "a_name_that_is_longer_t");
        assert_non_null(r.s);
        assert_int_equal(r.s->n_beads, N_BEADS);
        done(&r);
        free(bytes);
    }
    amphi_arena_free(arena);
}

static void want_of_memory_is_an_answer(void **state)
{
    (void)state;
    AmphiSnapshot *s = NULL;
    Made           m;
    int            n = 1;

    make_system(&m);
    for (; n < 100 && s == NULL; n++) {
        AmphiArena *const arena = amphi_arena_new();
        amphi_arena_fail_at(n);
        s = amphi_snapshot_of_system(&m.system, arena);
        amphi_arena_fail_at(0);
        assert_true((s == NULL) == amphi_arena_failed(arena));
        amphi_arena_free(arena);
    }
    assert_true(n > 15 && n < 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_and_names_are_those_of_the_system),
        cmocka_unit_test(bonds_and_angles_are_numbered_as_other_programs_do),
        cmocka_unit_test(every_writer_takes_it_and_the_checkpoint_keeps_it),
        cmocka_unit_test(want_of_memory_is_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
