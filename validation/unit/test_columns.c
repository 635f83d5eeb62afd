/* `amphi convert TABLE --column`: columns of tables as bare numbers. */
#include "json_lines.h"
#include "run_amphi.h"

static const char table[] = "# energies kJ/mol\n"
                            "# amphi 1\n"
                            "step\ttime_ps\tterm\tconserved\n"
                            "0\t0\tlj\t-12.300000000000001\n"
                            "# a remark on the way\n"
                            "10\t0.05\tqq\tnan\n"
                            "20\t0.1\tdd\t-1.5e-07\n";

static void columns_come_out_with_their_own_digits(void **state)
{
    static char written[RUN_MOST_BYTES];
    const char *path = write_text("energy.tsv", table);
    const Run  *run  = amphi_form("convert %s --column conserved", path);
    (void)state;

    check_code(run, 0);
    assert_string_equal(run->out, "-12.300000000000001\nnan\n-1.5e-07\n");
    assert_string_equal(run->eye, "");
    run = amphi_form("convert %s --column time_ps,step --json", path);
    check_code(run, 0);
    assert_true(are_json_lines(run->out));
    check_has(run->out, "{\"kind\":\"row\",\"time_ps\":0.1");

    write_text("e.dat", "older\n"); /* replaced, as every result of convert is */
    run = amphi_form("convert %s --column time_ps,conserved -o %s", path, in_folder("e.dat"));
    check_code(run, 0);
    assert_string_equal(run->out, "");
    check_has(run->eye, "e.dat: written");
    read_into(in_folder("e.dat"), written);
    assert_string_equal(written, "0 -12.300000000000001\n0.05 nan\n0.1 -1.5e-07\n");
}

static void a_row_without_an_end_is_left_out(void **state)
{
    static char text[RUN_MOST_BYTES];
    const Run  *run = NULL;
    (void)state;

    snprintf(text, sizeof text, "%s30\t0.15\tdd\t-1.", table);
    run = amphi_form("convert %s --column step", write_text("energy.tsv", text));
    check_code(run, 0);
    assert_string_equal(run->out, "0\n10\n20\n");
    check_has(run->eye, "energy.tsv:8: left out");
}

static void refuse_column(const char *text, const char *words, int code, const char *message)
{
    const char *path = write_text("energy.tsv", text);
    const Run  *run  = NULL;

    write_text("e.dat", "older\n");
    run = amphi_form("convert %s %s -o %s", path, words, in_folder("e.dat"));
    check_code(run, code);
    check_has(run->eye, message);
    static char kept[RUN_MOST_BYTES];
    read_into(in_folder("e.dat"), kept);
    assert_string_equal(kept, "older\n");
}

static void a_column_that_cannot_be_taken_is_told(void **state)
{
    (void)state;
    refuse_column(table, "--column conservd", 2, "did you mean conserved?");
    refuse_column(table, "--column conservd", 2, "it has step time_ps term conserved");
    refuse_column(table, "--column step,", 2, "has no column \"\"");
    refuse_column(table, "--column term", 3, "energy.tsv:4: \"lj\" in column term is no number");
    refuse_column("# nothing\n", "--column step", 3, "no line with names of columns");
    refuse_column("a\tb\n1\t2\n3\n", "--column a", 3, "energy.tsv:3: the row has not as many");
    refuse_column(table, "--column step --frame 0", 2, "--frame is for coordinates");
    refuse_column(table, "x.gro", 2, "not to both");
    check_code(amphi_form("convert %s --column step", in_folder("no.tsv")), 4);
    check_code(amphi_form("convert %s", in_folder("energy.tsv")), 2);
}

static void a_table_wants_columns_and_a_file_a_name(void **state)
{
    const char *path = write_text("energy.tsv", table);
    const Run  *run  = amphi_form("convert %s %s", path, in_folder("e.gro"));
    (void)state;

    check_code(run, 2);
    check_has(run->eye, "which columns of ");
    check_has(run->eye, "write: --column NAME");
    run = amphi_form("convert %s --column step -o -", path);
    check_code(run, 2);
    check_has(run->eye, "- is no file");
}

static void a_table_is_not_replaced_by_its_columns(void **state)
{
    static char kept[RUN_MOST_BYTES];
    const char *path = write_text("energy.tsv", table), *link = in_folder("link.tsv");
    (void)state;

    assert_int_equal(symlink(path, link), 0);
    check_code(amphi_form("convert %s %s --column step", path, path), 2);
    check_code(amphi_form("convert %s -o %s --column step", path, link), 2);
    check_has(amphi_form("convert %s -o %s --column step", link, path)->eye, "the table itself");
    read_into(path, kept);
    assert_string_equal(kept, table);
}

static void a_damaged_or_too_wide_table_is_told(void **state)
{
    static const char zero[] = "a\tb\n1\t2\0\n3\t4\n";
    static char       text[4096];
    size_t            n    = 0;
    FILE *const       file = fopen(in_folder("zero.tsv"), "wb");
    (void)state;

    assert_non_null(file);
    assert_int_equal(fwrite(zero, 1, sizeof zero - 1, file), sizeof zero - 1);
    assert_int_equal(fclose(file), 0);
    const Run *run = amphi_form("convert %s --column a", in_folder("zero.tsv"));
    check_code(run, 3);
    check_has(run->eye, "zero.tsv:2: a byte 0");

    for (int k = 0; k < 257; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, "c%d%s", k, k < 256 ? "\t" : "\n");
    run = amphi_form("convert %s --column c256", write_text("wide.tsv", text));
    check_code(run, 3);
    check_has(run->eye, "wide.tsv:1: more columns than the 256");
}

static int prepare(void **state)
{
    setenv("AMPHI_DATA", ".", 0);
    return make_run_folder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_come_out_with_their_own_digits),
        cmocka_unit_test(a_row_without_an_end_is_left_out),
        cmocka_unit_test(a_column_that_cannot_be_taken_is_told),
        cmocka_unit_test(a_table_wants_columns_and_a_file_a_name),
        cmocka_unit_test(a_table_is_not_replaced_by_its_columns),
        cmocka_unit_test(a_damaged_or_too_wide_table_is_told),
    };

    return cmocka_run_group_tests(tests, prepare, remove_run_folder);
}
