#ifndef LUNA_LIVE_RULES_H
#define LUNA_LIVE_RULES_H

// The rules that the column LIVE of shape_rules.def names. A rule follows live
// counts through one operator, as luna_live_follow says.

#include "luna-c/live.h"
#include "luna/shape_rules.h"

typedef bool (*LunaLiveRule)(LunaLives *lives, MlirOperation op);

// live_elements.c: each dimension stays what it is.
bool luna_live_rule_across(LunaLives *lives, MlirOperation op);
bool luna_live_rule_batch(LunaLives *lives, MlirOperation op);
bool luna_live_rule_broadcast(LunaLives *lives, MlirOperation op);
bool luna_live_rule_pad(LunaLives *lives, MlirOperation op);
bool luna_live_rule_resize(LunaLives *lives, MlirOperation op);
bool luna_live_rule_same(LunaLives *lives, MlirOperation op);
bool luna_live_rule_slice(LunaLives *lives, MlirOperation op);
bool luna_live_rule_tile(LunaLives *lives, MlirOperation op);
// live_products.c: sums and the like end at what is live.
bool luna_live_rule_argmax(LunaLives *lives, MlirOperation op);
bool luna_live_rule_matmul(LunaLives *lives, MlirOperation op);
bool luna_live_rule_reduce(LunaLives *lives, MlirOperation op);
// live_move.c: elements move.
bool luna_live_rule_concat(LunaLives *lives, MlirOperation op);
bool luna_live_rule_gather(LunaLives *lives, MlirOperation op);
bool luna_live_rule_reshape(LunaLives *lives, MlirOperation op);
bool luna_live_rule_transpose(LunaLives *lives, MlirOperation op);
// live_linalg.c
bool luna_live_rule_loops(LunaLives *lives, MlirOperation op);
// live_slices.c, live_tensor.c: where sizes come from.
bool luna_live_rule_cast(LunaLives *lives, MlirOperation op);
bool luna_live_rule_dim(LunaLives *lives, MlirOperation op);
bool luna_live_rule_empty(LunaLives *lives, MlirOperation op);
bool luna_live_rule_extract_slice(LunaLives *lives, MlirOperation op);
bool luna_live_rule_insert_slice(LunaLives *lives, MlirOperation op);

/// Says why an operator is refused for an operand; returns false.
bool luna_live_refuse(LunaLives *lives, const LunaLive *live, const char *why);
/// Refuses an operator without such an operand for a dimension, -1 for several.
bool luna_live_refuse_axis(LunaLives *lives, int axis);
/// Refuses two live counts that may differ.
bool luna_live_refuse_pair(LunaLives *lives, const LunaLive *a,
                           const LunaLive *b);

/// Makes result `i` of `op` one of `bound` indices along `axis`, which are as
/// live as `like` says.
void luna_live_give(LunaLives *lives, MlirOperation op, intptr_t i,
                    const LunaLive *like, int axis, int64_t bound);
/// Has `made` stand for result `i` of `op` from here on.
void luna_live_replace(LunaLives *lives, MlirOperation op, intptr_t i,
                       MlirValue made);
/// Finds the one live count that operands `first` on have in common, which are
/// along one dimension; false after a refusal. `*live` is NULL for none.
bool luna_live_shared(LunaLives *lives, MlirOperation op, intptr_t first,
                      const LunaLive **live);
/// Masks operand `i`, which is live, in place.
void luna_live_mask_operand(LunaLives *lives, MlirOperation op, intptr_t i,
                            double neutral);
/// Reads the constant list that operand `i` of `op` is, of `count` integers.
bool luna_live_list(MlirOperation op, intptr_t i, int64_t *list, int count);
/// Returns true if all elements of a constant are one number, which fits a
/// tensor of any size.
bool luna_live_fits_any(MlirValue value);

#endif // LUNA_LIVE_RULES_H
