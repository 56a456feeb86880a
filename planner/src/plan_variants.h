#ifndef LUNA_PLAN_VARIANTS_H
#define LUNA_PLAN_VARIANTS_H

#include "plan_again.h"
#include "plan_restarts.h"

/// Variants of a leaf: the same items with sizes rounded, so that more sums of
/// sizes are equal and the exact search prunes more. The items are placed again
/// in the order of a plan of a variant. A smaller plan becomes the best one of
/// the leaf, whose work is charged with all steps.

typedef struct LunaPlanVariants LunaPlanVariants;

/// Prepares the variants of `again`, in `arena`; `work` is the search of it.
/// Returns NULL if sizes are multiples of a unit so large that variants have no
/// more to offer.
LunaPlanVariants *luna_plan_variants_create(LunaPlanAgain *again,
                                            const LunaPlanWork *work,
                                            LunaArena *arena);

/// Searches for plans of the variants, which take turns, for `share` steps of
/// each.
void luna_plan_variants_search(LunaPlanVariants *variants, LunaPlanWork *work,
                               int64_t enough, uint64_t share);

/// Climbs below the plans of the finest variant (plan_climb.h) for `share`
/// steps; the next call goes on where this one stopped.
void luna_plan_variants_climb(LunaPlanVariants *variants, LunaPlanWork *work,
                              int64_t enough, uint64_t share);

#endif // LUNA_PLAN_VARIANTS_H
