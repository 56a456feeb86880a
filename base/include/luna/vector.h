#ifndef LUNA_VECTOR_H
#define LUNA_VECTOR_H

#include <stddef.h>
#include <stdint.h>

#include "luna/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An array that grows, of elements of one type, in an arena.
///
///     LUNA_VECTOR(Edge) edges = {0};
///     *LUNA_VECTOR_ADD(&arena, &edges) = (Edge){from, to};
///     for (uint64_t i = 0; i < edges.count; ++i)
///       use(edges.items[i]);
///
/// As the unnamed member of a struct it gives that struct its members.
/// Zero-initialise; nothing is to be freed. `items` moves when the vector
/// grows, so keep indices, not pointers. Lower `count` to take elements off
/// its end.
#define LUNA_VECTOR(type)                                                      \
  struct {                                                                     \
    type *items;                                                               \
    uint64_t count, capacity;                                                  \
  }

/// Adds an element to `*vector` (evaluated several times) and returns a pointer
/// to it; what is assigned to it must not add to the vector itself. Its bytes
/// are zero, unless elements were taken off the end before. Amortised O(1);
/// running out of memory ends the process. In C only.
#define LUNA_VECTOR_ADD(arena, vector)                                         \
  ((vector)->items =                                                           \
       luna_vector_room((arena), (vector)->items, (vector)->count,             \
                        &(vector)->capacity, sizeof *(vector)->items),         \
   &(vector)->items[(vector)->count++])

/// A list of strings.
typedef LUNA_VECTOR(const char *) LunaStrings;

/// Makes `*vector` empty without touching its elements, for one whose arena was
/// destroyed.
#define LUNA_VECTOR_RESET(vector)                                              \
  ((vector)->items = NULL, (vector)->count = (vector)->capacity = 0)

/// Returns `items`, or a larger copy of them where `count` has reached
/// `*capacity`.
void *luna_vector_grow(LunaArena *arena, void *items, uint64_t count,
                       uint64_t *capacity, uint64_t element_bytes);

/// Returns `items` with room for one more than `count`: what LUNA_VECTOR_ADD
/// calls.
static inline void *luna_vector_room(LunaArena *arena, void *items,
                                     uint64_t count, uint64_t *capacity,
                                     uint64_t element_bytes) {
  return count < *capacity
             ? items
             : luna_vector_grow(arena, items, count, capacity, element_bytes);
}

#ifdef __cplusplus
}
#endif

#endif // LUNA_VECTOR_H
