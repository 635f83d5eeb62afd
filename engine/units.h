/* Internal units, physical constants, and the conversion of texts such as "20 fs" to numbers.
 *
 * Length nm, time ps, mass u, energy kJ/mol, charge e, temperature K, angle rad: a coherent set
 * (1 u nm^2/ps^2 = 1 kJ/mol). Constants are CODATA 2018.
 */
#ifndef AMPHI_ENGINE_UNITS_H
#define AMPHI_ENGINE_UNITS_H

#include <stdbool.h>
#include <stddef.h>

#define AMPHI_AVOGADRO  6.02214076e23       /* 1/mol, exact */
#define AMPHI_BOLTZMANN 0.00831446261815324 /* kJ/mol/K, exact */
#define AMPHI_COULOMB   138.935457644       /* kJ nm/mol/e^2, from eps0 8.8541878128e-12 F/m */
#define AMPHI_DEBYE     0.0208194332709     /* e nm, 1e-21/299792458 C m over 1.602176634e-19 C */
#define AMPHI_BAR       0.0602214076        /* kJ/mol/nm^3, exact */
#define AMPHI_KCAL      4.184               /* kJ, thermochemical */
#define AMPHI_ATM       1.01325             /* bar, exact */

typedef enum {
    AMPHI_DIM_NUMBER, /* no unit */
    AMPHI_DIM_WHOLE,  /* no unit; the caller checks that the number is whole */
    AMPHI_DIM_FLAG,   /* yes or no (true or false), as 1 or 0 */
    AMPHI_DIM_LENGTH,
    AMPHI_DIM_TIME,
    AMPHI_DIM_MASS,
    AMPHI_DIM_ENERGY,
    AMPHI_DIM_CHARGE,
    AMPHI_DIM_DIPOLE,
    AMPHI_DIM_ANGLE,
    AMPHI_DIM_TEMPERATURE,
    AMPHI_DIM_PRESSURE,
    AMPHI_DIM_AREA,
    AMPHI_DIM_VOLUME,
    AMPHI_DIM_DENSITY,           /* mass by volume */
    AMPHI_DIM_NUMBER_DENSITY,    /* 1/nm^3 */
    AMPHI_DIM_INERTIA,           /* u nm^2 */
    AMPHI_DIM_ENERGY_PER_AREA,   /* kJ/mol/nm^2 */
    AMPHI_DIM_ENERGY_PER_ANGLE2, /* kJ/mol/rad^2 */
    AMPHI_DIM_COULOMB,           /* kJ nm/mol/e^2 */
    AMPHI_DIM_FORCE,             /* kJ/mol/nm */
    AMPHI_DIM_COMPRESSIBILITY,   /* nm^3 mol/kJ */
    AMPHI_DIM_DRIFT,             /* of an energy: kT/ps/dof */
    AMPHI_DIM_WALL_TIME,         /* time on the clock, in ps like any other */
    AMPHI_DIMENSIONS
} AmphiDimension;

typedef enum {
    AMPHI_UNIT_OK,
    AMPHI_UNIT_NOT_A_NUMBER, /* no number at the start, or not finite */
    AMPHI_UNIT_MISSING,      /* a bare number */
    AMPHI_UNIT_UNKNOWN,      /* a symbol that is no unit */
    AMPHI_UNIT_WRONG,        /* a unit of another dimension; kJ is not kJ/mol */
    AMPHI_UNIT_NOT_WANTED    /* a unit after a quantity that has none */
} AmphiUnitFault;

/* Converts a number with its unit to internal units: "20 fs" as a time is 0.02. Blanks are allowed
 * at both ends and before the unit, nothing else. *value is set only with AMPHI_UNIT_OK. */
AmphiUnitFault amphi_units_parse(const char *text, AmphiDimension dimension, double *value);
/* "100 steps" to *steps, or a quantity to *value; the other becomes 0. */
AmphiUnitFault amphi_units_interval(const char *text, AmphiDimension dimension, double *value,
                                    double *steps);
/* The value of a unit in internal units: "fs" as a time is 0.001. */
AmphiUnitFault amphi_units_factor(const char *unit, AmphiDimension dimension, double *factor);
/* A text that is nothing but a finite number, with the decimal point of the C locale. */
bool amphi_units_number(const char *text, double *value);

/* A text that is not a quantity, as other programs write it: "0.65 nm2", "1 kJ mol^-1 nm^-2". True:
 * `meant` has it as it is written here. */
bool        amphi_units_meant(const char *text, AmphiDimension dimension, char *meant, size_t size);
const char *amphi_units_name(AmphiDimension dimension);     /* "length", "a number without unit" */
const char *amphi_units_internal(AmphiDimension dimension); /* "nm", "" */
const char *amphi_units_known(AmphiDimension dimension);    /* "nm pm A um mm cm m" */

#endif
