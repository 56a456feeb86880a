#include "join_search.h"

#include "join_moves.h"
#include "joins.h"

// Sites of one move, and ops that are planned again to find other ways than the
// first. The sums of schedule_joins.c, and the bytes of models of the tests and
// examples; none of these changes bench/skip-chains:
//
//   sites   ops | beyond capacity    bytes   slowest path   plans   models
//       4  4096 |           78024   217088        2755055   75976  3703265
//      16  4096 |           78024   216064        2755055   80854  3703265
//      64     0 |           78792   218880        2754155   26040  3715873
//      64  1024 |           78792   216832        2754155   34680  3703265
//      64  4096 |           78024   216064        2755055   80854  3703265
//      64 16384 |           76488   214528        2756855  210323  3703265
enum { SITES_MAX = 64, BUDGET_OPS = 4096 };

typedef struct Search {
  LunaJoinPlan *best;
  int64_t op_count, budget;
} Search;

bool draft_plan_keep(LunaJoinPlan plan, LunaJoinPlan *best) {
  LunaJoinPlan worse = plan;
  bool is_better =
      !best->draft || draft_price_is_less(&plan.price, &best->price);
  if (is_better) {
    worse = *best;
    *best = plan;
  }
  draft_destroy(worse.draft);
  return is_better;
}

bool draft_plan_is_least(const LunaJoinPlan *plan) {
  return plan->draft && plan->price.excess_bytes == 0 &&
         plan->price.bytes <= plan->draft->target->least_bytes &&
         !draft_has_inner_copies(plan->draft);
}

//===----------------------------------------------------------------------===//
// One site
//===----------------------------------------------------------------------===//

// The ways of a site, from the best to the worst; of a start, the last one
// first, since that often leads to the least.
typedef struct Ways {
  LunaJoinPlan plans[1 + LUNA_JOIN_WAYS_MAX];
  uint32_t count;
  bool has_site;
} Ways;

static void add_way(Ways *ways, const LunaJoinMove *move, LunaJoinPlan plan) {
  uint32_t at = ways->count++;
  for (;
       at > 0 && (move->is_start ||
                  draft_price_is_less(&plan.price, &ways->plans[at - 1].price));
       --at)
    ways->plans[at] = ways->plans[at - 1];
  ways->plans[at] = plan;
}

// Adds what a way makes of `plan`.
static LunaJoinOutcome try_way(Search *search, const LunaJoinPlan *plan,
                               const LunaJoinMove *move, uint32_t site,
                               uint32_t way, Ways *ways) {
  LunaJoinPlan next = {.draft = draft_clone(plan->draft)};
  LunaError error;
  LunaJoinOutcome outcome = move->rewrite(next.draft, site, way);
  search->budget -= search->op_count;
  if (outcome == LUNA_JOIN_REWRITTEN &&
      draft_price(next.draft, &next.price, &error))
    add_way(ways, move, next);
  else
    draft_destroy(next.draft);
  return outcome;
}

// Returns true if the whole of a site was tried, and fits: its parts cost more.
static bool has_whole(const Ways *ways, const LunaDraft *as_is) {
  for (uint32_t i = 0; i < ways->count; ++i)
    if (ways->plans[i].draft != as_is && ways->plans[i].price.excess_bytes == 0)
      return true;
  return false;
}

static Ways find_ways(Search *search, LunaJoinPlan plan,
                      const LunaJoinMove *move, uint32_t site) {
  Ways ways = {.has_site = true};
  add_way(&ways, move, plan);
  for (uint32_t way = 0; ways.has_site && way < move->way_count; ++way) {
    bool is_part = move->has_part && way + 1 == move->way_count;
    if (is_part && has_whole(&ways, plan.draft))
      break;
    ways.has_site =
        try_way(search, &plan, move, site, way, &ways) != LUNA_JOIN_NO_SITE;
  }
  return ways;
}

//===----------------------------------------------------------------------===//
// All sites
//===----------------------------------------------------------------------===//

static bool may_have_site(const LunaJoinMove *move, const LunaJoinPlan *plan,
                          uint32_t site) {
  return site < SITES_MAX &&
         !(move->is_last_resort && plan->price.excess_bytes == 0) &&
         move->may_have_site(plan->draft, site);
}

// Decides the sites of the moves from `move` on, of that the ones from `site`
// on. Owns `plan`.
static void decide(Search *search, LunaJoinPlan plan, uint32_t move,
                   uint32_t site) {
  Ways ways = {.has_site = false};
  while (move < draft_move_count && !ways.has_site) {
    const LunaJoinMove *kind = &draft_moves[move];
    if (may_have_site(kind, &plan, site))
      ways = find_ways(search, plan, kind, site);
    if (!ways.has_site) {
      ++move;
      site = 0;
    }
  }
  if (!ways.has_site) {
    draft_plan_keep(plan, search->best);
    return;
  }
  bool is_start = draft_moves[move].is_start;
  while (!is_start && search->budget <= 0 && ways.count > 1)
    draft_destroy(ways.plans[--ways.count].draft);
  for (uint32_t i = 0; i < ways.count; ++i) {
    bool is_same = ways.plans[i].draft == plan.draft;
    bool is_open = i == 0 || is_start || search->budget > 0;
    if (is_open && !(i > 0 && draft_plan_is_least(search->best)))
      decide(search, ways.plans[i], move,
             is_same || is_start ? site + 1 : site);
    else
      draft_destroy(ways.plans[i].draft);
  }
}

void draft_search(LunaJoinPlan start, LunaJoinPlan *best) {
  Search search = {.best = best,
                   .op_count = start.draft->target->op_count,
                   .budget = BUDGET_OPS};
  decide(&search, start, 0, 0);
}
