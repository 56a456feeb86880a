#include "tflite_ops.h"
#include "tflite_scalar.h"

// ADD_N, CUMSUM. Their int8 forms add up (x - zero point) * 2^(SHIFT - 1) and
// scale the sum. The reference kernels start the sum with minus the zero point
// as well, which is followed here.

enum { SHIFT = 20, MAX_TERMS = 256 };

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

// The sums along an axis, from either end, one slice after the other.
static MlirValue accumulate(LunaTfliteNode *node, MlirValue value,
                            int64_t axis) {
  enum { EXCLUSIVE = 0, REVERSE = 1 };
  LunaBuilder *b = node->builder;
  bool is_exclusive = luna_tflite_option_bool(node, EXCLUSIVE);
  bool is_reverse = luna_tflite_option_bool(node, REVERSE);
  int64_t start[LUNA_TFLITE_MAX_RANK] = {0};
  LunaShape size = luna_shape_of(value);
  int64_t extent = size.dims[axis];
  MlirType element = luna_element_of(value);
  MlirValue parts[MAX_TERMS];
  size.dims[axis] = 1;
  MlirValue sum = luna_build_splat(b, luna_tensor_type(element, &size), 0);
  for (int64_t i = 0; i < extent; ++i) {
    start[axis] = is_reverse ? extent - 1 - i : i;
    MlirValue part = luna_build_slice(b, value, start, size.dims);
    MlirValue next =
        i == 0 ? part : luna_build_binary(b, "tosa.add", sum, part);
    parts[start[axis]] = is_exclusive ? sum : next;
    sum = next;
  }
  return luna_build_concat(b, (intptr_t)extent, parts, axis);
}

bool luna_tflite_op_cumsum(LunaTfliteNode *node) {
  MlirValue value;
  SumScale scale;
  int64_t given = 0, count = 0, axis = 0;
  if (!luna_tflite_value(node, 0, &value) ||
      !luna_tflite_ints(node, 1, &given, 1, &count) ||
      !luna_tflite_axis(node, given, luna_rank_of(value), &axis))
    return false;
  if (luna_extent(value, axis) > MAX_TERMS)
    return luna_tflite_fail(node, "sums %lld terms, at most %d are supported",
                            (long long)luna_extent(value, axis), MAX_TERMS);
  if (!luna_tflite_is_quantized(luna_tflite_input(node, 0)))
    return luna_tflite_set(node, 0, accumulate(node, value, axis));
  if (!read_scale(node, &scale))
    return false;
  value = luna_tflite_widen(node->builder, value, scale.input_zp);
  return luna_tflite_set(
      node, 0, finish(node->builder, accumulate(node, value, axis), &scale));
}
