/* libFuzzer: any bytes as a PSF file. */
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    fuzz_read(&amphi_format_psf, bytes, n, 0);
    return 0;
}
