#include "check.h"
#include "luna/plan_check.h"
#include "luna/plan_csv.h"
#include "luna/plan_orient.h"
#include "plan_problem.h"
#include "random_program.h"

static const LunaPlanSymbol symbols[] = {{"s", 0, 40}, {"t", 1, 300}};

// A problem read from CSV, with sizes in s and t or whatever it names.
typedef struct Case {
  LunaArena arena;
  LunaPlanCsv csv;
  LunaPlanSizes sizes;
  LunaRangePlan plan;
  LunaError error;
  LunaPlanSymbol symbols[2];
  int64_t values[2], work[64], offset_bytes[16];
  LunaRangeResult result;
} Case;

static void read_case(Case *self, const char *text) {
  *self = (Case){0};
  CHECK(luna_plan_csv_read_open(text, strlen(text), "f.csv", &self->arena,
                                &self->csv, &self->sizes, &self->error));
  CHECK(self->sizes.symbol_count <= 2);
  for (uint32_t i = 0; i < self->sizes.symbol_count; ++i)
    self->symbols[i] = symbols[self->sizes.symbols[i].name[0] == 't'];
  self->sizes.symbols = self->symbols;
}

static bool orient(Case *self) {
  return luna_plan_orient(self->csv.problem, &self->sizes, NULL, &self->plan,
                          &self->error);
}

static bool eval(Case *self, int64_t s, int64_t t) {
  for (uint32_t i = 0; i < self->sizes.symbol_count; ++i)
    self->values[i] = self->symbols[i].name[0] == 't' ? t : s;
  CHECK(luna_plan_eval_work(&self->plan) <= 64);
  return luna_plan_eval(&self->plan, self->values, self->work,
                        self->offset_bytes, &self->result);
}

//===- Small plans --------------------------------------------------------===//

static void offsets_follow_the_sizes(void) {
  Case self;
  read_case(&self, "id,lower,upper,size\n"
                   "a,0,2,s*t\nb,1,3,4*t+8\nc,2,4,s*t\n");
  CHECK(orient(&self));
  CHECK_EQ(self.plan.order_count, 1);
  // What lies at one offset at all sizes is one chain: only two pairs.
  CHECK_EQ(self.plan.orders[0].starts[3], 2);
  CHECK(eval(&self, 10, 100));
  CHECK_EQ(self.result.peak_bytes, 1000 + 408);
  CHECK_EQ(self.offset_bytes[0], self.offset_bytes[2]);
  CHECK(eval(&self, 40, 1));
  CHECK_EQ(self.result.peak_bytes, 40 + 12);
  luna_arena_destroy(&self.arena);
}

static void no_symbols_and_no_buffers_are_plans(void) {
  Case self;
  read_case(&self, "id,lower,upper,size\na,0,2,64\nb,1,3,32\n");
  CHECK(orient(&self));
  CHECK(eval(&self, 0, 1));
  CHECK_EQ(self.result.peak_bytes, 96);
  luna_arena_destroy(&self.arena);
  read_case(&self, "id,lower,upper,size\n");
  CHECK(orient(&self));
  CHECK(eval(&self, 0, 1));
  CHECK_EQ(self.result.peak_bytes, 0);
  luna_arena_destroy(&self.arena);
}

static void buffers_without_bytes_lie_at_0(void) {
  Case self;
  read_case(&self, "id,lower,upper,size,alignment\n"
                   "a,0,2,t,1\nb,0,2,s,64\nc,0,2,t,1\n");
  CHECK(orient(&self));
  CHECK(eval(&self, 0, 7));
  CHECK_EQ(self.offset_bytes[1], 0);
  CHECK(self.result.peak_bytes >= 14);
  luna_arena_destroy(&self.arena);
}

// Which of a and b is larger changes with s and t; c and d each meet one.
static void regions_have_orders_of_their_own(void) {
  Case self;
  read_case(&self, "id,lower,upper,size\n"
                   "a,0,3,100*s\nb,2,6,3*t\nc,5,8,100*s\nd,1,2,3*t\n"
                   "e,7,9,s*t\nf,0,1,s*t\ng,4,5,2*s*t\n");
  CHECK(orient(&self));
  CHECK(self.plan.order_count <= LUNA_PLAN_MAX_ORDERS);
  LunaArena arena = {0};
  for (int64_t s = 0; s <= 40; s += 5)
    for (int64_t t = 1; t <= 300; t += 13) {
      CHECK(eval(&self, s, t));
      CHECK(luna_plan_bind_sizes(self.csv.problem, &self.sizes, self.values,
                                 &self.error));
      CHECK(luna_plan_check(self.csv.problem, self.offset_bytes,
                            self.result.peak_bytes, &arena, &self.error));
    }
  luna_arena_destroy(&arena);
  luna_arena_destroy(&self.arena);
}

//===- Errors -------------------------------------------------------------===//

static void values_out_of_bounds_are_refused(void) {
  Case self;
  int64_t values[] = {41, 1};
  read_case(&self, "id,lower,upper,size\na,0,2,s*t\n");
  CHECK(orient(&self));
  CHECK(!eval(&self, 41, 1));
  CHECK_EQ(self.result.fault, LUNA_RANGE_SYMBOL);
  CHECK_EQ(self.result.item, 0);
  CHECK(!eval(&self, 0, 0));
  CHECK_EQ(self.result.fault, LUNA_RANGE_SYMBOL);
  CHECK_EQ(self.result.item, 1);
  CHECK(!luna_plan_bind_sizes(self.csv.problem, &self.sizes, values,
                              &self.error));
  CHECK_STR(self.error.message, "'s' is 41, allowed is 0 to 40");
  luna_arena_destroy(&self.arena);
}

static void negative_sizes_are_refused(void) {
  Case self;
  read_case(&self, "id,lower,upper,size\na,0,2,t\nb,0,2,s*s-7*s+12\n");
  CHECK(orient(&self));
  CHECK(eval(&self, 3, 1));
  CHECK(eval(&self, 40, 1));
  luna_arena_destroy(&self.arena);
  // Negative between two samples only.
  read_case(&self, "id,lower,upper,size\na,0,2,t\nb,0,2,s*s-22*s+120\n");
  CHECK(orient(&self));
  CHECK(!eval(&self, 11, 1));
  CHECK_EQ(self.result.fault, LUNA_RANGE_NEGATIVE);
  CHECK_EQ(self.result.item, 1);
  luna_arena_destroy(&self.arena);
  read_case(&self, "id,lower,upper,size\na,0,2,s-1\n");
  CHECK(!orient(&self));
  CHECK_STR(self.error.message, "the size of 'a' is negative");
  luna_arena_destroy(&self.arena);
}

// One size of 2^62, one of which only the terms are so large, and many that are
// so only in sum.
static void sizes_that_overflow_are_refused(void) {
  static const char *const cases[] = {
      "a,0,2,1152921504606846976*s\n",
      "a,0,2,1152921504606846976*s-1152921504606846976*s+s*s*s*s*"
      "144115188075855872\n",
      "a,0,2,50000000000000000*s\nb,4,5,40000000000000000*s\nc,6,7,"
      "40000000000000000*s\n",
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[300];
    Case self;
    snprintf(text, sizeof text, "id,lower,upper,size\n%s", cases[i]);
    read_case(&self, text);
    CHECK(!orient(&self));
    CHECK(strstr(self.error.message, "2^62 bytes or more") != NULL);
    luna_arena_destroy(&self.arena);
  }
}

static void sizes_that_overflow_elsewhere_are_refused_there(void) {
  static const LunaPlanSymbol wide[] = {{"s", 1, INT64_C(1) << 61}};
  int64_t nominal = 5;
  LunaOrientOptions options = {.nominals = &nominal, .nominal_count = 1};
  Case self;
  read_case(&self, "id,lower,upper,size\na,0,2,s*s\nb,0,2,7*s\n");
  self.sizes.symbols = wide;
  CHECK(luna_plan_orient(self.csv.problem, &self.sizes, &options, &self.plan,
                         &self.error));
  CHECK(eval(&self, 2000000000, 1));
  CHECK(!eval(&self, INT64_C(1) << 31, 1));
  CHECK_EQ(self.result.fault, LUNA_RANGE_OVERFLOW);
  CHECK(!eval(&self, INT64_C(1) << 61, 1));
  CHECK_EQ(self.result.fault, LUNA_RANGE_OVERFLOW);
  luna_arena_destroy(&self.arena);
}

static void what_cannot_be_oriented_is_refused(void) {
  Case self;
  read_case(&self, "id,lower,upper,size,offset\na,0,2,s,8\n");
  CHECK(!orient(&self));
  CHECK_STR(self.error.message,
            "the offset of 'a' is fixed, a plan for ranges needs free ones");
  luna_arena_destroy(&self.arena);

  read_case(&self, "id,lower,upper,size\na,0,2,s\nb,3,4,t\n");
  luna_problem_alias(self.csv.problem, 0, 1);
  CHECK(!orient(&self));
  CHECK_STR(self.error.message, "aliases 'a' and 'b' have different sizes, a "
                                "plan for ranges needs one");
  luna_arena_destroy(&self.arena);

  static const LunaPlanSymbol falling[] = {{"s", 4, 3}};
  read_case(&self, "id,lower,upper,size\na,0,2,s\n");
  self.sizes.symbols = falling;
  CHECK(!orient(&self));
  CHECK_STR(self.error.message, "'s' is from 4 to 3, allowed are bounds that "
                                "rise and are not negative");
  luna_arena_destroy(&self.arena);

  static const LunaSizeTerm terms[] = {{1, 1, {7}}, {1, 5, {0}}};
  LunaSize size = {terms, 1};
  read_case(&self, "id,lower,upper,size\na,0,2,s\n");
  self.sizes.sizes = &size;
  CHECK(!orient(&self));
  CHECK_STR(self.error.message,
            "the size of 'a' is in a symbol that does not exist");
  size.terms = &terms[1];
  CHECK(!orient(&self));
  CHECK_STR(self.error.message, "the size of 'a' is of too high a degree");
  luna_arena_destroy(&self.arena);
}

//===- Random programs ----------------------------------------------------===//

static LunaSize random_size(Random *random, LunaArena *arena) {
  uint32_t count = random_below(random, 4);
  LunaSizeTerm *terms = LUNA_ARENA_ARRAY(arena, LunaSizeTerm, count);
  for (uint32_t i = 0; i < count; ++i) {
    terms[i].coefficient = 1 + random_below(random, 9);
    terms[i].degree = random_below(random, 3);
    for (uint32_t k = 0; k < terms[i].degree; ++k)
      terms[i].symbols[k] = random_below(random, 2);
  }
  return (LunaSize){terms, count};
}

// Sizes in s and t; those of aliases are equal.
static LunaPlanSizes random_sizes(LunaProblem *problem, Random *random,
                                  LunaArena *arena) {
  uint32_t count = luna_problem_buffer_count(problem);
  LunaSize *sizes = LUNA_ARENA_ARRAY(arena, LunaSize, count);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t place = luna_plan_place_of(problem, i);
    sizes[i] = place < i ? sizes[place] : random_size(random, arena);
    problem->buffers.items[i].is_fixed = false;
  }
  return (LunaPlanSizes){symbols, 2, sizes};
}

// Evaluates a binding and checks its plan; returns the peak.
static int64_t check_binding(LunaProblem *problem, const LunaPlanSizes *sizes,
                             const LunaRangePlan *plan, const int64_t *values) {
  LunaArena arena = {0};
  LunaError error = {0};
  LunaRangeResult result;
  int64_t *work = LUNA_ARENA_ARRAY(&arena, int64_t, luna_plan_eval_work(plan));
  int64_t *offsets = LUNA_ARENA_ARRAY(&arena, int64_t, plan->buffer_count);
  CHECK(luna_plan_eval(plan, values, work, offsets, &result));
  CHECK(luna_plan_bind_sizes(problem, sizes, values, &error));
  CHECK(luna_plan_check(problem, offsets, result.peak_bytes, &arena, &error));
  luna_arena_destroy(&arena);
  return result.peak_bytes;
}

static bool all_have_bytes(const LunaProblem *problem) {
  for (uint32_t i = 0; i < luna_problem_buffer_count(problem); ++i)
    if (luna_problem_buffer(problem, i)->size_bytes == 0)
      return false;
  return true;
}

static void check_program(Random *random) {
  LunaArena arena = {0};
  LunaError error = {0};
  LunaRangePlan plan;
  LunaProblem *problem = random_program(
      &arena, random, 1 + random_below(random, 12), random_below(random, 2));
  LunaPlanSizes sizes = random_sizes(problem, random, &arena);
  int64_t nominal[] = {random_below(random, 41), 1 + random_below(random, 300)};
  LunaOrientOptions options = {.step_budget = 200};
  if (random_below(random, 2) > 0)
    options = (LunaOrientOptions){.nominals = nominal, .nominal_count = 1};
  CHECK(luna_plan_orient(problem, &sizes, &options, &plan, &error));
  for (int i = 0; i < 8; ++i) {
    int64_t values[] = {random_below(random, 41),
                        1 + random_below(random, 300)};
    check_binding(problem, &sizes, &plan, values);
  }
  int64_t peak = check_binding(problem, &sizes, &plan, nominal);
  if (options.nominals && all_have_bytes(problem)) {
    // As good as the plan that gave the order.
    LunaSolution solution;
    LunaPlanOptions optimal = {.strategy = "optimal"};
    CHECK(luna_plan_solve(problem, &optimal, &solution, &error));
    CHECK(peak <= solution.total.bytes);
  }
  luna_arena_destroy(&arena);
}

static void plans_of_random_programs_are_valid_for_all_sizes(void) {
  Random random = {12};
  for (int round = 0; round < 600; ++round)
    check_program(&random);
}

static void equal_problems_have_equal_plans(void) {
  int64_t peaks[2][20];
  for (int turn = 0; turn < 2; ++turn) {
    Random random = {3};
    LunaArena arena = {0};
    LunaError error = {0};
    LunaRangePlan plan;
    LunaProblem *problem = random_program(&arena, &random, 40, false);
    LunaPlanSizes sizes = random_sizes(problem, &random, &arena);
    CHECK(luna_plan_orient(problem, &sizes, NULL, &plan, &error));
    for (int i = 0; i < 20; ++i) {
      int64_t values[] = {2 * i, 1 + 14 * i};
      peaks[turn][i] = check_binding(problem, &sizes, &plan, values);
    }
    luna_arena_destroy(&arena);
  }
  CHECK(memcmp(peaks[0], peaks[1], sizeof peaks[0]) == 0);
}

int main(void) {
  RUN_TEST(offsets_follow_the_sizes);
  RUN_TEST(no_symbols_and_no_buffers_are_plans);
  RUN_TEST(buffers_without_bytes_lie_at_0);
  RUN_TEST(regions_have_orders_of_their_own);
  RUN_TEST(values_out_of_bounds_are_refused);
  RUN_TEST(negative_sizes_are_refused);
  RUN_TEST(sizes_that_overflow_are_refused);
  RUN_TEST(sizes_that_overflow_elsewhere_are_refused_there);
  RUN_TEST(what_cannot_be_oriented_is_refused);
  RUN_TEST(plans_of_random_programs_are_valid_for_all_sizes);
  RUN_TEST(equal_problems_have_equal_plans);
  return 0;
}
