/* Trajectory files, whichever format they have: frames by index, with step and time.
 *
 * A DCD file has one interval for all of its frames, from which their times follow. Its steps are
 * those of its header: amphi writes times over the length of a step there, because programs take
 * them for that, and so not the steps of a run with minimisations or several time steps. Frames of
 * an XTC file have steps and times of their own.
 */
#ifndef AMPHI_ENGINE_FORMATS_TRAJECTORY_H
#define AMPHI_ENGINE_FORMATS_TRAJECTORY_H

#include "dcd.h"
#include "xtc.h"

typedef struct {
    bool           is_xtc;
    AmphiDcdReader dcd;
    AmphiXtcReader xtc;
    int32_t        n_beads;
    int64_t        n_frames;
    int64_t        n_cut; /* bytes behind the whole frames */
} AmphiTrajectory;

/* The file of a run: "trajectory.xtc" or "trajectory.dcd". */
const char *amphi_trajectory_name(bool is_xtc);

bool amphi_format_is_trajectory(const AmphiFormat *format);

/* Opens a file on the disk; path and arena are borrowed. False with a note, or with a failed arena.
 * A zeroed one may be closed too. */
bool amphi_trajectory_open(AmphiTrajectory *trajectory, const AmphiFormat *format, const char *path,
                           AmphiArena *arena, AmphiWhere from, AmphiNotes *notes);
void amphi_trajectory_close(AmphiTrajectory *trajectory);

/* Of frame k, from 0. */
int64_t amphi_trajectory_step(const AmphiTrajectory *trajectory, int64_t k);
double  amphi_trajectory_time_ps(const AmphiTrajectory *trajectory, int64_t k);

/* What a file of this format will have of steps and times that are not those of the run. */
void amphi_trajectory_tell_times(const AmphiTrajectory *trajectory, const AmphiFormat *to,
                                 AmphiNotes *notes);

/* As amphi_dcd_read and amphi_dcd_snapshot. */
bool amphi_trajectory_read(const AmphiTrajectory *trajectory, int64_t frame, double box_nm[3],
                           double (*position_nm)[3], AmphiNotes *notes);
AmphiSnapshot *amphi_trajectory_snapshot(const AmphiTrajectory *trajectory, int64_t frame,
                                         AmphiArena *arena, AmphiNotes *notes);

/* Writes all frames to a file of this format, one after another, so that they may be any number; it
 * is written whole or not at all. Where times are not even and the format cannot tell them, there
 * is a warning. AMPHI_BAD_INPUT: a frame cannot be read, or written. AMPHI_BAD_FILE: writing
 * failed. */
AmphiStatus amphi_trajectory_copy(const AmphiTrajectory *trajectory, const AmphiFormat *format,
                                  const char *to, AmphiArena *arena, AmphiNotes *notes,
                                  AmphiError *err);

#endif
