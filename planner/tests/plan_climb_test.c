// The climb alone, without the searches before it: from items laid one on top
// of another it comes to a valid plan; where items are few, mostly to the
// smallest that brute force finds.

#include "check.h"
#include "luna/checked.h"
#include "plan_climb.h"
#include "random_items.h"

enum { MAX_ITEMS = 60, SMALL_ITEMS = 6, SMALL_PROBLEMS = 500, LARGEST = 20 };

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

static LunaPlanWork climb(const LunaPlanItems *items, uint64_t steps,
                          LunaArena *arena) {
  uint32_t members[MAX_ITEMS];
  int64_t start[MAX_ITEMS];
  stack_up(items, members, start);
  LunaPlanWork work =
      luna_plan_work_make(items, members, items->count, start, 1,
                          luna_plan_items_bound(items).bytes, arena);
  work.step_budget = steps;
  luna_plan_climb(&work, 0, steps, arena);
  CHECK(work.steps <= steps);
  CHECK(work.bound <= work.best);
  return work;
}

static void check_plan(const LunaPlanItems *items, const LunaPlanWork *work) {
  CHECK_EQ(luna_plan_items_peak(items, work->offsets), work->best);
  CHECK(is_plan_of_items(items, work->offsets));
}

static void few_items_are_mostly_planned_as_small_as_by_brute_force(void) {
  int optimum_count = 0;
  Random random = {11};
  for (int i = 0; i < SMALL_PROBLEMS; ++i) {
    LunaArena arena = {0};
    LunaPlanItems items = random_items(
        &arena, &random, 1 + random_below(&random, SMALL_ITEMS), LARGEST);
    LunaPlanWork work = climb(&items, 2000, &arena);
    check_plan(&items, &work);
    int64_t optimum = smallest_peak(&items);
    CHECK(work.best >= optimum);
    CHECK(work.bound <= optimum);
    optimum_count += work.best == optimum;
    luna_arena_destroy(&arena);
  }
  CHECK(optimum_count >= SMALL_PROBLEMS * 9 / 10);
}

static void many_items_are_planned_validly_and_always_the_same(void) {
  Random random = {5};
  for (int i = 0; i < 20; ++i) {
    LunaArena arena = {0};
    LunaPlanItems items = random_items(&arena, &random, MAX_ITEMS, LARGEST);
    LunaPlanWork work = climb(&items, 5000, &arena);
    check_plan(&items, &work);
    LunaPlanWork again = climb(&items, 5000, &arena);
    for (uint32_t k = 0; k < MAX_ITEMS; ++k)
      CHECK_EQ(work.offsets[k], again.offsets[k]);
    CHECK_EQ(work.steps, again.steps);
    LunaPlanWork longer = climb(&items, 20000, &arena);
    CHECK(longer.best <= work.best);
    luna_arena_destroy(&arena);
  }
}

int main(void) {
  RUN_TEST(few_items_are_mostly_planned_as_small_as_by_brute_force);
  RUN_TEST(many_items_are_planned_validly_and_always_the_same);
  return 0;
}
