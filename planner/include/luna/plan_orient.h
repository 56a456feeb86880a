#ifndef LUNA_PLAN_ORIENT_H
#define LUNA_PLAN_ORIENT_H

#include "luna/plan.h"
#include "luna/plan_eval.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The most factors of a term.
enum { LUNA_SIZE_DEGREE = 4 };

/// A term of a size: a coefficient times `degree` symbols, by index; a symbol
/// may occur several times.
typedef struct LunaSizeTerm {
  int64_t coefficient;
  uint32_t degree;
  uint32_t symbols[LUNA_SIZE_DEGREE];
} LunaSizeTerm;

/// A size in bytes: the sum of its terms.
typedef struct LunaSize {
  const LunaSizeTerm *terms;
  uint32_t term_count;
} LunaSize;

/// The sizes of the buffers of a problem, in symbols. All is borrowed.
typedef struct LunaPlanSizes {
  const LunaPlanSymbol *symbols;
  uint32_t symbol_count;
  /// One for each buffer.
  const LunaSize *sizes;
} LunaPlanSizes;

/// How to orient. Zero-initialised: by bindings from all over the bounds.
typedef struct LunaOrientOptions {
  /// The bindings that are planned, `nominal_count` rows of one value per
  /// symbol; NULL: chosen from the bounds.
  const int64_t *nominals;
  uint32_t nominal_count;
  /// The most orders to keep; 0: LUNA_PLAN_MAX_ORDERS.
  uint32_t order_limit;
  /// The step budget of exact search for each binding; 0 means the default.
  uint64_t step_budget;
} LunaOrientOptions;

/// Makes a plan for all sizes within the bounds of the symbols.
///
/// Takes the lifetimes, alignments and aliases of `problem`, whose own sizes do
/// not count. Plans it for some bindings of the symbols; each plan says which
/// is placed below which (a size of 0 counts as 1). Keeps the orders, at most
/// `order_limit`, that are together closest to the least possible for bindings
/// from all over the bounds.
///
/// `plan`, in the problem's arena, borrows the symbols; `options` may be NULL.
/// Fails with LUNA_ERROR_INPUT for a malformed program, fixed offsets, aliases
/// of different sizes, bounds that are negative or in the wrong order, a symbol
/// that does not exist, sizes that are negative or overflow at a binding that
/// is planned (error->item: the buffer or symbol), and more conflicts than can
/// be listed; with LUNA_ERROR_MEMORY like luna_plan_solve. O(bindings * (search
/// + buffers * pairs)).
bool luna_plan_orient(LunaProblem *problem, const LunaPlanSizes *sizes,
                      const LunaOrientOptions *options, LunaRangePlan *plan,
                      LunaError *error);

/// Writes the size of each buffer for one binding to `problem`, to plan or
/// check that binding alone. Fails with LUNA_ERROR_INPUT as luna_plan_eval
/// does.
bool luna_plan_bind_sizes(LunaProblem *problem, const LunaPlanSizes *sizes,
                          const int64_t *values, LunaError *error);

#ifdef __cplusplus
}
#endif

#endif // LUNA_PLAN_ORIENT_H
