/* Describes the scales of fixed precision, from their table. */
#ifndef AMPHI_TOOLS_TOPICS_FIXED_H
#define AMPHI_TOOLS_TOPICS_FIXED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The name of the k-th scale, "fixed force"; NULL after the last. */
const char *scale_name(int32_t k);
void        describe_scale(int32_t k, bool as_json, FILE *out);

#endif
