#ifndef VALIDATE_FLOW_H
#define VALIDATE_FLOW_H

// Control flow: both programs are executed in lockstep, loop by loop.

#include "validate_side.h"

/// The two programs.
typedef struct LunaPair {
  LunaArena *arena;
  LunaTerms *terms;
  LunaSide program, plan;
  uint32_t level; ///< of the loop that is run
} LunaPair;

/// Executes the bodies of both functions. Returns false after an error: an
/// operator of unknown semantics, or loops that do not correspond.
bool luna_pair_run(LunaPair *pair);

/// Executes a block of each, without their terminators.
bool luna_pair_blocks(LunaPair *pair, MlirBlock program, MlirBlock plan);

/// Executes a loop of each (validate_loop.c).
bool luna_pair_loops(LunaPair *pair, MlirOperation program, MlirOperation plan);

#endif // VALIDATE_FLOW_H
