// Elements, random values, paths and comparison.

#include "luna/values.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "luna/difference.h"
#include "luna/paths.h"

static void check_printed_as(int32_t type, bool is_unsigned, const void *bytes,
                             int64_t index, const char *expected) {
  LunaProgramTensor tensor = {.type = type, .is_unsigned = is_unsigned};
  LunaText text = {0};
  luna_element_print(&text, &tensor, bytes, index);
  CHECK_STR(text.data, expected);
  luna_text_deinit(&text);
}

static void check_printed(int32_t type, const void *bytes, int64_t index,
                          const char *expected) {
  check_printed_as(type, false, bytes, index, expected);
}

static void elements_print_with_all_their_digits(void) {
  const int16_t shorts[] = {1, -32768};
  const int32_t words[] = {-2147483647 - 1};
  const int64_t longs[] = {9007199254740993};
  const float singles[] = {0.1f};
  const double doubles[] = {0.1};
  check_printed(LUNA_TYPE_I1, "\1", 0, "1");
  check_printed(LUNA_TYPE_I8, "\0\x80", 1, "-128");
  check_printed(LUNA_TYPE_I16, shorts, 1, "-32768");
  check_printed(LUNA_TYPE_I32, words, 0, "-2147483648");
  check_printed(LUNA_TYPE_I64, longs, 0, "9007199254740993");
  check_printed(LUNA_TYPE_F32, singles, 0, "0.100000001");
  check_printed(LUNA_TYPE_F64, doubles, 0, "0.10000000000000001");
}

static void unsigned_elements_have_no_sign(void) {
  const int32_t words[] = {-1};
  const int64_t longs[] = {-1};
  check_printed_as(LUNA_TYPE_I8, true, "\0\x80", 1, "128");
  check_printed_as(LUNA_TYPE_I32, true, words, 0, "4294967295");
  check_printed_as(LUNA_TYPE_I64, true, longs, 0, "18446744073709551615");
}

static void random_values_stay_in_their_range(void) {
  LunaArena arena = {0};
  for (int32_t type = LUNA_TYPE_I1; type <= LUNA_TYPE_F64; ++type) {
    LunaProgramTensor tensor = {.type = type,
                                .rank = 1,
                                .dims = {64},
                                .bytes = 64 * luna_element_bytes(type)};
    uint64_t seed = 7, again = 7;
    LunaValues values = luna_values_random(&tensor, 2, &seed, &arena);
    LunaValues same = luna_values_random(&tensor, 2, &again, &arena);
    CHECK_EQ(values.cases, 2);
    CHECK(memcmp(values.bytes, same.bytes, (size_t)tensor.bytes * 2) == 0);
    for (int64_t at = 0; at < 2 * tensor.bytes; at += tensor.bytes / 64) {
      LunaElement element = luna_element_read(&tensor, values.bytes + at);
      int64_t limit = type == LUNA_TYPE_I1    ? 2
                      : type == LUNA_TYPE_I16 ? 32768
                                              : 128;
      CHECK(element.is_float ? fabs(element.real) <= 1
                             : element.integer < limit);
    }
  }
  luna_arena_destroy(&arena);
}

static void differences_are_counted_and_placed(void) {
  const LunaProgramTensor tensor = {
      .type = LUNA_TYPE_F32, .rank = 1, .dims = {4}, .bytes = 16};
  const float expected[] = {1, 10, 0, NAN};
  const float found[] = {1.25f, 12, 0, NAN};
  LunaDifference difference;
  CHECK(luna_difference_find(&tensor, (const uint8_t *)expected,
                             (const uint8_t *)expected, 0, &difference));
  CHECK(!luna_difference_find(&tensor, (const uint8_t *)found,
                              (const uint8_t *)expected, 0, &difference));
  CHECK_EQ(difference.count, 2);
  CHECK_EQ(difference.first, 0);
  CHECK_EQ(difference.largest_at, 1);
  CHECK(difference.largest == 2);
  CHECK(luna_difference_find(&tensor, (const uint8_t *)found,
                             (const uint8_t *)expected, 0.25, &difference));
}

static void tolerance_is_for_floats(void) {
  const LunaProgramTensor tensor = {
      .type = LUNA_TYPE_I8, .rank = 1, .dims = {2}, .bytes = 2};
  LunaDifference difference;
  CHECK(!luna_difference_find(&tensor, (const uint8_t *)"\1\2",
                              (const uint8_t *)"\1\3", 9, &difference));
  CHECK_EQ(difference.first, 1);
}

static const int32_t cases[] = {2, 5};
static const LunaProgramBranch branches[] = {
    {.name = "if0", .kind = LUNA_BRANCH_IF},
    {.name = "switch0",
     .kind = LUNA_BRANCH_SWITCH,
     .case_count = 2,
     .cases = cases}};
static const LunaProgramInfo program = {.branches = branches,
                                        .branch_count = 2};

static void check_path(const char *text, bool is_if_forced, int32_t if_value,
                       bool is_switch_forced, int32_t switch_value) {
  LunaArena arena = {0};
  LunaError error = {0};
  LunaPath path;
  CHECK(luna_path_read(&program, text, &arena, &path, &error));
  CHECK_EQ(path.decisions[0].is_forced, is_if_forced);
  CHECK_EQ(path.decisions[0].value, if_value);
  CHECK_EQ(path.decisions[1].is_forced, is_switch_forced);
  CHECK_EQ(path.decisions[1].value, switch_value);
  luna_arena_destroy(&arena);
}

static void paths_name_decisions(void) {
  check_path("straight", false, 0, false, 0);
  check_path("", false, 0, false, 0);
  check_path("if0=then", true, 1, false, 0);
  check_path("if0=else/switch0=case5", true, 0, true, 5);
  check_path("switch0=2,if0=then", true, 1, true, 2);
  check_path("switch0=default", false, 0, true, 0);
}

static void check_refused(const char *text, const char *message) {
  LunaArena arena = {0};
  LunaError error = {0};
  LunaPath path;
  CHECK(!luna_path_read(&program, text, &arena, &path, &error));
  CHECK_STR(error.message, message);
  luna_arena_destroy(&arena);
}

static void invalid_paths_are_refused(void) {
  check_refused("if1=then", "unknown branch 'if1', the model has if0, switch0");
  check_refused("if0=2",
                "branch 'if0' has no way '2', allowed are then and else");
  check_refused("if0=then/switch0=case3",
                "branch 'switch0' has no way 'case3', allowed are default, 2, "
                "5");
  check_refused("switch0=",
                "branch 'switch0' has no way '', allowed are default, 2, 5");
  check_refused("if0", "'if0' is not a decision NAME=WAY, such as if0=then");
}

int main(void) {
  RUN_TEST(elements_print_with_all_their_digits);
  RUN_TEST(unsigned_elements_have_no_sign);
  RUN_TEST(random_values_stay_in_their_range);
  RUN_TEST(differences_are_counted_and_placed);
  RUN_TEST(tolerance_is_for_floats);
  RUN_TEST(paths_name_decisions);
  RUN_TEST(invalid_paths_are_refused);
  return 0;
}
