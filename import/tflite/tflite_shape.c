#include <string.h>

#include "tflite_ops.h"

// Operators that only move elements.

// RESHAPE, SQUEEZE, EXPAND_DIMS: the output's shape says it all.
bool luna_tflite_op_reshape(LunaTfliteNode *node) {
  MlirValue value;
  return luna_tflite_value(node, 0, &value) && luna_tflite_set(node, 0, value);
}

bool luna_tflite_op_transpose(LunaTfliteNode *node) {
  MlirValue value;
  int64_t order[LUNA_TFLITE_MAX_RANK], count = 0;
  int32_t permutation[LUNA_TFLITE_MAX_RANK];
  bool is_used[LUNA_TFLITE_MAX_RANK] = {false};
  if (!luna_tflite_value(node, 0, &value) ||
      !luna_tflite_ints(node, 1, order, LUNA_TFLITE_MAX_RANK, &count))
    return false;
  int64_t rank = luna_rank_of(value);
  if (count != rank)
    return luna_tflite_fail(node, "permutes %lld of %lld dimensions",
                            (long long)count, (long long)rank);
  for (int64_t d = 0; d < rank; ++d) {
    int64_t axis = 0;
    if (!luna_tflite_axis(node, order[d], rank, &axis))
      return false;
    if (is_used[axis])
      return luna_tflite_fail(node, "names dimension %lld twice",
                              (long long)axis);
    is_used[axis] = true;
    permutation[d] = (int32_t)axis;
  }
  return luna_tflite_set(
      node, 0, luna_build_transpose(node->builder, value, permutation));
}

// The value that PAD fills with: 0, which is the zero point, or input 2.
static bool pad_value(LunaTfliteNode *node, MlirValue input, MlirValue *value) {
  const LunaTfliteTensor *tensor = luna_tflite_input(node, 0);
  const LunaTfliteTensor *given = luna_tflite_input(node, 2);
  int64_t zero_point = 0;
  if (node->op->code == LUNA_TFLITE_OP_PADV2) {
    if (!luna_tflite_need_const(node, 2))
      return false;
    if (given->element_count != 1 || given->type != tensor->type)
      return luna_tflite_fail(node,
                              "pads with '%s', which is not one element of "
                              "%s",
                              given->name, luna_tflite_type_name(tensor->type));
    return luna_tflite_const(node, given, &(LunaShape){1, {1}}, value);
  }
  if (luna_tflite_is_quantized(tensor) &&
      !luna_tflite_zero_point(node, tensor, &zero_point))
    return false;
  *value =
      luna_build_const_one(node->builder, luna_element_of(input), zero_point);
  return true;
}

bool luna_tflite_op_pad(LunaTfliteNode *node) {
  MlirValue value, fill;
  int64_t pads[2 * LUNA_TFLITE_MAX_RANK], count = 0;
  if (!luna_tflite_value(node, 0, &value) ||
      !luna_tflite_ints(node, 1, pads, 2 * LUNA_TFLITE_MAX_RANK, &count))
    return false;
  int64_t rank = luna_rank_of(value);
  const LunaTfliteTensor *output = luna_tflite_output(node, 0);
  if (count != 2 * rank || output->rank != rank)
    return luna_tflite_fail(node, "has %lld paddings for %lld dimensions",
                            (long long)count, (long long)rank);
  for (int64_t d = 0; d < rank; ++d) {
    int64_t before = pads[2 * d], after = pads[2 * d + 1];
    int64_t extent = luna_extent(value, d);
    if (!luna_tflite_follow(node, d, extent + before + after))
      return false;
    if (before < 0 || after < 0 || before > INT32_MAX || after > INT32_MAX ||
        extent + before + after != output->shape[d])
      return luna_tflite_fail(node,
                              "pads %lld by %lld and %lld, the output has "
                              "%lld",
                              (long long)extent, (long long)before,
                              (long long)after, (long long)output->shape[d]);
  }
  return pad_value(node, value, &fill) &&
         luna_tflite_set(node, 0,
                         luna_build_pad(node->builder, value, pads, fill));
}

//===----------------------------------------------------------------------===//
// Joining and taking apart
//===----------------------------------------------------------------------===//

static bool check_joinable(LunaTfliteNode *node, const MlirValue *values,
                           int64_t count, int64_t axis) {
  int64_t rank = luna_rank_of(values[0]);
  for (int64_t i = 1; i < count; ++i) {
    bool is_alike =
        luna_rank_of(values[i]) == rank &&
        mlirTypeEqual(luna_element_of(values[i]), luna_element_of(values[0]));
    for (int64_t d = 0; is_alike && d < rank; ++d)
      is_alike =
          d == axis || luna_extent(values[i], d) == luna_extent(values[0], d);
    if (!is_alike)
      return luna_tflite_fail(node,
                              "input %lld has another shape or type than "
                              "input 0",
                              (long long)i);
  }
  return true;
}

// Reads all inputs; PACK inserts a dimension of 1 at the axis.
static bool join(LunaTfliteNode *node, int64_t given_axis, bool inserts,
                 MlirValue *joined) {
  int64_t count = node->op->input_count, axis = 0;
  MlirValue *values = LUNA_ARENA_ARRAY(node->arena, MlirValue, count);
  for (int64_t i = 0; i < count; ++i)
    if (!luna_tflite_value(node, i, &values[i]))
      return false;
  int64_t rank = luna_rank_of(values[0]) + (inserts ? 1 : 0);
  if (rank > LUNA_TFLITE_MAX_RANK)
    return luna_tflite_fail(node, "gives more than %d dimensions",
                            LUNA_TFLITE_MAX_RANK);
  if (!luna_tflite_axis(node, given_axis, rank, &axis))
    return false;
  if (!check_joinable(node, values, count, inserts ? -1 : axis))
    return false;
  for (int64_t i = 0; inserts && i < count; ++i) {
    LunaShape shape = luna_shape_of(values[i]);
    for (int64_t d = shape.rank++; d > axis; --d)
      shape.dims[d] = shape.dims[d - 1];
    shape.dims[axis] = 1;
    values[i] = luna_build_reshape(node->builder, values[i], &shape);
  }
  *joined = luna_build_concat(node->builder, (intptr_t)count, values, axis);
  return true;
}

bool luna_tflite_op_concatenation(LunaTfliteNode *node) {
  enum { AXIS = 0, ACTIVATION = 1 };
  MlirValue value;
  return join(node, luna_tflite_option_i32(node, AXIS, 0), false, &value) &&
         luna_tflite_activate(node, luna_tflite_output(node, 0),
                              luna_tflite_option_enum(node, ACTIVATION),
                              &value) &&
         luna_tflite_set(node, 0, value);
}

bool luna_tflite_op_pack(LunaTfliteNode *node) {
  enum { AXIS = 1 };
  MlirValue value;
  return join(node, luna_tflite_option_i32(node, AXIS, 0), true, &value) &&
         luna_tflite_set(node, 0, value);
}

// Cuts the value into one piece per output along an axis.
static bool cut(LunaTfliteNode *node, MlirValue value, int64_t axis,
                const int64_t *sizes) {
  int64_t start[LUNA_TFLITE_MAX_RANK] = {0};
  LunaShape size = luna_shape_of(value);
  int64_t extent = size.dims[axis];
  for (int64_t i = 0; i < node->op->output_count; ++i) {
    size.dims[axis] = sizes[i];
    if (sizes[i] < 1 || sizes[i] > extent - start[axis])
      return luna_tflite_fail(node,
                              "piece %lld of %lld does not lie in a "
                              "dimension of %lld",
                              (long long)i, (long long)sizes[i],
                              (long long)extent);
    if (!luna_tflite_set(
            node, i, luna_build_slice(node->builder, value, start, size.dims)))
      return false;
    start[axis] += sizes[i];
  }
  if (start[axis] == extent)
    return true;
  return luna_tflite_fail(node, "its pieces leave %lld of a dimension of %lld",
                          (long long)(extent - start[axis]), (long long)extent);
}

static bool cut_evenly(LunaTfliteNode *node, MlirValue value, int64_t axis) {
  int64_t count = node->op->output_count;
  int64_t extent = luna_extent(value, axis);
  int64_t *sizes = LUNA_ARENA_ARRAY(node->arena, int64_t, count);
  for (int64_t i = 0; i < count; ++i)
    sizes[i] = extent / count;
  return cut(node, value, axis, sizes);
}

// Reads an axis that is a constant input.
static bool axis_input(LunaTfliteNode *node, int64_t i, int64_t rank,
                       int64_t *axis) {
  int64_t given = 0, count = 0;
  if (!luna_tflite_ints(node, i, &given, 1, &count))
    return false;
  return luna_tflite_axis(node, given, rank, axis);
}

bool luna_tflite_op_split(LunaTfliteNode *node) {
  MlirValue value;
  int64_t axis = 0;
  return luna_tflite_value(node, 1, &value) &&
         axis_input(node, 0, luna_rank_of(value), &axis) &&
         cut_evenly(node, value, axis);
}

bool luna_tflite_op_split_v(LunaTfliteNode *node) {
  enum { MAX_PIECES = 256 };
  MlirValue value;
  int64_t axis = 0, sizes[MAX_PIECES], count = 0, rest = 0, unknown = -1;
  if (!luna_tflite_value(node, 0, &value) ||
      !luna_tflite_ints(node, 1, sizes, MAX_PIECES, &count) ||
      !axis_input(node, 2, luna_rank_of(value), &axis))
    return false;
  if (count != node->op->output_count)
    return luna_tflite_fail(node, "has %lld sizes for %lld outputs",
                            (long long)count,
                            (long long)node->op->output_count);
  // One size may be -1: what the others leave.
  rest = luna_extent(value, axis);
  for (int64_t i = 0; i < count; ++i) {
    if (sizes[i] == -1 && unknown < 0)
      unknown = i;
    else if (sizes[i] > 0 && sizes[i] <= rest)
      rest -= sizes[i];
  }
  if (unknown >= 0)
    sizes[unknown] = rest;
  return cut(node, value, axis, sizes);
}

bool luna_tflite_op_unpack(LunaTfliteNode *node) {
  enum { AXIS = 1 };
  MlirValue value;
  int64_t axis = 0;
  return luna_tflite_value(node, 0, &value) &&
         luna_tflite_axis(node, luna_tflite_option_i32(node, AXIS, 0),
                          luna_rank_of(value), &axis) &&
         cut_evenly(node, value, axis);
}
