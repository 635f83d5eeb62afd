/* What bodies_fixed.h and state_hash.h promise: numbers to and from doubles, ranges and what is
 * told of them, stages, saved states, hashes. Laws of motion are in property/test_fixed_motion.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../../engine/state_hash.h"
#include "../property/fixed_cases.h"

static Case the_case;

static AmphiBodies *opened(int32_t n, int kind)
{
    AmphiBodies *b = NULL;

    make_case(&the_case, n, kind, 3, 298);
    assert_int_equal(amphi_bodies_open(&the_case.system, &b, NULL), AMPHI_OK);
    assert_int_equal(amphi_fixed_open(b, NULL), AMPHI_OK);
    return b;
}

static void begin(AmphiBodies *b, const AmphiStage *stage)
{
    amphi_fixed_expect(b, stage);
    assert_int_equal(amphi_bodies_begin_stage(b, stage, NULL), AMPHI_OK);
}

static AmphiStage nve(double dt_ps)
{
    return (AmphiStage){ .name = "nve", .ensemble = AMPHI_NVE, .dt_ps = dt_ps };
}

/* ---- to and from doubles ---- */

/* Half a unit of each; a position is cut to 53 bits, and the product with the edge rounds. */
static void doubles_come_back_to_half_a_unit(void **state)
{
    (void)state;
    AmphiBodies *b = opened(64, MIXED);

    for (int i = 0; i < 64; i++) {
        const AmphiBeadType *t = &body_type[i % KINDS];

        for (int a = 0; a < 3; a++) {
            const double spin = t->inertia_u_nm2[a] > 0 ? the_case.spin[i][a] : 0;

            assert_true(is_near(b->position_nm[i][a], the_case.position[i][a], 3 * 0x1p-52));
            assert_true(is_near(b->velocity_nm_ps[i][a], the_case.velocity[i][a],
                                FIXED_MOMENTUM_UNIT / t->mass_u));
            assert_true(is_near(b->spin_u_nm2_ps[i][a], spin, 3 * FIXED_SPIN_UNIT));
        }
        for (int k = 0; k < 4; k++)
            assert_true(is_near(b->orientation[i][k], the_case.orientation[i][k], 0x1p-54));
    }
    amphi_bodies_close(b);
}

static void places_wrap_and_the_boxes_are_counted(void **state)
{
    (void)state;
    const double in[]    = { 0, 2.5, -0.5, 7, -1e-30, 3 };
    const double out[]   = { 0, 2.5, 2.5, 1, 0, 0 };
    const int    boxes[] = { 0, 0, -1, 2, 0, 1 };

    for (int k = 0; k < 6; k++) {
        int32_t      n = 99;
        const double x = fixed_place_nm(fixed_place_of(in[k], 3, &n), 3);

        assert_true(is_near(x, out[k], 1e-15) && x >= 0 && x < 3);
        assert_int_equal(n, boxes[k]);
    }
}

static void steps_are_whole_numbers_of_ticks_or_refused(void **state)
{
    (void)state;
    AmphiStage   stage = nve(0.0033);
    AmphiBodies *b     = opened(4, POINT);
    AmphiError   err   = { .status = AMPHI_OK };

    assert_int_equal(fixed_ticks(0.01), 640);
    assert_int_equal(fixed_ticks(0.02), 1280);
    assert_int_equal(fixed_ticks(0.001 / 64), 1);
    assert_int_equal(fixed_ticks(0.0033), 0);
    assert_int_equal(amphi_bodies_begin_stage(b, &stage, &err), AMPHI_BAD_INPUT);
    assert_string_equal(err.text,
                        "stage nve: a time step of 3.3 fs is no whole number of 1/64 fs, in which "
                        "fixed precision counts time\n"
                        "    write: timestep=\"3.296875 fs\"");
    stage.dt_ps = 0.003296875;
    begin(b, &stage);
    assert_int_equal(b->fixed->ticks, 211);
    stage.ensemble = AMPHI_MINIMISE; /* which takes no steps in time */
    stage.dt_ps    = 0.0033;
    begin(b, &stage);
    assert_int_equal(b->fixed->ticks, 0);
    amphi_bodies_close(b);
}

/* ---- ranges ---- */

static void a_number_that_leaves_its_range_is_told_with_bead_and_scale(void **state)
{
    (void)state;
    const struct {
        FixedFault  what;
        bool        is_coarse;
        const char *text;
    } said[] = {
        { FIXED_MOMENTUM, false,
          "the momentum of bead 3 (body 3) left the range of fixed precision: 2.15e+06 u nm/ps, in "
          "units of 2.38e-10" },
        { FIXED_SPIN, false,
          "the angular momentum of bead 3 (body 3) left the range of fixed precision: 2.1e+03 u "
          "nm^2/ps, in units of 2.33e-13" },
        { FIXED_TURN, true,
          "the turn in one step of bead 3 (body 3) left the range of fixed precision: 1.85 rad, in "
          "units of 8.67e-19" },
        { FIXED_DISPLACEMENT, false,
          "the displacement in one step of bead 3 (body 3) left the range of fixed precision: 0.25 "
          "box edges, in units of 5.42e-20" },
        { FIXED_FORCE, false,
          "the force of a pair or a bond of bead 3 (body 3) left the range of fixed precision: "
          "8.19e+03 kJ/mol/nm, in units of 1.53e-05" },
        { FIXED_FORCE, true,
          "the force of a pair or a bond of bead 3 (body 3) left the range of fixed precision: "
          "8.39e+06 kJ/mol/nm, in units of 0.0156" },
        { FIXED_FIELD, false,
          "the field of a pair on the dipole of bead 3 (body 3) left the range of fixed precision: "
          "8.19e+03 kJ/mol/(e nm), in units of 1.53e-05" },
        { FIXED_PAIR_TURN, false,
          "the torque of a pair or a bond of bead 3 (body 3) left the range of fixed precision: "
          "2.05e+03 "
          "kJ/mol, in units of 3.81e-06" },
        { FIXED_TORQUE, false,
          "the torque of bead 3 (body 3) left the range of fixed precision: 1.34e+08 kJ/mol, in "
          "units of 1.49e-08" },
        { FIXED_ENERGY, false,
          "the energy of bead 3 (body 3) left the range of fixed precision: 6.55e+04 kJ/mol, in "
          "units of 5.96e-08" },
    };
    AmphiBodies *b = opened(4, POINT);

    assert_int_equal(amphi_fixed_check(b, NULL), AMPHI_OK);
    for (size_t k = 0; k < sizeof said / sizeof *said; k++) {
        AmphiError err = { .status = AMPHI_OK };

        amphi_fixed_clear(b);
        b->fixed->is_coarse = said[k].is_coarse;
        amphi_fixed_note(b->fixed, said[k].what, 3);
        amphi_fixed_note(b->fixed, said[k].what, 2); /* the lower one is told */
        amphi_fixed_note(b->fixed, FIXED_FAULTS, 3);
        amphi_fixed_note(b->fixed, FIXED_GOOD, 0);
        assert_int_equal(amphi_fixed_check(b, &err), AMPHI_UNSTABLE);
        assert_string_equal(err.text, said[k].text);
    }
    amphi_bodies_close(b);
}

static FixedFault fault_of_kick(int64_t p, int64_t l)
{
    const AmphiStage stage = nve(0.001);
    AmphiBodies     *b     = opened(4, SPHERE);

    begin(b, &stage);
    b->fixed->p[2][1] = p;
    b->fixed->l[2][0] = l;
    amphi_bodies_kick(b, false);
    const FixedFault what = b->fixed->fault.what;
    assert_int_equal(b->fixed->fault.bead, what == FIXED_GOOD ? 0 : 2);
    amphi_bodies_close(b);
    return what;
}

static void of_two_faults_of_a_body_the_lower_one_is_told(void **state)
{
    (void)state;
    for (int a = FIXED_GOOD; a < FIXED_FAULTS; a++)
        for (int c = FIXED_GOOD; c < FIXED_FAULTS; c++) {
            const int lower = a == FIXED_GOOD || (c != FIXED_GOOD && c < a) ? c : a;

            assert_int_equal(fixed_fault_of((FixedFault)a, (FixedFault)c), lower);
        }
}

static void the_range_of_momenta_ends_where_doubles_do(void **state)
{
    (void)state;
    const int64_t most = (int64_t)1 << 53;

    assert_int_equal(fault_of_kick(most - 1, 1 - most), FIXED_GOOD);
    assert_int_equal(fault_of_kick(most, 0), FIXED_MOMENTUM);
    assert_int_equal(fault_of_kick(-most, 0), FIXED_MOMENTUM);
    assert_int_equal(fault_of_kick(0, most), FIXED_SPIN);
}

/* A turn by more than the tangent of half a radian's quarter; and what is too fast to be
 * counted. */
static void wild_bodies_are_found(void **state)
{
    (void)state;
    const AmphiStage stage = nve(0.01);
    AmphiBodies     *b     = opened(4, LINEAR);

    begin(b, &stage);
    b->fixed->l[3][0] = fixed_round(2 / 0.01 * 1.2 / FIXED_SPIN_UNIT); /* two radians a step */
    fixed_nothing(b);
    amphi_bodies_kick(b, false);
    amphi_bodies_drift(b);
    assert_int_equal(b->fixed->fault.what, FIXED_GOOD);
    b->fixed->l[3][0] *= 3;
    amphi_bodies_drift(b);
    assert_int_equal(b->fixed->fault.what, FIXED_TURN);
    assert_int_equal(b->fixed->fault.bead, 3);
    fixed_nothing(b);
    b->fixed->p[1][0] = fixed_round(42 * 60 / FIXED_MOMENTUM_UNIT); /* 75 600 kJ/mol */
    amphi_bodies_kick(b, true);
    assert_int_equal(b->fixed->fault.what, FIXED_ENERGY);
    assert_int_equal(b->fixed->fault.bead, 1);
    amphi_bodies_close(b);
}

/* ---- stages ---- */

/* v(t - dt_old/2) to v(t - dt_new/2), to half a unit. */
static void a_stage_shifts_momenta_by_half_the_change_of_the_step(void **state)
{
    (void)state;
    const double dt[]  = { 0.02, 0.004, 0 };
    AmphiBodies *b     = opened(8, MIXED);
    AmphiStage   stage = nve(0);
    double       v[8][3], l[8][3];
    uint64_t     seed = 9;

    clear_forces(b);
    for (int i = 0; i < 8; i++)
        for (int a = 0; a < 3; a++) {
            b->force_kJ_mol_nm[i][a] = draw(&seed, -900, 900);
            b->torque_kJ_mol[i][a]   = draw(&seed, -50, 50);
        }
    round_forces(b);
    memcpy(v, b->velocity_nm_ps, sizeof v);
    memcpy(l, b->spin_u_nm2_ps, sizeof l);
    for (int k = 0; k < 3; k++) {
        stage.ensemble = k == 2 ? AMPHI_MINIMISE : AMPHI_NVE;
        stage.dt_ps    = dt[k];
        begin(b, &stage);
        amphi_fixed_show_motion(b);
        amphi_fixed_show_forces(b);
        for (int i = 0; i < 8; i++) {
            const Mover m = mover_prepare(body_type[i % KINDS].mass_u,
                                          body_type[i % KINDS].rotor == AMPHI_POINT
                                              ? (double[3]){ 0 }
                                              : body_type[i % KINDS].inertia_u_nm2);
            const Push  push =
                push_of(&m, b->orientation[i], b->force_kJ_mol_nm[i], b->torque_kJ_mol[i]);
            double now[2][3];

            memcpy(now[0], v[i], sizeof now[0]);
            memcpy(now[1], l[i], sizeof now[1]);
            add_push(&push, -0.5 * dt[k], now[0], now[1]);
            for (int a = 0; a < 3; a++) {
                assert_true(is_near(b->velocity_nm_ps[i][a], now[0][a], 1e-11));
                assert_true(is_near(b->spin_u_nm2_ps[i][a], now[1][a], 1e-9));
            }
        }
    }
    amphi_bodies_close(b);
}

static void a_restraint_ends_with_its_stage(void **state)
{
    (void)state;
    AmphiStage          stage = nve(0.01);
    AmphiStageRestraint restraint[2];
    AmphiBodies        *b = opened(4, POINT);

    hold_all(&stage, restraint, 3000);
    begin(b, &stage);
    for (int k = 0; k < 20; k++) {
        amphi_fixed_clear(b);
        amphi_bodies_restrain(b, NULL);
        amphi_bodies_kick(b, true);
        amphi_bodies_drift(b);
    }
    amphi_fixed_clear(b);
    const double energy = amphi_bodies_restrain(b, NULL);

    amphi_fixed_show_forces(b);
    assert_true(is_near(b->potential_kJ_mol, energy, 4 * FIXED_UNIT(ENERGY)));
    assert_true(is_near(b->virial_kJ_mol[0][0] + b->virial_kJ_mol[1][1] + b->virial_kJ_mol[2][2],
                        -2 * energy, 12 * FIXED_UNIT(ENERGY)));
    const int64_t f = b->fixed->force[1][2], p = b->fixed->p[1][2];
    assert_true(llabs(f) > 65536);
    begin(b, &stage); /* the step is the same: half a kick of the old force is given back */
    assert_int_equal(b->fixed->p[1][2], p + 320 * f);
    amphi_fixed_clear(b);
    amphi_bodies_restrain(b, NULL);
    assert_int_equal(b->fixed->force[1][2], 0);
    b->position_nm[1][2] += 1; /* 3000 kJ/mol/nm^2 */
    amphi_bodies_restrain(b, NULL);
    assert_int_equal(b->fixed->fault.what, FIXED_GOOD);
    b->position_nm[1][2] += 2;
    amphi_bodies_restrain(b, NULL);
    assert_int_equal(b->fixed->fault.what, FIXED_FORCE);
    assert_int_equal(b->fixed->fault.bead, 1);
    amphi_bodies_close(b);
}

static void minimising_goes_back_to_the_last_bit(void **state)
{
    (void)state;
    const AmphiStage   stage = { .name = "rest", .ensemble = AMPHI_MINIMISE };
    AmphiBodies       *b     = opened(12, MIXED);
    struct AmphiFixed *f     = b->fixed;
    uint64_t           x[12][3];
    int64_t            q[12][4], force[12][3], torque[12][3];

    begin(b, &stage);
    for (int32_t i = 0; i < 12; i++)
        f->x[i][i % 3] += (uint64_t)1 << 58;
    amphi_fixed_show_places(b);
    fixed_pulls(b);
    memcpy(x, f->x, sizeof x);
    memcpy(q, f->q, sizeof q);
    memcpy(force, f->force, sizeof force);
    memcpy(torque, f->torque, sizeof torque);
    const int64_t potential = f->potential;
    amphi_fixed_note(f, FIXED_FORCE, 3);
    assert_int_equal(amphi_fixed_check(b, NULL), AMPHI_UNSTABLE); /* there is no way back yet */
    f->fault.what = FIXED_GOOD;
    assert_false(amphi_bodies_descend(b));
    assert_true(memcmp(x, f->x, sizeof x) != 0 && memcmp(q, f->q, sizeof q) != 0);
    for (int k = 0; k < 2; k++) { /* uphill: from the first place once more, half as far */
        fixed_pulls(b);
        f->potential = potential + 1000;
        assert_false(amphi_bodies_descend(b));
    }
    fixed_pulls(b);
    amphi_fixed_note(f, FIXED_FORCE, 3); /* a step out of range leads uphill as well */
    f->potential = potential - 1000;
    assert_int_equal(amphi_fixed_check(b, NULL), AMPHI_OK);
    amphi_fixed_show_totals(b);
    assert_true(isinf(b->potential_kJ_mol));
    assert_false(amphi_bodies_descend(b));
    assert_int_equal(f->potential, potential);
    assert_int_equal(f->fault.what, FIXED_GOOD);
    b->step_length_nm = 0;
    f->potential      = potential + 1000;
    assert_true(amphi_bodies_descend(b)); /* the end is the best place */
    assert_memory_equal(x, f->x, sizeof x);
    assert_memory_equal(q, f->q, sizeof q);
    assert_memory_equal(force, f->force, sizeof force);
    assert_memory_equal(torque, f->torque, sizeof torque);
    amphi_bodies_close(b);
}

static void a_lack_of_memory_is_said(void **state)
{
    (void)state;
    const AmphiStage rest   = { .name = "rest", .ensemble = AMPHI_MINIMISE };
    AmphiError       err    = { .status = AMPHI_OK };
    int              n_open = 0, n_rest = 0;

    make_case(&the_case, 2000, MIXED, 3, 298);
    for (int n = 1; n_open == 0 || n_rest == 0; n++) {
        AmphiBodies *b = NULL;

        assert_int_equal(amphi_bodies_open(&the_case.system, &b, NULL), AMPHI_OK);
        amphi_arena_fail_at(n_open == 0 ? n : 0);
        if (amphi_fixed_open(b, &err) != AMPHI_OK) {
            assert_int_equal(err.status, AMPHI_NO_MEMORY);
            assert_null(b->fixed);
        } else if (n_open == 0) {
            n_open = n;
            n      = 0;
        } else {
            amphi_arena_fail_at(n);
            if (amphi_bodies_begin_stage(b, &rest, &err) == AMPHI_OK)
                n_rest = n;
            else
                assert_int_equal(err.status, AMPHI_NO_MEMORY);
        }
        amphi_arena_fail_at(0);
        amphi_bodies_close(b);
    }
    assert_true(n_open > 2 && n_rest > 2);
}

/* ---- saved states ---- */

static AmphiStateHash hash_of(AmphiBodies *b)
{
    AmphiBytes     bytes = saved(b);
    AmphiStateHash hash;

    assert_true(amphi_state_hash(&bytes, &hash));
    amphi_release(bytes.data);
    return hash;
}

static bool is_same(AmphiStateHash a, AmphiStateHash c)
{
    return a.high == c.high && a.low == c.low;
}

static void a_hash_sees_every_part_of_the_state(void **state)
{
    (void)state;
    AmphiBodies         *b     = opened(40, MIXED);
    struct AmphiFixed   *f     = b->fixed;
    const AmphiStateHash first = hash_of(b);

    assert_true(is_same(first, hash_of(b)));
#define CHANGES(what)                                                                              \
    do {                                                                                           \
        what ^= 1;                                                                                 \
        assert_false(is_same(first, hash_of(b)));                                                  \
        what ^= 1;                                                                                 \
    } while (0)
    CHANGES(b->step);
    CHANGES(b->image[39][2]);
    CHANGES(f->x[0][0]);
    CHANGES(f->p[39][2]);
    CHANGES(f->q[20][3]);
    CHANGES(f->l[39][2]);
#undef CHANGES
    b->box_nm[1] = nextafter(b->box_nm[1], 4);
    assert_false(is_same(first, hash_of(b)));
    b->box_nm[1] = 3;
    b->time_ps += 1; /* what says only when */
    assert_true(is_same(first, hash_of(b)));
    amphi_bodies_close(b);
}

static void a_state_goes_and_comes_to_the_last_bit(void **state)
{
    (void)state;
    const AmphiStage stage = nve(0.004);
    AmphiBodies     *b = opened(300, MIXED), *other = opened(300, MIXED);
    size_t           at = 0;

    begin(b, &stage);
    begin(other, &stage);
    for (int k = 0; k < 30; k++)
        step(b, fixed_pulls);
    AmphiBytes bytes = saved(b);
    assert_false(is_same(hash_of(b), hash_of(other)));
    assert_true(amphi_bodies_unpack(other, &bytes, &at) && amphi_fixed_unpack(other, &bytes, &at));
    assert_int_equal(at, bytes.n);
    assert_true(is_same(hash_of(b), hash_of(other)));
    step(b, fixed_pulls);
    step(other, fixed_pulls);
    assert_true(is_same(hash_of(b), hash_of(other)));

    for (int cut = 1; cut < 4; cut++) { /* bytes are missing, or too many */
        AmphiBytes less = bytes;

        at = 0;
        less.n -= cut == 3 ? 8 * 13 * 300 : (size_t)cut;
        assert_false(amphi_bodies_unpack(other, &less, &at) &&
                     amphi_fixed_unpack(other, &less, &at));
    }
    amphi_release(bytes.data);
    amphi_bodies_close(b);
    amphi_bodies_close(other);
}

/* Half a unit of each, as when the bodies were opened. */
static void a_state_of_doubles_is_rounded(void **state)
{
    (void)state;
    const AmphiStage stage = nve(0.004);
    AmphiBodies     *b = opened(40, MIXED), *other = NULL;
    AmphiBytes       bytes = { .data = NULL };
    AmphiStateHash   hash;
    size_t           at = 0;

    assert_int_equal(amphi_bodies_open(&the_case.system, &other, NULL), AMPHI_OK);
    assert_int_equal(amphi_bodies_begin_stage(other, &stage, NULL), AMPHI_OK);
    for (int k = 0; k < 10; k++)
        step(other, no_forces);
    assert_true(amphi_bodies_pack(other, &bytes));
    assert_false(amphi_state_hash(&bytes, &hash));
    assert_true(hash.high == 0 && hash.low == 0);
    assert_false(amphi_state_flip(&bytes, 0));
    begin(b, &stage);
    assert_true(amphi_bodies_unpack(b, &bytes, &at) && amphi_fixed_unpack(b, &bytes, &at));
    for (int i = 0; i < 40; i++)
        for (int a = 0; a < 3; a++) {
            assert_true(is_near(b->position_nm[i][a], other->position_nm[i][a], 1e-14));
            assert_true(is_near(b->velocity_nm_ps[i][a], other->velocity_nm_ps[i][a], 1e-10));
            assert_true(is_near(b->spin_u_nm2_ps[i][a], other->spin_u_nm2_ps[i][a], 1e-11));
        }
    assert_int_equal(b->step, 10);
    assert_int_equal(b->fixed->ticks, 256);
    amphi_release(bytes.data);
    amphi_bodies_close(b);
    amphi_bodies_close(other);
}

static void a_state_that_is_turned_twice_is_the_same(void **state)
{
    (void)state;
    AmphiBodies   *b     = opened(40, MIXED);
    AmphiBytes     bytes = saved(b);
    AmphiStateHash first = { 0 }, turned = { 0 }, again = { 0 };
    char           text[AMPHI_HASH_TEXT];
    size_t         at = 0;

    assert_true(amphi_state_hash(&bytes, &first));
    assert_true(amphi_state_flip(&bytes, 0) && amphi_state_hash(&bytes, &turned));
    const int64_t p = b->fixed->p[7][1], l = b->fixed->l[39][2];
    assert_true(amphi_bodies_unpack(b, &bytes, &at) && amphi_fixed_unpack(b, &bytes, &at));
    assert_true(p != 0 && b->fixed->p[7][1] == -p && l != 0 && b->fixed->l[39][2] == -l);
    assert_true(amphi_state_flip(&bytes, 0) && amphi_state_hash(&bytes, &again));
    assert_true(is_same(first, again));
    assert_false(is_same(first, turned));
    assert_true(amphi_state_flip(&bytes, 5) && amphi_state_flip(&bytes, 4));
    assert_true(amphi_state_hash(&bytes, &again));
    assert_false(is_same(first, again)); /* of another step */
    amphi_state_hash_write(&(AmphiStateHash){ 0xabc, 1 }, text);
    assert_string_equal(text, "0000000000000abc0000000000000001");
    amphi_release(bytes.data);
    amphi_bodies_close(b);
}

/* Neither a system nor a state of another precision may bring them. */
static void a_position_without_an_integer_is_refused(void **state)
{
    (void)state;
    const double     x[]    = { (double)NAN, -(double)INFINITY, 1e300, -1e7, 5e5, 3e6 };
    const bool       fits[] = { false, false, false, false, true, true };
    const AmphiStage stage  = nve(0.004);

    for (int k = 0; k < 6; k++) {
        AmphiBodies *b = opened(40, MIXED), *other = NULL;
        AmphiBytes   bytes = { .data = NULL };
        AmphiError   err   = { .status = AMPHI_OK };
        size_t       at    = 0;

        begin(b, &stage);
        the_case.position[7][1] = x[k]; /* the box is 3 nm wide */
        assert_int_equal(amphi_bodies_open(&the_case.system, &other, NULL), AMPHI_OK);
        assert_int_equal(amphi_bodies_begin_stage(other, &stage, NULL), AMPHI_OK);
        assert_true(amphi_bodies_pack(other, &bytes) && amphi_bodies_unpack(b, &bytes, &at));
        assert_int_equal(amphi_fixed_unpack(b, &bytes, &at), fits[k]);
        assert_int_equal(amphi_fixed_open(other, &err), fits[k] ? AMPHI_OK : AMPHI_BAD_INPUT);
        assert_true(fits[k] || strstr(err.text, "the position of bead 8 (") != NULL);
        amphi_release(bytes.data);
        amphi_bodies_close(b);
        amphi_bodies_close(other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_come_back_to_half_a_unit),
        cmocka_unit_test(places_wrap_and_the_boxes_are_counted),
        cmocka_unit_test(steps_are_whole_numbers_of_ticks_or_refused),
        cmocka_unit_test(a_number_that_leaves_its_range_is_told_with_bead_and_scale),
        cmocka_unit_test(of_two_faults_of_a_body_the_lower_one_is_told),
        cmocka_unit_test(the_range_of_momenta_ends_where_doubles_do),
        cmocka_unit_test(wild_bodies_are_found),
        cmocka_unit_test(a_stage_shifts_momenta_by_half_the_change_of_the_step),
        cmocka_unit_test(a_restraint_ends_with_its_stage),
        cmocka_unit_test(minimising_goes_back_to_the_last_bit),
        cmocka_unit_test(a_lack_of_memory_is_said),
        cmocka_unit_test(a_hash_sees_every_part_of_the_state),
        cmocka_unit_test(a_state_goes_and_comes_to_the_last_bit),
        cmocka_unit_test(a_state_of_doubles_is_rounded),
        cmocka_unit_test(a_position_without_an_integer_is_refused),
        cmocka_unit_test(a_state_that_is_turned_twice_is_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
