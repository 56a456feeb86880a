#ifndef LUNA_AXIS_CLASSES_H
#define LUNA_AXIS_CLASSES_H

// The launches of an axis, counted by class: most tiles of an operator are
// alike, so its cost is that of a few classes times their number.

#include <stdbool.h>
#include <stdint.h>

#include "axis.h"
#include "luna/vector.h"

/// Launches of one axis that cost the same and obey the same limits.
typedef struct LunaAxisClass {
  LunaLaunchAxis axis;    ///< starts are 0, steps 1
  bool is_first, is_last; ///< block of its tile
  bool is_empty;
  uint64_t count;
} LunaAxisClass;

/// All launches of one axis.
typedef struct LunaAxisClasses {
  LUNA_VECTOR(LunaAxisClass);
  bool needs_sums; ///< as luna_tiles_conv2d_need_sums, for this axis
  /// The class of each tile's first launch.
  struct LunaTileClasses {
    LUNA_VECTOR(uint32_t);
  } of_tile;
} LunaAxisClasses;

/// Counts the launches of `axis`; the items come from `arena`.
LunaAxisClasses luna_axis_classes(const LunaAxis *axis, LunaArena *arena);

#endif // LUNA_AXIS_CLASSES_H
