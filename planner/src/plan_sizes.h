#ifndef LUNA_PLAN_SIZES_H
#define LUNA_PLAN_SIZES_H

#include "luna/map.h"
#include "luna/plan_orient.h"

/// Sizes as sums of weighted products of symbols, each sum and product once.

/// Sums under construction, all in one arena.
typedef struct LunaPlanSumList {
  LUNA_VECTOR(LunaPlanTerm) terms;
  /// The start of each sum; the end of the last is the number of terms.
  LUNA_VECTOR(uint32_t) starts;
  /// The sums as coefficients and products, in turn.
  LunaMap known;
} LunaPlanSumList;

/// Adds the sum of `coefficients`, one per product, unless it is there, and
/// returns its index.
uint32_t luna_plan_sums_add(LunaPlanSumList *list, const int64_t *coefficients,
                            uint32_t product_count, LunaArena *arena);

/// Returns the sums, which are complete.
LunaPlanSums luna_plan_sums_finish(LunaPlanSumList *list, LunaArena *arena);

/// Computes the size of a buffer for one binding. Fails with LUNA_ERROR_INPUT
/// if it is negative or, each term counted by its magnitude, 2^62 bytes or
/// more.
bool luna_plan_size_at(const LunaProblem *problem, const LunaPlanSizes *sizes,
                       LunaBufferId buffer, const int64_t *values,
                       int64_t *bytes, LunaError *error);

/// Fills the symbols, products, sizes and weights of `plan`, in `arena`. Fails
/// with LUNA_ERROR_INPUT for bounds, symbols or weights that are not allowed,
/// and for aliases of different sizes.
bool luna_plan_collect_sizes(const LunaProblem *problem,
                             const LunaPlanSizes *sizes, LunaRangePlan *plan,
                             LunaArena *arena, LunaError *error);

#endif // LUNA_PLAN_SIZES_H
