/* libFuzzer: any bytes as a job. */
#include <stdint.h>
#include <stdio.h>

#include "fuzz_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char path[64];

    snprintf(path, sizeof path, "%s/job.xml", fuzz_folder());
    fuzz_read(path, bytes, n);
    return 0;
}
