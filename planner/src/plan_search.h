#ifndef LUNA_PLAN_SEARCH_H
#define LUNA_PLAN_SEARCH_H

#include "plan_items.h"

/// Exact search: do these items fit into so many bytes?
///
/// Depth first, one item per level at its lowest possible offset. The ideas
/// are those of MiniMalloc (Moffitt, 2023: canonical order, dominated offsets,
/// floors of sections, decomposition) made cheap by one witness per section,
/// and extended to lifetimes with gaps, alignment and fixed offsets.

/// What one search came to.
typedef enum PlanOutcome {
  /// A plan was found.
  PLAN_FOUND,
  /// There is none: the search was exhausted.
  PLAN_IMPOSSIBLE,
  /// The steps ran out.
  PLAN_UNDECIDED,
} PlanOutcome;

typedef struct PlanSearch PlanSearch;

/// Prepares the search for the items `members` (ascending) of `items`, all of
/// it in `arena`. Sizes are counted in `unit_bytes`, of which every size,
/// alignment and fixed offset must be a multiple or a divisor.
PlanSearch *plan_search_create(const PlanItems *items, const uint32_t *members,
                               uint32_t member_count, int64_t unit_bytes,
                               LunaArena *arena);

/// The order in which candidates at the same offset are tried: by the keys of
/// each member, larger ones first, then by index.
typedef struct PlanOrder {
  /// Items in heavy sections go before all else; what counts is the sum of
  /// sizes still to be placed whenever a problem falls apart.
  bool is_by_total;
  const int64_t *first_keys;
  const int64_t *second_keys;
} PlanOrder;

/// Looks for a plan of at most `capacity` units, in at most `step_limit` steps
/// (placements tried), which are added to `*steps`.
///
/// When found, `offsets` has one offset in units per member.
PlanOutcome plan_search_run(PlanSearch *search, int64_t capacity,
                            const PlanOrder *order, uint64_t step_limit,
                            uint64_t *steps, int64_t *offsets);

/// The largest sum of sizes that stood placed at one time in the last search:
/// how far it came.
int64_t plan_search_reach(const PlanSearch *search);

/// Number of sections in which a member lives: a measure of its length that
/// does not depend on how many steps lie between.
uint32_t plan_search_sections(const PlanSearch *search, uint32_t member);

#endif // LUNA_PLAN_SEARCH_H
