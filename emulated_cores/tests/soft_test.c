// The routines that a core's compiler calls, against this processor, on random
// bits and on the ends of each format.

#include "soft.h"

#include <math.h>

#include "check.h"
#include "tile_random.h"

float luna_soft_addsf3(float a, float b);
float luna_soft_subsf3(float a, float b);
float luna_soft_mulsf3(float a, float b);
double luna_soft_adddf3(double a, double b);
double luna_soft_subdf3(double a, double b);
double luna_soft_muldf3(double a, double b);
double luna_soft_divdf3(double a, double b);
float luna_soft_floatsisf(int32_t a);
float luna_soft_floatunsisf(uint32_t a);
double luna_soft_floatsidf(int32_t a);
double luna_soft_floatunsidf(uint32_t a);
double luna_soft_extendsfdf2(float a);
float luna_soft_truncdfsf2(double a);
int32_t luna_soft_fixdfsi(double a);
uint32_t luna_soft_fixunsdfsi(double a);
uint32_t luna_soft_fixunssfsi(float a);
uint32_t luna_soft_udivsi3(uint32_t a, uint32_t b);
uint32_t luna_soft_umodsi3(uint32_t a, uint32_t b);
int32_t luna_soft_divsi3(int32_t a, int32_t b);
int32_t luna_soft_modsi3(int32_t a, int32_t b);
uint64_t luna_soft_muldi3(uint64_t a, uint64_t b);
uint64_t luna_soft_udivdi3(uint64_t a, uint64_t b);
uint64_t luna_soft_umoddi3(uint64_t a, uint64_t b);
int64_t luna_soft_divdi3(int64_t a, int64_t b);
int64_t luna_soft_moddi3(int64_t a, int64_t b);

enum { ROUNDS = 300000 };

static uint64_t any_bits(Random *random) {
  uint64_t bits = 0;
  for (int i = 0; i < 3; ++i)
    bits = bits << 24 ^ (uint64_t)random_in(random, 0, (1 << 24) - 1);
  return bits;
}

// Random fraction; the exponent often near that of other numbers, near an end,
// or the fraction short, so that sums cancel and halves occur.
static double any_double(Random *random) {
  uint64_t bits = any_bits(random);
  int32_t choice = random_in(random, 0, 7);
  if (choice < 3)
    bits = (bits & ~(UINT64_C(0x7ff) << 52)) |
           (uint64_t)random_in(random, 1000, 1060) << 52;
  else if (choice == 3)
    bits &= ~(UINT64_C(0x7ff) << 52); // subnormal
  else if (choice == 4)
    bits |= UINT64_C(0x7fe) << 52;
  if (random_in(random, 0, 2) == 0)
    bits &= ~((UINT64_C(1) << random_in(random, 20, 52)) - 1);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static float any_float(Random *random) {
  uint32_t bits = (uint32_t)any_bits(random);
  int32_t choice = random_in(random, 0, 7);
  if (choice < 3)
    bits = (bits & ~(UINT32_C(0xff) << 23)) |
           (uint32_t)random_in(random, 110, 150) << 23;
  else if (choice == 3)
    bits &= ~(UINT32_C(0xff) << 23);
  else if (choice == 4)
    bits |= UINT32_C(0xfe) << 23;
  if (random_in(random, 0, 2) == 0)
    bits &= ~((UINT32_C(1) << random_in(random, 5, 23)) - 1);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void same_double(double found, double expected) {
  if (isnan(found) && isnan(expected))
    return;
  uint64_t a, b;
  memcpy(&a, &found, sizeof a);
  memcpy(&b, &expected, sizeof b);
  CHECK_EQ(a, b);
}

static void same_float(float found, float expected) {
  if (isnan(found) && isnan(expected))
    return;
  uint32_t a, b;
  memcpy(&a, &found, sizeof a);
  memcpy(&b, &expected, sizeof b);
  CHECK_EQ(a, b);
}

static void floats_round_as_the_processor_does(void) {
  Random random = {.state = 41};
  for (int i = 0; i < ROUNDS; ++i) {
    float a = any_float(&random), b = any_float(&random);
    same_float(luna_soft_addsf3(a, b), a + b);
    same_float(luna_soft_subsf3(a, b), a - b);
    same_float(luna_soft_mulsf3(a, b), a * b);
    same_double(luna_soft_extendsfdf2(a), (double)a);
  }
}

static void doubles_round_as_the_processor_does(void) {
  Random random = {.state = 43};
  for (int i = 0; i < ROUNDS; ++i) {
    double a = any_double(&random), b = any_double(&random);
    same_double(luna_soft_adddf3(a, b), a + b);
    same_double(luna_soft_subdf3(a, b), a - b);
    same_double(luna_soft_muldf3(a, b), a * b);
    same_double(luna_soft_divdf3(a, b), a / b);
    same_float(luna_soft_truncdfsf2(a), (float)a);
  }
}

static void ends_of_formats_are_exact(void) {
  static const double ends[] = {0.0,
                                -0.0,
                                1.0,
                                -1.0,
                                0.5,
                                INFINITY,
                                -INFINITY,
                                NAN,
                                5e-324,
                                2.2250738585072014e-308,
                                1.7976931348623157e308,
                                3.4028235677973366e38,
                                1.401298464324817e-45,
                                7.006492321624085e-46};
  enum { COUNT = sizeof ends / sizeof ends[0] };
  for (int i = 0; i < COUNT; ++i)
    for (int k = 0; k < COUNT; ++k) {
      same_double(luna_soft_adddf3(ends[i], ends[k]), ends[i] + ends[k]);
      same_double(luna_soft_muldf3(ends[i], ends[k]), ends[i] * ends[k]);
      same_double(luna_soft_divdf3(ends[i], ends[k]), ends[i] / ends[k]);
      same_float(luna_soft_truncdfsf2(ends[i]), (float)ends[i]);
    }
}

static void numbers_convert_towards_zero(void) {
  Random random = {.state = 47};
  for (int i = 0; i < ROUNDS; ++i) {
    uint32_t bits = (uint32_t)any_bits(&random) >> random_in(&random, 0, 31);
    int32_t number;
    memcpy(&number, &bits, sizeof number);
    same_float(luna_soft_floatsisf(number), (float)number);
    same_float(luna_soft_floatunsisf(bits), (float)bits);
    same_double(luna_soft_floatsidf(number), (double)number);
    same_double(luna_soft_floatunsidf(bits), (double)bits);
    double value = number / 16.0, positive = bits / 16.0;
    CHECK_EQ(luna_soft_fixdfsi(value), (int32_t)value);
    CHECK_EQ(luna_soft_fixunsdfsi(positive), (uint32_t)positive);
    float rounded = (float)positive;
    CHECK_EQ(luna_soft_fixunssfsi(rounded), (uint32_t)rounded);
  }
  CHECK_EQ(luna_soft_fixdfsi(-2147483648.0), INT32_MIN);
  CHECK_EQ(luna_soft_fixdfsi(1e-300), 0);
}

static void integers_multiply_and_divide(void) {
  Random random = {.state = 53};
  for (int i = 0; i < ROUNDS; ++i) {
    uint64_t a = any_bits(&random) >> random_in(&random, 0, 63);
    uint64_t b = any_bits(&random) >> random_in(&random, 0, 63) | 1;
    int64_t c = (int64_t)a, d = (int64_t)b;
    CHECK_EQ(luna_soft_muldi3(a, b), a * b);
    CHECK_EQ(luna_soft_udivdi3(a, b), a / b);
    CHECK_EQ(luna_soft_umoddi3(a, b), a % b);
    CHECK_EQ(luna_soft_divdi3(c, d), c / d);
    CHECK_EQ(luna_soft_moddi3(c, d), c % d);
    uint32_t e = (uint32_t)a, f = (uint32_t)b;
    int32_t g = (int32_t)e / 2, h = (int32_t)f;
    CHECK_EQ(luna_soft_udivsi3(e, f), e / f);
    CHECK_EQ(luna_soft_umodsi3(e, f), e % f);
    CHECK_EQ(luna_soft_divsi3(g, h), g / h);
    CHECK_EQ(luna_soft_modsi3(g, h), g % h);
  }
}

int main(void) {
  RUN_TEST(floats_round_as_the_processor_does);
  RUN_TEST(doubles_round_as_the_processor_does);
  RUN_TEST(ends_of_formats_are_exact);
  RUN_TEST(numbers_convert_towards_zero);
  RUN_TEST(integers_multiply_and_divide);
  return 0;
}
