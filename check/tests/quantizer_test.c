// What a luna.quantize gives: ties, bounds, parameters along dimensions.

#include "luna/quantizer.h"

#include <math.h>
#include <string.h>

#include "check.h"

static const LunaQuantizer plain = {
    .name = "q",
    .rank = 1,
    .dims = {1},
    .element_bytes = 1,
    .low = -128,
    .high = 127,
};

// Judges one number at scale 1 against one integer.
static LunaQuantizerTally judge_one(const LunaQuantizer *quantizer, double x,
                                    int8_t found) {
  LunaQuantizerTally tally = {.values = 0};
  const double scale = 1;
  luna_quantizer_judge(quantizer, &x, &scale, NULL, NULL, &found, &tally);
  return tally;
}

static void the_rounded_number_is_right(void) {
  LunaQuantizerTally tally = judge_one(&plain, 3.4, 3);
  CHECK_EQ(tally.values, 1);
  CHECK_EQ(tally.ties, 0);
  CHECK_EQ(tally.wrong, 0);
  tally = judge_one(&plain, 3.4, 4);
  CHECK_EQ(tally.wrong, 1);
  CHECK_EQ(tally.first, 0);
  CHECK_EQ(tally.found, 4);
  CHECK(tally.expected == 3.4);
}

// Within 2^-20 of the number, both sides of a tie are right; not further away.
static void both_sides_of_a_tie_are_right(void) {
  const double near = 0.9 * 4.5 / (1 << 20), far = 1.1 * 4.5 / (1 << 20);
  const double close[] = {4.5, 4.5 - near, 4.5 + near};
  for (int i = 0; i < 3; ++i)
    for (int8_t found = 3; found <= 6; ++found) {
      LunaQuantizerTally tally = judge_one(&plain, close[i], found);
      CHECK_EQ(tally.wrong, found == 3 || found == 6);
      CHECK_EQ(tally.ties, found == 4 || found == 5);
    }
  CHECK_EQ(judge_one(&plain, 4.5 - far, 5).wrong, 1);
  CHECK_EQ(judge_one(&plain, 4.5 + far, 4).wrong, 1);
  CHECK_EQ(judge_one(&plain, 4.5 - far, 4).ties, 0);
}

// Below a step the distance is that of a step.
static void ties_near_zero_are_as_wide(void) {
  const double near = 0.9 / (1 << 20), far = 1.1 / (1 << 20);
  CHECK_EQ(judge_one(&plain, 0.5 + near, 0).wrong, 0);
  CHECK_EQ(judge_one(&plain, 0.5 + far, 0).wrong, 1);
  CHECK_EQ(judge_one(&plain, -0.5 - near, 0).wrong, 0);
  CHECK_EQ(judge_one(&plain, -0.5 - far, 0).wrong, 1);
}

static void bounds_hide_ties(void) {
  CHECK_EQ(judge_one(&plain, 300.5, 127).ties, 0);
  CHECK_EQ(judge_one(&plain, 300.5, 126).wrong, 1);
  CHECK_EQ(judge_one(&plain, -INFINITY, -128).wrong, 0);
  LunaQuantizer clamped = plain;
  clamped.low = 0;
  clamped.high = 6;
  CHECK_EQ(judge_one(&clamped, -3, 0).wrong, 0);
  CHECK_EQ(judge_one(&clamped, 7.2, 6).wrong, 0);
  CHECK_EQ(judge_one(&clamped, 7.2, 7).wrong, 1);
}

static void nan_becomes_anything(void) {
  LunaQuantizerTally tally = judge_one(&plain, NAN, 77);
  CHECK_EQ(tally.values, 0);
  CHECK_EQ(tally.wrong, 0);
}

static void binary32_may_decide(void) {
  LunaQuantizerTally tally = {.values = 0};
  const double x = 9.25, scale = 1;
  const int8_t single = 11, others[] = {11, 10};
  for (int i = 0; i < 2; ++i)
    luna_quantizer_judge(&plain, &x, &scale, NULL, &single, &others[i], &tally);
  CHECK_EQ(tally.single, 1);
  CHECK_EQ(tally.wrong, 1);
  CHECK_EQ(tally.found, 10);
}

// Two rows with a scale each, three columns with a zero point each.
static const LunaQuantizer along = {
    .name = "along",
    .rank = 2,
    .dims = {2, 3},
    .scale_strides = {1, 0},
    .zero_strides = {0, 1},
    .element_bytes = 1,
    .is_unsigned = true,
    .low = 0,
    .high = 255,
};

static void parameters_go_along_dimensions(void) {
  const double x[] = {1, 1, 1, 2, 2, 2}, scales[] = {0.5, 2};
  const uint8_t zeros[] = {0, 100, 254};
  const uint8_t expected[] = {2, 102, 255, 1, 101, 255};
  uint8_t found[6];
  LunaQuantizerTally tally = {.values = 0};
  luna_quantizer_apply(&along, x, scales, zeros, true, found);
  CHECK(memcmp(found, expected, sizeof found) == 0);
  luna_quantizer_judge(&along, x, scales, zeros, NULL, found, &tally);
  CHECK_EQ(tally.values, 6);
  CHECK_EQ(tally.wrong, 0);
  found[4] = 102;
  luna_quantizer_judge(&along, x, scales, zeros, NULL, found, &tally);
  CHECK_EQ(tally.wrong, 1);
  CHECK_EQ(tally.first, 4);
  double numbers[6];
  luna_quantizer_dequantize(&along, expected, scales, zeros, true, numbers);
  CHECK(numbers[0] == 1 && numbers[1] == 1 && numbers[2] == 0.5);
  CHECK(numbers[3] == 2 && numbers[4] == 2 && numbers[5] == 2);
}

static void ties_round_as_asked(void) {
  const double x[] = {0.5, 1.5, -0.5, -1.5, 2.5}, scale = 1;
  const int8_t even[] = {0, 2, 0, -2, 2}, away[] = {1, 2, -1, -2, 3};
  const int8_t up[] = {1, 2, 0, -1, 3};
  LunaQuantizer quantizer = plain;
  quantizer.dims[0] = 5;
  int8_t found[5];
  luna_quantizer_apply(&quantizer, x, &scale, NULL, true, found);
  CHECK(memcmp(found, even, sizeof found) == 0);
  quantizer.ties = LUNA_TIES_AWAY;
  luna_quantizer_apply(&quantizer, x, &scale, NULL, true, found);
  CHECK(memcmp(found, away, sizeof found) == 0);
  quantizer.ties = LUNA_TIES_UP;
  luna_quantizer_apply(&quantizer, x, &scale, NULL, true, found);
  CHECK(memcmp(found, up, sizeof found) == 0);
}

static void binary32_is_computed_as_such(void) {
  LunaQuantizer wide = plain;
  wide.element_bytes = 4;
  const int32_t integer = 16777217;
  const float scale = 1;
  float number = 0;
  luna_quantizer_dequantize(&wide, &integer, &scale, NULL, false, &number);
  CHECK(number == 16777216.0F);
}

int main(void) {
  RUN_TEST(the_rounded_number_is_right);
  RUN_TEST(both_sides_of_a_tie_are_right);
  RUN_TEST(ties_near_zero_are_as_wide);
  RUN_TEST(bounds_hide_ties);
  RUN_TEST(nan_becomes_anything);
  RUN_TEST(binary32_may_decide);
  RUN_TEST(parameters_go_along_dimensions);
  RUN_TEST(ties_round_as_asked);
  RUN_TEST(binary32_is_computed_as_such);
  return 0;
}
