/* Observers that are shown the frames of a run's trajectory: which ones, which frames, and where
 * their results go. The command line, and what is told, are in cmd_analyse.c.
 */
#ifndef AMPHI_TOOLS_ANALYSE_H
#define AMPHI_TOOLS_ANALYSE_H

#include <signal.h>

#include "../engine/observe.h"
#include "../engine/run_replay.h"
#include "command.h"

enum { TOOL_MOST_OBSERVERS = 32, TOOL_MOST_NAMES = 16 };

typedef struct {
    double  from_ps, to_ps;
    bool    has_from; /* from_ps was asked for, and counts instead of the observers' first stages */
    int64_t nth;      /* every nth frame of each stage */
} AnalysisFrames;

/* Frames of a trajectory, counted there from 0. */
typedef struct {
    int64_t n, first, last;
    double  first_ps, last_ps;
} AnalysisSeen;

typedef struct {
    const ToolCall   *call;
    const AmphiJob   *job; /* borrowed */
    AmphiReplay      *replay;
    AnalysisFrames    frames;
    int32_t           n_observers;
    AmphiObserverPlan plan[TOOL_MOST_OBSERVERS]; /* with the pace of the frames */
    int32_t           from[TOOL_MOST_OBSERVERS]; /* the first stage by its own plan */
    const char       *name[TOOL_MOST_OBSERVERS][TOOL_MOST_NAMES]; /* what is left of its names */
    AmphiObserver    *observer[TOOL_MOST_OBSERVERS];
    AmphiOutfiles    *files;
    AnalysisSeen      seen; /* all that are chosen */
    AnalysisSeen      seen_by[TOOL_MOST_OBSERVERS];
    char              heading[TOOL_MOST_OBSERVERS][300];
} Analysis;

/* Opens the trajectory in `dir` and chooses observers and frames: with --observe those of
 * job->asked, else those of the run. What needs more than frames have is left out with a remark.
 * AMPHI_BAD_INPUT: nothing is left. Otherwise as amphi_replay_open. Closing is always needed. */
AmphiStatus analysis_open(Analysis *analysis, const ToolCall *call, const AmphiJob *job,
                          const char *dir, const AnalysisFrames *frames, AmphiError *err);
/* Shows the frames to the observers, which write into the folder `to`, each the heading with its
 * frames behind it. progress is called behind
 * each of them. AMPHI_STOPPED: *stop was set. */
AmphiStatus analysis_run(Analysis *analysis, const char *to, const char *heading,
                         volatile const sig_atomic_t *stop,
                         void (*progress)(void *user, int64_t done, int64_t of), void *user,
                         AmphiError *err);
void        analysis_close(Analysis *analysis);

#endif
