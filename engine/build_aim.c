/* Axes that follow the chain of their molecule. */
#include "build_relax.h"

/* The direction that an axis is aimed at, turned by the wanted angle towards where the axis was. */
static void aim_axis(const double toward[3], double cosine, double axis[3])
{
    double across[3];

    for (int k = 0; k < 3; k++)
        across[k] = axis[k] - amphi_dot(axis, toward) * toward[k];
    if (amphi_dot(across, across) < 1e-12) {
        const int k0 = toward[0] * toward[0] < 0.5 ? 0 : 1; /* this edge is not along it */

        for (int k = 0; k < 3; k++)
            across[k] = (k == k0) - toward[k0] * toward[k];
    }
    amphi_normalise(across);
    const double sine = cosine * cosine < 1 ? sqrt(1 - cosine * cosine) : 0;

    for (int k = 0; k < 3; k++)
        axis[k] = cosine * toward[k] + sine * across[k];
    amphi_normalise(axis);
}

void amphi_crowd_aim(AmphiCrowd *crowd)
{
    for (int32_t m = 0; m < crowd->system->n_molecules; m++) {
        const AmphiMolecule *molecule = &crowd->system->molecule[m];
        const AmphiLinks    *links    = &crowd->shape[molecule->type].links;

        for (int32_t k = 0; k < links->n_aims; k++) {
            const AmphiAim *aim  = &links->aim[k];
            const double   *from = crowd->x[molecule->first_bead + aim->from];
            const double   *to   = crowd->x[molecule->first_bead + aim->to];
            double          toward[3];

            for (int a = 0; a < 3; a++)
                toward[a] = to[a] - from[a];
            amphi_normalise(toward);
            aim_axis(toward, aim->cosine, crowd->axis[molecule->first_bead + aim->bead]);
        }
    }
}
