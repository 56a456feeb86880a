// What is wrong with an access wherever its memref is: a constant index beyond
// its end, a memory that the unit does not reach; and globals that are
// variables.

#include "luna-c/dialect.h"
#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "verify_plan_report.h"
#include "verify_plan_static.h"

static bool check_memory(MlirOperation op, MlirValue value) {
  LunaMemoryKind memory = luna_memory_of(mlirValueGetType(value));
  if (memory == LUNA_MEMORY_SHARED)
    return true;
  return luna_verify_error(
      op, "has an operand in %s, the unit reaches shared memory only",
      memory == LUNA_MEMORY_PSRAM ? "psram" : "flash");
}

static bool check_memories(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (luna_is_memref(mlirValueGetType(value)) && !check_memory(op, value))
      return false;
  }
  return true;
}

static bool check_indices(MlirOperation op) {
  int64_t index = 0, extent = 0;
  intptr_t dimension = luna_index_outside(op, &index, &extent);
  return dimension < 0 ||
         luna_verify_error(op, "index %lld in dimension %d of %lld elements",
                           (long long)index, (int)dimension, (long long)extent);
}

static bool visit(MlirOperation op, void *data) {
  (void)data;
  return check_indices(op) && (!luna_op_is_unit(op) || check_memories(op));
}

bool luna_verify_accesses(MlirOperation func) {
  return luna_walk(func, visit, NULL);
}

bool luna_verify_globals(MlirBlock symbols) {
  for (MlirOperation op = mlirBlockGetFirstOperation(symbols);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    bool is_variable = luna_op_is(op, LUNA_OP_MEMREF_GLOBAL) &&
                       (mlirAttributeIsNull(luna_attr(op, "constant")) ||
                        mlirAttributeIsNull(luna_attr(op, "initial_value")) ||
                        mlirAttributeIsAUnit(luna_attr(op, "initial_value")));
    if (is_variable)
      return luna_verify_error(op,
                               "global is not a constant; what a plan keeps "
                               "between calls are arguments");
  }
  return true;
}
