// Builds the tables of the program and its descriptor, `<symbol>_program`.

#include "luna/program.h"

#include <string.h>

#include "lowering.h"
#include "luna/checked.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "op_desc.h"

static MlirStringRef str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static bool fail(LunaLowering *run, const char *message) {
  mlirEmitError(mlirOperationGetLocation(run->func), message);
  return false;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static int32_t kind_of(MlirStringRef name) {
  if (mlirStringRefEqual(name, str("staging")))
    return LUNA_BUFFER_STAGING;
  if (mlirStringRefEqual(name, str("scratch")))
    return LUNA_BUFFER_SCRATCH;
  if (mlirStringRefEqual(name, str("state")))
    return LUNA_BUFFER_STATE;
  if (mlirStringRefEqual(name, str("input")) ||
      mlirStringRefEqual(name, str("output")))
    return LUNA_BUFFER_IO;
  return LUNA_BUFFER_TENSOR;
}

static int64_t read_integer(MlirAttribute entry, const char *name) {
  return mlirIntegerAttrGetValueInt(
      mlirDictionaryAttrGetElementByName(entry, str(name)));
}

static MlirStringRef read_string(MlirAttribute entry, const char *name) {
  return mlirStringAttrGetValue(
      mlirDictionaryAttrGetElementByName(entry, str(name)));
}

static void add_planned(LunaLowering *run, MlirAttribute entry) {
  LunaProgramBuffer *buffer = LUNA_VECTOR_ADD(&run->arena, &run->buffers);
  MlirStringRef name = read_string(entry, "name");
  *buffer = (LunaProgramBuffer){
      .id = (int32_t)read_integer(entry, "id"),
      .memory = LUNA_PROGRAM_ARENA,
      .kind = kind_of(read_string(entry, "kind")),
      .offset_bytes = read_integer(entry, "offset"),
      .bytes = read_integer(entry, "bytes"),
      .name = luna_arena_strndup(&run->arena, name.data, name.length),
  };
  run->weight_buffer = buffer->id + 1;
}

static int64_t bytes_of(MlirType type) {
  int64_t bytes = luna_element_bytes(
      luna_element_type_id(mlirShapedTypeGetElementType(type)));
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    if (!luna_checked_mul(bytes, mlirShapedTypeGetDimSize(type, i), &bytes))
      return 0;
  return bytes;
}

static const char *argument_name(LunaLowering *run, intptr_t number) {
  const LunaLoweringArgument *argument = &run->arguments[number];
  bool is_input = argument->role == LUNA_ARGUMENT_INPUT;
  MlirAttribute name = luna_argument_attr(run, number, "luna.name");
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name))
    return luna_arena_printf(&run->arena, "%s%d", is_input ? "in" : "out",
                             (int)argument->index);
  MlirStringRef text = mlirStringAttrGetValue(name);
  return luna_arena_strndup(&run->arena, text.data, text.length);
}

static void add_argument(LunaLowering *run, intptr_t number) {
  const LunaLoweringArgument *argument = &run->arguments[number];
  MlirType type = mlirValueGetType(mlirBlockGetArgument(run->entry, number));
  LunaProgramBuffer *buffer = LUNA_VECTOR_ADD(&run->arena, &run->buffers);
  *buffer = (LunaProgramBuffer){
      .id = luna_argument_buffer(run, number),
      .memory = argument->role == LUNA_ARGUMENT_INPUT ? LUNA_PROGRAM_INPUT
                                                      : LUNA_PROGRAM_OUTPUT,
      .argument = argument->index,
      .kind = LUNA_BUFFER_IO,
      .bytes = bytes_of(type),
      .name = argument_name(run, number),
  };
}

static void add_states(LunaLowering *run) {
  int32_t first =
      run->weight_buffer + 1 + (int32_t)(run->input_count + run->output_count);
  for (uint64_t i = 0; i < run->states.count; ++i) {
    const LunaLoweringState *state = &run->states.items[i];
    LunaProgramBuffer *buffer = LUNA_VECTOR_ADD(&run->arena, &run->buffers);
    *buffer = (LunaProgramBuffer){
        .id = first + (int32_t)i,
        .memory = LUNA_PROGRAM_STATE,
        .kind = LUNA_BUFFER_STATE,
        .offset_bytes = state->offset_bytes,
        .bytes = state->bytes,
        .name = state->name,
    };
  }
}

// Arguments of one role in the order of their indices.
static void add_arguments(LunaLowering *run, LunaArgumentRole role) {
  for (intptr_t i = 0; i < run->argument_count; ++i)
    if (run->arguments[i].role == role)
      add_argument(run, i);
}

bool luna_collect_buffers(LunaLowering *run) {
  MlirAttribute table =
      mlirOperationGetAttributeByName(run->func, str("luna.buffers"));
  if (mlirAttributeIsNull(table) || !mlirAttributeIsAArray(table))
    return fail(run, "function has no luna.buffers; run luna-lower-plan first");
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(table); ++i)
    add_planned(run, mlirArrayAttrGetElement(table, i));
  // Now one past the planned ids.
  LunaProgramBuffer *weights = LUNA_VECTOR_ADD(&run->arena, &run->buffers);
  *weights = (LunaProgramBuffer){
      .id = run->weight_buffer,
      .memory = LUNA_PROGRAM_PSRAM,
      .kind = LUNA_BUFFER_WEIGHT,
      .bytes = run->weight_bytes,
      .name = "weights",
  };
  add_arguments(run, LUNA_ARGUMENT_INPUT);
  add_arguments(run, LUNA_ARGUMENT_OUTPUT);
  add_states(run);
  return true;
}

bool luna_is_staging_buffer(const LunaLowering *run, int32_t id) {
  const LunaProgramBuffer *buffers = run->buffers.items;
  for (uint64_t i = 0; i < run->buffers.count; ++i)
    if (buffers[i].id == id)
      return buffers[i].kind == LUNA_BUFFER_STAGING;
  return false;
}

//===----------------------------------------------------------------------===//
// The descriptor
//===----------------------------------------------------------------------===//

// How a caller reads the integers of an input or output.
static void describe_quantisation(LunaLowering *run, intptr_t number,
                                  LunaProgramTensor *tensor) {
  MlirAttribute scale = luna_argument_attr(run, number, "luna.scale");
  MlirAttribute zero = luna_argument_attr(run, number, "luna.zero_point");
  tensor->is_unsigned =
      !mlirAttributeIsNull(luna_argument_attr(run, number, "luna.unsigned"));
  if (!mlirAttributeIsNull(scale))
    tensor->scale = (float)mlirFloatAttrGetValueDouble(scale);
  if (!mlirAttributeIsNull(zero))
    tensor->zero_point = (int32_t)mlirIntegerAttrGetValueInt(zero);
}

static bool describe_tensor(LunaLowering *run, intptr_t number,
                            LunaProgramTensor *tensor) {
  MlirType type = mlirValueGetType(mlirBlockGetArgument(run->entry, number));
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (rank > LUNA_PROGRAM_RANK_MAX)
    return fail(run, "inputs and outputs may have up to 8 dimensions");
  *tensor = (LunaProgramTensor){
      .name = argument_name(run, number),
      .type = luna_element_type_id(mlirShapedTypeGetElementType(type)),
      .rank = (int32_t)rank,
      .bytes = bytes_of(type),
      .buffer = luna_argument_buffer(run, number),
  };
  if (tensor->type < 0)
    return fail(run, "inputs and outputs may be i1, i8, i16, i32, i64, f16, "
                     "bf16, f32 or f64");
  for (intptr_t i = 0; i < rank; ++i)
    tensor->dims[i] = mlirShapedTypeGetDimSize(type, i);
  describe_quantisation(run, number, tensor);
  return true;
}

static bool describe_tensors(LunaLowering *run, LunaProgramInfo *info) {
  LunaProgramTensor *tensors = LUNA_ARENA_ARRAY(
      &run->arena, LunaProgramTensor, run->input_count + run->output_count);
  for (intptr_t i = 0; i < run->argument_count; ++i) {
    const LunaLoweringArgument *argument = &run->arguments[i];
    if (argument->role == LUNA_ARGUMENT_STATE)
      continue;
    bool is_input = argument->role == LUNA_ARGUMENT_INPUT;
    LunaProgramTensor *tensor =
        &tensors[(is_input ? 0 : run->input_count) + argument->index];
    if (!describe_tensor(run, i, tensor))
      return false;
  }
  info->inputs = tensors;
  info->input_count = (uint32_t)run->input_count;
  info->outputs = tensors + run->input_count;
  info->output_count = (uint32_t)run->output_count;
  return true;
}

// Without checks, the buffers of inputs and outputs are all that is asked for.
static void describe_buffers(LunaLowering *run, LunaProgramInfo *info) {
  LunaProgramBuffer *buffers = run->buffers.items;
  info->buffers = buffers;
  info->buffer_count = (uint32_t)run->buffers.count;
  if (run->has_ids)
    return;
  info->buffer_count = 0;
  for (uint64_t i = 0; i < run->buffers.count; ++i)
    if (buffers[i].kind == LUNA_BUFFER_IO)
      buffers[info->buffer_count++] = buffers[i];
}

static void describe_contents(LunaLowering *run, LunaProgramInfo *info) {
  if (!run->has_ids)
    return;
  LunaProgramContent *contents =
      LUNA_ARENA_ARRAY(&run->arena, LunaProgramContent, run->globals.count);
  for (uint64_t i = 0; i < run->globals.count; ++i) {
    const LunaLoweringGlobal *global = &run->globals.items[i];
    contents[i] = (LunaProgramContent){
        .id = (int32_t)i,
        .offset_bytes = global->offset_bytes,
        .bytes = global->bytes,
        .name = global->name,
    };
  }
  info->contents = contents;
  info->content_count = (uint32_t)run->globals.count;
}

static void describe_branches(LunaLowering *run, LunaProgramInfo *info) {
  LunaProgramBranch *branches =
      LUNA_ARENA_ARRAY(&run->arena, LunaProgramBranch, run->branches.count);
  for (uint64_t i = 0; i < run->branches.count; ++i) {
    const LunaLoweringBranch *branch = &run->branches.items[i];
    branches[i] = (LunaProgramBranch){
        .name = branch->name,
        .kind = branch->is_switch ? LUNA_BRANCH_SWITCH : LUNA_BRANCH_IF,
        .case_count = branch->case_count,
        .cases = branch->cases,
        .ways = branch->ways,
    };
  }
  info->branches = branches;
  info->branch_count = (uint32_t)run->branches.count;
}

bool luna_emit_program(LunaLowering *run) {
  LunaProgramInfo info = {
      .name = run->model,
      .machine = run->machine->name,
      .runtime_version = LUNA_RUNTIME_VERSION,
      .arena_bytes = run->arena_bytes,
      .weight_bytes = run->weight_bytes,
      .state_bytes = run->state_bytes,
      .operators = run->operators.items,
      .operator_count = (uint32_t)run->operators.count,
      .loops = run->loops.items,
      .loop_count = (uint32_t)run->loops.count,
      .versions = run->versions.items,
      .version_count = (uint32_t)run->versions.count,
      .version_ranks = run->version_ranks.items,
  };
  if (!describe_tensors(run, &info))
    return false;
  describe_buffers(run, &info);
  describe_contents(run, &info);
  describe_branches(run, &info);
  int32_t *words = NULL;
  uint64_t count = 0;
  LunaError error = {0};
  if (!luna_program_write(&info, &run->arena, &words, &count, &error))
    return fail(run, error.message);
  luna_build_array(run,
                   luna_arena_printf(&run->arena, "%s_program", run->symbol),
                   run->i32, words, (int64_t)count, (int64_t)count * 4, false);
  luna_emit_bind(run, luna_program_versions_at(&info, words));
  return true;
}
