#ifndef CORE_PART_H
#define CORE_PART_H

// Sums of the work of the core, in hundredths of cycles.

#include "luna/machine.h"

/// Returns the hundredths of cycles of `count` executions.
static inline uint64_t luna_core_part(const LunaMachine *machine,
                                      LunaHostCost cost, uint64_t count) {
  return machine->host[cost] * count;
}

/// Returns the cycles, rounded to the nearest.
static inline uint64_t luna_core_in_cycles(uint64_t hundredths) {
  return (hundredths + 50) / 100;
}

#endif // CORE_PART_H
