#ifndef LUNA_CONFORMANCE_JIT_H
#define LUNA_CONFORMANCE_JIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mlir-c/ExecutionEngine.h"
#include "mlir-c/IR.h"

enum { JIT_MAX_VALUES = 128, JIT_MAX_RANK = 8 };

/// A memref as the compiled function takes it.
typedef struct JitMemref {
  uint8_t *allocated, *aligned;
  int64_t offset;
  int64_t sizes_and_strides[2 * JIT_MAX_RANK];
} JitMemref;

/// An imported module, compiled for this computer by upstream passes.
typedef struct Jit {
  MlirExecutionEngine engine;
  int argument_count, result_count;
  JitMemref memrefs[JIT_MAX_VALUES];
  size_t byte_counts[JIT_MAX_VALUES];
} Jit;

/// Gives a context with all upstream dialects, passes and the luna dialect.
MlirContext jit_context(void);
/// Lowers and compiles the function @main; the module is changed.
bool jit_open(Jit *jit, MlirModule module);
bool jit_set_argument(Jit *jit, int i, const void *bytes, size_t byte_count);
bool jit_run(Jit *jit);
const void *jit_result(const Jit *jit, int i);
size_t jit_result_bytes(const Jit *jit, int i);
void jit_close(Jit *jit);

#endif // LUNA_CONFORMANCE_JIT_H
