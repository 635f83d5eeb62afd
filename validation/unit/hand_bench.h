/* Frames of a toy system whose positions are set by hand, for tests of observers. */
#ifndef AMPHI_VALIDATION_UNIT_HAND_BENCH_H
#define AMPHI_VALIDATION_UNIT_HAND_BENCH_H

#include "toy_systems.h"
#include "watching.h"

typedef struct {
    AmphiArena        *arena;
    AmphiSystem        system;
    AmphiGroup         group[2]; /* all, the lipids */
    AmphiStage         stage;    /* NVE, 0.01 ps */
    AmphiObserverPlace place;
    AmphiObserverPlan  plan; /* every frame */
    double (*position)[3], (*velocity)[3], (*orientation)[4], (*spin)[3];
    double *charge, *dipole;
} HandBench;

void hand_bench(HandBench *b, const char *kind, const AmphiPortion *portion, int32_t n_portions,
                const double box_nm[3], const char *dir);
void hand_bench_end(HandBench *b);

/* All of frame k but the positions, which are put into the box: in b->position when this is
 * called. */
void hand_frame(HandBench *b, int32_t k, const double box_nm[3], AmphiFrame *frame);

/* Frames 0 to n - 1 in `dir`, from new files. */
void hand_watch(const HandBench *b, const FrameSource *source, const char *const *old_files);

#endif
