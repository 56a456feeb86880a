#include "join_moves.h"

#include "join_chains.h"
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

// Copies of a group that exchange; the others copy.
typedef struct Members {
  LunaDraft *draft;
  uint32_t group, count;
  bool *takes, *best_takes;
  LunaJoinPrice best;
} Members;

// Returns false if the choice cannot be made.
static bool price_members(const Members *members, LunaJoinPrice *price) {
  LunaError error;
  LunaDraft *copy = draft_clone(members->draft);
  bool is_possible =
      draft_swap_copies(copy, members->group, members->takes) > 0 &&
      draft_price(copy, price, &error);
  draft_destroy(copy);
  return is_possible;
}

// Keeps the choice if it is the best so far. Returns true if so.
static bool try_members(Members *members) {
  LunaJoinPrice price;
  if (!price_members(members, &price) ||
      !draft_price_is_less(&price, &members->best))
    return false;
  members->best = price;
  for (uint32_t i = 0; i < members->count; ++i)
    members->best_takes[i] = members->takes[i];
  return true;
}

// Writes the members in the order of what remains if each alone exchanges.
static void sort_members(Members *members, uint32_t *order,
                         LunaJoinPrice *alone) {
  for (uint32_t i = 0; i < members->count; ++i) {
    members->takes[i] = true;
    if (!price_members(members, &alone[i]))
      alone[i] = (LunaJoinPrice){.excess_bytes = INT64_MAX};
    members->takes[i] = false;
    uint32_t at = i;
    for (; at > 0 && draft_price_is_less(&alone[i], &alone[order[at - 1]]);
         --at)
      order[at] = order[at - 1];
    order[at] = i;
  }
}

// Adds one at a time to the choice, the best first, as long as that helps.
static void add_members(Members *members, LunaArena *arena) {
  uint32_t *order = LUNA_ARENA_ARRAY(arena, uint32_t, members->count);
  LunaJoinPrice *alone = LUNA_ARENA_ARRAY(arena, LunaJoinPrice, members->count);
  sort_members(members, order, alone);
  for (uint32_t i = 0; i < members->count; ++i) {
    members->takes[order[i]] = true;
    members->takes[order[i]] = try_members(members);
  }
}

enum { MEMBERS_MAX = 64 };

static LunaJoinOutcome exchange_some(LunaDraft *draft, uint32_t site) {
  LunaArena arena = {0};
  LunaError error;
  Members members = {.draft = draft, .group = site};
  LunaDraft *copy = draft_clone(draft);
  members.count = draft_swap_copies(copy, site, NULL);
  draft_destroy(copy);
  members.takes = LUNA_ARENA_ARRAY(&arena, bool, members.count);
  members.best_takes = LUNA_ARENA_ARRAY(&arena, bool, members.count);
  bool is_some = false;
  if (members.count > 1 && members.count <= MEMBERS_MAX &&
      draft_price(draft, &members.best, &error)) {
    add_members(&members, &arena);
    for (uint32_t i = 0; i < members.count; ++i)
      is_some |= members.best_takes[i];
  }
  if (is_some)
    draft_swap_copies(draft, site, members.best_takes);
  luna_arena_destroy(&arena);
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

// With one allocation replaced, none is saved, unless what follows may take the
// free buffer.
static LunaJoinOutcome exchange_chain(LunaDraft *draft, uint32_t site,
                                      uint32_t way) {
  uint32_t count = 0;
  LunaJoinOutcome outcome = draft_swap_chain(draft, LUNA_CHAIN_BRANCH, site,
                                             (LunaChainReach)way, &count);
  bool saves = count > 1 || draft_take_free_buffer(draft, 0, false);
  return outcome != LUNA_JOIN_REWRITTEN || saves ? outcome
                                                 : LUNA_JOIN_UNCHANGED;
}

// With two allocations replaced, none is saved.
static LunaJoinOutcome take_turns(LunaDraft *draft, uint32_t site,
                                  uint32_t way) {
  (void)way;
  uint32_t count = 0;
  LunaJoinOutcome outcome = draft_swap_chain(draft, LUNA_CHAIN_KEPT, site,
                                             LUNA_CHAIN_OPERATORS, &count);
  return outcome != LUNA_JOIN_REWRITTEN || count > 2 ? outcome
                                                     : LUNA_JOIN_UNCHANGED;
}

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
  return draft_take_free_buffer(draft, site, true) ? LUNA_JOIN_REWRITTEN
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
               .rewrite = exchange_chain},
              {.way_count = 1, .rewrite = take_turns},
              {.way_count = 1, .is_last_resort = true, .rewrite = copy_at_join},
              {.way_count = 1, .rewrite = take_free_buffer}},
    .move_count = 6,
    .site_count = 64,
    .budget_ops = 4096,
};
