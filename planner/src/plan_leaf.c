#include "plan_leaf.h"

#include <string.h>

#include "luna/checked.h"
#include "plan_clique.h"
#include "plan_sort.h"

int64_t luna_plan_unit_bytes(const LunaPlanItems *items) {
  int64_t unit = 0;
  for (uint32_t i = 0; i < items->count; ++i) {
    const LunaPlanItem *item = &items->items[i];
    unit = luna_gcd(unit, item->size_bytes);
    if (item->fixed_offset_bytes > 0)
      unit = luna_gcd(unit, item->fixed_offset_bytes);
  }
  for (uint32_t i = 0; i < items->count; ++i)
    if (unit % items->items[i].align_bytes != 0)
      unit = luna_gcd(unit, items->items[i].align_bytes);
  return unit > 0 ? unit : 1;
}

// A set of items that conflict with none outside it, to be divided into leaves.
typedef struct Group {
  uint32_t *members;
  uint32_t count;
  int64_t base_bytes;
} Group;

typedef struct Parting {
  const LunaPlanItems *items;
  int64_t unit_bytes;
  LunaPlanWithout without;
  int64_t *offsets;
  LunaArena *arena;
  // The group or component in which an item was last; 0 if none.
  uint32_t *mark;
  uint32_t last_mark;
  // The groups that remain to be decomposed: at most one per item.
  Group *groups;
  uint32_t group_count;
  LunaPlanLeaves leaves;
} Parting;

static bool is_lower(const void *context, uint32_t a, uint32_t b) {
  (void)context;
  return a < b;
}

// Collects and re-marks the items marked `from` that are connected to `item`.
static Group connect(Parting *parting, uint32_t item, uint32_t from,
                     uint32_t room) {
  const LunaPlanItems *items = parting->items;
  uint32_t *queue = LUNA_ARENA_ARRAY(parting->arena, uint32_t, room);
  uint32_t count = 0, to = ++parting->last_mark;
  queue[count++] = item;
  parting->mark[item] = to;
  for (uint32_t at = 0; at < count; ++at)
    for (uint64_t k = items->neighbour_starts[queue[at]];
         k < items->neighbour_starts[queue[at] + 1]; ++k) {
      uint32_t other = items->neighbours[k];
      if (parting->mark[other] != from)
        continue;
      parting->mark[other] = to;
      queue[count++] = other;
    }
  luna_plan_sort(queue, count, is_lower, NULL, parting->arena);
  return (Group){.members = queue, .count = count};
}

// Returns true if no item of a group has a fixed offset, or an alignment above
// the unit.
static bool is_free(const Parting *parting, const Group *group) {
  for (uint32_t i = 0; i < group->count; ++i) {
    const LunaPlanItem *item = &parting->items->items[group->members[i]];
    if (item->fixed_offset_bytes >= 0 ||
        item->align_bytes > parting->unit_bytes)
      return false;
  }
  return true;
}

// Places the members of a connected group that conflict with all others at the
// bottom and removes them; returns their number.
static uint32_t peel(Parting *parting, Group *group) {
  const LunaPlanItems *items = parting->items;
  if (!plan_tries(&parting->without, PLAN_TRICK_PEEL) ||
      !is_free(parting, group))
    return 0;
  uint32_t kept = 0, count = group->count;
  uint32_t id = parting->mark[group->members[0]];
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t item = group->members[i], met = 1;
    for (uint64_t k = items->neighbour_starts[item];
         k < items->neighbour_starts[item + 1]; ++k)
      met += parting->mark[items->neighbours[k]] == id;
    if (met < count) {
      group->members[kept++] = item;
      continue;
    }
    parting->offsets[item] = group->base_bytes;
    group->base_bytes += items->items[item].size_bytes;
  }
  group->count = kept;
  return count - kept;
}

// Decomposes a group: its components become leaves, or groups again if items
// were peeled off.
static void take_group_apart(Parting *parting, Group group) {
  uint32_t id = ++parting->last_mark;
  for (uint32_t i = 0; i < group.count; ++i)
    parting->mark[group.members[i]] = id;
  uint32_t left = group.count;
  for (uint32_t i = 0; i < group.count; ++i) {
    if (parting->mark[group.members[i]] != id)
      continue;
    Group part = connect(parting, group.members[i], id, left);
    part.base_bytes = group.base_bytes;
    left -= part.count;
    uint32_t peeled = peel(parting, &part);
    if (parting->leaves.clique_bytes < part.base_bytes)
      parting->leaves.clique_bytes = part.base_bytes;
    if (peeled > 0 && part.count > 0)
      parting->groups[parting->group_count++] = part;
    else if (part.count > 0)
      parting->leaves.leaves[parting->leaves.count++] =
          (LunaPlanLeaf){.members = part.members,
                         .member_count = part.count,
                         .base_bytes = part.base_bytes};
  }
}

// Looks for cliques of more bytes than any point has.
static void find_cliques(Parting *parting) {
  LunaPlanLeaves *leaves = &parting->leaves;
  int64_t bound = luna_plan_items_bound(parting->items).bytes;
  if (leaves->clique_bytes < bound)
    leaves->clique_bytes = bound;
  for (uint32_t i = 0;
       i < leaves->count && plan_tries(&parting->without, PLAN_TRICK_CLIQUES);
       ++i) {
    const LunaPlanLeaf *leaf = &leaves->leaves[i];
    leaves->clique_bytes =
        leaf->base_bytes +
        luna_plan_clique_bytes(
            parting->items, leaf->members, leaf->member_count,
            leaves->clique_bytes - leaf->base_bytes, parting->arena);
  }
}

LunaPlanLeaves luna_plan_decompose(const LunaPlanItems *items,
                                   int64_t unit_bytes,
                                   const LunaPlanWithout *without,
                                   int64_t *offsets, LunaArena *arena) {
  Parting parting = {.items = items,
                     .unit_bytes = unit_bytes,
                     .without = *without,
                     .offsets = offsets,
                     .arena = arena};
  parting.mark = LUNA_ARENA_ARRAY(arena, uint32_t, items->count);
  parting.groups = LUNA_ARENA_ARRAY(arena, Group, items->count + 1);
  parting.leaves.leaves = LUNA_ARENA_ARRAY(arena, LunaPlanLeaf, items->count);
  Group all = {.members = LUNA_ARENA_ARRAY(arena, uint32_t, items->count)};
  for (uint32_t i = 0; i < items->count; ++i) {
    const LunaPlanItem *item = &items->items[i];
    offsets[i] = item->fixed_offset_bytes > 0 ? item->fixed_offset_bytes : 0;
    if (item->size_bytes > 0 && item->lifetime.range_count > 0)
      all.members[all.count++] = i;
  }
  parting.groups[parting.group_count++] = all;
  while (parting.group_count > 0)
    take_group_apart(&parting, parting.groups[--parting.group_count]);
  find_cliques(&parting);
  return parting.leaves;
}
