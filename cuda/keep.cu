/* States set aside, and a look at every bead: what the watch of a run needs without waiting for the
 * device. They stand in memory of the host that the device writes by itself, in the stream: the
 * room of a device is for larger systems.
 */
#include "read.h"

#include "../engine/fixed_motion.h"
#include "../engine/stage.h"

/* ---- aside ---- */

typedef struct {
    void  *from, *to;
    size_t bytes;
} Aside;

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

AmphiStatus AMPHI_T(device_keep)(Device *d, int slot, AmphiError *err)
{
    Aside aside[N_ASIDE];

    AMPHI_TRY(take_slot(d, slot, err));
    arrays_of(d, slot, aside);
    for (int k = 0; k < N_ASIDE; k++)
        CUDA_TRY(cudaMemcpyAsync(aside[k].to, aside[k].from, aside[k].bytes, cudaMemcpyDefault,
                                 d->stream));
    return AMPHI_OK;
}

AmphiStatus AMPHI_T(device_kept)(Device *d, int slot, AmphiBytes *bytes, AmphiError *err)
{
    Aside aside[N_ASIDE];

    if (d->kept[slot] == NULL)
        return amphi_fail(err, AMPHI_DEFECT, "no state was kept in slot %d", slot);
    arrays_of(d, slot, aside);
    for (int k = 0; k < N_ASIDE; k++)
        CUDA_TRY(cudaMemcpyAsync(aside[k].from, aside[k].to, aside[k].bytes, cudaMemcpyDefault,
                                 d->stream));
    return AMPHI_T(device_save)(d, bytes, err);
}

/* ---- a look ---- */

#ifdef AMPHI_BUILD_FIXED
/* Whole numbers are finite. */
__device__ static inline bool is_wild(const View &v, int32_t i, double most_nm_ps)
{
    double u[3];

    fixed_show_velocity(&v.mover[v.bead_type[i]], v.fixed.p[i], u);
    return u[0] * u[0] + u[1] * u[1] + u[2] * u[2] > most_nm_ps * most_nm_ps;
}
#else
__device__ static inline bool is_finite3(const double x[3])
{
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

__device__ static inline bool is_wild(const View &v, int32_t i, double most_nm_ps)
{
    const double *u = v.velocity_nm_ps[i], *q = v.orientation[i];
    const Four    f = v.pair_force[i], t = v.pair_torque[i];
    const double  force[3] = { f.x, f.y, f.z }, torque[3] = { t.x, t.y, t.z };

    return !is_finite3(v.position_nm[i]) || !is_finite3(u) || !is_finite3(v.spin_u_nm2_ps[i]) ||
           !is_finite3(q) || !isfinite(q[3]) || !is_finite3(force) || !is_finite3(torque) ||
           u[0] * u[0] + u[1] * u[1] + u[2] * u[2] > most_nm_ps * most_nm_ps;
}
#endif

__global__ static void __launch_bounds__(BEAD_BLOCK)
    k_look_at_beads(const View v, double most_nm_ps)
{
    const int32_t i = (int32_t)(blockIdx.x * BEAD_BLOCK + threadIdx.x);

    if (v.ledger->fault != 0 && (v.ledger->fault & FAULT_WILD) == 0)
        return;
    if (i >= v.n || !is_wild(v, i, most_nm_ps))
        return;
    atomicOr(&v.ledger->fault, (uint32_t)FAULT_WILD);
    atomicMin(&v.ledger->fault_bead, i);
}

AmphiStatus AMPHI_T(device_look)(Device *d, AmphiError *err)
{
    const double dt_ps = d->mirror->stage != NULL ? d->view.stage.dt_ps : 0;
    const double most  = dt_ps > 0 ? AMPHI_LONGEST_STEP_NM / dt_ps : (double)INFINITY;

    k_look_at_beads<<<(d->view.n + BEAD_BLOCK - 1) / BEAD_BLOCK, BEAD_BLOCK, 0, d->stream>>>(
        d->view, most);
    CUDA_TRY_LAUNCH();
    return AMPHI_OK;
}
