/* When each stage of a run began, and how many steps it made: by the last checkpoint, and by the
 * plan where that says nothing.
 */
#ifndef AMPHI_ENGINE_RUN_SPANS_H
#define AMPHI_ENGINE_RUN_SPANS_H

#include "run_parts.h"

/* The frames of one stage; their steps are multiples of `every`. */
typedef struct {
    const AmphiStage *stage;
    int64_t           began_step; /* of the run */
    double            began_ps;
    int64_t           n_steps, every;
    int64_t           first_frame, first_step, n_frames; /* first_step: in the stage */
} AmphiSpan;

/* What the last checkpoint says; it may have been written while frames went on. */
typedef struct {
    bool                   is_there;
    AmphiPlace             at;
    const AmphiStageBegan *began;       /* [at.stage + 1]; NULL: not saved */
    int64_t                n_bytes;     /* of the trajectory; -1: not known */
    bool                   is_certain;  /* by amphi_spans_find: is the step of each stage known? */
    char                   remark[240]; /* by amphi_spans_find: what is not as the plan has it */
} AmphiRecord;

static inline bool amphi_span_moves(const AmphiStage *stage)
{
    return stage->ensemble != AMPHI_MINIMISE;
}

/* Fills in the spans of the stages of a job, [n_stages], but for their frames, and the last members
 * of the record; `plan` is that of the trajectory. AMPHI_BAD_INPUT: stages began at other times
 * than the plan says, and the checkpoint does not say when all of them did. */
AmphiStatus amphi_spans_find(const AmphiJob *job, const AmphiObserverPlan *plan,
                             AmphiRecord *record, AmphiSpan *span, AmphiError *err);

#endif
