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

/* Energies, virials and forces of the reference at the start that the comparison found. The frame's
 * arrays are the caller's until bench_forget closes their state. */
AmphiState *bench_exact(CompareBench *b, AmphiFrame *frame);
void        bench_forget(AmphiState *state);

/* The row of a part; fails the test when there is none. */
const CompareRow *bench_row(const CompareBench *b, const char *part, const char *quantity);
bool              bench_has(const CompareBench *b, const char *part, const char *quantity);

/* Spoilt tables: the force on bead 7, the energy and the xx component of the virial of
 * Lennard-Jones are too large by these parts; the forces on bead 7 and on the last one are not
 * finite where they are told; bead 7 starts 1e-6 nm aside; a kick that fails the 30th time; the
 * energy is not finite the 30th time. */
enum { SPOILT_BEAD = 7 };
#define SPOILT_FORCE  1e-3
#define SPOILT_ENERGY 1e-4
#define SPOILT_VIRIAL 1e-2
AmphiBackend bench_wrong_force(void);
AmphiBackend bench_no_force(void);
AmphiBackend bench_moved_start(void);
AmphiBackend bench_failing_kick(void);
AmphiBackend bench_lost_energy(void);

#endif
