// Operators of the tensor dialect.

#include "rules.h"

// The `next`-th of the operands that give dynamic entries.
static LunaExpr dynamic_entry(LunaShapeStep *step, uint32_t next) {
  return luna_step_element(step, next, 0);
}

void luna_set_mixed(LunaShapeStep *step, uint32_t a, uint32_t next) {
  uint32_t rank = luna_step_int_count(step, a);
  luna_step_set_rank(step, 0, rank);
  for (uint32_t d = 0; d < rank; ++d) {
    int64_t entry = luna_step_int(step, a, d, INT64_MIN);
    luna_step_set_dim(step, 0, d,
                      entry == INT64_MIN ? dynamic_entry(step, next++)
                                         : luna_step_const(step, entry));
  }
}

// The extents that the result's type leaves open are the operands from `next`
// on.
static void set_open(LunaShapeStep *step, uint32_t next) {
  LunaShapeDecl decl = step->graph->values.items[step->op->results[0]].decl;
  if (decl.rank == LUNA_SHAPE_UNRANKED)
    return;
  luna_step_set_rank(step, 0, decl.rank);
  for (uint32_t d = 0; d < decl.rank; ++d)
    luna_step_set_dim(step, 0, d,
                      decl.dims[d] == LUNA_SHAPE_OPEN
                          ? dynamic_entry(step, next++)
                          : luna_step_const(step, decl.dims[d]));
}

void luna_forward_open_extents(LunaShapeStep *step) { set_open(step, 0); }
void luna_forward_splat(LunaShapeStep *step) { set_open(step, 1); }

// "@reassociation" has the number of extents of each group.
void luna_forward_collapse(LunaShapeStep *step) {
  uint32_t groups = luna_step_int_count(step, 0), next = 0;
  if (!luna_step_has_rank(step, 0))
    return;
  luna_step_set_rank(step, 0, groups);
  for (uint32_t g = 0; g < groups; ++g) {
    LunaExpr product = luna_step_const(step, 1);
    for (int64_t i = 0; i < luna_step_int(step, 0, g, 0); ++i)
      product =
          luna_expr_mul(step->exprs, product, luna_step_dim(step, 0, next++));
    luna_step_set_dim(step, 0, g, product);
  }
}

void luna_forward_expand(LunaShapeStep *step) { luna_set_mixed(step, 1, 1); }

// An extent is the product of its group's.
void luna_backward_expand(LunaShapeStep *step) {
  uint32_t groups = luna_step_int_count(step, 0), next = 0;
  for (uint32_t g = 0; g < groups; ++g) {
    LunaExpr product = luna_step_const(step, 1);
    for (int64_t i = 0; i < luna_step_int(step, 0, g, 0); ++i)
      product = luna_expr_mul(step->exprs, product, step->outs[0].dims[next++]);
    luna_step_require(step, LUNA_CONSTRAINT_EQUAL, luna_step_dim(step, 0, g),
                      product);
  }
}

// Segments: source, offsets, sizes, strides. Of a slice of lower rank, the
// extents of 1 that the type states are dropped, where it is clear which.
void luna_forward_extract_slice(LunaShapeStep *step) {
  uint32_t rank = luna_step_int_count(step, 0), ones = 0, out = 0;
  uint32_t next = 1 + (uint32_t)luna_step_int(step, 1, 1, 0);
  uint32_t kept = step->graph->values.items[step->op->results[0]].decl.rank;
  for (uint32_t d = 0; d < rank; ++d)
    ones += luna_step_int(step, 0, d, 0) == 1;
  if (kept != rank && kept + ones != rank)
    return;
  luna_step_set_rank(step, 0, kept);
  for (uint32_t d = 0; d < rank; ++d) {
    int64_t entry = luna_step_int(step, 0, d, 0);
    LunaExpr size = entry == INT64_MIN ? dynamic_entry(step, next++)
                                       : luna_step_const(step, entry);
    if (kept == rank || entry != 1)
      luna_step_set_dim(step, 0, out++, size);
  }
}

// Segments: source, low, high.
void luna_forward_tensor_pad(LunaShapeStep *step) {
  uint32_t rank = luna_step_int_count(step, 0), low = 1;
  uint32_t high = 1 + (uint32_t)luna_step_int(step, 2, 1, 0);
  luna_step_copy_shape(step, 0, 0);
  for (uint32_t d = 0; d < rank && luna_step_has_rank(step, 0); ++d) {
    int64_t before = luna_step_int(step, 0, d, 0);
    int64_t after = luna_step_int(step, 1, d, 0);
    LunaExpr pads =
        luna_expr_add(step->exprs,
                      before == INT64_MIN ? dynamic_entry(step, low++)
                                          : luna_step_const(step, before),
                      after == INT64_MIN ? dynamic_entry(step, high++)
                                         : luna_step_const(step, after));
    luna_step_set_dim(
        step, 0, d,
        luna_expr_add(step->exprs, luna_step_dim(step, 0, d), pads));
  }
}

void luna_forward_tensor_reshape(LunaShapeStep *step) {
  uint32_t rank = luna_step_element_count(step, 1);
  luna_step_set_rank(step, 0, rank);
  for (uint32_t d = 0; d < rank; ++d)
    luna_step_set_dim(step, 0, d, luna_step_element(step, 1, d));
}
