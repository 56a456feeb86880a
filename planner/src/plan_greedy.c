// Greedy placement in many orders: by one property of an item, ties by another.

#include "plan_greedy.h"

#include <string.h>

typedef enum Key {
  KEY_NONE,
  KEY_SIZE,
  KEY_LENGTH,
  KEY_START,
  KEY_END,
  // The point in the middle of the lifetime.
  KEY_MIDDLE,
} Key;

// An order: by a key, ascending or descending, then by another.
typedef struct Greedy {
  LunaPlanTrick trick;
  Key first;
  bool is_falling;
  Key second;
  bool is_second_falling;
  LunaPlanFit fit;
  // The number of items up to which it is tried; 0 means any.
  uint32_t limit;
} Greedy;

// Some orders are slow where most items conflict: the smallest gap is looked
// for among all that was placed.
enum { SLOW_LIMIT = 1 << 15 };

static const Greedy greedies[] = {
    {.trick = PLAN_TRICK_GREEDY_SIZE, .first = KEY_SIZE, .is_falling = true},
    {.trick = PLAN_TRICK_GREEDY_START, .first = KEY_START},
    {.trick = PLAN_TRICK_GREEDY_LENGTH,
     .first = KEY_LENGTH,
     .limit = SLOW_LIMIT},
    {.trick = PLAN_TRICK_GREEDY_END,
     .first = KEY_END,
     .second = KEY_START,
     .is_second_falling = true},
    {.trick = PLAN_TRICK_GREEDY_SIZE_START,
     .first = KEY_SIZE,
     .is_falling = true,
     .second = KEY_START},
    {.trick = PLAN_TRICK_GREEDY_MIDDLE,
     .first = KEY_MIDDLE,
     .second = KEY_SIZE,
     .is_second_falling = true},
    {.trick = PLAN_TRICK_GREEDY_LONG,
     .first = KEY_LENGTH,
     .is_falling = true,
     .second = KEY_SIZE,
     .is_second_falling = true,
     .limit = SLOW_LIMIT},
    {.trick = PLAN_TRICK_GREEDY_START_GAP,
     .first = KEY_START,
     .second = KEY_END,
     .is_second_falling = true,
     .fit = PLAN_FIT_SMALLEST,
     .limit = SLOW_LIMIT},
    {.trick = PLAN_TRICK_GREEDY_SIZE_GAP,
     .first = KEY_SIZE,
     .is_falling = true,
     .second = KEY_START,
     .fit = PLAN_FIT_SMALLEST,
     .limit = SLOW_LIMIT},
};

static int64_t key_of(const LunaPlanItems *items, uint32_t index, Key key,
                      bool is_falling) {
  const LunaPlanItem *item = &items->items[index];
  int64_t value = 0;
  switch (key) {
  case KEY_NONE:
    break;
  case KEY_SIZE:
    value = item->size_bytes;
    break;
  case KEY_LENGTH:
    value = luna_plan_item_length(items, index);
    break;
  case KEY_START:
    value = plan_item_first(item);
    break;
  case KEY_END:
    value = plan_item_end(item);
    break;
  case KEY_MIDDLE:
    value = (int64_t)plan_item_first(item) + plan_item_end(item);
    break;
  }
  return is_falling ? -value : value;
}

typedef struct Keys {
  int64_t *first, *second;
} Keys;

static bool comes_before(const void *context, uint32_t a, uint32_t b) {
  const Keys *keys = context;
  return keys->first[a] != keys->first[b] ? keys->first[a] < keys->first[b]
                                          : keys->second[a] < keys->second[b];
}

static void place_in_order(const Keys *keys, const LunaPlanItems *items,
                           LunaPlanFit fit, int64_t *offsets,
                           LunaArena *scratch) {
  uint32_t count = 0;
  const uint32_t *order =
      luna_plan_order_items(items, comes_before, keys, &count, scratch);
  luna_plan_place_in_order(items, order, count, fit, offsets, scratch);
}

static Keys make_keys(const Greedy *greedy, const LunaPlanItems *items,
                      const int64_t *hint_bytes, LunaArena *arena) {
  Keys keys = {.first = LUNA_ARENA_ARRAY(arena, int64_t, items->count),
               .second = LUNA_ARENA_ARRAY(arena, int64_t, items->count)};
  for (uint32_t i = 0; i < items->count; ++i) {
    keys.first[i] = hint_bytes
                        ? hint_bytes[i]
                        : key_of(items, i, greedy->first, greedy->is_falling);
    keys.second[i] = hint_bytes ? 0
                                : key_of(items, i, greedy->second,
                                         greedy->is_second_falling);
  }
  return keys;
}

// The smallest plan so far.
typedef struct Best {
  const LunaPlanItems *items;
  int64_t bytes;
  int64_t *offsets, *trial;
} Best;

// Places in the order of hints, or of `greedy` if there are none.
static void try_order(Best *best, const Greedy *greedy,
                      const int64_t *hint_bytes) {
  LunaArena scratch = {0};
  Keys keys = make_keys(greedy, best->items, hint_bytes, &scratch);
  place_in_order(&keys, best->items, greedy->fit, best->trial, &scratch);
  luna_arena_destroy(&scratch);
  int64_t bytes = luna_plan_items_peak(best->items, best->trial);
  if (bytes >= best->bytes)
    return;
  memcpy(best->offsets, best->trial, sizeof(int64_t) * best->items->count);
  best->bytes = bytes;
}

int64_t luna_plan_place_greedily(const LunaPlanItems *items,
                                 int64_t enough_bytes,
                                 const LunaPlanContext *context,
                                 int64_t *offsets, LunaArena *arena) {
  static const Greedy by_hint = {.fit = PLAN_FIT_LOWEST};
  Best best = {.items = items,
               .bytes = INT64_MAX,
               .offsets = offsets,
               .trial = LUNA_ARENA_ARRAY(arena, int64_t, items->count)};
  if (context->hint_bytes)
    try_order(&best, &by_hint, context->hint_bytes);
  for (uint32_t i = 0; i < sizeof greedies / sizeof *greedies; ++i)
    if (best.bytes > enough_bytes &&
        plan_tries(&context->without, greedies[i].trick) &&
        (greedies[i].limit == 0 || items->count <= greedies[i].limit))
      try_order(&best, &greedies[i], NULL);
  if (best.bytes == INT64_MAX)
    try_order(&best, &greedies[0], NULL);
  return best.bytes;
}
