// LUNA's sum and variance along a dimension. The sum is a product with ones on
// the unit; the variance is exact on the host but for one division of floats.

#include "linger.h"

#include <math.h>

//===----------------------------------------------------------------------===//
// Sums of values and squares
//===----------------------------------------------------------------------===//

static MlirValue widen_element(const LunaOnnxScalar *s) {
  return luna_onnx_cast(s->c, s->args[0], s->type, LUNA_ONNX_I32);
}

static MlirValue square_element(const LunaOnnxScalar *s) {
  MlirValue x = widen_element(s);
  return luna_scalar_mul(s->b, x, x);
}

bool luna_linger_sums(LunaOnnxImport *c, LunaOnnxValue *value, const bool *axes,
                      LunaOnnxValue *sums[2]) {
  static const LunaOnnxScalarFn fns[2] = {widen_element, square_element};
  for (int i = 0; i < 2; ++i) {
    LunaOnnxValue *made =
        luna_onnx_map(c, NULL, &value, 1, LUNA_ONNX_I32, fns[i]);
    if (!made)
      return false;
    sums[i] = luna_onnx_reduce(c, made, axes, LUNA_ONNX_SUM);
  }
  return sums[0] && sums[1];
}

// What is summed and what is added, as numbers[] of a LunaFixed has it.
enum { COUNT, EXTRA };

static MlirValue spread_element(const LunaOnnxScalar *s) {
  const LunaFixed *node = s->data;
  MlirValue sum = luna_linger_wide(s, 0);
  MlirValue squares = luna_linger_wide(s, 1);
  MlirValue elems = luna_scalar_int(s->b, s->b->i64, node->numbers[COUNT]);
  MlirValue spread =
      luna_scalar_sub(s->b, luna_scalar_mul(s->b, elems, squares),
                      luna_scalar_mul(s->b, sum, sum));
  return luna_scalar_add(
      s->b, spread, luna_scalar_int(s->b, s->b->i64, node->numbers[EXTRA]));
}

LunaOnnxValue *luna_linger_spread(LunaOnnxImport *c, LunaOnnxValue *sums[2],
                                  int64_t count, int64_t extra) {
  LunaFixed node = {.numbers = {count, extra}};
  return luna_onnx_map(c, &node, sums, 2, LUNA_ONNX_I64, spread_element);
}

//===----------------------------------------------------------------------===//
// The operators
//===----------------------------------------------------------------------===//

// Reads the dimension that is reduced and the scales.
static bool read_reduction(LunaOnnxImport *c, const LunaOnnxNode *n,
                           const char *name, int *axis, int *x, int *o) {
  if (!luna_linger_needs_i8(c, n, 1) ||
      !luna_linger_scale(c, n, "scale_x", x) ||
      !luna_linger_scale(c, n, "scale_o", o))
    return false;
  // linger leaves it out where all are, or it was passed by name.
  if (!luna_onnx_attr(n, name))
    return luna_onnx_fail(
        c, "has no attribute '%s': one dimension is supported", name);
  return luna_onnx_axis(c, luna_onnx_attr_int(n, name, 0),
                        n->inputs[0]->shape.rank, axis);
}

// The node does not say whether the dimension stays as size 1. thinker keeps
// it; linger may have dropped it, which only a declared shape tells.
static bool give_result(LunaOnnxImport *c, LunaOnnxNode *n,
                        LunaOnnxValue *value, int axis) {
  LunaShape shape = value->shape, declared;
  bool known = false;
  if (n->output_count > 0 &&
      !luna_onnx_declared_shape(c, n->proto->output[0], &declared, &known))
    return false;
  if (known && declared.rank == shape.rank - 1) {
    --shape.rank;
    for (int i = axis; i < shape.rank; ++i)
      shape.dims[i] = shape.dims[i + 1];
  }
  n->outputs[0] = luna_onnx_reshape_value(c, value, &shape);
  return n->outputs[0] != NULL;
}

// A product with ones, of the rows or, where the dimension is not the last, of
// the columns.
static MlirValue sum_on_unit(LunaOnnxImport *c, LunaOnnxValue *value, int axis,
                             MlirAttribute requant, LunaOnnxType type,
                             const LunaShape *shape) {
  int64_t depth = value->shape.dims[axis], outer = 1, inner = 1;
  for (int i = 0; i < value->shape.rank; ++i)
    *(i < axis ? &outer : &inner) *= i == axis ? 1 : value->shape.dims[i];
  bool rows = inner == 1;
  LunaShape list = {3, {rows ? 1 : outer, 1, depth}};
  MlirValue x = luna_onnx_ir(c, value);
  MlirValue ones = luna_onnx_splat(c, LUNA_ONNX_I8, &list, 1);
  LunaUnitMatmul m = {.lhs = rows ? x : ones,
                      .rhs = rows ? ones : x,
                      .batch = rows ? 1 : outer,
                      .rows = rows ? outer : 1,
                      .depth = depth,
                      .columns = inner,
                      .is_rhs_transposed = rows,
                      .requant = requant};
  return luna_linger_emit_matmul(c, &m, type, shape);
}

bool luna_linger_op_sum(LunaOnnxImport *c, LunaOnnxNode *n) {
  int axis, x, o;
  MlirAttribute requant;
  LunaOnnxValue *value = n->inputs[0];
  if (!read_reduction(c, n, "dims", &axis, &x, &o))
    return false;
  LunaShape shape = value->shape;
  shape.dims[axis] = 1;
  if (value->shape.dims[axis] > LUNA_MAX_SUMMED || x - o > 31 || o - x > 30)
    return luna_onnx_fail(c,
                          "sums at most %d elements, scales at most 2^30 apart",
                          LUNA_MAX_SUMMED);
  // The unit shifts down only.
  LunaOnnxType type = x < o ? LUNA_ONNX_I32 : LUNA_ONNX_I8;
  if (!luna_linger_requant(c, type, x < o ? 0 : x - o, &requant))
    return false;
  LunaOnnxValue *sum = luna_onnx_from_ir(
      c, type, &shape, sum_on_unit(c, value, axis, requant, type, &shape));
  if (x < o)
    sum = luna_linger_cast(c, sum, x - o, LUNA_ONNX_I8);
  return sum && give_result(c, n, sum, axis);
}

static MlirValue variance_element(const LunaOnnxScalar *s) {
  float divisor = *(const float *)s->data;
  MlirValue x = luna_onnx_cast(s->c, s->args[0], s->type, LUNA_ONNX_F32);
  x = luna_scalar_div(s->b, x, luna_scalar_f32(s->b, divisor));
  x = luna_scalar_add(s->b, x, luna_scalar_f32(s->b, 0.5));
  return luna_onnx_saturate(s->c, luna_scalar_unary(s->b, "math.floor", x),
                            LUNA_ONNX_I8);
}

bool luna_linger_op_var(LunaOnnxImport *c, LunaOnnxNode *n) {
  int axis, x, o;
  LunaOnnxValue *value = n->inputs[0], *sums[2];
  bool axes[LUNA_ONNX_MAX_RANK] = {false};
  if (!read_reduction(c, n, "dim", &axis, &x, &o))
    return false;
  int64_t count = value->shape.dims[axis];
  if (count > LUNA_MAX_SUMMED || 2 * x - o > 30 || 2 * x - o < -30)
    return luna_onnx_fail(
        c, "takes at most %d elements, scales at most 2^30 apart",
        LUNA_MAX_SUMMED);
  if (!luna_onnx_attr_int(n, "unbiased", 1))
    return luna_onnx_fail(c,
                          "divides by one less than the count: 'unbiased' must "
                          "be 1");
  axes[axis] = true;
  if (!luna_linger_sums(c, value, axes, sums))
    return false;
  LunaOnnxValue *spread = luna_linger_spread(c, sums, count, 0);
  int64_t divisor = count > 1 ? count * (count - 1) : 1;
  float scaled = ldexpf((float)divisor, 2 * x - o);
  if (spread)
    spread =
        luna_onnx_map(c, &scaled, &spread, 1, LUNA_ONNX_I8, variance_element);
  return spread && give_result(c, n, spread, axis);
}
