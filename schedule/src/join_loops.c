#include "joins.h"

//===----------------------------------------------------------------------===//
// Finding the carried buffer
//===----------------------------------------------------------------------===//

// Returns the allocation that `value` is, or is a view of as it stands, or
// NULL.
static LunaOp *alloc_of(const LunaValue *value) {
  LunaOp *op = value->op;
  while (op && op->kind == LUNA_MODEL_SCALAR && draft_is_recast(op))
    op = draft_operand(op, 0)->op;
  return draft_is_alloc(op) ? op : NULL;
}

static bool precedes(const LunaValue *value, LunaOp *loop, int *loop_uses);

// Returns true if what a use makes of the value, under another name, is used
// before the loop only.
static bool alias_precedes(const LunaUse *use, LunaOp *loop, int *loop_uses) {
  const LunaOp *op = use->op;
  const LunaValue *alias = NULL;
  if (op->kind == LUNA_MODEL_PASS) {
    if (!draft_is_branch(draft_parent(op)))
      return false;
    alias = draft_parent(op)->results[use->number];
  } else if (draft_is_loop(op)) {
    if (!draft_is_for(op))
      return false;
    alias = op->results[use->number];
  } else if (op->result_count == 1) {
    alias = op->results[0];
  }
  return !alias || precedes(alias, loop, loop_uses);
}

// Returns true if all uses of `value` and of its aliases precede `loop` in its
// block, except the loop's own operands, which it counts.
static bool precedes(const LunaValue *value, LunaOp *loop, int *loop_uses) {
  for (const LunaUse *use = value->first_use; use; use = use->next) {
    if (use->op == loop) {
      ++*loop_uses;
      continue;
    }
    LunaOp *at = draft_ancestor(use->op, loop->block);
    if (!at || !draft_is_before(at, loop) ||
        !alias_precedes(use, loop, loop_uses))
      return false;
  }
  return true;
}

static bool is_only_used_before(const LunaValue *value, LunaOp *loop) {
  int loop_uses = 0;
  return precedes(value, loop, &loop_uses) && loop_uses <= 1;
}

//===----------------------------------------------------------------------===//
// One loop
//===----------------------------------------------------------------------===//

// Returns the buffer that carries value `i`, initialised, after replacing the
// loop's argument by it.
static LunaValue *carry_in(LunaOp *loop, uint32_t i) {
  LunaValue *initial = draft_operand(loop, i), *carried = initial;
  LunaOp *alloc = alloc_of(initial);
  if (!alloc || !is_only_used_before(alloc->results[0], loop)) {
    // As planes, if `initial` lies so.
    carried = draft_view(loop, draft_allocate_dense(loop, initial), initial);
    draft_copy(loop, initial, carried);
    draft_set_operand(loop, i, carried);
  }
  draft_replace(draft_header(loop)->arguments[i], carried);
  return carried;
}

// Returns true if the turn allocates `value`. Any other value may be a carried
// buffer that another copy overwrites.
static bool is_allocated_in(const LunaBlock *turn, const LunaValue *value) {
  const LunaOp *alloc = alloc_of(value);
  return alloc && draft_ancestor(alloc, turn);
}

// Copies what a turn passes on to what the loop carries: all of it is saved
// before anything is overwritten.
static void carry_out(LunaOp *loop, LunaValue **carried, LunaArena *arena) {
  LunaBlock *turn = draft_turn(loop);
  uint32_t count = loop->operand_count;
  LunaValue **sources = LUNA_ARENA_ARRAY(arena, LunaValue *, count);
  for (uint32_t i = 0; i < count; ++i) {
    LunaValue *next = draft_passed(turn, i);
    if (next == carried[i])
      continue;
    sources[i] = next;
    if (!is_allocated_in(turn, next)) {
      sources[i] = draft_allocate_dense(turn->last, next);
      draft_copy(turn->last, next, sources[i]);
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (!sources[i])
      continue;
    LunaValue *next = draft_passed(turn, i);
    draft_copy(turn->last, sources[i], carried[i]);
    draft_set_operand(turn->last, i, draft_view(turn->last, carried[i], next));
  }
}

//===----------------------------------------------------------------------===//
// All loops
//===----------------------------------------------------------------------===//

typedef struct Coalescing {
  LunaArena arena;
  const LunaDraftRoots *roots; // of the draft as it was
  bool has_changed;
} Coalescing;

static bool is_coalesced(const LunaOp *loop) {
  bool is_coalesced = true;
  for (uint32_t i = 0; is_coalesced && i < loop->operand_count; ++i)
    is_coalesced =
        draft_operand(loop, i) == draft_passed(draft_turn(loop), i) &&
        !draft_header(loop)->arguments[i]->first_use;
  return is_coalesced;
}

// Returns true if `value` points to allocations, all of them outside the loop.
static bool is_outer_buffer(const LunaOp *loop, const LunaDraftRoots *roots,
                            const LunaValue *value) {
  LunaRootSet set = draft_roots_of(roots, value);
  bool is_outer = set.count > 0;
  for (uint32_t i = 0; is_outer && i < set.count; ++i)
    is_outer =
        draft_ancestor(roots->allocs.items[set.ids[i]], loop->block) != loop;
  return is_outer;
}

// Returns true if the turns only pass buffers on: as pointers.
static bool carries_pointers(const LunaOp *loop, const LunaDraftRoots *roots) {
  bool carries = true;
  for (uint32_t i = 0; carries && i < loop->operand_count; ++i)
    carries = is_outer_buffer(loop, roots, draft_passed(draft_turn(loop), i));
  return carries;
}

static bool coalesce_loop(LunaOp *op, void *data) {
  Coalescing *pass = data;
  if (!draft_is_loop(op) || is_coalesced(op) ||
      carries_pointers(op, pass->roots))
    return true;
  LunaValue **carried =
      LUNA_ARENA_ARRAY(&pass->arena, LunaValue *, op->operand_count);
  for (uint32_t i = 0; i < op->operand_count; ++i)
    carried[i] = carry_in(op, i);
  carry_out(op, carried, &pass->arena);
  pass->has_changed = true;
  return true;
}

//===----------------------------------------------------------------------===//
// Contents that nobody wrote
//===----------------------------------------------------------------------===//

// Returns true if all uses only copy out of the buffer, directly or as one side
// of a select.
static bool is_copied_out_only(const LunaValue *value) {
  bool is_only = true;
  for (const LunaUse *use = value->first_use; is_only && use; use = use->next)
    is_only = use->op->kind == LUNA_MODEL_SELECT
                  ? is_copied_out_only(use->op->results[0])
                  : draft_is_copy(use->op) && use->number == 0;
  return is_only;
}

static void drop_uses(LunaValue *value) {
  while (value->first_use) {
    LunaOp *user = value->first_use->op;
    if (user->kind == LUNA_MODEL_SELECT)
      draft_replace(user->results[0],
                    draft_operand(user, draft_operand(user, 0) == value));
    draft_erase(user);
  }
}

// Stops where an allocation was erased.
static bool drop_undefined(LunaOp *op, void *data) {
  (void)data;
  if (!draft_is_alloc(op) || !is_copied_out_only(op->results[0]))
    return true;
  drop_uses(op->results[0]);
  draft_erase(op);
  return false;
}

//===----------------------------------------------------------------------===//
// A draft
//===----------------------------------------------------------------------===//

void draft_coalesce_loop_buffers(LunaDraft *draft) {
  // What a loop carries may be a new buffer of the loop around it, then.
  Coalescing pass = {.has_changed = true};
  while (pass.has_changed) {
    pass.has_changed = false;
    pass.roots = draft_roots(draft, &pass.arena);
    draft_walk(draft, coalesce_loop, &pass);
  }
  luna_arena_destroy(&pass.arena);
  while (!draft_walk(draft, drop_undefined, NULL))
    continue;
}
