#include "random_items.h"

LunaPlanItems random_items(LunaArena *arena, Random *random, uint32_t count,
                           uint32_t largest) {
  LunaPlanItems items = {.count = count, .point_count = 64};
  items.items = LUNA_ARENA_ARRAY(arena, LunaPlanItem, count);
  for (uint32_t i = 0; i < count; ++i) {
    LunaSteps *ranges = LUNA_ARENA_ARRAY(arena, LunaSteps, 2);
    uint32_t range_count = 1 + random_below(random, 2), at = 0;
    for (uint32_t k = 0; k < range_count; ++k) {
      ranges[k].first = at + 1 + random_below(random, 15);
      ranges[k].end = ranges[k].first + 1 + random_below(random, 15);
      at = ranges[k].end;
    }
    items.items[i] = (LunaPlanItem){
        .size_bytes = 1 + random_below(random, largest),
        .align_bytes = random_below(random, 4) == 0 ? 4 : 1,
        .fixed_offset_bytes = -1,
        .lifetime = {.ranges = ranges, .range_count = range_count},
        .id = i,
    };
  }
  luna_plan_items_connect(&items, arena);
  return items;
}

static bool overlap(const LunaPlanItem *a, int64_t a_offset,
                    const LunaPlanItem *b, int64_t b_offset) {
  return a_offset < b_offset + b->size_bytes &&
         b_offset < a_offset + a->size_bytes && luna_plan_items_conflict(a, b);
}

bool is_plan_of_items(const LunaPlanItems *items, const int64_t *offsets) {
  for (uint32_t i = 0; i < items->count; ++i) {
    int64_t fixed = items->items[i].fixed_offset_bytes;
    if (offsets[i] < 0 || offsets[i] % items->items[i].align_bytes != 0 ||
        (fixed >= 0 && offsets[i] != fixed))
      return false;
    for (uint32_t k = 0; k < i; ++k)
      if (overlap(&items->items[i], offsets[i], &items->items[k], offsets[k]))
        return false;
  }
  return true;
}

// Returns the smallest peak over all orders with first fit; the items in the
// bits `placed` lie at `offsets`.
static int64_t smallest(const LunaPlanItems *items, uint32_t placed,
                        int64_t *offsets, int64_t peak) {
  if (placed == (1u << items->count) - 1)
    return peak;
  int64_t best = INT64_MAX;
  for (uint32_t i = 0; i < items->count; ++i) {
    const LunaPlanItem *item = &items->items[i];
    if (placed >> i & 1)
      continue;
    offsets[i] = 0;
    for (uint32_t k = 0; k < items->count;) {
      bool is_free = (placed >> k & 1) == 0 ||
                     !overlap(item, offsets[i], &items->items[k], offsets[k]);
      offsets[i] += is_free ? 0 : item->align_bytes;
      k = is_free ? k + 1 : 0;
    }
    int64_t end = offsets[i] + item->size_bytes;
    int64_t found =
        smallest(items, placed | 1u << i, offsets, end > peak ? end : peak);
    best = found < best ? found : best;
  }
  return best;
}

int64_t smallest_peak(const LunaPlanItems *items) {
  int64_t offsets[MAX_PERMUTED], peak = 0;
  uint32_t placed = 0;
  if (items->count > MAX_PERMUTED)
    return -1;
  for (uint32_t i = 0; i < items->count; ++i) {
    const LunaPlanItem *item = &items->items[i];
    if (item->fixed_offset_bytes < 0)
      continue;
    placed |= 1u << i;
    offsets[i] = item->fixed_offset_bytes;
    if (peak < offsets[i] + item->size_bytes)
      peak = offsets[i] + item->size_bytes;
  }
  return smallest(items, placed, offsets, peak);
}

void fix_random_items(const LunaPlanItems *items, Random *random,
                      int64_t highest) {
  for (uint32_t i = 0; i < items->count; ++i) {
    LunaPlanItem *item = &items->items[i];
    int64_t steps = highest / item->align_bytes + 1;
    int64_t offset = item->align_bytes * random_below(random, (uint32_t)steps);
    bool is_free = random_below(random, 3) == 0;
    for (uint32_t k = 0; k < i && is_free; ++k) {
      const LunaPlanItem *other = &items->items[k];
      is_free = other->fixed_offset_bytes < 0 ||
                !overlap(item, offset, other, other->fixed_offset_bytes);
    }
    if (is_free)
      item->fixed_offset_bytes = offset;
  }
}
