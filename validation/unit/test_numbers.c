/* Numbers as a page shows them. */
#include "../../tools/numbers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define PM     "\xC2\xA0\xC2\xB1\xC2\xA0"
#define MINUS  "\xE2\x88\x92"
#define NARROW "\xE2\x80\xAF"
#define TIMES                                                                                      \
    "\xC2\xB7"                                                                                     \
    "10"
#define TO_MINUS "\xE2\x81\xBB"

static void an_error_has_two_digits_and_the_value_ends_where_it_ends(void **state)
{
    (void)state;
    char text[TOOL_NUMBER_SIZE];

    assert_string_equal(tool_number_pm(303.0321, 0.468, 4, text), "303.03" PM "0.47");
    assert_string_equal(tool_number_pm(0.659572, 0.000434, 4, text), "0.65957" PM "0.00043");
    assert_string_equal(tool_number_pm(-117213.4, 88.2, 4, text), MINUS "117" NARROW "213" PM "88");
    assert_string_equal(tool_number_pm(2.5, 130, 4, text), "2" PM "130");
}

static void small_and_large_values_have_a_power_of_ten(void **state)
{
    (void)state;
    char text[TOOL_NUMBER_SIZE];

    assert_string_equal(tool_number_pm(1.23e-6, 3.1e-7, 2, text),
                        "(1.23" PM "0.31)" TIMES TO_MINUS "\xE2\x81\xB6");
    assert_string_equal(tool_number_pm(-2e-9, 4e-6, 2, text),
                        "(0.0" PM "4.0)" TIMES TO_MINUS "\xE2\x81\xB6");
    assert_string_equal(tool_number(3.14159e12, 3, text), "3.14" TIMES "\xC2\xB9\xC2\xB2");
    assert_string_equal(tool_number(-0.00123456, 3, text), MINUS "0.00123");
}

static void what_is_not_known_is_a_dash_or_left_out(void **state)
{
    (void)state;
    char text[TOOL_NUMBER_SIZE];

    assert_string_equal(tool_number((double)NAN, 3, text), "\xE2\x80\x93");
    assert_string_equal(tool_number_pm((double)NAN, 1, 3, text), "\xE2\x80\x93");
    assert_string_equal(tool_number_pm(1.5, (double)NAN, 3, text), "1.50");
    assert_string_equal(tool_number_pm(1.5, 0, 3, text), "1.50");
    assert_string_equal(tool_number_pm(0.997, 1e-16, 3, text), "0.997");
    assert_string_equal(tool_number_pm((double)INFINITY, 1, 3, text), "\xE2\x80\x93");
}

static void zeros_at_the_end_go_where_there_is_no_error(void **state)
{
    (void)state;
    char text[TOOL_NUMBER_SIZE];

    assert_string_equal(tool_number_short(303, 5, text), "303");
    assert_string_equal(tool_number_short(0.689, 4, text), "0.689");
    assert_string_equal(tool_number_short(19.8, 7, text), "19.8");
    assert_string_equal(tool_number_short(0, 4, text), "0");
    assert_string_equal(tool_number_short(1e-3, 2, text), "0.001");
}

static void whole_numbers_are_grouped_from_five_digits_on(void **state)
{
    (void)state;
    char text[TOOL_NUMBER_SIZE];

    assert_string_equal(tool_number_whole(6200, text), "6200");
    assert_string_equal(tool_number_whole(2500000, text), "2" NARROW "500" NARROW "000");
    assert_string_equal(tool_number_whole(-12345, text), MINUS "12" NARROW "345");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_has_two_digits_and_the_value_ends_where_it_ends),
        cmocka_unit_test(small_and_large_values_have_a_power_of_ten),
        cmocka_unit_test(what_is_not_known_is_a_dash_or_left_out),
        cmocka_unit_test(zeros_at_the_end_go_where_there_is_no_error),
        cmocka_unit_test(whole_numbers_are_grouped_from_five_digits_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
