#include <string.h>

#include "tflite_ops.h"

// A transposed convolution on floats is a convolution of the input with zeros
// between its elements and of the kernel turned around.

MlirValue luna_tfl_spread(LunaTosaBuilder *builder, MlirValue value,
                          const int64_t stride[2]) {
  int64_t shape[4], start[4] = {0};
  luna_tosa_shape_of(value, shape);
  int64_t apart[6] = {shape[0], shape[1], 1, shape[2], 1, shape[3]};
  int64_t pads[12] = {0};
  int64_t whole[4] = {shape[0], shape[1] * stride[0], shape[2] * stride[1],
                      shape[3]};
  int64_t size[4] = {shape[0], whole[1] - stride[0] + 1,
                     whole[2] - stride[1] + 1, shape[3]};
  int64_t one[1] = {1};
  MlirValue zero = luna_tosa_reshape(
      builder, luna_tosa_scalar_like(builder, value, builder->f32, 0), 1, one);
  pads[5] = stride[0] - 1;
  pads[9] = stride[1] - 1;
  value = luna_tosa_reshape(builder, value, 6, apart);
  value = luna_tosa_pad(builder, value, pads, zero);
  value = luna_tosa_reshape(builder, value, 4, whole);
  return luna_tosa_slice(builder, value, start, size);
}

bool luna_tfl_turned_kernel(LunaTfliteNode *node,
                            const LunaTfliteTensor *kernel, MlirValue *value) {
  const int64_t *shape = kernel->shape;
  int64_t area = shape[1] * shape[2];
  size_t row = (size_t)shape[3] * sizeof(float);
  uint8_t *turned = LUNA_ARENA_ARRAY(node->arena, uint8_t, kernel->data_bytes);
  for (int64_t o = 0; o < shape[0]; ++o)
    for (int64_t i = 0; i < area; ++i)
      memcpy(turned + (size_t)(o * area + area - 1 - i) * row,
             kernel->data + (size_t)(o * area + i) * row, row);
  if (!luna_node_count_constant(node, kernel->data_bytes))
    return false;
  *value = luna_tosa_const(node->builder,
                           mlirDenseElementsAttrRawBufferGet(
                               luna_tfl_tensor_type(node->builder, kernel),
                               kernel->data_bytes, turned));
  return true;
}
