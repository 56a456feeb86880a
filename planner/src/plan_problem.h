#ifndef LUNA_PLAN_PROBLEM_H
#define LUNA_PLAN_PROBLEM_H

#include "luna/plan.h"

/// The data behind LunaProblem, shared as plain data by the modules of the
/// planner and its checker.

/// "No node", "no step", "no buffer".
#define PLAN_NONE UINT32_MAX

/// Kinds of nodes: those of LunaNodeKind, and steps.
enum { PLAN_NODE_STEP = 100 };

/// Nodes in pre-order; the children of a node are linked in both directions.
typedef struct PlanNode {
  int kind;
  const char *name;
  uint32_t parent;
  uint32_t first_child;
  uint32_t last_child;
  uint32_t next_sibling;
  uint32_t prev_sibling;
  /// Steps in the subtree: [first_step, end_step), the header included.
  uint32_t first_step;
  uint32_t end_step;
  /// Loops: steps in [first_step, exit_step) run before the loop is left.
  uint32_t exit_step;
} PlanNode;

/// What one step does to one buffer.
typedef struct PlanTouch {
  uint32_t buffer;
  uint32_t step;
  bool is_define;
} PlanTouch;

/// A range of steps at which a buffer is said to be live.
typedef struct PlanPinned {
  uint32_t buffer;
  LunaSteps steps;
  /// Node whose steps are meant, known only when it is closed; or PLAN_NONE.
  uint32_t node;
} PlanPinned;

struct LunaProblem {
  LunaArena *arena;
  PlanNode *nodes;
  uint32_t node_count, node_room;
  uint32_t open_node;
  /// Node of every step.
  uint32_t *step_nodes;
  uint32_t step_count, step_room;
  /// How long each step lasts.
  int64_t *durations;
  uint32_t duration_room;
  LunaBuffer *buffers;
  /// Union-find over aliases: the parent, an index below or equal.
  uint32_t *places;
  uint32_t buffer_count, buffer_room, place_room;
  PlanTouch *touches;
  uint32_t touch_count, touch_room;
  PlanPinned *pinned;
  uint32_t pinned_count, pinned_room;
  uint32_t alternatives_count, loop_count;
  /// The first mistake in building; code NONE when there is none.
  LunaError mistake;
  /// Derived lifetimes, NULL until asked for and after a change.
  const LunaLifetime *lifetimes;
};

/// Depth of nesting that is allowed.
enum { PLAN_MAX_DEPTH = 200 };

/// Gives the buffer that stands for all that share the place of `buffer`.
uint32_t plan_place_of(const LunaProblem *problem, uint32_t buffer);

/// Checks the whole program: everything closed, sizes and alignments valid,
/// their sum below 2^62, fixed offsets aligned and the same for aliases.
bool plan_problem_validate(const LunaProblem *problem, LunaError *error);

/// Puts `text` at the end of the `length` bytes in `arena` at `*string`; the
/// way the core makes names without printf.
void plan_text_add(LunaArena *arena, const char **string, const char *text);

/// As plan_text_add, for a number in decimal.
void plan_text_add_number(LunaArena *arena, const char **string,
                          uint64_t number);

#endif // LUNA_PLAN_PROBLEM_H
