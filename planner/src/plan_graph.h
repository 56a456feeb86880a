#ifndef LUNA_PLAN_GRAPH_H
#define LUNA_PLAN_GRAPH_H

#include "plan_problem.h"

/// The flow graph of a program: its steps, and points between them where it
/// goes several ways.

/// A way from one point to another. `condition` is PLAN_NONE if it is always
/// free, else the way is that of `outcome` of the condition.
typedef struct LunaPlanWay {
  uint32_t to, condition, outcome;
} LunaPlanWay;

/// A point: the step that runs there, or PLAN_NONE, and the ways on,
/// ways[first_way .. first_way + way_count).
typedef struct LunaPlanPoint {
  uint32_t step;
  /// The next step in tree order, itself if it is one.
  uint32_t position;
  uint32_t first_way, way_count;
} LunaPlanPoint;

typedef struct LunaPlanGraph {
  LUNA_VECTOR(LunaPlanPoint) points;
  LUNA_VECTOR(LunaPlanWay) ways;
  uint32_t entry;
  /// The steps before which each condition can still be asked; 0 for one that
  /// need not be remembered.
  uint32_t *asked_before;
} LunaPlanGraph;

/// Returns the flow graph of a valid program, in `arena`. Points come in
/// descending order: each but the header of a loop after those it leads to.
/// O(nodes * depth).
LunaPlanGraph luna_plan_graph_make(const LunaProblem *problem,
                                   LunaArena *arena);

#endif // LUNA_PLAN_GRAPH_H
