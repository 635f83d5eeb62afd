/* Structs that are written to files as they lie in memory: numbers of fixed width, little-endian,
 * without padding. Size and offsets are stated beside each of them, so that a change of what the
 * file contains is seen; it needs a new version of the section, or files are misread.
 */
#ifndef AMPHI_ENGINE_ON_DISK_H
#define AMPHI_ENGINE_ON_DISK_H

#include <assert.h>
#include <stddef.h>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are written as they lie");

#define AMPHI_ON_DISK(type, bytes) static_assert(sizeof(type) == (bytes), "size in the file")
#define AMPHI_ON_DISK_AT(type, member, at)                                                         \
    static_assert(offsetof(type, member) == (at), "place in the file")

#endif
