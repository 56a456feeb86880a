#ifndef LUNA_OVERLAPS_H
#define LUNA_OVERLAPS_H

// Boxes of a detector without those that overlap with better ones.

#include "luna-c/build_scalar.h"

enum { LUNA_BOX_AREA = 4, LUNA_BOX_SIDES = 5 };

typedef struct LunaBoxes {
  int64_t batches, classes, boxes;
  int64_t limit; ///< of the boxes that a class takes
  /// Of all boxes, [batch, box]: low and high y and x as y1, x1, y2, x2, and
  /// the area.
  MlirValue sides[LUNA_BOX_SIDES];
  MlirValue scores; ///< [batch * class, box], f32
  /// A box is dropped that overlaps with a better one by more than this part of
  /// both; one is not taken whose score is below the threshold, or equals it
  /// unless `may_equal`.
  MlirValue overlap, threshold;
  bool may_equal;
} LunaBoxes;

/// Builds the boxes that each batch and class takes, the best first, int32
/// [batch * class, limit]; -1 where there are no more. Of equal scores the
/// first one is better, and one of -infinity is never taken. O(limit * boxes).
MlirValue luna_take_boxes(LunaBuilder *b, const LunaBoxes *boxes);

#endif // LUNA_OVERLAPS_H
