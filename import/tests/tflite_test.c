// The TensorFlow Lite reader on small models of our own: what it computes, and
// what it says of damaged files.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../tflite/tflite_fixed.h"
#include "check.h"
#include "luna/import.h"
#include "luna/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "reference_fixture.h"

static MlirContext context;

static void read_model(const char *name, LunaText *text) {
  LunaText path = {0};
  LunaError error = {0};
  luna_text_printf(&path, "%s/%s.tflite", LUNA_TEST_MODELS, name);
  CHECK(luna_text_read_file(text, path.data, 1 << 20, &error));
  luna_text_deinit(&path);
}

static void open_model(const char *name, LunaReference *reference) {
  LunaText text = {0};
  LunaError error = {0};
  MlirModule module;
  read_model(name, &text);
  if (!luna_import_tflite(context, text.data, text.length, NULL, &module,
                          &error)) {
    fprintf(stderr, "%s: %s\n", name, error.message);
    exit(1);
  }
  CHECK(open_reference(reference, module));
  luna_text_deinit(&text);
  mlirModuleDestroy(module);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static void multipliers_have_31_bits(void) {
  LunaMultiplier half = luna_quantize_multiplier(0.5);
  CHECK_EQ(half.multiplier, 1 << 30);
  CHECK_EQ(half.shift, 0);
  LunaMultiplier third = luna_quantize_multiplier(1.0 / 3);
  CHECK_EQ(third.multiplier, 1431655765);
  CHECK_EQ(third.shift, -1);
  // Rounds up to the next power of two.
  LunaMultiplier almost = luna_quantize_multiplier(1 - 1e-12);
  CHECK_EQ(almost.multiplier, 1 << 30);
  CHECK_EQ(almost.shift, 1);
  CHECK_EQ(luna_quantize_multiplier(ldexp(1, -33)).multiplier, 0);
  CHECK_EQ(luna_quantize_multiplier(0).multiplier, 0);
  CHECK_EQ(luna_quantize_multiplier(-1).multiplier, 0);
}

static void products_round_twice(void) {
  // 5 / 8: the product rounds to 5, the shift 0.625 to 1.
  LunaMultiplier eighth = {1 << 30, -2};
  CHECK_EQ(luna_fixed_multiply(5, eighth), 1);
  CHECK_EQ(luna_fixed_multiply(-5, eighth), -1);
  // 3.5 / 4: 3.5 rounds to 4 first, 1 and not 0.875.
  CHECK_EQ(luna_fixed_multiply(7, (LunaMultiplier){1 << 30, -2}), 1);
  // Ties of the shift go away from zero.
  CHECK_EQ(luna_fixed_divide_by_pot(6, 2), 2);
  CHECK_EQ(luna_fixed_divide_by_pot(-6, 2), -2);
  CHECK_EQ(luna_fixed_high_mul(INT32_MIN, INT32_MIN), INT32_MAX);
}

static void fixed_point_functions_follow_the_real_ones(void) {
  const double one = 2147483648.0;
  CHECK_EQ(luna_fixed_exp(0), INT32_MAX);
  CHECK_EQ(luna_fixed_logistic(0), 1 << 30);
  CHECK_EQ(luna_fixed_tanh(0), 0);
  for (int i = -25; i <= 25; ++i) {
    double x = 0.31 * i;
    int32_t q27 = (int32_t)(x * (1 << 27));
    double sigmoid = 1 / (1 + exp(-x));
    CHECK(fabs(luna_fixed_logistic(q27) / one - sigmoid) < 1e-6);
    CHECK(fabs(luna_fixed_tanh(q27) / one - tanh(x)) < 1e-6);
    if (x < 0)
      CHECK(fabs(luna_fixed_exp((int32_t)(x * (1 << 26))) / one - exp(x)) <
            1e-6);
  }
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

static void loop_doubles_until_over_100(void) {
  LunaReference reference;
  open_model("count", &reference);
  int32_t value = 7;
  memcpy(reference.values[0].data, &value, 4);
  run_reference(&reference);
  memcpy(&value, reference.values[1].data, 4);
  CHECK_EQ(value, 112);
  luna_reference_destroy(&reference);
}

static void run_gate(LunaReference *reference, int8_t first,
                     const uint8_t expected[4]) {
  int8_t input[4] = {first, 1, 1, 1};
  memcpy(reference->values[0].data, input, 4);
  run_reference(reference);
  for (int i = 0; i < 4; ++i)
    CHECK_EQ(reference->values[reference->argument_count].data[i], expected[i]);
}

static void variable_keeps_its_value_across_calls_and_branches(void) {
  LunaReference reference;
  open_model("gate", &reference);
  CHECK_EQ(reference.argument_count, 2);
  CHECK_STR(reference.values[1].state, "sum");
  // Starts with 1 2 3 4; the output is the sum so far, or the input as it is.
  run_gate(&reference, 5, (const uint8_t[4]){134, 131, 132, 133});
  run_gate(&reference, -5, (const uint8_t[4]){123, 129, 129, 129});
  run_gate(&reference, 1, (const uint8_t[4]){135, 132, 133, 134});
  luna_reference_destroy(&reference);
}

static void tables_hold_every_value_of_an_activation(void) {
  LunaReference reference;
  open_model("tables", &reference);
  for (int i = 0; i < 256; ++i)
    reference.values[0].data[i] = (uint8_t)(i - 128);
  run_reference(&reference);
  for (int i = 0; i < 256; ++i) {
    double x = 0.05 * (i - 128 - 10);
    double swish = x * fmin(6, fmax(0, x + 3)) / 6;
    double wanted[6] = {
        256 / (1 + exp(-x)) - 128, 128 * tanh(x),
        swish / 0.04 - 100,        (x < 0 ? 0.1 * x : x) / 0.06 + 3,
        fmax(0, x) / 0.03 - 20,    fmin(6, fmax(0, x)) / 0.05 + 10};
    for (int k = 0; k < 6; ++k) {
      double found = (int8_t)reference.values[1 + k].data[i];
      double clamped = fmin(127, fmax(-128, wanted[k]));
      CHECK(fabs(found - clamped) <= (k == 2 ? 1.01 : 0.51));
    }
  }
  luna_reference_destroy(&reference);
}

static void uint8_convolution_uses_both_zero_points(void) {
  LunaReference reference;
  open_model("uint8", &reference);
  const uint8_t input[4] = {101, 90, 255, 0};
  memcpy(reference.values[0].data, input, 4);
  run_reference(&reference);
  // (1*1 + -10*-2 + 155*10 + -100*-125 + 8) * 0.125 / 2 + 90, clamped.
  CHECK_EQ(reference.values[1].data[0], 255);
  const uint8_t small[4] = {101, 90, 105, 100};
  memcpy(reference.values[0].data, small, 4);
  run_reference(&reference);
  // (1 + 20 + 50 + 0 + 8) / 16 + 90 = 94.9
  CHECK_EQ(reference.values[1].data[0], 95);
  luna_reference_destroy(&reference);
}

static void moved_elements_end_where_they_should(void) {
  LunaReference reference;
  open_model("shapes", &reference);
  const float input[6] = {0.25F, 0.5F, 0.75F, 1, 1.25F, -1.125F};
  memcpy(reference.values[0].data, input, sizeof input);
  run_reference(&reference);
  // Quantised: 2 3 4 / 5 6 -4 (a tie, away from zero: -4.5 gives -5, and 1).
  // Padded with 1 to 3x6, transposed, its parts swapped, every second row from
  // the last and the outer columns: 2 1 / 1 1 / 4 1. Packed the other way.
  const int8_t packed[6] = {2, 1, 4, 1, 1, 1};
  for (int i = 0; i < 6; ++i)
    CHECK_EQ((int8_t)reference.values[2].data[i], packed[i]);
  float means[2];
  memcpy(means, reference.values[1].data, sizeof means);
  // 0.25 * 4 / 3 in steps of 0.125.
  CHECK(means[0] == 0.375F);
  CHECK(means[1] == 0);
  luna_reference_destroy(&reference);
}

static void int16_bias_has_48_bits(void) {
  LunaReference reference;
  open_model("int16", &reference);
  memset(reference.values[0].data, 0, reference.values[0].bytes);
  run_reference(&reference);
  int16_t found[2];
  memcpy(found, reference.values[1].data, sizeof found);
  // 100000 * 0.001 * 0.01 / 0.003 = 333.3, and RELU of what is negative.
  CHECK(found[0] == 333 || found[0] == 334);
  CHECK_EQ(found[1], 0);
  luna_reference_destroy(&reference);
}

static int8_t quantized(double real, double scale, int zero_point) {
  double value = round(real / scale) + zero_point;
  return (int8_t)fmin(127, fmax(-128, value));
}

// Half-pixel centres: where output pixel `i` of 4 lies among 2 inputs.
static double sample(const int8_t a[4], int y, int x) {
  double v = fmin(1, fmax(0, (y + 0.5) / 2 - 0.5));
  double u = fmin(1, fmax(0, (x + 0.5) / 2 - 0.5));
  return (1 - v) * ((1 - u) * a[0] + u * a[1]) +
         v * ((1 - u) * a[2] + u * a[3]);
}

static void images_are_combined_and_resized(void) {
  static const int8_t a[4] = {-40, 17, 100, 6}, b[4] = {50, -60, 3, -7};
  LunaMultiplier quarter =
      luna_quantize_multiplier((double)0.1F / (double)0.4F);
  LunaReference reference;
  open_model("images", &reference);
  memcpy(reference.values[0].data, a, 4);
  memcpy(reference.values[1].data, b, 4);
  run_reference(&reference);
  int8_t *outputs[7];
  for (int i = 0; i < 7; ++i)
    outputs[i] = (int8_t *)reference.values[2 + i].data;
  for (int i = 0; i < 4; ++i) {
    double x = 0.1 * (a[i] - 5), y = 0.2 * (b[i] + 7);
    CHECK_EQ(outputs[0][i], quantized(x * y, 0.5, 3));
    CHECK_EQ(outputs[1][i], quantized(x - y, 0.3, 1));
    CHECK_EQ(outputs[2][i], a[i] > 20 ? a[i] : 20);
    CHECK_EQ(outputs[3][i], quantized(x < 0 ? 0.25 * x : x, 0.1, 0));
  }
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) {
      int source = y / 2 * 2 + x / 2, tap = y % 2 * 2 + x % 2;
      CHECK_EQ(outputs[4][4 * y + x], a[source]);
      CHECK_EQ(outputs[5][4 * y + x], (int8_t)round(sample(a, y, x)));
      // Rounded twice: a quarter becomes 1.
      CHECK_EQ(outputs[6][4 * y + x],
               luna_fixed_multiply((a[source] - 5) * (tap + 1), quarter) - 2);
    }
  luna_reference_destroy(&reference);
}

// What the model "memory" does, one step at a time.
static void step_lstm(float x, float *hidden, float *cell) {
  float gates[4];
  for (int i = 0; i < 4; ++i) {
    float sum = (0.5F + 0.25F * (float)i) * x +
                0.1F * (float)(i + 1) * *hidden + 0.2F - 0.1F * (float)i;
    gates[i] = i == 2 ? tanhf(sum) : 1 / (1 + expf(-sum));
  }
  *cell = gates[1] * *cell + gates[0] * gates[2];
  *hidden = gates[3] * tanhf(*cell);
}

static void run_memory(LunaReference *reference, const int8_t x[2],
                       const int8_t y[2], float *hidden, float *cell) {
  const float sequence[2] = {0.75F, -1.5F};
  float found[2];
  memcpy(reference->values[0].data, x, 2);
  memcpy(reference->values[1].data, sequence, sizeof sequence);
  run_reference(reference);
  const LunaReferenceValue *outputs =
      &reference->values[reference->argument_count];
  CHECK_EQ((int8_t)outputs[0].data[0], y[0]);
  CHECK_EQ((int8_t)outputs[0].data[1], y[1]);
  memcpy(found, outputs[1].data, sizeof found);
  for (int t = 0; t < 2; ++t) {
    step_lstm(sequence[t], hidden, cell);
    CHECK(fabsf(found[t] - *hidden) < 1e-5F);
  }
}

static void recurrent_operators_remember(void) {
  LunaReference reference;
  float hidden = 0, cell = 0;
  open_model("memory", &reference);
  CHECK_EQ(reference.argument_count, 5);
  CHECK_STR(reference.values[2].state, "svdf_state");
  // Features of (2, 1) are 2, 1, 3, 1; units weigh them by their last column:
  // (3*2 + 1 + 4) / 2 + 3 and (3 + 1 - 6) / 2 + 3.
  run_memory(&reference, (const int8_t[2]){2, 1}, (const int8_t[2]){9, 2},
             &hidden, &cell);
  // Then (0, 1): 0, 1, 1, -1. (2*2 + 1 + 1 + 4) / 2 + 3, (1 - 1 - 6) / 2 + 3.
  run_memory(&reference, (const int8_t[2]){0, 1}, (const int8_t[2]){8, 0},
             &hidden, &cell);
  // Then zeros: (1*2 + 1 + 1 + 4) / 2 + 3, (-1 - 6) / 2 + 3: a tie, up.
  run_memory(&reference, (const int8_t[2]){0, 0}, (const int8_t[2]){7, 0},
             &hidden, &cell);
  luna_reference_destroy(&reference);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static int print_operators(void) {
  LunaText table = {0};
  luna_import_tflite_operators(&table);
  printf("%s", table.data);
  luna_text_deinit(&table);
  return 0;
}

static void endings_choose_the_reader(void) {
  LunaError error = {0};
  MlirModule module;
  CHECK(luna_import_knows("a/b.tflite"));
  CHECK(!luna_import_knows("a/b.tflite.txt"));
  CHECK(!luna_import_knows(".tflite"));
  CHECK(!luna_import_file(context, "x.txt", NULL, &module, &error));
  CHECK(!luna_import_file(context, "absent.tflite", NULL, &module, &error));
  CHECK(mlirModuleIsNull(module));
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "operators") == 0)
    return print_operators();
  context = reference_context();
  RUN_TEST(multipliers_have_31_bits);
  RUN_TEST(products_round_twice);
  RUN_TEST(fixed_point_functions_follow_the_real_ones);
  RUN_TEST(loop_doubles_until_over_100);
  RUN_TEST(variable_keeps_its_value_across_calls_and_branches);
  RUN_TEST(tables_hold_every_value_of_an_activation);
  RUN_TEST(uint8_convolution_uses_both_zero_points);
  RUN_TEST(moved_elements_end_where_they_should);
  RUN_TEST(int16_bias_has_48_bits);
  RUN_TEST(images_are_combined_and_resized);
  RUN_TEST(recurrent_operators_remember);
  RUN_TEST(endings_choose_the_reader);
  mlirContextDestroy(context);
  return 0;
}
