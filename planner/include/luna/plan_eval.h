#ifndef LUNA_PLAN_EVAL_H
#define LUNA_PLAN_EVAL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Plans for sizes that are open when a program is planned: offsets for any
/// sizes, computed where these become known.
///
/// luna_plan_orient (luna/plan_orient.h) fixes which is placed below which, for
/// each two buffers that conflict; a buffer then lies on top of the highest of
/// those below it. No sizes let two of them overlap. This header and its source
/// need neither an allocator nor a C library, and a plan is plain constant
/// data, so that both may be compiled for the target.
///
///     int64_t values[] = {96, 128}; // h, w
///     if (luna_plan_eval(plan, values, work, offset_bytes, &result))
///       run(offset_bytes, result.peak_bytes);

/// A size that is open, from `low` to `high`, both included and not negative.
typedef struct LunaPlanSymbol {
  const char *name;
  int64_t low, high;
} LunaPlanSymbol;

/// A product of symbols: an earlier product times a symbol. Product 0 is 1.
typedef struct LunaPlanProduct {
  /// The sum of the magnitudes of its coefficients, over all buffers.
  int64_t weight;
  uint32_t factor, symbol;
} LunaPlanProduct;

/// A product times a coefficient, which may be negative.
typedef struct LunaPlanTerm {
  int64_t coefficient;
  uint32_t product;
} LunaPlanTerm;

/// Sums of terms: sum i is terms[starts[i] .. starts[i + 1]).
typedef struct LunaPlanSums {
  const LunaPlanTerm *terms;
  const uint32_t *starts;
  uint32_t count;
} LunaPlanSums;

/// Which buffer is placed below which: an acyclic orientation, transitively
/// reduced.
typedef struct LunaPlanOrder {
  /// The buffers, each after those below it; one of each set of aliases.
  const uint32_t *buffers;
  /// Below buffers[i] lie below[starts[i] .. starts[i + 1]).
  const uint32_t *starts;
  const uint32_t *below;
  /// What lies on top of each other where the peak is, for some sizes. No plan
  /// of this order is smaller than the largest of these sums.
  LunaPlanSums chains;
} LunaPlanOrder;

/// The most orders of a plan, each for a region of the sizes.
enum { LUNA_PLAN_MAX_ORDERS = 4 };

/// A plan for all sizes within the bounds of the symbols.
typedef struct LunaRangePlan {
  const LunaPlanSymbol *symbols;
  const LunaPlanProduct *products;
  uint32_t symbol_count, product_count;
  /// The distinct sizes of buffers, in bytes.
  LunaPlanSums sizes;
  /// Of each buffer: the index of its size; its alignment, a power of two; the
  /// buffer whose offset it has, itself unless it has aliases.
  const uint32_t *buffer_sizes;
  const int64_t *align_bytes;
  const uint32_t *places;
  uint32_t buffer_count;
  /// The number of buffers that have their own place.
  uint32_t place_count;
  /// What alignment may add to a plan.
  int64_t padding_bytes;
  LunaPlanOrder orders[LUNA_PLAN_MAX_ORDERS];
  uint32_t order_count;
} LunaRangePlan;

/// Why there is no plan for some sizes.
typedef enum LunaRangeFault {
  LUNA_RANGE_OK = 0,
  /// A symbol is out of its bounds (item: the symbol).
  LUNA_RANGE_SYMBOL,
  /// A size is negative (item: the first buffer of it).
  LUNA_RANGE_NEGATIVE,
  /// The sizes, each term counted by its magnitude, are 2^62 bytes or more in
  /// sum.
  LUNA_RANGE_OVERFLOW,
} LunaRangeFault;

/// What luna_plan_eval found.
typedef struct LunaRangeResult {
  LunaRangeFault fault;
  uint32_t item;
  /// The end of the highest buffer, and the order that gives it.
  int64_t peak_bytes;
  uint32_t order;
} LunaRangeResult;

/// Returns the number of elements that `work` needs in luna_plan_eval.
uint32_t luna_plan_eval_work(const LunaRangePlan *plan);

/// Computes the offset of each buffer for the sizes that `values` give, one for
/// each symbol. Returns false, with the fault in `result`, if there is none;
/// offsets are then unspecified.
///
/// Of several orders, takes the one whose longest chain is shortest. A buffer
/// of 0 bytes gets offset 0. O(buffers + pairs of the order + terms), without
/// division but for a few per product.
bool luna_plan_eval(const LunaRangePlan *plan, const int64_t *values,
                    int64_t *work, int64_t *offset_bytes,
                    LunaRangeResult *result);

#ifdef __cplusplus
}
#endif

#endif // LUNA_PLAN_EVAL_H
