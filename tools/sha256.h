/* SHA-256 (FIPS 180-4), for records that other people check with their own tools. */
#ifndef AMPHI_TOOLS_SHA256_H
#define AMPHI_TOOLS_SHA256_H

#include <stdbool.h>
#include <stddef.h>

enum { TOOL_SHA256_SIZE = 65 };

/* As 64 hex digits. False when there is no memory for it. */
bool tool_sha256(const void *bytes, size_t n, char text[TOOL_SHA256_SIZE]);

#endif
