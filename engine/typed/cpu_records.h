/* What kernels in lanes know of a bead: one record for each kind of axis that potentials read. */
#ifndef AMPHI_TYPED_CPU_RECORDS_H
#define AMPHI_TYPED_CPU_RECORDS_H

#include <stdint.h>

#include "../num/real.h"

/* Fractions of the box in whole numbers, whose differences wrap to the nearest image; AVX2 converts
 * none of 64 bits. */
#if !defined(AMPHI_BUILD_DOUBLE)
typedef int32_t coordinate;
#define UNITS_AN_EDGE 4294967296.0
#elif LANES == 8
typedef int64_t coordinate;
#define UNITS_AN_EDGE 18446744073709551616.0
#else
typedef double coordinate;
#define UNITS_AN_EDGE     1.0
#define WRAPS_BY_ROUNDING 1
#endif

/* What a pair reads of a bead: eight numbers, one load and a share of a transpose. */
typedef struct {
    coordinate at[3];
    scalar     spare;
    scalar     value[4]; /* axis and charge; or a quaternion */
} Record;

/* Which records a pass reads. */
typedef enum { DIPOLES, UNIT_AXES, FRAMES, RECORD_KINDS } RecordKind;
enum { AXIS_KINDS = FRAMES };

#endif
