#ifndef LUNA_PLAN_ORDER_H
#define LUNA_PLAN_ORDER_H

#include "luna/plan_eval.h"
#include "plan_items.h"

/// Makes the order of a plan, in `arena`: of two items that conflict, the one
/// at the lower offset lies below. Every item has a size, so that no two that
/// conflict have one offset; neighbours are listed. Pairs that follow from
/// others are left out. The order has no chains. O(items * pairs kept).
LunaPlanOrder luna_plan_order_make(const LunaPlanItems *items,
                                   const int64_t *offsets, LunaArena *arena);

/// Writes the buffers that lie on top of each other where the peak is, the
/// highest first, to `chain` and returns their number. `ends` are the ends of
/// the buffers as luna_plan_eval leaves them.
uint32_t luna_plan_order_chain(const LunaPlanOrder *order, uint32_t place_count,
                               const int64_t *ends, uint32_t *chain);

#endif // LUNA_PLAN_ORDER_H
