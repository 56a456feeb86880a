// Sets of allocations: what is new, and what two have in common.

#include "luna/root_set.h"

#include "check.h"

static void what_is_added_is_sorted_and_there_once(void) {
  LunaArena arena = {0};
  LunaRootSet set = {0};
  LunaRootSet odd = {(const uint32_t[]){1, 3, 5}, 3, false};
  LunaRootSet more = {(const uint32_t[]){0, 3, 7}, 3, true};
  CHECK(!luna_root_set_add(&set, (LunaRootSet){0}, &arena));
  CHECK(luna_root_set_add(&set, odd, &arena));
  CHECK(!luna_root_set_add(&set, odd, &arena));
  CHECK(luna_root_set_add(&set, more, &arena));
  CHECK(!luna_root_set_add(&set, more, &arena));
  static const uint32_t expected[] = {0, 1, 3, 5, 7};
  CHECK_EQ(set.count, 5);
  for (uint32_t i = 0; i < set.count; ++i)
    CHECK_EQ(set.ids[i], expected[i]);
  CHECK(set.has_other);
  luna_arena_destroy(&arena);
}

static void sets_meet_in_an_allocation_or_in_others(void) {
  LunaRootSet a = {(const uint32_t[]){1, 4}, 2, false};
  LunaRootSet b = {(const uint32_t[]){0, 2, 4}, 3, true};
  LunaRootSet c = {(const uint32_t[]){3}, 1, true};
  CHECK(luna_roots_meet(a, b));
  CHECK(luna_roots_meet(b, c));
  CHECK(!luna_roots_meet(a, c));
  CHECK(!luna_roots_meet(a, (LunaRootSet){0}));
}

int main(void) {
  RUN_TEST(what_is_added_is_sorted_and_there_once);
  RUN_TEST(sets_meet_in_an_allocation_or_in_others);
  return 0;
}
