// Windows alone: from any plan they come to a valid one that is no larger and
// the same every time; where a window takes the whole problem, to the smallest
// that brute force finds; and where it does not, below what greedy orders find.

#include "check.h"
#include "luna/checked.h"
#include "plan_windows.h"
#include "random_items.h"

enum { LARGEST = 40, SMALL_ITEMS = 6, SMALL_PROBLEMS = 300 };

// A plan without any sharing, above what is fixed.
static void stack_up(const LunaPlanItems *items, int64_t above,
                     int64_t *offsets) {
  for (uint32_t i = 0; i < items->count; ++i) {
    const LunaPlanItem *item = &items->items[i];
    offsets[i] = item->fixed_offset_bytes;
    if (offsets[i] >= 0)
      continue;
    offsets[i] = luna_align_up(above, item->align_bytes);
    above = offsets[i] + item->size_bytes;
  }
}

// Returns the steps taken.
static uint64_t lower(const LunaPlanItems *items, int64_t enough,
                      uint64_t steps, int64_t *offsets, LunaArena *arena) {
  LunaPlanContext context = {0};
  luna_plan_lower_in_windows(items, 1, enough, steps, &context, offsets, arena);
  CHECK(context.steps <= steps);
  CHECK(is_plan_of_items(items, offsets));
  return context.steps;
}

static void few_items_are_planned_as_small_as_by_brute_force(void) {
  enum { HIGHEST = 60 };
  Random random = {7};
  for (int i = 0; i < SMALL_PROBLEMS; ++i) {
    LunaArena arena = {0};
    int64_t offsets[SMALL_ITEMS];
    LunaPlanItems items = random_items(
        &arena, &random, 1 + random_below(&random, SMALL_ITEMS), LARGEST);
    if (i % 2 == 1)
      fix_random_items(&items, &random, HIGHEST);
    int64_t least = smallest_peak(&items);
    stack_up(&items, HIGHEST + LARGEST, offsets);
    lower(&items, least, 20000, offsets, &arena);
    CHECK_EQ(luna_plan_items_peak(&items, offsets), least);
    luna_arena_destroy(&arena);
  }
}

// Full layers, each cut into items at random: with all of them on top of each
// other, a plan without a gap.
static LunaPlanItems make_layers(LunaArena *arena, Random *random,
                                 uint32_t layers, uint32_t points) {
  LunaPlanItems items = {.point_count = points};
  items.items = LUNA_ARENA_ARRAY(arena, LunaPlanItem, layers * points);
  for (uint32_t i = 0; i < layers; ++i) {
    int64_t size = 8 + random_below(random, 56);
    for (uint32_t first = 0; first < points;) {
      LunaSteps *range = LUNA_ARENA_ARRAY(arena, LunaSteps, 1);
      uint32_t end = first + 1 + random_below(random, 24);
      *range = (LunaSteps){first, end < points ? end : points};
      first = range->end;
      items.items[items.count++] =
          (LunaPlanItem){.size_bytes = size,
                         .align_bytes = 1,
                         .fixed_offset_bytes = -1,
                         .lifetime = {.ranges = range, .range_count = 1}};
    }
  }
  for (uint32_t left = items.count; left > 0; --left) {
    uint32_t other = random_below(random, left);
    LunaPlanItem item = items.items[other];
    items.items[other] = items.items[left - 1];
    items.items[left - 1] = item;
  }
  return items;
}

static bool is_larger(const void *context, uint32_t a, uint32_t b) {
  const LunaPlanItem *items = context;
  return items[a].size_bytes > items[b].size_bytes;
}

static void place_largest_first(const LunaPlanItems *items, int64_t *offsets,
                                LunaArena *arena) {
  uint32_t count = 0;
  const uint32_t *order =
      luna_plan_order_items(items, is_larger, items->items, &count, arena);
  luna_plan_place_in_order(items, order, count, PLAN_FIT_LOWEST, offsets,
                           arena);
}

static void more_steps_lower_the_peak_of_many_items(void) {
  enum { ITEMS = 20 * 400, RUNS = 4 };
  static int64_t greedy[ITEMS], offsets[RUNS][ITEMS];
  static const uint64_t steps[RUNS] = {0, 20000, 100000, 100000};
  LunaArena arena = {0};
  Random random = {3};
  LunaPlanItems items = make_layers(&arena, &random, 20, 400);
  int64_t bound = luna_plan_items_bound(&items).bytes;
  luna_plan_items_connect(&items, &arena);
  place_largest_first(&items, greedy, &arena);
  int64_t before = luna_plan_items_peak(&items, greedy);
  CHECK(items.count > 500);
  CHECK(before > bound);
  for (int run = 0; run < RUNS; ++run) {
    for (uint32_t i = 0; i < items.count; ++i)
      offsets[run][i] = greedy[i];
    lower(&items, bound, steps[run], offsets[run], &arena);
    int64_t peak = luna_plan_items_peak(&items, offsets[run]);
    CHECK(peak <= before);
    before = peak;
  }
  CHECK(before < luna_plan_items_peak(&items, greedy));
  for (uint32_t i = 0; i < items.count; ++i)
    CHECK_EQ(offsets[2][i], offsets[3][i]);
  luna_arena_destroy(&arena);
}

static void no_steps_are_left_above_the_bound(void) {
  enum { ITEMS = 300, STEPS = 30000 };
  Random random = {5};
  for (int i = 0; i < 10; ++i) {
    LunaArena arena = {0};
    int64_t offsets[ITEMS];
    LunaPlanItems items = random_items(&arena, &random, ITEMS, LARGEST);
    int64_t bound = luna_plan_items_bound(&items).bytes;
    stack_up(&items, 0, offsets);
    uint64_t steps = lower(&items, bound, STEPS, offsets, &arena);
    CHECK(steps == STEPS || luna_plan_items_peak(&items, offsets) == bound);
    luna_arena_destroy(&arena);
  }
}

int main(void) {
  RUN_TEST(few_items_are_planned_as_small_as_by_brute_force);
  RUN_TEST(more_steps_lower_the_peak_of_many_items);
  RUN_TEST(no_steps_are_left_above_the_bound);
  return 0;
}
