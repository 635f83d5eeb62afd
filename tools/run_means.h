/* What a run found, read back from its tables, beside what others published. */
#ifndef AMPHI_TOOLS_RUN_MEANS_H
#define AMPHI_TOOLS_RUN_MEANS_H

#include <stdio.h>

#include "../engine/job.h"

typedef struct {
    double value, error; /* NaN: not known */
} ToolMean;

/* Temperatures and density are of the last stage in energy.tsv, the others of all that their
 * observers saw. */
typedef struct {
    ToolMean area_nm2, volume_nm3; /* of a lipid */
    ToolMean thickness_nm, density_g_cm3;
    ToolMean translation_K, rotation_K;
} ToolMeans;

/* Of the run in `dir`. A table that is not there, or cannot be read, leaves its means unknown. */
void tool_means_read(const char *dir, const AmphiSystem *system, ToolMeans *means);

/* "303.2 +- 0.1", the error only where it is known. Into text[64]. */
const char *tool_mean_text(const ToolMean *mean, char text[64]);

/* A line for each that is known but the temperatures, and one for each published value; the density
 * only of a system without lipids. */
void tool_means_print(const ToolMeans *means, const AmphiJob *job, FILE *out);

#endif
