/* What evaluate, build, check and convert give: tables, files, and that a failure leaves what was
 * there. The physics is judged elsewhere; here it is enough that the numbers belong together.
 * What is not finite is in test_finite.c: no input that passes the door reaches it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>

#include "json_lines.h"
#include "run_amphi.h"

enum { MOST_ROWS = 64, MOST_COLUMNS = 12 };

/* A tab-separated table: `#` lines, a header, rows of a first word and numbers. */
typedef struct {
    char   bytes[RUN_MOST_BYTES];
    char   note[AMPHI_PATH_SIZE]; /* the `#` lines */
    char   header[1024];
    int    n_rows, n_columns; /* columns of the header */
    char   name[MOST_ROWS][64], second[MOST_ROWS][64];
    double value[MOST_ROWS][MOST_COLUMNS]; /* [row][column - 1]; nan where it is no number */
} Table;

static void read_row(Table *table, char *line)
{
    const int row = table->n_rows++, n = table->n_columns;
    int       column = 0;

    assert_true(row < MOST_ROWS);
    for (char *word = line; word != NULL; column++) {
        char *const tab = strchr(word, '\t');
        char       *end = NULL;

        if (tab != NULL)
            *tab = '\0';
        assert_true(column < n);
        if (column == 0)
            snprintf(table->name[row], sizeof table->name[row], "%s", word);
        if (column == 1)
            snprintf(table->second[row], sizeof table->second[row], "%s", word);
        if (column > 0) {
            table->value[row][column - 1] = strtod(word, &end);
            if (*end != '\0')
                table->value[row][column - 1] = (double)NAN;
        }
        word = tab != NULL ? tab + 1 : NULL;
    }
    if (column != n)
        fail_msg("row %d has %d columns, not %d", row, column, n);
}

static Table *read_table(const char *path)
{
    static Table table;
    char        *rest = table.bytes, *line = NULL;
    bool         has_header = false;

    memset(&table, 0, sizeof table);
    read_into(path, table.bytes);
    while ((line = strtok_r(NULL, "\n", &rest)) != NULL) {
        if (line[0] == '#') {
            assert_false(has_header); /* notes come first */
            strncat(table.note, line, sizeof table.note - strlen(table.note) - 2);
            strcat(table.note, "\n");
        } else if (!has_header) {
            snprintf(table.header, sizeof table.header, "%s", line);
            has_header = true;
            for (table.n_columns = 1; strchr(line, '\t') != NULL; line = strchr(line, '\t') + 1)
                table.n_columns++;
            assert_true(table.n_columns <= MOST_COLUMNS);
        } else {
            read_row(&table, line);
        }
    }
    return &table;
}

static void check_close(double value, double expected, double bound)
{
    if (!(fabs(value - expected) <= bound))
        fail_msg("%.17g, not %.17g within %g", value, expected, bound);
}

/* How many entries a folder has, without the dots. */
static int count_entries(const char *path)
{
    DIR *const           folder = opendir(path);
    const struct dirent *entry  = NULL;
    int                  n      = 0;

    assert_non_null(folder);
    while ((entry = readdir(folder)) != NULL)
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return n;
}

/* ---- evaluate ---- */

static void evaluate_writes_three_tables_that_belong_together(void **state)
{
    const char *const dir = in_folder("tables");
    const Run *const  run = amphi_form("evaluate systems/pair.xml -q -o %s", dir);
    double            sum = 0, trace = 0, virial_bar = 0;
    (void)state;

    check_code(run, 0);
    assert_string_equal(run->eye, "");
    check_has(run->out, "\ntotal ");
    check_has(run->out, "largest force");
    assert_int_equal(count_entries(dir), 3);

    const Table *table = read_table(in_folder("tables/energies.tsv"));
    check_has(table->note, "# quantity: energy");
    check_has(table->note, "# unit: kJ/mol\n");
    check_has(table->note, "# amphi 0.");
    check_has(table->note, "# input: XXH3-128 ");
    assert_int_equal(table->n_columns, 11);
    check_has(table->header, "term\tenergy_kJ_mol\tvirial_xx_kJ_mol\tvirial_xy_kJ_mol\t");
    for (int row = 0; row < table->n_rows - 1; row++)
        sum += table->value[row][0];
    assert_string_equal(table->name[table->n_rows - 1], "total");
    /* 13 terms summed in the same order and printed exactly */
    check_close(sum, table->value[table->n_rows - 1][0], 1e-12 * fabs(sum));
    for (int a = 0; a < 3; a++)
        trace += table->value[table->n_rows - 1][1 + 4 * a];

    table = read_table(in_folder("tables/pressure.tsv"));
    check_has(table->note, "# unit: bar\n");
    assert_int_equal(table->n_rows, 3);
    assert_string_equal(table->name[0], "virial");
    assert_string_equal(table->name[2], "total");
    for (int a = 0; a < 3; a++) {
        virial_bar += table->value[0][4 * a];
        for (int b = 0; b < 3; b++) {
            const double total = table->value[2][3 * a + b];

            check_close(total, table->value[2][3 * b + a], 0);
            check_close(total, table->value[0][3 * a + b] + table->value[1][3 * a + b], 0);
        }
    }
    /* 27 nm^3; a bar is 1e-25 N_A kJ/mol/nm^3; 1e-12: a few roundings */
    check_close(virial_bar, trace / 27 / 0.0602214076, 1e-12 * fabs(virial_bar));

    table = read_table(in_folder("tables/forces.tsv"));
    assert_int_equal(table->n_rows, 2);
    assert_string_equal(table->name[0], "1");
    assert_string_equal(table->second[0], "ion");
    assert_string_equal(table->second[1], "dipole");
    for (int a = 1; a < 4; a++) /* two beads: equal and opposite, to the last bit */
        check_close(table->value[0][a], -table->value[1][a], 0);
    assert_true(fabs(table->value[1][5]) > 1); /* the dipole feels a torque, kJ/mol; */
    check_close(table->value[0][5], 0, 0);     /* the ion has no axis */
}

static void json_gives_the_numbers_of_the_tables(void **state)
{
    char             line[128];
    const Run *const run =
        amphi_form("evaluate systems/pair.xml -q --json -o %s", in_folder("json"));
    const Table *const table = read_table(in_folder("json/energies.tsv"));
    (void)state;

    check_code(run, 0);
    assert_string_equal(run->eye, "");
    assert_true(are_json_lines(run->out));
    for (int row = 0; row < table->n_rows; row++) {
        snprintf(line, sizeof line, "{\"kind\":\"term\",\"term\":\"%s\",\"energy_kJ_mol\":%s,",
                 table->name[row], table->second[row]);
        check_has(run->out, line);
    }
    check_has(run->out, "{\"kind\":\"pressure\",\"mean_bar\":");
    check_has(run->out, "{\"kind\":\"largest_force\",\"bead\":");
}

static void the_hash_depends_on_the_input_alone(void **state)
{
    static char first[AMPHI_PATH_SIZE], again[AMPHI_PATH_SIZE], other[AMPHI_PATH_SIZE];
    static char text[RUN_MOST_BYTES];
    (void)state;

    check_code(amphi_form("evaluate systems/pair.xml -q -o %s", in_folder("h1")), 0);
    snprintf(first, sizeof first, "%s", read_table(in_folder("h1/forces.tsv"))->note);
    read_into("systems/pair.xml", text);
    write_text("same.xml", text);
    strcat(text, "\n");
    write_text("longer.xml", text);
    check_code(amphi_form("evaluate %s -q -o %s", in_folder("same.xml"), in_folder("h2")), 0);
    snprintf(again, sizeof again, "%s", read_table(in_folder("h2/forces.tsv"))->note);
    check_code(amphi_form("evaluate %s -q -o %s", in_folder("longer.xml"), in_folder("h3")), 0);
    snprintf(other, sizeof other, "%s", read_table(in_folder("h3/forces.tsv"))->note);
    assert_string_equal(first, again);
    assert_string_not_equal(first, other);
}

static void tables_are_replaced_and_nothing_else_is_left(void **state)
{
    const char *const dir = in_folder("again");
    (void)state;

    assert_int_equal(mkdir(dir, 0777), 0);
    write_text("again/energies.tsv", "old\n");
    write_text("again/mine.txt", "mine\n");
    check_code(amphi_form("evaluate systems/pair.xml -q -o %s", dir), 0);
    assert_int_equal(count_entries(dir), 4);
    assert_int_equal(read_table(in_folder("again/energies.tsv"))->n_columns, 11);
}

static void a_failed_write_is_told_and_leaves_earlier_tables(void **state)
{
    static char old[RUN_MOST_BYTES];
    const Run  *run = NULL;
    (void)state;

    /* a name that is taken by a folder, beside two earlier tables */
    assert_int_equal(mkdir(in_folder("taken"), 0777), 0);
    assert_int_equal(mkdir(in_folder("taken/energies.tsv"), 0777), 0);
    write_text("taken/forces.tsv", "old\n");
    run = amphi_form("evaluate systems/pair.xml -q -o %s", in_folder("taken"));
    check_code(run, 4);
    check_has(run->eye, "/taken/energies.tsv: Is a directory");
    assert_string_equal(run->out, "");
    assert_int_equal(count_entries(in_folder("taken")), 2);
    read_into(in_folder("taken/forces.tsv"), old);
    assert_string_equal(old, "old\n");

    run = amphi_form("evaluate systems/pair.xml -q -o %s", in_folder("no/such/folder"));
    check_code(run, 4);
    check_has(run->eye, "/no/such/folder: No such file or directory");

    write_text("file", "");
    run = amphi_form("evaluate systems/pair.xml -q -o %s", in_folder("file"));
    check_code(run, 4);
    check_has(run->eye, "/file: Not a directory");
}

#if defined(__SANITIZE_ADDRESS__)
#define HAS_SANITIZER true
#elif defined(__has_feature)
#define HAS_SANITIZER (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define HAS_SANITIZER false
#endif

/* A limit on the size of files stands for a full disk: writes fail the same way, in the middle. */
static void a_disk_that_fills_up_leaves_earlier_tables(void **state)
{
    static char   old[RUN_MOST_BYTES], now[RUN_MOST_BYTES];
    struct rlimit before, small;
    const Run    *run = NULL;
    (void)state;

    if (HAS_SANITIZER)
        skip(); /* its own memory falls under the limit */
    check_code(amphi_form("evaluate systems/pair.xml -q -o %s", in_folder("full")), 0);
    read_into(in_folder("full/forces.tsv"), old);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small          = before;
    small.rlim_cur = 600; /* more than pressure.tsv needs for its head, less than energies.tsv */
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    run = amphi_form("evaluate systems/pair.xml -q -o %s", in_folder("full"));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    check_code(run, 4);
    check_has(run->eye, "/full/energies.tsv: File too large");
    assert_int_equal(count_entries(in_folder("full")), 3);
    read_into(in_folder("full/forces.tsv"), now);
    assert_string_equal(old, now);
}

static void an_unknown_backend_is_refused_with_those_there_are(void **state)
{
    const Run *run = amphi("evaluate systems/pair.xml --backend abacus");
    (void)state;

    check_code(run, 2);
    check_has(run->eye, "there is no backend abacus\n");
    check_has(run->eye, "--backend reference --precision double");
    check_code(amphi("evaluate systems/pair.xml --backend reference --precision fixed"), 2);
    check_code(amphi("evaluate systems/pair.xml -q --backend reference --precision double"), 0);
    check_code(amphi("evaluate systems/pair.xml -q --backend reference --device 1"), 0);
    run = amphi("evaluate systems/pair.xml --backend cpu --device 3");
    check_has(run->eye, "--device 3: not used, as nothing here is computed on a GPU\n");
    run = amphi("evaluate systems/pair.xml --device first");
    check_code(run, 2);
    check_has(run->eye, "--device first: a whole number is wanted");
}

/* ---- check ---- */

static void check_tells_what_holds(void **state)
{
    const Run *run = amphi("check systems/pair.xml -q -v");
    (void)state;

    check_code(run, 0);
    check_has(run->out, "An ion and a dipole\n");
    check_has(run->out, "systems/pair.xml (");
    check_has(run->out, "3 x 3 x 3 nm, 27 nm^3");
    check_has(run->out, "1 ion 1 dipole");
    check_has(run->out, "80 u");
    check_has(run->out, "charge          1 e\n");
    check_has(run->out, "6 of translation, 2 of rotation");
    check_has(run->out, "\n  velocities      none: it begins at rest\n");
    check_has(run->out, "138.935457644 kJ*nm/mol/e^2");
    check_has(run->out, "ion-dipole      lennard-jones force-shift to 1.2 nm epsilon=3 kJ/mol");
    check_has(run->out, "ion-dipole      charge-dipole shifted-factors to 1.2 nm");

    run = amphi("check systems/water-elba.xml -q");
    check_has(run->out, "\n  force field     elba; to cite: Orsi and Essex");
    check_has(run->out, "\n  velocities      drawn at ");

    run = amphi("check systems/pair.xml -q");
    check_code(run, 0);
    check_has(run->out, "lennard-jones   force-shift to 1.2 nm\n    all 3 pairs of ion dipole\n");

    run = amphi("check systems/pair.xml -q --json");
    check_code(run, 0);
    assert_true(are_json_lines(run->out));
    check_has(run->out, "{\"kind\":\"system\",\"title\":\"An ion and a dipole\",");
    check_has(run->out, "\"charge_e\":1,");
    check_has(run->out, "{\"kind\":\"pair\",\"types\":[\"ion\",\"dipole\"],\"potential\":"
                        "\"charge-dipole\",\"treatment\":\"shifted-factors\",");
}

/* U+009B begins a command to some terminals; U+202E turns text around. */
static void names_from_files_cannot_speak_to_the_terminal(void **state)
{
    static char hostile[RUN_MOST_BYTES];
    char       *at  = NULL;
    const Run  *run = NULL;
    (void)state;

    read_into("systems/pair.xml", hostile);
    at = strstr(hostile, "An ion and a dipole");
    assert_non_null(at);
    memcpy(at, "&#x9B;31mr&#x202E;d", 19); /* as long as what it replaces */
    run = amphi_form("check %s -q -v", write_text("hostile.xml", hostile));
    check_code(run, 0);
    assert_null(strstr(run->out, "\xC2\x9B"));
    assert_null(strstr(run->out, "\xE2\x80\xAE"));
    check_has(run->out, "31mr");
    run = amphi_form("check %s -q --json", in_folder("hostile.xml"));
    assert_true(are_json_lines(run->out));
}

/* ---- build and convert ---- */

static const char droplet[] = "<amphi version=\"1\">\n"
                              "  <forcefield><include href=\"forcefield:elba\"/></forcefield>\n"
                              "  <system>\n"
                              "    <start><fill type=\"water\" count=\"300\" "
                              "density=\"0.997 g/cm^3\"/></start>\n"
                              "  </system>\n"
                              "</amphi>\n";

static void build_writes_a_start_for_other_programs(void **state)
{
    static char gro[RUN_MOST_BYTES];
    const char *path = write_text("droplet.xml", droplet);
    const Run  *run  = amphi_form("build %s -q -o %s", path, in_folder("built"));
    (void)state;

    check_code(run, 0);
    check_has(run->out, "start.gro start.psf start.data start.chk\n");
    check_has(run->out, "300 in 300 beads, seed 1");
    check_has(run->out, "0.997 g/cm^3");
    assert_int_equal(count_entries(in_folder("built")), 4);
    read_into(in_folder("built/start.gro"), gro);
    assert_int_equal(atoi(strchr(gro, '\n') + 1), 300);

    run = amphi_form("build %s -q --json -o %s", path, in_folder("built"));
    check_code(run, 0);
    assert_true(are_json_lines(run->out));
    check_has(run->out, "\"molecules\":300,\"beads\":300,\"seed\":1,");
    assert_int_equal(count_entries(in_folder("built")), 4);
}

/* Relative paths, so the folder without -o lies where the program runs: in the test's own. */
static void build_names_its_folder_after_the_system(void **state)
{
    char program[AMPHI_PATH_SIZE], data[AMPHI_PATH_SIZE], here[AMPHI_PATH_SIZE],
        kept[AMPHI_PATH_SIZE];
    static Run run;
    (void)state;

    write_text("droplet.xml", droplet);
    snprintf(kept, sizeof kept, "%s", getenv("AMPHI_DATA"));
    assert_non_null(realpath(find_program(), program));
    assert_non_null(realpath(kept, data));
    assert_non_null(getcwd(here, sizeof here));
    setenv("AMPHI_DATA", data, 1);
    assert_int_equal(chdir(run_folder), 0);
    run_program(&run, program, "build droplet.xml -q", NULL, -1);
    assert_int_equal(chdir(here), 0);
    setenv("AMPHI_DATA", kept, 1);
    check_code(&run, 0);
    assert_true(exists(in_folder("droplet.start/start.gro")));
}

static void build_refuses_a_start_that_is_given(void **state)
{
    const Run *const run = amphi_form("build systems/pair.xml -q -o %s", in_folder("no"));
    (void)state;

    check_code(run, 3);
    check_has(run->eye, "there is nothing to build");
    check_has(run->eye, "`amphi convert`");
    assert_false(exists(in_folder("no")));
}

static void a_picture_without_the_ray_tracer_names_the_package(void **state)
{
    char       kept[AMPHI_PATH_SIZE];
    const Run *run = NULL;
    (void)state;

    snprintf(kept, sizeof kept, "%s", getenv("PATH"));
    setenv("PATH", run_folder, 1);
    run = amphi_form("build %s -q --picture -o %s", write_text("droplet.xml", droplet),
                     in_folder("picture"));
    setenv("PATH", kept, 1);
    check_code(run, 2);
    check_has(run->eye, "tachyon");
    assert_true(exists(in_folder("picture/start.gro"))); /* the rest is there */
    assert_false(exists(in_folder("picture/start.png")));
}

static void what_was_built_converts_and_reads_back(void **state)
{
    static char first[RUN_MOST_BYTES], again[RUN_MOST_BYTES];
    const Run  *run = NULL;
    (void)state;

    check_code(
        amphi_form("build %s -q -o %s", write_text("droplet.xml", droplet), in_folder("built")), 0);
    run = amphi_form("convert %s %s", in_folder("built/start.chk"), in_folder("again.gro"));
    check_code(run, 0);
    read_into(in_folder("built/start.gro"), first);
    read_into(in_folder("again.gro"), again);
    /* the checkpoint has every bit of the coordinates; titles may differ */
    assert_string_equal(strchr(first, '\n'), strchr(again, '\n'));

    run = amphi_form("convert %s %s --from gro --to pdb --frame last", in_folder("again.gro"),
                     in_folder("x"));
    check_code(run, 0);
    assert_true(exists(in_folder("x")));

    /* a trajectory has no names: with those of another file it is that file again */
    check_code(amphi_form("convert %s %s", in_folder("again.gro"), in_folder("one.xtc")), 0);
    run = amphi_form("convert %s %s", in_folder("one.xtc"), in_folder("named.gro"));
    check_code(run, 0);
    check_has(run->eye, "has no names");
    run = amphi_form("convert %s %s --topology %s", in_folder("one.xtc"), in_folder("named.gro"),
                     in_folder("again.gro"));
    check_code(run, 0);
    read_into(in_folder("named.gro"), first);
    assert_memory_equal(strchr(strchr(first, '\n') + 1, '\n'),
                        strchr(strchr(again, '\n') + 1, '\n'),
                        20); /* the first molecule's names and numbers */
}

static void convert_refuses_what_it_cannot_do(void **state)
{
    const Run *run = NULL;
    (void)state;

    write_text("a.gro", "t\n0\n1 1 1\n");
    run = amphi_form("convert %s %s", in_folder("a.gro"), in_folder("b.nothing"));
    check_code(run, 3);
    check_has(run->eye, "the format of the file is not known");
    check_has(run->eye, ".gro");
    assert_false(exists(in_folder("b.nothing")));
    run = amphi_form("convert %s %s", in_folder("a.gro"), in_folder("a.gro"));
    check_code(run, 2);
    check_has(run->eye, "the file itself, of which only one frame might be left");
    run = amphi_form("convert %s %s --frame first", in_folder("a.gro"), in_folder("b.gro"));
    check_code(run, 2);
    check_has(run->eye, "--frame first: a whole number is wanted");
    run = amphi_form("convert %s %s --json", in_folder("none.gro"), in_folder("b.gro"));
    check_code(run, 3);
    assert_true(are_json_lines(run->out));
    assert_string_equal(run->eye, "");
}

static int prepare(void **state)
{
    setenv("AMPHI_DATA", ".", 0);
    return make_run_folder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluate_writes_three_tables_that_belong_together),
        cmocka_unit_test(json_gives_the_numbers_of_the_tables),
        cmocka_unit_test(the_hash_depends_on_the_input_alone),
        cmocka_unit_test(tables_are_replaced_and_nothing_else_is_left),
        cmocka_unit_test(a_failed_write_is_told_and_leaves_earlier_tables),
        cmocka_unit_test(a_disk_that_fills_up_leaves_earlier_tables),
        cmocka_unit_test(an_unknown_backend_is_refused_with_those_there_are),
        cmocka_unit_test(check_tells_what_holds),
        cmocka_unit_test(names_from_files_cannot_speak_to_the_terminal),
        cmocka_unit_test(build_writes_a_start_for_other_programs),
        cmocka_unit_test(build_names_its_folder_after_the_system),
        cmocka_unit_test(build_refuses_a_start_that_is_given),
        cmocka_unit_test(a_picture_without_the_ray_tracer_names_the_package),
        cmocka_unit_test(what_was_built_converts_and_reads_back),
        cmocka_unit_test(convert_refuses_what_it_cannot_do),
    };

    return cmocka_run_group_tests(tests, prepare, remove_run_folder);
}
