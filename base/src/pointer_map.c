#include "luna/pointer_map.h"

#include <stddef.h>

// Where `key` is, or the free entry that it would take.
static uint64_t find_entry(const LunaPointerMap *map, const void *key) {
  uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15);
  for (uint64_t i = hash >> 32;; ++i) {
    uint64_t entry = i & (map->capacity - 1);
    if (!map->keys[entry] || map->keys[entry] == key)
      return entry;
  }
}

int32_t luna_pointer_map_find(const LunaPointerMap *map, const void *key) {
  if (map->capacity == 0)
    return -1;
  uint64_t entry = find_entry(map, key);
  return map->keys[entry] ? map->numbers[entry] : -1;
}

static void grow(LunaPointerMap *map, LunaArena *arena) {
  LunaPointerMap larger = {.capacity = map->capacity ? 2 * map->capacity : 32,
                           .count = map->count};
  larger.keys = LUNA_ARENA_ARRAY(arena, const void *, larger.capacity);
  larger.numbers = LUNA_ARENA_ARRAY(arena, int32_t, larger.capacity);
  for (uint64_t i = 0; i < map->capacity; ++i) {
    if (!map->keys[i])
      continue;
    uint64_t entry = find_entry(&larger, map->keys[i]);
    larger.keys[entry] = map->keys[i];
    larger.numbers[entry] = map->numbers[i];
  }
  *map = larger;
}

void luna_pointer_map_add(LunaPointerMap *map, LunaArena *arena,
                          const void *key, int32_t number) {
  // Never more than half full.
  if (2 * (map->count + 1) > map->capacity)
    grow(map, arena);
  uint64_t entry = find_entry(map, key);
  map->keys[entry] = key;
  map->numbers[entry] = number;
  ++map->count;
}
