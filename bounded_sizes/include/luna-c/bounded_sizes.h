#ifndef LUNA_C_BOUNDED_SIZES_H
#define LUNA_C_BOUNDED_SIZES_H

//===-- luna-c/bounded_sizes.h - sizes that only the running program knows
//---------===//
//
// A tensor of such a size has the shape of its bound, and a valid length: how
// many indices of one dimension hold elements. Operators run over the bound;
// what is dead must not show. Who makes a valid length says so by
// luna_valid_set; luna_valid_follow takes it through an operator, by the column
// VALID of luna/shape_rules.def, and rewrites what would let dead elements take
// part.
//
//===----------------------------------------------------------------------===//

#include "luna-c/builder.h"
#include "luna/map.h"
#include "luna/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How much of a tensor is valid.
typedef struct LunaValidLength {
  MlirValue value; ///< of the bound's shape
  int axis;
  /// An index, 0 or more. Above the bound it says that elements were lost.
  MlirValue count;
  /// The size that the program gives it, which lies in the bound; or null.
  MlirValue stated;
  const char *name;    ///< of the tensor that the size comes from, or NULL
  bool is_zero_behind; ///< what is dead is 0
} LunaValidLength;

/// The tensors of a program that have valid lengths.
typedef struct LunaValidLengths {
  LunaArena *arena;
  /// Types leave open what is valid: what has a known size is so.
  bool has_open_types;
  LunaMap ids; ///< of `items`, by value
  LUNA_VECTOR(LunaValidLength) items;
  LunaMap replaced; ///< of `replacements`, by value
  LUNA_VECTOR(MlirValue) replacements;
  /// Why the last operator was refused: what of, and if it is another valid
  /// count, which may differ, also that.
  LunaValidLength refused, other;
  const char *why;
} LunaValidLengths;

/// Returns what is valid of a value, or NULL. Valid until one is set.
const LunaValidLength *luna_valid_find(const LunaValidLengths *lengths,
                                       MlirValue value);
/// Returns what is valid of the first operand of `op` that has a valid length,
/// or NULL.
const LunaValidLength *luna_valid_operand(const LunaValidLengths *lengths,
                                          MlirOperation op);
/// Sets the valid length of `value` along `axis`, the rest as in `like`.
void luna_valid_set(LunaValidLengths *lengths, MlirValue value,
                    const LunaValidLength *like, int axis);
/// Returns what stands for `value` now, itself if it was not replaced.
MlirValue luna_valid_now(const LunaValidLengths *lengths, MlirValue value);

/// Follows valid lengths through an operator without regions of control flow:
/// sets those of its results, whose types become static, and masks operands
/// that would take part though they are dead. Where other values replace its
/// results, the operator stays without uses. What is followed already is left
/// alone. Returns false, and sets what
/// `lengths` says of a refusal, where that is not possible.
bool luna_valid_follow(LunaValidLengths *lengths, MlirOperation op);

/// Finds the dimension of result `k` of a branch that is valid: it is so of
/// what a region yields, or they differ in it; -1 for none. `*most` is the
/// largest that a region yields. Returns false where that is several
/// dimensions.
bool luna_valid_merge(const LunaValidLengths *lengths, MlirOperation op,
                      intptr_t k, int *axis, int64_t *most);
/// Sets for each result of a branch whose dimension axes[k] is valid the bound
/// bounds[k], and a valid length, a further result. Returns the branch, which
/// is another operation then.
MlirOperation luna_valid_join(LunaValidLengths *lengths, MlirOperation op,
                              const int *axes, const int64_t *bounds);
/// Returns how many indices of `axis` hold elements: the valid length, or the
/// extent.
MlirValue luna_valid_count(const LunaValidLengths *lengths, LunaBuilder *b,
                           MlirValue value, int axis);

/// Returns true if two valid lengths are the same number.
bool luna_valid_same(const LunaValidLength *a, const LunaValidLength *b);
/// Builds the valid value with `neutral` after what is valid.
MlirValue luna_valid_mask(LunaBuilder *b, const LunaValidLength *valid,
                          double neutral);
/// Builds `value` with `bound` indices of `axis`: cut, or padded with zeros.
MlirValue luna_valid_fit(LunaBuilder *b, MlirValue value, int axis,
                         int64_t bound);
/// Returns the one open dimension of a type; -1 for none, or several.
int luna_valid_open_axis(MlirType type);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_BOUNDED_SIZES_H
