// The climb alone, without the searches before it: from items laid one on top
// of another it comes to a valid plan; where items are few, mostly to the
// smallest that brute force finds.

#include "check.h"
#include "luna/checked.h"
#include "plan_climb.h"
#include "random_program.h"

enum { MAX_ITEMS = 60, SMALL_ITEMS = 6, SMALL_PROBLEMS = 500 };

// Random lifetimes of one or two ranges, some items aligned.
static LunaPlanItems random_items(LunaArena *arena, Random *random,
                                  uint32_t count) {
  LunaPlanItems items = {.count = count, .point_count = 64};
  items.items = LUNA_ARENA_ARRAY(arena, LunaPlanItem, count);
  for (uint32_t i = 0; i < count; ++i) {
    LunaSteps *ranges = LUNA_ARENA_ARRAY(arena, LunaSteps, 2);
    uint32_t range_count = 1 + random_below(random, 2), at = 0;
    for (uint32_t k = 0; k < range_count; ++k) {
      ranges[k].first = at + 1 + random_below(random, 15);
      ranges[k].end = ranges[k].first + 1 + random_below(random, 15);
      at = ranges[k].end;
    }
    items.items[i] = (LunaPlanItem){
        .size_bytes = 1 + random_below(random, 20),
        .align_bytes = random_below(random, 4) == 0 ? 4 : 1,
        .fixed_offset_bytes = -1,
        .lifetime = {.ranges = ranges, .range_count = range_count},
        .id = i,
    };
  }
  luna_plan_items_connect(&items, arena);
  return items;
}

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

static bool overlap(const LunaPlanItem *a, int64_t a_offset,
                    const LunaPlanItem *b, int64_t b_offset) {
  return a_offset < b_offset + b->size_bytes &&
         b_offset < a_offset + a->size_bytes && luna_plan_items_conflict(a, b);
}

static void check_plan(const LunaPlanItems *items, const LunaPlanWork *work) {
  CHECK_EQ(luna_plan_items_peak(items, work->offsets), work->best);
  for (uint32_t i = 0; i < items->count; ++i) {
    CHECK_EQ(work->offsets[i] % items->items[i].align_bytes, 0);
    CHECK(work->offsets[i] >= 0);
    for (uint32_t k = 0; k < i; ++k)
      CHECK(!overlap(&items->items[i], work->offsets[i], &items->items[k],
                     work->offsets[k]));
  }
}

// The smallest peak over all orders with first fit; the items in the bits
// `placed` lie at `offsets`.
static int64_t smallest(const LunaPlanItems *items, uint32_t placed,
                        int64_t *offsets, int64_t peak) {
  if (placed == (1u << items->count) - 1)
    return peak;
  int64_t best = INT64_MAX;
  for (uint32_t i = 0; i < items->count; ++i) {
    const LunaPlanItem *item = &items->items[i];
    if (placed >> i & 1)
      continue;
    offsets[i] = 0;
    for (uint32_t k = 0; k < items->count;) {
      bool is_free = (placed >> k & 1) == 0 ||
                     !overlap(item, offsets[i], &items->items[k], offsets[k]);
      offsets[i] += is_free ? 0 : item->align_bytes;
      k = is_free ? k + 1 : 0;
    }
    int64_t end = offsets[i] + item->size_bytes;
    int64_t found =
        smallest(items, placed | 1u << i, offsets, end > peak ? end : peak);
    best = found < best ? found : best;
  }
  return best;
}

static void few_items_are_mostly_planned_as_small_as_by_brute_force(void) {
  int optimum_count = 0;
  Random random = {11};
  for (int i = 0; i < SMALL_PROBLEMS; ++i) {
    LunaArena arena = {0};
    int64_t offsets[SMALL_ITEMS];
    LunaPlanItems items =
        random_items(&arena, &random, 1 + random_below(&random, SMALL_ITEMS));
    LunaPlanWork work = climb(&items, 2000, &arena);
    check_plan(&items, &work);
    int64_t optimum = smallest(&items, 0, offsets, 0);
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
    LunaPlanItems items = random_items(&arena, &random, MAX_ITEMS);
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
