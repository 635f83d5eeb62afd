/* Shapes of molecules: trees of bonds, lengths kept, heads up; and the distances and aims that come
 * from bonded terms.
 */
#include "../../engine/build_shape.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "toy_systems.h"

#define DEGREE 0.017453292519943295

static AmphiShape shape_of(const AmphiSystem *types, const AmphiMoleculeType *molecule,
                           AmphiArena *arena)
{
    AmphiShape shape;

    assert_int_equal(
        amphi_shape_make(types, amphi_contacts_make(types, arena), molecule, arena, &shape, NULL),
        AMPHI_OK);
    return shape;
}

/* The largest |length / length at rest - 1| along the tree. */
static double worst_bond(const AmphiShape *s, double (*x)[3])
{
    double worst = 0;

    for (int32_t k = 1; k < s->n_beads; k++) {
        const int32_t b = s->order[k];
        double        d[3];

        for (int a = 0; a < 3; a++)
            d[a] = x[b][a] - x[s->parent[b]][a];
        worst = fmax(worst, fabs(sqrt(amphi_dot(d, d)) / s->bond_nm[b] - 1));
    }
    return worst;
}

static void a_lipid_is_a_tree_from_its_head_with_ELBAs_volume(void **state)
{
    AmphiArena       *arena = amphi_arena_new();
    const AmphiSystem types = toy_elba(arena);
    const AmphiShape  dmpc  = shape_of(&types, &types.molecule_type[TOY_DMPC], arena);
    const AmphiShape  dopc  = shape_of(&types, &types.molecule_type[TOY_DOPC], arena);

    (void)state;
    assert_int_equal(dmpc.order[0], 0);
    assert_int_equal(dmpc.n_children[2], 2);
    for (int32_t k = 1; k < dmpc.n_beads; k++)
        assert_true(dmpc.depth[dmpc.order[k]] > dmpc.depth[dmpc.parent[dmpc.order[k]]]);
    /* volumes per lipid of ELBA bilayers at 310 K, 1.197 and 1.363 nm^3: to 1 percent */
    assert_true(fabs(dmpc.volume_nm3 / 1.197 - 1) < 0.01);
    assert_true(fabs(dopc.volume_nm3 / 1.363 - 1) < 0.01);
    amphi_arena_free(arena);
}

static void standing_and_coiled_lipids_keep_their_bonds(void **state)
{
    AmphiArena       *arena = amphi_arena_new();
    const AmphiSystem types = toy_elba(arena);
    const AmphiShape  shape = shape_of(&types, &types.molecule_type[TOY_DOPC], arena);
    double            x[15][3];

    (void)state;
    for (uint64_t id = 0; id < 200; id++) {
        AmphiDraws draws = { .seed = 4, .id = id, .stream = AMPHI_STREAM_BUILD };

        amphi_shape_stand(&shape, 1.9, &draws, x);
        assert_true(worst_bond(&shape, x) < 1e-12);
        for (int32_t b = 0; b < 15; b++) /* as deep as the volume above says */
            assert_true(fabs(x[b][2] + 1.9 * shape.depth[b]) < 1e-12);
        x[7][0] += 0.05;
        assert_true(worst_bond(&shape, x) > 1e-3);

        amphi_shape_coil(&shape, &draws, x);
        assert_true(worst_bond(&shape, x) < 1e-12);
    }
    amphi_arena_free(arena);
}

static void a_lipid_in_too_thick_a_leaflet_stands_nearly_straight(void **state)
{
    AmphiArena       *arena = amphi_arena_new();
    const AmphiSystem types = toy_elba(arena);
    const AmphiShape  shape = shape_of(&types, &types.molecule_type[TOY_DMPC], arena);
    AmphiDraws        draws = { .seed = 4, .stream = AMPHI_STREAM_BUILD };
    double            x[13][3];

    (void)state;
    amphi_shape_stand(&shape, 10, &draws, x);
    assert_true(worst_bond(&shape, x) < 1e-12);
    assert_true(x[0][2] - x[7][2] > 0.94 * (0.477 + 0.441 + 0.414 + 0.4095 + 3 * 0.405));
    amphi_arena_free(arena);
}

static void rings_are_cut_and_loose_beads_hang_on_the_first(void **state)
{
    AmphiArena             *arena  = amphi_arena_new();
    const AmphiSystem       types  = toy_elba(arena);
    const int32_t           bead[] = { TOY_TAIL, TOY_TAIL, TOY_TAIL, TOY_TAIL };
    const AmphiBond         bond[] = { { 5, { 0, 1, 0 } }, { 5, { 1, 2, 0 } }, { 5, { 2, 0, 0 } } };
    const AmphiMoleculeType ring   = { .name      = "ring",
                                       .kind      = "molecule",
                                       .n_beads   = 4,
                                       .n_bonds   = 3,
                                       .bead_type = bead,
                                       .bond      = bond };
    const AmphiShape        shape  = shape_of(&types, &ring, arena);
    AmphiDraws              draws  = { .seed = 4, .stream = AMPHI_STREAM_BUILD };
    double                  x[4][3];

    (void)state;
    assert_int_equal(shape.parent[1], 0);
    assert_int_equal(shape.parent[2], 0);
    assert_int_equal(shape.parent[3], 0);
    assert_true(shape.bond_nm[3] == 0.45);
    amphi_shape_coil(&shape, &draws, x);
    assert_true(worst_bond(&shape, x) < 1e-12);
    amphi_arena_free(arena);
}

static void angles_become_distances_of_their_ends(void **state)
{
    AmphiArena       *arena = amphi_arena_new();
    const AmphiSystem types = toy_elba(arena);
    const AmphiShape  shape = shape_of(&types, &types.molecule_type[TOY_DOPC], arena);
    const double rest[] = { 0.477 * 0.477 + 0.441 * 0.441 - 2 * 0.477 * 0.441 * cos(115 * DEGREE) };
    int32_t      n_bonds = 0, n_found = 0;

    (void)state;
    for (int32_t k = 0; k < shape.links.n_links; k++) {
        const AmphiLink *l = &shape.links.link[k];

        n_bonds += l->is_bond;
        if (l->a == 0 && l->b == 2)
            n_found += fabs(l->length_nm - sqrt(rest[0])) < 1e-14;
        if (l->a == 4 && l->b == 6) /* at the double bond */
            n_found += fabs(l->length_nm - 0.405 * sqrt(3)) < 1e-14;
        if (l->a == 5 && l->b == 7)
            n_found += fabs(l->length_nm - 0.81) < 1e-14;
    }
    assert_int_equal(n_bonds, 14);
    assert_int_equal(n_found, 3);
    assert_int_equal(shape.links.n_aims, 3);
    amphi_arena_free(arena);
}

static void ellipsoids_of_a_chain_are_aimed_without_a_coupling(void **state)
{
    AmphiArena             *arena  = amphi_arena_new();
    const AmphiSystem       types  = toy_ellipsoid_tails(arena);
    const int32_t           bead[] = { TOY_TAIL, TOY_TAIL, TOY_TAIL };
    const AmphiBond         bond[] = { { 5, { 0, 1, 0 } }, { 5, { 1, 2, 0 } } };
    const AmphiMoleculeType chain  = { .name      = "chain",
                                       .kind      = "molecule",
                                       .n_beads   = 3,
                                       .n_bonds   = 2,
                                       .bead_type = bead,
                                       .bond      = bond };
    const AmphiShape        shape  = shape_of(&types, &chain, arena);

    (void)state;
    assert_int_equal(shape.links.n_aims, 3);
    assert_int_equal(shape.links.aim[0].to, 1);
    assert_int_equal(shape.links.aim[1].from, 0);
    assert_int_equal(shape.links.aim[1].to, 2);
    assert_int_equal(shape.links.aim[2].to, 1);
    amphi_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lipid_is_a_tree_from_its_head_with_ELBAs_volume),
        cmocka_unit_test(standing_and_coiled_lipids_keep_their_bonds),
        cmocka_unit_test(a_lipid_in_too_thick_a_leaflet_stands_nearly_straight),
        cmocka_unit_test(rings_are_cut_and_loose_beads_hang_on_the_first),
        cmocka_unit_test(angles_become_distances_of_their_ends),
        cmocka_unit_test(ellipsoids_of_a_chain_are_aimed_without_a_coupling),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
