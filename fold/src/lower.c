// TOSA operators as the compiler lowers them.

#include "lower.h"

#include <assert.h>

#include "luna-c/builder.h"
#include "luna-c/fold.h"
#include "luna-c/ir.h"
#include "luna-c/upstream.h"
#include "luna/arena.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Conversion.h"
#include "mlir-c/Diagnostics.h"

static void ignore(MlirStringRef text, void *data) {
  (void)text;
  (void)data;
}

LunaLowering luna_lowering_create(MlirContext context) {
  LunaArena arena = {0};
  mlirRegisterConversionTosaToSCFPass();
  mlirRegisterConversionTosaToLinalgNamed();
  mlirRegisterConversionTosaToLinalg();
  mlirRegisterConversionTosaToArithPass();
  mlirRegisterConversionTosaToTensorPass();
  mlirContextGetOrLoadDialect(context, luna_str("func"));
  LunaLowering lowering = {
      .context = context,
      .manager = mlirPassManagerCreate(context),
  };
  mlirPassManagerEnableVerifier(lowering.manager, false);
  // tosa.scatter becomes loops.
  const char *passes =
      luna_arena_printf(&arena, "func.func(tosa-to-scf),%s",
                        luna_upstream_passes(LUNA_UPSTREAM_LINALG));
  MlirLogicalResult result = mlirOpPassManagerAddPipeline(
      mlirPassManagerGetAsOpPassManager(lowering.manager), luna_str(passes),
      ignore, NULL);
  assert(mlirLogicalResultIsSuccess(result));
  (void)result;
  luna_arena_destroy(&arena);
  return lowering;
}

void luna_lowering_destroy(LunaLowering *lowering) {
  mlirPassManagerDestroy(lowering->manager);
}

//===----------------------------------------------------------------------===//
// A function with a copy
//===----------------------------------------------------------------------===//

static MlirOperation append(MlirBlock block, const LunaOpSpec *spec) {
  MlirOperation op = luna_build(spec);
  mlirBlockAppendOwnedOperation(block, op);
  return op;
}

static MlirValue append_const(MlirBlock block, MlirLocation location,
                              MlirAttribute elements) {
  MlirType type = mlirAttributeGetType(elements);
  MlirNamedAttribute values =
      luna_named(mlirLocationGetContext(location), "values", elements);
  return mlirOperationGetResult(
      append(block, &(LunaOpSpec){.name = "tosa.const",
                                  .location = location,
                                  .results = &type,
                                  .result_count = 1,
                                  .attributes = &values,
                                  .attribute_count = 1}),
      0);
}

static bool is_constant_op(MlirOperation op) {
  return !mlirOperationIsNull(op) &&
         (luna_fold_is_literal(op) || luna_op_is(op, LUNA_OP_TOSA_CONST_SHAPE));
}

// The value of an operand in the function: the constant itself, if there is
// one, since upstream's lowering needs some of them.
static MlirValue copy_operand(MlirBlock block, MlirLocation location,
                              MlirValue value, MlirAttribute elements) {
  MlirOperation op = luna_defining_op(value);
  if (is_constant_op(op)) {
    MlirOperation copy = mlirOperationClone(op);
    mlirBlockAppendOwnedOperation(block, copy);
    return mlirOperationGetResult(copy, 0);
  }
  if (!mlirAttributeIsNull(elements))
    return append_const(block, location, elements);
  return mlirBlockAddArgument(block, mlirValueGetType(value), location);
}

static MlirBlock copy_to_block(MlirOperation op,
                               const MlirAttribute *attributes) {
  MlirLocation location = mlirOperationGetLocation(op);
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(copy, i,
                            copy_operand(block, location,
                                         mlirOperationGetOperand(op, i),
                                         attributes[i]));
  mlirBlockAppendOwnedOperation(block, copy);
  LunaArena arena = {0};
  intptr_t count = mlirOperationGetNumResults(copy);
  MlirValue *results = LUNA_ARENA_ARRAY(&arena, MlirValue, count);
  for (intptr_t i = 0; i < count; ++i)
    results[i] = mlirOperationGetResult(copy, i);
  append(block, &(LunaOpSpec){.name = "func.return",
                              .location = location,
                              .operands = results,
                              .operand_count = count});
  luna_arena_destroy(&arena);
  return block;
}

static MlirLogicalResult swallow(MlirDiagnostic diagnostic, void *data) {
  (void)diagnostic;
  (void)data;
  return mlirLogicalResultSuccess();
}

static void append_function(MlirModule module, MlirBlock body) {
  MlirContext context = mlirModuleGetContext(module);
  MlirNamedAttribute named[] = {
      luna_named(context, "sym_name", luna_string_attr(context, "copy")),
      luna_named(context, "function_type",
                 mlirTypeAttrGet(luna_function_type_of(body))),
  };
  MlirRegion region = luna_region_of(body);
  append(mlirModuleGetBody(module), &(LunaOpSpec){
                                        .name = "func.func",
                                        .location = mlirOperationGetLocation(
                                            mlirModuleGetOperation(module)),
                                        .attributes = named,
                                        .attribute_count = 2,
                                        .owned_regions = &region,
                                        .region_count = 1,
                                    });
}

MlirModule luna_lowering_of(const LunaLowering *lowering, MlirOperation op,
                            const MlirAttribute *attributes) {
  MlirModule module = mlirModuleCreateEmpty(mlirOperationGetLocation(op));
  append_function(module, copy_to_block(op, attributes));
  MlirOperation root = mlirModuleGetOperation(module);
  MlirDiagnosticHandlerID handler = mlirContextAttachDiagnosticHandler(
      lowering->context, swallow, NULL, NULL);
  bool is_lowered = mlirOperationVerify(root) &&
                    mlirLogicalResultIsSuccess(
                        mlirPassManagerRunOnOp(lowering->manager, root));
  mlirContextDetachDiagnosticHandler(lowering->context, handler);
  if (is_lowered)
    return module;
  mlirModuleDestroy(module);
  return (MlirModule){NULL};
}
