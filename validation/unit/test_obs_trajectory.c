/* trajectory.dcd, trajectory.xtc and the files beside them: frames read back by our reader,
 * molecules in one piece, the count of the header at any time, groups, the last frame, and a broken
 * run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/stat.h>

#include "../../engine/formats/dcd.h"
#include "../../engine/whole.h"
#include "format_cases.h"
#include "skipping.h"
#include "toy_systems.h"
#include "watching.h"

enum { LIPIDS = 3, WATERS = 4, PER_LIPID = 13, BEADS = LIPIDS * PER_LIPID + WATERS };

typedef struct {
    AmphiArena        *arena;
    AmphiSystem        system;
    AmphiGroup         group[2];
    AmphiStage         stage;
    AmphiObserverPlace place;
    AmphiObserverPlan  plan;
    int64_t            since; /* steps before the first frame */
    double             whole[BEADS][3], position[BEADS][3], velocity[BEADS][3];
    double             orientation[BEADS][4], spin[BEADS][3];
} Bench;

static const double edge[3] = { 3, 4, 5 };

static void set_up(Bench *b)
{
    const AmphiPortion portion[2] = { { TOY_DMPC, LIPIDS }, { TOY_WATER, WATERS } };

    memset(b, 0, sizeof *b);
    b->arena  = amphi_arena_new();
    b->system = toy_elba(b->arena);
    toy_populate(&b->system, portion, 2, b->arena);
    assert_int_equal(b->system.n_beads, BEADS);

    int32_t *const beads    = AMPHI_TAKE(b->arena, int32_t, BEADS);
    double *const  strength = AMPHI_TAKE(b->arena, double, BEADS);
    double *const  charge   = AMPHI_TAKE(b->arena, double, BEADS);
    for (int32_t i = 0; i < BEADS; i++) {
        beads[i]             = i;
        strength[i]          = b->system.type[b->system.bead_type[i]].dipole_e_nm;
        charge[i]            = b->system.type[b->system.bead_type[i]].charge_e;
        b->orientation[i][0] = 1;
        b->velocity[i][1]    = 0.001 * i;
    }
    b->group[0]                = (AmphiGroup){ "all", BEADS, beads };
    b->group[1]                = (AmphiGroup){ "tail-end", 8, beads + 2 * PER_LIPID + 9 };
    b->system.group            = b->group;
    b->system.n_groups         = 2;
    b->system.bead_charge_e    = charge;
    b->system.bead_dipole_e_nm = strength;
    b->system.position_nm      = (const double(*)[3])b->position;
    b->system.velocity_nm_ps   = (const double(*)[3])b->velocity;
    b->system.orientation      = (const double(*)[4])b->orientation;
    b->system.spin_u_nm2_ps    = (const double(*)[3])b->spin;
    memcpy(b->system.box_nm, edge, sizeof edge);
    b->since = 300;
    b->stage = (AmphiStage){ .name = "s", .ensemble = AMPHI_NVE, .n_steps = 100, .dt_ps = 0.01 };
    b->place = (AmphiObserverPlace){ .system   = &b->system,
                                     .dir      = folder(),
                                     .heading  = "amphi of a test",
                                     .stage    = &b->stage,
                                     .n_stages = 1 };
    b->plan  = (AmphiObserverPlan){
         .kind = "trajectory", .every = 5, .is_whole = true, .xtc_per_nm = 1000
    };
}

static void tear_down(Bench *b)
{
    amphi_arena_free(b->arena);
}

/* Lipids lie across the faces of the box, 0.3 nm between neighbours along a line; in frame k all
 * have moved by k/7 nm. */
static void make_frame(void *user, int32_t k, AmphiFrame *f)
{
    Bench *const b = user;

    for (int32_t i = 0; i < BEADS; i++)
        for (int a = 0; a < 3; a++) {
            const bool   is_lipid = i < LIPIDS * PER_LIPID;
            const int    m = is_lipid ? i / PER_LIPID : i, at = is_lipid ? i % PER_LIPID : 0;
            const double x = 0.5 * m + 0.17 * at + 0.02 * a + k / 7.;

            b->whole[i][a]    = x;
            b->position[i][a] = x - edge[a] * floor(x / edge[a]);
        }
    *f = (AmphiFrame){ .step           = 340 + k, /* 40 of them without time */
                       .has            = AMPHI_NEED_POSITIONS,
                       .time_ps        = 0.01 * (double)(b->since + k),
                       .box_nm         = { edge[0], edge[1], edge[2] },
                       .stage          = &b->stage,
                       .stage_step     = k,
                       .position_nm    = (const double(*)[3])b->position,
                       .velocity_nm_ps = (const double(*)[3])b->velocity,
                       .orientation    = (const double(*)[4])b->orientation,
                       .spin_u_nm2_ps  = (const double(*)[3])b->spin };
}

static void watch_frames(Bench *b, int32_t n)
{
    Watch w;

    unlink(path_of("trajectory.dcd"));
    unlink(path_of("trajectory.xtc"));
    watch_open(&w, &b->place, &b->plan);
    for (int32_t k = 0; k < n; k++) {
        AmphiFrame f;
        make_frame(b, k, &f);
        watch_see(&w, &f);
    }
    watch_end(&w);
}

static Reading read_path(const char *name, const AmphiFormat *format, int64_t frame)
{
    int64_t       n     = 0;
    char *const   bytes = bytes_of_file(path_of(name), &n);
    const Reading r     = read_bytes(format, bytes, n, frame);

    free(bytes);
    assert_non_null(r.s);
    return r;
}

/* Is x the whole positions of the beads from `first` on, but for one shift of whole edges a
 * molecule? */
static bool are_whole_to(const Bench *b, double tolerance, double (*x)[3], int32_t first, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        for (int a = 0; a < 3; a++) {
            const int32_t m     = b->system.bead_molecule[first + i];
            const int32_t front = b->system.molecule[m].first_bead;
            const int32_t base  = front > first ? front : first;
            const double  shift = x[i][a] - b->whole[first + i][a];
            const double  other = x[base - first][a] - b->whole[base][a];

            if (fabs(shift - other) > 2 * tolerance ||
                fabs(shift / edge[a] - round(shift / edge[a])) > tolerance)
                return false;
        }
    return true;
}

/* Single precision of angstroms: 4e-7 nm. */
static bool are_whole(const Bench *b, double (*x)[3], int32_t first, int32_t n)
{
    return are_whole_to(b, 1e-6, x, first, n);
}

/* 30 us at 10 fs: more steps than 32 bits tell. */
static void late_frames_have_their_times(void **state)
{
    (void)state;
    Bench b;

    set_up(&b);
    b.since = 3000000000;
    watch_frames(&b, 38);
    for (int32_t frame = 0; frame < 8; frame++) {
        Reading    r = read_path("trajectory.dcd", &amphi_format_dcd, frame);
        AmphiFrame f;

        make_frame(&b, 5 * frame, &f);
        assert_true(fabs(r.s->time_ps / f.time_ps - 1) < 1e-7); /* a step in single precision */
        assert_int_equal(r.s->step, b.since / 5 + frame);
        done(&r);
    }
    tear_down(&b);
}

/* A millisecond at 10 fs: more steps between frames than 32 bits tell. */
static void rare_frames_have_their_times(void **state)
{
    (void)state;
    Bench b;

    set_up(&b);
    b.plan.every = 100000000000;
    watch_frames(&b, 1);

    int64_t     n     = 0;
    char *const bytes = bytes_of_file(path_of("trajectory.dcd"), &n);
    int32_t     steps;
    float       step; /* in units of CHARMM, 0.0488882 ps */

    assert_true(n > 48);
    memcpy(&steps, bytes + 16, sizeof steps);
    memcpy(&step, bytes + 44, sizeof step);
    assert_true(fabs(steps * (double)step * 0.04888821 / 1e9 - 1) < 1e-6);
    free(bytes);
    tear_down(&b);
}

static void frames_come_back_with_molecules_in_one_piece(void **state)
{
    (void)state;
    Bench b;

    set_up(&b);
    watch_frames(&b, 38);
    for (int32_t frame = 0; frame < 8; frame++) {
        Reading    r = read_path("trajectory.dcd", &amphi_format_dcd, frame);
        AmphiFrame f;

        make_frame(&b, 5 * frame, &f);
        assert_int_equal(r.s->n_beads, BEADS);
        assert_int_equal(r.s->step, 300 + 5 * frame);
        assert_true(fabs(r.s->time_ps - f.time_ps) < 1e-6);
        assert_true(are_near(r.s->box_nm, edge, 3, 1e-9));
        assert_true(are_whole(&b, r.s->position_nm, 0, BEADS));
        make_frame(&b, 5 * frame + 1, &f);
        assert_false(are_whole(&b, r.s->position_nm, 0, BEADS));
        done(&r);
    }
    b.plan.is_whole = false;
    watch_frames(&b, 38);
    Reading    r = read_path("trajectory.dcd", &amphi_format_dcd, 3);
    AmphiFrame f;
    make_frame(&b, 15, &f);
    assert_true(are_near(r.s->position_nm, b.position, 3 * BEADS, 1e-6));
    assert_false(are_whole(&b, r.s->position_nm, 0, BEADS));
    done(&r);
    tear_down(&b);
}

/* Each with its own step and time. */
static void frames_of_xtc_come_back_with_molecules_in_one_piece(void **state)
{
    (void)state;
    Bench b;

    set_up(&b);
    b.plan.is_xtc = true;
    watch_frames(&b, 38);
    for (int32_t frame = 0; frame < 8; frame++) {
        Reading    r = read_path("trajectory.xtc", &amphi_format_xtc, frame);
        AmphiFrame f;

        make_frame(&b, 5 * frame, &f);
        assert_int_equal(r.s->n_frames, 8);
        assert_int_equal(r.s->n_beads, BEADS);
        assert_int_equal(r.s->step, f.step);
        assert_true(fabs(r.s->time_ps - f.time_ps) < 1e-6);
        assert_true(are_near(r.s->box_nm, edge, 3, 1e-6));
        assert_true(are_whole_to(&b, 0.0005 + 1e-9, r.s->position_nm, 0, BEADS));
        make_frame(&b, 5 * frame + 1, &f);
        assert_false(are_whole_to(&b, 0.0005 + 1e-9, r.s->position_nm, 0, BEADS));
        done(&r);
    }
    assert_int_equal(access(path_of("trajectory.dcd"), F_OK), -1);

    Reading coarse    = read_path("trajectory.xtc", &amphi_format_xtc, 3);
    b.plan.xtc_per_nm = 1e5;
    watch_frames(&b, 38);

    Reading    fine = read_path("trajectory.xtc", &amphi_format_xtc, 3);
    AmphiFrame f;
    make_frame(&b, 15, &f);
    assert_false(are_whole_to(&b, 0.5e-5 + 1e-9, coarse.s->position_nm, 0, BEADS));
    assert_true(are_whole_to(&b, 0.5e-5 + 1e-9, fine.s->position_nm, 0, BEADS));
    done(&coarse);
    done(&fine);

    static const char *const views[] = { "view.vmd", "view.pml" };
    for (int k = 0; k < 2; k++) {
        int64_t     n    = 0;
        char *const text = bytes_of_file(path_of(views[k]), &n);
        assert_non_null(strstr(text, "trajectory.xtc"));
        assert_null(strstr(text, "dcd"));
        free(text);
    }
    tear_down(&b);
}

/* VMD reads names from topology.psf, where they are whole, PyMOL from final.gro, which has five
 * bytes of them. */
static void views_name_molecules_as_their_files_do(void **state)
{
    static const char *const wants[] = { "select lipids, resn GLYCE",
                                         "resn GLYCE and name CHOLI\n" };
    Bench                    b;
    int64_t                  n = 0;

    (void)state;
    set_up(&b);
    AmphiMoleculeType *const types =
        AMPHI_TAKE(b.arena, AmphiMoleculeType, b.system.n_molecule_types);
    const char **const names = AMPHI_TAKE(b.arena, const char *, PER_LIPID);
    memcpy(types, b.system.molecule_type, (size_t)b.system.n_molecule_types * sizeof *types);
    memcpy(names, types[TOY_DMPC].bead_name, PER_LIPID * sizeof *names);
    names[0]                  = "CHOLINE";
    types[TOY_DMPC].name      = "GLYCEROL";
    types[TOY_DMPC].bead_name = names;
    b.system.molecule_type    = types;
    watch_frames(&b, 6);

    char *const gro = bytes_of_file(path_of("final.gro"), &n);
    char *const pml = bytes_of_file(path_of("view.pml"), &n);
    char *const vmd = bytes_of_file(path_of("view.vmd"), &n);
    assert_non_null(strstr(gro, "GLYCECHOLI"));
    for (size_t k = 0; k < sizeof wants / sizeof *wants; k++)
        assert_non_null(strstr(pml, wants[k]));
    assert_null(strstr(pml, "GLYCER"));
    assert_non_null(strstr(vmd, "resname GLYCEROL"));
    free(gro);
    free(pml);
    free(vmd);
    tear_down(&b);
}

static void the_middle_of_a_molecule_lies_in_the_box(void **state)
{
    (void)state;
    Bench b;

    set_up(&b);
    watch_frames(&b, 1);
    Reading r = read_path("trajectory.dcd", &amphi_format_dcd, 0);
    for (int32_t m = 0; m < LIPIDS; m++)
        for (int a = 0; a < 3; a++) {
            double mean = 0;
            for (int32_t i = 0; i < PER_LIPID; i++)
                mean += r.s->position_nm[m * PER_LIPID + i][a] / PER_LIPID;
            assert_true(mean > -1e-6 && mean < edge[a] + 1e-6);
        }
    done(&r);
    tear_down(&b);
}

/* Beads 9 to 12 of the last lipid, which are a tail, and the water behind it. */
static void a_group_has_its_own_topology(void **state)
{
    (void)state;
    Bench b;

    set_up(&b);
    b.plan.group = 1;
    watch_frames(&b, 6);
    Reading    r = read_path("trajectory.dcd", &amphi_format_dcd, 1);
    AmphiFrame f;
    make_frame(&b, 5, &f);
    assert_int_equal(r.s->n_beads, 8);
    assert_true(are_whole(&b, r.s->position_nm, 2 * PER_LIPID + 9, 8));
    done(&r);
    r = read_path("topology.psf", &amphi_format_psf, 0);
    assert_int_equal(r.s->n_beads, 8);
    assert_int_equal(r.s->n_bonds, 3);
    for (int k = 0; k < 3; k++)
        assert_int_equal(r.s->bond[k][1] + 1, r.s->bond[k][2]);
    assert_string_equal(r.s->bead_name[3].text, "C");
    assert_string_equal(r.s->molecule_name[4].text, "water");
    done(&r);
    tear_down(&b);
}

static void the_topology_has_every_bond_and_charge(void **state)
{
    (void)state;
    Bench b;

    set_up(&b);
    watch_frames(&b, 1);
    Reading r = read_path("topology.psf", &amphi_format_psf, 0);
    assert_int_equal(r.s->n_beads, BEADS);
    assert_int_equal(r.s->n_bonds, LIPIDS * (PER_LIPID - 1));
    assert_true(are_near(&r.s->charge_e[1], (double[1]){ -0.7 }, 1, 1e-6));
    assert_true(are_near(&r.s->mass_u[2], (double[1]){ 62 }, 1, 1e-3));
    done(&r);
    tear_down(&b);
}

static void the_last_frame_is_kept_whether_or_not_it_is_due(void **state)
{
    (void)state;
    Bench b;

    set_up(&b);
    watch_frames(&b, 8); /* steps 0 to 7, due at 0 and 5 */
    Reading    r = read_path("final.gro", &amphi_format_gro, 0);
    AmphiFrame f;
    make_frame(&b, 7, &f);
    assert_int_equal(r.s->step, 347);
    assert_true(are_whole(&b, r.s->position_nm, 0, BEADS));
    assert_true(are_near(r.s->velocity_nm_ps, b.velocity, 3 * BEADS, 1e-9));
    done(&r);
    r = read_path("final.data", &amphi_format_lammps, 0);
    assert_true(are_whole(&b, r.s->position_nm, 0, BEADS));
    assert_non_null(r.s->dipole_e_nm);
    done(&r);
    tear_down(&b);
}

static void the_header_counts_the_frames_at_any_time(void **state)
{
    (void)state;
    Bench b;
    Watch w;

    set_up(&b);
    unlink(path_of("trajectory.dcd"));
    watch_open(&w, &b.place, &b.plan);
    for (int32_t k = 0; k < 30; k++) {
        AmphiFrame f;
        int64_t    n = 0;
        int32_t    count;

        make_frame(&b, k, &f);
        watch_see(&w, &f);
        char *const bytes = bytes_of_file(path_of("trajectory.dcd"), &n);
        memcpy(&count, bytes + 8, sizeof count);
        assert_int_equal(count, k / 5 + 1);
        free(bytes);
        if (k == 12)
            watch_save(&w);
    }
    watch_stop(&w);
    watch_resume(&w); /* behind three frames */
    AmphiFrame f;
    make_frame(&b, 15, &f);
    watch_see(&w, &f);
    Reading r = read_path("trajectory.dcd", &amphi_format_dcd, -1);
    assert_int_equal(r.s->step, 315);
    done(&r);
    watch_end(&w);
    tear_down(&b);
}

static void broken_and_continued_all_files_have_the_same_bytes(void **state)
{
    (void)state;
    Bench b;

    set_up(&b);
    const FrameSource source = { &b.system, 41, make_frame, &b };
    for (int is_xtc = 0; is_xtc < 2; is_xtc++) {
        const char *const files[] = { is_xtc ? "trajectory.xtc" : "trajectory.dcd",
                                      "topology.psf",
                                      "final.gro",
                                      "final.data",
                                      "view.vmd",
                                      "view.pml",
                                      NULL };
        char dir[96];

        snprintf(dir, sizeof dir, "%s", path_of(is_xtc ? "of-xtc" : "of-dcd"));
        assert_int_equal(mkdir(dir, 0777), 0);
        b.plan.is_xtc = is_xtc != 0;
        for (int32_t at = 0; at < 41; at += 13)
            for (int32_t lost = 0; lost <= at && lost < 30; lost += 6)
                assert_true(broken_is_the_same(&source, &b.place, &b.plan, dir, at, lost, files));
    }
    tear_down(&b);
}

static void a_frame_that_is_not_finite_is_refused(void **state)
{
    (void)state;
    Bench      b;
    Watch      w;
    AmphiFrame f;

    set_up(&b);
    for (int is_xtc = 0; is_xtc < 2; is_xtc++) {
        b.plan.is_xtc = is_xtc != 0;
        unlink(path_of("trajectory.dcd"));
        unlink(path_of("trajectory.xtc"));
        watch_open(&w, &b.place, &b.plan);
        make_frame(&b, 0, &f);
        b.position[7][1] = (double)NAN;
        assert_int_equal(amphi_observer_see(w.observer, &f, &w.err), AMPHI_BAD_INPUT);
        assert_non_null(strstr(w.err.text, "the position of bead"));
        make_frame(&b, 0, &f);
        watch_see(&w, &f);
        watch_end(&w);
    }
    tear_down(&b);
}

/* A ring has two ways round; beads without a bond hang on the first. */
static void rings_and_loose_beads_come_together(void **state)
{
    (void)state;
    static const char *const name[] = { "A", "B", "C", "D" };
    const AmphiBond         ring[] = { { 0, { 1, 2, 0 } }, { 0, { 0, 1, 0 } }, { 0, { 2, 0, 0 } } };
    const int32_t           types[4] = { TOY_TAIL, TOY_TAIL, TOY_TAIL, TOY_TAIL };
    const AmphiMoleculeType type     = { .name      = "ring",
                                         .kind      = "molecule",
                                         .n_beads   = 4,
                                         .n_bonds   = 3,
                                         .bead_type = types,
                                         .bead_name = name,
                                         .bond      = ring };
    const AmphiMolecule     molecule = { .type = 0 };
    const double x[4][3] = { { 0.1, 0.1, 0.1 }, { 2.9, 0, 0 }, { 2.8, 3.9, 0 }, { 0, 0, 4.9 } };
    double       to[4][3];
    Bench        b;
    AmphiWhole   whole;

    set_up(&b);
    b.system.molecule_type    = &type;
    b.system.n_molecule_types = 1;
    b.system.molecule         = &molecule;
    b.system.n_molecules      = 1;
    assert_true(amphi_whole_init(&whole, &b.system, b.arena));
    amphi_whole_molecule(&whole, 0, edge, x, to);
    const double expected[4][3] = {
        { 0.1, 0.1, 0.1 }, { -0.1, 0, 0 }, { -0.2, -0.1, 0 }, { 0, 0, -0.1 }
    };
    assert_true(are_near(to, expected, 12, 1e-12));
    tear_down(&b);
}

/* Through MDAnalysis, which has readers of its own: topology and frames fit, bonds are short
 * because molecules are whole, times are those of the run. */
static void another_program_reads_the_same(void **state)
{
    (void)state;
    static const char script[] =
        "python3 -W ignore -c 'import sys, MDAnalysis as m\n"
        "u = m.Universe(sys.argv[1] + \"/topology.psf\", sys.argv[1] + sys.argv[2])\n"
        "assert len(u.trajectory) == 8 and len(u.atoms) == 43 and len(u.bonds) == 36\n"
        "for f, ts in enumerate(u.trajectory):\n"
        "    assert max(abs(ts.dimensions[:3] - [30, 40, 50])) < 1e-4\n"
        "    assert abs(ts.time - (3 + 0.05 * f)) < 1e-4\n"
        "    assert u.bonds.values().max() < 18\n' ";
    char  command[sizeof script + 64];
    Bench b;

    if (system("python3 -c 'import MDAnalysis' 2>/dev/null") != 0) {
        SKIP("no MDAnalysis (Debian: python3-mdanalysis)");
    }
    set_up(&b);
    for (int is_xtc = 0; is_xtc < 2; is_xtc++) {
        b.plan.is_xtc = is_xtc != 0;
        watch_frames(&b, 38);
        snprintf(command, sizeof command, "%s%s /trajectory.%s", script, folder(),
                 is_xtc ? "xtc" : "dcd");
        assert_int_equal(system(command), 0);
    }
    tear_down(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_come_back_with_molecules_in_one_piece),
        cmocka_unit_test(late_frames_have_their_times),
        cmocka_unit_test(rare_frames_have_their_times),
        cmocka_unit_test(frames_of_xtc_come_back_with_molecules_in_one_piece),
        cmocka_unit_test(views_name_molecules_as_their_files_do),
        cmocka_unit_test(the_middle_of_a_molecule_lies_in_the_box),
        cmocka_unit_test(a_group_has_its_own_topology),
        cmocka_unit_test(the_topology_has_every_bond_and_charge),
        cmocka_unit_test(the_last_frame_is_kept_whether_or_not_it_is_due),
        cmocka_unit_test(the_header_counts_the_frames_at_any_time),
        cmocka_unit_test(broken_and_continued_all_files_have_the_same_bytes),
        cmocka_unit_test(a_frame_that_is_not_finite_is_refused),
        cmocka_unit_test(another_program_reads_the_same),
        cmocka_unit_test(rings_and_loose_beads_come_together),
    };

    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
