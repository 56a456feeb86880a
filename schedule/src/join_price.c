#include "join_price.h"

bool draft_problem(const LunaDraftModel *model,
                   const LunaModelProblemOptions *options, LunaArena *arena,
                   LunaModelProblem *view, LunaError *error) {
  if (luna_model_problem(&model->model, options, arena, view, error))
    return true;
  if (error->item < model->allocs.count)
    error->item = model->allocs.items[error->item]->step;
  return false;
}

//===----------------------------------------------------------------------===//
// Cycles
//===----------------------------------------------------------------------===//

// Adds the cycles of `op` for all turns of the loops around it.
static void add_run_cycles(const LunaOp *op, uint64_t *cycles) {
  uint64_t all = op->cycles;
  for (const LunaOp *around = draft_parent(op); around;
       around = draft_parent(around))
    if (draft_is_loop(around))
      all = around->cycles == 0 || all <= INT64_MAX / around->cycles
                ? all * around->cycles
                : INT64_MAX;
  *cycles = all <= INT64_MAX - *cycles ? *cycles + all : INT64_MAX;
}

// Moves that are no copies take none; what copies and moves is no other step.
LunaCoalesceOptions draft_cycles(const LunaDraftModel *model,
                                 const LunaModelProblem *view) {
  uint64_t *moves = LUNA_ARENA_ARRAY(view->arena, uint64_t, view->moves.count);
  uint64_t *steps = LUNA_ARENA_ARRAY(view->arena, uint64_t,
                                     luna_problem_step_count(view->problem));
  uint64_t move = 0;
  for (uint64_t i = 0; i < view->steps.count; ++i) {
    LunaModelProblemStep step = view->steps.items[i];
    const LunaOp *op = model->ops.items[step.step];
    uint64_t *cycles = &steps[step.first];
    for (;
         move < view->moves.count && view->moves.items[move].step == step.step;
         ++move)
      cycles = draft_is_copy(op) ? &moves[move] : cycles;
    add_run_cycles(op, cycles);
  }
  return (LunaCoalesceOptions){.move_cycles = moves, .step_cycles = steps};
}

//===----------------------------------------------------------------------===//
// Prices
//===----------------------------------------------------------------------===//

// Plans in one go.
static bool plan(const LunaDraftModel *model, LunaModelProblemOptions options,
                 LunaModelProblem *view, int64_t *bytes, LunaError *error) {
  LunaSolution solution = {0};
  LunaPlanOptions how = {.strategy = "large-first"};
  if (!draft_problem(model, &options, view->arena, view, error))
    return false;
  bool is_planned = luna_plan_solve(view->problem, &how, &solution, error);
  error->item = is_planned ? error->item : LUNA_ERROR_NO_ITEM;
  *bytes = solution.total.bytes;
  return is_planned;
}

bool draft_price(LunaDraft *draft, LunaJoinPrice *price, LunaError *error) {
  LunaArena arena = {0};
  LunaDraftModel model;
  LunaModelProblem view = {.arena = &arena};
  LunaModelProblemOptions options = {.align_bytes = draft->target->align_bytes,
                                     .has_staging = true};
  int64_t staged = 0, bytes = 0;
  draft_model(draft, &arena, &model);
  bool is_ok = plan(&model, options, &view, &staged, error);
  options.has_staging = false;
  is_ok = is_ok && plan(&model, options, &view, &bytes, error);
  if (is_ok) {
    LunaCoalesceOptions cycles = draft_cycles(&model, &view);
    int64_t excess = staged - draft->target->capacity_bytes;
    *price = (LunaJoinPrice){
        .excess_bytes = excess > 0 ? excess : 0,
        .cycles = luna_plan_cycles(view.problem, &cycles, &arena),
        .bytes = bytes};
  }
  luna_arena_destroy(&arena);
  if (draft->effort)
    ++draft->effort->plans;
  return is_ok;
}

bool draft_price_is_less(const LunaJoinPrice *a, const LunaJoinPrice *b) {
  if (a->excess_bytes != b->excess_bytes)
    return a->excess_bytes < b->excess_bytes;
  if (luna_plan_cycles_are_less(a->cycles, b->cycles))
    return true;
  return !luna_plan_cycles_are_less(b->cycles, a->cycles) &&
         a->bytes < b->bytes;
}
