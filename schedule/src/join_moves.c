#include "join_moves.h"

#include "joins.h"

//===----------------------------------------------------------------------===//
// Loops whose branches leave what they compute in the carried buffer
//===----------------------------------------------------------------------===//

static bool has_no_loop(LunaOp *op, void *data) {
  (void)data;
  return !draft_is_loop(op);
}

static LunaJoinOutcome coalesce_carried(LunaDraft *draft, uint32_t site,
                                        uint32_t way) {
  LunaError error;
  if (site > 0 || draft_walk(draft, has_no_loop, NULL))
    return LUNA_JOIN_NO_SITE;
  bool is_rewritten = draft_land_turns(draft, (LunaChainReach)way) &&
                      draft_unify_copies(draft, true, &error);
  return is_rewritten ? LUNA_JOIN_REWRITTEN : LUNA_JOIN_UNCHANGED;
}

//===----------------------------------------------------------------------===//
// Copies that exchange buffers
//===----------------------------------------------------------------------===//

// Returns true if a group costs less than `best` with its copies `takes`
// exchanged, the others not; `best` is that, then.
static bool is_less_with(const LunaDraft *draft, uint32_t group,
                         const bool *takes, LunaJoinPrice *best) {
  LunaError error;
  LunaJoinPrice price;
  LunaDraft *copy = draft_clone(draft);
  bool is_less = draft_swap_copies(copy, group, takes) > 0 &&
                 draft_price(copy, &price, &error) &&
                 draft_price_is_less(&price, best);
  if (is_less)
    *best = price;
  draft_destroy(copy);
  return is_less;
}

enum { MEMBERS_MAX = 64 };

// Adds one copy at a time to those that exchange, as long as that helps.
static LunaJoinOutcome exchange_some(LunaDraft *draft, uint32_t site) {
  bool takes[MEMBERS_MAX] = {false}, is_some = false;
  LunaError error;
  LunaJoinPrice best;
  LunaDraft *copy = draft_clone(draft);
  uint32_t count = draft_swap_copies(copy, site, NULL);
  draft_destroy(copy);
  if (count < 2 || count > MEMBERS_MAX || !draft_price(draft, &best, &error))
    return LUNA_JOIN_UNCHANGED;
  for (uint32_t i = 0; i < count; ++i) {
    takes[i] = true;
    takes[i] = is_less_with(draft, site, takes, &best);
    is_some |= takes[i];
  }
  if (is_some)
    draft_swap_copies(draft, site, takes);
  return is_some ? LUNA_JOIN_REWRITTEN : LUNA_JOIN_UNCHANGED;
}

static LunaJoinOutcome exchange_copies(LunaDraft *draft, uint32_t site,
                                       uint32_t way) {
  if (way > 0)
    return exchange_some(draft, site);
  return draft_has_inner_copies(draft) &&
                 draft_swap_copies(draft, site, NULL) > 0
             ? LUNA_JOIN_REWRITTEN
             : LUNA_JOIN_NO_SITE;
}

//===----------------------------------------------------------------------===//
// Values that branches pass through or recompute
//===----------------------------------------------------------------------===//

// What was a pointer is one buffer now, and may be one with others, such as
// those that are copied to it.
static LunaJoinOutcome copy_at_join(LunaDraft *draft, uint32_t site,
                                    uint32_t way) {
  (void)way;
  LunaError error;
  if (!draft_copy_at_join(draft, site))
    return LUNA_JOIN_NO_SITE;
  return draft_unify_copies(draft, true, &error) ? LUNA_JOIN_REWRITTEN
                                                 : LUNA_JOIN_UNCHANGED;
}

//===----------------------------------------------------------------------===//
// Buffers that are free behind a chain
//===----------------------------------------------------------------------===//

static LunaJoinOutcome take_free_buffer(LunaDraft *draft, uint32_t site,
                                        uint32_t way) {
  (void)way;
  return draft_take_free_buffer(draft, site) ? LUNA_JOIN_REWRITTEN
                                             : LUNA_JOIN_NO_SITE;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

// The sites and ops cost and gain as follows: the sums of schedule_joins.c, and
// the bytes of models of the tests and examples. None of these changes
// bench/skip-chains:
//
//   sites   ops | beyond capacity    bytes   slowest path   plans   models
//       4  4096 |           78024   217088        2755055   75976  3703265
//      16  4096 |           78024   216064        2755055   80854  3703265
//      64     0 |           78792   218880        2754155   26040  3715873
//      64  1024 |           78792   216832        2754155   34680  3703265
//      64  4096 |           78024   216064        2755055   80854  3703265
//      64 16384 |           76488   214528        2756855  210323  3703265
const LunaJoinStage draft_join_stage = {
    .moves = {{.way_count = LUNA_CHAIN_OPERATORS + 1,
               .is_start = true,
               .rewrite = coalesce_carried},
              {.way_count = 2, .has_part = true, .rewrite = exchange_copies},
              {.way_count = LUNA_CHAIN_OPERATORS + 1,
               .start = LUNA_CHAIN_BRANCH,
               .reach = LUNA_CHAIN_BRANCHES},
              {.way_count = 1,
               .start = LUNA_CHAIN_KEPT,
               .reach = LUNA_CHAIN_OPERATORS},
              {.way_count = 1, .is_last_resort = true, .rewrite = copy_at_join},
              {.way_count = 1, .rewrite = take_free_buffer}},
    .move_count = 6,
    .site_count = 64,
    .budget_ops = 4096,
};
