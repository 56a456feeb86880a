// Quotients in their normal form: what divides is taken out, common factors
// are cancelled, a quotient of a quotient is one.

#include "luna/checked.h"
#include "shape_nodes.h"

// Writes a as sum + divisor * quotient with factors of `sum` in [0, divisor).
static void split(LunaExprs *exprs, LunaExpr a, int64_t divisor,
                  LunaExprTerms *quotient, LunaExprTerms *rest) {
  LunaExprSum sum = *luna_expr_sum(exprs, a);
  for (uint32_t i = 0; i < sum.count; ++i) {
    LunaExprTerm term = sum.terms[i];
    luna_terms_add(quotient, luna_floor_div(term.factor, divisor),
                   term.product);
    luna_terms_add(rest, luna_floor_mod(term.factor, divisor), term.product);
  }
}

static LunaExpr make_quotient(LunaExprs *exprs, LunaExpr a, LunaExpr b) {
  LunaExpr operands[] = {a, b};
  LunaExprTerms terms = {.count = 0};
  if (a == LUNA_EXPR_NONE || b == LUNA_EXPR_NONE)
    return LUNA_EXPR_NONE;
  luna_terms_add(&terms, 1,
                 luna_product_of_atom(exprs, &(LunaExprAtom){LUNA_ATOM_FLOORDIV,
                                                             0, 2, operands}));
  return luna_terms_close(exprs, &terms);
}

// The greatest common divisor of `divisor` and the factors of `a`, but for the
// constant term.
static int64_t common_factor(const LunaExprSum *a, int64_t divisor) {
  for (uint32_t i = 0; i < a->count; ++i)
    if (a->terms[i].product != 0)
      divisor = luna_gcd(divisor, a->terms[i].factor);
  return divisor;
}

// a / by, where `by` divides all factors but the constant term, which is
// rounded down: so is then the quotient.
static LunaExpr reduce(LunaExprs *exprs, LunaExpr a, int64_t by) {
  LunaExprTerms terms = {.count = 0};
  LunaExprSum sum = *luna_expr_sum(exprs, a);
  for (uint32_t i = 0; i < sum.count; ++i)
    luna_terms_add(&terms, luna_floor_div(sum.terms[i].factor, by),
                   sum.terms[i].product);
  return luna_terms_close(exprs, &terms);
}

// Returns true if `a` is a quotient by a constant plus a constant: writes its
// dividend with the constant in it, and its divisor.
static bool is_quotient(LunaExprs *exprs, LunaExpr a, LunaExpr *dividend,
                        int64_t *divisor) {
  int64_t constant = luna_sum_constant(luna_expr_sum(exprs, a)), scaled = 0;
  const LunaExprAtom *atom =
      luna_expr_atom(exprs, luna_expr_scale(exprs, a, 1, -constant));
  if (!atom || atom->kind != LUNA_ATOM_FLOORDIV ||
      !luna_expr_is_const(exprs, atom->operands[1], divisor) ||
      !luna_checked_mul_signed(constant, *divisor, &scaled))
    return false;
  *dividend = luna_expr_scale(exprs, atom->operands[0], 1, scaled);
  return *dividend != LUNA_EXPR_NONE;
}

static LunaExpr divide_by_const(LunaExprs *exprs, LunaExpr a, int64_t divisor);

// The quotient of a sum whose factors lie in [0, divisor).
static LunaExpr divide_rest(LunaExprs *exprs, LunaExpr a, int64_t divisor) {
  LunaExpr dividend = LUNA_EXPR_NONE;
  int64_t inner = 0, product = 0, residue = 0;
  LunaInterval range = luna_expr_range(exprs, a);
  // An exact dividend is the form of all those that round down to it.
  if (luna_expr_residue(exprs, a, divisor, &residue) && residue > 0)
    return divide_by_const(exprs, luna_expr_scale(exprs, a, 1, -residue),
                           divisor);
  if (range.min != INT64_MIN && range.max != INT64_MAX &&
      luna_floor_div(range.min, divisor) == luna_floor_div(range.max, divisor))
    return luna_expr_const(exprs, luna_floor_div(range.min, divisor));
  int64_t common = common_factor(luna_expr_sum(exprs, a), divisor);
  if (common > 1)
    return divide_by_const(exprs, reduce(exprs, a, common), divisor / common);
  if (is_quotient(exprs, a, &dividend, &inner) &&
      luna_checked_mul_signed(inner, divisor, &product))
    return divide_by_const(exprs, dividend, product);
  return make_quotient(exprs, a, luna_expr_const(exprs, divisor));
}

static LunaExpr divide_by_const(LunaExprs *exprs, LunaExpr a, int64_t divisor) {
  LunaExprTerms quotient = {.count = 0}, rest = {.count = 0};
  if (a == LUNA_EXPR_NONE || divisor == 1)
    return a;
  split(exprs, a, divisor, &quotient, &rest);
  LunaExpr remaining = luna_terms_close(exprs, &rest);
  if (remaining != LUNA_EXPR_NONE)
    remaining = divide_rest(exprs, remaining, divisor);
  return luna_expr_add(exprs, luna_terms_close(exprs, &quotient), remaining);
}

//===----------------------------------------------------------------------===//
// Divisors with symbols
//===----------------------------------------------------------------------===//

static LunaExprTerm leading(const LunaExprs *exprs, LunaExpr a) {
  const LunaExprSum *sum = luna_expr_sum(exprs, a);
  LunaExprTerm best = sum->terms[0];
  for (uint32_t i = 1; i < sum->count; ++i)
    if (luna_product_is_above(exprs, sum->terms[i].product, best.product))
      best = sum->terms[i];
  return best;
}

// Long division; LUNA_EXPR_NONE if there is a remainder.
static LunaExpr divide_evenly(LunaExprs *exprs, LunaExpr a, LunaExpr b) {
  LunaExprTerms quotient = {.count = 0};
  LunaExprTerm by = leading(exprs, b);
  LunaExpr zero = luna_expr_const(exprs, 0);
  for (int step = 0; a != LUNA_EXPR_NONE && a != zero; ++step) {
    LunaExprTerm of = leading(exprs, a);
    uint32_t product = 0;
    if (step == LUNA_EXPR_TERMS_MAX || of.factor % by.factor != 0 ||
        !luna_product_divide(exprs, of.product, by.product, &product))
      return LUNA_EXPR_NONE;
    int64_t factor = of.factor / by.factor;
    luna_terms_add(&quotient, factor, product);
    LunaExprTerms rest = {.count = 0};
    luna_terms_add_scaled(exprs, &rest, 1, 0, a);
    luna_terms_add_scaled(exprs, &rest, -factor, product, b);
    a = luna_terms_close(exprs, &rest);
  }
  return a == LUNA_EXPR_NONE ? a : luna_terms_close(exprs, &quotient);
}

// The greatest atom product that divides all terms of `a` and `of`.
static uint32_t common_product(LunaExprs *exprs, LunaExpr a, uint32_t of) {
  LunaExprSum sum = *luna_expr_sum(exprs, a);
  LunaExprProduct factors = exprs->products.items[of];
  uint32_t common = 0, ignored = 0;
  for (uint32_t k = 0; k < factors.count; ++k) {
    LunaExprAtom atom = exprs->atoms.items[factors.atoms[k]];
    uint32_t more =
        luna_product_mul(exprs, common, luna_product_of_atom(exprs, &atom));
    bool divides = true;
    for (uint32_t i = 0; i < sum.count && divides; ++i)
      divides =
          luna_product_divide(exprs, sum.terms[i].product, more, &ignored);
    if (divides)
      common = more;
  }
  return common;
}

static LunaExpr cancel(LunaExprs *exprs, LunaExpr a, int64_t factor,
                       uint32_t product) {
  LunaExprTerms terms = {.count = 0};
  LunaExprSum sum = *luna_expr_sum(exprs, a);
  for (uint32_t i = 0; i < sum.count; ++i) {
    uint32_t rest = 0;
    luna_product_divide(exprs, sum.terms[i].product, product, &rest);
    luna_terms_add(&terms, sum.terms[i].factor / factor, rest);
  }
  return luna_terms_close(exprs, &terms);
}

// Cancels what divides all terms of both.
static LunaExpr divide_cancelled(LunaExprs *exprs, LunaExpr a, LunaExpr b) {
  LunaExprSum x = *luna_expr_sum(exprs, a), y = *luna_expr_sum(exprs, b);
  int64_t factor = 0;
  if (x.count == 0)
    return a;
  for (uint32_t i = 0; i < x.count; ++i)
    factor = luna_gcd(factor, x.terms[i].factor);
  for (uint32_t i = 0; i < y.count; ++i)
    factor = luna_gcd(factor, y.terms[i].factor);
  uint32_t product =
      common_product(exprs, a, common_product(exprs, b, y.terms[0].product));
  if (!luna_product_is_positive(exprs, product))
    product = 0;
  return make_quotient(exprs, cancel(exprs, a, factor, product),
                       cancel(exprs, b, factor, product));
}

// What a divisor of one term divides evenly leaves the quotient.
static LunaExpr divide_by_terms(LunaExprs *exprs, LunaExpr a, LunaExpr b) {
  LunaExprTerms quotient = {.count = 0}, rest = {.count = 0};
  LunaExpr even = divide_evenly(exprs, a, b);
  if (even != LUNA_EXPR_NONE)
    return even;
  LunaExprSum sum = *luna_expr_sum(exprs, a), by = *luna_expr_sum(exprs, b);
  for (uint32_t i = 0; i < sum.count; ++i) {
    LunaExprTerm term = sum.terms[i];
    uint32_t product = 0;
    if (by.count == 1 && term.factor % by.terms[0].factor == 0 &&
        luna_product_divide(exprs, term.product, by.terms[0].product, &product))
      luna_terms_add(&quotient, term.factor / by.terms[0].factor, product);
    else
      luna_terms_add(&rest, term.factor, term.product);
  }
  LunaExpr remaining = luna_terms_close(exprs, &rest);
  LunaInterval range = luna_expr_range(exprs, remaining);
  LunaInterval below =
      luna_expr_range(exprs, luna_expr_sub(exprs, b, remaining));
  if (range.min >= 0 && below.min >= 1)
    remaining = luna_expr_const(exprs, 0);
  return luna_expr_add(exprs, luna_terms_close(exprs, &quotient),
                       divide_cancelled(exprs, remaining, b));
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

LunaExpr luna_expr_floordiv(LunaExprs *exprs, LunaExpr a, LunaExpr b) {
  int64_t divisor = 0;
  if (a == LUNA_EXPR_NONE || b == LUNA_EXPR_NONE ||
      luna_expr_range(exprs, b).max < 1)
    return LUNA_EXPR_NONE;
  return luna_expr_is_const(exprs, b, &divisor)
             ? divide_by_const(exprs, a, divisor)
             : divide_by_terms(exprs, a, b);
}

LunaExpr luna_expr_ceildiv(LunaExprs *exprs, LunaExpr a, LunaExpr b) {
  LunaExpr raised = luna_expr_scale(exprs, luna_expr_add(exprs, a, b), 1, -1);
  return luna_expr_floordiv(exprs, raised, b);
}

LunaExpr luna_expr_mod(LunaExprs *exprs, LunaExpr a, LunaExpr b) {
  LunaExpr quotient = luna_expr_floordiv(exprs, a, b);
  return luna_expr_sub(exprs, a, luna_expr_mul(exprs, quotient, b));
}
