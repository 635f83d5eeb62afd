/* Room on the disk that is kept for a checkpoint. What else is promised of checkpoints is tested
 * with runs.
 */
#include "run_bench.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct stat about_file(const char *dir, const char *name)
{
    char        path[128];
    struct stat about;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    assert_int_equal(stat(path, &about), 0);
    return about;
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
    close_bench(&b);
}

/* The first write fails because something stands in its place, which goes away with the room: a
 * stand-in for a full disk. */
static void a_save_that_fails_is_tried_again_with_that_room(void **state)
{
    (void)state;
    Bench     b;
    AmphiRun *run = NULL;
    char      spare[128], wall[128];

    open_bench(&b, NULL, NULL);
    const AmphiRunOptions o = options_of(b.dir[0], "cpu", AMPHI_SINGLE);

    assert_int_equal(amphi_run_open(b.job, &o, &run, &b.err), AMPHI_OK);
    snprintf(spare, sizeof spare, "%s/run.spare", b.dir[0]);
    snprintf(wall, sizeof wall, "%s/run.chk.new", b.dir[0]);
    assert_int_equal(mkdir(wall, 0777), 0);
    assert_int_equal(amphi_run_save(run, &b.err), AMPHI_BAD_FILE); /* the room did not help */
    assert_false(is_there(b.dir[0], "run.spare"));
    assert_int_equal(rmdir(wall), 0);
    b.err = (AmphiError){ .status = AMPHI_OK };
    assert_int_equal(amphi_run_save(run, &b.err), AMPHI_OK);
    assert_true(is_there(b.dir[0], "run.spare"));
    amphi_run_close(run);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(room_for_a_checkpoint_is_kept_while_it_runs),
        cmocka_unit_test(a_save_that_fails_is_tried_again_with_that_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
