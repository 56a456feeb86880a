// Shared objects by breadth and by size.

#include <string.h>

#include "luna/vector.h"
#include "plan_objects.h"

#define NONE UINT32_MAX

static bool overlap(LunaPlanUsage a, LunaPlanUsage b) {
  return a.first <= b.last && b.first <= a.last;
}

static uint32_t count_tasks(const LunaPlanUsage *records, uint32_t count) {
  uint32_t tasks = 0;
  for (uint32_t i = 0; i < count; ++i)
    if (tasks <= records[i].last)
      tasks = records[i].last + 1;
  return tasks;
}

static bool is_larger_record(const void *context, uint32_t a, uint32_t b) {
  const LunaPlanUsage *records = context;
  return records[a].size > records[b].size;
}

// Returns all records by descending size, ties by index.
static uint32_t *order_by_size(const LunaPlanUsage *records, uint32_t count,
                               LunaArena *arena) {
  uint32_t *order = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  for (uint32_t i = 0; i < count; ++i)
    order[i] = i;
  luna_plan_sort(order, count, is_larger_record, records, arena);
  return order;
}

int64_t *luna_plan_positional_maximums(const LunaPlanUsage *records,
                                       uint32_t count, uint32_t *maximum_count,
                                       LunaArena *arena) {
  uint32_t tasks = count_tasks(records, count);
  const uint32_t *order = order_by_size(records, count, arena);
  int64_t *maximums = LUNA_ARENA_ARRAY(arena, int64_t, count);
  // Sizes are descending: at each task the next position is filled, and the
  // first to fill it at any task is its maximum.
  uint32_t *filled = LUNA_ARENA_ARRAY(arena, uint32_t, tasks);
  *maximum_count = 0;
  for (uint32_t i = 0; i < count; ++i) {
    LunaPlanUsage record = records[order[i]];
    for (uint32_t task = record.first; task <= record.last; ++task) {
      if (filled[task] == *maximum_count)
        maximums[(*maximum_count)++] = record.size;
      ++filled[task];
    }
  }
  return maximums;
}

static bool is_broader(const void *context, uint32_t a, uint32_t b) {
  const int64_t *breadths = context;
  return breadths[a] > breadths[b];
}

// Returns the tasks by descending sum of live sizes, ties by index.
static uint32_t *order_tasks(const LunaPlanAssignment *assignment,
                             uint32_t tasks, LunaArena *arena) {
  int64_t *breadths = LUNA_ARENA_ARRAY(arena, int64_t, tasks + 1);
  for (uint32_t i = 0; i < assignment->record_count; ++i) {
    LunaPlanUsage record = assignment->records[i];
    breadths[record.first] += record.size;
    breadths[record.last + 1] -= record.size;
  }
  uint32_t *order = LUNA_ARENA_ARRAY(arena, uint32_t, tasks);
  for (uint32_t task = 0; task < tasks; ++task) {
    breadths[task] += task > 0 ? breadths[task - 1] : 0;
    order[task] = task;
  }
  luna_plan_sort(order, tasks, is_broader, breadths, arena);
  return order;
}

// The records of each object as a list.
typedef struct Schedules {
  uint32_t *first_of_object, *next;
} Schedules;

static Schedules make_schedules(uint32_t count, LunaArena *arena) {
  Schedules schedules = {0};
  schedules.first_of_object = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  schedules.next = LUNA_ARENA_ARRAY(arena, uint32_t, count);
  memset(schedules.first_of_object, 0xff, sizeof(uint32_t) * count);
  return schedules;
}

static bool is_object_free(const LunaPlanAssignment *assignment,
                           const Schedules *schedules, uint32_t object,
                           LunaPlanUsage record) {
  for (uint32_t i = schedules->first_of_object[object]; i != NONE;
       i = schedules->next[i])
    if (overlap(assignment->records[i], record))
      return false;
  return true;
}

// Assigns one record: a larger object is better while the best is too small;
// then a smaller one that is large enough.
static void assign_closest(LunaPlanAssignment *assignment, Schedules *schedules,
                           uint32_t id) {
  LunaPlanUsage record = assignment->records[id];
  int64_t *sizes = assignment->object_sizes;
  uint32_t best = NONE;
  for (uint32_t object = 0; object < assignment->object_count; ++object) {
    bool is_better = best == NONE || (sizes[best] < record.size
                                          ? sizes[object] > sizes[best]
                                          : sizes[object] < sizes[best] &&
                                                sizes[object] >= record.size);
    if (is_better && is_object_free(assignment, schedules, object, record))
      best = object;
  }
  if (best == NONE)
    best = luna_plan_assignment_add(assignment, record.size);
  if (sizes[best] < record.size)
    sizes[best] = record.size;
  assignment->objects[id] = best;
  schedules->next[id] = schedules->first_of_object[best];
  schedules->first_of_object[best] = id;
}

void luna_plan_assign_by_breadth(LunaPlanAssignment *assignment,
                                 LunaArena *arena) {
  uint32_t count = assignment->record_count;
  uint32_t tasks = count_tasks(assignment->records, count);
  const uint32_t *task_order = order_tasks(assignment, tasks, arena);
  uint32_t *by_size = order_by_size(assignment->records, count, arena);
  Schedules schedules = make_schedules(count, arena);
  uint32_t left = count;
  for (uint32_t t = 0; t < tasks && left > 0; ++t) {
    uint32_t task = task_order[t], kept = 0;
    for (uint32_t i = 0; i < left; ++i) {
      LunaPlanUsage record = assignment->records[by_size[i]];
      if (record.first <= task && task <= record.last)
        assign_closest(assignment, &schedules, by_size[i]);
      else
        by_size[kept++] = by_size[i];
    }
    left = kept;
  }
}

// The priority of a record, and its distance to every object.
typedef struct Priority {
  uint32_t position;
  uint32_t best_object;
  uint64_t best_distance;
  LUNA_VECTOR(uint64_t) distances;
} Priority;

// The distance of an object that conflicts with the record or is empty.
#define FAR UINT64_MAX
#define UNKNOWN (UINT64_MAX - 1)

static bool comes_before(const LunaPlanAssignment *assignment,
                         const Priority *all, uint32_t a, uint32_t b) {
  if (all[a].position != all[b].position)
    return all[a].position < all[b].position;
  if (all[a].best_distance != all[b].best_distance)
    return all[a].best_distance < all[b].best_distance;
  return assignment->records[a].size > assignment->records[b].size;
}

static void find_best_object(Priority *priority) {
  priority->best_distance = FAR;
  priority->best_object = NONE;
  for (uint32_t object = 0; object < priority->distances.count; ++object)
    if (priority->distances.items[object] < priority->best_distance) {
      priority->best_distance = priority->distances.items[object];
      priority->best_object = object;
    }
}

// Returns the tasks from the last of one record to the first of a later one.
static uint64_t distance(const LunaPlanAssignment *assignment,
                         LunaPlanUsage record, LunaPlanUsage later) {
  const int64_t *times = assignment->times;
  if (!times)
    return later.first - record.last;
  return (uint64_t)(times[later.first] - times[record.last + 1]) + 1;
}

// Updates the distances of an unassigned record after `taken` was assigned to
// `object`.
static void update_distance(const LunaPlanAssignment *assignment,
                            Priority *priority, LunaPlanUsage record,
                            uint32_t object, LunaPlanUsage taken) {
  uint64_t *known = &priority->distances.items[object];
  if (overlap(record, taken)) {
    *known = FAR;
    if (priority->best_object == object)
      find_best_object(priority);
    return;
  }
  uint64_t gap = record.last < taken.first
                     ? distance(assignment, record, taken)
                     : distance(assignment, taken, record);
  if (*known == FAR || *known <= gap)
    return;
  *known = gap;
  if (gap < priority->best_distance) {
    priority->best_distance = gap;
    priority->best_object = object;
  }
}

static Priority *make_priorities(const LunaPlanAssignment *assignment,
                                 LunaArena *arena) {
  uint32_t count = assignment->record_count, maximum_count = 0;
  const int64_t *maximums = luna_plan_positional_maximums(
      assignment->records, count, &maximum_count, arena);
  Priority *all = LUNA_ARENA_ARRAY(arena, Priority, count);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t position = 0;
    while (position < maximum_count &&
           assignment->records[i].size <= maximums[position])
      ++position;
    // There are rarely more objects than records live at once: rows grow as
    // objects are added.
    all[i] = (Priority){
        .position = position - 1, .best_object = NONE, .best_distance = FAR};
  }
  return all;
}

void luna_plan_assign_by_size(LunaPlanAssignment *assignment,
                              LunaArena *arena) {
  uint32_t count = assignment->record_count;
  const LunaPlanUsage *records = assignment->records;
  Priority *all = make_priorities(assignment, arena);
  for (uint32_t round = 0; round < count; ++round) {
    uint32_t next = NONE;
    for (uint32_t i = 0; i < count; ++i)
      if (assignment->objects[i] == NONE &&
          (next == NONE || comes_before(assignment, all, i, next)))
        next = i;
    uint32_t object = all[next].best_object;
    if (all[next].best_distance == FAR) {
      object = luna_plan_assignment_add(assignment, records[next].size);
      for (uint32_t i = 0; i < count; ++i)
        *LUNA_VECTOR_ADD(arena, &all[i].distances) = UNKNOWN;
    }
    if (assignment->object_sizes[object] < records[next].size)
      assignment->object_sizes[object] = records[next].size;
    assignment->objects[next] = object;
    for (uint32_t i = 0; i < count; ++i)
      if (assignment->objects[i] == NONE)
        update_distance(assignment, &all[i], records[i], object, records[next]);
  }
}

void luna_plan_assign_best(LunaPlanAssignment *assignment, LunaArena *arena) {
  LunaPlanAssignment by_breadth = luna_plan_assignment_make(
      assignment->records, assignment->record_count, arena);
  by_breadth.times = assignment->times;
  luna_plan_assign_by_size(assignment, arena);
  luna_plan_assign_by_breadth(&by_breadth, arena);
  if (luna_plan_assignment_total(&by_breadth) <
      luna_plan_assignment_total(assignment))
    *assignment = by_breadth;
}
