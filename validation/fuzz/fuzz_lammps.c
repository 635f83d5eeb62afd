/* libFuzzer: any bytes as a LAMMPS data file. */
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    fuzz_read(&amphi_format_lammps, bytes, n, 0);
    return 0;
}
