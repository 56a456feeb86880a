// luna-copy-deep-inits: copies what deeply nested loops begin with.
//
// In: loops on tensors of static shape, right before bufferisation.
// Out: the same; each loop whose depth is a multiple of `levels` begins with
// copies. Bufferisation finds the layout of what a loop carries from those of
// its init and of what it yields, each of which may be that of the next loop
// around or in it: the time doubles with each level up to a copy, whose layout
// is known. Later passes coalesce the copies.
// Options: levels.
// Example: lit_tests/passes/luna-copy-deep-inits/doc.mlir

#include "luna-c/ops.h"
#include "luna-c/pass.h"
#include "luna/passes.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structure.h"

static int64_t depth_of(MlirOperation op) {
  int64_t depth = 0;
  for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op))
    depth += luna_is_loop(op);
  return depth;
}

static MlirValue copy_before(MlirOperation loop, MlirValue init) {
  MlirContext context = mlirOperationGetContext(loop);
  MlirType type = mlirValueGetType(init);
  static const int32_t segments[] = {0, 1, 0}; // sizes, copy, size hint
  const MlirNamedAttribute attributes[] = {
      luna_named(context, "operandSegmentSizes",
                 mlirDenseI32ArrayGet(context, 3, segments)),
      // Without it that of the init would be looked for.
      luna_named(context, "memory_space", luna_i64_attr(context, 0)),
  };
  MlirOperation copy = luna_build_before(
      loop, &(LunaOpSpec){.name = "bufferization.alloc_tensor",
                          .location = mlirOperationGetLocation(loop),
                          .operands = &init,
                          .operand_count = 1,
                          .results = &type,
                          .result_count = 1,
                          .attributes = attributes,
                          .attribute_count = 2});
  return mlirOperationGetResult(copy, 0);
}

static bool visit_op(MlirOperation op, void *data) {
  const int64_t *levels = data;
  if (!luna_is_loop(op) || depth_of(op) % *levels != 0)
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue init = mlirOperationGetOperand(op, i);
    if (mlirTypeIsARankedTensor(mlirValueGetType(init)) &&
        mlirShapedTypeHasStaticShape(mlirValueGetType(init)))
      mlirOperationSetOperand(op, i, copy_before(op, init));
  }
  return true;
}

static MlirLogicalResult run(MlirOperation func,
                             const LunaOptionValue *options) {
  int64_t levels = options[0].integer;
  if (levels < 1)
    return luna_emit_error(func, "levels must be at least 1");
  luna_walk(func, visit_op, &levels);
  return mlirLogicalResultSuccess();
}

static const char *const dialects[] = {"bufferization", NULL};

static const LunaOptionDesc options[] = {
    {.name = "levels",
     .help = "loops from one that begins with copies to the next in it",
     .kind = LUNA_OPTION_INT64,
     .int_default = 8},
};

const LunaPassDesc luna_pass_copy_deep_inits = {
    .argument = "luna-copy-deep-inits",
    .summary = "Copy what deeply nested loops begin with",
    .anchor = "func.func",
    .options = options,
    .option_count = 1,
    .dependent_dialects = dialects,
    .run = run,
};
