// Integers for sums and products of int8: each is held against ONNX's
// definition in f32 for all pairs.

#include <math.h>

#include "check.h"
#include "luna/pair_search.h"

static LunaPairResults wanted;

// A sum or product of numbers of these scales in steps of `unit`, rounded half
// to even.
static void want(LunaPairKind kind, float lhs, float rhs, float unit) {
  for (int i = 0; i < LUNA_PAIR_VALUES; ++i)
    for (int k = 0; k < LUNA_PAIR_VALUES; ++k) {
      float a = (float)(i + LUNA_PAIR_LOWEST) * lhs;
      float b = (float)(k + LUNA_PAIR_LOWEST) * rhs;
      float value = kind == LUNA_PAIR_ADD   ? a + b
                    : kind == LUNA_PAIR_SUB ? a - b
                                            : a * b;
      value = rintf(value / unit);
      wanted.of[i][k] = (int8_t)fminf(fmaxf(value, -128.0f), 127.0f);
    }
}

// Operands in units of `step`.
static LunaPairForm form_of(LunaPairKind kind, float lhs, float rhs, float unit,
                            double step) {
  LunaPairForm form = {.kind = kind, .low = -128, .high = 127};
  form.inputs[0] = luna_quantize_multiplier((double)lhs / step);
  form.inputs[1] = luna_quantize_multiplier((double)rhs / step);
  form.output = luna_quantize_multiplier(step / (double)unit);
  return form;
}

static double half_step(float larger) { return ldexp((double)larger, -19); }

static void rescale_is_that_of_tosa(void) {
  int64_t scaled;
  LunaMultiplier half = {INT32_C(1) << 30, 0}, quarter = {INT32_C(1) << 30, -1};
  CHECK(luna_rescale(half, false, 3, &scaled));
  CHECK_EQ(scaled, 2);
  CHECK(luna_rescale(half, false, -3, &scaled));
  CHECK_EQ(scaled, -1);
  CHECK(luna_rescale(quarter, false, 1, &scaled));
  CHECK_EQ(scaled, 0);
  // The first of two roundings makes one half of one quarter.
  CHECK(luna_rescale(quarter, true, 1, &scaled));
  CHECK_EQ(scaled, 1);
  CHECK(luna_rescale(quarter, true, -2, &scaled));
  CHECK_EQ(scaled, -1);
}

static void rescale_refuses_what_tosa_leaves_undefined(void) {
  int64_t scaled;
  CHECK(!luna_rescale((LunaMultiplier){0, 0}, false, 1, &scaled));
  CHECK(!luna_rescale((LunaMultiplier){INT32_MAX, 30}, false, 1, &scaled));
  CHECK(!luna_rescale((LunaMultiplier){INT32_MAX, -32}, false, 1, &scaled));
  CHECK(!luna_rescale((LunaMultiplier){INT32_MAX, 21}, false, 512, &scaled));
  CHECK(luna_rescale((LunaMultiplier){INT32_MAX, 21}, false, 511, &scaled));
}

static void most_scales_suit_at_once(void) {
  int64_t work = 0;
  want(LUNA_PAIR_SUB, 0.03113527f, 0.01731942f, 0.04025373f);
  LunaPairForm form = form_of(LUNA_PAIR_SUB, 0.03113527f, 0.01731942f,
                              0.04025373f, half_step(0.03113527f));
  CHECK(luna_pair_suits(&form, &wanted, &work));
  CHECK(work > LUNA_PAIR_VALUES * LUNA_PAIR_VALUES);
  form.kind = LUNA_PAIR_ADD;
  CHECK(!luna_pair_suits(&form, &wanted, &work));
}

static void products_suit_unscaled(void) {
  int64_t work = 0;
  LunaPairForm form = {.kind = LUNA_PAIR_MUL,
                       .is_unscaled = true,
                       .inputs = {LUNA_PAIR_UNSCALED, LUNA_PAIR_UNSCALED},
                       .low = -128,
                       .high = 127};
  want(LUNA_PAIR_MUL, 0.03113527f, 0.003921569f, 0.02971865f);
  form.output = luna_quantize_multiplier(
      (double)0.03113527f * (double)0.003921569f / (double)0.02971865f);
  CHECK(luna_pair_suits(&form, &wanted, &work));
}

static void near_ties_are_met_by_multipliers_close_by(void) {
  int64_t work = 0;
  int found = 0;
  for (int i = 0; i < 40; ++i) {
    float lhs = 0.03113527f + 0.0007f * (float)i, rhs = 0.02174613f,
          unit = 0.03730841f;
    want(LUNA_PAIR_ADD, lhs, rhs, unit);
    LunaPairForm form = form_of(LUNA_PAIR_ADD, lhs, rhs, unit, half_step(lhs));
    const LunaPairForm given = form;
    if (luna_pair_suits(&form, &wanted, &work))
      continue;
    if (!luna_pair_seek(&form, &wanted, &work))
      continue;
    ++found;
    CHECK(luna_pair_suits(&form, &wanted, &work));
    CHECK(abs(form.output.multiplier - given.output.multiplier) < 512);
    CHECK_EQ(form.output.shift, given.output.shift);
  }
  CHECK(found > 0);
}

static void exact_ties_to_even_need_a_float(void) {
  int64_t work = 0;
  want(LUNA_PAIR_ADD, 0.5f, 0.25f, 1.0f);
  LunaPairForm form = form_of(LUNA_PAIR_ADD, 0.5f, 0.25f, 1.0f, 0.25);
  const LunaPairForm given = form;
  CHECK(!luna_pair_suits(&form, &wanted, &work));
  CHECK(!luna_pair_seek(&form, &wanted, &work));
  CHECK_EQ(form.output.multiplier, given.output.multiplier);
  CHECK_EQ(form.inputs[0].multiplier, given.inputs[0].multiplier);
  form.output_scale = 0.25f;
  CHECK(luna_pair_suits(&form, &wanted, &work));
}

static void search_ends_with_the_work_of_a_model(void) {
  int64_t work = LUNA_PAIR_MAX_WORK;
  want(LUNA_PAIR_ADD, 0.03113527f, 0.01731942f, 0.04025373f);
  LunaPairForm form = form_of(LUNA_PAIR_ADD, 0.03113527f, 0.01731942f,
                              0.04025373f, half_step(0.03113527f));
  CHECK(!luna_pair_seek(&form, &wanted, &work));
  CHECK_EQ(work, LUNA_PAIR_MAX_WORK);
}

int main(void) {
  RUN_TEST(rescale_is_that_of_tosa);
  RUN_TEST(rescale_refuses_what_tosa_leaves_undefined);
  RUN_TEST(most_scales_suit_at_once);
  RUN_TEST(products_suit_unscaled);
  RUN_TEST(near_ties_are_met_by_multipliers_close_by);
  RUN_TEST(exact_ties_to_even_need_a_float);
  RUN_TEST(search_ends_with_the_work_of_a_model);
  return 0;
}
