// Elements of constants: as attributes, and one at a time.

#include "interpreter.h"

#include <string.h>

#include "luna/checked.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

int64_t luna_sign_extend(uint64_t number, int32_t bits) {
  uint64_t sign = UINT64_C(1) << (bits - 1);
  uint64_t low = luna_zero_extend((int64_t)number, bits);
  return (int64_t)((low ^ sign) - sign);
}

uint64_t luna_zero_extend(int64_t number, int32_t bits) {
  return (uint64_t)number & (~UINT64_C(0) >> (64 - bits));
}

LunaScalarType luna_scalar_type(MlirType type) {
  if (mlirTypeIsAF32(type))
    return (LunaScalarType){LUNA_SCALAR_F32, 32, 4};
  if (mlirTypeIsAF64(type))
    return (LunaScalarType){LUNA_SCALAR_F64, 64, 8};
  if (mlirTypeIsAIndex(type))
    return (LunaScalarType){LUNA_SCALAR_INT, 64, 8};
  if (!mlirTypeIsAInteger(type) || !mlirIntegerTypeIsSignless(type))
    return (LunaScalarType){.kind = LUNA_SCALAR_NONE};
  int32_t bits = (int32_t)mlirIntegerTypeGetWidth(type);
  if (bits < 1 || bits > 64)
    return (LunaScalarType){.kind = LUNA_SCALAR_NONE};
  return (LunaScalarType){LUNA_SCALAR_INT, bits, (bits + 7) / 8};
}

bool luna_constant_shape(MlirType type, LunaConstant *constant) {
  *constant = (LunaConstant){.count = 1};
  if (!mlirTypeIsAShaped(type)) {
    constant->element = luna_scalar_type(type);
    return constant->element.kind != LUNA_SCALAR_NONE;
  }
  if (!mlirTypeIsARankedTensor(type) || !mlirShapedTypeHasStaticShape(type) ||
      mlirShapedTypeGetRank(type) > LUNA_CONSTANT_MAX_RANK)
    return false;
  constant->element = luna_scalar_type(mlirShapedTypeGetElementType(type));
  constant->rank = (int32_t)mlirShapedTypeGetRank(type);
  for (int32_t i = 0; i < constant->rank; ++i) {
    constant->dims[i] = mlirShapedTypeGetDimSize(type, i);
    if (!luna_checked_mul(constant->count, constant->dims[i], &constant->count))
      return false;
  }
  return constant->element.kind != LUNA_SCALAR_NONE;
}

void luna_row_strides(int32_t rank, const int64_t *dims, int64_t *strides) {
  int64_t stride = 1;
  for (int32_t i = rank - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= dims[i];
  }
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static int64_t load_int(LunaScalarType type, const uint8_t *at) {
  uint64_t number = 0;
  switch (type.bytes) {
  case 1:
    number = *at;
    break;
  case 4: {
    uint32_t half;
    memcpy(&half, at, sizeof half);
    number = half;
    break;
  }
  default: // i48, stored in the byte order of the host, little-endian
    memcpy(&number, at, (size_t)type.bytes);
  }
  return luna_sign_extend(number, type.bits);
}

LunaCell luna_constant_load(const LunaConstant *tensor, int64_t index) {
  LunaCell cell = {.integer = 0};
  if (!tensor->data || (tensor->is_defined && !tensor->is_defined[index])) {
    cell.is_poison = true;
    return cell;
  }
  const uint8_t *at =
      tensor->data + (tensor->is_splat ? 0 : index) * tensor->element.bytes;
  switch (tensor->element.kind) {
  case LUNA_SCALAR_NONE:
    break;
  case LUNA_SCALAR_INT:
    cell.integer = load_int(tensor->element, at);
    break;
  case LUNA_SCALAR_F32:
    memcpy(&cell.f32, at, sizeof cell.f32);
    break;
  case LUNA_SCALAR_F64:
    memcpy(&cell.f64, at, sizeof cell.f64);
    break;
  }
  return cell;
}

void luna_constant_store(LunaConstant *tensor, int64_t index, LunaCell cell) {
  uint8_t *at = tensor->data + index * tensor->element.bytes;
  switch (tensor->element.kind) {
  case LUNA_SCALAR_NONE:
    break;
  case LUNA_SCALAR_INT: {
    uint64_t number = luna_zero_extend(cell.integer, tensor->element.bits);
    memcpy(at, &number, (size_t)tensor->element.bytes);
    break;
  }
  case LUNA_SCALAR_F32:
    memcpy(at, &cell.f32, sizeof cell.f32);
    break;
  case LUNA_SCALAR_F64:
    memcpy(at, &cell.f64, sizeof cell.f64);
    break;
  }
}

bool luna_constant_define(LunaConstant *tensor, int64_t index, LunaCell cell) {
  if (cell.is_poison)
    return false;
  luna_constant_store(tensor, index, cell);
  if (tensor->is_defined && !tensor->is_defined[index]) {
    tensor->is_defined[index] = 1;
    --tensor->undefined_count;
  }
  return true;
}

int64_t luna_constant_int(const LunaConstant *constant, int64_t index) {
  if (constant->element.kind != LUNA_SCALAR_INT)
    return 0;
  int64_t number = luna_constant_load(constant, index).integer;
  return constant->element.bits == 1 ? number & 1 : number;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

// A tensor like `shape` with room for `elements` elements.
static LunaConstant *make(LunaInterpreter *interpreter,
                          const LunaConstant *shape, int64_t elements,
                          int64_t element_bytes) {
  int64_t bytes;
  if (!luna_checked_mul(elements, element_bytes, &bytes) ||
      bytes > interpreter->bytes_left)
    return NULL;
  interpreter->bytes_left -= bytes;
  LunaConstant *tensor = LUNA_ARENA_ARRAY(interpreter->arena, LunaConstant, 1);
  *tensor = *shape;
  tensor->is_splat = false;
  tensor->is_defined = NULL;
  tensor->undefined_count = 0;
  tensor->data = luna_arena_alloc(interpreter->arena, (uint64_t)bytes, 1);
  return tensor;
}

LunaConstant *luna_interpreter_tensor(LunaInterpreter *interpreter,
                                      const LunaConstant *shape) {
  return make(interpreter, shape, shape->count, shape->element.bytes);
}

LunaConstant *luna_interpreter_undefined(LunaInterpreter *interpreter,
                                         const LunaConstant *shape) {
  LunaConstant *tensor = make(interpreter, shape, 0, 1);
  tensor->data = NULL;
  tensor->undefined_count = tensor->count;
  return tensor;
}

LunaConstant *luna_interpreter_splat(LunaInterpreter *interpreter,
                                     const LunaConstant *shape, LunaCell cell) {
  if (cell.is_poison)
    return luna_interpreter_undefined(interpreter, shape);
  LunaConstant *tensor = make(interpreter, shape, 1, shape->element.bytes);
  if (!tensor)
    return NULL;
  tensor->is_splat = true;
  luna_constant_store(tensor, 0, cell);
  return tensor;
}

static void copy_elements(LunaConstant *to, const LunaConstant *from) {
  size_t bytes = (size_t)to->element.bytes;
  if (!from->is_splat && to->count > 0)
    memcpy(to->data, from->data, (size_t)to->count * bytes);
  for (int64_t i = 0; from->is_splat && i < to->count; ++i)
    memcpy(to->data + (size_t)i * bytes, from->data, bytes);
}

LunaConstant *luna_interpreter_copy(LunaInterpreter *interpreter,
                                    const LunaConstant *from) {
  bool is_partial = from->undefined_count > 0;
  LunaConstant *tensor = make(interpreter, from, from->count,
                              from->element.bytes + (is_partial ? 1 : 0));
  if (!tensor || !luna_interpreter_spend(interpreter, from->count))
    return NULL;
  if (from->data)
    copy_elements(tensor, from);
  if (!is_partial)
    return tensor;
  tensor->undefined_count = from->undefined_count;
  tensor->is_defined = tensor->data + from->count * from->element.bytes;
  if (from->is_defined)
    memcpy(tensor->is_defined, from->is_defined, (size_t)from->count);
  return tensor;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// An attribute of i1 may be packed.
static void read_bools(LunaArena *arena, MlirAttribute attribute,
                       LunaConstant *constant) {
  int64_t count = constant->is_splat ? 1 : constant->count;
  constant->data = luna_arena_alloc(arena, (uint64_t)count, 1);
  for (int64_t i = 0; i < count; ++i)
    constant->data[i] =
        mlirDenseElementsAttrGetBoolValue(attribute, (intptr_t)i);
}

static bool read_elements(LunaArena *arena, MlirAttribute attribute,
                          LunaConstant *constant) {
  if (!mlirAttributeIsADenseElements(attribute) ||
      !luna_constant_shape(mlirAttributeGetType(attribute), constant))
    return false;
  constant->is_splat = mlirDenseElementsAttrIsSplat(attribute);
  if (constant->count == 0)
    constant->data = luna_arena_alloc(arena, 0, 1);
  else if (constant->element.bits == 1)
    read_bools(arena, attribute, constant);
  else
    // Read only: writes go to a copy.
    constant->data =
        (uint8_t *)(uintptr_t)mlirDenseElementsAttrGetRawData(attribute);
  return true;
}

bool luna_constant_from_attr(LunaArena *arena, MlirAttribute attribute,
                             LunaConstant *constant) {
  LunaCell cell = {.integer = 0};
  if (mlirAttributeIsNull(attribute))
    return false;
  if (mlirAttributeIsAElements(attribute))
    return read_elements(arena, attribute, constant);
  if ((!mlirAttributeIsAInteger(attribute) &&
       !mlirAttributeIsAFloat(attribute)) ||
      !luna_constant_shape(mlirAttributeGetType(attribute), constant))
    return false;
  if (constant->element.kind == LUNA_SCALAR_INT)
    cell.integer = mlirIntegerAttrGetValueInt(attribute);
  else if (constant->element.kind == LUNA_SCALAR_F64)
    cell.f64 = mlirFloatAttrGetValueDouble(attribute);
  else
    cell.f32 = (float)mlirFloatAttrGetValueDouble(attribute);
  constant->data = luna_arena_alloc(arena, 1, 8);
  luna_constant_store(constant, 0, cell);
  return true;
}

bool luna_constant_is_uniform(const LunaConstant *constant) {
  size_t bytes = (size_t)constant->element.bytes;
  if (constant->count == 0 || constant->undefined_count > 0)
    return false;
  return constant->is_splat ||
         memcmp(constant->data, constant->data + bytes,
                (size_t)(constant->count - 1) * bytes) == 0;
}

static MlirAttribute bools_attr(const LunaConstant *constant, MlirType type) {
  LunaArena arena = {0};
  int *values = LUNA_ARENA_ARRAY(&arena, int, constant->count);
  for (int64_t i = 0; i < constant->count; ++i)
    values[i] = constant->data[constant->is_splat ? 0 : i] != 0;
  MlirAttribute attribute =
      mlirDenseElementsAttrBoolGet(type, (intptr_t)constant->count, values);
  luna_arena_destroy(&arena);
  return attribute;
}

static MlirAttribute scalar_attr(const LunaConstant *constant, MlirType type) {
  LunaCell cell = luna_constant_load(constant, 0);
  if (constant->element.kind == LUNA_SCALAR_INT)
    return mlirIntegerAttrGet(type, cell.integer);
  return mlirFloatAttrDoubleGet(
      mlirTypeGetContext(type), type,
      constant->element.kind == LUNA_SCALAR_F64 ? cell.f64 : (double)cell.f32);
}

MlirAttribute luna_constant_attr(const LunaConstant *constant, MlirType type) {
  if (constant->undefined_count > 0)
    return mlirAttributeGetNull();
  if (!mlirTypeIsAShaped(type))
    return scalar_attr(constant, type);
  bool is_one = luna_constant_is_uniform(constant);
  if (constant->element.bits == 1 && !is_one)
    return bools_attr(constant, type);
  if (constant->element.bits == 1)
    return mlirDenseElementsAttrBoolSplatGet(type, constant->data[0] != 0);
  size_t bytes =
      (size_t)((is_one ? 1 : constant->count) * constant->element.bytes);
  return mlirDenseElementsAttrRawBufferGet(type, bytes, constant->data);
}
