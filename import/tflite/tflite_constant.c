#include "tflite_ops.h"

// Operators whose results the shapes alone decide: SHAPE, ZEROS_LIKE, FILL,
// BROADCAST_ARGS.

static bool set_ints(LunaTfliteNode *node, const int64_t *values,
                     int64_t count) {
  const LunaTfliteTensor *output = luna_tflite_output(node, 0);
  int32_t narrow[LUNA_TFLITE_MAX_RANK];
  if (output->type != LUNA_TFLITE_I32)
    return luna_tflite_fail(node, "output is %s, must be int32",
                            luna_tflite_type_name(output->type));
  for (int64_t i = 0; i < count; ++i)
    narrow[i] = (int32_t)values[i];
  return luna_tflite_set(
      node, 0,
      luna_build_data(node->builder, luna_list_type(node->builder->i32, count),
                      narrow));
}

bool luna_tflite_op_shape(LunaTfliteNode *node) {
  const LunaTfliteTensor *tensor = luna_tflite_input(node, 0);
  if (tensor->rank == 0)
    return luna_tflite_fail(node, "a single number has no dimensions");
  return set_ints(node, tensor->shape, tensor->rank);
}

bool luna_tflite_op_broadcast_args(LunaTfliteNode *node) {
  int64_t lists[2][LUNA_TFLITE_MAX_RANK], counts[2];
  for (int i = 0; i < 2; ++i)
    if (!luna_tflite_ints(node, i, lists[i], LUNA_TFLITE_MAX_RANK, &counts[i]))
      return false;
  int longer = counts[1] > counts[0];
  int64_t shift = counts[longer] - counts[!longer];
  for (int64_t d = 0; d < counts[!longer]; ++d) {
    int64_t *a = &lists[longer][d + shift], b = lists[!longer][d];
    if (*a != b && *a != 1 && b != 1)
      return luna_tflite_fail(node,
                              "dimensions of %lld and %lld do not go "
                              "together",
                              (long long)*a, (long long)b);
    *a = *a == 1 ? b : *a;
  }
  return set_ints(node, lists[longer], counts[longer]);
}

// All bits are 0, also where that is not the zero point.
bool luna_tflite_op_zeros_like(LunaTfliteNode *node) {
  const LunaTfliteTensor *output = luna_tflite_output(node, 0);
  MlirType type = luna_tflite_tensor_type(node->builder, output);
  double zero = output->type == LUNA_TFLITE_U8 ? -128 : 0;
  return luna_tflite_set(node, 0, luna_build_splat(node->builder, type, zero));
}

// Input 0 is the output's shape, input 1 the value of every element.
bool luna_tflite_op_fill(LunaTfliteNode *node) {
  LunaBuilder *b = node->builder;
  const LunaTfliteTensor *output = luna_tflite_output(node, 0);
  const LunaTfliteTensor *given = luna_tflite_input(node, 1);
  MlirValue value;
  if (!luna_tflite_value(node, 1, &value))
    return false;
  if (given->element_count != 1 || given->type != output->type)
    return luna_tflite_fail(node,
                            "fills with '%s', which is not one element of "
                            "%s",
                            given->name, luna_tflite_type_name(output->type));
  value = luna_build_reshape(b, value, &(LunaShape){1, {1}});
  MlirValue operands[2] = {
      value, luna_build_const_shape(b, 1, &output->element_count)};
  value = luna_build_op(
      b, "tosa.tile",
      luna_list_type(luna_element_of(value), output->element_count), 2,
      operands, 0, NULL);
  return luna_tflite_set(node, 0, value);
}
