#include <math.h>

#include "tflite_fixed.h"
#include "tflite_ops.h"
#include "tflite_rescale.h"

// Operators on two tensors, element by element, with broadcasting.

enum { OPTION_ACTIVATION = 0 };

bool luna_tflite_read_pair(LunaTfliteNode *node, LunaTflitePair *pair) {
  for (int i = 0; i < 2; ++i) {
    pair->tensors[i] = luna_tflite_input(node, i);
    if (!luna_tflite_value(node, i, &pair->values[i]))
      return false;
  }
  if (pair->tensors[0]->type != pair->tensors[1]->type)
    return luna_tflite_fail(node, "inputs are %s and %s, must have one type",
                            luna_tflite_type_name(pair->tensors[0]->type),
                            luna_tflite_type_name(pair->tensors[1]->type));
  pair->shape = luna_shape_of(pair->values[0]);
  if (!luna_tflite_broadcast(node, luna_shape_of(pair->values[1]),
                             &pair->shape))
    return false;
  pair->is_quantized = luna_tflite_is_quantized(pair->tensors[0]);
  for (int i = 0; pair->is_quantized && i < 2; ++i)
    if (!luna_tflite_scale(node, pair->tensors[i], &pair->scales[i]))
      return false;
  return true;
}

bool luna_tflite_finish_pair(LunaTfliteNode *node, MlirValue value) {
  return luna_tflite_activate(node, luna_tflite_output(node, 0),
                              luna_tflite_option_enum(node, OPTION_ACTIVATION),
                              &value) &&
         luna_tflite_set(node, 0, value);
}

//===----------------------------------------------------------------------===//
// MUL, MAXIMUM, MINIMUM
//===----------------------------------------------------------------------===//

bool luna_tflite_op_mul(LunaTfliteNode *node) {
  LunaTflitePair pair;
  LunaBuilder *b = node->builder;
  if (!luna_tflite_read_pair(node, &pair))
    return false;
  MlirType element = luna_element_of(pair.values[0]);
  if (!pair.is_quantized)
    return luna_tflite_finish_pair(
        node, luna_build_binary(b, "tosa.mul", pair.values[0], pair.values[1]));
  LunaTfliteScale out;
  if (!luna_tflite_output_scale(node, &out))
    return false;
  for (int i = 0; i < 2; ++i)
    pair.values[i] =
        luna_tflite_widen(b, pair.values[i], pair.scales[i].zero_point);
  MlirValue value =
      luna_build_binary(b, "tosa.mul", pair.values[0], pair.values[1]);
  double real = (double)pair.scales[0].scale * (double)pair.scales[1].scale /
                (double)out.scale;
  return luna_tflite_rescale_real(node, real, 0, out.zero_point, element,
                                  &value) &&
         luna_tflite_finish_pair(node, value);
}

bool luna_tflite_op_min_max(LunaTfliteNode *node) {
  LunaTflitePair pair;
  if (!luna_tflite_read_pair(node, &pair) ||
      !luna_tflite_need_same_scale(node, 0) ||
      !luna_tflite_need_same_scale(node, 1))
    return false;
  const char *name = node->op->code == LUNA_TFLITE_OP_MAXIMUM ? "tosa.maximum"
                                                              : "tosa.minimum";
  return luna_tflite_set(
      node, 0,
      luna_build_binary(node->builder, name, pair.values[0], pair.values[1]));
}

//===----------------------------------------------------------------------===//
// Comparisons, logic, selection
//===----------------------------------------------------------------------===//

enum { COMPARED_SHIFT = 8 };

// Returns true if one rescale gives what TensorFlow Lite computes of all
// integers of a type, less their zero points: shifted left, then multiplied.
static bool is_one_rescale(double scale, int64_t largest) {
  LunaMultiplier by = luna_quantize_multiplier(scale);
  LunaMultiplier all = luna_quantize_multiplier(ldexp(scale, COMPARED_SHIFT));
  for (int64_t x = -largest; x <= largest; ++x)
    if (luna_fixed_multiply((int32_t)x * (1 << COMPARED_SHIFT), by) !=
        luna_fixed_multiply((int32_t)x, all))
      return false;
  return true;
}

// Brings integers of a scale to 32 bits, computed as TensorFlow Lite does, in
// which two that stand for reals close to each other may be equal.
static bool scale_compared(LunaTfliteNode *node, LunaTfliteScale scale,
                           MlirValue *value) {
  LunaBuilder *b = node->builder;
  const LunaMultiplier shift = {INT32_C(1) << 30, COMPARED_SHIFT + 1};
  bool is_byte = mlirIntegerTypeGetWidth(luna_element_of(*value)) == 8;
  if (is_one_rescale((double)scale.scale, is_byte ? UINT8_MAX : -INT16_MIN))
    return luna_tflite_rescale_real(node,
                                    ldexp((double)scale.scale, COMPARED_SHIFT),
                                    scale.zero_point, 0, b->i32, value);
  *value =
      luna_tflite_rescale_by(b, *value, shift, scale.zero_point, 0, b->i32);
  return luna_tflite_rescale_real(node, (double)scale.scale, 0, 0, b->i32,
                                  value);
}

static bool make_comparable(LunaTfliteNode *node, LunaTflitePair *pair) {
  LunaBuilder *b = node->builder;
  // Steps that stay apart need not be scaled.
  bool is_direct = luna_tflite_same_scale(pair->scales[0], pair->scales[1]) &&
                   ldexp((double)pair->scales[0].scale, COMPARED_SHIFT) >= 1;
  for (int i = 0; i < 2; ++i) {
    if (is_direct)
      pair->values[i] = luna_build_cast(b, pair->values[i], b->i32);
    else if (!scale_compared(node, pair->scales[i], &pair->values[i]))
      return false;
  }
  return true;
}

bool luna_tflite_op_compare(LunaTfliteNode *node) {
  LunaTflitePair pair;
  LunaBuilder *b = node->builder;
  int64_t code = node->op->code;
  if (!luna_tflite_read_pair(node, &pair) ||
      (pair.is_quantized && !make_comparable(node, &pair)))
    return false;
  bool is_equal =
      code == LUNA_TFLITE_OP_EQUAL || code == LUNA_TFLITE_OP_NOT_EQUAL;
  bool is_swapped =
      code == LUNA_TFLITE_OP_LESS || code == LUNA_TFLITE_OP_LESS_EQUAL;
  bool has_equal =
      code == LUNA_TFLITE_OP_GREATER_EQUAL || code == LUNA_TFLITE_OP_LESS_EQUAL;
  const char *name = is_equal    ? "tosa.equal"
                     : has_equal ? "tosa.greater_equal"
                                 : "tosa.greater";
  MlirValue value = luna_build_compare(b, name, pair.values[is_swapped],
                                       pair.values[!is_swapped]);
  if (code == LUNA_TFLITE_OP_NOT_EQUAL)
    value = luna_build_unary(b, "tosa.logical_not", value);
  return luna_tflite_set(node, 0, value);
}

bool luna_tflite_op_logical(LunaTfliteNode *node) {
  LunaTflitePair pair;
  MlirValue value;
  LunaBuilder *b = node->builder;
  if (node->op->code == LUNA_TFLITE_OP_LOGICAL_NOT)
    return luna_tflite_value(node, 0, &value) &&
           luna_tflite_set(node, 0,
                           luna_build_unary(b, "tosa.logical_not", value));
  if (!luna_tflite_read_pair(node, &pair))
    return false;
  const char *name = node->op->code == LUNA_TFLITE_OP_LOGICAL_AND
                         ? "tosa.logical_and"
                         : "tosa.logical_or";
  return luna_tflite_set(
      node, 0, luna_build_compare(b, name, pair.values[0], pair.values[1]));
}

bool luna_tflite_op_select(LunaTfliteNode *node) {
  MlirValue values[3];
  LunaShape shape = {0, {0}};
  for (int i = 0; i < 3; ++i)
    if (!luna_tflite_value(node, i, &values[i]) ||
        !luna_tflite_broadcast(node, luna_shape_of(values[i]), &shape))
      return false;
  return luna_tflite_set(
      node, 0,
      luna_build_select(node->builder, values[0], values[1], values[2]));
}
