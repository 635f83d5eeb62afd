/* libFuzzer: any bytes as a number with a unit, in every dimension. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../engine/units.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void hold(bool is_true)
{
    if (!is_true)
        abort();
}

/* A value comes with success only, and is finite; a unit alone gives the value of 1 of it. */
static void read_as(const char *text, AmphiDimension dimension)
{
    const double untouched = 77.125;
    double       value = untouched, factor = untouched;

    const AmphiUnitFault fault = amphi_units_parse(text, dimension, &value);
    hold(fault == AMPHI_UNIT_OK ? isfinite(value) : value == untouched);

    const AmphiUnitFault alone = amphi_units_factor(text, dimension, &factor);
    hold(alone == AMPHI_UNIT_OK ? isfinite(factor) && factor >= 0 : factor == untouched);
    if (alone != AMPHI_UNIT_OK || text[0] == '\0')
        return;

    char *const one = malloc(strlen(text) + 3);
    hold(one != NULL);
    strcpy(one, "1 ");
    strcat(one, text);
    hold(amphi_units_parse(one, dimension, &value) == AMPHI_UNIT_OK && value == factor);
    free(one);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char *const text   = malloc(n + 1);
    double      number = 0;

    hold(text != NULL);
    memcpy(text, bytes, n);
    text[n] = '\0';
    for (int d = 0; d < AMPHI_DIMENSIONS; d++)
        read_as(text, (AmphiDimension)d);
    hold(!amphi_units_number(text, &number) || isfinite(number));
    free(text);
    return 0;
}
