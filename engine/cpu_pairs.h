/* Pair forces on the CPU: tables for each precision and instruction set, over one neighbour list.
 *
 * Rows are full: every pair is evaluated from both sides, so nothing is written to the neighbour,
 * and the result does not depend on the number of threads.
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
    /* Adds forces and torques to the bodies, for whose positions the list must not be stale, and
     * what `needs` asks for to the sums. */
    void (*compute)(AmphiCpuPairs *, AmphiBodies *, uint32_t needs, AmphiSums *);
} AmphiCpuPairsTable;

extern const AmphiCpuPairsTable amphi_cpu_pairs_single_v3, amphi_cpu_pairs_single_v4;
extern const AmphiCpuPairsTable amphi_cpu_pairs_double_v3, amphi_cpu_pairs_double_v4;
extern const AmphiCpuPairsTable amphi_cpu_pairs_fixed_v3, amphi_cpu_pairs_fixed_v4;

#endif
