/* What bodies.h promises: how bodies are taken in, how stages begin, what is booked, and that
 * neither threads nor onlookers change a bit. Laws of motion are in property/test_motion.c.
 */
#include "../../engine/bodies_show.h"
#include "../../engine/num/elementary.h"
#include "opened_bodies.h"

/* ---- opening ---- */

static void bodies_are_wrapped_and_the_boxes_counted(void **state)
{
    (void)state;
    const double in[][3] = { { -0.1, 3.1, 7 }, { 0, 3, -6 }, { -1e-20, 2.9, -300.5 } };
    AmphiBodies *b       = NULL;

    make_case(&the_case, 3, POINT, 3, 298);
    memcpy(the_case.position, in, sizeof in);
    assert_int_equal(amphi_bodies_open(&the_case.system, &b, NULL), AMPHI_OK);
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < 3; a++) {
            const double x = b->position_nm[i][a];

            assert_true(x >= 0 && x < 3);
            assert_true(is_near(x + b->image[i][a] * 3, in[i][a], 1e-12));
        }
    assert_int_equal(b->image[0][0], -1);
    assert_int_equal(b->image[1][1], 1);
    assert_int_equal(b->image[2][0], 0); /* rounded onto the face, which is 0 */
    amphi_bodies_close(b);
    amphi_bodies_close(NULL);
}

static void there_is_no_spin_about_an_axis_without_a_moment(void **state)
{
    (void)state;
    AmphiBodies *b = NULL;

    make_case(&the_case, KINDS, MIXED, 3, 298);
    for (int i = 0; i < KINDS; i++)
        for (int k = 0; k < 3; k++)
            the_case.spin[i][k] = 1 + k;
    assert_int_equal(amphi_bodies_open(&the_case.system, &b, NULL), AMPHI_OK);
    for (int k = 0; k < 3; k++) {
        assert_true(b->spin_u_nm2_ps[POINT][k] == 0);
        assert_true(b->spin_u_nm2_ps[LINEAR][k] == (k == 2 ? 0 : 1 + k));
        assert_true(b->spin_u_nm2_ps[SPHERE][k] == 1 + k);
        assert_true(b->spin_u_nm2_ps[TOP][k] == 1 + k);
    }
    amphi_bodies_close(b);
}

static void a_lack_of_memory_is_said(void **state)
{
    (void)state;
    AmphiBodies *b   = NULL;
    AmphiError   err = { .status = AMPHI_OK };
    int          n   = 1;

    make_case(&the_case, 2000, MIXED, 3, 298);
    for (;; n++) {
        amphi_arena_fail_at(n);
        if (amphi_bodies_open(&the_case.system, &b, &err) == AMPHI_OK)
            break;
        assert_int_equal(err.status, AMPHI_NO_MEMORY);
        assert_null(b);
    }
    amphi_arena_fail_at(0);
    assert_true(n > 2);
    amphi_bodies_close(b);
}

/* ---- stages ---- */

static void groups_must_cover_every_bead_once(void **state)
{
    (void)state;
    const int32_t even_only[] = { 0 }, both[] = { 1, 0 }, twice[] = { 0, 0 },
                  thrice[] = { 0, 1, 0 };
    AmphiStage   stage     = { .name = "warm", .dt_ps = 0.01, .thermostat.group = even_only };
    AmphiError   err       = { .status = AMPHI_OK };
    AmphiBodies *b         = opened(10, POINT);

    stage.thermostat.n_groups = 1;
    assert_int_equal(amphi_bodies_begin_stage(b, &stage, &err), AMPHI_BAD_INPUT);
    assert_string_equal(err.text, "stage warm: body 2 is in no group of its thermostat");
    stage.thermostat.n_groups = 2;
    stage.thermostat.group    = twice;
    assert_int_equal(amphi_bodies_begin_stage(b, &stage, &err), AMPHI_BAD_INPUT);
    assert_string_equal(err.text, "stage warm: body 1 is in two groups of its thermostat");
    stage.thermostat.n_groups = 3;
    stage.thermostat.group    = thrice;
    assert_int_equal(amphi_bodies_begin_stage(b, &stage, &err), AMPHI_BAD_INPUT);
    assert_string_equal(err.text, "stage warm: its thermostat names a group twice");
    assert_null(b->stage);
    stage.thermostat.n_groups = 2;
    stage.thermostat.group    = both;
    begin(b, &stage);
    assert_int_equal(b->n_groups, 2);
    assert_int_equal(b->group_of[0], 1);
    assert_int_equal(b->group_of[1], 0);
    amphi_bodies_close(b);
}

/* v(t - dt_old/2) to v(t - dt_new/2), l in the body frame of the moment; a minimisation has
 * v(t). */
static void a_stage_shifts_velocities_by_half_the_change_of_the_step(void **state)
{
    (void)state;
    const AmphiStage        first   = { .name = "a", .ensemble = AMPHI_NVE, .dt_ps = 0.02 };
    const AmphiStage        next    = { .name = "b", .ensemble = AMPHI_NVT, .dt_ps = 0.004 };
    const AmphiStage        rest    = { .name = "c", .ensemble = AMPHI_MINIMISE, .dt_ps = 0.5 };
    const double            dt[]    = { 0.02, 0.004, 0 };
    const AmphiStage *const stage[] = { &first, &next, &rest };
    AmphiBodies            *b       = opened(8, MIXED);
    uint64_t                seed    = 9;
    double                  body_torque[8][3];

    for (int i = 0; i < 8; i++) {
        const double *q       = b->orientation[i];
        const double  back[4] = { q[0], -q[1], -q[2], -q[3] };

        for (int a = 0; a < 3; a++) {
            b->force_kJ_mol_nm[i][a] = draw(&seed, -900, 900);
            b->torque_kJ_mol[i][a]   = draw(&seed, -50, 50);
        }
        turn_vector(back, b->torque_kJ_mol[i], body_torque[i]);
    }
    for (int k = 0; k < 3; k++) {
        begin(b, stage[k]);
        for (int i = 0; i < 8; i++)
            for (int a = 0; a < 3; a++) {
                const AmphiBeadType *t    = &body_type[i % KINDS];
                const double         turn = t->inertia_u_nm2[a] > 0 ? body_torque[i][a] : 0;
                const double         spin = t->inertia_u_nm2[a] > 0 ? the_case.spin[i][a] : 0;

                assert_true(is_near(b->velocity_nm_ps[i][a],
                                    the_case.velocity[i][a] -
                                        0.5 * dt[k] * b->force_kJ_mol_nm[i][a] / t->mass_u,
                                    1e-13));
                assert_true(is_near(b->spin_u_nm2_ps[i][a], spin - 0.5 * dt[k] * turn, 1e-13));
            }
        assert_true(b->dt_ps == dt[k]);
    }
    amphi_bodies_close(b);
}

/* Two stages with a restraint each: the kick of the first is finished, the second begins free. */
static void a_restraint_ends_with_its_stage(void **state)
{
    (void)state;
    AmphiStage          stage = { .name = "held", .ensemble = AMPHI_NVE, .dt_ps = 0.01 };
    AmphiStageRestraint restraint[2];
    AmphiBodies        *b = opened(4, POINT);

    hold_all(&stage, restraint, 3000);
    begin(b, &stage);
    for (int k = 0; k < 20; k++)
        step(b, restraint_forces);
    restraint_forces(b);

    const double f = b->force_kJ_mol_nm[1][2], v = b->velocity_nm_ps[1][2];
    assert_true(fabs(f) > 1);
    begin(b, &stage);
    assert_true(is_near(b->velocity_nm_ps[1][2], v + 0.005 * f / 40, 1e-14));
    restraint_forces(b);
    assert_true(b->potential_kJ_mol < 1e-25 && fabs(b->force_kJ_mol_nm[1][2]) < 1e-11);
    amphi_bodies_close(b);
}

static void restraints_know_their_axes_the_image_and_the_virial(void **state)
{
    (void)state;
    const AmphiStageRestraint restraint = { .group        = 1,
                                            .axis         = { true, false, true },
                                            .k_kJ_mol_nm2 = 7 };
    const AmphiStage stage = { .name = "held", .n_restraints = 1, .restraint = &restraint };
    AmphiBodies     *b     = opened(4, POINT);
    double           virial[3][3];

    begin(b, &stage);
    clear_forces(b);
    b->image[3][0] += 1; /* a box of 3 nm away */
    b->position_nm[3][1] += 0.1;
    b->position_nm[3][2] -= 0.2;
    b->position_nm[2][0] += 0.3; /* of the other group */
    assert_true(is_near(amphi_bodies_restrain(b, virial), 7 * (9 + 0.04), 1e-12));
    assert_true(is_near(b->potential_kJ_mol, 7 * (9 + 0.04), 1e-12));
    assert_true(is_near(b->force_kJ_mol_nm[3][0], -2 * 7 * 3, 1e-12));
    assert_true(b->force_kJ_mol_nm[3][1] == 0);
    assert_true(is_near(b->force_kJ_mol_nm[3][2], 2 * 7 * 0.2, 1e-12));
    assert_true(b->force_kJ_mol_nm[2][0] == 0);
    assert_true(is_near(virial[0][0], -2 * 7 * 9, 1e-12));
    assert_true(is_near(virial[1][2], 0.1 * 2 * 7 * 0.2, 1e-12));
    assert_true(is_near(b->virial_kJ_mol[0][2], 3 * 2 * 7 * 0.2, 1e-12));
    amphi_bodies_close(b);
}

static void energy_is_needed_where_the_box_moves_or_the_mean_is_wanted(void **state)
{
    (void)state;
    const uint32_t moves = AMPHI_NEED_POTENTIAL | AMPHI_NEED_VIRIAL;
    AmphiStage     stage = { .name = "run", .ensemble = AMPHI_NPT, .dt_ps = 0.001 };
    AmphiBodies   *b     = opened(4, POINT);

    stage.barostat = (AmphiBarostat){ .type = AMPHI_BERENDSEN_P, .every = 5, .time_ps = 1 };
    begin(b, &stage);
    for (int k = 0; k < 10; k++) { /* a strain is found, then a move and the rest of its work */
        assert_int_equal(amphi_bodies_needs(b), k % 5 == 1 || k % 5 == 4 ? 0 : moves);
        step(b, no_forces);
    }
    stage.conserved_mean = true;
    step(b, no_forces);
    assert_int_equal(amphi_bodies_needs(b), AMPHI_NEED_POTENTIAL);
    stage = (AmphiStage){ .name = "rest", .ensemble = AMPHI_MINIMISE };
    assert_int_equal(amphi_bodies_needs(b), AMPHI_NEED_POTENTIAL);
    amphi_bodies_close(b);
}

static void freedom_of(AmphiStage *stage, int kind, int32_t n, int64_t freedom[2])
{
    AmphiBodies *b = opened(n, kind);

    begin(b, stage);
    amphi_bodies_freedom(b, 0, freedom);
    amphi_bodies_close(b);
}

static void freedom_counts_rotors_and_momentum(void **state)
{
    (void)state;
    AmphiStageRestraint restraint = { .group = 0, .axis = { true, true, true } };
    AmphiStage          stage     = { .name = "run", .ensemble = AMPHI_NVE, .dt_ps = 0.001 };
    int64_t             f[2];

    freedom_of(&stage, MIXED, 8, f); /* momentum cannot change */
    assert_int_equal(f[0], 21);
    assert_int_equal(f[1], 2 * (0 + 2 + 3 + 3));
    stage.n_restraints = 1;
    stage.restraint    = &restraint;
    freedom_of(&stage, POINT, 8, f);
    assert_int_equal(f[0], 21); /* without a constant it does nothing */
    restraint.k_kJ_mol_nm2 = 1;
    freedom_of(&stage, POINT, 8, f);
    assert_int_equal(f[0], 24);
    assert_int_equal(f[1], 0);
    restraint.axis[0] = false;
    freedom_of(&stage, POINT, 8, f);
    assert_int_equal(f[0], 23);
    restraint.axis[1] = false; /* along z alone */
    freedom_of(&stage, POINT, 8, f);
    assert_int_equal(f[0], 22);
    stage.remove_drift = true;
    freedom_of(&stage, POINT, 8, f);
    assert_int_equal(f[0], 21);
    freedom_of(&stage, POINT, 1, f);
    assert_int_equal(f[0], 3);
    stage = (AmphiStage){ .name = "run", .dt_ps = 0.001, .thermostat.type = AMPHI_LANGEVIN };
    freedom_of(&stage, LINEAR, 8, f);
    assert_int_equal(f[0], 24);
    assert_int_equal(f[1], 16);
}

/* ---- books ---- */

static void the_conserved_quantity_is_the_stated_one_and_summed_over_steps(void **state)
{
    (void)state;
    AmphiStage   stage = { .name           = "run",
                           .ensemble       = AMPHI_NVT,
                           .dt_ps          = 0.002,
                           .seed           = 3,
                           .conserved_mean = true,
                           .thermostat     = { AMPHI_BERENDSEN_T, 3000, 0.05, 1, 0, NULL } };
    AmphiBodies *b     = opened(16, MIXED);
    AmphiSums    sums  = { .count = { 0 } };
    double       sum   = 0;
    int64_t      freedom[1][2];
    AmphiFrame   frame;

    b->conserved_count = 9; /* of a stage before */
    begin(b, &stage);
    for (int k = 0; k < 50; k++) {
        const double heat = b->heat_kJ_mol, work = b->work_kJ_mol;

        no_forces(b);
        add_field(b, 20);
        amphi_bodies_kick(b, false);
        const double full = b->translation.full + b->rotation.full;
        const double half = b->translation.half + b->rotation.half;
        const double now  = b->potential_kJ_mol + (2 * full + half) / 3 - heat - work;
        amphi_bodies_show(b, &sums, 0, freedom, &frame);
        assert_true(frame.heat_kJ_mol == heat && frame.work_kJ_mol == work);
        assert_true(is_near(b->conserved_kJ_mol, now, 1e-11));
        assert_true(b->heat_kJ_mol > heat); /* it is colder than that */
        sum += now;
        amphi_bodies_drift(b);
    }
    assert_true(is_near(b->conserved_sum_kJ_mol, sum, 1e-9) && b->conserved_count == 50);
    amphi_bodies_close(b);
}

static void group_momentum(const AmphiBodies *b, int group, double p[3])
{
    p[0] = p[1] = p[2] = 0;
    for (int32_t i = 0; i < b->n; i++)
        for (int a = 0; a < 3; a++)
            if (i % 2 == group)
                p[a] += b->system->type[b->system->bead_type[i]].mass_u * b->velocity_nm_ps[i][a];
}

/* Two groups that push each other with the same force at all times. */
static void push_apart(AmphiBodies *b)
{
    clear_forces(b);
    for (int32_t i = 0; i < b->n; i++) {
        const double push = i % 2 == 0 ? 300 : -300;
        const double x    = b->position_nm[i][0] + b->image[i][0] * b->box_nm[0];

        b->force_kJ_mol_nm[i][0] = push;
        b->potential_kJ_mol -= push * x;
    }
}

/* What goes with the momentum, and with the force that would give it anew, is heat, so that the
 * conserved quantity stays; and no group gets anywhere. */
static void drift_is_removed_by_group_and_booked(void **state)
{
    (void)state;
    const int32_t groups[] = { 0, 1 };
    AmphiStage    stage    = {
              .name = "run", .ensemble = AMPHI_NVT, .dt_ps = 0.002, .remove_drift = true
    };
    AmphiBodies *b = opened(100, SPHERE);
    double       p[3], first;

    stage.thermostat.n_groups = 2;
    stage.thermostat.group    = groups;
    for (int32_t i = 0; i < 100; i++)
        b->velocity_nm_ps[i][0] += i % 2 == 0 ? 0.7 : 0.2;
    begin(b, &stage);
    push_apart(b);
    step(b, push_apart);
    first = b->conserved_kJ_mol;
    for (int k = 0; k < 20; k++) {
        step(b, push_apart);
        for (int g = 0; g < 2; g++) {
            group_momentum(b, g, p);
            assert_true(length_of(p) < 1e-9);
        }
        assert_true(is_near(b->conserved_kJ_mol, first, 1e-9 * fabs(first)));
    }
    stage.remove_drift = false;
    b->velocity_nm_ps[0][0] += 1;
    step(b, no_forces);
    group_momentum(b, 0, p);
    assert_true(is_near(p[0], 40, 1e-9)); /* the check sees a drift */
    step(b, push_apart);
    assert_false(is_near(b->conserved_kJ_mol, first, 1e-9 * fabs(first))); /* and what it costs */
    amphi_bodies_close(b);
}

/* Even and odd beads in baths of their own. */
static AmphiStage two_baths(const int32_t groups[2], double time_ps, int32_t every)
{
    return (AmphiStage){ .name       = "run",
                         .ensemble   = AMPHI_NVT,
                         .dt_ps      = 0.002,
                         .seed       = 5,
                         .thermostat = { AMPHI_VELOCITY_RESCALE, 298, time_ps, every, 2, groups } };
}

/* The same beside a thermostat of every third step: drift goes in that step, and what two steps
 * have pushed stays until then. Beside noise it goes in every step, and noise gives none. */
static void drift_is_removed_when_its_thermostat_acts(void **state)
{
    (void)state;
    const int32_t             groups[] = { 0, 1 };
    const AmphiThermostatType types[]  = { AMPHI_VELOCITY_RESCALE, AMPHI_LANGEVIN };

    for (int t = 0; t < 2; t++) {
        AmphiStage   stage = two_baths(groups, 0.1, 3);
        AmphiBodies *b     = opened(100, SPHERE);
        double       first = 0, heat = 0;

        stage.remove_drift    = true;
        stage.thermostat.type = types[t];
        begin(b, &stage);
        push_apart(b);
        for (int k = 0; k < 30; k++) {
            heat = b->heat_kJ_mol;
            step(b, push_apart);
            first = k == 0 ? b->conserved_kJ_mol : first;
            assert_true(is_near(b->conserved_kJ_mol, first, 1e-9 * fabs(first)));
            assert_true((b->heat_kJ_mol != heat) == (k % 3 == 0 || t == 1));
            for (int g = 0; g < 2; g++) {
                const double pushed = (g == 0 ? 1 : -1) * 50 * 300 * 0.002;
                double       p[3];

                group_momentum(b, g, p);
                assert_true(is_near(p[0], t == 0 ? pushed * (k % 3) : 0, 1e-9));
            }
        }
        amphi_bodies_close(b);
    }
}

/* Beads that begin as twins; their baths draw different numbers at every step. */
static void every_bath_draws_its_own_numbers(void **state)
{
    (void)state;
    const int32_t groups[] = { 0, 1 };
    AmphiStage    stage    = two_baths(groups, 0.02, 1);
    AmphiBodies  *b        = opened(20, SPHERE);

    begin(b, &stage);
    for (int k = 0; k < 10; k++) {
        for (int32_t i = 0; i < 20; i += 2) {
            memcpy(b->velocity_nm_ps[i + 1], b->velocity_nm_ps[i], sizeof b->velocity_nm_ps[i]);
            memcpy(b->spin_u_nm2_ps[i + 1], b->spin_u_nm2_ps[i], sizeof b->spin_u_nm2_ps[i]);
        }
        clear_forces(b);
        amphi_bodies_kick(b, true);
        assert_false(is_near(b->velocity_nm_ps[1][0] / b->velocity_nm_ps[0][0], 1, 1e-6));
        amphi_bodies_drift(b);
    }
    amphi_bodies_close(b);
}

/* ---- threads, onlookers, bad numbers ---- */

static AmphiStage everything(const int32_t groups[2])
{
    AmphiStage stage = { .name         = "all",
                         .ensemble     = AMPHI_NPT,
                         .dt_ps        = 0.004,
                         .seed         = 77,
                         .remove_drift = true,
                         .thermostat   = { AMPHI_VELOCITY_RESCALE, 310, 0.1, 1, 2, groups } };

    stage.barostat = (AmphiBarostat){ .type                       = AMPHI_CELL_RESCALE,
                                      .coupling                   = AMPHI_SEMI_ISOTROPIC,
                                      .pressure_kJ_mol_nm3        = AMPHI_BAR,
                                      .time_ps                    = 1,
                                      .compressibility_nm3_mol_kJ = 1e-3,
                                      .every                      = 2 };
    return stage;
}

static void pulls(AmphiBodies *b)
{
    clear_forces(b);
    add_wells(b, 1000);
    add_field(b, 20);
}

static void walk(AmphiBodies *b, const AmphiStage *stage, int threads, bool looked_at)
{
    b->threads = threads;
    begin(b, stage);
    for (int k = 0; k < 10; k++) {
        pulls(b);
        amphi_bodies_kick(b, looked_at);
        amphi_bodies_drift(b);
    }
}

static bool are_equal(const AmphiBodies *a, const AmphiBodies *b)
{
    const size_t n = (size_t)a->n;

    return memcmp(a->position_nm, b->position_nm, n * sizeof *a->position_nm) == 0 &&
           memcmp(a->image, b->image, n * sizeof *a->image) == 0 &&
           memcmp(a->velocity_nm_ps, b->velocity_nm_ps, n * sizeof *a->velocity_nm_ps) == 0 &&
           memcmp(a->orientation, b->orientation, n * sizeof *a->orientation) == 0 &&
           memcmp(a->spin_u_nm2_ps, b->spin_u_nm2_ps, n * sizeof *a->spin_u_nm2_ps) == 0 &&
           memcmp(a->box_nm, b->box_nm, sizeof a->box_nm) == 0 &&
           memcmp(&a->heat_kJ_mol, &b->heat_kJ_mol, sizeof a->heat_kJ_mol) == 0 &&
           memcmp(&a->work_kJ_mol, &b->work_kJ_mol, sizeof a->work_kJ_mol) == 0;
}

static void neither_threads_nor_onlookers_change_a_bit(void **state)
{
    (void)state;
    const int32_t groups[2] = { 0, 1 };
    AmphiStage    stage     = everything(groups);

    for (int k = 0; k < 2; k++) {
        AmphiBodies *one = opened(1500, MIXED), *two = opened(1500, MIXED);
        AmphiBodies *seen = opened(1500, MIXED), *other = opened(1500, MIXED);

        walk(one, &stage, 1, false);
        walk(two, &stage, 2, false);
        walk(seen, &stage, 3, true);
        assert_true(are_equal(one, two));
        assert_true(are_equal(one, seen));
        stage.seed++;
        walk(other, &stage, 1, false);
        assert_false(are_equal(one, other));
        amphi_bodies_close(one);
        amphi_bodies_close(two);
        amphi_bodies_close(seen);
        amphi_bodies_close(other);
        stage.thermostat = (AmphiThermostat){ AMPHI_LANGEVIN, 310, 0.1, 1, 2, groups };
    }
}

static void moves_of_the_box_that_are_cut_short_are_counted(void **state)
{
    (void)state;
    const int32_t groups[2] = { 0, 1 };
    AmphiStage    stage     = everything(groups);

    for (int k = 0; k < 2; k++) {
        AmphiBodies *b = opened(100, MIXED);

        stage.barostat.compressibility_nm3_mol_kJ = k == 0 ? 1e-3 : 1e6;
        walk(b, &stage, 1, false);
        assert_int_equal(b->n_limited, k == 0 ? 0 : 4); /* steps 2, 4, 6 and 8 of ten */
        amphi_bodies_close(b);
    }
}

/* By a strain of two steps before, which a state that is saved in between has with it. */
static void a_move_waits_and_is_saved_meanwhile(void **state)
{
    (void)state;
    const int32_t groups[2] = { 0, 1 };
    AmphiStage    stage     = everything(groups);

    stage.barostat.every = 1;
    AmphiBodies *a = opened(100, MIXED), *b = opened(100, MIXED);
    AmphiBytes   bytes = { .data = NULL };
    size_t       at    = 0;
    double       edge[4][3], strain[4][3];

    begin(a, &stage);
    begin(b, &stage);
    for (int k = 0; k < 4; k++) {
        memcpy(edge[k], a->box_nm, sizeof edge[k]);
        step(a, pulls);
        memcpy(strain[k], a->due[AMPHI_MOVE_LAG - 1], sizeof strain[k]);
    }
    assert_memory_equal(edge[1], edge[0], 2 * sizeof edge[0]);
    for (int k = 0; k < 3; k++) {
        assert_true(strain[0][k] != 0 && strain[0][k] != strain[1][k]);
        assert_true(edge[3][k] == edge[2][k] * exp_of(strain[0][k]));
        assert_true(a->box_nm[k] == edge[3][k] * exp_of(strain[1][k]));
    }
    assert_true(amphi_bodies_pack(a, &bytes) && amphi_bodies_unpack(b, &bytes, &at));
    for (int k = 0; k < 6; k++)
        step(k % 2 == 0 ? a : b, pulls);
    assert_true(are_equal(a, b));
    amphi_release(bytes.data);
    amphi_bodies_close(a);
    amphi_bodies_close(b);
}

static void what_is_no_number_stays_where_it_can_be_found(void **state)
{
    (void)state;
    const int32_t    groups[2] = { 0, 1 };
    const AmphiStage stage     = everything(groups);
    AmphiBodies     *b         = opened(8, MIXED);

    begin(b, &stage);
    no_forces(b);
    b->force_kJ_mol_nm[1][0] = (double)NAN;
    b->force_kJ_mol_nm[2][1] = 1e300;
    b->torque_kJ_mol[3][2]   = 1e300;
    amphi_bodies_kick(b, true);
    amphi_bodies_drift(b);
    assert_true(isnan(b->position_nm[1][0]));
    assert_false(isfinite(b->orientation[3][0]) != 0);
    amphi_bodies_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_wrapped_and_the_boxes_counted),
        cmocka_unit_test(there_is_no_spin_about_an_axis_without_a_moment),
        cmocka_unit_test(a_lack_of_memory_is_said),
        cmocka_unit_test(groups_must_cover_every_bead_once),
        cmocka_unit_test(a_stage_shifts_velocities_by_half_the_change_of_the_step),
        cmocka_unit_test(a_restraint_ends_with_its_stage),
        cmocka_unit_test(restraints_know_their_axes_the_image_and_the_virial),
        cmocka_unit_test(energy_is_needed_where_the_box_moves_or_the_mean_is_wanted),
        cmocka_unit_test(freedom_counts_rotors_and_momentum),
        cmocka_unit_test(the_conserved_quantity_is_the_stated_one_and_summed_over_steps),
        cmocka_unit_test(drift_is_removed_by_group_and_booked),
        cmocka_unit_test(drift_is_removed_when_its_thermostat_acts),
        cmocka_unit_test(every_bath_draws_its_own_numbers),
        cmocka_unit_test(neither_threads_nor_onlookers_change_a_bit),
        cmocka_unit_test(moves_of_the_box_that_are_cut_short_are_counted),
        cmocka_unit_test(a_move_waits_and_is_saved_meanwhile),
        cmocka_unit_test(what_is_no_number_stays_where_it_can_be_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
