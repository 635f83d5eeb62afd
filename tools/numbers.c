/* Digits, signs and powers of ten of numbers for people. */
#include "numbers.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MINUS   "\xE2\x88\x92"
#define EN_DASH "\xE2\x80\x93"
#define BLANK   "\xE2\x80\xAF" /* narrow, and no place to break a line */

/* From 10 000 on digits are grouped, and powers begin where more than this many would be shown. */
enum { MOST_PLACES = 15, GROUPED_FROM = 5, MOST_DIGITS = 7, LEAST_POWER = -4 };

static int power_of(double value)
{
    const double size = fabs(value);

    return size > 0 ? (int)floor(log10(size)) : 0;
}

static void add(char *text, const char *more)
{
    const size_t n = strlen(text);

    snprintf(text + n, TOOL_NUMBER_SIZE - n, "%s", more);
}

/* With `places` digits behind the point: a minus that is as long as a plus, and groups. */
static void add_decimal(char *text, double value, int places)
{
    char       plain[64], one[2] = "";
    const int  length = snprintf(plain, sizeof plain, "%.*f", places, value);
    const int  first  = plain[0] == '-';
    const int  digits = (int)strcspn(plain, ".") - first;
    const bool groups = digits >= GROUPED_FROM;

    if (first == 1 && strspn(plain, "-0.") != (size_t)length)
        add(text, MINUS);
    for (int k = first; k < length; k++) {
        const int left = digits - (k - first);

        if (groups && k > first && left > 0 && left % 3 == 0)
            add(text, BLANK);
        one[0] = plain[k];
        add(text, one);
    }
}

static void add_power(char *text, int power)
{
    static const char *const raised[] = { "\xE2\x81\xB0", "\xC2\xB9",     "\xC2\xB2",
                                          "\xC2\xB3",     "\xE2\x81\xB4", "\xE2\x81\xB5",
                                          "\xE2\x81\xB6", "\xE2\x81\xB7", "\xE2\x81\xB8",
                                          "\xE2\x81\xB9" };
    char                     plain[16];

    snprintf(plain, sizeof plain, "%d", power);
    add(text, "\xC2\xB7"
              "10");
    for (const char *c = plain; *c != '\0'; c++)
        add(text, *c == '-' ? "\xE2\x81\xBB" : raised[*c - '0']);
}

static int places_of(int power_of_last)
{
    return power_of_last < 0 ? (power_of_last < -MOST_PLACES ? MOST_PLACES : -power_of_last) : 0;
}

static bool wants_power(int power, int power_of_last)
{
    return power < LEAST_POWER || power >= MOST_DIGITS || power - power_of_last > MOST_DIGITS + 2;
}

const char *tool_number(double value, int digits, char text[TOOL_NUMBER_SIZE])
{
    text[0] = '\0';
    if (!isfinite(value)) {
        add(text, EN_DASH);
        return text;
    }
    const int power = power_of(value), last = power - digits + 1;

    if (wants_power(power, 0)) {
        add_decimal(text, value / pow(10, power), places_of(1 - digits));
        add_power(text, power);
    } else {
        add_decimal(text, value, places_of(last));
    }
    return text;
}

const char *tool_number_pm(double value, double error, int digits, char text[TOOL_NUMBER_SIZE])
{
    const double rounding  = 1e-11 * fabs(value);
    const bool   has_error = isfinite(value) && isfinite(error) && error > rounding;

    if (!has_error)
        return tool_number(value, digits, text);

    const int last  = power_of(error) - 1;
    const int power = power_of(fmax(fabs(value), error));

    text[0] = '\0';
    if (wants_power(power, last)) {
        add(text, "(");
        add_decimal(text, value / pow(10, power), places_of(last - power));
        add(text, "\xC2\xA0\xC2\xB1\xC2\xA0");
        add_decimal(text, error / pow(10, power), places_of(last - power));
        add(text, ")");
        add_power(text, power);
    } else {
        add_decimal(text, value, places_of(last));
        add(text, "\xC2\xA0\xC2\xB1\xC2\xA0");
        add_decimal(text, error, places_of(last));
    }
    return text;
}

static int zeros_at_end(double value, int digits)
{
    char plain[64];
    int  n = 0;

    snprintf(plain, sizeof plain, "%.*e", digits > 1 ? digits - 1 : 0, value);
    for (const char *at = strchr(plain, 'e'); at != NULL && at > plain && at[-1] == '0'; at--)
        n++;
    return n;
}

const char *tool_number_short(double value, int digits, char text[TOOL_NUMBER_SIZE])
{
    const int n = isfinite(value) ? digits - zeros_at_end(value, digits) : digits;

    return tool_number(value, n < 1 ? 1 : n, text);
}

const char *tool_number_whole(int64_t value, char text[TOOL_NUMBER_SIZE])
{
    char plain[24];
    char one[2] = "";

    snprintf(plain, sizeof plain, "%" PRId64, value);
    const int first = plain[0] == '-', digits = (int)strlen(plain) - first;

    text[0] = '\0';
    if (first == 1)
        add(text, MINUS);
    for (int k = 0; k < digits; k++) {
        if (digits >= GROUPED_FROM && k > 0 && (digits - k) % 3 == 0)
            add(text, BLANK);
        one[0] = plain[first + k];
        add(text, one);
    }
    return text;
}
