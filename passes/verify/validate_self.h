#ifndef VALIDATE_SELF_H
#define VALIDATE_SELF_H

// A plan against itself, each execution of an allocation in a memory of its
// own: no operator may read in the arena what it would not read there.

#include "validate_accesses.h"

/// What the operators of the program read, by operator.
typedef struct LunaReadLog {
  LunaMap keys;
  LUNA_VECTOR(LunaRuns *) reads; ///< of each access; in the order of accesses
} LunaReadLog;

/// Records what an operator of the program reads, and refuses it if nothing has
/// written that on some path; compares what an operator of the plan reads with
/// it. Returns false after a fault.
bool luna_self_check(LunaSide *side, const LunaOperandAccesses *accesses);

#endif // VALIDATE_SELF_H
