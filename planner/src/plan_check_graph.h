#ifndef PLAN_CHECK_GRAPH_H
#define PLAN_CHECK_GRAPH_H

#include "plan_problem.h"

/// The control-flow graph of the checker, for a few buffers at a time: of the
/// nodes of the program only the steps that touch one of them and what these
/// lie in, and a single node for each run of other steps between two of those,
/// which are alike to these buffers.

typedef struct LunaCheckEdge {
  uint32_t from, to;
} LunaCheckEdge;

/// A node at which steps run: [first, end). Its entry and exit are points.
typedef struct LunaCheckRun {
  uint32_t first, end;
  uint32_t node;
} LunaCheckRun;

/// A node of the program that is kept; nodes of the graph have the same index.
typedef struct LunaCheckNode {
  uint32_t id;
  uint32_t first_child, next_sibling; ///< those that are kept
} LunaCheckNode;

typedef struct LunaCheckGraph {
  const LunaProblem *problem;
  LunaArena *arena;
  LUNA_VECTOR(LunaCheckNode) kept; ///< ascending
  /// By node of the program: where it is kept, if it is.
  uint32_t *slots;
  /// All steps of the program, in order.
  LUNA_VECTOR(LunaCheckRun) runs;
  LUNA_VECTOR(LunaCheckEdge) edges;
  uint32_t node_count;
} LunaCheckGraph;

/// A point of the graph: every node has an entry and an exit; steps act between
/// the two.
static inline uint32_t plan_check_entry(uint32_t node) { return 2 * node; }
static inline uint32_t plan_check_exit(uint32_t node) { return 2 * node + 1; }

/// Returns a graph without nodes, whose memory is in `arena`.
LunaCheckGraph luna_plan_check_graph_make(const LunaProblem *problem,
                                          LunaArena *arena);

/// Makes `graph` that of steps, in any order and with repetitions.
/// O(n log n) in the nodes kept, at most count times the depth.
void luna_plan_check_graph_build(LunaCheckGraph *graph, const uint32_t *steps,
                                 uint32_t count);

/// Returns the entry of a step of the last luna_plan_check_graph_build.
uint32_t luna_plan_check_graph_entry(const LunaCheckGraph *graph,
                                     uint32_t step);

#endif // PLAN_CHECK_GRAPH_H
