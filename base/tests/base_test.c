#define _POSIX_C_SOURCE 200809L

#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "luna/arena.h"
#include "luna/checked.h"
#include "luna/error.h"
#include "luna/json.h"
#include "luna/prefix.h"
#include "luna/text.h"

static void error_is_cut_to_its_room(void) {
  LunaError error = {0};
  CHECK(!luna_error_set(&error, LUNA_ERROR_INPUT, 7, "%0600d", 1));
  CHECK_EQ(strlen(error.message), sizeof error.message - 1);
  CHECK_EQ(error.item, 7);
  CHECK_EQ(luna_error_exit_code(error.code), 2);
}

static void arena_blocks_are_zeroed_and_apart(void) {
  LunaArena arena = {0};
  char *first = LUNA_ARENA_ARRAY(&arena, char, 100000);
  char *second = LUNA_ARENA_ARRAY(&arena, char, 100000);
  CHECK_EQ(first[99999], 0);
  memset(first, 1, 100000);
  CHECK_EQ(second[0] + second[99999], 0);
  CHECK_EQ((uintptr_t)second % 16, 0);
  CHECK_STR(luna_arena_printf(&arena, "%d-%s", 4, "x"), "4-x");
  luna_arena_destroy(&arena);
}

static void checked_arithmetic_refuses_overflow(void) {
  int64_t value = 0;
  CHECK(luna_checked_add(INT64_MAX - 1, 1, &value));
  CHECK(!luna_checked_add(INT64_MAX, 1, &value));
  CHECK(!luna_checked_mul(INT64_MAX / 2 + 1, 2, &value));
  CHECK(!luna_checked_add(-1, 1, &value));
  CHECK(luna_checked_align(17, 16, &value));
  CHECK_EQ(value, 32);
  CHECK(!luna_checked_align(INT64_MAX, 16, &value));
  CHECK(!luna_checked_align(1, 0, &value));
}

// Against the products and sums of all pairs at and around the limits.
static void signed_arithmetic_refuses_overflow(void) {
  static const int64_t values[] = {
      INT64_MIN, INT64_MIN + 1, INT64_MIN / 2, -3037000500, -2, -1, 0, 1,
      2,         3037000499,    INT64_MAX / 2, INT64_MAX};
  enum { COUNT = sizeof values / sizeof *values };
  for (int i = 0; i < COUNT; ++i)
    for (int k = 0; k < COUNT; ++k) {
      int64_t a = values[i], b = values[k], found = 0;
      // Exact in long double: its mantissa has 64 bits.
      long double sum = (long double)a + b, product = (long double)a * b;
      CHECK_EQ(luna_checked_add_signed(a, b, &found),
               sum >= INT64_MIN && sum <= INT64_MAX);
      CHECK_EQ(luna_checked_mul_signed(a, b, &found),
               product >= INT64_MIN && product <= INT64_MAX);
    }
  CHECK_EQ(luna_trips(0, 0, 1), 0);
  CHECK_EQ(luna_trips(0, 8, 4), 2);
  CHECK_EQ(luna_trips(0, 9, 4), 3);
  CHECK_EQ(luna_trips(-4, INT64_MAX, INT64_C(1) << 62), 3);
  CHECK_EQ(luna_trips(INT64_MIN, INT64_MAX, 1), UINT64_MAX);
  CHECK_EQ(luna_trips(INT64_MAX, INT64_MIN, 1), 0);
  CHECK_EQ(luna_floor_div(-7, 2), -4);
  CHECK_EQ(luna_floor_mod(-7, 2), 1);
  CHECK_EQ(luna_floor_div(7, 2), 3);
}

static void json_nests_and_escapes(void) {
  LunaText text = {0};
  LunaJson json = {.text = &text};
  luna_json_begin_object(&json, NULL);
  luna_json_string(&json, "a\"", "x\n\xff");
  luna_json_begin_array(&json, "list");
  luna_json_integer(&json, NULL, -3);
  luna_json_bool(&json, NULL, true);
  luna_json_end_array(&json);
  luna_json_begin_object(&json, "empty");
  luna_json_end_object(&json);
  luna_json_end_object(&json);
  CHECK_STR(text.data, "{\n  \"a\\\"\": \"x\\u000a\\ufffd\",\n  \"list\": [\n"
                       "    -3,\n    true\n  ],\n  \"empty\": {}\n}\n");
  luna_text_deinit(&text);
}

static void file_is_written_whole_or_not_at_all(void) {
  LunaError error = {0};
  CHECK(!luna_text_write_file("/nonexistent/x", "a", 1, &error));
  CHECK_EQ(error.code, LUNA_ERROR_SETUP);
  CHECK(luna_text_write_file("base_test.tmp", "abc", 3, &error));
  LunaText text = {0};
  CHECK(luna_text_read_file(&text, "base_test.tmp", 3, &error));
  CHECK_STR(text.data, "abc");
  CHECK(!luna_text_read_file(&text, "base_test.tmp", 2, &error));
  CHECK(!luna_text_read_file(&text, ".", 100, &error));
  remove("base_test.tmp");
  struct stat status;
  CHECK(luna_text_write_file("/dev/null", "abc", 3, &error));
  CHECK(stat("/dev/null", &status) == 0 && S_ISCHR(status.st_mode));
  luna_text_deinit(&text);
}

static bool reads_below(const char *path, const char *content) {
  LunaText text = {0};
  LunaError error = {0};
  bool is_read = luna_text_read_below(&text, "below.tmp", path, 100, &error);
  CHECK_STR(is_read ? text.data : error.message, content);
  luna_text_deinit(&text);
  return is_read;
}

static void what_is_read_lies_below_the_folder(void) {
  LunaError error = {0};
  CHECK_EQ(mkdir("below.tmp", 0700) | mkdir("below.tmp/in", 0700), 0);
  CHECK(luna_text_write_file("below.tmp/in/x", "abc", 3, &error));
  CHECK_EQ(symlink("in/x", "below.tmp/file") | symlink(".", "below.tmp/dir") |
               mkfifo("below.tmp/pipe", 0600),
           0);
  CHECK(reads_below("in/x", "abc") && reads_below("./in//x", "abc"));
  CHECK(!reads_below("in/y", "cannot open 'in/y': No such file or directory"));
  CHECK(!reads_below("in",
                     "'in' is not a regular file (links are not followed)"));
  CHECK(!reads_below("pipe",
                     "'pipe' is not a regular file (links are not followed)"));
  CHECK(!reads_below("file",
                     "'file' is not a regular file (links are not followed)"));
  CHECK(!reads_below(
      "dir/in/x", "'dir/in/x' is not a regular file (links are not followed)"));
  const char *const made[] = {"in/x", "in", "file", "dir", "pipe", ""};
  char path[64];
  for (size_t i = 0; i < sizeof made / sizeof *made; ++i) {
    snprintf(path, sizeof path, "below.tmp/%s", made[i]);
    CHECK_EQ(remove(path), 0);
  }
}

static void the_prefix_is_two_folders_above_the_program(void) {
  LunaArena arena = {0};
  const char *path = luna_prefix_path(&arena, "unit_tests/base_test");
  CHECK_EQ(path[0], '/');
  CHECK(access(path, X_OK) == 0);
  luna_arena_destroy(&arena);
}

int main(void) {
  RUN_TEST(error_is_cut_to_its_room);
  RUN_TEST(arena_blocks_are_zeroed_and_apart);
  RUN_TEST(checked_arithmetic_refuses_overflow);
  RUN_TEST(signed_arithmetic_refuses_overflow);
  RUN_TEST(json_nests_and_escapes);
  RUN_TEST(file_is_written_whole_or_not_at_all);
  RUN_TEST(what_is_read_lies_below_the_folder);
  RUN_TEST(the_prefix_is_two_folders_above_the_program);
  return 0;
}
