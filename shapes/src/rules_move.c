// Operators of TOSA that move elements.

#include "rules.h"

static bool axis_of(LunaShapeStep *step, uint32_t *axis) {
  int64_t found = luna_step_int(step, 0, 0, 0);
  *axis = (uint32_t)found;
  return luna_step_has_rank(step, 0) && found >= 0 &&
         found < luna_step_rank(step, 0);
}

void luna_forward_concat(LunaShapeStep *step) {
  uint32_t axis;
  if (!axis_of(step, &axis))
    return;
  luna_step_copy_shape(step, 0, 0);
  LunaExpr sum = luna_step_dim(step, 0, axis);
  for (uint32_t i = 1; i < step->op->operand_count; ++i)
    sum = luna_expr_add(step->exprs, sum, luna_step_dim(step, i, axis));
  luna_step_set_dim(step, 0, axis, sum);
}

void luna_backward_concat(LunaShapeStep *step) {
  uint32_t axis, rank = luna_step_result_rank(step, 0);
  for (uint32_t i = 0; i < step->op->operand_count; ++i)
    luna_step_fill_rank(step, i, rank);
  if (!axis_of(step, &axis))
    return;
  for (uint32_t i = 1; i < step->op->operand_count; ++i)
    for (uint32_t d = 0; d < luna_step_rank(step, 0); ++d)
      if (d != axis)
        luna_step_require(step, LUNA_CONSTRAINT_EQUAL,
                          luna_step_dim(step, 0, d), luna_step_dim(step, i, d));
}

// [N, K, C] and [N, W] give [N, W, C].
void luna_forward_gather(LunaShapeStep *step) {
  if (luna_step_rank(step, 0) != 3 || luna_step_rank(step, 1) != 2)
    return;
  luna_step_copy_shape(step, 0, 0);
  luna_step_set_dim(step, 0, 1, luna_step_dim(step, 1, 1));
}

void luna_backward_gather(LunaShapeStep *step) {
  luna_step_fill_rank(step, 0, 3);
  luna_step_fill_rank(step, 1, 2);
  luna_step_require(step, LUNA_CONSTRAINT_EQUAL, luna_step_dim(step, 0, 0),
                    luna_step_dim(step, 1, 0));
}

// Values in [N, K, C], indices [N, W], input [N, W, C].
void luna_backward_scatter(LunaShapeStep *step) {
  luna_step_fill_rank(step, 0, 3);
  LunaExpr batch = luna_step_dim(step, 0, 0), width = luna_step_dim(step, 1, 1);
  luna_step_require(step, LUNA_CONSTRAINT_EQUAL, batch,
                    luna_step_dim(step, 1, 0));
  luna_step_require(step, LUNA_CONSTRAINT_EQUAL, batch,
                    luna_step_dim(step, 2, 0));
  luna_step_require(step, LUNA_CONSTRAINT_EQUAL, width,
                    luna_step_dim(step, 2, 1));
  luna_step_require(step, LUNA_CONSTRAINT_EQUAL, luna_step_dim(step, 0, 2),
                    luna_step_dim(step, 2, 2));
}

void luna_forward_transpose(LunaShapeStep *step) {
  uint32_t rank = luna_step_int_count(step, 0);
  luna_step_set_rank(step, 0, rank);
  for (uint32_t d = 0; d < rank; ++d) {
    int64_t from = luna_step_int(step, 0, d, 0);
    luna_step_set_dim(step, 0, d, luna_step_dim(step, 0, (uint32_t)from));
  }
}

void luna_backward_transpose(LunaShapeStep *step) {
  luna_step_fill_rank(step, 0, luna_step_int_count(step, 0));
}

//===----------------------------------------------------------------------===//
// By values
//===----------------------------------------------------------------------===//

// The operand's rank follows from the sizes, `per` of them for each extent.
static void fill_by_elements(LunaShapeStep *step, uint32_t per) {
  luna_step_fill_rank(step, 0, luna_step_element_count(step, 1) / per);
}

void luna_forward_pad(LunaShapeStep *step) {
  uint32_t rank = luna_step_element_count(step, 1) / 2;
  luna_step_set_rank(step, 0, rank);
  for (uint32_t d = 0; d < rank; ++d) {
    LunaExpr pads =
        luna_expr_add(step->exprs, luna_step_element(step, 1, 2 * d),
                      luna_step_element(step, 1, 2 * d + 1));
    luna_step_set_dim(
        step, 0, d,
        luna_expr_add(step->exprs, luna_step_dim(step, 0, d), pads));
  }
}

void luna_backward_pad(LunaShapeStep *step) { fill_by_elements(step, 2); }

void luna_forward_tile(LunaShapeStep *step) {
  uint32_t rank = luna_step_element_count(step, 1);
  luna_step_set_rank(step, 0, rank);
  for (uint32_t d = 0; d < rank; ++d)
    luna_step_set_dim(step, 0, d,
                      luna_expr_mul(step->exprs, luna_step_dim(step, 0, d),
                                    luna_step_element(step, 1, d)));
}

void luna_backward_tile(LunaShapeStep *step) { fill_by_elements(step, 1); }

// Operands 1 and 2: start and size. A size of -1 is what is left.
void luna_forward_slice(LunaShapeStep *step) {
  uint32_t rank = luna_step_element_count(step, 2);
  luna_step_set_rank(step, 0, rank);
  for (uint32_t d = 0; d < rank; ++d) {
    LunaExpr size = luna_step_element(step, 2, d);
    int64_t number = 0;
    if (luna_expr_is_const(step->exprs, size, &number) && number == -1)
      size = luna_expr_sub(step->exprs, luna_step_dim(step, 0, d),
                           luna_step_element(step, 1, d));
    luna_step_set_dim(step, 0, d, size);
  }
}

void luna_backward_slice(LunaShapeStep *step) {
  fill_by_elements(step, 1);
  for (uint32_t d = 0; d < luna_step_element_count(step, 2); ++d) {
    LunaExpr end = luna_expr_add(step->exprs, luna_step_element(step, 1, d),
                                 luna_step_element(step, 2, d));
    luna_step_require(step, LUNA_CONSTRAINT_AT_LEAST, luna_step_dim(step, 0, d),
                      end);
  }
}

static LunaExpr volume_of(LunaShapeStep *step) {
  LunaExpr volume = luna_step_const(step, 1);
  for (uint32_t d = 0; d < luna_step_rank(step, 0); ++d)
    volume = luna_expr_mul(step->exprs, volume, luna_step_dim(step, 0, d));
  return luna_step_has_rank(step, 0) ? volume : LUNA_EXPR_NONE;
}

// The product of the new extents but for one that is -1; `*inferred` is its
// index, or the rank.
static LunaExpr known_volume(LunaShapeStep *step, uint32_t *inferred) {
  LunaExpr volume = luna_step_const(step, 1);
  uint32_t rank = *inferred = luna_step_element_count(step, 1);
  for (uint32_t d = 0; d < rank; ++d) {
    LunaExpr size = luna_step_element(step, 1, d);
    int64_t number = 0;
    if (luna_expr_is_const(step->exprs, size, &number) && number == -1)
      *inferred = d;
    else
      volume = luna_expr_mul(step->exprs, volume, size);
  }
  return volume;
}

void luna_forward_reshape(LunaShapeStep *step) {
  uint32_t rank = luna_step_element_count(step, 1), inferred;
  LunaExpr known = known_volume(step, &inferred);
  luna_step_set_rank(step, 0, rank);
  for (uint32_t d = 0; d < rank; ++d)
    luna_step_set_dim(
        step, 0, d,
        d == inferred ? luna_expr_floordiv(step->exprs, volume_of(step), known)
                      : luna_step_element(step, 1, d));
}

// The volumes are equal; with an extent of -1, one divides the other.
void luna_backward_reshape(LunaShapeStep *step) {
  uint32_t rank = luna_step_element_count(step, 1), inferred;
  LunaExpr known = known_volume(step, &inferred);
  int64_t number = 0;
  if (inferred == rank)
    luna_step_require(step, LUNA_CONSTRAINT_EQUAL, volume_of(step), known);
  else if (luna_expr_is_const(step->exprs, known, &number) && number > 1)
    luna_step_require(step, LUNA_CONSTRAINT_DIVISIBLE, volume_of(step), known);
}
