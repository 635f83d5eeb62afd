/* What the loops over bodies keep beside the state. Private to engine/bodies*.c.
 *
 * Sums go over blocks of beads in a fixed order, whatever the number of threads.
 */
#ifndef AMPHI_ENGINE_BODIES_WORK_H
#define AMPHI_ENGINE_BODIES_WORK_H

#include "barostat.h"
#include "bodies.h"
#include "motion.h"

enum { AMPHI_BLOCK = 256 };

/* Of one group within one block. */
typedef struct {
    double kinetic[2][3]; /* translation, rotation: before, at and after the kick */
    double momentum[3];
} AmphiGroupPart;

typedef struct {
    double kinetic[3][3]; /* sum m v_a v_b / 2, half-step mean */
    double heat, energy;
} AmphiBlockPart;

struct AmphiBodiesWork {
    Mover          *mover; /* [n_types] */
    int32_t         n_blocks, max_groups;
    AmphiGroupPart *group_part;  /* [n_blocks][n_groups] */
    AmphiBlockPart *block_part;  /* [n_blocks] */
    double         *group_mass;  /* [max_groups] u */
    int32_t        *group_size;  /* [max_groups] beads */
    int64_t        *group_turns; /* [max_groups] rotational degrees of freedom */
    double (*factor)[2];         /* [max_groups] of a scaling thermostat */
    double (*drift_nm_ps)[3];    /* [max_groups] */
    double slow[3];              /* of velocities by the last move of the box; 1 without one */
    bool   is_anchored;          /* the system restrains positions, so its momentum is not kept */
    /* U + (2 K_full + K_half)/3 of the motion that goes on from the last kick */
    double energy_kJ_mol;

    /* the best place of a minimisation; NULL until the first of all */
    bool has_best;
    double (*position_nm)[3], (*orientation)[4];
    double (*force_kJ_mol_nm)[3], (*torque_kJ_mol)[3];
    int32_t (*image)[3];
};

/* Of each group of the stage, by bodies_motion.c. */
void amphi_bodies_remove_drift(AmphiBodies *bodies);

/* One block of beads: from first to before end. */
static inline int32_t amphi_block_end(const AmphiBodies *b, int32_t block)
{
    const int32_t end = (block + 1) * AMPHI_BLOCK;

    return end < b->n ? end : b->n;
}

static inline const Mover *amphi_mover_of(const AmphiBodies *b, int32_t i)
{
    return &b->work->mover[b->system->bead_type[i]];
}

/* Between a kick and the drift after it, and before the forces of that kick. */
static inline bool amphi_moves_box_now(const AmphiBodies *b)
{
    return moves_box(&b->stage->barostat, b->stage_step);
}

/* Into [0, edge), the boxes left behind counted; what is not finite, or a million boxes away, stays for
 * the watch to find: it looks before two thousand such steps could overflow the count. */
AMPHI_BOTH void amphi_wrap_body(const double box_nm[3], double x[3], int32_t image[3])
{
    for (int a = 0; a < 3; a++) {
        if (x[a] >= 0 && x[a] < box_nm[a]) /* most; saves a division */
            continue;

        double boxes = floor(x[a] / box_nm[a]);

        if (boxes == 0 || !(fabs(boxes) < 1e6))
            continue;
        x[a] -= boxes * box_nm[a];
        if (x[a] < 0 || x[a] >= box_nm[a]) { /* rounded onto a face */
            boxes += x[a] < 0 ? 0 : 1;
            x[a] = 0;
        }
        image[a] += (int32_t)boxes;
    }
}

#endif
