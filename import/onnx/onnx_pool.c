// Pooling: TOSA's where it fits, else a reduction over windows.

#include "onnx_conv.h"

#include <math.h>
#include <string.h>

#include "mlir-c/AffineExpr.h"
#include "mlir-c/BuiltinAttributes.h"

static LunaShape pooled_shape(const LunaWindow *w, const LunaShape *in) {
  LunaShape shape = *in;
  for (int i = 0; i < w->rank; ++i)
    shape.dims[i + 2] = w->out[i];
  return shape;
}

//===----------------------------------------------------------------------===//
// TOSA
//===----------------------------------------------------------------------===//

static bool is_byte(LunaOnnxType type) {
  return type == LUNA_ONNX_I8 || type == LUNA_ONNX_U8;
}

static bool counts_pad(const LunaOnnxNode *n) {
  return luna_onnx_attr_int(n, "count_include_pad", 0) != 0;
}

// Returns true if TOSA's form takes no more than a general one: what is not
// quite its own has to have channels last already, or be for the unit.
static bool suits_tosa(const LunaOnnxNode *n, const LunaOnnxValue *value,
                       const LunaWindow *w, bool max) {
  return (w->rank == 2 && (max || !counts_pad(n))) || is_byte(value->type) ||
         luna_onnx_prefers_last(value);
}

// TOSA pools windows of one or two dimensions without dilation, and averages
// over what is not padding; no pad may be as large as the kernel.
static bool fits_tosa(const LunaOnnxNode *n, const LunaOnnxValue *value,
                      const LunaWindow *w, bool max) {
  bool typed = value->type == LUNA_ONNX_F32 || (max && is_byte(value->type));
  if (w->rank > 2 || !typed || n->output_count > 1 ||
      !suits_tosa(n, value, w, max))
    return false;
  for (int i = 0; i < w->rank; ++i)
    if (w->dilation[i] != 1 || w->low[i] >= w->kernel[i] ||
        luna_window_behind(w, i) >= w->kernel[i] ||
        (!max && counts_pad(n) && luna_window_behind(w, i) > w->high[i]))
      return false;
  return true;
}

// Padding that counts is zeros of the input.
static MlirValue pad_counted(LunaOnnxImport *c, MlirValue input,
                             LunaWindow *w) {
  int64_t pads[8] = {0};
  for (int i = 0; i < w->rank; ++i) {
    int64_t behind = luna_window_behind(w, i);
    pads[2 * i + 2] = w->low[i];
    pads[2 * i + 3] = behind > 0 ? behind : 0;
    w->in[i] += pads[2 * i + 2] + pads[2 * i + 3];
    w->low[i] = 0;
  }
  return luna_onnx_pad(c, input, pads, 0);
}

// Unsigned bytes are in the order of signed ones with the highest bit flipped.
static MlirValue flip(LunaOnnxImport *c, MlirValue bytes) {
  LunaShape entries = {1, {256}};
  uint8_t table[256];
  for (int i = 0; i < 256; ++i)
    table[i] = (uint8_t)i;
  MlirValue operands[2] = {bytes,
                           luna_onnx_const(c, LUNA_ONNX_I8, &entries, table)};
  return luna_build_op(c->b, "tosa.table", mlirValueGetType(bytes), 2, operands,
                       0, NULL);
}

static LunaOnnxValue *pool_tosa(LunaOnnxImport *c, const LunaOnnxNode *n,
                                LunaOnnxValue *value, LunaWindow w, bool max) {
  LunaOnnxType type = value->type;
  bool flips = type == LUNA_ONNX_U8;
  LunaShape model = pooled_shape(&w, &value->shape);
  LunaShape model_last = luna_onnx_shape_last(&model);
  luna_onnx_raise_window(&w);
  int64_t batch = model.dims[0], channels = model.dims[1];
  LunaShape in = {4, {batch, w.in[0], w.in[1], channels}};
  MlirValue input = luna_build_reshape(c->b, luna_onnx_ir_last(c, value), &in);
  if (flips)
    input = flip(c, input);
  if (!max && counts_pad(n))
    input = pad_counted(c, input, &w);
  int64_t pad[6];
  input = luna_build_cut(c->b, input, &w, pad);
  MlirValue made = luna_build_pool(
      c->b, max ? "tosa.max_pool2d" : "tosa.avg_pool2d", input, &w, pad, 0);
  if (flips)
    made = flip(c, made);
  return luna_onnx_from_last(c, type, &model,
                             luna_build_reshape(c->b, made, &model_last));
}

//===----------------------------------------------------------------------===//
// In general
//===----------------------------------------------------------------------===//

static double lowest(LunaOnnxType type) {
  int64_t low, high;
  if (luna_onnx_is_float(type))
    return -INFINITY;
  luna_onnx_int_range(type, &low, &high);
  return (double)low;
}

// Pads with `fill` as far as the windows reach; cuts where they do not.
static MlirValue pad_input(LunaOnnxImport *c, LunaOnnxValue *value,
                           const LunaWindow *w, double fill) {
  int64_t pads[2 * LUNA_ONNX_MAX_RANK] = {0};
  for (int i = 0; i < w->rank; ++i) {
    pads[2 * i + 4] = w->low[i];
    pads[2 * i + 5] =
        luna_window_behind(w, i) > 0 ? luna_window_behind(w, i) : 0;
  }
  return luna_onnx_pad(c, luna_onnx_ir(c, value), pads, fill);
}

// Loops are those of the result, then those of the kernel: where the input is
// read.
static MlirAffineMap window_map(LunaOnnxImport *c, const LunaWindow *w) {
  MlirContext context = c->b->context;
  int r = w->rank;
  MlirAffineExpr exprs[LUNA_ONNX_MAX_RANK];
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
static MlirValue flat_index(LunaOnnxImport *c, LunaGeneric *generic,
                            const LunaOnnxNode *n, const LunaWindow *w,
                            const LunaShape *in) {
  const LunaBuilder *b = c->b;
  bool columns = luna_onnx_attr_int(n, "storage_order", 0) != 0;
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
  return luna_onnx_index_to(c, flat, LUNA_ONNX_I64);
}

static void pool_window(LunaOnnxImport *c, LunaOnnxNode *n,
                        LunaOnnxValue *value, const LunaWindow *w, bool max) {
  LunaOnnxType type = value->type;
  LunaShape out = pooled_shape(w, &value->shape);
  LunaShape kernel = luna_onnx_shape(w->rank, w->kernel);
  bool indices = n->output_count > 1;
  double lowest_sum = max ? lowest(type) : 0;
  int r = w->rank, kernel_loops[3] = {r + 2, r + 3, r + 4};
  MlirValue source = pad_input(c, value, w, lowest_sum);
  // An empty tensor says how large the kernel is.
  MlirValue window =
      luna_build_empty(c->b, luna_onnx_tensor_type(c, type, &kernel));
  MlirValue starts[2] = {luna_onnx_splat(c, type, &out, lowest_sum)};
  if (indices)
    starts[1] = luna_onnx_splat(c, LUNA_ONNX_I64, &out, 0);
  LunaGeneric generic = luna_generic(c->b, &(LunaShape){.rank = 2 * r + 2});
  MlirValue x = luna_generic_input_map(&generic, source, window_map(c, w));
  luna_generic_input_at(&generic, window, kernel_loops);
  MlirValue old = luna_generic_update(&generic, starts[0]), yields[2];
  if (!max) {
    yields[0] = luna_scalar_add(c->b, old, x);
  } else if (indices) {
    MlirValue old_index = luna_generic_update(&generic, starts[1]);
    MlirValue better = luna_onnx_compare(c, type, LUNA_GT, x, old);
    yields[0] = luna_scalar_select(c->b, better, x, old);
    yields[1] = luna_scalar_select(
        c->b, better, flat_index(c, &generic, n, w, &value->shape), old_index);
  } else {
    yields[0] = luna_onnx_max(c, type, old, x);
  }
  MlirOperation op = luna_generic_close(&generic, yields);
  n->outputs[0] =
      luna_onnx_from_ir(c, type, &out, mlirOperationGetResult(op, 0));
  if (indices)
    n->outputs[1] = luna_onnx_from_ir(c, LUNA_ONNX_I64, &out,
                                      mlirOperationGetResult(op, 1));
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
static LunaOnnxValue *reciprocal_counts(LunaOnnxImport *c,
                                        const LunaOnnxNode *n,
                                        const LunaWindow *w) {
  LunaShape shape = {.rank = w->rank + 2, .dims = {1, 1}};
  for (int i = 0; i < w->rank; ++i)
    shape.dims[i + 2] = w->out[i];
  int64_t count = luna_onnx_elems(&shape), index[LUNA_ONNX_MAX_RANK] = {0};
  uint8_t *data = luna_onnx_new_data(c, count, 4);
  for (int64_t k = 0; k < count; ++k, luna_onnx_next_index(&shape, index)) {
    double elems = 1;
    for (int i = 0; i < w->rank; ++i) {
      int64_t low = counts_pad(n) ? -w->low[i] : 0;
      int64_t high = w->in[i] + (counts_pad(n) ? w->high[i] : 0);
      int64_t base = index[i + 2] * w->stride[i] - w->low[i];
      elems *=
          (double)inside_count(base, w->kernel[i], w->dilation[i], low, high);
    }
    luna_onnx_set_float(LUNA_ONNX_F32, data, k, elems > 0 ? 1.0 / elems : 0.0);
  }
  return luna_onnx_new_const(c, LUNA_ONNX_F32, &shape, data);
}

bool luna_onnx_op_pool(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *value = n->inputs[0];
  bool max = strcmp(n->proto->op_type, "MaxPool") == 0;
  int64_t kernel[3];
  LunaWindow w;
  int rank = luna_onnx_attr_ints(c, n, "kernel_shape", kernel, 3);
  if (rank < 1 || rank != value->shape.rank - 2)
    return luna_onnx_fail(
        c, "kernel_shape has %d entries, the input %d dimensions", rank,
        value->shape.rank);
  if (!luna_onnx_is_float(value->type) &&
      !(max && luna_onnx_is_int(value->type) &&
        luna_onnx_type_bytes(value->type) < 8))
    return luna_onnx_fail(c, "type %s is not supported",
                          luna_onnx_type_name(value->type));
  if (!luna_onnx_read_window(c, n, &value->shape, kernel, &w))
    return false;
  LunaShape out = pooled_shape(&w, &value->shape);
  if (!luna_onnx_check_shape(c, &out))
    return false;
  if (fits_tosa(n, value, &w, max)) {
    n->outputs[0] = pool_tosa(c, n, value, w, max);
    return true;
  }
  if (!max && (value->type != LUNA_ONNX_F32 ||
               luna_onnx_elems(&out) > LUNA_ONNX_MAX_LIST * 16))
    return luna_onnx_fail(c, "average of this type or size is not supported");
  pool_window(c, n, value, &w, max);
  if (!max)
    n->outputs[0] =
        luna_onnx_apply(c, "Mul", n->outputs[0], reciprocal_counts(c, n, &w));
  return n->outputs[0] != NULL;
}

bool luna_onnx_op_global_pool(LunaOnnxImport *c, LunaOnnxNode *n) {
  LunaOnnxValue *value = n->inputs[0];
  bool axes[LUNA_ONNX_MAX_RANK];
  int64_t count = 1;
  if (!luna_onnx_is_float(value->type) || value->shape.rank < 3)
    return luna_onnx_fail(c, "needs a float tensor of at least 3 dimensions");
  for (int i = 0; i < value->shape.rank; ++i) {
    axes[i] = i >= 2;
    count *= axes[i] ? value->shape.dims[i] : 1;
  }
  bool max = strcmp(n->proto->op_type, "GlobalMaxPool") == 0;
  LunaOnnxValue *made =
      luna_onnx_reduce(c, value, axes, max ? LUNA_ONNX_MAX : LUNA_ONNX_SUM);
  if (!max)
    made = luna_onnx_apply(
        c, "Mul", made, luna_onnx_scalar(c, value->type, 1.0 / (double)count));
  n->outputs[0] = made;
  return made != NULL;
}
