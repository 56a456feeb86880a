// What stands for contents in keys is the same everywhere.

#include "luna/content.h"

#include "check.h"
#include "luna/build_id.h"

static void digests_are_blake3(void) {
  LunaArena arena = {0};
  CHECK_STR(luna_content_record(&arena, "abc", "abc", 3),
            "abc: 6437b3ac38465133ffb63b75273a8db5"
            "48c558465d79db03fd359c6cd5bd9d85");
  CHECK_STR(luna_content_record(&arena, "nothing", "", 0),
            "nothing: af1349b9f5f9a1a6a0404dea36dcc949"
            "9bcb25c9adc112b7cc9a93cae41f3262");
  luna_arena_destroy(&arena);
}

// Of the program, LLVM and MLIR at least, 20 bytes each after their length.
static void builds_are_known(void) {
  LunaText first = {0}, second = {0};
  CHECK(luna_build_ids(&first) && luna_build_ids(&second));
  CHECK(first.length >= 3 * (8 + 16));
  CHECK_EQ(first.length, second.length);
  CHECK(memcmp(first.data, second.data, first.length) == 0);
  luna_text_deinit(&first);
  luna_text_deinit(&second);
}

int main(void) {
  RUN_TEST(digests_are_blake3);
  RUN_TEST(builds_are_known);
  return 0;
}
