/* The builder: makes a start from a composition, as a bilayer in water or a randomly filled box.
 *
 * The same plan and seed give the same bits on every machine. Molecules are not split by the box,
 * with their middle in [0, L). Dipoles and ellipsoids in a chain have the orientation that their
 * bonded terms favour, all other orientations are random. No two unbonded beads are nearer than 0.7
 * of their contact distance, and bonds differ from their length at rest by at most a fifth. A
 * bilayer has the density of the liquid from the start: chains are tilted and bent as the area per
 * lipid requires, and each water has 0.0300 nm^3.
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
    bool     bilayer; /* else a filled box */
    uint64_t seed;
    /* bilayer: normal along z */
    int32_t             n_leaflet[2]; /* portions of the upper and the lower leaflet */
    const AmphiPortion *leaflet[2];
    AmphiPortion        water;              /* count is filled in by amphi_build_count */
    double              water_per_lipid;    /* molecules; or 0 */
    double              water_thickness_nm; /* of the whole water layer; or 0 */
    double              area_per_lipid_nm2; /* of the larger leaflet */
    /* fill: counts; with density and all edges given, only their ratio matters */
    int32_t             n_fill;
    const AmphiPortion *fill;
    double              density_u_nm3; /* of the filled box; 0: the box is given */
    double              box_nm[3];     /* 0: edges are equal and follow from the density */
} AmphiBuildPlan;

typedef struct {
    double box_nm[3];
    double (*position_nm)[3], (*orientation)[4]; /* [n_beads] */
    /* of a bilayer: the volume of the lipids over what their leaflet has at this area, where they
     * are as long as they can be; of the denser leaflet; at least 1 */
    double crowding;
} AmphiBuilt;

/* The numbers of molecules that a plan makes, in the order of their beads: upper leaflet, lower
 * leaflet, water; or the portions of a fill. Reads only the types of the system, and its pair rules
 * if the water is given by its thickness. */
AmphiStatus amphi_build_count(const AmphiSystem *types, const AmphiBuildPlan *plan,
                              AmphiArena *arena, AmphiPortion **portion, int32_t *n_portions,
                              AmphiError *err);

/* Makes the start of a system that is complete except for its box, positions and orientations.
 * AMPHI_BAD_INPUT: the molecules do not fit. AMPHI_NO_MEMORY. */
AmphiStatus amphi_build(const AmphiSystem *system, const AmphiBuildPlan *plan, AmphiArena *arena,
                        AmphiBuilt *built, AmphiError *err);

#endif
