#include "onnx_build.h"

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

static MlirAttribute bool_elements(LunaOnnxImport *c, MlirType type,
                                   const uint8_t *data, int64_t count) {
  int *values = LUNA_ARENA_ARRAY(c->arena, int, count);
  for (int64_t i = 0; i < count; ++i)
    values[i] = data[i] != 0;
  return mlirDenseElementsAttrBoolGet(type, (intptr_t)count, values);
}

MlirValue luna_onnx_const(LunaOnnxImport *c, LunaOnnxType type,
                          const LunaShape *shape, const void *data) {
  MlirType tensor = luna_onnx_tensor_type(c, type, shape);
  if (type != LUNA_ONNX_BOOL)
    return luna_build_data(c->b, tensor, data);
  return luna_build_const(
      c->b, bool_elements(c, tensor, data, luna_onnx_elems(shape)));
}

MlirValue luna_onnx_splat(LunaOnnxImport *c, LunaOnnxType type,
                          const LunaShape *shape, double value) {
  return luna_build_splat(c->b, luna_onnx_tensor_type(c, type, shape), value);
}

MlirValue luna_onnx_pad(LunaOnnxImport *c, MlirValue value, const int64_t *pads,
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

MlirValue luna_onnx_generate(LunaOnnxImport *c, LunaOnnxType type,
                             const LunaShape *shape, LunaOnnxElement element,
                             void *data) {
  MlirValue index[LUNA_ONNX_MAX_RANK];
  LunaGeneric generic = luna_generic(c->b, shape);
  luna_generic_result(&generic, luna_onnx_element_type(c, type));
  for (int i = 0; i < shape->rank; ++i)
    index[i] = luna_generic_index(&generic, i);
  return luna_generic_end(&generic, element(c, index, data));
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

MlirValue luna_onnx_lit(LunaOnnxImport *c, LunaOnnxType type, double value) {
  return luna_scalar_float(c->b, luna_onnx_element_type(c, type), value);
}

MlirValue luna_onnx_compare(LunaOnnxImport *c, LunaOnnxType type,
                            LunaCompare how, MlirValue x, MlirValue y) {
  bool is_order = how != LUNA_EQ && how != LUNA_NE;
  if (is_order && luna_onnx_is_unsigned(type))
    how = (LunaCompare)(how + LUNA_ULT - LUNA_LT);
  return luna_scalar_compare(c->b, how, x, y);
}

MlirValue luna_onnx_div(LunaOnnxImport *c, LunaOnnxType type, MlirValue x,
                        MlirValue y) {
  return luna_onnx_is_unsigned(type) ? luna_scalar(c->b, "arith.divui", x, y)
                                     : luna_scalar_div(c->b, x, y);
}

MlirValue luna_onnx_min(LunaOnnxImport *c, LunaOnnxType type, MlirValue x,
                        MlirValue y) {
  return luna_onnx_is_unsigned(type) ? luna_scalar(c->b, "arith.minui", x, y)
                                     : luna_scalar_min(c->b, x, y);
}

MlirValue luna_onnx_max(LunaOnnxImport *c, LunaOnnxType type, MlirValue x,
                        MlirValue y) {
  return luna_onnx_is_unsigned(type) ? luna_scalar(c->b, "arith.maxui", x, y)
                                     : luna_scalar_max(c->b, x, y);
}

MlirValue luna_onnx_sigmoid(LunaOnnxImport *c, LunaOnnxType type, MlirValue x) {
  MlirValue one = luna_onnx_lit(c, type, 1.0);
  MlirValue power = luna_scalar_unary(c->b, "math.exp",
                                      luna_scalar_unary(c->b, "arith.negf", x));
  return luna_scalar_div(c->b, one, luna_scalar_add(c->b, one, power));
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

MlirValue luna_onnx_cast(LunaOnnxImport *c, MlirValue value, LunaOnnxType from,
                         LunaOnnxType to) {
  bool is_unsigned = luna_onnx_is_unsigned(from);
  int bits = from == LUNA_ONNX_BOOL ? 1 : 8 * luna_onnx_type_bytes(from);
  int to_bits = 8 * luna_onnx_type_bytes(to);
  const char *name;
  if (from == to)
    return value;
  if (to == LUNA_ONNX_BOOL)
    return luna_scalar_compare(c->b, LUNA_NE, value,
                               luna_onnx_lit(c, from, 0.0));
  if (luna_onnx_is_float(from) && luna_onnx_is_float(to))
    name = to_bits > bits ? "arith.extf" : "arith.truncf";
  else if (luna_onnx_is_float(from))
    name = luna_onnx_is_unsigned(to) ? "arith.fptoui" : "arith.fptosi";
  else if (luna_onnx_is_float(to))
    name = is_unsigned ? "arith.uitofp" : "arith.sitofp";
  else if (bits == to_bits)
    return value;
  else
    name = to_bits < bits ? "arith.trunci"
           : is_unsigned  ? "arith.extui"
                          : "arith.extsi";
  return luna_scalar_to(c->b, name, value, luna_onnx_element_type(c, to));
}

MlirValue luna_onnx_cast_index(LunaOnnxImport *c, MlirValue value,
                               LunaOnnxType from) {
  return luna_scalar_to(c->b,
                        luna_onnx_is_unsigned(from) ? "arith.index_castui"
                                                    : "arith.index_cast",
                        value, c->b->index);
}

MlirValue luna_onnx_index_to(LunaOnnxImport *c, MlirValue index,
                             LunaOnnxType to) {
  LunaOnnxType integer = luna_onnx_is_float(to) ? LUNA_ONNX_I64 : to;
  MlirValue value = luna_scalar_to(c->b, "arith.index_cast", index,
                                   luna_onnx_element_type(c, integer));
  return luna_onnx_cast(c, value, integer, to);
}

MlirValue luna_onnx_saturate(LunaOnnxImport *c, MlirValue value,
                             LunaOnnxType to) {
  int64_t low, high;
  luna_onnx_int_range(to, &low, &high);
  value = luna_scalar_max(c->b, value, luna_scalar_f32(c->b, (double)low));
  value = luna_scalar_min(c->b, value, luna_scalar_f32(c->b, (double)high));
  return luna_onnx_cast(c,
                        luna_onnx_cast(c, value, LUNA_ONNX_F32, LUNA_ONNX_I32),
                        LUNA_ONNX_I32, to);
}
