/* Bodies in whole numbers under forces made here: those of body_cases.h, rounded once a bead. */
#ifndef AMPHI_VALIDATION_FIXED_CASES_H
#define AMPHI_VALIDATION_FIXED_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../../engine/bodies_fixed.h"
#include "body_cases.h"

static inline void round_forces(AmphiBodies *b)
{
    struct AmphiFixed *f = b->fixed;

    amphi_fixed_clear(b);
    f->potential = fixed_energy(b->potential_kJ_mol);
    for (int a = 0; a < 3; a++)
        f->virial[a] = fixed_energy(b->virial_kJ_mol[a][a]);
    for (int32_t i = 0; i < b->n; i++)
        for (int a = 0; a < 3; a++) {
            f->force[i][a]  = fixed_round(b->force_kJ_mol_nm[i][a] / FIXED_UNIT(FORCE));
            f->torque[i][a] = fixed_round(b->torque_kJ_mol[i][a] / FIXED_UNIT(TORQUE));
        }
    amphi_fixed_show_totals(b);
}

static inline void fixed_nothing(AmphiBodies *b)
{
    clear_forces(b);
    round_forces(b);
}

static inline void fixed_pulls(AmphiBodies *b)
{
    clear_forces(b);
    add_wells(b, 1000);
    add_field(b, 20);
    round_forces(b);
}

/* Springs from each bead to the next, equal and opposite to the last unit; and the field. */
static inline void fixed_springs(AmphiBodies *b)
{
    clear_forces(b);
    add_field(b, 20);
    round_forces(b);
    for (int32_t i = 0; i + 1 < b->n; i++)
        for (int a = 0; a < 3; a++) {
            const double x = b->position_nm[i][a] - b->position_nm[i + 1][a] +
                             (b->image[i][a] - b->image[i + 1][a]) * b->box_nm[a];
            const int64_t pull = fixed_round(-300 * x / FIXED_UNIT(FORCE));

            b->fixed->force[i][a] += pull;
            b->fixed->force[i + 1][a] -= pull;
            b->fixed->potential += fixed_energy(150 * x * x);
            b->fixed->virial[a] += fixed_energy(-300 * x * x);
        }
    amphi_fixed_show_totals(b);
}

/* As saved, to be released. */
static inline AmphiBytes saved(AmphiBodies *b)
{
    AmphiBytes bytes = { .data = NULL };

    amphi_fixed_show_motion(b);
    assert_true(amphi_bodies_pack(b, &bytes) && amphi_fixed_pack(b, &bytes));
    return bytes;
}

#endif
