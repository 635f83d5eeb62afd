/* SHA-256 (FIPS 180-4), for records that others can verify with standard tools. */
#ifndef AMPHI_TOOLS_SHA256_H
#define AMPHI_TOOLS_SHA256_H

#include <stdbool.h>
#include <stddef.h>

enum { TOOL_SHA256_SIZE = 65 };

/* Writes 64 hex digits. False: there is no memory. */
bool tool_sha256(const void *bytes, size_t n, char text[TOOL_SHA256_SIZE]);

#endif
