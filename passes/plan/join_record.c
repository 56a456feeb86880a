#include "join_record.h"

#include "luna-c/ops.h"
#include "op_cost.h"
#include "structure.h"

typedef struct Recorder {
  const LunaMachine *machine;
  const LunaMemoryProblem *memory;
  LUNA_VECTOR(LunaRecordJoin) joins;
} Recorder;

// Distinct places.
typedef struct Places {
  uint32_t *ids;
  uint32_t count;
} Places;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static void add_place(uint32_t id, Places *places) {
  for (uint32_t i = 0; i < places->count; ++i)
    if (places->ids[i] == id)
      return;
  places->ids[places->count++] = id;
}

static const LunaBuffer *buffer_at(const LunaMemoryProblem *memory,
                                   uint32_t place) {
  return luna_problem_buffer(memory->view.problem,
                             memory->view.buffer_of[place]);
}

// Returns false unless the value is a tensor in shared memory.
static bool find_places(const LunaMemoryProblem *memory, MlirValue value,
                        Places *places) {
  LunaRootSet set = luna_roots_of(memory->program.roots, value);
  for (uint32_t i = 0; i < set.count; ++i) {
    if (memory->view.buffer_of[set.ids[i]] == LUNA_NO_BUFFER)
      return false;
    add_place(set.ids[i], places);
    if (buffer_at(memory, places->ids[0])->kind != LUNA_BUFFER_TENSOR)
      return false;
  }
  return set.count > 0 && luna_is_memref(mlirValueGetType(value));
}

static int64_t bytes_beyond_one(const LunaMemoryProblem *memory,
                                const Places *places) {
  int64_t sum = 0, most = 0;
  for (uint32_t i = 0; i < places->count; ++i) {
    int64_t bytes = buffer_at(memory, places->ids[i])->size_bytes;
    sum += bytes;
    if (most < bytes)
      most = bytes;
  }
  return sum - most;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

// Returns the control flow, or the function, that `op` stands in.
static MlirOperation enclosing(MlirOperation op) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!luna_is_control_flow(op) && !luna_op_is(op, LUNA_OP_FUNC_FUNC));
  return op;
}

// Returns true if `copy` stands in a body of `join`, or before the loop that it
// is.
static bool is_on_edge(MlirOperation copy, MlirOperation join) {
  if (mlirOperationEqual(enclosing(copy), join))
    return true;
  if (!luna_is_loop(join))
    return false;
  MlirOperation before =
      luna_ancestor_in_block(copy, mlirOperationGetBlock(join));
  return mlirOperationEqual(enclosing(copy), enclosing(join)) &&
         !mlirOperationIsNull(before) &&
         mlirOperationIsBeforeInBlock(before, join);
}

// Returns true if all that `value` may be is whole buffers of `places`.
static bool is_in(const LunaMemoryProblem *memory, MlirValue value,
                  const Places *places) {
  LunaRootSet set = luna_roots_of(memory->program.roots, value);
  bool is_in = set.count > 0 && !set.has_other;
  for (uint32_t i = 0; is_in && i < set.count; ++i) {
    uint32_t place = set.ids[i], at = 0;
    while (at < places->count && places->ids[at] != place)
      ++at;
    is_in =
        at < places->count && buffer_at(memory, place)->size_bytes ==
                                  luna_shaped_bytes(mlirValueGetType(value));
  }
  return is_in;
}

// Returns true if `op` copies a whole buffer to what the join may yield.
static bool is_copy_to(const LunaMemoryProblem *memory, MlirOperation op,
                       const Places *places) {
  if (!luna_op_is(op, LUNA_OP_MEMREF_COPY) ||
      !is_in(memory, mlirOperationGetOperand(op, 1), places))
    return false;
  MlirValue from = mlirOperationGetOperand(op, 0);
  LunaRootSet set = luna_roots_of(memory->program.roots, from);
  uint32_t *ids = LUNA_ARENA_ARRAY(memory->view.arena, uint32_t, set.count);
  Places sources = {ids, 0};
  for (uint32_t i = 0; i < set.count; ++i)
    if (memory->view.buffer_of[set.ids[i]] != LUNA_NO_BUFFER)
      add_place(set.ids[i], &sources);
  return is_in(memory, from, &sources);
}

// Adds up the cycles of the copies to the places of `join`, and, if that is
// one, adds the places that they come from.
static bool count_copies(const Recorder *recorder, MlirOperation join,
                         Places *places, uint64_t *cycles) {
  const LunaMemoryProblem *memory = recorder->memory;
  const Places targets = {
      LUNA_ARENA_ARRAY(memory->view.arena, uint32_t, places->count),
      places->count};
  for (uint32_t i = 0; i < places->count; ++i)
    targets.ids[i] = places->ids[i];
  for (uint64_t i = 0; i < memory->view.steps.count; ++i) {
    MlirOperation op =
        memory->program.ops.items[memory->view.steps.items[i].step];
    LunaCost cost;
    if (!is_copy_to(memory, op, &targets) || !is_on_edge(op, join))
      continue;
    if (!luna_op_cost(recorder->machine, op, &cost))
      return false;
    *cycles += luna_cost_cycles(cost) * (uint64_t)luna_run_count(op);
    LunaRootSet set =
        luna_roots_of(memory->program.roots, mlirOperationGetOperand(op, 0));
    for (uint32_t k = 0; targets.count == 1 && k < set.count; ++k)
      add_place(set.ids[k], places);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Joins
//===----------------------------------------------------------------------===//

static bool record_value(Recorder *recorder, MlirOperation op, intptr_t index,
                         MlirValue value) {
  const LunaMemoryProblem *memory = recorder->memory;
  LunaArena *arena = memory->view.arena;
  uint32_t roots = memory->program.model.buffer_count;
  Places places = {LUNA_ARENA_ARRAY(arena, uint32_t, roots), 0};
  uint64_t cycles = 0;
  if (!find_places(memory, value, &places))
    return true;
  bool is_pointer = places.count > 1;
  if (!count_copies(recorder, op, &places, &cycles))
    return false;
  LunaJoinChoice choice =
      places.count > 1 ? LUNA_JOIN_COPIED : LUNA_JOIN_COALESCED;
  MlirStringRef label = luna_label_of(op);
  *LUNA_VECTOR_ADD(arena, &recorder->joins) = (LunaRecordJoin){
      .name = luna_arena_printf(arena, "%.*s#%d", (int)label.length, label.data,
                                (int)index),
      .choice = is_pointer ? LUNA_JOIN_POINTER : choice,
      .cycles = cycles,
      .bytes = bytes_beyond_one(memory, &places),
  };
  return true;
}

static bool record_op(MlirOperation op, void *data) {
  bool is_ok = true;
  intptr_t results = luna_is_branch(op) ? mlirOperationGetNumResults(op) : 0;
  for (intptr_t i = 0; is_ok && i < results; ++i)
    is_ok = record_value(data, op, i, mlirOperationGetResult(op, i));
  if (!luna_is_loop(op))
    return is_ok;
  MlirBlock header = luna_body(op, 0);
  intptr_t first = luna_op_is(op, LUNA_OP_SCF_FOR) ? 1 : 0;
  for (intptr_t i = first; is_ok && i < mlirBlockGetNumArguments(header); ++i)
    is_ok = record_value(data, op, i - first, mlirBlockGetArgument(header, i));
  return is_ok;
}

bool luna_record_joins(MlirOperation func, const LunaMachine *machine,
                       const LunaMemoryProblem *memory,
                       LunaPlanRecord *record) {
  Recorder recorder = {.machine = machine, .memory = memory};
  bool is_ok = luna_walk(func, record_op, &recorder);
  record->joins = recorder.joins.items;
  record->join_count = (uint32_t)recorder.joins.count;
  return is_ok;
}
