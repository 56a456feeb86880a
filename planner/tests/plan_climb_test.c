// The local searches alone, without what comes before them: from items laid one
// on top of another they come to a valid plan; where items are few, mostly to
// the smallest that brute force finds.

#include "check.h"
#include "luna/checked.h"
#include "plan_climb.h"
#include "plan_evolve.h"
#include "random_items.h"

enum {
  MAX_ITEMS = 60,
  SMALL_ITEMS = 6,
  SMALL_PROBLEMS = 500,
  LARGEST = 20,
  LONGEST = 20000
};

// A plan without any sharing; `members` gets all items.
static void stack_up(const LunaPlanItems *items, uint32_t *members,
                     int64_t *offsets) {
  int64_t at = 0;
  for (uint32_t i = 0; i < items->count; ++i) {
    members[i] = i;
    offsets[i] = luna_align_up(at, items->items[i].align_bytes);
    at = offsets[i] + items->items[i].size_bytes;
  }
}

static LunaPlanWork search(const LunaPlanItems *items, bool evolves,
                           uint64_t steps, LunaArena *arena) {
  uint32_t members[MAX_ITEMS];
  int64_t start[MAX_ITEMS];
  stack_up(items, members, start);
  LunaPlanWork work =
      luna_plan_work_make(items, members, items->count, start, 1,
                          luna_plan_items_bound(items).bytes, arena);
  work.step_budget = steps;
  LunaPlanEvolution *evolution = luna_plan_evolution_create(
      luna_plan_again_create(items, members, items->count, 1, arena), &work,
      arena);
  LunaPlanClimb climb = luna_plan_climb_make(&work, arena);
  // The second call goes on where the first one stopped.
  for (int part = 1; part <= 2; ++part)
    if (evolves)
      luna_plan_evolve(evolution, &work, 0, LONGEST / 2);
    else
      luna_plan_climb(&climb, &work, 0, part * steps / 2);
  CHECK(work.steps <= steps);
  CHECK(work.bound <= work.best);
  return work;
}

static void check_plan(const LunaPlanItems *items, const LunaPlanWork *work) {
  CHECK_EQ(luna_plan_items_peak(items, work->offsets), work->best);
  CHECK(is_plan_of_items(items, work->offsets));
}

static void plan_few_items(bool evolves, int least) {
  int optimum_count = 0;
  Random random = {11};
  for (int i = 0; i < SMALL_PROBLEMS; ++i) {
    LunaArena arena = {0};
    LunaPlanItems items = random_items(
        &arena, &random, 1 + random_below(&random, SMALL_ITEMS), LARGEST);
    LunaPlanWork work = search(&items, evolves, 2000, &arena);
    check_plan(&items, &work);
    int64_t optimum = smallest_peak(&items);
    CHECK(work.best >= optimum);
    CHECK(work.bound <= optimum);
    optimum_count += work.best == optimum;
    luna_arena_destroy(&arena);
  }
  CHECK(optimum_count >= least);
}

static void few_items_are_mostly_planned_as_small_as_by_brute_force(void) {
  plan_few_items(false, SMALL_PROBLEMS * 9 / 10);
  // Which does not see alignment until items are placed again.
  plan_few_items(true, SMALL_PROBLEMS * 7 / 10);
}

static void plan_many_items(bool evolves) {
  Random random = {5};
  for (int i = 0; i < 20; ++i) {
    LunaArena arena = {0};
    LunaPlanItems items = random_items(&arena, &random, MAX_ITEMS, LARGEST);
    LunaPlanWork work = search(&items, evolves, 5000, &arena);
    check_plan(&items, &work);
    LunaPlanWork again = search(&items, evolves, 5000, &arena);
    for (uint32_t k = 0; k < MAX_ITEMS; ++k)
      CHECK_EQ(work.offsets[k], again.offsets[k]);
    CHECK_EQ(work.steps, again.steps);
    LunaPlanWork longer = search(&items, evolves, LONGEST, &arena);
    CHECK(longer.best <= work.best);
    luna_arena_destroy(&arena);
  }
}

static void many_items_are_planned_validly_and_always_the_same(void) {
  plan_many_items(false);
  plan_many_items(true);
}

int main(void) {
  RUN_TEST(few_items_are_mostly_planned_as_small_as_by_brute_force);
  RUN_TEST(many_items_are_planned_validly_and_always_the_same);
  return 0;
}
