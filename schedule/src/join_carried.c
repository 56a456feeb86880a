#include "draft_uses.h"
#include "joins.h"

// A value that is to be in `buffer` once `maker` has run.
typedef struct Landing {
  LunaArena *arena;
  const LunaDraftRoots *roots; // of the function as it is
  LunaOp *maker;
  LunaValue *value, *buffer;
  LunaMap names;                   // what it is called, by itself first
  LUNA_VECTOR(LunaValue *) values; // those
  bool touches_old, touches_new;
} Landing;

typedef struct Pass {
  LunaArena arena;
  const LunaDraftRoots *roots;
  bool has_operators;
} Pass;

static bool has_name(const Landing *landing, LunaValue *value) {
  return luna_map_find(&landing->names, luna_map_pointer(value)) !=
         LUNA_MAP_ABSENT;
}

// Returns true if `value` may point to the buffer.
static bool may_be_buffer(const Landing *landing, LunaValue *value) {
  LunaDraftRootSet set = draft_roots_of(landing->roots, value);
  LunaDraftRootSet wanted = draft_roots_of(landing->roots, landing->buffer);
  for (uint32_t i = 0; i < set.count; ++i)
    if (set.ids[i] == wanted.ids[0])
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Names of the value
//===----------------------------------------------------------------------===//

// Adds `value` and what it is called elsewhere. Returns false if it may be the
// value that a loop carries.
static bool add_names(Landing *landing, LunaValue *value) {
  uint64_t known = landing->names.keys.count;
  if (luna_map_add(&landing->names, landing->arena, luna_map_pointer(value)) <
      known)
    return true;
  *LUNA_VECTOR_ADD(landing->arena, &landing->values) = value;
  bool is_known = true;
  for (LunaUse *use = value->first_use; is_known && use; use = use->next) {
    LunaOp *op = use->op;
    LunaOp *parent = draft_parent(op);
    if (op->kind == LUNA_MODEL_PASS)
      is_known = draft_is_branch(parent) &&
                 add_names(landing, parent->results[use->number]);
    else if (draft_is_loop(op) || op->kind == LUNA_MODEL_SELECT)
      is_known = false;
    else if (draft_makes_view(op))
      is_known = add_names(landing, op->results[0]);
  }
  return is_known;
}

// Returns true if nothing but the value makes a name of it the buffer.
static bool has_own_names(const Landing *landing) {
  for (uint64_t i = 1; i < landing->values.count; ++i) {
    LunaJoinEdge edge = {.branch = landing->values.items[i]->op};
    if (!draft_is_branch(edge.branch))
      continue;
    edge.result = landing->values.items[i]->number;
    for (; edge.region < edge.branch->block_count; ++edge.region) {
      LunaValue *source = draft_join_source(&edge);
      if (!has_name(landing, source) && may_be_buffer(landing, source))
        return false;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Whether the buffer is free
//===----------------------------------------------------------------------===//

static void touch(LunaValue *value, void *data) {
  Landing *landing = data;
  if (has_name(landing, value))
    landing->touches_new = true;
  else if (may_be_buffer(landing, value))
    landing->touches_old = true;
}

static void find_touches(Landing *landing, LunaOp *op) {
  landing->touches_old = landing->touches_new = false;
  draft_visit_operands(op, touch, landing);
}

// Returns true if `op` copies something else to all of the buffer.
static bool overwrites(const Landing *landing, LunaOp *op) {
  if (op->kind != LUNA_MODEL_COPY || draft_operand(op, 1) != landing->buffer)
    return false;
  LunaValue *from = draft_operand(op, 0);
  return has_name(landing, from) || !may_be_buffer(landing, from);
}

// Returns true if behind the maker the buffer is first overwritten, by a copy
// of the block, and the value is not used from then on.
static bool is_free(Landing *landing) {
  LunaOp *op = landing->maker->next;
  bool is_overwritten = false;
  for (; op; op = op->next) {
    find_touches(landing, op);
    if (is_overwritten && landing->touches_new)
      return false;
    if (is_overwritten)
      continue;
    is_overwritten = overwrites(landing, op);
    if (!is_overwritten && landing->touches_old)
      return false;
  }
  return is_overwritten;
}

// Returns true if a loop is around `op` within the block of `alloc`.
static bool is_in_loop_behind(LunaOp *op, LunaOp *alloc) {
  LunaBlock *home = alloc->block;
  bool is_in_loop = false;
  while (op->block != home) {
    op = draft_parent(op);
    is_in_loop |= draft_is_loop(op);
  }
  return is_in_loop;
}

// Returns true if the maker may leave the value, whose names are known, in the
// buffer.
static bool can_land(Landing *landing) {
  LunaOp *alloc = landing->buffer->op;
  return draft_is_alloc(alloc) &&
         draft_same_type(landing->buffer, landing->value) &&
         is_in_loop_behind(landing->maker, alloc) && has_own_names(landing) &&
         is_free(landing);
}

//===----------------------------------------------------------------------===//
// What a branch passes through
//===----------------------------------------------------------------------===//

static bool land_result(Landing *landing) {
  LunaJoinEdge edge = {.branch = landing->maker,
                       .result = landing->value->number};
  if (!add_names(landing, landing->value) || !can_land(landing))
    return false;
  for (; edge.region < edge.branch->block_count; ++edge.region) {
    LunaValue *source = draft_join_source(&edge);
    LunaOp *yield = draft_join_block(&edge)->last;
    if (source == landing->buffer)
      continue;
    draft_copy(yield, source, landing->buffer);
    draft_set_operand(yield, edge.result, landing->buffer);
  }
  draft_replace(landing->value, landing->buffer);
  return true;
}

//===----------------------------------------------------------------------===//
// What an operator computes for a branch to pass through
//===----------------------------------------------------------------------===//

// Finds the operator that first accesses the allocation, if it overwrites it.
// Returns the operand, or UINT32_MAX.
static uint32_t find_maker(Landing *landing) {
  LunaOp *op = landing->value->op;
  uint32_t operand = UINT32_MAX;
  do {
    op = op->next;
    find_touches(landing, op);
  } while (!landing->touches_new);
  landing->maker = op;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (draft_operand(op, i) == landing->value) {
      if (operand != UINT32_MAX ||
          op->operands[i]->access.kind != LUNA_MODEL_OVERWRITE)
        return UINT32_MAX;
      operand = i;
    }
  return draft_is_flow(op) ? UINT32_MAX : operand;
}

// Returns true if nothing behind the branch uses `value` itself.
static bool ends_at(LunaValue *value, LunaOp *branch) {
  bool ends = true;
  for (LunaUse *use = value->first_use; ends && use; use = use->next) {
    LunaOp *at = draft_ancestor(use->op, branch->block);
    ends = at == branch || draft_is_before(at, branch);
  }
  return ends;
}

// Finds a buffer that the turn overwrites behind the branch, by a copy, and in
// which the value may be until then.
static bool find_carried(Landing *landing, LunaOp *branch) {
  for (LunaOp *op = branch->next; op; op = op->next) {
    if (op->kind != LUNA_MODEL_COPY)
      continue;
    landing->buffer = draft_operand(op, 1);
    if (can_land(landing))
      return true;
  }
  return false;
}

// The operator still writes the allocation, which is then copied.
static bool land_operator(Landing *landing, LunaOp *branch) {
  if (!add_names(landing, landing->value) || !ends_at(landing->value, branch))
    return false;
  uint32_t operand = find_maker(landing);
  if (operand == UINT32_MAX || !find_carried(landing, branch))
    return false;
  draft_replace(landing->value, landing->buffer);
  draft_set_operand(landing->maker, operand, landing->value);
  draft_copy(landing->maker->next, landing->value, landing->buffer);
  return true;
}

//===----------------------------------------------------------------------===//
// All branches
//===----------------------------------------------------------------------===//

// Stops at the first change: then values point elsewhere.
static bool visit_branch(LunaOp *op, void *data) {
  Pass *pass = data;
  uint32_t count = draft_is_branch(op) ? op->result_count : 0;
  for (uint32_t i = 0; i < count; ++i) {
    LunaValue *result = op->results[i];
    LunaValue *passed = draft_passed_through(op, i);
    if (!result->first_use || !passed || !passed->op)
      continue;
    bool is_local =
        draft_is_alloc(passed->op) && passed->op->block == op->block;
    Landing landing = {
        .arena = &pass->arena,
        .roots = pass->roots,
        .maker = op,
        .value = is_local ? passed : result,
        .buffer = passed,
    };
    if (is_local ? pass->has_operators && land_operator(&landing, op)
                 : land_result(&landing))
      return false;
  }
  return true;
}

// A copy of a buffer to itself.
static bool drop_copy(LunaOp *op, void *data) {
  (void)data;
  if (op->kind == LUNA_MODEL_COPY &&
      draft_operand(op, 0) == draft_operand(op, 1))
    draft_erase(op);
  return true;
}

bool draft_coalesce_carried_branches(LunaDraft *draft, bool has_operators) {
  draft_forward_buffers(draft);
  Pass pass = {.has_operators = has_operators};
  bool has_changed = false, is_done = false;
  while (!is_done) {
    pass.roots = draft_roots(draft, &pass.arena);
    is_done = draft_walk(draft, visit_branch, &pass);
    has_changed |= !is_done;
  }
  draft_walk(draft, drop_copy, NULL);
  luna_arena_destroy(&pass.arena);
  return has_changed;
}
