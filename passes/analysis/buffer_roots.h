#ifndef LUNA_BUFFER_ROOTS_H
#define LUNA_BUFFER_ROOTS_H

// The allocations that a memref may point into, and that a token's transfer
// accesses.

#include "luna/root_set.h"
#include "mlir-c/IR.h"

/// The allocations of a function and, for each memref and token value, the set
/// of those it may refer to: through views, casts, selects, region and scf
/// results and loop-carried values. Arguments and globals are not roots.
typedef struct LunaRoots LunaRoots;

/// Computes the roots of `func`, in `arena`. The function must not change while
/// they are used. O(values * loop depth).
LunaRoots *luna_roots_compute(MlirOperation func, LunaArena *arena);

/// Returns the number of allocations; ids are 0, 1, … in program order.
uint32_t luna_roots_count(const LunaRoots *roots);
/// Returns the memref.alloc of a root.
MlirOperation luna_roots_alloc(const LunaRoots *roots, uint32_t id);
/// Returns the roots of a value; empty if it is not a memref or token.
LunaRootSet luna_roots_of(const LunaRoots *roots, MlirValue value);

/// Calls `visit` for every memref or token that `op` touches: its operands and
/// what the regions of a leaf operator (linalg.generic) capture.
void luna_touched_values(MlirOperation op,
                         void (*visit)(MlirValue value, void *data),
                         void *data);

/// Returns true if `op` only forwards or renames memrefs: views, casts,
/// selects, terminators, allocations.
bool luna_only_renames(MlirOperation op);

#endif // LUNA_BUFFER_ROOTS_H
