/* Formats numbers for a page, in UTF-8. All functions return `text`. */
#ifndef AMPHI_TOOLS_NUMBERS_H
#define AMPHI_TOOLS_NUMBERS_H

#include <stdint.h>

enum { TOOL_NUMBER_SIZE = 128 };

/* "303.03 ± 0.47": the error with two digits, the value to the same decimal place, or
 * "(1.2 ± 0.3)·10⁻⁶" for very large and small values. An error that is not finite, or
 * rounds to zero, is left out, and the value has `digits` significant digits. */
const char *tool_number_pm(double value, double error, int digits, char text[TOOL_NUMBER_SIZE]);
/* "0.00123", "1.23·10⁻⁶", "−12.5"; not finite: an en dash. */
const char *tool_number(double value, int digits, char text[TOOL_NUMBER_SIZE]);
/* The same without trailing zeros: "303", "0.689"; for values without an error. */
const char *tool_number_short(double value, int digits, char text[TOOL_NUMBER_SIZE]);
/* "2 500 000", with narrow no-break spaces. */
const char *tool_number_whole(int64_t value, char text[TOOL_NUMBER_SIZE]);

#endif
