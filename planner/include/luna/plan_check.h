#ifndef LUNA_PLAN_CHECK_H
#define LUNA_PLAN_CHECK_H

#include "luna/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns true if a plan is valid, without trusting the planner.
///
/// Checks that every buffer lies in [0, capacity_bytes) (no upper limit when it
/// is 0), is aligned, has its fixed offset and that of its aliases, and
/// overlaps no other buffer at any step at which both are live. Derives
/// liveness independently, by another method than the planner's and without
/// sharing code. Aliases may overlap each other. Fails with LUNA_ERROR_CHECK
/// (error->item: the buffer at fault) and a message that names both buffers,
/// the step and the path; with LUNA_ERROR_INPUT for a malformed program.
/// Scratch comes from `arena`. O(n log n + conflicts + touches * depth), times
/// the iterations that loops take.
bool luna_plan_check(const LunaProblem *problem, const int64_t *offset_bytes,
                     int64_t capacity_bytes, LunaArena *arena,
                     LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_PLAN_CHECK_H
