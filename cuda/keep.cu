/* States set aside, which the watch of a run wants without waiting for the device. They stand in
 * memory of the host that the device writes by itself: the room of a device is for larger systems.
 * That takes longer than a step, but goes on beside the forces that a look comes with, and is asked
 * for when these are under way; what changes the arrays waits for them. Anchors are copied where
 * the stage restrains beads; in another they are of no use, and whoever goes back finds those of
 * the present stage.
 */
#include "read.h"

typedef struct {
    void  *from, *to;
    size_t bytes;
} Aside;

/* First what a kick changes. In fixed precision the host finds from whole numbers all that is not
 * one, and a list is not a part of the state. */
enum { LEDGER_ASIDE = 2 };
#ifdef AMPHI_BUILD_FIXED
#define ARRAYS_ASIDE(of)                                                                           \
    of(v->fixed.p) of(v->fixed.l) of(v->ledger) of(v->fixed.x) of(v->image) of(v->fixed.q)         \
        of(v->anchor_nm)
#else
#define ARRAYS_ASIDE(of)                                                                           \
    of(v->velocity_nm_ps) of(v->spin_u_nm2_ps) of(v->ledger) of(v->position_nm) of(v->image)       \
        of(v->orientation) of(v->built_nm) of(v->anchor_nm)
#endif
#define COUNT_ASIDE(array) +1
enum { N_ASIDE = ARRAYS_ASIDE(COUNT_ASIDE), ANCHORS_ASIDE = N_ASIDE - 1 };

/* The bytes that a slot takes. */
static size_t arrays_of(const Device *d, int slot, Aside aside[N_ASIDE])
{
    const View  *v  = &d->view;
    const size_t n  = (size_t)v->n;
    size_t       at = 0;
    int          k  = 0;

#define ADD_ASIDE(array)                                                                           \
    aside[k] = Aside{ array, d->kept[slot] != NULL ? d->kept[slot] + at : NULL,                    \
                      sizeof *array * (k == LEDGER_ASIDE ? 1 : n) };                               \
    at += (aside[k++].bytes + 255) / 256 * 256;
    ARRAYS_ASIDE(ADD_ASIDE)
#undef ADD_ASIDE
    return at;
}

static AmphiStatus take_slot(Device *d, int slot, AmphiError *err)
{
    Aside aside[N_ASIDE];

    if (d->kept[slot] != NULL)
        return AMPHI_OK;
    return amphi_device_take_host(arrays_of(d, slot, aside), (void **)&d->kept[slot], err);
}

/* The ledger at once, for forces may write a fault there. */
AmphiStatus AMPHI_T(device_keep)(Device *d, int slot, AmphiError *err)
{
    Aside       aside[N_ASIDE];
    DeviceParts parts = {};

    AMPHI_TRY(take_slot(d, slot, err));
    AMPHI_TRY(AMPHI_T(device_has_kept)(d, err)); /* the last one */
    arrays_of(d, slot, aside);
    amphi_device_add_part(&parts, aside[LEDGER_ASIDE].to, d->view.ledger, sizeof(Ledger));
    AMPHI_TRY(amphi_device_ask(&parts, true, d->stream, err));
    CUDA_TRY(cudaEventRecord(d->is_put, d->stream));
    d->keeps    = KEEPS_LEDGER;
    d->keeps_in = slot;
    return AMPHI_OK;
}

static int n_aside(const Device *d)
{
    return d->view.anchor_nm != NULL ? N_ASIDE : ANCHORS_ASIDE;
}

/* From `first` to `end`, but for the ledger. */
static AmphiStatus copy_aside(Device *d, const Aside *aside, int first, int end, cudaEvent_t event,
                              AmphiError *err)
{
    DeviceParts parts = {};

    for (int k = first; k < end; k++)
        if (k != LEDGER_ASIDE)
            amphi_device_add_part(&parts, aside[k].to, aside[k].from, aside[k].bytes);
    AMPHI_TRY(amphi_device_ask(&parts, false, d->keeping, err));
    CUDA_TRY(cudaEventRecord(event, d->keeping));
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(device_keep_all)(Device *d, AmphiError *err)
{
    Aside     aside[N_ASIDE];
    const int n = n_aside(d);

    if (d->keeps != KEEPS_LEDGER)
        return AMPHI_OK;
    arrays_of(d, d->keeps_in, aside);
    d->has_anchors[d->keeps_in] = n == N_ASIDE;
    CUDA_TRY(cudaStreamWaitEvent(d->keeping, d->is_put, 0));
    AMPHI_TRY(copy_aside(d, aside, 0, LEDGER_ASIDE, d->is_kept[0], err));
    AMPHI_TRY(copy_aside(d, aside, LEDGER_ASIDE, n, d->is_kept[1], err));
    d->keeps = KEEPS_ALL;
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(device_has_kept_motion)(Device *d, AmphiError *err)
{
    AMPHI_TRY(AMPHI_T(device_keep_all)(d, err));
    if (d->keeps == KEEPS_ALL) {
        CUDA_TRY(cudaStreamWaitEvent(d->stream, d->is_kept[0], 0));
        d->keeps = KEEPS_PLACES;
    }
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(device_has_kept)(Device *d, AmphiError *err)
{
    AMPHI_TRY(AMPHI_T(device_keep_all)(d, err));
    if (d->keeps != KEEPS_NOTHING)
        CUDA_TRY(cudaStreamWaitEvent(d->stream, d->is_kept[1], 0));
    d->keeps = KEEPS_NOTHING;
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(device_kept)(Device *d, int slot, AmphiBytes *bytes, AmphiError *err)
{
    Aside aside[N_ASIDE];

    if (d->kept[slot] == NULL)
        return amphi_fail(err, AMPHI_DEFECT, "no state was kept in slot %d", slot);
    d->is_listed = false;
    AMPHI_TRY(AMPHI_T(device_has_kept)(d, err));
    arrays_of(d, slot, aside);
    for (int k = 0; k < N_ASIDE; k++)
        if (k != ANCHORS_ASIDE || (d->has_anchors[slot] && aside[k].from != NULL))
            CUDA_TRY(cudaMemcpyAsync(aside[k].from, aside[k].to, aside[k].bytes,
                                     cudaMemcpyHostToDevice, d->stream));
    return AMPHI_T(device_save)(d, bytes, err);
}
