#include "check.h"
#include "luna/order.h"
#include "random_program.h"

//===- Small graphs -------------------------------------------------------===//

// Solves; returns the peak after a check of the order.
static int64_t solve(LunaOrderGraph *graph, uint64_t steps,
                     LunaOrderSolution *solution) {
  LunaError error = {0};
  LunaOrderOptions options = {.step_budget = steps};
  int64_t peak = 0;
  CHECK(luna_order_solve(graph, &options, solution, &error));
  CHECK(luna_order_peak(graph, solution->operators, &peak));
  CHECK_EQ(peak, solution->peak_bytes);
  CHECK(peak <= solution->given_bytes);
  CHECK(peak >= solution->lower_bound_bytes);
  CHECK_EQ(solution->is_optimal, peak == solution->lower_bound_bytes);
  return peak;
}

static void no_operators_need_nothing(void) {
  LunaArena arena = {0};
  LunaOrderSolution solution;
  LunaOrderGraph *graph = luna_order_create(&arena);
  CHECK_EQ(solve(graph, 0, &solution), 0);
  luna_order_add_value(graph, 7, LUNA_ORDER_START);
  CHECK_EQ(solve(graph, 0, &solution), 7);
  CHECK(solution.is_optimal);
  luna_arena_destroy(&arena);
}

// Two branches from one input: the wide one first, to its narrow end.
static void branches_run_one_after_the_other(void) {
  LunaArena arena = {0};
  LunaError error = {0};
  LunaOrderSolution solution;
  LunaOrderGraph *graph = NULL;
  const char *text = "6\n10 0\n50 1 0\n50 1 0\n1 1 1\n1 1 2\n2 2 3 4\n";
  CHECK(luna_order_read_text(text, strlen(text), "g", &arena, &graph, &error));
  CHECK_EQ(solve(graph, 0, &solution), 61);
  CHECK_EQ(solution.given_bytes, 110);
  CHECK(solution.is_optimal);
  luna_arena_destroy(&arena);
}

static void scratch_edges_and_kept_values_count(void) {
  LunaArena arena = {0};
  LunaOrderSolution solution;
  LunaOrderGraph *graph = luna_order_create(&arena);
  uint32_t input = luna_order_add_value(graph, 8, LUNA_ORDER_START);
  uint32_t first = luna_order_add_operator(graph, 0);
  luna_order_keep(graph, luna_order_add_value(graph, 100, first));
  uint32_t second = luna_order_add_operator(graph, 500);
  luna_order_read(graph, second, input);
  luna_order_read(graph, second, input);
  // `second` first: 8 + 500, then 100.
  CHECK_EQ(solve(graph, 0, &solution), 508);
  CHECK_EQ(solution.operators[0], second);
  luna_order_add_edge(graph, first, second);
  CHECK_EQ(solve(graph, 0, &solution), 608);
  CHECK_EQ(solution.operators[0], first);
  luna_arena_destroy(&arena);
}

static void orders_that_are_none_have_no_peak(void) {
  LunaArena arena = {0};
  LunaError error = {0};
  LunaOrderGraph *graph = NULL;
  int64_t peak = 0;
  CHECK(
      luna_order_read_text("2\n1 0\n1 1 0\n", 12, "g", &arena, &graph, &error));
  CHECK(!luna_order_peak(graph, (uint32_t[]){1, 0}, &peak));
  CHECK(!luna_order_peak(graph, (uint32_t[]){0, 0}, &peak));
  CHECK(!luna_order_peak(graph, (uint32_t[]){0, 2}, &peak));
  CHECK(luna_order_peak(graph, (uint32_t[]){0, 1}, &peak));
  luna_arena_destroy(&arena);
}

static void expect_mistake(LunaOrderGraph *graph, const char *message,
                           LunaArena *arena) {
  LunaError error = {0};
  LunaOrderSolution solution;
  CHECK(!luna_order_solve(graph, NULL, &solution, &error));
  CHECK_STR(error.message, message);
  luna_arena_destroy(arena);
}

static void mistakes_in_building_are_reported(void) {
  LunaArena arena = {0};
  LunaOrderGraph *graph = luna_order_create(&arena);
  luna_order_add_operator(graph, -1);
  expect_mistake(graph, "scratch of a negative size", &arena);
  graph = luna_order_create(&arena);
  luna_order_add_value(graph, -1, LUNA_ORDER_START);
  expect_mistake(graph, "a value of a negative size", &arena);
  graph = luna_order_create(&arena);
  luna_order_add_value(graph, 1, 0);
  expect_mistake(graph, "a value of an operator that does not exist", &arena);
  graph = luna_order_create(&arena);
  luna_order_read(graph, luna_order_add_operator(graph, 0), 3);
  expect_mistake(graph, "a read of a value that does not exist", &arena);
  graph = luna_order_create(&arena);
  luna_order_keep(graph, 3);
  expect_mistake(graph, "keeps a value that does not exist", &arena);
  graph = luna_order_create(&arena);
  luna_order_add_edge(graph, 0, luna_order_add_operator(graph, 0));
  expect_mistake(graph, "an operator that comes before what it needs", &arena);
  graph = luna_order_create(&arena);
  luna_order_add_value(graph, INT64_MAX, LUNA_ORDER_START);
  luna_order_add_operator(graph, 1);
  expect_mistake(graph, "all values together are 2^63 bytes or more", &arena);
}

static void text_is_checked(void) {
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"", "g:1: found no number"},
      {"x\n", "g:1: found no number"},
      {"1 1\n", "g:1: found more than the line says it has"},
      {"2\n1 0\n", "g:3: found no number"},
      {"1\n1 1 0\n", "g:2: found an operator that is not before the reader"},
      {"1\n1 0\n1 0\n", "g:3: found more operators than the first line says"},
      {"1\n9223372036854775808 0\n", "g:2: found a number of 2^63 or more"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    LunaArena arena = {0};
    LunaError error = {0};
    LunaOrderGraph *graph = NULL;
    CHECK(!luna_order_read_text(cases[i].text, strlen(cases[i].text), "g",
                                &arena, &graph, &error));
    CHECK_STR(error.message, cases[i].message);
    luna_arena_destroy(&arena);
  }
}

//===- Random graphs against brute force ----------------------------------===//

enum { MAX_OPERATORS = 14, MAX_VALUES = 40 };

// A graph, a second time as bit sets for brute force.
typedef struct Model {
  uint32_t operator_count, value_count;
  uint32_t needs[MAX_OPERATORS];
  int64_t scratch[MAX_OPERATORS];
  int64_t sizes[MAX_VALUES];
  // Its maker, all bits for one that is there at the start; its readers.
  uint32_t makers[MAX_VALUES], readers[MAX_VALUES];
  bool is_kept[MAX_VALUES];
} Model;

static uint32_t add_value(Model *model, LunaOrderGraph *graph, Random *random,
                          uint32_t maker) {
  uint32_t value = model->value_count++;
  model->sizes[value] = random_below(random, 12);
  model->makers[value] = maker;
  luna_order_add_value(graph, model->sizes[value], maker);
  if (random_below(random, 10) == 0) {
    model->is_kept[value] = true;
    luna_order_keep(graph, value);
  }
  return value;
}

static void add_operator(Model *model, LunaOrderGraph *graph, Random *random) {
  uint32_t op = model->operator_count++;
  model->scratch[op] =
      random_below(random, 4) > 0 ? 0 : random_below(random, 9);
  luna_order_add_operator(graph, model->scratch[op]);
  uint32_t reads = random_below(random, 4), before = model->value_count;
  for (uint32_t i = 0; i < reads && before > 0; ++i) {
    uint32_t value = random_below(random, before);
    luna_order_read(graph, op, value);
    model->readers[value] |= 1u << op;
    if (model->makers[value] != LUNA_ORDER_START)
      model->needs[op] |= 1u << model->makers[value];
  }
  if (op > 0 && random_below(random, 8) == 0) {
    uint32_t earlier = random_below(random, op);
    luna_order_add_edge(graph, earlier, op);
    model->needs[op] |= 1u << earlier;
  }
  for (uint32_t makes = random_below(random, 10); makes < 14; makes += 5)
    add_value(model, graph, random, op);
}

static int64_t live_in(const Model *model, uint32_t done) {
  int64_t live = 0;
  for (uint32_t i = 0; i < model->value_count; ++i) {
    bool is_made = model->makers[i] == LUNA_ORDER_START ||
                   (done >> model->makers[i] & 1) != 0;
    bool is_needed = model->is_kept[i] || model->readers[i] == 0 ||
                     (model->readers[i] & ~done) != 0;
    live += is_made && is_needed ? model->sizes[i] : 0;
  }
  return live;
}

static int64_t made_by(const Model *model, uint32_t op) {
  int64_t made = 0;
  for (uint32_t i = 0; i < model->value_count; ++i)
    made += model->makers[i] == op ? model->sizes[i] : 0;
  return made;
}

// The least peak of all ways from no operator to each set.
static int64_t brute_force(const Model *model) {
  static int64_t best[1 << MAX_OPERATORS];
  uint32_t all = (1u << model->operator_count) - 1;
  for (uint32_t set = 0; set <= all; ++set)
    best[set] = INT64_MAX;
  best[0] = live_in(model, 0);
  for (uint32_t set = 0; set < all; ++set) {
    int64_t live = best[set] < INT64_MAX ? live_in(model, set) : 0;
    for (uint32_t op = 0; op < model->operator_count; ++op) {
      if (best[set] == INT64_MAX || (set >> op & 1) != 0 ||
          (model->needs[op] & ~set) != 0)
        continue;
      int64_t need = live + made_by(model, op) + model->scratch[op];
      int64_t peak = need > best[set] ? need : best[set];
      int64_t *next = &best[set | 1u << op];
      *next = peak < *next ? peak : *next;
    }
  }
  return best[all];
}

static void peaks_equal_brute_force(void) {
  Random random = {7};
  for (int round = 0; round < 2000; ++round) {
    LunaArena arena = {0};
    Model model = {0};
    LunaOrderSolution solution;
    LunaOrderGraph *graph = luna_order_create(&arena);
    uint32_t count = 4 + random_below(&random, MAX_OPERATORS - 3);
    for (uint32_t i = random_below(&random, 3); i > 0; --i)
      add_value(&model, graph, &random, LUNA_ORDER_START);
    for (uint32_t i = 0; i < count; ++i)
      add_operator(&model, graph, &random);
    CHECK(model.value_count <= MAX_VALUES);
    CHECK_EQ(solve(graph, 0, &solution), brute_force(&model));
    CHECK(solution.is_optimal);
    // Steps run out: valid, and no worse than given (which `solve` checks).
    solve(graph, 1 + random_below(&random, 200), &solution);
    luna_arena_destroy(&arena);
  }
}

//===- Beam search --------------------------------------------------------===//

// Blocks, each of which fans out from one value and joins again.
static void add_block(LunaOrderGraph *graph, Random *random, uint32_t *value) {
  enum { WIDTH = 12 };
  uint32_t ends[WIDTH];
  for (uint32_t i = 0; i < WIDTH; ++i) {
    uint32_t wide = luna_order_add_operator(graph, 0);
    luna_order_read(graph, wide, *value);
    ends[i] = luna_order_add_value(graph, 40 + random_below(random, 60), wide);
  }
  for (uint32_t i = 0; i < WIDTH; ++i) {
    uint32_t narrow = luna_order_add_operator(graph, 0);
    luna_order_read(graph, narrow, ends[i]);
    luna_order_read(graph, narrow, ends[(i * 7 + 3) % WIDTH]);
    ends[i] = luna_order_add_value(graph, 1 + random_below(random, 20), narrow);
  }
  uint32_t join = luna_order_add_operator(graph, 0);
  for (uint32_t i = 0; i < WIDTH; ++i)
    luna_order_read(graph, join, ends[i]);
  *value = luna_order_add_value(graph, 30, join);
}

static void beams_improve_where_steps_run_out(void) {
  Random random = {5};
  for (int round = 0; round < 20; ++round) {
    LunaArena arena = {0};
    LunaOrderSolution first, again;
    LunaOrderGraph *graph = luna_order_create(&arena);
    uint32_t value = luna_order_add_value(graph, 30, LUNA_ORDER_START);
    for (int i = 0; i < 3; ++i)
      add_block(graph, &random, &value);
    CHECK(2 * solve(graph, 300000, &first) < first.given_bytes);
    solve(graph, 300000, &again);
    CHECK(memcmp(first.operators, again.operators,
                 sizeof(uint32_t) * luna_order_count(graph)) == 0);
    luna_arena_destroy(&arena);
  }
}

int main(void) {
  RUN_TEST(no_operators_need_nothing);
  RUN_TEST(branches_run_one_after_the_other);
  RUN_TEST(scratch_edges_and_kept_values_count);
  RUN_TEST(orders_that_are_none_have_no_peak);
  RUN_TEST(mistakes_in_building_are_reported);
  RUN_TEST(text_is_checked);
  RUN_TEST(peaks_equal_brute_force);
  RUN_TEST(beams_improve_where_steps_run_out);
  return 0;
}
