#ifndef LUNA_PLAN_PLACED_H
#define LUNA_PLAN_PLACED_H

#include "plan_strategy.h"

/// The items placed so far by ascending offset, in blocks with summaries. Where
/// most items conflict, the search for a gap passes whole blocks at once.
typedef struct LunaPlanPlaced LunaPlanPlaced;

/// Creates an empty list for items of `items`, in `arena`.
LunaPlanPlaced *luna_plan_placed_create(const LunaPlanItems *items,
                                        LunaArena *arena);

/// Adds an item that is live at `offset`. O(log n + n / 256).
void luna_plan_placed_insert(LunaPlanPlaced *placed, uint32_t item,
                             int64_t offset);

/// Returns the offset of an item by `fit` among those placed. O(n / 256) if all
/// conflict, O(n) if some do.
int64_t luna_plan_placed_find(const LunaPlanPlaced *placed, uint32_t item,
                              LunaPlanFit fit);

#endif // LUNA_PLAN_PLACED_H
