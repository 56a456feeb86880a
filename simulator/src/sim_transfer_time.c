#include "sim_transfer_time.h"

// The line start-up + bytes * ratio, rounded up.
static uint64_t fitted(const LunaDmaCost *cost, uint64_t bytes) {
  uint64_t ratio = cost->cycles_denominator;
  uint64_t product = bytes * cost->cycles_numerator;
  ratio = ratio == 0 ? 1 : ratio;
  return cost->startup_cycles + product / ratio + (product % ratio != 0);
}

uint64_t luna_sim_transfer_cycles(const LunaDmaCost *cost, uint64_t bytes) {
  if (bytes == 0)
    return 0;
  if (cost->point_count < 2)
    return fitted(cost, bytes);
  const LunaDmaPoint *points = cost->points;
  if (bytes <= points[0].bytes) {
    uint64_t line = fitted(cost, bytes);
    return bytes < points[0].bytes && line < points[0].cycles
               ? line
               : points[0].cycles;
  }
  // The last segment goes on beyond the table.
  uint32_t end = 1;
  while (end + 1 < cost->point_count && bytes > points[end].bytes)
    ++end;
  const LunaDmaPoint from = points[end - 1], to = points[end];
  uint64_t rise = (bytes - from.bytes) * (to.cycles - from.cycles);
  uint64_t run = to.bytes - from.bytes;
  return from.cycles + rise / run + (rise % run != 0);
}
