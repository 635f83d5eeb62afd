/* libFuzzer: any bytes as an XTC file: its first, second and last frame. */
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    fuzz_read(&amphi_format_xtc, bytes, n, 0);
    fuzz_read(&amphi_format_xtc, bytes, n, 1);
    fuzz_read(&amphi_format_xtc, bytes, n, -1);

    return 0;
}
