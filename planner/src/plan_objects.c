#include "plan_objects.h"

#include <string.h>

#include "luna/checked.h"

LunaPlanAssignment luna_plan_assignment_make(const LunaPlanUsage *records,
                                             uint32_t count, LunaArena *arena) {
  LunaPlanAssignment assignment = {.records = records, .record_count = count};
  assignment.objects = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  assignment.object_sizes = LUNA_ARENA_ARRAY(arena, int64_t, count);
  memset(assignment.objects, 0xff, sizeof(uint32_t) * count);
  return assignment;
}

uint32_t luna_plan_assignment_add(LunaPlanAssignment *assignment,
                                  int64_t size) {
  assignment->object_sizes[assignment->object_count] = size;
  return assignment->object_count++;
}

int64_t luna_plan_assignment_total(const LunaPlanAssignment *assignment) {
  int64_t total = 0;
  for (uint32_t i = 0; i < assignment->object_count; ++i)
    total += assignment->object_sizes[i];
  return total;
}

int64_t luna_plan_objects_to_offsets(const int64_t *sizes,
                                     const int64_t *aligns, uint32_t count,
                                     int64_t start, int64_t *offsets) {
  int64_t top = start;
  for (uint32_t i = 0; i < count; ++i) {
    offsets[i] = aligns ? luna_align_up(top, aligns[i]) : top;
    top = offsets[i] + sizes[i];
  }
  return top;
}

static bool is_first(const void *context, uint32_t a, uint32_t b) {
  const LunaPlanItem *items = ((const LunaPlanItems *)context)->items;
  return plan_item_first(&items[a]) < plan_item_first(&items[b]);
}

// Returns the non-empty items without a fixed offset, by first point.
static uint32_t *order_records(const LunaPlanItems *items, uint32_t *count,
                               LunaArena *arena) {
  uint32_t *order = LUNA_ARENA_ARRAY(arena, uint32_t, items->count);
  *count = 0;
  for (uint32_t i = 0; i < items->count; ++i) {
    const LunaPlanItem *item = &items->items[i];
    if (item->fixed_offset_bytes < 0 && item->size_bytes > 0 &&
        item->lifetime.range_count > 0)
      order[(*count)++] = i;
  }
  luna_plan_sort(order, *count, is_first, items, arena);
  return order;
}

static int64_t fixed_top(const LunaPlanItems *items) {
  int64_t top = 0;
  for (uint32_t i = 0; i < items->count; ++i) {
    const LunaPlanItem *item = &items->items[i];
    int64_t end = item->fixed_offset_bytes + item->size_bytes;
    if (item->fixed_offset_bytes >= 0 && top < end)
      top = end;
  }
  return top;
}

void luna_plan_place_objects(const LunaPlanStrategy *self,
                             const LunaPlanItems *items,
                             LunaPlanContext *context, int64_t *offsets,
                             LunaArena *arena) {
  (void)context;
  uint32_t count = 0;
  const uint32_t *order = order_records(items, &count, arena);
  LunaPlanUsage *records = LUNA_ARENA_ARRAY(arena, LunaPlanUsage, count);
  for (uint32_t i = 0; i < count; ++i) {
    const LunaPlanItem *item = &items->items[order[i]];
    records[i] = (LunaPlanUsage){.size = item->size_bytes,
                                 .first = plan_item_first(item),
                                 .last = plan_item_end(item) - 1};
  }
  LunaPlanAssignment assignment =
      luna_plan_assignment_make(records, count, arena);
  assignment.times = items->times;
  self->assign(&assignment, arena);
  int64_t *aligns = LUNA_ARENA_ARRAY(arena, int64_t, assignment.object_count);
  for (uint32_t i = 0; i < count; ++i) {
    int64_t *align = &aligns[assignment.objects[i]];
    int64_t own = items->items[order[i]].align_bytes;
    *align = *align < own ? own : *align;
  }
  int64_t *places = LUNA_ARENA_ARRAY(arena, int64_t, assignment.object_count);
  luna_plan_objects_to_offsets(assignment.object_sizes, aligns,
                               assignment.object_count, fixed_top(items),
                               places);
  for (uint32_t i = 0; i < items->count; ++i)
    offsets[i] = items->items[i].fixed_offset_bytes >= 0
                     ? items->items[i].fixed_offset_bytes
                     : 0;
  for (uint32_t i = 0; i < count; ++i)
    offsets[order[i]] = places[assignment.objects[i]];
}

void luna_plan_assign_naive(LunaPlanAssignment *assignment, LunaArena *arena) {
  (void)arena;
  for (uint32_t i = 0; i < assignment->record_count; ++i)
    assignment->objects[i] =
        luna_plan_assignment_add(assignment, assignment->records[i].size);
}

// An object in use until a task.
typedef struct Used {
  uint32_t last, object;
} Used;

// The objects in use, the first to be freed last; and the free objects.
typedef struct Pool {
  Used *used;
  uint32_t used_count;
  uint32_t *free;
  uint32_t free_count;
} Pool;

static Pool make_pool(uint32_t count, LunaArena *arena) {
  Pool pool = {0};
  pool.used = LUNA_ARENA_ARRAY(arena, Used, count);
  pool.free = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  return pool;
}

static void put_in_use(Pool *pool, uint32_t last, uint32_t object) {
  uint32_t at = pool->used_count++;
  for (; at > 0; --at) {
    Used other = pool->used[at - 1];
    if (other.last > last || (other.last == last && other.object > object))
      break;
    pool->used[at] = other;
  }
  pool->used[at] = (Used){last, object};
}

// Removes the next object that is free before task `first`. Returns false if
// there is none.
static bool take_freed(Pool *pool, uint32_t first, uint32_t *object) {
  if (pool->used_count == 0 || pool->used[pool->used_count - 1].last >= first)
    return false;
  *object = pool->used[--pool->used_count].object;
  return true;
}

static uint32_t take_free(Pool *pool, uint32_t index) {
  uint32_t object = pool->free[index];
  --pool->free_count;
  memmove(pool->free + index, pool->free + index + 1,
          sizeof(uint32_t) * (pool->free_count - index));
  return object;
}

void luna_plan_assign_equality(LunaPlanAssignment *assignment,
                               LunaArena *arena) {
  Pool pool = make_pool(assignment->record_count, arena);
  const int64_t *sizes = assignment->object_sizes;
  for (uint32_t i = 0; i < assignment->record_count; ++i) {
    LunaPlanUsage record = assignment->records[i];
    uint32_t object = 0;
    while (take_freed(&pool, record.first, &object))
      pool.free[pool.free_count++] = object;
    // The free object of this size that was freed last.
    uint32_t at = pool.free_count;
    while (at > 0 && sizes[pool.free[at - 1]] != record.size)
      --at;
    object = at > 0 ? take_free(&pool, at - 1)
                    : luna_plan_assignment_add(assignment, record.size);
    assignment->objects[i] = object;
    put_in_use(&pool, record.last, object);
  }
}

// Inserts a free object by size, then by index.
static void put_by_size(Pool *pool, const int64_t *sizes, uint32_t object) {
  uint32_t at = pool->free_count++;
  for (; at > 0; --at) {
    uint32_t other = pool->free[at - 1];
    if (sizes[other] < sizes[object] ||
        (sizes[other] == sizes[object] && other < object))
      break;
    pool->free[at] = other;
  }
  pool->free[at] = object;
}

void luna_plan_assign_in_order(LunaPlanAssignment *assignment,
                               LunaArena *arena) {
  Pool pool = make_pool(assignment->record_count, arena);
  int64_t *sizes = assignment->object_sizes;
  for (uint32_t i = 0; i < assignment->record_count; ++i) {
    LunaPlanUsage record = assignment->records[i];
    uint32_t object = 0;
    while (take_freed(&pool, record.first, &object))
      put_by_size(&pool, sizes, object);
    if (pool.free_count == 0) {
      object = luna_plan_assignment_add(assignment, record.size);
    } else {
      // The smallest that is large enough, or the one below it if that is
      // strictly closer.
      uint32_t at = 0;
      while (at < pool.free_count && sizes[pool.free[at]] < record.size)
        ++at;
      bool is_below = at == pool.free_count ||
                      (at > 0 && record.size - sizes[pool.free[at - 1]] <
                                     sizes[pool.free[at]] - record.size);
      object = take_free(&pool, is_below ? at - 1 : at);
    }
    if (sizes[object] < record.size)
      sizes[object] = record.size;
    assignment->objects[i] = object;
    put_in_use(&pool, record.last, object);
  }
}
