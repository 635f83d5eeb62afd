/* Numbers as people write them, in UTF-8, for a page. */
#ifndef AMPHI_TOOLS_NUMBERS_H
#define AMPHI_TOOLS_NUMBERS_H

#include <stdint.h>

enum { TOOL_NUMBER_SIZE = 128 };

/* "303.03 ± 0.47": the error with two digits, the value to the same place; "(1.2 ± 0.3)·10⁻⁶" where
 * zeros would hide the digits. An error that is not finite, or zero but for rounding, is left out, and
 * the value has `digits` significant ones. Gives text back. */
const char *tool_number_pm(double value, double error, int digits, char text[TOOL_NUMBER_SIZE]);
/* "0.00123", "1.23·10⁻⁶", "−12.5"; not finite: an en dash. */
const char *tool_number(double value, int digits, char text[TOOL_NUMBER_SIZE]);
/* The same without zeros at the end: "303", "0.689". For values that come without an error. */
const char *tool_number_short(double value, int digits, char text[TOOL_NUMBER_SIZE]);
/* "2 500 000", with narrow blanks that do not break. */
const char *tool_number_whole(int64_t value, char text[TOOL_NUMBER_SIZE]);

#endif
