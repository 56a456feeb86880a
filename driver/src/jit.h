#ifndef LUNA_JIT_H
#define LUNA_JIT_H

#include "mlir-c/ExecutionEngine.h"
#include "session.h"

/// A function that compiled code may call, by name.
typedef struct LunacSymbol {
  const char *name;
  void (*function)(void);
} LunacSymbol;

/// Compiles a module of the LLVM dialect for this process. Gives a null engine
/// after a diagnostic. The caller destroys it.
MlirExecutionEngine luna_jit_create(LunacSession *session, MlirModule module,
                                    const LunacSymbol *symbols, size_t count);

/// Gives the address of a symbol, or NULL.
void *luna_jit_find(MlirExecutionEngine engine, LunaArena *arena,
                    const char *prefix, const char *name);

/// Calls `void name(void *, …)` with `count` pointers (at most 256); false if
/// there is no such function.
bool luna_jit_call(MlirExecutionEngine engine, const char *name,
                   void *const *pointers, size_t count);

#endif // LUNA_JIT_H
