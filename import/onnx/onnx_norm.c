// Softmax and its relatives, and normalisations.

#include "onnx.h"

#include <math.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Softmax and its relatives
//===----------------------------------------------------------------------===//

// Before opset 13 all axes from `axis` on count as one.
static bool softmax_axes(OnnxImport *c, const OnnxNode *n, bool *axes) {
  int rank = n->inputs[0]->shape.rank, axis;
  if (!onnx_axis(c, onnx_attr_int(n, "axis", c->opset < 13 ? 1 : -1), rank,
                 &axis))
    return false;
  for (int i = 0; i < rank; ++i)
    axes[i] = i == axis || (c->opset < 13 && i > axis);
  return true;
}

ONNX_HANDLER(softmax) {
  bool axes[ONNX_MAX_RANK];
  OnnxValue *value = n->inputs[0];
  if (!onnx_is_float(value->type))
    return onnx_fail(c, "type %s is not supported",
                     onnx_type_name(value->type));
  if (!softmax_axes(c, n, axes))
    return false;
  OnnxValue *low =
      onnx_apply(c, n, "Sub", value, onnx_reduce(c, value, axes, ONNX_MAX));
  OnnxValue *power = onnx_apply(c, n, "Exp", low, NULL);
  if (!power)
    return false;
  OnnxValue *sum = onnx_reduce(c, power, axes, ONNX_SUM);
  n->outputs[0] =
      strcmp(n->proto->op_type, "LogSoftmax") == 0
          ? onnx_apply(c, n, "Sub", low, onnx_apply(c, n, "Log", sum, NULL))
          : onnx_apply(c, n, "Mul", power,
                       onnx_apply(c, n, "Reciprocal", sum, NULL));
  return n->outputs[0] != NULL;
}

//===----------------------------------------------------------------------===//
// Normalisations
//===----------------------------------------------------------------------===//

// (x - mean) / sqrt(variance + epsilon) over `axes`; the mean and the inverse
// deviation too.
static OnnxValue *normalize(OnnxImport *c, const OnnxNode *n, OnnxValue *value,
                            const bool *axes, double epsilon,
                            OnnxValue **mean_out, OnnxValue **inverse_out) {
  OnnxValue *middle = onnx_mean(c, n, value, axes);
  OnnxValue *low = onnx_apply(c, n, "Sub", value, middle);
  OnnxValue *variance = onnx_mean(c, n, onnx_square(c, n, low), axes);
  if (!variance)
    return NULL;
  OnnxValue *moved =
      onnx_apply(c, n, "Add", variance, onnx_scalar(c, value->type, epsilon));
  OnnxValue *inverse = onnx_apply(c, n, "Reciprocal",
                                  onnx_apply(c, n, "Sqrt", moved, NULL), NULL);
  *mean_out = middle;
  *inverse_out = inverse;
  return onnx_apply(c, n, "Mul", low, inverse);
}

static bool check_float(OnnxImport *c, const OnnxNode *n) {
  for (int i = 0; i < n->input_count; ++i)
    if (n->inputs[i] && n->inputs[i]->type != ONNX_F32)
      return onnx_fail(c, "type %s is not supported",
                       onnx_type_name(n->inputs[i]->type));
  return true;
}

ONNX_HANDLER(layer_norm) {
  OnnxValue *value = n->inputs[0], *bias = onnx_input(n, 2), *mid, *inverse;
  int axis, rank = value->shape.rank;
  bool axes[ONNX_MAX_RANK];
  if (!check_float(c, n) ||
      !onnx_axis(c, onnx_attr_int(n, "axis", -1), rank, &axis))
    return false;
  for (int i = 0; i < rank; ++i)
    axes[i] = i >= axis;
  OnnxValue *made = normalize(
      c, n, value, axes, onnx_attr_float(n, "epsilon", 1e-5f), &mid, &inverse);
  made = onnx_apply(c, n, "Mul", made, n->inputs[1]);
  if (bias)
    made = onnx_apply(c, n, "Add", made, bias);
  if (!made)
    return false;
  n->outputs[0] = made;
  if (n->output_count > 1)
    n->outputs[1] = mid;
  if (n->output_count > 2)
    n->outputs[2] = inverse;
  return true;
}

// A list of one number per channel, shaped to broadcast along dimension 1.
static OnnxValue *per_channel(OnnxImport *c, OnnxValue *value, int rank,
                              int64_t channels) {
  LunaShape shape = onnx_shape(rank, NULL);
  for (int i = 0; i < rank; ++i)
    shape.dims[i] = i == 1 ? channels : 1;
  return onnx_reshape_value(c, value, &shape);
}

ONNX_HANDLER(instance_norm) {
  OnnxValue *value = n->inputs[0], *mid, *inverse;
  int rank = value->shape.rank;
  bool axes[ONNX_MAX_RANK];
  if (!check_float(c, n) || rank < 3)
    return onnx_fail(c, "needs at least 3 dimensions");
  for (int i = 0; i < rank; ++i)
    axes[i] = i >= 2;
  OnnxValue *scale = per_channel(c, n->inputs[1], rank, value->shape.dims[1]);
  OnnxValue *bias = per_channel(c, n->inputs[2], rank, value->shape.dims[1]);
  OnnxValue *made = normalize(
      c, n, value, axes, onnx_attr_float(n, "epsilon", 1e-5f), &mid, &inverse);
  n->outputs[0] =
      onnx_apply(c, n, "Add", onnx_apply(c, n, "Mul", made, scale), bias);
  return scale && bias && n->outputs[0];
}

ONNX_HANDLER(mean_variance_norm) {
  OnnxValue *value = n->inputs[0], *mid, *inverse;
  int64_t list[ONNX_MAX_RANK] = {0, 2, 3};
  bool axes[ONNX_MAX_RANK] = {false};
  int count = onnx_attr_ints(c, n, "axes", list, ONNX_MAX_RANK);
  count = count == -1 ? 3 : count;
  for (int i = 0; i < count; ++i) {
    int axis;
    if (!onnx_axis(c, list[i], value->shape.rank, &axis))
      return false;
    axes[axis] = true;
  }
  n->outputs[0] = check_float(c, n)
                      ? normalize(c, n, value, axes, 1e-9, &mid, &inverse)
                      : NULL;
  return n->outputs[0] != NULL;
}

// scale / sqrt(variance + epsilon), as f64.
static MlirValue norm_factor(OnnxImport *c, const OnnxNode *n, MlirValue scale,
                             MlirValue variance) {
  double epsilon = onnx_attr_float(n, "epsilon", 1e-5f);
  MlirValue sum =
      luna_scalar_add(c->b, onnx_cast(c, variance, ONNX_F32, ONNX_F64),
                      onnx_lit(c, ONNX_F64, epsilon));
  return luna_scalar_div(c->b, onnx_cast(c, scale, ONNX_F32, ONNX_F64),
                         luna_scalar_unary(c->b, "math.sqrt", sum));
}

static MlirValue factor_element(OnnxImport *c, const OnnxNode *n, OnnxType type,
                                const MlirValue *args, int count) {
  (void)count;
  return onnx_cast(c, norm_factor(c, n, args[0], args[3]), ONNX_F64, type);
}

static MlirValue summand_element(OnnxImport *c, const OnnxNode *n,
                                 OnnxType type, const MlirValue *args,
                                 int count) {
  (void)count;
  MlirValue mean = onnx_cast(c, args[2], type, ONNX_F64);
  MlirValue moved =
      luna_scalar_mul(c->b, norm_factor(c, n, args[0], args[3]), mean);
  MlirValue bias = onnx_cast(c, args[1], type, ONNX_F64);
  return onnx_cast(c, luna_scalar_sub(c->b, bias, moved), ONNX_F64, type);
}

// The four parameters become one factor and one summand of each channel.
ONNX_HANDLER(batch_norm) {
  OnnxValue *value = n->inputs[0], *p[4];
  int rank = value->shape.rank;
  if (!check_float(c, n) || rank < 2)
    return onnx_fail(c, "needs at least 2 dimensions");
  if (onnx_attr_int(n, "training_mode", 0) || n->output_count > 1)
    return onnx_fail(c, "training mode is not supported");
  for (int i = 0; i < 4; ++i) {
    p[i] = per_channel(c, n->inputs[i + 1], rank, value->shape.dims[1]);
    if (!p[i])
      return false;
  }
  OnnxValue *factor = onnx_map(c, n, p, 4, ONNX_F32, factor_element);
  OnnxValue *summand = onnx_map(c, n, p, 4, ONNX_F32, summand_element);
  n->outputs[0] =
      onnx_apply(c, n, "Add", onnx_apply(c, n, "Mul", value, factor), summand);
  return n->outputs[0] != NULL;
}

typedef struct LrnNode {
  OnnxNode node;
  double alpha, beta, bias;
} LrnNode;

static MlirValue lrn_element(OnnxImport *c, const OnnxNode *n, OnnxType type,
                             const MlirValue *args, int count) {
  (void)count;
  const LrnNode *lrn = (const LrnNode *)(const void *)n;
  MlirValue sum = luna_scalar_mul(c->b, args[1], onnx_lit(c, type, lrn->alpha));
  sum = luna_scalar_add(c->b, sum, onnx_lit(c, type, lrn->bias));
  MlirValue power =
      luna_scalar(c->b, "math.powf", sum, onnx_lit(c, type, -lrn->beta));
  return luna_scalar_mul(c->b, args[0], power);
}

// The sum over neighbouring channels is a sum of shifted, padded squares.
ONNX_HANDLER(lrn) {
  OnnxValue *value = n->inputs[0];
  int64_t size = onnx_attr_int(n, "size", 0), rank = value->shape.rank;
  if (!check_float(c, n) || rank < 3 || size < 1 || size > 64)
    return onnx_fail(c, "size must be 1 to 64, the rank at least 3");
  int64_t pads[2 * ONNX_MAX_RANK] = {0};
  pads[2] = (size - 1) / 2;
  pads[3] = size - 1 - pads[2];
  MlirValue squares = onnx_ir(c, onnx_square(c, n, value));
  MlirValue padded = onnx_pad(c, squares, pads, 0);
  OnnxValue *sum = NULL;
  for (int64_t i = 0; i < size; ++i) {
    int64_t starts[ONNX_MAX_RANK] = {0};
    starts[1] = i;
    OnnxValue *part =
        onnx_from_ir(c, ONNX_F32, &value->shape,
                     luna_build_slice(c->b, padded, starts, value->shape.dims));
    sum = sum ? onnx_apply(c, n, "Add", sum, part) : part;
  }
  LrnNode lrn = {*n, onnx_attr_float(n, "alpha", 1e-4f) / (double)size,
                 onnx_attr_float(n, "beta", 0.75),
                 onnx_attr_float(n, "bias", 1.0)};
  OnnxValue *pair[2] = {value, sum};
  n->outputs[0] = onnx_map(c, &lrn.node, pair, 2, ONNX_F32, lrn_element);
  return n->outputs[0] != NULL;
}
