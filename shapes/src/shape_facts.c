#include "luna/shape_facts.h"

#include "luna/checked.h"
#include "shape_learn.h"
#include "shape_nodes.h"

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

bool luna_scope_is_within(const LunaFacts *facts, uint32_t scope,
                          uint32_t outer) {
  while (scope != outer && scope != 0)
    scope = facts->scopes.items[scope].parent;
  return scope == outer;
}

static bool is_product_visible(const LunaFacts *facts, uint32_t product,
                               uint32_t scope) {
  const LunaExprs *exprs = &facts->exprs;
  LunaExprProduct factors = exprs->products.items[product];
  for (uint32_t k = 0; k < factors.count; ++k) {
    LunaExprAtom atom = exprs->atoms.items[factors.atoms[k]];
    if (atom.kind == LUNA_ATOM_SYMBOL &&
        !luna_scope_is_within(facts, scope,
                              exprs->symbols.items[atom.symbol].scope))
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

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

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

uint32_t luna_facts_resolve(LunaFacts *facts) {
  uint32_t generation = 0;
  while (generation != facts->exprs.generation) {
    generation = facts->exprs.generation;
    for (uint32_t i = 0; i < facts->constraints.count; ++i) {
      uint64_t before = facts->constraints.count;
      LunaConstraint constraint = facts->constraints.items[i];
      if (luna_learn(facts, &constraint) == LUNA_FAILS) {
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
  return constraint->scope == 0 && luna_learn(facts, constraint) != LUNA_HOLDS;
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
