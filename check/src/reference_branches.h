#ifndef LUNA_REFERENCE_BRANCHES_H
#define LUNA_REFERENCE_BRANCHES_H

#include "luna/reference.h"

/// Lets every branch of the module, in program order, parents first, ask
/// luna_rt_branch, as the compiled program does, and notes them in `reference`.
void luna_reference_hook_branches(MlirModule module, LunaReference *reference);

#endif // LUNA_REFERENCE_BRANCHES_H
