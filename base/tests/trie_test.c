#include "check.h"
#include "luna/trie.h"

static int objects[70000];

static void an_empty_trie_has_no_items(void) {
  LunaTrie trie = {0};
  uint32_t index = 0;
  CHECK(luna_trie_get(trie, 0) == NULL);
  CHECK(luna_trie_get(trie, UINT32_MAX) == NULL);
  CHECK(!luna_trie_next(trie, &index));
  CHECK(!luna_trie_next_difference(trie, trie, &index));
}

static void items_stay_where_they_were_set(void) {
  LunaArena arena = {0};
  LunaTrie trie = {0};
  for (uint32_t i = 0; i < 70000; i += 7)
    luna_trie_set(&arena, &trie, i, &objects[i]);
  for (uint32_t i = 0; i < 70000; ++i)
    CHECK(luna_trie_get(trie, i) == (i % 7 == 0 ? &objects[i] : NULL));
  luna_trie_set(&arena, &trie, UINT32_MAX, &objects[1]);
  CHECK(luna_trie_get(trie, UINT32_MAX) == &objects[1]);
  CHECK(luna_trie_get(trie, 69993) == &objects[69993]);
  luna_arena_destroy(&arena);
}

static void next_finds_all_items_in_order(void) {
  static const uint32_t set[] = {0, 15, 16, 255, 256, 4096, 65535, 65536};
  LunaArena arena = {0};
  LunaTrie trie = {0};
  for (int i = 0; i < 8; ++i)
    luna_trie_set(&arena, &trie, set[i], &objects[i]);
  uint32_t index = 0;
  for (int i = 0; i < 8; ++i, ++index) {
    CHECK(luna_trie_next(trie, &index));
    CHECK_EQ(index, set[i]);
  }
  CHECK(!luna_trie_next(trie, &index));
  for (int i = 0; i < 8; ++i)
    luna_trie_set(&arena, &trie, set[i], NULL);
  index = 0;
  CHECK(!luna_trie_next(trie, &index));
  CHECK(trie.root == NULL);
  luna_arena_destroy(&arena);
}

static void a_copy_keeps_its_items(void) {
  LunaArena arena = {0};
  LunaTrie trie = {0};
  luna_trie_set(&arena, &trie, 5, &objects[5]);
  LunaTrie copy = trie;
  luna_trie_set(&arena, &trie, 5, &objects[6]);
  luna_trie_set(&arena, &trie, 5000, &objects[7]);
  CHECK(luna_trie_get(copy, 5) == &objects[5]);
  CHECK(luna_trie_get(copy, 5000) == NULL);
  luna_arena_destroy(&arena);
}

// `a` has objects[i] at each i, `b` too but for every 1,000th below `b_count`.
static void differences_are_found_between_heights(uint32_t b_count) {
  LunaArena arena = {0};
  LunaTrie a = {0};
  for (uint32_t i = 0; i < 70000; ++i)
    luna_trie_set(&arena, &a, i, &objects[i]);
  LunaTrie b = {0};
  for (uint32_t i = 0; i < b_count; ++i)
    luna_trie_set(&arena, &b, i, i % 1000 == 7 ? NULL : &objects[i]);
  uint32_t index = 0;
  for (uint32_t i = 7; i < b_count; i += 1000, ++index) {
    CHECK(luna_trie_next_difference(a, b, &index));
    CHECK_EQ(index, i);
  }
  index = 0;
  CHECK(luna_trie_next_difference(b, a, &index));
  CHECK_EQ(index, b_count > 7 ? 7 : b_count);
  luna_arena_destroy(&arena);
}

static void differences_of_a_changed_copy_are_found(void) {
  LunaArena arena = {0};
  LunaTrie a = {0};
  for (uint32_t i = 0; i < 3000; ++i)
    luna_trie_set(&arena, &a, i, &objects[i]);
  LunaTrie b = a;
  uint32_t index = 0;
  CHECK(!luna_trie_next_difference(a, b, &index));
  luna_trie_set(&arena, &b, 2999, NULL);
  luna_trie_set(&arena, &b, 16, &objects[17]);
  CHECK(luna_trie_next_difference(a, b, &index));
  CHECK_EQ(index, 16);
  ++index;
  CHECK(luna_trie_next_difference(a, b, &index));
  CHECK_EQ(index, 2999);
  ++index;
  CHECK(!luna_trie_next_difference(a, b, &index));
  luna_arena_destroy(&arena);
}

static void differences_are_found(void) {
  differences_are_found_between_heights(0);
  differences_are_found_between_heights(1);
  differences_are_found_between_heights(20);
  differences_are_found_between_heights(5000);
  differences_are_found_between_heights(70000);
}

int main(void) {
  RUN_TEST(an_empty_trie_has_no_items);
  RUN_TEST(items_stay_where_they_were_set);
  RUN_TEST(next_finds_all_items_in_order);
  RUN_TEST(a_copy_keeps_its_items);
  RUN_TEST(differences_of_a_changed_copy_are_found);
  RUN_TEST(differences_are_found);
  return 0;
}
