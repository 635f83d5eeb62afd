/* SHA-256 by libcrypto. */
#include "sha256.h"

#include <openssl/evp.h>
#include <stdio.h>

bool tool_sha256(const void *bytes, size_t n, char text[TOOL_SHA256_SIZE])
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned      size = 0;

    text[0] = '\0';
    if (EVP_Digest(bytes, n, digest, &size, EVP_sha256(), NULL) != 1)
        return false;
    for (unsigned k = 0; k < size && 2 * k + 2 < TOOL_SHA256_SIZE; k++)
        snprintf(text + 2 * k, 3, "%02x", digest[k]);
    return true;
}
