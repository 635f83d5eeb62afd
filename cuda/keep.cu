/* States set aside, which the watch of a run wants without waiting for the device. A state is
 * copied on the device, which takes some microseconds, and from there to memory of the host while
 * steps go on. In a descent, whose own arrays take that room, it is copied to the host at once.
 * Anchors are aside where the stage restrains beads; in another they are of no use, and whoever
 * goes back finds those of the present stage.
 */
#include "read.h"

typedef struct {
    void  *array;
    size_t at, bytes; /* where it stands in a copy */
} Aside;

#ifdef AMPHI_BUILD_FIXED
#define WHOLE_ASIDE(of) of(v->fixed.x) of(v->fixed.p) of(v->fixed.q) of(v->fixed.l)
#else
#define WHOLE_ASIDE(of)
#endif
#define ARRAYS_ASIDE(of)                                                                           \
    of(v->position_nm) of(v->image) of(v->velocity_nm_ps) of(v->orientation) of(v->spin_u_nm2_ps)  \
        of(v->built_nm) WHOLE_ASIDE(of) of(v->anchor_nm)
#define COUNT_ASIDE(array) +1
enum { N_ASIDE = 1 + (ARRAYS_ASIDE(COUNT_ASIDE)) };

/* The ledger first, anchors last. Returns the bytes of a copy. */
static size_t arrays_of(const Device *d, bool has_anchors, Aside aside[N_ASIDE])
{
    const View  *v  = &d->view;
    const size_t n  = (size_t)v->n;
    size_t       at = whole_lines(sizeof *v->ledger);
    int          k  = 1;

    aside[0] = Aside{ v->ledger, 0, sizeof *v->ledger };
#define ADD_ASIDE(from)                                                                            \
    aside[k] = Aside{ from, at, sizeof *from * n };                                                \
    at += whole_lines(aside[k++].bytes);
    ARRAYS_ASIDE(ADD_ASIDE)
#undef ADD_ASIDE
    if (has_anchors)
        return at;
    aside[N_ASIDE - 1].bytes = 0;
    return aside[N_ASIDE - 1].at;
}

static bool restrains(const Device *d)
{
    return d->view.restraint_kJ_mol_nm2 != NULL;
}

static AmphiStatus take_slot(Device *d, int slot, AmphiError *err)
{
    Aside aside[N_ASIDE];

    if (d->kept[slot] != NULL)
        return AMPHI_OK;
    return amphi_device_take_host(arrays_of(d, true, aside), (void **)&d->kept[slot], err);
}

AmphiStatus AMPHI_T(keep_begin_stage)(Device *d, const AmphiStage *stage, AmphiError *err)
{
    Aside       aside[N_ASIDE];
    AmphiStatus status;

    AMPHI_TRY(amphi_device_wait(d->keeping, err));
    amphi_device_drop(&d->memory, d->aside);
    d->aside = NULL;
    if (stage->ensemble == AMPHI_MINIMISE)
        return AMPHI_OK;
    status = amphi_device_take_array(&d->memory, (int64_t)arrays_of(d, restrains(d), aside),
                                     &d->aside, err);
    return status != AMPHI_NO_MEMORY ? status : AMPHI_OK;
}

AmphiStatus AMPHI_T(device_keep)(Device *d, int slot, AmphiError *err)
{
    Aside        aside[N_ASIDE];
    DeviceParts  parts = {};
    const size_t bytes = arrays_of(d, restrains(d), aside);
    char        *to;

    AMPHI_TRY(take_slot(d, slot, err));
    to                   = d->aside != NULL ? d->aside : d->kept[slot];
    d->has_anchors[slot] = restrains(d);
    for (int k = 0; k < N_ASIDE; k++)
        amphi_device_add_part(&parts, to + aside[k].at, aside[k].array, aside[k].bytes);
    if (d->aside != NULL) /* the last one may still be on its way from there */
        CUDA_TRY(cudaStreamWaitEvent(d->stream, d->is_kept, 0));
    AMPHI_TRY(amphi_device_ask(&parts, true, d->stream, err));
    if (d->aside == NULL)
        return AMPHI_OK;
    CUDA_TRY(cudaEventRecord(d->is_aside, d->stream));
    CUDA_TRY(cudaStreamWaitEvent(d->keeping, d->is_aside, 0));
    CUDA_TRY(cudaMemcpyAsync(d->kept[slot], d->aside, bytes, cudaMemcpyDeviceToHost, d->keeping));
    CUDA_TRY(cudaEventRecord(d->is_kept, d->keeping));
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(device_kept)(Device *d, int slot, AmphiBytes *bytes, AmphiError *err)
{
    Aside aside[N_ASIDE];

    if (d->kept[slot] == NULL)
        return amphi_fail(err, AMPHI_DEFECT, "no state was kept in slot %d", slot);
    d->is_listed = false;
    (void)arrays_of(d, d->has_anchors[slot], aside);
    CUDA_TRY(cudaStreamWaitEvent(d->stream, d->is_kept, 0));
    for (int k = 0; k < N_ASIDE; k++)
        CUDA_TRY(cudaMemcpyAsync(aside[k].array, d->kept[slot] + aside[k].at, aside[k].bytes,
                                 cudaMemcpyHostToDevice, d->stream));
    return AMPHI_T(device_save)(d, bytes, err);
}
