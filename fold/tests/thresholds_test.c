// Quantisation by integers: held against the definition in binary32 at both
// ends of each step, at every kind of number, and at random.

#include "luna/thresholds.h"

#include <math.h>
#include <string.h>

#include "check.h"

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t count) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)(random_state >> 16) % count;
}

static int32_t bits_of(float x) {
  int32_t bits = 0;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static float number_of(int32_t bits) {
  float x = 0;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static void check_number(const LunaQuantizer *q, const LunaThresholds *t,
                         float x) {
  CHECK_EQ(luna_thresholds_apply(t, luna_ordered_bits(x)), luna_quantize(q, x));
}

static void check_around(const LunaQuantizer *q, const LunaThresholds *t,
                         float x) {
  check_number(q, t, x);
  check_number(q, t, nextafterf(x, -INFINITY));
  check_number(q, t, nextafterf(x, INFINITY));
}

static void check_all(const LunaQuantizer *q, const LunaThresholds *t) {
  int32_t last = (int32_t)(q->high - q->zero) + 2;
  for (int32_t k = (int32_t)(q->low - q->zero) - 2; k <= last; ++k) {
    check_around(q, t, (float)k * q->scale);
    check_around(q, t, ((float)k + 0.5f) * q->scale);
  }
  for (int32_t exponent = 0; exponent < 255; ++exponent) {
    check_around(q, t, number_of(exponent << 23));
    check_around(q, t, -number_of(exponent << 23));
  }
  check_number(q, t, INFINITY);
  check_number(q, t, -INFINITY);
  check_number(q, t, -0.0f);
  for (int i = 0; i < 2000; ++i) {
    float x = number_of((int32_t)random_below(UINT32_MAX));
    if (!isnan(x))
      check_number(q, t, x);
  }
}

static void order_is_that_of_numbers(void) {
  const float rising[] = {-INFINITY, -1e30f, -1, -1e-40f, -0.0f,   0.0f,
                          1e-40f,    1,      2,  1e30f,   INFINITY};
  for (size_t i = 1; i < sizeof rising / sizeof rising[0]; ++i)
    CHECK(luna_ordered_bits(rising[i - 1]) < luna_ordered_bits(rising[i]));
  CHECK_EQ(luna_ordered_bits(-0.0f) + 1, luna_ordered_bits(0.0f));
}

static void common_scales_are_exact(void) {
  const LunaQuantizer quantizers[] = {
      {.scale = 0.00784314f,
       .zero = -1,
       .low = -128,
       .high = 127,
       .ties = LUNA_TIES_AWAY},
      {.scale = 1.0f / 255, .zero = -128, .low = -128, .high = 127},
      {.scale = 1, .low = -128, .high = 127, .ties = LUNA_TIES_AWAY},
      {.scale = 0.05f, .zero = 3, .low = 0, .high = 255},
      {.scale = 0.25f, .low = 0, .high = 1},
      {.scale = 1e-30f,
       .zero = 255,
       .low = 0,
       .high = 255,
       .ties = LUNA_TIES_AWAY},
      {.scale = 1e30f, .zero = -128, .low = -128, .high = 127},
      {.scale = 1.0f / 128, .low = -128, .high = 127, .ties = LUNA_TIES_UP},
      {.scale = 0.3f, .zero = 7, .low = 0, .high = 255, .ties = LUNA_TIES_UP},
  };
  for (size_t i = 0; i < sizeof quantizers / sizeof quantizers[0]; ++i) {
    LunaThresholds t;
    CHECK(luna_thresholds_find(&quantizers[i], &t));
    check_all(&quantizers[i], &t);
  }
}

static void random_scales_are_exact(void) {
  int found = 0;
  for (int i = 0; i < 300; ++i) {
    int32_t low = -(int32_t)random_below(129);
    int32_t high = low + 1 + (int32_t)random_below(255);
    LunaQuantizer q = {
        .scale = number_of((int32_t)random_below(0x7f800000)),
        .low = (float)low,
        .high = (float)high,
        .zero =
            (float)(low + (int32_t)random_below((uint32_t)(high - low) + 1)),
        .ties = (LunaTies)random_below(3),
    };
    LunaThresholds t;
    if (!luna_thresholds_find(&q, &t))
      continue;
    ++found;
    check_all(&q, &t);
  }
  CHECK(found > 250); // but near the ends of binary32
}

static void a_nan_counts_as_infinite(void) {
  LunaQuantizer q = {.scale = 0.1f, .low = -128, .high = 127};
  LunaThresholds t;
  CHECK(luna_thresholds_find(&q, &t));
  CHECK_EQ(luna_thresholds_apply(&t, bits_of(NAN) & INT32_MAX), 127);
  CHECK_EQ(luna_thresholds_apply(&t, INT32_MIN), -128);
}

static void what_is_no_staircase_is_refused(void) {
  LunaThresholds t;
  const LunaQuantizer refused[] = {
      {.scale = 0, .low = -128, .high = 127},
      {.scale = -1, .low = -128, .high = 127},
      {.scale = INFINITY, .low = -128, .high = 127},
      {.scale = NAN, .low = -128, .high = 127},
      {.scale = 1, .low = 5, .high = 5},
      {.scale = 1, .low = -128, .high = 128},
      {.scale = 1e-44f, .low = -128, .high = 127},
  };
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i)
    CHECK(!luna_thresholds_find(&refused[i], &t));
}

int main(void) {
  RUN_TEST(order_is_that_of_numbers);
  RUN_TEST(common_scales_are_exact);
  RUN_TEST(random_scales_are_exact);
  RUN_TEST(a_nan_counts_as_infinite);
  RUN_TEST(what_is_no_staircase_is_refused);
  return 0;
}
