// luna-form-regions: forms straight-line regions between control flow.
//
// In: a bufferised function with scf control flow. Out: every run of ops
// between control flow, in every block, is in a luna.region whose results are
// the values used after it; regions are numbered in program order. Constants
// come first in the function, outside. Control flow is named (luna.label "if0",
// loop0, …). The five rules of "Memory optimization method for control flow
// computation graph" (J. NUDT 47(6), 2025), section 1.3, applied recursively.
// Example: lit_tests/passes/luna-form-regions/doc.mlir

#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/passes.h"
#include "mlir-c/BuiltinAttributes.h"
#include "structure.h"

typedef struct Former {
  LunaArena arena;
  int32_t next_id;
} Former;

//===----------------------------------------------------------------------===//
// Constants first
//===----------------------------------------------------------------------===//

typedef struct Hoist {
  MlirBlock entry;
  MlirOperation last; // the last constant hoisted, null before the first
} Hoist;

static bool hoist_constant(MlirOperation op, void *data) {
  Hoist *hoist = data;
  MlirOperation parent = mlirOperationGetParentOperation(op);
  bool in_program = luna_op_is(parent, LUNA_OP_FUNC_FUNC) ||
                    luna_op_is(parent, LUNA_OP_LUNA_REGION) ||
                    luna_is_control_flow(parent);
  if (!lunaOperationIsConstantLike(op) || !in_program)
    return true;
  MlirOperation first = mlirBlockGetFirstOperation(hoist->entry);
  if (!mlirOperationIsNull(hoist->last))
    mlirOperationMoveAfter(op, hoist->last);
  else if (!mlirOperationEqual(op, first))
    mlirOperationMoveBefore(op, first);
  hoist->last = op;
  return true;
}

//===----------------------------------------------------------------------===//
// One run
//===----------------------------------------------------------------------===//

// Ops [first, end) of one block.
typedef struct Run {
  MlirBlock block;
  MlirOperation first, end;
  intptr_t op_count;
} Run;

static bool stands_in_run(const Run *run, MlirOperation op) {
  MlirOperation ancestor = luna_ancestor_in_block(op, run->block);
  for (MlirOperation at = run->first; !mlirOperationEqual(at, run->end);
       at = mlirOperationGetNextInBlock(at))
    if (mlirOperationEqual(at, ancestor))
      return true;
  return false;
}

static bool is_used_outside(const Run *run, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!stands_in_run(run, mlirOpOperandGetOwner(use)))
      return true;
  return false;
}

typedef struct Escapes {
  MlirValue *values;
  MlirType *types;
  intptr_t count;
} Escapes;

static Escapes find_escapes(Former *former, const Run *run) {
  Escapes escapes = {0};
  intptr_t capacity = 0;
  for (MlirOperation op = run->first; !mlirOperationEqual(op, run->end);
       op = mlirOperationGetNextInBlock(op))
    capacity += mlirOperationGetNumResults(op);
  escapes.values = LUNA_ARENA_ARRAY(&former->arena, MlirValue, capacity);
  escapes.types = LUNA_ARENA_ARRAY(&former->arena, MlirType, capacity);
  for (MlirOperation op = run->first; !mlirOperationEqual(op, run->end);
       op = mlirOperationGetNextInBlock(op))
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
      MlirValue value = mlirOperationGetResult(op, i);
      if (!is_used_outside(run, value))
        continue;
      escapes.types[escapes.count] = mlirValueGetType(value);
      escapes.values[escapes.count++] = value;
    }
  return escapes;
}

static void use_result_outside(const Run *run, MlirValue value,
                               MlirValue result) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use);) {
    MlirOpOperand next = mlirOpOperandGetNextUse(use);
    MlirOperation owner = mlirOpOperandGetOwner(use);
    if (!stands_in_run(run, owner))
      mlirOperationSetOperand(owner, mlirOpOperandGetOperandNumber(use),
                              result);
    use = next;
  }
}

static void wrap_run(Former *former, const Run *run) {
  MlirContext context = mlirOperationGetContext(run->first);
  MlirLocation location = mlirOperationGetLocation(run->first);
  Escapes escapes = find_escapes(former, run);
  MlirRegion body = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(body, block);
  MlirNamedAttribute id =
      luna_named(context, "id", luna_i32_attr(context, former->next_id++));
  MlirOperation region =
      luna_build_before(run->first, &(LunaOpSpec){
                                        .name = "luna.region",
                                        .location = location,
                                        .results = escapes.types,
                                        .result_count = escapes.count,
                                        .attributes = &id,
                                        .attribute_count = 1,
                                        .owned_regions = &body,
                                        .region_count = 1,
                                    });
  for (intptr_t i = 0; i < escapes.count; ++i)
    use_result_outside(run, escapes.values[i],
                       mlirOperationGetResult(region, i));
  for (MlirOperation op = run->first; !mlirOperationEqual(op, run->end);) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(block, op);
    op = next;
  }
  mlirBlockAppendOwnedOperation(
      block, luna_build(&(LunaOpSpec){.name = "luna.yield",
                                      .location = location,
                                      .operands = escapes.values,
                                      .operand_count = escapes.count}));
}

//===----------------------------------------------------------------------===//
// Blocks, outermost first
//===----------------------------------------------------------------------===//

static bool ends_run(MlirOperation op) {
  return luna_is_control_flow(op) || luna_op_is(op, LUNA_OP_LUNA_REGION) ||
         mlirOperationIsNull(mlirOperationGetNextInBlock(op));
}

static void form_block(Former *former, MlirBlock block);

static void form_nested(Former *former, MlirOperation op) {
  for (intptr_t r = 0;
       luna_is_control_flow(op) && r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = luna_body(op, r);
    if (!mlirBlockIsNull(block))
      form_block(former, block);
  }
}

static void form_block(Former *former, MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (!mlirOperationIsNull(op) && (lunaOperationIsConstantLike(op) ||
                                      luna_op_is(op, LUNA_OP_LUNA_LABEL)))
    op = mlirOperationGetNextInBlock(op);
  Run run = {.block = block, .first = op};
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (ends_run(op)) {
      run.end = op;
      if (run.op_count > 0)
        wrap_run(former, &run);
      form_nested(former, op);
      run = (Run){.block = block, .first = next};
    } else {
      ++run.op_count;
    }
    op = next;
  }
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  (void)options;
  MlirBlock entry = luna_entry_block(func);
  if (mlirBlockIsNull(entry))
    return mlirLogicalResultSuccess();
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(entry)))
    return luna_emit_error(func, "unstructured control flow; lift it with "
                                 "lift-cf-to-scf first");
  Former former = {0};
  luna_name_control_flow(func);
  Hoist hoist = {.entry = entry};
  luna_walk(func, hoist_constant, &hoist);
  form_block(&former, entry);
  luna_arena_destroy(&former.arena);
  return mlirLogicalResultSuccess();
}

static const char *const dialects[] = {"luna", NULL};

const LunaPassDesc luna_pass_form_regions = {
    .argument = "luna-form-regions",
    .summary = "Cut the program into straight-line regions",
    .anchor = "func.func",
    .dependent_dialects = dialects,
    .run = run,
};
