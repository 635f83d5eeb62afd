/* Starts made from a composition: a bilayer in water, or a box filled at random.
 *
 * The same plan and seed give the same bits everywhere. Middles of molecules are in [0, L),
 * molecules whole (they may stick out of the box); orientations are unit quaternions: dipoles and
 * ellipsoids in a chain point where their bonded terms want them, what else turns is random. No two
 * unbonded beads come closer than 0.7 of their contact distance, bonds are within a fifth of their
 * length. Bilayers have the density of the liquid from the start: chains are as tilted and bent as
 * the area per lipid asks for, and each water gets 0.0300 nm^3.
 */
#ifndef AMPHI_ENGINE_BUILD_H
#define AMPHI_ENGINE_BUILD_H

#include "arena.h"
#include "system.h"

typedef struct {
    int32_t molecule_type;
    int32_t count;
} AmphiPortion;

typedef struct {
    bool     bilayer; /* else fill */
    uint64_t seed;
    /* bilayer: normal along z */
    int32_t             n_leaflet[2]; /* portions of the upper and the lower leaflet */
    const AmphiPortion *leaflet[2];
    AmphiPortion        water;              /* count is filled in by amphi_build_count */
    double              water_per_lipid;    /* or */
    double              water_thickness_nm; /* of the whole water layer; one of them is 0 */
    double              area_per_lipid_nm2; /* of the larger leaflet */
    /* fill: counts; with density and all edges given they are a proportion, scaled to the density */
    int32_t             n_fill;
    const AmphiPortion *fill;
    double              density_u_nm3; /* of the filled box; 0: the box is given */
    double              box_nm[3];     /* given edges, else 0: equal, from the density */
} AmphiBuildPlan;

typedef struct {
    double box_nm[3];
    double (*position_nm)[3], (*orientation)[4]; /* [n_beads] */
} AmphiBuilt;

/* The molecules that a plan makes, in the order of their beads: upper leaflet, lower leaflet, water;
 * or the portions of a fill. Needs the system's types only, and its pair rules when the water is told
 * by its thickness. */
AmphiStatus amphi_build_count(const AmphiSystem *types, const AmphiBuildPlan *plan,
                              AmphiArena *arena, AmphiPortion **portion, int32_t *n_portions,
                              AmphiError *err);

/* Makes the start. `system` is complete but for positions and orientations (molecules, beads,
 * bonds, exclusions, pair rules are there). AMPHI_BAD_INPUT when it cannot be packed. */
AmphiStatus amphi_build(const AmphiSystem *system, const AmphiBuildPlan *plan, AmphiArena *arena,
                        AmphiBuilt *built, AmphiError *err);

#endif
