#ifndef LUNA_CORE_NUMBERS_H
#define LUNA_CORE_NUMBERS_H

// Arithmetic of 32 bits that wraps around, and typed access to rows.

#include <stdint.h>

#include "luna/runtime.h"

static inline int32_t luna_core_add(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a + (uint32_t)b);
}

static inline int32_t luna_core_sub(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a - (uint32_t)b);
}

#if defined __xtensa__ && !defined LUNA_CORE_MULSH
/// Returns the upper half of a signed product and `part` * 2^16, for a `part`
/// of -2^14 to 2^14. For cores without the instruction, such as QEMU's: four
/// products of 16 bits.
static inline int32_t luna_core_mulh_parts(int32_t a, int32_t b, int32_t part) {
  int32_t a_high = a >> 16, b_high = b >> 16;
  uint32_t a_low = (uint32_t)a & 0xffff, b_low = (uint32_t)b & 0xffff;
  uint32_t low = a_low * b_low;
  int32_t middle = a_high * (int32_t)b_low + (int32_t)(low >> 16);
  int32_t other = (int32_t)a_low * b_high + (middle & 0xffff) + part;
  return a_high * b_high + (middle >> 16) + (other >> 16);
}
#endif

/// Returns the upper half of a signed product.
static inline int32_t luna_core_mulh(int32_t a, int32_t b) {
#if defined __xtensa__ && defined LUNA_CORE_MULSH
  // A core that has the instruction: -DLUNA_CORE_MULSH='"mulsh"'.
  int32_t high;
  __asm__(LUNA_CORE_MULSH " %0, %1, %2" : "=a"(high) : "a"(a), "a"(b));
  return high;
#elif defined __xtensa__
  return luna_core_mulh_parts(a, b, 0);
#else
  return (int32_t)((uint64_t)((int64_t)a * b) >> 32);
#endif
}

static inline int32_t luna_core_mull(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a * (uint32_t)b);
}

/// Returns element `index` of `type` (int8, int16 or int32).
static inline int32_t luna_core_load(const void *from, int32_t type,
                                     int32_t index) {
  if (type == LUNA_TYPE_I8)
    return ((const int8_t *)from)[index];
  if (type == LUNA_TYPE_I16)
    return ((const int16_t *)from)[index];
  return ((const int32_t *)from)[index];
}

/// Writes element `index` of `type`, truncated.
static inline void luna_core_store(void *to, int32_t type, int32_t index,
                                   int32_t value) {
  if (type == LUNA_TYPE_I8)
    ((int8_t *)to)[index] = (int8_t)(uint8_t)((uint32_t)value & 0xff);
  else if (type == LUNA_TYPE_I16)
    ((int16_t *)to)[index] = (int16_t)(uint16_t)((uint32_t)value & 0xffff);
  else if (type == LUNA_TYPE_I64)
    ((int64_t *)to)[index] = value;
  else
    ((int32_t *)to)[index] = value;
}

/// Returns the number of the element at `at` from element [0, 0, 0, 0].
static inline int32_t luna_core_element(const LunaTensorDesc *desc,
                                        const int32_t at[4]) {
  return at[0] * desc->strides[0] + at[1] * desc->strides[1] +
         at[2] * desc->strides[2] + at[3] * desc->strides[3];
}

#endif // LUNA_CORE_NUMBERS_H
