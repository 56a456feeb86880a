#ifndef LUNA_TFLITE_BUILD_H
#define LUNA_TFLITE_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/IR.h"
#include "tflite_quant.h"

// A builder of TOSA: ops are added at the end of one block, at one location.
// Shapes are the caller's business; the verifier of each op checks them.

typedef struct LunaTosaBuilder {
  MlirContext context;
  MlirBlock block;
  MlirLocation location;
  MlirType i1, i8, i16, i32, i48, f32, index;
} LunaTosaBuilder;

enum { LUNA_TOSA_MAX_RANK = 6 };

/// Makes a builder without block; the context has the dialects loaded.
LunaTosaBuilder luna_tosa_builder(MlirContext context);

//===----------------------------------------------------------------------===//
// Types and attributes
//===----------------------------------------------------------------------===//

/// Gives a tensor type.
MlirType luna_tosa_type(MlirType element, int64_t rank, const int64_t *shape);
/// Gives the type of `like` with another element type.
MlirType luna_tosa_with_element(MlirType like, MlirType element);
/// Gives the element type, rank and an extent of a tensor value.
MlirType luna_tosa_element(MlirValue value);
int64_t luna_tosa_rank_of(MlirValue value);
int64_t luna_tosa_extent(MlirValue value, int64_t dimension);
/// Copies the shape of a tensor value (at most LUNA_TOSA_MAX_RANK) and gives
/// its rank.
int64_t luna_tosa_shape_of(MlirValue value, int64_t *shape);

/// Names an attribute of the op being built.
MlirNamedAttribute luna_tosa_named(const LunaTosaBuilder *builder,
                                   const char *name, MlirAttribute value);
MlirAttribute luna_tosa_i64s(const LunaTosaBuilder *builder, intptr_t count,
                             const int64_t *values);
MlirAttribute luna_tosa_i32_attr(const LunaTosaBuilder *builder, int64_t value);
/// Parses an attribute of the importer's own making.
MlirAttribute luna_tosa_parse(const LunaTosaBuilder *builder, const char *text);

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Adds an op of one result.
MlirValue luna_tosa_op(LunaTosaBuilder *builder, const char *name,
                       MlirType result, intptr_t operand_count,
                       const MlirValue *operands, intptr_t attribute_count,
                       const MlirNamedAttribute *attributes);

/// Adds a constant of the given elements.
MlirValue luna_tosa_const(LunaTosaBuilder *builder, MlirAttribute elements);
/// Adds a one-element constant, shape [1], of an integer or float type.
MlirValue luna_tosa_const_int(LunaTosaBuilder *builder, MlirType element,
                              int64_t value);
/// Adds a one-element constant whose rank is that of `like`, for broadcasting.
MlirValue luna_tosa_scalar_like(LunaTosaBuilder *builder, MlirValue like,
                                MlirType element, double value);
/// Adds a tosa.const_shape.
MlirValue luna_tosa_const_shape(LunaTosaBuilder *builder, int64_t count,
                                const int64_t *values);

MlirValue luna_tosa_reshape(LunaTosaBuilder *builder, MlirValue value,
                            int64_t rank, const int64_t *shape);
/// Reshapes so that the value has `rank` dimensions, ones in front.
MlirValue luna_tosa_raise_rank(LunaTosaBuilder *builder, MlirValue value,
                               int64_t rank);
MlirValue luna_tosa_slice(LunaTosaBuilder *builder, MlirValue value,
                          const int64_t *start, const int64_t *size);
/// Pads with `pads` = before, after for every dimension.
MlirValue luna_tosa_pad(LunaTosaBuilder *builder, MlirValue value,
                        const int64_t *pads, MlirValue pad_value);
MlirValue luna_tosa_transpose(LunaTosaBuilder *builder, MlirValue value,
                              const int32_t *permutation);
MlirValue luna_tosa_reverse(LunaTosaBuilder *builder, MlirValue value,
                            int64_t axis);
MlirValue luna_tosa_concat(LunaTosaBuilder *builder, intptr_t count,
                           const MlirValue *values, int64_t axis);
MlirValue luna_tosa_cast(LunaTosaBuilder *builder, MlirValue value,
                         MlirType element);
MlirValue luna_tosa_reduce(LunaTosaBuilder *builder, const char *name,
                           MlirValue value, int64_t axis);
/// Clamps integers to [min, max]; nothing is added when that is every value.
MlirValue luna_tosa_clamp_int(LunaTosaBuilder *builder, MlirValue value,
                              int64_t min, int64_t max);
MlirValue luna_tosa_clamp_float(LunaTosaBuilder *builder, MlirValue value,
                                double min, double max);
/// Adds an op of one operand and the same type.
MlirValue luna_tosa_unary(LunaTosaBuilder *builder, const char *name,
                          MlirValue value);
/// Adds an elementwise op of two operands of one element type, broadcast as
/// TensorFlow does; `element` is that of the result. tosa.mul gets a shift.
MlirValue luna_tosa_binary(LunaTosaBuilder *builder, const char *name,
                           MlirValue lhs, MlirValue rhs, MlirType element);
/// Gives the shape of two tensors broadcast against each other, and its rank.
int64_t luna_tosa_broadcast_shape(MlirValue lhs, MlirValue rhs, int64_t *shape);
/// Adds lhs * rhs / 2^shift on 32-bit integers, rounded to nearest, ties up.
MlirValue luna_tosa_mul_shift(LunaTosaBuilder *builder, MlirValue lhs,
                              MlirValue rhs, int shift);

/// How a rescale computes: result = (value - input_zp) * multiplier +
/// output_zp, one multiplier or one per entry of the last dimension.
typedef struct LunaRescale {
  const LunaMultiplier *multipliers;
  int64_t count;
  int64_t input_zp, output_zp;
  MlirType element; ///< of the result
  bool input_unsigned, output_unsigned;
} LunaRescale;

/// Says whether tosa.rescale can express the multiplier.
bool luna_tosa_can_rescale(LunaMultiplier multiplier);
/// Adds a rescale with TensorFlow Lite's two roundings.
MlirValue luna_tosa_rescale_by(LunaTosaBuilder *builder, MlirValue value,
                               const LunaRescale *rescale);
/// Adds value - zero_point as 32 bits.
MlirValue luna_tosa_widen(LunaTosaBuilder *builder, MlirValue value,
                          int64_t zero_point);

#endif // LUNA_TFLITE_BUILD_H
