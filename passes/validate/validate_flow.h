#ifndef VALIDATE_FLOW_H
#define VALIDATE_FLOW_H

// Control flow: both programs run side by side, branch by branch, and loop by
// loop.

#include "validate_side.h"

/// The two programs.
typedef struct LunaPair {
  LunaArena *arena;
  LunaTerms *terms;
  LunaSide program, plan;
  uint32_t level; ///< of the loop that is run
} LunaPair;

/// Runs the bodies of both functions. False after an error: an operator that
/// cannot be followed, or loops that do not correspond.
bool luna_pair_run(LunaPair *pair);

/// Runs a block of each; their terminators are left to the caller.
bool luna_pair_blocks(LunaPair *pair, MlirBlock program, MlirBlock plan);

/// Runs a loop of each (validate_loop.c).
bool luna_pair_loops(LunaPair *pair, MlirOperation program, MlirOperation plan);

#endif // VALIDATE_FLOW_H
