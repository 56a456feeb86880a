#ifndef LUNA_REFERENCE_BRANCHES_H
#define LUNA_REFERENCE_BRANCHES_H

#include "luna/reference.h"

/// Inserts a call of luna_rt_branch for every branch of the module, in program
/// order, parents first, as in the compiled program, and records the branches
/// in `reference`. With `with_loops` also for the condition of every scf.while,
/// with the numbers that follow: the literal reference takes as many turns.
void luna_reference_hook_branches(MlirModule module, bool with_loops,
                                  LunaReference *reference);

#endif // LUNA_REFERENCE_BRANCHES_H
