#ifndef LUNA_SWAP_COPIES_H
#define LUNA_SWAP_COPIES_H

// Copies of values that die by them, in loops and branches, as an exchange of
// pointers.

#include <stdbool.h>
#include <stdint.h>

#include "mlir-c/IR.h"

/// Returns true if a copy from one allocation to another stands in control flow
/// within the block of the latter: else there is no group.
bool luna_has_inner_copies(MlirOperation func);

/// Rewrites copies of group `index` of `func`, in program order: those that
/// connect the same buffers, each between two allocations of one type, the
/// first of which is dead behind the copy. `members` says which of them, in
/// program order; NULL stands for all. The buffers become pointers that control
/// flow carries, and each copy exchanges two of them; the allocations of bodies
/// become buffers that lie outside. Returns the number of copies in the group,
/// or 0 if there is none of which some can be rewritten. `func` is changed even
/// then, but not what it does.
uint32_t luna_swap_copies(MlirOperation func, uint32_t index,
                          const bool *members);

#endif // LUNA_SWAP_COPIES_H
