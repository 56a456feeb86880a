#include "join_search.h"

#include "joins.h"

typedef struct Search {
  const LunaJoinStage *stage;
  LunaJoinPlan *best;
  int64_t budget;
} Search;

void draft_plan_keep(LunaJoinPlan plan, LunaJoinPlan *best) {
  LunaJoinPlan worse = plan;
  if (!best->draft || draft_price_is_less(&plan.price, &best->price)) {
    worse = *best;
    *best = plan;
  }
  draft_destroy(worse.draft);
}

// Returns true if no plan can be better: it fits, copies nothing in branches
// and loops, and takes what the target says is least.
static bool is_least(const LunaJoinPlan *plan) {
  return plan->draft && plan->price.excess_bytes == 0 &&
         plan->price.bytes <= plan->draft->target->least_bytes &&
         !draft_has_inner_copies(plan->draft);
}

static bool find_price(const Search *search, LunaJoinPlan *plan,
                       LunaError *error) {
  return search->stage->price ? search->stage->price(plan->draft, &plan->price,
                                                     search->best, error)
                              : draft_price(plan->draft, &plan->price, error);
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

// Adds what a way makes of `plan`. Beside drafts that others are searched from,
// one that stays as it is costs nothing.
static LunaJoinOutcome try_way(Search *search, const LunaJoinPlan *plan,
                               const LunaJoinMove *move, uint32_t site,
                               uint32_t way, Ways *ways) {
  LunaJoinPlan next = {.draft = draft_clone(plan->draft)};
  LunaError error;
  LunaJoinOutcome outcome =
      move->rewrite ? move->rewrite(next.draft, site, way)
                    : draft_swap_chain(next.draft, move->start, site,
                                       (LunaChainReach)(move->reach + way));
  if (outcome == LUNA_JOIN_REWRITTEN ||
      (outcome == LUNA_JOIN_UNCHANGED && !search->stage->price))
    search->budget -= next.draft->target->op_count;
  if (outcome == LUNA_JOIN_REWRITTEN && find_price(search, &next, &error))
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

// All is decided. What has a price with what is behind it is kept already.
static void end(const Search *search, LunaJoinPlan plan) {
  if (search->stage->price)
    draft_destroy(plan.draft);
  else
    draft_plan_keep(plan, search->best);
}

// Decides the sites of the moves from `move` on, of that the ones from `site`
// on. Owns `plan`.
static void decide(Search *search, LunaJoinPlan plan, uint32_t move,
                   uint32_t site) {
  Ways ways = {.has_site = false};
  const LunaJoinMove *moves = search->stage->moves;
  while (move < search->stage->move_count && !ways.has_site) {
    bool is_open =
        site < search->stage->site_count &&
        !(moves[move].is_last_resort && plan.price.excess_bytes == 0);
    if (is_open)
      ways = find_ways(search, plan, &moves[move], site);
    if (!ways.has_site) {
      ++move;
      site = 0;
    }
  }
  if (!ways.has_site) {
    end(search, plan);
    return;
  }
  for (uint32_t i = 0; i < ways.count; ++i) {
    bool is_same = ways.plans[i].draft == plan.draft;
    bool is_start = moves[move].is_start;
    bool is_open = i == 0 || is_start || search->budget > 0;
    if (is_open && !is_least(search->best))
      decide(search, ways.plans[i], move,
             is_same || is_start ? site + 1 : site);
    else
      draft_destroy(ways.plans[i].draft);
  }
}

bool draft_search(const LunaJoinStage *stage, LunaDraft *draft,
                  LunaJoinPlan *best, LunaError *error) {
  Search search = {stage, best, stage->budget_ops};
  LunaJoinPlan plan = {.draft = draft};
  bool is_ok = find_price(&search, &plan, error);
  if (is_ok)
    decide(&search, plan, 0, 0);
  else
    draft_destroy(draft);
  return is_ok;
}
