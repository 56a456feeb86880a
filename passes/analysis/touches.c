#include "touches.h"

#include "luna-c/linalg_operands.h"
#include "luna-c/ops.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"

static bool is_touchable(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return luna_is_memref(type) || lunaTypeIsAToken(type);
}

//===----------------------------------------------------------------------===//
// linalg
//===----------------------------------------------------------------------===//

// Returns true if the op has iterations at all, so that it writes its outputs.
static bool has_iterations(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (luna_is_memref(type) && luna_shaped_bytes(type) <= 0)
      return false;
  }
  return true;
}

// An output is overwritten if the body does not use it and its indices are
// distinct loops, which thus reach every element.
static LunaTouch touch_by_linalg(MlirOperation op, intptr_t index) {
  if (index < luna_linalg_input_count(op))
    return LUNA_TOUCH_READ;
  MlirAffineMap map = luna_linalg_map(op, index);
  bool is_whole = !mlirAffineMapIsNull(map) &&
                  mlirAffineMapIsProjectedPermutation(map) &&
                  !luna_linalg_body_uses(op, index, true) && has_iterations(op);
  return is_whole ? LUNA_TOUCH_OVERWRITE : LUNA_TOUCH_MODIFY;
}

//===----------------------------------------------------------------------===//
// Any op
//===----------------------------------------------------------------------===//

typedef struct Row {
  LunaOpName name;
  intptr_t operand; ///< -1: each
  LunaTouch touch;
} Row;

static const Row rows[] = {
    {LUNA_OP_MEMREF_LOAD, -1, LUNA_TOUCH_READ},
    {LUNA_OP_MEMREF_PREFETCH, -1, LUNA_TOUCH_READ},
    {LUNA_OP_MEMREF_COPY, 0, LUNA_TOUCH_READ},
    {LUNA_OP_MEMREF_COPY, 1, LUNA_TOUCH_OVERWRITE},
    {LUNA_OP_AFFINE_LOAD, -1, LUNA_TOUCH_READ},
    {LUNA_OP_VECTOR_LOAD, -1, LUNA_TOUCH_READ},
    {LUNA_OP_VECTOR_TRANSFER_READ, -1, LUNA_TOUCH_READ},
    {LUNA_OP_LUNA_DMA_START, 0, LUNA_TOUCH_READ},
    {LUNA_OP_LUNA_DMA_START, 1, LUNA_TOUCH_OVERWRITE},
    {LUNA_OP_LUNA_DMA_WAIT, -1, LUNA_TOUCH_READ},
};

static LunaTouch touch_by_name(MlirOperation op, intptr_t index) {
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
    if (luna_op_is(op, rows[i].name) &&
        (rows[i].operand == -1 || rows[i].operand == index))
      return rows[i].touch;
  return LUNA_TOUCH_MODIFY;
}

static LunaTouch touch_by_unit(MlirOperation op, intptr_t index) {
  bool is_written = index == mlirOperationGetNumOperands(op) - 1 ||
                    index == luna_unit_operand_index(op, LUNA_ROLE_SCRATCH);
  return is_written ? LUNA_TOUCH_OVERWRITE : LUNA_TOUCH_READ;
}

static bool is_single_element(MlirType type) {
  return luna_shaped_bytes(type) ==
         luna_element_type_bytes(mlirShapedTypeGetElementType(type));
}

LunaTouch luna_touch_of(MlirOperation op, intptr_t index) {
  if (luna_op_is_unit(op))
    return touch_by_unit(op, index);
  if (luna_op_in_dialect(op, LUNA_DIALECT_LINALG))
    return touch_by_linalg(op, index);
  if (luna_op_is(op, LUNA_OP_MEMREF_STORE) &&
      is_single_element(mlirValueGetType(mlirOperationGetOperand(op, 1))))
    return LUNA_TOUCH_OVERWRITE;
  return touch_by_name(op, index);
}

typedef struct Visitor {
  void (*visit)(MlirValue value, LunaTouch touch, void *data);
  void *data;
} Visitor;

static bool visit_operands(MlirOperation op, void *data) {
  const Visitor *visitor = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (is_touchable(value))
      visitor->visit(value, luna_touch_of(op, i), visitor->data);
  }
  return true;
}

void luna_touches(MlirOperation op,
                  void (*visit)(MlirValue value, LunaTouch touch, void *data),
                  void *data) {
  Visitor visitor = {visit, data};
  visit_operands(op, &visitor);
  luna_walk(op, visit_operands, &visitor);
}
