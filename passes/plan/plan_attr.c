#include "plan_attr.h"

#include <string.h>

#include "luna-c/ops.h"
#include "luna/checked.h"
#include "mlir-c/BuiltinAttributes.h"
#include "structure.h"

// A dictionary in the making.
typedef struct Dictionary {
  MlirContext context;
  MlirNamedAttribute entries[24];
  intptr_t count;
} Dictionary;

static void put(Dictionary *dictionary, const char *key, MlirAttribute value) {
  dictionary->entries[dictionary->count++] =
      luna_named(dictionary->context, key, value);
}

static void put_int(Dictionary *dictionary, const char *key, int64_t value) {
  put(dictionary, key, luna_i64_attr(dictionary->context, value));
}

static void put_string(Dictionary *dictionary, const char *key,
                       const char *value) {
  put(dictionary, key, luna_string_attr(dictionary->context, value));
}

static MlirAttribute finish(const Dictionary *dictionary) {
  return mlirDictionaryAttrGet(dictionary->context, dictionary->count,
                               dictionary->entries);
}

static MlirAttribute rows_attr(MlirContext context, LunaArena *arena,
                               const LunaSolution *solution) {
  MlirAttribute *rows =
      LUNA_ARENA_ARRAY(arena, MlirAttribute, solution->row_count);
  for (uint32_t i = 0; i < solution->row_count; ++i) {
    const LunaPlanRow *row = &solution->rows[i];
    Dictionary entry = {.context = context};
    put_string(&entry, "strategy", row->strategy);
    put_string(&entry, "merge", luna_merge_name(row->merge));
    put_int(&entry, "tensor_bytes", row->tensor_bytes);
    put_int(&entry, "total_bytes", row->total_bytes);
    rows[i] = finish(&entry);
  }
  return mlirArrayAttrGet(context, solution->row_count, rows);
}

static MlirAttribute steps_attr(MlirContext context, LunaArena *arena,
                                const LunaSteps *ranges, uint32_t count) {
  int64_t *bounds = LUNA_ARENA_ARRAY(arena, int64_t, 2 * (uint64_t)count);
  for (uint32_t i = 0; i < count; ++i) {
    bounds[2 * i] = ranges[i].first;
    bounds[2 * i + 1] = ranges[i].end;
  }
  return mlirDenseI64ArrayGet(context, 2 * (intptr_t)count, bounds);
}

static MlirAttribute paths_attr(MlirContext context,
                                const LunaMemoryProblem *memory,
                                const LunaPathPeak *paths, uint32_t count) {
  MlirAttribute *list = LUNA_ARENA_ARRAY(memory->arena, MlirAttribute, count);
  for (uint32_t i = 0; i < count; ++i) {
    Dictionary entry = {.context = context};
    put_string(&entry, "path", paths[i].path);
    put_int(&entry, "peak_bytes", paths[i].peak_bytes);
    put_int(&entry, "live_bytes", paths[i].live_bytes);
    put_int(&entry, "heaviest_step", paths[i].heaviest_step);
    put(&entry, "steps",
        steps_attr(context, memory->arena, paths[i].ranges,
                   paths[i].range_count));
    list[i] = finish(&entry);
  }
  return mlirArrayAttrGet(context, count, list);
}

static const char *kind_name(LunaBufferKind kind) {
  if (kind == LUNA_BUFFER_STAGING)
    return "staging";
  return kind == LUNA_BUFFER_SCRATCH ? "scratch" : "tensor";
}

static MlirAttribute buffers_attr(MlirContext context,
                                  const LunaMemoryProblem *memory,
                                  const LunaSolution *solution,
                                  const LunaLifetime *lifetimes) {
  uint32_t roots = luna_roots_count(memory->roots), count = 0;
  MlirAttribute *list = LUNA_ARENA_ARRAY(memory->arena, MlirAttribute, roots);
  for (uint32_t root = 0; root < roots; ++root) {
    LunaBufferId id = memory->buffer_of_root[root];
    if (id == LUNA_NO_BUFFER)
      continue;
    const LunaBuffer *buffer = luna_problem_buffer(memory->problem, id);
    Dictionary entry = {.context = context};
    put_int(&entry, "id", memory->place_of_root[root]);
    put_string(&entry, "name", buffer->name);
    put_string(&entry, "kind", kind_name(buffer->kind));
    put_int(&entry, "bytes", buffer->size_bytes);
    put_int(&entry, "offset", solution->offset_bytes[id]);
    put(&entry, "live",
        steps_attr(context, memory->arena, lifetimes[id].ranges,
                   lifetimes[id].range_count));
    list[count++] = finish(&entry);
  }
  return mlirArrayAttrGet(context, count, list);
}

static MlirAttribute step_names_attr(MlirContext context,
                                     const LunaMemoryProblem *memory) {
  uint32_t count = luna_problem_step_count(memory->problem);
  MlirAttribute *list = LUNA_ARENA_ARRAY(memory->arena, MlirAttribute, count);
  for (uint32_t i = 0; i < count; ++i)
    list[i] =
        luna_string_attr(context, luna_problem_step_name(memory->problem, i));
  return mlirArrayAttrGet(context, count, list);
}

// The decisions that lead to each step.
static MlirAttribute step_paths_attr(MlirContext context,
                                     const LunaMemoryProblem *memory) {
  uint32_t count = luna_problem_step_count(memory->problem);
  MlirAttribute *list = LUNA_ARENA_ARRAY(memory->arena, MlirAttribute, count);
  for (uint32_t i = 0; i < count; ++i)
    list[i] = luna_string_attr(
        context, luna_problem_step_path(memory->problem, i, memory->arena));
  return mlirArrayAttrGet(context, count, list);
}

static MlirAttribute witness_attr(MlirContext context,
                                  const LunaMemoryProblem *memory,
                                  const LunaWitness *witness) {
  Dictionary entry = {.context = context};
  MlirAttribute *names =
      LUNA_ARENA_ARRAY(memory->arena, MlirAttribute, witness->buffer_count);
  for (uint32_t i = 0; i < witness->buffer_count; ++i)
    names[i] = luna_string_attr(
        context,
        luna_problem_buffer(memory->problem, witness->buffers[i])->name);
  put_int(&entry, "bytes", witness->bytes);
  put_string(&entry, "path", witness->path ? witness->path : "straight");
  put_int(&entry, "step", witness->step);
  put(&entry, "live", mlirArrayAttrGet(context, witness->buffer_count, names));
  return finish(&entry);
}

static const char *proof_name(LunaProof proof) {
  switch (proof) {
  case LUNA_PROOF_NONE:
    return "none";
  case LUNA_PROOF_BOUND:
    return "bound";
  case LUNA_PROOF_EXHAUSTED:
    return "exhausted";
  }
  return "none";
}

// Bytes of the arguments that take state variables, each aligned to 16.
static int64_t state_bytes(MlirOperation func) {
  MlirBlock entry = luna_entry_block(func);
  int64_t bytes = 0;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i) {
    MlirType type = mlirValueGetType(mlirBlockGetArgument(entry, i));
    bool is_taken =
        !mlirAttributeIsNull(luna_func_argument_attr(func, i, "luna.state")) &&
        mlirAttributeIsNull(
            luna_func_argument_attr(func, i, "bufferize.result"));
    if (is_taken && luna_shaped_bytes(type) > 0)
      bytes += luna_align_up(luna_shaped_bytes(type), 16);
  }
  return bytes;
}

MlirAttribute luna_plan_attr(MlirOperation func, const LunaMachine *machine,
                             const LunaMemoryProblem *memory,
                             const LunaSolution *solution, LunaError *error) {
  MlirContext context = mlirOperationGetContext(func);
  const LunaPathPeak *paths = NULL;
  const LunaLifetime *lifetimes = NULL;
  uint32_t path_count = 0;
  if (!luna_plan_paths(memory->problem, solution->offset_bytes, &paths,
                       &path_count, error) ||
      !luna_problem_lifetimes(memory->problem, &lifetimes, error))
    return mlirAttributeGetNull();
  Dictionary plan = {.context = context};
  put_string(&plan, "machine", machine->name);
  put_int(&plan, "capacity_bytes", (int64_t)machine->shared.bytes);
  put_string(&plan, "strategy", solution->strategy);
  put_string(&plan, "merge", luna_merge_name(solution->merge));
  put_int(&plan, "total_bytes", solution->total.bytes);
  put_int(&plan, "lower_bound_bytes", solution->total.lower_bound_bytes);
  put_int(&plan, "tensor_bytes", solution->tensor.bytes);
  put_int(&plan, "tensor_lower_bound_bytes",
          solution->tensor.lower_bound_bytes);
  put_int(&plan, "activation_bytes", solution->activation.bytes);
  put_int(&plan, "activation_lower_bound_bytes",
          solution->activation.lower_bound_bytes);
  put_int(&plan, "scratch_bytes", solution->scratch.bytes);
  put_int(&plan, "staging_bytes", solution->staging.bytes);
  put_int(&plan, "state_bytes", state_bytes(func));
  put(&plan, "optimal", mlirBoolAttrGet(context, solution->is_optimal));
  put_string(&plan, "proof", proof_name(solution->proof));
  put_int(&plan, "search_steps", (int64_t)solution->search_steps);
  put(&plan, "witness", witness_attr(context, memory, &solution->witness));
  put(&plan, "per_strategy", rows_attr(context, memory->arena, solution));
  put(&plan, "paths", paths_attr(context, memory, paths, path_count));
  put(&plan, "buffers", buffers_attr(context, memory, solution, lifetimes));
  put(&plan, "steps", step_names_attr(context, memory));
  put(&plan, "step_paths", step_paths_attr(context, memory));
  return finish(&plan);
}
