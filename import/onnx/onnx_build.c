#include "onnx_build.h"

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

static MlirAttribute bool_elements(OnnxImport *c, MlirType type,
                                   const uint8_t *data, int64_t count) {
  int *values = LUNA_ARENA_ARRAY(c->arena, int, count);
  for (int64_t i = 0; i < count; ++i)
    values[i] = data[i] != 0;
  return mlirDenseElementsAttrBoolGet(type, (intptr_t)count, values);
}

MlirValue onnx_const(OnnxImport *c, OnnxType type, const LunaShape *shape,
                     const void *data) {
  MlirType tensor = onnx_tensor_type(c, type, shape);
  if (type != ONNX_BOOL)
    return luna_build_data(c->b, tensor, data);
  return luna_build_const(c->b,
                          bool_elements(c, tensor, data, onnx_elems(shape)));
}

MlirValue onnx_splat(OnnxImport *c, OnnxType type, const LunaShape *shape,
                     double value) {
  return luna_build_splat(c->b, onnx_tensor_type(c, type, shape), value);
}

MlirValue onnx_pad(OnnxImport *c, MlirValue value, const int64_t *pads,
                   double fill) {
  bool any = false;
  for (int i = 0; i < 2 * luna_rank_of(value); ++i)
    any = any || pads[i] != 0;
  if (!any)
    return value;
  return luna_build_pad(
      c->b, value, pads,
      luna_build_const_one(c->b, luna_element_of(value), fill));
}

MlirValue onnx_generate(OnnxImport *c, OnnxType type, const LunaShape *shape,
                        OnnxElement element, void *data) {
  MlirValue index[ONNX_MAX_RANK];
  LunaGeneric generic = luna_generic(c->b, shape);
  luna_generic_result(&generic, onnx_element_type(c, type));
  for (int i = 0; i < shape->rank; ++i)
    index[i] = luna_generic_index(&generic, i);
  return luna_generic_end(&generic, element(c, index, data));
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

MlirValue onnx_lit(OnnxImport *c, OnnxType type, double value) {
  return luna_scalar_float(c->b, onnx_element_type(c, type), value);
}

MlirValue onnx_compare(OnnxImport *c, OnnxType type, LunaCompare how,
                       MlirValue x, MlirValue y) {
  bool is_order = how != LUNA_EQ && how != LUNA_NE;
  if (is_order && onnx_is_unsigned(type))
    how = (LunaCompare)(how + LUNA_ULT - LUNA_LT);
  return luna_scalar_compare(c->b, how, x, y);
}

MlirValue onnx_div(OnnxImport *c, OnnxType type, MlirValue x, MlirValue y) {
  return onnx_is_unsigned(type) ? luna_scalar(c->b, "arith.divui", x, y)
                                : luna_scalar_div(c->b, x, y);
}

MlirValue onnx_min(OnnxImport *c, OnnxType type, MlirValue x, MlirValue y) {
  return onnx_is_unsigned(type) ? luna_scalar(c->b, "arith.minui", x, y)
                                : luna_scalar_min(c->b, x, y);
}

MlirValue onnx_max(OnnxImport *c, OnnxType type, MlirValue x, MlirValue y) {
  return onnx_is_unsigned(type) ? luna_scalar(c->b, "arith.maxui", x, y)
                                : luna_scalar_max(c->b, x, y);
}

MlirValue onnx_sigmoid(OnnxImport *c, OnnxType type, MlirValue x) {
  MlirValue one = onnx_lit(c, type, 1.0);
  MlirValue power = luna_scalar_unary(c->b, "math.exp",
                                      luna_scalar_unary(c->b, "arith.negf", x));
  return luna_scalar_div(c->b, one, luna_scalar_add(c->b, one, power));
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

MlirValue onnx_cast(OnnxImport *c, MlirValue value, OnnxType from,
                    OnnxType to) {
  bool is_unsigned = onnx_is_unsigned(from);
  int bits = from == ONNX_BOOL ? 1 : 8 * onnx_type_bytes(from);
  int to_bits = 8 * onnx_type_bytes(to);
  const char *name;
  if (from == to)
    return value;
  if (to == ONNX_BOOL)
    return luna_scalar_compare(c->b, LUNA_NE, value, onnx_lit(c, from, 0.0));
  if (onnx_is_float(from) && onnx_is_float(to))
    name = to_bits > bits ? "arith.extf" : "arith.truncf";
  else if (onnx_is_float(from))
    name = onnx_is_unsigned(to) ? "arith.fptoui" : "arith.fptosi";
  else if (onnx_is_float(to))
    name = is_unsigned ? "arith.uitofp" : "arith.sitofp";
  else if (bits == to_bits)
    return value;
  else
    name = to_bits < bits ? "arith.trunci"
           : is_unsigned  ? "arith.extui"
                          : "arith.extsi";
  return luna_scalar_to(c->b, name, value, onnx_element_type(c, to));
}

MlirValue onnx_cast_index(OnnxImport *c, MlirValue value, OnnxType from) {
  return luna_scalar_to(
      c->b, onnx_is_unsigned(from) ? "arith.index_castui" : "arith.index_cast",
      value, c->b->index);
}

MlirValue onnx_index_to(OnnxImport *c, MlirValue index, OnnxType to) {
  OnnxType integer = onnx_is_float(to) ? ONNX_I64 : to;
  MlirValue value = luna_scalar_to(c->b, "arith.index_cast", index,
                                   onnx_element_type(c, integer));
  return onnx_cast(c, value, integer, to);
}

MlirValue onnx_saturate(OnnxImport *c, MlirValue value, OnnxType to) {
  int64_t low, high;
  onnx_int_range(to, &low, &high);
  value = luna_scalar_max(c->b, value, luna_scalar_f32(c->b, (double)low));
  value = luna_scalar_min(c->b, value, luna_scalar_f32(c->b, (double)high));
  return onnx_cast(c, onnx_cast(c, value, ONNX_F32, ONNX_I32), ONNX_I32, to);
}
