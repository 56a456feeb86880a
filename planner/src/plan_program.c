// From buffers to items: aliases become one item.

#include <string.h>

#include "plan_merge.h"

// Adds buffer `id` to the item of its place; lifetimes are only counted here.
static void widen(LunaPlanItem *item, const LunaBuffer *buffer) {
  if (item->size_bytes < buffer->size_bytes)
    item->size_bytes = buffer->size_bytes;
  if (item->align_bytes < buffer->align_bytes)
    item->align_bytes = buffer->align_bytes;
  if (buffer->is_fixed)
    item->fixed_offset_bytes = buffer->fixed_offset_bytes;
}

static bool has_choices(const LunaProblem *problem,
                        const LunaPlanItems *items) {
  if (problem->alternatives_count > 0)
    return true;
  for (uint32_t i = 0; i < items->count; ++i)
    if (items->items[i].lifetime.range_count > 1)
      return true;
  return false;
}

// Returns the time at which each step begins, or NULL if every step lasts 1.
static const int64_t *times_of(const LunaProblem *problem, LunaArena *arena) {
  bool is_even = true;
  int64_t *times =
      LUNA_ARENA_ARRAY(arena, int64_t, problem->step_nodes.count + 1);
  for (uint32_t step = 0; step < problem->step_nodes.count; ++step) {
    times[step + 1] = times[step] + problem->durations.items[step];
    is_even &= problem->durations.items[step] == 1;
  }
  return is_even ? NULL : times;
}

LunaPlanProgram luna_plan_program_make(const LunaProblem *problem,
                                       const LunaLifetime *lifetimes,
                                       unsigned kinds, LunaArena *arena) {
  LunaPlanProgram program = {.problem = problem};
  lifetimes = luna_plan_place_lifetimes(problem, lifetimes, arena);
  LunaPlanItems *items = &program.items;
  uint32_t *item_of_place =
      LUNA_ARENA_ARRAY(arena, uint32_t, problem->buffers.count);
  items->items = LUNA_ARENA_ARRAY(arena, LunaPlanItem, problem->buffers.count);
  items->point_count = problem->step_nodes.count;
  items->times = times_of(problem, arena);
  for (uint32_t id = 0; id < problem->buffers.count; ++id) {
    const LunaBuffer *buffer = &problem->buffers.items[id];
    uint32_t place = luna_plan_place_of(problem, id);
    if ((kinds >> problem->buffers.items[place].kind & 1) == 0)
      continue;
    if (place == id) {
      item_of_place[id] = items->count;
      items->items[items->count++] =
          (LunaPlanItem){.align_bytes = 1, .fixed_offset_bytes = -1, .id = id};
    }
    LunaPlanItem *item = &items->items[item_of_place[place]];
    widen(item, buffer);
    item->lifetime = lifetimes[place];
  }
  luna_plan_items_connect(items, arena);
  program.has_choices = has_choices(problem, items);
  luna_plan_program_merge(&program, arena);
  return program;
}

static bool collide(const LunaPlanItem *a, const LunaPlanItem *b) {
  return a->fixed_offset_bytes < b->fixed_offset_bytes + b->size_bytes &&
         b->fixed_offset_bytes < a->fixed_offset_bytes + a->size_bytes &&
         luna_plan_items_conflict(a, b);
}

static bool lies_below(const void *context, uint32_t a, uint32_t b) {
  const LunaPlanItem *items = context;
  return items[a].fixed_offset_bytes < items[b].fixed_offset_bytes;
}

bool luna_plan_program_fixed_collision(const LunaPlanProgram *program,
                                       uint32_t *item, uint32_t *other) {
  LunaArena scratch = {0};
  const LunaPlanItems *items = &program->items;
  uint32_t *fixed = LUNA_ARENA_ARRAY(&scratch, uint32_t, items->count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < items->count; ++i)
    if (items->items[i].fixed_offset_bytes >= 0 &&
        items->items[i].size_bytes > 0)
      fixed[count++] = i;
  luna_plan_sort(fixed, count, lies_below, items->items, &scratch);
  bool is_found = false;
  for (uint32_t i = 0; i < count && !is_found; ++i) {
    const LunaPlanItem *a = &items->items[fixed[i]];
    int64_t end = a->fixed_offset_bytes + a->size_bytes;
    for (uint32_t k = i + 1; k < count && !is_found; ++k) {
      const LunaPlanItem *b = &items->items[fixed[k]];
      if (b->fixed_offset_bytes >= end)
        break;
      is_found = collide(a, b);
      *item = a->id;
      *other = b->id;
    }
  }
  luna_arena_destroy(&scratch);
  return is_found;
}
