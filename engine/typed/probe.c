/* One group of lanes at a time: pack poses, call the formula, unpack. With one lane a group is one
 * pose. A group that is not full repeats its last pose.
 */
#include "probe.h"

#include "../../forcefield/bonds.h"
#include "../../forcefield/pairs.h"

#ifdef AMPHI_BUILD_FIXED
#include "../../forcefield/pair_fixed.h"
#endif

#if LANES == 1
#define PROBE(what) AMPHI_T(probe_##what)

static void set_lane(real *to, int lane, double value)
{
    (void)lane;
    *to = (scalar)value;
}

static double lane_of(real from, int lane)
{
    (void)lane;
    return (double)from;
}
#else
#define PROBE(what) AMPHI_T(probe_##what##_lanes)

static void set_lane(real *to, int lane, double value)
{
    (*to)[lane] = (scalar)value;
}

static double lane_of(real from, int lane)
{
    return (double)from[lane];
}
#endif

static void set_vector(real3 *to, int lane, double x, double y, double z)
{
    set_lane(&to->x, lane, x);
    set_lane(&to->y, lane, y);
    set_lane(&to->z, lane, z);
}

static void get_vector(real3 from, int lane, double out[3])
{
    out[0] = lane_of(from.x, lane);
    out[1] = lane_of(from.y, lane);
    out[2] = lane_of(from.z, lane);
}

/* `length` times the body z axis (body_axis of vector.h, in double). */
static void set_axis(real3 *to, int lane, const double q[4], double length)
{
    set_vector(to, lane, length * 2 * (q[1] * q[3] + q[0] * q[2]),
               length * 2 * (q[2] * q[3] - q[0] * q[1]),
               length * (1 - 2 * (q[1] * q[1] + q[2] * q[2])));
}

static void set_quaternion(quat *to, int lane, const double q[4])
{
    set_lane(&to->w, lane, q[0]);
    set_lane(&to->x, lane, q[1]);
    set_lane(&to->y, lane, q[2]);
    set_lane(&to->z, lane, q[3]);
}

static void pack_pair(const AmphiPairPose *pose, int32_t kind, int lane, PairGeometry *g,
                      PairFrames *frames)
{
    const bool unit = pair_reads_unit_axis(kind);

    set_vector(&g->d, lane, pose->d_nm[0], pose->d_nm[1], pose->d_nm[2]);
    set_axis(&g->axis_i, lane, pose->orientation[0], unit ? 1 : pose->dipole_e_nm[0]);
    set_axis(&g->axis_j, lane, pose->orientation[1], unit ? 1 : pose->dipole_e_nm[1]);
    set_lane(&g->charge_i, lane, pose->charge_e[0]);
    set_lane(&g->charge_j, lane, pose->charge_e[1]);
    set_quaternion(&frames->qi, lane, pose->orientation[0]);
    set_quaternion(&frames->qj, lane, pose->orientation[1]);
}

static void unpack_pair(const PairResult *result, int lane, AmphiPairForces *out)
{
    out->energy = lane_of(result->u, lane);
    get_vector(result->f, lane, out->force);
    get_vector(result->ti, lane, out->torque[0]);
    get_vector(result->tj, lane, out->torque[1]);
}

void PROBE(pairs)(const AmphiPairTerm *rule, int32_t n, const AmphiPairPose *pose,
                  AmphiPairForces *out)
{
    const PairTerm term = pair_prepare(rule);

    for (int32_t first = 0; first < n; first += LANES) {
        PairGeometry g      = { 0 };
        PairFrames   frames = { 0 };

        for (int lane = 0; lane < LANES; lane++)
            pack_pair(&pose[first + lane < n ? first + lane : n - 1], rule->kind, lane, &g,
                      &frames);
        g.r2    = dot3(g.d, g.d);
        g.inv_r = inv_sqrt(g.r2);

        const whole in     = g.r2 < term.cutoff2;
        PairResult  result = pair_eval(&term, &g, &frames);
        result.u           = keep(in, result.u);
        result.f           = keep3(in, result.f);
        result.ti          = keep3(in, result.ti);
        result.tj          = keep3(in, result.tj);
        for (int lane = 0; lane < LANES && first + lane < n; lane++)
            unpack_pair(&result, lane, &out[first + lane]);
    }
}

void PROBE(bonds)(const AmphiBondRule *rule, int32_t n, const AmphiBondPose *pose,
                  AmphiBondForces *out)
{
    const BondTerm term = bond_prepare(rule);

    for (int32_t first = 0; first < n; first += LANES) {
        BondGeometry g = { 0 };

        for (int lane = 0; lane < LANES; lane++) {
            const AmphiBondPose *from = &pose[first + lane < n ? first + lane : n - 1];

            for (int k = 0; k < AMPHI_MAX_BOND_BEADS; k++) {
                set_vector(&g.x[k], lane, from->x_nm[k][0], from->x_nm[k][1], from->x_nm[k][2]);
                set_axis(&g.u[k], lane, from->orientation[k], 1);
            }
        }

        const BondResult result = bond_eval(&term, &g);
        for (int lane = 0; lane < LANES && first + lane < n; lane++) {
            out[first + lane].energy = lane_of(result.u, lane);
            for (int k = 0; k < AMPHI_MAX_BOND_BEADS; k++) {
                get_vector(result.f[k], lane, out[first + lane].force[k]);
                get_vector(result.t[k], lane, out[first + lane].torque[k]);
            }
        }
    }
}

#ifdef AMPHI_BUILD_FIXED
static PairUnits units_of(const PairTerm *term, const PairTerm *lj, const PairGeometry *g,
                          const PairFrames *frames, real *u)
{
    const PairScale scale =
        pair_fixed_scale(term->kind == PAIR_sticky || pair_reads_unit_axis(term->kind), 0);
    const whole     in    = g->r2 < term->cutoff2;
    const PairTerm *other = lj != NULL ? lj : term;

    if (term->kind == PAIR_sticky) {
        const PairResult p = pair_sticky(&term->as.sticky, g, frames);

        *u = keep(in, p.u);
        return (PairUnits){ keep3(in, scale3(spread(scale.force), p.f)),
                            keep3(in, scale3(spread(scale.field), p.ti)) };
    }

    PairParts w = pair_fixed_parts(term->kind, term->switched, term, other, lj != NULL, g);

    *u   = keep(in, w.u);
    w.fd = keep(in, w.fd);
    w.fp = keep(in, w.fp);
    w.fq = keep(in, w.fq);
    w.fz = keep(in, w.fz);
    return pair_fixed_units(&w, g, pair_feels_axis_i(term->kind), pair_feels_axis_j(term->kind),
                            pair_reads_unit_axis(term->kind), scale);
}

void PROBE(units)(const AmphiPairTerm *rule, const AmphiPairTerm *lj, int32_t n,
                  const AmphiPairPose *pose, AmphiPairUnits *out)
{
    const PairTerm term = pair_prepare(rule), other = pair_prepare(lj != NULL ? lj : rule);

    for (int32_t first = 0; first < n; first += LANES) {
        PairGeometry g      = { 0 };
        PairFrames   frames = { 0 };
        real         u;

        for (int lane = 0; lane < LANES; lane++)
            pack_pair(&pose[first + lane < n ? first + lane : n - 1], rule->kind, lane, &g,
                      &frames);
        g.r2    = dot3(g.d, g.d);
        g.inv_r = inv_sqrt(g.r2);

        const PairUnits units = units_of(&term, lj != NULL ? &other : NULL, &g, &frames, &u);
        for (int lane = 0; lane < LANES && first + lane < n; lane++) {
            get_vector(units.f, lane, out[first + lane].force);
            get_vector(units.g, lane, out[first + lane].field);
            out[first + lane].energy = lane_of(u, lane);
        }
    }
}

void PROBE(inv_sqrt)(int32_t n, const float *x, float *out)
{
    for (int32_t first = 0; first < n; first += LANES) {
        real a = spread(R(1));

        for (int lane = 0; lane < LANES && first + lane < n; lane++)
            set_lane(&a, lane, (double)x[first + lane]);
        a = inv_sqrt(a);
        for (int lane = 0; lane < LANES && first + lane < n; lane++)
            out[first + lane] = (float)lane_of(a, lane);
    }
}
#endif
