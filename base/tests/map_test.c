#include "check.h"
#include "luna/map.h"

static void an_empty_map_has_no_key(void) {
  LunaMap map = {0};
  CHECK_EQ(luna_map_find(&map, luna_map_number(0)), LUNA_MAP_ABSENT);
  CHECK_EQ(luna_map_find(&map, luna_map_text("")), LUNA_MAP_ABSENT);
  CHECK_EQ(map.keys.count, 0);
}

// A key that differs from its neighbours in one byte, at the end that a bad
// hash would drop.
static uint64_t key_of(uint32_t i, uint32_t byte) {
  return (uint64_t)(i & 0xff) << 8 * byte | (uint64_t)(i >> 8) << 24;
}

static void numbers_get_indices_in_the_order_of_adding(void) {
  for (uint32_t byte = 0; byte < 3; ++byte) {
    LunaArena arena = {0};
    LunaMap map = {0};
    for (uint32_t i = 0; i < 10000; ++i) {
      LunaMapKey key = luna_map_number(key_of(i, byte));
      CHECK_EQ(luna_map_find(&map, key), LUNA_MAP_ABSENT);
      CHECK_EQ(luna_map_add(&map, &arena, key), i);
      CHECK_EQ(luna_map_add(&map, &arena, key), i);
    }
    CHECK_EQ(map.keys.count, 10000);
    for (uint32_t i = 0; i < 10000; ++i) {
      CHECK_EQ(map.keys.items[i].number, key_of(i, byte));
      CHECK_EQ(luna_map_find(&map, luna_map_number(key_of(i, byte))), i);
    }
    CHECK_EQ(luna_map_find(&map, luna_map_number(UINT64_MAX)), LUNA_MAP_ABSENT);
    luna_arena_destroy(&arena);
  }
}

static void strings_are_equal_by_their_bytes(void) {
  LunaArena arena = {0};
  LunaMap map = {0};
  char text[] = "name.17";
  CHECK_EQ(luna_map_add(&map, &arena, luna_map_text("name.17")), 0);
  CHECK_EQ(luna_map_add(&map, &arena, luna_map_text("name.1")), 1);
  CHECK_EQ(luna_map_add(&map, &arena, luna_map_text("")), 2);
  CHECK_EQ(luna_map_add(&map, &arena, luna_map_bytes("a\0b", 3)), 3);
  CHECK_EQ(luna_map_add(&map, &arena, luna_map_bytes("a\0c", 3)), 4);
  CHECK_EQ(luna_map_find(&map, luna_map_text(text)), 0);
  CHECK_EQ(luna_map_find(&map, luna_map_bytes(text, 6)), 1);
  CHECK_EQ(luna_map_find(&map, luna_map_bytes(NULL, 0)), 2);
  CHECK_EQ(luna_map_find(&map, luna_map_text("a")), LUNA_MAP_ABSENT);
  for (int i = 0; i < 3000; ++i) {
    const char *name = luna_arena_printf(&arena, "layer%d/output", i);
    CHECK_EQ(luna_map_add(&map, &arena, luna_map_text(name)), 5 + i);
  }
  CHECK_EQ(luna_map_find(&map, luna_map_text("layer2047/output")), 2052);
  luna_arena_destroy(&arena);
}

static void an_object_is_its_address(void) {
  LunaArena arena = {0};
  LunaMap map = {0};
  int objects[100];
  for (int i = 0; i < 100; ++i)
    CHECK_EQ(luna_map_add(&map, &arena, luna_map_pointer(&objects[i])), i);
  for (int i = 0; i < 100; ++i)
    CHECK_EQ(luna_map_find(&map, luna_map_pointer(&objects[i])), i);
  CHECK_EQ(luna_map_find(&map, luna_map_pointer(NULL)), LUNA_MAP_ABSENT);
  luna_arena_destroy(&arena);
}

int main(void) {
  RUN_TEST(an_empty_map_has_no_key);
  RUN_TEST(numbers_get_indices_in_the_order_of_adding);
  RUN_TEST(strings_are_equal_by_their_bytes);
  RUN_TEST(an_object_is_its_address);
  return 0;
}
