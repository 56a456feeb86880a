#include "check.h"
#include "luna/checked.h"
#include "luna/shape_expr.h"

typedef struct Fixture {
  LunaArena arena;
  LunaExprs exprs;
} Fixture;

static void start(Fixture *f) {
  f->arena = (LunaArena){0};
  luna_exprs_init(&f->exprs, &f->arena);
}

static LunaExpr symbol(Fixture *f, const char *name, int64_t modulus,
                       int64_t residue) {
  uint64_t order = f->exprs.symbols.count;
  return luna_expr_symbol(
      &f->exprs,
      luna_symbol_add(&f->exprs, &(LunaSymbol){.name = name,
                                               .range = {1, INT64_MAX},
                                               .modulus = modulus,
                                               .residue = residue,
                                               .order = order}));
}

static LunaExpr constant(Fixture *f, int64_t value) {
  return luna_expr_const(&f->exprs, value);
}

static void expect(Fixture *f, LunaExpr expr, const char *text) {
  LunaText found = {0};
  luna_expr_print(&f->exprs, expr, &found);
  CHECK_STR(found.data, text);
  luna_text_deinit(&found);
}

static LunaExpr half(Fixture *f, LunaExpr a) {
  return luna_expr_floordiv(&f->exprs, a, constant(f, 2));
}

//===----------------------------------------------------------------------===//
// The normal form
//===----------------------------------------------------------------------===//

static void sums_of_products_are_equal(void) {
  Fixture f;
  start(&f);
  LunaExprs *e = &f.exprs;
  LunaExpr s = symbol(&f, "s", 1, 0), t = symbol(&f, "t", 1, 0);
  LunaExpr square =
      luna_expr_mul(e, luna_expr_add(e, s, t), luna_expr_sub(e, s, t));
  CHECK_EQ(square,
           luna_expr_sub(e, luna_expr_mul(e, s, s), luna_expr_mul(e, t, t)));
  CHECK_EQ(luna_expr_mul(e, s, t), luna_expr_mul(e, t, s));
  CHECK_EQ(luna_expr_sub(e, s, s), constant(&f, 0));
  expect(&f, luna_expr_scale(e, luna_expr_mul(e, t, s), 12, -1), "12*s*t - 1");
  expect(&f, luna_expr_scale(e, s, -1, 0), "-s");
  luna_arena_destroy(&f.arena);
}

static void quotients_are_equal(void) {
  Fixture f;
  start(&f);
  LunaExprs *e = &f.exprs;
  LunaExpr s = symbol(&f, "s", 1, 0), t = symbol(&f, "t", 1, 0);
  LunaExpr below = luna_expr_scale(e, s, 1, -1),
           above = luna_expr_scale(e, s, 1, 1);
  CHECK_EQ(luna_expr_scale(e, half(&f, below), 1, 1), half(&f, above));
  CHECK_EQ(luna_expr_ceildiv(e, s, constant(&f, 2)), half(&f, above));
  CHECK_EQ(luna_expr_sub(e, s, luna_expr_scale(e, half(&f, s), 2, 0)),
           luna_expr_mod(e, s, constant(&f, 2)));
  // (12 s t) / (4 s) and ((s + 1) t) / (s + 1) are exact.
  LunaExpr product = luna_expr_scale(e, luna_expr_mul(e, s, t), 12, 0);
  CHECK_EQ(luna_expr_floordiv(e, product, luna_expr_scale(e, s, 4, 0)),
           luna_expr_scale(e, t, 3, 0));
  CHECK_EQ(luna_expr_floordiv(e, luna_expr_mul(e, above, t), above), t);
  CHECK_EQ(luna_expr_floordiv(e, half(&f, s), constant(&f, 3)),
           luna_expr_floordiv(e, s, constant(&f, 6)));
  CHECK_EQ(luna_expr_floordiv(e, luna_expr_scale(e, s, 4, 3), constant(&f, 8)),
           half(&f, s));
  expect(&f, luna_expr_ceildiv(e, t, s), "(t - 1) floordiv s + 1");
  luna_arena_destroy(&f.arena);
}

static void congruence_makes_quotients_exact(void) {
  Fixture f;
  start(&f);
  LunaExprs *e = &f.exprs;
  LunaExpr odd = symbol(&f, "odd", 2, 1), even = symbol(&f, "even", 4, 0);
  LunaExpr quotient = half(&f, luna_expr_scale(e, odd, 1, 1));
  CHECK_EQ(luna_expr_scale(e, quotient, 2, -1), odd);
  CHECK_EQ(half(&f, luna_expr_scale(e, even, 1, 1)), half(&f, even));
  CHECK_EQ(luna_expr_mod(e, even, constant(&f, 2)), constant(&f, 0));
  CHECK_EQ(luna_expr_mod(e, odd, constant(&f, 2)), constant(&f, 1));
  int64_t residue = 0;
  CHECK(luna_expr_residue(e, luna_expr_mul(e, odd, even), 4, &residue));
  CHECK_EQ(residue, 0);
  CHECK(!luna_expr_residue(e, odd, 4, &residue));
  luna_arena_destroy(&f.arena);
}

static void extrema_are_flat(void) {
  Fixture f;
  start(&f);
  LunaExprs *e = &f.exprs;
  LunaExpr s = symbol(&f, "s", 1, 0), t = symbol(&f, "t", 1, 0);
  LunaExpr u = symbol(&f, "u", 1, 0);
  CHECK_EQ(luna_expr_max(e, luna_expr_max(e, s, t), u),
           luna_expr_max(e, s, luna_expr_max(e, u, t)));
  CHECK_EQ(luna_expr_max(e, s, luna_expr_scale(e, s, 1, 1)),
           luna_expr_scale(e, s, 1, 1));
  CHECK_EQ(luna_expr_max(e, s, constant(&f, 1)), s);
  CHECK_EQ(luna_expr_min(e, s, constant(&f, 1)), constant(&f, 1));
  CHECK_EQ(luna_expr_max(e, luna_expr_scale(e, s, 1, 3),
                         luna_expr_scale(e, t, 1, 4)),
           luna_expr_scale(e, luna_expr_max(e, s, luna_expr_scale(e, t, 1, 1)),
                           1, 3));
  expect(&f, luna_expr_max(e, t, luna_expr_max(e, u, s)), "max(s, t, u)");
  luna_arena_destroy(&f.arena);
}

static void overflow_is_no_expression(void) {
  Fixture f;
  start(&f);
  LunaExprs *e = &f.exprs;
  LunaExpr s = symbol(&f, "s", 1, 0), t = symbol(&f, "t", 1, 0);
  LunaExpr bytes = luna_expr_scale(e, luna_expr_mul(e, s, t), 4, 0);
  int64_t values[] = {INT64_C(1) << 31, INT64_C(1) << 31}, result = 0;
  CHECK(!luna_expr_eval(e, bytes, values, &result));
  values[1] = (INT64_C(1) << 30) - 1;
  CHECK(luna_expr_eval(e, bytes, values, &result));
  CHECK_EQ(result, ((INT64_C(1) << 30) - 1) * 4 * (INT64_C(1) << 31));
  CHECK_EQ(luna_expr_range(e, bytes).min, 4);
  CHECK_EQ(luna_expr_range(e, bytes).max, INT64_MAX);
  LunaExpr huge = constant(&f, INT64_MAX);
  CHECK_EQ(luna_expr_scale(e, huge, 1, 1), LUNA_EXPR_NONE);
  CHECK_EQ(luna_expr_mul(e, huge, constant(&f, -2)), LUNA_EXPR_NONE);
  CHECK_EQ(luna_expr_floordiv(e, s, constant(&f, 0)), LUNA_EXPR_NONE);
  CHECK_EQ(luna_expr_add(e, s, LUNA_EXPR_NONE), LUNA_EXPR_NONE);
  expect(&f, LUNA_EXPR_NONE, "?");
  luna_arena_destroy(&f.arena);
}

//===----------------------------------------------------------------------===//
// Random expressions against plain arithmetic
//===----------------------------------------------------------------------===//

enum { SYMBOLS = 3, NODES = 12, VALUES = 7 };

typedef struct Node {
  int kind, a, b;
  int64_t value;
} Node;

static uint64_t state = 1;

static uint32_t draw(uint32_t below) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state >> 33) % below;
}

// Node 0 to 2 are symbols; a divisor is a constant or a symbol.
static void make_nodes(Node *nodes) {
  for (int i = SYMBOLS; i < NODES; ++i) {
    nodes[i] = (Node){(int)draw(8), (int)draw((uint32_t)i),
                      (int)draw((uint32_t)i), (int64_t)draw(9) - 4};
    if (nodes[i].kind >= 3 && nodes[i].kind <= 4)
      nodes[i].b = (int)draw(SYMBOLS);
    if (nodes[i].kind == 7)
      nodes[i].value = 1 + draw(6);
  }
}

static LunaExpr build_node(Fixture *f, Node node, const LunaExpr *built) {
  LunaExprs *e = &f->exprs;
  LunaExpr a = built[node.a], b = built[node.b];
  switch (node.kind) {
  case 0:
    return luna_expr_add(e, a, b);
  case 1:
    return luna_expr_sub(e, a, b);
  case 2:
    return luna_expr_mul(e, a, b);
  case 3:
    return luna_expr_floordiv(e, a, b);
  case 4:
    return luna_expr_mod(e, a, b);
  case 5:
    return luna_expr_max(e, a, b);
  case 6:
    return luna_expr_min(e, luna_expr_scale(e, a, 1, node.value), b);
  default:
    return luna_expr_ceildiv(e, a, constant(f, node.value));
  }
}

static int64_t plain(Node node, int64_t a, int64_t b) {
  int64_t offset = a + node.value;
  switch (node.kind) {
  case 0:
    return a + b;
  case 1:
    return a - b;
  case 2:
    return a * b;
  case 3:
    return luna_floor_div(a, b);
  case 4:
    return luna_floor_mod(a, b);
  case 5:
    return a > b ? a : b;
  case 6:
    return offset < b ? offset : b;
  default:
    return -luna_floor_div(-a, node.value);
  }
}

static bool is_small(int64_t value) {
  return value > -(INT64_C(1) << 30) && value < INT64_C(1) << 30;
}

static int checked;

static void check_values(Fixture *f, const Node *nodes, const LunaExpr *built,
                         const int64_t *values) {
  int64_t expected[NODES];
  for (int i = 0; i < NODES; ++i) {
    int64_t found = 0;
    expected[i] = i < SYMBOLS ? values[i]
                              : plain(nodes[i], expected[nodes[i].a],
                                      expected[nodes[i].b]);
    if (!is_small(expected[i]))
      return;
    if (built[i] == LUNA_EXPR_NONE ||
        !luna_expr_eval(&f->exprs, built[i], values, &found))
      continue;
    LunaInterval range = luna_expr_range(&f->exprs, built[i]);
    CHECK_EQ(found, expected[i]);
    CHECK(range.min <= found && found <= range.max);
    int64_t residue = 0;
    if (luna_expr_residue(&f->exprs, built[i], 6, &residue))
      CHECK_EQ(luna_floor_mod(found, 6), residue);
    ++checked;
  }
}

static void check_all_values(Fixture *f, const Node *nodes,
                             const LunaExpr *built) {
  int64_t values[SYMBOLS];
  for (int code = 0; code < VALUES * VALUES * VALUES; ++code) {
    bool is_admitted = true;
    for (int s = 0, rest = code; s < SYMBOLS; ++s, rest /= VALUES) {
      LunaSymbol symbol = f->exprs.symbols.items[s];
      values[s] = 1 + rest % VALUES;
      is_admitted &= values[s] <= symbol.range.max &&
                     values[s] % symbol.modulus == symbol.residue;
    }
    if (is_admitted)
      check_values(f, nodes, built, values);
  }
}

// Bounds, residues and a value learned late give what they give at the start.
static void resolve_all(Fixture *f, LunaExpr *built) {
  LunaSymbol *known = &f->exprs.symbols.items[1];
  known->modulus = 1 + draw(4);
  known->residue = draw(4) % known->modulus;
  known->range.max = 1 + draw(VALUES);
  ++f->exprs.generation;
  for (int i = 0; i < NODES; ++i)
    built[i] = luna_expr_resolve(&f->exprs, built[i]);
}

static void random_expressions_equal_plain_arithmetic(void) {
  static const char *const names[] = {"a", "b", "c"};
  for (int program = 0; program < 400; ++program) {
    Fixture f;
    Node nodes[NODES] = {{0}};
    LunaExpr built[NODES];
    start(&f);
    for (int s = 0; s < SYMBOLS; ++s) {
      built[s] = symbol(&f, names[s], 1 + draw(3), draw(3));
      f.exprs.symbols.items[s].range.max = VALUES;
    }
    f.exprs.symbols.items[1].modulus = 1;
    f.exprs.symbols.items[1].residue = 0;
    make_nodes(nodes);
    for (int i = SYMBOLS; i < NODES; ++i)
      built[i] = build_node(&f, nodes[i], built);
    check_all_values(&f, nodes, built);
    resolve_all(&f, built);
    check_all_values(&f, nodes, built);
    luna_arena_destroy(&f.arena);
  }
  CHECK(checked > 100000);
}

int main(void) {
  RUN_TEST(sums_of_products_are_equal);
  RUN_TEST(quotients_are_equal);
  RUN_TEST(congruence_makes_quotients_exact);
  RUN_TEST(extrema_are_flat);
  RUN_TEST(overflow_is_no_expression);
  RUN_TEST(random_expressions_equal_plain_arithmetic);
  return 0;
}
