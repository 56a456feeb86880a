// Whatever the bytes, the reader gives a module or one error; never a crash, a
// hang or more memory than a few times the file.

#include <stdint.h>
#include <stdlib.h>

#include "luna/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // A context of its own, so that constants of earlier inputs are freed.
  MlirContext context = mlirContextCreateWithThreading(false);
  MlirModule module;
  LunaError error = {0};
  if (luna_import_tflite(context, data, size, NULL, &module, &error))
    mlirModuleDestroy(module);
  else if (error.code != LUNA_ERROR_INPUT || !error.message[0])
    abort();
  mlirContextDestroy(context);
  return 0;
}
