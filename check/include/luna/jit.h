#ifndef LUNA_JIT_H
#define LUNA_JIT_H

// Runs object files in this process.

#include "luna/error.h"
#include "luna/simulator.h"
#include "llvm-c/LLJIT.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes that an object refers to by a symbol.
typedef struct LunaJitData {
  const char *name;
  const void *bytes;
} LunaJitData;

/// Loads an object file, `length` bytes, which may call `symbols[0..count)`,
/// those of luna/guard.h and the exports of this process, and refer to `data`,
/// which outlives the result; NULL is none. Returns NULL with `error` set if it
/// cannot be linked. The caller destroys the result, which does not need the
/// object's bytes.
LLVMOrcLLJITRef luna_jit_load(const void *object, size_t length,
                              const LunaJitData *data,
                              const LunaRuntimeSymbol *symbols, uint64_t count,
                              LunaError *error);

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
