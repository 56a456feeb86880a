// Values that stand for integers.

#include "onnx_qdq.h"

#include <math.h>

//===----------------------------------------------------------------------===//
// Scales and zero points
//===----------------------------------------------------------------------===//

const float *onnx_qdq_scales(OnnxImport *c, const OnnxValue *scale) {
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

bool onnx_qdq_zero(const OnnxValue *zero, OnnxType type, int64_t *number) {
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
    *number -= ONNX_UNSIGNED_BIAS;
  return true;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool onnx_qdq_is_int8(const OnnxValue *value) {
  return value && value->quant && value->quant->scale_count == 1 &&
         value->quant->ints->type == ONNX_I8;
}

OnnxValue *onnx_qdq_with(OnnxImport *c, const OnnxQuant *quant) {
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
  return onnx_qdq_with(
      c, &(OnnxQuant){
             .ints = ints, .scales = scales, .scale_count = 1, .zero = zero});
}

OnnxValue *onnx_qdq_settled(OnnxImport *c, OnnxValue *ints,
                            const OnnxTarget *target) {
  OnnxQuant quant =
      *onnx_qdq_value(c, ints, target->scale, target->zero)->quant;
  quant.is_settled = true;
  return onnx_qdq_with(c, &quant);
}

OnnxValue *onnx_qdq_like(OnnxImport *c, const OnnxValue *like,
                         OnnxValue *ints) {
  if (like->quant) {
    OnnxQuant quant = *like->quant;
    quant.ints = ints;
    return onnx_qdq_with(c, &quant);
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
  uint8_t *data = onnx_new_data(c, count, 1);
  for (int64_t i = 0; i < count; ++i)
    data[i] = ints->data[i] ^ 0x80;
  return onnx_new_const(c, type, &ints->shape, data);
}

OnnxValue *onnx_qdq_table(OnnxImport *c, OnnxValue *ints,
                          const int8_t table[256]) {
  LunaShape entries = {1, {256}};
  bool last = onnx_prefers_last(ints);
  MlirValue operands[2] = {last ? onnx_ir_last(c, ints) : onnx_ir(c, ints),
                           onnx_const(c, ONNX_I8, &entries, table)};
  MlirValue made = luna_build_op(
      c->b, "tosa.table", mlirValueGetType(operands[0]), 2, operands, 0, NULL);
  return last ? onnx_from_last(c, ONNX_I8, &ints->shape, made)
              : onnx_from_ir(c, ONNX_I8, &ints->shape, made);
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
  if (mlirBlockEqual(c->b->block, value->block))
    value->biased = ints;
  return ints;
}

// A float is exact for bytes; a zero point of int32 comes off before.
MlirValue onnx_qdq_centred(OnnxImport *c, MlirValue x, OnnxType type,
                           int64_t zero) {
  if (zero == 0)
    return onnx_cast(c, x, type, ONNX_F32);
  if (type == ONNX_I32)
    return onnx_cast(c, luna_scalar_sub(c->b, x, luna_scalar_i32(c->b, zero)),
                     ONNX_I32, ONNX_F32);
  return luna_scalar_sub(c->b, onnx_cast(c, x, type, ONNX_F32),
                         luna_scalar_f32(c->b, (double)zero));
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
  return luna_scalar_mul(
      c->b, onnx_qdq_centred(c, args[0], type, quant->zero),
      count > 1 ? args[1] : luna_scalar_f32(c->b, (double)quant->scales[0]));
}

static OnnxValue *dequantized(OnnxImport *c, const OnnxQuant *quant) {
  LunaShape shape = onnx_shape(quant->ints->shape.rank, NULL);
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
  if (!value || !onnx_is_unmade(value))
    return value;
  OnnxValue *made =
      value->quant ? dequantized(c, value->quant) : flipped(c, value->biased);
  if (mlirBlockEqual(c->b->block, value->block)) {
    value->ir = made->ir;
    value->last = made->last;
    return value;
  }
  made->type = value->type;
  made->quant = value->quant;
  made->biased = value->biased;
  return made;
}

OnnxValue *onnx_qdq_remember(OnnxImport *c, OnnxValue *value,
                             const OnnxValue *scale, const OnnxValue *zero,
                             int64_t axis) {
  OnnxQuant quant = {.scales = onnx_qdq_scales(c, scale)};
  bool is_byte = value->type == ONNX_I8 || value->type == ONNX_U8;
  if (!quant.scales || !onnx_qdq_zero(zero, value->type, &quant.zero) ||
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
  return quant.ints ? onnx_qdq_with(c, &quant) : NULL;
}
