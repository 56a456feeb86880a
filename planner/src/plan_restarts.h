#ifndef LUNA_PLAN_RESTARTS_H
#define LUNA_PLAN_RESTARTS_H

#include "plan_attempt.h"

/// A sequence of searches at one capacity, which goes on where it stopped: each
/// kind of order has a short and a long search, then follow orders with noise.
/// All zero, it is at its beginning.
typedef struct LunaPlanRestarts {
  uint32_t done;
} LunaPlanRestarts;

/// Searches at one capacity until something is decided, or the steps `until`
/// are taken.
LunaPlanOutcome luna_plan_insist(LunaPlanWork *work, int64_t capacity,
                                 LunaPlanRestarts *restarts, uint64_t until);

#endif // LUNA_PLAN_RESTARTS_H
