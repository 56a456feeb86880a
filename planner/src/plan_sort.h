#ifndef LUNA_PLAN_SORT_H
#define LUNA_PLAN_SORT_H

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"

/// Returns true if element `a` precedes `b`; false if they are equal.
typedef bool (*LunaPlanBefore)(const void *context, uint32_t a, uint32_t b);

/// Sorts `indices` in place; elements that compare equal keep their order.
/// O(n log n), scratch of n indices from `arena`.
void luna_plan_sort(uint32_t *indices, uint32_t count, LunaPlanBefore before,
                    const void *context, LunaArena *arena);

#endif // LUNA_PLAN_SORT_H
