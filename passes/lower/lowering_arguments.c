// The arguments of the model function: inputs, outputs, state variables and the
// base addresses of the memories.

#include "lowering.h"

#include <inttypes.h>

#include "luna-c/ops.h"
#include "luna/checked.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structure.h"

MlirAttribute luna_argument_attr(const LunaLowering *run, intptr_t number,
                                 const char *name) {
  return luna_func_argument_attr(run->func, number, name);
}

static bool is_output(const LunaLowering *run, intptr_t number) {
  return !mlirAttributeIsNull(
      luna_argument_attr(run, number, "bufferize.result"));
}

//===----------------------------------------------------------------------===//
// State variables
//===----------------------------------------------------------------------===//

static bool fail_state(const LunaLowering *run, intptr_t number,
                       const char *why) {
  luna_emit_error(run->func, "state argument %d %s", (int)number, why);
  return false;
}

// The place for a new state variable.
static bool add_state(LunaLowering *run, intptr_t number, MlirStringRef name) {
  MlirType type = mlirValueGetType(mlirBlockGetArgument(run->entry, number));
  MlirAttribute initial = luna_argument_attr(run, number, "luna.initial");
  if (is_output(run, number))
    return fail_state(run, number, "is given and never taken");
  LunaLoweringState *state = LUNA_VECTOR_ADD(&run->arena, &run->states);
  *state = (LunaLoweringState){
      .name = luna_arena_strndup(&run->arena, name.data, name.length),
      .offset_bytes = run->state_bytes,
      .bytes = luna_shaped_bytes(type),
      .initial = initial,
      .type = type,
  };
  run->state_bytes +=
      luna_align_up(state->bytes, (int64_t)run->machine->alignment_bytes);
  return true;
}

static bool note_state(LunaLowering *run, intptr_t number, MlirStringRef name) {
  LunaLoweringArgument *argument = &run->arguments[number];
  argument->role = LUNA_ARGUMENT_STATE;
  for (uint64_t i = 0; i < run->states.count; ++i) {
    const LunaLoweringState *state = &run->states.items[i];
    if (!mlirStringRefEqual(luna_str(state->name), name))
      continue;
    argument->index = (int32_t)i;
    MlirType type = mlirValueGetType(mlirBlockGetArgument(run->entry, number));
    return mlirTypeEqual(type, state->type) ||
           fail_state(run, number, "is given with another type than taken");
  }
  argument->index = (int32_t)run->states.count;
  return add_state(run, number, name);
}

//===----------------------------------------------------------------------===//
// All arguments
//===----------------------------------------------------------------------===//

static bool note_argument(LunaLowering *run, intptr_t number) {
  MlirType type = mlirValueGetType(mlirBlockGetArgument(run->entry, number));
  LunaLoweringArgument *argument = &run->arguments[number];
  if (!luna_is_memref(type) || luna_shaped_bytes(type) < 0) {
    luna_emit_error(run->func, "argument %d is not a memref of static shape",
                    (int)number);
    return false;
  }
  MlirAttribute state = luna_argument_attr(run, number, "luna.state");
  if (!mlirAttributeIsNull(state) && mlirAttributeIsAString(state))
    return note_state(run, number, mlirStringAttrGetValue(state));
  if (is_output(run, number)) {
    *argument = (LunaLoweringArgument){LUNA_ARGUMENT_OUTPUT,
                                       (int32_t)run->output_count++};
    return true;
  }
  if (run->output_count > 0) {
    luna_emit_error(run->func, "argument %d is an input after an output",
                    (int)number);
    return false;
  }
  *argument =
      (LunaLoweringArgument){LUNA_ARGUMENT_INPUT, (int32_t)run->input_count++};
  return true;
}

bool luna_read_arguments(LunaLowering *run) {
  intptr_t count = mlirBlockGetNumArguments(run->entry) - 1;
  if (count < 0 || mlirAttributeIsNull(luna_attr(run->func, "luna.buffers"))) {
    luna_emit_error(run->func, "function has no arena; run luna-lower-plan "
                               "first");
    return false;
  }
  run->argument_count = count;
  run->arguments = LUNA_ARENA_ARRAY(&run->arena, LunaLoweringArgument, count);
  for (intptr_t i = 0; i < count; ++i)
    if (!note_argument(run, i))
      return false;
  run->arena_base = mlirBlockGetArgument(run->entry, count);
  run->arena_bytes = luna_shaped_bytes(mlirValueGetType(run->arena_base));
  MlirLocation location = mlirOperationGetLocation(run->func);
  run->psram_base = mlirBlockAddArgument(run->entry, run->ptr, location);
  run->state_base = mlirBlockAddArgument(run->entry, run->ptr, location);
  return true;
}

// Ids follow the planned buffers and that of the weights: inputs, outputs, then
// states.
int32_t luna_argument_buffer(const LunaLowering *run, intptr_t number) {
  const LunaLoweringArgument *argument = &run->arguments[number];
  int32_t first = run->weight_buffer + 1;
  switch (argument->role) {
  case LUNA_ARGUMENT_INPUT:
    return first + argument->index;
  case LUNA_ARGUMENT_OUTPUT:
    return first + (int32_t)run->input_count + argument->index;
  case LUNA_ARGUMENT_STATE:
    return first + (int32_t)(run->input_count + run->output_count) +
           argument->index;
  }
  return LUNA_NO_ID;
}

void luna_erase_state_arguments(LunaLowering *run) {
  for (intptr_t i = run->argument_count; i-- > 0;)
    if (run->arguments[i].role == LUNA_ARGUMENT_STATE)
      mlirBlockEraseArgument(run->entry, (unsigned)i);
}
