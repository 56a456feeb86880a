#ifndef LUNA_C_LIVE_H
#define LUNA_C_LIVE_H

//===-- luna-c/live.h - sizes that only the running program knows ---------===//
//
// A tensor of such a size has the shape of its bound, and a live count: how
// many indices of one dimension hold elements. Operators run over the bound;
// what is dead must not show. Who makes a live count says so by luna_live_set;
// luna_live_follow takes it through an operator, by the column LIVE of
// luna/shape_rules.def, and rewrites what would let dead elements take part.
//
//===----------------------------------------------------------------------===//

#include "luna-c/builder.h"
#include "luna/map.h"
#include "luna/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How much of a tensor is live.
typedef struct LunaLive {
  MlirValue value; ///< of the bound's shape
  int axis;
  /// An index, 0 or more. Above the bound it says that elements were lost.
  MlirValue count;
  /// The size that the program gives it, which lies in the bound; or null.
  MlirValue stated;
  const char *name;    ///< of the tensor that the size comes from, or NULL
  bool is_zero_behind; ///< what is dead is 0
} LunaLive;

/// The tensors of a program that have live counts.
typedef struct LunaLives {
  LunaArena *arena;
  /// Types leave open what is live: what has a known size is so.
  bool has_open_types;
  LunaMap ids; ///< of `items`, by value
  LUNA_VECTOR(LunaLive) items;
  LunaMap replaced; ///< of `replacements`, by value
  LUNA_VECTOR(MlirValue) replacements;
  /// Why the last operator was refused: what of, and if it is another live
  /// count, which may differ, also that.
  LunaLive refused, other;
  const char *why;
} LunaLives;

/// Returns what is live of a value, or NULL. Valid until one is set.
const LunaLive *luna_live_find(const LunaLives *lives, MlirValue value);
/// Returns what is live of the first operand of `op` that has a live count, or
/// NULL.
const LunaLive *luna_live_operand(const LunaLives *lives, MlirOperation op);
/// Gives `value` a live count along `axis`, the rest as in `like`.
void luna_live_set(LunaLives *lives, MlirValue value, const LunaLive *like,
                   int axis);
/// Returns what stands for `value` now, itself if it was not replaced.
MlirValue luna_live_now(const LunaLives *lives, MlirValue value);

/// Follows live counts through an operator without regions of control flow:
/// sets those of its results, whose types become static, and masks operands
/// that would take part though they are dead. Where other values replace its
/// results, the operator stays without uses. What is followed already is left
/// alone. Returns false, and sets what
/// `lives` says of a refusal, where that is not possible.
bool luna_live_follow(LunaLives *lives, MlirOperation op);

/// Finds the dimension of result `k` of a branch that is live: it is so of what
/// a region yields, or they differ in it; -1 for none. `*most` is the largest
/// that a region yields. Returns false where that is several dimensions.
bool luna_live_merge(const LunaLives *lives, MlirOperation op, intptr_t k,
                     int *axis, int64_t *most);
/// Gives each result of a branch whose dimension axes[k] is live the bound
/// bounds[k], and a live count, a further result. Returns the branch, which is
/// another operation then.
MlirOperation luna_live_join(LunaLives *lives, MlirOperation op,
                             const int *axes, const int64_t *bounds);
/// Returns how many indices of `axis` hold elements: the live count, or the
/// extent.
MlirValue luna_live_count(const LunaLives *lives, LunaBuilder *b,
                          MlirValue value, int axis);

/// Returns true if two live counts are the same number.
bool luna_live_same(const LunaLive *a, const LunaLive *b);
/// Builds the live value with `neutral` behind what is live.
MlirValue luna_live_mask(LunaBuilder *b, const LunaLive *live, double neutral);
/// Builds `value` with `bound` indices of `axis`: cut, or zeros behind.
MlirValue luna_live_fit(LunaBuilder *b, MlirValue value, int axis,
                        int64_t bound);
/// Returns the one open dimension of a type; -1 for none, or several.
int luna_live_open_axis(MlirType type);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_LIVE_H
