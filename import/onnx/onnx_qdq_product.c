// Convolutions, matrix products and averages of quantised values: sums of
// int32, then one multiplication by x_scale * w_scale / y_scale.

#include "onnx_conv.h"
#include "onnx_qdq.h"

#include <math.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// From sums to results
//===----------------------------------------------------------------------===//

typedef struct Finish {
  const float *scales;
  int64_t scale_count;
  const OnnxTarget *target; // NULL for floats
} Finish;

// The type of what finish_sums makes.
static OnnxType finished_type(const Finish *f) {
  return f->target ? ONNX_I8 : ONNX_F32;
}

// sums * scale, rounded where there is a target. The pass tosa-to-luna knows
// this form.
static MlirValue finish_sums(OnnxImport *c, MlirValue sums,
                             const LunaShape *shape, int64_t first_channel,
                             void *data) {
  const Finish *f = data;
  int last = shape->rank - 1;
  bool per_channel = f->scale_count > 1;
  MlirValue scales = {NULL};
  if (per_channel) {
    LunaShape channels = {1, {shape->dims[last]}};
    scales = onnx_const(c, ONNX_F32, &channels, f->scales + first_channel);
  }
  LunaGeneric generic = luna_generic(c->b, shape);
  MlirValue x = luna_generic_input(&generic, sums), scale;
  if (per_channel)
    scale = luna_generic_input_at(&generic, scales, &last);
  luna_generic_result(&generic, onnx_element_type(c, finished_type(f)));
  if (!per_channel)
    scale = luna_scalar_f32(c->b, (double)f->scales[0]);
  x = luna_scalar_mul(c->b, onnx_cast(c, x, ONNX_I32, ONNX_F32), scale);
  if (f->target)
    x = onnx_round_to(c, x, f->target);
  return luna_generic_end(&generic, x);
}

MlirValue onnx_qdq_finish(OnnxImport *c, MlirValue sums, const LunaShape *shape,
                          float scale, const OnnxTarget *target) {
  Finish finish = {.scales = &scale, .scale_count = 1, .target = target};
  return finish_sums(c, sums, shape, 0, &finish);
}

// Sets the node's output from what finish_sums made.
static bool set_output(OnnxImport *c, const OnnxQdqNode *q, OnnxValue *made,
                       bool *done) {
  *done = true;
  if (!made)
    return false;
  q->node->outputs[0] =
      q->has_target ? onnx_qdq_settled(c, made, &q->target) : made;
  return true;
}

//===----------------------------------------------------------------------===//
// Weights and biases
//===----------------------------------------------------------------------===//

// One weighted sum per channel: what scales and biases are read for.
typedef struct Weighted {
  const OnnxQuant *x, *w;
  int64_t channels;
  /// x_scale * w_scale, by channel or one.
  float *products;
  int64_t count;
  Finish finish;
} Weighted;

static bool is_const_int8(const OnnxValue *value) {
  return value && value->quant && value->quant->ints->data &&
         value->quant->ints->type == ONNX_I8;
}

static bool all_equal(const float *list, int64_t count) {
  for (int64_t i = 1; i < count; ++i)
    if (list[i] != list[0])
      return false;
  return true;
}

// Reads the scales; false where the weight's do not go along `axis`.
static bool read_weighted(OnnxImport *c, const OnnxQdqNode *q,
                          const OnnxValue *x, const OnnxValue *w, int axis,
                          int64_t channels, Weighted *out) {
  *out = (Weighted){.x = x->quant, .w = w->quant, .channels = channels};
  int64_t count = w->quant->scale_count;
  if (count > 1 && (w->quant->axis != axis || count != channels))
    return false;
  float *scales = LUNA_ARENA_ARRAY(c->arena, float, count);
  out->products = LUNA_ARENA_ARRAY(c->arena, float, count);
  out->count = count;
  for (int64_t i = 0; i < count; ++i) {
    out->products[i] = x->quant->scales[0] * w->quant->scales[i];
    scales[i] =
        q->has_target ? out->products[i] / q->target.scale : out->products[i];
  }
  out->finish = (Finish){.scales = scales,
                         .scale_count = all_equal(scales, count) ? 1 : count,
                         .target = q->has_target ? &q->target : NULL};
  return true;
}

// Entry `i` of a constant bias in units of `product`.
static bool bias_entry(const OnnxValue *bias, int64_t i, float product,
                       int64_t *entry) {
  double number;
  if (bias->quant) {
    const OnnxQuant *quant = bias->quant;
    float scale = quant->scales[quant->scale_count > 1 ? i : 0];
    int64_t value = onnx_int_at(quant->ints, i) - quant->zero;
    // The bias has the scale of the sums, as near as f32 has it.
    if (fabsf(scale - product) <= 1e-5f * product)
      scale = product;
    number = (double)value * ((double)scale / (double)product);
  } else {
    number = onnx_float_at(bias, i) / (double)product;
  }
  if (!(fabs(number) <= (double)(INT32_MAX / 2)))
    return false;
  *entry = llrint(number);
  return true;
}

// Reads the bias as int32, one per channel; `*out` is NULL for none. False
// where it is no such constant.
static bool read_bias(OnnxImport *c, const OnnxValue *bias, const Weighted *w,
                      OnnxValue **out) {
  *out = NULL;
  if (!bias)
    return true;
  int64_t count = onnx_elems(&bias->shape);
  bool is_const = bias->quant ? bias->quant->ints->data != NULL
                              : bias->data && bias->type == ONNX_F32;
  if (!is_const || (count != 1 && count != w->channels) ||
      (count > 1 && bias->shape.dims[bias->shape.rank - 1] != count) ||
      (bias->quant && bias->quant->scale_count > 1 &&
       bias->quant->scale_count != count))
    return false;
  uint8_t *data = onnx_new_data(c, w->channels, 4);
  for (int64_t i = 0; i < w->channels; ++i) {
    int64_t entry = 0;
    if (!bias_entry(bias, count == 1 ? 0 : i, w->products[w->count > 1 ? i : 0],
                    &entry))
      return false;
    onnx_set_int(ONNX_I32, data, i, entry);
  }
  LunaShape shape = onnx_shape(1, &w->channels);
  *out = onnx_new_const(c, ONNX_I32, &shape, data);
  return true;
}

// What a convolution of quantised values has beyond its window.
static void set_integers(OnnxConv *conv, Weighted *w) {
  conv->sum_type = ONNX_I32;
  conv->input_zero = w->x->zero;
  conv->weight_zero = w->w->zero;
  conv->finish = finish_sums;
  conv->finish_data = &w->finish;
  conv->out_type = finished_type(&w->finish);
}

bool onnx_qdq_conv(OnnxImport *c, const OnnxQdqNode *q, bool *done) {
  OnnxNode *n = q->node;
  OnnxValue *x = n->inputs[0], *w = n->inputs[1];
  Weighted weighted;
  OnnxConv conv = {.input = NULL};
  if (!onnx_qdq_is_int8(x) || !is_const_int8(w) || w->shape.rank < 3 ||
      !read_weighted(c, q, x, w, 0, w->shape.dims[0], &weighted) ||
      !read_bias(c, onnx_input(n, 2), &weighted, &conv.bias))
    return true;
  conv.input = x->quant->ints;
  conv.weight = w->quant->ints;
  if (!onnx_read_conv(c, n, &conv))
    return false;
  set_integers(&conv, &weighted);
  return set_output(c, q, onnx_conv_tosa(c, &conv), done);
}

bool onnx_qdq_conv_transpose(OnnxImport *c, const OnnxQdqNode *q, bool *done) {
  OnnxNode *n = q->node;
  OnnxValue *x = n->inputs[0], *w = n->inputs[1], *made;
  Weighted weighted;
  OnnxConv conv = {.input = NULL};
  if (!onnx_qdq_is_int8(x) || !is_const_int8(w) || w->shape.rank != 4 ||
      x->shape.rank != 4 ||
      !read_weighted(c, q, x, w, 1, w->shape.dims[1], &weighted) ||
      !read_bias(c, onnx_input(n, 2), &weighted, &conv.bias))
    return true;
  conv.input = x->quant->ints;
  conv.weight = w->quant->ints;
  set_integers(&conv, &weighted);
  if (!onnx_conv_transpose_tosa(c, n, &conv, &made))
    return false;
  return made ? set_output(c, q, made, done) : true;
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

// Rows of `x` times a constant [N, K], into the shape `out`.
static bool rows_by_constant(OnnxImport *c, const OnnxQdqNode *q,
                             Weighted *weighted, OnnxValue *x, OnnxValue *w,
                             OnnxValue *bias, const LunaShape *out,
                             bool *done) {
  int64_t depth = w->shape.dims[1];
  OnnxConv conv = {.input = x,
                   .weight = w,
                   .bias = bias,
                   .batch = onnx_elems(&x->shape) / depth,
                   .in_channels = depth,
                   .out_channels = w->shape.dims[0],
                   .groups = 1};
  if (!onnx_check_shape(c, &x->shape) || !onnx_check_shape(c, out))
    return false;
  set_integers(&conv, weighted);
  MlirValue made = luna_build_reshape(c->b, onnx_conv_rows(c, &conv), out);
  return set_output(c, q, onnx_from_ir(c, conv.out_type, out, made), done);
}

bool onnx_qdq_gemm(OnnxImport *c, const OnnxQdqNode *q, bool *done) {
  static const int swap[2] = {1, 0};
  OnnxNode *n = q->node;
  OnnxValue *x = n->inputs[0], *w = n->inputs[1], *bias;
  bool transposed = onnx_attr_int(n, "transB", 0) != 0;
  if (!onnx_qdq_is_int8(x) || !is_const_int8(w) || x->shape.rank != 2 ||
      w->shape.rank != 2 || onnx_attr_int(n, "transA", 0) ||
      onnx_attr_float(n, "alpha", 1.0) != 1.0 ||
      (onnx_input(n, 2) && onnx_attr_float(n, "beta", 1.0) != 1.0))
    return true;
  int axis = transposed ? 0 : 1;
  Weighted weighted;
  if (x->shape.dims[1] != w->shape.dims[1 - axis] ||
      !read_weighted(c, q, x, w, axis, w->shape.dims[axis], &weighted) ||
      !read_bias(c, onnx_input(n, 2), &weighted, &bias))
    return true;
  LunaShape out = (LunaShape){2, {x->shape.dims[0], w->shape.dims[axis]}};
  OnnxValue *rows = w->quant->ints;
  return rows_by_constant(c, q, &weighted, x->quant->ints,
                          transposed ? rows : onnx_permute(c, rows, swap), bias,
                          &out, done);
}

// [B, M, K] times [B, K, N].
static MlirValue emit_matmul(OnnxImport *c, const LunaShape *out, MlirValue a,
                             MlirValue b, int64_t a_zero, int64_t b_zero) {
  LunaShape one = {1, {1}};
  MlirValue operands[4] = {a, b, onnx_splat(c, ONNX_I8, &one, (double)a_zero),
                           onnx_splat(c, ONNX_I8, &one, (double)b_zero)};
  return luna_build_op(c->b, "tosa.matmul", onnx_tensor_type(c, ONNX_I32, out),
                       4, operands, 0, NULL);
}

// Both operands are matrices, or equally many of them.
static bool two_activations(OnnxImport *c, const OnnxQdqNode *q, bool *done) {
  OnnxValue *x = q->node->inputs[0], *y = q->node->inputs[1];
  int rank = x->shape.rank;
  if (!onnx_qdq_is_int8(y) || rank < 2 || y->shape.rank != rank)
    return true;
  int64_t m = x->shape.dims[rank - 2], k = x->shape.dims[rank - 1];
  int64_t columns = y->shape.dims[rank - 1];
  for (int i = 0; i + 2 < rank; ++i)
    if (x->shape.dims[i] != y->shape.dims[i])
      return true;
  Weighted weighted;
  if (y->shape.dims[rank - 2] != k || !onnx_check_shape(c, &x->shape) ||
      !read_weighted(c, q, x, y, -1, columns, &weighted))
    return true;
  int64_t batch = onnx_elems(&x->shape) / (m * k);
  LunaShape a = {3, {batch, m, k}};
  LunaShape b = {3, {batch, k, columns}};
  LunaShape sums = {3, {batch, m, columns}};
  LunaShape out = x->shape;
  out.dims[rank - 1] = columns;
  if (!onnx_check_shape(c, &out))
    return false;
  MlirValue made = emit_matmul(
      c, &sums, luna_build_reshape(c->b, onnx_ir(c, x->quant->ints), &a),
      luna_build_reshape(c->b, onnx_ir(c, y->quant->ints), &b), x->quant->zero,
      y->quant->zero);
  OnnxType type = finished_type(&weighted.finish);
  made = finish_sums(c, made, &sums, 0, &weighted.finish);
  made = luna_build_reshape(c->b, made, &out);
  return set_output(c, q, onnx_from_ir(c, type, &out, made), done);
}

// A sum with a constant behind the product, as its bias; `*ahead` gets what the
// sum is quantised to.
static OnnxValue *bias_ahead(OnnxImport *c, const OnnxQdqNode *q, int rank,
                             OnnxQdqNode *ahead) {
  const char *name = q->node->proto->output[0];
  const Onnx__NodeProto *user = onnx_sole_user(c, name);
  if (q->has_target || !user || !user->op_type || user->n_input != 2 ||
      user->n_output != 1 || strcmp(user->op_type, "Add") != 0)
    return NULL;
  int other = strcmp(user->input[0], name) == 0 ? 1 : 0;
  OnnxValue *bias = onnx_find_value(c, user->input[other]);
  if (!bias || bias->shape.rank > rank ||
      !(bias->quant ? bias->quant->ints->data : bias->data))
    return NULL;
  *ahead = *q;
  ahead->has_target = onnx_qdq_find_target(c, user->output[0], &ahead->target);
  return ahead->has_target ? bias : NULL;
}

bool onnx_qdq_matmul(OnnxImport *c, const OnnxQdqNode *q, bool *done) {
  static const int swap[2] = {1, 0};
  OnnxValue *x = q->node->inputs[0], *w = q->node->inputs[1], *bias = NULL;
  int rank = x->shape.rank;
  if (!onnx_qdq_is_int8(x))
    return true;
  if (!is_const_int8(w) || w->shape.rank != 2)
    return two_activations(c, q, done);
  Weighted weighted;
  OnnxQdqNode ahead;
  OnnxValue *given = bias_ahead(c, q, rank, &ahead);
  if (given &&
      (!read_weighted(c, &ahead, x, w, 1, w->shape.dims[1], &weighted) ||
       !read_bias(c, given, &weighted, &bias)))
    given = bias = NULL;
  q = given ? &ahead : q;
  if (rank < 2 || x->shape.dims[rank - 1] != w->shape.dims[0] ||
      !read_weighted(c, q, x, w, 1, w->shape.dims[1], &weighted))
    return true;
  LunaShape out = x->shape;
  out.dims[rank - 1] = w->shape.dims[1];
  return rows_by_constant(c, q, &weighted, x->quant->ints,
                          onnx_permute(c, w->quant->ints, swap), bias, &out,
                          done);
}

//===----------------------------------------------------------------------===//
// Averages
//===----------------------------------------------------------------------===//

// The mean of `count` integers: x_scale / (y_scale * count).
static Finish mean_of(OnnxImport *c, const OnnxQdqNode *q, const OnnxQuant *x,
                      int64_t count) {
  float *scale = LUNA_ARENA_ARRAY(c->arena, float, 1);
  float divisor = (float)count;
  if (q->has_target)
    divisor = q->target.scale * divisor;
  scale[0] = x->scales[0] / divisor;
  return (Finish){.scales = scale,
                  .scale_count = 1,
                  .target = q->has_target ? &q->target : NULL};
}

// Weights of ones stay small beside what they sum up.
static bool may_have_ones(const LunaShape *shape) {
  return onnx_elems(shape) <= ONNX_MAX_LIST;
}

static OnnxValue *ones(OnnxImport *c, const LunaShape *shape) {
  int64_t count = onnx_elems(shape);
  uint8_t *data = onnx_new_data(c, count, 1);
  memset(data, 1, (size_t)count);
  return onnx_new_const(c, ONNX_I8, shape, data);
}

// Padding counts as zeros, or there is none.
static bool averages_whole_windows(const OnnxNode *n, const OnnxWindow *w) {
  bool counts_pad = onnx_attr_int(n, "count_include_pad", 0) != 0;
  for (int i = 0; i < w->rank; ++i) {
    int64_t reach = (w->out[i] - 1) * w->stride[i] +
                    (w->kernel[i] - 1) * w->dilation[i] + 1 - w->in[i] -
                    w->low[i];
    if (counts_pad ? reach > w->high[i] : w->low[i] > 0 || reach > 0)
      return false;
  }
  return true;
}

// A depthwise convolution with ones.
bool onnx_qdq_average_pool(OnnxImport *c, const OnnxQdqNode *q, bool *done) {
  OnnxNode *n = q->node;
  OnnxValue *x = n->inputs[0];
  int64_t kernel[3], count = 1;
  int rank = onnx_attr_ints(c, n, "kernel_shape", kernel, 3);
  OnnxWindow window;
  if (!onnx_qdq_is_int8(x) || rank < 1 || rank > 2 || rank != x->shape.rank - 2)
    return true;
  if (!onnx_read_window(c, n, &x->shape, kernel, &window))
    return false;
  if (!averages_whole_windows(n, &window))
    return true;
  LunaShape shape = {.rank = rank + 2, .dims = {x->shape.dims[1], 1}};
  for (int i = 0; i < rank; ++i) {
    shape.dims[i + 2] = kernel[i];
    count *= kernel[i];
  }
  if (!onnx_check_shape(c, &shape))
    return false;
  if (!may_have_ones(&shape))
    return true;
  Finish finish = mean_of(c, q, x->quant, count);
  OnnxConv conv = {.window = window,
                   .batch = x->shape.dims[0],
                   .in_channels = x->shape.dims[1],
                   .out_channels = x->shape.dims[1],
                   .groups = x->shape.dims[1],
                   .input = x->quant->ints,
                   .weight = ones(c, &shape),
                   .sum_type = ONNX_I32,
                   .input_zero = x->quant->zero,
                   .finish = finish_sums,
                   .finish_data = &finish,
                   .out_type = finished_type(&finish)};
  return set_output(c, q, onnx_conv_tosa(c, &conv), done);
}

// Says whether a ReduceMean averages over all but the first two dimensions.
static bool is_spatial_mean(OnnxImport *c, const OnnxNode *n, int rank,
                            bool *ok) {
  int64_t axes[ONNX_MAX_RANK];
  unsigned seen = 0;
  int count = onnx_ints(c, n, 1, "axes", axes, ONNX_MAX_RANK);
  *ok = count != -2;
  for (int i = 0; i < count; ++i) {
    int64_t axis = axes[i] < 0 ? axes[i] + rank : axes[i];
    if (axis < 2 || axis >= rank)
      return false;
    seen |= 1u << axis;
  }
  return count > 0 && seen == (1u << rank) - 4;
}

// Ones [N, 1, P] times the pixels [N, P, C].
static MlirValue emit_mean(OnnxImport *c, const OnnxValue *x, Finish *finish,
                           int64_t pixels) {
  int64_t batch = x->shape.dims[0], channels = x->shape.dims[1];
  LunaShape left = {3, {batch, 1, pixels}};
  LunaShape right = {3, {batch, pixels, channels}};
  LunaShape sums = {3, {batch, 1, channels}};
  MlirValue made = emit_matmul(
      c, &sums, onnx_ir(c, ones(c, &left)),
      luna_build_reshape(c->b, onnx_ir_last(c, x->quant->ints), &right), 0,
      x->quant->zero);
  return finish_sums(c, made, &sums, 0, finish);
}

bool onnx_qdq_global_average(OnnxImport *c, const OnnxQdqNode *q, bool *done) {
  OnnxNode *n = q->node;
  OnnxValue *x = n->inputs[0];
  int rank = x->shape.rank;
  bool is_reduce = strcmp(q->name, "ReduceMean") == 0, ok = true;
  if (!onnx_qdq_is_int8(x) || rank < 3 ||
      (is_reduce && !is_spatial_mean(c, n, rank, &ok)))
    return ok;
  LunaShape out = x->shape, last = x->shape;
  int64_t pixels = 1;
  for (int i = 2; i < rank; ++i) {
    pixels *= x->shape.dims[i];
    out.dims[i] = last.dims[i - 1] = 1;
  }
  last.dims[rank - 1] = x->shape.dims[1];
  if (!onnx_check_shape(c, &x->shape))
    return false;
  LunaShape weight = {2, {x->shape.dims[0], pixels}};
  if (!may_have_ones(&weight))
    return true;
  if (is_reduce && !onnx_attr_int(n, "keepdims", 1))
    out.rank = 2;
  Finish finish = mean_of(c, q, x->quant, pixels);
  OnnxType type = finished_type(&finish);
  MlirValue made = emit_mean(c, x, &finish, pixels);
  OnnxValue *value =
      onnx_from_ir(c, type, &out, luna_build_reshape(c->b, made, &out));
  if (out.rank > 2)
    value->last = luna_build_reshape(c->b, made, &last);
  return set_output(c, q, value, done);
}
