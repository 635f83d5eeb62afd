/* When a checkpoint is written and what of, in which order files reach the disk, and what a disk
 * may do: be full, or change what was written. That a run goes on from checkpoints is tested with
 * runs.
 */
#include "run_bench.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../engine/bodies_show.h"

/* ---- a disk ---- */

enum { MOST_SYNCED = 512 };

/* What the program synchronised, in this order, by the last part of the path; and what the disk
 * does to a checkpoint: at the k-th synchronisation from now, from 1, it changes a byte, or is
 * full; and to a table. */
static struct {
    bool is_watched;
    char name[MOST_SYNCED][32];
    int  n, changes_at, is_full_at;
    bool loses; /* what energy.tsv has */
} disk;

static bool is_at(int *countdown)
{
    return *countdown > 0 && --*countdown == 0;
}

static void change_byte(int handle)
{
    struct stat about;
    char        byte = 0;

    assert_int_equal(fstat(handle, &about), 0);
    assert_int_equal(pread(handle, &byte, 1, about.st_size / 2), 1);
    byte ^= 1;
    assert_int_equal(pwrite(handle, &byte, 1, about.st_size / 2), 1);
}

/* In place of the library's; tests do not outlive the machine. Other tests have it, too, where all
 * are in one program. */
int fsync(int handle)
{
    char    link[64], path[4096] = "";
    ssize_t n;

    if (!disk.is_watched)
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    n = readlink(link, path, sizeof path - 1);
    assert_true(n > 0 && disk.n < MOST_SYNCED);
    snprintf(disk.name[disk.n++], sizeof disk.name[0], "%.31s", strrchr(path, '/') + 1);
    if (strstr(path, ".chk") != NULL && is_at(&disk.is_full_at)) {
        errno = ENOSPC;
        return -1;
    }
    if (disk.loses && strcmp(disk.name[disk.n - 1], "energy.tsv") == 0) {
        errno = EIO;
        return -1;
    }
    if (strstr(path, ".chk") != NULL && is_at(&disk.changes_at))
        change_byte(handle);
    return 0;
}

static int synced(const char *name)
{
    int n = 0;

    for (int k = 0; k < disk.n; k++)
        n += strcmp(disk.name[k], name) == 0;
    return n;
}

/* ---- a run that has begun its last stage ---- */

typedef struct {
    Bench     bench;
    AmphiRun *run;
    char     *chk; /* the bytes of run.chk */
    int64_t   n_chk;
} Begun;

static char *read_chk(const Begun *b, int64_t *n)
{
    char path[128];

    snprintf(path, sizeof path, "%s/run.chk", b->bench.dir[0]);
    return file_bytes(path, n);
}

static void begin(Begun *b)
{
    open_bench(&b->bench, NULL, NULL);
    AmphiRunOptions o = options_of(b->bench.dir[0], "cpu", AMPHI_DOUBLE);
    o.n_steps         = 125;
    assert_int_equal(run_once(&b->bench, &o, NULL), AMPHI_OK);
    assert_int_equal(amphi_run_open(b->bench.job, &o, &b->run, &b->bench.err), AMPHI_OK);
    b->chk = read_chk(b, &b->n_chk);
    disk.n = 0;
}

static void end(Begun *b)
{
    free(b->chk);
    amphi_run_close(b->run);
    close_bench(&b->bench);
}

static AmphiStatus save(Begun *b)
{
    b->bench.err = (AmphiError){ .status = AMPHI_OK };
    return amphi_run_save(b->run, &b->bench.err);
}

/* The save fails with this text, and run.chk is as it was. */
static void check_refused(Begun *b, AmphiStatus status, const char *text)
{
    int64_t n = 0;

    assert_int_equal(save(b), status);
    if (strstr(b->bench.err.text, text) == NULL)
        fail_msg("%s", b->bench.err.text);
    char *const now = read_chk(b, &n);
    assert_int_equal(n, b->n_chk);
    assert_memory_equal(now, b->chk, (size_t)n);
    free(now);
}

/* ---- states ---- */

/* Bytes of a bead in the arrays before these two. */
enum {
    BEFORE_VELOCITY = sizeof(double[3]) + sizeof(int32_t[3]),
    BEFORE_SPIN     = BEFORE_VELOCITY + sizeof(double[3]) + sizeof(double[4])
};

static void set_motion(AmphiBytes *state, size_t before, int32_t bead, const double motion[3])
{
    AmphiSavedNumbers numbers;

    memcpy(&numbers, state->data, sizeof numbers);
    memcpy(state->data + sizeof numbers + (size_t)numbers.n * before +
               (size_t)bead * sizeof(double[3]),
           motion, sizeof(double[3]));
}

static AmphiBytes state_of(const Begun *b)
{
    AmphiBytes state = { .data = NULL };

    assert_int_equal(b->run->backend->save(b->run->state, &state, NULL), AMPHI_OK);
    return state;
}

/* 125 is no step of the watch, so that nothing else looks at the state before it is saved. */
static void a_bad_state_is_never_saved(void **state)
{
    (void)state;
    static const double fast[3] = { 120, 0, 0 }, back[3] = { -120, 0, 0 }, slow[3] = { 0.5, 0, 0 };
    Begun               b;

    begin(&b);
    AmphiBytes bytes = state_of(&b);
    set_motion(&bytes, BEFORE_VELOCITY, 7, slow);
    assert_int_equal(b.run->backend->restore(b.run->state, &bytes, NULL), AMPHI_OK);
    check_refused(&b, AMPHI_UNSTABLE, "the momentum changed");
    set_motion(&bytes, BEFORE_VELOCITY, 7, fast);
    set_motion(&bytes, BEFORE_VELOCITY, 8, back);
    b.run->at.has_momentum = 0;
    assert_int_equal(b.run->backend->restore(b.run->state, &bytes, NULL), AMPHI_OK);
    check_refused(&b, AMPHI_UNSTABLE, "it goes further than 0.5 nm");
    amphi_release(bytes.data);
    end(&b);
}

static void check_dump(Begun *b, size_t before)
{
    static const double nowhere[3] = { 0, (double)NAN, 0 };
    AmphiNotes *const   notes      = amphi_notes_new();
    AmphiArena *const   arena      = amphi_arena_new();
    AmphiBytes          bytes      = state_of(b);
    char                path[128];

    set_motion(&bytes, before, 7, nowhere);
    snprintf(path, sizeof path, "%s/fault.chk", b->bench.dir[0]);
    assert_int_equal(amphi_run_dump(b->run, &bytes, path, &b->bench.err), AMPHI_OK);
    const AmphiSnapshot *s =
        amphi_snapshot_read(path, "chk", arena, (AmphiWhere){ NULL, 0 }, notes);
    assert_non_null(s);
    assert_non_null(s->position_nm);
    assert_null(s->velocity_nm_ps);
    assert_null(s->spin_u_nm2_ps);
    amphi_arena_free(arena);
    amphi_notes_free(notes);
    amphi_release(bytes.data);
}

static void motion_that_is_not_finite_is_left_out_of_the_dump_of_a_fault(void **state)
{
    (void)state;
    static const size_t before[] = { BEFORE_VELOCITY, BEFORE_SPIN };

    for (int k = 0; k < 2; k++) {
        Begun b;

        begin(&b);
        check_dump(&b, before[k]);
        end(&b);
    }
}

/* ---- when ---- */

/* A stage of 50 steps, each longer than a microsecond. */
static void it_is_saved_by_the_clock(void **state)
{
    (void)state;
    for (int by_option = 0; by_option < 2; by_option++) {
        Bench b;

        open_bench(&b, "<checkpoint every=\"25 steps\"/>",
                   by_option ? "<checkpoint every=\"1 h\"/>" : "<checkpoint every=\"1e-6 s\"/>");
        AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

        o.checkpoint_every_s = by_option ? 1e-6 : 0;
        disk.n               = 0;
        assert_int_equal(run_to(&b, o, 70), AMPHI_OK);
        assert_true(synced("run.chk.new.tmp") >= 2 * 50); /* twice each */
        close_bench(&b);
    }
}

static void it_is_not_saved_more_often_than_asked(void **state)
{
    (void)state;
    Bench b;

    open_bench(&b, "<checkpoint every=\"25 steps\"/>", "<checkpoint every=\"1 h\"/>");
    disk.n = 0;
    assert_int_equal(run_to(&b, options_of(b.dir[0], "cpu", AMPHI_SINGLE), 70), AMPHI_OK);
    assert_int_equal(synced("run.chk.new.tmp"), 2 * 3); /* start, minimisation, end */
    close_bench(&b);
}

/* ---- the way to the disk ---- */

/* A checkpoint that is there speaks of outputs that are there. */
static void outputs_reach_the_disk_before_the_checkpoint_and_its_name_last(void **state)
{
    (void)state;
    Begun b;

    begin(&b);
    const char *const folder = strrchr(b.bench.dir[0], '/') + 1;
    assert_int_equal(save(&b), AMPHI_OK);
    const char *const expected[] = { "energy.tsv",
                                     folder,
                                     "run.chk.new.tmp",
                                     "run.chk.new.tmp",
                                     folder /* .tmp is gone */,
                                     folder /* it is run.chk */ };
    assert_int_equal(disk.n, sizeof expected / sizeof *expected);
    for (int k = 0; k < disk.n; k++)
        assert_string_equal(disk.name[k], expected[k]);
    end(&b);
}

static void a_checkpoint_does_not_count_on_lines_that_the_disk_has_lost(void **state)
{
    (void)state;
    Begun b;

    begin(&b);
    disk.loses = true;
    check_refused(&b, AMPHI_BAD_FILE, "energy.tsv");
    disk.loses = false;
    check_refused(&b, AMPHI_BAD_FILE, "energy.tsv"); /* what was lost does not come back */
    assert_true(is_there(b.bench.dir[0], "run.spare"));
    end(&b);
}

/* Changed before it is compared with what was written, and after that. */
static void what_the_disk_changes_does_not_become_the_checkpoint(void **state)
{
    (void)state;
    Begun b;

    begin(&b);
    assert_true(amphi_run_spend_spare(b.run)); /* or it would be written once more */
    disk.changes_at = 1;
    check_refused(&b, AMPHI_BAD_FILE, "reads back differently than written");
    disk.changes_at = 2;
    check_refused(&b, AMPHI_BAD_FILE, "the checksum does not hold");
    assert_int_equal(save(&b), AMPHI_OK);
    end(&b);
}

/* ---- room ---- */

static struct stat about_file(const char *dir, const char *name)
{
    char        path[128];
    struct stat about;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    assert_int_equal(stat(path, &about), 0);
    return about;
}

/* A run that had to begin from run.chk.prev keeps that until it has saved: what is damaged must not
 * take its place. From then on it is replaced as ever. */
static void a_damaged_checkpoint_never_replaces_the_one_before(void **state)
{
    (void)state;
    Begun        b;
    AmphiRunInfo info;
    char         now[128], prev[128];
    int64_t      n[2] = { 0, 0 };

    begin(&b);
    assert_int_equal(save(&b), AMPHI_OK);
    AmphiRunOptions o = options_of(b.bench.dir[0], "cpu", AMPHI_DOUBLE);
    o.n_steps         = 125;
    amphi_run_close(b.run);
    snprintf(now, sizeof now, "%s/run.chk", b.bench.dir[0]);
    snprintf(prev, sizeof prev, "%s/run.chk.prev", b.bench.dir[0]);
    const int handle = open(now, O_RDWR);
    assert_true(handle >= 0);
    change_byte(handle);
    close(handle);
    char *const good   = file_bytes(prev, &n[0]);
    const ino_t before = about_file(b.bench.dir[0], "run.chk.prev").st_ino;
    assert_int_equal(amphi_run_open(b.bench.job, &o, &b.run, &b.bench.err), AMPHI_OK);
    amphi_run_info(b.run, &info);
    assert_non_null(strstr(info.remark, "run.chk.prev is used"));

    /* opening has saved already: over the damaged one, and the other is the file that it was */
    char *const kept = file_bytes(prev, &n[1]);
    assert_int_equal(n[1], n[0]);
    assert_memory_equal(kept, good, (size_t)n[0]);
    assert_true(about_file(b.bench.dir[0], "run.chk.prev").st_ino == before);
    AmphiArena *const arena = amphi_arena_new();
    AmphiSnapshot    *again = NULL;
    assert_int_equal(amphi_run_read_file(now, arena, &again, &b.bench.err), AMPHI_OK);
    amphi_arena_free(arena);

    const ino_t first = about_file(b.bench.dir[0], "run.chk").st_ino;
    assert_int_equal(save(&b), AMPHI_OK);
    assert_true(about_file(b.bench.dir[0], "run.chk.prev").st_ino == first);
    free(good);
    free(kept);
    end(&b);
}

/* A run that was killed between the two renames of a save has one checkpoint by both names. */
static void the_save_after_a_kill_between_its_names_leaves_nothing_else(void **state)
{
    (void)state;
    Begun b;
    char  now[128], prev[128];

    begin(&b);
    snprintf(now, sizeof now, "%s/run.chk", b.bench.dir[0]);
    snprintf(prev, sizeof prev, "%s/run.chk.prev", b.bench.dir[0]);
    assert_int_equal(unlink(prev), 0);
    assert_int_equal(link(now, prev), 0);
    assert_int_equal(save(&b), AMPHI_OK);
    assert_false(is_there(b.bench.dir[0], "run.chk.prev.tmp"));
    assert_true(about_file(b.bench.dir[0], "run.chk").st_ino !=
                about_file(b.bench.dir[0], "run.chk.prev").st_ino);
    end(&b);
}

static void room_for_a_checkpoint_is_kept_while_it_runs(void **state)
{
    (void)state;
    Bench     b;
    AmphiRun *run = NULL;

    open_bench(&b, NULL, NULL);
    const AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

    assert_int_equal(amphi_run_open(b.job, &o, &run, &b.err), AMPHI_OK);
    const struct stat spare = about_file(b.dir[0], "run.spare");
    const struct stat chk   = about_file(b.dir[0], "run.chk");
    assert_true(spare.st_size >= chk.st_size);
    assert_true(512 * (int64_t)spare.st_blocks >= chk.st_size); /* not a hole */
    assert_int_equal(amphi_run(run, &b.err), AMPHI_OK);
    assert_true(is_there(b.dir[0], "run.spare"));
    amphi_run_close(run);
    assert_false(is_there(b.dir[0], "run.spare"));
    assert_int_equal(amphi_run_open(b.job, &o, &run, &b.err), AMPHI_OK); /* goes on */
    assert_true(about_file(b.dir[0], "run.spare").st_size >= chk.st_size);
    amphi_run_close(run);
    close_bench(&b);
}

static void on_a_full_disk_it_is_written_into_that_room(void **state)
{
    (void)state;
    Begun b;

    begin(&b);
    assert_int_equal(save(&b), AMPHI_OK);
    assert_true(is_there(b.bench.dir[0], "run.spare"));
    disk.is_full_at = 1;
    assert_int_equal(save(&b), AMPHI_OK);
    assert_true(is_there(b.bench.dir[0], "run.spare")); /* kept anew */
    end(&b);
}

/* Something stands in its place, which room does not help. */
static void a_save_that_fails_again_is_told_and_the_next_keeps_room_anew(void **state)
{
    (void)state;
    Begun b;
    char  wall[128];

    begin(&b);
    assert_int_equal(save(&b), AMPHI_OK);
    snprintf(wall, sizeof wall, "%s/run.chk.new", b.bench.dir[0]);
    assert_int_equal(mkdir(wall, 0777), 0);
    check_refused(&b, AMPHI_BAD_FILE, "run.chk.new");
    assert_false(is_there(b.bench.dir[0], "run.spare"));
    assert_int_equal(rmdir(wall), 0);
    assert_int_equal(save(&b), AMPHI_OK);
    assert_true(is_there(b.bench.dir[0], "run.spare"));
    end(&b);
}

/* What reads a checkpoint back says itself what is wrong: here that there is no memory. */
static void a_save_without_memory_says_so(void **state)
{
    (void)state;
    Bench       b;
    AmphiRun   *run    = NULL;
    AmphiStatus status = AMPHI_NO_MEMORY;
    int         n      = 0;

    open_bench(&b, NULL, NULL);
    const AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

    assert_int_equal(amphi_run_open(b.job, &o, &run, &b.err), AMPHI_OK);
    while (status != AMPHI_OK && ++n < 500) {
        b.err = (AmphiError){ .status = AMPHI_OK };
        amphi_arena_fail_at(n);
        status = amphi_run_save(run, &b.err);
        amphi_arena_fail_at(0);
        assert_true(status == AMPHI_OK || status == AMPHI_NO_MEMORY);
    }
    assert_true(n > 10 && n < 500);
    amphi_run_close(run);
    close_bench(&b);
}

/* A checkpoint that is written well but read badly: its first fault is told. */
static void a_checkpoint_that_cannot_be_read_says_why(void **state)
{
    (void)state;
    Bench          b;
    AmphiRun      *run   = NULL;
    AmphiArena    *arena = amphi_arena_new();
    AmphiSnapshot *s     = NULL;
    char           path[128];

    open_bench(&b, NULL, NULL);
    const AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

    assert_int_equal(amphi_run_open(b.job, &o, &run, &b.err), AMPHI_OK);
    snprintf(path, sizeof path, "%s/run.chk", b.dir[0]);
    assert_int_equal(amphi_run_read_file(path, arena, &s, &b.err), AMPHI_OK);
    assert_non_null(s->run);
    amphi_run_close(run);
    damage(b.dir[0], "run.chk");
    assert_int_equal(amphi_run_read_file(path, arena, &s, &b.err), AMPHI_BAD_FILE);
    assert_null(s);
    assert_non_null(strstr(b.err.text, "the checksum does not hold"));
    amphi_arena_free(arena);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bad_state_is_never_saved),
        cmocka_unit_test(motion_that_is_not_finite_is_left_out_of_the_dump_of_a_fault),
        cmocka_unit_test(it_is_saved_by_the_clock),
        cmocka_unit_test(it_is_not_saved_more_often_than_asked),
        cmocka_unit_test(outputs_reach_the_disk_before_the_checkpoint_and_its_name_last),
        cmocka_unit_test(a_checkpoint_does_not_count_on_lines_that_the_disk_has_lost),
        cmocka_unit_test(what_the_disk_changes_does_not_become_the_checkpoint),
        cmocka_unit_test(a_damaged_checkpoint_never_replaces_the_one_before),
        cmocka_unit_test(the_save_after_a_kill_between_its_names_leaves_nothing_else),
        cmocka_unit_test(room_for_a_checkpoint_is_kept_while_it_runs),
        cmocka_unit_test(on_a_full_disk_it_is_written_into_that_room),
        cmocka_unit_test(a_save_that_fails_again_is_told_and_the_next_keeps_room_anew),
        cmocka_unit_test(a_save_without_memory_says_so),
        cmocka_unit_test(a_checkpoint_that_cannot_be_read_says_why),
    };

    disk.is_watched = true;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
