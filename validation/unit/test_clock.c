/* The clock of intervals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <time.h>

#include "../../engine/clock.h"

static void a_pause_takes_its_seconds(void **state)
{
    const struct timespec pause = { .tv_nsec = 20000000 };
    const double          began = amphi_clock_s();

    (void)state;
    nanosleep(&pause, NULL);
    const double took = amphi_clock_s() - began;

    /* not less than asked for; a busy machine makes it longer */
    assert_true(took >= 0.02 && took < 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pause_takes_its_seconds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
