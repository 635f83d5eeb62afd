/* The treatment of a pair potential at its cut-off r_c: shifts, switch, reaction field.
 *
 * Shifts and reaction field add a few powers of r to the radial functions of Lennard-Jones, charges
 * and dipoles, so that one kernel serves for all of them; the switch multiplies the result
 * (pair_switched in pair.h). In double, computed on the host at the beginning of a run.
 */
#ifndef AMPHI_FORCEFIELD_TREATMENT_H
#define AMPHI_FORCEFIELD_TREATMENT_H

#include <stdbool.h>
#include <stdint.h>

typedef enum {
    AMPHI_TRUNCATED,       /* nothing beyond r_c */
    AMPHI_ENERGY_SHIFT,    /* minus the value at r_c */
    AMPHI_FORCE_SHIFT,     /* minus value and (r - r_c) slope at r_c */
    AMPHI_QUADRATIC_SHIFT, /* ELBA's Lennard-Jones: F/r is shifted by a constant */
    AMPHI_SHIFTED_FACTORS, /* ELBA's (1 - x)^2, A and B: algebraically the force shift */
    AMPHI_REACTION_FIELD,  /* a dielectric beyond r_c; with `from` times the switch */
    AMPHI_SWITCHED,        /* times the cubic switch from `from` to r_c */
    AMPHI_TREATMENTS
} AmphiTreatmentType;

typedef struct {
    int32_t type; /* AmphiTreatmentType */
    double  cutoff_nm;
    double  from_nm;             /* where the switch begins; 0 or cutoff_nm: no switch */
    double  permittivity;        /* beyond the cut-off, of the reaction field */
    double  permittivity_within; /* by it the Coulomb constant is divided */
} AmphiTreatment;

/* Added to a radial function v(r): c0 + c1 r + c2 r^2. */
typedef struct {
    double c0, c1, c2;
} AmphiShift;

static inline bool amphi_treatment_switches(const AmphiTreatment *t)
{
    return (t->type == AMPHI_SWITCHED || t->type == AMPHI_REACTION_FIELD) && t->from_nm > 0 &&
           t->from_nm < t->cutoff_nm;
}

/* Are energy and forces zero at the cut-off by the shifts alone? */
static inline bool amphi_treatment_vanishes(const AmphiTreatment *t)
{
    return t->type == AMPHI_FORCE_SHIFT || t->type == AMPHI_SHIFTED_FACTORS ||
           t->type == AMPHI_QUADRATIC_SHIFT;
}

/* The shift of a radial function with value v and slope dv at the cut-off. Energy shift:
 * -v; force shift: -v - (r - r_c) dv (Toxvaerd & Dyre, J. Chem. Phys. 134, 081102 (2011));
 * quadratic: -v - (r^2 - r_c^2) dv / (2 r_c) (Stoddard & Ford, Phys. Rev. A 8, 1504 (1973)). */
static inline AmphiShift amphi_shift(const AmphiTreatment *t, double v, double dv)
{
    const double rc = t->cutoff_nm;

    switch (t->type) {
    case AMPHI_ENERGY_SHIFT:
        return (AmphiShift){ -v, 0, 0 };
    case AMPHI_FORCE_SHIFT:
    case AMPHI_SHIFTED_FACTORS:
        return (AmphiShift){ -v + rc * dv, -dv, 0 };
    case AMPHI_QUADRATIC_SHIFT:
        return (AmphiShift){ -v + 0.5 * rc * dv, 0, -0.5 * dv / rc };
    default:
        return (AmphiShift){ 0, 0, 0 };
    }
}

/* k_rf = 2 (eps - eps_w) / ((2 eps + eps_w) r_c^3), eps_w the permittivity within the cut-off, by
 * which the Coulomb constant is divided: the field of a dipole p in its cavity is k_rf p. Barker &
 * Watts, Mol. Phys. 26, 789 (1973); with eps_w Tironi et al., J. Chem. Phys. 102, 5451 (1995), for
 * no ions beyond. Zero for the other treatments. */
static inline double amphi_reaction_field(const AmphiTreatment *t)
{
    const double rc = t->cutoff_nm;

    if (t->type != AMPHI_REACTION_FIELD)
        return 0;
    return 2 * (t->permittivity - t->permittivity_within) /
           ((2 * t->permittivity + t->permittivity_within) * rc * rc * rc);
}

#endif
