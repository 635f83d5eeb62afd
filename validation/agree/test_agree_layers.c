/* The backend `cuda` where slots go layer by layer (cuda/entries.h): forces against the backend
 * `cpu`, and the bits of its motion in fixed precision. Entries of 16 bits that count past the end
 * of the box, half records (cube, rod) or slots (slab), entries of 32 from the start (sheet), and
 * changes from one to the next, or to the one after it, where beads stand closer together than the
 * box says. Skipped without a device.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../bench/replicate.h"
#include "backends.h"

/* Copies of a box of water, in one that is so many times as long along x: the rest is empty. */
typedef struct {
    const char *what;
    double      box_nm[3];
    int         n;
    int32_t     copies[3];
    double      stretch;
    double      most_bytes, least_bytes; /* of the device's memory, a bead, in single precision */
} Case;

static const Case cases[] = {
    { "a cube", { 3.68, 3.68, 3.68 }, 1100, { 4, 4, 4 }, 1, 1200, 0 },
    { "a rod", { 2.7, 2.7, 3 }, 480, { 60, 2, 2 }, 1, 1200, 0 },
    { "a slab", { 5, 5, 5 }, 2750, { 2, 4, 4 }, 1, 1200, 0 },
    { "a slab in a longer box", { 5, 5, 5 }, 2750, { 2, 4, 4 }, 2, 1300, 0 },
    { "a sheet", { 5, 5, 5 }, 2750, { 1, 5, 5 }, 1, 2000, 1201 },
    { "a sheet in an empty box", { 5, 5, 5 }, 2750, { 1, 7, 5 }, 6, 2000, 1201 },
};
enum { N_CASES = sizeof cases / sizeof *cases };

#define WATER                                                                                      \
    "<amphi version=\"1\"><forcefield><include href=\"forcefield:elba\"/></forcefield><system>"    \
    "<box x=\"%g nm\" y=\"%g nm\" z=\"%g nm\"/><start><fill type=\"water\" count=\"%d\" "          \
    "seed=\"3\"/>"                                                                                 \
    "<velocities temperature=\"298 K\" seed=\"1\"/></start></system><plan timestep=\"5 fs\">"      \
    "<run name=\"go\" ensemble=\"nve\" length=\"1 ps\"/></plan></amphi>\n"

/* A membrane by a force field, and what is added to that. The first stage adds up potentials in
 * every step, the second virials. brahms-style: ellipsoids among others, which have a kernel of
 * their own in large systems. */
#define MEMBRANE                                                                                   \
    "<amphi version=\"1\"><forcefield><include href=\"forcefield:%s\"/>%s</forcefield>"            \
    "<system><start><bilayer normal=\"z\" water-per-lipid=\"33\" seed=\"1\">"                      \
    "<leaflet side=\"upper\"><lipid type=\"DMPC\" count=\"64\"/></leaflet>"                        \
    "<leaflet side=\"lower\"><lipid type=\"DMPC\" count=\"64\"/></leaflet></bilayer>"              \
    "<velocities temperature=\"303 K\" seed=\"1\"/></start></system><plan timestep=\"0.5 fs\">"    \
    "<run name=\"nve\" ensemble=\"nve\" length=\"1 ps\"/>"                                         \
    "<run name=\"npt\" ensemble=\"npt\" length=\"1 ps\"><thermostat temperature=\"303 K\" "        \
    "time=\"0.2 ps\"/><barostat coupling=\"isotropic\" time=\"50 ps\" every=\"1\"/></run></plan>"  \
    "</amphi>\n"
#define TRUNCATED "<treatment of=\"lennard-jones\" type=\"truncated\"/>"
#define SHORT_WATER                                                                                \
    "<treatment of=\"lennard-jones dipoles\" pair=\"water water\" type=\"force-shift\" "           \
    "cutoff=\"0.9 nm\"/>"

typedef struct {
    AmphiJob   *job;
    AmphiArena *arena;
    AmphiSystem system;
} Large;

static Large large_of(AmphiJob *job, const int32_t copies[3])
{
    Large l = { .job = job, .arena = amphi_arena_new() };

    assert_true(replicate(&job->system, NULL, copies, l.arena, &l.system));
    return l;
}

static Large large_water(const Case *c)
{
    const double *b = c->box_nm;
    Large         l = large_of(job_of_text(WATER, b[0], b[1], b[2], c->n), c->copies);

    l.system.box_nm[0] *= c->stretch;
    return l;
}

static void large_free(Large *l)
{
    amphi_arena_free(l->arena);
    amphi_job_free(l->job);
}

/* In double positions are fractions of the box, and errors go with its edge: 1e-13 for the shipped
 * membranes. */
static double bound_of(const AmphiSystem *system, AmphiPrecision p)
{
    const double *b = system->box_nm, shipped_nm = 6.5;

    return p == AMPHI_SINGLE ? 2e-6 : 1e-13 * fmax(b[0], fmax(b[1], b[2])) / shipped_nm;
}

static void hold_forces(const AmphiSystem *system, AmphiPrecision p)
{
    const double        bound = bound_of(system, p);
    const AmphiBackend *cuda = device_or_skip(p), *cpu = amphi_backend_find("cpu", AMPHI_DOUBLE);
    AmphiState         *a = open_state(cuda, system, 0), *b = open_state(cpu, system, 0);
    const AmphiFrame    fa = forces_of(cuda, a), fb = forces_of(cpu, b);
    const int32_t       n = system->n_beads;

    HOLD("force", relative_rms(fa.force_kJ_mol_nm, fb.force_kJ_mol_nm, n), bound);
    HOLD("torque", relative_rms(fa.torque_kJ_mol, fb.torque_kJ_mol, n), bound);
    for (int k = 0; k < AMPHI_TERMS; k++) {
        if (fb.term_count[k] > 0)
            HOLD("energy of a term", fabs(fa.term_kJ_mol[k] - fb.term_kJ_mol[k]),
                 energy_bound_of(p) * fabs(fb.term_kJ_mol[AMPHI_LJ]));
        assert_true(llabs(fa.term_count[k] - fb.term_count[k]) <=
                    (p == AMPHI_SINGLE ? 1 + fb.term_count[k] / 20000 : 0));
    }
    cuda->close(a);
    cpu->close(b);
}

static void forces_are_those_of_the_cpu(void **state)
{
    (void)state;
    device_or_skip(AMPHI_SINGLE);
    for (int k = 0; k < N_CASES; k++) {
        Large l = large_water(&cases[k]);

        print_message("%s of water, %d beads\n", cases[k].what, l.system.n_beads);
        hold_forces(&l.system, AMPHI_SINGLE);
        hold_forces(&l.system, AMPHI_DOUBLE);
        large_free(&l);
    }
}

/* 70 656 beads. */
static const int32_t twelve_membranes[3] = { 4, 3, 1 };

static void hold_membranes(const char *what, AmphiJob *job)
{
    Large l = large_of(job, twelve_membranes);

    print_message("%s\n", what);
    hold_forces(&l.system, AMPHI_SINGLE);
    hold_forces(&l.system, AMPHI_DOUBLE);
    large_free(&l);
}

/* Several kinds of beads in each layer, and bonds; ellipsoids among others; potentials that do not
 * vanish at their cut-off. */
static void forces_of_membranes_are_those_of_the_cpu(void **state)
{
    (void)state;
    device_or_skip(AMPHI_SINGLE);
    hold_membranes("ELBA", job_of(".", "systems/bilayer-128.xml"));
    hold_membranes("B08o", job_of_text(MEMBRANE, "brahms-style", ""));
    hold_membranes("B08o, truncated", job_of_text(MEMBRANE, "brahms-style", TRUNCATED));
}

/* ---- forces of steps, and what they add up ---- */

/* The potential of a step, by the quantity that it conserves. */
static double potential_of(const AmphiFrame *frame)
{
    const AmphiKinetic t = frame->translation, r = frame->rotation;

    return frame->conserved_kJ_mol - (2 * (t.full + r.full) + t.half + r.half) / 3;
}

/* The first step of a stage: forces as those of the cpu, if they are given, and its potential as
 * the terms of the energy. */
static void hold_step(const AmphiSystem *system, AmphiPrecision p, const AmphiStage *stage,
                      const AmphiFrame *forces)
{
    const uint32_t      all  = AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES;
    const AmphiBackend *cuda = device_or_skip(p);
    AmphiState         *a    = open_state(cuda, system, 0);
    const int32_t       n    = system->n_beads;
    double              sum = 0, size = 0;
    AmphiFrame          frame;

    DO(cuda->begin_stage(a, stage, &err));
    DO(cuda->find_neighbours(a, &err));
    DO(cuda->compute_forces(a, all, &err));
    DO(cuda->kick(a, all, &err));
    DO(cuda->read_frame(a, all, &frame, &err)); /* compares the virial with its terms, too */
    if (forces != NULL) {
        HOLD("force", relative_rms(frame.force_kJ_mol_nm, forces->force_kJ_mol_nm, n),
             bound_of(system, p));
        HOLD("torque", relative_rms(frame.torque_kJ_mol, forces->torque_kJ_mol, n),
             bound_of(system, p));
    }
    for (int k = 0; k < AMPHI_TERMS; k++) {
        sum += frame.term_kJ_mol[k];
        size += fabs(frame.term_kJ_mol[k]);
    }
    HOLD("potential", fabs(potential_of(&frame) - sum), (p == AMPHI_DOUBLE ? 1e-12 : 1e-6) * size);
    cuda->close(a);
}

/* By each level of sums: potentials, virials. */
static void hold_steps(const Large *l)
{
    const AmphiBackend *cpu = amphi_backend_find("cpu", AMPHI_DOUBLE);
    AmphiState         *b   = open_state(cpu, &l->system, 0);
    const AmphiFrame    fb  = forces_of(cpu, b);

    assert_int_equal(l->job->n_stages, 2);
    assert_true(l->job->stage[0].conserved_mean);
    assert_int_equal(l->job->stage[1].barostat.every, 1);
    for (int k = 0; k < 2; k++) {
        print_message("%s\n", l->job->stage[k].name);
        hold_step(&l->system, AMPHI_SINGLE, &l->job->stage[k], &fb);
        hold_step(&l->system, AMPHI_DOUBLE, &l->job->stage[k], &fb);
        hold_step(&l->system, AMPHI_FIXED, &l->job->stage[k], NULL);
    }
    cpu->close(b);
}

/* One membrane, and as many as have kernels of their own. Where beads have other cut-offs with each
 * other than with the rest, rows that are filled up with the bead itself had an energy once. */
static void steps_have_the_forces_and_add_up_the_terms(void **state)
{
    static const struct {
        const char *force_field, *added;
    } with[]                    = { { "elba", "" },
                                    { "elba", SHORT_WATER },
                                    { "brahms-style", "" },
                                    { "brahms-style", TRUNCATED } };
    static const int32_t one[3] = { 1, 1, 1 };

    (void)state;
    device_or_skip(AMPHI_SINGLE);
    for (size_t k = 0; k < sizeof with / sizeof *with; k++)
        for (int is_large = 0; is_large < 2; is_large++) {
            Large l = large_of(job_of_text(MEMBRANE, with[k].force_field, with[k].added),
                               is_large ? twelve_membranes : one);

            print_message("%s%s, %d beads\n", with[k].force_field, with[k].added, l.system.n_beads);
            hold_steps(&l);
            large_free(&l);
        }
}

/* ---- motion ---- */

static AmphiFrame moved(const AmphiBackend *backend, AmphiState *state, const AmphiStage *stage)
{
    enum { STEPS = 40 };
    const uint32_t needs = AMPHI_NEED_FORCES | AMPHI_NEED_POSITIONS;
    AmphiFrame     frame;

    DO(backend->begin_stage(state, stage, &err));
    DO(backend->find_neighbours(state, &err));
    DO(backend->compute_forces(state, 0, &err));
    if (backend->advance != NULL)
        DO(backend->advance(state, STEPS, &err));
    else
        for (int k = 0; k < STEPS; k++) {
            DO(backend->kick(state, 0, &err));
            DO(backend->drift(state, &err));
            DO(backend->find_neighbours(state, &err));
            DO(backend->compute_forces(state, 0, &err));
        }
    DO(backend->find_neighbours(state, &err));
    DO(backend->compute_forces(state, needs, &err));
    DO(backend->read_frame(state, needs, &frame, &err));
    return frame;
}

static void motion_has_the_bits_of_the_cpu(void **state)
{
    const AmphiBackend *cuda = device_or_skip(AMPHI_FIXED);
    const AmphiBackend *cpu  = amphi_backend_find("cpu", AMPHI_FIXED);

    (void)state;
    for (int k = 0; k < N_CASES; k++) {
        Large        l     = large_water(&cases[k]);
        const size_t bytes = (size_t)l.system.n_beads * sizeof(double[3]);
        AmphiState  *a = open_state(cuda, &l.system, 0), *b = open_state(cpu, &l.system, 0);
        AmphiFrame   fa = moved(cuda, a, &l.job->stage[0]), fb = moved(cpu, b, &l.job->stage[0]);

        print_message("%s of water\n", cases[k].what);
        assert_memory_equal(fa.position_nm, fb.position_nm, bytes);
        assert_memory_equal(fa.force_kJ_mol_nm, fb.force_kJ_mol_nm, bytes);
        assert_memory_equal(fa.torque_kJ_mol, fb.torque_kJ_mol, bytes);
        cuda->close(a);
        cpu->close(b);
        large_free(&l);
    }
}

/* As on the cpu: in fixed to the bit, in double but for rounding, which 40 steps of 0.5 fs do not
 * let grow. */
static void hold_motion(const Large *l, AmphiPrecision p, const AmphiStage *stage)
{
    const AmphiBackend *cuda = device_or_skip(p), *cpu = amphi_backend_find("cpu", p);
    const double        bound = p == AMPHI_FIXED ? 0 : 1e-9;
    AmphiState         *a = open_state(cuda, &l->system, 0), *b = open_state(cpu, &l->system, 0);
    const AmphiFrame    fa = moved(cuda, a, stage), fb = moved(cpu, b, stage);
    const int32_t       n = l->system.n_beads;

    print_message("%s, %s\n", amphi_precision_name(p), stage->name);
    HOLD("position", relative_rms(fa.position_nm, fb.position_nm, n), bound);
    HOLD("force", relative_rms(fa.force_kJ_mol_nm, fb.force_kJ_mol_nm, n), bound);
    HOLD("torque", relative_rms(fa.torque_kJ_mol, fb.torque_kJ_mol, n), bound);
    HOLD("conserved", fabs(fa.conserved_sum_kJ_mol - fb.conserved_sum_kJ_mol),
         bound * fabs(fb.conserved_sum_kJ_mol));
    for (int k = 0; k < 3; k++)
        HOLD("box", fabs(fa.box_nm[k] - fb.box_nm[k]), bound * fb.box_nm[k]);
    assert_true(fb.box_nm[0] != l->system.box_nm[0] || fb.conserved_sum_kJ_mol != 0);
    cuda->close(a);
    cpu->close(b);
}

static void ellipsoids_among_others_move_as_on_the_cpu(void **state)
{
    Large l;

    (void)state;
    device_or_skip(AMPHI_FIXED);
    l = large_of(job_of_text(MEMBRANE, "brahms-style", ""), twelve_membranes);
    assert_int_equal(l.job->n_stages, 2);
    for (int k = 0; k < 2; k++) {
        hold_motion(&l, AMPHI_FIXED, &l.job->stage[k]);
        hold_motion(&l, AMPHI_DOUBLE, &l.job->stage[k]);
    }
    large_free(&l);
}

/* What narrow entries are for; with wide ones a state takes more: the cases are what they say. */
static void a_bead_takes_no_more_memory_than_promised(void **state)
{
    const AmphiBackend *cuda = device_or_skip(AMPHI_SINGLE);

    (void)state;
    for (int k = 0; k < N_CASES; k++) {
        Large       l = large_water(&cases[k]);
        AmphiState *a = open_state(cuda, &l.system, 0);
        size_t      taken, is_free;
        double      bytes;

        forces_of(cuda, a);
        cuda->memory(a, &taken, &is_free);
        bytes = (double)taken / l.system.n_beads;
        print_message("%s of water: %.0f bytes a bead\n", cases[k].what, bytes);
        assert_true(bytes <= cases[k].most_bytes && bytes >= cases[k].least_bytes);
        cuda->close(a);
        large_free(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_those_of_the_cpu),
        cmocka_unit_test(forces_of_membranes_are_those_of_the_cpu),
        cmocka_unit_test(steps_have_the_forces_and_add_up_the_terms),
        cmocka_unit_test(motion_has_the_bits_of_the_cpu),
        cmocka_unit_test(ellipsoids_among_others_move_as_on_the_cpu),
        cmocka_unit_test(a_bead_takes_no_more_memory_than_promised),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
