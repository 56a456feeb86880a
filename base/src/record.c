#include "luna/record.h"

// The header alone: neither programs nor the plugin need the library.
#define XXH_INLINE_ALL
#include <xxhash.h>

void luna_record_number(LunaText *record, uint64_t number) {
  char bytes[8];
  for (int i = 0; i < 8; ++i)
    bytes[i] = (char)(unsigned char)(number >> 8 * i);
  luna_text_append(record, bytes, sizeof bytes);
}

void luna_record_bytes(LunaText *record, const void *bytes, uint64_t length) {
  luna_record_number(record, length);
  if (length > 0)
    luna_text_append(record, bytes, length);
}

LunaDigest luna_digest(const void *bytes, uint64_t length) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes, length));
  LunaDigest digest;
  memcpy(digest.bytes, canonical.digest, sizeof digest.bytes);
  return digest;
}

// A digest and how many records with it came before.
typedef struct Slot {
  LunaDigest digest;
  uint64_t collisions;
} Slot;

static bool is_record(LunaMapKey record, const void *bytes, uint64_t length) {
  return record.number == length &&
         (length == 0 || memcmp(record.bytes, bytes, length) == 0);
}

static uint32_t append(LunaRecordSet *set, LunaArena *arena, const void *bytes,
                       uint64_t length) {
  LunaMapKey *record = LUNA_VECTOR_ADD(arena, &set->records);
  *record = luna_map_bytes(luna_arena_strndup(arena, bytes, length), length);
  return (uint32_t)set->records.count - 1;
}

uint32_t luna_record_add(LunaRecordSet *set, LunaArena *arena,
                         const void *bytes, uint64_t length) {
  LunaDigest (*digest)(const void *, uint64_t) =
      set->digest ? set->digest : luna_digest;
  Slot slot = {.digest = digest(bytes, length)};
  ++set->added;
  for (;; ++slot.collisions) {
    uint32_t index =
        luna_map_add(&set->digests, arena, luna_map_bytes(&slot, sizeof slot));
    if (index == set->records.count) {
      set->digests.keys.items[index].bytes =
          luna_arena_strndup(arena, (const char *)&slot, sizeof slot);
      set->collisions += slot.collisions;
      return append(set, arena, bytes, length);
    }
    if (is_record(set->records.items[index], bytes, length))
      return index;
  }
}
