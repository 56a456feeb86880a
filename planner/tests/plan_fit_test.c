// The three ways to find what an item meets give the same plan.

#include "check.h"
#include "plan_strategy.h"
#include "random_program.h"

enum { ITEM_COUNT = 300 };

// Random lifetimes, some with gaps, or all of one range around one point; a few
// items are fixed on top of each other's reach.
static LunaPlanItems random_items(LunaArena *arena, Random *random,
                                  bool is_dense) {
  LunaPlanItems items = {.count = ITEM_COUNT, .point_count = 1000};
  items.items = LUNA_ARENA_ARRAY(arena, LunaPlanItem, ITEM_COUNT);
  for (uint32_t i = 0; i < ITEM_COUNT; ++i) {
    LunaSteps *ranges = LUNA_ARENA_ARRAY(arena, LunaSteps, 3);
    uint32_t range_count = is_dense ? 1 : random_below(random, 4), at = 0;
    for (uint32_t k = 0; k < range_count; ++k) {
      ranges[k].first = at + 1 + random_below(random, 200);
      ranges[k].end = ranges[k].first + 1 + random_below(random, 100);
      at = ranges[k].end;
    }
    if (is_dense)
      ranges[0].end += 200;
    items.items[i] = (LunaPlanItem){
        .size_bytes = random_below(random, 50),
        .align_bytes = 1 << random_below(random, 4),
        .fixed_offset_bytes = i % 60 == 0 ? 64 * (int64_t)i : -1,
        .lifetime = {.ranges = ranges, .range_count = range_count},
        .id = i,
    };
  }
  return items;
}

static int64_t *place(const LunaPlanItems *items,
                      const LunaPlanStrategy *strategy, LunaArena *arena) {
  LunaPlanContext context = {0};
  int64_t *offsets = LUNA_ARENA_ARRAY(arena, int64_t, ITEM_COUNT);
  strategy->place(strategy, items, &context, offsets, arena);
  return offsets;
}

static void lists_index_and_walks_agree(void) {
  Random random = {5};
  static const char *const names[] = {
      "large-first", "tflite-offset-greedy-by-size", "leapmind-skyline"};
  for (int round = 0; round < 20; ++round) {
    LunaArena arena = {0};
    LunaPlanItems items = random_items(&arena, &random, round % 2 == 1);
    LunaPlanItems listed = items, indexed = items, walked = items;
    luna_plan_items_connect(&listed, &arena);
    CHECK(listed.neighbour_starts != NULL);
    walked.conflict_count = (uint64_t)ITEM_COUNT * ITEM_COUNT;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
      const LunaPlanStrategy *strategy = luna_plan_strategy_find(names[i]);
      const int64_t *a = place(&listed, strategy, &arena);
      const int64_t *b = place(&indexed, strategy, &arena);
      const int64_t *c = place(&walked, strategy, &arena);
      for (uint32_t k = 0; k < ITEM_COUNT; ++k) {
        CHECK_EQ(b[k], a[k]);
        CHECK_EQ(c[k], a[k]);
      }
    }
    luna_arena_destroy(&arena);
  }
}

int main(void) {
  RUN_TEST(lists_index_and_walks_agree);
  return 0;
}
