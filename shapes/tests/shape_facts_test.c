#include "check.h"
#include "luna/checked.h"
#include "luna/shape_facts.h"

typedef struct Fixture {
  LunaArena arena;
  LunaFacts facts;
} Fixture;

static void start(Fixture *f) {
  f->arena = (LunaArena){0};
  luna_facts_init(&f->facts, &f->arena);
}

static LunaExpr symbol(Fixture *f, const char *name, uint32_t scope) {
  LunaExprs *e = &f->facts.exprs;
  LunaSymbol added = {.name = name,
                      .range = {1, INT64_MAX},
                      .order = e->symbols.count,
                      .scope = scope};
  return luna_expr_symbol(e, luna_symbol_add(e, &added));
}

static LunaExpr constant(Fixture *f, int64_t value) {
  return luna_expr_const(&f->facts.exprs, value);
}

static void require(Fixture *f, LunaConstraintKind kind, LunaExpr a, LunaExpr b,
                    uint32_t scope) {
  luna_fact_add(&f->facts, &(LunaConstraint){kind, a, b, scope, 0});
}

static LunaExpr known(Fixture *f, LunaExpr expr) {
  return luna_expr_resolve(&f->facts.exprs, expr);
}

// (size - 3 + 2) / 2 + 1, which a kernel of 3, pads of 1 and a stride of 2
// leave.
static LunaExpr halved(Fixture *f, LunaExpr size) {
  LunaExprs *e = &f->facts.exprs;
  return luna_expr_scale(
      e, luna_expr_floordiv(e, luna_expr_scale(e, size, 1, -1), constant(f, 2)),
      1, 1);
}

static void equal_sizes_are_one_symbol(void) {
  Fixture f;
  start(&f);
  LunaExprs *e = &f.facts.exprs;
  LunaExpr s = symbol(&f, "s", 0), t = symbol(&f, "t", 0);
  LunaExpr u = symbol(&f, "u", 0);
  require(&f, LUNA_CONSTRAINT_EQUAL, t, u, 0);
  require(&f, LUNA_CONSTRAINT_EQUAL, luna_expr_scale(e, s, 3, 0),
          luna_expr_scale(e, u, 3, 6), 0);
  CHECK_EQ(luna_facts_resolve(&f.facts), LUNA_NO_CONSTRAINT);
  CHECK_EQ(known(&f, t), luna_expr_scale(e, s, 1, -2));
  CHECK_EQ(known(&f, u), known(&f, t));
  CHECK_EQ(luna_expr_range(e, s).min, 3);
  luna_arena_destroy(&f.arena);
}

static void exact_strides_are_inverted(void) {
  Fixture f;
  start(&f);
  LunaExprs *e = &f.facts.exprs;
  LunaExpr s = symbol(&f, "s", 0), once = halved(&f, s),
           twice = halved(&f, once);
  require(&f, LUNA_CONSTRAINT_DIVISIBLE, luna_expr_scale(e, s, 1, -1),
          constant(&f, 2), 0);
  require(&f, LUNA_CONSTRAINT_DIVISIBLE, luna_expr_scale(e, once, 1, -1),
          constant(&f, 2), 0);
  CHECK_EQ(luna_facts_resolve(&f.facts), LUNA_NO_CONSTRAINT);
  CHECK_EQ(f.facts.exprs.symbols.items[0].modulus, 4);
  CHECK_EQ(f.facts.exprs.symbols.items[0].residue, 1);
  require(&f, LUNA_CONSTRAINT_EQUAL, twice, constant(&f, 25), 0);
  CHECK_EQ(luna_facts_resolve(&f.facts), LUNA_NO_CONSTRAINT);
  CHECK_EQ(known(&f, s), constant(&f, 97));
  luna_arena_destroy(&f.arena);
}

static void broadcasting_sizes_stay_apart(void) {
  Fixture f;
  start(&f);
  LunaExprs *e = &f.facts.exprs;
  LunaExpr s = symbol(&f, "s", 0), t = symbol(&f, "t", 0);
  require(&f, LUNA_CONSTRAINT_BROADCAST, s, t, 0);
  CHECK_EQ(luna_facts_resolve(&f.facts), LUNA_NO_CONSTRAINT);
  CHECK(known(&f, s) != known(&f, t));
  require(&f, LUNA_CONSTRAINT_BROADCAST, constant(&f, 8), t, 0);
  CHECK_EQ(luna_facts_resolve(&f.facts), LUNA_NO_CONSTRAINT);
  CHECK_EQ(luna_expr_range(e, t).max, 8);
  CHECK_EQ(luna_expr_max(e, t, constant(&f, 8)), constant(&f, 8));
  int64_t values[] = {5, 8};
  CHECK(!luna_facts_check(&f.facts, values));
  values[0] = 1;
  CHECK(luna_facts_check(&f.facts, values));
  values[1] = 2;
  CHECK(!luna_facts_check(&f.facts, values));
  // Neither can be 1: now they are equal.
  require(&f, LUNA_CONSTRAINT_AT_LEAST, s, constant(&f, 2), 0);
  require(&f, LUNA_CONSTRAINT_AT_LEAST, t, constant(&f, 2), 0);
  CHECK_EQ(luna_facts_resolve(&f.facts), LUNA_NO_CONSTRAINT);
  CHECK_EQ(known(&f, s), constant(&f, 8));
  luna_arena_destroy(&f.arena);
}

static void a_region_teaches_nothing_about_symbols_outside(void) {
  Fixture f;
  start(&f);
  uint32_t body = luna_scope_add(&f.facts, 0);
  LunaExpr s = symbol(&f, "s", 0), t = symbol(&f, "t", body);
  require(&f, LUNA_CONSTRAINT_EQUAL, s, constant(&f, 8), body);
  require(&f, LUNA_CONSTRAINT_EQUAL, t, constant(&f, 8), body);
  CHECK_EQ(luna_facts_resolve(&f.facts), LUNA_NO_CONSTRAINT);
  CHECK_EQ(known(&f, s), s);
  CHECK_EQ(known(&f, t), constant(&f, 8));
  luna_arena_destroy(&f.arena);
}

static void what_cannot_be_is_found(void) {
  static const struct {
    LunaConstraintKind kind;
    int64_t factor, offset, b;
  } cases[] = {
      {LUNA_CONSTRAINT_EQUAL, 2, 0, 7},
      {LUNA_CONSTRAINT_EQUAL, 0, 4, 5},
      {LUNA_CONSTRAINT_EQUAL, 1, 0, 0},
      {LUNA_CONSTRAINT_AT_LEAST, -1, 0, 0},
      {LUNA_CONSTRAINT_DIVISIBLE, 2, 1, 4},
      {LUNA_CONSTRAINT_BROADCAST, 0, 4, 5},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    Fixture f;
    start(&f);
    LunaExpr s = symbol(&f, "s", 0);
    require(
        &f, cases[i].kind,
        luna_expr_scale(&f.facts.exprs, s, cases[i].factor, cases[i].offset),
        constant(&f, cases[i].b), 0);
    CHECK_EQ(luna_facts_resolve(&f.facts), 0);
    luna_arena_destroy(&f.arena);
  }
}

static void residues_combine(void) {
  Fixture f;
  start(&f);
  LunaExprs *e = &f.facts.exprs;
  LunaExpr s = symbol(&f, "s", 0);
  require(&f, LUNA_CONSTRAINT_DIVISIBLE, luna_expr_scale(e, s, 3, -1),
          constant(&f, 5), 0); // s == 2 (mod 5)
  require(&f, LUNA_CONSTRAINT_DIVISIBLE, luna_expr_scale(e, s, 1, -3),
          constant(&f, 4), 0);
  CHECK_EQ(luna_facts_resolve(&f.facts), LUNA_NO_CONSTRAINT);
  CHECK_EQ(e->symbols.items[0].modulus, 20);
  CHECK_EQ(e->symbols.items[0].residue, 7);
  require(&f, LUNA_CONSTRAINT_DIVISIBLE, s, constant(&f, 2), 0);
  CHECK_EQ(luna_facts_resolve(&f.facts), 2);
  LunaText text = {0};
  luna_constraint_print(&f.facts, &f.facts.constraints.items[0], &text);
  CHECK_STR(text.data, "(3*s - 1) mod 5 == 0");
  luna_text_deinit(&text);
  luna_arena_destroy(&f.arena);
}

//===----------------------------------------------------------------------===//
// Random constraints that hold for one assignment
//===----------------------------------------------------------------------===//

enum { SYMBOLS = 5 };

static uint64_t state = 7;

static uint32_t draw(uint32_t below) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state >> 33) % below;
}

static LunaExpr random_expr(Fixture *f, const LunaExpr *symbols) {
  LunaExprs *e = &f->facts.exprs;
  LunaExpr a = symbols[draw(SYMBOLS)], b = symbols[draw(SYMBOLS)];
  switch (draw(5)) {
  case 0:
    return luna_expr_scale(e, a, 1 + draw(3), draw(4));
  case 1:
    return luna_expr_mul(e, a, b);
  case 2:
    return luna_expr_max(e, a, b);
  case 3:
    return luna_expr_floordiv(e, luna_expr_scale(e, a, 1, draw(3)),
                              constant(f, 2 + draw(3)));
  default:
    return luna_expr_add(e, a, b);
  }
}

// A constraint on the expression that `values` meet.
static void require_met(Fixture *f, LunaExpr a, LunaExpr b,
                        const int64_t *values) {
  LunaExprs *e = &f->facts.exprs;
  int64_t x = 0, y = 0;
  CHECK(luna_expr_eval(e, a, values, &x) && luna_expr_eval(e, b, values, &y));
  int64_t modulus = 2 + draw(4);
  switch (draw(4)) {
  case 0:
    require(f, LUNA_CONSTRAINT_EQUAL, a, luna_expr_scale(e, b, 1, x - y), 0);
    break;
  case 1:
    require(f, LUNA_CONSTRAINT_AT_LEAST, x > y ? a : b, x > y ? b : a, 0);
    break;
  case 2:
    require(f, LUNA_CONSTRAINT_DIVISIBLE,
            luna_expr_scale(e, a, 1, -(x % modulus)), constant(f, modulus), 0);
    break;
  default:
    if (x == y || x == 1 || y == 1)
      require(f, LUNA_CONSTRAINT_BROADCAST, a, b, 0);
  }
}

static void conclusions_hold_for_the_assignment(void) {
  static const char *const names[] = {"a", "b", "c", "d", "e"};
  int solved = 0;
  for (int system = 0; system < 2000; ++system) {
    Fixture f;
    LunaExpr symbols[SYMBOLS];
    int64_t values[SYMBOLS], check[SYMBOLS];
    start(&f);
    for (int i = 0; i < SYMBOLS; ++i) {
      symbols[i] = symbol(&f, names[i], 0);
      check[i] = values[i] = 1 + draw(6);
    }
    for (int i = 0; i < 8; ++i)
      require_met(&f, random_expr(&f, symbols), random_expr(&f, symbols),
                  values);
    CHECK_EQ(luna_facts_resolve(&f.facts), LUNA_NO_CONSTRAINT);
    CHECK(luna_facts_check(&f.facts, check));
    for (int i = 0; i < SYMBOLS; ++i) {
      int64_t found = 0;
      LunaExpr resolved = known(&f, symbols[i]);
      solved += resolved != symbols[i];
      CHECK(luna_expr_eval(&f.facts.exprs, resolved, values, &found));
      CHECK_EQ(found, values[i]);
      CHECK(luna_symbol_admits(&f.facts, (uint32_t)i, values[i]));
    }
    luna_arena_destroy(&f.arena);
  }
  CHECK(solved > 1000);
}

// Of two symbols, the first as tried: both must fit.
static bool fits_beside_8(void *data, int64_t size) {
  int64_t values[] = {size, 8};
  return luna_facts_check(data, values);
}

static void nearest_sizes_fulfil_all_constraints(void) {
  Fixture f;
  start(&f);
  LunaExprs *e = &f.facts.exprs;
  LunaExpr s = symbol(&f, "s", 0), t = symbol(&f, "t", 0);
  LunaSizeSearch search = {100, fits_beside_8, &f.facts};
  require(&f, LUNA_CONSTRAINT_DIVISIBLE, s, constant(&f, 12), 0);
  require(&f, LUNA_CONSTRAINT_AT_LEAST, luna_expr_mul(e, t, constant(&f, 5)), s,
          0);
  CHECK_EQ(luna_facts_resolve(&f.facts), LUNA_NO_CONSTRAINT);
  CHECK_STR(luna_nearest_sizes(&search, "s", 20, &f.arena),
            "s=20: 12 and 24 are possible");
  CHECK_STR(luna_nearest_sizes(&search, "s", 50, &f.arena),
            "s=50: 36 is possible");
  CHECK_STR(luna_nearest_sizes(&search, "s", 5, &f.arena),
            "s=5: 12 is possible");
  search.tries = 3;
  CHECK_STR(luna_nearest_sizes(&search, "s", 20, &f.arena), "");
  luna_arena_destroy(&f.arena);
}

int main(void) {
  RUN_TEST(equal_sizes_are_one_symbol);
  RUN_TEST(exact_strides_are_inverted);
  RUN_TEST(broadcasting_sizes_stay_apart);
  RUN_TEST(a_region_teaches_nothing_about_symbols_outside);
  RUN_TEST(what_cannot_be_is_found);
  RUN_TEST(residues_combine);
  RUN_TEST(conclusions_hold_for_the_assignment);
  RUN_TEST(nearest_sizes_fulfil_all_constraints);
  return 0;
}
