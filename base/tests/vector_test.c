#include "check.h"
#include "luna/vector.h"

typedef struct Pair {
  uint32_t a;
  char b[3];
} Pair;

static void elements_stay_in_order_as_it_grows(void) {
  LunaArena arena = {0};
  LUNA_VECTOR(Pair) pairs = {0};
  for (uint32_t i = 0; i < 1000; ++i) {
    Pair *added = LUNA_VECTOR_ADD(&arena, &pairs);
    CHECK_EQ(added->a + (uint32_t)added->b[2], 0);
    *added = (Pair){.a = i, .b = "xy"};
  }
  CHECK_EQ(pairs.count, 1000);
  CHECK(pairs.capacity >= pairs.count && pairs.capacity < 2 * 1024);
  for (uint32_t i = 0; i < 1000; ++i) {
    CHECK_EQ(pairs.items[i].a, i);
    CHECK_EQ(pairs.items[i].b[1], 'y');
  }
  luna_arena_destroy(&arena);
}

static void elements_taken_off_the_end_make_room(void) {
  LunaArena arena = {0};
  LUNA_VECTOR(int) stack = {0};
  for (int i = 0; i < 8; ++i)
    *LUNA_VECTOR_ADD(&arena, &stack) = i;
  int *items = stack.items;
  stack.count -= 3;
  for (int i = 0; i < 3; ++i)
    *LUNA_VECTOR_ADD(&arena, &stack) = 10 + i;
  CHECK(stack.items == items);
  CHECK_EQ(stack.items[4] + stack.items[7], 4 + 12);
  luna_arena_destroy(&arena);
}

int main(void) {
  RUN_TEST(elements_stay_in_order_as_it_grows);
  RUN_TEST(elements_taken_off_the_end_make_room);
  return 0;
}
