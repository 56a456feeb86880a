#include "luna/vector.h"

enum { FIRST_CAPACITY = 4 };

void *luna_vector_grow(LunaArena *arena, void *items, uint64_t count,
                       uint64_t *capacity, uint64_t element_bytes) {
  if (*capacity > UINT64_MAX / 2)
    luna_out_of_memory();
  *capacity = *capacity > 0 ? 2 * *capacity : FIRST_CAPACITY;
  return luna_arena_grow(arena, items, count, *capacity, element_bytes);
}
