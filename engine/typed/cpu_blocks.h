/* Rows of a list, and sums over blocks of rows. Part of cpu_pairs.c. */
#ifndef AMPHI_TYPED_CPU_BLOCKS_H
#define AMPHI_TYPED_CPU_BLOCKS_H

#include "../bodies_fixed.h"
#include "cpu_visits.h"

/* Beads in a block: their energies are summed in lanes before they are added in double. */
enum { BLOCK = 16 };

typedef struct {
    int32_t n;
    Pass    pass[AMPHI_MAX_PAIR_TERMS];
} Passes;

#ifdef AMPHI_BUILD_FIXED
typedef struct {
    int64_t         potential, total[3];
    int64_t         energy[AMPHI_TERMS], virial[AMPHI_TERMS][9], count[AMPHI_TERMS];
    AmphiFixedFault fault;
} BlockSums;
#else
/* The sums of one block in double; blocks are added in a fixed order. */
typedef struct {
    double  potential, total[3];
    double  energy[AMPHI_TERMS], virial[AMPHI_TERMS][9];
    int64_t count[AMPHI_TERMS];
} BlockSums;
#endif

struct AmphiCpuPairs {
    AmphiArena         *arena;
    const AmphiSystem  *system;
    const AmphiCpuList *list;
    Passes             *passes; /* [n_types][n_types] */
#ifdef AMPHI_BUILD_FIXED
    Passes *enlarged[2]; /* the same in units of force, and in coarse ones */
#endif
    bool       uses[RECORD_KINDS];
    Seen       seen;
    BlockSums *block;
    int32_t    n_blocks;
};

/* A row, segment by segment. */
typedef struct {
    int32_t        owner; /* the slot */
    const int32_t *row, *end;
    const Passes  *rules;
} Row;

static inline Row row_at(const AmphiCpuPairs *c, int32_t k)
{
    const AmphiCpuList *list = c->list;

    return (Row){ list->owner[k], list->entry + list->row_start[k],
                  list->segment_end + (int64_t)k * list->n_types,
                  &c->passes[list->type_of[list->owner[k]] * list->n_types] };
}

#endif
