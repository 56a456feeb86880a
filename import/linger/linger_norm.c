// LUNA's layer normalisation: exact sums, and a root read from a table by the
// first ten bits of what is under it.

#include "linger.h"

#include <math.h>

enum {
  // Fraction bits of a root in the table, and of a normalised number: the
  // runtime's, or linger's where the node says so.
  ROOT_BITS = 14,
  NORMAL_BITS = 10,
};

// What is normalised together, as numbers[] of a LunaFixed has it.
enum { COUNT };
// Exponents, as scales[] has them.
enum { X_SCALE, W_SCALE, O_SCALE, NORMAL };

// How many pairs of bits the number has, 0 for 0.
static MlirValue bit_pairs(LunaOnnxImport *c, MlirValue x) {
  MlirValue bits = luna_scalar_sub(c->b, luna_scalar_int(c->b, c->b->i64, 65),
                                   luna_scalar_unary(c->b, "math.ctlz", x));
  return luna_scalar(c->b, "arith.shrsi", bits,
                     luna_scalar_int(c->b, c->b->i64, 1));
}

// The table's entry: the number's first ten bits, from an even place on.
static MlirValue root_element(const LunaOnnxScalar *s) {
  LunaOnnxType wide = LUNA_ONNX_I64;
  MlirValue pairs = bit_pairs(s->c, s->args[0]),
            zero = luna_onnx_lit(s->c, wide, 0);
  MlirValue extra = luna_scalar_sub(s->b, pairs, luna_onnx_lit(s->c, wide, 5));
  extra = luna_scalar_add(s->b, extra, extra);
  MlirValue down = luna_onnx_max(s->c, wide, extra, zero);
  MlirValue up =
      luna_onnx_max(s->c, wide, luna_scalar_sub(s->b, zero, extra), zero);
  MlirValue head = luna_scalar(s->b, "arith.shrsi", s->args[0], down);
  head = luna_scalar(s->b, "arith.shli", head, up);
  MlirValue at = luna_scalar_sub(s->b, head, luna_onnx_lit(s->c, wide, 256));
  at = luna_linger_clamp(s->c, at, 0, LUNA_ROOT_ENTRIES - 1);
  MlirValue index = luna_onnx_cast_index(s->c, at, wide);
  return luna_scalar_extract(s->b, ((const LunaFixed *)s->data)->table, &index);
}

// (count * x - sum) * root, scaled, times the weight, plus the bias.
static MlirValue norm_element(const LunaOnnxScalar *s) {
  const LunaFixed *node = s->data;
  LunaOnnxType wide = LUNA_ONNX_I64;
  MlirValue x = luna_onnx_cast(s->c, s->args[0], s->type, wide);
  MlirValue elems = luna_onnx_lit(s->c, wide, node->numbers[COUNT]);
  x = luna_scalar_sub(s->b, luna_scalar_mul(s->b, x, elems),
                      luna_onnx_cast(s->c, s->args[1], LUNA_ONNX_I32, wide));
  MlirValue shift = luna_scalar_add(
      s->b, bit_pairs(s->c, s->args[2]),
      luna_onnx_lit(s->c, wide, ROOT_BITS - node->scales[NORMAL]));
  MlirValue one = luna_onnx_lit(s->c, wide, 1);
  x = luna_scalar_mul(s->b, x,
                      luna_onnx_cast(s->c, s->args[3], LUNA_ONNX_I32, wide));
  MlirValue rounded =
      luna_linger_round_by(s->c, x, luna_onnx_max(s->c, wide, shift, one));
  x = luna_scalar_select(
      s->b, luna_onnx_compare(s->c, wide, LUNA_LT, shift, one), x, rounded);
  bool narrow = node->scales[NORMAL] == NORMAL_BITS;
  x = luna_linger_saturate(s->c, x, narrow ? LUNA_ONNX_I16 : LUNA_ONNX_I32);
  x = luna_scalar_mul(s->b, x,
                      luna_onnx_cast(s->c, s->args[4], node->type, wide));
  if (s->count == 6)
    x = luna_scalar_add(s->b, x,
                        luna_onnx_cast(s->c, s->args[5], LUNA_ONNX_I32, wide));
  x = luna_linger_round(s->c, luna_linger_saturate(s->c, x, LUNA_ONNX_I32),
                        node->scales[NORMAL] + node->scales[W_SCALE] -
                            node->scales[O_SCALE]);
  return luna_linger_convert(s->c, x, LUNA_ONNX_I8);
}

static MlirValue root_table(LunaOnnxImport *c) {
  int32_t entries[LUNA_ROOT_ENTRIES];
  LunaShape list = {1, {LUNA_ROOT_ENTRIES}};
  for (int i = 0; i < LUNA_ROOT_ENTRIES; ++i)
    entries[i] = luna_root(i);
  return luna_onnx_const(c, LUNA_ONNX_I32, &list, entries);
}

// 1e-5 in the scale of the spread: the runtime computes it in float.
static int64_t epsilon(int scale, int64_t count, bool runtime) {
  if (!runtime)
    return (int64_t)floor(
        ldexp(1e-5, 2 * scale) * (double)count * (double)count + 0.5);
  float value = 0.00001f * ldexpf(1.0f, 2 * scale);
  value = value * (float)count;
  value = value * (float)count;
  value = value + 0.5f;
  return (int64_t)floorf(value);
}

// The trailing dimensions that the weights cover.
static bool read_axes(LunaOnnxImport *c, const LunaOnnxNode *n,
                      LunaShape *inner, bool *axes) {
  const LunaShape *in = &n->inputs[0]->shape;
  int64_t want = luna_onnx_elems(&n->inputs[1]->shape), count = 1;
  int first = in->rank;
  while (first > 0 && (count < want || first == in->rank)) {
    count *= in->dims[--first];
    axes[first] = true;
  }
  if (count != want || count > LUNA_MAX_SUMMED)
    return luna_onnx_fail(c,
                          "weights must cover the last dimensions, at most %d "
                          "elements",
                          LUNA_MAX_SUMMED);
  *inner = luna_onnx_shape(in->rank - first, &in->dims[first]);
  const LunaOnnxValue *bias = luna_onnx_input(n, 2);
  return !bias ||
         (bias->type == LUNA_ONNX_I32 &&
          luna_onnx_elems(&bias->shape) == want) ||
         luna_onnx_fail(c, "bias must be int32 with %lld elements",
                        (long long)want);
}

static bool read_scales(LunaOnnxImport *c, const LunaOnnxNode *n,
                        LunaFixed *node) {
  int *scales = node->scales;
  scales[NORMAL] = NORMAL_BITS;
  if (!luna_linger_scale(c, n, "scale_x", &scales[X_SCALE]) ||
      !luna_linger_scale(c, n, "scale_w", &scales[W_SCALE]) ||
      !luna_linger_scale(c, n, "scale_o", &scales[O_SCALE]) ||
      (luna_onnx_attr(n, "scale_y_normal") &&
       !luna_linger_scale(c, n, "scale_y_normal", &scales[NORMAL])))
    return false;
  int shift = scales[NORMAL] + scales[W_SCALE] - scales[O_SCALE];
  return (scales[X_SCALE] >= 0 && scales[X_SCALE] <= 15 &&
          scales[NORMAL] >= 0 && scales[NORMAL] <= 15 && shift >= 0 &&
          shift < 32) ||
         luna_onnx_fail(c, "scales are too far apart");
}

bool luna_linger_op_layer_norm(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaFixed node = {.curve = NULL};
  LunaShape inner;
  bool axes[LUNA_ONNX_MAX_RANK] = {false};
  LunaOnnxValue *x = n->inputs[0], *weight = n->inputs[1];
  if (!luna_linger_needs_i8(c, n, 1))
    return false;
  if (!weight ||
      (weight->type != LUNA_ONNX_I8 && weight->type != LUNA_ONNX_I16))
    return luna_onnx_fail(c, "weights must be int8 or int16");
  if (!read_axes(c, n, &inner, axes) || !read_scales(c, n, &node))
    return false;
  node.type = weight->type;
  node.numbers[COUNT] = luna_onnx_elems(&inner);
  node.table = root_table(c);
  LunaOnnxValue *sums[2];
  LunaOnnxValue *spread =
      luna_linger_sums(c, x, axes, sums)
          ? luna_linger_spread(c, sums, node.numbers[COUNT],
                               epsilon(node.scales[X_SCALE],
                                       node.numbers[COUNT],
                                       !luna_onnx_attr(n, "scale_y_normal")))
          : NULL;
  if (!spread)
    return false;
  LunaOnnxValue *root =
      luna_onnx_map(c, &node, &spread, 1, LUNA_ONNX_I32, root_element);
  LunaOnnxValue *bias = luna_onnx_input(n, 2);
  LunaOnnxValue *all[6] = {x,
                           sums[0],
                           spread,
                           root,
                           luna_onnx_reshape_value(c, weight, &inner),
                           bias ? luna_onnx_reshape_value(c, bias, &inner)
                                : NULL};
  n->outputs[0] =
      luna_onnx_map(c, &node, all, bias ? 6 : 5, LUNA_ONNX_I8, norm_element);
  return n->outputs[0] != NULL;
}
