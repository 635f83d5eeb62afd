/* The bench for comparisons. */
#include "compare_bench.h"

#include <math.h>
#include <string.h>

#include "hundred_waters.h"

static const char job_text[] =
    WATERS_JOB "<plan timestep=\"5 fs\">\n"
               "<minimise name=\"relax\" steps=\"20\"/>\n"
               "<run name=\"warm\" ensemble=\"nvt\" length=\"1 ps\"><thermostat temperature=\"298 "
               "K\"/></run>\n"
               "<run name=\"free\" ensemble=\"nve\" length=\"1 ps\"/>\n"
               "</plan>\n"
               "<compute threads=\"1\"/>\n"
               "</amphi>\n";

enum { MOST_BEADS = 128, FAILS_AT = 30 };

static double (*lent_forces(const AmphiFrame *frame, int32_t n))[3]
{
    static double force[MOST_BEADS][3];

    assert_true(n <= MOST_BEADS);
    memcpy(force, frame->force_kJ_mol_nm, (size_t)n * sizeof *force);
    return force;
}

static const AmphiBackend *plain(void)
{
    const AmphiBackend *const be = amphi_backend_there("cpu", AMPHI_DOUBLE);

    assert_non_null(be);
    return be;
}

static AmphiStatus read_wrong(AmphiState *state, uint32_t needs, AmphiFrame *frame, AmphiError *err)
{
    const AmphiStatus status = plain()->read_frame(state, needs, frame, err);

    if (status == AMPHI_OK) {
        double(*const force)[3] = lent_forces(frame, 100);

        for (int k = 0; k < 3; k++)
            force[SPOILT_BEAD][k] *= 1 + SPOILT_FORCE;
        frame->force_kJ_mol_nm = (const double(*)[3])force;
        frame->term_kJ_mol[AMPHI_LJ] *= 1 + SPOILT_ENERGY;
        frame->term_virial_kJ_mol[AMPHI_LJ][0][0] *= 1 + SPOILT_VIRIAL;
    }
    return status;
}

/* The rest is as it was: nobody has found it yet. */
static AmphiStatus read_nowhere(AmphiState *state, uint32_t needs, AmphiFrame *frame,
                                AmphiError *err)
{
    const AmphiStatus status = plain()->read_frame(state, needs, frame, err);

    if (status == AMPHI_OK && (needs & AMPHI_NEED_FORCES) != 0) {
        double(*const force)[3] = lent_forces(frame, 100);

        force[SPOILT_BEAD][1]  = (double)NAN;
        force[99][0]           = (double)INFINITY;
        frame->force_kJ_mol_nm = (const double(*)[3])force;
    }
    return status;
}

/* Borrowed by states, so it stays. */
static AmphiStatus open_moved(const AmphiSystem *system, const AmphiCompute *compute,
                              AmphiState **state, AmphiError *err)
{
    static AmphiSystem moved;
    static double      position[MOST_BEADS][3];

    assert_true(system->n_beads <= MOST_BEADS);
    moved = *system;
    memcpy(position, system->position_nm, (size_t)system->n_beads * sizeof *position);
    position[SPOILT_BEAD][0] += 1e-6;
    moved.position_nm = (const double(*)[3])position;
    return plain()->open(&moved, compute, state, err);
}

static int n_calls;

static AmphiStatus kick_or_fail(AmphiState *state, uint32_t needs, AmphiError *err)
{
    if (++n_calls >= FAILS_AT)
        return amphi_fail(err, AMPHI_UNSTABLE, "a force of bead 7 is saturated");
    return plain()->kick(state, needs, err);
}

static AmphiStatus read_or_lose(AmphiState *state, uint32_t needs, AmphiFrame *frame,
                                AmphiError *err)
{
    const AmphiStatus status = plain()->read_frame(state, needs, frame, err);

    if (++n_calls >= FAILS_AT)
        frame->conserved_kJ_mol = (double)NAN;
    return status;
}

AmphiBackend bench_wrong_force(void)
{
    AmphiBackend be = *plain();

    be.read_frame = read_wrong;
    return be;
}

AmphiBackend bench_no_force(void)
{
    AmphiBackend be = *plain();

    be.read_frame = read_nowhere;
    return be;
}

AmphiBackend bench_moved_start(void)
{
    AmphiBackend be = *plain();

    be.open = open_moved;
    return be;
}

AmphiBackend bench_failing_kick(void)
{
    AmphiBackend be = *plain();

    n_calls = 0;
    be.kick = kick_or_fail;
    return be;
}

AmphiBackend bench_lost_energy(void)
{
    AmphiBackend be = *plain();

    n_calls       = 0;
    be.read_frame = read_or_lose;
    return be;
}

void bench_open(CompareBench *b, const AmphiBackend *second, double length_ps)
{
    *b   = (CompareBench){ .reading = read_job_text(job_text) };
    b->c = (Compare){ .job       = b->reading.job,
                      .path      = "water.xml",
                      .length_ps = length_ps,
                      .settle_ps = 0.1,
                      .choice    = { .threads = 1 },
                      .report    = compare_report_new() };
    assert_non_null(b->c.job);
    assert_non_null(b->c.report);
    assert_int_equal(compare_choose(&b->c, "cpu", "double", &b->err), AMPHI_OK);
    assert_int_equal(b->c.n_modes, 1);
    b->c.mode[b->c.n_modes++] = (CompareMode){ .backend = second, .name = "the second" };
    b->c.report->n_modes      = b->c.n_modes;
    b->c.report->mode[1]      = b->c.mode[1].name;
    b->c.report->system       = b->c.path;
    b->c.report->title        = b->c.path;
}

void bench_close(CompareBench *b)
{
    compare_report_free(b->c.report);
    reading_free(&b->reading);
}

AmphiState *bench_exact(CompareBench *b, AmphiFrame *frame)
{
    const AmphiBackend *const be    = amphi_backend_there("reference", AMPHI_DOUBLE);
    const uint32_t            needs = AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES;
    AmphiState               *state = NULL;

    assert_non_null(be);
    assert_int_equal(be->open(&b->c.system, &b->c.choice, &state, &b->err), AMPHI_OK);
    assert_int_equal(be->find_neighbours(state, &b->err), AMPHI_OK);
    assert_int_equal(be->compute_forces(state, needs, &b->err), AMPHI_OK);
    assert_int_equal(be->read_frame(state, needs, frame, &b->err), AMPHI_OK);
    return state;
}

void bench_forget(AmphiState *state)
{
    amphi_backend_there("reference", AMPHI_DOUBLE)->close(state);
}

static const CompareRow *find(const CompareBench *b, const char *part, const char *quantity)
{
    const CompareReport *const r = b->c.report;

    for (int32_t i = 0; i < r->n_rows; i++)
        if (strcmp(r->part[r->row[i].part].name, part) == 0 &&
            strcmp(r->row[i].quantity, quantity) == 0)
            return &r->row[i];
    return NULL;
}

bool bench_has(const CompareBench *b, const char *part, const char *quantity)
{
    return find(b, part, quantity) != NULL;
}

const CompareRow *bench_row(const CompareBench *b, const char *part, const char *quantity)
{
    const CompareRow *const row = find(b, part, quantity);

    if (row == NULL)
        fail_msg("no row %s of %s", quantity, part);
    return row;
}
