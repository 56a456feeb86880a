#ifndef LUNA_IMPORT_TESTS_JIT_H
#define LUNA_IMPORT_TESTS_JIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mlir-c/ExecutionEngine.h"
#include "mlir-c/IR.h"

// Runs imported modules on the host, by the upstream lowering alone.

enum { JIT_MAX_VALUES = 64, JIT_MAX_RANK = 6 };

/// A memref descriptor with room for any rank used here.
typedef struct JitMemref {
  void *allocated, *aligned;
  int64_t offset, sizes_and_strides[2 * JIT_MAX_RANK];
} JitMemref;

/// One argument or result of the function.
typedef struct JitValue {
  uint8_t *data;
  size_t bytes;
  size_t element_bytes;
  bool is_float;
  char state[96]; ///< name of the state, or empty
  JitMemref memref;
} JitValue;

typedef struct Jit {
  MlirExecutionEngine engine;
  JitValue values[JIT_MAX_VALUES]; ///< arguments, then results
  int argument_count, result_count;
} Jit;

/// Gives a context in which all passes and dialects are known.
MlirContext jit_context(void);
/// Lowers and compiles "main" of the module, which it changes; state starts
/// with its initial value. False when the lowering failed.
bool jit_open(Jit *jit, MlirModule module);
/// Runs once on the data of the arguments and fills that of the results; new
/// state becomes the state of the next call.
void jit_run(Jit *jit);
void jit_close(Jit *jit);

#endif // LUNA_IMPORT_TESTS_JIT_H
