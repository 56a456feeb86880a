#ifndef LUNA_PLAN_PROBLEM_H
#define LUNA_PLAN_PROBLEM_H

#include "luna/plan.h"
#include "luna/vector.h"

/// The definition of LunaProblem, shared as plain data by the modules of the
/// planner and its checker.

/// "No node", "no step", "no buffer".
#define PLAN_NONE UINT32_MAX

/// Kinds of nodes: those of LunaNodeKind, and steps.
enum { PLAN_NODE_STEP = 100 };

/// A node. Nodes are in pre-order; the children of a node are doubly linked.
typedef struct LunaPlanNode {
  int kind;
  const char *name;
  uint32_t parent;
  uint32_t first_child;
  uint32_t last_child;
  uint32_t next_sibling;
  uint32_t prev_sibling;
  uint32_t child_count;
  /// The number of siblings before it.
  uint32_t index;
  /// Steps in the subtree: [first_step, end_step), the header included.
  uint32_t first_step;
  uint32_t end_step;
  /// Loops: the steps in [first_step, exit_step) run before the exit.
  uint32_t exit_step;
  /// Alternatives: what they go by, or PLAN_NONE.
  uint32_t condition;
  bool is_negated;
} LunaPlanNode;

/// What a step does to a buffer, in bits.
enum {
  PLAN_DISCARDS = 1,
  /// Overwrites it by the contents of another.
  PLAN_MOVES_IN = 2,
  /// Overwrites it by contents of its own.
  PLAN_MAKES = 4,
  PLAN_DEFINES = PLAN_MOVES_IN | PLAN_MAKES,
  /// Reads the contents from before the step, whatever it defines.
  PLAN_MOVES_AWAY = 8,
  PLAN_READS = 16,
  /// Reads or modifies it.
  PLAN_MODIFIES = 32,
  PLAN_USES = PLAN_READS | PLAN_MODIFIES,
};

/// The access of one step to one buffer.
typedef struct LunaPlanTouch {
  uint32_t buffer;
  uint32_t step;
  unsigned access;
} LunaPlanTouch;

typedef struct LunaPlanMove {
  uint32_t step, from, to;
} LunaPlanMove;

/// A range of steps at which the caller made a buffer live.
typedef struct LunaPlanPinned {
  uint32_t buffer;
  LunaSteps steps;
} LunaPlanPinned;

struct LunaProblem {
  LunaArena *arena;
  LUNA_VECTOR(LunaPlanNode) nodes;
  uint32_t open_node;
  /// The node of every step.
  LUNA_VECTOR(uint32_t) step_nodes;
  /// The duration of each step.
  LUNA_VECTOR(int64_t) durations;
  LUNA_VECTOR(LunaBuffer) buffers;
  /// Union-find over aliases: the parent of each buffer, an index below or
  /// equal.
  LUNA_VECTOR(uint32_t) places;
  LUNA_VECTOR(LunaPlanTouch) touches;
  LUNA_VECTOR(LunaPlanMove) moves;
  LUNA_VECTOR(LunaPlanPinned) pinned;
  uint32_t alternatives_count, loop_count;
  uint32_t condition_count; ///< the highest condition plus one
  /// The first error in building; code NONE if there is none.
  LunaError mistake;
  /// The derived lifetimes, NULL until computed and after a change.
  const LunaLifetime *lifetimes;
};

/// The maximum nesting depth: a branch is two nodes.
enum { PLAN_MAX_DEPTH = 600 };

/// Returns the representative of the aliases of `buffer`, the lowest of them.
/// Shortens the chain that leads to it: amortised O(log n).
uint32_t luna_plan_place_of(const LunaProblem *problem, uint32_t buffer);

/// Returns the union of ranges, empty and overlapping ones among them, in any
/// order: a lifetime in `arena`. O(n log n).
LunaLifetime luna_plan_unite_ranges(const LunaSteps *ranges, uint32_t count,
                                    LunaArena *scratch, LunaArena *arena);

/// Returns the lifetime of every place, in `arena`: the union of those of all
/// aliases at their representative, none at the others. O(n log n).
const LunaLifetime *luna_plan_place_lifetimes(const LunaProblem *problem,
                                              const LunaLifetime *lifetimes,
                                              LunaArena *arena);

/// Checks the program: all nodes are closed, sizes and alignments are valid,
/// their sum is below 2^62, fixed offsets are aligned and equal for aliases.
bool luna_plan_problem_validate(const LunaProblem *problem, LunaError *error);

/// Appends `text` to `*string`, in `arena`.
void luna_plan_text_add(LunaArena *arena, const char **string,
                        const char *text);

/// As luna_plan_text_add, for a number in decimal.
void luna_plan_text_add_number(LunaArena *arena, const char **string,
                               uint64_t number);

#endif // LUNA_PLAN_PROBLEM_H
