/* The monotonic clock of POSIX. */
#include "clock.h"

#include <time.h>

double amphi_clock_s(void)
{
    struct timespec now = { .tv_sec = 0 };

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
