/* A copy of the latest frame, and the files that are made from it: final.gro and final.data. */
#ifndef AMPHI_ENGINE_LAST_FRAME_H
#define AMPHI_ENGINE_LAST_FRAME_H

#include "observe.h"
#include "whole.h"

typedef struct {
    const AmphiSystem *system;
    AmphiWhole         whole;
    bool               is_there;
    int64_t            step;
    double             time_ps, box_nm[3];
    double (*position_nm)[3]; /* [n_beads] molecules not split by the box (whole.h) */
    double (*velocity_nm_ps)[3], (*orientation)[4], (*spin_u_nm2_ps)[3]; /* as in a frame */
} AmphiLastFrame;

/* False when there is no memory. */
bool amphi_last_frame_init(AmphiLastFrame *last, const AmphiSystem *system, AmphiArena *arena);
void amphi_last_frame_take(AmphiLastFrame *last, const AmphiFrame *frame);
/* Writes both files; none when there was no frame yet. */
AmphiStatus amphi_last_frame_write(const AmphiLastFrame *last, const AmphiObserverPlace *place,
                                   AmphiError *err);

#endif
