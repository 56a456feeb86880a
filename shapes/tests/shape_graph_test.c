#include "check.h"
#include "luna/shape_graph.h"

enum { OPEN = -1 };

typedef struct Fixture {
  LunaArena arena;
  LunaShapeGraph graph;
} Fixture;

static void start(Fixture *f) {
  f->arena = (LunaArena){0};
  luna_shape_graph_init(&f->graph, &f->arena);
}

static uint32_t add_value(Fixture *f, LunaShapeDecl decl, const int *dims) {
  int64_t sizes[8];
  for (uint32_t d = 0; decl.rank != LUNA_SHAPE_UNRANKED && d < decl.rank; ++d)
    sizes[d] = dims[d] == OPEN ? LUNA_SHAPE_OPEN : dims[d];
  decl.dims = sizes;
  return luna_shape_value_add(&f->graph, &decl);
}

#define ARGUMENT(name, rank, ...)                                              \
  add_value(f, (LunaShapeDecl){0, rank, NULL, 0, false, name},                 \
            (const int[]){__VA_ARGS__})
#define TENSOR(rank, ...)                                                      \
  add_value(f, (LunaShapeDecl){0, rank, NULL, 0, false, NULL},                 \
            (const int[]){__VA_ARGS__})
#define UNRANKED()                                                             \
  add_value(f, (LunaShapeDecl){0, LUNA_SHAPE_UNRANKED, NULL, 0, false, NULL},  \
            NULL)
// A list of sizes.
#define SIZES(count)                                                           \
  add_value(f, (LunaShapeDecl){0, 0, NULL, count, false, NULL}, NULL)

static uint32_t *copy_list(Fixture *f, const uint32_t *items, uint32_t count) {
  uint32_t *list = LUNA_ARENA_ARRAY(&f->arena, uint32_t, count);
  for (uint32_t i = 0; i < count; ++i)
    list[i] = items[i];
  return list;
}

static LunaShapeOp *add_op(Fixture *f, const LunaShapeRule *rule,
                           uint32_t result, const uint32_t *operands,
                           uint32_t count) {
  uint32_t index = luna_shape_op_add(
      &f->graph, &(LunaShapeOp){.rule = rule,
                                .operands = copy_list(f, operands, count),
                                .results = copy_list(f, &result, 1),
                                .operand_count = count,
                                .result_count = 1});
  return &f->graph.ops.items[index];
}

#define COUNT(...) (sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define OP(name, result, ...)                                                  \
  add_op(f, luna_shape_rule(name, strlen(name)), result,                       \
         (const uint32_t[]){__VA_ARGS__}, COUNT(__VA_ARGS__))
#define MERGE(result, ...)                                                     \
  add_op(f, &luna_shape_merge, result, (const uint32_t[]){__VA_ARGS__},        \
         COUNT(__VA_ARGS__))

static void set_ints(Fixture *f, LunaShapeOp *op, uint32_t a,
                     const int64_t *items, uint32_t count) {
  int64_t *list = LUNA_ARENA_ARRAY(&f->arena, int64_t, count);
  for (uint32_t i = 0; i < count; ++i)
    list[i] = items[i];
  op->ints[a] = (LunaShapeInts){list, count};
}

#define INTS(op, a, ...)                                                       \
  set_ints(f, op, a, (const int64_t[]){__VA_ARGS__},                           \
           sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static void expect_shape(Fixture *f, uint32_t value, const char *text) {
  LunaText found = {0};
  uint32_t rank = luna_shape_rank(&f->graph, value);
  luna_shape_name_symbols(&f->graph);
  luna_text_printf(&found, rank == LUNA_SHAPE_UNRANKED ? "*" : "");
  for (uint32_t d = 0; rank != LUNA_SHAPE_UNRANKED && d < rank; ++d) {
    luna_text_printf(&found, d > 0 ? " x " : "");
    luna_expr_print(&f->graph.facts.exprs, luna_shape_dim(&f->graph, value, d),
                    &found);
  }
  CHECK_STR(found.data, text);
  luna_text_deinit(&found);
}

static LunaInterval range_of(Fixture *f, uint32_t value, uint32_t d) {
  return luna_expr_range(&f->graph.facts.exprs,
                         luna_shape_dim(&f->graph, value, d));
}

static void solve(Fixture *f) {
  CHECK_EQ(luna_shape_solve(&f->graph, 0), LUNA_NO_CONSTRAINT);
  CHECK(f->graph.update_count <= 2 * f->graph.cell_count);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static void a_size_of_1_broadcasts(void) {
  Fixture fixture, *f = &fixture;
  start(f);
  uint32_t x = ARGUMENT("x", 3, OPEN, 8, OPEN), y = ARGUMENT("y", 3, 2, 8, 4);
  uint32_t z = ARGUMENT("z", 3, 1, 1, OPEN);
  uint32_t sum = UNRANKED(), both = UNRANKED();
  OP("tosa.add", sum, x, y);
  OP("tosa.mul", both, x, z);
  solve(f);
  expect_shape(f, sum, "2 x 8 x 4");
  expect_shape(f, both, "x.0 x 8 x max(x.2, z.2)");
  expect_shape(f, x, "x.0 x 8 x x.2");
  CHECK_EQ(range_of(f, x, 0).max, 2);
  // Values: x.0, x.2, z.2.
  int64_t values[] = {1, 4, 3};
  CHECK(!luna_facts_check(&f->graph.facts, values));
  values[2] = 1;
  CHECK(luna_facts_check(&f->graph.facts, values));
  luna_arena_destroy(&f->arena);
}

static void results_teach_operands(void) {
  Fixture fixture, *f = &fixture;
  start(f);
  uint32_t x = ARGUMENT("x", 4, 1, OPEN, OPEN, 3);
  uint32_t weight = TENSOR(4, 8, 3, 3, 3), bias = TENSOR(1, 8);
  uint32_t convolved = TENSOR(4, 1, 16, OPEN, 8),
           negated = TENSOR(4, 1, 16, 5, 8);
  LunaShapeOp *conv = OP("tosa.conv2d", convolved, x, weight, bias);
  INTS(conv, 0, 1, 1, 1, 1);
  INTS(conv, 1, 2, 2);
  INTS(conv, 2, 1, 1);
  OP("tosa.negate", negated, convolved);
  solve(f);
  expect_shape(f, x, "1 x 31 x 9 x 3");
  expect_shape(f, convolved, "1 x 16 x 5 x 8");
  luna_arena_destroy(&f->arena);
}

static void sizes_are_followed_through_values(void) {
  Fixture fixture, *f = &fixture;
  start(f);
  uint32_t x = ARGUMENT("x", 2, OPEN, 12);
  uint32_t rows = SIZES(1), shape = SIZES(2), both = SIZES(3);
  uint32_t folded = UNRANKED(), flat = UNRANKED(), minus = SIZES(1);
  LunaShapeOp *dim = OP("tosa.dim", rows, x);
  INTS(dim, 0, 0);
  LunaShapeOp *constant =
      add_op(f, luna_shape_rule("tosa.const_shape", 16), shape, NULL, 0);
  INTS(constant, 0, 3, 4);
  OP("tosa.concat_shape", both, rows, shape);
  OP("tosa.reshape", folded, x, both);
  constant = add_op(f, luna_shape_rule("tosa.const_shape", 16), minus, NULL, 0);
  INTS(constant, 0, -1);
  OP("tosa.reshape", flat, folded, minus);
  solve(f);
  expect_shape(f, folded, "x.0 x 3 x 4");
  expect_shape(f, flat, "12*x.0");
  CHECK_EQ(luna_shape_class_of(&f->graph, 0), LUNA_ISDO);
  CHECK_EQ(luna_shape_class_of(&f->graph, 3), LUNA_ISDOS);
  luna_arena_destroy(&f->arena);
}

static void unknown_operators_give_symbols(void) {
  Fixture fixture, *f = &fixture;
  start(f);
  uint32_t x = ARGUMENT("x", 2, OPEN, 4), y = TENSOR(2, OPEN, OPEN);
  uint32_t z = UNRANKED();
  OP("tosa.custom", y, x);
  LunaShapeOp *concat = OP("tosa.concat", z, x, y);
  INTS(concat, 0, 0);
  solve(f);
  expect_shape(f, z, "x.0 + u0 x 4");
  expect_shape(f, y, "u0 x 4");
  CHECK_EQ(luna_shape_class_of(&f->graph, 0), LUNA_EDO);
  luna_arena_destroy(&f->arena);
}

static void a_rank_flows_backward(void) {
  Fixture fixture, *f = &fixture;
  start(f);
  uint32_t x = add_value(
      f, (LunaShapeDecl){0, LUNA_SHAPE_UNRANKED, NULL, 0, false, "x"}, NULL);
  uint32_t y = TENSOR(2, 4, OPEN);
  OP("tosa.abs", y, x);
  solve(f);
  expect_shape(f, x, "4 x x.1");
  expect_shape(f, y, "4 x x.1");
  luna_arena_destroy(&f->arena);
}

static void shapes_that_cannot_be_are_errors(void) {
  Fixture fixture, *f = &fixture;
  start(f);
  uint32_t x = ARGUMENT("x", 3, 1, 4, 5), y = ARGUMENT("y", 3, 1, 6, OPEN);
  uint32_t good = TENSOR(3, 1, 4, 5), product = TENSOR(3, 1, 4, OPEN);
  OP("tosa.abs", good, x);
  OP("tosa.matmul", product, x, y);
  uint32_t failed = luna_shape_solve(&f->graph, 0);
  CHECK(failed != LUNA_NO_CONSTRAINT);
  CHECK_EQ(f->graph.facts.constraints.items[failed].origin, 1);
  luna_arena_destroy(&f->arena);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static void branches_keep_an_upper_bound(void) {
  Fixture fixture, *f = &fixture;
  start(f);
  uint32_t x = ARGUMENT("x", 2, OPEN, 8), a = TENSOR(2, 4, 8);
  uint32_t b = TENSOR(2, 6, 8), same = UNRANKED(), other = UNRANKED();
  uint32_t ranks = UNRANKED(), c = TENSOR(1, 8);
  MERGE(same, x, x);
  MERGE(other, a, b);
  MERGE(ranks, a, c);
  solve(f);
  expect_shape(f, same, "x.0 x 8");
  expect_shape(f, other, "u0 x 8");
  expect_shape(f, ranks, "*");
  CHECK_EQ(range_of(f, other, 0).min, 4);
  CHECK_EQ(range_of(f, other, 0).max, 6);
  luna_arena_destroy(&f->arena);
}

// Two values that a loop exchanges, both of one shape; and a third that grows.
static void loops_keep_what_they_hand_on(void) {
  Fixture fixture, *f = &fixture;
  start(f);
  uint32_t x = ARGUMENT("x", 2, OPEN, 8), first = UNRANKED();
  uint32_t second = UNRANKED(), grown = UNRANKED();
  uint32_t a = TENSOR(2, OPEN, OPEN), b = TENSOR(2, OPEN, OPEN);
  uint32_t c = TENSOR(2, OPEN, 8), sum = UNRANKED();
  MERGE(a, x, second);
  MERGE(b, x, first);
  MERGE(c, x, grown);
  OP("tosa.abs", first, a);
  OP("tosa.abs", second, b);
  LunaShapeOp *concat = OP("tosa.concat", grown, c, x);
  INTS(concat, 0, 0);
  OP("tosa.add", sum, a, b);
  solve(f);
  expect_shape(f, a, "x.0 x 8");
  expect_shape(f, sum, "x.0 x 8");
  expect_shape(f, c, "u0 x 8");
  expect_shape(f, grown, "x.0 + u0 x 8");
  CHECK_EQ(range_of(f, c, 0).min, 1);
  luna_arena_destroy(&f->arena);
}

//===----------------------------------------------------------------------===//
// Random programs: the order of the worklist does not matter
//===----------------------------------------------------------------------===//

static uint64_t state;

static uint32_t draw(uint32_t below) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state >> 33) % below;
}

static void random_program(Fixture *f, uint64_t seed) {
  static const char *const names[] = {"tosa.add",    "tosa.abs",
                                      "tosa.concat", "tosa.transpose",
                                      "tosa.custom", "tosa.matmul"};
  start(f);
  state = seed;
  uint32_t count = 0;
  ARGUMENT("x", 3, 1, OPEN, OPEN), ARGUMENT("y", 3, 1, OPEN, 8);
  ARGUMENT("z", 3, 1, 4, OPEN);
  for (count = 3; count < 24; ++count) {
    uint32_t a = draw(count), b = draw(count), kind = draw(8);
    uint32_t result = draw(3) > 0 ? UNRANKED() : TENSOR(3, 1, OPEN, OPEN);
    if (kind >= 6) {
      // The second operand may come later: a loop.
      MERGE(result, a, draw(24));
      continue;
    }
    LunaShapeOp *op = kind == 1 || kind == 3 ? OP(names[kind], result, a)
                                             : OP(names[kind], result, a, b);
    if (kind == 2)
      INTS(op, 0, 1 + draw(2));
    if (kind == 3)
      INTS(op, 0, 0, 2, 1);
  }
}

static char *describe(Fixture *f, uint32_t failed) {
  LunaText text = {0};
  luna_shape_name_symbols(&f->graph);
  luna_text_printf(&text, "%d:", failed == LUNA_NO_CONSTRAINT);
  for (uint32_t v = 0;
       failed == LUNA_NO_CONSTRAINT && v < f->graph.values.count; ++v)
    for (uint32_t d = 0; luna_shape_rank(&f->graph, v) != LUNA_SHAPE_UNRANKED &&
                         d < luna_shape_rank(&f->graph, v);
         ++d) {
      luna_text_printf(&text, d == 0 ? "\n" : " x ");
      luna_expr_print(&f->graph.facts.exprs, luna_shape_dim(&f->graph, v, d),
                      &text);
    }
  return text.data;
}

static void any_order_gives_the_same(void) {
  uint32_t solved = 0;
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    char *expected = NULL;
    for (uint32_t order = 0; order < 4; ++order) {
      Fixture fixture, *f = &fixture;
      random_program(f, seed);
      uint32_t failed = luna_shape_solve(&f->graph, order * 77);
      char *found = describe(f, failed);
      solved += order == 0 && failed == LUNA_NO_CONSTRAINT;
      CHECK(f->graph.update_count <= 2 * f->graph.cell_count);
      CHECK_STR(found, expected ? expected : found);
      free(expected);
      expected = found;
      luna_arena_destroy(&f->arena);
    }
    free(expected);
  }
  CHECK(solved > 200);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static void the_table_is_sound(void) {
  for (size_t i = 0; i < luna_shape_rule_count; ++i) {
    const LunaShapeRule *rule = &luna_shape_rules[i];
    CHECK(luna_shape_rule(rule->name, strlen(rule->name)) == rule);
    // Only ISVDOS depends on values, and all but EDO has a rule.
    CHECK_EQ(rule->value_operands != 0, rule->shape_class == LUNA_ISVDOS);
    CHECK(rule->shape_class == LUNA_EDO ||
          strcmp(rule->forward_name, "none") != 0 ||
          strcmp(rule->value_name, "none") != 0);
    CHECK(rule->shape_class != LUNA_ISDO ||
          strcmp(rule->value_name, "none") != 0);
  }
  CHECK(luna_shape_rule("linalg.matmul", 13) == luna_shape_rule("linalg", 6));
  CHECK(luna_shape_rule("foo.bar", 7) == &luna_shape_opaque);
}

int main(void) {
  RUN_TEST(a_size_of_1_broadcasts);
  RUN_TEST(results_teach_operands);
  RUN_TEST(sizes_are_followed_through_values);
  RUN_TEST(unknown_operators_give_symbols);
  RUN_TEST(a_rank_flows_backward);
  RUN_TEST(shapes_that_cannot_be_are_errors);
  RUN_TEST(branches_keep_an_upper_bound);
  RUN_TEST(loops_keep_what_they_hand_on);
  RUN_TEST(any_order_gives_the_same);
  RUN_TEST(the_table_is_sound);
  return 0;
}
