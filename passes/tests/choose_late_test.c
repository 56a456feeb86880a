#include "choose_late.h"

#include "check.h"

static LunaArena arena;

typedef struct Case {
  LunaLateWeights weights;
  uint64_t need[2]; // of each, a bit for each weights, one must be late
  int asked;
} Case;

static bool fits(void *data) {
  Case *test = data;
  uint64_t late = 0;
  ++test->asked;
  for (uint64_t i = 0; i < test->weights.count; ++i)
    late |= (uint64_t)test->weights.items[i].is_late << i;
  return (test->need[0] == 0 || (late & test->need[0]) != 0) &&
         (test->need[1] == 0 || (late & test->need[1]) != 0);
}

static uint64_t choose(Case *test, uint64_t count, const LunaWeights *items) {
  uint64_t late = 0;
  test->weights.arena = &arena;
  for (uint64_t i = 0; i < count; ++i)
    *LUNA_VECTOR_ADD(&arena, &test->weights) = items[i];
  luna_choose_late(&test->weights, fits, test);
  CHECK(fits(test));
  for (uint64_t i = 0; i < count; ++i)
    late |= (uint64_t)test->weights.items[i].is_late << i;
  return late;
}

static const LunaWeights three[] = {
    {.live_bytes = 900, .byte_count = 64, .hidden_cycles = 300},
    {.live_bytes = 500, .byte_count = 64, .hidden_cycles = 100},
    {.live_bytes = 700, .byte_count = 64, .hidden_cycles = 200},
};

static void the_cheapest_that_fit_are_late(void) {
  Case any = {.need = {7}};
  CHECK_EQ(choose(&any, 3, three), 2);
  Case first_or_last = {.need = {5}};
  CHECK_EQ(choose(&first_or_last, 3, three), 4);
  Case two = {.need = {1, 6}};
  CHECK_EQ(choose(&two, 3, three), 3);
}

static void none_or_all_may_be_late(void) {
  Case none = {.need = {0}};
  CHECK_EQ(choose(&none, 3, three), 0);
  Case empty = {.need = {0}};
  CHECK_EQ(choose(&empty, 0, three), 0);
  const LunaWeights one = {.live_bytes = 1, .byte_count = 4};
  Case all = {.need = {1}};
  CHECK_EQ(choose(&all, 1, &one), 1);
}

// Of many, only one has to be late, and plans are few.
static void few_plans_find_one_of_many(void) {
  enum { COUNT = 64 };
  LunaWeights many[COUNT];
  for (int64_t i = 0; i < COUNT; ++i)
    many[i] = (LunaWeights){.live_bytes = 1000 - i,
                            .byte_count = 64,
                            .hidden_cycles = (uint64_t)(10 + i)};
  Case test = {.need = {1ULL << 5}};
  CHECK_EQ(choose(&test, COUNT, many), 1ULL << 5);
  CHECK(test.asked < COUNT);
}

int main(void) {
  RUN_TEST(the_cheapest_that_fit_are_late);
  RUN_TEST(none_or_all_may_be_late);
  RUN_TEST(few_plans_find_one_of_many);
  luna_arena_destroy(&arena);
  return 0;
}
