/* A comparison of modes for tests: 100 ELBA waters, and backends with deliberate faults. */
#ifndef AMPHI_VALIDATION_COMPARE_BENCH_H
#define AMPHI_VALIDATION_COMPARE_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../../tools/compare.h"
#include "job_folder.h"

typedef struct {
    JobReading reading;
    Compare    c;
    AmphiError err;
} CompareBench;

/* Two modes, both cpu double; the second has the name of the backend given. The length of each run
 * is `length_ps`, in steps of 5 fs. */
void bench_open(CompareBench *b, const AmphiBackend *second, double length_ps);
void bench_close(CompareBench *b);

/* The row of a part; fails the test when there is none. */
const CompareRow *bench_row(const CompareBench *b, const char *part, const char *quantity);
bool              bench_has(const CompareBench *b, const char *part, const char *quantity);

/* Spoilt tables: the force on bead 7 is too large by a thousandth; bead 7 starts 1e-6 nm aside; a
 * kick that fails the 30th time; the energy is not finite the 30th time. */
enum { SPOILT_BEAD = 7 };
AmphiBackend bench_wrong_force(void);
AmphiBackend bench_moved_start(void);
AmphiBackend bench_failing_kick(void);
AmphiBackend bench_lost_energy(void);

#endif
