#include "axis_classes.h"

#include <string.h>

// Keeps only what cost and limits depend on.
static LunaLaunchAxis without_place(LunaLaunchAxis axis) {
  axis.tile = (LunaRange){0, axis.tile.count, 1};
  axis.out = (LunaRange){0, axis.out.count, 1};
  axis.in = (LunaRange){0, axis.in.count, 1};
  axis.taps = (LunaRange){0, axis.taps.count, 1};
  return axis;
}

// Returns the class of a launch, with one more.
static uint64_t count(LunaAxisClasses *classes, const LunaAxisClass *item,
                      LunaArena *arena) {
  // All members of LunaLaunchAxis are int32_t: there are no padding bytes.
  for (uint64_t i = 0; i < classes->count; ++i) {
    LunaAxisClass *other = &classes->items[i];
    if (memcmp(&other->axis, &item->axis, sizeof item->axis) == 0 &&
        other->is_first == item->is_first && other->is_last == item->is_last &&
        other->is_empty == item->is_empty) {
      other->count++;
      return i;
    }
  }
  *LUNA_VECTOR_ADD(arena, classes) = *item;
  return classes->count - 1;
}

static void add(LunaAxisClasses *classes, LunaAxisClass item,
                LunaArena *arena) {
  uint64_t found = count(classes, &item, arena);
  if (item.is_first)
    *LUNA_VECTOR_ADD(arena, &classes->of_tile) = (uint32_t)found;
}

static void add_tile(LunaAxisClasses *classes, const LunaAxis *axis,
                     int32_t tile, LunaArena *arena) {
  int32_t first, last;
  LunaAxisClass item = {.count = 1};
  if (!luna_axis_blocks(axis, tile, &first, &last)) {
    luna_axis_launch(axis, tile, 0, &item.axis);
    item.axis = without_place(item.axis);
    item.is_empty = item.is_first = item.is_last = true;
    classes->needs_sums = true;
    add(classes, item, arena);
    return;
  }
  for (int32_t block = first; block <= last; ++block) {
    if (!luna_axis_launch(axis, tile, block, &item.axis))
      continue;
    item.is_first = block == first;
    item.is_last = block == last;
    item.axis = without_place(item.axis);
    if (first != last || item.axis.out.count != item.axis.tile.count)
      classes->needs_sums = true;
    add(classes, item, arena);
  }
}

LunaAxisClasses luna_axis_classes(const LunaAxis *axis, LunaArena *arena) {
  LunaAxisClasses classes = {0};
  int32_t tiles = luna_axis_tile_count(axis);
  for (int32_t tile = 0; tile < tiles; ++tile)
    add_tile(&classes, axis, tile, arena);
  return classes;
}
