// min and max in their normal form: flat, operands ascending, without those
// that another one always precedes, the common constant taken out.

#include <stdlib.h>

#include "luna/checked.h"
#include "shape_nodes.h"

typedef struct Extremum {
  LunaAtomKind kind;
  uint32_t count;
  LunaExpr operands[2 * LUNA_EXPR_TERMS_MAX];
  bool is_broken;
} Extremum;

static void add_operand(Extremum *extremum, LunaExpr operand) {
  if (operand == LUNA_EXPR_NONE ||
      extremum->count ==
          sizeof extremum->operands / sizeof *extremum->operands) {
    extremum->is_broken = true;
    return;
  }
  extremum->operands[extremum->count++] = operand;
}

// Adds an operand, or those of an extremum of the same kind plus a constant.
static void add_flat(LunaExprs *exprs, Extremum *extremum, LunaExpr operand) {
  if (operand == LUNA_EXPR_NONE) {
    extremum->is_broken = true;
    return;
  }
  int64_t constant = luna_sum_constant(luna_expr_sum(exprs, operand));
  const LunaExprAtom *found =
      luna_expr_atom(exprs, luna_expr_scale(exprs, operand, 1, -constant));
  if (!found || found->kind != extremum->kind) {
    add_operand(extremum, operand);
    return;
  }
  LunaExprAtom atom = *found;
  for (uint32_t i = 0; i < atom.count; ++i)
    add_operand(extremum,
                luna_expr_scale(exprs, atom.operands[i], 1, constant));
}

// Returns true if `a` is never beyond `b`.
static bool is_covered(LunaExprs *exprs, LunaAtomKind kind, LunaExpr a,
                       LunaExpr b) {
  LunaInterval range = luna_expr_range(exprs, luna_expr_sub(exprs, b, a));
  return kind == LUNA_ATOM_MAX ? range.min >= 0 : range.max <= 0;
}

static void drop_covered(LunaExprs *exprs, Extremum *extremum) {
  for (uint32_t i = 0; i < extremum->count;) {
    bool is_redundant = false;
    for (uint32_t k = 0; k < extremum->count && !is_redundant; ++k)
      is_redundant =
          k != i && is_covered(exprs, extremum->kind, extremum->operands[i],
                               extremum->operands[k]);
    if (is_redundant)
      extremum->operands[i] = extremum->operands[--extremum->count];
    else
      ++i;
  }
}

static int64_t least_constant(const LunaExprs *exprs,
                              const Extremum *extremum) {
  int64_t least = INT64_MAX;
  for (uint32_t i = 0; i < extremum->count; ++i) {
    int64_t constant =
        luna_sum_constant(luna_expr_sum(exprs, extremum->operands[i]));
    least = constant < least ? constant : least;
  }
  return least;
}

static int ascending(const void *a, const void *b) {
  const LunaExpr *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static LunaExpr close_extremum(LunaExprs *exprs, Extremum *extremum) {
  LunaExprTerms terms = {.count = 0};
  if (extremum->is_broken)
    return LUNA_EXPR_NONE;
  drop_covered(exprs, extremum);
  if (extremum->count == 1)
    return extremum->operands[0];
  int64_t constant = least_constant(exprs, extremum);
  if (extremum->count > LUNA_EXPR_TERMS_MAX || constant == INT64_MIN)
    return LUNA_EXPR_NONE;
  for (uint32_t i = 0; i < extremum->count; ++i) {
    extremum->operands[i] =
        luna_expr_scale(exprs, extremum->operands[i], 1, -constant);
    if (extremum->operands[i] == LUNA_EXPR_NONE)
      return LUNA_EXPR_NONE;
  }
  qsort(extremum->operands, extremum->count, sizeof *extremum->operands,
        ascending);
  luna_terms_add(&terms, constant, 0);
  luna_terms_add(&terms, 1,
                 luna_product_of_atom(
                     exprs, &(LunaExprAtom){extremum->kind, 0, extremum->count,
                                            extremum->operands}));
  return luna_terms_close(exprs, &terms);
}

static LunaExpr extremum_of(LunaExprs *exprs, LunaAtomKind kind, LunaExpr a,
                            LunaExpr b) {
  Extremum extremum = {.kind = kind};
  if (a == b)
    return a;
  add_flat(exprs, &extremum, a);
  add_flat(exprs, &extremum, b);
  return close_extremum(exprs, &extremum);
}

LunaExpr luna_expr_min(LunaExprs *exprs, LunaExpr a, LunaExpr b) {
  return extremum_of(exprs, LUNA_ATOM_MIN, a, b);
}

LunaExpr luna_expr_max(LunaExprs *exprs, LunaExpr a, LunaExpr b) {
  return extremum_of(exprs, LUNA_ATOM_MAX, a, b);
}
