#ifndef LUNA_PLAN_CONTENTS_H
#define LUNA_PLAN_CONTENTS_H

#include "plan_graph.h"

/// Which buffers hold the same contents, on every path.
///
/// A state is a point of the program with the buffers that are live there, in
/// classes that hold the same contents, and the conditions that were decided.
/// Paths that come to the same state go on as one, so that loops end and a
/// chain of branches has about as many states as points.

/// A way from one state to the next: class `i` there is class `classes[i]`
/// behind the step of this one.
typedef struct LunaPlanPassage {
  uint32_t state;
  const uint32_t *classes;
} LunaPlanPassage;

/// A state, and what its step does. Classes [0, class_count) are there before
/// it, those up to end_class behind it.
typedef struct LunaPlanState {
  uint32_t point;
  /// The point, the number of conditions, then pairs: decided conditions with
  /// their outcomes, live buffers with their classes, both ascending.
  const uint32_t *words;
  uint32_t condition_count, buffer_count;
  uint32_t class_count, end_class;
  /// By class: a buffer that holds it.
  const uint32_t *holders;
  /// By class: the step reads it; the step makes it.
  const bool *is_read, *is_made;
  /// By class that the step makes by modifying a buffer: what the buffer held
  /// before; else PLAN_NONE.
  const uint32_t *replaced;
  const LunaPlanPassage *passages;
  uint32_t passage_count;
  /// The state and the way that led here first; PLAN_NONE at the entry.
  uint32_t previous, way;
} LunaPlanState;

typedef struct LunaPlanContents {
  LunaPlanGraph graph;
  LUNA_VECTOR(LunaPlanState) states;
  /// True if every path was followed to its end.
  bool is_complete;
} LunaPlanContents;

/// Follows the contents of a valid program, in `arena`.
///
/// At most 4,096 states are kept of each point, and fewer where they would take
/// too much memory, but four; the paths through others are left out. O(states * live buffers).
LunaPlanContents luna_plan_contents_follow(const LunaProblem *problem,
                                           const LunaLifetime *lifetimes,
                                           LunaArena *arena);

#endif // LUNA_PLAN_CONTENTS_H
