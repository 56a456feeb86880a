#ifndef LUNA_SIM_CLOCK_H
#define LUNA_SIM_CLOCK_H

// The clocks of the three engines: the core, the unit, and the DMA engine.
//
// Each engine works through its own queue in order. What the core gives to
// another engine begins when that engine is free; the core goes on meanwhile,
// until it awaits a launch or a transfer.

#include "sim_state.h"

/// Starts the account of operator `op`.
void luna_sim_clock_begin(LunaSimulator *sim, int32_t op);

/// Takes part in the account that is open; without one, starts one of no
/// operator and returns true, for luna_sim_clock_leave to end. A port below a
/// runtime without checks has no other.
bool luna_sim_clock_join(LunaSimulator *sim);
void luna_sim_clock_leave(LunaSimulator *sim, bool is_alone);

/// The core works for `cycles`.
void luna_sim_clock_core(LunaSimulator *sim, uint64_t cycles);

/// The core calls an operator other than a convolution or matrix product, which
/// costs it LUNA_HOST_COPY, LUNA_HOST_POOL or LUNA_HOST_VECTOR.
void luna_sim_clock_call(LunaSimulator *sim, LunaHostCost cost);

/// Starts a launch of `cycles` of work on the unit, or goes on with one.
void luna_sim_clock_launch(LunaSimulator *sim, uint64_t cycles);

/// The core waits until the unit has done what it was given.
void luna_sim_clock_await(LunaSimulator *sim);

/// Calls `arrive` when the launch in flight has been awaited, once.
void luna_sim_at_await(void (*arrive)(void));

/// Adds a hazard if a launch is in flight.
void luna_sim_clock_check(LunaSimulator *sim);

/// Ends the account: adds the operator's cycles to the statistics, and its work
/// to the time line as one bar of the core, from the start, and one of the
/// unit, to the end, though the two took turns.
void luna_sim_clock_end(LunaSimulator *sim);

/// The core enters the program and returns from it, if one is bound; both are
/// counted at once.
void luna_sim_clock_enter(LunaSimulator *sim);

/// Starts a transfer of `cycles` for `op`: the core's work, then that of the
/// DMA engine. Returns when it ends.
uint64_t luna_sim_clock_transfer(LunaSimulator *sim, int32_t op,
                                 uint64_t cycles);

/// The core waits until `end`. Returns the cycles of waiting.
uint64_t luna_sim_clock_wait(LunaSimulator *sim, uint64_t end);

/// Adds an event to the time line, unless it is empty or beyond the limit.
void luna_sim_add_event(LunaSimulator *sim, const LunaTimelineEvent *event);

#endif // LUNA_SIM_CLOCK_H
