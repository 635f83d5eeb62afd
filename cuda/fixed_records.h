/* A bead's records in fixed precision, from the whole numbers: the upper halves of places, axes in
 * double rounded once, as the cpu has them. Part of state.h.
 */
#ifndef AMPHI_CUDA_FIXED_RECORDS_H
#define AMPHI_CUDA_FIXED_RECORDS_H

#include "../engine/fixed_motion.h"
#include "../forcefield/pair_fixed.h"

__device__ static inline void write_fixed_records(const View &v, const RecordSet &to, int32_t bead,
                                                  int32_t slot, const uint64_t x[3],
                                                  const double q[4])
{
    const bool echoes = has_echo(v, slot);
    Record     r;
    double     axis[3];

    for (int a = 0; a < 3; a++)
        r.place.at[a] = (int32_t)(uint32_t)(x[a] >> 32);
    r.place.type = v.bead_type[bead];
    pair_fixed_axis(q, v.fixed.dipole_e_nm[bead], axis);
    r.value =
        RecordValue{ { (scalar)axis[0], (scalar)axis[1], (scalar)axis[2], v.charge_e[bead] } };
    write_record(v, to[DIPOLES], slot, echoes, r);
    if (v.records & 1u << UNIT_AXES) {
        pair_fixed_axis(q, 1, axis);
        r.value =
            RecordValue{ { (scalar)axis[0], (scalar)axis[1], (scalar)axis[2], v.charge_e[bead] } };
        write_record(v, to[UNIT_AXES], slot, echoes, r);
    }
    if (v.records & 1u << FRAMES) {
        for (int k = 0; k < 4; k++)
            r.value.value[k] = (scalar)q[k];
        write_record(v, to[FRAMES], slot, echoes, r);
    }
}

/* As in the other precisions; what is not whole is not looked at. */
__device__ static inline void write_records(const View &v, int32_t bead, int32_t slot,
                                            const double box_nm[3], const double at_nm[3],
                                            const double q[4])
{
    double turn[4];

    (void)box_nm;
    (void)at_nm;
    (void)q;
    fixed_show_orientation(v.fixed.q[bead], turn);
    write_fixed_records(v, v.record, bead, slot, v.fixed.x[bead], turn);
}

#endif
