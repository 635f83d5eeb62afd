/* Conversion of coordinates and trajectories between formats, as by `amphi convert`.
 *
 *   from gro, pdb        to gro, pdb, dcd, xtc
 *   from chk, data       to gro, pdb, data, psf, dcd, xtc, chk, as far as it has what these need
 *   from dcd, xtc        to dcd, xtc, gro, pdb; with a topology also to data and psf
 *
 * Except for names, nothing that the input lacks is made up: it is an error, which says what is
 * missing and which files have it.
 */
#ifndef AMPHI_ENGINE_FORMATS_CONVERT_H
#define AMPHI_ENGINE_FORMATS_CONVERT_H

#include "../error.h"

/* Every frame, from one trajectory to another; for other files the same as 0. */
#define AMPHI_FRAMES_ALL INT64_MIN

typedef struct {
    const char *topology;                /* a file with names, types, masses, bonds; NULL: none */
    int64_t     frame;                   /* 0: the first; -1: the last; or AMPHI_FRAMES_ALL */
    const char *from_format, *to_format; /* NULL: by the extensions of the paths */
} AmphiConvertOptions;

/* AMPHI_BAD_INPUT: there are errors in notes (err names the file). AMPHI_BAD_FILE: writing failed.
 * AMPHI_NO_MEMORY. On failure `to` is left as it was. */
AmphiStatus amphi_convert(const char *from, const char *to, const AmphiConvertOptions *options,
                          AmphiNotes *notes, AmphiError *err);

#endif
