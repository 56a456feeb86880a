#include <stdio.h>

#include "luna-c/dialect.h"
#include "luna-c/ir.h"
#include "luna-c/run_passes.h"
#include "mlir-c/RegisterEverything.h"
#include "mutations_before.h"

enum { DONE = 0, BAD_INPUT = 2 };

static MlirContext create_context(LunaText *listed) {
  mlirRegisterAllPasses();
  luna_register_faulty_passes(listed, NULL);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__luna__(), registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  return context;
}

// The passes list the faults as they run.
static bool list_of_model(MlirContext context, const char *path) {
  LunaError error = {0};
  MlirModule module = mlirModuleCreateParseFromFile(context, luna_str(path));
  bool is_done = !mlirModuleIsNull(module) &&
                 luna_run_checks(module, "luna-compile-to-record",
                                 "it cannot be compiled", &error);
  if (!is_done)
    fprintf(stderr, "luna-mutate: %s: %s\n", path,
            mlirModuleIsNull(module) ? "cannot be read" : error.message);
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  return is_done;
}

int luna_list_faults_before_record(int count, char **paths) {
  LunaText listed = {0};
  MlirContext context = create_context(&listed);
  bool is_done = count > 0;
  for (int i = 0; is_done && i < count; ++i)
    is_done = list_of_model(context, paths[i]);
  if (is_done && listed.length > 0)
    fputs(listed.data, stdout);
  mlirContextDestroy(context);
  luna_text_deinit(&listed);
  return is_done ? DONE : BAD_INPUT;
}
