#include "solution_record.h"

#include "luna-c/ops.h"
#include "luna/checked.h"
#include "structure.h"

static void record_buffers(const LunaMemoryProblem *memory,
                           const LunaSolution *solution,
                           const LunaLifetime *lifetimes,
                           LunaPlanRecord *record) {
  uint32_t roots = memory->program.model.buffer_count;
  LunaRecordBuffer *list =
      LUNA_ARENA_ARRAY(memory->view.arena, LunaRecordBuffer, roots);
  for (uint32_t root = 0; root < roots; ++root) {
    LunaBufferId id = memory->view.buffer_of[root];
    if (id == LUNA_NO_BUFFER)
      continue;
    const LunaBuffer *buffer = luna_problem_buffer(memory->view.problem, id);
    list[record->buffer_count++] = (LunaRecordBuffer){
        .id = root,
        .name = buffer->name,
        .kind = buffer->kind,
        .size_bytes = buffer->size_bytes,
        .offset_bytes = solution->offset_bytes[id],
        .live = lifetimes[id],
    };
  }
  record->buffers = list;
}

static void record_steps(const LunaMemoryProblem *memory,
                         LunaPlanRecord *record) {
  uint32_t count = luna_problem_step_count(memory->view.problem);
  const char **names =
      LUNA_ARENA_ARRAY(memory->view.arena, const char *, count);
  const char **paths =
      LUNA_ARENA_ARRAY(memory->view.arena, const char *, count);
  for (uint32_t i = 0; i < count; ++i) {
    names[i] = luna_problem_step_name(memory->view.problem, i);
    paths[i] =
        luna_problem_step_path(memory->view.problem, i, memory->view.arena);
  }
  record->step_names = names;
  record->step_paths = paths;
  record->step_count = count;
}

static LunaRecordWitness witness_by_name(const LunaMemoryProblem *memory,
                                         const LunaWitness *witness) {
  const char **live =
      LUNA_ARENA_ARRAY(memory->view.arena, const char *, witness->buffer_count);
  for (uint32_t i = 0; i < witness->buffer_count; ++i)
    live[i] =
        luna_problem_buffer(memory->view.problem, witness->buffers[i])->name;
  return (LunaRecordWitness){
      .bytes = witness->bytes,
      .path = witness->path ? witness->path : "straight",
      .step = witness->step,
      .live = live,
      .live_count = witness->buffer_count,
  };
}

// Returns the bytes of the arguments that are state variables.
static int64_t state_bytes(MlirOperation func, int64_t alignment_bytes) {
  MlirBlock entry = luna_entry_block(func);
  int64_t bytes = 0;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i) {
    MlirType type = mlirValueGetType(mlirBlockGetArgument(entry, i));
    bool is_taken =
        !mlirAttributeIsNull(luna_func_argument_attr(func, i, "luna.state")) &&
        mlirAttributeIsNull(
            luna_func_argument_attr(func, i, "bufferize.result"));
    if (is_taken && luna_shaped_bytes(type) > 0)
      bytes += luna_align_up(luna_shaped_bytes(type), alignment_bytes);
  }
  return bytes;
}

bool luna_solution_record(MlirOperation func, const LunaMachine *machine,
                          const LunaMemoryProblem *memory,
                          const LunaSolution *solution, LunaPlanRecord *record,
                          LunaError *error) {
  const LunaLifetime *lifetimes = NULL;
  *record = (LunaPlanRecord){
      .machine = machine->name,
      .capacity_bytes = (int64_t)machine->shared.bytes,
      .strategy = solution->strategy,
      .merge = solution->merge,
      .total = solution->total,
      .tensor = solution->tensor,
      .activation = solution->activation,
      .scratch_bytes = solution->scratch.bytes,
      .staging_bytes = solution->staging.bytes,
      .state_bytes = state_bytes(func, (int64_t)machine->alignment_bytes),
      .is_optimal = solution->is_optimal,
      .proof = solution->proof,
      .search_steps = solution->search_steps,
      .witness = witness_by_name(memory, &solution->witness),
      .rows = solution->rows,
      .row_count = solution->row_count,
  };
  LunaPathList list;
  if (!luna_plan_paths(memory->view.problem, solution->offset_bytes, &list,
                       error) ||
      !luna_problem_lifetimes(memory->view.problem, &lifetimes, error))
    return false;
  record->paths = list.paths;
  record->path_count = list.count;
  record->possible_path_count = list.possible_count;
  record->is_possible_bound = list.is_possible_bound;
  record->impossible_path_count = list.impossible_count;
  record_buffers(memory, solution, lifetimes, record);
  record_steps(memory, record);
  return true;
}
