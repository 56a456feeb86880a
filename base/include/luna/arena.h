#ifndef LUNA_ARENA_H
#define LUNA_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "luna/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An arena allocator: scratch memory that is freed all at once.
///
/// Zero-initialise to make an empty one (`LunaArena arena = {0};`). Every block
/// is aligned to 16 bytes and keeps its address until the arena is destroyed.
/// Where memory runs out, the innermost luna_arena_guard returns false; without
/// one, the process ends. Not thread-safe; one arena per run.
typedef struct LunaArena {
  struct LunaArenaChunk *chunks;
} LunaArena;

/// Returns `count` zeroed elements of `element_bytes` each; never NULL, not
/// even for a count of 0. Checks the product for overflow.
void *luna_arena_alloc(LunaArena *arena, uint64_t count,
                       uint64_t element_bytes);

/// Returns an array of `count` zeroed elements of a type from `arena`.
#define LUNA_ARENA_ARRAY(arena, type, count)                                   \
  ((type *)luna_arena_alloc((arena), (uint64_t)(count), sizeof(type)))

/// Returns an array of `new_count` elements: a copy of the `old_count` elements
/// of `old`, then zeros. Leaves `old` unchanged; it may be NULL when
/// `old_count` is 0. Callers grow by doubling.
void *luna_arena_grow(LunaArena *arena, const void *old, uint64_t old_count,
                      uint64_t new_count, uint64_t element_bytes);

/// Returns a NUL-terminated copy of the `length` bytes at `text`.
char *luna_arena_strndup(LunaArena *arena, const char *text, size_t length);

/// Returns a NUL-terminated string, formatted as by printf.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
char *luna_arena_printf(LunaArena *arena, const char *format, ...);

/// Makes room for `bytes` in blocks of multiples of 16 bytes: they cannot fail.
/// Returns false where memory runs out, guarded or not.
bool luna_arena_reserve(LunaArena *arena, uint64_t bytes);

/// Returns body(context, error). Where memory runs out in it, fails with
/// LUNA_ERROR_MEMORY and `memory ran out while DOING`: then all that arenas
/// took in it is freed, but for `kept` and `also_kept` (which may be NULL), and
/// the frames of the body are left as by longjmp. An arena that it leaves
/// behind otherwise must not be touched any more. Guards nest; each thread has
/// its own.
bool luna_arena_guard(const LunaArena *kept, const LunaArena *also_kept,
                      const char *doing,
                      bool (*body)(void *context, LunaError *error),
                      void *context, LunaError *error);

/// Leaves the innermost guard, or ends the process with a message: where every
/// library goes when memory runs out.
void luna_out_of_memory(void);

/// Frees every block of `arena` and leaves it empty, ready for use.
void luna_arena_destroy(LunaArena *arena);

#ifdef __cplusplus
}
#endif

#endif // LUNA_ARENA_H
