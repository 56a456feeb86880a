#include "tflite_ops.h"

// ARG_MAX, ARG_MIN: where the largest or smallest element stands, the first of
// several. The smallest is the largest of what is turned around.

static MlirValue turn_around(LunaBuilder *b, MlirValue value) {
  if (!mlirTypeIsAF32(luna_element_of(value)))
    return luna_build_unary(b, "tosa.bitwise_not", value);
  return luna_build_binary(b, "tosa.sub",
                           luna_build_const_like(b, value, b->f32, 0), value);
}

bool luna_tflite_op_arg(LunaTfliteNode *node) {
  LunaBuilder *b = node->builder;
  const LunaTfliteTensor *output = luna_tflite_output(node, 0);
  MlirValue value;
  int64_t given = 0, count = 0, axis = 0;
  if (!luna_tflite_value(node, 0, &value) ||
      !luna_tflite_ints(node, 1, &given, 1, &count) ||
      !luna_tflite_axis(node, given, luna_rank_of(value), &axis))
    return false;
  if (output->type != LUNA_TFLITE_I32)
    return luna_tflite_fail(node, "output is %s, must be int32",
                            luna_tflite_type_name(output->type));
  if (node->op->code == LUNA_TFLITE_OP_ARG_MIN)
    value = turn_around(b, value);
  LunaShape shape = luna_shape_of(value);
  --shape.rank;
  for (int64_t d = axis; d < shape.rank; ++d)
    shape.dims[d] = shape.dims[d + 1];
  LunaAttr attribute = {"axis", luna_i32_attr(b->context, (int32_t)axis)};
  return luna_tflite_set(node, 0,
                         luna_build_op(b, "tosa.argmax",
                                       luna_tensor_type(b->i32, &shape), 1,
                                       &value, 1, &attribute));
}
