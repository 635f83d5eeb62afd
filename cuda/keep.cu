/* States set aside, which the watch of a run wants without waiting for the device. They stand in
 * memory of the host that the device writes by itself: the room of a device is for larger systems.
 * That takes longer than a step, but goes on beside the forces that a look comes with; what changes
 * the arrays waits for it.
 */
#include "read.h"

typedef struct {
    void  *from, *to;
    size_t bytes;
} Aside;

enum { LEDGER_ASIDE = 7 };
#ifdef AMPHI_BUILD_FIXED
enum { N_ASIDE = 12 };
#define WHOLE_ARRAYS(of) of(v->fixed.x) of(v->fixed.p) of(v->fixed.q) of(v->fixed.l)
#else
enum { N_ASIDE = 8 };
#define WHOLE_ARRAYS(of)
#endif
#define ARRAY_ASIDE(array) , array
#define SIZE_ASIDE(array)  , n * sizeof *array

/* The bytes that a slot takes. */
static size_t arrays_of(const Device *d, int slot, Aside aside[N_ASIDE])
{
    const View  *v             = &d->view;
    const size_t n             = (size_t)v->n;
    void *const  of[N_ASIDE]   = { v->position_nm,    v->image,
                                   v->velocity_nm_ps, v->orientation,
                                   v->spin_u_nm2_ps,  v->anchor_nm,
                                   v->built_nm,       v->ledger WHOLE_ARRAYS(ARRAY_ASIDE) };
    const size_t size[N_ASIDE] = { n * sizeof(double[3]), n * sizeof(int32_t[3]),
                                   n * sizeof(double[3]), n * sizeof(double[4]),
                                   n * sizeof(double[3]), n * sizeof(double[3]),
                                   n * sizeof(double[3]), sizeof(Ledger) WHOLE_ARRAYS(SIZE_ASIDE) };
    size_t       at            = 0;

    for (int k = 0; k < N_ASIDE; k++) {
        aside[k] = Aside{ of[k], d->kept[slot] != NULL ? d->kept[slot] + at : NULL, size[k] };
        at += (size[k] + 255) / 256 * 256;
    }
    return at;
}

static AmphiStatus take_slot(Device *d, int slot, AmphiError *err)
{
    Aside aside[N_ASIDE];

    if (d->kept[slot] != NULL)
        return AMPHI_OK;
    return amphi_device_take_host(arrays_of(d, slot, aside), (void **)&d->kept[slot], err);
}

AmphiStatus AMPHI_T(device_has_kept)(Device *d, AmphiError *err)
{
    if (d->keeps)
        CUDA_TRY(cudaStreamWaitEvent(d->stream, d->is_kept, 0));
    d->keeps = false;
    return AMPHI_OK;
}

/* The ledger at once, for forces may write a fault there. */
AmphiStatus AMPHI_T(device_keep)(Device *d, int slot, AmphiError *err)
{
    Aside aside[N_ASIDE];

    AMPHI_TRY(take_slot(d, slot, err));
    AMPHI_TRY(AMPHI_T(device_has_kept)(d, err)); /* the last one */
    arrays_of(d, slot, aside);
    AMPHI_TRY(
        amphi_device_ask(aside[LEDGER_ASIDE].to, d->view.ledger, sizeof(Ledger), d->stream, err));
    CUDA_TRY(cudaEventRecord(d->is_put, d->stream));
    CUDA_TRY(cudaStreamWaitEvent(d->keeping, d->is_put, 0));
    for (int k = 0; k < N_ASIDE; k++)
        if (k != LEDGER_ASIDE)
            AMPHI_TRY(
                amphi_device_ask(aside[k].to, aside[k].from, aside[k].bytes, d->keeping, err));
    CUDA_TRY(cudaEventRecord(d->is_kept, d->keeping));
    d->keeps = true;
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(device_kept)(Device *d, int slot, AmphiBytes *bytes, AmphiError *err)
{
    Aside aside[N_ASIDE];

    if (d->kept[slot] == NULL)
        return amphi_fail(err, AMPHI_DEFECT, "no state was kept in slot %d", slot);
    AMPHI_TRY(AMPHI_T(device_has_kept)(d, err));
    arrays_of(d, slot, aside);
    for (int k = 0; k < N_ASIDE; k++)
        CUDA_TRY(cudaMemcpyAsync(aside[k].from, aside[k].to, aside[k].bytes, cudaMemcpyHostToDevice,
                                 d->stream));
    return AMPHI_T(device_save)(d, bytes, err);
}
