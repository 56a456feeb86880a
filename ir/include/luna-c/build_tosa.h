#ifndef LUNA_C_BUILD_TOSA_H
#define LUNA_C_BUILD_TOSA_H

//===-- luna-c/build_tosa.h - ops on whole tensors ------------------------===//
//
// Result types follow from the operands where they can. Ops that would change
// nothing are not added: their operand is returned.
//
//===----------------------------------------------------------------------===//

#include "luna-c/builder.h"
#include "luna/shape_window.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Adds a tosa.const of these elements.
MlirValue luna_build_const(const LunaBuilder *b, MlirAttribute elements);
/// Adds a tosa.const of a tensor type from its elements in memory, of whole
/// bytes each.
MlirValue luna_build_data(const LunaBuilder *b, MlirType type,
                          const void *data);
/// Adds a tosa.const of a tensor type whose elements are all `value`; integers
/// beyond the range of int64 saturate.
MlirValue luna_build_splat(const LunaBuilder *b, MlirType type, double value);
/// Adds a one-element constant: of shape [1], or of the rank of `like`, so
/// that it broadcasts.
MlirValue luna_build_const_one(const LunaBuilder *b, MlirType element,
                               double value);
MlirValue luna_build_const_like(const LunaBuilder *b, MlirValue like,
                                MlirType element, double value);
/// Adds a tosa.const_shape.
MlirValue luna_build_const_shape(const LunaBuilder *b, int64_t count,
                                 const int64_t *values);
/// Adds a tensor.empty.
MlirValue luna_build_empty(const LunaBuilder *b, MlirType type);
/// Adds a tensor of shape `shape` whose one element is a number.
MlirValue luna_build_from_scalar(const LunaBuilder *b, MlirValue scalar,
                                 const LunaShape *shape);

//===----------------------------------------------------------------------===//
// Moving elements
//===----------------------------------------------------------------------===//

MlirValue luna_build_reshape(const LunaBuilder *b, MlirValue value,
                             const LunaShape *shape);
/// Reshapes to at least `rank` dimensions, with ones in front.
MlirValue luna_build_raise_rank(const LunaBuilder *b, MlirValue value,
                                int rank);
/// Moves dimension permutation[i] to i. A move of extents of 1 alone is a
/// reshape.
MlirValue luna_build_transpose(const LunaBuilder *b, MlirValue value,
                               const int32_t *permutation);
MlirValue luna_build_slice(const LunaBuilder *b, MlirValue value,
                           const int64_t *start, const int64_t *size);
/// Adds a slice of every step-th element, all steps being 1 where `step` is
/// NULL: a tensor.extract_slice where one is not 1.
MlirValue luna_build_strided_slice(const LunaBuilder *b, MlirValue value,
                                   const int64_t *start, const int64_t *size,
                                   const int64_t *step);
/// Adds the insertion of `slice` into `into`, every step-th element from
/// `start` on.
MlirValue luna_build_strided_insert(const LunaBuilder *b, MlirValue slice,
                                    MlirValue into, const int64_t *start,
                                    const int64_t *step);
/// Adds the slice that starts at these indices, one per dimension, which lie
/// where all of it is in the tensor; steps of 1 where `step` is NULL.
MlirValue luna_build_slice_from(const LunaBuilder *b, MlirValue value,
                                const MlirValue *start, const int64_t *size,
                                const int64_t *step);
/// Adds the slice of `extent` indices of dimension `axis` from `at`, an index,
/// on; and the insertion of such a slice in its place.
MlirValue luna_build_slice_at(const LunaBuilder *b, MlirValue value, int axis,
                              MlirValue at, int64_t extent);
MlirValue luna_build_insert_at(const LunaBuilder *b, MlirValue slice,
                               MlirValue into, int axis, MlirValue at);
/// Pads with `fill`, of one element; `pads` holds before and after of every
/// dimension.
MlirValue luna_build_pad(const LunaBuilder *b, MlirValue value,
                         const int64_t *pads, MlirValue fill);
MlirValue luna_build_reverse(const LunaBuilder *b, MlirValue value,
                             int64_t axis);
/// Repeats the value times[d] times along dimension d.
MlirValue luna_build_tile(const LunaBuilder *b, MlirValue value,
                          const int64_t *times);
MlirValue luna_build_concat(const LunaBuilder *b, intptr_t count,
                            const MlirValue *values, int64_t axis);

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

/// Adds an op of one operand and its type.
MlirValue luna_build_unary(const LunaBuilder *b, const char *name,
                           MlirValue value);
/// Adds an element-wise op of two operands of one element type, which
/// broadcast. The result has that element type, or i1. tosa.mul shifts by 0.
MlirValue luna_build_binary(const LunaBuilder *b, const char *name,
                            MlirValue lhs, MlirValue rhs);
MlirValue luna_build_compare(const LunaBuilder *b, const char *name,
                             MlirValue lhs, MlirValue rhs);
/// Adds a choice of `x` where `condition` holds and of `y` elsewhere; the three
/// broadcast.
MlirValue luna_build_select(const LunaBuilder *b, MlirValue condition,
                            MlirValue x, MlirValue y);
/// Adds lhs * rhs / 2^shift on 32-bit integers, rounded to nearest, ties up.
MlirValue luna_build_mul_shift(const LunaBuilder *b, MlirValue lhs,
                               MlirValue rhs, int shift);
/// Adds a tosa.cast.
MlirValue luna_build_cast(const LunaBuilder *b, MlirValue value,
                          MlirType element);
/// Adds a reduction along `axis`, whose extent becomes 1.
MlirValue luna_build_reduce(const LunaBuilder *b, const char *name,
                            MlirValue value, int64_t axis);
/// Adds the products of matrices, one per index of dimension 0, of operands
/// with these zero points, as sums of type `sum`.
MlirValue luna_build_matmul(const LunaBuilder *b, const MlirValue operands[2],
                            const int64_t zero_points[2], MlirType sum);
/// The operands and attributes of a convolution. Sums are of the bias's type.
/// `pad` has before and after of each dimension of space, for a transposed
/// convolution what is added to the result.
typedef struct LunaConvSpec {
  MlirValue input, weight, bias;
  int64_t input_zp, weight_zp;
  int64_t pad[6], stride[3], dilation[3];
} LunaConvSpec;
/// Adds tosa.conv2d, conv3d, depthwise_conv2d or transpose_conv2d.
MlirValue luna_build_conv(const LunaBuilder *b, const char *name,
                          const LunaConvSpec *conv);
/// Slices off what no window reaches of a channels-last value, and writes the
/// padding that is left, before and after of each dimension of space.
MlirValue luna_build_cut(const LunaBuilder *b, MlirValue value,
                         const LunaWindow *window, int64_t *pad);
/// Adds tosa.avg_pool2d, of elements with this zero point, or max_pool2d.
MlirValue luna_build_pool(const LunaBuilder *b, const char *name,
                          MlirValue value, const LunaWindow *window,
                          const int64_t *pad, int64_t zero_point);
/// Adds a clamp to [min, max].
MlirValue luna_build_clamp_int(const LunaBuilder *b, MlirValue value,
                               int64_t min, int64_t max);
MlirValue luna_build_clamp_float(const LunaBuilder *b, MlirValue value,
                                 double min, double max);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_BUILD_TOSA_H
