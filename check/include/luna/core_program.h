#ifndef LUNA_CORE_PROGRAM_H
#define LUNA_CORE_PROGRAM_H

// A compiled model as a program of a chip's core, linked with the simulator,
// and its runs under QEMU's user mode. The core's compiler, linker and emulator
// are programs of their own.

#include "luna/compiled.h"
#include "luna/object.h"
#include "luna/reference.h"
#include "luna/simulator.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Writes `code` as an object file to `path`: what luna_object_emit made for
/// `target`, assembly where the target is assembled. Fails with
/// LUNA_ERROR_SETUP.
bool luna_core_assemble(const LunaObjectTarget *target,
                        LLVMMemoryBufferRef code, const char *path,
                        LunaError *error);

/// Links the code of model `name`, which has entries for calls by arrays, to
/// the program `path`. Fails with LUNA_ERROR_SETUP.
bool luna_core_link(const LunaObjectTarget *target, LLVMMemoryBufferRef code,
                    const char *name, const char *path, LunaError *error);

/// Makes a folder for a program and returns the path in it, from `arena`, or
/// NULL after an error. luna_core_remove removes both.
const char *luna_core_path(LunaArena *arena, LunaError *error);
void luna_core_remove(const char *path);

/// A model's program on a core. Zero-initialise, then set the fields.
typedef struct LunaCoreProgram {
  const LunaObjectTarget *target;
  const char *path; ///< of the program
  const LunaMachine *machine;
  const LunaCompiled *compiled; ///< the same model here, for its memories
  uint64_t cycle_limit;
  LunaSimulator *simulator; ///< bound to it, takes the time line; may be NULL
  LunaArena *arena; ///< of results
} LunaCoreProgram;

/// Runs a program once on the inputs and the state in the memories of
/// `compiled`, and writes outputs and state there. `decisions` are forced, by
/// branch. Returns NULL, with LUNA_ERROR_SETUP, if the core's emulator does not
/// run or the program ends early.
const LunaRunResult *luna_core_run(const LunaCoreProgram *program,
                                   const LunaDecision *decisions,
                                   LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_CORE_PROGRAM_H
