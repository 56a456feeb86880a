#ifndef LUNA_COMPILED_H
#define LUNA_COMPILED_H

// A compiled model in this process, with its memories. Its runtime is the
// simulator, or what stands before it.

#include "luna/arena.h"
#include "luna/native_code.h"
#include "luna/program.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LunaCompiled {
  uint64_t alignment_bytes; ///< the machine's, set before luna_compiled_load
  /// The runtime that it calls, the same; the simulator's where NULL.
  const LunaRuntimeSymbol *runtime;
  uint64_t runtime_count;
  LLVMOrcLLJITRef jit;
  LunaProgramInfo program;
  LunaProgramPointers memory; ///< zeroed and aligned
  void **arguments;           ///< of the entry function
} LunaCompiled;

/// Generates the code of the output of luna-compile, in `arena`, from `cache`
/// or kept there; NULL is none. Fails like luna_native_create.
bool luna_compiled_code(MlirModule module, LunaCache *cache, LunaArena *arena,
                        LunaNativeCode *code, LunaError *error);

/// Loads the code of the model `name`, allocates the memories of its descriptor
/// and calls its initialisation. Memory comes from `arena`; the code stays in
/// use. Fails with LUNA_ERROR_SETUP if it cannot be linked or has no
/// descriptor.
bool luna_compiled_load(const LunaNativeCode *code, const char *name,
                        LunaArena *arena, LunaCompiled *compiled,
                        LunaError *error);

/// Frees the resources of luna_compiled_load, also after it failed.
void luna_compiled_unload(LunaCompiled *compiled);

/// Resets the state variables to their initial values.
void luna_compiled_reset(const LunaCompiled *compiled);

/// Calls the entry function; a LunaModelCall with a LunaCompiled.
void luna_compiled_call(void *compiled);

#ifdef __cplusplus
}
#endif

#endif // LUNA_COMPILED_H
