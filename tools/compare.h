/* amphi compare: one system in several modes (backend and precision), from one state.
 *
 * A mode that cannot go on (out of memory, saturated, exploded) is lost: it says why, its later numbers
 * stay unknown, and the others go on.
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
    char                why[320];   /* of a lost one */
    AmphiState         *state;      /* NULL: not open */
    AmphiFrame          frame;      /* of the last look */
    double              heap_bytes; /* of the state and its lists; 0: not known */
} CompareMode;

typedef struct {
    const AmphiJob *job;
    AmphiSystem     system; /* the job's, at the start of every mode */
    AmphiCompute    choice;
    const char     *path;     /* of the system file */
    const char     *from;     /* checkpoint to start from; NULL: the stages of the job */
    bool            is_guess; /* nobody named it: it counts only when its physics is the job's */
    double          length_ps, settle_ps, dt_ps; /* dt 0: that of the last stage */
    int32_t         n_modes, base; /* base: the mode that others are held against; -1 */
    CompareMode     mode[COMPARE_MODES];
    AmphiStage      nve, nvt;
    bool            has_bath; /* is there an nvt? */
    CompareReport  *report;
    /* may be NULL: asked for from outside; and a line for who waits: part, done of so many steps */
    volatile const sig_atomic_t *stop;
    void (*tell)(void *user, const char *part, int64_t done, int64_t of);
    void *user;
} Compare;

static inline bool compare_stops(const Compare *c)
{
    return c->stop != NULL && *c->stop != 0;
}

/* compare_modes.c. Every backend of one list in every precision of the other, both separated by commas,
 * NULL: all there are. One that is not there is left out with a remark; a double one is added when none
 * was asked for. AMPHI_BAD_COMMAND: a word that is neither, a word twice, or no mode is left. */
AmphiStatus compare_choose(Compare *c, const char *backends, const char *precisions,
                           AmphiError *err);
/* The mode's own failure; a defect is not taken for one. */
AmphiStatus compare_lose(CompareMode *mode, AmphiStatus status, const AmphiError *why);
AmphiStatus compare_open(Compare *c, AmphiError *err);
void        compare_close(Compare *c);

/* compare_start.c. Fills in system, nve, nvt and what the report says of them. AMPHI_BAD_INPUT: no plan, or
 * a checkpoint of another system. */
AmphiStatus compare_find_start(Compare *c, AmphiError *err);

/* compare_forces.c: energies, virials, forces and torques at the start. */
AmphiStatus compare_forces(Compare *c, AmphiError *err);

/* compare_flight.c: all modes side by side through a stage. */
typedef struct {
    Compare          *c;
    const char       *part;
    const AmphiStage *stage;
    int64_t           every, n_samples; /* steps between samples; how many at most */
    int64_t           n_seen;           /* samples that all modes have: fewer when it was stopped */
    uint32_t          needs;
    /* the frames of all modes that are left stand in mode[].frame */
    AmphiStatus (*see)(void *user, int64_t sample, AmphiError *err);
    void *user;
} CompareFlight;

/* Samples of a length: 0.1 ps apart, but never more than 20000. */
void        compare_plan_flight(CompareFlight *flight, double length_ps);
AmphiStatus compare_fly(CompareFlight *flight, AmphiError *err);
/* n steps of one mode that nobody looks at; one that is looked at, from its top to its frame. */
AmphiStatus compare_go(CompareMode *mode, int64_t n_steps, AmphiError *err);
AmphiStatus compare_look(CompareMode *mode, uint32_t needs, AmphiError *err);

/* compare_nve.c: drift, and when trajectories part. */
AmphiStatus compare_nve(Compare *c, AmphiError *err);
/* compare_nvt.c: temperatures and energies; then, on the same states, speed and memory. */
AmphiStatus compare_nvt(Compare *c, AmphiError *err);
/* compare_speed.c */
AmphiStatus compare_speed(Compare *c, AmphiError *err);
double      compare_heap(void); /* bytes that this process has taken; 0: not known */

/* All of it, as far as it comes: the report is good whatever the status. AMPHI_STOPPED: on request;
 * AMPHI_NOT_HELD: a mode was lost. */
AmphiStatus compare_all(Compare *c, AmphiError *err);

/* U + K of a frame, K as in the conserved quantity; and U alone. kJ/mol */
double compare_total(const AmphiFrame *frame);
double compare_potential(const AmphiFrame *frame);

/* A row of unknown numbers. */
void compare_unknown(double value[COMPARE_MODES]);

#endif
