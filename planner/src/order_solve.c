// The order of insertion, exact search, beam search: the best of them.

#include <string.h>

#include "luna/checked.h"
#include "order_search.h"

// Checks that all sizes together can be counted.
static bool check_graph(const LunaOrderGraph *graph, LunaError *error) {
  int64_t total = 0;
  bool ok = true;
  if (graph->mistake.code != LUNA_ERROR_NONE) {
    if (error)
      *error = graph->mistake;
    return false;
  }
  for (uint32_t i = 0; i < graph->values.count; ++i)
    ok = ok &&
         luna_checked_add(total, graph->values.items[i].size_bytes, &total);
  for (uint32_t i = 0; i < graph->scratch_bytes.count; ++i)
    ok = ok && luna_checked_add(total, graph->scratch_bytes.items[i], &total);
  return ok || luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                              "all values together are 2^63 bytes or more");
}

// Returns what some operator needs alone: its operands and results.
static int64_t bound_of(const LunaOrderIndex *index) {
  int64_t bound = index->start_bytes;
  for (uint32_t op = 0; op < index->operator_count; ++op) {
    int64_t need = index->made_bytes[op] + index->scratch_bytes[op];
    for (uint32_t i = index->reads.starts[op]; i < index->reads.starts[op + 1];
         ++i)
      need += index->values[index->reads.items[i]].size_bytes;
    bound = need > bound ? need : bound;
  }
  return bound;
}

typedef struct Call {
  const LunaOrderGraph *graph;
  uint64_t step_budget;
  LunaPlanWithout without;
  LunaOrderSolution *solution;
} Call;

static void search(const Call *call, const LunaOrderIndex *index,
                   LunaArena *scratch) {
  LunaOrderSolution *solution = call->solution;
  uint32_t count = index->operator_count;
  uint32_t *operators = LUNA_ARENA_ARRAY(call->graph->arena, uint32_t, count);
  for (uint32_t i = 0; i < count; ++i)
    operators[i] = i;
  LunaOrderSearch self = {.state = luna_order_state_make(index, scratch),
                          .operators = operators,
                          .bound_bytes = bound_of(index)};
  self.state.without = call->without;
  luna_order_peak(call->graph, operators, &self.peak_bytes);
  solution->given_bytes = self.peak_bytes;
  self.end_step = call->step_budget;
  if (self.peak_bytes > self.bound_bytes &&
      plan_tries(&call->without, PLAN_TRICK_ORDER_EXACT))
    luna_order_search_exact(&self);
  self.end_step = self.state.steps + call->step_budget;
  if (self.peak_bytes > self.bound_bytes &&
      plan_tries(&call->without, PLAN_TRICK_ORDER_BEAM))
    luna_order_search_beam(&self);
  solution->operators = operators;
  solution->peak_bytes = self.peak_bytes;
  solution->lower_bound_bytes = self.bound_bytes;
  solution->is_optimal = self.peak_bytes == self.bound_bytes;
  solution->states = self.states;
  solution->steps = self.state.steps;
}

static bool call(void *context, LunaError *error) {
  const Call *self = context;
  *self->solution = (LunaOrderSolution){0};
  if (!check_graph(self->graph, error))
    return false;
  LunaArena scratch = {0};
  LunaOrderIndex index = luna_order_index_make(self->graph, &scratch);
  search(self, &index, &scratch);
  luna_arena_destroy(&scratch);
  return true;
}

bool luna_order_solve(LunaOrderGraph *graph, const LunaOrderOptions *options,
                      LunaOrderSolution *solution, LunaError *error) {
  uint64_t steps = options ? options->step_budget : 0;
  Call self = {graph, steps > 0 ? steps : LUNA_ORDER_STEPS, {{0}}, solution};
  if (!luna_plan_read_without(options ? options->without : NULL, &self.without,
                              error))
    return false;
  return luna_arena_guard(graph->arena, NULL, "operators were ordered", call,
                          &self, error);
}
