/* Finds values of a frame that are not finite, and the bead they belong to. */
#include "finite.h"

#include <inttypes.h>
#include <math.h>

#include "tables.h"

static bool is_finite3(const double v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

double tool_norm(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

int32_t tool_largest_force(const AmphiSystem *s, const AmphiFrame *frame)
{
    int32_t largest = 0;
    double  most    = -1;

    for (int32_t i = 0; i < s->n_beads; i++) {
        const double f = tool_norm(frame->force_kJ_mol_nm[i]);

        if (!is_finite3(frame->force_kJ_mol_nm[i]) || !is_finite3(frame->torque_kJ_mol[i]))
            return i;
        if (f > most) {
            most    = f;
            largest = i;
        }
    }
    return largest;
}

static bool is_finite_frame(const AmphiSystem *s, const AmphiFrame *frame)
{
    const ToolPressure p = tool_pressure(frame);

    for (int slot = 0; slot < AMPHI_TERMS; slot++)
        if (!isfinite(frame->term_kJ_mol[slot]))
            return false;
    for (int a = 0; a < 3; a++)
        if (!is_finite3(p.total_bar[a]))
            return false;
    for (int32_t i = 0; i < s->n_beads; i++)
        if (!is_finite3(frame->force_kJ_mol_nm[i]) || !is_finite3(frame->torque_kJ_mol[i]))
            return false;
    return true;
}

static double distance(const AmphiSystem *s, int32_t i, int32_t j)
{
    double d[3];

    for (int a = 0; a < 3; a++) {
        d[a] = s->position_nm[i][a] - s->position_nm[j][a];
        d[a] -= s->box_nm[a] * nearbyint(d[a] / s->box_nm[a]);
    }
    return tool_norm(d);
}

/* The bead nearest to this one; -1: it is alone. */
static int32_t find_nearest(const AmphiSystem *s, int32_t bead)
{
    int32_t nearest = -1;

    for (int32_t j = 0; j < s->n_beads; j++)
        if (j != bead && (nearest < 0 || distance(s, bead, j) < distance(s, bead, nearest)))
            nearest = j;
    return nearest;
}

AmphiStatus tool_check_finite(const char *path, const AmphiSystem *s, const AmphiFrame *frame,
                              AmphiError *err)
{
    char name[96], near[128] = "alone", other[96];

    if (is_finite_frame(s, frame))
        return AMPHI_OK;

    const int32_t bead    = tool_largest_force(s, frame);
    const int32_t nearest = find_nearest(s, bead);
    if (nearest >= 0)
        snprintf(near, sizeof near, "nearest is %s at %.3g nm",
                 amphi_system_bead(s, nearest, other, sizeof other), distance(s, bead, nearest));
    return amphi_fail(err, AMPHI_UNSTABLE,
                      "%.150s: a force or an energy is not finite\n"
                      "    bead %" PRId32 " = %s; %s\n"
                      "    often: two beads in one place",
                      path, bead + 1, amphi_system_bead(s, bead, name, sizeof name), near);
}
