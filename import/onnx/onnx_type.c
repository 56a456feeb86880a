// Element types and shapes.

#include "onnx.h"

#include "luna/checked.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

static const struct {
  const char *name;
  int bytes;
  bool is_float, is_int, is_unsigned;
} types[] = {
    [LUNA_ONNX_UNDEFINED] = {"undefined", 0, false, false, false},
    [LUNA_ONNX_F32] = {"float", 4, true, false, false},
    [LUNA_ONNX_U8] = {"uint8", 1, false, true, true},
    [LUNA_ONNX_I8] = {"int8", 1, false, true, false},
    [LUNA_ONNX_U16] = {"uint16", 2, false, true, true},
    [LUNA_ONNX_I16] = {"int16", 2, false, true, false},
    [LUNA_ONNX_I32] = {"int32", 4, false, true, false},
    [LUNA_ONNX_I64] = {"int64", 8, false, true, false},
    [LUNA_ONNX_STRING] = {"string", 0, false, false, false},
    [LUNA_ONNX_BOOL] = {"bool", 1, false, false, true},
    [LUNA_ONNX_F16] = {"float16", 0, false, false, false},
    [LUNA_ONNX_F64] = {"double", 8, true, false, false},
    [LUNA_ONNX_U32] = {"uint32", 4, false, true, true},
    [LUNA_ONNX_U64] = {"uint64", 8, false, true, true},
    [LUNA_ONNX_C64] = {"complex64", 0, false, false, false},
    [LUNA_ONNX_C128] = {"complex128", 0, false, false, false},
    [LUNA_ONNX_BF16] = {"bfloat16", 0, false, false, false},
    [LUNA_ONNX_F8_E4M3FN] = {"float8e4m3fn", 0, false, false, false},
    [LUNA_ONNX_F8_E4M3FNUZ] = {"float8e4m3fnuz", 0, false, false, false},
    [LUNA_ONNX_F8_E5M2] = {"float8e5m2", 0, false, false, false},
    [LUNA_ONNX_F8_E5M2FNUZ] = {"float8e5m2fnuz", 0, false, false, false},
    [LUNA_ONNX_U4] = {"uint4", 0, false, false, false},
    [LUNA_ONNX_I4] = {"int4", 0, false, false, false},
    [LUNA_ONNX_F4_E2M1] = {"float4e2m1", 0, false, false, false},
    [LUNA_ONNX_F8_E8M0] = {"float8e8m0", 0, false, false, false},
    [LUNA_ONNX_U2] = {"uint2", 0, false, false, false},
    [LUNA_ONNX_I2] = {"int2", 0, false, false, false},
};

static bool is_known(LunaOnnxType type) {
  return (unsigned)type < sizeof types / sizeof *types;
}

const char *luna_onnx_type_name(LunaOnnxType type) {
  return is_known(type) ? types[type].name : "unknown";
}
int luna_onnx_type_bytes(LunaOnnxType type) {
  return is_known(type) ? types[type].bytes : 0;
}
bool luna_onnx_is_float(LunaOnnxType type) {
  return is_known(type) && types[type].is_float;
}
bool luna_onnx_is_unsigned(LunaOnnxType type) {
  return is_known(type) && types[type].is_unsigned;
}
bool luna_onnx_is_int(LunaOnnxType type) {
  return is_known(type) && types[type].is_int;
}

bool luna_onnx_is_half(LunaOnnxType type) {
  return type == LUNA_ONNX_F16 || type == LUNA_ONNX_BF16;
}
LunaOnnxType luna_onnx_computed(LunaOnnxType type) {
  return luna_onnx_is_half(type) ? LUNA_ONNX_F32 : type;
}

MlirType luna_onnx_element_type(LunaOnnxImport *c, LunaOnnxType type) {
  if (type == LUNA_ONNX_F16)
    return mlirF16TypeGet(c->b->context);
  if (type == LUNA_ONNX_BF16)
    return mlirBF16TypeGet(c->b->context);
  if (type == LUNA_ONNX_F32)
    return mlirF32TypeGet(c->b->context);
  if (type == LUNA_ONNX_F64)
    return mlirF64TypeGet(c->b->context);
  if (type == LUNA_ONNX_BOOL)
    return mlirIntegerTypeGet(c->b->context, 1);
  return mlirIntegerTypeGet(c->b->context,
                            8 * (unsigned)luna_onnx_type_bytes(type));
}

MlirType luna_onnx_tensor_type(LunaOnnxImport *c, LunaOnnxType type,
                               const LunaShape *shape) {
  return mlirRankedTensorTypeGet(shape->rank, shape->dims,
                                 luna_onnx_element_type(c, type),
                                 mlirAttributeGetNull());
}

void luna_onnx_int_range(LunaOnnxType type, int64_t *low, int64_t *high) {
  int bits = 8 * luna_onnx_type_bytes(type);
  *low = luna_onnx_is_unsigned(type) ? 0 : -(INT64_C(1) << (bits - 1));
  *high = (INT64_C(1) << (luna_onnx_is_unsigned(type) ? bits : bits - 1)) - 1;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LunaShape luna_onnx_shape(int rank, const int64_t *dims) {
  LunaShape shape = {.rank = rank};
  for (int i = 0; i < rank; ++i)
    shape.dims[i] = dims ? dims[i] : -1;
  return shape;
}

int64_t luna_onnx_elems(const LunaShape *shape) {
  int64_t count = 1;
  for (int i = 0; i < shape->rank; ++i)
    count *= shape->dims[i];
  return count;
}

bool luna_onnx_check_shape(LunaOnnxImport *c, const LunaShape *shape) {
  if (shape->rank > LUNA_ONNX_MAX_RANK)
    return luna_onnx_fail(c,
                          "result has %d dimensions, at most %d are supported",
                          shape->rank, LUNA_ONNX_MAX_RANK);
  int64_t count = 1;
  for (int i = 0; i < shape->rank; ++i) {
    if (shape->dims[i] <= 0)
      return luna_onnx_fail(c,
                            "result has a dimension of %lld; tensors without "
                            "elements are not supported",
                            (long long)shape->dims[i]);
    if (!luna_checked_mul(count, shape->dims[i], &count) ||
        count > LUNA_ONNX_MAX_ELEMS)
      return luna_onnx_fail(c, "result has more than %d elements",
                            LUNA_ONNX_MAX_ELEMS);
  }
  return true;
}

bool luna_onnx_same_shape(const LunaShape *a, const LunaShape *b) {
  if (a->rank != b->rank)
    return false;
  for (int i = 0; i < a->rank; ++i)
    if (a->dims[i] != b->dims[i])
      return false;
  return true;
}

int luna_onnx_axis_last(int axis, int rank) {
  return axis == 0 ? 0 : axis == 1 ? rank - 1 : axis - 1;
}

LunaShape luna_onnx_shape_last(const LunaShape *shape) {
  LunaShape out = *shape;
  for (int i = 1; i + 1 < shape->rank; ++i)
    out.dims[i] = shape->dims[i + 1];
  out.dims[shape->rank - 1] = shape->dims[1];
  return out;
}

bool luna_onnx_axis(LunaOnnxImport *c, int64_t axis, int rank, int *out) {
  if (axis < -rank || axis >= rank)
    return luna_onnx_fail(c, "axis %lld is outside of %d dimensions",
                          (long long)axis, rank);
  *out = (int)(axis < 0 ? axis + rank : axis);
  return true;
}
