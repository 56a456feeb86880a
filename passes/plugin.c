// The entry points that mlir-opt and lunac look up. Both the dialect and the
// pass entry point register everything, so that one --load-dialect-plugin is
// enough.

#include "luna-c/dialect.h"
#include "luna-c/pass.h"
#include "luna/passes.h"
#include "mlir-c/IR.h"

// The layouts that MLIR's plugin loaders expect, in C.
typedef struct DialectPluginInfo {
  uint32_t api_version;
  const char *name;
  const char *version;
  void (*register_dialects)(void *registry);
} DialectPluginInfo;

typedef struct PassPluginInfo {
  uint32_t api_version;
  const char *name;
  const char *version;
  void (*register_passes)(void);
} PassPluginInfo;

#define EXPORT __attribute__((visibility("default")))
EXPORT DialectPluginInfo mlirGetDialectPluginInfo(void);
EXPORT PassPluginInfo mlirGetPassPluginInfo(void);
EXPORT void luna_plugin_set_plan_source(MlirContext context,
                                        const struct LunaPlanSource *source);

static void register_passes(void) {
#define LUNA_PASS(desc) luna_register_pass(&desc);
#define LUNA_PIPELINE(desc) luna_register_pipeline(&desc);
#define LUNA_RENAMED(earlier, current) luna_register_renamed(earlier, current);
#include "luna/passes.def"
}

static void register_dialects(void *registry) {
  MlirDialectRegistry wrapped = {registry};
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__luna__(), wrapped);
  register_passes();
}

DialectPluginInfo mlirGetDialectPluginInfo(void) {
  return (DialectPluginInfo){1, "luna", LUNA_VERSION, register_dialects};
}

PassPluginInfo mlirGetPassPluginInfo(void) {
  return (PassPluginInfo){1, "luna", LUNA_VERSION, register_passes};
}

void luna_plugin_set_plan_source(MlirContext context,
                                 const struct LunaPlanSource *source) {
  luna_set_plan_source(context, source);
}
