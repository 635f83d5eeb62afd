/* Scratch memory of the loops over bodies. Of engine/bodies*.c and of the backends that
 * are built on them.
 *
 * Sums are made block by block and then over blocks in a fixed order, so that they do not depend on
 * the number of threads.
 */
#ifndef AMPHI_ENGINE_BODIES_WORK_H
#define AMPHI_ENGINE_BODIES_WORK_H

#include "barostat.h"
#include "bodies.h"
#include "motion.h"

enum { AMPHI_BLOCK = 256 };

/* Of one group within one block. */
typedef struct {
    double kinetic[2][3];          /* translation, rotation: before, at and after the kick */
    double tensor[3][3];           /* upper half of sum m v_a v_b / 2, half-step mean */
    double momentum[3], pushed[3]; /* of the drift; what the kick has added */
} AmphiGroupPart;

struct AmphiBodiesWork {
    Mover          *mover; /* [n_types] */
    int32_t         n_blocks, max_groups;
    AmphiGroupPart *group_part;  /* [n_blocks][n_groups] */
    double         *block_heat;  /* [n_blocks] of the noise of a drift */
    double         *group_mass;  /* [max_groups] u */
    int32_t        *group_size;  /* [max_groups] beads */
    int64_t        *group_turns; /* [max_groups] rotational degrees of freedom */
    double (*factor)[2];         /* [max_groups] of a scaling thermostat */
    double (*drift_nm_ps)[3];    /* [max_groups] */
    double (*pushed)[3];         /* [max_groups] momentum that the last kick added, u nm/ps */
    double (*given_nm_ps)[3];    /* [max_groups] velocity that noise gives each, and leaves out */
    double slow[3];              /* factors of velocities in the last move of the box; else 1 */
    bool   is_anchored[3];       /* along which axes momentum is not conserved in any stage */

    /* the best state of a minimisation so far; NULL before the first minimisation */
    bool has_best;
    double (*position_nm)[3], (*orientation)[4];
    double (*force_kJ_mol_nm)[3], (*torque_kJ_mol)[3];
    int32_t (*image)[3];
};

/* Removes the velocity of the centre of mass of each thermostat group, and adds its energy to the
 * heat. */
void amphi_bodies_remove_drift(AmphiBodies *bodies);

/* The end of a block of beads, which begins at block * AMPHI_BLOCK. */
static inline int32_t amphi_block_end(const AmphiBodies *b, int32_t block)
{
    const int32_t end = (block + 1) * AMPHI_BLOCK;

    return end < b->n ? end : b->n;
}

/* Enough for several threads? Fewer than four blocks are some 10 us of work, less than waking other
 * threads takes. */
static inline bool amphi_bodies_are_many(const AmphiBodies *b)
{
    return b->work->n_blocks >= 4;
}

static inline const Mover *amphi_mover_of(const AmphiBodies *b, int32_t i)
{
    return &b->work->mover[b->system->bead_type[i]];
}

/* Wraps x into [0, edge) and counts boxes in image. A coordinate that is not finite or a million
 * boxes away is left as it is, for the watch to find; it does so before the two thousand such steps
 * that could overflow the count. */
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
