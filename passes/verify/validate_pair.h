#ifndef VALIDATE_PAIR_H
#define VALIDATE_PAIR_H

// Both programs are executed in lockstep, loop by loop.

#include "validate_flow.h"
#include "validate_self.h"

/// The two programs.
typedef struct LunaPair {
  LunaArena *arena;
  LunaTerms *terms;
  const LunaVerifyLimits *limits;
  bool is_self; ///< the program is the plan
  LunaSide program, plan;
  LunaReadLog reads;
  LunaFault fault;
  uint32_t level; ///< of the loop that is run
} LunaPair;

/// Returns true if callers see the same functions: each is recorded once, all
/// of the program's are planned, types of arguments and results are equal but
/// for layouts and memories, and so are their attributes. Else a fault names
/// what differs (validate_interface.c).
bool luna_validate_interface(LunaPair *pair);

/// Executes both functions, or a turn of both loops. Returns false after an
/// error: an operator of unknown semantics, or loops that do not correspond.
bool luna_pair_run(LunaPair *pair, LunaFlow *program, LunaFlow *plan);

/// Executes a loop of each (validate_loop.c).
bool luna_pair_loops(LunaPair *pair, MlirOperation program, MlirOperation plan);

#endif // VALIDATE_PAIR_H
