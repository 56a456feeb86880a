#ifndef LUNA_PLAN_SEARCH_H
#define LUNA_PLAN_SEARCH_H

#include "plan_items.h"
#include "plan_tricks.h"

/// Exact search: decides whether items fit into a capacity.
///
/// Depth first, one item per level at its lowest possible offset. The ideas are
/// those of MiniMalloc (Moffitt, 2023: canonical order, dominated offsets,
/// floors of sections, decomposition), with one witness per section to make
/// them cheap, extended to lifetimes with gaps, alignment and fixed offsets.

/// The outcome of a search.
typedef enum LunaPlanOutcome {
  /// A plan was found.
  PLAN_FOUND,
  /// There is none: the search space was exhausted.
  PLAN_IMPOSSIBLE,
  /// The steps ran out.
  PLAN_UNDECIDED,
} LunaPlanOutcome;

typedef struct LunaPlanSearch LunaPlanSearch;

/// Prepares the search for the items `members` (ascending) of `items`, in
/// `arena`. Sizes are in `unit_bytes`, of which every size, alignment and fixed
/// offset must be a multiple or a divisor.
LunaPlanSearch *luna_plan_search_create(const LunaPlanItems *items,
                                        const uint32_t *members,
                                        uint32_t member_count,
                                        int64_t unit_bytes, LunaArena *arena);

/// The order of candidates at the same offset: by the keys of each member,
/// descending, then by index.
typedef struct LunaPlanOrder {
  /// True if items in heavy sections come first. The weight of a section is the
  /// sum of its unplaced sizes whenever a problem decomposes.
  bool is_by_total;
  /// Weights count in units of this, at least 1: those of one class are equal.
  int64_t total_class;
  /// The search is given up after this many steps without more memory placed
  /// than ever before; 0 means never.
  uint64_t patience;
  /// What is left out of the search.
  LunaPlanWithout without;
  const int64_t *first_keys;
  const int64_t *second_keys;
} LunaPlanOrder;

/// Searches for a plan of at most `capacity` units in at most `step_limit`
/// steps (placements tried), and adds the steps taken to `*steps`.
///
/// If it is found, `offsets` has one offset in units per member.
LunaPlanOutcome luna_plan_search_run(LunaPlanSearch *search, int64_t capacity,
                                     const LunaPlanOrder *order,
                                     uint64_t step_limit, uint64_t *steps,
                                     int64_t *offsets);

/// Returns the largest sum of placed sizes in the last search, a measure of its
/// progress.
int64_t luna_plan_search_reach(const LunaPlanSearch *search);

/// Returns the number of `*members` of the section that was last found to have
/// no plan in the last search; 0 if there is none.
uint32_t luna_plan_search_failed(const LunaPlanSearch *search,
                                 const uint32_t **members);

/// Returns the number of sections of a member, a measure of its length that
/// does not depend on the number of steps.
uint32_t luna_plan_search_sections(const LunaPlanSearch *search,
                                   uint32_t member);

#endif // LUNA_PLAN_SEARCH_H
