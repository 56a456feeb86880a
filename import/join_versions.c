#include "luna-c/ir.h"
#include "luna/import.h"

// Names the function of a version, and moves it to those of the first.
static bool join(const LunaVersion *version, MlirSymbolTable functions,
                 bool is_first, LunaError *error) {
  MlirOperation func = luna_first_function(version->module);
  if (mlirOperationIsNull(func))
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "no function with a body to compile");
  luna_set_string(func, "luna.version", version->name);
  if (is_first)
    return true;
  mlirOperationRemoveFromParent(func);
  mlirSymbolTableInsert(functions, func);
  return true;
}

bool luna_import_join(const LunaVersion *versions, size_t count,
                      MlirModule *out, LunaError *error) {
  MlirSymbolTable functions =
      mlirSymbolTableCreate(mlirModuleGetOperation(versions[0].module));
  bool is_done = true;
  for (size_t v = 0; is_done && v < count; ++v)
    is_done = join(&versions[v], functions, v == 0, error);
  mlirSymbolTableDestroy(functions);
  *out = is_done ? versions[0].module : (MlirModule){NULL};
  for (size_t v = is_done ? 1 : 0; v < count; ++v)
    mlirModuleDestroy(versions[v].module);
  return is_done;
}
