#ifndef LUNA_PLAN_WINDOWS_H
#define LUNA_PLAN_WINDOWS_H

#include "plan_strategy.h"

/// Lowers the peak of a plan in windows: some hundred items that live close to
/// a point of the peak are placed anew, by exact search, around all others,
/// which stay where they are. So the size of the problem hardly matters.

/// Improves the plan `offsets` until it takes `enough_bytes` or `end` steps are
/// taken (those of `context`, to which it adds). The plan never becomes larger,
/// and with more steps it is never larger. Sizes and offsets are multiples of
/// `unit_bytes`. Scratch comes from `arena`. O(n log n), and for each window
/// O(log n) for each item live within it.
void luna_plan_lower_in_windows(const LunaPlanItems *items, int64_t unit_bytes,
                                int64_t enough_bytes, uint64_t end,
                                LunaPlanContext *context, int64_t *offsets,
                                LunaArena *arena);

#endif // LUNA_PLAN_WINDOWS_H
