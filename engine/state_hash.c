/* Hash and turning of saved states. */
#include "state_hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define XXH_STATIC_LINKING_ONLY /* a hash state without a heap */
#include <xxhash.h>

#include "bodies_fixed.h"

/* Where the parts of a state lie in its bytes. */
typedef struct {
    AmphiSavedNumbers numbers;
    size_t            image, x, p, q, l;
} Layout;

static bool find_parts(const AmphiBytes *state, Layout *out)
{
    const size_t doubles = sizeof(double[3 + 3 + 4 + 3 + 3]), images = sizeof(int32_t[3]);
    const size_t wholes = sizeof(int64_t[3 + 3 + 4 + 3]);
    size_t       at     = 0, n;
    bool         is_there;

    if (!amphi_bytes_take(state, &at, &out->numbers, sizeof out->numbers) || out->numbers.n < 0 ||
        (uint64_t)out->numbers.n > state->n / (doubles + images))
        return false;
    n          = (size_t)out->numbers.n;
    out->image = at + n * sizeof(double[3]);
    at += n * (doubles + images);
    if (at > state->n || !amphi_memory_find(state, AMPHI_FIXED_MEMORY, &at, &is_there) ||
        !is_there || state->n - at != n * wholes)
        return false;
    out->x = at;
    out->p = out->x + n * sizeof(uint64_t[3]);
    out->q = out->p + n * sizeof(int64_t[3]);
    out->l = out->q + n * sizeof(int64_t[4]);
    return true;
}

bool amphi_state_hash(const AmphiBytes *state, AmphiStateHash *hash)
{
    XXH3_state_t  sum;
    XXH128_hash_t all;
    Layout        part;

    *hash = (AmphiStateHash){ 0, 0 };
    if (!find_parts(state, &part))
        return false;

    const size_t n = (size_t)part.numbers.n;
    XXH3_128bits_reset(&sum);
    XXH3_128bits_update(&sum, &part.numbers.step, sizeof part.numbers.step);
    XXH3_128bits_update(&sum, part.numbers.box_nm, sizeof part.numbers.box_nm);
    XXH3_128bits_update(&sum, state->data + part.x, n * sizeof(uint64_t[3]));
    XXH3_128bits_update(&sum, state->data + part.image, n * sizeof(int32_t[3]));
    XXH3_128bits_update(&sum, state->data + part.p, state->n - part.p);
    all   = XXH3_128bits_digest(&sum);
    *hash = (AmphiStateHash){ all.high64, all.low64 };
    return true;
}

/* The arrays of a state follow its numbers, one after another. */
bool amphi_motion_hash(const AmphiBytes *state, AmphiStateHash *hash)
{
    const size_t      each = sizeof(double[3 + 3 + 4 + 3 + 3]) + sizeof(int32_t[3]);
    XXH3_state_t      sum;
    XXH128_hash_t     all;
    AmphiSavedNumbers numbers;
    size_t            at = 0;

    if (amphi_state_hash(state, hash))
        return true;
    if (!amphi_bytes_take(state, &at, &numbers, sizeof numbers) || numbers.n < 0 ||
        (uint64_t)numbers.n > (state->n - at) / each)
        return false;
    XXH3_128bits_reset(&sum);
    XXH3_128bits_update(&sum, &numbers.step, sizeof numbers.step);
    XXH3_128bits_update(&sum, numbers.box_nm, sizeof numbers.box_nm);
    XXH3_128bits_update(&sum, state->data + at, (size_t)numbers.n * each);
    all   = XXH3_128bits_digest(&sum);
    *hash = (AmphiStateHash){ all.high64, all.low64 };
    return true;
}

void amphi_state_hash_write(const AmphiStateHash *hash, char text[AMPHI_HASH_TEXT])
{
    snprintf(text, AMPHI_HASH_TEXT, "%016" PRIx64 "%016" PRIx64, hash->high, hash->low);
}

static void negate(unsigned char *data, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        uint64_t value;

        memcpy(&value, data + k * sizeof value, sizeof value);
        value = 0 - value;
        memcpy(data + k * sizeof value, &value, sizeof value);
    }
}

bool amphi_state_flip(AmphiBytes *state, int64_t step)
{
    Layout part;

    if (!find_parts(state, &part))
        return false;
    part.numbers.step = step;
    memcpy(state->data, &part.numbers, sizeof part.numbers);
    negate(state->data + part.p, 3 * (size_t)part.numbers.n);
    negate(state->data + part.l, 3 * (size_t)part.numbers.n);
    return true;
}
