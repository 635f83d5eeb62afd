/* Sums of forces against those of their terms (bodies_show.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../../engine/bodies_show.h"

enum { BEADS = 100 };

static AmphiSums good_sums(void)
{
    AmphiSums s = { .energy_kJ_mol    = { [AMPHI_LJ] = -1000, [AMPHI_BOND] = 300 },
                    .potential_kJ_mol = -700 };

    for (int a = 0; a < 3; a++) {
        s.virial_kJ_mol[AMPHI_LJ][a][a]           = 2000;
        s.virial_kJ_mol[AMPHI_BOND][a][a]         = -1500;
        s.virial_kJ_mol[AMPHI_LJ][a][(a + 1) % 3] = 1e6; /* no part of it */
        s.total_virial_kJ_mol[a]                  = 500;
    }
    return s;
}

/* k: 0 for the potential, or 1 + the axis of a virial. */
static bool agree_if_off(int k, double by)
{
    AmphiSums s = good_sums();

    *(k == 0 ? &s.potential_kJ_mol : &s.total_virial_kJ_mol[k - 1]) += by;
    return amphi_sums_agree(&s, BEADS);
}

static void totals_that_are_not_those_of_their_terms_are_found(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        const double size = (k == 0 ? 1000 + 300 : 2000 + 1500) + BEADS;

        assert_true(agree_if_off(k, 0));
        for (int sign = -1; sign <= 1; sign += 2) {
            assert_true(agree_if_off(k, sign * 0.99e-4 * size));
            assert_false(agree_if_off(k, sign * 1.01e-4 * size));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(totals_that_are_not_those_of_their_terms_are_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
