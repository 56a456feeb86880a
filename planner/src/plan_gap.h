#ifndef LUNA_PLAN_GAP_H
#define LUNA_PLAN_GAP_H

#include "luna/checked.h"
#include "plan_strategy.h"

/// The search for a gap among obstacles in ascending offset order.
typedef struct LunaPlanGap {
  int64_t size_bytes, align_bytes;
  LunaPlanFit fit;
  /// The end of the obstacles so far; the offset and size of the chosen gap.
  int64_t top, offset, room;
  bool is_found;
} LunaPlanGap;

static inline LunaPlanGap plan_gap_make(const LunaPlanItem *item,
                                        LunaPlanFit fit) {
  return (LunaPlanGap){.size_bytes = item->size_bytes,
                       .align_bytes = item->align_bytes,
                       .fit = fit,
                       .room = INT64_MAX};
}

/// Passes an obstacle. Returns true if no better gap can follow.
static inline bool plan_gap_pass(LunaPlanGap *gap, int64_t offset,
                                 int64_t end) {
  int64_t start = luna_align_up(gap->top, gap->align_bytes);
  int64_t room = offset - start;
  if (gap->fit != PLAN_FIT_TOP && room >= gap->size_bytes && room < gap->room) {
    gap->offset = start;
    gap->room = room;
    gap->is_found = true;
  }
  if (gap->top < end)
    gap->top = end;
  return gap->is_found && gap->fit == PLAN_FIT_LOWEST;
}

/// Returns the offset of the chosen gap, or on top of all obstacles if none was
/// found.
static inline int64_t plan_gap_offset(const LunaPlanGap *gap) {
  return gap->is_found ? gap->offset
                       : luna_align_up(gap->top, gap->align_bytes);
}

#endif // LUNA_PLAN_GAP_H
