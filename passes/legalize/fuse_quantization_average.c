// Averages of quantised values: sums of int32 by a product with ones, times
// x_scale / (y_scale * count).

#include "fuse_quantization_product.h"

#include "luna-c/build_tosa.h"
#include "mlir-c/BuiltinTypes.h"

// Weights of ones stay small beside what they sum up.
enum { MAX_ONES = 1 << 16 };

// The mean of `count` integers: x_scale / (y_scale * count).
static float mean_scale(const LunaProduct *p, const LunaQuant *x,
                        int64_t count) {
  float divisor = (float)count;
  if (p->has_target)
    divisor = p->target.scale * divisor;
  return x->scale / divisor;
}

static MlirValue make_ones(const LunaProduct *p, const LunaShape *shape) {
  return luna_build_splat(p->b, luna_tensor_type(p->b->i8, shape), 1);
}

bool luna_product_fuse_pool(const LunaProduct *p) {
  MlirValue x = mlirOperationGetOperand(p->last, 0);
  LunaQuant quant;
  LunaConvSpec conv = {.dilation = {1, 1}};
  int64_t kernel[2];
  if (!luna_quant_source(x, &quant) || !luna_quant_is_int8(&quant) ||
      !luna_attr_ints(p->last, "kernel", kernel, 2) ||
      !luna_attr_ints(p->last, "stride", conv.stride, 2) ||
      !luna_attr_ints(p->last, "pad", conv.pad, 4) || kernel[0] > MAX_ONES ||
      kernel[1] > MAX_ONES ||
      kernel[0] * kernel[1] * luna_extent(x, 3) > MAX_ONES)
    return false;
  for (int i = 0; i < 4; ++i)
    if (conv.pad[i] != 0)
      return false;
  int64_t channels = luna_extent(x, 3);
  LunaShape weight = {4, {kernel[0], kernel[1], channels, 1}};
  conv.input = luna_quant_ints(&quant);
  conv.weight = make_ones(p, &weight);
  conv.bias = luna_product_no_bias(p, channels);
  conv.input_zp = quant.zero;
  float scale = mean_scale(p, &quant, kernel[0] * kernel[1]);
  return luna_product_finish(
      p, luna_build_conv(p->b, "tosa.depthwise_conv2d", &conv), &scale, 1);
}

// Sums over neighbouring dimensions: [outer, reduced, inner] to [outer, inner].
typedef struct Reduction {
  LunaQuant quant;
  int64_t outer, reduced, inner;
} Reduction;

static bool read_reduction(MlirValue sum, Reduction *r) {
  MlirOperation op = luna_defining_op(sum);
  int rank = luna_rank_of(sum);
  bool is_reduced[LUNA_RANK_MAX] = {false};
  MlirValue x = sum;
  for (; luna_op_is(op, LUNA_OP_TOSA_REDUCE_SUM) && luna_is_used_once(x);
       op = luna_defining_op(x)) {
    is_reduced[luna_attr_int(op, "axis", 0)] = true;
    x = mlirOperationGetOperand(op, 0);
  }
  if (luna_same_value(x, sum) || !luna_quant_source(x, &r->quant) ||
      !luna_quant_is_int8(&r->quant))
    return false;
  r->outer = r->reduced = r->inner = 1;
  bool has_begun = false, has_ended = false;
  for (intptr_t i = 0; i < rank; ++i) {
    int64_t size = luna_extent(x, i);
    if (is_reduced[i] && has_ended && size > 1)
      return false;
    has_ended |= has_begun && !is_reduced[i] && size > 1;
    has_begun |= is_reduced[i];
    *(is_reduced[i] ? &r->reduced : has_begun ? &r->inner : &r->outer) *= size;
  }
  return true;
}

// Ones [outer, 1, reduced] times [outer, reduced, inner]; where inner is 1,
// [1, outer, reduced] times ones [1, reduced, 1].
static MlirValue build_sums(const LunaProduct *p, const Reduction *r) {
  MlirValue ints = luna_quant_ints(&r->quant);
  if (r->inner == 1) {
    LunaShape lhs = {3, {1, r->outer, r->reduced}};
    LunaShape rhs = {3, {1, r->reduced, 1}};
    MlirValue rows = luna_build_reshape(p->b, ints, &lhs);
    return luna_product_matmul(p, rows, make_ones(p, &rhs), r->quant.zero, 0);
  }
  LunaShape lhs = {3, {r->outer, 1, r->reduced}};
  LunaShape rhs = {3, {r->outer, r->reduced, r->inner}};
  MlirValue ones = make_ones(p, &lhs);
  return luna_product_matmul(p, ones, luna_build_reshape(p->b, ints, &rhs), 0,
                             r->quant.zero);
}

// The sums of windows times one over how many elements each has.
static bool fuse_window_mean(const LunaProduct *p, float factor) {
  LunaFuseWindow w;
  LunaQuant quant;
  MlirOperation sum = luna_defining_op(mlirOperationGetOperand(p->last, 0));
  if (!luna_fuse_read_sum(sum, &w, &quant) ||
      !luna_is_used_once(mlirOperationGetResult(sum, 0)) ||
      factor != (float)(1.0 / (double)w.count))
    return false;
  float scale = mean_scale(p, &quant, w.count);
  return luna_product_finish(p, luna_fuse_sum_ints(p->b, &w, &quant), &scale,
                             1);
}

bool luna_product_fuse_mean(const LunaProduct *p) {
  Reduction r;
  float factor;
  if (!luna_literal_number(mlirOperationGetOperand(p->last, 1), &factor))
    return false;
  if (fuse_window_mean(p, factor))
    return true;
  if (!read_reduction(mlirOperationGetOperand(p->last, 0), &r) ||
      factor != (float)(1.0 / (double)r.reduced) ||
      r.reduced * (r.inner == 1 ? 1 : r.outer) > MAX_ONES)
    return false;
  float scale = mean_scale(p, &r.quant, r.reduced);
  return luna_product_finish(p, build_sums(p, &r), &scale, 1);
}
