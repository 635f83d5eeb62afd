/* A bead's records, which are all that pairs read of it, from its body; for kernels of one thread a
 * bead.
 */
#ifndef AMPHI_CUDA_RECORDS_H
#define AMPHI_CUDA_RECORDS_H

#include "../engine/num/roots.h"
#include "state.h"

__device__ static inline Coordinate coordinate_by(double x_nm, double inv_edge)
{
    const double s = x_nm * inv_edge;
    const double f = s - floor(s);

#ifdef AMPHI_BUILD_DOUBLE
    return f;
#else
    return (int32_t)(uint32_t)(uint64_t)(f * 4294967296.0);
#endif
}

__device__ static inline Coordinate coordinate_of(double x_nm, double edge_nm)
{
    return coordinate_by(x_nm, device_reciprocal(edge_nm));
}

/* a b + c d, never contracted: a record has the same bits whichever kernel wrote it. */
__device__ static inline double two_products(double a, double b, double c, double d)
{
    return __dadd_rn(__dmul_rn(a, b), __dmul_rn(c, d));
}

__device__ static inline void write_halves(HalfRecord *at, const Record &r)
{
    at->place              = r.place;
    at[RECORD_GROUP].value = r.value;
}

/* The first slots have records behind the last, too, where rows count on past the end. */
__device__ static inline bool has_echo(const View &v, int32_t slot)
{
    return v.is_layered && slot < v.ledger->n_echoes;
}

__device__ static inline void write_record(const View &v, HalfRecord *to, int32_t slot, bool echoes,
                                           const Record &r)
{
    write_halves(to + half_of(slot), r);
    if (echoes)
        write_halves(to + half_of(slot + v.n), r);
}

/* The last of a bead's records, if any pair reads it: its orientation. r has the place. */
__device__ static inline void write_frame(const View &v, const RecordSet &to, int32_t slot,
                                          bool echoes, const double q[4], Record *r)
{
    if (!(v.records & 1u << FRAMES))
        return;
    for (int k = 0; k < 4; k++)
        r->value.value[k] = (scalar)q[k];
    write_record(v, to[FRAMES], slot, echoes, *r);
}

#ifdef AMPHI_BUILD_FIXED
#include "fixed_records.h"
#else
/* What its records have of a bead beside its place and orientation. */
typedef struct {
    int32_t slot, type;
    bool echoes;
    scalar charge_e, dipole_e_nm;
} Shown;

/* But for the slot. */
__device__ static inline Shown look_of(const View &v, int32_t bead)
{
    return Shown{ 0, v.bead_type[bead], false, v.charge_e[bead], v.dipole_e_nm[bead] };
}

__device__ static inline void put_records(const View &v, const RecordSet &to, const Shown &bead,
                                          const double inv_box[3], const double at_nm[3],
                                          const double q[4])
{
    const scalar ux = (scalar)(2 * two_products(q[1], q[3], q[0], q[2]));
    const scalar uy = (scalar)(2 * two_products(q[2], q[3], -q[0], q[1]));
    const scalar uz = (scalar)(1 - 2 * two_products(q[1], q[1], q[2], q[2]));
    const scalar p = bead.dipole_e_nm;
    Record r;

    for (int a = 0; a < 3; a++)
        r.place.at[a] = coordinate_by(at_nm[a], inv_box[a]);
    r.place.type = bead.type;
    r.value = RecordValue{ { p * ux, p * uy, p * uz, bead.charge_e } };
    write_record(v, to[DIPOLES], bead.slot, bead.echoes, r);
    if (v.records & 1u << UNIT_AXES) {
        r.value = RecordValue{ { ux, uy, uz, bead.charge_e } };
        write_record(v, to[UNIT_AXES], bead.slot, bead.echoes, r);
    }
    write_frame(v, to, bead.slot, bead.echoes, q, &r);
}

/* Where a bead is, asked for before it is known where its records stand. */
typedef struct {
    double at_nm[3], q[4];
} Pose;

__device__ static inline Pose pose_of(const View &v, int32_t bead)
{
    Pose pose;

    for (int a = 0; a < 3; a++)
        pose.at_nm[a] = v.position_nm[bead][a];
    for (int k = 0; k < 4; k++)
        pose.q[k] = v.orientation[bead][k];
    return pose;
}

/* Those that pairs read now. */
__device__ static inline void write_records(const View &v, const Shown &bead,
                                            const double box_nm[3], const Pose &pose)
{
    const double inv_box[3] = { device_reciprocal(box_nm[0]), device_reciprocal(box_nm[1]),
                                device_reciprocal(box_nm[2]) };

    put_records(v, v.record, bead, inv_box, pose.at_nm, pose.q);
}
#endif

__device__ static inline Shown in_slot(const View &v, const Shown &bead, int32_t slot)
{
    Shown shown = bead;

    shown.slot   = slot;
    shown.echoes = has_echo(v, slot);
    return shown;
}

__device__ static inline Shown shown_of(const View &v, int32_t bead, int32_t slot)
{
    return in_slot(v, look_of(v, bead), slot);
}

#endif
