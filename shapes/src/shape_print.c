// Expressions as text. Terms and factors stand in an order that the symbols
// give, not the pool.

#include <inttypes.h>
#include <stdlib.h>

#include "shape_nodes.h"

typedef struct Sorted {
  uint64_t key;
  LunaText text;
  int64_t factor;
} Sorted;

// Constants last, then by text: names are unique and so is the text.
static int by_text(const void *a, const void *b) {
  const Sorted *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return strcmp(x->text.data ? x->text.data : "",
                y->text.data ? y->text.data : "");
}

// The lowest order of a symbol in it.
static uint64_t order_of_expr(const LunaExprs *exprs, LunaExpr expr);

static uint64_t order_of_atom(const LunaExprs *exprs, LunaExprAtom atom) {
  uint64_t order = UINT64_MAX;
  if (atom.kind == LUNA_ATOM_SYMBOL)
    return exprs->symbols.items[atom.symbol].order;
  for (uint32_t i = 0; i < atom.count; ++i) {
    uint64_t other = order_of_expr(exprs, atom.operands[i]);
    order = other < order ? other : order;
  }
  return order;
}

static uint64_t order_of_product(const LunaExprs *exprs, uint32_t index) {
  LunaExprProduct product = exprs->products.items[index];
  uint64_t order = UINT64_MAX;
  for (uint32_t i = 0; i < product.count; ++i) {
    uint64_t other = order_of_atom(exprs, exprs->atoms.items[product.atoms[i]]);
    order = other < order ? other : order;
  }
  return order;
}

static uint64_t order_of_expr(const LunaExprs *exprs, LunaExpr expr) {
  LunaExprSum sum = *luna_expr_sum(exprs, expr);
  uint64_t order = UINT64_MAX;
  for (uint32_t i = 0; i < sum.count; ++i) {
    uint64_t other = order_of_product(exprs, sum.terms[i].product);
    order = other < order ? other : order;
  }
  return order;
}

static void print_operand(const LunaExprs *exprs, LunaExpr expr,
                          LunaText *text) {
  const LunaExprSum *sum = luna_expr_sum(exprs, expr);
  bool is_plain = sum->count <= 1 &&
                  (luna_expr_atom(exprs, expr) != NULL || sum->count == 0 ||
                   (sum->terms[0].product == 0 && sum->terms[0].factor > 0));
  const LunaExprAtom *atom = luna_expr_atom(exprs, expr);
  is_plain &= !atom || atom->kind != LUNA_ATOM_FLOORDIV;
  luna_text_printf(text, is_plain ? "" : "(");
  luna_expr_print(exprs, expr, text);
  luna_text_printf(text, is_plain ? "" : ")");
}

static void print_extremum(const LunaExprs *exprs, LunaExprAtom atom,
                           LunaText *text) {
  Sorted operands[LUNA_EXPR_TERMS_MAX] = {{0}};
  for (uint32_t i = 0; i < atom.count; ++i) {
    operands[i].key = order_of_expr(exprs, atom.operands[i]);
    luna_expr_print(exprs, atom.operands[i], &operands[i].text);
  }
  qsort(operands, atom.count, sizeof *operands, by_text);
  luna_text_printf(text, atom.kind == LUNA_ATOM_MAX ? "max" : "min");
  for (uint32_t i = 0; i < atom.count; ++i) {
    luna_text_printf(text, "%s%s", i == 0 ? "(" : ", ", operands[i].text.data);
    luna_text_deinit(&operands[i].text);
  }
  luna_text_printf(text, ")");
}

static void print_atom(const LunaExprs *exprs, LunaExprAtom atom, bool is_alone,
                       LunaText *text) {
  if (atom.kind == LUNA_ATOM_SYMBOL) {
    const char *name = exprs->symbols.items[atom.symbol].name;
    luna_text_printf(text, "%s", name ? name : "?");
  } else if (atom.kind == LUNA_ATOM_FLOORDIV) {
    luna_text_printf(text, is_alone ? "" : "(");
    print_operand(exprs, atom.operands[0], text);
    luna_text_printf(text, " floordiv ");
    print_operand(exprs, atom.operands[1], text);
    luna_text_printf(text, is_alone ? "" : ")");
  } else {
    print_extremum(exprs, atom, text);
  }
}

static void print_product(const LunaExprs *exprs, LunaExprTerm term,
                          LunaText *text) {
  LunaExprProduct product = exprs->products.items[term.product];
  uint64_t magnitude =
      term.factor < 0 ? 0 - (uint64_t)term.factor : (uint64_t)term.factor;
  bool is_alone = product.count == 1 && term.factor == 1;
  Sorted *factors = calloc(product.count + 1u, sizeof *factors);
  for (uint32_t i = 0; i < product.count; ++i) {
    LunaExprAtom atom = exprs->atoms.items[product.atoms[i]];
    factors[i].key = order_of_atom(exprs, atom);
    print_atom(exprs, atom, is_alone, &factors[i].text);
  }
  qsort(factors, product.count, sizeof *factors, by_text);
  if (magnitude != 1 || product.count == 0)
    luna_text_printf(text, "%" PRIu64 "%s", magnitude,
                     product.count > 0 ? "*" : "");
  for (uint32_t i = 0; i < product.count; ++i) {
    luna_text_printf(text, "%s%s", i == 0 ? "" : "*", factors[i].text.data);
    luna_text_deinit(&factors[i].text);
  }
  free(factors);
}

void luna_expr_print(const LunaExprs *exprs, LunaExpr expr, LunaText *text) {
  if (expr == LUNA_EXPR_NONE) {
    luna_text_printf(text, "?");
    return;
  }
  LunaExprSum sum = *luna_expr_sum(exprs, expr);
  Sorted terms[LUNA_EXPR_TERMS_MAX] = {{0}};
  for (uint32_t i = 0; i < sum.count; ++i) {
    terms[i].key = order_of_product(exprs, sum.terms[i].product);
    terms[i].factor = sum.terms[i].factor;
    print_product(exprs, sum.terms[i], &terms[i].text);
  }
  qsort(terms, sum.count, sizeof *terms, by_text);
  for (uint32_t i = 0; i < sum.count; ++i) {
    bool is_negative = terms[i].factor < 0;
    luna_text_printf(text, "%s%s",
                     i == 0 ? (is_negative ? "-" : "")
                            : (is_negative ? " - " : " + "),
                     terms[i].text.data);
    luna_text_deinit(&terms[i].text);
  }
  if (sum.count == 0)
    luna_text_printf(text, "0");
}
