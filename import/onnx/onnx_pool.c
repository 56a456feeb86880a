// Pooling: TOSA's where it fits, else a reduction over windows.

#include "onnx_conv.h"

#include <math.h>
#include <string.h>

#include "mlir-c/AffineExpr.h"
#include "mlir-c/BuiltinAttributes.h"

static OnnxShape pooled_shape(const OnnxWindow *w, const OnnxShape *in) {
  OnnxShape shape = *in;
  for (int i = 0; i < w->rank; ++i)
    shape.dims[i + 2] = w->out[i];
  return shape;
}

//===----------------------------------------------------------------------===//
// TOSA
//===----------------------------------------------------------------------===//

// TOSA pools windows of two dimensions without dilation, and averages over
// what is not padding; no pad may be as large as the kernel.
static bool fits_tosa(const OnnxNode *n, const OnnxValue *value,
                      const OnnxWindow *w, bool max) {
  bool typed = value->type == ONNX_F32 || (max && value->type == ONNX_I8);
  if (w->rank != 2 || !typed || n->output_count > 1)
    return false;
  bool counts_pad = onnx_attr_int(n, "count_include_pad", 0) != 0;
  for (int i = 0; i < 2; ++i) {
    int64_t reach =
        (w->out[i] - 1) * w->stride[i] + w->kernel[i] - w->in[i] - w->low[i];
    bool pads = w->low[i] > 0 || reach > 0;
    if (w->dilation[i] != 1 || w->low[i] >= w->kernel[i] ||
        reach >= w->kernel[i] || (!max && counts_pad && pads))
      return false;
  }
  return true;
}

static OnnxValue *pool_tosa(OnnxImport *c, OnnxValue *value,
                            const OnnxWindow *w, bool max) {
  OnnxType type = value->type;
  OnnxShape in = onnx_shape_last(&value->shape);
  OnnxShape model = pooled_shape(w, &value->shape);
  OnnxShape out = onnx_shape_last(&model), one = onnx_shape(1, (int64_t[]){1});
  int64_t high[3];
  MlirValue input =
      onnx_cut_window(c, onnx_ir_last(c, value), type, &in, w, high);
  int64_t pads[4] = {w->low[0], high[0], w->low[1], high[1]};
  OnnxAttr attrs[] = {
      {"kernel", onnx_i64s_attr(c, w->kernel, 2)},
      {"stride", onnx_i64s_attr(c, w->stride, 2)},
      {"pad", onnx_i64s_attr(c, pads, 4)},
      {"acc_type", mlirTypeAttrGet(onnx_element_type(c, ONNX_F32))},
  };
  MlirValue operands[3] = {input};
  if (!max) {
    operands[1] = onnx_splat(c, ONNX_F32, &one, 0);
    operands[2] = onnx_splat(c, ONNX_F32, &one, 0);
  }
  MlirValue made = onnx_emit(c, max ? "tosa.max_pool2d" : "tosa.avg_pool2d",
                             onnx_tensor_type(c, type, &out), operands,
                             max ? 1 : 3, attrs, max ? 3 : 4);
  return onnx_from_last(c, type, &model, made);
}

//===----------------------------------------------------------------------===//
// In general
//===----------------------------------------------------------------------===//

static double lowest(OnnxType type) {
  int64_t low, high;
  if (onnx_is_float(type))
    return -INFINITY;
  onnx_int_range(type, &low, &high);
  return (double)low;
}

// Pads with `fill` as far as the windows reach; cuts where they do not.
static MlirValue pad_input(OnnxImport *c, OnnxValue *value, const OnnxWindow *w,
                           double fill) {
  int64_t low[ONNX_MAX_RANK] = {0}, high[ONNX_MAX_RANK] = {0};
  for (int i = 0; i < w->rank; ++i) {
    int64_t reach = (w->out[i] - 1) * w->stride[i] +
                    (w->kernel[i] - 1) * w->dilation[i] + 1 - w->in[i] -
                    w->low[i];
    low[i + 2] = w->low[i];
    high[i + 2] = reach > 0 ? reach : 0;
  }
  return onnx_pad(c, onnx_ir(c, value), value->type, &value->shape, low, high,
                  fill);
}

// Loops are those of the result, then those of the kernel, whose sizes an
// empty tensor gives.
static void window_maps(OnnxImport *c, const OnnxWindow *w, OnnxLoop *loop) {
  int r = w->rank, loops = 2 * r + 2;
  MlirAffineExpr exprs[ONNX_MAX_RANK];
  int kernel_list[3], out_list[ONNX_MAX_RANK] = {0, 1};
  exprs[0] = mlirAffineDimExprGet(c->context, 0);
  exprs[1] = mlirAffineDimExprGet(c->context, 1);
  for (int i = 0; i < r; ++i) {
    MlirAffineExpr at = mlirAffineMulExprGet(
        mlirAffineDimExprGet(c->context, i + 2),
        mlirAffineConstantExprGet(c->context, w->stride[i]));
    MlirAffineExpr step = mlirAffineMulExprGet(
        mlirAffineDimExprGet(c->context, r + 2 + i),
        mlirAffineConstantExprGet(c->context, w->dilation[i]));
    exprs[i + 2] = mlirAffineAddExprGet(at, step);
    kernel_list[i] = r + 2 + i;
    out_list[i + 2] = i + 2;
    loop->reduces[r + 2 + i] = true;
  }
  loop->loop_count = loops;
  loop->maps[0] = mlirAffineMapGet(c->context, loops, 0, r + 2, exprs);
  loop->maps[1] = onnx_select_map(c, loops, kernel_list, r);
  loop->init_maps[0] = loop->init_maps[1] =
      onnx_select_map(c, loops, out_list, r + 2);
}

static MlirValue loop_index(OnnxImport *c, int loop) {
  OnnxAttr dim = {"dim", onnx_i64_attr(c, loop)};
  return onnx_emit(c, "linalg.index", onnx_index_type(c), NULL, 0, &dim, 1);
}

// The position in the unpadded input, as ONNX counts it.
static MlirValue flat_index(OnnxImport *c, const OnnxNode *n,
                            const OnnxWindow *w, const OnnxShape *in) {
  bool columns = onnx_attr_int(n, "storage_order", 0) != 0;
  MlirValue flat = onnx_s2(c, "arith.addi",
                           onnx_s2(c, "arith.muli", loop_index(c, 0),
                                   onnx_lit_index(c, in->dims[1])),
                           loop_index(c, 1));
  for (int i = 0; i < w->rank; ++i) {
    int d = columns ? w->rank - 1 - i : i;
    MlirValue at = onnx_s2(c, "arith.muli", loop_index(c, d + 2),
                           onnx_lit_index(c, w->stride[d]));
    MlirValue step = onnx_s2(c, "arith.muli", loop_index(c, w->rank + 2 + d),
                             onnx_lit_index(c, w->dilation[d]));
    at = onnx_s2(c, "arith.addi", at, step);
    at = onnx_s2(c, "arith.subi", at, onnx_lit_index(c, w->low[d]));
    flat = onnx_s2(c, "arith.muli", flat, onnx_lit_index(c, w->in[d]));
    flat = onnx_s2(c, "arith.addi", flat, at);
  }
  return onnx_index_to(c, flat, ONNX_I64);
}

static void pool_window(OnnxImport *c, OnnxNode *n, OnnxValue *value,
                        const OnnxWindow *w, bool max) {
  OnnxType type = value->type;
  OnnxShape out = pooled_shape(w, &value->shape);
  OnnxShape kernel = onnx_shape(w->rank, w->kernel);
  bool indices = n->output_count > 1;
  double start = max ? lowest(type) : 0;
  OnnxLoop loop = {
      .input_count = 2,
      .result_count = indices ? 2 : 1,
      .inputs = {pad_input(c, value, w, start), onnx_empty(c, type, &kernel)},
      .inits = {onnx_splat(c, type, &out, start)},
  };
  if (indices)
    loop.inits[1] = onnx_splat(c, ONNX_I64, &out, 0);
  window_maps(c, w, &loop);
  onnx_loop_begin(c, &loop);
  MlirValue yields[2];
  if (!max) {
    yields[0] = onnx_add(c, type, loop.args[2], loop.args[0]);
  } else if (indices) {
    MlirValue better =
        onnx_compare(c, type, ONNX_GT, loop.args[0], loop.args[2]);
    yields[0] = onnx_select(c, better, loop.args[0], loop.args[2]);
    yields[1] = onnx_select(c, better, flat_index(c, n, w, &value->shape),
                            loop.args[3]);
  } else {
    yields[0] = onnx_max(c, type, loop.args[2], loop.args[0]);
  }
  MlirOperation op = onnx_loop_end(c, &loop, yields);
  n->outputs[0] = onnx_from_ir(c, type, &out, mlirOperationGetResult(op, 0));
  if (indices)
    n->outputs[1] =
        onnx_from_ir(c, ONNX_I64, &out, mlirOperationGetResult(op, 1));
}

// How many of base, base + step, … (count of them) lie in [low, high).
static int64_t inside_count(int64_t base, int64_t count, int64_t step,
                            int64_t low, int64_t high) {
  int64_t first = base < low ? (low - base + step - 1) / step : 0;
  int64_t end = high > base ? (high - base + step - 1) / step : 0;
  end = end > count ? count : end;
  return end > first ? end - first : 0;
}

// How many elements each window averages over, as 1 / count.
static OnnxValue *reciprocal_counts(OnnxImport *c, const OnnxNode *n,
                                    const OnnxWindow *w) {
  bool counts_pad = onnx_attr_int(n, "count_include_pad", 0) != 0;
  OnnxShape shape = {.rank = w->rank + 2, .dims = {1, 1}};
  for (int i = 0; i < w->rank; ++i)
    shape.dims[i + 2] = w->out[i];
  int64_t count = onnx_elems(&shape), index[ONNX_MAX_RANK] = {0};
  uint8_t *data = onnx_new_data(c, count, 4);
  for (int64_t k = 0; k < count; ++k, onnx_next_index(&shape, index)) {
    double elems = 1;
    for (int i = 0; i < w->rank; ++i) {
      int64_t low = counts_pad ? -w->low[i] : 0;
      int64_t high = w->in[i] + (counts_pad ? w->high[i] : 0);
      int64_t base = index[i + 2] * w->stride[i] - w->low[i];
      elems *=
          (double)inside_count(base, w->kernel[i], w->dilation[i], low, high);
    }
    onnx_set_float(ONNX_F32, data, k, elems > 0 ? 1.0 / elems : 0.0);
  }
  return onnx_new_const(c, ONNX_F32, &shape, data);
}

ONNX_HANDLER(pool) {
  OnnxValue *value = n->inputs[0];
  bool max = strcmp(n->proto->op_type, "MaxPool") == 0;
  int64_t kernel[3];
  OnnxWindow w;
  int rank = onnx_attr_ints(c, n, "kernel_shape", kernel, 3);
  if (rank < 1 || rank != value->shape.rank - 2)
    return onnx_fail(c, "kernel_shape has %d entries, the input %d dimensions",
                     rank, value->shape.rank);
  if (!onnx_is_float(value->type) &&
      !(max && onnx_is_int(value->type) && onnx_type_bytes(value->type) < 8))
    return onnx_fail(c, "type %s is not supported",
                     onnx_type_name(value->type));
  if (!onnx_read_window(c, n, &value->shape, kernel, &w))
    return false;
  OnnxShape out = pooled_shape(&w, &value->shape);
  if (!onnx_check_shape(c, &out))
    return false;
  if (fits_tosa(n, value, &w, max)) {
    n->outputs[0] = pool_tosa(c, value, &w, max);
    return true;
  }
  if (!max &&
      (value->type != ONNX_F32 || onnx_elems(&out) > ONNX_MAX_FOLD_ELEMS * 16))
    return onnx_fail(c, "average of this type or size is not supported");
  pool_window(c, n, value, &w, max);
  if (!max)
    n->outputs[0] =
        onnx_apply(c, n, "Mul", n->outputs[0], reciprocal_counts(c, n, &w));
  return n->outputs[0] != NULL;
}

ONNX_HANDLER(global_pool) {
  OnnxValue *value = n->inputs[0];
  bool axes[ONNX_MAX_RANK];
  int64_t count = 1;
  if (!onnx_is_float(value->type) || value->shape.rank < 3)
    return onnx_fail(c, "needs a float tensor of at least 3 dimensions");
  for (int i = 0; i < value->shape.rank; ++i) {
    axes[i] = i >= 2;
    count *= axes[i] ? value->shape.dims[i] : 1;
  }
  bool max = strcmp(n->proto->op_type, "GlobalMaxPool") == 0;
  OnnxValue *made = onnx_reduce(c, value, axes, max ? ONNX_MAX : ONNX_SUM);
  if (!max)
    made = onnx_apply(c, n, "Mul", made,
                      onnx_scalar(c, value->type, 1.0 / (double)count));
  n->outputs[0] = made;
  return made != NULL;
}
