/* The names of the energy terms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "../../engine/frame.h"

static void every_term_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (int a = 0; a < AMPHI_TERMS; a++) {
        assert_true(strlen(amphi_term_name((AmphiTermSlot)a)) > 1);
        for (int b = 0; b < a; b++)
            assert_string_not_equal(amphi_term_name((AmphiTermSlot)a),
                                    amphi_term_name((AmphiTermSlot)b));
    }
    assert_string_equal(amphi_term_name(AMPHI_POSITION_RESTRAINT), "position-restraint");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_term_has_a_name_of_its_own),
    };
    return cmocka_run_group_tests_name("frame", tests, NULL, NULL);
}
