#include "reference_values.h"

#include <string.h>

#include "luna-c/ir.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

// The head of a memref descriptor; sizes and strides follow.
typedef struct Descriptor {
  void *allocated, *aligned;
  int64_t offset;
  int64_t sizes_and_strides[];
} Descriptor;

bool luna_reference_point_to_data(LunaReferenceValue *value) {
  if (value->descriptor_bytes < sizeof(Descriptor))
    return false;
  Descriptor *descriptor = value->descriptor;
  descriptor->allocated = descriptor->aligned = value->data;
  return true;
}

static void describe(LunaArena *arena, MlirType type,
                     LunaReferenceValue *value) {
  int64_t rank = mlirShapedTypeGetRank(type), stride = 1;
  value->descriptor_bytes =
      sizeof(Descriptor) + 2 * (size_t)rank * sizeof(int64_t);
  value->descriptor = luna_arena_alloc(arena, value->descriptor_bytes, 1);
  Descriptor *descriptor = value->descriptor;
  luna_reference_point_to_data(value);
  for (int64_t i = rank; i-- > 0;) {
    descriptor->sizes_and_strides[i] = mlirShapedTypeGetDimSize(type, i);
    descriptor->sizes_and_strides[rank + i] = stride;
    stride *= mlirShapedTypeGetDimSize(type, i);
  }
}

static void copy_elements(LunaReferenceValue *value, MlirAttribute elements) {
  MlirType type = mlirShapedTypeGetElementType(mlirAttributeGetType(elements));
  bool is_bool = mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
  bool is_splat = mlirDenseElementsAttrIsSplat(elements);
  const uint8_t *raw = mlirDenseElementsAttrGetRawData(elements);
  for (size_t at = 0; at < value->bytes; at += value->element_bytes)
    if (is_bool)
      value->initial[at] =
          is_splat ? mlirDenseElementsAttrGetBoolSplatValue(elements) != 0
                   : mlirDenseElementsAttrGetBoolValue(elements, (intptr_t)at);
    else
      memcpy(value->initial + at, raw + (is_splat ? 0 : at),
             value->element_bytes);
}

// luna.state and luna.initial among the attributes of an argument or result.
static void read_state(LunaReferenceValue *value, LunaArena *arena,
                       MlirAttribute attributes) {
  MlirAttribute name =
      mlirDictionaryAttrGetElementByName(attributes, luna_str("luna.state"));
  MlirAttribute initial =
      mlirDictionaryAttrGetElementByName(attributes, luna_str("luna.initial"));
  if (mlirAttributeIsNull(name))
    return;
  MlirStringRef text = mlirStringAttrGetValue(name);
  value->state = luna_arena_strndup(arena, text.data, text.length);
  if (mlirAttributeIsNull(initial))
    return;
  value->initial = luna_arena_alloc(arena, value->bytes, 1);
  copy_elements(value, initial);
}

static bool read_value(LunaReferenceValue *value, LunaArena *arena,
                       MlirType type, MlirAttribute all, intptr_t index) {
  int64_t bytes = luna_shaped_bytes(type);
  if (bytes < 0)
    return false;
  MlirType element = mlirShapedTypeGetElementType(type);
  *value = (LunaReferenceValue){
      .data = luna_arena_alloc(arena, (uint64_t)bytes, 1),
      .bytes = (size_t)bytes,
      .element_bytes = (size_t)luna_element_type_bytes(element),
      .is_float = mlirTypeIsAF32(element),
      .is_double = mlirTypeIsAF64(element),
  };
  describe(arena, type, value);
  if (!mlirAttributeIsNull(all))
    read_state(value, arena, mlirArrayAttrGetElement(all, index));
  return true;
}

static bool has_attribute(MlirAttribute all, intptr_t index, const char *name) {
  return !mlirAttributeIsNull(all) &&
         !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
             mlirArrayAttrGetElement(all, index), luna_str(name)));
}

// The arena is the one argument of a planned function that the model has not.
static LunaReferenceRole argument_role(MlirType function, MlirAttribute all,
                                       intptr_t index, bool is_planned) {
  if (is_planned && index + 1 == mlirFunctionTypeGetNumInputs(function))
    return LUNA_REFERENCE_ARENA;
  return has_attribute(all, index, "bufferize.result") ? LUNA_REFERENCE_OUTPUT
                                                       : LUNA_REFERENCE_INPUT;
}

bool luna_reference_list_values(MlirOperation func, bool is_planned,
                                LunaReference *reference) {
  LunaArena *arena = &reference->arena;
  MlirType type = mlirTypeAttrGetValue(luna_attr(func, "function_type"));
  MlirAttribute given = luna_attr(func, "arg_attrs");
  MlirAttribute taken = luna_attr(func, "res_attrs");
  uint32_t arguments = (uint32_t)mlirFunctionTypeGetNumInputs(type);
  uint32_t results = (uint32_t)mlirFunctionTypeGetNumResults(type);
  LunaReferenceValue *value =
      LUNA_ARENA_ARRAY(arena, LunaReferenceValue, arguments + results);
  reference->values = value;
  reference->argument_count = arguments;
  reference->result_count = results;
  for (uint32_t i = 0; i < arguments; ++i, ++value) {
    if (!read_value(value, arena, mlirFunctionTypeGetInput(type, i), given, i))
      return false;
    value->role = argument_role(type, given, i, is_planned);
  }
  for (uint32_t i = 0; i < results; ++i, ++value) {
    if (!read_value(value, arena, mlirFunctionTypeGetResult(type, i), taken, i))
      return false;
    value->role = LUNA_REFERENCE_OUTPUT;
  }
  return true;
}
