/* `amphi analyse` where there are few frames, no lipids, or steps between those of the header. */
#include "analyse_run.h"
#include "hundred_waters.h"

static void a_table_that_frames_are_too_few_for_is_not_left_from_before(void **state)
{
    (void)state;
    check_code(analyse("--observe diffusion,area"), 0);
    assert_true(exists(run_of("analysis/diffusion.tsv")));

    const Run *const run = analyse("--observe diffusion,area --from 2.3ps");
    check_code(run, 0);
    check_has(run->eye, "diffusion.tsv: removed, as it was of other frames");
    assert_null(strstr(run->eye, "area.tsv: removed"));
    assert_false(exists(run_of("analysis/diffusion.tsv")));
    assert_true(exists(run_of("analysis/area.tsv")));
}

static void a_box_without_lipids_is_not_told_of_attributes(void **state)
{
    (void)state;
    write_text("w.xml", WATERS_JOB "<plan timestep=\"5 fs\"><run name=\"free\" ensemble=\"nve\" "
                                   "length=\"0.05 ps\"/></plan>"
                                   "<output><trajectory every=\"0.05 ps\"/></output></amphi>");
    check_code(amphi_form("run %s -o %s -q --no-report", in_folder("w.xml"), in_folder("w.run")),
               0);

    const Run *const run = amphi_form("analyse %s --observe area", in_folder("w.run"));
    check_code(run, 3);
    check_has(run->eye, "there are no lipids in the box");
    assert_null(strstr(run->eye, "other attributes"));
}

/* Of a stage that begins half way between two of its own steps: the header of its trajectory is
 * half a step late. */
static void a_stage_may_begin_between_its_own_steps(void **state)
{
    (void)state;
    write_text("half.xml", WATERS_JOB
               "<plan timestep=\"5 fs\"><run name=\"warm\" ensemble=\"nvt\" length=\"0.105 ps\">"
               "<thermostat temperature=\"298 K\"/></run>"
               "<run name=\"free\" ensemble=\"nve\" length=\"0.1 ps\" timestep=\"10 fs\"/></plan>"
               "<output><trajectory from=\"free\" every=\"10 fs\"/>"
               "<profile from=\"free\" every=\"10 fs\"/></output></amphi>");
    check_code(
        amphi_form("run %s -o %s -q --no-report", in_folder("half.xml"), in_folder("half.run")), 0);
    for (int k = 0; k < 2; k++) {
        const Run *const run = amphi_form("analyse %s", in_folder("half.run"));

        check_code(run, 0);
        check_has(run->out, "frames       11, 0.105 to 0.205 ps");
        unlink(in_folder("half.run/run.chk"));
        unlink(in_folder("half.run/run.chk.prev"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_that_frames_are_too_few_for_is_not_left_from_before),
        cmocka_unit_test(a_box_without_lipids_is_not_told_of_attributes),
        cmocka_unit_test(a_stage_may_begin_between_its_own_steps),
    };

    return cmocka_run_group_tests(tests, make_run, remove_run_folder);
}
