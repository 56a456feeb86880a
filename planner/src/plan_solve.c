// Runs the requested strategies under the requested treatments, and keeps the
// smallest plan.

#include <string.h>

#include "plan_merge.h"
#include "plan_optimal.h"

enum {
  KINDS_TENSOR = 1 << LUNA_BUFFER_TENSOR | 1 << LUNA_BUFFER_SCRATCH,
  KINDS_ACTIVATION = 1 << LUNA_BUFFER_TENSOR,
  KINDS_SCRATCH = 1 << LUNA_BUFFER_SCRATCH,
  KINDS_STAGING = 1 << LUNA_BUFFER_STAGING,
  KINDS_ALL = KINDS_TENSOR | KINDS_STAGING,
};

// A part of the program (by kinds of buffers) and its best plan so far.
typedef struct Part {
  LunaPlanProgram program;
  LunaPlanBound bound;
  // No plan is smaller: the bound, or what search has proven.
  int64_t proven_bytes;
  bool is_planned;
  int64_t best_bytes;
  int64_t *best_offsets, *offsets;
  const LunaPlanStrategy *strategy;
  LunaMerge merge;
} Part;

typedef struct Run {
  LunaProblem *problem;
  const LunaPlanOptions *options;
  // NULL means all.
  const LunaPlanStrategy *strategy;
  Part total, tensor, activation, scratch, staging;
  // The plan to start from, by item; NULL if there is none.
  int64_t *hints;
  LunaPlanPulse pulse;
  uint64_t search_steps;
  LunaPathCover cover;
  // True if all buffers are tensors or scratch; if all of those are
  // activations.
  bool is_tensor_only, is_activation_only;
  // True if the table is to be filled: not where no plan fits.
  bool compares;
  LunaPlanRow *rows;
  uint32_t row_count;
  LunaArena arena;
} Run;

static Part make_part(Run *run, const LunaLifetime *lifetimes, unsigned kinds) {
  Part part = {0};
  part.program =
      luna_plan_program_make(run->problem, lifetimes, kinds, &run->arena);
  uint32_t count = part.program.items.count;
  part.bound = luna_plan_items_bound(&part.program.items);
  part.proven_bytes = part.bound.bytes;
  part.best_offsets = LUNA_ARENA_ARRAY(&run->arena, int64_t, count);
  part.offsets = LUNA_ARENA_ARRAY(&run->arena, int64_t, count);
  return part;
}

// Returns the step budget: all of it for the requested treatment, less for the
// others; 0 for the usual one of `best`.
static uint64_t budget_of(const Run *run, LunaMerge merge) {
  uint64_t budget = run->options->step_budget;
  if (budget == 0 && (run->strategy || run->options->any_that_fits))
    budget = PLAN_OPTIMAL_STEPS;
  return merge == run->options->merge ? budget : budget / 8;
}

// Returns the offsets of the items of a part in the plan of all.
static const int64_t *hints_of(const Run *run, const Part *part,
                               LunaArena *arena) {
  if (!run->total.is_planned)
    return NULL;
  const LunaPlanItems *all = &run->total.program.items;
  const LunaPlanItems *items = &part->program.items;
  int64_t *hints = LUNA_ARENA_ARRAY(arena, int64_t, items->count);
  // Both ascend by buffer.
  for (uint32_t i = 0, k = 0; i < items->count; ++i) {
    while (all->items[k].id != items->items[i].id)
      ++k;
    hints[i] = run->total.best_offsets[k];
  }
  return hints;
}

// Plans a part with the budget of `context` and keeps the plan if it is
// smaller.
static int64_t try_part_in(Run *run, Part *part,
                           const LunaPlanStrategy *strategy, LunaMerge merge,
                           LunaPlanContext context) {
  LunaArena arena = {0};
  // Only the whole is searched at length: the sizes of parts are statistics,
  // for which greedy orders do, and the order of the whole plan.
  context.is_quick = part != &run->total;
  context.pulse = &run->pulse;
  context.hint_bytes = run->hints;
  if (context.is_quick && strategy->place == luna_plan_place_optimal)
    context.hint_bytes = hints_of(run, part, &arena);
  luna_plan_program_place(&part->program, merge, strategy, &context,
                          part->offsets, &arena);
  luna_arena_destroy(&arena);
  run->search_steps += context.steps;
  if (context.cover.group_count > 0 && part == &run->total &&
      merge == run->options->merge)
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

static int64_t try_part(Run *run, Part *part, const LunaPlanStrategy *strategy,
                        LunaMerge merge) {
  LunaPlanContext context = {
      .step_budget = budget_of(run, merge),
      .enough_bytes =
          run->options->any_that_fits ? run->options->capacity_bytes : 0,
  };
  return try_part_in(run, part, strategy, merge, context);
}

static bool is_at_bound(const Part *part) {
  return part->is_planned && part->best_bytes <= part->proven_bytes;
}

// Plans the whole, and the tensors, with one strategy and treatment, and adds a
// row.
static void try_all(Run *run, const LunaPlanStrategy *strategy,
                    LunaMerge merge) {
  LunaPlanRow *row = &run->rows[run->row_count++];
  row->strategy = strategy->name;
  row->merge = merge;
  row->total_bytes = try_part(run, &run->total, strategy, merge);
  run->pulse.now.best_bytes = run->total.best_bytes;
  run->pulse.now.lower_bound_bytes = run->total.proven_bytes;
  plan_pulse(&run->pulse, 0);
  row->tensor_bytes = run->is_tensor_only
                          ? row->total_bytes
                          : try_part(run, &run->tensor, strategy, merge);
}

// Only the whole has to fit: the sizes of its parts are statistics.
static bool is_done(const Run *run) {
  return run->pulse.is_stopped || (!run->compares && is_at_bound(&run->total));
}

// Returns true if the plan may come from a treatment: the requested one, or any
// for `path`, since each is valid under the conflicts of `path`.
static bool is_eligible(const Run *run, LunaMerge merge) {
  if (run->options->merge == merge)
    return true;
  return run->options->merge == LUNA_MERGE_PATH &&
         run->total.program.has_choices;
}

// Returns true if `best` tries a strategy: search only under the requested
// treatment, and expensive ones only up to a limit.
static bool is_worth_trying(const Run *run, const LunaPlanStrategy *strategy,
                            LunaMerge merge) {
  if (!is_eligible(run, merge) || run->strategy)
    return is_eligible(run, merge);
  if (strategy->place == luna_plan_place_optimal &&
      merge != run->options->merge)
    return false;
  return strategy->best_limit == 0 ||
         run->total.program.items.count <= strategy->best_limit;
}

static void try_eligible(Run *run) {
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
static void insist_on_capacity(Run *run) {
  int64_t capacity = run->options->capacity_bytes;
  if (run->pulse.is_stopped || capacity <= 0 ||
      run->total.best_bytes <= capacity || run->total.proven_bytes > capacity ||
      run->strategy || run->options->step_budget > 0)
    return;
  LunaPlanContext context = {.step_budget = PLAN_OPTIMAL_STEPS,
                             .enough_bytes = capacity};
  try_part_in(run, &run->total, luna_plan_strategy_find("optimal"),
              run->options->merge, context);
}

// Plans the parts that are not at their bound: by the strategy asked for, or as
// the whole was.
static void plan_parts(Run *run) {
  const LunaPlanStrategy *strategy =
      run->strategy ? run->strategy : luna_plan_strategy_find("optimal");
  Part *parts[] = {&run->tensor, &run->activation, &run->scratch,
                   &run->staging};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    for (int merge = 0; merge < LUNA_MERGE_COUNT; ++merge)
      if (!is_at_bound(parts[i]) &&
          is_worth_trying(run, strategy, (LunaMerge)merge))
        try_part(run, parts[i], strategy, (LunaMerge)merge);
}

// Fills the rest of the table, without changing the plan.
static void compare_others(Run *run) {
  Part total = run->total, tensor = run->tensor;
  Part activation = run->activation;
  Part scratch = run->scratch, staging = run->staging;
  uint32_t count = total.program.items.count;
  run->total.best_offsets = LUNA_ARENA_ARRAY(&run->arena, int64_t, count);
  run->tensor.best_offsets = LUNA_ARENA_ARRAY(&run->arena, int64_t, count);
  run->activation.best_offsets = LUNA_ARENA_ARRAY(&run->arena, int64_t, count);
  run->scratch.best_offsets = LUNA_ARENA_ARRAY(&run->arena, int64_t, count);
  run->staging.best_offsets = LUNA_ARENA_ARRAY(&run->arena, int64_t, count);
  for (uint32_t i = 0; i < luna_plan_strategy_count; ++i)
    for (int merge = 0; merge < LUNA_MERGE_COUNT; ++merge) {
      bool was_chosen =
          !run->strategy || run->strategy == &luna_plan_strategies[i];
      if (!was_chosen ||
          !is_worth_trying(run, &luna_plan_strategies[i], (LunaMerge)merge))
        try_all(run, &luna_plan_strategies[i], (LunaMerge)merge);
    }
  run->total = total;
  run->tensor = tensor;
  run->activation = activation;
  run->scratch = scratch;
  run->staging = staging;
}

// `program_bytes`: what the bound of the program says, if it is known.
static LunaPlanSize size_of(const Run *run, const Part *part,
                            int64_t program_bytes) {
  bool is_open = run->problem->moves.count > 0;
  return (LunaPlanSize){
      .bytes = part->best_bytes,
      .lower_bound_bytes = run->options->bound ? program_bytes
                           : is_open           ? 0
                                               : part->bound.bytes,
      .placement_bound_bytes = part->proven_bytes,
  };
}

static LunaProof proof_of(const Run *run, LunaPlanSize total) {
  bool has_choices = run->options->bound || run->problem->moves.count > 0;
  if (total.bytes > total.placement_bound_bytes)
    return LUNA_PROOF_NONE;
  if (total.bytes == total.lower_bound_bytes)
    return LUNA_PROOF_BOUND;
  return has_choices ? LUNA_PROOF_PLACEMENT : LUNA_PROOF_EXHAUSTED;
}

static LunaWitness witness_of(const Run *run) {
  LunaArena *arena = run->problem->arena;
  const LunaPlanItems *items = &run->total.program.items;
  LunaPlanBound bound = run->total.bound;
  LunaWitness witness = {
      .step = bound.point, .bytes = bound.bytes, .path = "straight"};
  if (bound.point < run->problem->step_nodes.count)
    witness.path = luna_problem_step_path(run->problem, bound.point, arena);
  uint32_t *buffers = LUNA_ARENA_ARRAY(arena, uint32_t, items->count);
  LunaSteps range = {bound.point, bound.point + 1};
  LunaPlanItem here = {.lifetime = {.ranges = &range, .range_count = 1}};
  for (uint32_t i = 0; i < items->count; ++i)
    if (items->items[i].size_bytes > 0 &&
        luna_plan_items_conflict(&items->items[i], &here))
      buffers[witness.buffer_count++] = items->items[i].id;
  witness.buffers = buffers;
  return witness;
}

// Returns the offsets by buffer: aliases have that of their item.
static const int64_t *offsets_by_buffer(const Run *run) {
  const LunaProblem *problem = run->problem;
  const Part *part = &run->total;
  int64_t *offsets =
      LUNA_ARENA_ARRAY(problem->arena, int64_t, problem->buffers.count);
  for (uint32_t i = 0; i < part->program.items.count; ++i)
    offsets[part->program.items.items[i].id] = part->best_offsets[i];
  for (uint32_t id = 0; id < problem->buffers.count; ++id)
    offsets[id] = offsets[luna_plan_place_of(problem, id)];
  return offsets;
}

// `path` adopts smaller plans of other treatments; this updates its rows.
static void adopt_in_rows(LunaPlanRow *rows, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (rows[i].merge != LUNA_MERGE_PATH)
      continue;
    for (uint32_t k = 0; k < count; ++k) {
      if (rows[k].strategy != rows[i].strategy)
        continue;
      if (rows[k].total_bytes < rows[i].total_bytes)
        rows[i].total_bytes = rows[k].total_bytes;
      if (rows[k].tensor_bytes < rows[i].tensor_bytes)
        rows[i].tensor_bytes = rows[k].tensor_bytes;
    }
  }
}

static void fill_solution(const Run *run, LunaSolution *solution) {
  const Part *tensor = run->is_tensor_only ? &run->total : &run->tensor;
  const Part *activation = run->is_activation_only ? tensor : &run->activation;
  LunaPlanRow *rows =
      LUNA_ARENA_ARRAY(run->problem->arena, LunaPlanRow, run->row_count);
  memcpy(rows, run->rows, sizeof(LunaPlanRow) * run->row_count);
  adopt_in_rows(rows, run->row_count);
  const LunaProgramBound none = {0};
  const LunaProgramBound *bound =
      run->options->bound ? run->options->bound : &none;
  LunaPlanSize total = size_of(run, &run->total, bound->total_bytes);
  LunaProof proof = proof_of(run, total);
  *solution = (LunaSolution){
      .offset_bytes = offsets_by_buffer(run),
      .buffer_count = run->problem->buffers.count,
      .strategy = run->total.strategy->name,
      .merge = run->total.merge,
      .total = total,
      .tensor = size_of(run, tensor, bound->tensor_bytes),
      .activation = size_of(run, activation, bound->activation_bytes),
      .scratch = size_of(run, &run->scratch, 0),
      .staging = size_of(run, &run->staging, 0),
      .proof = proof,
      .is_optimal = proof == LUNA_PROOF_BOUND || proof == LUNA_PROOF_EXHAUSTED,
      .witness = witness_of(run),
      .search_steps = run->search_steps,
      .is_stopped = run->pulse.is_stopped,
      .cover = run->cover,
      .rows = rows,
      .row_count = run->row_count,
  };
}

enum { NAMED_BUFFERS = 4 };

// Returns the largest buffers of the witness, `'a' 64, 'b' 32 and 7 more`.
static const char *name_live(const LunaProblem *problem,
                             const LunaWitness *witness) {
  const char *text = NULL;
  LunaArena *arena = problem->arena;
  uint32_t named[NAMED_BUFFERS], count = 0;
  for (; count < NAMED_BUFFERS && count < witness->buffer_count; ++count) {
    uint32_t largest = PLAN_NONE;
    for (uint32_t i = 0; i < witness->buffer_count; ++i) {
      uint32_t id = witness->buffers[i];
      bool is_named = false;
      for (uint32_t k = 0; k < count; ++k)
        is_named |= named[k] == id;
      if (!is_named && (largest == PLAN_NONE ||
                        problem->buffers.items[id].size_bytes >
                            problem->buffers.items[largest].size_bytes))
        largest = id;
    }
    named[count] = largest;
    luna_plan_text_add(arena, &text, count > 0 ? ", '" : "'");
    luna_plan_text_add(arena, &text, problem->buffers.items[largest].name);
    luna_plan_text_add(arena, &text, "' ");
    luna_plan_text_add_number(
        arena, &text, (uint64_t)problem->buffers.items[largest].size_bytes);
  }
  if (count < witness->buffer_count) {
    luna_plan_text_add(arena, &text, " and ");
    luna_plan_text_add_number(arena, &text, witness->buffer_count - count);
    luna_plan_text_add(arena, &text, " more");
  }
  return text ? text : "nothing";
}

static bool check_capacity(const LunaProblem *problem, int64_t capacity_bytes,
                           const LunaSolution *solution, LunaError *error) {
  int64_t needed = solution->total.bytes;
  if (capacity_bytes <= 0 || needed <= capacity_bytes)
    return true;
  uint32_t beyond = 0;
  while (solution->offset_bytes[beyond] +
             problem->buffers.items[beyond].size_bytes <=
         capacity_bytes)
    ++beyond;
  const LunaWitness *witness = &solution->witness;
  const char *proof = witness->bytes > capacity_bytes ? "no plan fits"
                      : solution->total.placement_bound_bytes > capacity_bytes
                          ? "no plan fits (by exhaustion)"
                          : "smaller plans were not ruled out";
  const char *step = problem->step_nodes.count
                         ? luna_problem_step_name(problem, witness->step)
                         : "none";
  return luna_error_set(
      error, LUNA_ERROR_CAPACITY, beyond,
      "needs %lld bytes, capacity is %lld (%lld too many); %s: at least %lld "
      "are live at step '%s' on path %s: %s",
      (long long)needed, (long long)capacity_bytes,
      (long long)(needed - capacity_bytes), proof, (long long)witness->bytes,
      step, witness->path, name_live(problem, witness));
}

static bool check_fixed(const Run *run, LunaError *error) {
  uint32_t a = 0, b = 0;
  if (!luna_plan_program_fixed_collision(&run->total.program, &a, &b))
    return true;
  const LunaBuffer *buffers = run->problem->buffers.items;
  return luna_error_set(
      error, LUNA_ERROR_INPUT, b,
      "buffer '%s' is fixed at %lld, which overlaps buffer "
      "'%s', fixed at %lld and live at the same time",
      buffers[b].name, (long long)buffers[b].fixed_offset_bytes,
      buffers[a].name, (long long)buffers[a].fixed_offset_bytes);
}

static bool find_strategy(const char *name, const LunaPlanStrategy **strategy,
                          LunaError *error) {
  *strategy = name ? luna_plan_strategy_find(name) : NULL;
  if (*strategy || !name || luna_strategy_exists(name))
    return true;
  return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "strategy '%s' is unknown, see luna_strategy_name for "
                        "those there are",
                        name);
}

// Copies the options that the caller knows; the others are zero.
static bool read_options(const LunaPlanOptions *given, LunaPlanOptions *own,
                         LunaError *error) {
  *own = (LunaPlanOptions){0};
  if (!given)
    return true;
  uint64_t size = given->struct_size ? given->struct_size : sizeof *own;
  if (size > sizeof *own)
    return luna_error_set(
        error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
        "options have %llu bytes, this version of the planner "
        "knows %llu",
        (unsigned long long)size, (unsigned long long)sizeof *own);
  memcpy(own, given, (size_t)size);
  return true;
}

// Gives every item the hint of its buffer; those without one come last.
static int64_t *read_hints(Run *run) {
  const LunaPlanItems *items = &run->total.program.items;
  const int64_t *given = run->options->hint_offset_bytes;
  if (!given)
    return NULL;
  int64_t *hints = LUNA_ARENA_ARRAY(&run->arena, int64_t, items->count);
  for (uint32_t i = 0; i < items->count; ++i) {
    int64_t hint = given[items->items[i].id];
    hints[i] = hint >= 0 ? hint : INT64_MAX;
  }
  return hints;
}

static bool solve(LunaProblem *problem, const LunaPlanOptions *options,
                  LunaSolution *solution, LunaError *error) {
  LunaPlanOptions own;
  const LunaLifetime *lifetimes = NULL;
  if (!read_options(options, &own, error))
    return false;
  Run run = {
      .problem = problem,
      .options = &own,
      .pulse = {.progress = own.progress, .context = own.progress_context}};
  if (!find_strategy(run.options->strategy, &run.strategy, error) ||
      !luna_problem_lifetimes(problem, &lifetimes, error))
    return false;
  run.total = make_part(&run, lifetimes, KINDS_ALL);
  run.hints = read_hints(&run);
  run.compares = run.options->compare &&
                 (run.options->capacity_bytes <= 0 ||
                  run.total.bound.bytes <= run.options->capacity_bytes);
  run.scratch = make_part(&run, lifetimes, KINDS_SCRATCH);
  run.staging = make_part(&run, lifetimes, KINDS_STAGING);
  run.is_tensor_only = run.staging.program.items.count == 0;
  run.is_activation_only = run.scratch.program.items.count == 0;
  run.tensor =
      make_part(&run, lifetimes, run.is_tensor_only ? 0 : KINDS_TENSOR);
  run.activation =
      make_part(&run, lifetimes, run.is_activation_only ? 0 : KINDS_ACTIVATION);
  run.rows = LUNA_ARENA_ARRAY(&run.arena, LunaPlanRow,
                              luna_plan_strategy_count * LUNA_MERGE_COUNT);
  bool ok = check_fixed(&run, error);
  if (ok) {
    try_eligible(&run);
    insist_on_capacity(&run);
    plan_parts(&run);
    if (run.compares && !run.pulse.is_stopped)
      compare_others(&run);
    fill_solution(&run, solution);
    ok = check_capacity(problem, run.options->capacity_bytes, solution, error);
  }
  luna_arena_destroy(&run.arena);
  return ok;
}

typedef struct Call {
  LunaProblem *problem;
  const LunaPlanOptions *options;
  LunaSolution *solution;
} Call;

static bool call(void *context, LunaError *error) {
  const Call *self = context;
  return solve(self->problem, self->options, self->solution, error);
}

bool luna_plan_solve(LunaProblem *problem, const LunaPlanOptions *options,
                     LunaSolution *solution, LunaError *error) {
  Call self = {problem, options, solution};
  return luna_arena_guard(problem->arena, NULL, "buffers were planned", call,
                          &self, error);
}
