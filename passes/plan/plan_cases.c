#include "plan_cases.h"

#include <string.h>

#include "structure.h"

typedef struct Planner {
  const LunaMemoryProblem *memory;
  const LunaPlanSource *source;
  LunaPlanOptions options;
  LunaSolution *solution;
  int64_t *offset_bytes; // those of the solution, to change
} Planner;

// Returns the highest end of a buffer of `part`, at its own offsets or where
// the whole program has it.
static int64_t end_of(const Planner *planner, const LunaModelProblem *part,
                      const int64_t *own_offset_bytes) {
  int64_t end = 0;
  for (uint32_t root = 0; root < part->model->buffer_count; ++root) {
    LunaBufferId own = part->buffer_of[root];
    if (own == LUNA_NO_BUFFER)
      continue;
    LunaBufferId whole = planner->memory->view.buffer_of[root];
    int64_t bytes = luna_problem_buffer(part->problem, own)->size_bytes;
    bytes +=
        own_offset_bytes ? own_offset_bytes[own] : planner->offset_bytes[whole];
    end = bytes > end ? bytes : end;
  }
  return end;
}

static void take_offsets(Planner *planner, const LunaModelProblem *part,
                         const int64_t *own_offset_bytes) {
  for (uint32_t root = 0; root < part->model->buffer_count; ++root) {
    LunaBufferId own = part->buffer_of[root];
    if (own != LUNA_NO_BUFFER)
      planner->offset_bytes[planner->memory->view.buffer_of[root]] =
          own_offset_bytes[own];
  }
}

// A case that does not fit has a plan, too.
static bool plan_case(Planner *planner, const LunaModelProblem *part,
                      LunaRecordCase *record) {
  LunaSolution solution = {0};
  LunaError error = {0};
  if (!luna_plan_solve_from(planner->source, part->problem, &planner->options,
                            &solution, &error) &&
      error.code != LUNA_ERROR_CAPACITY)
    return false;
  int64_t own_end = end_of(planner, part, solution.offset_bytes);
  int64_t end = end_of(planner, part, NULL);
  if (own_end < end)
    take_offsets(planner, part, solution.offset_bytes);
  record->total_bytes = own_end < end ? own_end : end;
  record->tensor_bytes = solution.tensor.bytes;
  return true;
}

static const char *name_of_case(MlirOperation branch, intptr_t region,
                                LunaArena *arena) {
  MlirStringRef label = luna_label_of(branch),
                way = luna_way_of(branch, region);
  return luna_arena_printf(arena, "%.*s=%.*s", (int)label.length, label.data,
                           (int)way.length, way.data);
}

// Returns the highest end of all buffers.
static int64_t total_bytes(const Planner *planner) {
  const LunaProblem *problem = planner->memory->view.problem;
  int64_t total = 0;
  for (uint32_t i = 0; i < planner->solution->buffer_count; ++i) {
    int64_t end =
        planner->offset_bytes[i] + luna_problem_buffer(problem, i)->size_bytes;
    total = end > total ? end : total;
  }
  return total;
}

static void lower(LunaPlanSize *size, int64_t bytes) {
  size->bytes = bytes < size->bytes ? bytes : size->bytes;
}

// The whole is as large as its largest case.
static void settle(const Planner *planner, const LunaRecordCase *cases,
                   uint32_t count) {
  LunaSolution *solution = planner->solution;
  int64_t tensor_bytes = 0;
  for (uint32_t i = 0; i < count; ++i)
    if (cases[i].tensor_bytes > tensor_bytes)
      tensor_bytes = cases[i].tensor_bytes;
  solution->offset_bytes = planner->offset_bytes;
  lower(&solution->total, total_bytes(planner));
  lower(&solution->tensor, tensor_bytes);
  if (solution->total.bytes == solution->total.lower_bound_bytes) {
    solution->proof = LUNA_PROOF_BOUND;
    solution->is_optimal = true;
  }
}

void luna_plan_cases(MlirOperation func, int64_t align_bytes,
                     const LunaMemoryProblem *memory,
                     const LunaPlanSource *source,
                     const LunaPlanOptions *options, LunaSolution *solution,
                     LunaPlanRecord *record) {
  MlirOperation branch = luna_version_switch(func);
  if (mlirOperationIsNull(branch) || mlirOperationGetNumResults(branch) > 0)
    return;
  uint32_t count = (uint32_t)mlirOperationGetNumRegions(branch);
  LunaRecordCase *cases =
      LUNA_ARENA_ARRAY(memory->view.arena, LunaRecordCase, count);
  Planner planner = {
      .memory = memory,
      .source = source,
      .options = *options,
      .solution = solution,
      .offset_bytes =
          LUNA_ARENA_ARRAY(memory->view.arena, int64_t, solution->buffer_count),
  };
  planner.options.bound = NULL;
  planner.options.compare = false;
  if (solution->buffer_count > 0)
    memcpy(planner.offset_bytes, solution->offset_bytes,
           solution->buffer_count * sizeof *planner.offset_bytes);
  for (uint32_t i = 0; i < count; ++i) {
    LunaModelProblem part;
    intptr_t region = (intptr_t)((i + 1) % count);
    cases[i].name = name_of_case(branch, region, memory->view.arena);
    LunaModelProblemOptions options_of_part = {
        .body = luna_memory_body(&memory->program, branch, region),
        .align_bytes = align_bytes,
    };
    LunaError error = {0};
    if (!luna_model_problem(&memory->program.model, &options_of_part,
                            memory->view.arena, &part, &error) ||
        !part.is_apart)
      return;
    if (!plan_case(&planner, &part, &cases[i]))
      return;
  }
  settle(&planner, cases, count);
  record->cases = cases;
  record->case_count = count;
}
