#include "luna/map.h"

#include <stdbool.h>

enum { FIRST_SLOT_COUNT = 16 };

static const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * golden;
  return hash ^ hash >> 32;
}

enum { WORD_BYTES = 8, CHAINS = 4, BLOCK_BYTES = CHAINS * WORD_BYTES };

// Each multiplication waits for the one before it in its chain. Long strings
// are cut into words of several chains, to be hashed in place of the string.
static void hash_blocks(const unsigned char *bytes, uint64_t block_count,
                        uint64_t chains[CHAINS]) {
  for (uint64_t i = 0; i < block_count; ++i, bytes += BLOCK_BYTES)
    for (int chain = 0; chain < CHAINS; ++chain) {
      uint64_t word;
      memcpy(&word, bytes + chain * WORD_BYTES, WORD_BYTES);
      chains[chain] = mix(chains[chain], word);
    }
}

static uint64_t hash_words(uint64_t hash, const unsigned char *bytes,
                           uint64_t length) {
  uint64_t word = 0;
  for (; length >= WORD_BYTES; length -= WORD_BYTES, bytes += WORD_BYTES) {
    memcpy(&word, bytes, WORD_BYTES);
    hash = mix(hash, word);
  }
  word = 0;
  memcpy(&word, bytes, length);
  return mix(hash, word);
}

uint64_t luna_hash_bytes(const void *bytes, uint64_t length) {
  enum { LONG_BYTES = 8 * BLOCK_BYTES };
  const unsigned char *at = bytes;
  if (length < LONG_BYTES)
    return hash_words(length, at, length);
  uint64_t chains[CHAINS] = {length};
  hash_blocks(at, length / BLOCK_BYTES, chains);
  uint64_t hash = hash_words(0, (const unsigned char *)chains, sizeof chains);
  return hash_words(hash, at + length / BLOCK_BYTES * BLOCK_BYTES,
                    length % BLOCK_BYTES);
}

// The multiplication spreads a key to the high bits.
static uint64_t hash_of(LunaMapKey key) {
  uint64_t number =
      key.bytes ? luna_hash_bytes(key.bytes, key.number) : key.number;
  return number * golden >> 32;
}

static bool is_same(LunaMapKey a, LunaMapKey b) {
  if (!a.bytes || !b.bytes)
    return a.bytes == b.bytes && a.number == b.number;
  return a.number == b.number && memcmp(a.bytes, b.bytes, a.number) == 0;
}

// The slot that holds `key` or where it belongs; there is one.
static uint32_t *slot_of(const LunaMap *map, LunaMapKey key) {
  uint64_t mask = map->slot_count - 1;
  for (uint64_t i = hash_of(key);; ++i) {
    uint32_t *slot = &map->slots[i & mask];
    if (*slot == 0 || is_same(map->keys.items[*slot - 1], key))
      return slot;
  }
}

static void grow(LunaMap *map, LunaArena *arena) {
  if (map->slot_count > UINT32_MAX) // no index for another key
    luna_out_of_memory();
  map->slot_count =
      map->slot_count > 0 ? 2 * map->slot_count : (uint64_t)FIRST_SLOT_COUNT;
  map->slots = LUNA_ARENA_ARRAY(arena, uint32_t, map->slot_count);
  for (uint64_t i = 0; i < map->keys.count; ++i)
    *slot_of(map, map->keys.items[i]) = (uint32_t)i + 1;
}

uint32_t luna_map_find(const LunaMap *map, LunaMapKey key) {
  uint32_t slot = map->slot_count > 0 ? *slot_of(map, key) : 0;
  return slot > 0 ? slot - 1 : LUNA_MAP_ABSENT;
}

uint32_t luna_map_add(LunaMap *map, LunaArena *arena, LunaMapKey key) {
  if (2 * (map->keys.count + 1) > map->slot_count)
    grow(map, arena);
  uint32_t *slot = slot_of(map, key);
  if (*slot == 0) {
    *LUNA_VECTOR_ADD(arena, &map->keys) = key;
    *slot = (uint32_t)map->keys.count;
  }
  return *slot - 1;
}
