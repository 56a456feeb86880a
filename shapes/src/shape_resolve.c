// Expressions by what is known of their symbols, and by values for them.

#include "luna/checked.h"
#include "shape_nodes.h"

//===----------------------------------------------------------------------===//
// What is known
//===----------------------------------------------------------------------===//

static LunaExpr resolve_extremum(LunaExprs *exprs, LunaExprAtom atom) {
  LunaExpr result = luna_expr_resolve(exprs, atom.operands[0]);
  for (uint32_t i = 1; i < atom.count; ++i) {
    LunaExpr operand = luna_expr_resolve(exprs, atom.operands[i]);
    result = atom.kind == LUNA_ATOM_MAX ? luna_expr_max(exprs, result, operand)
                                        : luna_expr_min(exprs, result, operand);
  }
  return result;
}

static LunaExpr resolve_atom(LunaExprs *exprs, uint32_t index) {
  LunaExprAtom atom = exprs->atoms.items[index];
  if (atom.kind == LUNA_ATOM_FLOORDIV)
    return luna_expr_floordiv(exprs, luna_expr_resolve(exprs, atom.operands[0]),
                              luna_expr_resolve(exprs, atom.operands[1]));
  if (atom.kind != LUNA_ATOM_SYMBOL)
    return resolve_extremum(exprs, atom);
  LunaSymbol symbol = exprs->symbols.items[atom.symbol];
  if (symbol.value != LUNA_EXPR_NONE)
    return luna_expr_resolve(exprs, symbol.value);
  return symbol.range.min == symbol.range.max
             ? luna_expr_const(exprs, symbol.range.min)
             : luna_expr_symbol(exprs, atom.symbol);
}

static LunaExpr resolve_sum(LunaExprs *exprs, LunaExprSum sum) {
  LunaExprTerms terms = {.count = 0};
  for (uint32_t i = 0; i < sum.count; ++i) {
    LunaExprProduct product = exprs->products.items[sum.terms[i].product];
    LunaExpr value = luna_expr_const(exprs, sum.terms[i].factor);
    for (uint32_t k = 0; k < product.count; ++k)
      value =
          luna_expr_mul(exprs, value, resolve_atom(exprs, product.atoms[k]));
    luna_terms_add_scaled(exprs, &terms, 1, 0, value);
  }
  return luna_terms_close(exprs, &terms);
}

LunaExpr luna_expr_resolve(LunaExprs *exprs, LunaExpr expr) {
  if (expr == LUNA_EXPR_NONE)
    return expr;
  LunaExprSum sum = *luna_expr_sum(exprs, expr);
  if (sum.generation == exprs->generation)
    return sum.resolved;
  LunaExpr resolved = resolve_sum(exprs, sum);
  exprs->sums.items[expr].resolved = resolved;
  exprs->sums.items[expr].generation = exprs->generation;
  return resolved;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static bool eval_atom(const LunaExprs *exprs, uint32_t index,
                      const int64_t *values, int64_t *result) {
  LunaExprAtom atom = exprs->atoms.items[index];
  int64_t other = 0;
  if (atom.kind == LUNA_ATOM_SYMBOL) {
    *result = values[atom.symbol];
    return true;
  }
  if (!luna_expr_eval(exprs, atom.operands[0], values, result))
    return false;
  for (uint32_t i = 1; i < atom.count; ++i) {
    if (!luna_expr_eval(exprs, atom.operands[i], values, &other))
      return false;
    if (atom.kind == LUNA_ATOM_FLOORDIV && other < 1)
      return false;
    if (atom.kind == LUNA_ATOM_FLOORDIV)
      *result = luna_floor_div(*result, other);
    else if ((atom.kind == LUNA_ATOM_MAX) == (other > *result))
      *result = other;
  }
  return true;
}

static bool eval_term(const LunaExprs *exprs, LunaExprTerm term,
                      const int64_t *values, int64_t *result) {
  LunaExprProduct product = exprs->products.items[term.product];
  *result = term.factor;
  for (uint32_t i = 0; i < product.count; ++i) {
    int64_t factor = 0;
    if (!eval_atom(exprs, product.atoms[i], values, &factor) ||
        !luna_checked_mul_signed(*result, factor, result))
      return false;
  }
  return true;
}

bool luna_expr_eval(const LunaExprs *exprs, LunaExpr expr,
                    const int64_t *values, int64_t *result) {
  if (expr == LUNA_EXPR_NONE)
    return false;
  const LunaExprSum *sum = luna_expr_sum(exprs, expr);
  *result = 0;
  for (uint32_t i = 0; i < sum->count; ++i) {
    int64_t term = 0;
    if (!eval_term(exprs, sum->terms[i], values, &term) ||
        !luna_checked_add_signed(*result, term, result))
      return false;
  }
  return true;
}
