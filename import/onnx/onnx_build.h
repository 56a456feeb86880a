#ifndef LUNA_ONNX_BUILD_H
#define LUNA_ONNX_BUILD_H

// Making IR.

#include "mlir-c/AffineMap.h"
#include "onnx_import.h"

//===----------------------------------------------------------------------===//
// onnx_build.c: ops
//===----------------------------------------------------------------------===//

typedef struct OnnxAttr {
  const char *name;
  MlirAttribute value;
} OnnxAttr;

/// Appends an op with one result of `type`; gives the result.
MlirValue onnx_emit(OnnxImport *c, const char *name, MlirType type,
                    const MlirValue *operands, int operand_count,
                    const OnnxAttr *attrs, int attr_count);
/// Appends an op with any number of results and regions.
MlirOperation onnx_emit_op(OnnxImport *c, const char *name,
                           const MlirType *types, int type_count,
                           const MlirValue *operands, int operand_count,
                           const OnnxAttr *attrs, int attr_count,
                           MlirRegion *regions, int region_count);
MlirAttribute onnx_i64_attr(OnnxImport *c, int64_t value);
MlirAttribute onnx_i32_attr(OnnxImport *c, int64_t value);
MlirAttribute onnx_i64s_attr(OnnxImport *c, const int64_t *values, int count);
MlirAttribute onnx_parse_attr(OnnxImport *c, const char *text);
MlirType onnx_index_type(OnnxImport *c);

/// A constant tensor, all elements or one for all.
MlirValue onnx_const(OnnxImport *c, OnnxType type, const OnnxShape *shape,
                     const void *data);
MlirValue onnx_splat(OnnxImport *c, OnnxType type, const OnnxShape *shape,
                     double value);
MlirValue onnx_empty(OnnxImport *c, OnnxType type, const OnnxShape *shape);
MlirValue onnx_const_shape(OnnxImport *c, const int64_t *values, int count);
MlirValue onnx_reshape(OnnxImport *c, MlirValue value, OnnxType type,
                       const OnnxShape *shape);
MlirValue onnx_transpose(OnnxImport *c, MlirValue value, OnnxType type,
                         const OnnxShape *from, const int *perm, OnnxShape *to);
/// A slice with positive steps.
MlirValue onnx_slice(OnnxImport *c, MlirValue value, OnnxType type,
                     const OnnxShape *sizes, const int64_t *starts,
                     const int64_t *steps);
MlirValue onnx_concat(OnnxImport *c, const MlirValue *values, int count,
                      OnnxType type, const OnnxShape *shape, int axis);
/// Pads with a constant, low and high per dimension.
MlirValue onnx_pad(OnnxImport *c, MlirValue value, OnnxType type,
                   const OnnxShape *shape, const int64_t *low,
                   const int64_t *high, double fill);
/// The one element of a tensor, as a scalar.
MlirValue onnx_extract(OnnxImport *c, MlirValue tensor, int rank);
/// A scalar as a tensor of one element.
MlirValue onnx_from_scalar(OnnxImport *c, MlirValue scalar,
                           const OnnxShape *shape, OnnxType type);

/// A linalg.generic in the making. The loops are those of `loops`, which
/// reduce where `reduces` says so. Operands that are inputs read through
/// `maps`; the result starts as `init`.
typedef struct OnnxLoop {
  int loop_count;
  bool reduces[2 * ONNX_MAX_RANK];
  int input_count;
  MlirValue inputs[6];
  MlirAffineMap maps[6];
  int result_count;
  MlirValue inits[2];
  MlirAffineMap init_maps[2];
  /// Filled by onnx_loop_begin.
  MlirBlock body, outer;
  MlirValue args[8];
} OnnxLoop;

/// Opens the body: what is emitted until onnx_loop_end goes there. args holds
/// the elements of the inputs, then those of the results.
void onnx_loop_begin(OnnxImport *c, OnnxLoop *loop);
/// Closes it with the values yielded; gives the op.
MlirOperation onnx_loop_end(OnnxImport *c, OnnxLoop *loop,
                            const MlirValue *yields);
MlirAffineMap onnx_identity_map(OnnxImport *c, int rank);
/// The map of an operand of shape `from` that broadcasts to `to`.
MlirAffineMap onnx_broadcast_map(OnnxImport *c, const OnnxShape *from,
                                 const OnnxShape *to);
/// The map (d0, …) -> (d[list[0]], …).
MlirAffineMap onnx_select_map(OnnxImport *c, int loop_count, const int *list,
                              int count);

/// Makes a tensor element by element: `element` gets the indices (of type
/// index, in the result's order) and gives the element.
typedef MlirValue (*OnnxElement)(OnnxImport *c, const MlirValue *index,
                                 void *data);
MlirValue onnx_generate(OnnxImport *c, OnnxType type, const OnnxShape *shape,
                        OnnxElement element, void *data);

//===----------------------------------------------------------------------===//
// onnx_scalar.c: scalar ops in bodies
//===----------------------------------------------------------------------===//

MlirValue onnx_s1(OnnxImport *c, const char *name, MlirValue a);
MlirValue onnx_s2(OnnxImport *c, const char *name, MlirValue a, MlirValue b);
MlirValue onnx_lit(OnnxImport *c, OnnxType type, double value);
MlirValue onnx_lit_int(OnnxImport *c, OnnxType type, int64_t value);
MlirValue onnx_lit_index(OnnxImport *c, int64_t value);
MlirValue onnx_select(OnnxImport *c, MlirValue condition, MlirValue a,
                      MlirValue b);
typedef enum OnnxCompare {
  ONNX_EQ,
  ONNX_NE,
  ONNX_LT,
  ONNX_LE,
  ONNX_GT,
  ONNX_GE,
} OnnxCompare;
MlirValue onnx_compare(OnnxImport *c, OnnxType type, OnnxCompare predicate,
                       MlirValue a, MlirValue b);
/// The same for values of type index (signed).
MlirValue onnx_compare_index(OnnxImport *c, OnnxCompare predicate, MlirValue a,
                             MlirValue b);
/// Arithmetic that takes the type into account.
MlirValue onnx_add(OnnxImport *c, OnnxType type, MlirValue a, MlirValue b);
MlirValue onnx_sub(OnnxImport *c, OnnxType type, MlirValue a, MlirValue b);
MlirValue onnx_mul(OnnxImport *c, OnnxType type, MlirValue a, MlirValue b);
MlirValue onnx_div(OnnxImport *c, OnnxType type, MlirValue a, MlirValue b);
MlirValue onnx_min(OnnxImport *c, OnnxType type, MlirValue a, MlirValue b);
MlirValue onnx_max(OnnxImport *c, OnnxType type, MlirValue a, MlirValue b);
MlirValue onnx_sigmoid(OnnxImport *c, OnnxType type, MlirValue x);
MlirValue onnx_cast(OnnxImport *c, MlirValue value, OnnxType from, OnnxType to);
MlirValue onnx_cast_index(OnnxImport *c, MlirValue value, OnnxType from);
MlirValue onnx_index_to(OnnxImport *c, MlirValue index, OnnxType to);
MlirValue onnx_tensor_extract(OnnxImport *c, MlirValue tensor,
                              const MlirValue *index, int rank,
                              MlirType element);
/// Clamps a float to the range of integer type `to` and converts it.
MlirValue onnx_saturate(OnnxImport *c, MlirValue value, OnnxType to);
/// Lowest and highest value of an integer type of at most 32 bits.
void onnx_int_range(OnnxType type, int64_t *low, int64_t *high);

#endif // LUNA_ONNX_BUILD_H
