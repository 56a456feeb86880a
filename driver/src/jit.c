#include "jit.h"

#include <string.h>

#include "diagnostics.h"
#include "mlir-c/RegisterEverything.h"

// Compiling costs far more than it gains: a program runs once for each path and
// case, and the unit's operators are the simulator's.
enum { OPTIMISATION_LEVEL = 0, ARGUMENTS_MAX = 256 };

// The C API takes functions as object pointers, which POSIX allows.
static void *as_object(void (*function)(void)) {
  void *object = NULL;
  memcpy(&object, &function, sizeof object);
  return object;
}

MlirExecutionEngine luna_jit_create(LunacSession *session, MlirModule module,
                                    const LunacSymbol *symbols, size_t count) {
  mlirRegisterAllLLVMTranslations(session->context);
  session->has_diagnosed = false;
  MlirExecutionEngine engine =
      mlirExecutionEngineCreate(module, OPTIMISATION_LEVEL, 0, NULL,
                                /*enableObjectDump=*/false,
                                /*enablePIC=*/false);
  if (mlirExecutionEngineIsNull(engine)) {
    if (!session->has_diagnosed)
      luna_diagnose(session, "the program cannot be compiled for this "
                             "computer");
    return engine;
  }
  for (size_t i = 0; i < count; ++i)
    mlirExecutionEngineRegisterSymbol(
        engine, mlirStringRefCreateFromCString(symbols[i].name),
        as_object(symbols[i].function));
  mlirExecutionEngineInitialize(engine);
  return engine;
}

void *luna_jit_find(MlirExecutionEngine engine, LunaArena *arena,
                    const char *prefix, const char *name) {
  return mlirExecutionEngineLookup(
      engine, mlirStringRefCreateFromCString(
                  luna_arena_printf(arena, "%s%s", prefix, name)));
}

bool luna_jit_call(MlirExecutionEngine engine, const char *name,
                   void *const *pointers, size_t count) {
  void *values[ARGUMENTS_MAX], *addresses[ARGUMENTS_MAX];
  if (count > ARGUMENTS_MAX)
    return false;
  for (size_t i = 0; i < count; ++i) {
    values[i] = pointers[i];
    addresses[i] = &values[i];
  }
  // MLIR's wrapper, which takes the addresses of the arguments.
  void *object = mlirExecutionEngineLookupPacked(
      engine, mlirStringRefCreateFromCString(name));
  void (*wrapper)(void **) = NULL;
  memcpy(&wrapper, &object, sizeof wrapper);
  if (wrapper)
    wrapper(addresses);
  return wrapper != NULL;
}
