/* The list of all kinds of observers; README.md says how to add one. */
#include <string.h>

#include "observing.h"

static const AmphiObserverKind *const kinds[] = {
    &amphi_obs_energies,         &amphi_obs_trajectory,  &amphi_obs_profile, &amphi_obs_area,
    &amphi_obs_thickness,        &amphi_obs_order,       &amphi_obs_rdf,     &amphi_obs_diffusion,
    &amphi_obs_lateral_pressure, &amphi_obs_undulations,
};

enum { N_KINDS = (int)(sizeof kinds / sizeof *kinds) };

const AmphiObserverKind *amphi_observer_kind_at(int32_t k)
{
    return k >= 0 && k < N_KINDS ? kinds[k] : NULL;
}

const AmphiObserverKind *amphi_observer_kind(const char *name)
{
    for (int32_t k = 0; k < N_KINDS; k++)
        if (strcmp(kinds[k]->name, name) == 0)
            return kinds[k];
    return NULL;
}

bool amphi_observer_sees_frames(const AmphiObserverKind *kind)
{
    const AmphiObserverPlan least = { .kind = kind->name };

    return kind->lacks == NULL || kind->lacks(&least) == NULL;
}
