/* What is told at the end of a minimisation: the largest force and whose, and why it ended. */
#include <math.h>
#include <string.h>

#include "../../engine/run_parts.h"
#include "../../tools/run_show.h"
#include "hundred_waters.h"
#include "job_folder.h"
#include "run_amphi.h"

enum { STEPS = 50 };

/* job_base: ion, cl, two dipoles that turn; its forces may not be above 10 kJ/mol/nm. */
typedef struct {
    JobReading reading;
    AmphiJob   job;
    AmphiStage stage;
    AmphiRun   run;
    double     force[4][3], torque[4][3];
    AmphiFrame frame;
} Minimised;

static void set_up(Minimised *m)
{
    *m       = (Minimised){ .reading = read_job_text(job_base) };
    m->stage = (AmphiStage){
        .name = "relax", .ensemble = AMPHI_MINIMISE, .n_steps = STEPS, .stop_force_kJ_mol_nm = 10
    };
    assert_non_null(m->reading.job);
    m->job          = *m->reading.job;
    m->job.stage    = &m->stage;
    m->job.n_stages = 1;
    assert_int_equal(m->job.system.n_beads, 4);
    m->run.job               = &m->job;
    m->run.at.stage_began    = 7;
    m->run.at.step           = 7 + 12;
    m->frame.force_kJ_mol_nm = (const double(*)[3])m->force;
    m->frame.torque_kJ_mol   = (const double(*)[3])m->torque;
}

static const AmphiRunMinimum *noted(Minimised *m, char line[TOOL_MINIMUM_SIZE])
{
    amphi_run_note_minimum(&m->run, &m->frame);
    assert_non_null(amphi_run_minimum(&m->run));
    tool_minimum_line(amphi_run_minimum(&m->run), &m->job, line);
    return amphi_run_minimum(&m->run);
}

static void the_largest_force_is_told_with_its_bead_and_the_energy(void **state)
{
    (void)state;
    char      line[TOOL_MINIMUM_SIZE];
    Minimised m;

    set_up(&m);
    assert_null(amphi_run_minimum(&m.run));
    m.force[0][0]                      = 5;
    m.force[1][0]                      = 3;
    m.force[1][2]                      = -4.5;
    m.force[2][1]                      = -2;
    m.torque[1][1]                     = 9; /* a point does not turn */
    m.frame.term_kJ_mol[AMPHI_LJ]      = 1.5;
    m.frame.term_kJ_mol[AMPHI_BOND]    = -4;
    const AmphiRunMinimum *const found = noted(&m, line);

    assert_int_equal(found->bead, 1);
    assert_int_equal(found->n_steps, 12);
    assert_true(fabs(found->force_kJ_mol_nm - sqrt(3 * 3 + 4.5 * 4.5)) < 1e-12);
    assert_string_equal(line, "relax: 12 steps, stop-force 10 kJ/mol/nm met; largest force 5.408 "
                              "kJ/mol/nm on bead 2 (salt 1 bead CL); potential energy -2.5 "
                              "kJ/mol");
    reading_free(&m.reading);
}

static void a_torque_counts_as_a_force_over_a_tenth_of_a_nanometre(void **state)
{
    (void)state;
    char      line[TOOL_MINIMUM_SIZE];
    Minimised m;

    set_up(&m);
    m.force[0][0]  = 5;
    m.torque[3][2] = 0.8;
    assert_int_equal(noted(&m, line)->bead, 3);
    assert_non_null(strstr(line, " met; largest force 8 kJ/mol/nm (a torque over 0.1 nm) on bead "
                                 "4 (water 2)"));
    reading_free(&m.reading);
}

/* With all steps made or not; within a ten thousandth of the force, which single precision may
 * miss. */
static void why_it_ended_is_told(void **state)
{
    (void)state;
    char      line[TOOL_MINIMUM_SIZE];
    Minimised m;

    set_up(&m);
    m.force[2][0] = 10.0009;
    assert_int_equal(noted(&m, line)->end, AMPHI_FORCE_MET);
    m.force[2][0] = 10.0011;
    assert_int_equal(noted(&m, line)->end, AMPHI_NONE_LOWER);
    assert_non_null(strstr(line, "12 steps, then no lower place was found, stop-force 10 "
                                 "kJ/mol/nm not met; largest force 10 "));
    m.run.at.step = 7 + STEPS;
    assert_int_equal(noted(&m, line)->end, AMPHI_STEPS_MADE);
    assert_non_null(strstr(line, "50 steps, all that were allowed, stop-force 10 kJ/mol/nm not "));
    m.force[2][0] = 9;
    assert_int_equal(noted(&m, line)->end, AMPHI_FORCE_MET);
    m.run.at.step = 7 + 1;
    (void)noted(&m, line);
    assert_non_null(strstr(line, "relax: 1 step, stop-force"));
    reading_free(&m.reading);
}

/* ---- a run ---- */

#define WATER                                                                                      \
    WATERS_JOB                                                                                     \
    "<plan timestep=\"5 fs\"><minimise name=\"relax\" steps=\"20\"/>\n"                            \
    "<run name=\"free\" ensemble=\"nve\" length=\"0.5 ps\"/></plan>\n"                             \
    "<output><energies every=\"0.05 ps\"/><report snapshot=\"no\"/></output>\n"                    \
    "<compute threads=\"1\"/></amphi>\n"

static int32_t count_of(const char *text, const char *part)
{
    int32_t n = 0;

    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        n++;
    return n;
}

/* Once, where it ends, and on the page of a run that went on; what goes on behind it tells it no
 * more, and a run that has begun anew tells its own. */
static void what_a_minimisation_came_to_is_told_once(void **state)
{
    static char       text[RUN_MOST_BYTES];
    static const char told[] = "inimised relax: 20 steps, all that were allowed, stop-force 100 "
                               "kJ/mol/nm not met; largest force ";
    (void)state;

    write_text("down.xml", WATER);
    const Run *r =
        amphi_form("run %s -o %s --steps 30", in_folder("down.xml"), in_folder("down-a.run"));
    check_code(r, 0);
    assert_int_equal(count_of(r->eye, told), 1);
    check_has(r->eye, " kJ/mol/nm on bead ");
    check_has(r->eye, "; potential energy -");

    r = amphi_form("run %s -o %s", in_folder("down.xml"), in_folder("down-a.run"));
    check_code(r, 0);
    assert_int_equal(count_of(r->eye, "minimised"), 0);
    r = amphi_form("run %s -o %s", in_folder("down.xml"), in_folder("down-a.run"));
    check_code(r, 0);
    check_has(r->eye, "done already");
    assert_int_equal(count_of(r->eye, "minimised"), 0);
    read_into(in_folder("down-a.run/run.log"), text);
    assert_int_equal(count_of(text, told), 1);
    read_into(in_folder("down-a.run/report.html"), text);
    assert_int_equal(count_of(text, told), 1);

    r = amphi_form("run %s -o %s --fresh --yes --steps 30", in_folder("down.xml"),
                   in_folder("down-a.run"));
    check_code(r, 0);
    assert_int_equal(count_of(r->eye, told), 1);
    read_into(in_folder("down-a.run/report.html"), text);
    assert_int_equal(count_of(text, told), 1);
}

/* Cut before its last step it is not at its end. */
static void a_minimisation_that_is_cut_tells_nothing(void **state)
{
    (void)state;
    const Run *const r =
        amphi_form("run %s -o %s --steps 10", in_folder("down.xml"), in_folder("cut.run"));

    check_code(r, 0);
    assert_int_equal(count_of(r->eye, "minimised"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_force_is_told_with_its_bead_and_the_energy),
        cmocka_unit_test(a_torque_counts_as_a_force_over_a_tenth_of_a_nanometre),
        cmocka_unit_test(why_it_ended_is_told),
        cmocka_unit_test(what_a_minimisation_came_to_is_told_once),
        cmocka_unit_test(a_minimisation_that_is_cut_tells_nothing),
    };

    return cmocka_run_group_tests(tests, make_run_folder, remove_run_folder);
}
