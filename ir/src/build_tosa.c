#include "luna-c/build_tosa.h"

#include <stdio.h>
#include <string.h>

#include "luna/shape_graph.h"

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

MlirValue luna_build_const(const LunaBuilder *b, MlirAttribute elements) {
  return luna_build_op(b, "tosa.const", mlirAttributeGetType(elements), 0, NULL,
                       1, &(LunaAttr){"values", elements});
}

MlirValue luna_build_data(const LunaBuilder *b, MlirType type,
                          const void *data) {
  return luna_build_const(b, mlirDenseElementsAttrRawBufferGet(
                                 type, (size_t)luna_shaped_bytes(type), data));
}

MlirValue luna_build_splat(const LunaBuilder *b, MlirType type, double value) {
  MlirType element = mlirShapedTypeGetElementType(type);
  MlirAttribute one;
  if (mlirTypeIsAF32(element) || mlirTypeIsAF64(element))
    one = mlirFloatAttrDoubleGet(b->context, element, value);
  else
    one = mlirIntegerAttrGet(element,
                             value >= 0x1p63 ? INT64_MAX : (int64_t)value);
  return luna_build_const(b, mlirDenseElementsAttrSplatGet(type, one));
}

MlirValue luna_build_const_one(const LunaBuilder *b, MlirType element,
                               double value) {
  return luna_build_splat(b, luna_list_type(element, 1), value);
}

MlirValue luna_build_const_like(const LunaBuilder *b, MlirValue like,
                                MlirType element, double value) {
  LunaShape shape = {.rank = luna_rank_of(like)};
  for (int d = 0; d < shape.rank; ++d)
    shape.dims[d] = 1;
  return luna_build_splat(b, luna_tensor_type(element, &shape), value);
}

MlirValue luna_build_const_shape(const LunaBuilder *b, int64_t count,
                                 const int64_t *values) {
  MlirType list = luna_list_type(b->index, count);
  LunaAttr attribute = {
      "values", mlirDenseElementsAttrInt64Get(list, (intptr_t)count, values)};
  char text[40];
  snprintf(text, sizeof text, "!tosa.shape<%lld>", (long long)count);
  return luna_build_op(b, "tosa.const_shape",
                       mlirTypeParseGet(b->context, luna_str(text)), 0, NULL, 1,
                       &attribute);
}

MlirValue luna_build_empty(const LunaBuilder *b, MlirType type) {
  return luna_build_op(b, "tensor.empty", type, 0, NULL, 0, NULL);
}

MlirValue luna_build_from_scalar(const LunaBuilder *b, MlirValue scalar,
                                 const LunaShape *shape) {
  MlirType type = luna_tensor_type(mlirValueGetType(scalar), shape);
  return luna_build_op(b, "tensor.from_elements", type, 1, &scalar, 0, NULL);
}

//===----------------------------------------------------------------------===//
// Moving elements
//===----------------------------------------------------------------------===//

// The type of `value` with another shape.
static MlirType reshaped(MlirValue value, const LunaShape *shape) {
  return luna_tensor_type(luna_element_of(value), shape);
}

static bool is_of_type(MlirValue value, MlirType type) {
  return mlirTypeEqual(mlirValueGetType(value), type);
}

MlirValue luna_build_reshape(const LunaBuilder *b, MlirValue value,
                             const LunaShape *shape) {
  MlirType type = reshaped(value, shape);
  if (is_of_type(value, type))
    return value;
  MlirValue operands[2] = {value,
                           luna_build_const_shape(b, shape->rank, shape->dims)};
  return luna_build_op(b, "tosa.reshape", type, 2, operands, 0, NULL);
}

MlirValue luna_build_raise_rank(const LunaBuilder *b, MlirValue value,
                                int rank) {
  LunaShape old = luna_shape_of(value), raised = {.rank = rank};
  int added = rank - old.rank;
  if (added <= 0)
    return value;
  for (int d = 0; d < rank; ++d)
    raised.dims[d] = d < added ? 1 : old.dims[d - added];
  return luna_build_reshape(b, value, &raised);
}

MlirValue luna_build_transpose(const LunaBuilder *b, MlirValue value,
                               const int32_t *permutation) {
  LunaShape from = luna_shape_of(value), to = {.rank = from.rank};
  bool is_identity = true, is_in_order = true;
  int last = -1;
  for (int d = 0; d < from.rank; ++d) {
    to.dims[d] = from.dims[permutation[d]];
    is_identity = is_identity && permutation[d] == d;
    if (to.dims[d] == 1)
      continue;
    is_in_order = is_in_order && permutation[d] > last;
    last = permutation[d];
  }
  if (is_identity)
    return value;
  if (is_in_order)
    return luna_build_reshape(b, value, &to);
  LunaAttr attribute = {"perms",
                        luna_i32s_attr(b->context, from.rank, permutation)};
  return luna_build_op(b, "tosa.transpose", reshaped(value, &to), 1, &value, 1,
                       &attribute);
}

static LunaShape with_extents(MlirValue value, const int64_t *size) {
  LunaShape shape = luna_shape_of(value);
  memcpy(shape.dims, size, (size_t)shape.rank * sizeof *size);
  return shape;
}

MlirValue luna_build_slice(const LunaBuilder *b, MlirValue value,
                           const int64_t *start, const int64_t *size) {
  LunaShape shape = with_extents(value, size);
  MlirType type = reshaped(value, &shape);
  if (is_of_type(value, type))
    return value;
  MlirValue operands[3] = {value, luna_build_const_shape(b, shape.rank, start),
                           luna_build_const_shape(b, shape.rank, size)};
  return luna_build_op(b, "tosa.slice", type, 3, operands, 0, NULL);
}

// An extract_slice or insert_slice of `tensors` tensors; the other operands are
// offsets.
static MlirValue slice_op(const LunaBuilder *b, const char *name, MlirType type,
                          int tensors, int count, const MlirValue *operands,
                          const LunaShape *slice, const int64_t *offsets,
                          const int64_t *steps) {
  int32_t segments[5] = {1, 1};
  segments[tensors] = count - tensors;
  LunaAttr attributes[4] = {
      {"operandSegmentSizes",
       luna_i32s_attr(b->context, tensors + 3, segments)},
      {"static_offsets", luna_i64s_attr(b->context, slice->rank, offsets)},
      {"static_sizes", luna_i64s_attr(b->context, slice->rank, slice->dims)},
      {"static_strides", luna_i64s_attr(b->context, slice->rank, steps)},
  };
  return luna_build_op(b, name, type, count, operands, 4, attributes);
}

MlirValue luna_build_strided_slice(const LunaBuilder *b, MlirValue value,
                                   const int64_t *start, const int64_t *size,
                                   const int64_t *step) {
  LunaShape shape = with_extents(value, size);
  bool is_dense = true;
  for (int d = 0; d < shape.rank; ++d)
    is_dense = is_dense && (!step || step[d] == 1);
  if (is_dense)
    return luna_build_slice(b, value, start, size);
  return slice_op(b, "tensor.extract_slice", reshaped(value, &shape), 1, 1,
                  &value, &shape, start, step);
}

MlirValue luna_build_strided_insert(const LunaBuilder *b, MlirValue slice,
                                    MlirValue into, const int64_t *start,
                                    const int64_t *step) {
  LunaShape shape = luna_shape_of(slice);
  return slice_op(b, "tensor.insert_slice", mlirValueGetType(into), 2, 2,
                  (MlirValue[]){slice, into}, &shape, start, step);
}

// Offsets of 0, but for the operand in `axis`.
static void offsets_along(int axis, int64_t *offsets) {
  memset(offsets, 0, LUNA_RANK_MAX * sizeof *offsets);
  offsets[axis] = mlirShapedTypeGetDynamicStrideOrOffset();
}

static const int64_t ones[LUNA_RANK_MAX] = {1, 1, 1, 1, 1, 1, 1, 1,
                                            1, 1, 1, 1, 1, 1, 1, 1};

MlirValue luna_build_slice_at(const LunaBuilder *b, MlirValue value, int axis,
                              MlirValue at, int64_t extent) {
  LunaShape shape = luna_shape_of(value);
  int64_t offsets[LUNA_RANK_MAX];
  shape.dims[axis] = extent;
  offsets_along(axis, offsets);
  return slice_op(b, "tensor.extract_slice", reshaped(value, &shape), 1, 2,
                  (MlirValue[]){value, at}, &shape, offsets, ones);
}

MlirValue luna_build_slice_from(const LunaBuilder *b, MlirValue value,
                                const MlirValue *start, const int64_t *size,
                                const int64_t *step) {
  LunaShape shape = with_extents(value, size);
  int64_t offsets[LUNA_RANK_MAX];
  MlirValue operands[1 + LUNA_RANK_MAX] = {value};
  for (int d = 0; d < shape.rank; ++d) {
    offsets[d] = mlirShapedTypeGetDynamicStrideOrOffset();
    operands[1 + d] = start[d];
  }
  return slice_op(b, "tensor.extract_slice", reshaped(value, &shape), 1,
                  1 + shape.rank, operands, &shape, offsets,
                  step ? step : ones);
}

MlirValue luna_build_insert_at(const LunaBuilder *b, MlirValue slice,
                               MlirValue into, int axis, MlirValue at) {
  LunaShape shape = luna_shape_of(slice);
  int64_t offsets[LUNA_RANK_MAX];
  offsets_along(axis, offsets);
  return slice_op(b, "tensor.insert_slice", mlirValueGetType(into), 2, 3,
                  (MlirValue[]){slice, into, at}, &shape, offsets, ones);
}

MlirValue luna_build_pad(const LunaBuilder *b, MlirValue value,
                         const int64_t *pads, MlirValue fill) {
  LunaShape shape = luna_shape_of(value);
  for (int d = 0; d < shape.rank; ++d)
    shape.dims[d] += pads[2 * d] + pads[2 * d + 1];
  MlirType type = reshaped(value, &shape);
  if (is_of_type(value, type))
    return value;
  MlirValue operands[3] = {
      value, luna_build_const_shape(b, 2 * shape.rank, pads), fill};
  return luna_build_op(b, "tosa.pad", type, 3, operands, 0, NULL);
}

// Creates an op with an axis.
static MlirValue along(const LunaBuilder *b, const char *name, MlirType type,
                       intptr_t count, const MlirValue *values, int64_t axis) {
  LunaAttr attribute = {"axis", luna_i32_attr(b->context, (int32_t)axis)};
  return luna_build_op(b, name, type, count, values, 1, &attribute);
}

MlirValue luna_build_reverse(const LunaBuilder *b, MlirValue value,
                             int64_t axis) {
  return along(b, "tosa.reverse", mlirValueGetType(value), 1, &value, axis);
}

MlirValue luna_build_tile(const LunaBuilder *b, MlirValue value,
                          const int64_t *times) {
  LunaShape shape = luna_shape_of(value);
  for (int d = 0; d < shape.rank; ++d)
    shape.dims[d] *= times[d];
  MlirType type = reshaped(value, &shape);
  if (is_of_type(value, type))
    return value;
  MlirValue operands[2] = {value, luna_build_const_shape(b, shape.rank, times)};
  return luna_build_op(b, "tosa.tile", type, 2, operands, 0, NULL);
}

MlirValue luna_build_concat(const LunaBuilder *b, intptr_t count,
                            const MlirValue *values, int64_t axis) {
  if (count == 1)
    return values[0];
  LunaShape shape = luna_shape_of(values[0]);
  for (intptr_t i = 1; i < count; ++i)
    shape.dims[axis] += luna_extent(values[i], axis);
  return along(b, "tosa.concat", reshaped(values[0], &shape), count, values,
               axis);
}

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

MlirValue luna_build_unary(const LunaBuilder *b, const char *name,
                           MlirValue value) {
  return luna_build_op(b, name, mlirValueGetType(value), 1, &value, 0, NULL);
}

static MlirValue binary(const LunaBuilder *b, const char *name, MlirValue lhs,
                        MlirValue rhs, MlirType element, int shift) {
  LunaShape left = luna_shape_of(lhs), right = luna_shape_of(rhs);
  LunaShape shape = left;
  luna_broadcast(&left, &right, &shape);
  MlirValue operands[3] = {luna_build_raise_rank(b, lhs, right.rank),
                           luna_build_raise_rank(b, rhs, left.rank)};
  bool is_mul = strcmp(name, "tosa.mul") == 0;
  if (is_mul)
    operands[2] = luna_build_const_one(b, b->i8, shift);
  return luna_build_op(b, name, luna_tensor_type(element, &shape),
                       is_mul ? 3 : 2, operands, 0, NULL);
}

MlirValue luna_build_binary(const LunaBuilder *b, const char *name,
                            MlirValue lhs, MlirValue rhs) {
  return binary(b, name, lhs, rhs, luna_element_of(lhs), 0);
}

MlirValue luna_build_compare(const LunaBuilder *b, const char *name,
                             MlirValue lhs, MlirValue rhs) {
  return binary(b, name, lhs, rhs, b->i1, 0);
}

MlirValue luna_build_select(const LunaBuilder *b, MlirValue condition,
                            MlirValue x, MlirValue y) {
  MlirValue operands[3] = {condition, x, y};
  LunaShape shape = {.rank = 0};
  for (int i = 0; i < 3; ++i) {
    LunaShape own = luna_shape_of(operands[i]);
    luna_broadcast(&own, &shape, &shape);
  }
  for (int i = 0; i < 3; ++i)
    operands[i] = luna_build_raise_rank(b, operands[i], shape.rank);
  return luna_build_op(b, "tosa.select", reshaped(x, &shape), 3, operands, 0,
                       NULL);
}

MlirValue luna_build_mul_shift(const LunaBuilder *b, MlirValue lhs,
                               MlirValue rhs, int shift) {
  return binary(b, "tosa.mul", lhs, rhs, b->i32, shift);
}

MlirValue luna_build_cast(const LunaBuilder *b, MlirValue value,
                          MlirType element) {
  MlirType type = luna_with_element(mlirValueGetType(value), element);
  if (is_of_type(value, type))
    return value;
  return luna_build_op(b, "tosa.cast", type, 1, &value, 0, NULL);
}

MlirValue luna_build_reduce(const LunaBuilder *b, const char *name,
                            MlirValue value, int64_t axis) {
  LunaShape shape = luna_shape_of(value);
  shape.dims[axis] = 1;
  return along(b, name, reshaped(value, &shape), 1, &value, axis);
}

static MlirValue zero_point_of(const LunaBuilder *b, MlirValue like,
                               int64_t value) {
  return luna_build_const_one(b, luna_element_of(like), (double)value);
}

MlirValue luna_build_matmul(const LunaBuilder *b, const MlirValue operands[2],
                            const int64_t zero_points[2], MlirType sum) {
  LunaShape shape = luna_shape_of(operands[0]);
  shape.dims[2] = luna_extent(operands[1], 2);
  MlirValue all[4] = {operands[0], operands[1]};
  for (int i = 0; i < 2; ++i)
    all[2 + i] = zero_point_of(b, operands[i], zero_points[i]);
  return luna_build_op(b, "tosa.matmul", luna_tensor_type(sum, &shape), 4, all,
                       0, NULL);
}

// What the operator's rule makes of input, weight, padding and strides.
static LunaShape conv_shape(const char *name, const LunaConvSpec *conv) {
  LunaShape input = luna_shape_of(conv->input);
  LunaShape weight = luna_shape_of(conv->weight), out = input;
  uint32_t rank = (uint32_t)input.rank, space = rank - 2;
  LunaShapeDecl operands[2] = {{.rank = rank, .dims = input.dims},
                               {.rank = rank, .dims = weight.dims}};
  LunaShapeOp op = {.rule = luna_shape_rule(name, strlen(name)),
                    .operand_count = 2,
                    .ints = {{conv->pad, 2 * space},
                             {conv->stride, space},
                             {conv->dilation, space}}};
  luna_shape_infer(&op, operands, rank, out.dims);
  return out;
}

MlirValue luna_build_conv(const LunaBuilder *b, const char *name,
                          const LunaConvSpec *conv) {
  MlirType sum = luna_element_of(conv->bias);
  LunaShape out = conv_shape(name, conv);
  int space = out.rank - 2;
  bool is_transposed = strcmp(name, "tosa.transpose_conv2d") == 0;
  MlirValue input_zp = zero_point_of(b, conv->input, conv->input_zp);
  MlirValue operands[5] = {conv->input, conv->weight, conv->bias, input_zp,
                           zero_point_of(b, conv->weight, conv->weight_zp)};
  LunaAttr attributes[4] = {
      {is_transposed ? "out_pad" : "pad",
       luna_i64s_attr(b->context, 2 * space, conv->pad)},
      {"stride", luna_i64s_attr(b->context, space, conv->stride)},
      {"acc_type", mlirTypeAttrGet(sum)},
      {"dilation", luna_i64s_attr(b->context, space, conv->dilation)},
  };
  return luna_build_op(b, name, luna_tensor_type(sum, &out), 5, operands,
                       is_transposed ? 3 : 4, attributes);
}

MlirValue luna_build_cut(const LunaBuilder *b, MlirValue value,
                         const LunaWindow *window, int64_t *pad) {
  int64_t start[LUNA_RANK_MAX] = {0};
  LunaShape size = luna_shape_of(value);
  for (int i = 0; i < window->rank; ++i) {
    int64_t behind = luna_window_behind(window, i);
    pad[2 * i] = window->low[i];
    pad[2 * i + 1] = behind < 0 ? 0 : behind;
    size.dims[i + 1] += behind < 0 ? behind : 0;
  }
  return luna_build_slice(b, value, start, size.dims);
}

MlirValue luna_build_pool(const LunaBuilder *b, const char *name,
                          MlirValue value, const LunaWindow *window,
                          const int64_t *pad, int64_t zero_point) {
  bool is_average = strcmp(name, "tosa.avg_pool2d") == 0;
  MlirType element = luna_element_of(value);
  LunaShape out = luna_shape_of(value);
  for (int i = 0; i < 2; ++i)
    out.dims[i + 1] = window->out[i];
  LunaAttr attributes[4] = {
      {"kernel", luna_i64s_attr(b->context, 2, window->kernel)},
      {"stride", luna_i64s_attr(b->context, 2, window->stride)},
      {"pad", luna_i64s_attr(b->context, 4, pad)},
      {"acc_type", mlirTypeAttrGet(mlirTypeIsAF32(element) ? element : b->i32)},
  };
  MlirValue operands[3] = {value};
  if (is_average)
    operands[1] = operands[2] = zero_point_of(b, value, zero_point);
  return luna_build_op(b, name, reshaped(value, &out), is_average ? 3 : 1,
                       operands, is_average ? 4 : 3, attributes);
}

static MlirValue clamp(const LunaBuilder *b, MlirValue value, MlirAttribute min,
                       MlirAttribute max) {
  LunaAttr attributes[2] = {{"min_val", min}, {"max_val", max}};
  return luna_build_op(b, "tosa.clamp", mlirValueGetType(value), 1, &value, 2,
                       attributes);
}

MlirValue luna_build_clamp_int(const LunaBuilder *b, MlirValue value,
                               int64_t min, int64_t max) {
  MlirType element = luna_element_of(value);
  int64_t limit = INT64_C(1) << (mlirIntegerTypeGetWidth(element) - 1);
  if (min <= -limit && max >= limit - 1)
    return value;
  return clamp(b, value, mlirIntegerAttrGet(element, min),
               mlirIntegerAttrGet(element, max));
}

MlirValue luna_build_clamp_float(const LunaBuilder *b, MlirValue value,
                                 double min, double max) {
  MlirType element = luna_element_of(value);
  return clamp(b, value, mlirFloatAttrDoubleGet(b->context, element, min),
               mlirFloatAttrDoubleGet(b->context, element, max));
}
