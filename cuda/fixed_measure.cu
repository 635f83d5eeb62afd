/* Energies, virials and counts of each kind of pair in fixed precision: measure.cu in whole
 * numbers. Each pair is met once: from its other side it would be rounded to the same.
 */
#include "fixed_sums.h"
#include "measure.h"
#include "rooms.h"

#include "../forcefield/pair_fixed.h"

/* Each part of each pair rounded once, so that sums are the same in any order. */
class AddPair
{
  public:
    typedef struct {
        int64_t number[FIXED_SUM_WIDTH];
    } Row;

    template <int KIND>
    __device__ static inline void add(const PairTerm *term, const PairGeometry &g,
                                      const PairFrames &frames, Row *row)
    {
        real            u;
        const PairUnits p    = pair_fixed_term(KIND, term->switched, term, &g, &frames, &u);
        const real      d[3] = { g.d.x, g.d.y, g.d.z }, f[3] = { p.f.x, p.f.y, p.f.z };

        row->number[TERM_ENERGY] += pair_fixed_energy(u);
#pragma unroll
        for (int k = 0; k < 9; k++)
            row->number[TERM_VIRIAL + k] += pair_fixed_energy(d[k / 3] * f[k % 3]);
        row->number[TERM_COUNT] += 1;
    }

    __device__ static inline void end(const Row &row, int64_t *to)
    {
#pragma unroll
        for (int k = 0; k < FIXED_SUM_WIDTH; k++)
            to[k] += row.number[k];
    }
};

template <int32_t SLOT>
__launch_bounds__(BEAD_BLOCK) __global__
    static void k_fixed_measure(const View v, const SlotTerms terms, int32_t lanes, FixedRow *rows)
{
    int64_t number[FIXED_SUM_WIDTH] = {};

    if (v.ledger->fault != 0)
        return;
    measure_rows<SLOT, AddPair>(v, terms, lanes, number);
    add_to_row<FIXED_SUM_WIDTH>(number, &rows[blockIdx.x % FIXED_COPIES]);
}

typedef void MeasureKernel(const View, const SlotTerms, int32_t, FixedRow *);

AmphiStatus AMPHI_T(forces_measure)(Device *d, AmphiError *err)
{
    static MeasureKernel *const kernels[] = MEASURE_KERNELS(k_fixed_measure);
    const struct ForcesPlan    *plan      = d->forces;
    const View                 *v         = &d->view;

    const cudaStream_t beside[] = { d->stream, d->list, d->side };
    int                at       = 0;

    static_assert(sizeof kernels / sizeof *kernels == PAIR_SLOTS,
                  "MEASURE_KERNELS lacks a slot of pairs");

    AMPHI_TRY(AMPHI_T(graphs_fork)(d, d->list, err));
    AMPHI_TRY(AMPHI_T(graphs_fork)(d, d->side, err));
    for (int32_t slot = 0; slot < PAIR_SLOTS; slot++)
        if ((plan->slots >> slot & 1) != 0) {
            kernels[slot]<<<measure_blocks(v->n), BEAD_BLOCK, 0, beside[at++ % 3]>>>(
                *v, plan->terms, measure_lanes(v->n), v->fixed.term + slot * FIXED_COPIES);
            CUDA_TRY_LAUNCH();
        }
    AMPHI_TRY(AMPHI_T(graphs_join)(d, d->list, err));
    AMPHI_TRY(AMPHI_T(graphs_join)(d, d->side, err));
    k_fixed_put_terms<<<PAIR_SLOTS, WARP, 0, d->stream>>>(*v, 0);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}
