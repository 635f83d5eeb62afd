/* The number types of a typed file: what `real`, `scalar` and AMPHI_T mean in this build.
 *
 * A typed file is compiled with exactly one of AMPHI_BUILD_SINGLE, _DOUBLE, _FIXED. `scalar` is one
 * number (parameters, literals, sums); `real` is what a formula sees: one number, or a group of
 * lanes (lanes.h). Untyped files speak double and must not come here.
 */
#ifndef AMPHI_NUM_REAL_H
#define AMPHI_NUM_REAL_H

#include <stdint.h>

#include "both.h"

#if defined(AMPHI_BUILD_SINGLE)
typedef float scalar;
#define AMPHI_T(name) name##_single
#elif defined(AMPHI_BUILD_DOUBLE)
typedef double scalar;
#define AMPHI_T(name) name##_double
#elif defined(AMPHI_BUILD_FIXED)
typedef float scalar;
#define AMPHI_T(name) name##_fixed
#else
#error "real.h belongs to files with a precision: untyped files speak double"
#endif

#include "lanes.h"

typedef struct {
    real x, y, z;
} real3;

typedef struct {
    real w, x, y, z; /* scalar first; body to space */
} quat;

#endif
