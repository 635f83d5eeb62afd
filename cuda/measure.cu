/* Energies, virials and counts of each kind of pair, one kind after another, apart from forces. */
#include "measure.h"
#include "rooms.h"
#include "totals.h"

/* Sums over a row in the precision of its pairs, then in double. */
class AddPair
{
  public:
    typedef struct {
        real    energy, virial[9];
        int32_t count;
    } Row;

    template <int KIND>
    __device__ static inline void add(const PairTerm *term, const PairGeometry &g,
                                      const PairFrames &frames, Row *row)
    {
        const PairResult p    = pair_of_kind(KIND, term->switched, term, &g, &frames);
        const real       d[3] = { g.d.x, g.d.y, g.d.z }, f[3] = { p.f.x, p.f.y, p.f.z };

        row->energy += p.u;
        row->count += 1;
#pragma unroll
        for (int k = 0; k < 9; k++)
            row->virial[k] += d[k / 3] * f[k % 3];
    }

    __device__ static inline void end(const Row &row, TermSums *to)
    {
        to->energy += row.energy;
        to->count += row.count;
#pragma unroll
        for (int k = 0; k < 9; k++)
            to->virial[k] += row.virial[k];
    }
};

/* Blocks a processor. In single 8 of them, whose sums over all rows wait in memory, take 15 % less
 * time than 6; in double 4 that much less than 3. */
enum { MEASURE_AT_ONCE = AMPHI_BUILD_PRECISION == AMPHI_SINGLE ? 8 : 4 };

template <int32_t SLOT>
__launch_bounds__(BEAD_BLOCK, MEASURE_AT_ONCE) __global__
    static void k_measure(const View v, const SlotTerms terms, int32_t lanes, TermSums *part)
{
    TermSums mine = {};

    if (v.ledger->fault != 0)
        return;
    measure_rows<SLOT, AddPair>(v, terms, lanes, &mine);
    put_term_sums<BEAD_BLOCK>(&mine, &part[blockIdx.x]);
}

typedef void MeasureKernel(const View, const SlotTerms, int32_t, TermSums *);

AmphiStatus AMPHI_T(forces_measure)(Device *d, AmphiError *err)
{
    static MeasureKernel *const kernels[] = MEASURE_KERNELS(k_measure);
    const struct ForcesPlan    *plan      = d->forces;
    const int32_t               n         = measure_blocks(d->view.n);
    SlotParts                   parts     = { plan->part };

    const cudaStream_t beside[] = { d->stream, d->list, d->side };
    int                at       = 0;

    static_assert(sizeof kernels / sizeof *kernels == PAIR_SLOTS,
                  "MEASURE_KERNELS lacks a slot of pairs");

    AMPHI_TRY(AMPHI_T(graphs_fork)(d, d->list, err));
    AMPHI_TRY(AMPHI_T(graphs_fork)(d, d->side, err));
    for (int32_t slot = 0; slot < PAIR_SLOTS; slot++) {
        const bool is_used = (plan->slots >> slot & 1) != 0;

        parts.first[slot + 1] = parts.first[slot] + (is_used ? n : 0);
        if (!is_used)
            continue;
        kernels[slot]<<<n, BEAD_BLOCK, 0, beside[at++ % 3]>>>(
            d->view, plan->terms, measure_lanes(d->view.n), plan->part + parts.first[slot]);
        CUDA_TRY_LAUNCH();
    }
    AMPHI_TRY(AMPHI_T(graphs_join)(d, d->list, err));
    AMPHI_TRY(AMPHI_T(graphs_join)(d, d->side, err));
    k_add_parts<<<PAIR_SLOTS, SUM_BLOCK, 0, d->stream>>>(d->view, parts, d->view.term);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}
