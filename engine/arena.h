/* One block of memory that owns everything a job loads, freed at once. The only caller of malloc.
 *
 * An arena remembers a failed allocation, so readers may go on and look once at the end.
 */
#ifndef AMPHI_ENGINE_ARENA_H
#define AMPHI_ENGINE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct AmphiArena AmphiArena;

AmphiArena *amphi_arena_new(void); /* NULL when there is no memory */
void        amphi_arena_free(AmphiArena *arena);

/* count * size bytes, zeroed, aligned to 64; NULL on overflow or when there is no memory. */
void *amphi_arena_take(AmphiArena *arena, int64_t count, size_t size);
#define AMPHI_TAKE(arena, type, count) ((type *)amphi_arena_take((arena), (count), sizeof(type)))
/* A larger copy of an array (the old one stays until the end). */
void *amphi_arena_grow(AmphiArena *arena, const void *old, int64_t old_count, int64_t new_count,
                       size_t size);
char *amphi_arena_text(AmphiArena *arena, const char *text);
char *amphi_arena_print(AmphiArena *arena, const char *form, ...)
    __attribute__((format(printf, 2, 3)));

bool   amphi_arena_failed(const AmphiArena *arena);
size_t amphi_arena_bytes(const AmphiArena *arena);

/* Plain heap memory for the few objects that live outside an arena. */
void *amphi_alloc(int64_t count, size_t size); /* zeroed; NULL on overflow or no memory */
void *amphi_resize(void *old, int64_t count, size_t size);
void  amphi_release(void *memory);

/* For tests: the n-th allocation from now fails (0: none). */
void amphi_arena_fail_at(int64_t n);

#endif
