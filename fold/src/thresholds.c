#include "luna/thresholds.h"

#include <math.h>
#include <string.h>

enum {
  EXPONENT_BIAS = 127,
  MANTISSA_BITS = 23,
  FIXED_BITS = 16,  // of the magnitude in fixed point
  FACTOR_BITS = 15, // of what it is multiplied by
  SHIFT_MAX = 31,
};

static float clamp(float x, float low, float high) {
  return fminf(fmaxf(x, low), high);
}

int32_t luna_quantize(const LunaQuantizer *q, float x) {
  float whole = luna_round_f32(x / q->scale, q->ties);
  return (int32_t)clamp(whole + q->zero, q->low, q->high);
}

int32_t luna_ordered_bits(float x) {
  int32_t bits = 0;
  memcpy(&bits, &x, sizeof bits);
  return bits < 0 ? bits ^ INT32_MAX : bits;
}

static float number_of(int32_t ordered) {
  int32_t bits = ordered < 0 ? ordered ^ INT32_MAX : ordered;
  float x = 0;
  memcpy(&x, &bits, sizeof x);
  return x;
}

// Returns the ordered bits of the least number that gives at least `value`,
// which lies between `first` and infinity.
static int32_t start_of(const LunaQuantizer *q, int32_t value, int32_t first) {
  int64_t below = (int64_t)first - 1, above = luna_ordered_bits(INFINITY);
  while (above - below > 1) {
    int64_t middle = below + (above - below) / 2;
    if (luna_quantize(q, number_of((int32_t)middle)) >= value)
      above = middle;
    else
      below = middle;
  }
  return (int32_t)above;
}

// Fills in the starts of all steps, and what nothing is below and above.
static void find_starts(const LunaQuantizer *q, LunaThresholds *t) {
  int32_t steps = (int32_t)(q->high - q->low);
  int32_t start = luna_ordered_bits(-INFINITY);
  t->count = 0;
  t->starts[t->count++] = INT32_MIN;
  t->starts[t->count++] = INT32_MIN;
  for (int32_t step = 1; step <= steps; ++step) {
    start = start_of(q, t->low + step, start);
    t->starts[t->count++] = start;
  }
  t->starts[t->count++] = INT32_MAX;
  t->starts[t->count++] = INT32_MAX;
  t->least = t->starts[2] - 1;
  t->most = start;
}

static int32_t magnitude_of(int32_t ordered) { return ordered ^ ordered >> 31; }

static int32_t exponent_of(int32_t ordered) {
  return magnitude_of(ordered) >> MANTISSA_BITS;
}

// Chooses a factor that maps the larger of both ends into FIXED_BITS: the
// magnitude is f * 2^(exponent - EXPONENT_BIAS - MANTISSA_BITS).
static bool choose_factor(const LunaQuantizer *q, LunaThresholds *t) {
  int32_t low = exponent_of(t->least), high = exponent_of(t->most);
  t->exponent = (low > high ? low : high) + MANTISSA_BITS + 1 - FIXED_BITS;
  int power = 0;
  double unit = ldexp(1.0, t->exponent - EXPONENT_BIAS - MANTISSA_BITS);
  double mantissa = frexp(unit / (double)q->scale, &power);
  t->factor = (int32_t)ldexp(mantissa, FACTOR_BITS);
  t->shift = FACTOR_BITS - power;
  t->bias = 1 + (int32_t)(q->zero - q->low);
  return t->shift >= 0 && t->shift <= SHIFT_MAX;
}

static int32_t guess_of(const LunaThresholds *t, int32_t ordered) {
  const int32_t hidden = INT32_C(1) << MANTISSA_BITS;
  int32_t bits = magnitude_of(ordered), sign = ordered >> 31;
  int32_t down = t->exponent - (bits >> MANTISSA_BITS);
  int32_t fixed =
      ((bits & (hidden - 1)) | hidden) >> (down < SHIFT_MAX ? down : SHIFT_MAX);
  int32_t product = fixed * t->factor >> t->shift;
  return ((product ^ sign) - sign) + t->bias;
}

int32_t luna_thresholds_apply(const LunaThresholds *t, int32_t bits) {
  bits = bits < t->least ? t->least : bits > t->most ? t->most : bits;
  int32_t guess = guess_of(t, bits);
  return t->low + guess - 1 - (bits < t->starts[guess]) +
         (bits >= t->starts[guess + 1]);
}

// The guess grows with the bits: if it is right at both ends of a step, it is
// inside.
static bool is_near(const LunaThresholds *t) {
  int32_t steps = (int32_t)t->count - 4;
  for (int32_t step = 0; step <= steps; ++step) {
    int32_t first = step > 0 ? t->starts[step + 1] : t->least;
    int32_t last = step < steps ? t->starts[step + 2] - 1 : t->most;
    if (first > last)
      continue;
    int32_t low = guess_of(t, first) - 1, high = guess_of(t, last) - 1;
    if (low < step - 1 || high > step + 1)
      return false;
  }
  return true;
}

bool luna_thresholds_find(const LunaQuantizer *q, LunaThresholds *t) {
  float steps = q->high - q->low;
  if (!(q->scale > 0) || !isfinite(q->scale) || !(steps >= 1) ||
      !(steps <= LUNA_THRESHOLDS_STEPS))
    return false;
  t->low = (int32_t)q->low;
  find_starts(q, t);
  return choose_factor(q, t) && is_near(t);
}
