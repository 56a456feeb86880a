#include "along_axis.h"
#include "tflite_ops.h"
#include "tflite_scalar.h"

// ADD_N, CUMSUM. Their int8 forms add up (x - zero point) * 2^(SHIFT - 1) and
// scale the sum. The reference kernels start the sum with minus the zero point
// as well, which is followed here.

enum { SHIFT = 20 };

typedef struct SumScale {
  LunaMultiplier by;
  float input_scale;
  int64_t input_zp, output_zp;
} SumScale;

static bool read_scale(LunaTfliteNode *node, SumScale *scale) {
  LunaTfliteScale in, out;
  if (!luna_tflite_scales(node, &in, &out))
    return false;
  double real =
      2 * (double)in.scale / ((double)(1 << SHIFT) * (double)out.scale);
  *scale = (SumScale){.by = luna_quantize_multiplier(real),
                      .input_scale = in.scale,
                      .input_zp = in.zero_point,
                      .output_zp = out.zero_point};
  return true;
}

// Brings a sum of 32 bits to the output's scale.
static MlirValue finish(LunaBuilder *b, MlirValue sum, const SumScale *scale) {
  MlirValue x;
  LunaGeneric generic = luna_generic_map(b, 1, &sum, b->i8, &x);
  x = luna_scalar_with(b, "arith.subi", x, scale->input_zp);
  x = luna_scalar_resize(b, x, b->i64);
  x = luna_scalar_with(b, "arith.shli", x, SHIFT - 1);
  return luna_generic_end(
      &generic,
      luna_tflite_requantize(b, x, scale->by, scale->output_zp, b->i8));
}

bool luna_tflite_op_add_n(LunaTfliteNode *node) {
  LunaBuilder *b = node->builder;
  const LunaTfliteTensor *first = luna_tflite_input(node, 0);
  bool is_int = luna_tflite_is_quantized(first);
  SumScale scale = {.input_zp = 0};
  MlirValue sum = {NULL};
  if (is_int && !read_scale(node, &scale))
    return false;
  for (int64_t i = 0; i < node->op->input_count; ++i) {
    const LunaTfliteTensor *tensor = luna_tflite_input(node, i);
    LunaTfliteScale own;
    MlirValue value;
    if (!luna_tflite_value(node, i, &value))
      return false;
    if (tensor->type != first->type ||
        !mlirTypeEqual(mlirValueGetType(value),
                       luna_tflite_tensor_type(b, first)))
      return luna_tflite_fail(node, "inputs must have one type and shape");
    if (is_int) {
      if (!luna_tflite_scale(node, tensor, &own))
        return false;
      if (own.zero_point != scale.input_zp || own.scale != scale.input_scale)
        return luna_tflite_fail(node, "inputs must have one scale and zero "
                                      "point");
      value = luna_tflite_widen(b, value, own.zero_point);
    }
    sum = i == 0 ? value : luna_build_binary(b, "tosa.add", sum, value);
  }
  if (is_int)
    sum = finish(b, sum, &scale);
  return luna_tflite_set(node, 0, sum);
}

bool luna_tflite_op_cumsum(LunaTfliteNode *node) {
  enum { EXCLUSIVE = 0, REVERSE = 1 };
  bool is_int = luna_tflite_is_quantized(luna_tflite_input(node, 0));
  MlirValue value;
  SumScale scale;
  int64_t given = 0, count = 0, axis = 0;
  if (!luna_tflite_value(node, 0, &value) ||
      !luna_tflite_ints(node, 1, &given, 1, &count) ||
      !luna_tflite_axis(node, given, luna_rank_of(value), &axis) ||
      (is_int && !read_scale(node, &scale)))
    return false;
  if (is_int)
    value = luna_tflite_widen(node->builder, value, scale.input_zp);
  value = luna_running_sum(node->builder, value, (int)axis,
                           luna_tflite_option_bool(node, EXCLUSIVE),
                           luna_tflite_option_bool(node, REVERSE));
  return luna_tflite_set(node, 0,
                         is_int ? finish(node->builder, value, &scale) : value);
}
