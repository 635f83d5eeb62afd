/* amphi compare: simulates one system in several modes, starting from the same state. A mode is a
 * backend with a precision.
 *
 * A mode that fails (out of memory, an overflow of fixed precision, coordinates that are not
 * finite) is recorded as lost, with the reason. Its remaining results are unknown; the other modes
 * continue.
 */
#ifndef AMPHI_TOOLS_COMPARE_H
#define AMPHI_TOOLS_COMPARE_H

#include <signal.h>

#include "../engine/backend.h"
#include "../engine/job.h"
#include "../engine/stage.h"
#include "compare_report.h"

typedef struct {
    const AmphiBackend *backend;
    char                name[24]; /* "cpu single" */
    char                about[128];
    bool                is_lost;
    char                why[320];   /* the reason, of a lost mode */
    AmphiState         *state;      /* NULL: not open */
    AmphiFrame          frame;      /* of the last sample */
    double              heap_bytes; /* of the state and its lists; 0: not known */
} CompareMode;

typedef struct {
    const AmphiJob *job;
    AmphiSystem     system; /* the job's, with the coordinates that all modes start from */
    AmphiCompute    choice;
    const char     *path;     /* of the system file */
    const char     *from;     /* checkpoint to start from; NULL: the stages of the job */
    bool            is_guess; /* `from` was not given; used only if its physics is the job's */
    double          length_ps, settle_ps, dt_ps; /* dt 0: that of the last stage */
    bool            is_alone;                    /* no mode in double is added */
    int32_t         n_modes, base; /* base: the mode that others are compared with; -1: none */
    CompareMode     mode[COMPARE_MODES];
    AmphiStage      nve, nvt;
    bool            has_bath; /* nvt is set */
    CompareReport  *report;
    /* Both may be NULL: a request to stop, and a function that shows the progress in steps. */
    volatile const sig_atomic_t *stop;
    void (*tell)(void *user, const char *part, int64_t done, int64_t of);
    void *user;
} Compare;

static inline bool compare_stops(const Compare *c)
{
    return c->stop != NULL && *c->stop != 0;
}

/* compare_modes.c. Selects the modes: each backend of one list with each precision of the other.
 * The lists are separated by commas; NULL stands for all. Modes that are not available are left out
 * with a remark; a mode in double is added if there is none, unless is_alone is set.
 * AMPHI_BAD_COMMAND: an unknown or repeated word, or no mode is left. */
AmphiStatus compare_choose(Compare *c, const char *backends, const char *precisions,
                           AmphiError *err);
/* Records a failure of a mode and returns AMPHI_OK; AMPHI_DEFECT is returned unchanged. */
AmphiStatus compare_lose(CompareMode *mode, AmphiStatus status, const AmphiError *why);
AmphiStatus compare_open(Compare *c, AmphiError *err);
void        compare_close(Compare *c);

/* compare_start.c. Fills in system, nve and nvt, and their description in the report.
 * AMPHI_BAD_INPUT: the job has no plan, or the checkpoint is of another system. */
AmphiStatus compare_find_start(Compare *c, AmphiError *err);

/* compare_forces.c: energies, virials, forces and torques at the start. */
AmphiStatus compare_forces(Compare *c, AmphiError *err);

/* compare_flight.c: simulates a stage in all modes, sample by sample. */
typedef struct {
    Compare          *c;
    const char       *part;
    const AmphiStage *stage;
    int64_t           every, n_samples; /* steps between samples; the largest number of samples */
    int64_t           n_seen;           /* samples that were taken; fewer after a stop */
    uint32_t          needs;
    /* Called for each sample, with the frames of all remaining modes in mode[].frame. */
    AmphiStatus (*see)(void *user, int64_t sample, AmphiError *err);
    void *user;
} CompareFlight;

/* Sets every and n_samples: samples 0.1 ps apart, at most 20000. */
void        compare_plan_flight(CompareFlight *flight, double length_ps);
AmphiStatus compare_fly(CompareFlight *flight, AmphiError *err);
/* Advances one mode by n steps, without output. */
AmphiStatus compare_go(CompareMode *mode, int64_t n_steps, AmphiError *err);
/* Computes a sample of one mode: lists, forces and kick of a step, and its frame, with what `needs`
 * asks for. The drift of that step is left out. */
AmphiStatus compare_look(CompareMode *mode, uint32_t needs, AmphiError *err);

/* compare_nve.c: the drift of the energy, and the time at which trajectories diverge. */
AmphiStatus compare_nve(Compare *c, AmphiError *err);
/* compare_nvt.c: temperatures and energies in a thermostat. */
AmphiStatus compare_nvt(Compare *c, AmphiError *err);
/* compare_speed.c: speed and memory of the states as they are after compare_nvt. */
AmphiStatus compare_speed(Compare *c, AmphiError *err);
double      compare_heap(void); /* bytes on the heap of this process; 0: not known */

/* Runs all parts. The report is valid, if incomplete, whatever the status. AMPHI_STOPPED: on
 * request; AMPHI_NOT_HELD: a mode was lost. */
AmphiStatus compare_all(Compare *c, AmphiError *err);

/* Total energy of a frame (the kinetic energy is that of the conserved quantity) and potential
 * energy, kJ/mol. */
double compare_total(const AmphiFrame *frame);
double compare_potential(const AmphiFrame *frame);

/* Sets all values to NaN. */
void compare_unknown(double value[COMPARE_MODES]);

#endif
