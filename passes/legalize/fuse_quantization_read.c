#include "fuse_quantization.h"

#include <math.h>

#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static bool have_same_shape(MlirType a, MlirType b) {
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(a);
  if (rank != mlirShapedTypeGetRank(b))
    return false;
  for (intptr_t i = 0; i < rank; ++i)
    if (mlirShapedTypeGetDimSize(a, i) != mlirShapedTypeGetDimSize(b, i))
      return false;
  return true;
}

bool luna_has_same_shape(MlirValue a, MlirValue b) {
  MlirType type_a = mlirValueGetType(a), type_b = mlirValueGetType(b);
  return mlirTypeIsARankedTensor(type_a) && mlirTypeIsARankedTensor(type_b) &&
         have_same_shape(type_a, type_b);
}

bool luna_reads_in_order(MlirOperation op) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  float number;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(maps); ++i)
    if (!mlirAffineMapIsIdentity(
            mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i))) &&
        !luna_literal_number(mlirOperationGetOperand(op, i), &number))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// luna.quantize and luna.dequantize
//===----------------------------------------------------------------------===//

static bool read_scales(MlirValue value, LunaQuant *quant) {
  LunaLiteral literal;
  quant->scales = luna_literal_attr(value);
  if (!luna_literal_of(quant->scales, &literal))
    return false;
  quant->scale = luna_literal_float(&literal, 0);
  quant->is_uniform = true;
  for (int64_t i = 0; i < literal.count; ++i) {
    float scale = luna_literal_float(&literal, i);
    if (!(scale > 0.0f) || isinf(scale))
      return false;
    quant->is_uniform = quant->is_uniform && scale == quant->scale;
  }
  return true;
}

static bool read_zero(MlirOperation op, LunaQuant *quant) {
  LunaLiteral literal;
  quant->zero = 0;
  if (mlirOperationGetNumOperands(op) < 3)
    return true;
  if (!luna_literal_read(mlirOperationGetOperand(op, 2), &literal))
    return false;
  quant->zero = luna_literal_int(&literal, 0);
  for (int64_t i = 1; i < literal.count; ++i)
    if (luna_literal_int(&literal, i) != quant->zero)
      return false;
  if (quant->is_unsigned && quant->zero < 0)
    quant->zero += INT64_C(1) << (8 * literal.element_bytes);
  return true;
}

bool luna_quant_read(MlirOperation op, LunaQuant *quant) {
  bool is_quantize = luna_op_is(op, LUNA_OP_LUNA_QUANTIZE);
  if (!is_quantize && !luna_op_is(op, LUNA_OP_LUNA_DEQUANTIZE))
    return false;
  MlirValue ints = is_quantize ? mlirOperationGetResult(op, 0)
                               : mlirOperationGetOperand(op, 0);
  *quant = (LunaQuant){
      .op = op,
      .element = mlirShapedTypeGetElementType(mlirValueGetType(ints)),
      .is_unsigned = !mlirAttributeIsNull(luna_attr(op, "is_unsigned")),
  };
  return read_scales(mlirOperationGetOperand(op, 1), quant) &&
         read_zero(op, quant);
}

bool luna_quant_source(MlirValue value, LunaQuant *quant) {
  MlirOperation op = luna_defining_op(value);
  return luna_op_is(op, LUNA_OP_LUNA_DEQUANTIZE) && luna_quant_read(op, quant);
}

MlirValue luna_quant_ints(const LunaQuant *quant) {
  return mlirOperationGetOperand(quant->op, 0);
}

bool luna_quant_is_int8(const LunaQuant *quant) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(quant->op, 0));
  return quant->is_uniform && !quant->is_unsigned &&
         mlirIntegerTypeGetWidth(quant->element) == 8 &&
         mlirShapedTypeHasStaticShape(type) && mlirShapedTypeGetRank(type) > 0;
}

bool luna_quant_keeps_order(const LunaQuant *quant) {
  return !quant->is_unsigned &&
         (mlirIntegerTypeGetWidth(quant->element) < 32 || quant->zero == 0);
}

bool luna_quant_is_like(const LunaQuant *a, const LunaQuant *b) {
  return a->is_uniform && b->is_uniform && a->scale == b->scale &&
         a->zero == b->zero && a->is_unsigned == b->is_unsigned &&
         mlirTypeEqual(a->element, b->element);
}

LunaQuantTarget luna_quant_target_of(const LunaQuant *quant) {
  MlirOperation op = quant->op;
  int64_t count = INT64_C(1) << mlirIntegerTypeGetWidth(quant->element);
  int64_t low = quant->is_unsigned ? 0 : -count / 2;
  return (LunaQuantTarget){
      .scale = quant->scale,
      .zero = quant->zero,
      .low = luna_attr_int(op, "clamp_min", low),
      .high = luna_attr_int(op, "clamp_max", low + count - 1),
      .ties = (LunaTies)luna_attr_int(op, "rounding", LUNA_TIES_EVEN),
  };
}

bool luna_quant_target(MlirOperation op, LunaQuantTarget *target) {
  LunaQuant quant;
  if (!luna_op_is(op, LUNA_OP_LUNA_QUANTIZE) || !luna_quant_read(op, &quant) ||
      !luna_quant_is_int8(&quant))
    return false;
  *target = luna_quant_target_of(&quant);
  return true;
}

int64_t luna_quant_number(const LunaQuantTarget *target, float number) {
  float quotient = number / target->scale;
  float value = luna_round_f32(quotient, target->ties) + (float)target->zero;
  float low = (float)target->low, high = (float)target->high;
  return (int64_t)(value > high ? high : value > low ? value : low);
}
