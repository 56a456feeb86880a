#include "luna/shape_facts.h"

// Returns the nearest possible size in steps of `step`, or 0.
static int64_t nearest(const LunaSizeSearch *search, int64_t size,
                       int64_t step) {
  for (int i = 1; i <= search->tries; ++i) {
    int64_t other = size + i * step;
    if (other < 1)
      break;
    if (search->is_possible(search->data, other))
      return other;
  }
  return 0;
}

const char *luna_nearest_sizes(const LunaSizeSearch *search, const char *name,
                               int64_t size, LunaArena *arena) {
  long long below = nearest(search, size, -1), above = nearest(search, size, 1);
  if (below == 0 && above == 0)
    return "";
  if (below == 0 || above == 0)
    return luna_arena_printf(arena, "%s=%lld: %lld is possible", name,
                             (long long)size, below + above);
  return luna_arena_printf(arena, "%s=%lld: %lld and %lld are possible", name,
                           (long long)size, below, above);
}
