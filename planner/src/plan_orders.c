// Strategies whose order is more than a comparison of two items.

#include <string.h>

#include "luna/checked.h"
#include "plan_strategy.h"

// The keys of an order: one per item, ascending, then by descending size.
typedef struct Keys {
  const LunaPlanItems *items;
  const uint64_t *keys;
} Keys;

static bool has_smaller_key(const void *context, uint32_t a, uint32_t b) {
  const Keys *keys = context;
  if (keys->keys[a] != keys->keys[b])
    return keys->keys[a] < keys->keys[b];
  return keys->items->items[a].size_bytes > keys->items->items[b].size_bytes;
}

void luna_plan_place_outward(const LunaPlanStrategy *self,
                             const LunaPlanItems *items,
                             LunaPlanContext *context, int64_t *offsets,
                             LunaArena *arena) {
  (void)context;
  uint32_t peak = luna_plan_items_bound(items).point;
  uint64_t *distances = LUNA_ARENA_ARRAY(arena, uint64_t, items->count);
  for (uint32_t i = 0; i < items->count; ++i) {
    const LunaLifetime *lifetime = &items->items[i].lifetime;
    distances[i] = UINT32_MAX;
    for (uint32_t k = 0; k < lifetime->range_count; ++k) {
      LunaSteps range = lifetime->ranges[k];
      uint64_t distance = peak < range.first ? range.first - peak
                          : peak < range.end ? 0
                                             : peak - range.end + 1;
      if (distance < distances[i])
        distances[i] = distance;
    }
  }
  Keys keys = {.items = items, .keys = distances};
  uint32_t count = 0;
  const uint32_t *order =
      luna_plan_order_items(items, has_smaller_key, &keys, &count, arena);
  luna_plan_place_in_order(items, order, count, self->fit, offsets, arena);
}

// Orders by first point, then by descending size.
static bool starts_earlier(const void *context, uint32_t a, uint32_t b) {
  const LunaPlanItem *items = ((const LunaPlanItems *)context)->items;
  uint32_t first_a = plan_item_first(&items[a]);
  uint32_t first_b = plan_item_first(&items[b]);
  if (first_a != first_b)
    return first_a < first_b;
  return items[a].size_bytes > items[b].size_bytes;
}

// The groups of a path cover: a tree whose leaves (from leaf_count on) are the
// ends of the groups, with the earliest end below each inner node.
typedef struct Groups {
  uint32_t *earliest;
  uint32_t leaf_count, count;
} Groups;

static Groups make_groups(uint32_t room, LunaArena *arena) {
  Groups groups = {.leaf_count = 1};
  while (groups.leaf_count < room)
    groups.leaf_count *= 2;
  groups.earliest =
      LUNA_ARENA_ARRAY(arena, uint32_t, 2 * (uint64_t)groups.leaf_count);
  memset(groups.earliest, 0xff,
         2 * sizeof(uint32_t) * (size_t)groups.leaf_count);
  return groups;
}

// Returns the first group that has ended by `point`, or a new one.
static uint32_t find_group(Groups *groups, uint32_t point) {
  if (groups->earliest[1] > point)
    return groups->count++;
  uint32_t at = 1;
  while (at < groups->leaf_count)
    at = groups->earliest[2 * at] <= point ? 2 * at : 2 * at + 1;
  return at - groups->leaf_count;
}

static void set_end(Groups *groups, uint32_t group, uint32_t end) {
  uint32_t at = groups->leaf_count + group;
  groups->earliest[at] = end;
  for (at /= 2; at > 0; at /= 2) {
    uint32_t left = groups->earliest[2 * at];
    uint32_t right = groups->earliest[2 * at + 1];
    groups->earliest[at] = left < right ? left : right;
  }
}

// Returns the number of paths that cover all items: groups again, but an item
// may begin where another ends. One of a single point leads to the next.
static uint32_t count_paths(const LunaPlanItems *items, const uint32_t *order,
                            uint32_t count, LunaArena *arena) {
  Groups paths = make_groups(count, arena);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t first = plan_item_first(&items->items[order[i]]);
    uint32_t last = plan_item_end(&items->items[order[i]]) - 1;
    uint32_t path = find_group(&paths, first);
    set_end(&paths, path, last > first ? last : first + 1);
  }
  return paths.count;
}

static LunaPathCover cover_of(const LunaPlanItems *items, uint32_t group_count,
                              uint32_t path_count) {
  int64_t align = 1, largest = 0;
  for (uint32_t i = 0; i < items->count; ++i) {
    const LunaPlanItem *item = &items->items[i];
    align = item->align_bytes > align ? item->align_bytes : align;
    largest = item->size_bytes > largest ? item->size_bytes : largest;
  }
  LunaPathCover cover = {.group_count = group_count, .path_count = path_count};
  if (!luna_checked_mul(2 * (int64_t)path_count, luna_align_up(largest, align),
                        &cover.bytes))
    cover.bytes = INT64_MAX;
  return cover;
}

// A new group is added only if all groups are live at once, so the number of
// groups is minimal.
void luna_plan_place_path_cover(const LunaPlanStrategy *self,
                                const LunaPlanItems *items,
                                LunaPlanContext *context, int64_t *offsets,
                                LunaArena *arena) {
  uint32_t count = 0;
  uint32_t *order =
      luna_plan_order_items(items, starts_earlier, items, &count, arena);
  uint64_t *group_of = LUNA_ARENA_ARRAY(arena, uint64_t, items->count);
  Groups groups = make_groups(count, arena);
  for (uint32_t i = 0; i < count; ++i) {
    const LunaPlanItem *item = &items->items[order[i]];
    uint32_t group = find_group(&groups, plan_item_first(item));
    group_of[order[i]] = group;
    set_end(&groups, group, plan_item_end(item));
  }
  context->cover =
      cover_of(items, groups.count, count_paths(items, order, count, arena));
  // The groups in sequence, each in the order of its members.
  uint32_t *grouped = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  uint32_t *starts = LUNA_ARENA_ARRAY(arena, uint32_t, groups.count + 1);
  for (uint32_t i = 0; i < count; ++i)
    ++starts[group_of[order[i]] + 1];
  for (uint32_t i = 1; i <= groups.count; ++i)
    starts[i] += starts[i - 1];
  for (uint32_t i = 0; i < count; ++i)
    grouped[starts[group_of[order[i]]]++] = order[i];
  luna_plan_place_in_order(items, grouped, count, self->fit, offsets, arena);
}
