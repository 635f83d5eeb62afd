/* Results of a run, read from its tables, and published values to compare them with. */
#ifndef AMPHI_TOOLS_RUN_MEANS_H
#define AMPHI_TOOLS_RUN_MEANS_H

#include <stdio.h>

#include "../engine/job.h"

typedef struct {
    double value, error; /* NaN: not known */
} ToolMean;

/* Temperatures and density are means over the last stage in energy.tsv, the others over all samples
 * of their observers. */
typedef struct {
    ToolMean area_nm2, volume_nm3; /* of a lipid */
    ToolMean thickness_nm, density_g_cm3;
    ToolMean translation_K, rotation_K;
} ToolMeans;

/* Reads the means of the run in `dir`; those whose table cannot be read are not known. */
void tool_means_read(const char *dir, const AmphiSystem *system, ToolMeans *means);

/* "303.2 +- 0.1", or "303.2" if the error is not known; written to text[64], which is returned. */
const char *tool_mean_text(const ToolMean *mean, char text[64]);

/* Prints the means that are known, without temperatures, and below each its published values. The
 * density is printed only for systems without lipids. */
void tool_means_print(const ToolMeans *means, const AmphiJob *job, FILE *out);

#endif
