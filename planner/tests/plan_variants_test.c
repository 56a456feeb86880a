// The variants alone, searched or climbed: from items laid one on top of
// another they come to a valid plan close to the bound, the same every time;
// steps are kept to.

#include "check.h"
#include "luna/checked.h"
#include "plan_variants.h"
#include "random_items.h"

enum { ITEMS = 60, LARGEST = 50000, PROBLEMS = 12, SHARE = 4000 };

typedef void Run(LunaPlanVariants *variants, LunaPlanWork *work, int64_t enough,
                 uint64_t share);

static Run *const runs[] = {luna_plan_variants_search,
                            luna_plan_variants_climb};
enum { RUN_COUNT = sizeof runs / sizeof *runs };

// Runs variants of items laid one on top of another, twice; all zero where
// there are no variants.
static LunaPlanWork search(const LunaPlanItems *items, Run *run, uint64_t steps,
                           uint64_t share, LunaArena *arena) {
  uint32_t members[ITEMS];
  int64_t start[ITEMS], at = 0;
  for (uint32_t i = 0; i < items->count; ++i) {
    members[i] = i;
    start[i] = luna_align_up(at, items->items[i].align_bytes);
    at = start[i] + items->items[i].size_bytes;
  }
  LunaPlanWork work =
      luna_plan_work_make(items, members, items->count, start, 1,
                          luna_plan_items_bound(items).bytes, arena);
  work.step_budget = steps;
  LunaPlanVariants *variants = luna_plan_variants_create(
      luna_plan_again_create(items, members, items->count, 1, arena), &work,
      arena);
  if (!variants)
    return (LunaPlanWork){0};
  for (int part = 0; part < 2; ++part)
    run(variants, &work, 0, share / 2);
  CHECK(work.steps <= steps);
  CHECK(work.bound <= work.best);
  CHECK_EQ(luna_plan_items_peak(items, work.offsets), work.best);
  CHECK(is_plan_of_items(items, work.offsets));
  return work;
}

static void plans_are_valid_and_close_to_the_bound(void) {
  Random random = {7};
  for (int i = 0; i < PROBLEMS * RUN_COUNT; ++i) {
    LunaArena arena = {0};
    Run *run = runs[i % RUN_COUNT];
    LunaPlanItems items = random_items(&arena, &random, ITEMS, LARGEST);
    LunaPlanWork work = search(&items, run, UINT64_MAX, SHARE, &arena);
    CHECK(work.best > 0 && work.best < work.bound + work.bound / 4);
    LunaPlanWork again = search(&items, run, UINT64_MAX, SHARE, &arena);
    CHECK_EQ(work.best, again.best);
    CHECK_EQ(work.steps, again.steps);
    luna_arena_destroy(&arena);
  }
}

static void fewer_steps_only_cut_the_search(void) {
  Random random = {9};
  LunaArena arena = {0};
  LunaPlanItems items = random_items(&arena, &random, ITEMS, LARGEST);
  for (int i = 0; i < RUN_COUNT; ++i) {
    int64_t before = INT64_MAX;
    for (uint64_t steps = 1; steps < 20000; steps = steps * 3 / 2 + 1) {
      LunaPlanWork work = search(&items, runs[i], steps, SHARE, &arena);
      CHECK(work.best <= before);
      before = work.best;
    }
  }
  luna_arena_destroy(&arena);
}

static void sizes_in_large_units_have_no_variants(void) {
  Random random = {3};
  LunaArena arena = {0};
  LunaPlanItems items = random_items(&arena, &random, ITEMS, 20);
  CHECK_EQ(search(&items, runs[0], UINT64_MAX, SHARE, &arena).best, 0);
  luna_arena_destroy(&arena);
}

int main(void) {
  RUN_TEST(plans_are_valid_and_close_to_the_bound);
  RUN_TEST(fewer_steps_only_cut_the_search);
  RUN_TEST(sizes_in_large_units_have_no_variants);
  return 0;
}
