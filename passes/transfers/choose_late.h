#ifndef LUNA_CHOOSE_LATE_H
#define LUNA_CHOOSE_LATE_H

// Which weights are loaded right before their operators: all others are loaded
// earlier, and take memory meanwhile.

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"
#include "luna/vector.h"

typedef struct LunaWeights {
  bool is_late;
  int64_t live_bytes; ///< the most there is while they would be loaded early
  int64_t byte_count;
  uint64_t hidden_cycles; ///< of their load, if it is early
} LunaWeights;

/// The weights of a function, in program order; `items` comes from `arena`.
typedef struct LunaLateWeights {
  LunaArena *arena;
  LUNA_VECTOR(LunaWeights);
} LunaLateWeights;

/// Sets which weights are late so that the fewest cycles are not hidden.
///
/// `fits` tells whether there is a plan with the weights as they are then;
/// there must be one if all are late. Takes those with the most memory beside
/// them, or those that cost least by byte, until it fits, and those away again
/// that need not be: O(log weights) plans, the same in every run.
void luna_choose_late(LunaLateWeights *weights, bool (*fits)(void *data),
                      void *data);

#endif // LUNA_CHOOSE_LATE_H
