#include "luna/core_math.h"

#include <math.h>
#include <stdint.h>

#include "check.h"

// Numbers of every size against the C library in binary64, and the results of
// all targets against each other, by a sum of their bits.

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

static uint32_t check_function(float (*function)(float),
                               double (*wide)(double)) {
  uint32_t sum = 0;
  for (uint64_t bits = 0; bits <= UINT32_MAX; bits += STEP) {
    float x = float_of((uint32_t)bits), found = function(x);
    check_near(found, wide(x));
    if (!isnan(found))
      sum = sum * 31 + bits_of(found);
  }
  return sum;
}

static void exponentials_are_alike_everywhere(void) {
  CHECK_EQ(check_function(luna_expf, exp), 3142025676u);
}

static void tangents_are_alike_everywhere(void) {
  CHECK_EQ(check_function(luna_tanhf, tanh), 3157063797u);
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
  RUN_TEST(exponentials_are_alike_everywhere);
  RUN_TEST(tangents_are_alike_everywhere);
  RUN_TEST(ends_are_exact);
  return 0;
}
