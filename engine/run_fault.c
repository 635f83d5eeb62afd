/* The report of a fault: the bead and its nearest neighbour, the two largest forces, or the box
 * that is too small; the last good state as a checkpoint, and a trajectory of the steps from there.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "build_space.h"
#include "formats/dcd.h"
#include "run_parts.h"

/* The largest number of frames of that trajectory. */
enum { MOST_FRAMES = 100 };

/* The first bead that is nowhere, which is what a neighbour list stops at; else the first that is
 * faulty in another way, or the one with the largest force. */
static int32_t find_culprit(const AmphiRun *run, const AmphiFrame *frame, double dt_ps)
{
    int32_t worst = 0;

    if (frame->culprit > 0)
        return frame->culprit - 1;
    if (run->suspect > 0)
        return run->suspect - 1;
    for (int32_t i = 0; i < run->job->system.n_beads; i++)
        if (!isfinite(amphi_norm3(frame->position_nm[i])))
            return i;
    for (int32_t i = 0; i < run->job->system.n_beads; i++) {
        if (amphi_run_fault_of(frame, i, dt_ps) != NULL)
            return i;
        if ((frame->has & AMPHI_NEED_FORCES) != 0 &&
            amphi_norm3(frame->force_kJ_mol_nm[i]) > amphi_norm3(frame->force_kJ_mol_nm[worst]))
            worst = i;
    }
    return worst;
}

/* A backend that looks at its beads by itself stops at what it finds; what that is the host sees,
 * too, and says as it does of others. */
static void find_words(AmphiRun *run, const AmphiFrame *frame, char *what, size_t size)
{
    AmphiError seen = { .status = AMPHI_OK };

    if (frame->culprit == 0 && run->suspect == 0 &&
        amphi_run_look_at_beads(run, frame, &seen) != AMPHI_OK)
        snprintf(what, size, "%.199s", seen.text);
}

static double distance(const AmphiFrame *frame, int32_t i, int32_t j)
{
    double d[3];

    amphi_nearest_image(frame->position_nm[i], frame->position_nm[j], frame->box_nm, d);
    return amphi_norm3(d);
}

/* Is it where the box can be counted back to? Further out bodies are not brought back
 * (amphi_wrap_body), and no digit of a distance is left. */
static bool is_placed(const AmphiFrame *frame, int32_t i)
{
    for (int a = 0; a < 3; a++)
        if (!(fabs(frame->position_nm[i][a]) < 1e6 * frame->box_nm[a]))
            return false;
    return true;
}

/* The nearest bead to one; -1: there is none, or it is out of all boxes. */
static int32_t find_nearest(const AmphiRun *run, const AmphiFrame *frame, int32_t i)
{
    int32_t nearest = -1;
    double  least   = (double)INFINITY;

    for (int32_t j = 0; j < run->job->system.n_beads && is_placed(frame, i); j++) {
        const bool   counts = j != i && is_placed(frame, j);
        const double d      = counts ? distance(frame, i, j) : (double)INFINITY;

        if (d < least) {
            least   = d;
            nearest = j;
        }
    }
    return nearest;
}

/* bead: the one at fault, and its nearest neighbour or -1. */
static void tell_neighbour(const AmphiRun *run, const AmphiFrame *frame, const int32_t bead[2],
                           char *text, size_t size)
{
    const AmphiSystem *s = &run->job->system;
    const int32_t      i = bead[0], j = bead[1];
    char               name[96];

    text[0] = '\0';
    if (!is_placed(frame, i) && isfinite(amphi_norm3(frame->position_nm[i])))
        snprintf(text, size, ", more than a million boxes away");
    else if (j >= 0)
        snprintf(text, size, "; nearest is bead %d (%s) at %.3g nm, sigma %.3g nm", j + 1,
                 amphi_system_bead(s, j, name, sizeof name), distance(frame, i, j),
                 s->pair_rule[(int64_t)s->bead_type[i] * s->n_types + s->bead_type[j]].sigma_nm);
}

/* The beads with the two largest forces, the larger first; bead -1: it feels none. */
typedef struct {
    int32_t bead[2];
    double  size_kJ_mol_nm[2];
} Forces;

/* False: they are not those of this frame, or no numbers. In fixed precision they are none where a
 * quantity left its range. */
static bool find_forces(const AmphiRun *run, const AmphiFrame *frame, Forces *most)
{
    *most = (Forces){ .bead = { -1, -1 } };
    if ((frame->has & AMPHI_NEED_FORCES) == 0)
        return false;
    for (int32_t i = 0; i < run->job->system.n_beads; i++) {
        const double *f    = frame->force_kJ_mol_nm[i];
        const double  size = hypot(hypot(f[0], f[1]), f[2]); /* squares may be out of range */

        if (!isfinite(size))
            return false;
        if (size > most->size_kJ_mol_nm[0])
            *most = (Forces){ .bead           = { i, most->bead[0] },
                              .size_kJ_mol_nm = { size, most->size_kJ_mol_nm[0] } };
        else if (size > most->size_kJ_mol_nm[1]) {
            most->bead[1]           = i;
            most->size_kJ_mol_nm[1] = size;
        }
    }
    return frame->culprit == 0;
}

/* Those of the last good state, to which the backend goes back. */
static bool find_good_forces(AmphiRun *run, Forces *most)
{
    const AmphiBackend *be    = run->backend;
    const uint32_t      needs = AMPHI_NEED_FORCES;
    AmphiFrame          frame;

    return amphi_run_fetch_good(run) && be->restore(run->state, &run->good, NULL) == AMPHI_OK &&
           be->find_neighbours(run->state, NULL) == AMPHI_OK &&
           be->compute_forces(run->state, needs, NULL) == AMPHI_OK &&
           be->read_frame(run->state, needs, &frame, NULL) == AMPHI_OK &&
           find_forces(run, &frame, most);
}

/* A line about the largest forces of this frame, else of the last good one; empty: none are known.
 * Beads that were told before are not named again. */
static void tell_forces(AmphiRun *run, const AmphiFrame *frame, const int32_t told[2], char *text,
                        size_t size)
{
    Forces     most;
    const bool is_here = find_forces(run, frame, &most);
    char       name[40];
    int        n = 0;

    text[0] = '\0';
    if ((!is_here && !find_good_forces(run, &most)) || most.bead[0] < 0)
        return;
    n = snprintf(text, size, "\n    largest forces in kJ/mol/nm");
    if (!is_here)
        n += snprintf(text + n, size - (size_t)n, " at step %" PRId64, run->good_step);
    for (int k = 0; k < 2 && most.bead[k] >= 0; k++) {
        const int32_t i = most.bead[k];

        n += snprintf(text + n, size - (size_t)n, "%s %.3g on bead %d", k == 0 ? ":" : ",",
                      most.size_kJ_mol_nm[k], i + 1);
        if (i != told[0] && i != told[1])
            n += snprintf(text + n, size - (size_t)n, " (%s)",
                          amphi_system_bead(&run->job->system, i, name, sizeof name));
    }
}

/* Writes fault-STEP.chk: the last good state, or else the one before this step. */
static void dump(AmphiRun *run, char *text, size_t size)
{
    const bool  has_good = amphi_run_fetch_good(run);
    char        name[64], path[AMPHI_PATH_SIZE];
    AmphiError  why = { .status = AMPHI_OK };
    AmphiStatus status;

    text[0] = '\0';
    if (!has_good && run->tried.data == NULL)
        return;
    snprintf(name, sizeof name, "fault-%" PRId64 ".chk", run->at.step);
    status = amphi_run_path(run, name, path, &why);
    if (status == AMPHI_OK)
        status = amphi_run_dump(run, has_good ? &run->good : &run->tried, path, &why);
    if (status == AMPHI_OK)
        snprintf(text, size, "\n    state of step %" PRId64 " kept in %s",
                 has_good ? run->good_step : run->at.step, name);
    else
        snprintf(text, size, "\n    the state before it could not be kept: %.80s", why.text);
}

/* One more step of the state, and its frame. */
static AmphiStatus go_again(AmphiRun *run, AmphiDcdWriter *w, AmphiError *err)
{
    const AmphiBackend *be    = run->backend;
    const uint32_t      needs = AMPHI_NEED_POSITIONS;
    AmphiFrame          frame;

    AMPHI_TRY(be->find_neighbours(run->state, err));
    AMPHI_TRY(be->compute_forces(run->state, needs, err));
    AMPHI_TRY(be->kick(run->state, needs, err));
    AMPHI_TRY(be->read_frame(run->state, needs, &frame, err));
    if (w->file != NULL)
        AMPHI_TRY(amphi_dcd_append(w, frame.box_nm, frame.position_nm, err));
    return be->drift(run->state, err);
}

/* Repeats the steps from the last good state to the fault and writes a frame of each, as long as
 * they are finite. Returns the number of frames. */
static int64_t record_way(AmphiRun *run, const char *path)
{
    const int64_t  n      = run->at.step - run->good_step;
    const int64_t  first  = n < MOST_FRAMES ? 0 : n - MOST_FRAMES + 1;
    AmphiError     why    = { .status = AMPHI_OK };
    AmphiDcdWriter w      = { .path = path };
    AmphiStatus    status = run->backend->restore(run->state, &run->good, &why);

    for (int64_t k = 0; status == AMPHI_OK && k <= n; k++) {
        if (k == first)
            status = amphi_dcd_create(&w, path, run->job->system.n_beads, run->good_step + k, 1,
                                      amphi_run_stage(run)->dt_ps, &why);
        if (status == AMPHI_OK)
            status = go_again(run, &w, &why);
    }
    return amphi_dcd_finish(&w, &why) == AMPHI_OK ? w.n_frames : 0;
}

/* A sentence for the message about this trajectory; empty if there is none. */
static void tell_way(AmphiRun *run, char *text, size_t size)
{
    char name[64], path[AMPHI_PATH_SIZE];

    text[0] = '\0';
    if (run->good.data == NULL || run->good_step >= run->at.step ||
        amphi_run_stage(run)->ensemble == AMPHI_MINIMISE)
        return;
    snprintf(name, sizeof name, "fault-%" PRId64 ".dcd", run->at.step);
    if (amphi_run_path(run, name, path, NULL) == AMPHI_OK && record_way(run, path) > 0)
        snprintf(text, size, "\n    and the steps from there in %s", name);
}

/* Adds a line if there is room for all of it. */
static void add_line(AmphiError *err, const char *line)
{
    const size_t n = strlen(err->text);

    if (n + strlen(line) < sizeof err->text)
        strcpy(err->text + n, line);
}

void amphi_run_name_past(const AmphiRun *run, AmphiError *err)
{
    char line[192];

    if (!amphi_run_has_past(run))
        return;
    snprintf(line, sizeof line,
             "\n    the last checkpoint, of step %" PRId64
             ", is from before: the same command goes "
             "on there%s",
             run->saved_step,
             run->backend->is_there == NULL ? "" : ", with --backend cpu without the device");
    add_line(err, line);
}

bool amphi_run_read_fault(AmphiRun *run, uint32_t needs, AmphiFrame *frame)
{
    for (int asked = 0; asked < 2; asked++)
        if (run->backend->read_frame(run->state, needs, frame, NULL) == AMPHI_OK)
            return true;
    return false;
}

/* A box that has shrunk is no fault of a bead. */
static void report_box(AmphiRun *run, const AmphiFrame *frame, AmphiError *err)
{
    AmphiError why = { .status = AMPHI_OK };
    char       kept[160], way[128];

    amphi_system_check_box(&run->job->system, frame->box_nm, &why);
    dump(run, kept, sizeof kept);
    tell_way(run, way, sizeof way);
    amphi_fail(err, AMPHI_UNSTABLE, "fault at step %" PRId64 " (%.6g ps): %.199s", run->at.step,
               run->at.time_ps, why.text);
    add_line(err, kept);
    add_line(err, way);
    add_line(err, "\n    write: a larger system, a shorter cut-off, or in <barostat> a weaker "
                  "pressure or tension");
}

/* Then no overlap is left, and what moves a bead too far is how fast it is. */
static bool follows_minimum(const AmphiRun *run)
{
    return run->at.stage > 0 && run->job->stage[run->at.stage - 1].ensemble == AMPHI_MINIMISE;
}

void amphi_run_report(AmphiRun *run, AmphiError *err)
{
    const AmphiStage *stage = amphi_run_stage(run);
    const bool        moves = stage != NULL && stage->ensemble != AMPHI_MINIMISE;
    const double      dt_ps = moves ? stage->dt_ps : 0;
    AmphiFrame        frame;
    char              what[200], name[96], near[160], forces[256], kept[160], way[128];
    int32_t           bead[2];

    snprintf(what, sizeof what, "%.199s", err->text);
    if (!amphi_run_read_fault(run, AMPHI_NEED_FORCES | AMPHI_NEED_POSITIONS, &frame))
        return;
    if (run->backend->advance != NULL) { /* it was told of steps that it has not come to */
        run->at.step    = frame.step;
        run->at.time_ps = frame.time_ps;
    }
    if (!amphi_system_fits(&run->job->system, frame.box_nm)) {
        report_box(run, &frame, err);
        return;
    }
    find_words(run, &frame, what, sizeof what);
    bead[0] = find_culprit(run, &frame, dt_ps);
    bead[1] = find_nearest(run, &frame, bead[0]);
    amphi_system_bead(&run->job->system, bead[0], name, sizeof name);
    tell_neighbour(run, &frame, bead, near, sizeof near);
    tell_forces(run, &frame, bead, forces, sizeof forces);
    dump(run, kept, sizeof kept);
    tell_way(run, way, sizeof way);
    amphi_fail(err, AMPHI_UNSTABLE,
               "fault at step %" PRId64 " (%.6g ps): %s\n"
               "    bead %d = %s%s",
               run->at.step, run->at.time_ps, what, bead[0] + 1, name, near);
    add_line(err, forces);
    add_line(err, kept);
    add_line(err, way);
    if (moves && run->at.step == run->at.stage_began)
        add_line(err,
                 follows_minimum(run)
                     ? "\n    write: a shorter timestep, or a lower temperature at <velocities>"
                     : "\n    write: <minimise name=\"relax\" steps=\"500\"/> before this "
                       "stage, or a shorter timestep");
    else
        add_line(err, "\n    often: a time step too long, or a start with overlaps");
}
