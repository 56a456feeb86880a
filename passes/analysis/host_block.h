#ifndef LUNA_HOST_BLOCK_H
#define LUNA_HOST_BLOCK_H

#include "mlir-c/AffineMap.h"
#include "mlir-c/IR.h"

/// How many outputs a turn of a reduction's loops computes: so many next to
/// each other in dimension `dim` of its loops, which has `extent` of them; in
/// the last turn those that are left.
typedef struct LunaHostBlock {
  intptr_t dim;
  int64_t extent;
  int width; ///< 1: of no dimension
} LunaHostBlock;

enum { LUNA_HOST_BLOCK_MAX = 4 };

/// Returns the block of a host operator: in a dimension that its output has and
/// some input that it reads has not, so that the turn reads that once; the
/// widest there is, then that of the innermost dimension.
LunaHostBlock luna_host_block(MlirOperation op);

/// Returns true if the place that an indexing map gives depends on a dimension.
bool luna_map_moves(MlirAffineMap map, intptr_t dim);

#endif // LUNA_HOST_BLOCK_H
