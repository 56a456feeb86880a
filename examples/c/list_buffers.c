// Lists where the buffers of a planned model lie:
//   lunac compile model.mlir --emit=luna -o plan.mlir && list_buffers plan.mlir

#include <stdio.h>

#include "luna-c/ops.h"
#include "luna/text.h"
#include "mlir-c/Dialect/Arith.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/MemRef.h"
#include "mlir-c/Dialect/SCF.h"

static MlirContext make_context(void) {
  MlirDialectHandle handles[] = {
      mlirGetDialectHandle__arith__(),  mlirGetDialectHandle__func__(),
      mlirGetDialectHandle__memref__(), mlirGetDialectHandle__scf__(),
      mlirGetDialectHandle__luna__(),
  };
  MlirContext context = mlirContextCreate();
  for (size_t i = 0; i < sizeof handles / sizeof handles[0]; ++i)
    mlirDialectHandleRegisterDialect(handles[i], context);
  return context;
}

static bool print_buffer(MlirOperation op, void *data) {
  (void)data;
  LunaPlacement place;
  if (luna_op_is(op, LUNA_OP_MEMREF_ALLOC) && luna_read_place(op, &place))
    printf("%6lld  %6lld bytes  %.*s\n", (long long)place.offset_bytes,
           (long long)luna_shaped_bytes(
               mlirValueGetType(mlirOperationGetResult(op, 0))),
           (int)place.name.length, place.name.data);
  return true;
}

int main(int argc, char **argv) {
  LunaText text = {0};
  LunaError error = {.message = "usage: list_buffers PLAN.mlir"};
  if (argc != 2 || !luna_text_read_file(&text, argv[1], 1 << 26, &error)) {
    fprintf(stderr, "%s\n", error.message);
    return 2;
  }
  MlirContext context = make_context();
  MlirModule module = mlirModuleCreateParse(
      context, mlirStringRefCreate(text.data, text.length));
  if (!mlirModuleIsNull(module))
    luna_walk(mlirModuleGetOperation(module), print_buffer, NULL);
  int code = mlirModuleIsNull(module) ? 2 : 0;
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  luna_text_deinit(&text);
  return code;
}
