// Results of the shape of operands, broadcast or not.

#include "rules.h"

void luna_forward_none(LunaShapeStep *step) { (void)step; }
void luna_backward_none(LunaShapeStep *step) { (void)step; }

void luna_forward_same(LunaShapeStep *step) {
  luna_step_copy_shape(step, 0, 0);
}
void luna_forward_second(LunaShapeStep *step) {
  luna_step_copy_shape(step, 0, 1);
}

void luna_backward_same(LunaShapeStep *step) {
  luna_step_fill_rank(step, 0, luna_step_result_rank(step, 0));
}

//===----------------------------------------------------------------------===//
// Broadcasting
//===----------------------------------------------------------------------===//

LunaExpr luna_broadcast_dims(LunaShapeStep *step, LunaExpr a, LunaExpr b) {
  int64_t size = 0;
  if (luna_expr_is_const(step->exprs, a, &size))
    return size == 1 ? b : a;
  if (luna_expr_is_const(step->exprs, b, &size))
    return size == 1 ? a : b;
  return luna_expr_max(step->exprs, a, b);
}

// Extent d of `rank` of operand i, counted from the last one: 1 where there is
// none.
static LunaExpr aligned_dim(LunaShapeStep *step, uint32_t i, uint32_t d,
                            uint32_t rank) {
  uint32_t own = luna_step_rank(step, i), missing = rank - own;
  return d < missing ? luna_step_const(step, 1)
                     : luna_step_dim(step, i, d - missing);
}

static uint32_t greatest_rank(LunaShapeStep *step, uint32_t count) {
  uint32_t rank = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (!luna_step_has_rank(step, i))
      return LUNA_SHAPE_UNRANKED;
    rank = luna_step_rank(step, i) > rank ? luna_step_rank(step, i) : rank;
  }
  return rank;
}

static void broadcast(LunaShapeStep *step, uint32_t count) {
  uint32_t rank = greatest_rank(step, count);
  if (rank == LUNA_SHAPE_UNRANKED)
    return;
  luna_step_set_rank(step, 0, rank);
  for (uint32_t d = 0; d < rank; ++d) {
    LunaExpr size = aligned_dim(step, 0, d, rank);
    for (uint32_t i = 1; i < count; ++i)
      size = luna_broadcast_dims(step, size, aligned_dim(step, i, d, rank));
    luna_step_set_dim(step, 0, d, size);
  }
}

static void require_broadcast(LunaShapeStep *step, uint32_t count) {
  uint32_t rank = greatest_rank(step, count);
  if (rank == LUNA_SHAPE_UNRANKED)
    return;
  for (uint32_t d = 0; d < rank; ++d)
    for (uint32_t i = 1; i < count; ++i)
      for (uint32_t k = 0; k < i; ++k)
        luna_step_require(step, LUNA_CONSTRAINT_BROADCAST,
                          aligned_dim(step, k, d, rank),
                          aligned_dim(step, i, d, rank));
}

void luna_forward_broadcast(LunaShapeStep *step) { broadcast(step, 2); }
void luna_backward_broadcast(LunaShapeStep *step) {
  require_broadcast(step, 2);
}
void luna_forward_broadcast3(LunaShapeStep *step) { broadcast(step, 3); }
void luna_backward_broadcast3(LunaShapeStep *step) {
  require_broadcast(step, 3);
}

// Operands of one shape.
void luna_forward_elementwise(LunaShapeStep *step) {
  luna_step_copy_shape(step, 0, 0);
}

// The extents of a merge are symbols of its own: it only finds the rank.
void luna_forward_merge(LunaShapeStep *step) {
  uint32_t rank = LUNA_SHAPE_UNRANKED;
  for (uint32_t i = 0; i < step->op->operand_count; ++i) {
    const LunaShapeValue *value =
        &step->graph->values.items[step->op->operands[i]];
    if (!value->is_defined)
      continue;
    if (value->rank == LUNA_SHAPE_UNRANKED ||
        (rank != LUNA_SHAPE_UNRANKED && rank != value->rank))
      return;
    rank = value->rank;
  }
  if (rank != LUNA_SHAPE_UNRANKED)
    luna_step_set_rank(step, 0, rank);
}

// The body runs for indices within the bounds alone.
void luna_backward_induction(LunaShapeStep *step) {
  LunaShapeValue index = step->graph->values.items[step->op->results[0]];
  LunaExpr end =
      luna_expr_scale(step->exprs, luna_step_element(step, 1, 0), 1, -1);
  luna_step_require(step, LUNA_CONSTRAINT_AT_LEAST, index.elements[0],
                    luna_step_element(step, 0, 0));
  luna_step_require(step, LUNA_CONSTRAINT_AT_LEAST, end, index.elements[0]);
}
