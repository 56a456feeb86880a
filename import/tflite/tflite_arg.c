#include "tflite_ops.h"

// ARG_MAX, ARG_MIN: where the largest or smallest element stands, the first of
// several. The smallest is the largest of what is turned around.

enum { CODE_ARG_MIN = 79 };

static MlirValue turn_around(LunaTosaBuilder *builder, MlirValue value) {
  if (!mlirTypeIsAF32(luna_tosa_element(value)))
    return luna_tosa_unary(builder, "tosa.bitwise_not", value);
  return luna_tosa_binary(
      builder, "tosa.sub",
      luna_tosa_scalar_like(builder, value, builder->f32, 0), value,
      builder->f32);
}

bool luna_tfl_arg(LunaTfliteNode *node) {
  LunaTosaBuilder *builder = node->builder;
  const LunaTfliteTensor *output = luna_node_output(node, 0);
  MlirValue value;
  int64_t given = 0, count = 0, axis = 0, shape[LUNA_TOSA_MAX_RANK];
  if (!luna_node_value(node, 0, &value) ||
      !luna_node_ints(node, 1, &given, 1, &count) ||
      !luna_node_axis(node, given, luna_tosa_rank_of(value), &axis))
    return false;
  if (output->type != LUNA_TFLITE_I32)
    return luna_node_fail(node, "output is %s, must be int32",
                          luna_tflite_type_name(output->type));
  if (node->op->code == CODE_ARG_MIN)
    value = turn_around(builder, value);
  int64_t rank = luna_tosa_shape_of(value, shape);
  for (int64_t d = axis; d + 1 < rank; ++d)
    shape[d] = shape[d + 1];
  MlirNamedAttribute attribute =
      luna_tosa_named(builder, "axis", luna_tosa_i32_attr(builder, axis));
  return luna_node_set(
      node, 0,
      luna_tosa_op(builder, "tosa.argmax",
                   luna_tosa_type(builder->i32, rank - 1, shape), 1, &value, 1,
                   &attribute));
}
