// Bounds and residues of expressions.

#include "luna/checked.h"
#include "shape_nodes.h"

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

static const LunaInterval everything = {INT64_MIN, INT64_MAX};

static bool is_infinite(int64_t bound) {
  return bound == INT64_MIN || bound == INT64_MAX;
}

static int64_t saturating_add(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (is_infinite(a) || is_infinite(b))
    return is_infinite(a) ? a : b;
  return luna_checked_add_signed(a, b, &sum) ? sum
         : a > 0                             ? INT64_MAX
                                             : INT64_MIN;
}

static int64_t saturating_mul(int64_t a, int64_t b) {
  int64_t product = 0;
  if (a != 0 && b != 0 && (is_infinite(a) || is_infinite(b)))
    return (a > 0) == (b > 0) ? INT64_MAX : INT64_MIN;
  return luna_checked_mul_signed(a, b, &product) ? product
         : (a > 0) == (b > 0)                    ? INT64_MAX
                                                 : INT64_MIN;
}

static LunaInterval add_ranges(LunaInterval a, LunaInterval b) {
  return (LunaInterval){saturating_add(a.min, b.min),
                        saturating_add(a.max, b.max)};
}

static LunaInterval hull_of(const int64_t *values, int count) {
  LunaInterval hull = {values[0], values[0]};
  for (int i = 1; i < count; ++i) {
    hull.min = values[i] < hull.min ? values[i] : hull.min;
    hull.max = values[i] > hull.max ? values[i] : hull.max;
  }
  return hull;
}

static LunaInterval mul_ranges(LunaInterval a, LunaInterval b) {
  int64_t corners[] = {
      saturating_mul(a.min, b.min), saturating_mul(a.min, b.max),
      saturating_mul(a.max, b.min), saturating_mul(a.max, b.max)};
  return hull_of(corners, 4);
}

// a floordiv b of bounds, b >= 1.
static int64_t divide_bound(int64_t a, int64_t b) {
  if (is_infinite(b))
    return a < 0 ? -1 : 0;
  return is_infinite(a) ? a : luna_floor_div(a, b);
}

static LunaInterval div_ranges(LunaInterval a, LunaInterval b) {
  if (b.min < 1)
    b.min = 1;
  if (b.max < b.min)
    return everything;
  int64_t corners[] = {divide_bound(a.min, b.min), divide_bound(a.min, b.max),
                       divide_bound(a.max, b.min), divide_bound(a.max, b.max)};
  return hull_of(corners, 4);
}

static LunaInterval extremum_range(LunaExprs *exprs, LunaExprAtom atom) {
  LunaInterval range = luna_expr_range(exprs, atom.operands[0]);
  bool is_max = atom.kind == LUNA_ATOM_MAX;
  for (uint32_t i = 1; i < atom.count; ++i) {
    LunaInterval other = luna_expr_range(exprs, atom.operands[i]);
    if (is_max == (other.min > range.min))
      range.min = other.min;
    if (is_max == (other.max > range.max))
      range.max = other.max;
  }
  return range;
}

static LunaInterval atom_range(LunaExprs *exprs, uint32_t index) {
  LunaExprAtom atom = exprs->atoms.items[index];
  if (atom.kind == LUNA_ATOM_SYMBOL) {
    LunaSymbol symbol = exprs->symbols.items[atom.symbol];
    return symbol.value == LUNA_EXPR_NONE
               ? symbol.range
               : luna_expr_range(exprs, symbol.value);
  }
  if (atom.kind == LUNA_ATOM_FLOORDIV)
    return div_ranges(luna_expr_range(exprs, atom.operands[0]),
                      luna_expr_range(exprs, atom.operands[1]));
  return extremum_range(exprs, atom);
}

static LunaInterval product_range(LunaExprs *exprs, uint32_t index) {
  LunaExprProduct product = exprs->products.items[index];
  LunaInterval range = {1, 1};
  for (uint32_t i = 0; i < product.count; ++i)
    range = mul_ranges(range, atom_range(exprs, product.atoms[i]));
  return range;
}

static LunaInterval plain_range(LunaExprs *exprs, LunaExprSum sum) {
  LunaInterval range = {0, 0};
  for (uint32_t i = 0; i < sum.count; ++i) {
    int64_t factor = sum.terms[i].factor;
    range = add_ranges(range,
                       mul_ranges((LunaInterval){factor, factor},
                                  product_range(exprs, sum.terms[i].product)));
  }
  return range;
}

// With k = factor / c, factor * (p floordiv c) is k * p less k * (p mod c),
// which lies in [0, c): a better bound where the sum holds -k * p.
static bool range_by_remainder(LunaExprs *exprs, LunaExpr expr,
                               LunaExprTerm term, LunaInterval *range) {
  LunaExprProduct product = exprs->products.items[term.product];
  LunaExprAtom atom = exprs->atoms.items[product.atoms[0]];
  int64_t divisor = 0;
  if (product.count != 1 || atom.kind != LUNA_ATOM_FLOORDIV ||
      !luna_expr_is_const(exprs, atom.operands[1], &divisor) ||
      term.factor % divisor != 0)
    return false;
  int64_t k = term.factor / divisor;
  LunaExprTerms terms = {.count = 0};
  luna_terms_add_scaled(exprs, &terms, 1, 0, expr);
  luna_terms_add(&terms, -term.factor, term.product);
  luna_terms_add_scaled(exprs, &terms, k, 0, atom.operands[0]);
  LunaExpr rest = luna_terms_close(exprs, &terms);
  if (rest == LUNA_EXPR_NONE ||
      luna_expr_sum(exprs, rest)->count >= luna_expr_sum(exprs, expr)->count)
    return false;
  *range = add_ranges(
      luna_expr_range(exprs, rest),
      mul_ranges((LunaInterval){-k, -k}, (LunaInterval){0, divisor - 1}));
  return true;
}

LunaInterval luna_expr_range(LunaExprs *exprs, LunaExpr expr) {
  if (expr == LUNA_EXPR_NONE)
    return everything;
  LunaExprSum sum = *luna_expr_sum(exprs, expr);
  LunaInterval range = plain_range(exprs, sum), other = everything;
  for (uint32_t i = 0; i < sum.count; ++i)
    if (sum.terms[i].product != 0 && sum.terms[i].factor != INT64_MIN &&
        range_by_remainder(exprs, expr, sum.terms[i], &other)) {
      range.min = other.min > range.min ? other.min : range.min;
      range.max = other.max < range.max ? other.max : range.max;
    }
  return range;
}

bool luna_product_is_positive(LunaExprs *exprs, uint32_t product) {
  LunaExprProduct factors = exprs->products.items[product];
  for (uint32_t i = 0; i < factors.count; ++i)
    if (atom_range(exprs, factors.atoms[i]).min < 1)
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Residues
//===----------------------------------------------------------------------===//

// a * b mod modulus of a and b in [0, modulus); false on overflow.
static bool multiply_residue(int64_t a, int64_t b, int64_t modulus,
                             int64_t *result) {
  int64_t product = 0;
  if (!luna_checked_mul_signed(a, b, &product))
    return false;
  *result = luna_floor_mod(product, modulus);
  return true;
}

static bool atom_residue(const LunaExprs *exprs, LunaExprAtom atom,
                         int64_t modulus, int64_t *residue) {
  if (atom.kind != LUNA_ATOM_SYMBOL)
    return false;
  LunaSymbol symbol = exprs->symbols.items[atom.symbol];
  if (symbol.value != LUNA_EXPR_NONE)
    return luna_expr_residue(exprs, symbol.value, modulus, residue);
  *residue = symbol.residue % modulus;
  return symbol.modulus % modulus == 0;
}

// What is known to divide an atom.
static int64_t atom_divisor(const LunaExprs *exprs, LunaExprAtom atom) {
  if (atom.kind != LUNA_ATOM_SYMBOL)
    return 1;
  LunaSymbol symbol = exprs->symbols.items[atom.symbol];
  return luna_gcd(symbol.modulus, symbol.residue);
}

static bool term_residue(const LunaExprs *exprs, LunaExprTerm term,
                         int64_t modulus, int64_t *residue) {
  LunaExprProduct product = exprs->products.items[term.product];
  // Factors need to be known only modulo what the constant factor leaves.
  int64_t needed = modulus / luna_gcd(modulus, term.factor), left = needed;
  *residue = 0;
  for (uint32_t i = 0; i < product.count && left > 1; ++i)
    left /= luna_gcd(left,
                     atom_divisor(exprs, exprs->atoms.items[product.atoms[i]]));
  if (left == 1)
    return true;
  *residue = luna_floor_mod(term.factor, modulus);
  for (uint32_t i = 0; i < product.count; ++i) {
    int64_t factor = 0;
    if (!atom_residue(exprs, exprs->atoms.items[product.atoms[i]], needed,
                      &factor) ||
        !multiply_residue(*residue, factor, modulus, residue))
      return false;
  }
  return true;
}

bool luna_expr_residue(const LunaExprs *exprs, LunaExpr expr, int64_t modulus,
                       int64_t *residue) {
  if (expr == LUNA_EXPR_NONE)
    return false;
  LunaExprSum sum = *luna_expr_sum(exprs, expr);
  int64_t total = 0;
  for (uint32_t i = 0; i < sum.count; ++i) {
    int64_t part = 0;
    if (!term_residue(exprs, sum.terms[i], modulus, &part))
      return false;
    // Both lie in [0, modulus): no overflow.
    total = part >= modulus - total ? part - (modulus - total) : total + part;
  }
  *residue = total;
  return true;
}
