#include "conditions.h"

#include "mlir-c/BuiltinAttributes.h"
#include "structure.h"

// Returns the value that the regions of straight-line code yield as `value`.
static MlirValue source_of(MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  while (luna_op_is(op, LUNA_OP_LUNA_REGION)) {
    MlirOperation yield = mlirBlockGetTerminator(luna_body(op, 0));
    value = mlirOperationGetOperand(yield, mlirOpResultGetResultNumber(value));
    op = luna_defining_op(value);
  }
  return value;
}

static bool is_true(MlirValue value) {
  MlirOperation op = luna_defining_op(source_of(value));
  if (!luna_op_is(op, LUNA_OP_ARITH_CONSTANT))
    return false;
  MlirAttribute number = luna_attr(op, "value");
  return mlirAttributeIsABool(number) && mlirBoolAttrGetValue(number);
}

// Returns what `value` is the negation of, or a null value.
static MlirValue negated(MlirValue value) {
  const MlirValue none = {NULL};
  MlirOperation op = luna_defining_op(value);
  if (!luna_op_is(op, LUNA_OP_ARITH_XORI))
    return none;
  MlirValue x = mlirOperationGetOperand(op, 0);
  MlirValue y = mlirOperationGetOperand(op, 1);
  return is_true(y) ? source_of(x) : is_true(x) ? source_of(y) : none;
}

static MlirOperation loop_of(MlirValue value) {
  MlirOperation op =
      mlirValueIsABlockArgument(value)
          ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
          : mlirOperationGetParentOperation(mlirOpResultGetOwner(value));
  while (!mlirOperationIsNull(op) && !luna_is_loop(op))
    op = luna_op_is(op, LUNA_OP_FUNC_FUNC)
             ? (MlirOperation){NULL}
             : mlirOperationGetParentOperation(op);
  return op;
}

LunaCondition luna_condition_of(LunaConditions *conditions,
                                MlirOperation branch, LunaArena *arena) {
  LunaCondition condition = {0};
  MlirValue value = source_of(mlirOperationGetOperand(branch, 0));
  bool is_if = luna_op_is(branch, LUNA_OP_SCF_IF);
  for (MlirValue inner = value; is_if && inner.ptr; inner = negated(value)) {
    condition.is_negated ^= inner.ptr != value.ptr;
    value = inner;
  }
  uint64_t of_value =
      luna_map_add(&conditions->values, arena, luna_map_pointer(value.ptr));
  uint64_t of_cases =
      luna_map_add(&conditions->cases, arena,
                   luna_map_pointer(luna_attr(branch, "cases").ptr));
  condition.number = luna_map_add(&conditions->pairs, arena,
                                  luna_map_number(of_value << 32 | of_cases));
  condition.loop = loop_of(value);
  return condition;
}
