/* How much energy and which length are a fault. */
#include "faults.h"

#include <math.h>

#include "../forcefield/spec.h"
#include "units.h"

/* Stages without a thermostat, or with a colder one, are taken to be as warm as this. */
static const double lowest_K = 300;

double amphi_too_much_kJ_mol(const AmphiStage *stage)
{
    const bool   has_one = stage->thermostat.type != AMPHI_NO_THERMOSTAT;
    const double warm_K  = has_one ? stage->thermostat.temperature_K : 0;

    return AMPHI_TOO_MUCH_KT * AMPHI_BOLTZMANN * fmax(warm_K, lowest_K);
}

/* A bond is torn when it is longer than so many times its length and its energy is too much. The
 * second is for bonds so weak that heat and neighbours stretch them: one of ELBA's between charged
 * heads (DOPE) comes to 1.7 times its length in 0.1 ns, at 23 kT, and would come to twice in long
 * runs. */
static const double longest_bond = 2;

void amphi_torn_lengths(const AmphiSystem *s, const AmphiStage *stage, double *torn_nm)
{
    const double too_much = amphi_too_much_kJ_mol(stage);

    for (int32_t k = 0; k < s->n_bond_rules; k++) {
        const double *const         field = s->bond_rule[k].field;
        const AmphiPotential *const p     = amphi_potential_of_kind(s->bond_rule[k].kind, true);

        torn_nm[k] = (double)INFINITY;
        if (!amphi_potential_is_bond(p))
            continue;

        /* E = k (r - length)^2 */
        const double length = amphi_field_value(p, field, "length");
        const double stiff  = amphi_field_value(p, field, "k");
        if (stiff > 0)
            torn_nm[k] = fmax(longest_bond * length, length + sqrt(too_much / stiff));
    }
}
