#ifndef LUNA_REGION_EDIT_H
#define LUNA_REGION_EDIT_H

// Changes to straight-line regions and control flow after luna-form-regions.

#include "luna/arena.h"
#include "mlir-c/IR.h"

/// Creates an empty luna.region, to be numbered by luna_number_regions.
MlirOperation luna_build_region(MlirOperation before);

/// Appends `count` values to the terminator of `block` (luna.yield or
/// scf.yield).
void luna_add_yields(LunaArena *arena, MlirBlock block, const MlirValue *values,
                     intptr_t count);

/// Replaces `op` by an op with `count` more results, of the types of `values`,
/// which its blocks already yield. Returns the new op.
MlirOperation luna_add_results(LunaArena *arena, MlirOperation op,
                               const MlirValue *values, intptr_t count);

/// Numbers all luna.regions of `func` in program order.
void luna_number_regions(MlirOperation func);

#endif // LUNA_REGION_EDIT_H
