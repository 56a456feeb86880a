#ifndef LUNA_MAP_H
#define LUNA_MAP_H

#include <stdint.h>
#include <string.h>

#include "luna/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A key: a number, the address of an object, or a string of bytes. Two strings
/// are the same key if their bytes are.
typedef struct LunaMapKey {
  const void *bytes; ///< of a string, borrowed for the life of the map
  uint64_t number;   ///< the number, or the length of the string
} LunaMapKey;

/// Returns the key of a number.
static inline LunaMapKey luna_map_number(uint64_t number) {
  LunaMapKey key = {0, number};
  return key;
}

/// Returns the key of an object, by its address.
static inline LunaMapKey luna_map_pointer(const void *object) {
  return luna_map_number((uint64_t)(uintptr_t)object);
}

/// Returns the key of `length` bytes.
static inline LunaMapKey luna_map_bytes(const void *bytes, uint64_t length) {
  LunaMapKey key = {bytes ? bytes : "", length};
  return key;
}

/// Returns the key of a C string.
static inline LunaMapKey luna_map_text(const char *text) {
  return luna_map_bytes(text, strlen(text));
}

/// Returns a hash of `length` bytes. It depends on the order of bytes in a
/// word: use it where it does not show.
uint64_t luna_hash_bytes(const void *bytes, uint64_t length);

/// A map from keys to indices 0, 1, 2, … in the order in which the keys were
/// added. The caller keeps the values by index, in its own vector:
///
///     uint32_t index = luna_map_add(&map, &arena, luna_map_text(name));
///     if (index == values.count)
///       *LUNA_VECTOR_ADD(&arena, &values) = first_value;
///
/// Zero-initialise; nothing is to be freed. Iterate over keys.items, whose
/// order depends on nothing but the calls. No key is ever removed.
typedef struct LunaMap {
  LUNA_VECTOR(LunaMapKey) keys;
  /// Open addressing: an index plus one, or 0. A power of two of them, at least
  /// twice the keys.
  uint32_t *slots;
  uint64_t slot_count;
} LunaMap;

/// What luna_map_find gives for a key that is not there.
#define LUNA_MAP_ABSENT UINT32_MAX

/// Returns the index of `key`, or LUNA_MAP_ABSENT.
uint32_t luna_map_find(const LunaMap *map, LunaMapKey key);

/// Returns the index of `key`, which is added to the end if it is new; the
/// bytes of a string that will not live may then be replaced in keys.items by
/// a copy. The map always gets the same `arena`. Amortised O(1) and O(length);
/// ends the process when memory runs out.
uint32_t luna_map_add(LunaMap *map, LunaArena *arena, LunaMapKey key);

#ifdef __cplusplus
}
#endif

#endif // LUNA_MAP_H
