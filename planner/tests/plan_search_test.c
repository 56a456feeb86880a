// The exact search alone: whether totals count exactly or in classes, it finds
// a plan of the size that brute force finds, and shows smaller ones impossible.

#include "check.h"
#include "plan_search.h"
#include "random_items.h"

enum { PROBLEMS = 400, ITEMS = 6, LARGEST = 40, MAX_CLASS = 64 };

static LunaPlanOutcome search(const LunaPlanItems *items, int64_t total_class,
                              int64_t capacity, LunaArena *arena) {
  uint32_t members[ITEMS];
  int64_t first_keys[ITEMS], second_keys[ITEMS] = {0}, offsets[ITEMS];
  for (uint32_t i = 0; i < items->count; ++i) {
    members[i] = i;
    first_keys[i] = items->items[i].size_bytes % 7;
  }
  LunaPlanOrder order = {.is_by_total = true,
                         .total_class = total_class,
                         .first_keys = first_keys,
                         .second_keys = second_keys};
  LunaPlanSearch *search =
      luna_plan_search_create(items, members, items->count, 1, arena);
  uint64_t steps = 0;
  LunaPlanOutcome outcome =
      luna_plan_search_run(search, capacity, &order, 1000000, &steps, offsets);
  if (outcome == PLAN_FOUND) {
    CHECK(is_plan_of_items(items, offsets));
    CHECK(luna_plan_items_peak(items, offsets) <= capacity);
  }
  return outcome;
}

static void totals_in_classes_lose_no_plan(void) {
  Random random = {23};
  for (int i = 0; i < PROBLEMS; ++i) {
    LunaArena arena = {0};
    LunaPlanItems items = random_items(
        &arena, &random, 1 + random_below(&random, ITEMS), LARGEST);
    int64_t least = smallest_peak(&items);
    for (int64_t width = 1; width <= MAX_CLASS; width *= 4) {
      CHECK_EQ(search(&items, width, least, &arena), PLAN_FOUND);
      CHECK_EQ(search(&items, width, least - 1, &arena), PLAN_IMPOSSIBLE);
    }
    luna_arena_destroy(&arena);
  }
}

// Exactly where what is fixed leaves gaps of all sizes.
static void around_what_is_fixed_it_is_exact(void) {
  enum { HIGHEST = 60 };
  Random random = {31};
  int above = 0;
  for (int i = 0; i < PROBLEMS; ++i) {
    LunaArena arena = {0};
    LunaPlanItems items = random_items(
        &arena, &random, 1 + random_below(&random, ITEMS), LARGEST);
    int64_t free_least = smallest_peak(&items);
    fix_random_items(&items, &random, HIGHEST);
    int64_t least = smallest_peak(&items);
    above += least > free_least;
    CHECK_EQ(search(&items, 1, least, &arena), PLAN_FOUND);
    CHECK_EQ(search(&items, 1, least - 1, &arena), PLAN_IMPOSSIBLE);
    luna_arena_destroy(&arena);
  }
  CHECK(above > PROBLEMS / 4);
}

int main(void) {
  RUN_TEST(totals_in_classes_lose_no_plan);
  RUN_TEST(around_what_is_fixed_it_is_exact);
  return 0;
}
