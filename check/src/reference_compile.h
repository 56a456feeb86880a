#ifndef LUNA_REFERENCE_COMPILE_H
#define LUNA_REFERENCE_COMPILE_H

// The steps that both references share.

#include "luna-c/upstream.h"
#include "luna/reference.h"

/// Runs one step on a module.
bool luna_reference_step(MlirModule module, LunaUpstreamStep step,
                         LunaError *error);

/// Lists the values of the model's function, and gives it the name that is
/// called.
bool luna_reference_note_entry(MlirModule module, bool is_planned,
                               LunaReference *reference, LunaError *error);

/// Lowers memrefs to the LLVM dialect, after checks of what they access.
bool luna_reference_to_llvm(MlirModule module, LunaError *error);

/// Generates code for what is in the LLVM dialect, and loads it.
bool luna_reference_generate(MlirModule module, int optimisation_level,
                             LunaReference *reference, LunaError *error);

/// Calls the function of a reference.
bool luna_reference_call(LunaReference *reference,
                         const LunaDecision *decisions, uint32_t count);

#endif // LUNA_REFERENCE_COMPILE_H
