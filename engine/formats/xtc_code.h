/* The coordinates of XTC frames: whole numbers as a string of bits, and back. Private to xtc.c and
 * xtc_write.c.
 *
 * The string consists of groups. A group is a whole bead (its distance from the lowest corner, as
 * one number of mixed base x y z), one bit, and a run of up to 8 small beads (their distance from
 * the bead before, each axis within half a small size). The bit says whether five more follow,
 * which are 3 * run + change + 1; without them the run is as long as that of the group before, and
 * 0 in the first. A change of -1 or 1 is of the index of the small size, from the next group on.
 * Where there is a run, the whole bead is the second of the group, the first small one is the first
 * bead as seen from it, and the second small one is seen from that: so an oxygen may stand between
 * its hydrogens.
 */
#ifndef AMPHI_ENGINE_FORMATS_XTC_CODE_H
#define AMPHI_ENGINE_FORMATS_XTC_CODE_H

#include <stdbool.h>
#include <stdint.h>

/* What a frame tells before the string of bits. */
typedef struct {
    int32_t low[3], high[3]; /* the smallest and the largest number of each axis */
    int32_t small;           /* index of the small size of the first group */
} XtcRange;

/* Numbers beyond this are refused: readers keep them, and their differences, in 31 bits and
 * floats. */
#define XTC_LARGEST 2147483392

/* What making a string of bits for n beads takes. */
typedef struct {
    uint32_t (
        *gap)[2];     /* [n] the largest of three distances to the next bead, and to that behind */
    uint16_t *choice; /* [n] what a group that begins there is */
} XtcWork;

/* The shortest string among those with one small size, which it chooses. low and high are given;
 * extents are below XTC_LARGEST. bytes have room for xtc_most_bytes. Returns their number. */
int64_t xtc_most_bytes(int64_t n_beads);
int64_t xtc_encode(XtcRange *range, const int32_t (*number)[3], int32_t n_beads, XtcWork *work,
                   unsigned char *bytes);

/* Reads n_beads, of which each takes at least two bits, into number / per_nm. NULL, or why it
 * cannot. */
const char *xtc_decode(const XtcRange *range, const unsigned char *bytes, int64_t n_bytes,
                       int32_t n_beads, double per_nm, double (*position_nm)[3]);

#endif
