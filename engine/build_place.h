/* Placing molecules in a bilayer or a filled box, before overlaps are removed (build_relax.h).
 */
#ifndef AMPHI_ENGINE_BUILD_PLACE_H
#define AMPHI_ENGINE_BUILD_PLACE_H

#include "build.h"
#include "build_relax.h"

/* The box and the positions are written to `crowd`. */
typedef struct {
    AmphiCrowd            crowd;
    const AmphiBuildPlan *plan;
    const AmphiPortion   *portion; /* [n_portions] as amphi_build_count gives them */
    int32_t               n_portions;
    double                slab_nm[3]; /* of a bilayer: upper leaflet, lower leaflet, water */
    double                crowding;   /* of AmphiBuilt */
    AmphiArena           *arena;      /* temporary, freed after the build */
} AmphiPlacing;

/* The random numbers of one molecule, and of the k-th choice that concerns all molecules. */
AmphiDraws amphi_placing_draws(const AmphiPlacing *placing, int32_t molecule);
AmphiDraws amphi_placing_common_draws(const AmphiPlacing *placing, int32_t k);

/* Area of the membrane in nm^2: that of its larger leaflet. */
double amphi_bilayer_area(const AmphiBuildPlan *plan);
/* The volume of one solvent molecule in the water layer, nm^3. */
double amphi_solvent_volume(const AmphiSystem *types, int32_t molecule_type);

/* Set the box; then place all molecules. */
void        amphi_set_bilayer_box(AmphiPlacing *placing);
void        amphi_set_fill_box(AmphiPlacing *placing);
AmphiStatus amphi_place_bilayer(AmphiPlacing *placing, AmphiError *err);
AmphiStatus amphi_place_fill(AmphiPlacing *placing, AmphiError *err);

double amphi_portions_mass_u(const AmphiSystem *types, const AmphiPortion *portion,
                             int32_t n_portions);

#endif
