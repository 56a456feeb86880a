#include "plan_sort.h"

#include <string.h>

enum { RUN_LENGTH = 16 };

static void insertion_sort(uint32_t *indices, uint32_t count,
                           LunaPlanBefore before, const void *context) {
  for (uint32_t i = 1; i < count; ++i) {
    uint32_t moving = indices[i], at = i;
    for (; at > 0 && before(context, moving, indices[at - 1]); --at)
      indices[at] = indices[at - 1];
    indices[at] = moving;
  }
}

// Merges from[0..middle) and from[middle..count) into `to`.
static void merge_runs(const uint32_t *from, uint32_t middle, uint32_t count,
                       uint32_t *to, LunaPlanBefore before,
                       const void *context) {
  uint32_t left = 0, right = middle;
  for (uint32_t out = 0; out < count; ++out) {
    bool take_right =
        right < count &&
        (left == middle || before(context, from[right], from[left]));
    to[out] = take_right ? from[right++] : from[left++];
  }
}

void luna_plan_sort(uint32_t *indices, uint32_t count, LunaPlanBefore before,
                    const void *context, LunaArena *arena) {
  for (uint64_t start = 0; start < count; start += RUN_LENGTH) {
    uint64_t left = count - start;
    insertion_sort(indices + start,
                   left < RUN_LENGTH ? (uint32_t)left : RUN_LENGTH, before,
                   context);
  }
  if (count <= RUN_LENGTH)
    return;
  uint32_t *from = indices;
  uint32_t *to = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  for (uint64_t width = RUN_LENGTH; width < count; width *= 2) {
    for (uint64_t start = 0; start < count; start += 2 * width) {
      uint64_t left = count - start;
      uint32_t length = (uint32_t)(left < 2 * width ? left : 2 * width);
      uint32_t middle = length < width ? length : (uint32_t)width;
      merge_runs(from + start, middle, length, to + start, before, context);
    }
    uint32_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != indices)
    memcpy(indices, from, sizeof(uint32_t) * count);
}
