/* judge NAME DIR: passes or fails what physics.sh ran in DIR. Each line PASS or FAIL has a figure
 * with its standard error and the bound; last 'N passed, N failed, N skipped'. Ends with 0, 1 when
 * something failed, 2 for a wrong command line.
 */
#include <string.h>

#include "cases.h"

static const struct {
    const char *name;
    void (*judge)(Tally *tally, const char *folder);
} cases[] = {
    { "drift", judge_drift },
    { "water", judge_water },
    { "gayberne", judge_gayberne },
    { "elba-water", judge_elba_water },
    { "dopc", judge_dopc },
    { "starts", judge_starts },
    { "laws", judge_laws },
    { "b08o", judge_b08o },
    { "b08o-parts", judge_b08o_parts },
    { "precisions", judge_precisions },
    { "tension", judge_tension },
};

int main(int argc, char **argv)
{
    Tally tally = { .out = stdout };

    for (size_t k = 0; argc == 3 && k < sizeof cases / sizeof *cases; k++) {
        if (strcmp(cases[k].name, argv[1]) != 0)
            continue;
        cases[k].judge(&tally, argv[2]);
        printf("%d passed, %d failed, %d skipped\n", (int)tally.passed, (int)tally.failed,
               (int)tally.skipped);
        return tally.failed > 0;
    }
    fprintf(stderr, "usage: judge drift|water|gayberne|elba-water|dopc|b08o-parts|b08o|starts|laws|"
                    "precisions|tension DIR\n");
    return 2;
}
