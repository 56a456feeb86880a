// A linalg.generic whose body only picks elements, as readers write gathers.

#include "fuse_quantization.h"

#include "luna-c/build_scalar.h"
#include "luna-c/build_tosa.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static MlirValue result_of(MlirOperation op) {
  return mlirOperationGetResult(op, 0);
}

// A linalg.generic whose body only picks elements of dequantised tensors, or
// 0.0 instead.
typedef struct Picker {
  MlirOperation op;
  MlirBlock body;
  LunaQuant quant;
  bool has_source;
} Picker;

static bool is_float_value(MlirValue value) {
  return mlirTypeIsAF32(mlirValueGetType(value));
}

static bool add_source(Picker *p, MlirValue tensor) {
  LunaQuant quant;
  if (!luna_quant_source(tensor, &quant) || !quant.is_uniform ||
      (p->has_source && !luna_quant_is_like(&quant, &p->quant)))
    return false;
  p->quant = quant;
  p->has_source = true;
  return true;
}

static bool is_zero(MlirOperation op) {
  MlirAttribute value = luna_attr(op, "value");
  return luna_op_is(op, LUNA_OP_ARITH_CONSTANT) &&
         mlirAttributeIsAFloat(value) &&
         mlirFloatAttrGetValueDouble(value) == 0.0;
}

// A 0.0 that is no op of the body.
static bool is_outer_zero(const Picker *p, MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  return !mlirOperationIsNull(op) && is_zero(op) &&
         !mlirBlockEqual(mlirOperationGetBlock(op), p->body);
}

static bool is_in_body(const Picker *p, MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  return mlirBlockEqual(mlirOperationIsNull(op)
                            ? mlirBlockArgumentGetOwner(value)
                            : mlirOperationGetBlock(op),
                        p->body);
}

// Returns true if an op of the body takes floats from the body alone, or 0.0.
static bool takes_picked(const Picker *p, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (is_float_value(value) && !is_in_body(p, value) &&
        !is_outer_zero(p, value))
      return false;
  }
  return true;
}

// Returns true if an op of the body leaves floats alone or picks them.
static bool read_step(Picker *p, MlirOperation op) {
  bool has_floats = false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    has_floats |= is_float_value(mlirOperationGetResult(op, i));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    has_floats |= is_float_value(mlirOperationGetOperand(op, i));
  if (mlirOperationGetNumRegions(op) > 0)
    return false;
  if (!has_floats || is_zero(op))
    return true;
  if (LUNA_OP_IS_ANY(op, LUNA_OP_ARITH_SELECT, LUNA_OP_LINALG_YIELD))
    return takes_picked(p, op);
  return luna_op_is(op, LUNA_OP_TENSOR_EXTRACT) &&
         add_source(p, mlirOperationGetOperand(op, 0));
}

static bool read_picker(MlirOperation op, Picker *p) {
  if (!luna_op_is(op, LUNA_OP_LINALG_GENERIC) ||
      mlirOperationGetNumResults(op) != 1 ||
      !mlirTypeIsAF32(
          mlirShapedTypeGetElementType(mlirValueGetType(result_of(op)))))
    return false;
  *p = (Picker){.op = op, .body = luna_body(op, 0)};
  intptr_t count = mlirBlockGetNumArguments(p->body);
  for (intptr_t i = 0; i + 1 < count; ++i)
    if (is_float_value(mlirBlockGetArgument(p->body, i)) &&
        !add_source(p, mlirOperationGetOperand(op, i)))
      return false;
  MlirValue init = mlirOperationGetOperand(op, count - 1);
  MlirOperation empty = luna_defining_op(init);
  if (!luna_op_is(empty, LUNA_OP_TENSOR_EMPTY))
    return false;
  for (MlirOperation step = mlirBlockGetFirstOperation(p->body);
       !mlirOperationIsNull(step); step = mlirOperationGetNextInBlock(step))
    if (!read_step(p, step))
      return false;
  return p->has_source;
}

static void retype_step(const Picker *p, MlirOperation op) {
  LunaBuilder b = luna_builder_before(op, op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (is_outer_zero(p, mlirOperationGetOperand(op, i)))
      mlirOperationSetOperand(
          op, i, luna_scalar_int(&b, p->quant.element, p->quant.zero));
  if (luna_op_is(op, LUNA_OP_TENSOR_EXTRACT) && is_float_value(result_of(op))) {
    LunaQuant quant;
    luna_quant_source(mlirOperationGetOperand(op, 0), &quant);
    mlirOperationSetOperand(op, 0, luna_quant_ints(&quant));
  } else if (is_zero(op)) {
    luna_set_attr(op, "value",
                  mlirIntegerAttrGet(p->quant.element, p->quant.zero));
  }
  if (mlirOperationGetNumResults(op) == 1 && is_float_value(result_of(op)))
    mlirValueSetType(result_of(op), p->quant.element);
}

static void retype_picker(Picker *p) {
  MlirType element = p->quant.element;
  intptr_t count = mlirBlockGetNumArguments(p->body);
  for (intptr_t i = 0; i + 1 < count; ++i) {
    LunaQuant quant;
    if (!is_float_value(mlirBlockGetArgument(p->body, i)))
      continue;
    luna_quant_source(mlirOperationGetOperand(p->op, i), &quant);
    mlirOperationSetOperand(p->op, i, luna_quant_ints(&quant));
    mlirValueSetType(mlirBlockGetArgument(p->body, i), element);
  }
  MlirType type =
      luna_with_element(mlirValueGetType(result_of(p->op)), element);
  LunaBuilder b = luna_builder_before(p->op, p->op);
  mlirOperationSetOperand(p->op, count - 1, luna_build_empty(&b, type));
  mlirValueSetType(mlirBlockGetArgument(p->body, count - 1), element);
  for (MlirOperation step = mlirBlockGetFirstOperation(p->body);
       !mlirOperationIsNull(step); step = mlirOperationGetNextInBlock(step))
    retype_step(p, step);
  mlirValueSetType(result_of(p->op), type);
}

bool luna_fuse_sink_picker(MlirOperation op) {
  Picker picker;
  if (!read_picker(op, &picker))
    return false;
  retype_picker(&picker);
  luna_quant_dequantize_result(result_of(op), &picker.quant,
                               mlirAttributeGetNull());
  return true;
}
