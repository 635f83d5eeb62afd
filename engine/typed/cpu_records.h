/* Records: what the vectorised kernels read of a bead. There is one for each kind of axis. */
#ifndef AMPHI_TYPED_CPU_RECORDS_H
#define AMPHI_TYPED_CPU_RECORDS_H

#include <stdint.h>

#include "../num/real.h"

/* Coordinates as integer fractions of the box edge, whose differences wrap to the nearest image.
 * Not in double, because AVX2 cannot convert 64-bit integers. */
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

/* Eight numbers, which are read by one load and transposed with those of other lanes. */
typedef struct {
    coordinate at[3];
    scalar     spare;
    scalar     value[4]; /* axis and charge; or a quaternion */
} Record;

/* Which records a pass reads. */
typedef enum { DIPOLES, UNIT_AXES, FRAMES, RECORD_KINDS } RecordKind;
enum { AXIS_KINDS = FRAMES };

#endif
