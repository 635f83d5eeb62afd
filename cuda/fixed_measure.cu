/* Energies, virials and counts of each kind of pair in fixed precision: measure.cu in whole
 * numbers. Every pair is met from both sides, so all is halved.
 */
#include "fixed_sums.h"
#include "measure.h"

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

__launch_bounds__(BEAD_BLOCK) __global__
    static void k_fixed_measure(const View v, const Passes passes, int32_t slot, FixedRow *rows)
{
    int64_t number[FIXED_SUM_WIDTH] = {};

    if (v.ledger->fault != 0)
        return;
    measure_rows<add_pair>(v, passes, slot, number);
    add_to_row<FIXED_SUM_WIDTH>(number, &rows[blockIdx.x % FIXED_COPIES]);
}

AmphiStatus AMPHI_T(forces_measure)(Device *d, AmphiError *err)
{
    const struct ForcesPlan *plan = d->forces;
    const View              *v    = &d->view;
    const int32_t            n    = measure_blocks(v->n);

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
