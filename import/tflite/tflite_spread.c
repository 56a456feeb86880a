#include "tflite_ops.h"

// A transposed convolution on floats is a convolution of the input with zeros
// between its elements and of the kernel turned around.

MlirValue luna_tflite_spread(LunaBuilder *b, MlirValue value,
                             const int64_t stride[2]) {
  LunaShape from = luna_shape_of(value);
  const int64_t *shape = from.dims;
  LunaShape apart = {6, {shape[0], shape[1], 1, shape[2], 1, shape[3]}};
  LunaShape whole = {
      4, {shape[0], shape[1] * stride[0], shape[2] * stride[1], shape[3]}};
  int64_t start[4] = {0}, pads[12] = {0};
  int64_t size[4] = {shape[0], whole.dims[1] - stride[0] + 1,
                     whole.dims[2] - stride[1] + 1, shape[3]};
  MlirValue zero = luna_build_const_one(b, b->f32, 0);
  pads[5] = stride[0] - 1;
  pads[9] = stride[1] - 1;
  value = luna_build_reshape(b, value, &apart);
  value = luna_build_pad(b, value, pads, zero);
  value = luna_build_reshape(b, value, &whole);
  return luna_build_slice(b, value, start, size);
}
