/* A bead's records in fixed precision, from the whole numbers: the upper halves of places, axes in
 * double rounded once, as the cpu has them. Part of records.h.
 */
#ifndef AMPHI_CUDA_FIXED_RECORDS_H
#define AMPHI_CUDA_FIXED_RECORDS_H

#include "../engine/fixed_motion.h"
#include "../forcefield/pair_fixed.h"

/* What its records have of a bead beside its place and orientation. */
typedef struct {
    int32_t slot, type;
    bool    echoes;
    scalar  charge_e;
    double  dipole_e_nm;
} Shown;

/* But for the slot. */
__device__ static inline Shown look_of(const View &v, int32_t bead)
{
    return Shown{ 0, v.bead_type[bead], false, v.charge_e[bead], v.fixed.dipole_e_nm[bead] };
}

__device__ static inline void put_fixed_records(const View &v, const RecordSet &to,
                                                const Shown &bead, const uint64_t x[3],
                                                const double q[4])
{
    Record r;
    double axis[3];

    for (int a = 0; a < 3; a++)
        r.place.at[a] = (int32_t)(uint32_t)(x[a] >> 32);
    r.place.type = bead.type;
    pair_fixed_axis(q, bead.dipole_e_nm, axis);
    r.value = RecordValue{ { (scalar)axis[0], (scalar)axis[1], (scalar)axis[2], bead.charge_e } };
    write_record(v, to[DIPOLES], bead.slot, bead.echoes, r);
    if (v.records & 1u << UNIT_AXES) {
        pair_fixed_axis(q, 1, axis);
        r.value =
            RecordValue{ { (scalar)axis[0], (scalar)axis[1], (scalar)axis[2], bead.charge_e } };
        write_record(v, to[UNIT_AXES], bead.slot, bead.echoes, r);
    }
    write_frame(v, to, bead.slot, bead.echoes, q, &r);
}

/* Where a bead is, asked for before it is known where its records stand. */
typedef struct {
    uint64_t x[3];
    int64_t  q[4];
} Pose;

__device__ static inline Pose pose_of(const View &v, int32_t bead)
{
    Pose pose;

    for (int a = 0; a < 3; a++)
        pose.x[a] = v.fixed.x[bead][a];
    for (int k = 0; k < 4; k++)
        pose.q[k] = v.fixed.q[bead][k];
    return pose;
}

/* As in the other precisions, whatever the box. */
__device__ static inline void write_records(const View &v, const Shown &bead,
                                            const double box_nm[3], const Pose &pose)
{
    double turn[4];

    (void)box_nm;
    fixed_show_orientation(pose.q, turn);
    put_fixed_records(v, v.record, bead, pose.x, turn);
}

#endif
