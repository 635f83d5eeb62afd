/* What benchmarks time: a system that is minimised, warmed up and replicated, and its steps. What
 * fails ends the process with a message.
 */
#ifndef AMPHI_VALIDATION_BENCH_PREPARE_H
#define AMPHI_VALIDATION_BENCH_PREPARE_H

#include "../../engine/amphi.h"
#include "../../engine/arena.h"
#include "../../engine/stage.h"

enum { BENCH_READ_EVERY = 1000 };

void bench_check(AmphiStatus status, const AmphiError *err);

/* Of a file, with its warnings on stderr; NULL if it is wrong. */
AmphiJob *bench_load(const char *path);

/* ensemble: as bench_device has it. */
AmphiStage bench_stage(const char *ensemble, double dt_ps, double temperature_K);

/* Copies of n beads along x and y, because z is across a membrane, for about so many. */
void bench_copies(int32_t n, double wanted, int32_t copies[3]);

/* The system minimised, 800 steps into the stage at half its time step, and replicated into the
 * arrays of the arena. */
void bench_prepare(const AmphiBackend *b, const AmphiSystem *s, AmphiStage stage,
                   const int32_t copies[3], AmphiArena *arena, AmphiSystem *out);

/* n steps, in graphs where the backend has them and AMPHI_BENCH_LOOP is not set, and a frame with
 * what is needed of every BENCH_READ_EVERY-th. */
void bench_walk(const AmphiBackend *b, AmphiState *state, int64_t n, uint32_t needs);

#endif
