/* Strings of bits with the coordinates of XTC frames: reading any, writing short ones. */
#include "xtc_code.h"

#include <stddef.h>

/* A product of three sizes has up to 73 bits. */
__extension__ typedef unsigned __int128 Wide;

enum {
    SMALLEST_INDEX = 9, /* of a small size */
    LARGEST_INDEX  = 72,
    MOST_RUN       = 8,
    FLAG_BITS      = 1,
    RUN_BITS       = 5,
    ROWS           = 16 /* more than a group has beads; a power of two */
};

/* Small sizes by index k: three numbers below size[k] fit into k bits. */
static const int32_t size[LARGEST_INDEX + 1] = {
    0,        0,        0,       0,       0,       0,       0,       0,       0,       8,
    10,       12,       16,      20,      25,      32,      40,      50,      64,      80,
    101,      128,      161,     203,     256,     322,     406,     512,     645,     812,
    1024,     1290,     1625,    2048,    2580,    3250,    4096,    5060,    6501,    8192,
    10321,    13003,    16384,   20642,   26007,   32768,   41285,   52015,   65536,   82570,
    104031,   131072,   165140,  208063,  262144,  330280,  416127,  524287,  660561,  832255,
    1048576,  1321122,  1664510, 2097152, 2642245, 3329021, 4194304, 5284491, 6658042, 8388607,
    10568983, 13316085, 16777216
};

/* How a whole bead is written. */
typedef struct {
    uint32_t size[3]; /* numbers that each axis may have */
    int      bits;    /* of the three together; 0: each axis apart */
    int      axis_bits[3];
} Whole;

static int bit_length(Wide value)
{
    int n = 0;

    for (; value != 0; value >>= 1)
        n++;
    return n;
}

/* False when the range is none. */
static bool whole_of(const XtcRange *range, Whole *w)
{
    bool is_large = false;

    for (int k = 0; k < 3; k++) {
        const int64_t n = (int64_t)range->high[k] - range->low[k] + 1;
        if (n < 1 || n > UINT32_MAX)
            return false;
        w->size[k]      = (uint32_t)n;
        w->axis_bits[k] = bit_length(w->size[k]);
        is_large |= n > 0xFFFFFF;
    }
    w->bits = is_large ? 0 : bit_length((Wide)w->size[0] * w->size[1] * w->size[2]);
    return true;
}

static int bits_of(const Whole *w)
{
    return w->bits != 0 ? w->bits : w->axis_bits[0] + w->axis_bits[1] + w->axis_bits[2];
}

/* ---- reading ---- */

typedef struct {
    const unsigned char *at, *end;
    uint64_t             held; /* the lowest n_held bits are those to come */
    int                  n_held;
    bool                 is_short;  /* bits behind the end were asked for; they are 0 */
    bool                 is_beyond; /* a number was not below its base */
} Source;

static uint32_t take(Source *s, int n_bits)
{
    while (s->n_held < n_bits) {
        s->is_short |= s->at == s->end;
        s->held = s->held << 8 | (s->at < s->end ? *s->at++ : 0);
        s->n_held += 8;
    }
    s->n_held -= n_bits;
    return (uint32_t)(s->held >> s->n_held & (((uint64_t)1 << n_bits) - 1));
}

/* A number of mixed base: its lowest byte is first. */
static Wide take_wide(Source *s, int n_bits)
{
    Wide value = 0;
    int  at    = 0;

    for (; n_bits - at > 8; at += 8)
        value |= (Wide)take(s, 8) << at;
    return value | (Wide)take(s, n_bits - at) << at;
}

/* Takes them apart from the last to the first. What is left of a damaged one may be too large. */
static void take_three(Source *s, int n_bits, const uint32_t base[3], int64_t number[3])
{
    const Wide value = take_wide(s, n_bits);

    if (n_bits <= 64) { /* divides ten times as fast */
        const uint64_t low = (uint64_t)value, left = low / base[2];
        number[2] = (int64_t)(low % base[2]);
        number[1] = (int64_t)(left % base[1]);
        number[0] = (int64_t)(left / base[1] & UINT32_MAX);
        s->is_beyond |= left / base[1] >= base[0];
        return;
    }
    const Wide left = value / base[2];
    number[2]       = (int64_t)(value % base[2]);
    number[1]       = (int64_t)(left % base[1]);
    number[0]       = (int64_t)(left / base[1] & UINT32_MAX);
    s->is_beyond |= left / base[1] >= base[0];
}

static void take_whole(Source *s, const XtcRange *range, const Whole *w, int64_t number[3])
{
    if (w->bits != 0)
        take_three(s, w->bits, w->size, number);
    else
        for (int k = 0; k < 3; k++) {
            number[k] = take(s, w->axis_bits[k]);
            s->is_beyond |= number[k] >= w->size[k];
        }
    for (int k = 0; k < 3; k++)
        number[k] += range->low[k];
}

/* Goes from a bead to one that is seen from it. */
static void take_small(Source *s, int index, int64_t number[3])
{
    const uint32_t n = (uint32_t)size[index], base[3] = { n, n, n };
    int64_t        above[3];

    take_three(s, index, base, above);
    for (int k = 0; k < 3; k++)
        number[k] += above[k] - size[index] / 2;
}

static void keep(double to[3], const int64_t number[3], double per_nm)
{
    for (int k = 0; k < 3; k++)
        to[k] = (double)number[k] / per_nm;
}

/* The beads of one group, of which there are 1 + run. */
static void take_group(Source *s, int index, int32_t run, const int64_t whole[3], double per_nm,
                       double (*x)[3])
{
    int64_t small[3] = { whole[0], whole[1], whole[2] };

    keep(x[run > 0], whole, per_nm);
    for (int32_t k = 1; k <= run; k++) {
        take_small(s, index, small);
        keep(x[k == 1 ? 0 : k], small, per_nm);
    }
}

const char *xtc_decode(const XtcRange *range, const unsigned char *bytes, int64_t n_bytes,
                       int32_t n_beads, double per_nm, double (*position_nm)[3])
{
    Source  s     = { .at = bytes, .end = bytes + n_bytes };
    int     index = range->small;
    int32_t run   = 0;
    int64_t whole[3];
    Whole   w;

    if (!whole_of(range, &w))
        return "the range of its numbers is none";
    if (index < SMALLEST_INDEX || index > LARGEST_INDEX)
        return "the index of its small numbers is out of range";
    for (int32_t i = 0; i < n_beads; i += 1 + run) {
        int change = 0;

        take_whole(&s, range, &w, whole);
        if (take(&s, FLAG_BITS) != 0) {
            const int told = (int)take(&s, RUN_BITS);
            run            = told / 3;
            change         = told % 3 - 1;
        }
        if (run > n_beads - i - 1)
            return "a run goes on behind the last bead";
        take_group(&s, index, run, whole, per_nm, position_nm + i);
        index += change;
        if (index < SMALLEST_INDEX || index > LARGEST_INDEX)
            return "the index of its small numbers is out of range";
        if (s.is_short)
            return "its numbers end before the last bead";
        if (s.is_beyond)
            return "a number is out of range";
    }
    return NULL;
}

/* ---- how long runs should be ---- */

/* Distances must be smaller than half the size, so that they fit on either side of it. */
static bool fits(uint32_t gap, int index)
{
    return gap < (uint32_t)size[index] / 2;
}

static int index_for(uint32_t gap)
{
    int index = SMALLEST_INDEX;

    while (index < LARGEST_INDEX && !fits(gap, index))
        index++;
    return fits(gap, index) ? index : LARGEST_INDEX + 1;
}

static uint32_t gap_of(const int32_t a[3], const int32_t b[3])
{
    int64_t most = 0;

    for (int k = 0; k < 3; k++) {
        const int64_t d = (int64_t)a[k] - b[k], far = d < 0 ? -d : d;
        most = far > most ? far : most;
    }
    return (uint32_t)most;
}

/* Gaps to the next bead and to that behind it; the largest possible where there is none. */
static void find_gaps(const int32_t (*x)[3], int32_t n, uint32_t (*gap)[2])
{
    for (int32_t i = 0; i < n; i++) {
        gap[i][0] = i + 1 < n ? gap_of(x[i], x[i + 1]) : UINT32_MAX;
        gap[i][1] = i + 2 < n ? gap_of(x[i], x[i + 2]) : UINT32_MAX;
    }
}

/* For beads i, i + 1, ... to the end: the fewest bits if the group at i need not tell its run,
 * because it is the same as before, by that run. */
typedef struct {
    int64_t bits[ROWS][MOST_RUN + 1];
    int32_t chain[ROWS]; /* how many beads follow i, each within the small size of the one before */
} Rows;

/* The longest run of a group that begins at i. */
static int32_t longest_run(const Rows *rows, const uint32_t gap[2], int index, int32_t i)
{
    if (!fits(gap[0], index))
        return 0;
    if (!fits(gap[1], index))
        return 1;

    const int32_t behind = 2 + rows->chain[(i + 2) % ROWS];
    return behind < MOST_RUN ? behind : MOST_RUN;
}

/* The runs that make the string shortest, found from the last bead to the first: choice[i] has the
 * best run to tell in its upper four bits, and of those that go on untold, a bit each where it is
 * better not to tell another. Returns the bits of the string. */
static int64_t choose_runs(int whole_bits, int index, int32_t n, XtcWork *work)
{
    Rows rows = { .chain = { 0 } };

    for (int32_t i = n - 1; i >= 0; i--) {
        const uint32_t *const gap                = work->gap[i];
        const int32_t         most               = longest_run(&rows, gap, index, i);
        int64_t *const        row                = rows.bits[i % ROWS];
        int64_t               bits[MOST_RUN + 1] = { 0 }, told = INT64_MAX;
        uint16_t              choice = 0;

        for (int32_t run = 0; run <= most; run++) {
            bits[run] = whole_bits + FLAG_BITS + run * index + rows.bits[(i + 1 + run) % ROWS][run];
            if (bits[run] + RUN_BITS < told) {
                told   = bits[run] + RUN_BITS;
                choice = (uint16_t)(run << 12);
            }
        }
        for (int32_t run = 0; run <= MOST_RUN; run++) {
            const bool goes_on = run <= most && bits[run] <= told;

            row[run] = goes_on ? bits[run] : told;
            choice   = (uint16_t)(choice | goes_on << run);
        }
        rows.chain[i % ROWS] = fits(gap[0], index) ? rows.chain[(i + 1) % ROWS] + 1 : 0;
        work->choice[i]      = choice;
    }
    return rows.bits[0][0];
}

/* The small size by which the most bits are saved if each bead that is near the one before were
 * written small. */
static int guess_index(int whole_bits, int32_t n, const XtcWork *work)
{
    int64_t near[LARGEST_INDEX + 2] = { 0 }, n_near = 0, most = 0;
    int     best = SMALLEST_INDEX;

    for (int32_t i = 0; i < n; i++)
        near[index_for(work->gap[i][0])]++;
    for (int k = SMALLEST_INDEX; k <= LARGEST_INDEX && k < whole_bits; k++) {
        n_near += near[k];
        if (n_near * (whole_bits - k) > most) {
            most = n_near * (whole_bits - k);
            best = k;
        }
    }
    return best;
}

/* From the guess upwards, because the gap to the bead behind the next counts too; then downwards.
 * The choices left are those of the index returned. */
static int choose_index(int whole_bits, int32_t n, XtcWork *work)
{
    const int guess = guess_index(whole_bits, n, work);
    int       best  = guess;
    int64_t   least = choose_runs(whole_bits, guess, n, work);

    for (int step = 1; step >= -1; step -= 2)
        for (int k = best + step; k >= SMALLEST_INDEX && k <= LARGEST_INDEX; k += step) {
            const int64_t bits = choose_runs(whole_bits, k, n, work);
            if (bits >= least)
                break;
            least = bits;
            best  = k;
        }
    choose_runs(whole_bits, best, n, work);
    return best;
}

/* ---- writing ---- */

typedef struct {
    unsigned char *at;
    uint64_t       held; /* the lowest n_held bits are not written yet; fewer than 8 */
    int            n_held;
} Target;

static void put(Target *t, uint32_t value, int n_bits)
{
    t->held = t->held << n_bits | value;
    for (t->n_held += n_bits; t->n_held >= 8; t->n_held -= 8)
        *t->at++ = (unsigned char)(t->held >> (t->n_held - 8));
}

static void put_three(Target *t, int n_bits, const uint32_t base[3], const uint32_t number[3])
{
    Wide value = ((Wide)number[0] * base[1] + number[1]) * base[2] + number[2];

    for (; n_bits > 8; n_bits -= 8, value >>= 8)
        put(t, (uint32_t)(value & 0xFF), 8);
    put(t, (uint32_t)value, n_bits);
}

static void put_whole(Target *t, const XtcRange *range, const Whole *w, const int32_t number[3])
{
    uint32_t above[3];

    for (int k = 0; k < 3; k++)
        above[k] = (uint32_t)((int64_t)number[k] - range->low[k]);
    if (w->bits != 0)
        put_three(t, w->bits, w->size, above);
    else
        for (int k = 0; k < 3; k++)
            put(t, above[k], w->axis_bits[k]);
}

static void put_small(Target *t, int index, const int32_t from[3], const int32_t number[3])
{
    const uint32_t n = (uint32_t)size[index], base[3] = { n, n, n };
    uint32_t       above[3];

    for (int k = 0; k < 3; k++)
        above[k] = (uint32_t)((int64_t)number[k] - from[k] + size[index] / 2);
    put_three(t, index, base, above);
}

static void put_group(Target *t, const XtcRange *range, const Whole *w, const int32_t (*x)[3],
                      int32_t run, bool is_told)
{
    int32_t last = run > 0;

    put_whole(t, range, w, x[last]);
    put(t, is_told, FLAG_BITS);
    if (is_told)
        put(t, (uint32_t)(3 * run + 1), RUN_BITS);
    for (int32_t k = 1; k <= run; k++) {
        const int32_t now = k == 1 ? 0 : k;
        put_small(t, range->small, x[last], x[now]);
        last = now;
    }
}

int64_t xtc_most_bytes(int64_t n_beads)
{
    return (n_beads * (3 * 32 + FLAG_BITS) + 7) / 8; /* with no run at all */
}

int64_t xtc_encode(XtcRange *range, const int32_t (*number)[3], int32_t n_beads, XtcWork *work,
                   unsigned char *bytes)
{
    Target  t   = { .at = bytes };
    int32_t run = 0;
    Whole   w;

    if (!whole_of(range, &w))
        return 0;
    find_gaps(number, n_beads, work->gap);
    range->small = choose_index(bits_of(&w), n_beads, work);
    for (int32_t i = 0; i < n_beads; i += 1 + run) {
        const bool is_told = (work->choice[i] >> run & 1) == 0;

        run = is_told ? work->choice[i] >> 12 : run;
        put_group(&t, range, &w, number + i, run, is_told);
    }
    if (t.n_held > 0)
        put(&t, 0, 8 - t.n_held);
    return t.at - bytes;
}
