/* Random numbers without a state: Philox4x32-10 maps 128-bit counters one to one.
 *
 * Salmon, Moraes, Dror & Shaw, Proc. SC11 (2011), article 16. The same seed, id, step, stream and
 * draw give the same number on every machine, in every order and with any number of threads.
 */
#ifndef AMPHI_NUM_PHILOX_H
#define AMPHI_NUM_PHILOX_H

#include <stdint.h>

#include "both.h"
#include "streams.h"

typedef struct {
    uint32_t word[4];
} Philox;

/* Ten rounds on a counter; with the paper's multipliers and key increments. */
AMPHI_BOTH Philox philox_mix(Philox c, uint32_t key0, uint32_t key1)
{
    for (int round = 0; round < 10; round++) {
        const uint64_t a = (uint64_t)0xD2511F53u * c.word[0];
        const uint64_t b = (uint64_t)0xCD9E8D57u * c.word[2];

        c = (Philox){ { (uint32_t)(b >> 32) ^ c.word[1] ^ key0, (uint32_t)b,
                        (uint32_t)(a >> 32) ^ c.word[3] ^ key1, (uint32_t)a } };
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    return c;
}

/* Four words for one use. id below 2^48, step below 2^56, stream below 2^8, draw below 2^16: then
 * every choice has a counter of its own (48 + 16 + 56 + 8 = 128 bits). */
AMPHI_BOTH Philox philox(uint64_t seed, uint64_t id, uint64_t step, AmphiStream stream,
                         uint32_t draw)
{
    const Philox counter = { { (uint32_t)id, (uint32_t)((id >> 32) & 0xFFFFu) | draw << 16,
                               (uint32_t)step,
                               (uint32_t)((step >> 32) & 0xFFFFFFu) | (uint32_t)stream << 24 } };

    return philox_mix(counter, (uint32_t)seed, (uint32_t)(seed >> 32));
}

/* Two words as a multiple of 2^-53 in [0, 1); half 0 or 1 of the four words. */
AMPHI_BOTH double philox_uniform(Philox p, int half)
{
    const uint64_t bits = (uint64_t)p.word[2 * half] << 32 | p.word[2 * half + 1];

    return (double)(bits >> 11) * 0x1p-53;
}

#endif
