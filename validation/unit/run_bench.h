/* A job in a folder of its own, and runs of it: 100 ELBA waters through minimisation, NVT, NPT and
 * NVE.
 */
#ifndef AMPHI_VALIDATION_RUN_BENCH_H
#define AMPHI_VALIDATION_RUN_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../../engine/run_parts.h"
#include "job_folder.h"

/* Twenty steps down, 50, 50 and 100 forward. */
enum { ALL_STEPS = 220 };

typedef struct {
    char      *folder;
    AmphiJob  *job;
    JobReading reading;
    char       dir[8][64]; /* run directories below the folder */
    AmphiError err;
} Bench;

/* The job with `from` replaced; NULL: as it is. */
void open_bench(Bench *b, const char *from, const char *to);
/* The same with several changes: from, to, from, to, ..., NULL. */
void open_changed(Bench *b, const char *const *change);
void close_bench(Bench *b);

AmphiRunOptions options_of(const char *dir, const char *backend, AmphiPrecision precision);
/* Opens, runs, closes. */
AmphiStatus run_once(Bench *b, const AmphiRunOptions *o, AmphiRunInfo *info);
AmphiStatus run_to(Bench *b, AmphiRunOptions o, int64_t n_steps);
/* The same on a machine that `change` makes of the run's backend, which *honest still is. */
AmphiStatus run_on(Bench *b, const AmphiRunOptions *o, void (*change)(AmphiBackend *machine),
                   const AmphiBackend **honest);

/* Ends the test as skipped, and says so. */
void skip_without_device(AmphiPrecision precision);

bool is_same_file(const char *one, const char *other, const char *name);
void check_same_file(const char *one, const char *other, const char *name);
void check_same_run(const char *one, const char *other);
bool is_there(const char *dir, const char *name);
/* Changes a byte in the middle. */
void damage(const char *dir, const char *name);

#endif
