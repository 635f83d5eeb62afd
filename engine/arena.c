/* The only caller of the C library's allocator: arenas, and plain heap memory beside them.
 *
 * An arena hands out pieces of large blocks and never takes one back, so freeing it is a walk
 * over a few blocks. Under the address sanitizer every piece is a block of its own, which lets
 * the sanitizer see the end of each array.
 */
#include "arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

#if defined(__SANITIZE_ADDRESS__)
#define ONE_PIECE_PER_BLOCK 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ONE_PIECE_PER_BLOCK 1
#endif
#endif
#ifndef ONE_PIECE_PER_BLOCK
#define ONE_PIECE_PER_BLOCK 0
#endif

enum { ALIGNMENT = 64, BLOCK_BYTES = 1 << 16 };

/* In front of the bytes of a block; as large as the alignment, so that they are aligned too. */
typedef struct Block {
    _Alignas(ALIGNMENT) struct Block *next;
    size_t used, room;
} Block;

struct AmphiArena {
    Block *blocks; /* the newest first */
    size_t bytes;  /* of all blocks, their fronts included */
    bool   failed;
};

/* For tests only: the one global variable of the library that is not const. */
static _Thread_local int64_t allocations_until_failure;

void amphi_arena_fail_at(int64_t n)
{
    allocations_until_failure = n;
}

static bool is_told_to_fail(void)
{
    if (allocations_until_failure <= 0)
        return false;
    allocations_until_failure--;
    return allocations_until_failure == 0;
}

/* At least 1, so that NULL always means failure; false when the product is too large. PTRDIFF_MAX
 * less one block leaves room for the front and the rounding. */
static bool count_bytes(int64_t count, size_t size, size_t *bytes)
{
    const size_t most = (size_t)PTRDIFF_MAX - BLOCK_BYTES;

    if (count < 0 || (size != 0 && (uint64_t)count > most / size))
        return false;
    *bytes = (size_t)count * size;
    if (*bytes == 0)
        *bytes = 1;
    return true;
}

AmphiArena *amphi_arena_new(void)
{
    return amphi_alloc(1, sizeof(AmphiArena));
}

void amphi_arena_free(AmphiArena *arena)
{
    if (arena == NULL)
        return;
    for (Block *block = arena->blocks; block != NULL;) {
        Block *const next = block->next;
        free(block);
        block = next;
    }
    free(arena);
}

static Block *add_block(AmphiArena *arena, size_t room)
{
    void *memory = NULL;

    if (posix_memalign(&memory, ALIGNMENT, sizeof(Block) + room) != 0)
        return NULL;
    memset(memory, 0, sizeof(Block) + room);

    Block *const block = memory;
    block->next        = arena->blocks;
    block->room        = room;
    arena->blocks      = block;
    arena->bytes += sizeof(Block) + room;
    return block;
}

/* The block that a piece of so many bytes comes from. */
static Block *block_for(AmphiArena *arena, size_t bytes)
{
    Block *const newest = arena->blocks;

    if (ONE_PIECE_PER_BLOCK)
        return add_block(arena, bytes);
    if (newest != NULL && newest->room - newest->used >= bytes)
        return newest;
    return add_block(arena, bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES);
}

void *amphi_arena_take(AmphiArena *arena, int64_t count, size_t size)
{
    size_t bytes = 0;

    if (arena == NULL)
        return NULL;

    const bool   is_possible = count_bytes(count, size, &bytes) && !is_told_to_fail();
    Block *const block       = is_possible ? block_for(arena, bytes) : NULL;

    if (block == NULL) {
        arena->failed = true;
        return NULL;
    }

    char *const  piece   = (char *)(block + 1) + block->used;
    const size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    const size_t left    = block->room - block->used;

    block->used += rounded < left ? rounded : left;
    assert((uintptr_t)piece % ALIGNMENT == 0);
    return piece;
}

void *amphi_arena_grow(AmphiArena *arena, const void *old, int64_t old_count, int64_t new_count,
                       size_t size)
{
    const int64_t kept  = old_count < new_count ? old_count : new_count;
    void *const   piece = amphi_arena_take(arena, new_count, size);

    if (piece != NULL && old != NULL && kept > 0)
        memcpy(piece, old, (size_t)kept * size);
    return piece;
}

char *amphi_arena_text(AmphiArena *arena, const char *text)
{
    const size_t length = strlen(text);
    char *const  copy   = amphi_arena_take(arena, (int64_t)length + 1, 1);

    if (copy != NULL)
        memcpy(copy, text, length);
    return copy;
}

char *amphi_arena_print(AmphiArena *arena, const char *form, ...)
{
    va_list values, again;

    va_start(values, form);
    va_copy(again, values);
    const int   length = amphi_text_vprint(NULL, 0, form, values);
    char *const text   = length < 0 ? NULL : amphi_arena_take(arena, (int64_t)length + 1, 1);

    if (text != NULL)
        (void)amphi_text_vprint(text, (size_t)length + 1, form, again);
    else if (arena != NULL)
        arena->failed = true;
    va_end(again);
    va_end(values);
    return text;
}

bool amphi_arena_failed(const AmphiArena *arena)
{
    return arena == NULL || arena->failed;
}

size_t amphi_arena_bytes(const AmphiArena *arena)
{
    return arena == NULL ? 0 : arena->bytes;
}

void *amphi_alloc(int64_t count, size_t size)
{
    size_t bytes = 0;

    if (!count_bytes(count, size, &bytes) || is_told_to_fail())
        return NULL;
    return calloc(1, bytes);
}

void *amphi_resize(void *old, int64_t count, size_t size)
{
    size_t bytes = 0;

    if (!count_bytes(count, size, &bytes) || is_told_to_fail())
        return NULL;
    return realloc(old, bytes);
}

void amphi_release(void *memory)
{
    free(memory);
}
