#ifndef LUNA_SHAPE_NODES_H
#define LUNA_SHAPE_NODES_H

// What expressions are made of, shared by the sources of luna/shape_expr.h.

#include "luna/checked.h"
#include "luna/shape_expr.h"

typedef enum LunaAtomKind {
  LUNA_ATOM_SYMBOL,
  LUNA_ATOM_FLOORDIV,
  LUNA_ATOM_MIN,
  LUNA_ATOM_MAX,
} LunaAtomKind;

/// A factor. The two operands of a quotient are in order, those of min and max
/// ascend.
typedef struct LunaExprAtom {
  LunaAtomKind kind;
  uint32_t symbol;
  uint32_t count;
  const LunaExpr *operands;
} LunaExprAtom;

/// A product of atoms, ascending and with repetitions. Product 0 is empty.
typedef struct LunaExprProduct {
  uint32_t count;
  const uint32_t *atoms;
} LunaExprProduct;

typedef struct LunaExprTerm {
  int64_t factor;
  uint32_t product;
} LunaExprTerm;

/// A sum of terms by ascending product, no factor 0.
typedef struct LunaExprSum {
  uint32_t count;
  const LunaExprTerm *terms;
  uint32_t generation; ///< in which `resolved` holds
  LunaExpr resolved;
} LunaExprSum;

/// A sum being collected. More terms than it holds, or an overflow, break it.
typedef struct LunaExprTerms {
  LunaExprTerm items[4 * LUNA_EXPR_TERMS_MAX];
  uint32_t count;
  bool is_broken;
} LunaExprTerms;

/// Adds factor * product to a sum.
void luna_terms_add(LunaExprTerms *terms, int64_t factor, uint32_t product);
/// Adds factor * product * expr to a sum.
void luna_terms_add_scaled(LunaExprs *exprs, LunaExprTerms *terms,
                           int64_t factor, uint32_t product, LunaExpr expr);
/// Returns the expression of a sum.
LunaExpr luna_terms_close(LunaExprs *exprs, LunaExprTerms *terms);

/// Returns the product of two products.
uint32_t luna_product_mul(LunaExprs *exprs, uint32_t a, uint32_t b);
/// Writes a / b. Returns false if `b` does not divide `a`.
bool luna_product_divide(LunaExprs *exprs, uint32_t a, uint32_t b,
                         uint32_t *quotient);
/// Returns the product of an atom alone.
uint32_t luna_product_of_atom(LunaExprs *exprs, const LunaExprAtom *atom);
/// Returns true if `a` comes after `b` in a graded lexicographic order.
bool luna_product_is_above(const LunaExprs *exprs, uint32_t a, uint32_t b);

/// Returns the sum of an expression other than LUNA_EXPR_NONE.
const LunaExprSum *luna_expr_sum(const LunaExprs *exprs, LunaExpr expr);
/// Returns the atom that an expression is, or NULL.
const LunaExprAtom *luna_expr_atom(const LunaExprs *exprs, LunaExpr expr);
/// Returns the constant term of a sum.
int64_t luna_sum_constant(const LunaExprSum *sum);

/// Returns true if all atoms of a product are 1 or more.
bool luna_product_is_positive(LunaExprs *exprs, uint32_t product);

#endif // LUNA_SHAPE_NODES_H
