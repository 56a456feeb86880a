#include "core_numbers.h"
#include "luna/core.h"

// A loop for each type and each way to round, chosen once for a row; what is
// rare shares one loop for all types.

//===- Preparing ----------------------------------------------------------===//

static int32_t saturate(int64_t value) {
  return value < INT32_MIN   ? INT32_MIN
         : value > INT32_MAX ? INT32_MAX
                             : (int32_t)value;
}

// The value and the zero point have 32 bits each; if no sum of both lies in the
// range, every value is at the same end of it.
static void set_range(LunaCoreRequant *to, const LunaRequantDesc *desc) {
  int64_t low = (int64_t)desc->clamp_min - desc->output_zero_point;
  int64_t high = (int64_t)desc->clamp_max - desc->output_zero_point;
  if (low > INT32_MAX || high < INT32_MIN) {
    to->clamp_min = to->clamp_max = 0;
    to->zero_point = low > INT32_MAX ? desc->clamp_min : desc->clamp_max;
    return;
  }
  to->clamp_min = saturate(low);
  to->clamp_max = saturate(high);
}

LunaCoreRequant luna_core_requant_of(const LunaRequantDesc *desc) {
  LunaCoreRequant requant = {
      .mode = desc->mode,
      .rounding = desc->rounding,
      .per_channel = desc->per_channel,
      .multiplier = desc->multiplier,
      .shift = desc->shift,
      .zero_point = desc->output_zero_point,
      .clamp_min = desc->clamp_min,
      .clamp_max = desc->clamp_max,
  };
  if (desc->mode == LUNA_REQUANT_MULTIPLIER ||
      (desc->mode == LUNA_REQUANT_SHIFT && desc->shift > 0))
    set_range(&requant, desc);
  return requant;
}

//===- One element --------------------------------------------------------===//

// apply_scale_32 for any shift. The product is at most 2^62, and what rounds it
// below 2^61 + 2^31.
static int32_t scale_any(int32_t value, int32_t multiplier, int32_t shift,
                         int32_t rounding) {
  int64_t sum = (int64_t)value * multiplier;
  sum += (int64_t)(((uint64_t)1 << shift) >> 1);
  if (rounding == LUNA_ROUND_DOUBLE && shift > 31)
    sum += value >= 0 ? 1 << 30 : -(1 << 30);
  return (int32_t)(uint32_t)((uint64_t)(sum >> shift) & UINT32_MAX);
}

// From this shift on, what is added to round leaves the lower half alone.
enum { HIGH_SHIFT = 33 };

static inline int32_t round_high(int32_t high, int32_t shift) {
  return (high + (1 << (shift - HIGH_SHIFT))) >> (shift - 32);
}

// apply_scale_32 for shifts from HIGH_SHIFT on.
static inline int32_t scale_single(int32_t value, int32_t multiplier,
                                   int32_t shift) {
  return round_high(luna_core_mulh(value, multiplier), shift);
}

// The upper half of a product and double rounding's 2^30, which carries into it
// or borrows from it.
static inline int32_t high_double(int32_t value, int32_t multiplier) {
#if defined __xtensa__ && !defined LUNA_CORE_MULSH
  return luna_core_mulh_parts(value, multiplier,
                              value >= 0 ? 1 << 14 : -(1 << 14));
#else
  int32_t high = luna_core_mulh(value, multiplier);
  uint32_t low = (uint32_t)luna_core_mull(value, multiplier);
  if (value >= 0)
    high += low >= UINT32_C(0xc0000000);
  else
    high -= low < UINT32_C(0x40000000);
  return high;
#endif
}

// Returns 1 if double rounding's 2^30 does not carry into the upper half of a
// product that is not negative, or borrows from that of a negative one.
static inline int32_t falls_short(int32_t value, int32_t multiplier) {
  uint32_t low = (uint32_t)luna_core_mull(value, multiplier);
  return low < (value >= 0 ? UINT32_C(0xc0000000) : UINT32_C(0x40000000));
}

// The carry or borrow is seen only where it changes the bits that are left:
// with the carry supposed, where no bit that falls off is set.
static inline int32_t scale_double(int32_t value, int32_t multiplier,
                                   int32_t shift) {
  int32_t round = (1 << (shift - HIGH_SHIFT)) + 1;
  int32_t mask = (int32_t)((UINT32_C(1) << (shift - 32)) - 1);
  int32_t high = luna_core_mulh(value, multiplier) + (value >> 31) + round;
  if ((high & mask) == 0)
    high -= falls_short(value, multiplier);
  return high >> (shift - 32);
}

// round_high for a shift of its own: one shift by a register.
static inline int32_t round_channel(int32_t high, int32_t shift) {
  return ((high >> (shift - HIGH_SHIFT)) + 1) >> 1;
}

typedef struct Range {
  int32_t low, high, zero_point;
} Range;

static Range range_of(const LunaCoreRequant *requant) {
  return (Range){requant->clamp_min, requant->clamp_max, requant->zero_point};
}

static inline int32_t finish(const Range *range, int32_t value) {
  if (value < range->low)
    value = range->low;
  if (value > range->high)
    value = range->high;
  return value + range->zero_point;
}

//===- Frequent rows ------------------------------------------------------===//
// floor(v * 2^-s + 0.5) is v >> s and the last bit that falls off; a shift
// beyond 32 is one by 32, which gives 0.

static int has_row(const LunaCoreRequant *requant) {
  return requant->mode == LUNA_REQUANT_MULTIPLIER ||
         (requant->mode == LUNA_REQUANT_SHIFT && requant->shift > 0);
}

#define ELEMENT int8_t
#define UNROLL _Pragma("GCC unroll 4")
#define ROW(name) row_i8_##name
#include "core_rows.h"
#undef ELEMENT
#undef UNROLL
#undef ROW

#define ELEMENT int16_t
#define UNROLL
#define ROW(name) row_i16_##name
#include "core_rows.h"
#undef ELEMENT
#undef UNROLL
#undef ROW

#define ELEMENT int32_t
#define UNROLL
#define ROW(name) row_i32_##name
#include "core_rows.h"
#undef ELEMENT
#undef UNROLL
#undef ROW

//===- Other rows ---------------------------------------------------------===//

static float scale_of(int32_t bits) {
  const union {
    int32_t bits;
    float scale;
  } pun = {.bits = bits};
  return pun.scale;
}

// rintf: beyond 2^23 every number is whole, and below, adding it leaves no
// place for a fraction.
static float round_even(float value) {
  const float whole = 8388608.0f;
  if (value >= 0 && value < whole)
    return (value + whole) - whole;
  if (value < 0 && value > -whole)
    return (value - whole) + whole;
  return value;
}

// Every step rounds to binary32, as the reference's do. The order of the
// comparisons maps NaN to the low end.
static int32_t finish_float(const LunaCoreRequant *requant, int32_t sum,
                            int32_t scale_bits) {
  float low = (float)requant->clamp_min, high = (float)requant->clamp_max;
  float scaled = (float)sum * scale_of(scale_bits);
  float value = round_even(scaled) + (float)requant->zero_point;
  return (int32_t)(value > high ? high : value > low ? value : low);
}

// Shifts to the left may leave 32 bits.
static int32_t finish_left(const LunaCoreRequant *requant, int32_t sum) {
  uint64_t bits = (uint64_t)(int64_t)sum << -requant->shift;
  int64_t value = (int64_t)bits + requant->zero_point;
  value = value < requant->clamp_min ? requant->clamp_min : value;
  return (int32_t)(value > requant->clamp_max ? requant->clamp_max : value);
}

// What a float sum of two numbers below it holds exactly.
enum { WHOLE_MAX = 1 << 23 };

// rintf as an integer: beyond WHOLE_MAX any number beyond it, of NaN one at the
// low end.
static inline int32_t nearest(float value) {
#ifdef __riscv_flen
  int32_t whole;
  __asm__("fcvt.w.s %0, %1, rne" : "=r"(whole) : "f"(value));
  return value == value ? whole : INT32_MIN;
#else
  const union {
    float value;
    uint32_t bits;
  } pun = {.value = value};
  int32_t shift = 150 - (int32_t)(pun.bits >> 23 & 255);
  uint32_t whole = (pun.bits & (WHOLE_MAX - 1)) | WHOLE_MAX;
  int is_nan = pun.bits << 1 > UINT32_C(0xff000000);
  if (shift > 24)
    return 0;
  if (shift > 0) {
    uint32_t below = whole << (32 - shift);
    whole >>= shift;
    // Of two halves the lowest bit that stays decides.
    whole += (below | (whole & 1)) > UINT32_C(0x80000000);
  }
  return pun.bits >> 31 || is_nan ? -(int32_t)whole : (int32_t)whole;
#endif
}

static int is_narrow(const LunaCoreRequant *requant) {
  return (int64_t)requant->clamp_min - requant->zero_point > -WHOLE_MAX &&
         (int64_t)requant->clamp_max - requant->zero_point < WHOLE_MAX;
}

// finish_float of a row that is_narrow: there both the number and its sum with
// the zero point are exact, or clamped.
static void row_float(const LunaCoreRequant *requant,
                      const LunaCoreChannels *channels, const int32_t *sums,
                      int32_t count, void *to, int32_t type, int32_t stride) {
  const Range range = {requant->clamp_min - requant->zero_point,
                       requant->clamp_max - requant->zero_point,
                       requant->zero_point};
  const int32_t *scales =
      requant->per_channel ? channels->multipliers : &requant->multiplier;
  int32_t step = requant->per_channel ? channels->step : 0;
  for (int32_t i = 0; i < count; ++i) {
    float scaled = (float)sums[i] * scale_of(scales[i * step]);
    luna_core_store(to, type, i * stride, finish(&range, nearest(scaled)));
  }
}

static int32_t requant_any(const LunaCoreRequant *requant,
                           const LunaCoreChannels *channels, int32_t sum,
                           int32_t i) {
  switch ((LunaRequantMode)requant->mode) {
  case LUNA_REQUANT_NONE:
  case LUNA_REQUANT_MULTIPLIER: // has rows of its own
    return sum;
  case LUNA_REQUANT_SHIFT:
    return finish_left(requant, sum);
  case LUNA_REQUANT_FLOAT:
    return finish_float(requant, sum,
                        requant->per_channel
                            ? channels->multipliers[i * channels->step]
                            : requant->multiplier);
  }
  return sum;
}

//===- All of it ----------------------------------------------------------===//

LunaCoreChannels luna_core_channels(const int32_t *multipliers,
                                    const int32_t *shifts, int32_t step,
                                    int32_t count) {
  LunaCoreChannels channels = {
      .multipliers = multipliers, .shifts = shifts, .step = step, .is_high = 1};
  for (int32_t i = 0; i < count; ++i)
    if (shifts[i * step] < HIGH_SHIFT)
      channels.is_high = 0;
  return channels;
}

// A row of numbers that has no frequent row.
static void rare_row(const LunaCoreRequant *requant,
                     const LunaCoreChannels *channels, const int32_t *sums,
                     int32_t count, void *to, int32_t type, int32_t stride) {
  if (requant->mode == LUNA_REQUANT_FLOAT && is_narrow(requant)) {
    row_float(requant, channels, sums, count, to, type, stride);
    return;
  }
  for (int32_t i = 0; i < count; ++i)
    luna_core_store(to, type, i * stride,
                    requant_any(requant, channels, sums[i], i));
}

void luna_core_requant_rows(const LunaCoreRequant *requant,
                            const LunaCoreChannels *channels,
                            const int32_t *sums, const LunaCoreRows *rows,
                            void *to, int32_t type) {
  int is_fast = has_row(requant);
  if (is_fast && type == LUNA_TYPE_I8)
    row_i8_run_rows(requant, channels, sums, rows, to);
  else if (is_fast && type == LUNA_TYPE_I16)
    row_i16_run_rows(requant, channels, sums, rows, to);
  else if (is_fast && type == LUNA_TYPE_I32)
    row_i32_run_rows(requant, channels, sums, rows, to);
  else
    for (int32_t i = 0; i < rows->rows; ++i, sums += rows->columns)
      rare_row(requant, channels, sums, rows->columns,
               (uint8_t *)to + i * rows->row_stride * luna_element_bytes(type),
               type, rows->stride);
}

void luna_core_requant_row(const LunaCoreRequant *requant,
                           const LunaCoreChannels *channels,
                           const int32_t *sums, int32_t count, void *to,
                           int32_t type, int32_t stride) {
  int is_fast = has_row(requant);
  if (is_fast && type == LUNA_TYPE_I8)
    row_i8_run(requant, channels, sums, count, to, stride);
  else if (is_fast && type == LUNA_TYPE_I16)
    row_i16_run(requant, channels, sums, count, to, stride);
  else if (is_fast && type == LUNA_TYPE_I32)
    row_i32_run(requant, channels, sums, count, to, stride);
  else
    rare_row(requant, channels, sums, count, to, type, stride);
}

void luna_core_scale_row(int32_t *values, int32_t count, int32_t multiplier,
                         int32_t shift, int32_t rounding) {
  int32_t *end = values + count;
  if (shift < HIGH_SHIFT)
    for (; values != end; ++values)
      *values = scale_any(*values, multiplier, shift, rounding);
  else if (rounding == LUNA_ROUND_DOUBLE)
    for (; values != end; ++values)
      *values = scale_double(*values, multiplier, shift);
  else
    for (; values != end; ++values)
      *values = scale_single(*values, multiplier, shift);
}
