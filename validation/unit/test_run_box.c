/* A run whose barostat makes the box too small for the cut-off. */
#include "run_bench.h"

#include <string.h>

#define PRESS                                                                                      \
    "<run name=\"press\" ensemble=\"npt\" length=\"0.25 ps\"><thermostat temperature=\"298 K\"\n"  \
    " type=\"langevin\"/><barostat coupling=\"isotropic\"/></run>\n"
/* From 1.444 nm, where 1.4 is twice the cut-off. */
static const char *const squeezed[] = {
    "0.6 nm", "0.7 nm", PRESS,
    "<run name=\"press\" ensemble=\"npt\" length=\"1 ps\">"
    "<thermostat temperature=\"298 K\" type=\"langevin\"/>"
    "<barostat coupling=\"isotropic\" type=\"berendsen\" pressure=\"20000 bar\""
    " time=\"0.1 ps\" every=\"1\"/></run>\n",
    NULL
};

/* Says the step, the box, where the last good state is, and what to write. */
static void check_text(const Bench *b)
{
    const char *text = b->err.text;
    char        path[128], dump[64] = "";
    long long   step = 0, kept = 0;
    double      ps = 0, edge = 0, cutoff = 0;
    int         n = 0;

    if (sscanf(text,
               "fault at step %lld (%lf ps): the box edge x, %lf nm, is shorter than twice the "
               "cut-off, %lf nm\n    state of step %lld kept in %63s\n%n",
               &step, &ps, &edge, &cutoff, &kept, dump, &n) != 6 ||
        n == 0)
        fail_msg("%s", text);
    assert_true(step > 70 && step < 270 && kept <= step && kept >= step - 10);
    assert_true(edge < 1.4 && edge > 1.3 && cutoff == 0.7);
    assert_non_null(strstr(text, "write: a larger system, a shorter cut-off, or in <barostat>"));
    assert_null(strstr(text, "overlap"));
    snprintf(path, sizeof path, "%s/%s", b->dir[0], dump);
    assert_true(is_there(b->dir[0], dump));
}

/* The checkpoint that stands, and the state that is kept, have a box that is large enough. */
static void check_files(const Bench *b)
{
    AmphiNotes *const notes    = amphi_notes_new();
    AmphiArena *const arena    = amphi_arena_new();
    const char *const names[2] = { "run.chk", strstr(b->err.text, "kept in ") + 8 };

    for (int k = 0; k < 2; k++) {
        char path[128];

        snprintf(path, sizeof path, "%s/%.*s", b->dir[0], (int)strcspn(names[k], "\n"), names[k]);
        const AmphiSnapshot *s =
            amphi_snapshot_read(path, "chk", arena, (AmphiWhere){ NULL, 0 }, notes);
        assert_non_null(s);
        for (int a = 0; a < 3; a++)
            assert_true(s->box_nm[a] >= 1.4 && s->box_nm[a] < 1.45);
    }
    amphi_arena_free(arena);
    amphi_notes_free(notes);
}

static void check_run(const char *backend, AmphiPrecision precision)
{
    Bench b;

    open_changed(&b, squeezed);
    const AmphiRunOptions o = options_of(b.dir[0], backend, precision);

    for (int again = 0; again < 2; again++) { /* the same command goes on to the same fault */
        assert_int_equal(run_once(&b, &o, NULL), AMPHI_UNSTABLE);
        check_text(&b);
        check_files(&b);
    }
    close_bench(&b);
}

static void a_box_that_shrinks_below_the_cut_off_stops_the_reference(void **state)
{
    (void)state;
    check_run("reference", AMPHI_DOUBLE);
}

static void a_box_that_shrinks_below_the_cut_off_stops_the_cpu(void **state)
{
    (void)state;
    for (int precision = AMPHI_SINGLE; precision < AMPHI_PRECISIONS; precision++)
        check_run("cpu", (AmphiPrecision)precision);
}

/* ---- devices ---- */

static const AmphiBackend *cpu;

static bool is_told, is_told_again;

/* A list that is due. */
static AmphiStatus refuse(AmphiState *state, AmphiError *err)
{
    if (cpu->find_neighbours(state, NULL) == AMPHI_OK)
        return AMPHI_OK;
    is_told = true;
    return amphi_fail(err, AMPHI_BAD_INPUT, "the box is smaller than twice the cut-off");
}

/* Whoever asks first for the state at fault hears the fault once more. */
static AmphiStatus read_on(AmphiState *state, uint32_t needs, AmphiFrame *frame, AmphiError *err)
{
    if (is_told && !is_told_again) {
        is_told_again = true;
        return amphi_fail(err, AMPHI_BAD_INPUT, "the box is smaller than twice the cut-off");
    }
    return cpu->read_frame(state, needs, frame, err);
}

/* A device that does not wait for its list tells so with the frame. */
static AmphiStatus read_what_is_told(AmphiState *state, uint32_t needs, AmphiFrame *frame,
                                     AmphiError *err)
{
    if (!is_told && cpu->find_neighbours(state, NULL) != AMPHI_OK)
        is_told = true;
    return read_on(state, needs, frame, err);
}

/* None is due, so that nobody looks at the box. */
static AmphiStatus overlook(AmphiState *state, AmphiError *err)
{
    (void)err;
    cpu->find_neighbours(state, NULL);
    return AMPHI_OK;
}

static void check_device(AmphiStatus (*find_neighbours)(AmphiState *, AmphiError *),
                         AmphiStatus (*read_frame)(AmphiState *, uint32_t, AmphiFrame *,
                                                   AmphiError *))
{
    Bench        b;
    AmphiRun    *run = NULL;
    AmphiBackend table;

    open_changed(&b, squeezed);
    const AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_DOUBLE);

    assert_int_equal(amphi_run_open(b.job, &o, &run, &b.err), AMPHI_OK);
    cpu                   = run->backend;
    table                 = *cpu;
    table.find_neighbours = find_neighbours;
    table.read_frame      = read_frame;
    is_told = is_told_again = false;
    run->backend            = &table;
    assert_int_equal(amphi_run(run, &b.err), AMPHI_UNSTABLE);
    run->backend = cpu;
    amphi_run_close(run);
    check_text(&b);
    check_files(&b);
    close_bench(&b);
}

static void a_device_that_finds_it_with_its_list_ends_alike(void **state)
{
    (void)state;
    check_device(refuse, read_on);
}

static void a_device_that_finds_it_with_a_frame_ends_alike(void **state)
{
    (void)state;
    check_device(overlook, read_what_is_told);
}

static void what_a_device_overlooks_is_found_at_the_next_check(void **state)
{
    (void)state;
    check_device(overlook, read_on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_that_shrinks_below_the_cut_off_stops_the_reference),
        cmocka_unit_test(a_box_that_shrinks_below_the_cut_off_stops_the_cpu),
        cmocka_unit_test(a_device_that_finds_it_with_its_list_ends_alike),
        cmocka_unit_test(a_device_that_finds_it_with_a_frame_ends_alike),
        cmocka_unit_test(what_a_device_overlooks_is_found_at_the_next_check),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
