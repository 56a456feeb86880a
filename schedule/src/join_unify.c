#include "join_price.h"
#include "joins.h"

// The first decision tried mostly is the best.
enum { SEARCH_STEPS = 4096 };

// A draft as a planning problem.
typedef struct Unifying {
  LunaDraft *draft;
  LunaArena arena;
  LunaDraftModel model;
  LunaModelProblem view;
  uint32_t *class_of; // per allocation: a smaller one of its class, or itself
} Unifying;

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

static LunaOp *op_of_move(const Unifying *unifying, uint64_t move) {
  return unifying->model.ops.items[unifying->view.moves.items[move].step];
}

static bool choose(Unifying *unifying, bool searches,
                   LunaCoalescing *coalescing, LunaError *error) {
  LunaCoalesceOptions options = draft_cycles(&unifying->model, &unifying->view);
  options.capacity_bytes = unifying->draft->target->capacity_bytes;
  options.step_budget = SEARCH_STEPS;
  options.without = searches ? NULL : "coalesce-sets,coalesce-bound";
  bool is_chosen =
      luna_plan_coalesce(unifying->view.problem, &options, coalescing, error);
  error->item = is_chosen ? error->item : LUNA_ERROR_NO_ITEM;
  return is_chosen;
}

//===----------------------------------------------------------------------===//
// Classes of allocations that become one
//===----------------------------------------------------------------------===//

static uint32_t find(const Unifying *unifying, uint32_t alloc) {
  while (unifying->class_of[alloc] != alloc)
    alloc = unifying->class_of[alloc];
  return alloc;
}

static uint32_t alloc_of(const Unifying *unifying, LunaBufferId buffer) {
  uint32_t alloc = 0;
  while (unifying->view.buffer_of[alloc] != buffer)
    ++alloc;
  return find(unifying, alloc);
}

static void join_classes(Unifying *unifying, const LunaCoalescing *coalescing) {
  uint64_t count = unifying->model.allocs.count;
  unifying->class_of = LUNA_ARENA_ARRAY(&unifying->arena, uint32_t, count);
  for (uint32_t i = 0; i < count; ++i)
    unifying->class_of[i] = i;
  for (uint32_t i = 0; i < coalescing->pair_count; ++i) {
    uint32_t a = alloc_of(unifying, coalescing->pairs[i].a);
    uint32_t b = alloc_of(unifying, coalescing->pairs[i].b);
    unifying->class_of[a < b ? b : a] = a < b ? a : b;
  }
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

// Has `other` become `alloc`, which stands before it or is moved there.
static void unify(LunaOp *alloc, LunaOp *other) {
  LunaOp *before = alloc;
  while (!draft_ancestor(other, before->block))
    before = draft_parent(before);
  LunaValue *value = alloc->results[0], *old = other->results[0];
  if (before != alloc)
    draft_move(alloc, before);
  if (value->whole.role != old->whole.role &&
      value->whole.role != LUNA_MODEL_TENSOR)
    draft_make_tensor(alloc);
  draft_replace(old, draft_view(other, value, old));
  draft_erase(other);
}

static void apply(Unifying *unifying) {
  for (uint64_t i = 0; i < unifying->view.moves.count; ++i) {
    LunaModelProblemMove move = unifying->view.moves.items[i];
    if (draft_is_copy(op_of_move(unifying, i)) &&
        find(unifying, move.from) == find(unifying, move.to))
      draft_erase(op_of_move(unifying, i));
  }
  for (uint32_t i = 0; i < unifying->model.allocs.count; ++i)
    if (find(unifying, i) != i)
      unify(unifying->model.allocs.items[find(unifying, i)],
            unifying->model.allocs.items[i]);
}

bool draft_unify_copies(LunaDraft *draft, bool searches, LunaError *error) {
  Unifying unifying = {.draft = draft};
  LunaModelProblemOptions options = {
      .align_bytes = draft->target->align_bytes,
      .works_in_place = true,
      .has_staging = draft->counts_staging,
  };
  draft_model(draft, &unifying.arena, &unifying.model);
  LunaCoalescing coalescing;
  bool is_ok = draft_problem(&unifying.model, &options, &unifying.arena,
                             &unifying.view, error);
  if (is_ok && unifying.view.moves.count > 0) {
    is_ok = choose(&unifying, searches, &coalescing, error);
    if (is_ok) {
      join_classes(&unifying, &coalescing);
      apply(&unifying);
    }
  }
  luna_arena_destroy(&unifying.arena);
  return is_ok;
}
