/* Area, thickness, order and profile of a bilayer made by hand, whose every number is known, while
 * it moves through the faces of a box that breathes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/stat.h>

#include "../property/draw.h"
#include "format_cases.h"
#include "hand_bench.h"

enum { UPPER = 5, LOWER = 4, LIPIDS = UPPER + LOWER, PER_LIPID = 13, WATERS = 60, FRAMES = 50 };
enum { FIRST_WATER = LIPIDS * PER_LIPID };

#define TILT 0.7 /* of the second tail from z, rad */

/* Heights of the beads in the upper leaflet: head, phosphate, glycerol, ester and tail, twice. */
static const double height[PER_LIPID] = { 1.9, 1.6, 1.3, 1.0, 0.8, 0.6, 0.4, 0.2, 1.0, 0, 0, 0, 0 };

static double breath(int32_t k)
{
    return 0.1 * sin(0.3 * k);
}

static void box_of(int32_t k, double box[3])
{
    box[0] = 3 + breath(k);
    box[1] = 3 - 0.5 * breath(k);
    box[2] = 7 - 2 * breath(k);
}

static void place_lipid(HandBench *b, int32_t m, double middle, double up, double lift)
{
    const double x = 0.61 * m, y = 0.37 * m * m;

    for (int32_t i = 0; i < PER_LIPID; i++) {
        const int32_t bond = i - 9; /* along the tilted tail */
        const double  z    = i < 9 ? height[i] : 0.9 - 0.2 * bond * cos(TILT);
        double *const to   = b->position[m * PER_LIPID + i];

        to[0] = x + (i < 9 ? 0 : 0.2 * bond * sin(TILT) * cos(m));
        to[1] = y + (i < 9 ? 0 : 0.2 * bond * sin(TILT) * sin(m));
        to[2] = middle + up * (z + (i == 1 ? lift : 0));
    }
}

static void make_frame(void *user, int32_t k, AmphiFrame *f)
{
    HandBench *const b      = user;
    const double     middle = 6.5 + 0.23 * k;
    uint64_t         seed   = (uint64_t)k;
    double           box[3];

    box_of(k, box);
    for (int32_t m = 0; m < LIPIDS; m++)
        place_lipid(b, m, middle, m < UPPER ? 1 : -1, breath(k));
    for (int32_t i = FIRST_WATER; i < b->system.n_beads; i++) {
        for (int a = 0; a < 2; a++)
            b->position[i][a] = draw(&seed, 0, box[a]);
        b->position[i][2] = middle + draw(&seed, 2.2, box[2] - 2.2);
        turn_about((const double[3]){ 1, 0, 0 }, 1, b->orientation[i]); /* dipole mu cos(1) */
    }
    hand_frame(b, k, box, f);
}

static void set_up(HandBench *b, FrameSource *source, const char *kind)
{
    const AmphiPortion portion[2] = { { TOY_DMPC, LIPIDS }, { TOY_WATER, WATERS } };
    double             box[3];

    box_of(0, box);
    hand_bench(b, kind, portion, 2, box, folder());
    *source = (FrameSource){ &b->system, FRAMES, make_frame, b };
}

static void watch(HandBench *b, const FrameSource *source)
{
    static const char *const files[] = { "area.tsv", "thickness.tsv", NULL };

    hand_watch(b, source, files);
}

/* Electrons at phosphates alone. */
static void mark_phosphates(HandBench *b)
{
    AmphiBeadType *const types =
        amphi_arena_grow(b->arena, b->system.type, TOY_TYPES, TOY_TYPES, sizeof *types);

    for (int t = 0; t < TOY_TYPES; t++)
        types[t].electrons = t == TOY_PHOS ? 47 : 0;
    b->system.type = types;
}

/* ---- area ---- */

static void the_area_is_that_of_the_box_over_the_larger_leaflet(void **state)
{
    (void)state;
    const char *const path = path_of("area.tsv");
    double            mean = 0;
    FrameSource       source;
    HandBench         b;

    set_up(&b, &source, "area");
    watch(&b, &source);
    assert_int_equal(table_lines(path), FRAMES);
    for (int32_t k = 0; k < FRAMES; k++) {
        double box[3];

        box_of(k, box);
        mean += box[0] * box[1] / UPPER / FRAMES;
        assert_true(
            is_near(table_value(path, "area_per_lipid_nm2", k), box[0] * box[1] / UPPER, 1e-10));
        assert_true(is_near(table_value(path, "volume_per_lipid_nm3", k),
                            (box[0] * box[1] * box[2] - 0.03 * WATERS) / LIPIDS, 1e-10));
    }
    assert_false(is_near(table_value(path, "area_per_lipid_nm2", 3), 9. / LOWER, 1e-3));
    assert_true(is_near(table_value(path_of("area-mean.tsv"), "mean", 0), mean, 1e-9));
    assert_true(table_value(path_of("area-mean.tsv"), "error", 0) > 0);
    hand_bench_end(&b);
}

/* Ten frames do not tell whether they are independent. */
static void rough_errors_are_told_in_the_heading(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *file, *note;
    } cases[] = { { "area", "area-mean.tsv",
                    "rough errors: area_per_lipid_nm2 box_area_nm2 volume_per_lipid_nm3: too" },
                  { "order", "order.tsv", "rough errors:" },
                  { "profile", "profile.tsv", "rough errors:" } };
    FrameSource source;
    HandBench   b;

    for (int k = 0; k < 3; k++) {
        set_up(&b, &source, cases[k].kind);
        b.plan.width_nm = 0.5;
        source.n_frames = 10;
        watch(&b, &source);
        const double n = table_note(path_of(cases[k].file), cases[k].note);

        assert_true(k == 0 || (n > 0 && n <= 10 * table_lines(path_of(cases[k].file))));
        hand_bench_end(&b);
    }
}

/* ---- thickness ---- */

static void the_thickness_is_the_distance_of_the_phosphates(void **state)
{
    (void)state;
    static const char *const names[] = { "phos" };
    const char *const        path    = path_of("thickness.tsv");
    FrameSource              source;
    HandBench                b;

    set_up(&b, &source, "thickness");
    b.plan.name    = names;
    b.plan.n_names = 1;
    watch(&b, &source);
    for (int32_t k = 0; k < FRAMES; k++)
        assert_true(is_near(table_value(path, "thickness_nm", k), 2 * (1.6 + breath(k)), 1e-10));
    assert_false(is_near(table_value(path, "thickness_nm", 3), 3.2, 1e-3));

    b.plan.n_names = 0; /* the heads: choline and phosphate */
    watch(&b, &source);
    for (int32_t k = 0; k < FRAMES; k++)
        assert_true(is_near(table_value(path, "thickness_nm", k), 1.9 + 1.6 + breath(k), 1e-10));
    /* five lipids above and four below: the middle lies a little above that of the heads */
    assert_true(table_value(path, "upper_nm", 0) < 1.75);
    assert_true(table_value(path, "lower_nm", 0) < -1.75);
    hand_bench_end(&b);
}

/* Of amines in the upper leaflet alone there is no thickness, and no nan either. */
static void of_beads_in_one_leaflet_there_is_no_thickness(void **state)
{
    (void)state;
    static const char *const names[] = { "ami" };
    const AmphiPortion       both[]  = { { TOY_DOPE, 1 }, { TOY_DMPC, 1 } };
    static const double      box[3]  = { 3, 3, 8 };
    HandBench                b;
    AmphiFrame               f;
    Watch                    w;

    hand_bench(&b, "thickness", both, 2, box, folder());
    unlink(path_of("thickness.tsv"));
    b.plan.name    = names;
    b.plan.n_names = 1;
    watch_open(&w, &b.place, &b.plan);
    for (int32_t k = 0; k < 5; k++) {
        for (int32_t i = 0; i < b.system.n_beads; i++)
            b.position[i][2] = b.system.bead_molecule[i] == 0 ? 6 - 0.1 * i : 2 + 0.1 * (i - 13);
        hand_frame(&b, k, box, &f);
        watch_see(&w, &f);
    }
    assert_string_equal(amphi_observer_remark(w.observer),
                        "thickness.tsv: not measured: no bead of the lower leaflet counts");
    watch_end(&w);
    assert_int_equal(access(path_of("thickness.tsv"), F_OK), -1);
    assert_int_not_equal(access(path_of("thickness-mean.tsv"), F_OK), 0);
    hand_bench_end(&b);
}

/* DMPC above and DOPE below, heads 2 nm from all other beads, which lie in one plane: a quarter of
 * the edge. Heads of 180 u and 132 u, other beads of 522 u and 606 u. */
static void uneven_frame(void *user, int32_t k, AmphiFrame *f)
{
    static const double box[3] = { 3, 3, 8 };
    HandBench *const    b      = user;

    for (int32_t i = 0; i < b->system.n_beads; i++) {
        const int32_t m = b->system.bead_molecule[i], at = i - b->system.molecule[m].first_bead;

        b->position[i][0] = b->position[i][1] = m;
        b->position[i][2]                     = 3.1 + k + (at > 1 ? 0 : m == 0 ? 2 : -2);
    }
    hand_frame(b, k, box, f);
}

static void check_uneven(int32_t first_without, double middle)
{
    const AmphiPortion portion[2] = { { TOY_DMPC, 1 }, { TOY_DOPE, 1 } };
    const char *const  path       = path_of("thickness.tsv");
    HandBench          b;

    hand_bench(&b, "thickness", portion, 2, (const double[3]){ 3, 3, 8 }, folder());
    const int32_t            n = b.system.n_molecule_types;
    AmphiMoleculeType *const types =
        amphi_arena_grow(b.arena, b.system.molecule_type, n, n, sizeof *types);
    b.system.molecule_type = types;
    for (int32_t m = first_without; m < 2; m++)
        types[b.system.molecule[m].type].n_tails = 0;
    const FrameSource source = { &b.system, 8, uneven_frame, &b };
    watch(&b, &source);
    for (int32_t k = 0; k < 8; k++) {
        assert_true(is_near(table_value(path, "thickness_nm", k), 4, 1e-9));
        assert_true(is_near(table_value(path, "upper_nm", k), 2 - middle, 1e-9));
        assert_true(is_near(table_value(path, "lower_nm", k), -2 - middle, 1e-9));
    }
    hand_bench_end(&b);
}

/* Of all beads where there is no tail, tan of its angle: (180 - 132)/(522 + 606) = 2/47. */
static void the_middle_is_that_of_tails_or_of_mass_where_there_is_none(void **state)
{
    (void)state;
    check_uneven(2, 0);
    check_uneven(1, 0);
    check_uneven(0, 8 / (2 * 3.14159265358979324) * atan(2. / 47));
}

/* No water: 3.8 nm from head to head, in 3.9 nm; the middle of mass is among the heads. */
static void dry_frame(void *user, int32_t k, AmphiFrame *f)
{
    HandBench *const b = user;

    for (int32_t m = 0; m < LIPIDS - 1; m++)
        place_lipid(b, m, 1.7 + 0.23 * k, m < UPPER - 1 ? 1 : -1, 0);
    hand_frame(b, k, (const double[3]){ 3, 3, 3.9 }, f);
}

static void watch_dry(const char *kind)
{
    static const char *const electrons[] = { "electrons" };
    const AmphiPortion       portion     = { TOY_DMPC, LIPIDS - 1 };
    HandBench                b;

    hand_bench(&b, kind, &portion, 1, (const double[3]){ 3, 3, 3.9 }, folder());
    const FrameSource source = { &b.system, FRAMES, dry_frame, &b };
    mark_phosphates(&b);
    b.plan.width_nm = 0.1;
    b.plan.name     = electrons;
    b.plan.n_names  = strcmp(kind, "profile") == 0;
    watch(&b, &source);
    hand_bench_end(&b);
}

static void a_membrane_that_fills_its_box_is_not_inside_out(void **state)
{
    (void)state;
    const char *path = path_of("thickness.tsv");

    watch_dry("thickness");
    for (int32_t k = 0; k < FRAMES; k++)
        assert_true(is_near(table_value(path, "thickness_nm", k), 1.9 + 1.6, 1e-9) &&
                    is_near(table_value(path, "upper_nm", k), 1.75, 1e-9));
    watch_dry("profile");
    path = path_of("profile.tsv");
    for (int32_t line = table_lines(path) - 1; line >= 0; line--) {
        const double z = fabs(table_value(path, "z_nm", line));

        assert_true(table_value(path, "electrons_nm3", line) < 1e-9 || (z > 1.5 && z < 1.7));
    }
}

/* Heads that face each other over 2 nm of nothing, tails that lie 5 nm apart: no membrane. */
static void heads_that_face_each_other_are_told_of(void **state)
{
    (void)state;
    const AmphiPortion  portion = { TOY_DMPC, 2 };
    static const double box[3]  = { 3, 3, 14 };
    HandBench           b;
    AmphiFrame          f;
    Watch               w;

    hand_bench(&b, "thickness", &portion, 1, box, folder());
    unlink(path_of("thickness.tsv"));
    watch_open(&w, &b.place, &b.plan);
    place_lipid(&b, 0, 4, 1, 0);
    place_lipid(&b, 1, 10, -1, 0);
    hand_frame(&b, 0, box, &f);
    watch_see(&w, &f);
    assert_string_equal(amphi_observer_remark(w.observer),
                        "thickness.tsv: negative at step 0: the upper leaflet is below the lower "
                        "one; this is no flat membrane across z");
    watch_end(&w);
    hand_bench_end(&b);
}

/* ---- order ---- */

static void order_tells_straight_from_tilted_tails(void **state)
{
    (void)state;
    const char *const path   = path_of("order.tsv");
    const double      tilted = 1.5 * cos(TILT) * cos(TILT) - 0.5;
    FrameSource       source;
    HandBench         b;

    set_up(&b, &source, "order");
    watch(&b, &source);
    assert_int_equal(table_lines(path), 7);
    for (int32_t line = 0; line < 3; line++) {
        assert_true(is_near(table_value(path, "order", line), 1, 1e-10));
        assert_true(is_near(table_value(path, "order", 3 + line), tilted, 1e-10));
    }
    assert_true(is_near(table_value(path, "order", 6), 0.5 * (1 + tilted), 1e-10));
    assert_true(table_value(path, "error", 6) < 1e-9);

    static const char *const second[] = { "2" };
    b.plan.name                       = second;
    b.plan.n_names                    = 1;
    watch(&b, &source);
    assert_int_equal(table_lines(path), 4);
    assert_true(is_near(table_value(path, "order", 3), tilted, 1e-10));
    hand_bench_end(&b);
}

/* Three DMPC whose beads go up, and two DOPC whose beads go up at an angle. */
static void mixed_frame(void *user, int32_t k, AmphiFrame *f)
{
    static const double box[3] = { 3, 3, 7 };
    HandBench *const    b      = user;

    for (int32_t i = 0; i < b->system.n_beads; i++) {
        const int32_t m = b->system.bead_molecule[i], at = i - b->system.molecule[m].first_bead;
        const double  tilt = m < 3 ? 0 : TILT;

        b->position[i][0] = m + 0.2 * at * sin(tilt);
        b->position[i][1] = 0;
        b->position[i][2] = 5 + 0.2 * at * cos(tilt);
    }
    hand_frame(b, k, box, f);
}

/* Tails of 3 bonds in DMPC and of 4 in DOPC, two in each. */
static void order_of_a_mixture_is_that_of_each_lipid_alone(void **state)
{
    (void)state;
    const AmphiPortion portion[2] = { { TOY_DMPC, 3 }, { TOY_DOPC, 2 } };
    const char *const  path       = path_of("order.tsv");
    const double       tilted     = 1.5 * cos(TILT) * cos(TILT) - 0.5;
    HandBench          b;

    hand_bench(&b, "order", portion, 2, (const double[3]){ 3, 3, 7 }, folder());
    const FrameSource source = { &b.system, 10, mixed_frame, &b };
    watch(&b, &source);
    assert_int_equal(table_lines(path), 6 + 8 + 1);
    for (int32_t line = 0; line < 14; line++)
        assert_true(is_near(table_value(path, "order", line), line < 6 ? 1 : tilted, 1e-9));
    assert_true(is_near(table_value(path, "order", 14), (18 + 16 * tilted) / 34, 1e-9));
    hand_bench_end(&b);
}

/* ---- profile ---- */

static const char *const all_names[] = { "mass", "number", "charge", "electrons", "dipole" };

/* Sum over slabs times the mean volume of a slab: the total, when the box does not breathe. */
static double total_of(const char *column, double slab_nm3)
{
    const char *const path = path_of("profile.tsv");
    double            sum  = 0;

    for (int32_t line = table_lines(path) - 1; line >= 0; line--)
        sum += table_value(path, column, line) * slab_nm3;
    return sum;
}

static void still_frame(void *user, int32_t k, AmphiFrame *f)
{
    HandBench *const b      = user;
    const double     box[3] = { 3, 3, 7 };

    make_frame(user, k, f);
    hand_frame(b, k, box, f);
}

static void a_profile_has_all_of_the_mass_and_charge(void **state)
{
    (void)state;
    const double slab = 3 * 3 * 0.1;
    double       mass = 0, charge = 0;
    FrameSource  source;
    HandBench    b;

    set_up(&b, &source, "profile");
    mark_phosphates(&b);
    source.make     = still_frame;
    b.plan.name     = all_names;
    b.plan.n_names  = 5;
    b.plan.width_nm = 0.1;
    b.charge[0]     = 2;
    watch(&b, &source);
    for (int32_t i = 0; i < b.system.n_beads; i++) {
        mass += b.system.type[b.system.bead_type[i]].mass_u;
        charge += b.charge[i];
    }
    assert_true(is_near(total_of("number_nm3", slab), b.system.n_beads, 1e-6));
    assert_true(is_near(total_of("mass_g_cm3", slab) / 0.00166053906660, mass, 1e-5 * mass));
    assert_true(is_near(total_of("charge_e_nm3", slab), charge, 1e-6));
    assert_true(is_near(total_of("electrons_nm3", slab), 47 * LIPIDS, 1e-5));
    assert_true(is_near(total_of("dipole_e_nm2", slab),
                        WATERS * 0.0541305 * cos(1) + LIPIDS * (0.0333111 + 2 * 0.0416389), 1e-6));
    hand_bench_end(&b);
}

/* The lipids are the middle, so phosphates stay in their slabs (1.5 to 1.7 nm, as they lift by
 * 0.1), whatever the membrane does; nothing but water is beyond 2 nm. */
static void slabs_are_counted_from_the_middle_of_the_lipids(void **state)
{
    (void)state;
    static const char *const name[] = { "electrons" };
    const char *const        path   = path_of("profile.tsv");
    double                   inside = 0, outside = 0;
    FrameSource              source;
    HandBench                b;

    set_up(&b, &source, "profile");
    mark_phosphates(&b);
    b.plan.name     = name;
    b.plan.n_names  = 1;
    b.plan.width_nm = 0.1;
    watch(&b, &source);
    for (int32_t line = table_lines(path) - 1; line >= 0; line--) {
        const double z       = fabs(table_value(path, "z_nm", line));
        const double density = table_value(path, "electrons_nm3", line);

        /* the middle of mass is off by up to 0.2 nm, see above */
        *(z > 1.2 && z < 2 ? &inside : &outside) += density;
    }
    assert_true(inside > 0);
    assert_true(is_near(outside, 0, 0));
    hand_bench_end(&b);
}

/* Water everywhere in a box whose edge changes by a seventh: flat, out to the outermost slab. */
static void gas_frame(void *user, int32_t k, AmphiFrame *f)
{
    HandBench *const b      = user;
    const double     box[3] = { 2, 2, k % 2 == 0 ? 6.05 : 7.05 };
    uint64_t         seed   = (uint64_t)k;

    for (int32_t i = 0; i < b->system.n_beads; i++)
        for (int a = 0; a < 3; a++)
            b->position[i][a] = draw(&seed, 0, box[a]);
    hand_frame(b, k, box, f);
}

static void a_gas_in_a_breathing_box_has_a_flat_profile(void **state)
{
    (void)state;
    static const char *const name[]  = { "number" };
    const AmphiPortion       portion = { TOY_WATER, 400 };
    const double             box[3]  = { 2, 2, 6.05 };
    const char *const        path    = path_of("profile.tsv");
    double                   chi2    = 0;
    HandBench                b;

    hand_bench(&b, "profile", &portion, 1, box, folder());
    const FrameSource source = { &b.system, 200, gas_frame, &b };
    b.plan.name              = name;
    b.plan.n_names           = 1;
    b.plan.width_nm          = 0.5;
    watch(&b, &source);
    const int32_t n = table_lines(path);
    assert_int_equal(n, 16); /* half of 7.05 reaches into the eighth slab */
    for (int32_t line = 0; line < n; line++) {
        const double z        = fabs(table_value(path, "z_nm", line));
        const double in_small = 400 / (4 * 6.05), in_large = 400 / (4 * 7.05);
        /* slabs that a box covers with c nm: number over covered volume */
        const double small    = z < 3 ? 0.5 : z < 3.5 ? 0.025 : 0;
        const double large    = z < 3.5 ? 0.5 : 0.025;
        const double expected = (in_small * small + in_large * large) / (small + large);
        const double error    = table_value(path, "number_error", line);
        const double off      = (table_value(path, "number_nm3", line) - expected) / error;

        chi2 += off * off;
    }
    assert_true(chi2 > 2 && chi2 < 60); /* 16 values: 99.99 % lie between */
    hand_bench_end(&b);
}

/* ---- all ---- */

static void broken_and_continued_all_tables_have_the_same_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *files[3];
    } cases[] = { { "area", { "area.tsv", "area-mean.tsv", NULL } },
                  { "thickness", { "thickness.tsv", "thickness-mean.tsv", NULL } },
                  { "order", { "order.tsv", NULL } },
                  { "profile", { "profile.tsv", NULL } } };
    FrameSource source;
    HandBench   b;

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int32_t at = 3; at < FRAMES; at += 15) {
            set_up(&b, &source, cases[k].kind);
            if (strcmp(cases[k].kind, "profile") == 0) {
                b.plan.width_nm = 0.1;
                b.plan.name     = all_names;
                b.plan.n_names  = 5;
            }
            assert_true(broken_is_the_same(&source, &b.place, &b.plan, folder(), at, at / 3,
                                           cases[k].files));
            hand_bench_end(&b);
        }
}

static void no_memory_is_an_answer(void **state)
{
    (void)state;
    static const char *const kinds[] = { "area", "thickness", "order", "profile", "diffusion" };
    FrameSource              source;
    HandBench                b;

    for (size_t c = 0; c < sizeof kinds / sizeof *kinds; c++) {
        AmphiStatus status = AMPHI_NO_MEMORY;

        set_up(&b, &source, kinds[c]);
        b.plan.width_nm = 0.1;
        unlink(path_of("area.tsv"));
        unlink(path_of("thickness.tsv"));
        b.place.files = amphi_outfiles_new(folder());
        for (int64_t n = 1; status != AMPHI_OK; n++) {
            AmphiObserver *o   = NULL;
            AmphiError     err = { 0 };

            assert_true(n < 100);
            amphi_arena_fail_at(n);
            status =
                amphi_observer_open(amphi_observer_kind(kinds[c]), &b.place, &b.plan, &o, &err);
            amphi_arena_fail_at(0);
            assert_true(status == AMPHI_OK || (status == AMPHI_NO_MEMORY && o == NULL));
            amphi_observer_close(o);
        }
        amphi_outfiles_free(b.place.files);
        hand_bench_end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_area_is_that_of_the_box_over_the_larger_leaflet),
        cmocka_unit_test(rough_errors_are_told_in_the_heading),
        cmocka_unit_test(the_thickness_is_the_distance_of_the_phosphates),
        cmocka_unit_test(of_beads_in_one_leaflet_there_is_no_thickness),
        cmocka_unit_test(the_middle_is_that_of_tails_or_of_mass_where_there_is_none),
        cmocka_unit_test(a_membrane_that_fills_its_box_is_not_inside_out),
        cmocka_unit_test(heads_that_face_each_other_are_told_of),
        cmocka_unit_test(order_tells_straight_from_tilted_tails),
        cmocka_unit_test(order_of_a_mixture_is_that_of_each_lipid_alone),
        cmocka_unit_test(a_profile_has_all_of_the_mass_and_charge),
        cmocka_unit_test(slabs_are_counted_from_the_middle_of_the_lipids),
        cmocka_unit_test(a_gas_in_a_breathing_box_has_a_flat_profile),
        cmocka_unit_test(broken_and_continued_all_tables_have_the_same_bytes),
        cmocka_unit_test(no_memory_is_an_answer),
    };

    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
