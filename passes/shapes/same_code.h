#ifndef LUNA_SAME_CODE_H
#define LUNA_SAME_CODE_H

#include <stdbool.h>

#include "luna/arena.h"
#include "mlir-c/IR.h"

/// Returns true if two blocks without arguments compute the same: the same
/// operators of the same types and attributes in the same order, on the same
/// values from outside. Locations and labels do not count. O(operators).
bool luna_same_code(MlirBlock a, MlirBlock b, LunaArena *arena);

#endif // LUNA_SAME_CODE_H
