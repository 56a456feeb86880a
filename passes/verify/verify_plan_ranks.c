// Which slots lie at given bytes of the arena.

#include <stdlib.h>

#include "verify_plan_state.h"

// What a slot is sorted by.
typedef struct Key {
  uint32_t size_class;
  int64_t offset_bytes;
  uint32_t place, slot;
} Key;

// The number of bits of a size.
static uint32_t class_of(int64_t bytes) {
  uint32_t size_class = 0;
  for (uint64_t rest = (uint64_t)bytes; rest > 0; rest >>= 1)
    ++size_class;
  return size_class;
}

static int by_class_and_address(const void *a, const void *b) {
  const Key *x = a, *y = b;
  if (x->size_class != y->size_class)
    return x->size_class < y->size_class ? -1 : 1;
  if (x->offset_bytes != y->offset_bytes)
    return x->offset_bytes < y->offset_bytes ? -1 : 1;
  if (x->place != y->place)
    return x->place < y->place ? -1 : 1;
  return (x->slot > y->slot) - (x->slot < y->slot);
}

static Key key_of(const LunaVerifyValues *values, uint32_t slot) {
  uint32_t place = values->slot_place[slot];
  return (Key){class_of(values->places.items[place].bytes),
               values->places.items[place].offset_bytes, place, slot};
}

const LunaVerifyRanks *luna_verify_rank_slots(LunaArena *arena,
                                              const LunaVerifyValues *values) {
  LunaVerifyRanks *ranks = LUNA_ARENA_ARRAY(arena, LunaVerifyRanks, 1);
  ranks->slots = LUNA_ARENA_ARRAY(arena, uint32_t, values->slot_count);
  ranks->ranks = LUNA_ARENA_ARRAY(arena, uint32_t, values->slot_count);
  Key *keys = LUNA_ARENA_ARRAY(arena, Key, values->slot_count);
  for (uint32_t slot = 0; slot < values->slot_count; ++slot)
    if (values->places.items[values->slot_place[slot]].is_planned)
      keys[ranks->count++] = key_of(values, slot);
  qsort(keys, ranks->count, sizeof *keys, by_class_and_address);
  for (uint32_t rank = 0; rank < ranks->count; ++rank) {
    ranks->slots[rank] = keys[rank].slot;
    ranks->ranks[keys[rank].slot] = rank;
    ++ranks->classes[keys[rank].size_class + 1];
  }
  for (int i = 0; i < 64; ++i)
    ranks->classes[i + 1] += ranks->classes[i];
  return ranks;
}

static const LunaVerifyPlace *place_at(const LunaVerifyStates *states,
                                       uint32_t rank) {
  const LunaVerifyValues *values = states->values;
  return &values->places.items[values->slot_place[states->ranks->slots[rank]]];
}

// The first rank of [low, high) whose place starts behind `offset_bytes`.
static uint32_t first_behind(const LunaVerifyStates *states, uint32_t low,
                             uint32_t high, int64_t offset_bytes) {
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (place_at(states, middle)->offset_bytes > offset_bytes)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

bool luna_verify_next_overlap(const LunaVerifyStates *states, LunaTrie slots,
                              uint32_t size_class, int64_t lo, int64_t hi,
                              uint32_t *rank) {
  const uint32_t *classes = states->ranks->classes;
  uint32_t first = classes[size_class], end = classes[size_class + 1];
  int64_t longest = INT64_C(1) << (size_class < 62 ? size_class : 62);
  if (first == end)
    return false;
  if (*rank <= first)
    *rank = first_behind(states, first, end, lo - longest);
  for (; luna_trie_next(slots, rank) && *rank < end; ++*rank) {
    const LunaVerifyPlace *place = place_at(states, *rank);
    if (place->offset_bytes >= hi)
      return false;
    if (place->offset_bytes + place->bytes > lo)
      return true;
  }
  return false;
}
