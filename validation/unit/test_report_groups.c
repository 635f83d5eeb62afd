/* The figures of a report for profiles of groups: one for each axis, of those along it alone. */
#include "hundred_waters.h"
#include "run_amphi.h"

#define JOB(outputs)                                                                               \
    "<amphi version=\"1\"><forcefield><include href=\"forcefield:elba\"/></forcefield>"            \
    "<system><start>" HUNDRED_WATERS "<velocities temperature=\"298 K\" seed=\"1\"/></start>"      \
    "<group name=\"one\" select=\"bead water18\"/><group name=\"other\" select=\"molecule "        \
    "water18\"/></system><interactions><cutoff distance=\"0.6 nm\"/></interactions>"               \
    "<plan timestep=\"5 fs\"><run name=\"warm\" ensemble=\"nvt\" length=\"0.1 ps\">"               \
    "<thermostat temperature=\"298 K\"/></run></plan>\n<output>" outputs                           \
    "<report snapshot=\"no\"/></output>\n<compute threads=\"1\"/>\n</amphi>\n"
#define PROFILE(group, axis)                                                                       \
    "<profile group=\"" group "\" axis=\"" axis "\" every=\"0.05 ps\" of=\"mass\"/>"

/* The script of a figure of a run; NULL: it has none. */
static const char *script_of(const char *name)
{
    static char text[RUN_MOST_BYTES];
    char        path[200];

    snprintf(path, sizeof path, "water.run/figures/%s.gp", name);
    if (!exists(in_folder(path)))
        return NULL;
    read_into(in_folder(path), text);
    return text;
}

static void run_job(const char *text)
{
    write_text("water.xml", text);
    check_code(
        amphi_form("run %s -o %s -q --fresh --yes", in_folder("water.xml"), in_folder("water.run")),
        0);
}

static void check_figure(const char *name, const char *axis, const char *has, const char *has_not)
{
    const char *const script = script_of(name);
    char              label[64];

    assert_non_null(script);
    snprintf(label, sizeof label, "%s from the middle (nm)", axis);
    assert_non_null(strstr(script, label));
    assert_non_null(strstr(script, has));
    assert_null(strstr(script, has_not));
}

static void groups_along_one_axis_share_a_figure(void **state)
{
    (void)state;
    run_job(JOB(PROFILE("one", "x") PROFILE("other", "x")));
    check_figure("profile-groups-mass", "x", "profile-one.tsv", "profile-none.tsv");
    check_figure("profile-groups-mass", "x", "profile-other.tsv", "profile-none.tsv");
    assert_null(script_of("profile-groups-mass-x"));
}

static void each_axis_has_a_figure_of_its_own(void **state)
{
    (void)state;
    run_job(JOB(PROFILE("one", "x") PROFILE("other", "z")));
    check_figure("profile-groups-mass-x", "x", "profile-one.tsv", "profile-other.tsv");
    check_figure("profile-groups-mass-z", "z", "profile-other.tsv", "profile-one.tsv");
    assert_null(script_of("profile-groups-mass"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_along_one_axis_share_a_figure),
        cmocka_unit_test(each_axis_has_a_figure_of_its_own),
    };

    return cmocka_run_group_tests(tests, make_run_folder, remove_run_folder);
}
