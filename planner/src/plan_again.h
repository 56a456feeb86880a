#ifndef LUNA_PLAN_AGAIN_H
#define LUNA_PLAN_AGAIN_H

#include "plan_attempt.h"

/// The items of a leaf as a problem of their own, which are placed again, with
/// their own sizes, in the order of a plan of something like them.
typedef struct LunaPlanAgain {
  /// By member.
  LunaPlanItems items;
  int64_t unit_bytes;
  int64_t *offsets;
} LunaPlanAgain;

/// Prepares the items `members` of `items`, in `arena`.
LunaPlanAgain *luna_plan_again_create(const LunaPlanItems *items,
                                      const uint32_t *members, uint32_t count,
                                      int64_t unit_bytes, LunaArena *arena);

/// Places the items in the order `before`, each as low as possible, if there
/// are steps for it: one for each item. A smaller plan becomes the best one of
/// `work`.
void luna_plan_place_again(LunaPlanAgain *again, LunaPlanBefore before,
                           const void *context, LunaPlanWork *work);

#endif // LUNA_PLAN_AGAIN_H
