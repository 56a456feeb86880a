// Control flow: announces decisions and iterations to the runtime, and converts
// memrefs and tokens that pass through it to pointers and words.

#include <stdlib.h>

#include "lowering.h"
#include "luna-c/decision.h"
#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// Announcing
//===----------------------------------------------------------------------===//

static const char *name_of(LunaLowering *run, MlirOperation op,
                           const char *prefix, uint64_t number) {
  MlirStringRef given = luna_label_of(op);
  if (given.length > 0)
    return luna_arena_strndup(&run->arena, given.data, given.length);
  return luna_arena_printf(&run->arena, "%s%d", prefix, (int)number);
}

static int compare_cases(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

static bool read_cases(LunaLowering *run, MlirOperation op,
                       LunaLoweringBranch *branch) {
  MlirAttribute cases = luna_attr(op, "cases");
  intptr_t count = mlirDenseArrayGetNumElements(cases);
  int32_t *values = LUNA_ARENA_ARRAY(&run->arena, int32_t, count);
  for (intptr_t i = 0; i < count; ++i) {
    int64_t value = mlirDenseI64ArrayGetElement(cases, i);
    if (value < INT32_MIN || value > INT32_MAX) {
      luna_emit_error(op, "case is beyond 32 bits");
      return false;
    }
    values[i] = (int32_t)value;
  }
  if (count > 0)
    qsort(values, (size_t)count, sizeof *values, compare_cases);
  branch->cases = values;
  branch->case_count = (uint32_t)count;
  return true;
}

// The names of the ways of a switch, in the order of its cases, if all have
// one.
static const char *const *read_ways(LunaLowering *run, MlirOperation op,
                                    const LunaLoweringBranch *branch) {
  MlirAttribute cases = luna_attr(op, "cases");
  const char **ways =
      LUNA_ARENA_ARRAY(&run->arena, const char *, branch->case_count + 1);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirStringRef way = luna_way_of(op, r);
    uint32_t at = branch->case_count;
    if (way.length == 0)
      return NULL;
    for (uint32_t i = 0; r > 0 && i < branch->case_count; ++i)
      if (branch->cases[i] == mlirDenseI64ArrayGetElement(cases, r - 1))
        at = i;
    ways[at] = luna_arena_strndup(&run->arena, way.data, way.length);
  }
  return ways;
}

// Passes the decision through luna_rt_branch, for the branch and its selects.
static void announce_decision(LunaLowering *run, MlirOperation op,
                              int32_t branch, bool is_switch) {
  MlirValue decision = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(decision);
  MlirOperation first = is_switch ? op : luna_decision_first_user(op);
  MlirValue arguments[] = {
      luna_build_constant(run, first, run->i32, branch),
      luna_build_value(first, is_switch ? "arith.index_cast" : "arith.extui",
                       run->i32, 1, &decision),
  };
  MlirValue taken = luna_build_call(run, first, LUNA_CALL_BRANCH, arguments);
  taken = luna_build_value(
      first, is_switch ? "arith.index_cast" : "arith.trunci", type, 1, &taken);
  luna_decision_replace(op, first, taken);
}

static bool announce_branch(LunaLowering *run, MlirOperation op) {
  int32_t number = (int32_t)run->branches.count;
  LunaLoweringBranch *branch = LUNA_VECTOR_ADD(&run->arena, &run->branches);
  branch->is_switch = luna_op_is(op, LUNA_OP_SCF_INDEX_SWITCH);
  branch->name =
      name_of(run, op, branch->is_switch ? "switch" : "if", (uint64_t)number);
  if (branch->is_switch && !read_cases(run, op, branch))
    return false;
  if (branch->is_switch)
    branch->ways = read_ways(run, op, branch);
  announce_decision(run, op, number, branch->is_switch);
  return true;
}

static void announce_loop(LunaLowering *run, MlirOperation op) {
  uint64_t number = run->loops.count;
  const char **name = LUNA_VECTOR_ADD(&run->arena, &run->loops);
  *name = name_of(run, op, "loop", number);
  // The body: of scf.while, what follows a condition that held.
  MlirRegion body =
      mlirOperationGetRegion(op, luna_op_is(op, LUNA_OP_SCF_WHILE));
  MlirOperation first =
      mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(body));
  MlirValue argument =
      luna_build_constant(run, first, run->i32, (int64_t)number);
  luna_build_call(run, first, LUNA_CALL_LOOP_ITERATION, &argument);
}

bool luna_announce_control(LunaLowering *run, MlirOperation op) {
  if (LUNA_OP_IS_ANY(op, LUNA_OP_SCF_IF, LUNA_OP_SCF_INDEX_SWITCH))
    return announce_branch(run, op);
  announce_loop(run, op);
  return true;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static void convert_value(LunaLowering *run, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (luna_is_memref(type))
    mlirValueSetType(value, run->ptr);
  else if (lunaTypeIsAToken(type))
    mlirValueSetType(value, run->i32);
}

// Operands that still are memrefs become their addresses.
static void convert_operands(LunaLowering *run, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (luna_is_memref(mlirValueGetType(operand)))
      mlirOperationSetOperand(op, i, luna_build_pointer(run, op, operand));
  }
}

static MlirBlock block_of(MlirOperation op, intptr_t region) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
}

void luna_lower_control_operands(LunaLowering *run, MlirOperation op) {
  convert_operands(run, op);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    if (!mlirBlockIsNull(block_of(op, r)))
      convert_operands(run, mlirBlockGetTerminator(block_of(op, r)));
}

void luna_lower_control_values(LunaLowering *run, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = block_of(op, r);
    for (intptr_t i = 0;
         !mlirBlockIsNull(block) && i < mlirBlockGetNumArguments(block); ++i)
      convert_value(run, mlirBlockGetArgument(block, i));
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    convert_value(run, mlirOperationGetResult(op, i));
}
