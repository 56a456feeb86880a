// What planning begins and ends with: the parts of the program, and the
// solution.

#include "plan_run.h"

#include <string.h>

enum {
  KINDS_TENSOR = 1 << LUNA_BUFFER_TENSOR | 1 << LUNA_BUFFER_SCRATCH,
  KINDS_ACTIVATION = 1 << LUNA_BUFFER_TENSOR,
  KINDS_SCRATCH = 1 << LUNA_BUFFER_SCRATCH,
  KINDS_STAGING = 1 << LUNA_BUFFER_STAGING,
  KINDS_ALL = KINDS_TENSOR | KINDS_STAGING,
};

//===- The solution -------------------------------------------------------===//

// `program_bytes`: what the bound of the program says, if it is known.
static LunaPlanSize size_of(const LunaPlanRun *run, const LunaPlanPart *part,
                            int64_t program_bytes) {
  bool is_open = run->problem->moves.count > 0;
  return (LunaPlanSize){
      .bytes = part->best_bytes,
      .lower_bound_bytes = run->options.bound ? program_bytes
                           : is_open          ? 0
                                              : part->bound.bytes,
      .placement_bound_bytes = part->proven_bytes,
  };
}

static LunaProof proof_of(const LunaPlanRun *run, LunaPlanSize total) {
  bool has_choices = run->options.bound || run->problem->moves.count > 0;
  if (total.bytes > total.placement_bound_bytes)
    return LUNA_PROOF_NONE;
  if (total.bytes == total.lower_bound_bytes)
    return LUNA_PROOF_BOUND;
  return has_choices ? LUNA_PROOF_PLACEMENT : LUNA_PROOF_EXHAUSTED;
}

static LunaWitness witness_of(const LunaPlanRun *run) {
  LunaArena *arena = run->problem->arena;
  const LunaPlanItems *items = &run->parts[PLAN_TOTAL].program.items;
  LunaPlanBound bound = run->parts[PLAN_TOTAL].bound;
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

const int64_t *luna_plan_part_offsets(const LunaPlanRun *run,
                                      const LunaPlanPart *part) {
  const LunaProblem *problem = run->problem;
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

static void fill_solution(const LunaPlanRun *run, LunaSolution *solution) {
  const LunaPlanPart *tensor =
      run->is_tensor_only ? &run->parts[PLAN_TOTAL] : &run->parts[PLAN_TENSOR];
  const LunaPlanPart *activation =
      run->is_activation_only ? tensor : &run->parts[PLAN_ACTIVATION];
  LunaPlanRow *rows =
      LUNA_ARENA_ARRAY(run->problem->arena, LunaPlanRow, run->row_count);
  memcpy(rows, run->rows, sizeof(LunaPlanRow) * run->row_count);
  adopt_in_rows(rows, run->row_count);
  const LunaProgramBound none = {0};
  const LunaProgramBound *bound =
      run->options.bound ? run->options.bound : &none;
  LunaPlanSize total =
      size_of(run, &run->parts[PLAN_TOTAL], bound->total_bytes);
  LunaProof proof = proof_of(run, total);
  *solution = (LunaSolution){
      .offset_bytes = luna_plan_part_offsets(run, &run->parts[PLAN_TOTAL]),
      .buffer_count = run->problem->buffers.count,
      .strategy = run->parts[PLAN_TOTAL].strategy->name,
      .merge = run->parts[PLAN_TOTAL].merge,
      .total = total,
      .tensor = size_of(run, tensor, bound->tensor_bytes),
      .activation = size_of(run, activation, bound->activation_bytes),
      .scratch = size_of(run, &run->parts[PLAN_SCRATCH], 0),
      .staging = size_of(run, &run->parts[PLAN_STAGING], 0),
      .proof = proof,
      .is_optimal = proof == LUNA_PROOF_BOUND || proof == LUNA_PROOF_EXHAUSTED,
      .witness = witness_of(run),
      .search_steps = run->search_steps,
      .is_stopped = run->pulse.is_stopped,
      .cover = run->cover,
      .rows = rows,
      .row_count = run->row_count,
      .is_compared = run->compares,
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

static bool check_fixed(const LunaPlanRun *run, LunaError *error) {
  uint32_t a = 0, b = 0;
  if (!luna_plan_program_fixed_collision(&run->parts[PLAN_TOTAL].program, &a,
                                         &b))
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

bool luna_plan_read_options(const LunaPlanOptions *given, LunaPlanOptions *own,
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
static int64_t *read_hints(LunaPlanRun *run) {
  const LunaPlanItems *items = &run->parts[PLAN_TOTAL].program.items;
  const int64_t *given = run->options.hint_offset_bytes;
  if (!given)
    return NULL;
  int64_t *hints = LUNA_ARENA_ARRAY(&run->arena, int64_t, items->count);
  for (uint32_t i = 0; i < items->count; ++i) {
    int64_t hint = given[items->items[i].id];
    hints[i] = hint >= 0 ? hint : INT64_MAX;
  }
  return hints;
}

//===- The run ------------------------------------------------------------===//

static LunaPlanPart make_part(LunaPlanRun *run, const LunaLifetime *lifetimes,
                              unsigned kinds) {
  LunaPlanPart part = {.kinds = kinds};
  part.program =
      luna_plan_program_make(run->problem, lifetimes, kinds, &run->arena);
  uint32_t count = part.program.items.count;
  part.bound = luna_plan_items_bound(&part.program.items);
  part.proven_bytes = part.bound.bytes;
  part.best_offsets = LUNA_ARENA_ARRAY(&run->arena, int64_t, count);
  part.offsets = LUNA_ARENA_ARRAY(&run->arena, int64_t, count);
  return part;
}

// Builds the parts; those without buffers of their own stay empty.
static void make_parts(LunaPlanRun *run, const LunaLifetime *lifetimes) {
  LunaPlanPart *parts = run->parts;
  parts[PLAN_SCRATCH] = make_part(run, lifetimes, KINDS_SCRATCH);
  parts[PLAN_STAGING] = make_part(run, lifetimes, KINDS_STAGING);
  run->is_tensor_only = parts[PLAN_STAGING].program.items.count == 0;
  run->is_activation_only = parts[PLAN_SCRATCH].program.items.count == 0;
  parts[PLAN_TENSOR] =
      make_part(run, lifetimes, run->is_tensor_only ? 0 : KINDS_TENSOR);
  parts[PLAN_ACTIVATION] =
      make_part(run, lifetimes, run->is_activation_only ? 0 : KINDS_ACTIVATION);
}

bool luna_plan_run_begin(LunaPlanRun *run, LunaProblem *problem,
                         const LunaPlanOptions *options, LunaError *error) {
  const LunaLifetime *lifetimes = NULL;
  *run = (LunaPlanRun){.problem = problem};
  if (!luna_plan_read_options(options, &run->options, error) ||
      !find_strategy(run->options.strategy, &run->strategy, error) ||
      !luna_plan_read_without(run->options.without, &run->without, error) ||
      !luna_problem_lifetimes(problem, &lifetimes, error))
    return false;
  run->pulse = (LunaPlanPulse){.progress = run->options.progress,
                               .context = run->options.progress_context};
  run->parts[PLAN_TOTAL] = make_part(run, lifetimes, KINDS_ALL);
  run->hints = read_hints(run);
  run->compares = run->options.compare && (run->options.capacity_bytes <= 0 ||
                                           run->parts[PLAN_TOTAL].bound.bytes <=
                                               run->options.capacity_bytes);
  make_parts(run, lifetimes);
  run->rows = LUNA_ARENA_ARRAY(&run->arena, LunaPlanRow,
                               luna_plan_strategy_count * LUNA_MERGE_COUNT);
  return check_fixed(run, error);
}

bool luna_plan_run_fill(const LunaPlanRun *run, LunaSolution *solution,
                        LunaError *error) {
  fill_solution(run, solution);
  return check_capacity(run->problem, run->options.capacity_bytes, solution,
                        error);
}

void luna_plan_run_end(LunaPlanRun *run) { luna_arena_destroy(&run->arena); }
