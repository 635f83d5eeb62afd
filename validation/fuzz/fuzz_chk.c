/* libFuzzer: any bytes as a checkpoint, as they are and with the checksum made right, so that what
 * stands behind it is reached. */
#include "fuzz_reader.h"

#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

enum { MAGIC = 8, VERSION_AND_LAYOUT = 8, NAMES_HASH = 112, TRAILER = 16 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static const uint32_t version_and_layout[2] = { 1, 1 };
    uint8_t *const        copy                  = malloc(n > 0 ? n : 1);

    fuzz_hold(copy != NULL);
    fuzz_read(&amphi_format_chk, bytes, n, 0);
    if (n > NAMES_HASH + 16 + TRAILER) {
        memcpy(copy, bytes, n);
        memcpy(copy, "AMPHICHK", MAGIC);
        memcpy(copy + MAGIC, version_and_layout, VERSION_AND_LAYOUT);
        const XXH128_hash_t hash       = XXH3_128bits(copy, n - TRAILER);
        const uint64_t      trailer[2] = { hash.low64, hash.high64 };
        memcpy(copy + n - TRAILER, trailer, TRAILER);
        fuzz_read(&amphi_format_chk, copy, n, 0);
    }
    free(copy);
    return 0;
}
