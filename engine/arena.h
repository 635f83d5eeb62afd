/* Memory: arenas, which own many objects and are freed at once, and plain heap memory. No other
 * file of the library calls the C library's allocator.
 *
 * An arena remembers that an allocation failed, so that a caller may make many of them and ask
 * amphi_arena_failed once at the end.
 */
#ifndef AMPHI_ENGINE_ARENA_H
#define AMPHI_ENGINE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct AmphiArena AmphiArena;

AmphiArena *amphi_arena_new(void);               /* NULL when there is no memory */
void        amphi_arena_free(AmphiArena *arena); /* NULL is allowed */

/* count * size bytes, zeroed, aligned to 64, owned by the arena; NULL on overflow, when there is no
 * memory, or when the arena is NULL. */
void *amphi_arena_take(AmphiArena *arena, int64_t count, size_t size);
#define AMPHI_TAKE(arena, type, count) ((type *)amphi_arena_take((arena), (count), sizeof(type)))
/* A copy of an array with room for new_count elements; the old array stays allocated. */
void *amphi_arena_grow(AmphiArena *arena, const void *old, int64_t old_count, int64_t new_count,
                       size_t size);
/* A copy of a string; a string from a printf format, whose numbers have a point in every locale.
 * NULL when there is no memory. */
char *amphi_arena_text(AmphiArena *arena, const char *text);
char *amphi_arena_print(AmphiArena *arena, const char *form, ...)
    __attribute__((format(printf, 2, 3)));

bool   amphi_arena_failed(const AmphiArena *arena); /* also true for NULL */
size_t amphi_arena_bytes(const AmphiArena *arena);  /* taken from the system so far */

/* Plain heap memory for the few objects that live outside an arena; like calloc, realloc and free,
 * but NULL when count * size overflows. amphi_resize does not zero the new part. */
void *amphi_alloc(int64_t count, size_t size);
void *amphi_resize(void *old, int64_t count, size_t size);
void  amphi_release(void *memory); /* NULL is allowed */

/* For tests: the n-th allocation of this thread from now on fails; 0: none. */
void amphi_arena_fail_at(int64_t n);

#endif
