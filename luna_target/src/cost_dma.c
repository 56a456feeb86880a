#include "luna/cost.h"

// Returns the cycles of a transfer from the fitted line, rounded up.
static uint64_t line_cycles(const LunaDmaCost *cost, uint64_t bytes) {
  uint64_t denominator =
      cost->cycles_denominator > 0 ? cost->cycles_denominator : 1;
  return cost->startup_cycles +
         (bytes * cost->cycles_numerator + denominator - 1) / denominator;
}

// Returns the interpolation (or extrapolation) of two measured points, rounded
// up.
static uint64_t between(LunaDmaPoint low, LunaDmaPoint high, uint64_t bytes) {
  uint64_t span = high.bytes - low.bytes;
  uint64_t rise = high.cycles - low.cycles;
  return low.cycles + ((bytes - low.bytes) * rise + span - 1) / span;
}

uint64_t luna_cost_dma(const LunaMachine *machine, int32_t direction,
                       uint64_t bytes) {
  if (direction < 0 || direction >= LUNA_DMA_DIRECTION_COUNT || bytes == 0)
    return 0;
  const LunaDmaCost *cost = &machine->dma[direction];
  uint32_t count = cost->point_count;
  if (count < 2)
    return line_cycles(cost, bytes);
  if (bytes < cost->points[0].bytes) {
    // Never more than the smallest measured transfer.
    uint64_t line = line_cycles(cost, bytes), first = cost->points[0].cycles;
    return line < first ? line : first;
  }
  for (uint32_t i = 1; i < count; ++i)
    if (bytes <= cost->points[i].bytes)
      return between(cost->points[i - 1], cost->points[i], bytes);
  // Extrapolate from the last two points.
  return between(cost->points[count - 2], cost->points[count - 1], bytes);
}
