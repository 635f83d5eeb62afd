/* Waves of a bilayer made by hand: one wave of known height, of both leaflets alike or opposite;
 * and waves drawn as a membrane of known bending modulus has them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/stat.h>

#include "../property/draw.h"
#include "format_cases.h"
#include "hand_bench.h"

enum { EDGE = 12, LIPIDS = 2 * EDGE * EDGE, PER_LIPID = 13, FRAMES = 400 };
enum { WAVE_X = 2, WAVE_Y = 3, MOST = 4 };

#define TWO_PI  6.283185307179586
#define MODULUS 17.0 /* kT */

static const char *const no_old[] = { NULL };

/* Heights of one leaflet over the plane. */
typedef double Heights(const void *about, int32_t frame, int leaflet, const double share[2]);

typedef struct {
    HandBench   bench;
    Heights    *height;
    const void *about;
    double      box[3];
} Sheet;

static void box_of(const Sheet *sheet, int32_t k, double box[3])
{
    const double breath = 1 + 0.02 * sin(0.7 * k);

    box[0] = sheet->box[0] * breath;
    box[1] = sheet->box[1] * breath;
    box[2] = sheet->box[2] / (breath * breath);
}

/* Heads on a square lattice, the lipid below its head; the sheet moves through the faces. */
static void make_frame(void *user, int32_t k, AmphiFrame *f)
{
    Sheet *const sheet = user;
    double       box[3];

    box_of(sheet, k, box);
    for (int32_t m = 0; m < LIPIDS; m++) {
        const int     leaflet  = m >= LIPIDS / 2;
        const int32_t place    = m % (LIPIDS / 2);
        const double  share[2] = { (place % EDGE + 0.1 * k) / EDGE, (double)(place / EDGE) / EDGE };
        const double  up       = leaflet == 0 ? 1 : -1;
        const double  z        = up * 1.6 + sheet->height(sheet->about, k, leaflet, share);

        for (int32_t i = 0; i < PER_LIPID; i++) {
            double *const to = sheet->bench.position[m * PER_LIPID + i];

            to[0] = share[0] * box[0];
            to[1] = share[1] * box[1];
            to[2] = 0.31 * k + z - up * 0.12 * (i - 1); /* bead 1 is the head */
        }
    }
    hand_frame(&sheet->bench, k, box, f);
}

static FrameSource set_up(Sheet *sheet, Heights *height, const void *about, int32_t n)
{
    const AmphiPortion portion = { TOY_DMPC, LIPIDS };
    const double       box[3]  = { 14, 15, 9 };

    memcpy(sheet->box, box, sizeof box);
    sheet->height = height;
    sheet->about  = about;
    hand_bench(&sheet->bench, "undulations", &portion, 1, box, folder());
    return (FrameSource){ &sheet->bench.system, n, make_frame, sheet };
}

/* ---- one wave ---- */

static double one_wave(const void *about, int32_t frame, int leaflet, const double share[2])
{
    const double opposite = *(const double *)about;

    return 0.2 * (leaflet == 0 ? 1 : opposite) *
           cos(TWO_PI * (WAVE_X * share[0] - WAVE_Y * share[1]) + 0.3 * frame);
}

/* Of a wave a cos(q r) the part exp(-i q r) is a/2: A a^2/4, in one of the two directions. */
static void check_one_wave(double opposite, const char *has, const char *has_not)
{
    const char *const path   = path_of("undulations.tsv");
    double            area   = 0;
    Sheet             sheet  = { .height = NULL };
    const FrameSource source = set_up(&sheet, one_wave, &opposite, 20);

    hand_watch(&sheet.bench, &source, no_old);
    for (int32_t k = 0; k < 20; k++) {
        double box[3];

        box_of(&sheet, k, box);
        area += box[0] * box[1] / 20;
    }
    for (int32_t k = 0; k < table_lines(path); k++) {
        const bool is_it =
            table_value(path, "n_x", k) == WAVE_X && table_value(path, "n_y", k) == WAVE_Y;
        const double expected = is_it ? area * 0.2 * 0.2 / 8 : 0;

        assert_true(is_near(table_value(path, has, k), expected, 1e-5));
        assert_true(is_near(table_value(path, has_not, k), 0, 1e-5));
    }
    hand_bench_end(&sheet.bench);
}

static void a_wave_of_both_leaflets_is_an_undulation(void **state)
{
    (void)state;
    check_one_wave(1, "undulation_nm4", "thickness_nm4");
}

static void a_wave_of_opposite_leaflets_is_one_of_the_thickness(void **state)
{
    (void)state;
    check_one_wave(-1, "thickness_nm4", "undulation_nm4");
}

/* ---- a membrane ---- */

static double draw_normal(uint64_t *seed)
{
    const double r = sqrt(-2 * log(draw(seed, 1e-12, 1)));

    return r * cos(draw(seed, 0, TWO_PI));
}

/* The waves of a frame with kT/kappa, each way drawn with the variance of its q in this box. */
static double drawn_waves(const void *about, int32_t frame, int leaflet, const double share[2])
{
    const Sheet *const sheet = about;
    uint64_t           seed  = (uint64_t)frame + 77;
    double             box[3], z = 0;

    (void)leaflet;
    box_of(sheet, frame, box);
    for (int x = 0; x <= MOST; x++)
        for (int y = -MOST; y <= MOST; y++) {
            const double q      = TWO_PI * hypot(x / box[0], y / box[1]);
            const double spread = sqrt(1 / (2 * MODULUS * pow(q, 4) * box[0] * box[1]));
            const double phase  = TWO_PI * (x * share[0] + y * share[1]);

            if (x == 0 && y <= 0) /* the same wave as y, or none */
                continue;
            z += 2 * spread * (draw_normal(&seed) * cos(phase) + draw_normal(&seed) * sin(phase));
        }
    return z;
}

static void a_membrane_of_known_stiffness_shows_it(void **state)
{
    (void)state;
    const char *const path   = path_of("undulations.tsv");
    double            chi2   = 0;
    int               n      = 0;
    Sheet             sheet  = { .height = NULL };
    const FrameSource source = set_up(&sheet, drawn_waves, &sheet, FRAMES);

    hand_watch(&sheet.bench, &source, no_old);
    for (int32_t k = 0; k < table_lines(path); k++) {
        const double x = table_value(path, "n_x", k), y = table_value(path, "n_y", k);
        const double error = table_value(path, "modulus_error", k);
        const double off   = (table_value(path, "modulus_kT", k) - MODULUS) / error;

        if (x > MOST || y > MOST)
            continue;
        assert_true(error > 0 && error < 0.15 * MODULUS); /* 1/sqrt(400) of an exponential */
        chi2 += off * off;
        n++;
    }
    assert_true(n == (MOST + 1) * (MOST + 1) - 1);
    assert_true(chi2 > 0.4 * n && chi2 < 2 * n);
    /* below 1/nm: (1 0), (0 1), (1 1) both ways, (2 0), (0 2), (2 1), (1 2), both ways */
    const double all = table_note(path, "bending modulus, of waves longer than 6.28 nm:");
    assert_true(is_near(all, MODULUS, 4 * MODULUS / sqrt(8 * FRAMES)));
    hand_bench_end(&sheet.bench);
}

static void broken_off_and_continued_it_writes_the_same_bytes(void **state)
{
    (void)state;
    static const char *const files[] = { "undulations.tsv", NULL };
    Sheet                    sheet   = { .height = NULL };
    const FrameSource        source  = set_up(&sheet, drawn_waves, &sheet, 40);

    assert_true(
        broken_is_the_same(&source, &sheet.bench.place, &sheet.bench.plan, folder(), 23, 6, files));
    hand_bench_end(&sheet.bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wave_of_both_leaflets_is_an_undulation),
        cmocka_unit_test(a_wave_of_opposite_leaflets_is_one_of_the_thickness),
        cmocka_unit_test(a_membrane_of_known_stiffness_shows_it),
        cmocka_unit_test(broken_off_and_continued_it_writes_the_same_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
