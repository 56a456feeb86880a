#ifndef LUNA_CORE_PROGRAM_H
#define LUNA_CORE_PROGRAM_H

// Runs of a compiled model as a program of a chip's core, linked with the
// simulator, under QEMU's user mode.

#include "luna/compiled.h"
#include "luna/object.h"
#include "luna/reference.h"
#include "luna/simulator.h"

#ifdef __cplusplus
extern "C" {
#endif

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
  LunaArena *arena;         ///< of results
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
