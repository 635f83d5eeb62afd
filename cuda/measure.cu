/* Energies, virials and counts of each kind of pair, one kind after another: plain, in no hurry. Every
 * pair is met from both sides, so all is halved.
 */
#include "pair_row.h"
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

__device__ static void measure_segment(const View &v, const PairTerm *term, int32_t i,
                                       const int32_t *slot, int32_t n, TermSums *to)
{
    const RecordKind kind  = records_of(term->kind);
    const Record     me    = load_record(v, kind, i);
    const Scale      scale = scale_of(v);

    for (int32_t k = 0; k < n; k++) {
        const Record       you    = load_record(v, kind, slot[k]);
        const PairGeometry g      = geometry_of(me, you, scale);
        const PairFrames   frames = { frame_of(me), frame_of(you) };

        if (g.r2 < term->cutoff2)
            add_pair(term, g, frames, to);
    }
}

__device__ static void measure_row(const View &v, const Passes &passes, int32_t slot, int32_t i,
                                   TermSums *to)
{
    const int32_t *row   = v.row + (int64_t)i * v.stride;
    const int32_t *end   = v.segment_end + (int64_t)i * v.n_types;
    const int32_t *start = passes.start + (int64_t)v.type_of[i] * v.n_types;

    for (int32_t t = 0, from = 0; t < v.n_types; from = end[t], t++)
        for (int32_t k = start[t]; k < start[t + 1]; k++)
            for (int32_t m = 0; m < passes.pass[k].n_terms; m++)
                if (passes.pass[k].term[m].slot == slot)
                    measure_segment(v, &passes.pass[k].term[m], i, row + from, end[t] - from, to);
}

__launch_bounds__(BEAD_BLOCK) __global__
    static void k_measure(const View v, const Passes passes, int32_t slot, TermSums *part)
{
    const int32_t i    = (int32_t)(blockIdx.x * BEAD_BLOCK + threadIdx.x);
    TermSums      mine = {};

    if (v.ledger->fault != 0)
        return;
    if (i < v.n)
        measure_row(v, passes, slot, i, &mine);
    put_term_sums<BEAD_BLOCK>(&mine, 1, &part[blockIdx.x]);
}

AmphiStatus AMPHI_T(forces_measure)(Device *d, AmphiError *err)
{
    const struct ForcesPlan *plan = d->forces;
    const View              *v    = &d->view;
    const int32_t            n    = (v->n + BEAD_BLOCK - 1) / BEAD_BLOCK;

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
