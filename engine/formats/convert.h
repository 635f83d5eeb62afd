/* Coordinates and trajectories from one format to another: the work of `amphi convert`.
 *
 *   gro pdb <-> gro pdb          chk data -> gro pdb data psf dcd chk, as far as they know
 *   dcd -> dcd gro pdb           with a topology also data's and psf's charges, masses, bonds
 *
 * What an input lacks is never made up, names apart: it is an error that says what is missing and
 * which files have it.
 */
#ifndef AMPHI_ENGINE_FORMATS_CONVERT_H
#define AMPHI_ENGINE_FORMATS_CONVERT_H

#include "../error.h"

/* Every frame of a DCD file into another; the first of all other files. */
#define AMPHI_FRAMES_ALL INT64_MIN

typedef struct {
    const char *topology;                /* names, types, charges, masses, bonds; NULL: none */
    int64_t     frame;                   /* 0 the first, -1 the last, or AMPHI_FRAMES_ALL */
    const char *from_format, *to_format; /* NULL: by the endings of the paths */
} AmphiConvertOptions;

/* AMPHI_BAD_INPUT when notes have errors (err names the file), AMPHI_BAD_FILE when writing failed,
 * AMPHI_NO_MEMORY. `to` is replaced whole or left as it was. */
AmphiStatus amphi_convert(const char *from, const char *to, const AmphiConvertOptions *options,
                          AmphiNotes *notes, AmphiError *err);

#endif
