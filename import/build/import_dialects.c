#include "import_dialects.h"

bool luna_import_load_dialects(MlirContext context, LunaError *error) {
  static const char *const names[] = {
      "arith", "bufferization", "func", "linalg", "luna",
      "math",  "memref",        "scf",  "tensor", "tosa"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (mlirDialectIsNull(mlirContextGetOrLoadDialect(
            context, mlirStringRefCreateFromCString(names[i]))))
      return luna_error_set(error, LUNA_ERROR_SETUP, LUNA_ERROR_NO_ITEM,
                            "dialect '%s' is not registered", names[i]);
  return true;
}
