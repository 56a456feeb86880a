#ifndef LUNA_POINTER_MAP_H
#define LUNA_POINTER_MAP_H

#include <stdint.h>

#include "luna/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A hash table from pointers to numbers. Zero-initialise to make an empty
/// one; its memory comes from the arena given. It is only looked up, never
/// walked, so that no result depends on its order.
typedef struct LunaPointerMap {
  const void **keys;
  int32_t *numbers;
  uint64_t capacity, count;
} LunaPointerMap;

/// Returns the number of `key`, or -1.
int32_t luna_pointer_map_find(const LunaPointerMap *map, const void *key);
/// Gives `key` (not NULL, not yet in the map) a number.
void luna_pointer_map_add(LunaPointerMap *map, LunaArena *arena,
                          const void *key, int32_t number);

#ifdef __cplusplus
}
#endif

#endif // LUNA_POINTER_MAP_H
