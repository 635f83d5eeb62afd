/* The backend `cuda` against the backend `cpu`: the motion of every ensemble, a descent, and equal
 * bits where they are promised. Its forces: test_forces_cuda.c. Without a device every test is
 * skipped, and says so.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../bench/replicate.h"
#include "steps.h"

#define WATER_JOB                                                                                  \
    "<amphi version=\"1\"><forcefield><include href=\"forcefield:%s\"/></forcefield><system>"      \
    "<box x=\"%g nm\" y=\"%g nm\" z=\"%g nm\"/><start><fill type=\"%s\" count=\"%d\" seed=\"3\"/>" \
    "<velocities temperature=\"298 K\" seed=\"1\"/></start></system></amphi>\n"

/* ---- which device ---- */

/* Opens and computes the forces of water there; false: there is no device of that number. */
static bool forces_of_device(const AmphiBackend *cuda, const AmphiSystem *system, int32_t device,
                             Vectors force)
{
    const AmphiCompute compute = { .device = device };
    AmphiState        *state   = NULL;
    AmphiError         opened  = { AMPHI_OK, "" };
    AmphiFrame         frame;
    char               number[32];

    if (cuda->open(system, &compute, &state, &opened) != AMPHI_OK) {
        snprintf(number, sizeof number, "device %d: there ", device);
        assert_null(state);
        assert_int_equal(amphi_exit_code(opened.status), 6);
        assert_ptr_equal(strstr(opened.text, number), opened.text);
        print_message("%s\n", opened.text);
        return false;
    }
    DO(cuda->compute_forces(state, AMPHI_NEED_FORCES, &err));
    DO(cuda->read_frame(state, AMPHI_NEED_FORCES, &frame, &err));
    memcpy(force, frame.force_kJ_mol_nm, (size_t)system->n_beads * sizeof *force);
    cuda->close(state);
    return true;
}

/* One after the other, and the first once more. */
static void every_device_there_is_gives_the_same_bits_and_no_other_opens(void **state)
{
    const AmphiBackend *cuda     = device_or_skip(AMPHI_FIXED);
    AmphiJob           *job      = job_of_text(WATER_JOB, "elba", 3.0, 3.0, 3.0, "water", 800);
    const size_t        bytes    = (size_t)job->system.n_beads * sizeof(double[3]);
    Vectors             first    = vectors_new(job->system.n_beads);
    Vectors             other    = vectors_new(job->system.n_beads);
    int32_t             n_opened = 1;

    (void)state;
    assert_true(forces_of_device(cuda, &job->system, 0, first));
    for (; forces_of_device(cuda, &job->system, n_opened, other); n_opened++)
        assert_memory_equal(first, other, bytes);
    print_message("%d device%s\n", n_opened, n_opened == 1 ? "" : "s");
    assert_false(forces_of_device(cuda, &job->system, -1, other));
    assert_false(forces_of_device(cuda, &job->system, INT32_MAX, other));
    assert_true(forces_of_device(cuda, &job->system, 0, other));
    assert_memory_equal(first, other, bytes);
    amphi_release(first);
    amphi_release(other);
    amphi_job_free(job);
}

/* ---- motion ---- */

#define MEMBRANE                                                                                   \
    "<amphi version=\"1\"><forcefield><include href=\"forcefield:elba\"/></forcefield><system>"    \
    "<start><bilayer normal=\"z\" water-per-lipid=\"20\" seed=\"1\">"                              \
    "<leaflet side=\"upper\"><lipid type=\"DMPC\" count=\"32\"/></leaflet>"                        \
    "<leaflet side=\"lower\"><lipid type=\"DMPC\" count=\"32\"/></leaflet></bilayer>"              \
    "<velocities temperature=\"303 K\" seed=\"1\"/></start>"                                       \
    "<group name=\"lipids\" select=\"kind lipid\"/><group name=\"solvent\" select=\"kind "         \
    "solvent\"/></system>"                                                                         \
    "<plan timestep=\"5 fs\"><minimise name=\"relax\" steps=\"200\"/>"
#define ENDS  "</plan></amphi>\n"
#define BATHS "temperature=\"303 K\" time=\"0.5 ps\""

static const struct {
    const char *name, *stage;
} motions[] = {
    { "nve", "<run name=\"a\" ensemble=\"nve\" length=\"1 ps\"/>" },
    { "velocity rescaling, two groups",
      "<run name=\"a\" ensemble=\"nvt\" length=\"1 ps\"><thermostat " BATHS
      " groups=\"lipids solvent\" remove-drift=\"yes\"/></run>" },
    { "velocity rescaling in every step",
      "<run name=\"a\" ensemble=\"nvt\" length=\"1 ps\"><thermostat " BATHS
      " every=\"1\" groups=\"lipids solvent\" remove-drift=\"yes\"/></run>" },
    { "velocity rescaling beside a box, seldom",
      "<run name=\"a\" ensemble=\"npt\" length=\"1 ps\"><thermostat " BATHS
      " every=\"6\" groups=\"lipids solvent\" remove-drift=\"yes\"/><barostat "
      "every=\"4\"/></run>" },
    { "Berendsen",
      "<run name=\"a\" ensemble=\"nvt\" length=\"1 ps\"><thermostat type=\"berendsen\" " BATHS
      "/></run>" },
    { "Langevin",
      "<run name=\"a\" ensemble=\"nvt\" length=\"1 ps\"><thermostat type=\"langevin\" " BATHS
      "/></run>" },
    { "Langevin without drift",
      "<run name=\"a\" ensemble=\"nvt\" length=\"1 ps\"><thermostat type=\"langevin\" " BATHS
      " remove-drift=\"yes\"/></run>" },
    { "Langevin without drift of two groups, beside a box",
      "<run name=\"a\" ensemble=\"npt\" length=\"1 ps\"><thermostat type=\"langevin\" " BATHS
      " groups=\"lipids solvent\" remove-drift=\"yes\"/><barostat every=\"4\"/></run>" },
    { "cell rescaling",
      "<run name=\"a\" ensemble=\"npt\" length=\"1 ps\"><thermostat " BATHS
      "/><barostat type=\"cell-rescale\" coupling=\"semi-isotropic\" every=\"10\"/></run>" },
    { "cell rescaling, isotropic, every step",
      "<run name=\"a\" ensemble=\"npt\" length=\"1 ps\"><thermostat " BATHS
      "/><barostat type=\"cell-rescale\" coupling=\"isotropic\" every=\"1\"/></run>" },
    { "Berendsen pressure with tension",
      "<run name=\"a\" ensemble=\"npt\" length=\"1 ps\"><thermostat " BATHS
      "/><barostat type=\"berendsen\" coupling=\"semi-isotropic\" tension=\"10 mN/m\" every=\"7\"/>"
      "</run>" },
    { "restraints along z",
      "<run name=\"a\" ensemble=\"nvt\" length=\"1 ps\"><thermostat " BATHS
      "/><restrain group=\"lipids\" k=\"500 kJ/mol/nm^2\" axes=\"z\"/></run>" },
    { "restraints in a box that moves in every step",
      "<run name=\"a\" ensemble=\"npt\" length=\"1 ps\"><thermostat " BATHS
      "/><barostat every=\"1\"/><restrain group=\"lipids\" k=\"500 kJ/mol/nm^2\"/></run>" },
};
enum { N_MOTIONS = (int)(sizeof motions / sizeof motions[0]) };

/* Steps that nobody looks at, by hand. */
static void step(const AmphiBackend *backend, AmphiState *state, int n)
{
    for (int k = 0; k < n; k++) {
        kick(backend, state, 0);
        DO(backend->drift(state, &err));
    }
}

/* A job whose system is relaxed, by the reference's neighbour: descents of two backends part. */
typedef struct {
    AmphiJob   *job;
    AmphiArena *arena;
    AmphiSystem system;
} Relaxed;

static Relaxed relaxed_job(const char *motion)
{
    static const int32_t once[3] = { 1, 1, 1 };
    const AmphiBackend  *cpu     = amphi_backend_find("cpu", AMPHI_DOUBLE);
    Relaxed     r     = { job_of_text("%s%s%s", MEMBRANE, motion, ENDS), amphi_arena_new(), { 0 } };
    AmphiState *state = open_state(cpu, &r.job->system, 0);
    AmphiFrame  frame;

    descend(cpu, state, &r.job->stage[0]);
    DO(cpu->read_frame(state, AMPHI_NEED_POSITIONS, &frame, &err));
    assert_true(replicate(&r.job->system, &frame, once, r.arena, &r.system));
    cpu->close(state);
    return r;
}

static void relaxed_free(Relaxed *r)
{
    amphi_arena_free(r->arena);
    amphi_job_free(r->job);
}

/* The state a step later, looked at. */
static void look(const AmphiBackend *backend, AmphiState *state, AmphiFrame *frame)
{
    const uint32_t needs = AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES | AMPHI_NEED_POSITIONS;

    DO(backend->find_neighbours(state, &err));
    DO(backend->compute_forces(state, needs, &err));
    DO(backend->kick(state, needs, &err));
    DO(backend->read_frame(state, needs, frame, &err));
}

static void hold_near(const char *what, double a, double b, double scale, double bound)
{
    HOLD(what, fabs(a - b) / fmax(fabs(scale), 1e-12), bound);
}

/* Where beads went, boxes that they left behind counted. */
static void hold_places(const AmphiFrame *a, const AmphiFrame *b, int32_t n)
{
    Vectors at[2] = { vectors_new(n), vectors_new(n) };

    for (int32_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            at[0][i][k] = a->position_nm[i][k] + a->image[i][k] * a->box_nm[k];
            at[1][i][k] = b->position_nm[i][k] + b->image[i][k] * b->box_nm[k];
        }
    HOLD("positions", relative_rms((const double(*)[3])at[0], (const double(*)[3])at[1], n), 1e-9);
    amphi_release(at[0]);
    amphi_release(at[1]);
}

/* Rounding grows by a factor of about e every 0.1 ps; after 40 steps of 5 fs a double of 1e-16 is
 * still below 1e-9. */
static void hold_frames(const AmphiFrame *a, const AmphiFrame *b, int32_t n)
{
    const double kinetic = b->translation.half + b->rotation.half;

    hold_places(a, b, n);
    HOLD("velocities", relative_rms(a->velocity_nm_ps, b->velocity_nm_ps, n), 1e-8);
    HOLD("spins", relative_rms(a->spin_u_nm2_ps, b->spin_u_nm2_ps, n), 1e-8);
    HOLD("forces", relative_rms(a->force_kJ_mol_nm, b->force_kJ_mol_nm, n), 1e-8);
    hold_near("translation", a->translation.half, b->translation.half, kinetic, 1e-9);
    hold_near("rotation", a->rotation.half, b->rotation.half, kinetic, 1e-9);
    hold_near("translation at t", a->translation.full, b->translation.full, kinetic, 1e-9);
    hold_near("heat", a->heat_kJ_mol, b->heat_kJ_mol, kinetic, 1e-8);
    hold_near("work", a->work_kJ_mol, b->work_kJ_mol, kinetic, 1e-8);
    hold_near("conserved", a->conserved_kJ_mol, b->conserved_kJ_mol, kinetic, 1e-8);
    hold_near("sum of conserved", a->conserved_sum_kJ_mol, b->conserved_sum_kJ_mol,
              fmax(1, (double)b->conserved_count) * kinetic, 1e-8);
    for (int k = 0; k < 3; k++) {
        hold_near("box", a->box_nm[k], b->box_nm[k], b->box_nm[k], 1e-10);
        hold_near("kinetic tensor", a->kinetic_half_kJ_mol[k][k], b->kinetic_half_kJ_mol[k][k],
                  kinetic, 1e-9);
    }
    assert_int_equal(a->step, b->step);
    assert_int_equal(a->stage_step, b->stage_step);
    assert_int_equal(a->conserved_count, b->conserved_count);
    for (int k = 0; k < 2; k++)
        assert_int_equal(a->freedom[k], b->freedom[k]);
}

static void every_ensemble_moves_as_on_the_cpu(void **state)
{
    const AmphiBackend *cuda = device_or_skip(AMPHI_DOUBLE);
    const AmphiBackend *cpu  = amphi_backend_find("cpu", AMPHI_DOUBLE);

    (void)state;
    for (int k = 0; k < N_MOTIONS; k++) {
        Relaxed     r = relaxed_job(motions[k].stage);
        AmphiState *a = open_state(cuda, &r.system, 0), *b = open_state(cpu, &r.system, 0);
        AmphiFrame  fa, fb;

        print_message("%s\n", motions[k].name);
        DO(cuda->begin_stage(a, &r.job->stage[1], &err));
        DO(cpu->begin_stage(b, &r.job->stage[1], &err));
        walk(cuda, a, 40, 13);
        walk(cpu, b, 40, 13);
        look(cuda, a, &fa);
        look(cpu, b, &fb);
        hold_frames(&fa, &fb, r.system.n_beads);
        cuda->close(a);
        cpu->close(b);
        relaxed_free(&r);
    }
}

static void equal_bits(const AmphiFrame *a, const AmphiFrame *b, int32_t n)
{
    assert_memory_equal(a->position_nm, b->position_nm, (size_t)n * sizeof(double[3]));
    assert_memory_equal(a->image, b->image, (size_t)n * sizeof(int32_t[3]));
    assert_memory_equal(a->orientation, b->orientation, (size_t)n * sizeof(double[4]));
    assert_memory_equal(a->velocity_nm_ps, b->velocity_nm_ps, (size_t)n * sizeof(double[3]));
    assert_memory_equal(a->spin_u_nm2_ps, b->spin_u_nm2_ps, (size_t)n * sizeof(double[3]));
    assert_memory_equal(a->force_kJ_mol_nm, b->force_kJ_mol_nm, (size_t)n * sizeof(double[3]));
    assert_memory_equal(a->torque_kJ_mol, b->torque_kJ_mol, (size_t)n * sizeof(double[3]));
    assert_memory_equal(a->box_nm, b->box_nm, sizeof a->box_nm);
    assert_true(a->heat_kJ_mol == b->heat_kJ_mol && a->work_kJ_mol == b->work_kJ_mol);
    assert_true(a->conserved_sum_kJ_mol == b->conserved_sum_kJ_mol);
}

/* One state goes step by step and is looked at, the other in graphs; a third stops in between, is
 * saved, and goes on in another state. */
static void check_bits(AmphiPrecision p, const AmphiSystem *system, const AmphiStage stage[2])
{
    const AmphiBackend *cuda = device_or_skip(p);
    const AmphiStage   *s    = &stage[1];
    const int32_t       n    = system->n_beads;
    AmphiState         *a = open_state(cuda, system, 0), *b = open_state(cuda, system, 0);
    AmphiState         *c    = open_state(cuda, system, 0);
    AmphiBytes          kept = { .data = NULL };
    AmphiFrame          fa, fb, fc;

    descend(cuda, a, &stage[0]);
    descend(cuda, b, &stage[0]);
    DO(cuda->begin_stage(a, s, &err));
    DO(cuda->begin_stage(b, s, &err));
    walk(cuda, a, 150, 1);
    walk(cuda, b, 73, 1000);
    DO(cuda->save(b, &kept, &err));
    DO(cuda->begin_stage(c, s, &err));
    DO(cuda->restore(c, &kept, &err));
    walk(cuda, b, 77, 29);
    step(cuda, c, 77);
    look(cuda, a, &fa);
    look(cuda, b, &fb);
    look(cuda, c, &fc);
    equal_bits(&fa, &fb, n);
    equal_bits(&fb, &fc, n);
    amphi_release(kept.data);
    cuda->close(a);
    cuda->close(b);
    cuda->close(c);
}

static void looking_graphs_and_going_on_change_no_bit(void **state)
{
    (void)state;
    device_or_skip(AMPHI_SINGLE);
    for (int k = 0; k < N_MOTIONS; k++) {
        AmphiJob *job = job_of_text("%s%s%s", MEMBRANE, motions[k].stage, ENDS);

        print_message("%s\n", motions[k].name);
        check_bits(AMPHI_SINGLE, &job->system, job->stage);
        check_bits(AMPHI_DOUBLE, &job->system, job->stage);
        amphi_job_free(job);
    }
}

/* Their lists are built in nodes of graphs, and their rows are sorted. Each level of sums once, and
 * noise beside removal of drift. */
static void large_systems_keep_their_bits_too(void **state)
{
    static const int32_t copies[3] = { 6, 5, 1 };
    static const int     which[]   = { 0, 1, 6, 8 };

    (void)state;
    device_or_skip(AMPHI_SINGLE);
    for (size_t k = 0; k < sizeof which / sizeof *which; k++) {
        AmphiJob   *job   = job_of_text("%s%s%s", MEMBRANE, motions[which[k]].stage, ENDS);
        AmphiArena *arena = amphi_arena_new();
        AmphiSystem large;

        assert_true(replicate(&job->system, NULL, copies, arena, &large));
        print_message("%s, %d beads\n", motions[which[k]].name, large.n_beads);
        for (AmphiPrecision p = AMPHI_SINGLE; p <= AMPHI_FIXED; p++)
            check_bits(p, &large, job->stage);
        amphi_arena_free(arena);
        amphi_job_free(job);
    }
}

/* Where steps go ahead of pairs and there are no bonds, or many beads, graphs show beads in two
 * sets of records by turns, and steps that are looked at in one. */
static void two_sets_of_records_change_no_bit(void **state)
{
    static const char *const fluids[] = { "systems/water-ssd-rf.xml", "systems/water-ssd-e.xml",
                                          "systems/gay-berne.xml", "systems/water-elba.xml" };
    static const int32_t     copies[] = { 9, 8, 1 };
    AmphiJob                *job;
    AmphiArena              *arena;
    AmphiSystem              large;

    (void)state;
    device_or_skip(AMPHI_SINGLE);
    for (size_t k = 0; k < sizeof fluids / sizeof *fluids; k++) {
        job = job_of(".", fluids[k]);
        print_message("%s\n", fluids[k]);
        check_bits(AMPHI_SINGLE, &job->system, job->stage);
        amphi_job_free(job);
    }
    job   = job_of_text("%s%s%s", MEMBRANE, motions[1].stage, ENDS);
    arena = amphi_arena_new();
    assert_true(replicate(&job->system, NULL, copies, arena, &large));
    print_message("%d beads\n", large.n_beads);
    assert_true(large.n_beads > 150000);
    check_bits(AMPHI_SINGLE, &large, job->stage);
    amphi_arena_free(arena);
    amphi_job_free(job);
}

/* A state that was opened in a larger box has shorter rows, and no room for the list of another. */
static void a_state_goes_on_where_rows_are_too_short(void **state)
{
    const AmphiBackend *cuda  = device_or_skip(AMPHI_DOUBLE);
    AmphiJob           *job   = job_of_text("%s%s%s", MEMBRANE, motions[0].stage, ENDS);
    AmphiSystem         loose = job->system;
    AmphiBytes          kept  = { .data = NULL };
    AmphiState         *a, *b;
    AmphiFrame          fa, fb;

    (void)state;
    for (int k = 0; k < 3; k++)
        loose.box_nm[k] *= 1.5;
    a = open_state(cuda, &job->system, 0);
    b = open_state(cuda, &loose, 0);
    descend(cuda, a, &job->stage[0]);
    DO(cuda->begin_stage(a, &job->stage[1], &err));
    walk(cuda, a, 73, 1000);
    DO(cuda->save(a, &kept, &err));
    DO(cuda->begin_stage(b, &job->stage[1], &err));
    DO(cuda->restore(b, &kept, &err));
    walk(cuda, a, 40, 41);
    walk(cuda, b, 40, 41);
    look(cuda, a, &fa);
    look(cuda, b, &fb);
    hold_frames(&fa, &fb, job->system.n_beads);
    amphi_release(kept.data);
    cuda->close(a);
    cuda->close(b);
    amphi_job_free(job);
}

static void the_margin_changes_no_physics(void **state)
{
    const AmphiBackend *cuda = device_or_skip(AMPHI_DOUBLE);
    Relaxed             r    = relaxed_job(motions[1].stage);
    AmphiState *a = open_state(cuda, &r.system, 0.05), *b = open_state(cuda, &r.system, 0.4);
    AmphiFrame  fa, fb;

    (void)state;
    DO(cuda->begin_stage(a, &r.job->stage[1], &err));
    DO(cuda->begin_stage(b, &r.job->stage[1], &err));
    walk(cuda, a, 40, 41);
    walk(cuda, b, 40, 41);
    look(cuda, a, &fa);
    look(cuda, b, &fb);
    hold_frames(&fa, &fb, r.system.n_beads);
    cuda->close(a);
    cuda->close(b);
    relaxed_free(&r);
}

static double potential_after(const AmphiBackend *backend, const AmphiSystem *system,
                              const AmphiStage *descent, const AmphiStage *after)
{
    AmphiState *state = open_state(backend, system, 0);
    AmphiFrame  frame;
    double      sum = 0;

    descend(backend, state, descent);
    DO(backend->begin_stage(state, after, &err));
    look(backend, state, &frame);
    for (int k = 0; k < AMPHI_TERMS; k++)
        sum += frame.term_kJ_mol[k];
    backend->close(state);
    return sum;
}

/* Rounding grows in a descent as in any motion: its first steps are those of the cpu, and all
 * of them end as deep. Of the cpu's own descents, bead 1 moved by 1e-14 nm, the ends differ by
 * 4e-4. */
static void a_descent_goes_as_on_the_cpu(void **state)
{
    static const struct {
        int64_t n_steps;
        double  bound;
    } descents[]             = { { 20, 1e-9 }, { 200, 1e-3 } };
    const AmphiBackend *cuda = device_or_skip(AMPHI_DOUBLE);
    const AmphiBackend *cpu  = amphi_backend_find("cpu", AMPHI_DOUBLE);
    AmphiJob           *job  = job_of_text("%s%s%s", MEMBRANE, motions[0].stage, ENDS);

    (void)state;
    for (size_t k = 0; k < sizeof descents / sizeof descents[0]; k++) {
        AmphiStage stage = job->stage[0];
        double     a, b;

        stage.n_steps = descents[k].n_steps;
        a             = potential_after(cuda, &job->system, &stage, &job->stage[1]);
        b             = potential_after(cpu, &job->system, &stage, &job->stage[1]);
        hold_near("energy", a, b, b, descents[k].bound);
    }
    amphi_job_free(job);
}

typedef struct {
    Vectors x_nm; /* unwrapped */
    int32_t (*image)[3], (*first)[3];
    int n_returns; /* to the first box */
} Trace;

/* Returns how far a bead has gone along an axis since the last frame, at most. */
static double follow(Trace *t, const AmphiFrame *frame, int32_t n)
{
    double farthest_nm = 0;

    for (int32_t i = 0; i < n; i++)
        for (int a = 0; a < 3; a++) {
            const int32_t image = frame->image[i][a];
            const double  x_nm  = frame->position_nm[i][a] + image * frame->box_nm[a];

            farthest_nm = fmax(farthest_nm, fabs(x_nm - t->x_nm[i][a]));
            t->n_returns += image == t->first[i][a] && image != t->image[i][a];
            t->x_nm[i][a]  = x_nm;
            t->image[i][a] = image;
        }
    return farthest_nm;
}

/* A trial moves beads by 0.03 nm at most. What goes back to the best place leaves the boxes again
 * that the trial had entered. */
static void descend_closely(AmphiPrecision precision, const AmphiJob *job)
{
    enum { TRIALS = 120 };
    const AmphiBackend *cuda      = device_or_skip(precision);
    const AmphiSystem  *s         = &job->system;
    AmphiState         *state     = open_state(cuda, s, 0);
    Trace               t         = { vectors_new(s->n_beads), NULL, NULL, 0 };
    bool                converged = false;
    AmphiFrame          frame;

    t.image = calloc((size_t)s->n_beads, sizeof *t.image);
    t.first = calloc((size_t)s->n_beads, sizeof *t.first);
    assert_true(t.image != NULL && t.first != NULL);
    DO(cuda->begin_stage(state, &job->stage[0], &err));
    DO(cuda->read_frame(state, AMPHI_NEED_POSITIONS, &frame, &err));
    memcpy(t.first, frame.image, (size_t)s->n_beads * sizeof *t.first);
    memcpy(t.image, frame.image, (size_t)s->n_beads * sizeof *t.image);
    (void)follow(&t, &frame, s->n_beads);
    for (int k = 0; k < TRIALS && !converged; k++) {
        DO(cuda->find_neighbours(state, &err));
        DO(cuda->compute_forces(state, AMPHI_NEED_POTENTIAL, &err));
        DO(cuda->descend(state, &converged, &err));
        DO(cuda->read_frame(state, AMPHI_NEED_POSITIONS, &frame, &err));
        assert_true(follow(&t, &frame, s->n_beads) < 0.0301);
    }
    for (int32_t i = 0; i < s->n_beads; i++)
        for (int a = 0; a < 3; a++)
            assert_true(fabs(frame.velocity_nm_ps[i][a] - s->velocity_nm_ps[i][a]) < 1e-6);
    print_message("%s: %d times a bead is back in its box\n", amphi_precision_name(precision),
                  t.n_returns);
    assert_true(t.n_returns > 0);
    cuda->close(state);
    amphi_release(t.x_nm);
    free(t.image);
    free(t.first);
}

static void a_descent_leaves_boxes_as_it_enters_them_and_keeps_velocities(void **state)
{
    AmphiJob *job;

    (void)state;
    device_or_skip(AMPHI_DOUBLE); /* before there is anything to lose */
    job = job_of_text("%s%s%s", MEMBRANE, motions[0].stage, ENDS);
    descend_closely(AMPHI_DOUBLE, job);
    descend_closely(AMPHI_SINGLE, job);
    descend_closely(AMPHI_FIXED, job);
    amphi_job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_device_there_is_gives_the_same_bits_and_no_other_opens),
        cmocka_unit_test(every_ensemble_moves_as_on_the_cpu),
        cmocka_unit_test(looking_graphs_and_going_on_change_no_bit),
        cmocka_unit_test(large_systems_keep_their_bits_too),
        cmocka_unit_test(two_sets_of_records_change_no_bit),
        cmocka_unit_test(a_state_goes_on_where_rows_are_too_short),
        cmocka_unit_test(the_margin_changes_no_physics),
        cmocka_unit_test(a_descent_goes_as_on_the_cpu),
        cmocka_unit_test(a_descent_leaves_boxes_as_it_enters_them_and_keeps_velocities),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
