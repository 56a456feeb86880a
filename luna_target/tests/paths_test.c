#include "luna/paths.h"

#include "sim_fixture.h"

static const int32_t cases[] = {0, 1};
static const LunaProgramBranch branches[] = {
    {.name = "if0"},
    {.name = "if1"},
    {.name = "switch0",
     .kind = LUNA_BRANCH_SWITCH,
     .case_count = 2,
     .cases = cases},
    {.name = "if2"},
    {.name = "if3"},
};
static const LunaProgramInfo program = {
    .name = "net",
    .arena_bytes = FIXTURE_BYTES,
    .branches = branches,
    .branch_count = 5,
};

typedef struct Walked {
  char paths[8192];
  int count;
  bool are_left;
} Walked;

static Walked walk_model(void (*model)(void), uint64_t limit,
                         const char *forced) {
  Fixture fixture;
  Walked walked = {0};
  LunaPathWalk walk = {.program = &program, .limit = limit};
  LunaProgramPointers pointers = {.arena = fixture.arena};
  fixture_open(&fixture);
  CHECK(luna_simulator_bind(fixture.sim, &program, &pointers, NULL));
  if (forced)
    CHECK(luna_simulator_force_branch(fixture.sim, forced, "then", NULL));
  while (luna_paths_next(&walk, fixture.sim)) {
    luna_simulator_begin_run(fixture.sim);
    model();
    strcat(walked.paths, luna_simulator_end_run(fixture.sim)->path);
    strcat(walked.paths, "\n");
    ++walked.count;
    luna_paths_note(&walk, fixture.sim);
  }
  walked.are_left = luna_paths_are_left(&walk);
  luna_paths_deinit(&walk);
  fixture_close(&fixture);
  return walked;
}

static void straight(void) {}

static void nested(void) {
  if (luna_rt_branch(0, 0)) {
    luna_rt_branch(1, 1);
  } else {
    luna_rt_branch(2, 1);
  }
  luna_rt_loop_iteration(0);
}

static void five_in_a_row(void) {
  for (int i = 0; i < 5; ++i)
    luna_rt_branch(i, 1);
}

static void a_program_without_branches_has_one_path(void) {
  Walked walked = walk_model(straight, 0, NULL);
  CHECK_STR(walked.paths, "\n");
}

static void nested_branches_give_each_path_once(void) {
  Walked walked = walk_model(nested, 0, NULL);
  CHECK_STR(walked.paths, "if0=else/switch0=1/loop0=1\n"
                          "if0=then/if1=then/loop0=1\n"
                          "if0=else/switch0=0/loop0=1\n"
                          "if0=else/switch0=default/loop0=1\n"
                          "if0=then/if1=else/loop0=1\n");
  CHECK(!walked.are_left);
}

static void all_combinations_are_run_up_to_the_limit(void) {
  Walked walked = walk_model(five_in_a_row, 0, NULL);
  CHECK_EQ(walked.count, 2 * 2 * 3 * 2 * 2);
  CHECK(!walked.are_left);
}

static void a_limit_still_takes_every_alternative(void) {
  Walked walked = walk_model(five_in_a_row, 7, NULL);
  CHECK_EQ(walked.count, 7);
  CHECK(walked.are_left);
  const char *alternatives[] = {"if0=then",        "if0=else",  "if1=then",
                                "if1=else",        "switch0=0", "switch0=1",
                                "switch0=default", "if2=then",  "if2=else",
                                "if3=then",        "if3=else"};
  for (int i = 0; i < 11; ++i)
    CHECK(strstr(walked.paths, alternatives[i]) != NULL);
}

static void a_branch_forced_by_hand_stays_so(void) {
  Walked walked = walk_model(nested, 0, "if0");
  CHECK_STR(walked.paths, "if0=then/if1=then/loop0=1\n"
                          "if0=then/if1=else/loop0=1\n");
}

int main(void) {
  RUN_TEST(a_program_without_branches_has_one_path);
  RUN_TEST(nested_branches_give_each_path_once);
  RUN_TEST(all_combinations_are_run_up_to_the_limit);
  RUN_TEST(a_limit_still_takes_every_alternative);
  RUN_TEST(a_branch_forced_by_hand_stays_so);
  return 0;
}
