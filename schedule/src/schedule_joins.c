// How each value that control flow merges is passed on.
//
// For each result of a branch, each value that a loop carries, and each copy of
// a whole buffer, one of these. The buffers are one (coalesced), where neither
// is overwritten while the other's contents are still read; so are the operand
// and the result of an elementwise operator. Or one is copied to the other, in
// a branch or at the back edge. Or control flow passes on a base pointer: that
// of the buffer with the value, or two of them, exchanged where the value was
// recomputed, so that the free buffer is written next; the values of loops take
// turns, those that are shifted turn all their buffers. Of the plans that fit
// the memory, with the least staging, it is the one found with the fewest
// cycles on the slowest path, then on all paths, then in the fewest bytes.

#include "luna/schedule.h"

#include "join_search.h"
#include "joins.h"

static bool is_straight(LunaOp *op, void *data) {
  (void)data;
  return !draft_is_flow(op);
}

// Coalesces what a copy of `draft` copies, and decides the rest.
static bool settle_for(const LunaDraft *draft, bool counts_staging,
                       LunaJoinPlan *best, LunaError *error) {
  LunaDraft *start = draft_clone(draft);
  start->counts_staging = counts_staging;
  bool is_ok = draft_coalesce(&start, error);
  if (!is_ok)
    draft_destroy(start);
  return is_ok && draft_search(&draft_join_stage, start, best, error);
}

// As settle_for. What does not fit is coalesced for tensors with staging, too.
static bool settle(const LunaDraft *draft, LunaJoinPrice *price,
                   LunaJoinPlan *best, LunaError *error) {
  LunaJoinPlan plan = {.draft = NULL};
  bool is_ok =
      settle_for(draft, false, &plan, error) &&
      (plan.price.excess_bytes == 0 || settle_for(draft, true, &plan, error));
  *price = plan.price;
  if (plan.draft)
    draft_plan_keep(plan, best);
  return is_ok;
}

//===----------------------------------------------------------------------===//
// Chains through loops
//===----------------------------------------------------------------------===//

// Networks of blocks that may be skipped, in loops or not (bench/skip-chains),
// cost the same with any of these sites and ops. Of 40 programs of
// bench/join-choices with up to 8 joins, at five capacities, these are the
// sums:
//
//   sites  ops | beyond capacity    bytes   slowest path   plans
//       1 1024 |           78024   217088        2755255   61699
//       4 1024 |           78024   216064        2755055   80854
//      16    0 |           78024   217088        2755655   40709
//      16  256 |           78024   216576        2755655   49340
//      16 1024 |           78024   216064        2755055   80854
//      16 4096 |           77256   215296        2755955  125378
static const LunaJoinStage chain_stage = {
    .moves = {{.way_count = LUNA_CHAIN_REACH_COUNT - LUNA_CHAIN_LOOPS,
               .start = LUNA_CHAIN_BRANCH,
               .reach = LUNA_CHAIN_LOOPS},
              {.way_count = LUNA_CHAIN_REACH_COUNT - LUNA_CHAIN_OPERATORS,
               .start = LUNA_CHAIN_LOOP,
               .reach = LUNA_CHAIN_OPERATORS}},
    .move_count = 2,
    .site_count = 16,
    .budget_ops = 1024,
    .price = settle,
};

static void take_decisions(LunaDraft *draft, LunaArena *arena,
                           LunaSchedule *schedule) {
  *schedule = (LunaSchedule){0};
  for (uint64_t i = 0; i < draft->schedule.decisions.count; ++i)
    *LUNA_VECTOR_ADD(arena, &schedule->decisions) =
        draft->schedule.decisions.items[i];
  draft_destroy(draft);
}

bool luna_schedule_joins(const LunaModel *model,
                         const LunaScheduleTarget *target, LunaArena *arena,
                         LunaSchedule *schedule, LunaJoinEffort *effort,
                         LunaError *error) {
  LunaJoinPlan best = {.draft = draft_create(model, target)};
  best.draft->effort = effort;
  draft_coalesce_loop_buffers(best.draft);
  bool is_ok = true;
  if (draft_walk(best.draft, is_straight, NULL)) {
    is_ok = draft_coalesce(&best.draft, error);
  } else {
    LunaDraft *draft = best.draft;
    best.draft = NULL;
    is_ok = draft_search(&chain_stage, draft, &best, error);
  }
  if (is_ok)
    take_decisions(best.draft, arena, schedule);
  else
    draft_destroy(best.draft);
  return is_ok;
}

void luna_schedule_loops(const LunaModel *model, LunaArena *arena,
                         LunaSchedule *schedule) {
  LunaDraft *draft = draft_create(model, NULL);
  draft_coalesce_loop_buffers(draft);
  take_decisions(draft, arena, schedule);
}
