#include "kernel_numbers.h"

#include <math.h>

#include "luna/checked.h"

LunaRequant luna_requant_prepare(LunaArena *arena, const LunaRequantDesc *desc,
                                 const LunaTensorDesc *table_desc,
                                 const void *table, int32_t channels) {
  int32_t *multipliers = LUNA_ARENA_ARRAY(arena, int32_t, channels);
  int32_t *shifts = LUNA_ARENA_ARRAY(arena, int32_t, channels);
  bool is_table = luna_requant_has_table(desc);
  for (int32_t c = 0; c < channels; ++c) {
    multipliers[c] = desc->multiplier;
    shifts[c] = desc->shift;
    if (is_table)
      memcpy(&multipliers[c], luna_element(table, table_desc, 0, 0, 0, c), 4);
    if (is_table && desc->mode == LUNA_REQUANT_MULTIPLIER)
      memcpy(&shifts[c], luna_element(table, table_desc, 0, 0, 1, c), 4);
  }
  return (LunaRequant){
      .desc = desc, .multipliers = multipliers, .shifts = shifts};
}

bool luna_requant_has_table(const LunaRequantDesc *desc) {
  return desc->per_channel && (desc->mode == LUNA_REQUANT_MULTIPLIER ||
                               desc->mode == LUNA_REQUANT_FLOAT);
}

// Every step rounds to binary32, as the reference's do; rintf takes ties to
// even.
static void requant_floats(const LunaRequant *requant, int64_t *sums,
                           const int32_t *scales, int32_t step, int32_t count) {
  const LunaRequantDesc *desc = requant->desc;
  float zero_point = (float)desc->output_zero_point;
  float low = (float)desc->clamp_min, high = (float)desc->clamp_max;
  for (int32_t i = 0; i < count; ++i) {
    float scale;
    memcpy(&scale, &scales[(int64_t)i * step], sizeof scale);
    float scaled = (float)sums[i] * scale;
    float value = rintf(scaled) + zero_point;
    // The order of the comparisons maps NaN to the low end.
    sums[i] = (int64_t)(value > high ? high : value > low ? value : low);
  }
}

void luna_requant_sums(const LunaRequant *requant, int64_t *sums, int32_t first,
                       int32_t step, int32_t count) {
  const LunaRequantDesc *desc = requant->desc;
  if (desc->mode == LUNA_REQUANT_NONE)
    return;
  const int32_t *multipliers = requant->multipliers + first;
  const int32_t *shifts = requant->shifts + first;
  if (desc->mode == LUNA_REQUANT_FLOAT) {
    requant_floats(requant, sums, multipliers, step, count);
    return;
  }
  for (int32_t i = 0; i < count; ++i) {
    int64_t value =
        desc->mode == LUNA_REQUANT_SHIFT
            ? luna_shift_round(sums[i], desc->shift)
            : luna_apply_scale(sums[i], multipliers[(int64_t)i * step],
                               shifts[(int64_t)i * step], desc->rounding);
    sums[i] = luna_clamp(value + desc->output_zero_point, desc->clamp_min,
                         desc->clamp_max);
  }
}

//===- Loads and stores ---------------------------------------------------===//
// Contiguous elements have separate loops, which the compiler vectorises.
static void load_bytes(int16_t *restrict to, const int8_t *restrict from,
                       int64_t stride, int32_t count, int32_t zero_point) {
  int16_t zero = (int16_t)zero_point;
  if (stride == 1)
    for (int32_t i = 0; i < count; ++i)
      to[i] = (int16_t)(from[i] - zero);
  else
    for (int32_t i = 0; i < count; ++i)
      to[i] = (int16_t)(from[i * stride] - zero);
}

void luna_load_shorts(int16_t *to, const void *from, int32_t type,
                      int64_t stride, int32_t count, int32_t zero_point) {
  if (type == LUNA_TYPE_I8) {
    load_bytes(to, from, stride, count, zero_point);
    return;
  }
  const int16_t *shorts = from;
  for (int32_t i = 0; i < count; ++i)
    to[i] = shorts[i * stride];
}

void luna_load_longs(int64_t *to, const void *from, int32_t type,
                     int64_t stride, int32_t count, int32_t zero_point) {
  switch (luna_element_bytes(type)) {
  case 1:
    for (int32_t i = 0; i < count; ++i)
      to[i] = ((const int8_t *)from)[i * stride] - (int64_t)zero_point;
    return;
  case 2:
    for (int32_t i = 0; i < count; ++i)
      to[i] = ((const int16_t *)from)[i * stride] - (int64_t)zero_point;
    return;
  case 4:
    for (int32_t i = 0; i < count; ++i)
      to[i] = ((const int32_t *)from)[i * stride] - (int64_t)zero_point;
    return;
  default:
    for (int32_t i = 0; i < count; ++i)
      to[i] = luna_wrap_add(((const int64_t *)from)[i * stride],
                            -(int64_t)zero_point);
  }
}

void luna_store_longs(void *to, const int64_t *from, int32_t type,
                      int64_t stride, int32_t count) {
  switch (luna_element_bytes(type)) {
  case 1:
    for (int32_t i = 0; i < count; ++i)
      ((int8_t *)to)[i * stride] = (int8_t)(uint8_t)(from[i] & 0xff);
    return;
  case 2:
    for (int32_t i = 0; i < count; ++i)
      ((int16_t *)to)[i * stride] = (int16_t)(uint16_t)(from[i] & 0xffff);
    return;
  case 4:
    for (int32_t i = 0; i < count; ++i)
      ((int32_t *)to)[i * stride] = luna_wrap_i32(from[i]);
    return;
  default:
    for (int32_t i = 0; i < count; ++i)
      ((int64_t *)to)[i * stride] = from[i];
  }
}

//===- Sums of products ---------------------------------------------------===//
// Products of int8 numbers minus their zero points are below 2^16, so this many
// of them fit 31 bits.
enum { SAFE_PRODUCTS = 1 << 14 };

static int32_t dot_safe(const int16_t *restrict a, const int16_t *restrict b,
                        int32_t count) {
  int32_t sum = 0;
  for (int32_t i = 0; i < count; ++i)
    sum += a[i] * b[i];
  return sum;
}

int32_t luna_dot(const int16_t *a, const int16_t *b, int64_t count) {
  uint32_t sum = 0;
  for (; count > SAFE_PRODUCTS; count -= SAFE_PRODUCTS) {
    sum += (uint32_t)dot_safe(a, b, SAFE_PRODUCTS);
    a += SAFE_PRODUCTS;
    b += SAFE_PRODUCTS;
  }
  return (int32_t)(sum + (uint32_t)dot_safe(a, b, (int32_t)count));
}

int64_t luna_dot_wide(const int16_t *restrict a, const int16_t *restrict b,
                      int64_t count) {
  int64_t sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += (int64_t)(a[i] * b[i]);
  return sum;
}
