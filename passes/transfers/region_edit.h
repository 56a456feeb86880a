#ifndef LUNA_REGION_EDIT_H
#define LUNA_REGION_EDIT_H

// Changes to straight-line regions.

#include "mlir-c/IR.h"

/// Creates an empty luna.region, to be numbered by luna_number_regions.
MlirOperation luna_build_region(MlirOperation before);

/// Numbers all luna.regions of `func` in program order.
void luna_number_regions(MlirOperation func);

#endif // LUNA_REGION_EDIT_H
