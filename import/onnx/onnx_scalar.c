// Scalar ops, as the bodies of linalg.generic and conditions use them.

#include "onnx.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

MlirValue onnx_s1(OnnxImport *c, const char *name, MlirValue a) {
  return onnx_emit(c, name, mlirValueGetType(a), &a, 1, NULL, 0);
}

MlirValue onnx_s2(OnnxImport *c, const char *name, MlirValue a, MlirValue b) {
  MlirValue operands[2] = {a, b};
  return onnx_emit(c, name, mlirValueGetType(a), operands, 2, NULL, 0);
}

static MlirValue literal(OnnxImport *c, MlirType type, MlirAttribute value) {
  OnnxAttr attr = {"value", value};
  return onnx_emit(c, "arith.constant", type, NULL, 0, &attr, 1);
}

MlirValue onnx_lit_int(OnnxImport *c, OnnxType type, int64_t value) {
  MlirType element = onnx_element_type(c, type);
  if (onnx_is_float(type))
    return onnx_lit(c, type, (double)value);
  return literal(c, element, mlirIntegerAttrGet(element, value));
}

MlirValue onnx_lit(OnnxImport *c, OnnxType type, double value) {
  if (!onnx_is_float(type))
    return onnx_lit_int(c, type, (int64_t)value);
  MlirType element = onnx_element_type(c, type);
  return literal(c, element,
                 mlirFloatAttrDoubleGet(c->context, element, value));
}

MlirValue onnx_lit_index(OnnxImport *c, int64_t value) {
  MlirType index = onnx_index_type(c);
  return literal(c, index, mlirIntegerAttrGet(index, value));
}

MlirValue onnx_select(OnnxImport *c, MlirValue condition, MlirValue a,
                      MlirValue b) {
  MlirValue operands[3] = {condition, a, b};
  return onnx_emit(c, "arith.select", mlirValueGetType(a), operands, 3, NULL,
                   0);
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

static MlirValue compare_ints(OnnxImport *c, int64_t predicate, MlirValue a,
                              MlirValue b) {
  MlirValue operands[2] = {a, b};
  OnnxAttr attr = {"predicate", onnx_i64_attr(c, predicate)};
  return onnx_emit(c, "arith.cmpi", mlirIntegerTypeGet(c->context, 1), operands,
                   2, &attr, 1);
}

MlirValue onnx_compare(OnnxImport *c, OnnxType type, OnnxCompare predicate,
                       MlirValue a, MlirValue b) {
  // Predicates of arith.cmpf (ordered, but unordered not-equal) and cmpi.
  static const int64_t floats[] = {1, 13, 4, 5, 2, 3};
  static const int64_t signed_ints[] = {0, 1, 2, 3, 4, 5};
  static const int64_t unsigned_ints[] = {0, 1, 6, 7, 8, 9};
  if (!onnx_is_float(type))
    return compare_ints(c,
                        onnx_is_unsigned(type) ? unsigned_ints[predicate]
                                               : signed_ints[predicate],
                        a, b);
  MlirValue operands[2] = {a, b};
  OnnxAttr attr = {"predicate", onnx_i64_attr(c, floats[predicate])};
  return onnx_emit(c, "arith.cmpf", mlirIntegerTypeGet(c->context, 1), operands,
                   2, &attr, 1);
}

MlirValue onnx_compare_index(OnnxImport *c, OnnxCompare predicate, MlirValue a,
                             MlirValue b) {
  return compare_ints(c, (int64_t)predicate, a, b);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static MlirValue by_type(OnnxImport *c, OnnxType type, const char *floats,
                         const char *ints, const char *unsigneds, MlirValue a,
                         MlirValue b) {
  return onnx_s2(c,
                 onnx_is_float(type)      ? floats
                 : onnx_is_unsigned(type) ? unsigneds
                                          : ints,
                 a, b);
}

MlirValue onnx_add(OnnxImport *c, OnnxType type, MlirValue a, MlirValue b) {
  return by_type(c, type, "arith.addf", "arith.addi", "arith.addi", a, b);
}
MlirValue onnx_sub(OnnxImport *c, OnnxType type, MlirValue a, MlirValue b) {
  return by_type(c, type, "arith.subf", "arith.subi", "arith.subi", a, b);
}
MlirValue onnx_mul(OnnxImport *c, OnnxType type, MlirValue a, MlirValue b) {
  return by_type(c, type, "arith.mulf", "arith.muli", "arith.muli", a, b);
}
MlirValue onnx_div(OnnxImport *c, OnnxType type, MlirValue a, MlirValue b) {
  return by_type(c, type, "arith.divf", "arith.divsi", "arith.divui", a, b);
}
MlirValue onnx_min(OnnxImport *c, OnnxType type, MlirValue a, MlirValue b) {
  return by_type(c, type, "arith.minimumf", "arith.minsi", "arith.minui", a, b);
}
MlirValue onnx_max(OnnxImport *c, OnnxType type, MlirValue a, MlirValue b) {
  return by_type(c, type, "arith.maximumf", "arith.maxsi", "arith.maxui", a, b);
}

MlirValue onnx_sigmoid(OnnxImport *c, OnnxType type, MlirValue x) {
  MlirValue one = onnx_lit(c, type, 1.0);
  MlirValue power = onnx_s1(c, "math.exp", onnx_s1(c, "arith.negf", x));
  return onnx_s2(c, "arith.divf", one, onnx_s2(c, "arith.addf", one, power));
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static MlirValue convert(OnnxImport *c, const char *name, MlirValue value,
                         MlirType type) {
  return onnx_emit(c, name, type, &value, 1, NULL, 0);
}

static MlirValue cast_float(OnnxImport *c, MlirValue value, OnnxType from,
                            OnnxType to) {
  MlirType type = onnx_element_type(c, to);
  if (onnx_is_float(to))
    return convert(c,
                   onnx_type_bytes(to) > onnx_type_bytes(from) ? "arith.extf"
                                                               : "arith.truncf",
                   value, type);
  if (to == ONNX_BOOL)
    return onnx_compare(c, from, ONNX_NE, value, onnx_lit(c, from, 0.0));
  return convert(c, onnx_is_unsigned(to) ? "arith.fptoui" : "arith.fptosi",
                 value, type);
}

MlirValue onnx_cast(OnnxImport *c, MlirValue value, OnnxType from,
                    OnnxType to) {
  if (from == to)
    return value;
  if (onnx_is_float(from))
    return cast_float(c, value, from, to);
  MlirType type = onnx_element_type(c, to);
  if (onnx_is_float(to))
    return convert(c, onnx_is_unsigned(from) ? "arith.uitofp" : "arith.sitofp",
                   value, type);
  if (to == ONNX_BOOL)
    return onnx_compare(c, from, ONNX_NE, value, onnx_lit_int(c, from, 0));
  int from_bits = from == ONNX_BOOL ? 1 : 8 * onnx_type_bytes(from);
  int to_bits = 8 * onnx_type_bytes(to);
  if (from_bits == to_bits)
    return value;
  return convert(c,
                 to_bits < from_bits      ? "arith.trunci"
                 : onnx_is_unsigned(from) ? "arith.extui"
                                          : "arith.extsi",
                 value, type);
}

MlirValue onnx_cast_index(OnnxImport *c, MlirValue value, OnnxType from) {
  return convert(
      c, onnx_is_unsigned(from) ? "arith.index_castui" : "arith.index_cast",
      value, onnx_index_type(c));
}

MlirValue onnx_index_to(OnnxImport *c, MlirValue index, OnnxType to) {
  if (!onnx_is_float(to))
    return convert(c, "arith.index_cast", index, onnx_element_type(c, to));
  return onnx_cast(c, onnx_index_to(c, index, ONNX_I64), ONNX_I64, to);
}

MlirValue onnx_saturate(OnnxImport *c, MlirValue value, OnnxType to) {
  int64_t low, high;
  onnx_int_range(to, &low, &high);
  value =
      onnx_s2(c, "arith.maximumf", value, onnx_lit(c, ONNX_F32, (double)low));
  value =
      onnx_s2(c, "arith.minimumf", value, onnx_lit(c, ONNX_F32, (double)high));
  return onnx_cast(c, onnx_cast(c, value, ONNX_F32, ONNX_I32), ONNX_I32, to);
}
