#ifndef LUNA_SHARE_CONSTANTS_H
#define LUNA_SHARE_CONSTANTS_H

#include "luna/arena.h"
#include "mlir-c/IR.h"

/// Moves constants, and operators on constants alone that lay them out anew,
/// from `blocks` and what they contain to the end of `entry`, where equal ones
/// become one: so they are stored, and folded, once. O(operators).
void luna_share_constants(const MlirBlock *blocks, size_t count,
                          MlirBlock entry, LunaArena *arena);

#endif // LUNA_SHARE_CONSTANTS_H
