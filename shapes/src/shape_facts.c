#include "luna/shape_facts.h"

#include "luna/checked.h"
#include "shape_nodes.h"

// What a constraint turns out to be.
typedef enum Verdict { HOLDS, OPEN, FAILS } Verdict;

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

void luna_facts_init(LunaFacts *facts, LunaArena *arena) {
  *facts = (LunaFacts){.constraints = {0}};
  luna_exprs_init(&facts->exprs, arena);
  *LUNA_VECTOR_ADD(arena, &facts->scopes) = (LunaScope){.parent = 0};
}

uint32_t luna_scope_add(LunaFacts *facts, uint32_t parent) {
  *LUNA_VECTOR_ADD(facts->exprs.arena, &facts->scopes) =
      (LunaScope){.parent = parent};
  return (uint32_t)facts->scopes.count - 1;
}

bool luna_scope_is_dead(const LunaFacts *facts, uint32_t scope) {
  while (scope != 0 && !facts->scopes.items[scope].is_dead)
    scope = facts->scopes.items[scope].parent;
  return scope != 0;
}

// Returns true if `scope` lies in `outer` or is it.
static bool is_within(const LunaFacts *facts, uint32_t scope, uint32_t outer) {
  while (scope != outer && scope != 0)
    scope = facts->scopes.items[scope].parent;
  return scope == outer;
}

static bool may_teach(const LunaFacts *facts, uint32_t symbol, uint32_t scope) {
  return is_within(facts, facts->exprs.symbols.items[symbol].scope, scope);
}

static bool is_product_visible(const LunaFacts *facts, uint32_t product,
                               uint32_t scope) {
  const LunaExprs *exprs = &facts->exprs;
  LunaExprProduct factors = exprs->products.items[product];
  for (uint32_t k = 0; k < factors.count; ++k) {
    LunaExprAtom atom = exprs->atoms.items[factors.atoms[k]];
    if (atom.kind == LUNA_ATOM_SYMBOL &&
        !is_within(facts, scope, exprs->symbols.items[atom.symbol].scope))
      return false;
    for (uint32_t i = 0; i < atom.count; ++i)
      if (!luna_expr_is_visible(facts, atom.operands[i], scope))
        return false;
  }
  return true;
}

bool luna_expr_is_visible(const LunaFacts *facts, LunaExpr expr,
                          uint32_t scope) {
  const LunaExprSum *sum = luna_expr_sum(&facts->exprs, expr);
  for (uint32_t i = 0; i < sum->count; ++i)
    if (!is_product_visible(facts, sum->terms[i].product, scope))
      return false;
  return true;
}

void luna_symbol_bind(LunaFacts *facts, uint32_t symbol, LunaExpr value) {
  facts->exprs.symbols.items[symbol].value = value;
  ++facts->exprs.generation;
}

bool luna_symbol_admits(const LunaFacts *facts, uint32_t symbol,
                        int64_t value) {
  LunaSymbol known = facts->exprs.symbols.items[symbol];
  return value >= known.range.min && value <= known.range.max &&
         luna_floor_mod(value, known.modulus) == known.residue;
}

// A sum of one term and a constant.
typedef struct Single {
  LunaExprAtom atom;
  int64_t factor, constant;
} Single;

static bool is_single(const LunaExprs *exprs, LunaExpr expr, Single *single) {
  const LunaExprSum *sum = luna_expr_sum(exprs, expr);
  single->constant = luna_sum_constant(sum);
  if (sum->count != (single->constant != 0 ? 2u : 1u))
    return false;
  LunaExprTerm term = sum->terms[sum->count - 1];
  LunaExprProduct product = exprs->products.items[term.product];
  if (product.count != 1)
    return false;
  single->atom = exprs->atoms.items[product.atoms[0]];
  single->factor = term.factor;
  return true;
}

//===----------------------------------------------------------------------===//
// a >= 0
//===----------------------------------------------------------------------===//

static Verdict learn_positive(LunaFacts *facts, LunaExpr a, uint32_t scope);

// Moves the bounds of a symbol to numbers of its residue. Returns false if
// there is none between them.
static bool tighten(LunaSymbol *symbol) {
  LunaInterval *range = &symbol->range;
  if (range->min != INT64_MIN && range->min < INT64_MAX - symbol->modulus)
    range->min += luna_floor_mod(
        symbol->residue - luna_floor_mod(range->min, symbol->modulus),
        symbol->modulus);
  if (range->max != INT64_MAX && range->max > INT64_MIN + symbol->modulus)
    range->max -= luna_floor_mod(luna_floor_mod(range->max, symbol->modulus) -
                                     symbol->residue,
                                 symbol->modulus);
  return range->min <= range->max;
}

static Verdict narrow(LunaFacts *facts, const Single *single) {
  LunaSymbol *symbol = &facts->exprs.symbols.items[single->atom.symbol];
  if (single->constant == INT64_MIN || single->factor == INT64_MIN)
    return OPEN;
  if (single->factor > 0) {
    int64_t least = -luna_floor_div(single->constant, single->factor);
    symbol->range.min = least > symbol->range.min ? least : symbol->range.min;
  } else {
    int64_t most = luna_floor_div(single->constant, -single->factor);
    symbol->range.max = most < symbol->range.max ? most : symbol->range.max;
  }
  ++facts->exprs.generation;
  return tighten(symbol) ? HOLDS : FAILS;
}

// constant - max(…) >= 0, or min(…) + constant >= 0: so for each operand.
static Verdict learn_operands(LunaFacts *facts, const Single *single,
                              uint32_t scope) {
  Verdict verdict = HOLDS;
  bool covers_all =
      single->atom.kind == (single->factor > 0 ? LUNA_ATOM_MIN : LUNA_ATOM_MAX);
  if (!covers_all)
    return OPEN;
  for (uint32_t i = 0; i < single->atom.count; ++i) {
    Verdict one =
        learn_positive(facts,
                       luna_expr_scale(&facts->exprs, single->atom.operands[i],
                                       single->factor, single->constant),
                       scope);
    verdict = one > verdict ? one : verdict;
  }
  return verdict;
}

// q >= -k is p >= -k * c, and q <= k is p <= k * c + c - 1, q being p floordiv
// c.
static Verdict learn_dividend(LunaFacts *facts, const Single *single,
                              uint32_t scope) {
  int64_t divisor = 0, bound = 0;
  if (!luna_expr_is_const(&facts->exprs, single->atom.operands[1], &divisor) ||
      (single->factor != 1 && single->factor != -1) ||
      !luna_checked_mul_signed(single->constant, divisor, &bound) ||
      (single->factor < 0 &&
       !luna_checked_add_signed(bound, divisor - 1, &bound)))
    return OPEN;
  return learn_positive(facts,
                        luna_expr_scale(&facts->exprs, single->atom.operands[0],
                                        single->factor, bound),
                        scope);
}

static Verdict learn_positive(LunaFacts *facts, LunaExpr a, uint32_t scope) {
  Single single;
  a = luna_expr_resolve(&facts->exprs, a);
  LunaInterval range = luna_expr_range(&facts->exprs, a);
  if (range.min >= 0 || range.max < 0)
    return range.min >= 0 ? HOLDS : FAILS;
  if (a == LUNA_EXPR_NONE || !is_single(&facts->exprs, a, &single))
    return OPEN;
  if (single.atom.kind == LUNA_ATOM_SYMBOL)
    return may_teach(facts, single.atom.symbol, scope) ? narrow(facts, &single)
                                                       : OPEN;
  return single.atom.kind == LUNA_ATOM_FLOORDIV
             ? learn_dividend(facts, &single, scope)
             : learn_operands(facts, &single, scope);
}

//===----------------------------------------------------------------------===//
// a mod m == 0
//===----------------------------------------------------------------------===//

// Multiplies `a` by the divisor of an exact quotient in it that has not been
// carried out; returns that divisor, or 1.
static int64_t clear_quotient(LunaExprs *exprs, LunaExpr *a) {
  LunaExprSum sum = *luna_expr_sum(exprs, *a);
  for (uint32_t i = 0; i < sum.count; ++i) {
    LunaExprProduct product = exprs->products.items[sum.terms[i].product];
    for (uint32_t k = 0; k < product.count; ++k) {
      LunaExprAtom atom = exprs->atoms.items[product.atoms[k]];
      int64_t divisor = 1, residue = 0;
      if (atom.kind != LUNA_ATOM_FLOORDIV ||
          !luna_expr_is_const(exprs, atom.operands[1], &divisor) ||
          !luna_expr_residue(exprs, atom.operands[0], divisor, &residue))
        continue;
      LunaExpr cleared = luna_expr_scale(exprs, *a, divisor, 0);
      if (cleared == LUNA_EXPR_NONE)
        return 1;
      *a = cleared;
      return divisor;
    }
  }
  return 1;
}

// The inverse of a modulo m, both coprime, 0 < a < m.
static int64_t inverse_mod(int64_t a, int64_t m) {
  int64_t r0 = m, r1 = a, t0 = 0, t1 = 1;
  while (r1 != 0) {
    int64_t q = r0 / r1, r2 = r0 - q * r1, t2 = t0 - q * t1;
    r0 = r1, r1 = r2, t0 = t1, t1 = t2;
  }
  return luna_floor_mod(t0, m);
}

// Combines what is known of a symbol with s == residue (mod modulus), by the
// Chinese remainder theorem. Stays as it is beyond 2^31.
static Verdict combine(LunaFacts *facts, uint32_t index, int64_t modulus,
                       int64_t residue) {
  LunaSymbol *symbol = &facts->exprs.symbols.items[index];
  int64_t common = luna_gcd(symbol->modulus, modulus);
  if ((residue - symbol->residue) % common != 0)
    return FAILS;
  int64_t step = modulus / common;
  if (symbol->modulus > INT32_MAX / step)
    return OPEN;
  int64_t steps = luna_floor_mod((residue - symbol->residue) / common, step);
  if (step > 1)
    steps = steps * inverse_mod(symbol->modulus / common % step, step) % step;
  symbol->residue += steps * symbol->modulus;
  symbol->modulus *= step;
  ++facts->exprs.generation;
  return tighten(symbol) ? HOLDS : FAILS;
}

static Verdict learn_divisible(LunaFacts *facts, LunaExpr a, int64_t modulus,
                               uint32_t scope) {
  int64_t residue = 0, cleared;
  Single single;
  a = luna_expr_resolve(&facts->exprs, a);
  while (a != LUNA_EXPR_NONE && modulus < INT32_MAX &&
         (cleared = clear_quotient(&facts->exprs, &a)) > 1 &&
         cleared < INT32_MAX)
    modulus *= cleared;
  if (luna_expr_residue(&facts->exprs, a, modulus, &residue))
    return residue == 0 ? HOLDS : FAILS;
  if (modulus > INT32_MAX || !is_single(&facts->exprs, a, &single) ||
      single.atom.kind != LUNA_ATOM_SYMBOL)
    return OPEN;
  int64_t common = luna_gcd(single.factor, modulus);
  if (single.constant % common != 0)
    return FAILS;
  if (!may_teach(facts, single.atom.symbol, scope))
    return OPEN;
  modulus /= common;
  int64_t target = luna_floor_mod(-(single.constant / common), modulus);
  int64_t factor = luna_floor_mod(single.factor / common, modulus);
  if (modulus > 1)
    target = target * inverse_mod(factor, modulus) % modulus;
  return combine(facts, single.atom.symbol, modulus, target);
}

//===----------------------------------------------------------------------===//
// a == 0
//===----------------------------------------------------------------------===//

// The symbol of a term that the equation can be solved for.
static bool is_pivot(const LunaFacts *facts, LunaExpr a, LunaExprTerm term,
                     uint32_t scope, uint32_t *symbol) {
  const LunaExprs *exprs = &facts->exprs;
  LunaExprProduct product = exprs->products.items[term.product];
  if (product.count != 1 || (term.factor != 1 && term.factor != -1))
    return false;
  LunaExprAtom atom = exprs->atoms.items[product.atoms[0]];
  if (atom.kind != LUNA_ATOM_SYMBOL || !may_teach(facts, atom.symbol, scope))
    return false;
  LunaExprSum sum = *luna_expr_sum(exprs, a);
  for (uint32_t i = 0; i < sum.count; ++i) {
    LunaExprProduct other = exprs->products.items[sum.terms[i].product];
    for (uint32_t k = 0; k < other.count; ++k) {
      LunaExprAtom factor = exprs->atoms.items[other.atoms[k]];
      bool is_own =
          factor.kind == LUNA_ATOM_SYMBOL && factor.symbol == atom.symbol;
      if (is_own && sum.terms[i].product != term.product)
        return false;
      for (uint32_t m = 0; m < factor.count; ++m)
        if (luna_expr_uses(exprs, factor.operands[m], atom.symbol))
          return false;
    }
  }
  *symbol = atom.symbol;
  return true;
}

static bool find_pivot(const LunaFacts *facts, LunaExpr a, uint32_t scope,
                       uint32_t *best, int64_t *factor) {
  LunaExprSum sum = *luna_expr_sum(&facts->exprs, a);
  bool is_found = false;
  for (uint32_t i = 0; i < sum.count; ++i) {
    uint32_t symbol = 0;
    if (!is_pivot(facts, a, sum.terms[i], scope, &symbol) ||
        (is_found && facts->exprs.symbols.items[symbol].order <
                         facts->exprs.symbols.items[*best].order))
      continue;
    is_found = true;
    *best = symbol;
    *factor = sum.terms[i].factor;
  }
  return is_found;
}

// Makes `symbol` equal to `value`, which takes over what is known of it.
static Verdict solve_for(LunaFacts *facts, uint32_t symbol, LunaExpr value,
                         uint32_t scope) {
  LunaExprs *exprs = &facts->exprs;
  LunaSymbol known = exprs->symbols.items[symbol];
  LunaInterval range = luna_expr_range(exprs, value);
  if (value == LUNA_EXPR_NONE)
    return OPEN;
  if (range.max < known.range.min || range.min > known.range.max)
    return FAILS;
  LunaConstraint inherited[] = {
      {LUNA_CONSTRAINT_AT_LEAST, value, luna_expr_const(exprs, known.range.min),
       scope, 0},
      {LUNA_CONSTRAINT_AT_LEAST, luna_expr_const(exprs, known.range.max), value,
       scope, 0},
      {LUNA_CONSTRAINT_DIVISIBLE,
       luna_expr_scale(exprs, value, 1, -known.residue),
       luna_expr_const(exprs, known.modulus), scope, 0}};
  luna_symbol_bind(facts, symbol, value);
  if (range.min < known.range.min)
    luna_fact_add(facts, &inherited[0]);
  if (range.max > known.range.max)
    luna_fact_add(facts, &inherited[1]);
  if (known.modulus > 1)
    luna_fact_add(facts, &inherited[2]);
  return HOLDS;
}

// Divides `a` by what divides all its terms. Returns false if the constant
// term is not among them.
static bool reduce_terms(LunaExprs *exprs, LunaExpr *a) {
  LunaExprSum sum = *luna_expr_sum(exprs, *a);
  int64_t common = 0, constant = luna_sum_constant(&sum);
  LunaExprTerms terms = {.count = 0};
  for (uint32_t i = constant != 0; i < sum.count; ++i)
    common = luna_gcd(common, sum.terms[i].factor);
  if (constant % common != 0)
    return false;
  for (uint32_t i = 0; i < sum.count; ++i)
    luna_terms_add(&terms, sum.terms[i].factor / common, sum.terms[i].product);
  *a = luna_terms_close(exprs, &terms);
  return true;
}

static Verdict learn_zero(LunaFacts *facts, LunaExpr a, uint32_t scope) {
  LunaExprs *exprs = &facts->exprs;
  int64_t constant = 0, factor = 0;
  uint32_t pivot = 0;
  a = luna_expr_resolve(exprs, a);
  if (a == LUNA_EXPR_NONE)
    return OPEN;
  for (int i = 0; i < 16 && clear_quotient(exprs, &a) > 1; ++i)
    ;
  if (luna_expr_is_const(exprs, a, &constant))
    return constant == 0 ? HOLDS : FAILS;
  LunaInterval range = luna_expr_range(exprs, a);
  if (range.min > 0 || range.max < 0 || !reduce_terms(exprs, &a))
    return FAILS;
  if (find_pivot(facts, a, scope, &pivot, &factor)) {
    LunaExpr rest = luna_expr_sub(
        exprs, a,
        luna_expr_scale(exprs, luna_expr_symbol(exprs, pivot), factor, 0));
    return solve_for(facts, pivot, luna_expr_scale(exprs, rest, -factor, 0),
                     scope);
  }
  Verdict above = learn_positive(facts, a, scope);
  Verdict below =
      learn_positive(facts, luna_expr_scale(exprs, a, -1, 0), scope);
  return above == FAILS || below == FAILS ? FAILS : OPEN;
}

//===----------------------------------------------------------------------===//
// Broadcasting
//===----------------------------------------------------------------------===//

static Verdict learn_broadcast(LunaFacts *facts, LunaExpr a, LunaExpr b,
                               uint32_t scope) {
  LunaExprs *exprs = &facts->exprs;
  int64_t size = 0;
  a = luna_expr_resolve(exprs, a);
  b = luna_expr_resolve(exprs, b);
  if (a == b)
    return HOLDS;
  if (luna_expr_is_const(exprs, b, &size)) {
    LunaExpr other = a;
    a = b;
    b = other;
  }
  bool is_const = luna_expr_is_const(exprs, a, &size);
  if ((is_const && size == 1) ||
      (luna_expr_is_const(exprs, b, &size) && size == 1))
    return HOLDS;
  if (luna_expr_range(exprs, a).min >= 2 && luna_expr_range(exprs, b).min >= 2)
    return learn_zero(facts, luna_expr_sub(exprs, a, b), scope);
  return is_const && learn_positive(facts, luna_expr_sub(exprs, a, b), scope) ==
                         FAILS
             ? FAILS
             : OPEN;
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

static Verdict learn(LunaFacts *facts, LunaConstraint constraint) {
  LunaExprs *exprs = &facts->exprs;
  int64_t modulus = 1;
  switch (constraint.kind) {
  case LUNA_CONSTRAINT_EQUAL:
    return learn_zero(facts, luna_expr_sub(exprs, constraint.a, constraint.b),
                      constraint.scope);
  case LUNA_CONSTRAINT_AT_LEAST:
    return learn_positive(facts,
                          luna_expr_sub(exprs, constraint.a, constraint.b),
                          constraint.scope);
  case LUNA_CONSTRAINT_DIVISIBLE:
    luna_expr_is_const(exprs, constraint.b, &modulus);
    return learn_divisible(facts, constraint.a, modulus, constraint.scope);
  case LUNA_CONSTRAINT_BROADCAST:
    return learn_broadcast(facts, constraint.a, constraint.b, constraint.scope);
  }
  return OPEN;
}

// Constants and equal sides hold whatever is learned later.
static bool always_holds(const LunaFacts *facts, const LunaConstraint *fact) {
  int64_t a = 0, b = 0;
  if (fact->kind != LUNA_CONSTRAINT_DIVISIBLE && fact->a == fact->b)
    return true;
  return luna_expr_is_const(&facts->exprs, fact->a, &a) &&
         luna_expr_is_const(&facts->exprs, fact->b, &b) &&
         (fact->kind == LUNA_CONSTRAINT_AT_LEAST    ? a >= b
          : fact->kind == LUNA_CONSTRAINT_DIVISIBLE ? a % b == 0
          : fact->kind == LUNA_CONSTRAINT_BROADCAST ? a == 1 || b == 1
                                                    : false);
}

void luna_fact_add(LunaFacts *facts, const LunaConstraint *constraint) {
  if (constraint->a == LUNA_EXPR_NONE || constraint->b == LUNA_EXPR_NONE ||
      always_holds(facts, constraint))
    return;
  uint32_t parts[] = {(uint32_t)constraint->kind, constraint->a, constraint->b,
                      constraint->scope};
  LunaArena *arena = facts->exprs.arena;
  LunaMapKey key = luna_map_bytes(parts, sizeof parts);
  if (luna_map_find(&facts->keys, key) != LUNA_MAP_ABSENT)
    return;
  uint32_t *kept = LUNA_ARENA_ARRAY(arena, uint32_t, 4);
  memcpy(kept, parts, sizeof parts);
  luna_map_add(&facts->keys, arena, luna_map_bytes(kept, sizeof parts));
  *LUNA_VECTOR_ADD(arena, &facts->constraints) = *constraint;
}

uint32_t luna_facts_settle(LunaFacts *facts) {
  uint32_t generation = 0;
  while (generation != facts->exprs.generation) {
    generation = facts->exprs.generation;
    for (uint32_t i = 0; i < facts->constraints.count; ++i) {
      uint64_t before = facts->constraints.count;
      LunaConstraint constraint = facts->constraints.items[i];
      if (learn(facts, constraint) == FAILS) {
        if (constraint.scope == 0)
          return i;
        facts->scopes.items[constraint.scope].is_dead = true;
      }
      for (uint64_t k = before; k < facts->constraints.count; ++k)
        facts->constraints.items[k].origin = constraint.origin;
    }
  }
  return LUNA_NO_CONSTRAINT;
}

bool luna_constraint_is_open(LunaFacts *facts,
                             const LunaConstraint *constraint) {
  return constraint->scope == 0 && learn(facts, *constraint) != HOLDS;
}

static bool is_met(const LunaFacts *facts, const LunaConstraint *constraint,
                   const int64_t *values) {
  int64_t a = 0, b = 0;
  if (!luna_expr_eval(&facts->exprs, constraint->a, values, &a) ||
      !luna_expr_eval(&facts->exprs, constraint->b, values, &b))
    return false;
  switch (constraint->kind) {
  case LUNA_CONSTRAINT_EQUAL:
    return a == b;
  case LUNA_CONSTRAINT_AT_LEAST:
    return a >= b;
  case LUNA_CONSTRAINT_DIVISIBLE:
    return a % b == 0;
  case LUNA_CONSTRAINT_BROADCAST:
    return a == b || a == 1 || b == 1;
  }
  return false;
}

void luna_facts_forget(LunaFacts *facts) {
  facts->constraints.count = 0;
  facts->keys = (LunaMap){.slots = NULL};
}

// Fills in or compares the value of a symbol that equals an expression.
static bool check_symbol(LunaFacts *facts, uint32_t symbol, int64_t *values) {
  LunaExprs *exprs = &facts->exprs;
  LunaExpr value = exprs->symbols.items[symbol].value;
  int64_t result = values[symbol];
  if (value != LUNA_EXPR_NONE &&
      !luna_expr_eval(exprs, luna_expr_resolve(exprs, value), values, &result))
    return false;
  bool is_met = (values[symbol] == result || values[symbol] == INT64_MIN) &&
                luna_symbol_admits(facts, symbol, result);
  values[symbol] = result;
  return is_met;
}

bool luna_facts_check(LunaFacts *facts, int64_t *values) {
  for (uint32_t i = 0; i < facts->exprs.symbols.count; ++i)
    if (facts->exprs.symbols.items[i].scope == 0 &&
        !check_symbol(facts, i, values))
      return false;
  for (uint32_t i = 0; i < facts->constraints.count; ++i)
    if (facts->constraints.items[i].scope == 0 &&
        !is_met(facts, &facts->constraints.items[i], values))
      return false;
  return true;
}

void luna_constraint_print(const LunaFacts *facts,
                           const LunaConstraint *constraint, LunaText *text) {
  static const char *const words[] = {
      [LUNA_CONSTRAINT_EQUAL] = " == ",
      [LUNA_CONSTRAINT_AT_LEAST] = " >= ",
      [LUNA_CONSTRAINT_DIVISIBLE] = " mod ",
      [LUNA_CONSTRAINT_BROADCAST] = " == ",
  };
  bool is_divisible = constraint->kind == LUNA_CONSTRAINT_DIVISIBLE;
  luna_text_printf(text, is_divisible ? "(" : "");
  luna_expr_print(&facts->exprs, constraint->a, text);
  luna_text_printf(text, is_divisible ? ")" : "");
  luna_text_printf(text, "%s", words[constraint->kind]);
  luna_expr_print(&facts->exprs, constraint->b, text);
  luna_text_printf(text, "%s",
                   is_divisible ? " == 0"
                   : constraint->kind == LUNA_CONSTRAINT_BROADCAST
                       ? ", or one of them 1"
                       : "");
}
