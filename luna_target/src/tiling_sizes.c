#include "luna/checked.h"
#include "tiling_search.h"

static uint32_t add_size(int32_t size, uint32_t count,
                         int32_t sizes[LUNA_TILING_SIZES_MAX]) {
  // Sizes are nearly sorted: insert from the end, drop duplicates.
  uint32_t at = count;
  while (at > 0 && sizes[at - 1] < size)
    --at;
  if ((at > 0 && sizes[at - 1] == size) || count == LUNA_TILING_SIZES_MAX)
    return count;
  for (uint32_t i = count; i > at; --i)
    sizes[i] = sizes[i - 1];
  sizes[at] = size;
  return count + 1;
}

uint32_t luna_tiling_sizes(int32_t extent, int32_t align, bool only_aligned,
                           int32_t sizes[LUNA_TILING_SIZES_MAX]) {
  uint32_t count = 0;
  for (int64_t pieces = 1;; pieces += pieces < 12 ? 1 : pieces / 4) {
    if (pieces > extent)
      pieces = extent;
    int64_t size = luna_ceil_div(extent, pieces);
    int64_t aligned = luna_align_up(size, align);
    count =
        add_size((int32_t)(aligned < extent ? aligned : extent), count, sizes);
    if (!only_aligned)
      count = add_size((int32_t)size, count, sizes);
    if (pieces == extent)
      return count;
  }
}

uint32_t luna_tiling_blocks(int32_t taps, uint32_t kernel_max,
                            int32_t sizes[LUNA_TILING_SIZES_MAX]) {
  if (kernel_max == 0 || (uint32_t)taps <= kernel_max)
    return luna_tiling_sizes(taps, 1, false, sizes);
  uint32_t count = 0;
  if (kernel_max > LUNA_TILING_SIZES_MAX)
    kernel_max = LUNA_TILING_SIZES_MAX;
  for (uint32_t size = kernel_max; size > 0; --size)
    sizes[count++] = (int32_t)size;
  return count;
}
