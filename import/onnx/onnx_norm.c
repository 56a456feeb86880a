// Softmax and its relatives, and normalisations.

#include "onnx.h"

#include <math.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Softmax and its relatives
//===----------------------------------------------------------------------===//

// Before opset 13 all axes from `axis` on count as one.
bool luna_onnx_softmax_axes(LunaOnnxImport *c, const LunaOnnxNode *n,
                            bool *axes) {
  int rank = n->inputs[0]->shape.rank, axis;
  if (!luna_onnx_axis(c, luna_onnx_attr_int(n, "axis", c->opset < 13 ? 1 : -1),
                      rank, &axis))
    return false;
  for (int i = 0; i < rank; ++i)
    axes[i] = i == axis || (c->opset < 13 && i > axis);
  return true;
}

bool luna_onnx_op_softmax(LunaOnnxImport *c, LunaOnnxNode *n) {
  bool axes[LUNA_ONNX_MAX_RANK];
  LunaOnnxValue *value = n->inputs[0];
  if (!luna_onnx_is_float(value->type))
    return luna_onnx_fail(c, "type %s is not supported",
                          luna_onnx_type_name(value->type));
  if (!luna_onnx_softmax_axes(c, n, axes))
    return false;
  LunaOnnxValue *low = luna_onnx_apply(
      c, "Sub", value, luna_onnx_reduce(c, value, axes, LUNA_ONNX_MAX));
  LunaOnnxValue *power = luna_onnx_apply(c, "Exp", low, NULL);
  if (!power)
    return false;
  LunaOnnxValue *sum = luna_onnx_reduce(c, power, axes, LUNA_ONNX_SUM);
  n->outputs[0] =
      strcmp(n->proto->op_type, "LogSoftmax") == 0
          ? luna_onnx_apply(c, "Sub", low, luna_onnx_apply(c, "Log", sum, NULL))
          : luna_onnx_apply(c, "Mul", power,
                            luna_onnx_apply(c, "Reciprocal", sum, NULL));
  return n->outputs[0] != NULL;
}

//===----------------------------------------------------------------------===//
// Normalisations
//===----------------------------------------------------------------------===//

// (x - mean) / sqrt(variance + epsilon) over `axes`; the mean and the inverse
// deviation too.
static LunaOnnxValue *normalize(LunaOnnxImport *c, LunaOnnxValue *value,
                                const bool *axes, double epsilon,
                                LunaOnnxValue **mean_out,
                                LunaOnnxValue **inverse_out) {
  LunaOnnxValue *middle = luna_onnx_mean(c, value, axes);
  LunaOnnxValue *low = luna_onnx_apply(c, "Sub", value, middle);
  LunaOnnxValue *variance = luna_onnx_mean(c, luna_onnx_square(c, low), axes);
  if (!variance)
    return NULL;
  LunaOnnxValue *moved = luna_onnx_apply(
      c, "Add", variance, luna_onnx_scalar(c, value->type, epsilon));
  LunaOnnxValue *inverse = luna_onnx_apply(
      c, "Reciprocal", luna_onnx_apply(c, "Sqrt", moved, NULL), NULL);
  *mean_out = middle;
  *inverse_out = inverse;
  return luna_onnx_apply(c, "Mul", low, inverse);
}

static bool check_float(LunaOnnxImport *c, const LunaOnnxNode *n) {
  for (int i = 0; i < n->input_count; ++i)
    if (n->inputs[i] && n->inputs[i]->type != LUNA_ONNX_F32)
      return luna_onnx_fail(c, "type %s is not supported",
                            luna_onnx_type_name(n->inputs[i]->type));
  return true;
}

bool luna_onnx_op_layer_norm(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *value = n->inputs[0], *bias = luna_onnx_input(n, 2), *mid,
                *inverse;
  int axis, rank = value->shape.rank;
  bool axes[LUNA_ONNX_MAX_RANK];
  if (!check_float(c, n) ||
      !luna_onnx_axis(c, luna_onnx_attr_int(n, "axis", -1), rank, &axis))
    return false;
  for (int i = 0; i < rank; ++i)
    axes[i] = i >= axis;
  LunaOnnxValue *made =
      normalize(c, value, axes, luna_onnx_attr_float(n, "epsilon", 1e-5f), &mid,
                &inverse);
  made = luna_onnx_apply(c, "Mul", made, n->inputs[1]);
  if (bias)
    made = luna_onnx_apply(c, "Add", made, bias);
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
static LunaOnnxValue *per_channel(LunaOnnxImport *c, LunaOnnxValue *value,
                                  int rank, int64_t channels) {
  LunaShape shape = luna_onnx_shape(rank, NULL);
  for (int i = 0; i < rank; ++i)
    shape.dims[i] = i == 1 ? channels : 1;
  return luna_onnx_reshape_value(c, value, &shape);
}

bool luna_onnx_op_instance_norm(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *value = n->inputs[0], *mid, *inverse;
  int rank = value->shape.rank;
  bool axes[LUNA_ONNX_MAX_RANK];
  if (!check_float(c, n) || rank < 3)
    return luna_onnx_fail(c, "needs at least 3 dimensions");
  for (int i = 0; i < rank; ++i)
    axes[i] = i >= 2;
  LunaOnnxValue *scale =
      per_channel(c, n->inputs[1], rank, value->shape.dims[1]);
  LunaOnnxValue *bias =
      per_channel(c, n->inputs[2], rank, value->shape.dims[1]);
  LunaOnnxValue *made =
      normalize(c, value, axes, luna_onnx_attr_float(n, "epsilon", 1e-5f), &mid,
                &inverse);
  n->outputs[0] =
      luna_onnx_apply(c, "Add", luna_onnx_apply(c, "Mul", made, scale), bias);
  return scale && bias && n->outputs[0];
}

bool luna_onnx_op_mean_variance_norm(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *value = n->inputs[0], *mid, *inverse;
  int64_t list[LUNA_ONNX_MAX_RANK] = {0, 2, 3};
  bool axes[LUNA_ONNX_MAX_RANK] = {false};
  int count = luna_onnx_attr_ints(c, n, "axes", list, LUNA_ONNX_MAX_RANK);
  count = count == -1 ? 3 : count;
  for (int i = 0; i < count; ++i) {
    int axis;
    if (!luna_onnx_axis(c, list[i], value->shape.rank, &axis))
      return false;
    axes[axis] = true;
  }
  n->outputs[0] = check_float(c, n)
                      ? normalize(c, value, axes, 1e-9, &mid, &inverse)
                      : NULL;
  return n->outputs[0] != NULL;
}

static MlirValue as_f64(const LunaOnnxScalar *s, int i) {
  return luna_onnx_cast(s->c, s->args[i], s->type, LUNA_ONNX_F64);
}

// Arguments are scale, bias, mean and variance of a channel:
// scale / sqrt(variance + epsilon), as f64.
static MlirValue norm_factor(const LunaOnnxScalar *s) {
  double epsilon = luna_onnx_attr_float(s->data, "epsilon", 1e-5f);
  MlirValue sum = luna_scalar_add(s->b, as_f64(s, 3),
                                  luna_onnx_lit(s->c, LUNA_ONNX_F64, epsilon));
  return luna_scalar_div(s->b, as_f64(s, 0),
                         luna_scalar_unary(s->b, "math.sqrt", sum));
}

static MlirValue factor_element(const LunaOnnxScalar *s) {
  return luna_onnx_cast(s->c, norm_factor(s), LUNA_ONNX_F64, s->type);
}

static MlirValue summand_element(const LunaOnnxScalar *s) {
  MlirValue mean = as_f64(s, 2);
  MlirValue moved = luna_scalar_mul(s->b, norm_factor(s), mean);
  return luna_onnx_cast(s->c, luna_scalar_sub(s->b, as_f64(s, 1), moved),
                        LUNA_ONNX_F64, s->type);
}

// The four parameters become one factor and one summand of each channel.
bool luna_onnx_op_batch_norm(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *value = n->inputs[0], *p[4];
  int rank = value->shape.rank;
  if (!check_float(c, n) || rank < 2)
    return luna_onnx_fail(c, "needs at least 2 dimensions");
  if (luna_onnx_attr_int(n, "training_mode", 0) || n->output_count > 1)
    return luna_onnx_fail(c, "training mode is not supported");
  for (int i = 0; i < 4; ++i) {
    p[i] = per_channel(c, n->inputs[i + 1], rank, value->shape.dims[1]);
    if (!p[i])
      return false;
  }
  LunaOnnxValue *factor =
      luna_onnx_map(c, n, p, 4, LUNA_ONNX_F32, factor_element);
  LunaOnnxValue *summand =
      luna_onnx_map(c, n, p, 4, LUNA_ONNX_F32, summand_element);
  n->outputs[0] = luna_onnx_apply(
      c, "Add", luna_onnx_apply(c, "Mul", value, factor), summand);
  return n->outputs[0] != NULL;
}

typedef struct Lrn {
  double alpha, beta, bias;
} Lrn;

static MlirValue lrn_element(const LunaOnnxScalar *s) {
  const Lrn *lrn = s->data;
  MlirValue sum = luna_scalar_mul(s->b, s->args[1],
                                  luna_onnx_lit(s->c, s->type, lrn->alpha));
  sum = luna_scalar_add(s->b, sum, luna_onnx_lit(s->c, s->type, lrn->bias));
  MlirValue power = luna_scalar(s->b, "math.powf", sum,
                                luna_onnx_lit(s->c, s->type, -lrn->beta));
  return luna_scalar_mul(s->b, s->args[0], power);
}

// The sum over neighbouring channels is a sum of shifted, padded squares.
bool luna_onnx_op_lrn(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *value = n->inputs[0];
  int64_t size = luna_onnx_attr_int(n, "size", 0), rank = value->shape.rank;
  if (!check_float(c, n) || rank < 3 || size < 1 || size > 64)
    return luna_onnx_fail(c, "size must be 1 to 64, the rank at least 3");
  int64_t pads[2 * LUNA_ONNX_MAX_RANK] = {0};
  pads[2] = (size - 1) / 2;
  pads[3] = size - 1 - pads[2];
  MlirValue squares = luna_onnx_ir(c, luna_onnx_square(c, value));
  MlirValue padded = luna_onnx_pad(c, squares, pads, 0);
  LunaOnnxValue *sum = NULL;
  for (int64_t i = 0; i < size; ++i) {
    int64_t starts[LUNA_ONNX_MAX_RANK] = {0};
    starts[1] = i;
    LunaOnnxValue *part = luna_onnx_from_ir(
        c, LUNA_ONNX_F32, &value->shape,
        luna_build_slice(c->b, padded, starts, value->shape.dims));
    sum = sum ? luna_onnx_apply(c, "Add", sum, part) : part;
  }
  Lrn lrn = {luna_onnx_attr_float(n, "alpha", 1e-4f) / (double)size,
             luna_onnx_attr_float(n, "beta", 0.75),
             luna_onnx_attr_float(n, "bias", 1.0)};
  LunaOnnxValue *pair[2] = {value, sum};
  n->outputs[0] = luna_onnx_map(c, &lrn, pair, 2, LUNA_ONNX_F32, lrn_element);
  return n->outputs[0] != NULL;
}
