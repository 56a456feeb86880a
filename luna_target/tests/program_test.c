#include "luna/branch.h"
#include "luna/program.h"

#include "check.h"

static const LunaProgramTensor inputs[] = {
    {.name = "image",
     .type = LUNA_TYPE_I8,
     .rank = 4,
     .dims = {1, 96, 96, 3},
     .bytes = 96 * 96 * 3,
     .scale = 0.0078125f,
     .zero_point = -1,
     .buffer = LUNA_NO_ID},
    {.name = "is_day",
     .type = LUNA_TYPE_I1,
     .rank = 0,
     .bytes = 1,
     .buffer = 9},
};
static const LunaProgramTensor outputs[] = {
    {.name = "wyjście",
     .type = LUNA_TYPE_F32,
     .rank = 2,
     .dims = {1, 2},
     .bytes = 8,
     .buffer = 0},
};
static const LunaProgramBuffer buffers[] = {
    {.id = 0, .bytes = 4096, .name = "t0"},
    {.id = 3,
     .memory = LUNA_PROGRAM_PSRAM,
     .kind = LUNA_BUFFER_WEIGHT,
     .offset_bytes = 16,
     .bytes = 84,
     .name = "w"},
    {.id = 9,
     .memory = LUNA_PROGRAM_INPUT,
     .argument = 1,
     .kind = LUNA_BUFFER_IO,
     .bytes = 1,
     .name = ""},
};
static const LunaProgramContent contents[] = {
    {.id = 0, .offset_bytes = 0, .bytes = 64, .name = "w0"},
    {.id = 1, .offset_bytes = 64, .bytes = 36, .name = "w1"},
};
static const int32_t cases[] = {-3, 0, 7};
static const LunaProgramBranch branches[] = {
    {.name = "if0"},
    {.name = "switch0",
     .kind = LUNA_BRANCH_SWITCH,
     .case_count = 3,
     .cases = cases},
};
static const char *const operators[] = {"conv0", "conv1", "dma"};
static const char *const loops[] = {"loop0"};

static LunaProgramInfo sample(void) {
  return (LunaProgramInfo){
      .name = "net",
      .machine = "venus",
      .runtime_version = LUNA_RUNTIME_VERSION,
      .inputs = inputs,
      .outputs = outputs,
      .input_count = 2,
      .output_count = 1,
      .arena_bytes = 4096,
      .weight_bytes = 112,
      .psram_scratch_bytes = (int64_t)5 << 32,
      .state_bytes = 0,
      .buffers = buffers,
      .buffer_count = 3,
      .contents = contents,
      .content_count = 2,
      .operators = operators,
      .operator_count = 3,
      .branches = branches,
      .branch_count = 2,
      .loops = loops,
      .loop_count = 1,
  };
}

static void check_tensor(const LunaProgramTensor *found,
                         const LunaProgramTensor *expected) {
  CHECK_STR(found->name, expected->name);
  CHECK_EQ(found->type, expected->type);
  CHECK_EQ(found->rank, expected->rank);
  for (int i = 0; i < LUNA_PROGRAM_RANK_MAX; ++i)
    CHECK_EQ(found->dims[i], expected->dims[i]);
  CHECK_EQ(found->bytes, expected->bytes);
  CHECK(found->scale == expected->scale);
  CHECK_EQ(found->zero_point, expected->zero_point);
  CHECK_EQ(found->buffer, expected->buffer);
}

static void read_gives_what_was_written(void) {
  LunaArena arena = {0};
  LunaError error = {0};
  LunaProgramInfo info = sample(), found;
  int32_t *words = NULL;
  uint64_t count = 0;
  CHECK(luna_program_write(&info, &arena, &words, &count, &error));
  CHECK_EQ(luna_program_word_count(words), count);
  CHECK(luna_program_read(words, count, &arena, &found, &error));
  CHECK_STR(found.name, "net");
  CHECK_STR(found.machine, "venus");
  CHECK_EQ(found.input_count, 2);
  check_tensor(&found.inputs[0], &inputs[0]);
  check_tensor(&found.inputs[1], &inputs[1]);
  check_tensor(&found.outputs[0], &outputs[0]);
  CHECK_EQ(found.psram_scratch_bytes, (int64_t)5 << 32);
  for (uint32_t i = 0; i < 3; ++i) {
    CHECK_EQ(found.buffers[i].id, buffers[i].id);
    CHECK_EQ(found.buffers[i].memory, buffers[i].memory);
    CHECK_EQ(found.buffers[i].argument, buffers[i].argument);
    CHECK_EQ(found.buffers[i].kind, buffers[i].kind);
    CHECK_EQ(found.buffers[i].offset_bytes, buffers[i].offset_bytes);
    CHECK_EQ(found.buffers[i].bytes, buffers[i].bytes);
    CHECK_STR(found.buffers[i].name, buffers[i].name);
    CHECK_STR(found.operators[i], operators[i]);
  }
  CHECK_EQ(found.contents[1].offset_bytes, 64);
  CHECK_STR(found.contents[1].name, "w1");
  CHECK_EQ(found.branches[1].case_count, 3);
  CHECK_EQ(found.branches[1].cases[0], -3);
  CHECK_STR(found.branches[1].name, "switch0");
  CHECK_STR(found.loops[0], "loop0");
  luna_arena_destroy(&arena);
}

static void layout_2_names_ways(void) {
  static const char *const ways[] = {"small", "middle", "large", "largest"};
  LunaArena arena = {0};
  LunaError error;
  LunaProgramInfo info = sample(), found;
  LunaProgramBranch named[] = {branches[0], branches[1]};
  int32_t *words = NULL, decision = 0;
  uint64_t count = 0;
  LunaText text = {0};
  named[1].ways = ways;
  CHECK(luna_program_write(&info, &arena, &words, &count, &error));
  CHECK_EQ(words[1], 1);
  info.branches = named;
  CHECK(luna_program_write(&info, &arena, &words, &count, &error));
  CHECK_EQ(words[1], 2);
  CHECK(luna_program_read(words, count, &arena, &found, &error));
  CHECK(found.branches[0].ways == NULL);
  const LunaProgramBranch *branch = &found.branches[1];
  for (int i = 0; i < 4; ++i)
    CHECK_STR(branch->ways[i], ways[i]);
  CHECK(luna_branch_read_way(branch, "middle", 6, &decision, &error));
  CHECK_EQ(decision, 0);
  CHECK(luna_branch_read_way(branch, "largest", 7, &decision, &error));
  luna_branch_print_way(&text, branch, decision);
  luna_branch_print_way(&text, branch, -3);
  CHECK_STR(text.data, "largestsmall");
  CHECK(!luna_branch_read_way(branch, "huge", 4, &decision, &error));
  CHECK_STR(error.message,
            "branch 'switch0' has no way 'huge', allowed are default, -3, 0, "
            "7, small, middle, large, largest");
  luna_text_deinit(&text);
  luna_arena_destroy(&arena);
}

static const int32_t ranks[] = {2, 1};
static const int32_t small_dims[] = {1, 4, 2}, large_dims[] = {1, 8, 4};
static const LunaProgramTensor open_inputs[] = {
    {.name = "shape",
     .type = LUNA_TYPE_I32,
     .rank = 1,
     .dims = {1},
     .bytes = 4,
     .buffer = LUNA_NO_ID},
    {.name = "x",
     .type = LUNA_TYPE_I16,
     .rank = 1,
     .dims = {8},
     .bytes = 16,
     .buffer = LUNA_NO_ID},
};
static const LunaProgramTensor open_outputs[] = {
    {.name = "x",
     .type = LUNA_TYPE_F32,
     .rank = 1,
     .dims = {4},
     .bytes = 16,
     .buffer = LUNA_NO_ID},
};
static const int32_t open_cases[] = {0};
static const char *const open_ways[] = {"1x4+4x1", "1x8"};
static const LunaProgramBranch open_branches[] = {
    {.name = "shape",
     .kind = LUNA_BRANCH_SWITCH,
     .case_count = 1,
     .cases = open_cases,
     .ways = open_ways},
};
static const LunaProgramVersion versions[] = {
    {.case_index = 0, .arena_bytes = 32, .dims = small_dims},
    {.case_index = 1, .arena_bytes = 4096, .dims = large_dims},
};

static LunaProgramInfo open_sample(void) {
  return (LunaProgramInfo){
      .name = "net",
      .machine = "venus",
      .runtime_version = LUNA_RUNTIME_VERSION,
      .inputs = open_inputs,
      .input_count = 2,
      .outputs = open_outputs,
      .output_count = 1,
      .arena_bytes = 4096,
      .branches = open_branches,
      .branch_count = 1,
      .versions = versions,
      .version_count = 2,
      .version_ranks = ranks,
  };
}

static void layout_2_lists_versions(void) {
  LunaArena arena = {0};
  LunaError error;
  LunaProgramInfo info = open_sample(), found;
  int32_t *words = NULL, decision = 0;
  uint64_t count = 0;
  CHECK(luna_program_write(&info, &arena, &words, &count, &error));
  CHECK(luna_program_read(words, count, &arena, &found, &error));
  CHECK_EQ(found.version_count, 2);
  CHECK_EQ(found.versions[0].arena_bytes, 32);
  CHECK_EQ(found.versions[1].case_index, 1);
  CHECK_EQ(luna_program_version_dims(&found), 3);
  const int32_t *first = words + luna_program_versions_at(&found, words);
  CHECK_EQ(first[0], 0);
  CHECK_EQ(first[1], 32);
  CHECK_EQ(first[LUNA_PROGRAM_VERSION_WORDS + 1], 4);
  CHECK_EQ(first[LUNA_PROGRAM_VERSION_WORDS + 3], 1);
  LunaProgramTensor x = luna_program_version_tensor(&found, 0, 0);
  LunaProgramTensor y = luna_program_version_tensor(&found, 1, 1);
  CHECK_EQ(x.rank, 2);
  CHECK_EQ(x.dims[1], 4);
  CHECK_EQ(x.bytes, 8);
  CHECK_EQ(y.dims[0], 4);
  CHECK_EQ(y.bytes, 16);
  // Equal names are one string.
  CHECK(found.inputs[1].name == found.outputs[0].name);

  const LunaProgramBranch *branch = &found.branches[0];
  CHECK(luna_branch_is_of_versions(&found, 0));
  CHECK(!luna_branch_is_of_versions(&found, 1));
  CHECK(luna_branch_read_way(branch, "4x1", 3, &decision, &error));
  CHECK_EQ(luna_branch_version(&found, 0, decision), 0);
  CHECK(luna_branch_read_way(branch, "1x4+4x1", 7, &decision, &error));
  CHECK_EQ(decision, 0);
  CHECK(!luna_branch_read_way(branch, "4x", 2, &decision, &error));
  CHECK_EQ(luna_branch_version(&found, 0, 77), 1); // the default
  luna_arena_destroy(&arena);
}

static void every_truncation_of_versions_is_refused(void) {
  LunaArena arena = {0};
  LunaProgramInfo info = open_sample(), found;
  int32_t *words = NULL;
  uint64_t count = 0;
  CHECK(luna_program_write(&info, &arena, &words, &count, NULL));
  for (uint64_t length = 4; length < count; ++length) {
    int32_t *part = malloc((size_t)length * 4);
    memcpy(part, words, (size_t)length * 4);
    part[3] = (int32_t)length;
    CHECK(!luna_program_read(part, length, &arena, &found, NULL));
    free(part);
  }
  for (uint64_t at = 4; at < count; ++at) {
    int32_t word = words[at];
    words[at] = INT32_MAX;
    luna_program_read(words, count, &arena, &found, NULL);
    words[at] = word;
  }
  luna_arena_destroy(&arena);
}

static void buffer_is_found_by_id(void) {
  LunaProgramInfo info = sample();
  CHECK(luna_program_buffer(&info, 3) == &buffers[1]);
  CHECK(luna_program_buffer(&info, 9) == &buffers[2]);
  CHECK(luna_program_buffer(&info, 1) == NULL);
  CHECK(luna_program_buffer(&info, LUNA_NO_ID) == NULL);
  CHECK(luna_program_buffer(&info, 10) == NULL);
}

static void argument_on_chip_lies_in_the_arena(void) {
  LunaProgramInfo info = sample();
  char arena[1];
  CHECK(luna_program_argument(&info, &outputs[0], arena) == arena);
  CHECK(luna_program_argument(&info, &inputs[0], arena) == NULL);
  CHECK(luna_program_argument(&info, &inputs[1], arena) == NULL);
}

static void every_truncation_is_refused(void) {
  LunaArena arena = {0};
  LunaProgramInfo info = sample(), found;
  int32_t *words = NULL;
  uint64_t count = 0;
  CHECK(luna_program_write(&info, &arena, &words, &count, NULL));
  for (uint64_t length = 0; length < count; ++length) {
    // The exact size, so that the address sanitizer sees one word too far.
    int32_t *part = malloc((size_t)length * 4 + (length == 0));
    memcpy(part, words, (size_t)length * 4);
    CHECK(!luna_program_read(part, length, &arena, &found, NULL));
    if (length > 3)
      part[3] = (int32_t)length;
    CHECK(!luna_program_read(part, length, &arena, &found, NULL));
    free(part);
  }
  luna_arena_destroy(&arena);
}

static void other_layout_is_a_setup_error(void) {
  LunaArena arena = {0};
  LunaError error = {0};
  LunaProgramInfo info = sample(), found;
  int32_t *words = NULL;
  uint64_t count = 0;
  CHECK(luna_program_write(&info, &arena, &words, &count, &error));
  words[1] = 99;
  CHECK(!luna_program_read(words, count, &arena, &found, &error));
  CHECK_EQ(error.code, LUNA_ERROR_SETUP);
  CHECK_STR(error.message, "program has layout 99 and runtime version 8, "
                           "supported are 1 to 2 and 8");
  CHECK_EQ(luna_program_word_count(words), 0);
  luna_arena_destroy(&arena);
}

static void refused(const LunaProgramInfo *info, const char *message) {
  LunaArena arena = {0};
  LunaError error = {0};
  int32_t *words = NULL;
  uint64_t count = 0;
  CHECK(!luna_program_write(info, &arena, &words, &count, &error));
  CHECK_EQ(error.code, LUNA_ERROR_INPUT);
  CHECK_STR(error.message, message);
  luna_arena_destroy(&arena);
}

static void broken_rules_are_named(void) {
  LunaProgramInfo info = sample();
  info.name = "1net";
  refused(&info, "program name '1net' is not a C identifier");

  info = sample();
  info.arena_bytes = -1;
  refused(&info, "memory size 0 is -1, allowed are 0 to 2305843009213693951");
  info.arena_bytes = 4096;
  info.weight_bytes = 113;
  refused(&info, "weights have 113 bytes, must be a multiple of 16");

  info = sample();
  LunaProgramBuffer wrong[] = {buffers[0], buffers[0]};
  info.buffers = wrong;
  info.buffer_count = 2;
  refused(&info, "buffer 1 has id 0, ids must ascend from 0");
  wrong[0].kind = 6;
  refused(&info, "buffer 0 has kind 6, allowed are 0 to 5");
  wrong[0].kind = 0;
  wrong[0].offset_bytes = 1;
  refused(&info, "buffer 0 has offset 1 and 4096 bytes, memory 0 has 4096");

  info = sample();
  LunaProgramContent content = {.offset_bytes = 102, .bytes = 11, .name = "w"};
  info.contents = &content;
  info.content_count = 1;
  refused(&info, "content 0 has offset 102 and 11 bytes, the weights have 112");
  content.id = -1;
  refused(&info, "content 0 has id -1, ids must ascend from 0");
}

static void broken_tensors_are_named(void) {
  LunaProgramInfo info = sample();
  LunaProgramTensor tensor = inputs[0];
  info.inputs = &tensor;
  info.input_count = 1;
  info.buffer_count = 2;
  tensor.bytes = 5;
  refused(&info, "input 0 has 5 bytes, its shape needs 27648");
  tensor.type = 9;
  refused(&info, "input 0 has element type 9, allowed are 0 to 8");
  tensor = inputs[0];
  tensor.rank = 9;
  refused(&info, "input 0 has rank 9, allowed are 0 to 8");
  tensor = inputs[0];
  tensor.dims[1] = -96;
  refused(&info, "input 0 has dimension 1 = -96, which is negative or too "
                 "large");
  tensor = inputs[0];
  tensor.buffer = 2;
  refused(&info, "input 0 names buffer 2, which is not in the table");
  tensor.buffer = 0;
  refused(&info, "input 0 needs 27648 bytes, its buffer 0 has 4096");
}

static void broken_versions_are_named(void) {
  LunaProgramInfo info = open_sample();
  const int32_t none[] = {1, 0, 2}, long_dims[] = {3, 4, 2};
  LunaProgramVersion version = {.case_index = 0, .dims = none};
  info.versions = &version;
  info.version_count = 1;
  refused(&info, "version 0 has dimension 0, must be positive");
  version.dims = long_dims;
  refused(&info, "version 0 of 'x' has 24 bytes, the whole tensor has 16");
  version.arena_bytes = 4097;
  refused(&info, "version 0 is case 0, which takes 4097 bytes of the arena's "
                 "4096");
  info.inputs = open_inputs + 1;
  info.input_count = 1;
  refused(&info, "a program with versions needs the number of one as first "
                 "input");
}

static void broken_branches_are_named(void) {
  LunaProgramInfo info = sample();
  LunaProgramBranch branch = branches[1];
  const int32_t twice[] = {1, 1};
  info.branches = &branch;
  info.branch_count = 1;
  branch.case_count = 2;
  branch.cases = twice;
  refused(&info, "branch 0 has case 1 after 1, cases must ascend");
  branch.kind = LUNA_BRANCH_IF;
  refused(&info, "branch 0 is an if with 2 cases, allowed are 0");
  branch.kind = 2;
  refused(&info, "branch 0 has kind 2, allowed are 0 and 1");
}

int main(void) {
  RUN_TEST(read_gives_what_was_written);
  RUN_TEST(layout_2_names_ways);
  RUN_TEST(layout_2_lists_versions);
  RUN_TEST(every_truncation_of_versions_is_refused);
  RUN_TEST(broken_versions_are_named);
  RUN_TEST(buffer_is_found_by_id);
  RUN_TEST(argument_on_chip_lies_in_the_arena);
  RUN_TEST(every_truncation_is_refused);
  RUN_TEST(other_layout_is_a_setup_error);
  RUN_TEST(broken_rules_are_named);
  RUN_TEST(broken_tensors_are_named);
  RUN_TEST(broken_branches_are_named);
  return 0;
}
