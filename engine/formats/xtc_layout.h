/* The layout of XTC frames: big endian, in units of four bytes. Private to xtc.c and xtc_write.c.
 */
#ifndef AMPHI_ENGINE_FORMATS_XTC_LAYOUT_H
#define AMPHI_ENGINE_FORMATS_XTC_LAYOUT_H

#include "snapshot.h"

/* Where the parts of a frame begin. With XTC_MOST_FLOATS beads or fewer, positions as floats follow
 * the second count; else what lies from XTC_PER_NM on. */
enum {
    XTC_MAGIC_AT = 0,
    XTC_COUNT_AT = 4,
    XTC_STEP_AT  = 8,
    XTC_TIME_AT  = 12,
    XTC_BOX_AT   = 16, /* three vectors, in nm */
    XTC_AGAIN_AT = 52, /* the number of beads once more */
    XTC_FRONT    = 56,
    XTC_PER_NM   = 56,
    XTC_LOW      = 60,
    XTC_HIGH     = 72,
    XTC_SMALL    = 84,
    XTC_LENGTH   = 88, /* of the string of bits in bytes; zeros behind it fill up four */
    XTC_HEAD     = 92
};

enum {
    XTC_MAGIC       = 1995,
    XTC_MAGIC_WIDE  = 2023, /* lengths of eight bytes, for more than XTC_MOST_BEADS */
    XTC_MOST_FLOATS = 9,
    XTC_MOST_BEADS  = 298261617
};

static inline int64_t xtc_padded(int64_t n_bytes)
{
    return (n_bytes + 3) / 4 * 4;
}

/* A file of one frame, written whole or not at all. */
AmphiStatus amphi_xtc_write_one(const char *path, const AmphiSnapshot *snapshot, AmphiError *err);

#endif
