#include "draft_uses.h"

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

bool draft_is_unused_name(const LunaUse *use) {
  const LunaOp *op = use->op, *parent = draft_parent(op);
  uint32_t i = use->number;
  if (draft_is_loop(op)) // a `for` without iterations leaves its inits
    return !draft_header(op)->arguments[i]->first_use &&
           !(draft_is_for(op) && op->results[i]->first_use);
  if (op->kind != LUNA_MODEL_PASS)
    return false;
  bool is_turn = draft_is_loop(parent) && op->block == draft_turn(parent);
  if ((draft_is_branch(parent) || draft_is_for(parent) || !is_turn) &&
      parent->results[i]->first_use)
    return false;
  return draft_is_branch(parent) ||
         !(is_turn ? draft_header(parent) : draft_turn(parent))
              ->arguments[i]
              ->first_use;
}

bool draft_merges_names(const LunaOp *op) {
  return draft_is_loop(op) || op->kind == LUNA_MODEL_PASS ||
         op->kind == LUNA_MODEL_SELECT ||
         (op->kind == LUNA_MODEL_SCALAR && op->operand_count > 1);
}

bool draft_makes_view(const LunaOp *op) {
  return op->kind == LUNA_MODEL_SCALAR && op->result_count > 0 &&
         op->operand_count == 1;
}

bool draft_visit_accesses(LunaValue *value,
                          bool (*visit)(LunaOp *op, void *data), void *data) {
  bool goes_on = true;
  for (LunaUse *use = value->first_use; goes_on && use; use = use->next) {
    LunaOp *op = use->op;
    if (draft_merges_names(op))
      goes_on = draft_is_unused_name(use);
    else if (draft_makes_view(op))
      goes_on = draft_visit_accesses(op->results[0], visit, data);
    else
      goes_on = visit(op, data);
  }
  return goes_on;
}

//===----------------------------------------------------------------------===//
// Liveness
//===----------------------------------------------------------------------===//

// The accesses of a buffer, and what was looked at: blocks from their start on,
// what follows an op of control flow.
typedef struct Liveness {
  LunaArena arena;
  LunaValue *buffer;
  LUNA_VECTOR(LunaOp *) accesses; // its allocation first
  LunaMap visited;
} Liveness;

static bool list_access(LunaOp *op, void *data) {
  Liveness *liveness = data;
  *LUNA_VECTOR_ADD(&liveness->arena, &liveness->accesses) = op;
  return true;
}

// Returns the first op of `block`, behind `after` if that is not null, that
// accesses the buffer or holds one that does; or a null op.
static LunaOp *first_access(const Liveness *liveness, LunaBlock *block,
                            LunaOp *after) {
  LunaOp *first = NULL;
  for (uint64_t i = 0; i < liveness->accesses.count; ++i) {
    LunaOp *at = draft_ancestor(liveness->accesses.items[i], block);
    bool is_behind = at && (!after || draft_is_before(after, at));
    if (is_behind && (!first || draft_is_before(at, first)))
      first = at;
  }
  return first;
}

// Returns true if `op` ends the contents of the buffer: allocates it, or
// overwrites all of it and reads nothing of it.
static bool ends_contents(const Liveness *liveness, LunaOp *op) {
  uint64_t count = 0, overwrites = 0;
  for (uint64_t i = 0; i < liveness->accesses.count; ++i)
    count += liveness->accesses.items[i] == op;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    overwrites += op->operands[i]->access.kind == LUNA_MODEL_OVERWRITE &&
                  draft_operand(op, i) == liveness->buffer;
  return draft_is_alloc(op) || (count == 1 && overwrites == 1);
}

static bool is_live(Liveness *liveness, LunaBlock *block, LunaOp *after);

static bool is_live_after(Liveness *liveness, LunaOp *flow) {
  uint64_t known = liveness->visited.keys.count;
  return luna_map_add(&liveness->visited, &liveness->arena,
                      luna_map_pointer(flow)) == known &&
         is_live(liveness, flow->block, flow);
}

static bool is_live_at_start(Liveness *liveness, LunaBlock *block) {
  uint64_t known = liveness->visited.keys.count;
  return luna_map_add(&liveness->visited, &liveness->arena,
                      luna_map_pointer(block)) == known &&
         is_live(liveness, block, NULL);
}

// Returns true if control flow, or what runs after it, may read the buffer.
static bool is_live_into(Liveness *liveness, LunaOp *flow) {
  bool live = draft_is_for(flow) && is_live_after(liveness, flow);
  uint32_t regions = draft_is_branch(flow) ? flow->block_count : 1;
  for (uint32_t r = 0; !live && r < regions; ++r)
    live = is_live_at_start(liveness, flow->blocks[r]);
  return live;
}

// Returns true if what runs behind a block of `flow` may read the buffer.
static bool is_live_behind(Liveness *liveness, LunaOp *flow, LunaBlock *block) {
  if (!draft_is_flow(flow))
    return false; // the function
  bool is_turn = draft_is_loop(flow) && block == draft_turn(flow);
  bool is_test = draft_is_loop(flow) && !is_turn;
  return (is_test && is_live_at_start(liveness, draft_turn(flow))) ||
         (is_turn && is_live_at_start(liveness, draft_header(flow))) ||
         ((!is_turn || draft_is_for(flow)) && is_live_after(liveness, flow));
}

// Returns true if the contents of the buffer at a point of `block`, its start
// or behind an op, may be read.
static bool is_live(Liveness *liveness, LunaBlock *block, LunaOp *after) {
  LunaOp *op = first_access(liveness, block, after);
  if (!op)
    return is_live_behind(liveness, block->op, block);
  return draft_is_flow(op) ? is_live_into(liveness, op)
                           : !ends_contents(liveness, op);
}

bool draft_is_dead_behind(LunaValue *buffer, LunaOp *op) {
  Liveness liveness = {.buffer = buffer};
  list_access(buffer->op, &liveness);
  bool is_dead = draft_visit_accesses(buffer, list_access, &liveness) &&
                 !is_live(&liveness, op->block, op);
  luna_arena_destroy(&liveness.arena);
  return is_dead;
}
