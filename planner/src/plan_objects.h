#ifndef LUNA_PLAN_OBJECTS_H
#define LUNA_PLAN_OBJECTS_H

#include "plan_strategy.h"

/// Shared objects: tensors that are never live together take turns in one
/// object, which is as large as the largest of them. The strategies are those
/// of TensorFlow Lite's GPU delegate (Pisarchyk and Lee, 2020), reproduced to
/// the object, ties included.

/// One tensor: live in all tasks from `first` to `last`, both included.
typedef struct PlanRecord {
  int64_t size;
  uint32_t first, last;
} PlanRecord;

/// Records that are assigned to objects. Records come by rising `first`.
struct PlanAssignment {
  const PlanRecord *records;
  uint32_t record_count;
  /// Object of each record.
  uint32_t *objects;
  int64_t *object_sizes;
  uint32_t object_count;
};

/// Makes an empty assignment of `count` records (borrowed) in `arena`.
PlanAssignment plan_assignment_make(const PlanRecord *records, uint32_t count,
                                    LunaArena *arena);

/// Adds an object and gives its index.
uint32_t plan_assignment_add(PlanAssignment *assignment, int64_t size);

/// Sum of the sizes of all objects.
int64_t plan_assignment_total(const PlanAssignment *assignment);

/// An object for each record.
void plan_assign_naive(PlanAssignment *assignment, LunaArena *arena);
/// Only objects of exactly the same size are shared, the last freed first.
/// O(n^2).
void plan_assign_equality(PlanAssignment *assignment, LunaArena *arena);
/// In order of execution, always a free object when there is one: that of the
/// closest size. O(n^2).
void plan_assign_in_order(PlanAssignment *assignment, LunaArena *arena);
/// Tasks with the largest sum of live sizes first. O(n^2).
void plan_assign_by_breadth(PlanAssignment *assignment, LunaArena *arena);
/// Largest position among the sizes live at once first, and the object free
/// for the shortest time. O(n^2 * objects).
void plan_assign_by_size(PlanAssignment *assignment, LunaArena *arena);
/// By size, or by breadth where that is smaller.
void plan_assign_best(PlanAssignment *assignment, LunaArena *arena);
/// Minimum-cost flow: the cost is by how much objects grow. O(n^3) and more.
void plan_assign_by_flow(PlanAssignment *assignment, LunaArena *arena);

/// Largest live size, second largest, … over all tasks: positional_max[k] is
/// the largest of the k-th largest sizes live at one task. In `arena`.
int64_t *plan_positional_maximums(const PlanRecord *records, uint32_t count,
                                  uint32_t *maximum_count, LunaArena *arena);

/// Offsets of objects that are laid out one behind another, each a multiple
/// of its `aligns` (NULL: 1) from `start`; gives the end of the last.
int64_t plan_objects_to_offsets(const int64_t *sizes, const int64_t *aligns,
                                uint32_t count, int64_t start,
                                int64_t *offsets);

/// Places items by the `assign` of the strategy: lifetimes count from their
/// first point to their last; objects lie one behind another, above fixed
/// items.
void plan_place_objects(const PlanStrategy *self, const PlanItems *items,
                        PlanContext *context, int64_t *offsets,
                        LunaArena *arena);

#endif // LUNA_PLAN_OBJECTS_H
