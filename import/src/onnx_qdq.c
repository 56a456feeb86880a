// Quantised values: what DequantizeLinear and QuantizeLinear stand for, and
// which operator between them is made in integers.

#include "onnx_qdq.h"

#include <math.h>
#include <string.h>

enum { BIAS_OF_UNSIGNED = 128, MAX_CLAMPS = 4 };

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool onnx_qdq_is_unmade(const OnnxValue *value) {
  return (value->quant || value->biased) && !value->data &&
         mlirValueIsNull(value->ir) && mlirValueIsNull(value->last);
}

bool onnx_qdq_is_int8(const OnnxValue *value) {
  return value && value->quant && value->quant->scale_count == 1 &&
         value->quant->ints->type == ONNX_I8;
}

static OnnxValue *with_quant(OnnxImport *c, const OnnxQuant *quant) {
  OnnxQuant *copy = LUNA_ARENA_ARRAY(c->arena, OnnxQuant, 1);
  OnnxValue *value = onnx_new_value(c, ONNX_F32, &quant->ints->shape);
  *copy = *quant;
  value->quant = copy;
  return value;
}

OnnxValue *onnx_qdq_value(OnnxImport *c, OnnxValue *ints, float scale,
                          int64_t zero) {
  float *scales = LUNA_ARENA_ARRAY(c->arena, float, 1);
  scales[0] = scale;
  return with_quant(
      c, &(OnnxQuant){
             .ints = ints, .scales = scales, .scale_count = 1, .zero = zero});
}

OnnxValue *onnx_qdq_settled(OnnxImport *c, OnnxValue *ints,
                            const OnnxTarget *target) {
  OnnxQuant quant =
      *onnx_qdq_value(c, ints, target->scale, target->zero)->quant;
  quant.is_settled = true;
  return with_quant(c, &quant);
}

OnnxValue *onnx_qdq_like(OnnxImport *c, const OnnxValue *like,
                         OnnxValue *ints) {
  if (like->quant) {
    OnnxQuant quant = *like->quant;
    quant.ints = ints;
    return with_quant(c, &quant);
  }
  OnnxValue *value = onnx_new_value(c, like->type, &ints->shape);
  value->biased = ints;
  return value;
}

OnnxValue *onnx_qdq_as_type(OnnxImport *c, OnnxValue *ints, OnnxType type) {
  OnnxValue like = {.type = type};
  if (type == ONNX_I8)
    return ints;
  if (!ints->data)
    return onnx_qdq_like(c, &like, ints);
  int64_t count = onnx_elems(&ints->shape);
  uint8_t *data = luna_arena_alloc(c->arena, (uint64_t)count, 1);
  for (int64_t i = 0; i < count; ++i)
    data[i] = ints->data[i] ^ 0x80;
  return onnx_new_const(c, type, &ints->shape, data);
}

// Turns uint8 into int8 less 128, or back: the highest bit flips.
static OnnxValue *flipped(OnnxImport *c, OnnxValue *bytes) {
  int8_t table[256];
  for (int i = 0; i < 256; ++i)
    table[i] = (int8_t)(i < 128 ? i : i - 256);
  return onnx_qdq_table(c, bytes, table);
}

// The int8 that an 8-bit value is carried as; NULL where that is not possible.
static OnnxValue *carried(OnnxImport *c, OnnxValue *value) {
  if (value->type == ONNX_I8)
    return value;
  if (value->biased)
    return value->biased;
  if (value->data) {
    OnnxValue *ints = onnx_qdq_as_type(c, value, ONNX_U8);
    ints->type = ONNX_I8;
    return ints;
  }
  if (value->shape.rank == 0)
    return NULL;
  OnnxValue *ints = flipped(c, value);
  if (mlirBlockEqual(c->block, value->block))
    value->biased = ints;
  return ints;
}

// A float is exact for bytes; a zero point of int32 comes off before.
MlirValue onnx_qdq_centred(OnnxImport *c, MlirValue x, OnnxType type,
                           int64_t zero) {
  if (zero == 0)
    return onnx_cast(c, x, type, ONNX_F32);
  if (type == ONNX_I32)
    return onnx_cast(c,
                     onnx_sub(c, ONNX_I32, x, onnx_lit_int(c, ONNX_I32, zero)),
                     ONNX_I32, ONNX_F32);
  return onnx_sub(c, ONNX_F32, onnx_cast(c, x, type, ONNX_F32),
                  onnx_lit(c, ONNX_F32, (double)zero));
}

typedef struct QuantNode {
  OnnxNode node;
  const OnnxQuant *quant;
} QuantNode;

// (x - zero) * scale; scales along an axis are a second operand.
static MlirValue dequantize_element(OnnxImport *c, const OnnxNode *n,
                                    OnnxType type, const MlirValue *args,
                                    int count) {
  const OnnxQuant *quant = ((const QuantNode *)(const void *)n)->quant;
  return onnx_mul(c, ONNX_F32, onnx_qdq_centred(c, args[0], type, quant->zero),
                  count > 1 ? args[1]
                            : onnx_lit(c, ONNX_F32, (double)quant->scales[0]));
}

static OnnxValue *dequantized(OnnxImport *c, const OnnxQuant *quant) {
  OnnxShape shape = onnx_shape(quant->ints->shape.rank, NULL);
  bool along_axis = quant->scale_count > 1;
  for (int i = 0; along_axis && i < shape.rank; ++i)
    shape.dims[i] = i == quant->axis ? quant->scale_count : 1;
  OnnxValue *inputs[2] = {quant->ints, NULL};
  if (along_axis)
    inputs[1] = onnx_new_const(c, ONNX_F32, &shape, quant->scales);
  QuantNode node = {.quant = quant};
  return onnx_map(c, &node.node, inputs, along_axis ? 2 : 1, ONNX_F32,
                  dequantize_element);
}

OnnxValue *onnx_qdq_made(OnnxImport *c, OnnxValue *value) {
  if (!value || !onnx_qdq_is_unmade(value))
    return value;
  OnnxValue *made =
      value->quant ? dequantized(c, value->quant) : flipped(c, value->biased);
  if (mlirBlockEqual(c->block, value->block)) {
    value->ir = made->ir;
    value->last = made->last;
    return value;
  }
  made->type = value->type;
  made->quant = value->quant;
  made->biased = value->biased;
  return made;
}

//===----------------------------------------------------------------------===//
// Scales and zero points
//===----------------------------------------------------------------------===//

static const float *read_scales(OnnxImport *c, const OnnxValue *scale) {
  if (!scale || !scale->data || scale->type != ONNX_F32)
    return NULL;
  int64_t count = onnx_elems(&scale->shape);
  float *scales = LUNA_ARENA_ARRAY(c->arena, float, count);
  for (int64_t i = 0; i < count; ++i) {
    scales[i] = (float)onnx_float_at(scale, i);
    if (!(scales[i] > 0.0f) || isinf(scales[i]))
      return NULL;
  }
  return count > 0 ? scales : NULL;
}

// One zero point for all; absent is 0.
static bool read_zero(const OnnxValue *zero, OnnxType type, int64_t *number) {
  *number = 0;
  if (zero && (!zero->data || zero->type != type))
    return false;
  int64_t count = zero ? onnx_elems(&zero->shape) : 0;
  for (int64_t i = 0; i < count; ++i) {
    if (onnx_int_at(zero, i) != onnx_int_at(zero, 0))
      return false;
    *number = onnx_int_at(zero, 0);
  }
  if (type == ONNX_U8)
    *number -= BIAS_OF_UNSIGNED;
  return true;
}

bool onnx_qdq_read_target(OnnxImport *c, const OnnxValue *scale,
                          const OnnxValue *zero, OnnxTarget *target) {
  const float *scales = read_scales(c, scale);
  *target = (OnnxTarget){
      .type = zero ? zero->type : ONNX_U8, .low = INT8_MIN, .high = INT8_MAX};
  if (!scales || onnx_elems(&scale->shape) != 1 ||
      (target->type != ONNX_I8 && target->type != ONNX_U8) ||
      (zero && onnx_elems(&zero->shape) != 1) ||
      !read_zero(zero, target->type, &target->zero))
    return false;
  target->scale = scales[0];
  return true;
}

int64_t onnx_quantize_number(const OnnxTarget *target, float number) {
  float value = rintf(number / target->scale) + (float)target->zero;
  float low = (float)target->low, high = (float)target->high;
  return (int64_t)(value > high ? high : value > low ? value : low);
}

MlirValue onnx_round_to(OnnxImport *c, MlirValue x, const OnnxTarget *target) {
  x = onnx_s1(c, "math.roundeven", x);
  if (target->zero != 0)
    x = onnx_s2(c, "arith.addf", x,
                onnx_lit(c, ONNX_F32, (double)target->zero));
  x = onnx_s2(c, "arith.maximumf", x,
              onnx_lit(c, ONNX_F32, (double)target->low));
  x = onnx_s2(c, "arith.minimumf", x,
              onnx_lit(c, ONNX_F32, (double)target->high));
  return onnx_cast(c, x, ONNX_F32, ONNX_I8);
}

//===----------------------------------------------------------------------===//
// What lies ahead
//===----------------------------------------------------------------------===//

static bool is_op(const Onnx__NodeProto *node, const char *name) {
  return node->op_type && strcmp(node->op_type, name) == 0;
}

// A constant of one number, or `absent` where the input is left out.
static bool read_bound(OnnxImport *c, const Onnx__NodeProto *node, size_t index,
                       float absent, float *bound) {
  *bound = absent;
  if (index >= node->n_input || !node->input[index][0])
    return true;
  OnnxValue *value = onnx_find_value(c, node->input[index]);
  if (!value || !value->data || value->type != ONNX_F32 ||
      onnx_elems(&value->shape) != 1)
    return false;
  *bound = (float)onnx_float_at(value, 0);
  return true;
}

// The bounds of Relu and Clip.
static bool read_clamp(OnnxImport *c, const Onnx__NodeProto *node, float *low,
                       float *high) {
  *low = 0.0f;
  *high = INFINITY;
  if (is_op(node, "Relu"))
    return true;
  OnnxNode plain = {.proto = node};
  if (!is_op(node, "Clip"))
    return false;
  float min = (float)onnx_attr_float(&plain, "min", -INFINITY);
  float max = (float)onnx_attr_float(&plain, "max", INFINITY);
  return read_bound(c, node, 1, min, low) && read_bound(c, node, 2, max, high);
}

// Quantising is monotone, so that a clamp of floats is one of integers.
bool onnx_qdq_find_target(OnnxImport *c, const char *name, OnnxTarget *target) {
  float low = -INFINITY, high = INFINITY;
  const Onnx__NodeProto *node = onnx_sole_user(c, name);
  for (int i = 0; node && i < MAX_CLAMPS; ++i) {
    float min, max;
    if (node->n_output != 1 || !read_clamp(c, node, &min, &max))
      break;
    low = fminf(fmaxf(low, min), max);
    high = fminf(fmaxf(high, min), max);
    name = node->output[0];
    node = onnx_sole_user(c, name);
  }
  if (!node || !is_op(node, "QuantizeLinear") || node->n_input < 2 ||
      strcmp(node->input[0], name) != 0)
    return false;
  OnnxValue *zero = NULL;
  bool has_zero = node->n_input > 2 && node->input[2][0];
  if (has_zero && !(zero = onnx_find_value(c, node->input[2])))
    return false;
  if (!onnx_qdq_read_target(c, onnx_find_value(c, node->input[1]), zero,
                            target))
    return false;
  OnnxTarget free = *target;
  if (low > -INFINITY)
    target->low = onnx_quantize_number(&free, low);
  if (high < INFINITY)
    target->high = onnx_quantize_number(&free, high);
  return true;
}

//===----------------------------------------------------------------------===//
// DequantizeLinear and QuantizeLinear
//===----------------------------------------------------------------------===//

OnnxValue *onnx_qdq_remember(OnnxImport *c, OnnxValue *value,
                             const OnnxValue *scale, const OnnxValue *zero,
                             int64_t axis) {
  OnnxQuant quant = {.scales = read_scales(c, scale)};
  bool is_byte = value->type == ONNX_I8 || value->type == ONNX_U8;
  if (!quant.scales || !read_zero(zero, value->type, &quant.zero) ||
      !(is_byte || (value->type == ONNX_I32 && value->data)))
    return NULL;
  int rank = value->shape.rank;
  quant.scale_count = onnx_elems(&scale->shape);
  quant.axis = (int)(axis < 0 ? axis + rank : axis);
  if (quant.scale_count > 1 &&
      (!value->data || quant.axis < 0 || quant.axis >= rank ||
       value->shape.dims[quant.axis] != quant.scale_count))
    return NULL;
  quant.ints = is_byte ? carried(c, value) : value;
  return quant.ints ? with_quant(c, &quant) : NULL;
}

static int64_t read_axis(const OnnxNode *n) {
  int rank = n->inputs[0]->shape.rank;
  return onnx_attr_int(n, "axis", rank > 1 ? 1 : 0);
}

static bool dequantize(OnnxImport *c, OnnxNode *n, bool *done) {
  n->outputs[0] = onnx_qdq_remember(c, n->inputs[0], n->inputs[1],
                                    onnx_input(n, 2), read_axis(n));
  *done = n->outputs[0] != NULL;
  return true;
}

// Quantises a constant, with one scale or one along an axis.
static OnnxValue *fold_quantize(OnnxImport *c, const OnnxNode *n) {
  const OnnxValue *value = n->inputs[0], *zero = onnx_input(n, 2);
  const float *scales = read_scales(c, n->inputs[1]);
  OnnxTarget target = {
      .type = zero ? zero->type : ONNX_U8, .low = INT8_MIN, .high = INT8_MAX};
  int64_t axis = read_axis(n), size = onnx_elems(&n->inputs[1]->shape);
  int rank = value->shape.rank;
  axis = axis < 0 ? axis + rank : axis;
  if (!scales || (target.type != ONNX_I8 && target.type != ONNX_U8) ||
      !read_zero(zero, target.type, &target.zero) ||
      (size > 1 &&
       (axis < 0 || axis >= rank || value->shape.dims[axis] != size)))
    return NULL;
  int64_t inner = 1, count = onnx_elems(&value->shape);
  for (int i = (int)axis + 1; i < rank; ++i)
    inner *= value->shape.dims[i];
  uint8_t *data = luna_arena_alloc(c->arena, (uint64_t)count, 1);
  for (int64_t i = 0; i < count; ++i) {
    target.scale = scales[size > 1 ? i / inner % size : 0];
    onnx_set_int(ONNX_I8, data, i,
                 onnx_quantize_number(&target, (float)onnx_float_at(value, i)));
  }
  return onnx_qdq_as_type(c, onnx_new_const(c, ONNX_I8, &value->shape, data),
                          target.type);
}

typedef struct TargetNode {
  OnnxNode node;
  const OnnxTarget *target;
} TargetNode;

static MlirValue quantize_element(OnnxImport *c, const OnnxNode *n,
                                  OnnxType type, const MlirValue *args,
                                  int count) {
  const OnnxTarget *target = ((const TargetNode *)(const void *)n)->target;
  (void)type, (void)count;
  return onnx_round_to(c,
                       onnx_s2(c, "arith.divf", args[0],
                               onnx_lit(c, ONNX_F32, (double)target->scale)),
                       target);
}

OnnxValue *onnx_qdq_quantized(OnnxImport *c, OnnxValue *value,
                              const OnnxTarget *target) {
  if (value->quant && value->quant->is_settled)
    return value->quant->ints;
  if (onnx_qdq_is_int8(value))
    return onnx_qdq_rescaled(c, value, target);
  TargetNode node = {.target = target};
  value = onnx_qdq_made(c, value);
  return onnx_map(c, &node.node, &value, 1, ONNX_I8, quantize_element);
}

static bool quantize(OnnxImport *c, OnnxNode *n, bool *done) {
  OnnxTarget target;
  OnnxValue *value = n->inputs[0];
  if (value->type != ONNX_F32)
    return true;
  if (value->data) {
    n->outputs[0] = fold_quantize(c, n);
    *done = n->outputs[0] != NULL;
    return true;
  }
  if (value->shape.rank == 0 ||
      !onnx_qdq_read_target(c, n->inputs[1], onnx_input(n, 2), &target))
    return true;
  OnnxValue *ints = onnx_qdq_quantized(c, value, &target);
  if (!ints)
    return false;
  n->outputs[0] = onnx_qdq_as_type(c, ints, target.type);
  *done = true;
  return true;
}

//===----------------------------------------------------------------------===//
// Operators that only move elements
//===----------------------------------------------------------------------===//

static bool moves(const OnnxNode *n, const char *name) {
  static const char *const names[] = {
      "Reshape",  "Flatten", "Squeeze",      "Unsqueeze",    "Transpose",
      "Slice",    "Split",   "Expand",       "Tile",         "Gather",
      "Identity", "Dropout", "DepthToSpace", "SpaceToDepth", "MaxPool",
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (strcmp(names[i], name) == 0)
      return true;
  if (strcmp(name, "Resize") == 0 || strcmp(name, "Upsample") == 0)
    return onnx_attr_is(n, "mode", "nearest", "nearest");
  return false;
}

// A pad with 0 pads the integers with the zero point.
static bool pads_with_zero(const OnnxNode *n) {
  const OnnxValue *fill = onnx_input(n, 2);
  if (fill && (!fill->data || onnx_elems(&fill->shape) != 1 ||
               onnx_float_at(fill, 0) != 0.0))
    return false;
  return onnx_attr_float(n, "value", 0.0) == 0.0;
}

// Transposes a constant, its scales along; `*done` stays false where the
// permutation is none.
static bool transpose_const(OnnxImport *c, OnnxNode *n, bool *done) {
  OnnxQuant quant = *n->inputs[0]->quant;
  int64_t list[ONNX_MAX_RANK];
  int rank = quant.ints->shape.rank, perm[ONNX_MAX_RANK], axis = 0;
  unsigned seen = 0;
  int count = onnx_attr_ints(c, n, "perm", list, ONNX_MAX_RANK);
  if (count != -1 && count != rank)
    return true;
  for (int i = 0; i < rank; ++i) {
    int64_t from = count == -1 ? rank - 1 - i : list[i];
    if (from < 0 || from >= rank)
      return true;
    perm[i] = (int)from;
    seen |= 1u << from;
    axis = from == quant.axis ? i : axis;
  }
  if (seen != (1u << rank) - 1)
    return true;
  quant.axis = axis;
  quant.ints = onnx_permute(c, quant.ints, perm);
  n->outputs[0] = with_quant(c, &quant);
  *done = true;
  return true;
}

// Makes the operator on the integers; each result of their type is like the
// input.
static bool move(OnnxImport *c, OnnxNode *n, OnnxValue *ints, bool *done) {
  enum { MAX_INPUTS = 5 };
  OnnxValue like = *n->inputs[0], *inputs[MAX_INPUTS] = {NULL};
  OnnxNode inner = *n;
  if (like.quant && ints->data && is_op(n->proto, "Transpose"))
    return transpose_const(c, n, done);
  if (n->input_count > MAX_INPUTS ||
      (like.quant && like.quant->scale_count > 1))
    return true;
  memcpy(inputs, n->inputs, (size_t)n->input_count * sizeof *inputs);
  inputs[0] = ints;
  inner.inputs = inputs;
  if (is_op(n->proto, "Pad")) {
    inputs[2] = onnx_scalar(
        c, ONNX_I8,
        (double)(like.quant ? like.quant->zero : -BIAS_OF_UNSIGNED));
    inner.input_count = n->input_count > 3 ? n->input_count : 3;
  }
  if (!onnx_fold(c, &inner, done))
    return false;
  if (!*done && !n->op->handler(c, &inner))
    return onnx_fail(c, "cannot be read");
  *done = true;
  for (int i = 0; i < n->output_count; ++i)
    if (n->outputs[i] && n->outputs[i]->type == ONNX_I8)
      n->outputs[i] = onnx_qdq_like(c, &like, n->outputs[i]);
  return true;
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

OnnxQdqHandler onnx_qdq_find(const char *name) {
  static const struct {
    const char *name;
    OnnxQdqHandler handler;
  } table[] = {
      {"Conv", onnx_qdq_conv},
      {"ConvTranspose", onnx_qdq_conv_transpose},
      {"Gemm", onnx_qdq_gemm},
      {"MatMul", onnx_qdq_matmul},
      {"AveragePool", onnx_qdq_average_pool},
      {"GlobalAveragePool", onnx_qdq_global_average},
      {"ReduceMean", onnx_qdq_global_average},
      {"Concat", onnx_qdq_concat},
      {"Clip", onnx_qdq_element},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    if (strcmp(table[i].name, name) == 0)
      return table[i].handler;
  return onnx_scalar_fn(name) ? onnx_qdq_element : NULL;
}

static bool any_int8(const OnnxNode *n) {
  for (int i = 0; i < n->input_count; ++i)
    if (onnx_qdq_is_int8(n->inputs[i]))
      return true;
  return false;
}

static bool read_operator(OnnxImport *c, OnnxNode *n, bool *done) {
  const char *name = n->proto->op_type;
  OnnxValue *first = n->input_count > 0 ? n->inputs[0] : NULL;
  bool moving = first && (moves(n, name) ||
                          (strcmp(name, "Pad") == 0 && pads_with_zero(n)));
  if (moving && first->quant)
    return move(c, n, first->quant->ints, done);
  if (moving && first->biased && !first->data)
    return move(c, n, first->biased, done);
  OnnxQdqHandler handler = any_int8(n) ? onnx_qdq_find(name) : NULL;
  if (!handler || n->output_count != 1)
    return true;
  OnnxQdqNode q = {.node = n, .name = name};
  q.has_target = onnx_qdq_find_target(c, n->proto->output[0], &q.target);
  return handler(c, &q, done);
}

bool onnx_qdq_node(OnnxImport *c, OnnxNode *n, bool *done) {
  const OnnxHandler handler = n->op->handler;
  if (handler == onnx_op_dequantize)
    return dequantize(c, n, done);
  if (handler == onnx_op_quantize)
    return quantize(c, n, done);
  if (handler == onnx_op_qlinear || handler == onnx_op_qlinear_conv ||
      handler == onnx_op_qlinear_matmul)
    return onnx_qdq_linear(c, n, done);
  const char *domain = n->proto->domain ? n->proto->domain : "";
  if (domain[0] && strcmp(domain, "ai.onnx") != 0)
    return true;
  return read_operator(c, n, done);
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

static bool same_scale(const OnnxQuant *a, const OnnxQuant *b) {
  return a->scales[0] == b->scales[0] && a->zero == b->zero;
}

OnnxValue *onnx_qdq_join(OnnxImport *c, const OnnxNode *n, int k,
                         OnnxValue **values[2], const MlirBlock blocks[2]) {
  OnnxValue *first = values[0][k], *second = values[1][k];
  OnnxTarget target;
  if (first->type == ONNX_U8 && first->biased && second->biased) {
    values[0][k] = first->biased;
    values[1][k] = second->biased;
    return first;
  }
  if (onnx_qdq_is_int8(first) && onnx_qdq_is_int8(second) &&
      same_scale(first->quant, second->quant)) {
    values[0][k] = first->quant->ints;
    values[1][k] = second->quant->ints;
    return first;
  }
  if (first->type != ONNX_F32 || first->shape.rank == 0 ||
      !onnx_qdq_find_target(c, n->proto->output[k], &target))
    return NULL;
  MlirBlock outer = c->block;
  for (int i = 0; i < 2; ++i) {
    c->block = blocks[i];
    values[i][k] = onnx_qdq_quantized(c, values[i][k], &target);
    c->block = outer;
    if (!values[i][k])
      return NULL;
  }
  return onnx_qdq_settled(c, values[0][k], &target);
}
