/* Energies, virials and counts of each kind of pair, one kind after another, apart from forces.
 * Every pair is met from both sides, so all is halved.
 */
#include "measure.h"
#include "totals.h"

__device__ static inline void add_pair(const PairTerm *term, const PairGeometry &g,
                                       const PairFrames &frames, TermSums *to)
{
    const PairResult p = pair_eval(term, &g, &frames);

    to->energy += p.u;
    to->count += 1;
    to->virial[0] += (double)g.d.x * p.f.x;
    to->virial[1] += (double)g.d.x * p.f.y;
    to->virial[2] += (double)g.d.x * p.f.z;
    to->virial[3] += (double)g.d.y * p.f.x;
    to->virial[4] += (double)g.d.y * p.f.y;
    to->virial[5] += (double)g.d.y * p.f.z;
    to->virial[6] += (double)g.d.z * p.f.x;
    to->virial[7] += (double)g.d.z * p.f.y;
    to->virial[8] += (double)g.d.z * p.f.z;
}

__launch_bounds__(BEAD_BLOCK) __global__
    static void k_measure(const View v, const Passes passes, int32_t slot, TermSums *part)
{
    TermSums mine = {};

    if (v.ledger->fault != 0)
        return;
    measure_rows<add_pair>(v, passes, slot, &mine);
    put_term_sums<BEAD_BLOCK>(&mine, 1, &part[blockIdx.x]);
}

AmphiStatus AMPHI_T(forces_measure)(Device *d, AmphiError *err)
{
    const struct ForcesPlan *plan = d->forces;
    const View              *v    = &d->view;
    const int32_t            n    = measure_blocks(v->n);

    for (int32_t slot = AMPHI_LJ; slot <= AMPHI_GAY_BERNE; slot++) {
        const bool is_used = (plan->slots >> slot & 1) != 0;

        if (is_used) {
            k_measure<<<n, BEAD_BLOCK, 0, d->stream>>>(
                *v, slot == AMPHI_STICKY ? plan->sticky : plan->axes, slot, plan->part);
            CUDA_TRY_LAUNCH();
        }
        k_add_parts<<<1, SUM_BLOCK, 0, d->stream>>>(*v, plan->part, is_used ? n : 0, 0.5,
                                                    &v->term[slot]);
        CUDA_TRY_LAUNCH();
    }
    return AMPHI_OK;
}
