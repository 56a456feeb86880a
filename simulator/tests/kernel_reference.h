#ifndef LUNA_KERNEL_REFERENCE_H
#define LUNA_KERNEL_REFERENCE_H

// Random strided tensors, and the arithmetic of TOSA 1.0 written straight from
// its text, for the tests of the kernels. Shares nothing with them.

#include <math.h>
#include <stdbool.h>

#include "check.h"
#include "tile_random.h"

/// A tensor with memory of its own.
typedef struct Tensor {
  LunaTensorDesc desc;
  uint8_t *bytes;
  size_t byte_count;
} Tensor;

/// Makes room for a tensor of the type and extents of `desc`, with random gaps
/// between its elements.
static inline Tensor tensor_make(Random *random, LunaTensorDesc desc) {
  static const int orders[2][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}};
  const int *order = orders[random_in(random, 0, 2) == 0];
  int32_t stride = random_in(random, 0, 3) == 0 ? 2 : 1;
  int32_t gaps = random_in(random, 0, 1) * 2;
  for (int i = 3; i >= 0; --i) {
    desc.strides[order[i]] = stride;
    stride = stride * desc.dims[order[i]] + random_in(random, 0, gaps);
  }
  size_t bytes = (size_t)(stride + 1) * (size_t)luna_element_bytes(desc.type);
  Tensor tensor = {.desc = desc, .byte_count = bytes};
  tensor.bytes = malloc(bytes);
  memset(tensor.bytes, 0x5a, bytes);
  return tensor;
}

static inline void *tensor_at(const Tensor *tensor, int32_t i, int32_t j,
                              int32_t k, int32_t l) {
  const int32_t *strides = tensor->desc.strides;
  int32_t at =
      i * strides[0] + j * strides[1] + k * strides[2] + l * strides[3];
  return tensor->bytes + at * luna_element_bytes(tensor->desc.type);
}

static inline int64_t tensor_get(const Tensor *tensor, int32_t i, int32_t j,
                                 int32_t k, int32_t l) {
  int8_t byte;
  int16_t half;
  int32_t word;
  int64_t wide;
  const void *from = tensor_at(tensor, i, j, k, l);
  switch (luna_element_bytes(tensor->desc.type)) {
  case 1:
    memcpy(&byte, from, 1);
    return byte;
  case 2:
    memcpy(&half, from, 2);
    return half;
  case 4:
    memcpy(&word, from, 4);
    return word;
  default:
    memcpy(&wide, from, 8);
    return wide;
  }
}

static inline void tensor_set(const Tensor *tensor, int32_t i, int32_t j,
                              int32_t k, int32_t l, int64_t value) {
  int8_t byte = (int8_t)value;
  int16_t half = (int16_t)value;
  int32_t word = (int32_t)value;
  void *to = tensor_at(tensor, i, j, k, l);
  switch (luna_element_bytes(tensor->desc.type)) {
  case 1:
    memcpy(to, &byte, 1);
    return;
  case 2:
    memcpy(to, &half, 2);
    return;
  case 4:
    memcpy(to, &word, 4);
    return;
  default:
    memcpy(to, &value, 8);
  }
}

static inline void tensor_fill(Random *random, const Tensor *tensor,
                               int32_t low, int32_t high) {
  const int32_t *dims = tensor->desc.dims;
  for (int32_t i = 0; i < dims[0]; ++i)
    for (int32_t j = 0; j < dims[1]; ++j)
      for (int32_t k = 0; k < dims[2]; ++k)
        for (int32_t l = 0; l < dims[3]; ++l)
          tensor_set(tensor, i, j, k, l, random_in(random, low, high));
}

/// A random tensor of this type and these extents.
static inline Tensor tensor_random(Random *random, int32_t type, int32_t d0,
                                   int32_t d1, int32_t d2, int32_t d3) {
  Tensor tensor = tensor_make(random, tensor_desc(type, d0, d1, d2, d3));
  int32_t high = type == LUNA_TYPE_I8    ? 127
                 : type == LUNA_TYPE_I16 ? 32767
                                         : 100000;
  tensor_fill(random, &tensor, -high - 1, high);
  return tensor;
}

/// A copy of memory and all: what the reference writes to.
static inline Tensor tensor_twin(const Tensor *tensor) {
  Tensor twin = *tensor;
  twin.bytes = malloc(tensor->byte_count);
  memcpy(twin.bytes, tensor->bytes, tensor->byte_count);
  return twin;
}

/// Equal elements, and the gaps between them untouched.
static inline void tensors_are_equal(const Tensor *found,
                                     const Tensor *expected) {
  for (size_t i = 0; i < found->byte_count; ++i)
    if (found->bytes[i] != expected->bytes[i]) {
      fprintf(stderr, "byte %zu is %d, expected %d\n", i, found->bytes[i],
              expected->bytes[i]);
      CHECK(found->bytes[i] == expected->bytes[i]);
    }
}

/// TOSA 1.0 apply_scale_32.
static inline int64_t tosa_apply_scale(int64_t value, int32_t multiplier,
                                       int32_t shift, bool double_round) {
  int64_t round = (int64_t)1 << (shift - 1);
  if (double_round) {
    if (shift > 31 && value >= 0)
      round += 1 << 30;
    if (shift > 31 && value < 0)
      round -= 1 << 30;
  }
  int64_t result = value * multiplier + round;
  return result >> shift;
}

/// LUNA: floor(value * 2^-shift + 0.5), by division.
static inline int64_t luna_shifted(int64_t value, int32_t shift) {
  if (shift <= 0)
    return value * ((int64_t)1 << -shift);
  int64_t divisor = (int64_t)1 << shift;
  int64_t doubled = 2 * value + divisor, quotient = doubled / (2 * divisor);
  return quotient - (doubled % (2 * divisor) < 0);
}

/// ONNX's quantisation of sum * scale, ties to even, by comparing distances.
static inline int64_t reference_float_round(int64_t sum, int32_t scale_bits) {
  float scale;
  memcpy(&scale, &scale_bits, sizeof scale);
  double scaled = (double)((float)sum * scale), below = floor(scaled);
  double rest = scaled - below;
  bool is_odd = fmod(below, 2.0) != 0.0;
  return (int64_t)below + (rest > 0.5 || (rest == 0.5 && is_odd));
}

/// The output for a sum of channel `channel`.
static inline int64_t reference_requant(const LunaRequantDesc *requant,
                                        const Tensor *table, int64_t sum,
                                        int32_t channel) {
  int32_t multiplier = requant->multiplier, shift = requant->shift;
  if (requant->mode == LUNA_REQUANT_NONE)
    return sum;
  if (requant->mode == LUNA_REQUANT_MULTIPLIER && requant->per_channel) {
    multiplier = (int32_t)tensor_get(table, 0, 0, 0, channel);
    shift = (int32_t)tensor_get(table, 0, 0, 1, channel);
  }
  if (requant->mode == LUNA_REQUANT_FLOAT && requant->per_channel)
    multiplier = (int32_t)tensor_get(table, 0, 0, 0, channel);
  int64_t value = requant->mode == LUNA_REQUANT_FLOAT
                      ? reference_float_round(sum, multiplier)
                  : requant->mode == LUNA_REQUANT_SHIFT
                      ? luna_shifted(sum, shift)
                      : (int32_t)tosa_apply_scale(sum, multiplier, shift,
                                                  requant->rounding);
  value += requant->output_zero_point;
  return value < requant->clamp_min   ? requant->clamp_min
         : value > requant->clamp_max ? requant->clamp_max
                                      : value;
}

/// The bits of a random scale, often a power of two, so that ties occur.
static inline int32_t random_scale(Random *random, int32_t sum_bits) {
  float scale = ldexpf(1.0f, -random_in(random, 0, sum_bits));
  if (random_in(random, 0, 1))
    scale *= (float)random_in(random, 1 << 20, 1 << 21) / (float)(1 << 20);
  int32_t bits;
  memcpy(&bits, &scale, sizeof bits);
  return bits;
}

/// A random requantisation to `type` of sums of about `sum_bits` bits.
static inline LunaRequantDesc random_requant(Random *random, int32_t type,
                                             int32_t sum_bits) {
  int32_t high = type == LUNA_TYPE_I8 ? 127 : 32767;
  LunaRequantDesc requant = {
      .mode = random_in(random, LUNA_REQUANT_SHIFT, LUNA_REQUANT_FLOAT),
      .rounding = random_in(random, 0, 1),
      .multiplier = random_in(random, 1 << 14, (1 << 15) - 1),
      .shift = random_in(random, 14, 15 + sum_bits),
      .output_zero_point =
          type == LUNA_TYPE_I8 ? random_in(random, -128, 127) : 0,
      .clamp_min = -high - 1,
      .clamp_max = high,
  };
  if (requant.mode == LUNA_REQUANT_SHIFT) {
    requant.shift = random_in(random, -2, sum_bits);
  } else if (requant.mode == LUNA_REQUANT_FLOAT) {
    requant.per_channel = random_in(random, 0, 1);
    requant.multiplier = random_scale(random, sum_bits);
  } else {
    requant.per_channel = random_in(random, 0, 1);
    if (sum_bits < 31 && random_in(random, 0, 1)) {
      requant.multiplier = random_in(random, 1 << 30, INT32_MAX);
      requant.shift = random_in(random, 30, 31 + sum_bits);
    }
  }
  if (random_in(random, 0, 2) == 0) {
    requant.clamp_min = random_in(random, -high - 1, 0);
    requant.clamp_max = random_in(random, 0, high);
  }
  return requant;
}

/// The table of a requantisation per channel.
static inline Tensor random_table(Random *random, int32_t channels,
                                  int32_t sum_bits) {
  Tensor table =
      tensor_make(random, tensor_desc(LUNA_TYPE_I32, 1, 1, 2, channels));
  for (int32_t c = 0; c < channels; ++c) {
    tensor_set(&table, 0, 0, 0, c, random_in(random, 1 << 14, (1 << 15) - 1));
    tensor_set(&table, 0, 0, 1, c, random_in(random, 14, 15 + sum_bits));
  }
  return table;
}

/// Makes its first row scales where the requantisation is in floating point.
static inline void set_scales(Random *random, const LunaRequantDesc *requant,
                              const Tensor *table, int32_t sum_bits) {
  if (requant->mode == LUNA_REQUANT_FLOAT)
    for (int32_t c = 0; c < table->desc.dims[3]; ++c)
      tensor_set(table, 0, 0, 0, c, random_scale(random, sum_bits));
}

#endif // LUNA_KERNEL_REFERENCE_H
