#ifndef LUNA_MODEL_PLACES_H
#define LUNA_MODEL_PLACES_H

#include "luna/model_problem.h"

/// Aliases the buffers that the branches in `body` pass on as one result, if
/// each branch allocates its own and they are never live together, and writes
/// the places. The places are the buffers themselves before.
void luna_share_branch_places(LunaModelProblem *view, LunaModelId body);

#endif // LUNA_MODEL_PLACES_H
