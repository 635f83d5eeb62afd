/* libFuzzer: any bytes as a force field, included by a job that fills a box with three of its first
 * molecule type.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "fuzz_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static const char form[] =
    "<amphi version=\"1\"><forcefield><include href=\"ff.xml\"/></forcefield>\n"
    "<system><box x=\"6 nm\" y=\"6 nm\" z=\"6 nm\"/>\n"
    "<start><fill type=\"%s\" count=\"3\"/><velocities temperature=\"300 K\" seed=\"1\"/></start>\n"
    "</system></amphi>\n";

/* The name behind the first <moleculetype name=", or "water". */
static void find_molecule(const uint8_t *bytes, size_t n, char name[32])
{
    static const char mark[] = "<moleculetype name=\"";
    const size_t      length = sizeof mark - 1;
    size_t            k      = 0;

    strcpy(name, "water");
    for (size_t at = 0; at + length < n; at++) {
        if (memcmp(bytes + at, mark, length) != 0)
            continue;
        for (at += length; at < n && k < 31 && isalnum(bytes[at]); at++)
            name[k++] = (char)bytes[at];
        if (k > 0)
            name[k] = '\0';
        return;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char path[64], name[32], job[sizeof form + 32];

    snprintf(path, sizeof path, "%s/ff.xml", fuzz_folder());
    FILE *const out = fopen(path, "wb");
    hold(out != NULL && fwrite(bytes, 1, n, out) == n && fclose(out) == 0);
    find_molecule(bytes, n, name);
    snprintf(job, sizeof job, form, name);
    snprintf(path, sizeof path, "%s/job.xml", fuzz_folder());
    fuzz_read(path, job, strlen(job));
    return 0;
}
