/* The model: beads move in straight lines, so that a list with twice the margin lasts for twice the
 * steps, and the number of pairs is proportional to the volume of the sphere of cut-off + margin.
 */
#include "list_margin.h"

static const double first_nm = 0.1, narrowest_nm = 0.02, grain_nm = 0.005;
enum { WIDEST = 57 }; /* grains beyond the narrowest: 0.3 nm */

/* The time of a list over that of the forces, both at 0.1 nm: one core of an Intel Xeon with
 * AVX-512, gcc 12, an ELBA membrane of 6784 beads (validation/bench/README.md). A third more
 * or less moves the margin by a tenth of its width, and the time of a step by less than a
 * hundredth. */
static const double build_cost[AMPHI_PRECISIONS][2] = {
    [AMPHI_SINGLE] = { 1.3, 1.3 },
    [AMPHI_DOUBLE] = { 0.6, 0.8 },
    [AMPHI_FIXED]  = { 1.0, 1.0 },
};

/* A new margin is chosen only if it promises to save this much, because it changes the order of the
 * list and with it the last bits of forces. */
static const double worthwhile = 0.995;

AmphiMargin amphi_margin_begin(void)
{
    return (AmphiMargin){ .margin_nm = first_nm, .built_step = -1 };
}

double amphi_margin_build_cost(AmphiPrecision precision, bool is_v4)
{
    return build_cost[precision][is_v4];
}

double amphi_margin_cost(double cutoff_nm, double margin_nm, double speed_nm_step, double cost)
{
    const double reach  = (cutoff_nm + margin_nm) / cutoff_nm;
    const double builds = speed_nm_step / margin_nm; /* a step */

    return reach * reach * reach * (1 + cost * (builds < 1 ? builds : 1));
}

double amphi_margin_choose(double cutoff_nm, double margin_nm, double steps, double cost)
{
    const double speed = margin_nm / steps;
    double       best  = margin_nm;
    double       least = worthwhile * amphi_margin_cost(cutoff_nm, margin_nm, speed, cost);

    for (int k = 0; k < WIDEST; k++) {
        const double m = narrowest_nm + k * grain_nm;
        const double c = amphi_margin_cost(cutoff_nm, m, speed, cost);

        if (c < least) {
            best  = m;
            least = c;
        }
    }
    return best;
}

void amphi_margin_built(AmphiMargin *m, double cutoff_nm, double cost, int64_t step)
{
    if (m->built_step >= 0 && step > m->built_step) { /* steps do not advance while minimising */
        m->n_steps += step - m->built_step;
        m->n_builds++;
    }
    m->built_step = step;
    if (m->n_builds < AMPHI_MARGIN_BUILDS)
        return;
    m->margin_nm = amphi_margin_choose(cutoff_nm, m->margin_nm,
                                       (double)m->n_steps / (double)m->n_builds, cost);
    m->n_steps = m->n_builds = 0;
}
