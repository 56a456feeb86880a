#include "luna/jit.h"

#include <string.h>

#include "luna/arena.h"
#include "luna/guard.h"
#include "mlir-c/RegisterEverything.h"

// The C API takes functions as object pointers, which POSIX allows.
static void *as_object(void (*function)(void)) {
  void *object = NULL;
  memcpy(&object, &function, sizeof object);
  return object;
}

static void register_symbols(MlirExecutionEngine engine,
                             const LunaRuntimeSymbol *symbols, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i)
    mlirExecutionEngineRegisterSymbol(
        engine, mlirStringRefCreateFromCString(symbols[i].name),
        as_object(symbols[i].function));
}

MlirExecutionEngine luna_jit_create(MlirModule module, int optimisation_level,
                                    const LunaRuntimeSymbol *symbols,
                                    uint64_t count, LunaError *error) {
  mlirRegisterAllLLVMTranslations(mlirModuleGetContext(module));
  MlirExecutionEngine engine =
      mlirExecutionEngineCreate(module, optimisation_level, 0, NULL,
                                /*enableObjectDump=*/false,
                                /*enablePIC=*/false);
  if (mlirExecutionEngineIsNull(engine)) {
    luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                   "the program cannot be compiled for the host");
    return engine;
  }
  uint64_t guard_count = 0;
  const LunaRuntimeSymbol *guard = luna_guard_symbols(&guard_count);
  register_symbols(engine, guard, guard_count);
  register_symbols(engine, symbols, count);
  mlirExecutionEngineInitialize(engine);
  return engine;
}

void *luna_jit_find(MlirExecutionEngine engine, const char *name) {
  return mlirExecutionEngineLookup(engine,
                                   mlirStringRefCreateFromCString(name));
}

bool luna_jit_call(MlirExecutionEngine engine, const char *name,
                   void *const *pointers, uint64_t count) {
  // MLIR's wrapper, which takes the addresses of the arguments.
  void *object = mlirExecutionEngineLookupPacked(
      engine, mlirStringRefCreateFromCString(name));
  void (*wrapper)(void **) = NULL;
  memcpy(&wrapper, &object, sizeof wrapper);
  if (!wrapper)
    return false;
  LunaArena arena = {0};
  void **values = LUNA_ARENA_ARRAY(&arena, void *, count);
  void **addresses = LUNA_ARENA_ARRAY(&arena, void *, count);
  for (uint64_t i = 0; i < count; ++i) {
    values[i] = pointers[i];
    addresses[i] = &values[i];
  }
  wrapper(addresses);
  luna_arena_destroy(&arena);
  return true;
}
