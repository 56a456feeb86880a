#include "tflite_recurrent.h"

bool luna_tflite_find_variable(LunaTfliteNode *node, int64_t i,
                               LunaTfliteVariable **variable) {
  const LunaTfliteTensor *tensor = luna_tflite_input(node, i);
  if (!tensor || !tensor->is_variable)
    return luna_tflite_fail(node, "input %lld is not a variable tensor",
                            (long long)i);
  int32_t index = luna_tflite_variable_of(
      node->import, node->frame->graph_index, node->op->inputs[i]);
  *variable = &node->import->variables.items[index];
  return true;
}

bool luna_tflite_need_shape(LunaTfliteNode *node, int64_t i, int type,
                            int64_t rank, int64_t rows, int64_t columns) {
  if (!luna_tflite_need_const(node, i))
    return false;
  const LunaTfliteTensor *tensor = luna_tflite_input(node, i);
  if (tensor->type == type && tensor->rank == rank &&
      tensor->shape[0] == rows && (rank < 2 || tensor->shape[1] == columns))
    return true;
  return luna_tflite_fail(node,
                          "input %lld, '%s', is %s with another shape than "
                          "%lld by %lld",
                          (long long)i, tensor->name,
                          luna_tflite_type_name(tensor->type), (long long)rows,
                          (long long)columns);
}

MlirValue luna_tflite_multiply_rows(LunaBuilder *b, MlirValue rows,
                                    MlirValue weights, MlirValue biases,
                                    int64_t input_zp) {
  static const int64_t no_pad[4] = {0}, ones[2] = {1, 1};
  LunaShape output = {4, {1, luna_extent(rows, 1), 1, luna_extent(weights, 0)}};
  MlirType accumulator = luna_element_of(biases);
  MlirValue operands[5] = {
      rows, weights, biases,
      luna_build_const_one(b, luna_element_of(rows), input_zp),
      luna_build_const_one(b, luna_element_of(weights), 0)};
  LunaAttr attributes[4] = {
      {"pad", luna_i64s_attr(b->context, 4, no_pad)},
      {"stride", luna_i64s_attr(b->context, 2, ones)},
      {"dilation", luna_i64s_attr(b->context, 2, ones)},
      {"acc_type", mlirTypeAttrGet(accumulator)},
  };
  return luna_build_op(b, "tosa.conv2d", luna_tensor_type(accumulator, &output),
                       5, operands, 4, attributes);
}

bool luna_tflite_multiply_matrix(LunaTfliteNode *node, MlirValue rows,
                                 int64_t weights, int64_t bias,
                                 int64_t input_zp, MlirType accumulator,
                                 MlirValue *result) {
  LunaBuilder *b = node->builder;
  const LunaTfliteTensor *tensor = luna_tflite_input(node, weights);
  int64_t count = luna_extent(rows, 0), length = tensor->shape[1];
  int64_t units = tensor->shape[0];
  LunaShape input = {4, {1, count, 1, length}};
  LunaShape filter = {4, {units, 1, 1, length}}, matrix = {2, {count, units}};
  MlirValue matrix_value, biases;
  if (!luna_tflite_const(node, tensor, &filter, &matrix_value))
    return false;
  if (bias < 0)
    biases = luna_build_splat(b, luna_list_type(accumulator, units), 0);
  else if (!luna_tflite_const(node, luna_tflite_input(node, bias),
                              &(LunaShape){1, {units}}, &biases))
    return false;
  rows = luna_build_reshape(b, rows, &input);
  rows = luna_tflite_multiply_rows(b, rows, matrix_value, biases, input_zp);
  *result = luna_build_reshape(b, rows, &matrix);
  return true;
}
