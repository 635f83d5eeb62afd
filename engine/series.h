/* Quantities measured in each frame: STEM.tsv with one line for each frame, and STEM-mean.tsv with
 * their means and standard errors (blocks.h).
 */
#ifndef AMPHI_ENGINE_SERIES_H
#define AMPHI_ENGINE_SERIES_H

#include "blocks.h"

typedef struct {
    const char *name; /* of the column, with its unit: "area_per_lipid_nm2" */
    const char *meaning;
} AmphiSeriesColumn;

typedef struct {
    const AmphiObserverPlace *place;
    const char               *stem, *about;
    int32_t                   n_columns;
    const AmphiSeriesColumn  *column; /* [n_columns] */
    AmphiOutfile             *file;
    AmphiBlocks               blocks;
} AmphiSeries;

/* Opens STEM.tsv. The caller has filled in `series` up to `column`; pointers are borrowed. */
AmphiStatus amphi_series_open(AmphiSeries *series, AmphiArena *arena, AmphiError *err);
AmphiStatus amphi_series_add(AmphiSeries *series, const AmphiFrame *frame, const double *values,
                             AmphiError *err);
/* A line of the means that is no mean, but follows from one. */
typedef struct {
    AmphiSeriesColumn  is;
    AmphiBlockVariance of;
    double             independent; /* samples behind it */
} AmphiSeriesRow;

/* Without frames there is no file of means. row: one more line; NULL: none. */
AmphiStatus amphi_series_write_means(const AmphiSeries *series, const AmphiSeriesRow *row,
                                     AmphiError *err);

#endif
