// Pooling: TOSA's where it fits, else a reduction over windows.

#include "onnx_conv.h"

#include <math.h>
#include <string.h>

#include "mlir-c/AffineExpr.h"
#include "mlir-c/BuiltinAttributes.h"

static LunaShape pooled_shape(const OnnxWindow *w, const LunaShape *in) {
  LunaShape shape = *in;
  for (int i = 0; i < w->rank; ++i)
    shape.dims[i + 2] = w->out[i];
  return shape;
}

//===----------------------------------------------------------------------===//
// TOSA
//===----------------------------------------------------------------------===//

// How far the windows reach beyond the input.
static int64_t reach(const OnnxWindow *w, int i) {
  return (w->out[i] - 1) * w->stride[i] + (w->kernel[i] - 1) * w->dilation[i] +
         1 - w->in[i] - w->low[i];
}

static bool is_byte(OnnxType type) {
  return type == ONNX_I8 || type == ONNX_U8;
}

static bool counts_pad(const OnnxNode *n) {
  return onnx_attr_int(n, "count_include_pad", 0) != 0;
}

// Says whether TOSA's form takes no more than a general one: what is not quite
// its own has to have channels last already, or be for the unit.
static bool suits_tosa(const OnnxNode *n, const OnnxValue *value,
                       const OnnxWindow *w, bool max) {
  return (w->rank == 2 && (max || !counts_pad(n))) || is_byte(value->type) ||
         onnx_prefers_last(value);
}

// TOSA pools windows of one or two dimensions without dilation, and averages
// over what is not padding; no pad may be as large as the kernel.
static bool fits_tosa(const OnnxNode *n, const OnnxValue *value,
                      const OnnxWindow *w, bool max) {
  bool typed = value->type == ONNX_F32 || (max && is_byte(value->type));
  if (w->rank > 2 || !typed || n->output_count > 1 ||
      !suits_tosa(n, value, w, max))
    return false;
  for (int i = 0; i < w->rank; ++i)
    if (w->dilation[i] != 1 || w->low[i] >= w->kernel[i] ||
        reach(w, i) >= w->kernel[i] ||
        (!max && counts_pad(n) && reach(w, i) > w->high[i]))
      return false;
  return true;
}

// Padding that counts is zeros of the input.
static MlirValue pad_counted(OnnxImport *c, MlirValue input, LunaShape *in,
                             OnnxWindow *w) {
  int64_t pads[8] = {0};
  for (int i = 0; i < w->rank; ++i) {
    pads[2 * i + 2] = w->low[i];
    pads[2 * i + 3] = reach(w, i) > 0 ? reach(w, i) : 0;
  }
  for (int i = 0; i < w->rank; ++i) {
    w->in[i] = in->dims[i + 1] += pads[2 * i + 2] + pads[2 * i + 3];
    w->low[i] = 0;
  }
  return onnx_pad(c, input, pads, 0);
}

// Unsigned bytes are in the order of signed ones with the highest bit flipped.
static MlirValue flip(OnnxImport *c, MlirValue bytes) {
  LunaShape entries = {1, {256}};
  uint8_t table[256];
  for (int i = 0; i < 256; ++i)
    table[i] = (uint8_t)i;
  MlirValue operands[2] = {bytes, onnx_const(c, ONNX_I8, &entries, table)};
  return luna_build_op(c->b, "tosa.table", mlirValueGetType(bytes), 2, operands,
                       0, NULL);
}

static MlirValue emit_pool(OnnxImport *c, MlirValue input, OnnxType type,
                           LunaShape in, const OnnxWindow *w,
                           const LunaShape *out, bool max) {
  LunaShape one = {1, {1}};
  int64_t high[3];
  input = onnx_cut_window(c, input, &in, w, high);
  int64_t pads[4] = {w->low[0], high[0], w->low[1], high[1]};
  LunaAttr attrs[] = {
      {"kernel", luna_i64s_attr(c->b->context, 2, w->kernel)},
      {"stride", luna_i64s_attr(c->b->context, 2, w->stride)},
      {"pad", luna_i64s_attr(c->b->context, 4, pads)},
      {"acc_type", mlirTypeAttrGet(c->b->f32)},
  };
  MlirValue operands[3] = {input};
  if (!max) {
    operands[1] = onnx_splat(c, ONNX_F32, &one, 0);
    operands[2] = onnx_splat(c, ONNX_F32, &one, 0);
  }
  return luna_build_op(c->b, max ? "tosa.max_pool2d" : "tosa.avg_pool2d",
                       onnx_tensor_type(c, type, out), max ? 1 : 3, operands,
                       max ? 3 : 4, attrs);
}

static OnnxValue *pool_tosa(OnnxImport *c, const OnnxNode *n, OnnxValue *value,
                            OnnxWindow w, bool max) {
  OnnxType type = value->type;
  bool flips = type == ONNX_U8;
  LunaShape model = pooled_shape(&w, &value->shape);
  LunaShape model_last = onnx_shape_last(&model);
  onnx_raise_window(&w);
  int64_t batch = model.dims[0], channels = model.dims[1];
  LunaShape in = {4, {batch, w.in[0], w.in[1], channels}};
  LunaShape out = {4, {batch, w.out[0], w.out[1], channels}};
  MlirValue input = luna_build_reshape(c->b, onnx_ir_last(c, value), &in);
  if (flips)
    input = flip(c, input);
  if (!max && counts_pad(n))
    input = pad_counted(c, input, &in, &w);
  MlirValue made =
      emit_pool(c, input, flips ? ONNX_I8 : type, in, &w, &out, max);
  if (flips)
    made = flip(c, made);
  return onnx_from_last(c, type, &model,
                        luna_build_reshape(c->b, made, &model_last));
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
  int64_t pads[2 * ONNX_MAX_RANK] = {0};
  for (int i = 0; i < w->rank; ++i) {
    pads[2 * i + 4] = w->low[i];
    pads[2 * i + 5] = reach(w, i) > 0 ? reach(w, i) : 0;
  }
  return onnx_pad(c, onnx_ir(c, value), pads, fill);
}

// Loops are those of the result, then those of the kernel: where the input is
// read.
static MlirAffineMap window_map(OnnxImport *c, const OnnxWindow *w) {
  MlirContext context = c->b->context;
  int r = w->rank;
  MlirAffineExpr exprs[ONNX_MAX_RANK];
  exprs[0] = mlirAffineDimExprGet(context, 0);
  exprs[1] = mlirAffineDimExprGet(context, 1);
  for (int i = 0; i < r; ++i) {
    MlirAffineExpr at =
        mlirAffineMulExprGet(mlirAffineDimExprGet(context, i + 2),
                             mlirAffineConstantExprGet(context, w->stride[i]));
    MlirAffineExpr step = mlirAffineMulExprGet(
        mlirAffineDimExprGet(context, r + 2 + i),
        mlirAffineConstantExprGet(context, w->dilation[i]));
    exprs[i + 2] = mlirAffineAddExprGet(at, step);
  }
  return mlirAffineMapGet(context, 2 * r + 2, 0, r + 2, exprs);
}

// The position in the unpadded input, as ONNX counts it.
static MlirValue flat_index(OnnxImport *c, LunaGeneric *generic,
                            const OnnxNode *n, const OnnxWindow *w,
                            const LunaShape *in) {
  const LunaBuilder *b = c->b;
  bool columns = onnx_attr_int(n, "storage_order", 0) != 0;
  MlirValue flat =
      luna_scalar_add(b,
                      luna_scalar_mul(b, luna_generic_index(generic, 0),
                                      luna_scalar_index(b, in->dims[1])),
                      luna_generic_index(generic, 1));
  for (int i = 0; i < w->rank; ++i) {
    int d = columns ? w->rank - 1 - i : i;
    MlirValue at = luna_scalar_mul(b, luna_generic_index(generic, d + 2),
                                   luna_scalar_index(b, w->stride[d]));
    MlirValue step =
        luna_scalar_mul(b, luna_generic_index(generic, w->rank + 2 + d),
                        luna_scalar_index(b, w->dilation[d]));
    at = luna_scalar_add(b, at, step);
    at = luna_scalar_sub(b, at, luna_scalar_index(b, w->low[d]));
    flat = luna_scalar_mul(b, flat, luna_scalar_index(b, w->in[d]));
    flat = luna_scalar_add(b, flat, at);
  }
  return onnx_index_to(c, flat, ONNX_I64);
}

static void pool_window(OnnxImport *c, OnnxNode *n, OnnxValue *value,
                        const OnnxWindow *w, bool max) {
  OnnxType type = value->type;
  LunaShape out = pooled_shape(w, &value->shape);
  LunaShape kernel = onnx_shape(w->rank, w->kernel);
  bool indices = n->output_count > 1;
  double lowest_sum = max ? lowest(type) : 0;
  int r = w->rank, kernel_loops[3] = {r + 2, r + 3, r + 4};
  MlirValue source = pad_input(c, value, w, lowest_sum);
  // An empty tensor says how large the kernel is.
  MlirValue window = luna_build_empty(c->b, onnx_tensor_type(c, type, &kernel));
  MlirValue starts[2] = {onnx_splat(c, type, &out, lowest_sum)};
  if (indices)
    starts[1] = onnx_splat(c, ONNX_I64, &out, 0);
  LunaGeneric generic = luna_generic(c->b, &(LunaShape){.rank = 2 * r + 2});
  MlirValue x = luna_generic_input_map(&generic, source, window_map(c, w));
  luna_generic_input_at(&generic, window, kernel_loops);
  MlirValue old = luna_generic_update(&generic, starts[0]), yields[2];
  if (!max) {
    yields[0] = luna_scalar_add(c->b, old, x);
  } else if (indices) {
    MlirValue old_index = luna_generic_update(&generic, starts[1]);
    MlirValue better = onnx_compare(c, type, LUNA_GT, x, old);
    yields[0] = luna_scalar_select(c->b, better, x, old);
    yields[1] = luna_scalar_select(
        c->b, better, flat_index(c, &generic, n, w, &value->shape), old_index);
  } else {
    yields[0] = onnx_max(c, type, old, x);
  }
  MlirOperation op = luna_generic_close(&generic, yields);
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
  LunaShape shape = {.rank = w->rank + 2, .dims = {1, 1}};
  for (int i = 0; i < w->rank; ++i)
    shape.dims[i + 2] = w->out[i];
  int64_t count = onnx_elems(&shape), index[ONNX_MAX_RANK] = {0};
  uint8_t *data = onnx_new_data(c, count, 4);
  for (int64_t k = 0; k < count; ++k, onnx_next_index(&shape, index)) {
    double elems = 1;
    for (int i = 0; i < w->rank; ++i) {
      int64_t low = counts_pad(n) ? -w->low[i] : 0;
      int64_t high = w->in[i] + (counts_pad(n) ? w->high[i] : 0);
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
  LunaShape out = pooled_shape(&w, &value->shape);
  if (!onnx_check_shape(c, &out))
    return false;
  if (fits_tosa(n, value, &w, max)) {
    n->outputs[0] = pool_tosa(c, n, value, w, max);
    return true;
  }
  if (!max &&
      (value->type != ONNX_F32 || onnx_elems(&out) > ONNX_MAX_LIST * 16))
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
