// The largest clique of items with gaps is that of brute force.

#include "check.h"
#include "plan_clique.h"
#include "random_program.h"

enum { MAX_ITEMS = 12, ITEM_SETS = 2000 };

static LunaPlanItems random_items(LunaArena *arena, Random *random) {
  LunaPlanItems items = {.count = 1 + random_below(random, MAX_ITEMS),
                         .point_count = 60};
  items.items = LUNA_ARENA_ARRAY(arena, LunaPlanItem, items.count);
  for (uint32_t i = 0; i < items.count; ++i) {
    uint32_t range_count = 1 + random_below(random, 3), at = 0;
    LunaSteps *ranges = LUNA_ARENA_ARRAY(arena, LunaSteps, range_count);
    for (uint32_t k = 0; k < range_count; ++k) {
      ranges[k].first = at + 1 + random_below(random, 8);
      ranges[k].end = ranges[k].first + 1 + random_below(random, 8);
      at = ranges[k].end;
    }
    items.items[i] = (LunaPlanItem){
        .size_bytes = 1 + random_below(random, 20),
        .align_bytes = 1,
        .fixed_offset_bytes = -1,
        .lifetime = {.ranges = ranges, .range_count = range_count},
        .id = i,
    };
  }
  luna_plan_items_connect(&items, arena);
  return items;
}

// Returns the bytes of a set of items if they meet two by two, or 0.
static int64_t bytes_of_clique(const LunaPlanItems *items, uint32_t set) {
  int64_t bytes = 0;
  for (uint32_t i = 0; i < items->count; ++i) {
    if ((set >> i & 1) == 0)
      continue;
    bytes += items->items[i].size_bytes;
    for (uint32_t k = 0; k < i; ++k)
      if ((set >> k & 1) != 0 &&
          !luna_plan_items_conflict(&items->items[i], &items->items[k]))
        return 0;
  }
  return bytes;
}

static void the_clique_is_that_of_brute_force(void) {
  Random random = {3};
  uint32_t above_points = 0;
  for (int round = 0; round < ITEM_SETS; ++round) {
    LunaArena arena = {0};
    LunaPlanItems items = random_items(&arena, &random);
    uint32_t members[MAX_ITEMS];
    int64_t largest = 0, point = luna_plan_items_bound(&items).bytes;
    for (uint32_t i = 0; i < items.count; ++i)
      members[i] = i;
    for (uint32_t set = 1; set < (uint32_t)1 << items.count; ++set) {
      int64_t bytes = bytes_of_clique(&items, set);
      largest = largest < bytes ? bytes : largest;
    }
    above_points += largest > point;
    CHECK_EQ(
        luna_plan_clique_bytes(&items, members, items.count, point, &arena),
        largest);
    CHECK_EQ(luna_plan_clique_bytes(&items, members, items.count, largest + 7,
                                    &arena),
             largest + 7);
    luna_arena_destroy(&arena);
  }
  CHECK(above_points > ITEM_SETS / 20);
}

// Many items of one size, most of which meet: the search is cut, and what it
// found is a clique.
static void a_search_that_is_cut_gives_a_clique(void) {
  Random random = {4};
  LunaArena arena = {0};
  enum { COUNT = 1200, POINTS = 400 };
  LunaPlanItems items = {.count = COUNT, .point_count = POINTS};
  uint32_t *members = LUNA_ARENA_ARRAY(&arena, uint32_t, COUNT);
  items.items = LUNA_ARENA_ARRAY(&arena, LunaPlanItem, COUNT);
  for (uint32_t i = 0; i < COUNT; ++i) {
    LunaSteps *ranges = LUNA_ARENA_ARRAY(&arena, LunaSteps, POINTS);
    uint32_t range_count = 0;
    for (uint32_t at = random_below(&random, 20); at < POINTS - 20;
         at += 2 + random_below(&random, 30))
      ranges[range_count++] = (LunaSteps){at, at + 1};
    members[i] = i;
    items.items[i] = (LunaPlanItem){
        .size_bytes = 10,
        .align_bytes = 1,
        .fixed_offset_bytes = -1,
        .lifetime = {.ranges = ranges, .range_count = range_count},
        .id = i,
    };
  }
  luna_plan_items_connect(&items, &arena);
  CHECK(items.neighbour_starts != NULL);
  int64_t point = luna_plan_items_bound(&items).bytes;
  int64_t bytes = luna_plan_clique_bytes(&items, members, COUNT, 0, &arena);
  CHECK(bytes > 0 && bytes <= 10 * COUNT && bytes % 10 == 0);
  CHECK(luna_plan_clique_bytes(&items, members, COUNT, point, &arena) >= point);
  luna_arena_destroy(&arena);
}

int main(void) {
  RUN_TEST(the_clique_is_that_of_brute_force);
  RUN_TEST(a_search_that_is_cut_gives_a_clique);
  return 0;
}
