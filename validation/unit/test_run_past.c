/* The section `run` of a checkpoint whose bytes are wrong although its checksum holds: of another
 * program, or of a defect. It is refused, and nothing behind its end is read.
 */
#include "run_bench.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../engine/formats/formats.h"
#include "../../engine/run_checkpoint.h"

/* The blocks that the section begins with; then observers and texts. */
enum { FRONT, PLACE, STATE, MARKS, FIRST_NAME, MOST_BLOCKS = 4096 };

typedef struct {
    unsigned char *data;
    int64_t        n;
} Block;

/* A run that was stopped in its second stage, and its last checkpoint. */
typedef struct {
    Bench          b;
    AmphiArena    *arena;
    AmphiNotes    *notes;
    AmphiSnapshot *s;
    char           now[128];
    int32_t        n_blocks;
    Block          block[MOST_BLOCKS];
} Stopped;

static void begin(Stopped *t)
{
    char prev[128];

    *t = (Stopped){ .arena = amphi_arena_new(), .notes = amphi_notes_new() };
    open_bench(&t->b, NULL, NULL);
    assert_int_equal(run_to(&t->b, options_of(t->b.dir[0], "cpu", AMPHI_DOUBLE), 40), AMPHI_OK);
    snprintf(t->now, sizeof t->now, "%s/run.chk", t->b.dir[0]);
    snprintf(prev, sizeof prev, "%s/run.chk.prev", t->b.dir[0]);
    (void)unlink(prev);
    t->s = amphi_snapshot_read(t->now, "chk", t->arena, (AmphiWhere){ NULL, 0 }, t->notes);
    assert_non_null(t->s);
    for (int64_t at = 0; at < t->s->n_run_bytes;) {
        Block *const block = &t->block[t->n_blocks++];

        assert_true(t->n_blocks < MOST_BLOCKS);
        memcpy(&block->n, t->s->run + at, sizeof block->n);
        at += (int64_t)sizeof block->n;
        block->data = calloc(1, (size_t)block->n + 64); /* room to grow */
        memcpy(block->data, t->s->run + at, (size_t)block->n);
        at += block->n;
    }
}

static void end(Stopped *t)
{
    for (int32_t k = 0; k < t->n_blocks; k++)
        free(t->block[k].data);
    amphi_notes_free(t->notes);
    amphi_arena_free(t->arena);
    close_bench(&t->b);
}

static int64_t length_of(const Stopped *t, int32_t n_blocks)
{
    int64_t n = 0;

    for (int32_t k = 0; k < n_blocks; k++)
        n += (int64_t)sizeof t->block[k].n + t->block[k].n;
    return n;
}

/* Goes on with the first n bytes of the section that the blocks make. */
static AmphiStatus go_on(Stopped *t, int64_t n)
{
    const AmphiRunOptions o     = options_of(t->b.dir[0], "cpu", AMPHI_DOUBLE);
    unsigned char *const  bytes = malloc((size_t)length_of(t, t->n_blocks));
    AmphiRun             *run   = NULL;
    int64_t               at    = 0;

    for (int32_t k = 0; k < t->n_blocks; k++) {
        memcpy(bytes + at, &t->block[k].n, sizeof t->block[k].n);
        at += (int64_t)sizeof t->block[k].n;
        memcpy(bytes + at, t->block[k].data, (size_t)t->block[k].n);
        at += t->block[k].n;
    }
    t->s->run         = bytes;
    t->s->n_run_bytes = n;
    t->b.err          = (AmphiError){ .status = AMPHI_OK };
    assert_int_equal(amphi_format_chk.write(t->now, t->s, &t->b.err), AMPHI_OK);

    const AmphiStatus status = amphi_run_open(t->b.job, &o, &run, &t->b.err);
    amphi_run_close(run);
    free(bytes);
    return status;
}

static AmphiStatus go_on_whole(Stopped *t)
{
    return go_on(t, length_of(t, t->n_blocks));
}

static void check_foreign(Stopped *t, int64_t n)
{
    const AmphiStatus status = go_on(t, n);

    if (status != AMPHI_BAD_FILE || strstr(t->b.err.text, "not written by this amphi") == NULL)
        fail_msg("%lld bytes: %d %s", (long long)n, (int)status, t->b.err.text);
}

/* The next block to try: all of the first and the last ones, and some of the many between. */
static int32_t next_of(const Stopped *t, int32_t k)
{
    return k < FIRST_NAME + 4 || k > t->n_blocks - 30 ? k + 1 : k + 25;
}

/* Only the last block may be missing, which runs have not always had. */
static void a_section_cut_anywhere_is_refused(void **state)
{
    Stopped t;
    (void)state;

    begin(&t);
    assert_int_equal(go_on_whole(&t), AMPHI_OK);
    assert_int_equal(go_on(&t, length_of(&t, t.n_blocks - 1)), AMPHI_OK);
    for (int32_t k = 0; k < t.n_blocks; k = next_of(&t, k)) {
        const int64_t front = length_of(&t, k), whole = length_of(&t, k + 1);

        check_foreign(&t, front + 4); /* in its length */
        check_foreign(&t, front + 8 + (t.block[k].n - 1) / 2);
        check_foreign(&t, whole - 1);
        if (k < t.n_blocks - 2)
            check_foreign(&t, whole);
    }
    end(&t);
}

static void blocks_of_another_length_are_refused(void **state)
{
    static const int32_t blocks[] = { FRONT, PLACE, MARKS };
    Stopped              t;
    (void)state;

    begin(&t);
    for (size_t k = 0; k <= sizeof blocks / sizeof *blocks; k++) {
        Block *const block = &t.block[k < 3 ? blocks[k] : t.n_blocks - 1];

        block->n += 8;
        check_foreign(&t, length_of(&t, t.n_blocks));
        block->n -= 16;
        check_foreign(&t, length_of(&t, t.n_blocks));
        block->n += 8;
    }
    assert_int_equal(go_on_whole(&t), AMPHI_OK);
    end(&t);
}

static void counts_that_are_none_are_refused(void **state)
{
    static const int64_t wrong[] = { -1, INT64_MIN, INT64_MAX, 1000000 };
    AmphiRunFront        front, changed;
    Stopped              t;
    (void)state;

    begin(&t);
    memcpy(&front, t.block[FRONT].data, sizeof front);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        for (int which = 0; which < 2; which++) {
            changed                                                 = front;
            *(which == 0 ? &changed.n_marks : &changed.n_observers) = wrong[k];
            memcpy(t.block[FRONT].data, &changed, sizeof changed);
            check_foreign(&t, length_of(&t, t.n_blocks));
        }
    end(&t);
}

/* The name of an observer and the texts of the physics end with a zero; a text has a value, too. */
static void names_and_texts_that_do_not_end_are_refused(void **state)
{
    Stopped t;
    (void)state;

    begin(&t);
    for (int32_t k = FIRST_NAME; k < t.n_blocks - 1; k = next_of(&t, k)) {
        Block *const block = &t.block[k];

        if (k == FIRST_NAME + 1 || block->n < 6) /* sums */
            continue;
        block->data[block->n - 1] = 'x';
        check_foreign(&t, length_of(&t, t.n_blocks));
        block->data[block->n - 1] = '\0';
        if (k == FIRST_NAME)
            continue;

        const int64_t whole = block->n;
        block->n            = 4 + (int64_t)strlen((const char *)block->data + 4) + 1;
        assert_true(block->n < whole);
        check_foreign(&t, length_of(&t, t.n_blocks));
        block->n = whole;
    }
    assert_int_equal(go_on_whole(&t), AMPHI_OK);
    end(&t);
}

static AmphiStatus go_on_at(Stopped *t, const AmphiPlace *at)
{
    memcpy(t->block[PLACE].data, at, sizeof *at);
    return go_on_whole(t);
}

static void a_place_that_is_nowhere_is_refused(void **state)
{
    AmphiPlace at, changed;
    Stopped    t;
    (void)state;

    begin(&t);
    assert_int_equal(t.block[PLACE].n, sizeof at);
    memcpy(&at, t.block[PLACE].data, sizeof at);
    assert_int_equal(at.stage, 1);
#define NOWHERE(what, value)                                                                       \
    do {                                                                                           \
        changed      = at;                                                                         \
        changed.what = value;                                                                      \
        assert_int_equal(go_on_at(&t, &changed), AMPHI_BAD_FILE);                                  \
        assert_non_null(strstr(t.b.err.text, "not written by this amphi"));                        \
    } while (0)
    NOWHERE(step, -1);
    NOWHERE(stage_began, -1);
    NOWHERE(stage_began, at.step + 1);
    NOWHERE(stage, -2);
    NOWHERE(count.n_full, -1);
    NOWHERE(count.n_full, AMPHI_BLOCKS);
    NOWHERE(count.frames_a_block, 0);
#undef NOWHERE
    changed       = at; /* beyond the plan */
    changed.stage = t.b.job->n_stages;
    assert_int_equal(go_on_at(&t, &changed), AMPHI_BAD_INPUT);
    assert_non_null(strstr(t.b.err.text, "of another plan, or another system"));
    assert_int_equal(go_on_at(&t, &at), AMPHI_OK);
    end(&t);
}

static void a_state_of_another_number_of_beads_is_refused(void **state)
{
    Stopped t;
    (void)state;

    begin(&t);
    t.s->n_beads--;
    assert_int_equal(go_on_whole(&t), AMPHI_BAD_INPUT);
    assert_non_null(strstr(t.b.err.text, "of another plan, or another system"));
    end(&t);
}

static void a_checkpoint_that_no_run_wrote_is_told_as_that(void **state)
{
    Stopped t;
    (void)state;

    begin(&t);
    t.s->run = NULL;
    assert_int_equal(amphi_format_chk.write(t.now, t.s, &t.b.err), AMPHI_OK);
    assert_int_equal(run_to(&t.b, options_of(t.b.dir[0], "cpu", AMPHI_DOUBLE), 60), AMPHI_BAD_FILE);
    assert_non_null(strstr(t.b.err.text, "holds a state, but not that of a run"));
    end(&t);
}

/* It has texts that the checkpoint lacks, and none of them of a stage that has begun. */
static void a_plan_may_have_a_further_stage_when_it_goes_on(void **state)
{
    static const char last[] = "<run name=\"free\" ensemble=\"nve\" length=\"0.5 ps\"/>\n";
    char              more[200];
    Bench             b, longer;
    (void)state;

    snprintf(more, sizeof more, "%s<run name=\"more\" ensemble=\"nve\" length=\"0.5 ps\"/>\n",
             last);
    open_bench(&b, NULL, NULL);
    open_bench(&longer, last, more);
    const AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_DOUBLE);
    assert_int_equal(run_to(&b, o, 40), AMPHI_OK);
    assert_int_equal(run_to(&longer, o, 60), AMPHI_OK);
    close_bench(&longer);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_section_cut_anywhere_is_refused),
        cmocka_unit_test(blocks_of_another_length_are_refused),
        cmocka_unit_test(counts_that_are_none_are_refused),
        cmocka_unit_test(names_and_texts_that_do_not_end_are_refused),
        cmocka_unit_test(a_place_that_is_nowhere_is_refused),
        cmocka_unit_test(a_state_of_another_number_of_beads_is_refused),
        cmocka_unit_test(a_checkpoint_that_no_run_wrote_is_told_as_that),
        cmocka_unit_test(a_plan_may_have_a_further_stage_when_it_goes_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
