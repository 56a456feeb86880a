#ifndef LUNA_JIT_H
#define LUNA_JIT_H

// Compiles modules of the LLVM dialect for this process.

#include "luna/error.h"
#include "luna/simulator.h"
#include "mlir-c/ExecutionEngine.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Compiles a module, which may call `symbols[0..count)`, those of luna/guard.h
/// and the exports of this process. `optimisation_level` is LLVM's, 0 to 3. Returns a null engine
/// with `error` set if LLVM refuses it; a diagnostic may have details. The
/// caller destroys the engine, which does not need the module.
MlirExecutionEngine luna_jit_create(MlirModule module, int optimisation_level,
                                    const LunaRuntimeSymbol *symbols,
                                    uint64_t count, LunaError *error);

/// Returns the address of a symbol, or NULL.
void *luna_jit_find(MlirExecutionEngine engine, const char *name);

/// Calls `void name(void *, …)` with `count` pointers. Returns false if there
/// is no such function.
bool luna_jit_call(MlirExecutionEngine engine, const char *name,
                   void *const *pointers, uint64_t count);

#ifdef __cplusplus
}
#endif

#endif // LUNA_JIT_H
