#ifndef LUNA_TIMING_FLIGHTS_H
#define LUNA_TIMING_FLIGHTS_H

// The transfers that an engine has been given and that nothing has awaited.

#include "luna/model.h"

/// Transfers in flight, the youngest first; lists share their older parts.
typedef struct LunaTimingFlight {
  const struct LunaTimingFlight *older; ///< NULL of the oldest
  LunaModelId token;                    ///< a value
  uint64_t end_cycles;
} LunaTimingFlight;

/// Adds a transfer of a TRANSFER step that ends at `end_cycles`.
const LunaTimingFlight *luna_timing_start(const LunaModel *model,
                                          const LunaModelStep *step,
                                          const LunaTimingFlight *flights,
                                          uint64_t end_cycles,
                                          LunaArena *arena);

/// Takes what an AWAIT step waits for from `*flights`: the oldest transfer of
/// its token, or one that the token may be of. Returns when that ends, 0 for
/// none.
uint64_t luna_timing_await(const LunaModel *model, const LunaModelStep *step,
                           const LunaTimingFlight **flights, LunaArena *arena);

/// Returns the transfers, each `cycles` later.
const LunaTimingFlight *luna_timing_advance(const LunaTimingFlight *flights,
                                            uint64_t cycles, LunaArena *arena);

/// Returns true if there are as many transfers in `a` as in `b`, and each ends
/// at least as late.
bool luna_timing_exceeds(const LunaTimingFlight *a, const LunaTimingFlight *b);

/// Returns true if the transfers of `after` are those of `before`, `cycles`
/// later.
bool luna_timing_repeats(const LunaTimingFlight *before,
                         const LunaTimingFlight *after, uint64_t cycles);

#endif // LUNA_TIMING_FLIGHTS_H
