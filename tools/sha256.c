/* SHA-256 of bytes in memory, by the letter of FIPS 180-4. */
#include "sha256.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64 };

/* FIPS 180-4, 4.2.2 */
static const uint32_t constant[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

static uint32_t turned(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static void expand(const unsigned char *block, uint32_t w[ROUNDS])
{
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < ROUNDS; t++) {
        const uint32_t a = w[t - 15], b = w[t - 2];

        w[t] = (turned(b, 17) ^ turned(b, 19) ^ b >> 10) + w[t - 7] +
               (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + w[t - 16];
    }
}

static void add_block(uint32_t h[8], const unsigned char *block)
{
    uint32_t w[ROUNDS], s[8];

    expand(block, w);
    memcpy(s, h, sizeof s);
    for (int t = 0; t < ROUNDS; t++) {
        const uint32_t choice   = (s[4] & s[5]) ^ (~s[4] & s[6]);
        const uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        const uint32_t first    = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) +
                               choice + constant[t] + w[t];
        const uint32_t second = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) + majority;

        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += first;
        s[0] = first + second;
    }
    for (int k = 0; k < 8; k++)
        h[k] += s[k];
}

void tool_sha256(const void *bytes, size_t n, char text[TOOL_SHA256_SIZE])
{
    uint32_t             h[8]            = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
    const unsigned char *at              = bytes;
    const uint64_t       bits            = (uint64_t)n * 8;
    unsigned char        tail[2 * BLOCK] = { 0 };
    const size_t         rest = n % BLOCK, whole = n - rest, end = rest < 56 ? BLOCK : 2 * BLOCK;

    for (size_t k = 0; k < whole; k += BLOCK)
        add_block(h, at + k);
    if (rest > 0)
        memcpy(tail, at + whole, rest);
    tail[rest] = 0x80;
    for (size_t k = 0; k < 8; k++)
        tail[end - 1 - k] = (unsigned char)(bits >> (8 * k));
    for (size_t k = 0; k < end; k += BLOCK)
        add_block(h, tail + k);
    for (int k = 0; k < 8; k++)
        snprintf(text + 8 * k, 9, "%08" PRIx32, h[k]);
}
