#ifndef LUNA_COMPILED_H
#define LUNA_COMPILED_H

// A compiled model in this process, with the memories that it runs in. Its
// runtime is the simulator.

#include "luna/arena.h"
#include "luna/jit.h"
#include "luna/program.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LunaCompiled {
  MlirExecutionEngine engine;
  LunaProgramInfo program;
  LunaProgramPointers memory; ///< zeroed, aligned to 64 bytes
  void **arguments;           ///< of the entry function
  uint64_t argument_count;
} LunaCompiled;

/// Compiles what luna-compile made of the model `name`, allocates everything
/// its descriptor states and lets the program initialise it. Memory comes from
/// `arena`. Fails with LUNA_ERROR_INPUT where LLVM refuses the module, with
/// LUNA_ERROR_SETUP where it has no descriptor.
bool luna_compiled_load(MlirModule module, const char *name, LunaArena *arena,
                        LunaCompiled *compiled, LunaError *error);

/// Frees what luna_compiled_load made, also after it failed.
void luna_compiled_unload(LunaCompiled *compiled);

/// Gives the state variables their first values.
void luna_compiled_reset(const LunaCompiled *compiled);

/// Calls the entry function; a LunaModelCall of a LunaCompiled.
void luna_compiled_call(void *compiled);

#ifdef __cplusplus
}
#endif

#endif // LUNA_COMPILED_H
