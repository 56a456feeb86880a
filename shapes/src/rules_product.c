// Products, reductions, transforms, and linalg by its indexing maps.

#include "rules.h"

void luna_forward_argmax(LunaShapeStep *step) {
  uint32_t rank = luna_step_rank(step, 0);
  int64_t axis = luna_step_int(step, 0, 0, 0);
  if (rank == LUNA_SHAPE_UNRANKED || rank == 0)
    return;
  luna_step_set_rank(step, 0, rank - 1);
  for (uint32_t d = 0, out = 0; d < rank; ++d)
    if (d != axis)
      luna_step_set_dim(step, 0, out++, luna_step_dim(step, 0, d));
}

void luna_forward_reduce(LunaShapeStep *step) {
  luna_step_copy_shape(step, 0, 0);
  int64_t axis = luna_step_int(step, 0, 0, 0);
  if (luna_step_has_rank(step, 0) && axis >= 0)
    luna_step_set_dim(step, 0, (uint32_t)axis, luna_step_const(step, 1));
}

void luna_forward_fft(LunaShapeStep *step) {
  luna_step_copy_shape(step, 0, 0);
  luna_step_copy_shape(step, 1, 0);
}

void luna_backward_fft(LunaShapeStep *step) {
  for (uint32_t d = 0; d < 3; ++d)
    luna_step_require(step, LUNA_CONSTRAINT_EQUAL, luna_step_dim(step, 0, d),
                      luna_step_dim(step, 1, d));
}

void luna_forward_rfft(LunaShapeStep *step) {
  for (uint32_t r = 0; r < 2; ++r) {
    LunaExpr half = luna_expr_floordiv(step->exprs, luna_step_dim(step, 0, 2),
                                       luna_step_const(step, 2));
    luna_step_copy_shape(step, r, 0);
    if (luna_step_rank(step, 0) == 3)
      luna_step_set_dim(step, r, 2, luna_expr_scale(step->exprs, half, 1, 1));
  }
}

void luna_forward_matmul(LunaShapeStep *step) {
  if (luna_step_rank(step, 0) != 3 || luna_step_rank(step, 1) != 3)
    return;
  luna_step_set_rank(step, 0, 3);
  luna_step_set_dim(step, 0, 0, luna_step_dim(step, 0, 0));
  luna_step_set_dim(step, 0, 1, luna_step_dim(step, 0, 1));
  luna_step_set_dim(step, 0, 2, luna_step_dim(step, 1, 2));
}

void luna_backward_matmul(LunaShapeStep *step) {
  luna_step_fill_rank(step, 0, 3);
  luna_step_fill_rank(step, 1, 3);
  luna_step_require(step, LUNA_CONSTRAINT_EQUAL, luna_step_dim(step, 0, 0),
                    luna_step_dim(step, 1, 0));
  luna_step_require(step, LUNA_CONSTRAINT_EQUAL, luna_step_dim(step, 0, 2),
                    luna_step_dim(step, 1, 1));
}

//===----------------------------------------------------------------------===//
// linalg
//===----------------------------------------------------------------------===//

// A result has the shape of its destination, the last operands.
void luna_forward_destination(LunaShapeStep *step) {
  uint32_t first = step->op->operand_count - step->op->result_count;
  for (uint32_t r = 0; r < step->op->result_count; ++r)
    luna_step_copy_shape(step, r, first + r);
}

// "@maps" has for each operand its rank and for each extent the loop that runs
// over it, or -1 for another function of the loops. Extents of one loop are
// equal: linalg does not broadcast.
void luna_backward_loops(LunaShapeStep *step) {
  enum { LOOPS = 32 };
  LunaExpr extents[LOOPS];
  for (uint32_t i = 0; i < LOOPS; ++i)
    extents[i] = LUNA_EXPR_NONE;
  uint32_t next = 0;
  for (uint32_t i = 0; i < step->op->operand_count; ++i) {
    uint32_t rank = (uint32_t)luna_step_int(step, 0, next++, 0);
    for (uint32_t d = 0; d < rank; ++d) {
      int64_t loop = luna_step_int(step, 0, next++, -1);
      LunaExpr extent = luna_step_dim(step, i, d);
      if (loop < 0 || loop >= LOOPS || extent == LUNA_EXPR_NONE)
        continue;
      if (extents[loop] == LUNA_EXPR_NONE)
        extents[loop] = extent;
      else
        luna_step_require(step, LUNA_CONSTRAINT_EQUAL, extents[loop], extent);
    }
  }
}
