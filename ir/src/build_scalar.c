#include "luna-c/build_scalar.h"

static bool is_float(MlirType type) {
  return mlirTypeIsAF32(type) || mlirTypeIsAF64(type);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static MlirValue constant(const LunaBuilder *b, MlirAttribute value) {
  return luna_build_op(b, "arith.constant", mlirAttributeGetType(value), 0,
                       NULL, 1, &(LunaAttr){"value", value});
}

MlirValue luna_scalar_int(const LunaBuilder *b, MlirType type, int64_t value) {
  if (is_float(type))
    return luna_scalar_float(b, type, (double)value);
  return constant(b, mlirIntegerAttrGet(type, value));
}

MlirValue luna_scalar_float(const LunaBuilder *b, MlirType type, double value) {
  if (!is_float(type))
    return luna_scalar_int(b, type, (int64_t)value);
  return constant(b, mlirFloatAttrDoubleGet(b->context, type, value));
}

MlirValue luna_scalar_index(const LunaBuilder *b, int64_t value) {
  return luna_scalar_int(b, b->index, value);
}

MlirValue luna_scalar_i32(const LunaBuilder *b, int64_t value) {
  return luna_scalar_int(b, b->i32, value);
}

MlirValue luna_scalar_f32(const LunaBuilder *b, double value) {
  return luna_scalar_float(b, b->f32, value);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

MlirValue luna_scalar(const LunaBuilder *b, const char *name, MlirValue x,
                      MlirValue y) {
  return luna_build_op(b, name, mlirValueGetType(x), 2, (MlirValue[]){x, y}, 0,
                       NULL);
}

MlirValue luna_scalar_with(const LunaBuilder *b, const char *name, MlirValue x,
                           int64_t y) {
  return luna_scalar(b, name, x, luna_scalar_int(b, mlirValueGetType(x), y));
}

MlirValue luna_scalar_to(const LunaBuilder *b, const char *name, MlirValue x,
                         MlirType type) {
  return luna_build_op(b, name, type, 1, &x, 0, NULL);
}

MlirValue luna_scalar_unary(const LunaBuilder *b, const char *name,
                            MlirValue x) {
  return luna_scalar_to(b, name, x, mlirValueGetType(x));
}

static MlirValue by_type(const LunaBuilder *b, const char *floats,
                         const char *integers, MlirValue x, MlirValue y) {
  return luna_scalar(b, is_float(mlirValueGetType(x)) ? floats : integers, x,
                     y);
}

MlirValue luna_scalar_add(const LunaBuilder *b, MlirValue x, MlirValue y) {
  return by_type(b, "arith.addf", "arith.addi", x, y);
}
MlirValue luna_scalar_sub(const LunaBuilder *b, MlirValue x, MlirValue y) {
  return by_type(b, "arith.subf", "arith.subi", x, y);
}
MlirValue luna_scalar_mul(const LunaBuilder *b, MlirValue x, MlirValue y) {
  return by_type(b, "arith.mulf", "arith.muli", x, y);
}
MlirValue luna_scalar_div(const LunaBuilder *b, MlirValue x, MlirValue y) {
  return by_type(b, "arith.divf", "arith.divsi", x, y);
}
MlirValue luna_scalar_min(const LunaBuilder *b, MlirValue x, MlirValue y) {
  return by_type(b, "arith.minimumf", "arith.minsi", x, y);
}
MlirValue luna_scalar_max(const LunaBuilder *b, MlirValue x, MlirValue y) {
  return by_type(b, "arith.maximumf", "arith.maxsi", x, y);
}

MlirValue luna_scalar_clamp(const LunaBuilder *b, MlirValue x, int64_t min,
                            int64_t max) {
  MlirType type = mlirValueGetType(x);
  x = luna_scalar_max(b, x, luna_scalar_int(b, type, min));
  return luna_scalar_min(b, x, luna_scalar_int(b, type, max));
}

//===----------------------------------------------------------------------===//
// Comparisons and conversions
//===----------------------------------------------------------------------===//

MlirValue luna_scalar_compare(const LunaBuilder *b, LunaCompare how,
                              MlirValue x, MlirValue y) {
  // LunaCompare has the numbers of arith.cmpi's predicates.
  static const int64_t floats[] = {1, 13, 4, 5, 2, 3};
  bool of_floats = is_float(mlirValueGetType(x));
  int64_t predicate = of_floats ? floats[how] : (int64_t)how;
  LunaAttr attribute = {"predicate", luna_i64_attr(b->context, predicate)};
  return luna_build_op(b, of_floats ? "arith.cmpf" : "arith.cmpi", b->i1, 2,
                       (MlirValue[]){x, y}, 1, &attribute);
}

MlirValue luna_scalar_select(const LunaBuilder *b, MlirValue condition,
                             MlirValue x, MlirValue y) {
  return luna_build_op(b, "arith.select", mlirValueGetType(x), 3,
                       (MlirValue[]){condition, x, y}, 0, NULL);
}

MlirValue luna_scalar_resize(const LunaBuilder *b, MlirValue x, MlirType type) {
  MlirType from = mlirValueGetType(x);
  if (mlirTypeEqual(from, type))
    return x;
  bool widens = mlirIntegerTypeGetWidth(from) < mlirIntegerTypeGetWidth(type);
  return luna_scalar_to(b, widens ? "arith.extsi" : "arith.trunci", x, type);
}

MlirValue luna_scalar_extract(const LunaBuilder *b, MlirValue tensor,
                              const MlirValue *indices) {
  MlirValue operands[LUNA_RANK_MAX + 1] = {tensor};
  int rank = luna_rank_of(tensor);
  for (int i = 0; i < rank; ++i)
    operands[i + 1] = indices[i];
  const char *name = mlirTypeIsAMemRef(mlirValueGetType(tensor))
                         ? "memref.load"
                         : "tensor.extract";
  return luna_build_op(b, name, luna_element_of(tensor), rank + 1, operands, 0,
                       NULL);
}

MlirValue luna_scalar_insert(const LunaBuilder *b, MlirValue value,
                             MlirValue tensor, const MlirValue *indices) {
  MlirValue operands[LUNA_RANK_MAX + 2] = {value, tensor};
  int rank = luna_rank_of(tensor);
  for (int i = 0; i < rank; ++i)
    operands[i + 2] = indices[i];
  return luna_build_op(b, "tensor.insert", mlirValueGetType(tensor), rank + 2,
                       operands, 0, NULL);
}

MlirValue luna_scalar_only(const LunaBuilder *b, MlirValue tensor) {
  MlirValue at[LUNA_RANK_MAX], zero = {NULL};
  int rank = luna_rank_of(tensor);
  for (int i = 0; i < rank; ++i)
    at[i] = zero = i > 0 ? zero : luna_scalar_index(b, 0);
  return luna_scalar_extract(b, tensor, at);
}
