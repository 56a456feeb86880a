#ifndef LUNA_TILE_RANDOM_H
#define LUNA_TILE_RANDOM_H

// Seeded random operators for the property tests of tiles, tilings and costs.

#include <stdbool.h>
#include <stdint.h>

#include "luna/runtime.h"

typedef struct Random {
  uint64_t state;
} Random;

/// Returns a number in [low, high].
static inline int32_t random_in(Random *random, int32_t low, int32_t high) {
  random->state ^= random->state << 13;
  random->state ^= random->state >> 7;
  random->state ^= random->state << 17;
  return low + (int32_t)(random->state % (uint64_t)(high - low + 1));
}

static inline LunaTensorDesc tensor_desc(int32_t type, int32_t d0, int32_t d1,
                                         int32_t d2, int32_t d3) {
  return (LunaTensorDesc){.type = type,
                          .dims = {d0, d1, d2, d3},
                          .strides = {d1 * d2 * d3, d2 * d3, d3, 1}};
}

// Outputs of one axis; below 1 if the kernel does not fit.
static inline int32_t conv_extent(int32_t kind, int32_t in, int32_t kernel,
                                  int32_t stride, int32_t dilation,
                                  int32_t before, int32_t after) {
  if (kind == LUNA_CONV_TRANSPOSED)
    return (in - 1) * stride + before + after + kernel;
  int32_t room = in + before + after - (kernel - 1) * dilation - 1;
  return room < 0 ? 0 : room / stride + 1;
}

/// A convolution of int8 with 32-bit results; `shape` is in_h, in_w, in_c,
/// out_c (or the multiplier), kernel_h, kernel_w; pad top, bottom, left, right.
static inline LunaConv2dDesc conv_desc(int32_t kind, const int32_t shape[6],
                                       int32_t stride_y, int32_t stride_x,
                                       int32_t dilation_y, int32_t dilation_x,
                                       const int32_t pad[4]) {
  LunaConv2dDesc desc = {
      .kind = kind,
      .stride = {stride_y, stride_x},
      .dilation = {dilation_y, dilation_x},
      .pad = {pad[0], pad[1], pad[2], pad[3]},
      .requant = {.mode = LUNA_REQUANT_NONE},
  };
  int32_t out_h = conv_extent(kind, shape[0], shape[4], stride_y, dilation_y,
                              pad[0], pad[1]);
  int32_t out_w = conv_extent(kind, shape[1], shape[5], stride_x, dilation_x,
                              pad[2], pad[3]);
  bool is_depthwise = kind == LUNA_CONV_DEPTHWISE;
  int32_t out_c = is_depthwise ? shape[2] * shape[3] : shape[3];
  desc.input = tensor_desc(LUNA_TYPE_I8, 1, shape[0], shape[1], shape[2]);
  desc.weight =
      is_depthwise
          ? tensor_desc(LUNA_TYPE_I8, shape[4], shape[5], shape[2], shape[3])
          : tensor_desc(LUNA_TYPE_I8, shape[3], shape[4], shape[5], shape[2]);
  desc.output = tensor_desc(LUNA_TYPE_I32, 1, out_h, out_w, out_c);
  return desc;
}

/// A random convolution of extents up to `size`, of any kind.
static inline LunaConv2dDesc random_conv(Random *random, int32_t size) {
  for (;;) {
    int32_t kind = random_in(random, 0, 2);
    int32_t shape[6], pad[4];
    for (int i = 0; i < 4; ++i)
      shape[i] = random_in(random, 1, size);
    shape[4] = random_in(random, 1, 7);
    shape[5] = random_in(random, 1, 7);
    if (kind == LUNA_CONV_DEPTHWISE)
      shape[3] = random_in(random, 1, 3);
    int32_t low = kind == LUNA_CONV_TRANSPOSED ? -2 : 0;
    for (int i = 0; i < 4; ++i)
      pad[i] = random_in(random, low, 4);
    int32_t dilation_y = 1, dilation_x = 1;
    if (kind != LUNA_CONV_TRANSPOSED && random_in(random, 0, 2) == 0) {
      dilation_y = random_in(random, 1, 3);
      dilation_x = random_in(random, 1, 3);
    }
    LunaConv2dDesc desc =
        conv_desc(kind, shape, random_in(random, 1, 4), random_in(random, 1, 4),
                  dilation_y, dilation_x, pad);
    if (desc.output.dims[1] > 0 && desc.output.dims[2] > 0)
      return desc;
  }
}

/// A random tiling of `desc`, not necessarily legal on any machine.
static inline LunaTiling random_tiling(Random *random,
                                       const LunaConv2dDesc *desc) {
  bool is_depthwise = desc->kind == LUNA_CONV_DEPTHWISE;
  const int32_t *weight = desc->weight.dims;
  return (LunaTiling){
      .out_h = random_in(random, 1, desc->output.dims[1]),
      .out_w = random_in(random, 1, desc->output.dims[2]),
      .out_c = random_in(random, 1, desc->output.dims[3]),
      .in_c = random_in(random, 1, desc->input.dims[3]),
      .kernel_h = random_in(random, 1, weight[is_depthwise ? 0 : 1]),
      .kernel_w = random_in(random, 1, weight[is_depthwise ? 1 : 2]),
      .slots = random_in(random, 1, 2),
  };
}

#endif // LUNA_TILE_RANDOM_H
