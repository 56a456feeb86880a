// luna-plan-memory: assigns every on-chip buffer an offset in one arena.
//
// In: a bufferised function with structured control flow that has names
// (luna-form-regions), coalesced loops (luna-schedule) and its
// bound (luna-order); allocations without a memory space count as on
// chip. Out: `luna.place` on every shared allocation, on the function
// `luna.arena_bytes` and the dictionary `luna.plan` (docs/stats.md). Each
// version of a model (luna.cases) gets its own smallest plan; the arena is that
// of the largest. Refuses: what one of those passes has not prepared, dynamic
// allocations, unstructured control flow, a plan larger than the memory; the
// error names the bytes needed and available, the largest buffers live at the
// peak, and the path. Options: machine, strategy, merge, capacity-bytes,
// search-steps, compare. Plans that the context (luna_set_plan_source), or else
// the function as `luna.plan_hints` (luna-c/plan_hints.h), has are taken where
// they hold, and new ones added there.
// Example: lit_tests/passes/luna-plan-memory/doc.mlir

#include "plan_memory.h"

#include <string.h>

#include "join_record.h"
#include "luna-c/pass.h"
#include "luna-c/plan_attr.h"
#include "luna-c/plan_hints.h"
#include "luna/arena.h"
#include "luna/passes.h"
#include "machine_option.h"
#include "memory_problem.h"
#include "mlir-c/BuiltinAttributes.h"
#include "plan_cases.h"
#include "solution_record.h"
#include "structure.h"

enum {
  OPT_MACHINE,
  OPT_PLAN, // those of luna/plan_options.def
  OPT_COUNT = OPT_PLAN + LUNA_PLAN_MEMORY_OPTIONS,
};

//===----------------------------------------------------------------------===//
// What does not fit
//===----------------------------------------------------------------------===//

enum { MAX_NOTES = 12 };

static void sort_by_size(const LunaProblem *problem, LunaBufferId *ids,
                         uint32_t count) {
  for (uint32_t i = 1; i < count; ++i) {
    LunaBufferId id = ids[i];
    int64_t bytes = luna_problem_buffer(problem, id)->size_bytes;
    uint32_t at = i;
    while (at > 0 &&
           luna_problem_buffer(problem, ids[at - 1])->size_bytes < bytes) {
      ids[at] = ids[at - 1];
      --at;
    }
    ids[at] = id;
  }
}

static MlirLogicalResult
report_no_fit(MlirOperation func, const LunaMachine *machine,
              int64_t capacity_bytes, const LunaMemoryProblem *memory,
              const LunaSolution *solution, const char *advice) {
  LunaArena *arena = memory->view.arena;
  const LunaWitness *peak = &solution->witness;
  const char *notes[MAX_NOTES + 2];
  size_t count = 0;
  notes[count++] = luna_arena_printf(
      arena, "peak at %s on path %s; at least %lld bytes are live there",
      luna_problem_step_name(memory->view.problem, peak->step), peak->path,
      (long long)peak->bytes);
  LunaBufferId *ids = LUNA_ARENA_ARRAY(arena, LunaBufferId, peak->buffer_count);
  if (peak->buffer_count > 0)
    memcpy(ids, peak->buffers, peak->buffer_count * sizeof *ids);
  sort_by_size(memory->view.problem, ids, peak->buffer_count);
  for (uint32_t i = 0; i < peak->buffer_count && count < MAX_NOTES; ++i) {
    const LunaBuffer *buffer =
        luna_problem_buffer(memory->view.problem, ids[i]);
    notes[count++] =
        luna_arena_printf(arena, "live there: %s, %lld bytes", buffer->name,
                          (long long)buffer->size_bytes);
  }
  notes[count++] = advice;
  const char *message = luna_arena_printf(
      arena,
      "needs %lld bytes of shared memory, machine '%s' has %lld (%lld too "
      "many)",
      (long long)solution->total.bytes, machine->name,
      (long long)capacity_bytes,
      (long long)(solution->total.bytes - capacity_bytes));
  lunaEmitErrorWithNotes(func, message, notes, count);
  return mlirLogicalResultFailure();
}

// Names options that are not in force already, else the least that must go.
// Simpler transfers are no advice: luna-choose-transfers has tried them.
static const char *advice_for(const LunaMemoryProblem *memory,
                              const LunaSolution *solution,
                              const LunaPlanOptions *options) {
  long long excess_bytes =
      (long long)(solution->witness.bytes - options->capacity_bytes);
  if (excess_bytes <= 0 && options->merge != LUNA_MERGE_PATH)
    return "the live buffers alone would fit: use merge=path";
  if (excess_bytes <= 0)
    return strcmp(options->strategy, "best") != 0
               ? "the live buffers alone would fit: use strategy=best"
               : "the live buffers alone would fit, but no strategy places "
                 "them: smaller tensors, or a machine with more shared memory";
  const char *format =
      solution->tensor.bytes <= options->capacity_bytes
          ? "the tensors alone fit: the weights of an operator at this point "
            "must shrink by %lld bytes, or split it by output channels"
          : "the largest live sum must shrink by %lld bytes: smaller tensors "
            "at this point, or a machine with more shared memory";
  return luna_arena_printf(memory->view.arena, format, excess_bytes);
}

//===----------------------------------------------------------------------===//
// The plan as attributes
//===----------------------------------------------------------------------===//

static void annotate_allocs(const LunaMemoryProblem *memory,
                            const LunaSolution *solution) {
  uint32_t count = memory->program.model.buffer_count;
  for (uint32_t root = 0; root < count; ++root) {
    LunaBufferId buffer = memory->view.buffer_of[root];
    if (buffer == LUNA_NO_BUFFER)
      continue;
    MlirOperation alloc = luna_roots_alloc(memory->program.roots, root);
    luna_set_place(
        alloc, &(LunaPlacement){
                   .id = root,
                   .offset_bytes = solution->offset_bytes[buffer],
                   .kind = luna_allocation_kind(alloc),
                   .name = luna_str(
                       luna_problem_buffer(memory->view.problem, buffer)->name),
               });
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

// The members of LunaPlanOptions that have rows of their names.
static void read_members(const LunaOptionValue *values, LunaPlanOptions *plan) {
#define LUNA_MEMBER_STRING(member, value)
#define LUNA_MEMBER_CHOICE(member, value)
#define LUNA_MEMBER_BOOL(member, value) plan->member = (value) != 0;
#define LUNA_MEMBER_BYTES(member, value) plan->member = (value);
#define LUNA_MEMBER_COUNT(member, value) plan->member = (uint64_t)(value);
#define LUNA_PLAN_OPTION(ID, member, KIND, initial, name, value, choices,      \
                         text, help)                                           \
  LUNA_MEMBER_##KIND(member, values[LUNA_PLAN_OPTION_##ID].integer)
#define LUNA_PLAN_PASS_OPTION(ID, member, KIND, initial, name, text, command,  \
                              value, help)                                     \
  LUNA_MEMBER_##KIND(member, values[LUNA_PLAN_OPTION_##ID].integer)
#include "luna/plan_options.def"
}

static bool read_options(MlirOperation func, const LunaOptionValue *values,
                         const LunaMachine *machine, LunaPlanOptions *plan) {
  const char *strategy = values[LUNA_PLAN_OPTION_STRATEGY].string;
  const char *merge = values[LUNA_PLAN_OPTION_MERGE].string;
  if (!luna_strategy_exists(strategy)) {
    luna_emit_error(func,
                    "unknown strategy '%s'; 'lunac strategies' lists "
                    "them",
                    strategy);
    return false;
  }
  if (!luna_merge_from_name(merge, &plan->merge)) {
    luna_emit_error(func,
                    "merge is '%s', allowed are path, block, linear and "
                    "none",
                    merge);
    return false;
  }
  read_members(values, plan);
  plan->strategy = strategy;
  if (plan->capacity_bytes <= 0)
    plan->capacity_bytes = (int64_t)machine->shared.bytes;
  return true;
}

// Emits an error and returns false if luna-order has not run.
static bool read_bound(MlirOperation func, LunaArena *arena,
                       LunaProgramBound *bound) {
  LunaBoundRecord record;
  LunaError error = {0};
  if (!luna_bound_read(func, arena, &record, &error)) {
    luna_emit_error(func, "has no luna.bound; run luna-order first");
    return false;
  }
  *bound = (LunaProgramBound){
      .total_bytes = record.total_bytes,
      .tensor_bytes = record.tensor_bytes,
      .activation_bytes = record.activation_bytes,
  };
  return true;
}

static bool is_named(MlirOperation op, void *data) {
  (void)data;
  bool is_ok = !luna_is_control_flow(op) || luna_is_in_body(op) ||
               luna_label_of(op).length > 0;
  if (!is_ok)
    luna_emit_error(op, "has no luna.label; run luna-form-regions first");
  return is_ok;
}

// Emits an error and returns false if a pass that goes before has not run.
static bool is_prepared(MlirOperation func, LunaArena *arena,
                        LunaProgramBound *bound) {
  return luna_walk(func, is_named, NULL) && read_bound(func, arena, bound);
}

// Returns true if a buffer that the body of `loop` allocates is carried.
static bool carries_own_buffer(const LunaModel *model, LunaModelId loop) {
  const LunaModelStep *step = &model->steps.items[loop];
  for (uint32_t i = 0; i < step->carried_count; ++i) {
    const LunaModelValue *value = &model->values.items[step->first_carried + i];
    for (uint32_t k = 0;
         value->kind != LUNA_MODEL_TOKEN && k < value->source_count; ++k) {
      LunaModelId buffer = model->sources.items[value->first_source + k];
      if (luna_model_is_within(model, model->values.items[buffer].step, loop))
        return true;
    }
  }
  return false;
}

// Emits an error and returns false if luna-schedule has not run.
static bool is_scheduled(const LunaProgramModel *program) {
  for (LunaModelId id = 0; id < program->model.steps.count; ++id)
    if (carries_own_buffer(&program->model, id)) {
      luna_emit_error(program->ops.items[id],
                      "carries a buffer that its body allocates; run "
                      "luna-schedule first");
      return false;
    }
  return true;
}

static MlirLogicalResult plan(MlirOperation func, const LunaMachine *machine,
                              const LunaPlanSource *source,
                              const LunaPlanOptions *options,
                              LunaArena *arena) {
  LunaMemoryProblem memory;
  LunaSolution solution = {0};
  LunaPlanRecord record;
  LunaError error = {0};
  LunaModelProblemOptions whole = {.align_bytes =
                                       (int64_t)machine->alignment_bytes};
  if (!luna_memory_problem_create(func, &whole, arena, &memory) ||
      !is_scheduled(&memory.program))
    return mlirLogicalResultFailure();
  if (!luna_plan_solve_from(source, memory.view.problem, options, &solution,
                            &error) &&
      error.code != LUNA_ERROR_CAPACITY)
    return luna_emit_error(func, "%s", error.message);
  LunaPlanRecord cases = {0};
  luna_plan_cases(func, (int64_t)machine->alignment_bytes, &memory, source,
                  options, &solution, &cases);
  if (solution.total.bytes > options->capacity_bytes)
    return report_no_fit(func, machine, options->capacity_bytes, &memory,
                         &solution, advice_for(&memory, &solution, options));
  if (!luna_solution_record(func, machine, &memory, &solution, &record, &error))
    return luna_emit_error(func, "%s", error.message);
  record.cases = cases.cases;
  record.case_count = cases.case_count;
  if (!luna_record_joins(func, machine, &memory, &record))
    return mlirLogicalResultFailure();
  annotate_allocs(&memory, &solution);
  luna_set_int(func, "luna.arena_bytes", solution.total.bytes);
  luna_plan_write(func, &record, arena);
  return mlirLogicalResultSuccess();
}

// Plans from what is known to the context, or else from the function's hints,
// which get what is new: also where the plan does not fit.
static MlirLogicalResult plan_from_known(MlirOperation func,
                                         const LunaMachine *machine,
                                         const LunaPlanOptions *options,
                                         LunaArena *arena) {
  const LunaPlanSource *known = luna_plan_source(mlirOperationGetContext(func));
  LunaPlanHints hints;
  LunaError error = {0};
  LunaPlanSource source = {0};
  if (known)
    return plan(func, machine, known, options, arena);
  if (luna_plan_hints_read(func, arena, &hints, &error))
    source = luna_plan_hints_source(&hints);
  MlirLogicalResult result = plan(func, machine, &source, options, arena);
  if (hints.is_changed)
    luna_plan_hints_write(func, &hints);
  return result;
}

MlirLogicalResult
luna_plan_memory(MlirOperation func, const LunaMachine *machine,
                 const LunaOptionValue values[LUNA_PLAN_MEMORY_OPTIONS]) {
  LunaPlanOptions options = {0};
  if (!read_options(func, values, machine, &options))
    return mlirLogicalResultFailure();
  LunaArena arena = {0};
  LunaProgramBound bound;
  MlirLogicalResult result = mlirLogicalResultFailure();
  if (is_prepared(func, &arena, &bound)) {
    options.bound = &bound;
    result = plan_from_known(func, machine, &options, &arena);
  }
  luna_arena_destroy(&arena);
  return result;
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  return luna_plan_memory(func, luna_machine_of_option(&options[OPT_MACHINE]),
                          &options[OPT_PLAN]);
}

static const LunaOptionDesc options[OPT_COUNT] = {
    [OPT_MACHINE] = LUNA_MACHINE_OPTION,
#define LUNA_PLAN_OPTION(ID, member, KIND, initial, name, value, choices,      \
                         text, help)                                           \
  [OPT_PLAN + LUNA_PLAN_OPTION_##ID] =                                         \
      LUNA_PASS_OPTION_##KIND(name, text, initial),
#define LUNA_PLAN_PASS_OPTION(ID, member, KIND, initial, name, text, command,  \
                              value, help)                                     \
  [OPT_PLAN + LUNA_PLAN_OPTION_##ID] =                                         \
      LUNA_PASS_OPTION_##KIND(name, text, initial),
#include "luna/plan_options.def"
};
static const char *const dialects[] = {"luna", "memref", NULL};

const LunaPassDesc luna_pass_plan_memory = {
    .argument = "luna-plan-memory",
    .summary = "Give every on-chip buffer an offset, per path",
    .anchor = "func.func",
    .options = options,
    .option_count = OPT_COUNT,
    .dependent_dialects = dialects,
    .run = run,
};
