#ifndef LUNA_REFERENCE_BRANCHES_H
#define LUNA_REFERENCE_BRANCHES_H

#include "luna/reference.h"

/// Inserts a call of luna_rt_branch for every branch of the module, in program
/// order, parents first, as in the compiled program, and records the branches
/// in `reference`.
void luna_reference_hook_branches(MlirModule module, LunaReference *reference);

#endif // LUNA_REFERENCE_BRANCHES_H
