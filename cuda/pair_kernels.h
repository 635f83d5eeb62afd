/* The instances of a kernel of pair forces, one for each set of classes, level of sums and layout
 * of rows; which of them a system takes, and how many blocks.
 */
#ifndef AMPHI_CUDA_PAIR_KERNELS_H
#define AMPHI_CUDA_PAIR_KERNELS_H

#include "pair_row.h"

enum { N_SETS = 7 };

#define KERNELS_AT(kernel, SET, LEVEL)                                                             \
    {                                                                                              \
        kernel<SET, LEVEL, 4>, kernel<SET, LEVEL, 8>, kernel<SET, LEVEL, 16>,                      \
            kernel<SET, LEVEL, 4 | WIDE>                                                           \
    }
#define KERNELS_OF(kernel, SET)                                                                    \
    {                                                                                              \
        KERNELS_AT(kernel, SET, NO_SUMS), KERNELS_AT(kernel, SET, VIRIALS),                        \
            KERNELS_AT(kernel, SET, QUICK)                                                         \
    }

/* [set][level][layout] */
#define ALL_KERNELS(kernel)                                                                        \
    {                                                                                              \
        KERNELS_OF(kernel, SET_WATER), KERNELS_OF(kernel, SET_SSD_WATER),                          \
            KERNELS_OF(kernel, SET_ELBA), KERNELS_OF(kernel, SET_SSD),                             \
            KERNELS_OF(kernel, SET_GAY_BERNE_FLUID), KERNELS_OF(kernel, SET_GAY_BERNE),            \
            KERNELS_OF(kernel, SET_ALL)                                                            \
    }

static const uint32_t sets[N_SETS] = { SET_WATER,           SET_SSD_WATER, SET_ELBA, SET_SSD,
                                       SET_GAY_BERNE_FLUID, SET_GAY_BERNE, SET_ALL };

static inline int32_t choose_set(const struct ForcesPlan *plan)
{
    int32_t set = 0;

    while ((plan->classes & ~sets[set]) != 0 || (set_vanishes(sets[set]) && plan->has_edge) ||
           (plan->sticky.pass != NULL && !set_has_sticky(sets[set])) ||
           (has_one_pass(sets[set]) && !plan->has_one_pass))
        set++;
    return set;
}

/* Up to so many beads 16 lanes a bead take less time than 8, by set of classes (one H200, boxes of
 * 3000 to 12 300 beads): about until blocks no longer fit the device at once; of water, whose lanes
 * fetch ahead (22.4 instead of 29.2 us a step of 8192 beads), longer. */
#if defined(AMPHI_BUILD_SINGLE)
static const int32_t beads_of_16_lanes[N_SETS] = { 12500, 7300, 9600, 5000, 7000, 6000, 10000 };
#elif defined(AMPHI_BUILD_DOUBLE)
static const int32_t beads_of_16_lanes[N_SETS] = { 7000, 4000, 7300, 4000, 3500, 3500, 7300 };
#else
static const int32_t beads_of_16_lanes[N_SETS] = { 10000, 6500, 10000, 6500, 5000, 5000, 10000 };
#endif

/* Small systems need many lanes to fill the device; in large ones more beads a warp waste less at
 * the ends of stretches. */
static inline int32_t choose_lanes(int32_t n_beads, int32_t set)
{
    return n_beads <= beads_of_16_lanes[set] ? 16 : n_beads <= PLAIN_BEADS ? 8 : 4;
}

static inline int32_t blocks_for(int64_t threads)
{
    return (int32_t)((threads + PAIR_BLOCK - 1) / PAIR_BLOCK);
}

static inline size_t shared_bytes(const Device *d)
{
    if (!looks_up_lj(sets[d->forces->set]))
        return 0;
    return sizeof(LjForce) * (size_t)d->view.n_types * (size_t)d->view.n_types;
}

/* Rows of neighbouring beads share most of their records: the first cache is worth more than shared
 * memory, of which as many blocks as fit get no more than they need. Not in small systems: while a
 * processor has blocks of a kernel that divides it otherwise, those of the next cannot begin (SSD
 * water of 2304 beads takes 10.8 us a step instead of 12.1). */
template <class Kernel>
static AmphiStatus allow_shared(const Device *d, Kernel *const (&kernels)[SUMS_LEVELS][N_LAYOUTS],
                                AmphiError   *err)
{
    enum { SYSTEMS_OWN = 1024 }; /* in every block */
    const size_t bytes = shared_bytes(d);
    int          most = 0, all = 0;

    CUDA_TRY(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, d->device));
    CUDA_TRY(cudaDeviceGetAttribute(&all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, d->device));
    if (bytes > (size_t)most)
        return amphi_fail(err, AMPHI_BAD_INPUT,
                          "%d bead types are more than the device's shared memory has room for",
                          d->view.n_types);
    for (int level = 0; level < SUMS_LEVELS; level++)
        for (int k = 0; k < N_LAYOUTS; k++) {
            const void  *kernel = (const void *)kernels[level][k];
            const size_t wanted = 8 * (bytes + SYSTEMS_OWN) * 100 / (size_t)all + 1;

            CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                          (int)bytes));
            if (k != INDEX_OF_16)
                CUDA_TRY(cudaFuncSetAttribute(kernel,
                                              cudaFuncAttributePreferredSharedMemoryCarveout,
                                              wanted < 100 ? (int)wanted : 100));
        }
    return AMPHI_OK;
}

#endif
