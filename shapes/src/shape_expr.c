#include "luna/shape_expr.h"

#include <stdlib.h>

#include "luna/checked.h"
#include "shape_nodes.h"

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

// The index of `bytes` in a map that owns its keys; *is_new tells whether the
// caller has to add a node.
static uint32_t find_key(LunaExprs *exprs, LunaMap *map, const void *bytes,
                         uint64_t length, bool *is_new) {
  uint64_t before = map->keys.count;
  uint32_t index =
      luna_map_add(map, exprs->arena, luna_map_bytes(bytes, length));
  *is_new = index == before;
  if (*is_new) {
    void *copy = luna_arena_alloc(exprs->arena, length, 1);
    if (length > 0)
      memcpy(copy, bytes, length);
    map->keys.items[index].bytes = copy;
  }
  return index;
}

static uint32_t make_product(LunaExprs *exprs, const uint32_t *atoms,
                             uint32_t count) {
  bool is_new;
  uint32_t index = find_key(exprs, &exprs->product_keys, atoms,
                            count * sizeof *atoms, &is_new);
  if (is_new)
    *LUNA_VECTOR_ADD(exprs->arena, &exprs->products) =
        (LunaExprProduct){count, exprs->product_keys.keys.items[index].bytes};
  return index;
}

uint32_t luna_product_of_atom(LunaExprs *exprs, const LunaExprAtom *atom) {
  uint32_t key[2 + LUNA_EXPR_TERMS_MAX] = {(uint32_t)atom->kind, atom->symbol};
  bool is_new;
  if (atom->count > 0)
    memcpy(key + 2, atom->operands, atom->count * sizeof *key);
  uint32_t index = find_key(exprs, &exprs->atom_keys, key,
                            (2 + atom->count) * sizeof *key, &is_new);
  if (is_new) {
    const uint32_t *kept = exprs->atom_keys.keys.items[index].bytes;
    *LUNA_VECTOR_ADD(exprs->arena, &exprs->atoms) =
        (LunaExprAtom){atom->kind, atom->symbol, atom->count, kept + 2};
  }
  return make_product(exprs, &index, 1);
}

uint32_t luna_product_mul(LunaExprs *exprs, uint32_t a, uint32_t b) {
  LunaExprProduct x = exprs->products.items[a], y = exprs->products.items[b];
  if (x.count == 0 || y.count == 0)
    return x.count == 0 ? b : a;
  uint32_t *atoms = LUNA_ARENA_ARRAY(exprs->arena, uint32_t, x.count + y.count);
  for (uint32_t i = 0, j = 0; i + j < x.count + y.count;)
    if (j == y.count || (i < x.count && x.atoms[i] <= y.atoms[j]))
      atoms[i + j] = x.atoms[i], ++i;
    else
      atoms[i + j] = y.atoms[j], ++j;
  return make_product(exprs, atoms, x.count + y.count);
}

bool luna_product_divide(LunaExprs *exprs, uint32_t a, uint32_t b,
                         uint32_t *quotient) {
  LunaExprProduct x = exprs->products.items[a], y = exprs->products.items[b];
  uint32_t *atoms = LUNA_ARENA_ARRAY(exprs->arena, uint32_t, x.count);
  uint32_t j = 0, count = 0;
  for (uint32_t i = 0; i < x.count; ++i)
    if (j < y.count && x.atoms[i] == y.atoms[j])
      ++j;
    else
      atoms[count++] = x.atoms[i];
  if (j < y.count)
    return false;
  *quotient = make_product(exprs, atoms, count);
  return true;
}

bool luna_product_is_above(const LunaExprs *exprs, uint32_t a, uint32_t b) {
  LunaExprProduct x = exprs->products.items[a], y = exprs->products.items[b];
  if (x.count != y.count)
    return x.count > y.count;
  for (uint32_t i = 0; i < x.count; ++i)
    if (x.atoms[i] != y.atoms[i])
      return x.atoms[i] < y.atoms[i];
  return false;
}

const LunaExprSum *luna_expr_sum(const LunaExprs *exprs, LunaExpr expr) {
  return &exprs->sums.items[expr];
}

const LunaExprAtom *luna_expr_atom(const LunaExprs *exprs, LunaExpr expr) {
  if (expr == LUNA_EXPR_NONE)
    return NULL;
  const LunaExprSum *sum = luna_expr_sum(exprs, expr);
  if (sum->count != 1 || sum->terms[0].factor != 1)
    return NULL;
  LunaExprProduct product = exprs->products.items[sum->terms[0].product];
  return product.count == 1 ? &exprs->atoms.items[product.atoms[0]] : NULL;
}

int64_t luna_sum_constant(const LunaExprSum *sum) {
  return sum->count > 0 && sum->terms[0].product == 0 ? sum->terms[0].factor
                                                      : 0;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

void luna_terms_add(LunaExprTerms *terms, int64_t factor, uint32_t product) {
  uint32_t i = 0;
  while (i < terms->count && terms->items[i].product != product)
    ++i;
  if (i == sizeof terms->items / sizeof *terms->items) {
    terms->is_broken = true;
    return;
  }
  if (i == terms->count)
    terms->items[terms->count++] = (LunaExprTerm){0, product};
  if (!luna_checked_add_signed(terms->items[i].factor, factor,
                               &terms->items[i].factor))
    terms->is_broken = true;
}

void luna_terms_add_scaled(LunaExprs *exprs, LunaExprTerms *terms,
                           int64_t factor, uint32_t product, LunaExpr expr) {
  if (expr == LUNA_EXPR_NONE) {
    terms->is_broken = true;
    return;
  }
  LunaExprSum sum = *luna_expr_sum(exprs, expr);
  for (uint32_t i = 0; i < sum.count; ++i) {
    int64_t scaled = 0;
    if (!luna_checked_mul_signed(factor, sum.terms[i].factor, &scaled))
      terms->is_broken = true;
    luna_terms_add(terms, scaled,
                   luna_product_mul(exprs, product, sum.terms[i].product));
  }
}

static bool is_exact(LunaExprs *exprs, const LunaExprAtom *atom, int64_t factor,
                     int64_t *divisor, int64_t *residue) {
  return atom->kind == LUNA_ATOM_FLOORDIV &&
         luna_expr_is_const(exprs, atom->operands[1], divisor) &&
         factor % *divisor == 0 &&
         luna_expr_residue(exprs, atom->operands[0], *divisor, residue);
}

// Carries out one division that is exact and whose divisor divides the factor:
// c * (p floordiv c) is p less its residue.
static bool divide_exactly(LunaExprs *exprs, LunaExprTerms *terms, uint32_t i) {
  LunaExprTerm term = terms->items[i];
  LunaExprProduct product = exprs->products.items[term.product];
  for (uint32_t k = 0; k < product.count && term.factor != 0; ++k) {
    int64_t divisor = 0, residue = 0, sum = 0;
    LunaExprAtom atom = exprs->atoms.items[product.atoms[k]];
    if (!is_exact(exprs, &atom, term.factor, &divisor, &residue))
      continue;
    uint32_t rest = 0;
    luna_product_divide(exprs, term.product,
                        make_product(exprs, &product.atoms[k], 1), &rest);
    terms->items[i].factor = 0;
    int64_t factor = term.factor / divisor;
    luna_terms_add_scaled(exprs, terms, factor, rest, atom.operands[0]);
    if (!luna_checked_mul_signed(factor, -residue, &sum))
      terms->is_broken = true;
    luna_terms_add(terms, sum, rest);
    return true;
  }
  return false;
}

static int by_product(const void *a, const void *b) {
  const LunaExprTerm *x = a, *y = b;
  return (x->product > y->product) - (x->product < y->product);
}

static LunaExpr make_sum(LunaExprs *exprs, const LunaExprTerm *terms,
                         uint32_t count) {
  // The struct has padding: the key is a pair of words per term.
  uint64_t key[2 * LUNA_EXPR_TERMS_MAX];
  bool is_new;
  for (uint32_t i = 0; i < count; ++i) {
    key[2 * i] = (uint64_t)terms[i].factor;
    key[2 * i + 1] = terms[i].product;
  }
  uint32_t index =
      find_key(exprs, &exprs->sum_keys, key, 2 * count * sizeof *key, &is_new);
  if (is_new) {
    LunaExprTerm *kept = LUNA_ARENA_ARRAY(exprs->arena, LunaExprTerm, count);
    for (uint32_t i = 0; i < count; ++i)
      kept[i] = terms[i];
    *LUNA_VECTOR_ADD(exprs->arena, &exprs->sums) =
        (LunaExprSum){.count = count, .terms = kept, .resolved = index};
  }
  return index;
}

LunaExpr luna_terms_close(LunaExprs *exprs, LunaExprTerms *terms) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < terms->count && !terms->is_broken;)
    i = divide_exactly(exprs, terms, i) ? 0 : i + 1;
  for (uint32_t i = 0; i < terms->count; ++i)
    if (terms->items[i].factor != 0)
      terms->items[kept++] = terms->items[i];
  if (terms->is_broken || kept > LUNA_EXPR_TERMS_MAX)
    return LUNA_EXPR_NONE;
  qsort(terms->items, kept, sizeof *terms->items, by_product);
  return make_sum(exprs, terms->items, kept);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

void luna_exprs_init(LunaExprs *exprs, LunaArena *arena) {
  *exprs = (LunaExprs){.arena = arena, .generation = 1};
  make_product(exprs, NULL, 0);
}

uint32_t luna_symbol_add(LunaExprs *exprs, const LunaSymbol *symbol) {
  LunaSymbol added = *symbol;
  if (added.modulus < 1)
    added.modulus = 1;
  added.residue = luna_floor_mod(added.residue, added.modulus);
  added.value = LUNA_EXPR_NONE;
  *LUNA_VECTOR_ADD(exprs->arena, &exprs->symbols) = added;
  return (uint32_t)exprs->symbols.count - 1;
}

LunaExpr luna_expr_const(LunaExprs *exprs, int64_t value) {
  LunaExprTerm term = {value, 0};
  return make_sum(exprs, &term, value != 0);
}

LunaExpr luna_expr_symbol(LunaExprs *exprs, uint32_t symbol) {
  LunaExprAtom atom = {.kind = LUNA_ATOM_SYMBOL, .symbol = symbol};
  LunaExprTerm term = {1, luna_product_of_atom(exprs, &atom)};
  return make_sum(exprs, &term, 1);
}

LunaExpr luna_expr_add(LunaExprs *exprs, LunaExpr a, LunaExpr b) {
  LunaExprTerms terms = {.count = 0};
  luna_terms_add_scaled(exprs, &terms, 1, 0, a);
  luna_terms_add_scaled(exprs, &terms, 1, 0, b);
  return luna_terms_close(exprs, &terms);
}

LunaExpr luna_expr_sub(LunaExprs *exprs, LunaExpr a, LunaExpr b) {
  LunaExprTerms terms = {.count = 0};
  luna_terms_add_scaled(exprs, &terms, 1, 0, a);
  luna_terms_add_scaled(exprs, &terms, -1, 0, b);
  return luna_terms_close(exprs, &terms);
}

LunaExpr luna_expr_scale(LunaExprs *exprs, LunaExpr a, int64_t factor,
                         int64_t offset) {
  LunaExprTerms terms = {.count = 0};
  luna_terms_add_scaled(exprs, &terms, factor, 0, a);
  luna_terms_add(&terms, offset, 0);
  return luna_terms_close(exprs, &terms);
}

LunaExpr luna_expr_mul(LunaExprs *exprs, LunaExpr a, LunaExpr b) {
  LunaExprTerms terms = {.is_broken = a == LUNA_EXPR_NONE};
  if (terms.is_broken)
    return LUNA_EXPR_NONE;
  LunaExprSum sum = *luna_expr_sum(exprs, a);
  for (uint32_t i = 0; i < sum.count; ++i)
    luna_terms_add_scaled(exprs, &terms, sum.terms[i].factor,
                          sum.terms[i].product, b);
  return b == LUNA_EXPR_NONE ? b : luna_terms_close(exprs, &terms);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

bool luna_expr_is_const(const LunaExprs *exprs, LunaExpr expr, int64_t *value) {
  if (expr == LUNA_EXPR_NONE)
    return false;
  const LunaExprSum *sum = luna_expr_sum(exprs, expr);
  if (sum->count > 1 || (sum->count == 1 && sum->terms[0].product != 0))
    return false;
  *value = luna_sum_constant(sum);
  return true;
}

bool luna_expr_is_symbol(const LunaExprs *exprs, LunaExpr expr,
                         uint32_t *symbol) {
  const LunaExprAtom *atom = luna_expr_atom(exprs, expr);
  if (!atom || atom->kind != LUNA_ATOM_SYMBOL)
    return false;
  *symbol = atom->symbol;
  return true;
}

static bool product_uses(const LunaExprs *exprs, uint32_t product,
                         uint32_t symbol) {
  LunaExprProduct factors = exprs->products.items[product];
  for (uint32_t i = 0; i < factors.count; ++i) {
    LunaExprAtom atom = exprs->atoms.items[factors.atoms[i]];
    if (atom.kind == LUNA_ATOM_SYMBOL && atom.symbol == symbol)
      return true;
    for (uint32_t k = 0; k < atom.count; ++k)
      if (luna_expr_uses(exprs, atom.operands[k], symbol))
        return true;
  }
  return false;
}

bool luna_expr_uses(const LunaExprs *exprs, LunaExpr expr, uint32_t symbol) {
  if (expr == LUNA_EXPR_NONE)
    return false;
  const LunaExprSum *sum = luna_expr_sum(exprs, expr);
  for (uint32_t i = 0; i < sum->count; ++i)
    if (product_uses(exprs, sum->terms[i].product, symbol))
      return true;
  return false;
}
