#ifndef LUNA_SHAPE_STEP_H
#define LUNA_SHAPE_STEP_H

// One operator being evaluated: what rules read and write.

#include "luna/shape_graph.h"

/// What a rule says of one result. An extent that it leaves LUNA_EXPR_NONE is
/// not known.
typedef struct LunaShapeOut {
  uint32_t rank;
  LunaExpr *dims;
  LunaExpr *elements;
} LunaShapeOut;

typedef struct LunaShapeStep {
  LunaShapeGraph *graph;
  LunaExprs *exprs;
  const LunaShapeOp *op;
  uint32_t op_index;
  LunaShapeOut *outs;
} LunaShapeStep;

//===-- Operands ----------------------------------------------------------===//

/// Returns true if operand `i` is there and has a rank that is known.
bool luna_step_has_rank(LunaShapeStep *step, uint32_t i);
/// Returns a rank, an extent (LUNA_EXPR_NONE beyond the rank).
uint32_t luna_step_rank(LunaShapeStep *step, uint32_t i);
LunaExpr luna_step_dim(LunaShapeStep *step, uint32_t i, uint32_t d);
/// Returns the number of elements that are followed, and one of them.
uint32_t luna_step_element_count(LunaShapeStep *step, uint32_t i);
LunaExpr luna_step_element(LunaShapeStep *step, uint32_t i, uint32_t k);
/// Returns an entry of attribute `a`, or `absent`.
int64_t luna_step_int(LunaShapeStep *step, uint32_t a, uint32_t k,
                      int64_t absent);
uint32_t luna_step_int_count(LunaShapeStep *step, uint32_t a);
LunaExpr luna_step_const(LunaShapeStep *step, int64_t value);

//===-- Results -----------------------------------------------------------===//

/// Sets the rank of result `r`: all extents are unknown then.
void luna_step_set_rank(LunaShapeStep *step, uint32_t r, uint32_t rank);
void luna_step_set_dim(LunaShapeStep *step, uint32_t r, uint32_t d,
                       LunaExpr expr);
void luna_step_set_element(LunaShapeStep *step, uint32_t r, uint32_t k,
                           LunaExpr expr);
/// Makes the shape of result `r` that of operand `i`.
void luna_step_copy_shape(LunaShapeStep *step, uint32_t r, uint32_t i);

//===-- Constraints -------------------------------------------------------===//

void luna_step_require(LunaShapeStep *step, LunaConstraintKind kind, LunaExpr a,
                       LunaExpr b);
/// Sets the rank of operand `i`, if it has none.
void luna_step_fill_rank(LunaShapeStep *step, uint32_t i, uint32_t rank);
/// Returns the rank of result `r`, or LUNA_SHAPE_UNRANKED.
uint32_t luna_step_result_rank(LunaShapeStep *step, uint32_t r);

#endif // LUNA_SHAPE_STEP_H
