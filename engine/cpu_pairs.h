/* Pair forces on the CPU: one table of functions for each precision and instruction set (v3: AVX2,
 * v4: AVX-512).
 *
 * Lists are full: every pair is evaluated once for each of its beads, so that nothing is written to
 * the neighbour, and the result does not depend on the number of threads.
 */
#ifndef AMPHI_ENGINE_CPU_PAIRS_H
#define AMPHI_ENGINE_CPU_PAIRS_H

#include "cpu_list.h"
#include "host.h"

typedef struct AmphiCpuPairs AmphiCpuPairs;

typedef struct {
    const char *name; /* "single avx2" */
    int32_t     lanes;
    AmphiStatus (*open)(const AmphiSystem *, const AmphiCpuList *, AmphiCpuPairs **, AmphiError *);
    void (*close)(AmphiCpuPairs *);
    /* A computation is these four in turn; the list must not be stale. `write` and `visit` are
     * called by all threads of a parallel region, which share the work and leave together. `visit`
     * sets forces and torques, in fixed precision adds to them; `add_sums` adds what `needs` asks
     * for. */
    void (*begin)(AmphiCpuPairs *, const AmphiBodies *);
    void (*write)(AmphiCpuPairs *, const AmphiBodies *);
    void (*visit)(AmphiCpuPairs *, AmphiBodies *, uint32_t needs);
    void (*add_sums)(const AmphiCpuPairs *, AmphiBodies *, uint32_t needs, AmphiSums *);
} AmphiCpuPairsTable;

extern const AmphiCpuPairsTable amphi_cpu_pairs_single_v3, amphi_cpu_pairs_single_v4;
extern const AmphiCpuPairsTable amphi_cpu_pairs_double_v3, amphi_cpu_pairs_double_v4;
extern const AmphiCpuPairsTable amphi_cpu_pairs_fixed_v3, amphi_cpu_pairs_fixed_v4;

#endif
