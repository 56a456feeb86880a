// Runs the requested strategies under the requested treatments, and keeps the
// smallest plan.

#include <string.h>

#include "plan_bytes.h"
#include "plan_optimal.h"

// Returns the step budget: all of it for the requested treatment, less for the
// others; 0 for the usual one of `best`.
static uint64_t budget_of(const LunaPlanRun *run, LunaMerge merge) {
  uint64_t budget = run->options.step_budget;
  if (budget == 0 && (run->strategy || run->options.any_that_fits))
    budget = PLAN_OPTIMAL_STEPS;
  return merge == run->options.merge ? budget : budget / 8;
}

// Returns the offsets of the items of a part in the plan of all.
static const int64_t *hints_of(const LunaPlanRun *run, const LunaPlanPart *part,
                               LunaArena *arena) {
  if (!run->parts[PLAN_TOTAL].is_planned)
    return NULL;
  const LunaPlanItems *all = &run->parts[PLAN_TOTAL].program.items;
  const LunaPlanItems *items = &part->program.items;
  int64_t *hints = LUNA_ARENA_ARRAY(arena, int64_t, items->count);
  // Both ascend by buffer.
  for (uint32_t i = 0, k = 0; i < items->count; ++i) {
    while (all->items[k].id != items->items[i].id)
      ++k;
    hints[i] = run->parts[PLAN_TOTAL].best_offsets[k];
  }
  return hints;
}

// Plans a part with the budget of `context` and keeps the plan if it is
// smaller.
static int64_t try_part_in(LunaPlanRun *run, LunaPlanPart *part,
                           const LunaPlanStrategy *strategy, LunaMerge merge,
                           LunaPlanContext context) {
  LunaArena arena = {0};
  // Only the whole is searched at length: the sizes of parts are statistics,
  // for which greedy orders do, and the order of the whole plan.
  context.is_quick = part != &run->parts[PLAN_TOTAL];
  context.pulse = &run->pulse;
  context.without = run->without;
  context.hint_bytes = run->hints;
  if (context.is_quick && strategy->place == luna_plan_place_optimal)
    context.hint_bytes = hints_of(run, part, &arena);
  luna_plan_program_place(&part->program, merge, strategy, &context,
                          part->offsets, &arena);
  luna_arena_destroy(&arena);
  run->search_steps += context.steps;
  if (context.cover.group_count > 0 && part == &run->parts[PLAN_TOTAL] &&
      merge == run->options.merge)
    run->cover = context.cover;
  bool is_exact = merge == LUNA_MERGE_PATH || !part->program.has_choices;
  if (is_exact && part->proven_bytes < context.proven_bytes)
    part->proven_bytes = context.proven_bytes;
  int64_t bytes = luna_plan_items_peak(&part->program.items, part->offsets);
  if (part->is_planned && bytes >= part->best_bytes)
    return bytes;
  int64_t *swap = part->best_offsets;
  part->best_offsets = part->offsets;
  part->offsets = swap;
  part->best_bytes = bytes;
  part->is_planned = true;
  part->strategy = strategy;
  part->merge = merge;
  return bytes;
}

static int64_t try_part(LunaPlanRun *run, LunaPlanPart *part,
                        const LunaPlanStrategy *strategy, LunaMerge merge) {
  LunaPlanContext context = {
      .step_budget = budget_of(run, merge),
      .enough_bytes =
          run->options.any_that_fits ? run->options.capacity_bytes : 0,
  };
  return try_part_in(run, part, strategy, merge, context);
}

static bool is_at_bound(const LunaPlanPart *part) {
  return part->is_planned && part->best_bytes <= part->proven_bytes;
}

// Plans the whole, and the tensors, with one strategy and treatment, and adds a
// row.
static void try_all(LunaPlanRun *run, const LunaPlanStrategy *strategy,
                    LunaMerge merge) {
  LunaPlanRow *row = &run->rows[run->row_count++];
  row->strategy = strategy->name;
  row->merge = merge;
  row->total_bytes = try_part(run, &run->parts[PLAN_TOTAL], strategy, merge);
  run->pulse.now.best_bytes = run->parts[PLAN_TOTAL].best_bytes;
  run->pulse.now.lower_bound_bytes = run->parts[PLAN_TOTAL].proven_bytes;
  plan_pulse(&run->pulse, 0);
  row->tensor_bytes =
      run->is_tensor_only
          ? row->total_bytes
          : try_part(run, &run->parts[PLAN_TENSOR], strategy, merge);
}

// Only the whole has to fit: the sizes of its parts are statistics.
static bool is_done(const LunaPlanRun *run) {
  return run->pulse.is_stopped ||
         (!run->compares && is_at_bound(&run->parts[PLAN_TOTAL]));
}

// Returns true if the plan may come from a treatment: the requested one, or any
// for `path`, since each is valid under the conflicts of `path`.
static bool is_eligible(const LunaPlanRun *run, LunaMerge merge) {
  if (run->options.merge == merge)
    return true;
  return run->options.merge == LUNA_MERGE_PATH &&
         run->parts[PLAN_TOTAL].program.has_choices;
}

// Returns true if `best` tries a strategy: search only under the requested
// treatment, and expensive ones only up to a limit.
static bool is_worth_trying(const LunaPlanRun *run,
                            const LunaPlanStrategy *strategy, LunaMerge merge) {
  if (!is_eligible(run, merge) || run->strategy)
    return is_eligible(run, merge);
  if (merge != run->options.merge &&
      (strategy->place == luna_plan_place_optimal ||
       !plan_tries(&run->without, PLAN_TRICK_BEST_TREATMENTS)))
    return false;
  if (strategy->trick < PLAN_TRICK_COUNT &&
      !plan_tries(&run->without, strategy->trick))
    return false;
  return strategy->best_limit == 0 ||
         run->parts[PLAN_TOTAL].program.items.count <= strategy->best_limit;
}

static void try_eligible(LunaPlanRun *run) {
  for (uint32_t i = 0; i < luna_plan_strategy_count; ++i) {
    const LunaPlanStrategy *strategy = &luna_plan_strategies[i];
    if (run->strategy && run->strategy != strategy)
      continue;
    for (int merge = 0; merge < LUNA_MERGE_COUNT && !is_done(run); ++merge)
      if (is_worth_trying(run, strategy, (LunaMerge)merge))
        try_all(run, strategy, (LunaMerge)merge);
  }
}

// Searches for a plan within the capacity where the strategies found none and
// none was ruled out: the default budgets are for small plans, not for any.
static void insist_on_capacity(LunaPlanRun *run) {
  int64_t capacity = run->options.capacity_bytes;
  if (run->pulse.is_stopped || capacity <= 0 ||
      run->parts[PLAN_TOTAL].best_bytes <= capacity ||
      run->parts[PLAN_TOTAL].proven_bytes > capacity || run->strategy ||
      run->options.step_budget > 0)
    return;
  LunaPlanContext context = {.step_budget = PLAN_OPTIMAL_STEPS,
                             .enough_bytes = capacity};
  try_part_in(run, &run->parts[PLAN_TOTAL], luna_plan_strategy_find("optimal"),
              run->options.merge, context);
}

// Plans the parts that are not at their bound: by the strategy asked for, or as
// the whole was.
static void plan_parts(LunaPlanRun *run) {
  const LunaPlanStrategy *strategy =
      run->strategy ? run->strategy : luna_plan_strategy_find("optimal");
  for (int i = PLAN_TOTAL + 1; i < PLAN_PART_COUNT; ++i)
    for (int merge = 0; merge < LUNA_MERGE_COUNT; ++merge)
      if (!is_at_bound(&run->parts[i]) &&
          is_worth_trying(run, strategy, (LunaMerge)merge))
        try_part(run, &run->parts[i], strategy, (LunaMerge)merge);
}

// Fills the rest of the table, without changing the plan.
static void compare_others(LunaPlanRun *run) {
  LunaPlanPart planned[PLAN_PART_COUNT];
  uint32_t count = run->parts[PLAN_TOTAL].program.items.count;
  memcpy(planned, run->parts, sizeof planned);
  for (int i = 0; i < PLAN_PART_COUNT; ++i)
    run->parts[i].best_offsets = LUNA_ARENA_ARRAY(&run->arena, int64_t, count);
  for (uint32_t i = 0; i < luna_plan_strategy_count; ++i)
    for (int merge = 0; merge < LUNA_MERGE_COUNT; ++merge) {
      bool was_chosen =
          !run->strategy || run->strategy == &luna_plan_strategies[i];
      if (!was_chosen ||
          !is_worth_trying(run, &luna_plan_strategies[i], (LunaMerge)merge))
        try_all(run, &luna_plan_strategies[i], (LunaMerge)merge);
    }
  memcpy(run->parts, planned, sizeof planned);
}

typedef struct Call {
  LunaProblem *problem;
  const LunaPlanOptions *options;
  LunaSolution *solution;
  LunaPlanBytes *saved; // NULL if it is not wanted
} Call;

static bool call(void *context, LunaError *error) {
  const Call *self = context;
  LunaPlanRun run;
  bool ok = luna_plan_run_begin(&run, self->problem, self->options, error);
  if (ok) {
    try_eligible(&run);
    insist_on_capacity(&run);
    plan_parts(&run);
    if (run.compares && !run.pulse.is_stopped)
      compare_others(&run);
    ok = luna_plan_run_fill(&run, self->solution, error);
    if (self->saved && !run.pulse.is_stopped)
      *self->saved = luna_plan_run_save(&run);
  }
  luna_plan_run_end(&run);
  return ok;
}

bool luna_plan_solve_saved(LunaProblem *problem, const LunaPlanOptions *options,
                           LunaSolution *solution, LunaPlanBytes *saved,
                           LunaError *error) {
  Call self = {problem, options, solution, saved};
  if (saved)
    *saved = (LunaPlanBytes){0};
  return luna_arena_guard(problem->arena, NULL, "buffers were planned", call,
                          &self, error);
}

bool luna_plan_solve(LunaProblem *problem, const LunaPlanOptions *options,
                     LunaSolution *solution, LunaError *error) {
  return luna_plan_solve_saved(problem, options, solution, NULL, error);
}
