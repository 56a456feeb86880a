#include "luna-c/build_scalar.h"
#include "tflite_import.h"
#include "tflite_ops.h"
#include "tflite_valid.h"

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

// A shape of which one entry is a valid length.
static bool set_valid(LunaTfliteNode *node, const LunaValidLength *valid,
                      const LunaTfliteTensor *tensor) {
  LunaBuilder *b = node->builder;
  MlirValue sizes[LUNA_TFLITE_MAX_RANK];
  MlirType type =
      luna_tflite_output(node, 0)->type == LUNA_TFLITE_I64 ? b->i64 : b->i32;
  for (int64_t d = 0; d < tensor->rank; ++d)
    sizes[d] = d == valid->axis
                   ? luna_scalar_to(b, "arith.index_cast", valid->count, type)
                   : luna_scalar_int(b, type, tensor->shape[d]);
  return luna_tflite_set(node, 0,
                         luna_build_op(b, "tensor.from_elements",
                                       luna_list_type(type, tensor->rank),
                                       (intptr_t)tensor->rank, sizes, 0, NULL));
}

bool luna_tflite_op_shape(LunaTfliteNode *node) {
  const LunaTfliteTensor *tensor = luna_tflite_input(node, 0);
  if (tensor->rank == 0)
    return luna_tflite_fail(node, "a single number has no dimensions");
  MlirValue value = node->frame->values[node->op->inputs[0]];
  const LunaValidLength *valid = luna_tflite_valid(node, value);
  return valid ? set_valid(node, valid, tensor)
               : set_ints(node, tensor->shape, tensor->rank);
}

bool luna_tflite_op_broadcast_args(LunaTfliteNode *node) {
  LunaShape shapes[2] = {{0}};
  for (int i = 0; i < 2; ++i) {
    int64_t count;
    if (!luna_tflite_ints(node, i, shapes[i].dims, LUNA_TFLITE_MAX_RANK,
                          &count))
      return false;
    shapes[i].rank = (int)count;
  }
  return luna_tflite_broadcast(node, shapes[0], &shapes[1]) &&
         set_ints(node, shapes[1].dims, shapes[1].rank);
}

// All bits are 0, also where that is not the zero point.
bool luna_tflite_op_zeros_like(LunaTfliteNode *node) {
  const LunaTfliteTensor *output = luna_tflite_output(node, 0);
  const LunaTfliteTensor *input = luna_tflite_input(node, 0);
  for (int64_t d = 0; d < input->rank; ++d)
    if (!luna_tflite_follow(node, d, input->shape[d]))
      return false;
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
  if (!luna_tflite_value(node, 1, &value) || !luna_tflite_follow_ints(node, 0))
    return false;
  if (given->element_count != 1 || given->type != output->type)
    return luna_tflite_fail(node,
                            "fills with '%s', which is not one element of "
                            "%s",
                            given->name, luna_tflite_type_name(output->type));
  value = luna_build_reshape(b, value, &(LunaShape){1, {1}});
  return luna_tflite_set(node, 0,
                         luna_build_tile(b, value, &output->element_count));
}
