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
  LunaConvSpec conv = {.input = rows,
                       .weight = weights,
                       .bias = biases,
                       .input_zp = input_zp,
                       .stride = {1, 1},
                       .dilation = {1, 1}};
  return luna_build_conv(b, "tosa.conv2d", &conv);
}
