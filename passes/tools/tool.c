#include "tool.h"

#include <stdio.h>
#include <string.h>

#include "luna-c/dialect.h"
#include "luna-c/ops.h"
#include "mlir-c/Dialect/Arith.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/Linalg.h"
#include "mlir-c/Dialect/MemRef.h"
#include "mlir-c/Dialect/SCF.h"
#include "structure.h"

typedef LunaToolCode (*Visit)(MlirOperation func, const LunaMachine *machine);

MlirContext luna_tool_context(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  const MlirDialectHandle handles[] = {
      mlirGetDialectHandle__arith__(),  mlirGetDialectHandle__func__(),
      mlirGetDialectHandle__linalg__(), mlirGetDialectHandle__memref__(),
      mlirGetDialectHandle__scf__(),    mlirGetDialectHandle__luna__(),
  };
  for (size_t i = 0; i < sizeof handles / sizeof handles[0]; ++i)
    mlirDialectHandleInsertDialect(handles[i], registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  return context;
}

static LunaToolCode visit_file(MlirContext context, const char *path,
                               const LunaMachine *machine, Visit visit) {
  MlirModule module = mlirModuleCreateParseFromFile(context, luna_str(path));
  LunaToolCode code = LUNA_TOOL_BAD_INPUT;
  if (mlirModuleIsNull(module))
    return code;
  MlirBlock body = luna_body(mlirModuleGetOperation(module), 0);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (luna_op_is(op, LUNA_OP_FUNC_FUNC) &&
        !mlirBlockIsNull(luna_entry_block(op))) {
      code = visit(op, machine);
      if (code != LUNA_TOOL_EQUAL)
        break;
    }
  mlirModuleDestroy(module);
  return code;
}

LunaToolCode luna_tool_run(int argc, char **argv, const char *name,
                           Visit visit) {
  static const char option[] = "--machine=";
  bool has_option = argc > 1 && strncmp(argv[1], option, strlen(option)) == 0;
  LunaMachine machine;
  LunaError error = {0};
  if (!luna_machine_load(has_option ? argv[1] + strlen(option) : "venus", NULL,
                         &machine, &error)) {
    fprintf(stderr, "%s: %s\n", name, error.message);
    return LUNA_TOOL_BAD_INPUT;
  }
  MlirContext context = luna_tool_context();
  LunaToolCode code =
      argc > 1 + has_option ? LUNA_TOOL_EQUAL : LUNA_TOOL_BAD_INPUT;
  for (int i = 1 + has_option; code == LUNA_TOOL_EQUAL && i < argc; ++i)
    code = visit_file(context, argv[i], &machine, visit);
  mlirContextDestroy(context);
  return code;
}
