#include "shape_step.h"

static const LunaShapeValue *operand(LunaShapeStep *step, uint32_t i) {
  return i < step->op->operand_count
             ? &step->graph->values.items[step->op->operands[i]]
             : NULL;
}

uint32_t luna_step_rank(LunaShapeStep *step, uint32_t i) {
  const LunaShapeValue *value = operand(step, i);
  return value ? value->rank : LUNA_SHAPE_UNRANKED;
}

bool luna_step_has_rank(LunaShapeStep *step, uint32_t i) {
  return luna_step_rank(step, i) != LUNA_SHAPE_UNRANKED;
}

LunaExpr luna_step_dim(LunaShapeStep *step, uint32_t i, uint32_t d) {
  const LunaShapeValue *value = operand(step, i);
  return value && value->rank != LUNA_SHAPE_UNRANKED && d < value->rank
             ? luna_expr_resolve(step->exprs, value->dims[d])
             : LUNA_EXPR_NONE;
}

uint32_t luna_step_element_count(LunaShapeStep *step, uint32_t i) {
  const LunaShapeValue *value = operand(step, i);
  return value ? value->decl.element_count : 0;
}

LunaExpr luna_step_element(LunaShapeStep *step, uint32_t i, uint32_t k) {
  return k < luna_step_element_count(step, i)
             ? luna_expr_resolve(step->exprs, operand(step, i)->elements[k])
             : LUNA_EXPR_NONE;
}

int64_t luna_step_int(LunaShapeStep *step, uint32_t a, uint32_t k,
                      int64_t absent) {
  LunaShapeInts ints = step->op->ints[a];
  return k < ints.count ? ints.items[k] : absent;
}

uint32_t luna_step_int_count(LunaShapeStep *step, uint32_t a) {
  return step->op->ints[a].count;
}

LunaExpr luna_step_const(LunaShapeStep *step, int64_t value) {
  return luna_expr_const(step->exprs, value);
}

void luna_step_set_rank(LunaShapeStep *step, uint32_t r, uint32_t rank) {
  LunaShapeOut *out = &step->outs[r];
  out->rank = rank;
  out->dims = LUNA_ARENA_ARRAY(step->exprs->arena, LunaExpr, rank);
  for (uint32_t d = 0; d < rank; ++d)
    out->dims[d] = LUNA_EXPR_NONE;
}

void luna_step_set_dim(LunaShapeStep *step, uint32_t r, uint32_t d,
                       LunaExpr expr) {
  if (step->outs[r].dims && d < step->outs[r].rank)
    step->outs[r].dims[d] = expr;
}

void luna_step_set_element(LunaShapeStep *step, uint32_t r, uint32_t k,
                           LunaExpr expr) {
  LunaShapeDecl decl = step->graph->values.items[step->op->results[r]].decl;
  if (k < decl.element_count)
    step->outs[r].elements[k] = expr;
}

void luna_step_copy_shape(LunaShapeStep *step, uint32_t r, uint32_t i) {
  if (!luna_step_has_rank(step, i))
    return;
  uint32_t rank = luna_step_rank(step, i);
  luna_step_set_rank(step, r, rank);
  for (uint32_t d = 0; d < rank; ++d)
    luna_step_set_dim(step, r, d, luna_step_dim(step, i, d));
}

void luna_step_require(LunaShapeStep *step, LunaConstraintKind kind, LunaExpr a,
                       LunaExpr b) {
  luna_fact_add(&step->graph->facts,
                &(LunaConstraint){kind, a, b, step->op->scope, step->op_index});
}

uint32_t luna_step_result_rank(LunaShapeStep *step, uint32_t r) {
  return step->graph->values.items[step->op->results[r]].rank;
}
