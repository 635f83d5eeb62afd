/* The string of bits of an XTC frame: known bits, round trips of many kinds of positions, its
 * length, and the eye of another program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "skipping.h"
#include "xtc_cases.h"

static void positions_come_back_to_half_a_thousandth(void **state)
{
    (void)state;
    static const int32_t counts[] = { 1, 2, 3, 8, 9, 10, 11, 12, 33, 1000, 20000 };

    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        Bench b;
        set_up(&b, counts[c]);
        for (int kind = 0; kind < KINDS; kind++) {
            /* nine beads or fewer are floats: 2e6 nm to 0.13 nm */
            const bool   is_far    = kind == FAR_APART || kind == NEGATIVE;
            const double tolerance = counts[c] > 9 ? 0.0005 + 1e-9 : is_far ? 0.13 : 1e-6;

            make_positions((Kind)kind, counts[c], (uint64_t)(17 * kind) + c, b.x);
            put(&b, 1, 2);
            assert_true(comes_back(&b, b.writer.bytes, b.writer.n_bytes));
            assert_true(are_near(b.x, b.back, 3 * counts[c], tolerance));
        }
        tear_down(&b);
    }
}

/* Molecules whose beads are near each other take less; 12 bytes a bead is what floats take. */
static void near_beads_take_few_bytes(void **state)
{
    (void)state;
    static const double most[KINDS] = { 5.3, 4.2, 4.7, 0.3, 12.2, 9.2 };
    enum { N = 20000 };
    Bench b;

    set_up(&b, N);
    for (int kind = 0; kind < KINDS; kind++) {
        make_positions((Kind)kind, N, 5, b.x);
        put(&b, 1, 2);
        assert_true((double)b.writer.n_bytes < most[kind] * N);
    }
    tear_down(&b);
}

/* ---- known bytes ---- */

/* "0001 1 ..." behind a head for n beads whose numbers go from low to high, and its length. */
static int64_t frame_of_bits(unsigned char *bytes, int32_t n, const int32_t low[3],
                             const int32_t high[3], int32_t small, const char *text)
{
    int64_t n_bits = 0;

    memset(bytes, 0, 400);
    put_be(bytes, 1995);
    put_be(bytes + 4, (uint32_t)n);
    put_be(bytes + 8, 700);
    put_be(bytes + 12, 0x41200000); /* 10 */
    put_be(bytes + 16, 0x41400000); /* 12 */
    put_be(bytes + 32, 0x41480000); /* 12.5 */
    put_be(bytes + 48, 0x41540000); /* 13.25 */
    put_be(bytes + 52, (uint32_t)n);
    put_be(bytes + 56, 0x447A0000); /* 1000 */
    for (int k = 0; k < 3; k++) {
        put_be(bytes + 60 + 4 * k, (uint32_t)low[k]);
        put_be(bytes + 72 + 4 * k, (uint32_t)high[k]);
    }
    put_be(bytes + 84, (uint32_t)small);
    for (; *text != '\0'; text++)
        if (*text != ' ') {
            bytes[92 + n_bits / 8] =
                (unsigned char)(bytes[92 + n_bits / 8] | (*text == '1') << (7 - n_bits % 8));
            n_bits++;
        }
    put_be(bytes + 88, (uint32_t)((n_bits + 7) / 8));
    return 92 + ((n_bits + 7) / 8 + 3) / 4 * 4;
}

/* Ten beads in a row, 0.001 nm apart. */
static void make_row(Bench *b)
{
    set_up(b, 10);
    for (int32_t i = 0; i < 10; i++) {
        b->x[i][0] = 0.001 * (i - 4);
        b->x[i][1] = 0.012;
        b->x[i][2] = 0.013;
    }
}

static bool is_row(const Bench *b, const int32_t low[3], const int32_t high[3], const char *text)
{
    unsigned char bytes[400];
    const int64_t n = frame_of_bits(bytes, 10, low, high, 9, text);

    return comes_back(b, bytes, n) && are_near(b->x, b->back, 30, 1e-12);
}

/* Among 10 x 3 x 2 numbers a whole bead is (3 x + y) 2 + z in 6 bits, as their product is 60. A
 * small one is (8 x + y) 8 + z in 9 bits, the lowest byte first, each 4 where nothing differs; of
 * the next size it is (10 x + y) 10 + z in 10 bits, each 5. */
static void known_bits_are_read(void **state)
{
    (void)state;
    static const int32_t low[3] = { -4, 11, 13 }, high[3] = { 5, 13, 14 };
    static const char    plain[] = "000010 0 001000 0 001110 0 010100 0 011010 0 "
                                   "100000 0 100110 0 101100 0 110010 0 111000 0";
    static const char    runs[]  = "001000 1 11001" /* bead 1; a run of eight */
                               "11100100 0"         /* bead 0 from bead 1: 3 4 4 = 228 */
                               "10100100 1"         /* bead 2 from bead 0: 6 4 4 = 420 */
                               "01100100 1 01100100 1 01100100 1" /* 5 4 4 = 356 */
                               "01100100 1 01100100 1 01100100 1"
                               "111000 1 00001";               /* bead 9; no run */
    static const char changes[] = "001000 1 00101 11100100 0"  /* then the next size */
                                  "010100 1 00011 11000111 01" /* 4 5 5 = 455; then the first */
                                  "100000 0 11100100 0"        /* a run of one as before */
                                  "101100 0 11100100 0 111000 0 11100100 0";
    Bench b;

    make_row(&b);
    assert_true(is_row(&b, low, high, plain));
    assert_true(is_row(&b, low, high, runs));
    assert_true(is_row(&b, low, high, changes));
    b.x[2][0] += 0.001;
    assert_false(is_row(&b, low, high, runs));
    tear_down(&b);
}

/* Where an axis has more than 24 bits of numbers, each of them stands alone. */
static void known_bits_of_large_ranges_are_read(void **state)
{
    (void)state;
    static const int32_t low[3] = { -4, 11, 13 }, high[3] = { -4 + 0xFFFFFF, 13, 14 };
    char                 text[400] = "";
    Bench                b;

    make_row(&b);
    for (int32_t i = 0; i < 10; i++) {
        for (int bit = 24; bit >= 0; bit--)
            strcat(text, i >> bit & 1 ? "1" : "0");
        strcat(text, "01 00 0");
    }
    assert_true(is_row(&b, low, high, text));
    tear_down(&b);
}

static void known_bytes_are_written(void **state)
{
    (void)state;
    static const int32_t low[3] = { -4, 12, 13 }, high[3] = { 5, 12, 13 };
    unsigned char        bytes[400];
    Bench                b;
    const int64_t        n = frame_of_bits(bytes, 10, low, high, 9,
                                           "0000 0 0001 0 0010 0 0011 0 0100 0 "
                                                  "0101 0 0110 0 0111 0 1000 0 1001 0");

    make_row(&b);
    put(&b, 700, 10);
    assert_int_equal(b.writer.n_bytes, n);
    assert_memory_equal(b.writer.bytes, bytes, (size_t)n);
    tear_down(&b);
}

/* ---- another program ---- */

static const struct {
    Kind    kind;
    int32_t n;
} cases[] = { { UNIFORM, 1 },      { TRIPLES, 9 },     { UNIFORM, 10 },    { CHAINS, 10 },
              { TRIPLES, 33 },     { UNIFORM, 1000 },  { CHAINS, 1000 },   { ONE_POINT, 1000 },
              { FAR_APART, 1000 }, { NEGATIVE, 1000 }, { UNIFORM, 20000 }, { TRIPLES, 20000 },
              { CHAINS, 20000 } };

enum { CASES = sizeof cases / sizeof *cases };

static const char *path_of_case(const char *front, int k)
{
    char name[32];

    snprintf(name, sizeof name, "%s-%d", front, k);
    return path_of(name);
}

static void write_case(int k)
{
    FILE *const numbers = fopen(path_of_case("x", k), "wb");
    FILE *const ours    = fopen(path_of_case("ours", k), "wb");
    Bench       b;

    set_up(&b, cases[k].n);
    make_positions(cases[k].kind, cases[k].n, 11, b.x);
    assert_true(numbers != NULL && ours != NULL);
    assert_int_equal(fwrite(b.x, sizeof *b.x, (size_t)cases[k].n, numbers), cases[k].n);
    assert_int_equal(fclose(numbers), 0);
    for (int64_t step = 7; step < 9; step++) {
        put(&b, step, 0.5 * (double)step);
        fwrite(b.writer.bytes, 1, (size_t)b.writer.n_bytes, ours);
    }
    assert_int_equal(fclose(ours), 0);
    tear_down(&b);
}

/* What it wrote of the same positions, which are floats there: read by us, and not shorter. */
static void check_case(int k)
{
    const int32_t     n     = cases[k].n;
    AmphiNotes *const notes = amphi_notes_new();
    AmphiXtcReader    ours, theirs;
    double            box[3];
    Bench             b;

    set_up(&b, n);
    make_positions(cases[k].kind, n, 11, b.x);
    assert_true(
        amphi_xtc_open(&ours, path_of_case("ours", k), b.arena, (AmphiWhere){ NULL, 0 }, notes));
    assert_true(amphi_xtc_open(&theirs, path_of_case("theirs", k), b.arena, (AmphiWhere){ NULL, 0 },
                               notes));
    assert_true(theirs.n_frames == 2 && theirs.n_cut == 0 && theirs.frame[1].step == 8);
    assert_true(amphi_xtc_read(&theirs, 1, box, b.back, notes));
    assert_true(are_near(box, edges, 3, 1e-6));
    for (int32_t i = 0; i < n; i++)
        for (int a = 0; a < 3; a++)
            assert_true(fabs(b.back[i][a] - b.x[i][a]) <= 0.00051 + 3e-7 * fabs(b.x[i][a]));
    print_message("%d beads: %lld bytes a frame, there %lld\n", (int)n,
                  (long long)ours.frame[1].n_bytes, (long long)theirs.frame[1].n_bytes);
    assert_true(ours.frame[1].n_bytes <= theirs.frame[1].n_bytes);
    amphi_xtc_close(&ours);
    amphi_xtc_close(&theirs);
    amphi_notes_free(notes);
    tear_down(&b);
}

static void another_program_reads_and_writes_the_same(void **state)
{
    (void)state;
    static const char script[] =
        "python3 -W ignore -c 'import sys, numpy as np\n"
        "from MDAnalysis.lib.formats.libmdaxdr import XTCFile\n"
        "box = np.diag([12, 12.5, 13.25])\n"
        "for k in range(int(sys.argv[2])):\n"
        "    x, ours, theirs = (f\"{sys.argv[1]}/{s}-{k}\" for s in (\"x\", \"ours\", "
        "\"theirs\"))\n"
        "    x = np.fromfile(x).reshape(-1, 3)\n"
        "    with XTCFile(ours) as f:\n"
        "        frames = [frame for frame in f]\n"
        "    assert len(frames) == 2 and [f.step for f in frames] == [7, 8]\n"
        "    for f in frames:\n"
        "        assert f.x.shape == x.shape and abs(f.time - 0.5 * f.step) < 1e-6\n"
        "        assert abs(f.box - box).max() < 1e-6\n"
        "        assert (abs(f.x - x) <= 0.0005 + 3e-7 * abs(x)).all()\n"
        "    with XTCFile(theirs, \"w\") as f:\n"
        "        for step in 7, 8:\n"
        "            f.write(x, box, step, 0.5 * step, 1000)\n' ";
    char command[sizeof script + 64];

    if (system("python3 -c 'import MDAnalysis' 2>/dev/null") != 0) {
        SKIP("no MDAnalysis (Debian: python3-mdanalysis)");
    }
    for (int k = 0; k < CASES; k++)
        write_case(k);
    snprintf(command, sizeof command, "%s%s %d", script, folder(), (int)CASES);
    assert_int_equal(system(command), 0);
    for (int k = 0; k < CASES; k++)
        check_case(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_come_back_to_half_a_thousandth),
        cmocka_unit_test(near_beads_take_few_bytes),
        cmocka_unit_test(known_bits_are_read),
        cmocka_unit_test(known_bits_of_large_ranges_are_read),
        cmocka_unit_test(known_bytes_are_written),
        cmocka_unit_test(another_program_reads_and_writes_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
