#include "check.h"
#include "luna/plan_check.h"
#include "luna/plan_csv.h"
#include "plan_objects.h"
#include "random_program.h"

static void expect(const char *input, const char *output) {
  LunaArena arena = {0};
  LunaPlanCsv csv;
  LunaSolution solution;
  LunaError error = {0};
  LunaText text = {0};
  if (!luna_plan_csv_read(input, strlen(input), "f.csv", &arena, &csv,
                          &error)) {
    CHECK_STR(error.message, output);
  } else {
    LunaPlanOptions options = {.strategy = "large-first"};
    CHECK(luna_plan_solve(csv.problem, &options, &solution, &error));
    CHECK(luna_plan_check(csv.problem, solution.offset_bytes,
                          solution.total.bytes, &arena, &error));
    CHECK(luna_plan_csv_write(&csv, &solution, &text, &error));
    CHECK_STR(text.data, output);
  }
  luna_text_deinit(&text);
  luna_arena_destroy(&arena);
}

static void rows_come_back_with_offsets(void) {
  expect("id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,5\n",
         "id,lower,upper,size,offset\na,0,2,10,20\nb,1,3,20,0\nc,2,4,5,20\n");
}

static void columns_may_stand_in_any_order_and_have_other_names(void) {
  expect("size,end,begin,buffer_id\r\n10,1,0,a\r\n20,1,1,b\r\n\r\n",
         "size,end,begin,buffer_id,offset\n10,1,0,a,20\n20,1,1,b,0\n");
  expect("hint,id,start,end,size\n7,x,-5,-5,3\n",
         "hint,id,start,end,size,offset\n7,x,-5,-5,3,0\n");
}

static void gaps_make_room(void) {
  expect("id,lower,upper,size,gaps\na,0,9,8,2-4 5-7\nb,2,4,8,\nc,5,7,8,\n",
         "id,lower,upper,size,gaps,offset\n"
         "a,0,9,8,2-4 5-7,0\nb,2,4,8,,0\nc,5,7,8,,0\n");
  expect("id,lower,end,size,gaps\na,0,9,8,2-3\nb,2,3,8,\n",
         "id,lower,end,size,gaps,offset\na,0,9,8,2-3,0\nb,2,3,8,,0\n");
}

static void offsets_given_are_kept(void) {
  expect("id,offset,lower,upper,size,alignment\na,8,0,2,8,8\nb,,0,2,4,4\n",
         "id,offset,lower,upper,size,alignment\na,8,0,2,8,8\nb,0,0,2,4,4\n");
}

static void no_rows_are_a_plan(void) {
  expect("id,lower,upper,size", "id,lower,upper,size,offset\n");
}

static void headers_are_checked(void) {
  expect("", "f.csv:1:1: the file is empty, needed is a header");
  expect("\n\n", "f.csv:1:1: the file is empty, needed is a header");
  expect("id,lower,upper\n", "f.csv:1:1: column 'size' is missing");
  expect("id,lower,size\n", "f.csv:1:1: column 'upper' (or 'end') is missing");
  expect("id,lower,upper,end,size\n",
         "f.csv:1:1: columns 'upper' and 'end' exclude each other");
  expect("id,lower,upper,size,buffer\n",
         "f.csv:1:21: found a second column 'buffer', allowed is one of each "
         "meaning");
  expect("\nid,lower,uper,size\n",
         "f.csv:2:10: found column 'uper', allowed is id, lower, upper, end, "
         "size, alignment, hint, gaps, offset");
}

static void rows_are_checked(void) {
  const char *head = "id,lower,upper,size,alignment,gaps,offset\n";
  static const struct {
    const char *row, *message;
  } cases[] = {
      {"a,0,1,2", "f.csv:2:1: found 4 fields, the header has 7"},
      {",0,1,2,1,,", "f.csv:2:1: the id is empty"},
      {"a,x,1,2,1,,", "f.csv:2:3: found start 'x', allowed is an integer "
                      "up to 1152921504606846975"},
      {"a,1,1,2,1,,", "f.csv:2:5: found end '1', allowed is one after the "
                      "start of the lifetime"},
      {"a,0,1,-2,1,,", "f.csv:2:7: found size '-2', allowed is an integer "
                       "from 0 to 4611686018427387903"},
      {"a,0,1,9223372036854775808,1,,",
       "f.csv:2:7: found size '9223372036854775808', allowed is an integer "
       "from 0 to 4611686018427387903"},
      {"a,0,1,2,0,,", "f.csv:2:9: found alignment '0', allowed is a power of "
                      "two up to 4611686018427387904"},
      {"a,0,1,2,6,,", "f.csv:2:9: found alignment '6', allowed is a power of "
                      "two up to 4611686018427387904"},
      {"a,0,9,2,1,5-6 3-4,", "f.csv:2:15: found gap '3-4', allowed is a "
                             "rising list within the lifetime"},
      {"a,0,9,2,1,5-6@1:2,",
       "f.csv:2:11: found gap '5-6@1:2', allowed is two times as 7-9 (windows "
       "'@' are not supported)"},
      {"a,0,9,2,4,,6", "f.csv:2:12: found offset '6', allowed is a "
                       "non-negative multiple of the alignment, or empty"},
      {"a,0,9,2,1,,\nb,0,9,2,1,,\na,0,9,2,1,,",
       "f.csv:4:1: found a second buffer 'a', allowed is one row per id"},
      {"a\xff,0,9,2,1,,", "f.csv:2:2: found a byte that is not UTF-8 text"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char input[256];
    snprintf(input, sizeof input, "%s%s\n", head, cases[i].row);
    expect(input, cases[i].message);
  }
}

// Reads sizes with names and computes the first for h = 3, w = 5 and d = 2, or
// returns -1 if there is an error, which is compared.
static int64_t open_size(const char *size, const char *message) {
  static const LunaPlanSymbol symbols[] = {
      {"h", 0, 9}, {"w", 0, 9}, {"d", 0, 9}};
  static const int64_t values[] = {3, 5, 2};
  LunaArena arena = {0};
  LunaError error = {0};
  LunaPlanCsv csv;
  LunaPlanSizes sizes;
  char text[300];
  snprintf(text, sizeof text, "id,lower,upper,size\na,0,2,%s\nb,0,2,h*w*d\n",
           size);
  int64_t bytes = -1;
  if (luna_plan_csv_read_open(text, strlen(text), "f.csv", &arena, &csv, &sizes,
                              &error)) {
    sizes.symbols = symbols;
    CHECK(luna_plan_bind_sizes(csv.problem, &sizes, values, &error));
    bytes = luna_problem_buffer(csv.problem, 0)->size_bytes;
  } else {
    CHECK_STR(error.message, message);
  }
  luna_arena_destroy(&arena);
  return bytes;
}

static void sizes_may_be_sums_of_products(void) {
  CHECK_EQ(open_size("7", NULL), 7);
  CHECK_EQ(open_size("4*h*w", NULL), 60);
  CHECK_EQ(open_size("h * w*4 - 2*h + 64", NULL), 118);
  CHECK_EQ(open_size("h*h*h*h-h", NULL), 78);
  CHECK_EQ(open_size("2*h*3 +0", NULL), 18);
}

static void open_sizes_are_checked(void) {
  static const char *const cases[] = {
      "-1",
      "4**h",
      "4 h",
      "*h",
      "h+",
      "h*h*h*h*h",
      "2.5*h",
      "(h)",
      "h/2",
      "",
      "h-",
      "h+-w",
      "9223372036854775808*h",
      "4611686018427387904*2",
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char message[200];
    snprintf(message, sizeof message,
             "f.csv:2:7: found size '%s', allowed is a sum of products of "
             "integers and at most four names, as 4*h*w + 64",
             cases[i]);
    CHECK_EQ(open_size(cases[i], message), -1);
  }
  expect("id,lower,upper,size\na,0,2,4*h\n",
         "f.csv:2:7: found size '4*h', allowed is an integer where no sizes "
         "are open (--dim)");
}

// Records in tasks most of which neither begin nor end one, as the strategies
// of TensorFlow Lite are given them.
static uint32_t random_records(Random *random, LunaPlanUsage *records) {
  uint32_t count = 3 + random_below(random, 20), first = 0;
  for (uint32_t i = 0; i < count; ++i) {
    first += random_below(random, 9);
    records[i] = (LunaPlanUsage){
        .size = 1 + random_below(random, 40),
        .first = first,
        .last = first + random_below(random, 12),
    };
  }
  return count;
}

static void check_sparse(const LunaPlanUsage *records, uint32_t count,
                         const LunaPlanCsv *csv, LunaArena *arena) {
  static const struct {
    const char *name;
    void (*assign)(LunaPlanAssignment *assignment, LunaArena *arena);
  } strategies[] = {
      {"tflite-greedy-by-size", luna_plan_assign_by_size},
      {"tflite-greedy-by-breadth", luna_plan_assign_by_breadth},
      {"tflite-greedy-best", luna_plan_assign_best},
      {"tflite-greedy-in-order", luna_plan_assign_in_order},
      {"tflite-min-cost-flow", luna_plan_assign_by_flow},
      {"tflite-equality", luna_plan_assign_equality},
  };
  LunaError error = {0};
  for (size_t k = 0; k < sizeof strategies / sizeof *strategies; ++k) {
    LunaPlanOptions options = {.strategy = strategies[k].name};
    LunaSolution solution;
    CHECK(luna_plan_solve(csv->problem, &options, &solution, &error));
    LunaPlanAssignment expected =
        luna_plan_assignment_make(records, count, arena);
    strategies[k].assign(&expected, arena);
    int64_t *places = LUNA_ARENA_ARRAY(arena, int64_t, expected.object_count);
    luna_plan_objects_to_offsets(expected.object_sizes, NULL,
                                 expected.object_count, 0, places);
    for (uint32_t i = 0; i < count; ++i)
      CHECK_EQ(solution.offset_bytes[i], places[expected.objects[i]]);
  }
}

static void times_without_an_event_count_as_tasks(void) {
  Random random = {9};
  for (int round = 0; round < 250; ++round) {
    LunaPlanUsage records[32];
    LunaArena arena = {0};
    LunaText text = {0};
    LunaError error = {0};
    LunaPlanCsv csv;
    uint32_t count = random_records(&random, records);
    luna_text_printf(&text, "id,start,end,size\n");
    for (uint32_t i = 0; i < count; ++i)
      luna_text_printf(&text, "r%u,%u,%u,%lld\n", i, records[i].first,
                       records[i].last, (long long)records[i].size);
    CHECK(luna_plan_csv_read(text.data, text.length, "f.csv", &arena, &csv,
                             &error));
    check_sparse(records, count, &csv, &arena);
    luna_text_deinit(&text);
    luna_arena_destroy(&arena);
  }
}

int main(void) {
  RUN_TEST(rows_come_back_with_offsets);
  RUN_TEST(columns_may_stand_in_any_order_and_have_other_names);
  RUN_TEST(gaps_make_room);
  RUN_TEST(offsets_given_are_kept);
  RUN_TEST(no_rows_are_a_plan);
  RUN_TEST(headers_are_checked);
  RUN_TEST(rows_are_checked);
  RUN_TEST(sizes_may_be_sums_of_products);
  RUN_TEST(open_sizes_are_checked);
  RUN_TEST(times_without_an_event_count_as_tasks);
  return 0;
}
