/* The results and the record of `amphi run`: where its means come from, what of a run goes on to be
 * told, signals that ask for it, and files of the record that cannot be written.
 */
#include <math.h>
#include <signal.h>
#include <time.h>

#include "hundred_waters.h"
#include "run_amphi.h"

#define WATER(plan, output)                                                                        \
    WATERS_JOB                                                                                     \
    "<plan timestep=\"5 fs\">" plan "</plan>\n<output>" output "</output>\n"                       \
    "<compute threads=\"1\"/></amphi>\n"
#define SHORT                                                                                      \
    WATER("<minimise name=\"relax\" steps=\"20\"/><run name=\"free\" ensemble=\"nve\" length=\"1 " \
          "ps\"/>",                                                                                \
          "<energies every=\"0.05 ps\"/>")
#define BEYOND(more)                                                                               \
    WATER("<run name=\"free\" ensemble=\"nve\" length=\"0.1 ps\"/>" more,                          \
          "<energies every=\"0.05 ps\"/>")

/* ---- means and what is told again ---- */

#define MEMBRANE(length, outputs)                                                                  \
    "<amphi version=\"1\">\n"                                                                      \
    "<forcefield><include href=\"forcefield:elba\"/></forcefield>\n"                               \
    "<system><start>\n"                                                                            \
    "<bilayer water-per-lipid=\"30\" seed=\"1\">"                                                  \
    "<leaflet side=\"upper\"><lipid type=\"DMPC\" count=\"16\"/></leaflet>"                        \
    "<leaflet side=\"lower\"><lipid type=\"DMPC\" count=\"16\"/></leaflet>"                        \
    "</bilayer>\n"                                                                                 \
    "<velocities temperature=\"303 K\" seed=\"1\"/></start></system>\n"                            \
    "<plan timestep=\"5 fs\"><minimise name=\"relax\" steps=\"20\"/>\n"                            \
    "<run name=\"warm\" ensemble=\"nvt\" length=\"" length "\">"                                   \
    "<thermostat temperature=\"303 K\"/></run></plan>\n"                                           \
    "<output><energies every=\"10 steps\"/>" outputs "</output>\n"                                 \
    "<compute threads=\"1\"/>\n</amphi>\n"
#define AREA      "<area every=\"10 steps\"/>"
#define THICKNESS "<thickness every=\"10 steps\"/>"

/* The mean of a column of energy.tsv over its last stage. */
static double mean_of_column(const char *table, const char *column)
{
    static char text[RUN_MOST_BYTES];
    char       *rest  = text;
    int         place = -1, n = 0;
    double      sum = 0, stage = 0;

    read_into(in_folder(table), text);
    for (char *line; (line = strtok_r(rest, "\n", &rest)) != NULL;) {
        double at_stage = 0, value = 0;
        char  *cells = line;
        int    k     = 0;

        if (line[0] == '#')
            continue;
        for (char *cell; (cell = strtok_r(cells, "\t", &cells)) != NULL; k++) {
            if (strcmp(cell, column) == 0)
                place = k;
            at_stage = k == 2 ? strtod(cell, NULL) : at_stage;
            value    = k == place ? strtod(cell, NULL) : value;
        }
        if (at_stage > stage) {
            stage = at_stage;
            sum = n = 0;
        }
        sum += at_stage > 0 ? value : 0;
        n += at_stage > 0;
    }
    assert_true(place > 0 && n > 0);
    return sum / n;
}

static double json_number(const char *text, const char *key)
{
    char        name[64];
    const char *at;

    snprintf(name, sizeof name, "\"%s\":", key);
    at = strstr(text, name);
    assert_non_null(at);
    return strtod(at + strlen(name), NULL);
}

/* All from the lines of energy.tsv, and not from the few looks of the run. */
static void temperatures_of_all_of_translation_and_of_rotation_are_of_the_same_samples(void **state)
{
    static const char *const names[3][2] = { { "mean_temperature_K", "temperature" },
                                             { "translation_K", "temperature_translation" },
                                             { "rotation_K", "temperature_rotation" } };
    char                     line[128];
    (void)state;

    write_text("membrane.xml", MEMBRANE("0.1 ps", AREA THICKNESS));
    const Run *r = amphi_form("run %s -o %s --json --no-report", in_folder("membrane.xml"),
                              in_folder("m.run"));

    check_code(r, 0);
    for (int k = 0; k < 3; k++) {
        const double mean = mean_of_column("m.run/energy.tsv", names[k][1]);

        assert_true(fabs(json_number(r->out, names[k][0]) - mean) < 1e-6 * mean);
    }
    snprintf(line, sizeof line, "temperature  %.1f K in warm;",
             json_number(r->out, "mean_temperature_K"));
    r = amphi_form("run %s -o %s --no-report", in_folder("membrane.xml"), in_folder("m.run"));
    check_has(r->out, line);
}

static void a_minimisation_alone_has_no_temperature_and_no_frame(void **state)
{
    (void)state;
    write_text("downhill.xml",
               WATER("<minimise name=\"relax\" steps=\"5\"/>", "<trajectory every=\"0.05 ps\"/>"));
    const Run *r = amphi_form("run %s -o %s --json --no-report", in_folder("downhill.xml"),
                              in_folder("d.run"));

    check_code(r, 0);
    check_has(r->out, "\"mean_temperature_K\":null");
    r = amphi_form("analyse %s", in_folder("d.run"));
    check_code(r, 4);
    check_has(r->eye, "d.run/trajectory.dcd: there is no whole frame in this file");

    write_text("downhill.xml", WATER("<minimise name=\"relax\" steps=\"5\"/>",
                                     "<trajectory every=\"0.05 ps\" format=\"xtc\"/>"));
    check_code(
        amphi_form("run %s -o %s --no-report", in_folder("downhill.xml"), in_folder("x.run")), 0);
    r = amphi_form("analyse %s", in_folder("x.run"));
    check_code(r, 4);
    check_has(r->eye, "x.run/trajectory.xtc: there is no whole frame in this file");
}

/* final.gro and final.data stay in the folder of a run that has no trajectory any more. */
static void a_last_frame_of_an_earlier_end_is_told(void **state)
{
    static const char *const jobs[] = {
        WATER("<run name=\"free\" ensemble=\"nve\" length=\"1 ps\"/>",
              "<trajectory every=\"0.05 ps\"/>"),
        WATER("<run name=\"free\" ensemble=\"nve\" length=\"1 ps\"/>",
              "<energies every=\"0.05 ps\"/>")
    };

    (void)state;
    for (int k = 0; k < 2; k++) {
        write_text("last.xml", jobs[k]);
        const Run *r = amphi_form("run %s -o %s --no-report --until %s", in_folder("last.xml"),
                                  in_folder("last.run"), k == 0 ? "0.1ps" : "0.2ps");

        check_code(r, 0);
        assert_int_equal(strstr(r->eye, "final.gro and final.data are of an earlier end") != NULL,
                         k);
    }
}

/* What cannot be written beside a run's own files: the run is as it is, and even who asked for
 * errors alone hears of it. */
static void a_report_that_cannot_be_written_is_told(void **state)
{
    static const char *const flags[] = { "", "-q", "--json" };

    (void)state;
    write_text("short.xml", SHORT);
    for (int k = 0; k < 3; k++) {
        char dir[32], page[64];

        snprintf(dir, sizeof dir, "full-%d.run", k);
        snprintf(page, sizeof page, "%s/report.html", dir);
        assert_int_equal(mkdir(in_folder(dir), 0777), 0);
        assert_int_equal(mkdir(in_folder(page), 0777), 0);
        const Run *r =
            amphi_form("run %s -o %s %s", in_folder("short.xml"), in_folder(dir), flags[k]);

        check_code(r, 0);
        check_has(k == 2 ? r->out : r->eye, "report.html");
        assert_int_equal(strstr(r->out, "{\"kind\":\"remark\"") != NULL, k == 2);
    }
}

static void an_output_that_was_taken_out_is_not_told_about_any_more(void **state)
{
    static char page[4 << 20];
    (void)state;

    write_text("membrane.xml", MEMBRANE("0.2 ps", THICKNESS));
    const Run *r = amphi_form("run %s -o %s", in_folder("membrane.xml"), in_folder("m.run"));

    check_code(r, 0);
    check_has(r->out, "\n  thickness    ");
    assert_null(strstr(r->out, "\n  area "));
    assert_null(strstr(r->out, "\n  volume "));

    FILE *const  in = fopen(in_folder("m.run/report.html"), "rb");
    const size_t n  = in == NULL ? 0 : fread(page, 1, sizeof page - 1, in);
    assert_non_null(in);
    assert_int_equal(fclose(in), 0);
    page[n] = '\0';
    check_has(page, "<td>thickness, head to head</td>");
    assert_null(strstr(page, "area per lipid"));
    assert_null(strstr(page, "Area of the box in its plane"));
}

/* Killed behind its last checkpoint: that it is done, and the hash, are still to be written. */
static void what_a_killed_process_left_untold_is_told(void **state)
{
    (void)state;
    write_text("short.xml", SHORT);
    static char text[RUN_MOST_BYTES], hash[80];
    const char *at;

    check_code(amphi_form("run %s -o %s --precision fixed --no-report", in_folder("short.xml"),
                          in_folder("f.run")),
               0);
    read_into(in_folder("f.run/status.json"), text);
    at = strstr(text, "\"saved_state\":\"");
    assert_non_null(at);
    snprintf(hash, sizeof hash, "state        %.32s\n", at + strlen("\"saved_state\":\""));
    const Run *r =
        amphi_form("run %s -o %s --no-report", in_folder("short.xml"), in_folder("f.run"));
    check_code(r, 0);
    check_has(r->out, hash);

    write_text("f.run/status.json", "{\"kind\":\"status\",\"state\":\"running\",\"step\":200,"
                                    "\"ns_per_day\":12.5}\n");
    r = amphi_form("run %s -o %s --no-report", in_folder("short.xml"), in_folder("f.run"));
    check_code(r, 0);
    check_has(r->out, hash);
    check_has(r->out, "speed        12.5 ns/day (");
    read_into(in_folder("f.run/status.json"), text);
    check_has(text, "\"state\":\"done\"");
    check_has(text, "\"step\":220");
    check_has(text, "\"ns_per_day\":12.5");
    check_has(text, "\"saved_state\":\"");
}

/* The stage that is there already was made longer than the plan says: what is added to the plan
 * begins behind it, and is no run that is done. */
static void a_stage_behind_one_that_went_beyond_its_plan_is_on_record(void **state)
{
    static char text[RUN_MOST_BYTES];
    (void)state;

    write_text("beyond.xml", BEYOND(""));
    check_code(amphi_form("run %s -o %s --until 0.5ps --no-report", in_folder("beyond.xml"),
                          in_folder("beyond.run")),
               0);
    write_text("beyond.xml", BEYOND("<run name=\"added\" ensemble=\"nve\" length=\"0.1 ps\"/>"));
    const Run *r =
        amphi_form("run %s -o %s --no-report", in_folder("beyond.xml"), in_folder("beyond.run"));
    check_code(r, 0);
    check_has(r->eye, "beyond.run: goes on from step 100, 0.5 ps");
    check_has(r->out, "length       120 steps, 0.6 ps\n");
    read_into(in_folder("beyond.run/run.log"), text);
    check_has(text, "  stage added, seed ");
    check_has(text, "  goes on from step 100, 0.5 ps\n");
    read_into(in_folder("beyond.run/status.json"), text);
    check_has(text, "\"step\":120");
    read_into(in_folder("beyond.run/input/beyond.xml"), text);
    check_has(text, "name=\"added\"");
    r = amphi_form("run %s -o %s --no-report", in_folder("beyond.xml"), in_folder("beyond.run"));
    check_code(r, 0);
    check_has(r->eye, "done already, step 120, 0.6 ps");
}

static void a_changed_file_is_on_record_where_no_step_is_left(void **state)
{
    static char text[RUN_MOST_BYTES], before[RUN_MOST_BYTES];
    (void)state;

    write_text("beyond.xml", BEYOND(""));
    check_code(
        amphi_form("run %s -o %s --no-report", in_folder("beyond.xml"), in_folder("changed.run")),
        0);
    write_text("beyond.xml", BEYOND("<!-- as it was -->"));
    for (int k = 0; k < 2; k++) {
        const Run *r = amphi_form("run %s -o %s --no-report", in_folder("beyond.xml"),
                                  in_folder("changed.run"));

        check_code(r, 0);
        check_has(r->eye, "done already, step 20, 0.1 ps");
        read_into(in_folder("changed.run/input/beyond.xml"), text);
        check_has(text, "as it was");
        read_into(in_folder("changed.run/run.log"), text);
        check_has(text, "  done already, step 20, 0.1 ps\n");
        if (k > 0)
            assert_string_equal(text, before);
        read_into(in_folder("changed.run/run.log"), before);
    }
}

static void a_folder_is_no_system_file(void **state)
{
    const Run *r = amphi_form("run %s", in_folder("."));
    (void)state;

    check_code(r, 3);
    check_has(r->eye, "/.: is a folder, and a system file is wanted\n"
                      "    write: amphi run SYSTEM.xml -o DIR\n");
    r = amphi_form("check %s", in_folder("."));
    check_code(r, 3);
    check_has(r->eye, "    write: amphi check SYSTEM.xml\n");
}

static void the_command_on_record_is_one_that_a_shell_takes(void **state)
{
    static char text[RUN_MOST_BYTES], command[4 * AMPHI_PATH_SIZE];
    (void)state;

    write_text("it's(1).xml", BEYOND(""));
    check_code(
        amphi_form("run %s -o %s --no-report", in_folder("it's(1).xml"), in_folder("q&.run")), 0);
    read_into(in_folder("q&.run/run.log"), text);
    snprintf(command, sizeof command, "  command amphi run '%s' --output '%s' --no-report\n",
             in_folder("it'\\''s(1).xml"), in_folder("q&.run"));
    check_has(text, command);
}

static void a_dry_run_shows_the_backend_that_a_run_goes_on_with(void **state)
{
    static const char *const dry[] = { "", "--fresh --backend cpu", "--precision double" };
    static const char *const has[] = { "backend      cpu single", "backend      cpu double",
                                       "backend      cpu double" };
    const char              *told = "stays with cpu single, as so far, and not double of <compute>";
    static char              text[sizeof SHORT + 64];
    static const char        all[] = SHORT;
    const char *const        at    = strstr(all, "<compute ");
    (void)state;

    snprintf(text, sizeof text, "%.*s<compute precision=\"double\" %s", (int)(at - all), all,
             at + strlen("<compute "));
    write_text("short.xml", SHORT);
    check_code(amphi_form("run %s -o %s --backend cpu -n 20 --no-report", in_folder("short.xml"),
                          in_folder("dry.run")),
               0);
    write_text("short.xml", text);
    for (int k = 0; k < 3; k++) {
        const Run *r = amphi_form("run %s -o %s --dry-run %s", in_folder("short.xml"),
                                  in_folder("dry.run"), dry[k]);

        check_code(r, 0);
        check_has(r->out, has[k]);
        assert_true((strstr(r->eye, told) != NULL) == (k == 0));
    }
    write_text("short.xml", SHORT);
}

/* ---- signals that end nothing, and records that cannot be kept ---- */

static void wait_a_little(void)
{
    nanosleep(&(struct timespec){ .tv_nsec = 20 * 1000 * 1000 }, NULL);
}

/* Waits some seconds for a text in a file. */
static bool appears(const char *path, const char *text)
{
    static char bytes[RUN_MOST_BYTES];

    for (int k = 0; k < 500; k++) {
        bytes[0] = '\0';
        if (exists(path))
            read_into(path, bytes);
        if (strstr(bytes, text) != NULL)
            return true;
        wait_a_little();
    }
    return false;
}

/* Waits some seconds for another file of that name. */
static bool is_replaced(const char *path, ino_t before)
{
    struct stat about;

    for (int k = 0; k < 500; k++) {
        if (stat(path, &about) == 0 && about.st_ino != before)
            return true;
        wait_a_little();
    }
    return false;
}

static pid_t start_run(const char *system, const char *dir, const char *eye)
{
    const char *const program = find_program();
    const pid_t       child   = fork();

    assert_true(child >= 0);
    if (child == 0) {
        dup2(open("/dev/null", O_WRONLY), 1);
        dup2(open(eye, O_WRONLY | O_CREAT | O_TRUNC, 0666), 2);
        execl(program, program, "run", system, "-o", dir, "--no-report", (char *)NULL);
        _exit(127);
    }
    return child;
}

/* A run without an end in sight, a checkpoint due or a line due. */
static void two_signals_ask_for_a_line_and_for_a_checkpoint(void **state)
{
    char system[AMPHI_PATH_SIZE], dir[AMPHI_PATH_SIZE], eye[AMPHI_PATH_SIZE], chk[AMPHI_PATH_SIZE];
    struct stat about;
    int         status = 0;
    (void)state;

    write_text("endless.xml", WATER("<run name=\"free\" ensemble=\"nve\" length=\"1 us\"/>",
                                    "<checkpoint every=\"9 h\"/>"));
    snprintf(system, sizeof system, "%s", in_folder("endless.xml"));
    snprintf(dir, sizeof dir, "%s", in_folder("endless.run"));
    snprintf(eye, sizeof eye, "%s", in_folder("endless.eye"));
    snprintf(chk, sizeof chk, "%s", in_folder("endless.run/run.chk"));
    const pid_t child = start_run(system, dir, eye);
    const bool  began = appears(in_folder("endless.run/status.json"), "running");
    const bool  saved = stat(chk, &about) == 0;

    kill(child, SIGUSR2);
    const bool has_line = appears(eye, "free  ");
    kill(child, SIGUSR1);
    const bool has_save = is_replaced(chk, about.st_ino);
    kill(child, SIGTERM);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(began && saved);
    assert_true(has_line);
    assert_true(has_save);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 8);
}

/* The copy of a file that is gone is told about where there is one, and a run goes on with it. */
static void a_run_whose_file_is_gone_has_a_copy(void **state)
{
    (void)state;
    write_text(
        "gone.xml",
        "<amphi version=\"1\"><forcefield><include href=\"forcefield:elba\"/></forcefield>\n"
        "<system><molecule type=\"water18\" count=\"100\"/>\n"
        "<start><coordinates file=\"gone.start/start.chk\"/></start></system>\n"
        "<interactions><cutoff distance=\"0.6 nm\"/></interactions>\n"
        "<plan timestep=\"5 fs\"><run name=\"free\" ensemble=\"nve\" length=\"1 ps\"/></plan>\n"
        "<compute threads=\"1\"/></amphi>\n");
    const Run *r = amphi_form("build %s -o %s", in_folder("short.xml"), in_folder("gone.start"));

    check_code(r, 0);
    check_code(amphi_form("run %s -o %s -n 10", in_folder("gone.xml"), in_folder("gone.run")), 0);
    assert_int_equal(unlink(in_folder("gone.start/start.chk")), 0);
    r = amphi_form("run %s -o %s -n 20", in_folder("gone.xml"), in_folder("other.run"));
    check_code(r, 3);
    assert_null(strstr(r->eye, "copies"));
    r = amphi_form("run %s -o %s -n 20", in_folder("gone.xml"), in_folder("gone.run"));
    check_code(r, 3);
    check_has(r->eye, "gone.run has copies of the files that it began with\n");
    check_has(r->eye, "write: amphi run ");
    check_has(r->eye, "gone.run/input/gone.xml -o ");
    r = amphi_form("run %s -o %s -n 20", in_folder("gone.run/input/gone.xml"),
                   in_folder("gone.run"));
    check_code(r, 0);
    check_has(r->out, "length       20 steps");
}

/* What was computed is kept, and told. */
static void a_record_that_cannot_be_written_is_a_failure(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in_folder("s.run"), 0777), 0);
    assert_int_equal(mkdir(in_folder("s.run/status.json"), 0777), 0);
    const Run *r =
        amphi_form("run %s -o %s --no-report", in_folder("short.xml"), in_folder("s.run"));
    check_code(r, 4);
    check_has(r->eye, "s.run/status.json: ");
    check_has(r->out, "length       220 steps, 1 ps\n");
    assert_true(exists(in_folder("s.run/run.chk")));

    assert_int_equal(mkdir(in_folder("l.run"), 0777), 0);
    assert_int_equal(symlink("/dev/full", in_folder("l.run/run.log")), 0);
    r = amphi_form("run %s -o %s --no-report", in_folder("short.xml"), in_folder("l.run"));
    check_code(r, 4);
    check_has(r->eye, "l.run/run.log: writing failed");
    check_has(r->out, "length       220 steps, 1 ps\n");
    assert_true(exists(in_folder("l.run/run.chk")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            temperatures_of_all_of_translation_and_of_rotation_are_of_the_same_samples),
        cmocka_unit_test(a_minimisation_alone_has_no_temperature_and_no_frame),
        cmocka_unit_test(a_last_frame_of_an_earlier_end_is_told),
        cmocka_unit_test(a_report_that_cannot_be_written_is_told),
        cmocka_unit_test(an_output_that_was_taken_out_is_not_told_about_any_more),
        cmocka_unit_test(what_a_killed_process_left_untold_is_told),
        cmocka_unit_test(a_stage_behind_one_that_went_beyond_its_plan_is_on_record),
        cmocka_unit_test(a_changed_file_is_on_record_where_no_step_is_left),
        cmocka_unit_test(a_folder_is_no_system_file),
        cmocka_unit_test(the_command_on_record_is_one_that_a_shell_takes),
        cmocka_unit_test(a_dry_run_shows_the_backend_that_a_run_goes_on_with),
        cmocka_unit_test(two_signals_ask_for_a_line_and_for_a_checkpoint),
        cmocka_unit_test(a_run_whose_file_is_gone_has_a_copy),
        cmocka_unit_test(a_record_that_cannot_be_written_is_a_failure),
    };

    return cmocka_run_group_tests(tests, make_run_folder, remove_run_folder);
}
