#include "luna/plan_record.h"

#include <stddef.h>

const LunaPathCost *luna_cost_slowest(const LunaCostRecord *cost) {
  const LunaPathCost *slowest = NULL;
  for (uint32_t i = 0; i < cost->path_count; ++i)
    if (!slowest || cost->paths[i].cycles > slowest->cycles)
      slowest = &cost->paths[i];
  return slowest;
}
