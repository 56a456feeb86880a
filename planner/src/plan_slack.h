#ifndef LUNA_PLAN_SLACK_H
#define LUNA_PLAN_SLACK_H

#include "plan_attempt.h"

/// A constructive heuristic: builds a plan from the bottom up, always at the
/// lowest place that is left, from whatever could lie there, and takes what
/// leaves most slack.
///
/// The slack of a section is what a capacity leaves above its unplaced items if
/// they are stacked from where the lowest of them may lie. What is wasted below
/// lowers it for good, and what is scarce counts exponentially more. A bonus
/// for each item decides where slack does not.

typedef struct LunaPlanSlack LunaPlanSlack;

/// What a plan is built by. Costs of slack and bonuses count in
/// PLAN_SLACK_COST, the cost of a section without any slack.
typedef struct LunaPlanSlackRules {
  /// In thousandths of the bound: the capacity, and the slack that costs a
  /// factor of e less than none.
  int64_t capacity, unit;
  /// Per item.
  int64_t *bonuses;
} LunaPlanSlackRules;

enum { PLAN_SLACK_COST = 1 << 16 };

/// What comes out worst, and what a plan that was not finished is worth.
#define PLAN_SLACK_NONE UINT64_MAX

/// Prepares building plans of the items of `work`, in `arena`.
LunaPlanSlack *luna_plan_slack_create(const LunaPlanWork *work,
                                      LunaArena *arena);

/// Builds a plan, and returns how far its sections are above the bound: the
/// sum of the fourth powers. Gives up with PLAN_SLACK_NONE where that exceeds
/// `limit`, or at the steps `until`.
///
/// With `follows`, the decisions of the plan that was kept are made again
/// without any step as long as they are the same; PLAN_SLACK_NONE if all are. A
/// step is taken for each item compared, and one more for each 65,536 sections
/// that are looked at.
uint64_t luna_plan_slack_build(LunaPlanSlack *slack,
                               const LunaPlanSlackRules *rules, bool follows,
                               uint64_t limit, LunaPlanWork *work,
                               uint64_t until);

/// Keeps the plan that was built last to follow it.
void luna_plan_slack_keep(LunaPlanSlack *slack);

/// Returns the length of the lifetime of an item, in 65536ths of the longest
/// there can be, and its size in 65536ths of the bound.
int64_t luna_plan_slack_length(const LunaPlanSlack *slack, uint32_t item);
int64_t luna_plan_slack_size(const LunaPlanSlack *slack, uint32_t item);

/// Returns the offsets of the plan that was built last, in units of its own:
/// only their order counts.
const int32_t *luna_plan_slack_offsets(const LunaPlanSlack *slack);

#endif // LUNA_PLAN_SLACK_H
