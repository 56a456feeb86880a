// What follows from a constraint for the symbols in it.

#include "shape_learn.h"

#include "luna/checked.h"
#include "shape_nodes.h"

static bool may_teach(const LunaFacts *facts, uint32_t symbol, uint32_t scope) {
  return luna_scope_is_within(facts, facts->exprs.symbols.items[symbol].scope,
                              scope);
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

static LunaVerdict learn_positive(LunaFacts *facts, LunaExpr a, uint32_t scope);

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

static LunaVerdict narrow(LunaFacts *facts, const Single *single) {
  LunaSymbol *symbol = &facts->exprs.symbols.items[single->atom.symbol];
  if (single->constant == INT64_MIN || single->factor == INT64_MIN)
    return LUNA_OPEN;
  if (single->factor > 0) {
    int64_t least = -luna_floor_div(single->constant, single->factor);
    symbol->range.min = least > symbol->range.min ? least : symbol->range.min;
  } else {
    int64_t most = luna_floor_div(single->constant, -single->factor);
    symbol->range.max = most < symbol->range.max ? most : symbol->range.max;
  }
  ++facts->exprs.generation;
  return tighten(symbol) ? LUNA_HOLDS : LUNA_FAILS;
}

// constant - max(…) >= 0, or min(…) + constant >= 0: so for each operand.
static LunaVerdict learn_operands(LunaFacts *facts, const Single *single,
                                  uint32_t scope) {
  LunaVerdict verdict = LUNA_HOLDS;
  bool covers_all =
      single->atom.kind == (single->factor > 0 ? LUNA_ATOM_MIN : LUNA_ATOM_MAX);
  if (!covers_all)
    return LUNA_OPEN;
  for (uint32_t i = 0; i < single->atom.count; ++i) {
    LunaVerdict one =
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
static LunaVerdict learn_dividend(LunaFacts *facts, const Single *single,
                                  uint32_t scope) {
  int64_t divisor = 0, bound = 0;
  if (!luna_expr_is_const(&facts->exprs, single->atom.operands[1], &divisor) ||
      (single->factor != 1 && single->factor != -1) ||
      !luna_checked_mul_signed(single->constant, divisor, &bound) ||
      (single->factor < 0 &&
       !luna_checked_add_signed(bound, divisor - 1, &bound)))
    return LUNA_OPEN;
  return learn_positive(facts,
                        luna_expr_scale(&facts->exprs, single->atom.operands[0],
                                        single->factor, bound),
                        scope);
}

static LunaVerdict learn_positive(LunaFacts *facts, LunaExpr a,
                                  uint32_t scope) {
  Single single;
  a = luna_expr_resolve(&facts->exprs, a);
  LunaInterval range = luna_expr_range(&facts->exprs, a);
  if (range.min >= 0 || range.max < 0)
    return range.min >= 0 ? LUNA_HOLDS : LUNA_FAILS;
  if (a == LUNA_EXPR_NONE || !is_single(&facts->exprs, a, &single))
    return LUNA_OPEN;
  if (single.atom.kind == LUNA_ATOM_SYMBOL)
    return may_teach(facts, single.atom.symbol, scope) ? narrow(facts, &single)
                                                       : LUNA_OPEN;
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
static LunaVerdict combine(LunaFacts *facts, uint32_t index, int64_t modulus,
                           int64_t residue) {
  LunaSymbol *symbol = &facts->exprs.symbols.items[index];
  int64_t common = luna_gcd(symbol->modulus, modulus);
  if ((residue - symbol->residue) % common != 0)
    return LUNA_FAILS;
  int64_t step = modulus / common;
  if (symbol->modulus > INT32_MAX / step)
    return LUNA_OPEN;
  int64_t steps = luna_floor_mod((residue - symbol->residue) / common, step);
  if (step > 1)
    steps = steps * inverse_mod(symbol->modulus / common % step, step) % step;
  symbol->residue += steps * symbol->modulus;
  symbol->modulus *= step;
  ++facts->exprs.generation;
  return tighten(symbol) ? LUNA_HOLDS : LUNA_FAILS;
}

static LunaVerdict learn_divisible(LunaFacts *facts, LunaExpr a,
                                   int64_t modulus, uint32_t scope) {
  int64_t residue = 0, cleared;
  Single single;
  a = luna_expr_resolve(&facts->exprs, a);
  while (a != LUNA_EXPR_NONE && modulus < INT32_MAX &&
         (cleared = clear_quotient(&facts->exprs, &a)) > 1 &&
         cleared < INT32_MAX)
    modulus *= cleared;
  if (luna_expr_residue(&facts->exprs, a, modulus, &residue))
    return residue == 0 ? LUNA_HOLDS : LUNA_FAILS;
  if (modulus > INT32_MAX || !is_single(&facts->exprs, a, &single) ||
      single.atom.kind != LUNA_ATOM_SYMBOL)
    return LUNA_OPEN;
  int64_t common = luna_gcd(single.factor, modulus);
  if (single.constant % common != 0)
    return LUNA_FAILS;
  if (!may_teach(facts, single.atom.symbol, scope))
    return LUNA_OPEN;
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
static LunaVerdict solve_for(LunaFacts *facts, uint32_t symbol, LunaExpr value,
                             uint32_t scope) {
  LunaExprs *exprs = &facts->exprs;
  LunaSymbol known = exprs->symbols.items[symbol];
  LunaInterval range = luna_expr_range(exprs, value);
  if (value == LUNA_EXPR_NONE)
    return LUNA_OPEN;
  if (range.max < known.range.min || range.min > known.range.max)
    return LUNA_FAILS;
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
  return LUNA_HOLDS;
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

static LunaVerdict learn_zero(LunaFacts *facts, LunaExpr a, uint32_t scope) {
  LunaExprs *exprs = &facts->exprs;
  int64_t constant = 0, factor = 0;
  uint32_t pivot = 0;
  a = luna_expr_resolve(exprs, a);
  if (a == LUNA_EXPR_NONE)
    return LUNA_OPEN;
  for (int i = 0; i < 16 && clear_quotient(exprs, &a) > 1; ++i)
    ;
  if (luna_expr_is_const(exprs, a, &constant))
    return constant == 0 ? LUNA_HOLDS : LUNA_FAILS;
  LunaInterval range = luna_expr_range(exprs, a);
  if (range.min > 0 || range.max < 0 || !reduce_terms(exprs, &a))
    return LUNA_FAILS;
  if (find_pivot(facts, a, scope, &pivot, &factor)) {
    LunaExpr rest = luna_expr_sub(
        exprs, a,
        luna_expr_scale(exprs, luna_expr_symbol(exprs, pivot), factor, 0));
    return solve_for(facts, pivot, luna_expr_scale(exprs, rest, -factor, 0),
                     scope);
  }
  LunaVerdict above = learn_positive(facts, a, scope);
  LunaVerdict below =
      learn_positive(facts, luna_expr_scale(exprs, a, -1, 0), scope);
  return above == LUNA_FAILS || below == LUNA_FAILS ? LUNA_FAILS : LUNA_OPEN;
}

//===----------------------------------------------------------------------===//
// Broadcasting
//===----------------------------------------------------------------------===//

static LunaVerdict learn_broadcast(LunaFacts *facts, LunaExpr a, LunaExpr b,
                                   uint32_t scope) {
  LunaExprs *exprs = &facts->exprs;
  int64_t size = 0;
  a = luna_expr_resolve(exprs, a);
  b = luna_expr_resolve(exprs, b);
  if (a == b)
    return LUNA_HOLDS;
  if (luna_expr_is_const(exprs, b, &size)) {
    LunaExpr other = a;
    a = b;
    b = other;
  }
  bool is_const = luna_expr_is_const(exprs, a, &size);
  if ((is_const && size == 1) ||
      (luna_expr_is_const(exprs, b, &size) && size == 1))
    return LUNA_HOLDS;
  if (luna_expr_range(exprs, a).min >= 2 && luna_expr_range(exprs, b).min >= 2)
    return learn_zero(facts, luna_expr_sub(exprs, a, b), scope);
  return is_const && learn_positive(facts, luna_expr_sub(exprs, a, b), scope) ==
                         LUNA_FAILS
             ? LUNA_FAILS
             : LUNA_OPEN;
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

LunaVerdict luna_learn(LunaFacts *facts, const LunaConstraint *constraint) {
  LunaExprs *exprs = &facts->exprs;
  int64_t modulus = 1;
  switch (constraint->kind) {
  case LUNA_CONSTRAINT_EQUAL:
    return learn_zero(facts, luna_expr_sub(exprs, constraint->a, constraint->b),
                      constraint->scope);
  case LUNA_CONSTRAINT_AT_LEAST:
    return learn_positive(facts,
                          luna_expr_sub(exprs, constraint->a, constraint->b),
                          constraint->scope);
  case LUNA_CONSTRAINT_DIVISIBLE:
    luna_expr_is_const(exprs, constraint->b, &modulus);
    return learn_divisible(facts, constraint->a, modulus, constraint->scope);
  case LUNA_CONSTRAINT_BROADCAST:
    return learn_broadcast(facts, constraint->a, constraint->b,
                           constraint->scope);
  }
  return LUNA_OPEN;
}
