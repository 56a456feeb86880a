#include "luna/arena.h"
#include "luna/pair_search.h"
#include "tflite_fixed.h"
#include "tflite_import.h"
#include "tflite_ops.h"
#include "tflite_scalar.h"

// ADD and SUB. TensorFlow Lite brings both inputs to half the larger scale with
// 20 more bits (int16: 15), rounding twice, adds, and brings the sum to the
// output's scale. A rescale of the input rounds once, which can change a result
// where 2^-20 of a step decides. For int8 multipliers close by are sought then
// that give every result exactly, so that the operator stays one of the unit.
// What none of them gets right (and int16, where there are too many pairs) is
// computed step by step.

enum { LOWEST = -128, HIGHEST = 127 };

typedef struct Sum {
  LunaMultiplier inputs[2], output;
  int64_t input_zp[2], output_zp;
  int headroom; ///< bits added to the inputs
  bool is_sub;
} Sum;

// The factors are quotients of doubles for ADD, but of floats for SUB.
static bool read_sum(LunaTfliteNode *node, const LunaTflitePair *pair,
                     Sum *sum) {
  LunaTfliteScale out;
  if (!luna_tflite_output_scale(node, &out))
    return false;
  float first = pair->scales[0].scale, second = pair->scales[1].scale;
  float twice_largest = 2 * (first > second ? first : second);
  *sum = (Sum){.output_zp = out.zero_point,
               .headroom = pair->tensors[0]->type == LUNA_TFLITE_I16 ? 15 : 20,
               .is_sub = node->op->code != LUNA_TFLITE_OP_ADD};
  int one = 1 << sum->headroom;
  double result =
      sum->is_sub ? (double)(twice_largest / ((float)one * out.scale))
                  : (double)twice_largest / ((double)one * (double)out.scale);
  for (int i = 0; i < 2; ++i) {
    float scale = pair->scales[i].scale;
    sum->inputs[i] = luna_quantize_multiplier(
        sum->is_sub ? (double)(scale / twice_largest)
                    : (double)scale / (double)twice_largest);
    sum->input_zp[i] = pair->scales[i].zero_point;
  }
  sum->output = luna_quantize_multiplier(result);
  if (result < 1 && sum->output.shift <= 0)
    return true;
  return luna_tflite_fail(node,
                          "its scales ask for a factor of %g, which must "
                          "be below 1",
                          result);
}

//===----------------------------------------------------------------------===//
// By rescales
//===----------------------------------------------------------------------===//

static int32_t rescale_twice(const Sum *sum, int input, int64_t value) {
  LunaMultiplier by = sum->inputs[input];
  int32_t shifted = (int32_t)(value * (INT64_C(1) << sum->headroom));
  return luna_fixed_divide_by_pot(luna_fixed_high_mul(shifted, by.multiplier),
                                  -by.shift);
}

static int8_t finish_sum(const Sum *sum, int64_t lhs, int64_t rhs) {
  int64_t total = sum->is_sub ? lhs - rhs : lhs + rhs;
  int64_t value =
      luna_fixed_multiply((int32_t)total, sum->output) + sum->output_zp;
  return (int8_t)luna_fixed_saturate(value, 8);
}

// What TensorFlow Lite gives for all pairs.
static void fill_results(const Sum *sum, LunaPairResults *results) {
  int64_t scaled[2][LUNA_PAIR_VALUES];
  for (int input = 0; input < 2; ++input)
    for (int i = 0; i < LUNA_PAIR_VALUES; ++i)
      scaled[input][i] =
          rescale_twice(sum, input, i + LOWEST - sum->input_zp[input]);
  for (int i = 0; i < LUNA_PAIR_VALUES; ++i)
    for (int k = 0; k < LUNA_PAIR_VALUES; ++k)
      results->of[i][k] = finish_sum(sum, scaled[0][i], scaled[1][k]);
}

// Changes the multipliers until rescales give the results of `sum` for all
// pairs; false if they never do.
static bool seek(LunaTfliteNode *node, Sum *sum) {
  int64_t *work = &node->import->search_work;
  LunaArena arena = {0};
  LunaPairForm form = {
      .kind = sum->is_sub ? LUNA_PAIR_SUB : LUNA_PAIR_ADD,
      .inputs = {sum->inputs[0], sum->inputs[1]},
      .input_zp = {sum->input_zp[0], sum->input_zp[1]},
      .output = sum->output,
      .output_zp = sum->output_zp,
      .low = LOWEST,
      .high = HIGHEST,
      .rounds_twice = true,
  };
  if (*work >= LUNA_PAIR_MAX_WORK)
    return false;
  LunaPairResults *wanted = LUNA_ARENA_ARRAY(&arena, LunaPairResults, 1);
  fill_results(sum, wanted);
  for (int i = 0; i < 2; ++i)
    form.inputs[i].shift += sum->headroom;
  bool is_found = luna_pair_suits(&form, wanted, work) ||
                  luna_pair_seek(&form, wanted, work);
  luna_arena_destroy(&arena);
  for (int i = 0; i < 2; ++i)
    sum->inputs[i].multiplier = form.inputs[i].multiplier;
  sum->output.multiplier = form.output.multiplier;
  return is_found;
}

// One rounding is as good as two for every value of int16.
static bool is_once_exact(const Sum *sum) {
  for (int input = 0; input < 2; ++input) {
    LunaMultiplier by = sum->inputs[input];
    by.shift += sum->headroom;
    for (int64_t value = INT16_MIN; value <= INT16_MAX; ++value) {
      int64_t once;
      if (!luna_rescale(by, true, value, &once) ||
          once != rescale_twice(sum, input, value))
        return false;
    }
  }
  return true;
}

static MlirValue add_by_rescales(LunaTfliteNode *node,
                                 const LunaTflitePair *pair, const Sum *sum) {
  LunaBuilder *b = node->builder;
  MlirValue scaled[2];
  for (int i = 0; i < 2; ++i) {
    LunaMultiplier by = sum->inputs[i];
    by.shift += sum->headroom;
    scaled[i] = luna_tflite_rescale_by(b, pair->values[i], by, sum->input_zp[i],
                                       0, b->i32);
  }
  MlirValue total = luna_build_binary(b, sum->is_sub ? "tosa.sub" : "tosa.add",
                                      scaled[0], scaled[1]);
  return luna_tflite_rescale_by(b, total, sum->output, 0, sum->output_zp,
                                luna_element_of(pair->values[0]));
}

//===----------------------------------------------------------------------===//
// Step by step
//===----------------------------------------------------------------------===//

static MlirValue add_by_steps(LunaTfliteNode *node, const LunaTflitePair *pair,
                              const Sum *sum) {
  LunaBuilder *b = node->builder;
  MlirType element = luna_element_of(pair->values[0]);
  MlirValue scaled[2];
  LunaGeneric generic = luna_generic_map(b, 2, pair->values, element, scaled);
  for (int i = 0; i < 2; ++i) {
    MlirType i32 = b->i32;
    MlirValue value = luna_scalar_resize(b, scaled[i], i32);
    value = luna_scalar_with(b, "arith.subi", value, sum->input_zp[i]);
    value = luna_scalar_with(b, "arith.shli", value, sum->headroom);
    scaled[i] = luna_tflite_multiply(b, value, sum->inputs[i]);
  }
  MlirValue total = luna_scalar(b, sum->is_sub ? "arith.subi" : "arith.addi",
                                scaled[0], scaled[1]);
  return luna_generic_end(
      &generic,
      luna_tflite_requantize(b, total, sum->output, sum->output_zp, element));
}

bool luna_tflite_op_add_sub(LunaTfliteNode *node) {
  LunaTflitePair pair;
  Sum sum;
  if (!luna_tflite_read_pair(node, &pair))
    return false;
  if (!pair.is_quantized)
    return luna_tflite_finish_pair(
        node,
        luna_build_binary(node->builder,
                          node->op->code == LUNA_TFLITE_OP_ADD ? "tosa.add"
                                                               : "tosa.sub",
                          pair.values[0], pair.values[1]));
  if (!read_sum(node, &pair, &sum))
    return false;
  bool fits = pair.tensors[0]->type == LUNA_TFLITE_I16 ? is_once_exact(&sum)
                                                       : seek(node, &sum);
  return luna_tflite_finish_pair(node, fits ? add_by_rescales(node, &pair, &sum)
                                            : add_by_steps(node, &pair, &sum));
}
