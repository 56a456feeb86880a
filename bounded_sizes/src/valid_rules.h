#ifndef LUNA_VALID_RULES_H
#define LUNA_VALID_RULES_H

// The rules that the column VALID of shape_rules.def names. A rule follows
// valid counts through one operator, as luna_valid_follow says.

#include "luna-c/bounded_sizes.h"
#include "luna/shape_rules.h"

typedef bool (*LunaValidRule)(LunaValidLengths *lengths, MlirOperation op);

// valid_elements.c: each dimension stays what it is.
bool luna_valid_rule_across(LunaValidLengths *lengths, MlirOperation op);
bool luna_valid_rule_batch(LunaValidLengths *lengths, MlirOperation op);
bool luna_valid_rule_broadcast(LunaValidLengths *lengths, MlirOperation op);
bool luna_valid_rule_pad(LunaValidLengths *lengths, MlirOperation op);
bool luna_valid_rule_resize(LunaValidLengths *lengths, MlirOperation op);
bool luna_valid_rule_same(LunaValidLengths *lengths, MlirOperation op);
bool luna_valid_rule_slice(LunaValidLengths *lengths, MlirOperation op);
bool luna_valid_rule_tile(LunaValidLengths *lengths, MlirOperation op);
// valid_products.c: sums and the like end at what is valid.
bool luna_valid_rule_argmax(LunaValidLengths *lengths, MlirOperation op);
bool luna_valid_rule_matmul(LunaValidLengths *lengths, MlirOperation op);
bool luna_valid_rule_reduce(LunaValidLengths *lengths, MlirOperation op);
// valid_move.c: elements move.
bool luna_valid_rule_concat(LunaValidLengths *lengths, MlirOperation op);
bool luna_valid_rule_gather(LunaValidLengths *lengths, MlirOperation op);
bool luna_valid_rule_reshape(LunaValidLengths *lengths, MlirOperation op);
bool luna_valid_rule_transpose(LunaValidLengths *lengths, MlirOperation op);
// valid_linalg.c
bool luna_valid_rule_loops(LunaValidLengths *lengths, MlirOperation op);
// valid_slices.c, valid_tensor.c: where sizes come from.
bool luna_valid_rule_cast(LunaValidLengths *lengths, MlirOperation op);
bool luna_valid_rule_dim(LunaValidLengths *lengths, MlirOperation op);
bool luna_valid_rule_empty(LunaValidLengths *lengths, MlirOperation op);
bool luna_valid_rule_extract_slice(LunaValidLengths *lengths, MlirOperation op);
bool luna_valid_rule_insert_slice(LunaValidLengths *lengths, MlirOperation op);

/// Reports why an operator is refused for an operand; returns false.
bool luna_valid_refuse(LunaValidLengths *lengths, const LunaValidLength *valid,
                       const char *why);
/// Refuses an operator without such an operand for a dimension, -1 for several.
bool luna_valid_refuse_axis(LunaValidLengths *lengths, int axis);
/// Refuses two valid lengths that may differ.
bool luna_valid_refuse_pair(LunaValidLengths *lengths, const LunaValidLength *a,
                            const LunaValidLength *b);

/// Makes result `i` of `op` one of `bound` indices along `axis`, which are as
/// valid as `like` says.
void luna_valid_give(LunaValidLengths *lengths, MlirOperation op, intptr_t i,
                     const LunaValidLength *like, int axis, int64_t bound);
/// Has `made` stand for result `i` of `op` from here on.
void luna_valid_replace(LunaValidLengths *lengths, MlirOperation op, intptr_t i,
                        MlirValue made);
/// Finds the one valid length that operands `first` on have in common, which
/// are along one dimension; false after a refusal. `*valid` is NULL for none.
bool luna_valid_shared(LunaValidLengths *lengths, MlirOperation op,
                       intptr_t first, const LunaValidLength **valid);
/// Masks operand `i`, which is valid, in place.
void luna_valid_mask_operand(LunaValidLengths *lengths, MlirOperation op,
                             intptr_t i, double neutral);
/// Reads the constant list that operand `i` of `op` is, of `count` integers.
bool luna_valid_list(MlirOperation op, intptr_t i, int64_t *list, int count);
/// Returns true if all elements of a constant are one number, which fits a
/// tensor of any size.
bool luna_valid_fits_any(MlirValue value);

#endif // LUNA_VALID_RULES_H
