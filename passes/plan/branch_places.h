#ifndef LUNA_BRANCH_PLACES_H
#define LUNA_BRANCH_PLACES_H

#include "memory_problem.h"

/// Aliases the buffers that the branches under `entry` yield as one result, if
/// each branch allocates its own and they are never live together, and writes
/// the places of roots. The places are the roots themselves before.
void luna_share_branch_places(LunaMemoryProblem *memory, MlirBlock entry);

#endif // LUNA_BRANCH_PLACES_H
