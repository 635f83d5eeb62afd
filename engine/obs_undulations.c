/* undulations.tsv: how a membrane bends, by the waves in the heights of its heads.
 *
 * With h(q) the sum of z exp(-i q r)/n over the n heads of a leaflet, z their height above the
 * leaflet's mean, half the sum of both leaflets is the undulation, half the difference that of the
 * thickness. Both are given as spectra S = A <|h(q)|^2>, A being the area of the box. A membrane
 * without tension has S = kT/(kappa q^4) where q is small: Helfrich, Z. Naturforsch. 28 c, 693
 * (1973); from particles and not from a grid, as in Brandt et al., Biophys. J. 100, 2104 (2011).
 * Beyond some 1/nm tilt and single lipids add to it.
 */
#include <math.h>
#include <string.h>

#include "blocks.h"
#include "heads.h"
#include "observing.h"

enum { WAVES = 8 /* along an edge */, MOST_ROWS = (WAVES + 1) * (WAVES + 1) };

/* Of each row; and of all rows below LONG_WAVES together, STIFFNESS. */
enum { UNDULATION, THICKNESS, STIFFNESS /* q^4 S, kT/kappa */, VALUES };

#define LONG_WAVES 1.0 /* 1/nm, in the box of the start */

typedef struct {
    double re, im;
} Complex;

/* Waves along x and y, n[0] and n[1] on an edge, in both directions where both are not 0. */
typedef struct {
    int32_t n[2];
    bool    is_long;
} Row;

struct AmphiObserver {
    AmphiWatcher  on; /* first */
    AmphiLeaflets leaflets;
    AmphiHeads    heads;
    int32_t       n_rows;
    Row           row[MOST_ROWS];
    Complex (*sum)[2][2];  /* [n_rows][leaflet][direction] of z exp(-i q r) */
    Complex (*ones)[2][2]; /* likewise of exp(-i q r) */
    AmphiBlocks blocks;    /* [n_rows][VALUES]; long waves together; [n_rows] wave numbers */
};

static const double two_pi = 6.283185307179586;

/* Behind what has an error in the table. */
static int32_t place_of_number(const AmphiObserver *o, int32_t row)
{
    return o->n_rows * VALUES + 1 + row;
}

static double wave_number(const Row *row, const double box_nm[3])
{
    return two_pi * hypot(row->n[0] / box_nm[0], row->n[1] / box_nm[1]);
}

/* All with up to WAVES on an edge of a square box. */
static void choose_rows(AmphiObserver *o)
{
    for (int32_t square = 1; square <= WAVES * WAVES; square++)
        for (int32_t x = 0; x <= WAVES; x++)
            for (int32_t y = 0; y <= WAVES; y++) {
                Row *const row = &o->row[o->n_rows];

                if (x * x + y * y != square)
                    continue;
                *row         = (Row){ { x, y }, false };
                row->is_long = wave_number(row, o->on.place.system->box_nm) < LONG_WAVES;
                o->n_rows++;
            }
}

static AmphiStatus prepare(AmphiObserver *o, AmphiError *err)
{
    const AmphiSystem *const s = o->on.place.system;

    choose_rows(o);
    o->sum  = amphi_arena_take(o->on.arena, o->n_rows, sizeof *o->sum);
    o->ones = amphi_arena_take(o->on.arena, o->n_rows, sizeof *o->ones);
    if (!amphi_leaflets_init(&o->leaflets, s, o->on.arena) ||
        !amphi_heads_init(&o->heads, &o->on.plan, s, o->on.arena) ||
        !amphi_blocks_init(&o->blocks, place_of_number(o, o->n_rows), o->on.arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "undulations.tsv: no memory");
    return AMPHI_OK;
}

/* ---- a frame ---- */

static Complex times(Complex a, Complex b)
{
    return (Complex){ a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re };
}

static void add(Complex *sum, double factor, Complex a)
{
    sum->re += factor * a.re;
    sum->im += factor * a.im;
}

/* exp(-i n k x) for n from 0 to WAVES. */
static void find_waves(double x, double edge, Complex wave[WAVES + 1])
{
    const double phase = two_pi * x / edge;

    wave[0] = (Complex){ 1, 0 };
    wave[1] = (Complex){ cos(phase), -sin(phase) };
    for (int n = 2; n <= WAVES; n++)
        wave[n] = times(wave[n - 1], wave[1]);
}

static void add_head(AmphiObserver *o, const AmphiFrame *f, int leaflet, const double x[3])
{
    Complex along[2][WAVES + 1];

    for (int a = 0; a < 2; a++)
        find_waves(x[a], f->box_nm[a], along[a]);
    for (int32_t k = 0; k < o->n_rows; k++) {
        const Complex wx = along[0][o->row[k].n[0]], wy = along[1][o->row[k].n[1]];
        const Complex both[2] = { times(wx, wy), times(wx, (Complex){ wy.re, -wy.im }) };

        for (int way = 0; way < 2; way++) {
            add(&o->sum[k][leaflet][way], x[2], both[way]);
            add(&o->ones[k][leaflet][way], 1, both[way]);
        }
    }
}

/* h(q) of a leaflet of n heads whose mean height is z. */
static Complex height_of(const AmphiObserver *o, int32_t k, int leaflet, int way, double n,
                         double z)
{
    Complex h = o->sum[k][leaflet][way];

    add(&h, -z, o->ones[k][leaflet][way]);
    return (Complex){ h.re / n, h.im / n };
}

static void add_row(AmphiObserver *o, const AmphiFrame *f, int32_t k, const double n[2],
                    const double z[2], double *stiffness, double *n_modes)
{
    const Row *const row  = &o->row[k];
    const double     area = f->box_nm[0] * f->box_nm[1], q = wave_number(row, f->box_nm);
    const int        ways     = row->n[0] > 0 && row->n[1] > 0 ? 2 : 1;
    double           value[2] = { 0, 0 };

    for (int way = 0; way < ways; way++) {
        const Complex up   = height_of(o, k, 0, way, n[0], z[0]);
        const Complex down = height_of(o, k, 1, way, n[1], z[1]);

        value[UNDULATION] +=
            area / ways * 0.25 * (pow(up.re + down.re, 2) + pow(up.im + down.im, 2));
        value[THICKNESS] +=
            area / ways * 0.25 * (pow(up.re - down.re, 2) + pow(up.im - down.im, 2));
    }
    amphi_blocks_add(&o->blocks, k * VALUES + UNDULATION, value[UNDULATION], 1);
    amphi_blocks_add(&o->blocks, k * VALUES + THICKNESS, value[THICKNESS], 1);
    amphi_blocks_add(&o->blocks, k * VALUES + STIFFNESS, pow(q, 4) * value[UNDULATION], 1);
    amphi_blocks_add(&o->blocks, place_of_number(o, k), q, 1);
    if (row->is_long) {
        *stiffness += ways * pow(q, 4) * value[UNDULATION];
        *n_modes += ways;
    }
}

static AmphiStatus see_undulations(AmphiObserver *o, const AmphiFrame *f, AmphiError *err)
{
    AmphiLeaflets *const l    = &o->leaflets;
    double               n[2] = { 0, 0 }, z[2] = { 0, 0 }, stiffness = 0, n_modes = 0;

    (void)err;
    amphi_leaflets_find(l, f);
    amphi_leaflets_remark(l, "undulations.tsv", o->on.remark, sizeof o->on.remark);
    memset(o->sum, 0, (size_t)o->n_rows * sizeof *o->sum);
    memset(o->ones, 0, (size_t)o->n_rows * sizeof *o->ones);

    const double middle = amphi_leaflets_middle(l, f, 2);
    for (int32_t k = 0; k < l->n_lipids; k++) {
        const int     leaflet = l->side[k] > 0 ? 0 : 1;
        const int32_t heads   = amphi_heads_take(&o->heads, l, k, f, middle);

        for (int32_t i = 0; i < heads; i++) {
            add_head(o, f, leaflet, o->heads.x[i]);
            z[leaflet] += o->heads.x[i][2];
        }
        n[leaflet] += heads;
    }
    if (n[0] < 1 || n[1] < 1)
        return AMPHI_OK;
    for (int leaflet = 0; leaflet < 2; leaflet++)
        z[leaflet] /= n[leaflet];
    for (int32_t k = 0; k < o->n_rows; k++)
        add_row(o, f, k, n, z, &stiffness, &n_modes);
    if (n_modes > 0)
        amphi_blocks_add(&o->blocks, o->n_rows * VALUES, stiffness / n_modes, 1);
    amphi_blocks_next(&o->blocks);
    return AMPHI_OK;
}

/* ---- the table ---- */

/* kappa/kT and its error from value k of the blocks, kT/kappa. */
static void print_modulus(const AmphiObserver *o, int32_t k, const char *between, AmphiSink *sink)
{
    const double kappa = 1 / amphi_blocks_mean(&o->blocks, k);

    amphi_sink_print(sink, "%.6g%s%.3g", kappa, between,
                     kappa * kappa * amphi_blocks_error(&o->blocks, k));
}

static void print_row(const AmphiObserver *o, int32_t k, AmphiSink *sink)
{
    const int32_t at = k * VALUES;

    amphi_sink_print(sink, "%d\t%d\t%.8g", (int)o->row[k].n[0], (int)o->row[k].n[1],
                     amphi_blocks_mean(&o->blocks, place_of_number(o, k)));
    for (int32_t c = UNDULATION; c <= THICKNESS; c++)
        amphi_sink_print(sink, "\t%.8g\t%.3g", amphi_blocks_mean(&o->blocks, at + c),
                         amphi_blocks_error(&o->blocks, at + c));
    amphi_sink_print(sink, "\t");
    print_modulus(o, at + STIFFNESS, "\t", sink);
    amphi_sink_print(sink, "\n");
}

static AmphiStatus flush_undulations(AmphiObserver *o, AmphiError *err)
{
    AmphiTable t;
    int32_t    n_long = 0;

    if (o->blocks.count->frames == 0)
        return amphi_table_drop(&o->on.place, "undulations.tsv", err);
    amphi_table_begin(
        &t, &o->on.place, "undulations.tsv",
        "waves in the heights of heads, n_x and n_y on an edge; spectra A <|h|^2>, nm^4\n"
        "undulation: of the mean of both leaflets; thickness: of half their distance\n"
        "modulus: kT/(q^4 undulation), the bending modulus over kT where q is small and there is "
        "no tension");
    for (int32_t k = 0; k < o->n_rows; k++)
        n_long += o->row[k].is_long;
    amphi_blocks_print_count(&o->blocks, place_of_number(o, 0), &t.sink);
    if (n_long > 0) {
        amphi_sink_print(&t.sink,
                         "# bending modulus, of waves longer than %.3g nm: ", two_pi / LONG_WAVES);
        print_modulus(o, o->n_rows * VALUES, " +- ", &t.sink);
        amphi_sink_print(&t.sink, " kT\n");
    } else {
        amphi_sink_print(&t.sink, "# bending modulus: the box has no wave longer than %.3g nm\n",
                         two_pi / LONG_WAVES);
    }
    amphi_sink_print(&t.sink, "n_x\tn_y\tq_1_nm\tundulation_nm4\tundulation_error\tthickness_nm4\t"
                              "thickness_error\tmodulus_kT\tmodulus_error\n");
    for (int32_t k = 0; k < o->n_rows; k++)
        print_row(o, k, &t.sink);
    return amphi_sink_close(&t.sink, err);
}

static int32_t parts_of(AmphiObserver *o, AmphiPart *part)
{
    amphi_blocks_parts(&o->blocks, part);
    part[AMPHI_BLOCK_PARTS] = amphi_leaflets_part(&o->leaflets);
    return AMPHI_BLOCK_PARTS + 1;
}

const AmphiObserverKind amphi_obs_undulations = {
    .name    = "undulations",
    .file    = "undulations.tsv",
    .size    = sizeof(AmphiObserver),
    .needs   = AMPHI_NEED_POSITIONS,
    .prepare = prepare,
    .see     = see_undulations,
    .flush   = flush_undulations,
    .parts   = parts_of,
};
