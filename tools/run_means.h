/* Results of a run, read from its tables, and published values to compare them with. */
#ifndef AMPHI_TOOLS_RUN_MEANS_H
#define AMPHI_TOOLS_RUN_MEANS_H

#include <stdio.h>

#include "../engine/job.h"

typedef struct {
    double value, error; /* NaN: not known */
    bool   is_rough;     /* is the error a rough one? (engine/blocks.h) */
} ToolMean;

#define TOOL_ROUGH_ERROR "the run is short for this error, which is a rough one"

/* Temperatures and density are means over the last stage in energy.tsv, the others over all samples
 * of their observers. */
typedef struct {
    const char *stage;                /* the name of that stage; NULL: not known */
    ToolMean    area_nm2, volume_nm3; /* of a lipid */
    ToolMean    thickness_nm, density_g_cm3;
    ToolMean    temperature_K, translation_K, rotation_K;
    bool        leaflets_differ; /* in their numbers of lipids: the area is that of the larger */
} ToolMeans;

/* Does an output of the job write this table, "area.tsv"? Those of an output that was removed from
 * the job stay in the folder of its run, and are none of its results. job NULL: true. */
bool tool_is_written(const AmphiJob *job, const char *table);

/* Reads the means of the job's run in `dir`; those that it has no output for, or whose table cannot
 * be read, are not known. */
void tool_means_read(const char *dir, const AmphiJob *job, ToolMeans *means);

/* "303.2 +- 0.1", or "303.2" if the error is not known; written to text[64], which is returned. */
const char *tool_mean_text(const ToolMean *mean, char text[64]);

/* Prints the means that are known, without temperatures, and below each its published values. The
 * density is printed only for systems without lipids. */
void tool_means_print(const ToolMeans *means, const AmphiJob *job, FILE *out);

#endif
