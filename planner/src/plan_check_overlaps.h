#ifndef LUNA_PLAN_CHECK_OVERLAPS_H
#define LUNA_PLAN_CHECK_OVERLAPS_H

#include "plan_problem.h"

/// A live range of one buffer: the steps [first, end).
typedef struct LunaCheckSpan {
  uint32_t buffer, first, end;
} LunaCheckSpan;

/// Checks that no two buffers with different `roots` overlap while both are
/// live. Sorts `spans`. Scratch comes from `arena`. O(n log n + n * live /
/// 256).
bool luna_plan_check_overlaps(const LunaProblem *problem,
                              const int64_t *offset_bytes,
                              const uint32_t *roots, LunaCheckSpan *spans,
                              uint32_t count, LunaArena *arena,
                              LunaError *error);

#endif // LUNA_PLAN_CHECK_OVERLAPS_H
