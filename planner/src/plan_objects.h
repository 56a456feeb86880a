#ifndef LUNA_PLAN_OBJECTS_H
#define LUNA_PLAN_OBJECTS_H

#include "plan_strategy.h"

/// Shared objects: tensors that are never live together share one object, as
/// large as the largest of them. The strategies are those of TensorFlow Lite's
/// GPU delegate (Pisarchyk and Lee, 2020), reproduced exactly, ties included.

/// A tensor, live in the tasks from `first` to `last`, inclusive.
typedef struct LunaPlanUsage {
  int64_t size;
  uint32_t first, last;
} LunaPlanUsage;

/// An assignment of records to objects. Records are sorted by `first`.
struct LunaPlanAssignment {
  const LunaPlanUsage *records;
  uint32_t record_count;
  /// The time at which each task begins, and the end of the last; NULL if every
  /// task lasts 1. Distances in time go by it.
  const int64_t *times;
  /// The object of each record.
  uint32_t *objects;
  int64_t *object_sizes;
  uint32_t object_count;
};

/// Creates an empty assignment of `count` records (borrowed) in `arena`.
LunaPlanAssignment luna_plan_assignment_make(const LunaPlanUsage *records,
                                             uint32_t count, LunaArena *arena);

/// Adds an object and returns its index.
uint32_t luna_plan_assignment_add(LunaPlanAssignment *assignment, int64_t size);

/// Returns the sum of the sizes of all objects.
int64_t luna_plan_assignment_total(const LunaPlanAssignment *assignment);

/// Assigns an object to each record.
void luna_plan_assign_naive(LunaPlanAssignment *assignment, LunaArena *arena);
/// Shares only objects of exactly the same size, the last freed first. O(n^2).
void luna_plan_assign_equality(LunaPlanAssignment *assignment,
                               LunaArena *arena);
/// Assigns in order of execution the free object of the closest size, if there
/// is one. O(n^2).
void luna_plan_assign_in_order(LunaPlanAssignment *assignment,
                               LunaArena *arena);
/// Assigns the tasks with the largest sum of live sizes first. O(n^2).
void luna_plan_assign_by_breadth(LunaPlanAssignment *assignment,
                                 LunaArena *arena);
/// Assigns by the largest position among the sizes live at once, to the object
/// with the shortest idle time. O(n^2 * objects).
void luna_plan_assign_by_size(LunaPlanAssignment *assignment, LunaArena *arena);
/// Assigns by size, or by breadth if that is smaller.
void luna_plan_assign_best(LunaPlanAssignment *assignment, LunaArena *arena);
/// Assigns by minimum-cost flow; the cost is the growth of objects. O(n^3) or
/// more.
void luna_plan_assign_by_flow(LunaPlanAssignment *assignment, LunaArena *arena);

/// Returns the positional maximums, in `arena`: entry k is the largest, over
/// all tasks, of the k-th largest size live at a task.
int64_t *luna_plan_positional_maximums(const LunaPlanUsage *records,
                                       uint32_t count, uint32_t *maximum_count,
                                       LunaArena *arena);

/// Writes the offsets of objects laid out in sequence from `start`, each a
/// multiple of its entry in `aligns` (NULL: 1). Returns the end of the last.
int64_t luna_plan_objects_to_offsets(const int64_t *sizes,
                                     const int64_t *aligns, uint32_t count,
                                     int64_t start, int64_t *offsets);

/// Places items by the `assign` of the strategy: lifetimes extend from their
/// first point to their last; objects are laid out in sequence above fixed
/// items.
void luna_plan_place_objects(const LunaPlanStrategy *self,
                             const LunaPlanItems *items,
                             LunaPlanContext *context, int64_t *offsets,
                             LunaArena *arena);

#endif // LUNA_PLAN_OBJECTS_H
