#ifndef LUNA_SHAPE_EXPR_H
#define LUNA_SHAPE_EXPR_H

#include <stdbool.h>
#include <stdint.h>

#include "luna/map.h"
#include "luna/text.h"
#include "luna/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Integer expressions over symbols, the sizes that a model leaves open.
///
///     LunaExprs exprs;
///     luna_exprs_init(&exprs, &arena);
///     LunaExpr rows = luna_expr_symbol(&exprs, luna_symbol_add(&exprs, …));
///     LunaExpr half = luna_expr_floordiv(&exprs, rows, two);
///
/// Expressions are hash-consed in a normal form, sums of products with integer
/// coefficients, so equal numbers are equal expressions. The factors of a
/// product are symbols, floordiv, min and max; ceildiv and mod are written by
/// floordiv. Equal functions may still have two normal forms, such as
/// max(a, b) + min(a, b) and a + b.
typedef uint32_t LunaExpr;

/// No expression: the result of an overflow, of a division by what may not be
/// positive, or of more terms than LUNA_EXPR_TERMS_MAX. Functions of it return
/// it.
#define LUNA_EXPR_NONE UINT32_MAX

/// The most terms of a sum, and the most operands of min and max.
enum { LUNA_EXPR_TERMS_MAX = 64 };

/// The integers from min to max; INT64_MIN and INT64_MAX stand for no limit.
typedef struct LunaInterval {
  int64_t min, max;
} LunaInterval;

/// A symbol: an integer in [min, max], congruent to `residue` modulo
/// `modulus` (>= 1).
typedef struct LunaSymbol {
  const char *name; ///< borrowed
  LunaInterval range;
  int64_t modulus, residue;
  /// Unique among symbols. Of two that are equal the lower one remains.
  uint64_t order;
  uint32_t scope; ///< for luna/shape_facts.h
  LunaExpr value; ///< what it is known to equal, or LUNA_EXPR_NONE
} LunaSymbol;

struct LunaExprAtom;
struct LunaExprProduct;
struct LunaExprSum;

/// What expressions live in: one pool, one arena.
typedef struct LunaExprs {
  LunaArena *arena;
  LUNA_VECTOR(LunaSymbol) symbols;
  LunaMap atom_keys, product_keys, sum_keys;
  LUNA_VECTOR(struct LunaExprAtom) atoms;
  LUNA_VECTOR(struct LunaExprProduct) products;
  LUNA_VECTOR(struct LunaExprSum) sums;
  uint32_t generation; ///< of the facts about symbols
} LunaExprs;

/// Makes an empty pool in `arena`.
void luna_exprs_init(LunaExprs *exprs, LunaArena *arena);

/// Adds a symbol and returns its index. A modulus below 1 becomes 1, the
/// residue lies in [0, modulus).
uint32_t luna_symbol_add(LunaExprs *exprs, const LunaSymbol *symbol);

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

LunaExpr luna_expr_const(LunaExprs *exprs, int64_t value);
LunaExpr luna_expr_symbol(LunaExprs *exprs, uint32_t symbol);
LunaExpr luna_expr_add(LunaExprs *exprs, LunaExpr a, LunaExpr b);
LunaExpr luna_expr_sub(LunaExprs *exprs, LunaExpr a, LunaExpr b);
LunaExpr luna_expr_mul(LunaExprs *exprs, LunaExpr a, LunaExpr b);
/// Returns a * factor + offset.
LunaExpr luna_expr_scale(LunaExprs *exprs, LunaExpr a, int64_t factor,
                         int64_t offset);
/// Returns the quotient rounded down or up, or the remainder in [0, b). The
/// divisor must be positive: none if it is known not to be.
LunaExpr luna_expr_floordiv(LunaExprs *exprs, LunaExpr a, LunaExpr b);
LunaExpr luna_expr_ceildiv(LunaExprs *exprs, LunaExpr a, LunaExpr b);
LunaExpr luna_expr_mod(LunaExprs *exprs, LunaExpr a, LunaExpr b);
LunaExpr luna_expr_min(LunaExprs *exprs, LunaExpr a, LunaExpr b);
LunaExpr luna_expr_max(LunaExprs *exprs, LunaExpr a, LunaExpr b);

/// Returns the expression by what is known of its symbols now: their values
/// put in, divisions that became exact carried out.
LunaExpr luna_expr_resolve(LunaExprs *exprs, LunaExpr expr);

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Returns true, and the number, if the expression is a constant.
bool luna_expr_is_const(const LunaExprs *exprs, LunaExpr expr, int64_t *value);
/// Returns true, and its index, if the expression is a symbol alone.
bool luna_expr_is_symbol(const LunaExprs *exprs, LunaExpr expr,
                         uint32_t *symbol);
/// Returns true if the symbol occurs in the expression.
bool luna_expr_uses(const LunaExprs *exprs, LunaExpr expr, uint32_t symbol);
/// Returns bounds of the value. Bounds saturate: a product beyond 2^63 has no
/// limit.
LunaInterval luna_expr_range(LunaExprs *exprs, LunaExpr expr);
/// Returns true, and expr mod modulus (>= 1), if that is the same for all
/// values of the symbols.
bool luna_expr_residue(const LunaExprs *exprs, LunaExpr expr, int64_t modulus,
                       int64_t *residue);
/// Evaluates with values[i] for symbol i. Returns false on overflow of the
/// result or on a divisor that is not positive.
bool luna_expr_eval(const LunaExprs *exprs, LunaExpr expr,
                    const int64_t *values, int64_t *result);
/// Appends the expression, such as "8*h*w + h floordiv 2 + 1"; its text
/// depends on names and orders of symbols alone.
void luna_expr_print(const LunaExprs *exprs, LunaExpr expr, LunaText *text);

#ifdef __cplusplus
}
#endif

#endif // LUNA_SHAPE_EXPR_H
