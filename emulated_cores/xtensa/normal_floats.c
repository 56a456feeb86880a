#include "soft.h"

// Sums, products and conversions of normal floats and, of 32 bits, zeros. Where
// an operand or the result is neither, floats.c computes them.

float LUNA_SOFT(addsf3)(float a, float b);
float LUNA_SOFT(subsf3)(float a, float b);
float LUNA_SOFT(mulsf3)(float a, float b);
float LUNA_SOFT(floatsisf)(int32_t a);
float LUNA_SOFT(floatunsisf)(uint32_t a);
double LUNA_SOFT(adddf3)(double a, double b);
double LUNA_SOFT(subdf3)(double a, double b);
double LUNA_SOFT(muldf3)(double a, double b);
double LUNA_SOFT(extendsfdf2)(float a);
float LUNA_SOFT(truncdfsf2)(double a);

//===- 32 bits ------------------------------------------------------------===//

typedef union Single {
  float value;
  uint32_t bits;
} Single;

#define SIGN32 (UINT32_C(1) << 31)
#define HIDDEN32 (UINT32_C(1) << 23)

static inline Single single_of(float value) { return (Single){.value = value}; }

static inline int32_t field32(Single a) {
  return (int32_t)(a.bits >> 23 & 255);
}

// Of normal numbers.
static inline int has_range32(int32_t field) {
  return field > 0 && field < 255;
}

static inline int are_normal32(Single a, Single b) {
  return has_range32(field32(a)) && has_range32(field32(b));
}

static inline int is_zero32(Single a) { return a.bits << 1 == 0; }

static inline uint32_t mantissa32(Single a) {
  return (a.bits & (HIDDEN32 - 1)) | HIDDEN32;
}

// Rounds a mantissa that has its top bit in bit 31 and a sticky last bit. The
// hidden bit, or a carry, adds one to the field.
static inline float rounded32(uint32_t sign, int32_t field, uint32_t mantissa) {
  uint32_t kept = mantissa >> 8, below = mantissa & 255;
  kept += below > 128 || (below == 128 && (kept & 1));
  Single result = {.bits = (sign | (uint32_t)(field - 1) << 23) + kept};
  return result.value;
}

// Of numbers that are not both normal.
static inline float rare_sum32(Single a, Single b) {
  if (is_zero32(a) && has_range32(field32(b)))
    return b.value;
  if (is_zero32(b) && has_range32(field32(a)))
    return a.value;
  return luna_any_sum32(a.value, b.value);
}

static inline float sum32(Single a, Single b) {
  if (!are_normal32(a, b))
    return rare_sum32(a, b);
  if (a.bits << 1 < b.bits << 1) {
    Single larger = b;
    b = a;
    a = larger;
  }
  // Six more bits are exact where the top bit may be lost, the last is sticky.
  int32_t field = field32(a), apart = field - field32(b);
  uint32_t left = mantissa32(a) << 6, right = mantissa32(b) << 6;
  right = apart > 31
              ? 1
              : right >> apart | ((right & ((UINT32_C(1) << apart) - 1)) != 0);
  uint32_t sum = (a.bits ^ b.bits) & SIGN32 ? left - right : left + right;
  if (sum == 0)
    return 0;
  int32_t up = __builtin_clz(sum);
  field += 2 - up;
  return has_range32(field) ? rounded32(a.bits & SIGN32, field, sum << up)
                            : luna_any_sum32(a.value, b.value);
}

float LUNA_SOFT(addsf3)(float a, float b) {
  return sum32(single_of(a), single_of(b));
}

float LUNA_SOFT(subsf3)(float a, float b) {
  Single negated = single_of(b);
  negated.bits ^= SIGN32;
  return sum32(single_of(a), negated);
}

// Of numbers that are not both normal.
static inline float rare_product32(Single a, Single b) {
  if ((is_zero32(a) && has_range32(field32(b))) ||
      (is_zero32(b) && has_range32(field32(a)))) {
    Single zero = {.bits = (a.bits ^ b.bits) & SIGN32};
    return zero.value;
  }
  return luna_any_product32(a.value, b.value);
}

float LUNA_SOFT(mulsf3)(float a, float b) {
  Single x = single_of(a), y = single_of(b);
  if (!are_normal32(x, y))
    return rare_product32(x, y);
  uint64_t product = luna_product64(mantissa32(x) << 8, mantissa32(y) << 8);
  int32_t up = product >> 63 ? 0 : 1;
  int32_t field = field32(x) + field32(y) - 126 - up;
  if (!has_range32(field))
    return luna_any_product32(a, b);
  product <<= up;
  return rounded32((x.bits ^ y.bits) & SIGN32, field,
                   (uint32_t)(product >> 32) | ((uint32_t)product != 0));
}

static inline float of_magnitude(uint32_t sign, uint32_t magnitude) {
  if (magnitude == 0)
    return 0;
  int32_t up = __builtin_clz(magnitude);
  return rounded32(sign, 127 + 31 - up, magnitude << up);
}

float LUNA_SOFT(floatunsisf)(uint32_t a) { return of_magnitude(0, a); }

float LUNA_SOFT(floatsisf)(int32_t a) {
  return of_magnitude(a < 0 ? SIGN32 : 0, a < 0 ? -(uint32_t)a : (uint32_t)a);
}

//===- 64 bits ------------------------------------------------------------===//

typedef union Wide {
  double value;
  uint64_t bits;
} Wide;

#define SIGN64 (UINT64_C(1) << 63)
#define HIDDEN64 (UINT64_C(1) << 52)

static inline Wide wide_of(double value) { return (Wide){.value = value}; }

static inline int32_t field64(Wide a) {
  return (int32_t)(uint32_t)(a.bits >> 32) >> 20 & 2047;
}

static inline int has_range64(int32_t field) {
  return field > 0 && field < 2047;
}

static inline int are_normal64(Wide a, Wide b) {
  return has_range64(field64(a)) && has_range64(field64(b));
}

static inline uint64_t mantissa64(Wide a) {
  return (a.bits & (HIDDEN64 - 1)) | HIDDEN64;
}

// As rounded32, the top bit in bit 63.
static inline double rounded64(uint64_t sign, int32_t field,
                               uint64_t mantissa) {
  uint64_t kept = mantissa >> 11;
  uint32_t below = (uint32_t)mantissa & 2047;
  kept += below > 1024 || (below == 1024 && (kept & 1));
  Wide result = {.bits = (sign | (uint64_t)(uint32_t)(field - 1) << 52) + kept};
  return result.value;
}

static inline double sum64(Wide a, Wide b) {
  if (!are_normal64(a, b))
    return luna_any_sum64(a.value, b.value);
  if (a.bits << 1 < b.bits << 1) {
    Wide larger = b;
    b = a;
    a = larger;
  }
  int32_t field = field64(a), apart = field - field64(b);
  uint64_t left = mantissa64(a) << 9, right = mantissa64(b) << 9;
  right = apart > 63
              ? 1
              : right >> apart | ((right & ((UINT64_C(1) << apart) - 1)) != 0);
  uint64_t sum = (a.bits ^ b.bits) & SIGN64 ? left - right : left + right;
  if (sum == 0)
    return 0;
  int32_t up = __builtin_clzll(sum);
  field += 2 - up;
  return has_range64(field) ? rounded64(a.bits & SIGN64, field, sum << up)
                            : luna_any_sum64(a.value, b.value);
}

double LUNA_SOFT(adddf3)(double a, double b) {
  return sum64(wide_of(a), wide_of(b));
}

double LUNA_SOFT(subdf3)(double a, double b) {
  Wide negated = wide_of(b);
  negated.bits ^= SIGN64;
  return sum64(wide_of(a), negated);
}

// The upper half of a product of 128 bits; the lower half is sticky.
static inline uint64_t upper_half(uint64_t a, uint64_t b) {
  uint32_t a_low = (uint32_t)a, a_high = (uint32_t)(a >> 32);
  uint32_t b_low = (uint32_t)b, b_high = (uint32_t)(b >> 32);
  uint64_t low = luna_product64(a_low, b_low);
  uint64_t middle = luna_product64(a_high, b_low) + (low >> 32);
  uint64_t other = luna_product64(a_low, b_high) + (uint32_t)middle;
  uint64_t high =
      luna_product64(a_high, b_high) + (middle >> 32) + (other >> 32);
  return high | (((uint32_t)other | (uint32_t)low) != 0);
}

double LUNA_SOFT(muldf3)(double a, double b) {
  Wide x = wide_of(a), y = wide_of(b);
  // One bit less than 64, so that the bit that may be lost is exact.
  uint64_t product = upper_half(mantissa64(x) << 11, mantissa64(y) << 11);
  int32_t up = product >> 63 ? 0 : 1;
  int32_t field = field64(x) + field64(y) - 1022 - up;
  return are_normal64(x, y) && has_range64(field)
             ? rounded64((x.bits ^ y.bits) & SIGN64, field, product << up)
             : luna_any_product64(a, b);
}

//===- From one to the other ----------------------------------------------===//

double LUNA_SOFT(extendsfdf2)(float a) {
  Single x = single_of(a);
  if (!has_range32(field32(x)))
    return luna_any_double_of(a);
  uint64_t size = (uint64_t)(x.bits & ~SIGN32) << 29;
  Wide result = {.bits = size + ((uint64_t)(1023 - 127) << 52)};
  result.bits |= (uint64_t)(x.bits & SIGN32) << 32;
  return result.value;
}

float LUNA_SOFT(truncdfsf2)(double a) {
  Wide x = wide_of(a);
  int32_t field = field64(x) - (1023 - 127);
  uint64_t mantissa = mantissa64(x) << 11;
  return has_range32(field) && has_range64(field64(x))
             ? rounded32((uint32_t)(x.bits >> 32) & SIGN32, field,
                         (uint32_t)(mantissa >> 32) | ((uint32_t)mantissa != 0))
             : luna_any_float_of(a);
}
