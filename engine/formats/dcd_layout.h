/* The layout of DCD files. Private to dcd.c and dcd_write.c. */
#ifndef AMPHI_ENGINE_FORMATS_DCD_LAYOUT_H
#define AMPHI_ENGINE_FORMATS_DCD_LAYOUT_H

#include <math.h>

#include "../units.h"
#include "snapshot.h"

enum {
    MARK         = 4, /* bytes of a record's length, in front of it and behind */
    N_NUMBERS    = 20,
    HEADER_BYTES = 4 + 4 * N_NUMBERS,
    TITLE_BYTES  = 4 + 80,
    CELL_BYTES   = 6 * 8,
    PIECE        = 1024 /* floats that are converted at once */
};

/* A record of 4 bytes a bead must keep its length in 31 bits. */
#define DCD_MOST_BEADS (INT32_MAX / 4)

/* Indices of the numbers in the header. */
enum {
    N_FRAMES      = 0,
    FIRST_STEP    = 1,
    STEPS_BETWEEN = 2,
    N_STEPS       = 3,
    N_FIXED       = 8,
    DT            = 9, /* a float */
    HAS_CELL      = 10,
    HAS_FOURTH    = 11,
    VERSION       = 19 /* of CHARMM; 24 in all programs of today */
};

/* The first word of the title. */
#define DCD_TITLE "amphi"

/* CHARMM's unit of time: sqrt(u A^2/(kcal/mol)), 48.888 fs. */
static inline double dcd_time_unit_ps(void)
{
    return sqrt(0.01 / AMPHI_KCAL);
}

static inline int64_t dcd_frame_bytes(int64_t n_beads, bool has_cell)
{
    return (has_cell ? CELL_BYTES + 2 * MARK : 0) + 3 * (4 * n_beads + 2 * MARK);
}

/* A file of one frame, written whole or not at all. */
AmphiStatus amphi_dcd_write_one(const char *path, const AmphiSnapshot *snapshot, AmphiError *err);

#endif
