// Without each trick, and without all, plans are valid; names of others are
// refused.

#include <string.h>

#include "check.h"
#include "luna/plan_check.h"
#include "luna/text.h"
#include "plan_tricks.h"
#include "random_program.h"

enum { PROGRAMS = 3, BUFFERS = 40, STEPS = 3000 };

static void check_plan(LunaProblem *problem, const char *strategy,
                       const char *without) {
  LunaArena arena = {0};
  LunaSolution solution;
  LunaPlanOptions options = {
      .strategy = strategy, .step_budget = STEPS, .without = without};
  CHECK(luna_plan_solve(problem, &options, &solution, NULL));
  CHECK(luna_plan_check(problem, solution.offset_bytes, solution.total.bytes,
                        &arena, NULL));
  luna_arena_destroy(&arena);
}

static void plans_without_are_valid(void) {
  LunaText all = {0};
  for (int i = 0; i < PLAN_TRICK_COUNT; ++i)
    luna_text_printf(&all, "%s%s", i > 0 ? "," : "",
                     luna_plan_trick_name((LunaPlanTrick)i));
  Random random = {3};
  for (int k = 0; k < PROGRAMS; ++k) {
    LunaArena arena = {0};
    LunaProblem *problem = random_program(&arena, &random, BUFFERS, false);
    for (int i = k % LUNA_TEST_SHARE; i < PLAN_TRICK_COUNT;
         i += LUNA_TEST_SHARE)
      check_plan(problem, "optimal", luna_plan_trick_name((LunaPlanTrick)i));
    check_plan(problem, "optimal", all.data);
    check_plan(problem, NULL, all.data);
    luna_arena_destroy(&arena);
  }
  luna_text_deinit(&all);
}

static void names_are_told_apart(void) {
  LunaPlanWithout without;
  LunaError error;
  for (int i = 0; i < PLAN_TRICK_COUNT; ++i) {
    LunaPlanTrick trick = (LunaPlanTrick)i;
    CHECK(luna_plan_read_without(luna_plan_trick_name(trick), &without, NULL));
    for (int k = 0; k < PLAN_TRICK_COUNT; ++k)
      CHECK_EQ(plan_tries(&without, (LunaPlanTrick)k), i != k);
    CHECK(*luna_plan_trick_without(trick) != '\0');
  }
  CHECK(!luna_plan_read_without("climb,climbs", &without, &error));
  CHECK_EQ(error.code, LUNA_ERROR_INPUT);
  CHECK(strstr(error.message, "'climbs'") != NULL);
}

int main(void) {
  RUN_TEST(plans_without_are_valid);
  RUN_TEST(names_are_told_apart);
  return 0;
}
