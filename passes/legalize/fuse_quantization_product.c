// Convolutions and matrix products of quantised values: sums of int32, then one
// multiplication by x_scale * w_scale / y_scale.

#include "fuse_quantization_product.h"

#include <math.h>

#include "luna-c/build_tosa.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static MlirValue result_of(MlirOperation op) {
  return mlirOperationGetResult(op, 0);
}

static MlirValue zero_point(const LunaProduct *p, int64_t zero) {
  return luna_build_const_one(p->b, p->b->i8, (double)zero);
}

bool luna_product_finish(const LunaProduct *p, MlirValue sums,
                         const float *scales, int64_t scale_count) {
  MlirValue made = luna_quant_finish(p->b, sums, scales, scale_count,
                                     p->has_target ? &p->target : NULL);
  LunaShape shape = luna_shape_of(result_of(p->last));
  luna_quant_replace(p->root, luna_build_reshape(p->b, made, &shape));
  return true;
}

//===----------------------------------------------------------------------===//
// Scales and biases
//===----------------------------------------------------------------------===//

// One weighted sum per channel: what scales and biases are read for.
typedef struct Weighted {
  LunaQuant x, w;
  int64_t channels;
  /// x_scale * w_scale and that over y_scale, by channel or one.
  float *products, *scales;
  int64_t count;
} Weighted;

static bool is_int8(MlirValue value, LunaQuant *quant) {
  return luna_quant_source(value, quant) && !quant->is_unsigned &&
         mlirIntegerTypeGetWidth(quant->element) == 8;
}

// Reads the scales. Those of the weight go along its dimensions `first` to
// `first` + `count`, whose sizes multiply to the channels.
static bool read_weighted(const LunaProduct *p, MlirValue x, MlirValue w,
                          intptr_t first, intptr_t count, Weighted *out) {
  if (!is_int8(x, &out->x) || !luna_quant_is_int8(&out->x) ||
      !is_int8(w, &out->w))
    return false;
  out->channels = out->count = 1;
  for (intptr_t i = first; i < first + count; ++i)
    out->channels *= luna_extent(w, i);
  MlirType type = mlirAttributeGetType(out->w.scales);
  const float *list = mlirDenseElementsAttrGetRawData(out->w.scales);
  for (intptr_t i = 0; !out->w.is_uniform && i < luna_rank_of(w); ++i)
    if (i < first || i >= first + count
            ? mlirShapedTypeGetDimSize(type, i) != 1
            : mlirShapedTypeGetDimSize(type, i) != luna_extent(w, i))
      return false;
  if (!out->w.is_uniform)
    out->count = out->channels;
  out->products = LUNA_ARENA_ARRAY(p->arena, float, out->count);
  out->scales = LUNA_ARENA_ARRAY(p->arena, float, out->count);
  for (int64_t i = 0; i < out->count; ++i) {
    out->products[i] = out->x.scale * list[i];
    out->scales[i] =
        p->has_target ? out->products[i] / p->target.scale : out->products[i];
  }
  return true;
}

static int64_t scale_count(const Weighted *w) {
  for (int64_t i = 1; i < w->count; ++i)
    if (w->scales[i] != w->scales[0])
      return w->count;
  return 1;
}

// A bias that is constant: floats, or integers with scales.
typedef struct Bias {
  LunaLiteral values;
  LunaQuant quant;
  bool is_quantized;
} Bias;

// Entry `i` of a bias in units of `product`.
static bool bias_entry(const Bias *bias, int64_t i, float product,
                       int32_t *entry) {
  double number;
  if (bias->is_quantized) {
    const LunaQuant *quant = &bias->quant;
    const float *scales = mlirDenseElementsAttrGetRawData(quant->scales);
    float scale = quant->is_uniform ? quant->scale : scales[i];
    int64_t value = luna_literal_int(&bias->values, i) - quant->zero;
    // The bias has the scale of the sums, as near as f32 has it.
    if (fabsf(scale - product) <= 1e-5f * product)
      scale = product;
    number = (double)value * ((double)scale / (double)product);
  } else {
    number = (double)luna_literal_float(&bias->values, i) / (double)product;
  }
  if (!(fabs(number) <= (double)(INT32_MAX / 2)))
    return false;
  *entry = (int32_t)llrint(number);
  return true;
}

static bool read_bias(const LunaProduct *p, MlirValue value, Bias *bias) {
  bias->is_quantized = luna_quant_source(value, &bias->quant);
  if (bias->is_quantized)
    value = luna_quant_ints(&bias->quant);
  return luna_literal_read_moved(p->arena, value, &bias->values) &&
         (bias->is_quantized ||
          mlirTypeIsAF32(mlirShapedTypeGetElementType(bias->values.type)));
}

// Makes the bias int32, one per channel; null where it is no such constant.
static MlirValue make_bias(const LunaProduct *p, MlirValue value,
                           const Weighted *w) {
  MlirValue null = {NULL};
  Bias bias;
  if (!read_bias(p, value, &bias))
    return null;
  int64_t count = bias.values.count;
  bool goes_along =
      count == 1 || (count == w->channels &&
                     mlirShapedTypeGetDimSize(
                         bias.values.type, luna_rank_of(value) - 1) == count);
  if (!goes_along)
    return null;
  int32_t *entries = LUNA_ARENA_ARRAY(p->arena, int32_t, w->channels);
  for (int64_t i = 0; i < w->channels; ++i)
    if (!bias_entry(&bias, count == 1 ? 0 : i,
                    w->products[w->count > 1 ? i : 0], &entries[i]))
      return null;
  return luna_build_data(p->b, luna_list_type(p->b->i32, w->channels), entries);
}

MlirValue luna_product_no_bias(const LunaProduct *p, int64_t channels) {
  return luna_build_splat(p->b, luna_list_type(p->b->i32, channels), 0);
}

// The integers of a weight, which must be constant with one zero point.
static bool make_weight(const LunaProduct *p, const LunaQuant *w,
                        MlirValue *weight) {
  LunaLiteral literal;
  if (!luna_literal_read_moved(p->arena, luna_quant_ints(w), &literal))
    return false;
  *weight = luna_literal_make(&literal, p->b);
  return true;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

// Which dimensions of the weight the output channels are.
typedef struct ConvKind {
  LunaOpName name;
  intptr_t first, count;
} ConvKind;

static const ConvKind conv_kinds[] = {
    {LUNA_OP_TOSA_CONV2D, 0, 1},
    {LUNA_OP_TOSA_CONV3D, 0, 1},
    {LUNA_OP_TOSA_DEPTHWISE_CONV2D, 2, 2},
    {LUNA_OP_TOSA_TRANSPOSE_CONV2D, 0, 1},
};

static const ConvKind *find_conv(MlirOperation op) {
  for (size_t i = 0; i < sizeof conv_kinds / sizeof *conv_kinds; ++i)
    if (luna_op_is(op, conv_kinds[i].name))
      return &conv_kinds[i];
  return NULL;
}

// The convolution on integers, made of the one on floats.
static MlirValue clone_conv(const LunaProduct *p, const Weighted *w,
                            MlirValue weight, MlirValue bias) {
  MlirValue operands[5] = {luna_quant_ints(&w->x), weight, bias};
  operands[3] = zero_point(p, w->x.zero);
  operands[4] = zero_point(p, w->w.zero);
  MlirOperation op = mlirOperationClone(p->last);
  luna_insert_before(p->root, op);
  mlirOperationSetOperands(op, 5, operands);
  luna_set_attr(op, "acc_type", mlirTypeAttrGet(p->b->i32));
  mlirValueSetType(
      result_of(op),
      luna_with_element(mlirValueGetType(result_of(op)), p->b->i32));
  return result_of(op);
}

static bool fuse_conv(const LunaProduct *p, const ConvKind *kind) {
  Weighted w;
  MlirValue weight;
  if (!read_weighted(p, mlirOperationGetOperand(p->last, 0),
                     mlirOperationGetOperand(p->last, 1), kind->first,
                     kind->count, &w))
    return false;
  MlirValue bias = make_bias(p, mlirOperationGetOperand(p->last, 2), &w);
  if (mlirValueIsNull(bias) || !make_weight(p, &w.w, &weight))
    return false;
  return luna_product_finish(p, clone_conv(p, &w, weight, bias), w.scales,
                             scale_count(&w));
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

MlirValue luna_product_matmul(const LunaProduct *p, MlirValue a, MlirValue b,
                              int64_t a_zero, int64_t b_zero) {
  return luna_build_matmul(p->b, (MlirValue[]){a, b},
                           (int64_t[]){a_zero, b_zero}, p->b->i32);
}

// The constant [1, K, N] as the weight [N, 1, 1, K].
static MlirValue turn_weight(const LunaProduct *p, const LunaLiteral *columns) {
  int64_t depth = mlirShapedTypeGetDimSize(columns->type, 1);
  int64_t rows = mlirShapedTypeGetDimSize(columns->type, 2);
  LunaShape shape = {4, {rows, 1, 1, depth}};
  uint8_t *bytes = luna_arena_alloc(p->arena, (uint64_t)columns->count, 1);
  for (int64_t k = 0; k < depth; ++k)
    for (int64_t n = 0; n < rows; ++n)
      bytes[n * depth + k] =
          columns->bytes[columns->is_splat ? 0 : k * rows + n];
  return luna_build_data(p->b, luna_tensor_type(p->b->i8, &shape), bytes);
}

static MlirValue build_rows(const LunaProduct *p, const Weighted *w,
                            MlirValue weight, MlirValue bias) {
  MlirValue x = luna_quant_ints(&w->x);
  int64_t rows = luna_extent(x, 1);
  LunaShape in = {4, {rows, 1, 1, luna_extent(x, 2)}};
  LunaConvSpec conv = {.input = luna_build_reshape(p->b, x, &in),
                       .weight = weight,
                       .bias = bias,
                       .input_zp = w->x.zero,
                       .weight_zp = w->w.zero,
                       .stride = {1, 1},
                       .dilation = {1, 1}};
  return luna_build_conv(p->b, "tosa.conv2d", &conv);
}

// Rows times a constant: a convolution of one pixel, which takes a bias. False
// where the product is no such one.
static bool fuse_rows(const LunaProduct *p, MlirOperation matmul,
                      MlirValue bias) {
  Weighted w;
  LunaLiteral columns;
  MlirValue x = mlirOperationGetOperand(matmul, 0);
  MlirValue y = mlirOperationGetOperand(matmul, 1);
  if (luna_extent(x, 0) != 1 || !read_weighted(p, x, y, 2, 1, &w) ||
      !luna_literal_read_moved(p->arena, luna_quant_ints(&w.w), &columns))
    return false;
  MlirValue entries = mlirValueIsNull(bias)
                          ? luna_product_no_bias(p, w.channels)
                          : make_bias(p, bias, &w);
  if (mlirValueIsNull(entries))
    return false;
  MlirValue weight = turn_weight(p, &columns);
  return luna_product_finish(p, build_rows(p, &w, weight, entries), w.scales,
                             scale_count(&w));
}

// The integers of an operand; those of a constant in one op.
static MlirValue settled(const LunaProduct *p, const LunaQuant *quant) {
  MlirValue ints = luna_quant_ints(quant);
  return make_weight(p, quant, &ints) ? ints : luna_quant_ints(quant);
}

static bool fuse_matmul(const LunaProduct *p, MlirOperation matmul) {
  Weighted w;
  MlirValue x = mlirOperationGetOperand(matmul, 0);
  MlirValue y = mlirOperationGetOperand(matmul, 1), no_bias = {NULL};
  if (fuse_rows(p, matmul, no_bias))
    return true;
  if (!read_weighted(p, x, y, 2, 1, &w))
    return false;
  MlirValue lhs = settled(p, &w.x), rhs = settled(p, &w.w);
  return luna_product_finish(
      p, luna_product_matmul(p, lhs, rhs, w.x.zero, w.w.zero), w.scales,
      scale_count(&w));
}

// Follows reshapes without other users.
static MlirOperation behind_reshapes(MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  while (luna_op_is(op, LUNA_OP_TOSA_RESHAPE) && luna_is_used_once(value)) {
    value = mlirOperationGetOperand(op, 0);
    op = luna_defining_op(value);
  }
  return luna_is_used_once(value) ? op : (MlirOperation){NULL};
}

// A sum of a product of rows and a constant along the columns.
static bool fuse_biased(const LunaProduct *p) {
  for (intptr_t i = 0; i < 2; ++i) {
    MlirValue product = mlirOperationGetOperand(p->last, i);
    MlirOperation op = behind_reshapes(product);
    if (luna_op_is(op, LUNA_OP_TOSA_MATMUL) &&
        luna_has_same_shape(product, result_of(p->last)) &&
        luna_extent(product, luna_rank_of(product) - 1) ==
            luna_extent(result_of(op), 2) &&
        fuse_rows(p, op, mlirOperationGetOperand(p->last, 1 - i)))
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

static bool fuse_last(const LunaProduct *p) {
  const ConvKind *kind = find_conv(p->last);
  if (kind)
    return fuse_conv(p, kind);
  if (luna_op_is(p->last, LUNA_OP_TOSA_MATMUL))
    return fuse_matmul(p, p->last);
  if (luna_op_is(p->last, LUNA_OP_TOSA_AVG_POOL2D))
    return luna_product_fuse_pool(p);
  if (luna_op_is(p->last, LUNA_OP_TOSA_MUL))
    return luna_product_fuse_mean(p);
  return p->has_target && luna_op_is(p->last, LUNA_OP_TOSA_ADD) &&
         fuse_biased(p);
}

// Reads what `root` ends; false where it is no result of static shape.
static bool read_root(MlirOperation root, LunaProduct *p) {
  if (mlirOperationGetNumResults(root) != 1 ||
      !mlirTypeIsARankedTensor(mlirValueGetType(result_of(root))))
    return false;
  MlirValue value = result_of(root);
  p->root = p->last = root;
  p->has_target = luna_op_is(root, LUNA_OP_LUNA_QUANTIZE);
  if (p->has_target) {
    value = mlirOperationGetOperand(root, 0);
    p->last = luna_defining_op(value);
    if (!luna_quant_target(root, &p->target) ||
        p->target.ties != LUNA_TIES_EVEN || !luna_is_used_once(value))
      return false;
  }
  return !mlirOperationIsNull(p->last) &&
         mlirOperationGetNumResults(p->last) == 1 &&
         mlirTypeIsAF32(luna_element_of(value)) &&
         mlirShapedTypeHasStaticShape(mlirValueGetType(value));
}

// What only reshapes a product is made behind it.
bool luna_fuse_product(MlirOperation root) {
  LunaProduct p = {.has_target = false};
  if (!read_root(root, &p))
    return false;
  LunaArena arena = {0};
  LunaBuilder b = luna_builder_before(root, p.last);
  p.arena = &arena;
  p.b = &b;
  bool is_done = fuse_last(&p);
  luna_arena_destroy(&arena);
  return is_done;
}
