/* `amphi run --fresh`: what it throws away, when it asks, and what it leaves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "hundred_waters.h"
#include "run_amphi.h"

#define PLAN                                                                                       \
    "<plan timestep=\"5 fs\"><minimise name=\"relax\" steps=\"20\"/>"                              \
    "<run name=\"free\" ensemble=\"nve\" length=\"0.1 ps\"/></plan>"                               \
    "<output><energies every=\"0.05 ps\"/></output><compute threads=\"1\"/></amphi>\n"
#define JOB WATERS_JOB PLAN

/* Of a run with other outputs, a report, pictures and a fault. */
static const char *const left[] = { "a.run/area.tsv",           "a.run/area-mean.tsv",
                                    "a.run/thickness-mean.tsv", "a.run/rdf.tsv",
                                    "a.run/final.gro",          "a.run/fault-120.chk",
                                    "a.run/fault-120.dcd",      "a.run/report.html",
                                    "a.run/final.png",          "a.run/energies.png",
                                    "a.run/profile.svg",        "a.run/figures/area.gp",
                                    "a.run/figures/side.png" };

static void leave_files(void)
{
    if (mkdir(in_folder("a.run/figures"), 0777) != 0)
        assert_int_equal(errno, EEXIST);
    write_text("a.run/figures/notes.txt", "a user's");
    for (size_t k = 0; k < sizeof left / sizeof *left; k++)
        write_text(left[k], "of the run before");
}

static void an_earlier_run_is_thrown_away_only_with_a_yes(void **state)
{
    (void)state;
    const Run *r = NULL;

    write_text("a.xml", JOB);
    check_code(amphi_form("run %s -o %s -q", in_folder("a.xml"), in_folder("a.run")), 0);
    r = amphi_form("run %s -o %s --fresh", in_folder("a.xml"), in_folder("a.run"));
    check_code(r, 2);
    check_has(r->eye, "write: --fresh --yes");
    leave_files();
    r = amphi_form("run %s -o %s --fresh --yes -q --no-report", in_folder("a.xml"),
                   in_folder("a.run"));
    check_code(r, 0);
    check_has(r->out, "length       40 steps");
    assert_string_equal(r->eye, "");
    for (size_t k = 0; k < sizeof left / sizeof *left; k++)
        if (exists(in_folder(left[k])))
            fail_msg("%s is still there", left[k]);
    assert_true(exists(in_folder("a.run/figures/notes.txt")));
}

/* Without its checkpoint, too; and what lies where no run has been is not a run's. */
static void what_is_not_of_a_run_is_not_thrown_away_with_it(void **state)
{
    static const char *const others[] = { "p/figures/paper.png", "p/analysis/profile.png",
                                          "p/report.html" };
    (void)state;

    assert_int_equal(mkdir(in_folder("p"), 0777), 0);
    assert_int_equal(mkdir(in_folder("p/figures"), 0777), 0);
    assert_int_equal(mkdir(in_folder("p/analysis"), 0777), 0);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        write_text(others[k], "mine");
    write_text("p/topology.psf", "mine");
    write_text("short.xml", JOB);

    const Run *r = amphi_form("run %s -o %s --fresh", in_folder("short.xml"), in_folder("p"));
    check_code(r, 2);
    check_has(r->eye, "write: --fresh --yes");
    check_code(amphi_form("run %s -o %s --fresh --yes -q --no-report --until 0.1ps",
                          in_folder("short.xml"), in_folder("p")),
               0);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        assert_true(exists(in_folder(others[k])));
    unlink(in_folder("p/run.chk"));
    check_code(amphi_form("run %s -o %s --fresh", in_folder("short.xml"), in_folder("p")), 2);
}

static void a_run_does_not_throw_away_what_it_begins_with(void **state)
{
    (void)state;
    write_text("again.xml", JOB);
    check_code(amphi_form("run %s -o %s -q --no-report --until 0.1ps", in_folder("again.xml"),
                          in_folder("again.run")),
               0);
    write_text("again.xml",
               "<amphi version=\"1\"><forcefield><include href=\"forcefield:elba\"/></forcefield>"
               "<system><molecule type=\"water18\" count=\"100\"/>"
               "<start><coordinates file=\"again.run/run.chk\"/></start></system>"
               "<interactions><cutoff distance=\"0.6 nm\"/></interactions>" PLAN);

    const Run *r = amphi_form("run %s -o %s --fresh --yes -q --no-report", in_folder("again.xml"),
                              in_folder("again.run"));
    check_code(r, 2);
    check_has(r->eye, "again.run/run.chk: --fresh would throw it away");
    check_code(amphi_form("run %s -o %s -q --no-report --until 0.1ps", in_folder("again.xml"),
                          in_folder("other.run")),
               0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_earlier_run_is_thrown_away_only_with_a_yes),
        cmocka_unit_test(what_is_not_of_a_run_is_not_thrown_away_with_it),
        cmocka_unit_test(a_run_does_not_throw_away_what_it_begins_with),
    };

    return cmocka_run_group_tests(tests, make_run_folder, remove_run_folder);
}
