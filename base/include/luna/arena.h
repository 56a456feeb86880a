#ifndef LUNA_ARENA_H
#define LUNA_ARENA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A growing scratch memory that is freed all at once.
///
/// Zero-initialise to make an empty one (`LunaArena arena = {0};`). Every
/// block is aligned to 16 bytes and stays where it is until the arena is
/// destroyed. Running out of memory ends the process: it is the one place
/// where the libraries do so. Not thread-safe; one arena per run.
typedef struct LunaArena {
  struct LunaArenaChunk *chunks;
} LunaArena;

/// Gives `count` zeroed elements of `element_bytes` each; never NULL, also for
/// a count of 0. The product is checked for overflow.
void *luna_arena_alloc(LunaArena *arena, uint64_t count,
                       uint64_t element_bytes);

/// Gives an array of `count` zeroed elements of a type from `arena`.
#define LUNA_ARENA_ARRAY(arena, type, count)                                   \
  ((type *)luna_arena_alloc((arena), (uint64_t)(count), sizeof(type)))

/// Gives room for `new_count` elements that starts with the `old_count` of
/// `old` (which is left as it is); the rest is zero. `old` may be NULL when
/// `old_count` is 0. Callers grow by doubling.
void *luna_arena_grow(LunaArena *arena, const void *old, uint64_t old_count,
                      uint64_t new_count, uint64_t element_bytes);

/// Gives a NUL-terminated copy of the `length` bytes at `text`.
char *luna_arena_strndup(LunaArena *arena, const char *text, size_t length);

/// Gives a NUL-terminated string made as `printf` would.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
char *luna_arena_printf(LunaArena *arena, const char *format, ...);

/// Frees every block of `arena` and leaves it empty, ready for use.
void luna_arena_destroy(LunaArena *arena);

#ifdef __cplusplus
}
#endif

#endif // LUNA_ARENA_H
