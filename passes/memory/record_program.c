// luna-record-program: records each function for luna-verify-plan.
//
// In: functions on buffers, after bufferisation, before memories are assigned.
// Out: the same, and for each function a luna.program with a copy of it and of
// the module's constants. luna-verify-plan compares the result of later passes
// with it. Refuses: nothing. No options. Example:
// lit_tests/passes/luna-record-program/doc.mlir

#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna/arena.h"
#include "luna/passes.h"
#include "mlir-c/BuiltinAttributes.h"

static MlirOperation build_record(MlirOperation func, LunaArena *arena) {
  MlirContext context = mlirOperationGetContext(func);
  MlirStringRef name = luna_attr_string(func, "sym_name");
  const char *symbol =
      luna_arena_printf(arena, "%.*s.program", (int)name.length, name.data);
  MlirNamedAttribute attribute =
      luna_named(context, "sym_name", luna_string_attr(context, symbol));
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, mlirBlockCreate(0, NULL, NULL));
  return luna_build(&(LunaOpSpec){.name = "luna.program",
                                  .location = mlirOperationGetLocation(func),
                                  .attributes = &attribute,
                                  .attribute_count = 1,
                                  .owned_regions = &region,
                                  .region_count = 1});
}

static void record_function(MlirOperation func, MlirBlock module,
                            LunaArena *arena) {
  MlirOperation record = build_record(func, arena);
  MlirBlock body = luna_body(record, 0);
  for (MlirOperation op = mlirBlockGetFirstOperation(module);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (luna_op_is(op, LUNA_OP_MEMREF_GLOBAL) || mlirOperationEqual(op, func))
      mlirBlockAppendOwnedOperation(body, mlirOperationClone(op));
  mlirBlockAppendOwnedOperation(module, record);
}

static MlirLogicalResult run(MlirOperation module,
                             const LunaOptionValue *options) {
  (void)options;
  LunaArena arena = {0};
  MlirBlock body = luna_body(module, 0);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (luna_op_is(op, LUNA_OP_FUNC_FUNC) && !mlirBlockIsNull(luna_body(op, 0)))
      record_function(op, body, &arena);
  luna_arena_destroy(&arena);
  return mlirLogicalResultSuccess();
}

static const char *const dialects[] = {"luna", NULL};

const LunaPassDesc luna_pass_record_program = {
    .argument = "luna-record-program",
    .summary = "Keep each function as it is, to compare its plan with",
    .anchor = "builtin.module",
    .dependent_dialects = dialects,
    .run = run,
};
