#ifndef LUNA_JIT_H
#define LUNA_JIT_H

// Runs object files in this process.

#include "luna/error.h"
#include "luna/simulator.h"
#include "mlir-c/IR.h"
#include "llvm-c/LLJIT.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Loads an object file, `length` bytes, which may call `symbols[0..count)`,
/// those of luna/guard.h and the exports of this process. Returns NULL with
/// `error` set if it cannot be linked. The caller destroys the result, which
/// does not need the bytes.
LLVMOrcLLJITRef luna_jit_load(const void *object, size_t length,
                              const LunaRuntimeSymbol *symbols, uint64_t count,
                              LunaError *error);

/// Compiles a module of the LLVM dialect and loads it. `optimisation_level` is
/// LLVM's, 0 to 3. Returns NULL, with `error` set, also if LLVM refuses it; a
/// diagnostic may have details. The result does not need the module.
LLVMOrcLLJITRef luna_jit_create(MlirModule module, int optimisation_level,
                                const LunaRuntimeSymbol *symbols,
                                uint64_t count, LunaError *error);

/// Frees it; `jit` may be NULL.
void luna_jit_destroy(LLVMOrcLLJITRef jit);

/// Returns the address of a symbol, or NULL.
void *luna_jit_find(LLVMOrcLLJITRef jit, const char *name);

/// Calls `void name(void *, …)` with the pointers, of an object that has
/// LunaObjectOptions.has_jit_entries. Returns false if there is no such
/// function.
bool luna_jit_call(LLVMOrcLLJITRef jit, const char *name, void **pointers);

#ifdef __cplusplus
}
#endif

#endif // LUNA_JIT_H
