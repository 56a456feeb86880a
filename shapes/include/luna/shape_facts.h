#ifndef LUNA_SHAPE_FACTS_H
#define LUNA_SHAPE_FACTS_H

#include "luna/shape_expr.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What must hold of sizes, and what follows for symbols.
///
/// A constraint belongs to a scope: the function, or a region that may not be
/// entered. It teaches something about symbols of its scope and of those
/// in it; for symbols outside it is only a condition, since the region may
/// never run. Sizes that broadcast are never made equal, unless both are known
/// to be 2 or more.
typedef enum LunaConstraintKind {
  LUNA_CONSTRAINT_EQUAL,     ///< a == b
  LUNA_CONSTRAINT_AT_LEAST,  ///< a >= b
  LUNA_CONSTRAINT_DIVISIBLE, ///< a mod b == 0, b a positive constant
  LUNA_CONSTRAINT_BROADCAST, ///< a == b, or one of them is 1
} LunaConstraintKind;

typedef struct LunaConstraint {
  LunaConstraintKind kind;
  LunaExpr a, b;
  uint32_t scope;
  uint32_t origin; ///< for the caller: what it came from
} LunaConstraint;

typedef struct LunaScope {
  uint32_t parent;
  bool is_dead; ///< its constraints cannot be met
} LunaScope;

/// Expressions, scopes and constraints. Scope 0 is the function.
typedef struct LunaFacts {
  LunaExprs exprs;
  LUNA_VECTOR(LunaScope) scopes;
  LUNA_VECTOR(LunaConstraint) constraints; ///< those that do not always hold
  LunaMap keys;                            ///< of the constraints
} LunaFacts;

/// No constraint.
#define LUNA_NO_CONSTRAINT UINT32_MAX

/// Makes an empty set of facts in `arena`.
void luna_facts_init(LunaFacts *facts, LunaArena *arena);

/// Adds a scope in `parent` and returns it.
uint32_t luna_scope_add(LunaFacts *facts, uint32_t parent);

/// Returns true if a scope or one around it never runs.
bool luna_scope_is_dead(const LunaFacts *facts, uint32_t scope);

/// Adds a constraint, unless it is there or an expression is LUNA_EXPR_NONE.
void luna_fact_add(LunaFacts *facts, const LunaConstraint *constraint);

/// Draws conclusions from all constraints until none is left to draw. Returns
/// the index of the first constraint of scope 0 that no values of the symbols
/// meet, or LUNA_NO_CONSTRAINT; a region whose constraints cannot be met never
/// runs. O(rounds * constraints).
uint32_t luna_facts_resolve(LunaFacts *facts);

/// Returns true if all symbols of an expression are of `scope` or of one around
/// it.
bool luna_expr_is_visible(const LunaFacts *facts, LunaExpr expr,
                          uint32_t scope);

/// Makes a symbol equal to an expression without it. The caller knows it to be
/// so: what is known of the symbol is not passed on.
void luna_symbol_bind(LunaFacts *facts, uint32_t symbol, LunaExpr value);

/// Drops the constraints; what was concluded stays.
void luna_facts_forget(LunaFacts *facts);

/// Returns true if values[i] for the symbols i of scope 0 meet what is known of
/// them and the constraints of scope 0; an overflow does not. Fills in the
/// values of symbols that equal an expression and are INT64_MIN.
bool luna_facts_check(LunaFacts *facts, int64_t *values);

/// Where other sizes are looked for: so many to either side.
typedef struct LunaSizeSearch {
  int tries;
  bool (*is_possible)(void *data, int64_t size);
  void *data;
} LunaSizeSearch;

/// Returns "height=120: 96 and 128 are possible", the nearest sizes below and
/// above that of dimension `name`; "" where there are none.
const char *luna_nearest_sizes(const LunaSizeSearch *search, const char *name,
                               int64_t size, LunaArena *arena);

/// Returns true if the symbol may have the value by its range and modulus.
bool luna_symbol_admits(const LunaFacts *facts, uint32_t symbol, int64_t value);

/// Returns true if a constraint of scope 0 is not known to hold.
bool luna_constraint_is_open(LunaFacts *facts,
                             const LunaConstraint *constraint);

/// Appends a constraint, such as "h mod 2 == 0".
void luna_constraint_print(const LunaFacts *facts,
                           const LunaConstraint *constraint, LunaText *text);

#ifdef __cplusplus
}
#endif

#endif // LUNA_SHAPE_FACTS_H
