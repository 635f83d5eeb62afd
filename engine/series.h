/* Numbers that are measured in each frame: a line a frame in STEM.tsv, and their means with standard
 * errors in STEM-mean.tsv.
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

/* Opens STEM.tsv; all else in `series` is filled in by the caller and borrowed. */
AmphiStatus amphi_series_open(AmphiSeries *series, AmphiArena *arena, AmphiError *err);
AmphiStatus amphi_series_add(AmphiSeries *series, const AmphiFrame *frame, const double *values,
                             AmphiError *err);
AmphiStatus amphi_series_write_means(const AmphiSeries *series, AmphiError *err);

#endif
