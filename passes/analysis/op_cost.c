#include "op_cost.h"

#include <string.h>

#include "buffer_roots.h"
#include "luna-c/ops.h"
#include "luna/checked.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"
#include "op_desc.h"
#include "structure.h"

//===----------------------------------------------------------------------===//
// The host core
//===----------------------------------------------------------------------===//

// Returns the index of the first output operand of a linalg operator.
static intptr_t first_output(MlirOperation op) {
  int64_t segments[2];
  if (luna_attr_ints(op, "operandSegmentSizes", segments, 2))
    return (intptr_t)segments[0];
  intptr_t count = mlirOperationGetNumOperands(op);
  return luna_op_is(op, LUNA_OP_LINALG_REDUCE) ? count / 2 : count - 1;
}

static bool is_linalg(MlirOperation op) {
  return luna_op_in_dialect(op, LUNA_DIALECT_LINALG) &&
         mlirOperationGetNumRegions(op) > 0;
}

int32_t luna_host_access(MlirOperation op, intptr_t index) {
  if (!luna_is_memref(mlirValueGetType(mlirOperationGetOperand(op, index))))
    return 0;
  if (is_linalg(op)) {
    MlirBlock body = luna_body(op, 0);
    bool is_read = index >= mlirBlockGetNumArguments(body) ||
                   !mlirOpOperandIsNull(
                       mlirValueGetFirstUse(mlirBlockGetArgument(body, index)));
    return (is_read ? LUNA_ACCESS_READ : 0) |
           (index >= first_output(op) ? LUNA_ACCESS_WRITE : 0);
  }
  if (luna_op_is(op, LUNA_OP_MEMREF_LOAD))
    return LUNA_ACCESS_READ;
  if (luna_op_is(op, LUNA_OP_MEMREF_COPY) ||
      luna_op_is(op, LUNA_OP_MEMREF_STORE))
    return index == 1 ? LUNA_ACCESS_WRITE : LUNA_ACCESS_READ;
  return LUNA_ACCESS_READ_WRITE;
}

static int64_t element_count(MlirType type) {
  int64_t count = 1;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    if (!luna_checked_mul(count, mlirShapedTypeGetDimSize(type, i), &count))
      return INT64_MAX;
  return count;
}

// Returns the product of a linalg operator's loop extents, each from an operand
// dimension that the loop indexes alone.
static int64_t linalg_iterations(MlirOperation op, MlirAttribute maps) {
  // Loops that no operand indexes alone are not counted, nor is any beyond
  // what operands of the greatest rank could index.
  enum { LOOPS_MAX = 4 * LUNA_RANK_MAX };
  bool is_counted[LOOPS_MAX] = {false};
  int64_t iterations = 1;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(maps); ++i) {
    MlirAffineMap map =
        mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
      MlirAffineExpr expr = mlirAffineMapGetResult(map, r);
      if (!mlirAffineExprIsADim(expr))
        continue;
      intptr_t loop = mlirAffineDimExprGetPosition(expr);
      if (loop >= LOOPS_MAX || is_counted[loop])
        continue;
      is_counted[loop] = true;
      if (!luna_checked_mul(iterations, mlirShapedTypeGetDimSize(type, r),
                            &iterations))
        return INT64_MAX;
    }
  }
  return iterations;
}

static int64_t iterations_of(MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_MEMREF_STORE) ||
      luna_op_is(op, LUNA_OP_MEMREF_LOAD))
    return 1;
  if (is_linalg(op)) {
    MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
    if (!mlirAttributeIsNull(maps))
      return linalg_iterations(op, maps);
  }
  int64_t most = 1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (luna_is_memref(type) && element_count(type) > most)
      most = element_count(type);
  }
  return most;
}

typedef struct BodyCounts {
  int64_t operations, accesses;
} BodyCounts;

static bool count_body_op(MlirOperation op, void *data) {
  BodyCounts *counts = data;
  bool is_access = luna_op_is(op, LUNA_OP_MEMREF_LOAD) ||
                   luna_op_is(op, LUNA_OP_MEMREF_STORE);
  counts->accesses += is_access;
  counts->operations += !is_access && !luna_op_is(op, LUNA_OP_LINALG_YIELD) &&
                        !luna_op_is(op, LUNA_OP_LINALG_INDEX) &&
                        !luna_op_is(op, LUNA_OP_ARITH_CONSTANT);
  return true;
}

uint64_t luna_host_cycles(const LunaMachine *machine, MlirOperation op) {
  BodyCounts counts = {0};
  luna_walk(op, count_body_op, &counts);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    int32_t access = luna_host_access(op, i);
    counts.accesses += (access & LUNA_ACCESS_READ) != 0;
    counts.accesses += (access & LUNA_ACCESS_WRITE) != 0;
  }
  int64_t operations = 0, accesses = 0, each = 0, all = 0;
  bool fits =
      luna_checked_mul(counts.operations,
                       (int64_t)machine->host_cycles_per_scalar_op,
                       &operations) &&
      luna_checked_mul(counts.accesses,
                       (int64_t)machine->host_cycles_per_access, &accesses) &&
      luna_checked_add(operations, accesses, &each) &&
      luna_checked_mul(each, iterations_of(op), &all);
  return (uint64_t)(fits ? all : INT64_MAX);
}

//===----------------------------------------------------------------------===//
// Any op
//===----------------------------------------------------------------------===//

static bool is_on_chip(MlirValue value) {
  return luna_memory_of(mlirValueGetType(value)) == LUNA_MEMORY_SHARED;
}

static bool copy_cost(const LunaMachine *machine, MlirOperation op,
                      LunaCost *cost) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirValue target = mlirOperationGetOperand(op, 1);
  LunaCopyDesc desc = {0};
  if (!is_on_chip(source) || !is_on_chip(target) ||
      !luna_tensor_desc_from_type(mlirValueGetType(source), &desc.source) ||
      !luna_tensor_desc_from_type(mlirValueGetType(target), &desc.target) ||
      memcmp(desc.source.dims, desc.target.dims, sizeof desc.source.dims) != 0)
    return false;
  *cost = luna_cost_copy(machine, &desc);
  return true;
}

static bool fill_cost(const LunaMachine *machine, MlirOperation op,
                      LunaCost *cost) {
  MlirOperation value = luna_defining_op(mlirOperationGetOperand(op, 0));
  LunaFillDesc desc = {0};
  if (!is_on_chip(mlirOperationGetOperand(op, 1)) ||
      mlirOperationIsNull(value) ||
      !mlirAttributeIsAInteger(luna_attr(value, "value")) ||
      !luna_tensor_desc_from_type(
          mlirValueGetType(mlirOperationGetOperand(op, 1)), &desc.target))
    return false;
  *cost = luna_cost_fill(machine, &desc);
  return true;
}

static void count_touch(MlirValue value, void *data) {
  (void)value;
  ++*(int *)data;
}

bool luna_op_cost(const LunaMachine *machine, MlirOperation op,
                  LunaCost *cost) {
  *cost = (LunaCost){0};
  if (luna_op_is_unit(op)) {
    LunaUnitDesc desc;
    if (!luna_unit_desc_read(op, &desc))
      return false;
    *cost = luna_unit_class(desc.unit_class)->cost(machine, &desc.as);
    return true;
  }
  int touched = 0;
  luna_touched_values(op, count_touch, &touched);
  bool is_free =
      luna_only_renames(op) || luna_op_in_dialect(op, LUNA_DIALECT_LUNA);
  if (touched == 0 || is_free || luna_is_control_flow(op))
    return true;
  if (luna_op_is(op, LUNA_OP_MEMREF_COPY) && copy_cost(machine, op, cost))
    return true;
  if (luna_op_is(op, LUNA_OP_LINALG_FILL) && fill_cost(machine, op, cost))
    return true;
  cost->host_cycles = luna_host_cycles(machine, op);
  return true;
}

bool luna_op_add_run_cycles(const LunaMachine *machine, MlirOperation op,
                            uint64_t *cycles) {
  LunaCost cost;
  int64_t all = 0, sum = INT64_MAX;
  if (!luna_op_cost(machine, op, &cost))
    return false;
  if (!luna_checked_mul((int64_t)(cost.unit_cycles + cost.host_cycles),
                        luna_run_count(op), &all) ||
      !luna_checked_add((int64_t)*cycles, all, &sum))
    sum = INT64_MAX;
  *cycles = (uint64_t)sum;
  return true;
}
