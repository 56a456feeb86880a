#ifndef LUNA_SHAPE_GRAPH_H
#define LUNA_SHAPE_GRAPH_H

#include "luna/shape_facts.h"
#include "luna/shape_rules.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The shapes of the values of a function, and the values of those that hold
/// sizes, from what its operators mean:
///
///     LunaShapeGraph graph;
///     luna_shape_graph_init(&graph, &arena);
///     uint32_t x = luna_shape_value_add(&graph, &(LunaShapeDecl){…});
///     luna_shape_op_add(&graph, &(LunaShapeOp){…});
///     if (luna_shape_solve(&graph, 0) != LUNA_NO_CONSTRAINT) …
///     luna_shape_dim(&graph, x, 0);
///
/// Values are added in program order, a block's arguments before its
/// operators. Control flow is operators of the rule luna_shape_merge: a result
/// of a branch merges what its regions yield, an argument of a loop's body what
/// enters and what the body yields. Where these differ, the merged size is a
/// its own symbol, which keeps their bounds.

/// An extent that the type leaves open; a rank that it leaves open.
#define LUNA_SHAPE_OPEN INT64_MIN
#define LUNA_SHAPE_UNRANKED UINT32_MAX

/// The most elements of a tensor whose values are followed.
enum { LUNA_SHAPE_ELEMENTS_MAX = 64 };

/// What a type says of a value. Borrowed while it is being added.
typedef struct LunaShapeDecl {
  uint32_t scope;
  uint32_t rank;       ///< 0 for a scalar
  const int64_t *dims; ///< or LUNA_SHAPE_OPEN
  /// Elements that hold sizes, of a scalar, a list or a tensor; 0 of others.
  uint32_t element_count;
  bool is_tensor; ///< of its elements, those not known get no symbol
  /// For an argument of the function, whose open extents are symbols >= 1, the
  /// prefix of their names; else NULL.
  const char *name;
} LunaShapeDecl;

/// A value: what is known of it.
typedef struct LunaShapeValue {
  LunaShapeDecl decl;
  bool is_defined;
  uint32_t rank, filled_rank; ///< now, and what its users ask for
  LunaExpr *dims;
  LunaExpr *elements;
  /// Its own symbols, where nothing else is known: UINT32_MAX until needed.
  uint32_t *own;
  uint32_t own_rank;           ///< the rank that they are for
  LUNA_VECTOR(uint32_t) users; ///< operators
} LunaShapeValue;

/// Attributes as lists of integers, in the order of the rule's names; an absent
/// one is empty. INT64_MIN stands for a dynamic entry.
typedef struct LunaShapeInts {
  const int64_t *items;
  uint32_t count;
} LunaShapeInts;

/// An operator; the lists live as long as the graph.
typedef struct LunaShapeOp {
  const LunaShapeRule *rule;
  uint32_t scope;
  const uint32_t *operands, *results;
  uint32_t operand_count, result_count;
  LunaShapeInts ints[LUNA_SHAPE_ATTRIBUTES_MAX];
  bool is_queued;
} LunaShapeOp;

typedef struct LunaShapeGraph {
  LunaFacts facts;
  LUNA_VECTOR(LunaShapeValue) values;
  LUNA_VECTOR(LunaShapeOp) ops;
  LUNA_VECTOR(uint32_t) queue;
  uint64_t update_count; ///< of extents and elements, so far
  uint64_t cell_count;   ///< extents and elements
} LunaShapeGraph;

/// Makes an empty graph in `arena`.
void luna_shape_graph_init(LunaShapeGraph *graph, LunaArena *arena);

/// Adds a value and returns its index; one without an operator is an argument.
uint32_t luna_shape_value_add(LunaShapeGraph *graph, const LunaShapeDecl *decl);

/// Adds an operator and returns its index. Its operands may be added later.
uint32_t luna_shape_op_add(LunaShapeGraph *graph, const LunaShapeOp *op);

/// Finds what is known of all values: forward and backward until nothing
/// changes. The operators wait in program order, or for `seed` > 0 in a random
/// one; the result does not depend on it. Returns the first constraint that
/// cannot be met, its origin the operator, or LUNA_NO_CONSTRAINT.
uint32_t luna_shape_solve(LunaShapeGraph *graph, uint32_t seed);

/// Returns what is known of a rank (or LUNA_SHAPE_UNRANKED), an extent, an
/// element. LUNA_EXPR_NONE is an element not known.
uint32_t luna_shape_rank(const LunaShapeGraph *graph, uint32_t value);
LunaExpr luna_shape_dim(LunaShapeGraph *graph, uint32_t value, uint32_t d);
LunaExpr luna_shape_element(LunaShapeGraph *graph, uint32_t value, uint32_t i);

/// Finds the extents, of rank `rank`, of the one result of an operator on
/// values declared so; LUNA_SHAPE_OPEN where they do not follow. `op` names
/// neither.
void luna_shape_infer(const LunaShapeOp *op, const LunaShapeDecl *operands,
                      uint32_t rank, int64_t *dims);

/// Returns the class of an operator where it stands: ISVDOS is ISDOS where the
/// values that it reads are known.
LunaShapeClass luna_shape_class_of(LunaShapeGraph *graph, uint32_t op);

/// Names the symbols that are not those of arguments u0, u1, … in program
/// order.
void luna_shape_name_symbols(LunaShapeGraph *graph);

#ifdef __cplusplus
}
#endif

#endif // LUNA_SHAPE_GRAPH_H
