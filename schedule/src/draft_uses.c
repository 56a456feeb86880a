#include "draft_uses.h"

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

typedef struct Walk {
  LunaArena *arena;
  const LunaUse *edge;
  LunaMap names; // values whose uses were followed
  LunaAccesses accesses;
} Walk;

static void follow(Walk *walk, LunaValue *value);

// Returns true if `block`, of a region of `parent`, runs only where the region
// of `edge` does not.
static bool is_elsewhere(const LunaUse *edge, LunaOp *parent,
                         LunaBlock *block) {
  return draft_ancestor(edge->op, parent->block) == parent &&
         !draft_ancestor(edge->op, block);
}

// A use by a terminator: what the parent makes of it.
static void follow_terminator(Walk *walk, LunaOp *terminator, uint32_t number) {
  LunaOp *branch = draft_parent(terminator);
  const LunaUse *edge = walk->edge;
  if (!draft_is_branch(branch)) {
    walk->accesses.is_complete = false;
    return;
  }
  bool is_edge =
      edge && branch == draft_parent(edge->op) && number == edge->number;
  if (!is_edge && !(edge && is_elsewhere(edge, branch, terminator->block)))
    follow(walk, branch->results[number]);
}

static void follow_use(Walk *walk, LunaOp *op, uint32_t number) {
  if (op->kind == LUNA_MODEL_PASS) {
    follow_terminator(walk, op, number);
    return;
  }
  if (draft_is_loop(op))
    walk->accesses.is_complete = false;
  if (!draft_renames(op))
    *LUNA_VECTOR_ADD(walk->arena, &walk->accesses) = op;
  for (uint32_t i = 0; i < op->result_count; ++i)
    follow(walk, op->results[i]);
}

// Returns true if a loop carries the value under a name that nobody uses.
static bool is_dead_name(LunaUse *use) {
  LunaOp *op = use->op;
  return (draft_is_loop(op) || draft_is_loop(draft_parent(op))) &&
         draft_merges_names(op) && draft_is_unused_name(use);
}

static void follow(Walk *walk, LunaValue *value) {
  uint64_t known = walk->names.keys.count;
  if (luna_map_add(&walk->names, walk->arena, luna_map_pointer(value)) < known)
    return;
  for (LunaUse *use = value->first_use; use; use = use->next)
    if (!is_dead_name(use))
      follow_use(walk, use->op, use->number);
}

LunaAccesses draft_accesses_of(LunaValue *value, const LunaUse *edge,
                               LunaArena *arena) {
  Walk walk = {.arena = arena, .edge = edge, .accesses = {.is_complete = true}};
  follow(&walk, value);
  return walk.accesses;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

bool draft_runs_after(LunaOp *op, LunaOp *other) {
  for (LunaOp *at = other;; at = draft_parent(at)) {
    LunaOp *around = draft_ancestor(op, at->block);
    if (around)
      return at != around && draft_is_before(at, around);
  }
}

// Returns true if only branches are around `branch` within the block of
// `value`.
static bool runs_once_for(LunaValue *value, LunaOp *branch) {
  LunaBlock *block = draft_home(value);
  while (branch->block != block) {
    branch = draft_parent(branch);
    if (!branch || !draft_is_branch(branch))
      return false;
  }
  return true;
}

static bool is_within(LunaValue *value, LunaOp *branch) {
  LunaOp *op = value->op;
  return op && draft_ancestor(op, branch->block) == branch;
}

bool draft_dies_at_join(LunaValue *value, const LunaUse *edge,
                        LunaArena *arena) {
  LunaOp *branch = draft_parent(edge->op);
  if (!is_within(value, branch) && !runs_once_for(value, branch))
    return false;
  LunaAccesses accesses = draft_accesses_of(value, edge, arena);
  bool dies = accesses.is_complete;
  for (uint64_t i = 0; dies && i < accesses.count; ++i)
    dies = !draft_runs_after(accesses.items[i], branch);
  return dies;
}

static bool is_merge_of_only_names(LunaValue *value, LunaOnlyNames *known,
                                   LunaArena *arena) {
  bool is_only = true;
  for (uint32_t i = 0; is_only && i < draft_edge_count(value); ++i) {
    const LunaUse *edge = draft_edge(value, i);
    is_only = draft_is_only_name(edge->value, known, arena) &&
              draft_dies_at_join(edge->value, edge, arena);
  }
  return is_only;
}

bool draft_is_only_name(LunaValue *value, LunaOnlyNames *known,
                        LunaArena *arena) {
  LunaOp *op = value->op;
  if (!op || !draft_is_branch(op))
    return op && op->kind == LUNA_MODEL_ALLOCATE;
  LunaMapKey key = luna_map_pointer(value);
  uint32_t index = luna_map_find(&known->values, key);
  if (index != LUNA_MAP_ABSENT)
    return known->items[index];
  bool is_only = is_merge_of_only_names(value, known, arena);
  luna_map_add(&known->values, arena, key);
  return *LUNA_VECTOR_ADD(arena, known) = is_only;
}
