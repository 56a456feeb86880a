#include "tflite_recurrent.h"

bool luna_tfl_find_variable(LunaTfliteNode *node, int64_t i,
                            LunaTfliteVariable **variable) {
  const LunaTfliteTensor *tensor = luna_node_input(node, i);
  if (!tensor || !tensor->is_variable)
    return luna_node_fail(node, "input %lld is not a variable tensor",
                          (long long)i);
  int32_t index = luna_tflite_variable_of(
      node->import, node->frame->graph_index, node->op->inputs[i]);
  *variable = &node->import->variables[index];
  return true;
}

bool luna_tfl_need_shape(LunaTfliteNode *node, int64_t i, int type,
                         int64_t rank, int64_t rows, int64_t columns) {
  if (!luna_node_need_const(node, i))
    return false;
  const LunaTfliteTensor *tensor = luna_node_input(node, i);
  if (tensor->type == type && tensor->rank == rank &&
      tensor->shape[0] == rows && (rank < 2 || tensor->shape[1] == columns))
    return true;
  return luna_node_fail(node,
                        "input %lld, '%s', is %s with another shape than "
                        "%lld by %lld",
                        (long long)i, tensor->name,
                        luna_tflite_type_name(tensor->type), (long long)rows,
                        (long long)columns);
}

MlirValue luna_tfl_multiply_rows(LunaTosaBuilder *builder, MlirValue rows,
                                 MlirValue weights, MlirValue biases,
                                 int64_t input_zp) {
  static const int64_t no_pad[4] = {0}, ones[2] = {1, 1};
  int64_t output[4] = {1, luna_tosa_extent(rows, 1), 1,
                       luna_tosa_extent(weights, 0)};
  MlirType accumulator = luna_tosa_element(biases);
  MlirValue operands[5] = {
      rows, weights, biases,
      luna_tosa_const_int(builder, luna_tosa_element(rows), input_zp),
      luna_tosa_const_int(builder, luna_tosa_element(weights), 0)};
  MlirNamedAttribute attributes[4] = {
      luna_tosa_named(builder, "pad", luna_tosa_i64s(builder, 4, no_pad)),
      luna_tosa_named(builder, "stride", luna_tosa_i64s(builder, 2, ones)),
      luna_tosa_named(builder, "dilation", luna_tosa_i64s(builder, 2, ones)),
      luna_tosa_named(builder, "acc_type", mlirTypeAttrGet(accumulator)),
  };
  return luna_tosa_op(builder, "tosa.conv2d",
                      luna_tosa_type(accumulator, 4, output), 5, operands, 4,
                      attributes);
}

bool luna_tfl_multiply_matrix(LunaTfliteNode *node, MlirValue rows,
                              int64_t weights, int64_t bias, int64_t input_zp,
                              MlirType accumulator, MlirValue *result) {
  LunaTosaBuilder *builder = node->builder;
  const LunaTfliteTensor *tensor = luna_node_input(node, weights);
  int64_t count = luna_tosa_extent(rows, 0), length = tensor->shape[1];
  int64_t units = tensor->shape[0], input[4] = {1, count, 1, length};
  int64_t filter[4] = {units, 1, 1, length}, matrix[2] = {count, units};
  MlirAttribute zero =
      mlirTypeEqual(accumulator, builder->f32)
          ? mlirFloatAttrDoubleGet(builder->context, accumulator, 0)
          : mlirIntegerAttrGet(accumulator, 0);
  MlirValue matrix_value, biases;
  if (!luna_node_const(node, tensor, 4, filter, &matrix_value))
    return false;
  if (bias < 0)
    biases = luna_tosa_const(builder,
                             mlirDenseElementsAttrSplatGet(
                                 luna_tosa_type(accumulator, 1, &units), zero));
  else if (!luna_node_const(node, luna_node_input(node, bias), 1, &units,
                            &biases))
    return false;
  rows = luna_tosa_reshape(builder, rows, 4, input);
  *result = luna_tosa_reshape(
      builder,
      luna_tfl_multiply_rows(builder, rows, matrix_value, biases, input_zp), 2,
      matrix);
  return true;
}
