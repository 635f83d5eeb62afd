/* A run on a device, in fixed precision, writes the bytes that a run on the cpu writes: energies of
 * every step, of steps that are watched, too, and of others. Skipped without a device.
 */
#include "run_bench.h"

#include <string.h>

static void tables_of_a_run_are_those_of_the_cpu(void **state)
{
    static const char *const every[] = { "<energies every=\"0.05 ps\"",
                                         "<energies every=\"1 steps\"",
                                         "<energies every=\"0.035 ps\"" };

    (void)state;
    if (amphi_backend_there("cuda", AMPHI_FIXED) == NULL) {
        print_message("SKIPPED: no NVIDIA device\n");
        skip();
    }
    for (int k = 0; k < 3; k++) {
        AmphiRunInfo info[2];
        Bench        b;

        open_bench(&b, every[0], every[k]);
        for (int j = 0; j < 2; j++) {
            const AmphiRunOptions o = options_of(b.dir[j], j == 0 ? "cpu" : "cuda", AMPHI_FIXED);

            assert_int_equal(run_once(&b, &o, &info[j]), AMPHI_OK);
        }
        assert_true(info[0].state_hash[0] != '\0');
        assert_string_equal(info[0].state_hash, info[1].state_hash);
        check_same_file(b.dir[0], b.dir[1], "energy.tsv");
        close_bench(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_of_a_run_are_those_of_the_cpu),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
