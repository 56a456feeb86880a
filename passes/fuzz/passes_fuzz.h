#ifndef PASSES_FUZZ_H
#define PASSES_FUZZ_H

// Any text is a module that a pipeline of ours takes, or one that it refuses
// with an error; never a crash or a hang.

#include <stdint.h>
#include <stdlib.h>

#include "luna-c/dialect.h"
#include "luna-c/ir.h"
#include "luna/passes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"
#include "text_mutator.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static MlirLogicalResult count_error(MlirDiagnostic diagnostic, void *data) {
  int *count = data;
  *count += mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError;
  return mlirLogicalResultSuccess();
}

static void ignore_text(MlirStringRef text, void *data) {
  (void)text, (void)data;
}

static inline void register_passes(void) {
  static bool is_done;
  if (is_done)
    return;
  is_done = true;
#define LUNA_PASS(desc) luna_register_pass(&desc);
#include "luna/passes.def"
}

static inline MlirContext create_context(void) {
  register_passes();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__luna__(), registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  return context;
}

/// Runs `pipeline`; a failure without an error is a fault.
static inline bool run_pipeline(MlirModule module, const char *pipeline) {
  MlirContext context = mlirModuleGetContext(module);
  int error_count = 0;
  MlirDiagnosticHandlerID handler = mlirContextAttachDiagnosticHandler(
      context, count_error, &error_count, NULL);
  MlirPassManager passes = mlirPassManagerCreate(context);
  if (mlirLogicalResultIsFailure(mlirOpPassManagerAddPipeline(
          mlirPassManagerGetAsOpPassManager(passes), luna_str(pipeline),
          ignore_text, NULL)))
    abort();
  bool is_done = mlirLogicalResultIsSuccess(
      mlirPassManagerRunOnOp(passes, mlirModuleGetOperation(module)));
  mlirPassManagerDestroy(passes);
  mlirContextDetachDiagnosticHandler(context, handler);
  if (!is_done && error_count == 0)
    abort();
  return is_done;
}

/// Reads a module, runs `first` and, if it succeeds, `second`.
static inline int fuzz_passes(const uint8_t *data, size_t size,
                              const char *first, const char *second) {
  MlirContext context = create_context();
  int error_count = 0;
  MlirDiagnosticHandlerID handler = mlirContextAttachDiagnosticHandler(
      context, count_error, &error_count, NULL);
  // The parser reads up to a NUL.
  char *text = malloc(size + 1);
  memcpy(text, data, size);
  text[size] = 0;
  MlirModule module = mlirModuleCreateParse(context, luna_str(text));
  free(text);
  mlirContextDetachDiagnosticHandler(context, handler);
  if (!mlirModuleIsNull(module)) {
    if (run_pipeline(module, first) && second)
      run_pipeline(module, second);
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
  return 0;
}

#endif // PASSES_FUZZ_H
