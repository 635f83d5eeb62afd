/* Energies, virials and counts of each kind of pair in fixed precision: measure.cu in whole numbers. Every
 * pair is met from both sides, so all is halved.
 */
#include "fixed_sums.h"
#include "pair_row.h"

#include "../forcefield/pair_fixed.h"

__device__ static inline void add_pair(const PairTerm *term, const PairGeometry &g,
                                       const PairFrames &frames, int64_t *number)
{
    real            u;
    const PairUnits p    = pair_fixed_term(term->kind, term->switched, term, &g, &frames, &u);
    const real      d[3] = { g.d.x, g.d.y, g.d.z }, f[3] = { p.f.x, p.f.y, p.f.z };

    number[TERM_ENERGY] += pair_fixed_energy(u);
    for (int k = 0; k < 9; k++)
        number[TERM_VIRIAL + k] += pair_fixed_energy(d[k / 3] * f[k % 3]);
    number[TERM_COUNT] += 1;
}

__device__ static void measure_segment(const View &v, const PairTerm *term, int32_t i,
                                       const int32_t *slot, int32_t n, int64_t *number)
{
    const RecordKind kind  = records_of(term->kind);
    const Record     me    = load_record(v, kind, i);
    const Scale      scale = scale_of(v);

    for (int32_t k = 0; k < n; k++) {
        const Record       you    = load_record(v, kind, slot[k]);
        const PairGeometry g      = geometry_of(me, you, scale);
        const PairFrames   frames = { frame_of(me), frame_of(you) };

        if (g.r2 < term->cutoff2)
            add_pair(term, g, frames, number);
    }
}

__device__ static void measure_row(const View &v, const Passes &passes, int32_t slot, int32_t i,
                                   int64_t *number)
{
    const int32_t *row   = v.row + (int64_t)i * v.stride;
    const int32_t *end   = v.segment_end + (int64_t)i * v.n_types;
    const int32_t *start = passes.start + (int64_t)v.type_of[i] * v.n_types;

    for (int32_t t = 0, from = 0; t < v.n_types; from = end[t], t++)
        for (int32_t k = start[t]; k < start[t + 1]; k++)
            for (int32_t m = 0; m < passes.pass[k].n_terms; m++)
                if (passes.pass[k].term[m].slot == slot)
                    measure_segment(v, &passes.pass[k].term[m], i, row + from, end[t] - from,
                                    number);
}

__launch_bounds__(BEAD_BLOCK) __global__
    static void k_fixed_measure(const View v, const Passes passes, int32_t slot, FixedRow *rows)
{
    const int32_t i                       = (int32_t)(blockIdx.x * BEAD_BLOCK + threadIdx.x);
    int64_t       number[FIXED_SUM_WIDTH] = {};

    if (v.ledger->fault != 0)
        return;
    if (i < v.n)
        measure_row(v, passes, slot, i, number);
    add_to_row<FIXED_SUM_WIDTH>(number, &rows[blockIdx.x % FIXED_COPIES]);
}

AmphiStatus AMPHI_T(forces_measure)(Device *d, AmphiError *err)
{
    const struct ForcesPlan *plan = d->forces;
    const View              *v    = &d->view;
    const int32_t            n    = (v->n + BEAD_BLOCK - 1) / BEAD_BLOCK;

    for (int32_t slot = AMPHI_LJ; slot <= AMPHI_GAY_BERNE; slot++) {
        FixedRow *rows = v->fixed.term + slot * FIXED_COPIES;

        if ((plan->slots >> slot & 1) != 0) {
            k_fixed_measure<<<n, BEAD_BLOCK, 0, d->stream>>>(
                *v, slot == AMPHI_STICKY ? plan->sticky : plan->axes, slot, rows);
            CUDA_TRY_LAUNCH();
        }
        k_fixed_put_term<<<1, 32, 0, d->stream>>>(*v, rows, 0.5, &v->term[slot]);
        CUDA_TRY_LAUNCH();
    }
    return AMPHI_OK;
}
