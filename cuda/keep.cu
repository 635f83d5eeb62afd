/* States set aside, which the watch of a run wants without waiting for the device. They stand in
 * memory of the host that the device writes by itself: the room of a device is for larger systems.
 * That takes longer than a step, but goes on beside the forces that a look comes with, and is asked
 * for when these are under way; what changes the arrays waits for them. Where a look wants neither
 * motion nor forces of beads, the arrays that frames have those in hold most of the state on its
 * way, so that steps go on while the host gets it from there. Anchors are copied where the stage
 * restrains beads; in another they are of no use, and whoever goes back finds those of the present
 * stage.
 */
#include "read.h"

typedef struct {
    void  *from, *to;
    size_t bytes;
    void  *over; /* where it may lie meanwhile; NULL: nowhere */
} Aside;

/* First what a kick changes; of(array, over). In fixed precision the host finds from whole numbers
 * all that is not one, and a list is not a part of the state. */
#ifdef AMPHI_BUILD_FIXED
enum { LEDGER_ASIDE = 2 };
#define ARRAYS_ASIDE(of)                                                                           \
    of(v->fixed.p, v->velocity_now_nm_ps) of(v->fixed.l, v->spin_now_u_nm2_ps) of(v->ledger, NULL) \
        of(v->fixed.x, v->force_kJ_mol_nm) of(v->image, NULL) of(v->fixed.q, NULL)                 \
            of(v->anchor_nm, NULL)
#else
enum { LEDGER_ASIDE = 2 };
#define ARRAYS_ASIDE(of)                                                                           \
    of(v->velocity_nm_ps, v->velocity_now_nm_ps) of(v->spin_u_nm2_ps, v->spin_now_u_nm2_ps)        \
        of(v->ledger, NULL) of(v->position_nm, v->force_kJ_mol_nm) of(v->image, NULL)              \
            of(v->orientation, NULL) of(v->built_nm, v->torque_kJ_mol) of(v->anchor_nm, NULL)
#endif
#define COUNT_ASIDE(array, over) +1
enum { N_ASIDE = ARRAYS_ASIDE(COUNT_ASIDE), ANCHORS_ASIDE = N_ASIDE - 1 };

/* The bytes that a slot takes. */
static size_t arrays_of(const Device *d, int slot, Aside aside[N_ASIDE])
{
    const View  *v  = &d->view;
    const size_t n  = (size_t)v->n;
    size_t       at = 0;
    int          k  = 0;

#define ADD_ASIDE(array, lies_over)                                                                \
    aside[k] = Aside{ array, d->kept[slot] != NULL ? d->kept[slot] + at : NULL,                    \
                      sizeof *array * (k == LEDGER_ASIDE ? 1 : n), lies_over };                    \
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
    AMPHI_TRY(AMPHI_T(device_lies_nowhere)(d, err));
    arrays_of(d, slot, aside);
    amphi_device_add_part(&parts, aside[LEDGER_ASIDE].to, d->view.ledger, sizeof(Ledger));
    AMPHI_TRY(amphi_device_ask(&parts, true, d->stream, err));
    CUDA_TRY(cudaEventRecord(d->is_put, d->stream));
    d->keeps    = KEEPS_LEDGER;
    d->keeps_in = slot;
    return AMPHI_OK;
}

/* Beads from which on copies by way of such arrays take less time than they cost (one H200, single,
 * a watch of 94 208 beads 304 to 225 us, of 23 552 the same). */
enum { BEADS_THAT_LIE = 40000 };

static int n_aside(const Device *d)
{
    return d->view.anchor_nm != NULL ? N_ASIDE : ANCHORS_ASIDE;
}

/* In the stream, and not beside it: there blocks of pairs would leave it no room. */
AmphiStatus AMPHI_T(device_lie_over)(Device *d, AmphiError *err)
{
    Aside       aside[N_ASIDE];
    DeviceParts parts = {};

    if (d->keeps != KEEPS_LEDGER || d->view.n < BEADS_THAT_LIE ||
        !amphi_bodies_have_kicks(d->mirror)) /* a descent has its best forces there */
        return AMPHI_OK;
    arrays_of(d, d->keeps_in, aside);
    for (int k = 0; k < n_aside(d); k++)
        if (aside[k].over != NULL)
            amphi_device_add_part(&parts, aside[k].over, aside[k].from, aside[k].bytes);
    AMPHI_TRY(amphi_device_ask(&parts, true, d->stream, err));
    CUDA_TRY(cudaEventRecord(d->is_put, d->stream));
    d->lies_over = true;
    return AMPHI_OK;
}

/* From `first` to `end`, but for the ledger; of those that lie over, or of the others. */
static AmphiStatus copy_aside(Device *d, const Aside *aside, int first, int end, bool that_lie,
                              cudaEvent_t event, AmphiError *err)
{
    DeviceParts parts = {};

    for (int k = first; k < end; k++) {
        const bool lies = d->lies_over && aside[k].over != NULL;

        if (k != LEDGER_ASIDE && lies == that_lie)
            amphi_device_add_part(&parts, aside[k].to, lies ? aside[k].over : aside[k].from,
                                  aside[k].bytes);
    }
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
    AMPHI_TRY(copy_aside(d, aside, 0, LEDGER_ASIDE, false, d->is_kept[0], err));
    AMPHI_TRY(copy_aside(d, aside, LEDGER_ASIDE, n, false, d->is_kept[1], err));
    if (d->lies_over)
        AMPHI_TRY(copy_aside(d, aside, 0, n, true, d->is_kept[2], err));
    d->keeps = KEEPS_ALL;
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(device_lies_nowhere)(Device *d, AmphiError *err)
{
    if (d->lies_over)
        CUDA_TRY(cudaStreamWaitEvent(d->stream, d->is_kept[2], 0));
    d->lies_over = false;
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
    AMPHI_TRY(AMPHI_T(device_lies_nowhere)(d, err));
    arrays_of(d, slot, aside);
    for (int k = 0; k < N_ASIDE; k++)
        if (k != ANCHORS_ASIDE || (d->has_anchors[slot] && aside[k].from != NULL))
            CUDA_TRY(cudaMemcpyAsync(aside[k].from, aside[k].to, aside[k].bytes,
                                     cudaMemcpyHostToDevice, d->stream));
    return AMPHI_T(device_save)(d, bytes, err);
}
