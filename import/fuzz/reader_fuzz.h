#ifndef LUNA_READER_FUZZ_H
#define LUNA_READER_FUZZ_H

// Whatever the bytes, a reader gives a module or one error; never a crash, a
// hang or more memory than a few times the file.

#include <stdint.h>
#include <stdlib.h>

#include "luna-c/dialect.h"
#include "luna/import.h"
#include "mlir-c/RegisterEverything.h"

typedef bool (*Reader)(MlirContext context, const void *bytes, size_t size,
                       const LunaImportOptions *options, MlirModule *module,
                       LunaError *error);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// Reads one input.
static inline int fuzz_reader(Reader reader, const uint8_t *data, size_t size) {
  // A context of its own, so that constants of earlier inputs are freed.
  MlirContext context = mlirContextCreateWithThreading(false);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__luna__(), registry);
  mlirContextAppendDialectRegistry(context, registry);
  LunaImportDimension any = {.name = "*", .size = 2};
  LunaImportOptions options = {.dimensions = &any, .dimension_count = 1};
  MlirModule module;
  LunaError error = {0};
  if (reader(context, data, size, &options, &module, &error))
    mlirModuleDestroy(module);
  else if (error.code != LUNA_ERROR_INPUT || !error.message[0])
    abort();
  mlirDialectRegistryDestroy(registry);
  mlirContextDestroy(context);
  return 0;
}

#endif // LUNA_READER_FUZZ_H
