/* The instances of a kernel of pair forces, one for each set of classes, level of sums and layout
 * of rows; which of them a system takes, and how many blocks.
 */
#ifndef AMPHI_CUDA_PAIR_KERNELS_H
#define AMPHI_CUDA_PAIR_KERNELS_H

#include "beside.h"
#include "pair_row.h"

enum { N_SETS = 9, INDEX_OF_ELLIPSOIDS = 5 };

typedef void              PairKernel(const View, const Stretches, const Passes, PairsTurn);
typedef PairKernel *const PairKernels[N_SETS][SUMS_LEVELS][N_LAYOUTS];

#define KERNELS_AT(kernel, SET, LEVEL)                                                             \
    {                                                                                              \
        kernel<SET, LEVEL, 4>, kernel<SET, LEVEL, 8>, kernel<SET, LEVEL, 16>,                      \
            kernel<SET, LEVEL, 4 | WIDE>, kernel<SET, LEVEL, 4 | HALVES>                           \
    }
#define SORTED_AT(kernel, SET, LEVEL)                                                              \
    {                                                                                              \
        kernel<SET, LEVEL, 4>, NULL, NULL, kernel<SET, LEVEL, 4 | WIDE>,                           \
            kernel<SET, LEVEL, 4 | HALVES>                                                         \
    }
#define UNSORTED_AT(kernel, SET, LEVEL)                                                            \
    {                                                                                              \
        NULL, kernel<SET, LEVEL, 8>, kernel<SET, LEVEL, 16>, NULL, NULL                            \
    }
#define KERNELS_OF(at, kernel, SET)                                                                \
    {                                                                                              \
        at(kernel, SET, NO_SUMS), at(kernel, SET, VIRIALS), at(kernel, SET, QUICK)                 \
    }

/* [set][level][layout]. Only where rows are sorted, ellipsoids among others have a kernel of their
 * own. */
#define ALL_KERNELS(kernel)                                                                        \
    {                                                                                              \
        KERNELS_OF(KERNELS_AT, kernel, SET_WATER), KERNELS_OF(KERNELS_AT, kernel, SET_SSD_WATER),  \
            KERNELS_OF(KERNELS_AT, kernel, SET_ELBA), KERNELS_OF(KERNELS_AT, kernel, SET_SSD),     \
            KERNELS_OF(KERNELS_AT, kernel, SET_GAY_BERNE_FLUID),                                   \
            KERNELS_OF(KERNELS_AT, kernel, SET_GAY_BERNE),                                         \
            KERNELS_OF(SORTED_AT, kernel, SET_OTHERS), KERNELS_OF(SORTED_AT, kernel, SET_EDGES),   \
            KERNELS_OF(UNSORTED_AT, kernel, SET_ALL)                                               \
    }

static constexpr uint32_t sets[N_SETS] = { SET_WATER,  SET_SSD_WATER,       SET_ELBA,
                                           SET_SSD,    SET_GAY_BERNE_FLUID, SET_GAY_BERNE,
                                           SET_OTHERS, SET_EDGES,           SET_ALL };
static_assert(sets[INDEX_OF_ELLIPSOIDS] == SET_GAY_BERNE, "they are launched by this number");

/* Are there ellipsoids among others? */
static inline bool is_mixed(const struct ForcesPlan *plan)
{
    return (plan->classes & SET_GAY_BERNE) != 0 &&
           ((plan->classes & ~SET_GAY_BERNE) != 0 || plan->sticky.pass != NULL);
}

/* The first that has the classes of a plan: where rows are sorted, but for ellipsoids among others.
 */
static inline int32_t choose_set(const struct ForcesPlan *plan, bool is_sorted)
{
    const bool     is_apart = is_sorted && is_mixed(plan);
    const uint32_t classes  = plan->classes & ~(is_apart ? (uint32_t)SET_GAY_BERNE : 0U);
    int32_t        set      = 0;

    while ((classes & ~sets[set]) != 0 || (set_vanishes(sets[set]) && plan->has_edge) ||
           (plan->sticky.pass != NULL && !set_has_sticky(sets[set])) ||
           (has_one_pass(sets[set]) && !plan->has_one_pass) ||
           (adds_apart(sets[set]) ? !is_sorted : is_apart))
        set++;
    return set;
}

/* Up to so many beads 16 lanes a bead take less time than 8, by set of classes (one H200, boxes of
 * 3000 to 12 300 beads): about until blocks no longer fit the device at once; of water, whose lanes
 * fetch ahead (22.4 instead of 29.2 us a step of 8192 beads), longer. 0: the set is for larger
 * systems alone. */
#if defined(AMPHI_BUILD_SINGLE)
static const int32_t beads_of_16_lanes[N_SETS] = {
    12500, 7300, 9600, 5000, 7000, 6000, 0, 0, 10000
};
#elif defined(AMPHI_BUILD_DOUBLE)
static const int32_t beads_of_16_lanes[N_SETS] = { 7000, 4000, 7300, 4000, 3500, 3500, 0, 0, 7300 };
#else
static const int32_t beads_of_16_lanes[N_SETS] = {
    10000, 6500, 10000, 6500, 5000, 5000, 0, 0, 10000
};
#endif

/* The same of 8 lanes and 4, whose rows are sorted. A step by 8 and by 4, us:
 *
 *   ELBA membranes   35 328 beads  single 50.5, 49.9   double  96.0,  95.1   fixed  74.7,  72.4
 *                    52 992               69.8, 70.9          132.9, 130.2         105.0,  99.6
 *   ELBA water       51 200               75.9, 77.5          141.7, 150.9         113.8, 115.5
 *   SSD/RF water     36 864               38.3, 38.0           65.6,  68.9          51.7,  51.2
 *                    57 600               54.3, 52.0           97.5,  97.3          80.7,  76.3
 *   ellipsoids       32 768               50.9, 50.1           78.9,  76.0          62.5,  62.8
 *                    51 200               75.2, 72.8          115.6, 113.6          94.2,  95.2
 *   B08o membranes   35 328               85.4, 88.6          134.0, 137.1         105.9, 110.3
 *                    52 992              120.5, 111.6         196.4, 177.7         155.3, 143.9
 *
 * Ellipsoids of membranes have a kernel of their own by 4. */
#if defined(AMPHI_BUILD_SINGLE)
static const int32_t beads_of_8_lanes[N_SETS] = { PLAIN_BEADS, 35000, PLAIN_BEADS,
                                                  PLAIN_BEADS, 30000, 30000,
                                                  0,           0,     45000 };
#elif defined(AMPHI_BUILD_DOUBLE)
static const int32_t beads_of_8_lanes[N_SETS]  = { PLAIN_BEADS, PLAIN_BEADS, 30000,
                                                   PLAIN_BEADS, 30000,       30000,
                                                   0,           0,           45000 };
#else
static const int32_t beads_of_8_lanes[N_SETS] = { PLAIN_BEADS, 35000,       30000,
                                                  PLAIN_BEADS, PLAIN_BEADS, PLAIN_BEADS,
                                                  0,           0,           45000 };
#endif

/* Small systems need many lanes to fill the device; in large ones more beads a warp waste less at
 * the ends of stretches. set: of kernels for rows that are not sorted. */
static inline int32_t choose_lanes(int32_t n_beads, int32_t set)
{
    return n_beads <= beads_of_16_lanes[set] ? 16 : n_beads <= beads_of_8_lanes[set] ? 8 : 4;
}

static inline int32_t blocks_for(int64_t threads)
{
    return (int32_t)((threads + PAIR_BLOCK - 1) / PAIR_BLOCK);
}

/* Of one kernel over all rows. */
static inline int32_t row_blocks(const View &v)
{
    return blocks_for((int64_t)v.n * v.lanes);
}

static inline size_t shared_bytes(const Device *d, int32_t set)
{
    if (!looks_up_lj(sets[set]))
        return 0;
    return sizeof(LjForce) * (size_t)d->view.n_types * (size_t)d->view.n_types;
}

/* Rows of neighbouring beads share most of their records: the first cache is worth more than shared
 * memory, of which as many blocks as fit get no more than they need. Not in small systems: while a
 * processor has blocks of a kernel that divides it otherwise, those of the next cannot begin (SSD
 * water of 2304 beads takes 10.8 us a step instead of 12.1). */
static AmphiStatus allow_shared(const Device *d, const PairKernels kernels, int32_t set,
                                AmphiError *err)
{
    enum { SYSTEMS_OWN = 1024 }; /* in every block */
    const size_t bytes = shared_bytes(d, set);
    int          most = 0, all = 0;

    CUDA_TRY(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, d->device));
    CUDA_TRY(cudaDeviceGetAttribute(&all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, d->device));
    if (bytes > (size_t)most)
        return amphi_fail(err, AMPHI_BAD_INPUT,
                          "%d bead types are more than the device's shared memory has room for",
                          d->view.n_types);
    for (int level = 0; level < SUMS_LEVELS; level++)
        for (int k = 0; k < N_LAYOUTS; k++) {
            const void        *kernel = (const void *)kernels[set][level][k];
            const size_t       wanted = 8 * (bytes + SYSTEMS_OWN) * 100 / (size_t)all + 1;
            cudaFuncAttributes has;

            if (kernel == NULL)
                continue;
            CUDA_TRY(cudaFuncGetAttributes(&has, kernel));
            if ((int)bytes > has.maxDynamicSharedSizeBytes) /* other states may need more */
                CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                              (int)bytes));
            if (k != INDEX_OF_16)
                CUDA_TRY(cudaFuncSetAttribute(kernel,
                                              cudaFuncAttributePreferredSharedMemoryCarveout,
                                              wanted < 100 ? (int)wanted : 100));
        }
    return AMPHI_OK;
}

/* Those that a plan has need of. */
static AmphiStatus allow_all_shared(const Device *d, const PairKernels kernels, AmphiError *err)
{
    if (d->view.is_apart)
        AMPHI_TRY(allow_shared(d, kernels, INDEX_OF_ELLIPSOIDS, err));
    return allow_shared(d, kernels, d->forces->set, err);
}

/* Rows that have room in the second cache, but not beside all else, are the first to leave it:
 * 0.5 % of a step of 94 208 beads. A window of addresses says so, for no instruction or register.
 */
static AmphiStatus add_rows_window(const Device *d, const View &view, cudaLaunchConfig_t *config,
                                   cudaLaunchAttribute *window, AmphiError *err)
{
    const size_t bytes = (size_t)view.n_rounds * round_of(layout_of(view)) * entry_bytes(&view);
    int          cache = 0, most = 0;

    CUDA_TRY(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, d->device));
    CUDA_TRY(cudaDeviceGetAttribute(&most, cudaDevAttrMaxAccessPolicyWindowSize, d->device));
    if (bytes > (size_t)min(cache, most))
        return AMPHI_OK;
    window->id                               = cudaLaunchAttributeAccessPolicyWindow;
    window->val.accessPolicyWindow           = {};
    window->val.accessPolicyWindow.base_ptr  = view.entry;
    window->val.accessPolicyWindow.num_bytes = bytes;
    window->val.accessPolicyWindow.hitRatio  = 1;
    window->val.accessPolicyWindow.hitProp   = cudaAccessPropertyStreaming;
    window->val.accessPolicyWindow.missProp  = cudaAccessPropertyNormal;
    config->numAttrs++;
    return AMPHI_OK;
}

/* One kernel over all rows of a view. */
static AmphiStatus launch_pairs(const Device *d, const View &view, const PairKernels kernels,
                                int32_t set, SumsLevel level, PairsTurn turn, cudaStream_t stream,
                                AmphiError *err)
{
    const struct ForcesPlan *plan = d->forces;
    const unsigned           n    = (unsigned)row_blocks(view);
    cudaLaunchAttribute      attribute[2];
    cudaLaunchConfig_t       config =
        launch_beside(turn == AHEAD_OF_LIST && d->begins_early, n, PAIR_BLOCK, stream, attribute);

    AMPHI_TRY(add_rows_window(d, view, &config, &attribute[config.numAttrs], err));
    config.dynamicSmemBytes = shared_bytes(d, set);
    CUDA_TRY(cudaLaunchKernelEx(&config, kernels[set][level][layout_index(&view)], view,
                                plan->stretches, plan->sticky, turn));
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}

/* Ellipsoids among others, over their own order of rows: what stands there is added to by the
 * kernel behind this one. No step is to go ahead by it. */
static AmphiStatus launch_apart(const Device *d, const PairKernels kernels, SumsLevel level,
                                PairsTurn turn, cudaStream_t stream, AmphiError *err)
{
    View view = d->view;

    view.opening = d->view.apart_opening;
    view.turn    = 0;
    if (view.pair_sums != NULL)
        view.pair_sums += row_blocks(view);
    return launch_pairs(d, view, kernels, INDEX_OF_ELLIPSOIDS, level, turn, stream, err);
}

#endif
