#include "luna/core_math.h"

#include <math.h>
#include <stdint.h>

#include "check.h"
#include "tile_random.h"

// Numbers of every size against the C library in binary64, and the results of
// all targets against each other, by a sum of their bits. A core that computes
// binary64 in software is built with LUNA_TEST_SUMS_ONLY: the same sums stand
// for the same results, which this computer has compared.

#ifdef LUNA_TEST_SUMS_ONLY
enum { COMPARES_WIDE = 0 };
#else
enum { COMPARES_WIDE = 1 };
#endif

enum { STEP = 65537 };

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// The place of a number among all, so that neighbours are 1 apart.
static int64_t place_of(float value) {
  uint32_t bits = bits_of(value);
  int64_t size = bits & 0x7fffffff;
  return bits >> 31 ? -size : size;
}

static void check_near(float found, double expected) {
  if (isnan(expected)) {
    CHECK(isnan(found));
    return;
  }
  int64_t away = place_of(found) - place_of((float)expected);
  CHECK(away >= -1 && away <= 1);
}

static uint32_t add_bits(uint32_t sum, float found) {
  return isnan(found) ? sum : sum * 31 + bits_of(found);
}

static uint32_t check_function(float (*function)(float),
                               double (*wide)(double)) {
  uint32_t sum = 0;
  for (uint64_t bits = 0; bits <= UINT32_MAX; bits += STEP) {
    float x = float_of((uint32_t)bits), found = function(x);
    if (COMPARES_WIDE)
      check_near(found, wide(x));
    sum = add_bits(sum, found);
  }
  return sum;
}

// Pairs of which one is often an end of all numbers, small or whole.
static float any_number(Random *random) {
  static const float ends[] = {0,   -0.0f,  1,        -1,       2,
                               -3,  0.5f,   1e38f,    INFINITY, -INFINITY,
                               NAN, 1e-45f, 16777217, 3,        0.1f};
  uint32_t bits = (uint32_t)random_in(random, 0, 0xffff) << 16 |
                  (uint32_t)random_in(random, 0, 0xffff);
  switch (random_in(random, 0, 3)) {
  case 0:
    return ends[random_in(random, 0, sizeof ends / sizeof ends[0] - 1)];
  case 1:
    return (float)random_in(random, -40, 40);
  case 2:
    return (float)random_in(random, -4000, 4000) / 256;
  default:
    return float_of(bits);
  }
}

static uint32_t check_function_of_two(float (*function)(float, float),
                                      double (*wide)(double, double)) {
  Random random = {.state = 61};
  uint32_t sum = 0;
  for (int i = 0; i < 200000; ++i) {
    float x = any_number(&random), y = any_number(&random);
    float found = function(x, y);
    if (COMPARES_WIDE)
      check_near(found, wide(x, y));
    sum = add_bits(sum, found);
  }
  return sum;
}

// In the order of luna/core_math.def.
static const uint32_t sums[] = {
    42006672u,   2012680999u, 246139399u,  4230634617u, 3223249527u,
    91993352u,   2122081642u, 2766753900u, 241580484u,  879579590u,
    3142025676u, 396784203u,  2688740235u, 1322937537u, 3527245253u,
    2040581177u, 826813328u,  2634207820u, 1164013981u, 2055068981u,
    3157063797u};

static const struct {
  float (*function)(float);
  double (*wide)(double);
} functions[] = {
#define LUNA_CORE_MATH(name) {luna_##name##f, name},
#include "luna/core_math.def"
};

static void functions_are_alike_everywhere(void) {
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i)
    CHECK_EQ(check_function(functions[i].function, functions[i].wide), sums[i]);
}

static void functions_of_two_are_alike_everywhere(void) {
  CHECK_EQ(check_function_of_two(luna_atan2f, atan2), 3540645191u);
  CHECK_EQ(check_function_of_two(luna_powf, pow), 769554139u);
}

static void ends_are_exact(void) {
  CHECK_EQ(bits_of(luna_expf(0.0f)), bits_of(1.0f));
  CHECK(isinf(luna_expf(88.8f)));
  CHECK_EQ(bits_of(luna_expf(-INFINITY)), 0);
  CHECK(luna_expf(88.7228f) < INFINITY);
  CHECK_EQ(bits_of(luna_expf(-103.9f)), 1);
  CHECK_EQ(bits_of(luna_tanhf(-0.0f)), bits_of(-0.0f));
  CHECK_EQ(bits_of(luna_tanhf(-INFINITY)), bits_of(-1.0f));
}

int main(void) {
  RUN_TEST(functions_are_alike_everywhere);
  RUN_TEST(functions_of_two_are_alike_everywhere);
  RUN_TEST(ends_are_exact);
  return 0;
}
