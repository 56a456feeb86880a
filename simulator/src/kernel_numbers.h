#ifndef LUNA_KERNEL_NUMBERS_H
#define LUNA_KERNEL_NUMBERS_H

// The integer arithmetic that the kernels share. Sums wrap around as the
// reference (TOSA lowered by upstream MLIR) does; signed overflow never happens
// in C, because whatever may wrap is computed unsigned.

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "luna/arena.h"
#include "luna/runtime.h"

static inline int64_t luna_wrap_add(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int32_t luna_wrap_i32(int64_t value) {
  return (int32_t)(uint32_t)((uint64_t)value & 0xffffffffu);
}

/// Returns apply_scale_32 of TOSA 1.0; `shift` is in [0, 62].
static inline int32_t luna_apply_scale(int64_t value, int32_t multiplier,
                                       int32_t shift, int32_t rounding) {
  int64_t round = (int64_t)(((uint64_t)1 << shift) >> 1);
  if (rounding == LUNA_ROUND_DOUBLE && shift > 31)
    round += value >= 0 ? (int64_t)1 << 30 : -((int64_t)1 << 30);
  int64_t product = (int64_t)((uint64_t)value * (uint64_t)(int64_t)multiplier);
  return luna_wrap_i32(luna_wrap_add(product, round) >> shift);
}

/// Returns floor(value * 2^-shift + 0.5) for shift in [-31, 62].
static inline int64_t luna_shift_round(int64_t value, int32_t shift) {
  if (shift <= 0)
    return (int64_t)((uint64_t)value << -shift);
  return luna_wrap_add(value, (int64_t)1 << (shift - 1)) >> shift;
}

static inline int64_t luna_clamp(int64_t value, int64_t low, int64_t high) {
  return value < low ? low : value > high ? high : value;
}

/// Writes the range of an integer type.
static inline void luna_type_range(int32_t type, int64_t *low, int64_t *high) {
  int32_t bits = 8 * luna_element_bytes(type);
  *high = (int64_t)(((uint64_t)1 << (bits - 1)) - 1);
  *low = -*high - 1;
}

/// The requantisation of one operator: the multiplier and shift of each output
/// channel.
typedef struct LunaRequant {
  const LunaRequantDesc *desc;
  const int32_t *multipliers, *shifts; ///< by channel; or bits of scales
} LunaRequant;

/// Returns true if each channel has parameters of its own, in a table operand.
bool luna_requant_has_table(const LunaRequantDesc *desc);

/// Prepares requantisation of `channels` channels; `table_desc` and `table`
/// may be NULL when the descriptor is per tensor. Arrays come from `arena`.
LunaRequant luna_requant_prepare(LunaArena *arena, const LunaRequantDesc *desc,
                                 const LunaTensorDesc *table_desc,
                                 const void *table, int32_t channels);

/// Requantises, in place, the sums of `count` channels first, first + step, …
void luna_requant_sums(const LunaRequant *requant, int64_t *sums, int32_t first,
                       int32_t step, int32_t count);

/// Reads `count` elements, `stride` elements apart, as 16-bit numbers minus
/// `zero_point` (int8 with any int8 zero point, int16 with zero point 0).
void luna_load_shorts(int16_t *to, const void *from, int32_t type,
                      int64_t stride, int32_t count, int32_t zero_point);

/// The same as 64-bit numbers, of any integer type.
void luna_load_longs(int64_t *to, const void *from, int32_t type,
                     int64_t stride, int32_t count, int32_t zero_point);

/// Writes `count` numbers as elements `stride` apart, truncated to the type.
void luna_store_longs(void *to, const int64_t *from, int32_t type,
                      int64_t stride, int32_t count);

/// Returns the sum of products, modulo 2^32 like the unit's accumulator.
int32_t luna_dot(const int16_t *a, const int16_t *b, int64_t count);

/// Returns the sum of products in 64 bits, for int16 operands.
int64_t luna_dot_wide(const int16_t *a, const int16_t *b, int64_t count);

/// Returns the byte offset of element [i, j, k, l] from element [0, 0, 0, 0].
static inline int64_t luna_element_offset(const LunaTensorDesc *desc, int64_t i,
                                          int64_t j, int64_t k, int64_t l) {
  int64_t at = i * desc->strides[0] + j * desc->strides[1] +
               k * desc->strides[2] + l * desc->strides[3];
  return at * luna_element_bytes(desc->type);
}

/// Returns the address of element [i, j, k, l].
static inline const void *luna_element(const void *data,
                                       const LunaTensorDesc *desc, int64_t i,
                                       int64_t j, int64_t k, int64_t l) {
  return (const uint8_t *)data + luna_element_offset(desc, i, j, k, l);
}

/// A row of elements: the innermost dimension at [i, j, k].
typedef struct LunaRow {
  int64_t i, j, k;
} LunaRow;

/// Returns true if a tensor of these extents has a row.
static inline bool luna_has_rows(const int32_t dims[4]) {
  return dims[0] > 0 && dims[1] > 0 && dims[2] > 0 && dims[3] > 0;
}

/// Advances to the next row. Returns false after the last.
static inline bool luna_next_row(LunaRow *at, const int32_t dims[4]) {
  if (++at->k < dims[2])
    return true;
  at->k = 0;
  if (++at->j < dims[1])
    return true;
  at->j = 0;
  return ++at->i < dims[0];
}

#endif // LUNA_KERNEL_NUMBERS_H
