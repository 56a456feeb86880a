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

#include "join_chains.h"
#include "join_search.h"
#include "joins.h"

// Chains through loops, and ops that are decided again to find other chains
// than the first that help. Networks of blocks that may be skipped, in loops or
// not (bench/skip-chains), cost the same with any of these. Of 40 programs of
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
enum { SITES_MAX = 16, BUDGET_OPS = 1024 };

static bool is_straight(LunaOp *op, void *data) {
  (void)data;
  return !draft_is_flow(op);
}

static bool coalesce(LunaDraft *draft, LunaError *error) {
  draft_coalesce_branch_buffers(draft);
  bool is_ok = draft_unify_copies(draft, error);
  draft_forward_buffers(draft);
  return is_ok;
}

// Coalesces what a copy of `draft` copies, and decides the rest.
static bool settle_for(const LunaDraft *draft, bool counts_staging,
                       LunaJoinPlan *best, LunaError *error) {
  LunaJoinPlan start = {.draft = draft_clone(draft)};
  start.draft->counts_staging = counts_staging;
  bool is_ok = coalesce(start.draft, error) &&
               draft_price(start.draft, &start.price, error);
  if (is_ok)
    draft_search(start, best);
  else
    draft_destroy(start.draft);
  return is_ok;
}

// As settle_for. What does not fit is coalesced for tensors with staging, too.
static bool settle(const LunaDraft *draft, LunaJoinPlan *best,
                   LunaError *error) {
  return settle_for(draft, false, best, error) &&
         (best->price.excess_bytes == 0 ||
          settle_for(draft, true, best, error));
}

typedef struct Choice {
  LunaJoinPlan best;
  LunaError *error;
  int64_t op_count, budget;
} Choice;

// A function before its joins are decided, and the price of what becomes of it.
typedef struct Form {
  LunaDraft *draft;
  LunaJoinPrice price;
} Form;

// The ways of a chain, from the best to the worst; at first as it is.
typedef struct Forms {
  Form items[1 + LUNA_CHAIN_REACH_COUNT];
  uint32_t count;
} Forms;

// Settles a copy of `draft`, which it owns from then on, and adds it.
static bool add_form(Choice *choice, LunaDraft *draft, Forms *forms) {
  LunaJoinPlan plan = {.draft = NULL};
  choice->budget -= choice->op_count;
  if (!settle(draft, &plan, choice->error)) {
    draft_destroy(draft);
    return false;
  }
  Form form = {draft, plan.price};
  draft_plan_keep(plan, &choice->best);
  uint32_t at = forms->count++;
  for (;
       at > 0 && draft_price_is_less(&form.price, &forms->items[at - 1].price);
       --at)
    forms->items[at] = forms->items[at - 1];
  forms->items[at] = form;
  return true;
}

// Chains through loops start with a branch or, decided after those, with a
// loop.
static bool is_start(LunaChainStart start) { return start <= LUNA_CHAIN_LOOP; }

static bool has_chain(LunaDraft *draft, LunaChainStart start, uint32_t site) {
  return site < SITES_MAX && draft_has_chain(draft, LUNA_CHAIN_LOOP, 0) &&
         draft_has_chain(draft, start, site);
}

// Adds what a chain of `draft` can be.
static bool find_forms(Choice *choice, LunaDraft *draft, LunaChainStart start,
                       uint32_t site, Forms *forms) {
  bool is_ok = true;
  int first =
      start == LUNA_CHAIN_LOOP ? LUNA_CHAIN_OPERATORS : LUNA_CHAIN_LOOPS;
  for (int reach = first; is_ok && reach < LUNA_CHAIN_REACH_COUNT; ++reach) {
    LunaDraft *next = draft_clone(draft);
    if (draft_swap_chain(next, start, site, (LunaChainReach)reach) > 0)
      is_ok = add_form(choice, next, forms);
    else
      draft_destroy(next);
  }
  return is_ok;
}

// Has chains pass on two buffers through loops, one after the other, the best
// way first, then others until the budget is used up. Owns `form`.
static bool try_chains(Choice *choice, Form form, LunaChainStart start,
                       uint32_t site) {
  while (is_start(start) && !has_chain(form.draft, start, site)) {
    ++start;
    site = 0;
  }
  Forms forms = {.items = {form}, .count = 1};
  bool is_ok =
      !is_start(start) || find_forms(choice, form.draft, start, site, &forms);
  for (uint32_t i = 0; i < forms.count; ++i) {
    bool is_same = forms.items[i].draft == form.draft;
    bool is_open = is_ok && is_start(start) && (i == 0 || choice->budget > 0) &&
                   !draft_plan_is_least(&choice->best);
    if (is_open)
      is_ok = try_chains(choice, forms.items[i], start, site + is_same);
    else
      draft_destroy(forms.items[i].draft);
  }
  return is_ok;
}

// Decides about `draft`, which it owns. Returns the best draft, or NULL.
static LunaDraft *choose(LunaDraft *draft, LunaError *error) {
  int64_t op_count = draft->target->op_count;
  Choice choice = {.error = error, .op_count = op_count, .budget = BUDGET_OPS};
  Forms start = {.count = 0};
  if (add_form(&choice, draft, &start) &&
      try_chains(&choice, start.items[0], LUNA_CHAIN_BRANCH, 0))
    return choice.best.draft;
  draft_destroy(choice.best.draft);
  return NULL;
}

static void coalesce_loops(LunaDraft *draft) {
  draft_coalesce_loop_buffers(draft);
  draft_drop_undefined_copies(draft);
}

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
  LunaDraft *draft = draft_create(model, target);
  draft->effort = effort;
  coalesce_loops(draft);
  bool is_ok = true;
  if (!draft_walk(draft, is_straight, NULL)) {
    draft = choose(draft, error);
    is_ok = draft != NULL;
  } else {
    is_ok = coalesce(draft, error);
  }
  if (is_ok)
    take_decisions(draft, arena, schedule);
  else
    draft_destroy(draft);
  return is_ok;
}

void luna_schedule_loops(const LunaModel *model, LunaArena *arena,
                         LunaSchedule *schedule) {
  LunaDraft *draft = draft_create(model, NULL);
  coalesce_loops(draft);
  take_decisions(draft, arena, schedule);
}
