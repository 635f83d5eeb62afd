/* A run seen again: the frames of its trajectory with the stage, step and time that they had in the
 * run, so that observers can be shown them.
 *
 *     amphi_replay_open(job, "bilayer.run", &replay, err);
 *     for (int64_t k = 0; k < amphi_replay_info(replay)->n_frames; k++) {
 *         amphi_replay_read(replay, k, &frame, err);
 *         amphi_observer_see(observer, &frame, err);
 *     }
 *
 * A DCD file has no times of its own frames. They follow from the <plan>, the interval of
 * <trajectory> and the last checkpoint, which are compared with each other. Those of an XTC file
 * have steps and times, in 31 and 24 bits, of which the plan makes exact ones. Nothing is written
 * and nothing is locked: the run may go on meanwhile.
 */
#ifndef AMPHI_ENGINE_RUN_REPLAY_H
#define AMPHI_ENGINE_RUN_REPLAY_H

#include "frame.h"
#include "job.h"

typedef struct AmphiReplay AmphiReplay;

typedef struct {
    const char *path;     /* of the trajectory */
    int64_t     n_frames; /* whole ones, when it was opened */
    int64_t     n_cut;    /* bytes behind them: a frame that was being written, or is cut */
    const char *remark;   /* what is not certain; "": nothing */
} AmphiReplayInfo;

/* job: of the run in the directory, borrowed. AMPHI_BAD_INPUT: it writes no trajectory, or the file
 * has other beads, or frames at other times than the job says. AMPHI_BAD_FILE: the file is missing
 * or damaged, or has no frame. */
AmphiStatus            amphi_replay_open(const AmphiJob *job, const char *dir, AmphiReplay **replay,
                                         AmphiError *err);
void                   amphi_replay_close(AmphiReplay *replay); /* NULL is allowed */
const AmphiReplayInfo *amphi_replay_info(const AmphiReplay *replay);

/* The step, time, stage and step in the stage of frame k, from 0; nothing is read, and all else of
 * the frame is zero. */
void amphi_replay_moment(const AmphiReplay *replay, int64_t k, AmphiFrame *frame);
/* The same with box (nm) and positions (nm, each bead inside the box), which are valid until the
 * next call. There are no orientations and velocities. AMPHI_BAD_FILE: the frame is damaged. */
AmphiStatus amphi_replay_read(AmphiReplay *replay, int64_t k, AmphiFrame *frame, AmphiError *err);

/* Is the plan's own interval, in each stage from its first, one or more times that of every nth
 * frame? */
bool amphi_replay_fits(const AmphiReplay *replay, int64_t nth, const AmphiObserverPlan *plan);
/* Gives the plan of an observer the interval of every nth frame of each stage, in place of its own.
 * AMPHI_BAD_INPUT: that is no whole number of steps in each stage. */
AmphiStatus amphi_replay_pace(const AmphiReplay *replay, int64_t nth, AmphiObserverPlan *plan,
                              AmphiError *err);

#endif
