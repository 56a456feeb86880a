#ifndef LUNA_PLAN_UNION_H
#define LUNA_PLAN_UNION_H

#include <stdint.h>

/// Disjoint sets of indices as a forest: each index has a parent at or below
/// it, the lowest of a set itself.

/// Returns the lowest index of the set of `index`. Shortens the chain that
/// leads to it: amortised O(log n).
uint32_t luna_plan_union_root(uint32_t *parents, uint32_t index);

/// Makes the sets of two indices one.
void luna_plan_union_join(uint32_t *parents, uint32_t a, uint32_t b);

#endif // LUNA_PLAN_UNION_H
