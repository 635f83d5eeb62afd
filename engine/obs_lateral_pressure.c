/* lateral-pressure.tsv: the pressure along a membrane and across it, slab by slab.
 *
 * The forces between beads are computed once more, in double, from positions and orientations. On
 * one core that takes as long as some 20 steps of a run in single precision. From frame to frame
 * the pressure of a slab of 128 lipids varies by some 1000 bar, several times its mean, so that
 * thousands of frames are needed.
 */
#include <math.h>

#include "blocks.h"
#include "observing.h"
#include "stress.h"
#include "units.h"

/* Columns with errors, in front of those of the parts. */
enum { NORMAL, LATERAL, DIFFERENCE, COLUMNS };

/* Of the whole: minus the integral of the difference; its first moment about the middle, above and
 * below, which is the bending moment of each leaflet. */
enum { TENSION, MOMENT_ABOVE, MOMENT_BELOW, WHOLES };

struct AmphiObserver {
    AmphiWatcher  on; /* first */
    AmphiLeaflets leaflets;
    AmphiSlabs    slabs;
    AmphiStress  *stress;
    int32_t       n_parts;
    AmphiBlocks   blocks; /* [COLUMNS + n_parts][n_slabs], then [WHOLES] */
};

static const char file[] = "lateral-pressure.tsv";

static int32_t place_of_whole(const AmphiObserver *o, int32_t whole)
{
    return (COLUMNS + o->n_parts) * o->slabs.n_slabs + whole;
}

static AmphiStatus prepare(AmphiObserver *o, AmphiError *err)
{
    const AmphiSystem *const s = o->on.place.system;

    if (!amphi_leaflets_init(&o->leaflets, s, o->on.arena) ||
        !amphi_slabs_init(&o->slabs, &o->on.plan, &o->leaflets, o->on.arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "%s: no memory", file);
    o->stress = amphi_stress_new(s, &o->slabs, o->on.arena);
    if (o->stress == NULL)
        return amphi_fail(err, AMPHI_NO_MEMORY, "%s: no memory", file);
    o->n_parts = amphi_stress_parts(o->stress);
    if (!amphi_blocks_init(&o->blocks, place_of_whole(o, WHOLES), o->on.arena))
        return amphi_fail(err, AMPHI_NO_MEMORY, "%s: no memory", file);
    return AMPHI_OK;
}

/* ---- a frame ---- */

/* One slab. Returns lateral minus normal, kJ/mol. */
static double add_slab(AmphiObserver *o, const double *sum, int32_t slab, double volume)
{
    const int32_t n_slabs  = o->slabs.n_slabs;
    double        total[2] = { 0, 0 };

    for (int32_t part = 0; part < o->n_parts; part++) {
        const double *const of      = sum + (int64_t)part * AMPHI_DIRECTIONS * n_slabs + slab;
        const double        lateral = of[AMPHI_LATERAL * n_slabs];
        const double        normal  = of[AMPHI_NORMAL * n_slabs];

        total[0] += lateral;
        total[1] += normal;
        amphi_blocks_add(&o->blocks, (COLUMNS + part) * n_slabs + slab, lateral - normal, volume);
    }
    amphi_blocks_add(&o->blocks, LATERAL * n_slabs + slab, total[0], volume);
    amphi_blocks_add(&o->blocks, NORMAL * n_slabs + slab, total[1], volume);
    amphi_blocks_add(&o->blocks, DIFFERENCE * n_slabs + slab, total[0] - total[1], volume);
    return total[0] - total[1];
}

static AmphiStatus see_pressure(AmphiObserver *o, const AmphiFrame *f, AmphiError *err)
{
    const int     axis          = o->slabs.axis;
    const double  area          = f->box_nm[(axis + 1) % 3] * f->box_nm[(axis + 2) % 3];
    const double  middle        = amphi_slabs_middle(&o->slabs, &o->leaflets, f);
    const double *sum           = amphi_stress_sum(o->stress, f, middle, o->on.place.threads);
    double        whole[WHOLES] = { 0 };

    (void)err;
    if (!amphi_slabs_reach(&o->slabs, f->box_nm[axis]) && o->on.remark[0] == '\0')
        snprintf(o->on.remark, sizeof o->on.remark,
                 "%s: the box has grown beyond the last slabs, %.3g nm from the middle: what is "
                 "further out is left out, also of the tension of the whole",
                 file, 0.5 * o->slabs.n_slabs * o->slabs.width_nm);
    for (int32_t slab = 0; slab < o->slabs.n_slabs; slab++) {
        const double covered = amphi_slabs_covered_nm(&o->slabs, f->box_nm[axis], slab);
        const double z       = amphi_slabs_centre_nm(&o->slabs, slab);
        const double flow    = add_slab(o, sum, slab, area * covered) / area;

        whole[TENSION] -= flow;
        whole[z > 0 ? MOMENT_ABOVE : MOMENT_BELOW] += fabs(z) * flow;
    }
    for (int32_t k = 0; k < WHOLES; k++)
        amphi_blocks_add(&o->blocks, place_of_whole(o, k), whole[k], 1);
    amphi_blocks_next(&o->blocks);
    return AMPHI_OK;
}

/* ---- the table ---- */

static void print_names(const AmphiObserver *o, AmphiSink *sink)
{
    amphi_sink_print(sink,
                     "%c_nm\tnormal_bar\tnormal_error\tlateral_bar\tlateral_error\t"
                     "difference_bar\tdifference_error",
                     "xyz"[o->slabs.axis]);
    for (int32_t part = 0; part < o->n_parts; part++)
        amphi_sink_print(sink, "\t%s_bar", amphi_stress_name(o->stress, part));
    amphi_sink_print(sink, "\n");
}

static void print_slab(const AmphiObserver *o, int32_t slab, AmphiSink *sink)
{
    amphi_sink_print(sink, "%.6g", amphi_slabs_centre_nm(&o->slabs, slab));
    for (int32_t c = 0; c < COLUMNS + o->n_parts; c++) {
        const int32_t k = c * o->slabs.n_slabs + slab;

        amphi_sink_print(sink, "\t%.8g", amphi_blocks_mean(&o->blocks, k) / AMPHI_BAR);
        if (c < COLUMNS)
            amphi_sink_print(sink, "\t%.3g", amphi_blocks_error(&o->blocks, k) / AMPHI_BAR);
    }
    amphi_sink_print(sink, "\n");
}

static void print_wholes(const AmphiObserver *o, AmphiSink *sink)
{
    static const struct {
        const char *name, *unit;
    } wholes[] = {
        [TENSION]      = { "tension of the whole", "mN/m" },
        [MOMENT_ABOVE] = { "integral of |z| times the difference above the middle", "pN" },
        [MOMENT_BELOW] = { "the same below", "pN" },
    };
    const double unit = 0.1 / AMPHI_BAR; /* 1 bar nm is 0.1 mN/m, 1 bar nm^2 is 0.1 pN */

    for (int32_t k = 0; k < WHOLES; k++)
        amphi_sink_print(sink, "# %s: %.6g +- %.3g %s\n", wholes[k].name,
                         unit * amphi_blocks_mean(&o->blocks, place_of_whole(o, k)),
                         unit * amphi_blocks_error(&o->blocks, place_of_whole(o, k)),
                         wholes[k].unit);
}

static AmphiStatus flush_pressure(AmphiObserver *o, AmphiError *err)
{
    AmphiTable t;

    if (o->blocks.count->frames == 0)
        return amphi_table_drop(&o->on.place, file, err);
    amphi_table_begin(
        &t, &o->on.place, file,
        "pressure in slabs along an axis, from the middle of the ends of tails that are centred, "
        "or else of the beads that are; bar\n"
        "normal: along the axis; lateral: mean of both others; difference: lateral - normal, which "
        "the columns behind it are parts of\n"
        "the outermost slabs are those parts that the box had in each frame\n"
        "forces along straight lines between beads (Irving & Kirkwood 1950)");
    amphi_blocks_print_count(&o->blocks, COLUMNS * o->slabs.n_slabs, &t.sink);
    print_wholes(o, &t.sink);
    print_names(o, &t.sink);
    for (int32_t slab = 0; slab < o->slabs.n_slabs; slab++)
        if (isfinite(amphi_blocks_mean(&o->blocks, slab)))
            print_slab(o, slab, &t.sink);
    return amphi_sink_close(&t.sink, err);
}

static const char *lacks(const AmphiObserverPlan *plan)
{
    (void)plan;
    return "velocities and orientations";
}

static int32_t parts_of(AmphiObserver *o, AmphiPart *part)
{
    amphi_blocks_parts(&o->blocks, part);
    return AMPHI_BLOCK_PARTS;
}

const AmphiObserverKind amphi_obs_lateral_pressure = {
    .name    = "lateral-pressure",
    .file    = file,
    .size    = sizeof(AmphiObserver),
    .needs   = AMPHI_NEED_ENERGY | AMPHI_NEED_POSITIONS,
    .lacks   = lacks,
    .prepare = prepare,
    .see     = see_pressure,
    .flush   = flush_pressure,
    .parts   = parts_of,
};
