// The plugin LunaFaults.so: LunaMLIR.so, but that one pass leaves a fault in
// its output: that of the environment variable LUNA_FAULT, as
// luna-mutate --before-record lists them.

#include <stdlib.h>

#include "luna-c/dialect.h"
#include "mutations_before.h"

// The layout that MLIR's plugin loaders expect, in C.
typedef struct DialectPluginInfo {
  uint32_t api_version;
  const char *name;
  const char *version;
  void (*register_dialects)(void *registry);
} DialectPluginInfo;

#define EXPORT __attribute__((visibility("default")))
EXPORT DialectPluginInfo mlirGetDialectPluginInfo(void);

static void register_dialects(void *registry) {
  MlirDialectRegistry wrapped = {registry};
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__luna__(), wrapped);
  luna_register_faulty_passes(NULL, getenv("LUNA_FAULT"));
}

DialectPluginInfo mlirGetDialectPluginInfo(void) {
  return (DialectPluginInfo){1, "luna", LUNA_VERSION, register_dialects};
}
