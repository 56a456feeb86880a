// The elements of what holds sizes.

#include "luna/checked.h"
#include "rules.h"

typedef LunaExpr (*Binary)(LunaExprs *exprs, LunaExpr a, LunaExpr b);

static uint32_t result_count(LunaShapeStep *step) {
  return step->graph->values.items[step->op->results[0]].decl.element_count;
}

void luna_value_none(LunaShapeStep *step) { (void)step; }

void luna_value_same(LunaShapeStep *step) {
  if (luna_step_element_count(step, 0) != result_count(step))
    return;
  for (uint32_t k = 0; k < result_count(step); ++k)
    luna_step_set_element(step, 0, k, luna_step_element(step, 0, k));
}

static void binary(LunaShapeStep *step, Binary function) {
  for (uint32_t k = 0; k < result_count(step); ++k)
    luna_step_set_element(step, 0, k,
                          function(step->exprs, luna_step_element(step, 0, k),
                                   luna_step_element(step, 1, k)));
}

void luna_value_add(LunaShapeStep *step) { binary(step, luna_expr_add); }
void luna_value_sub(LunaShapeStep *step) { binary(step, luna_expr_sub); }
void luna_value_mul(LunaShapeStep *step) { binary(step, luna_expr_mul); }
void luna_value_ceildiv(LunaShapeStep *step) {
  binary(step, luna_expr_ceildiv);
}
void luna_value_floordiv(LunaShapeStep *step) {
  binary(step, luna_expr_floordiv);
}
void luna_value_mod(LunaShapeStep *step) { binary(step, luna_expr_mod); }
void luna_value_max(LunaShapeStep *step) { binary(step, luna_expr_max); }
void luna_value_min(LunaShapeStep *step) { binary(step, luna_expr_min); }

// Operators on unsigned integers, or that round to 0, do the same where
// neither operand is negative.
static bool is_natural(LunaExprs *exprs, LunaExpr a, LunaExpr b) {
  return luna_expr_range(exprs, a).min >= 0 &&
         luna_expr_range(exprs, b).min >= 0;
}

static LunaExpr divide_natural(LunaExprs *exprs, LunaExpr a, LunaExpr b) {
  return is_natural(exprs, a, b) ? luna_expr_floordiv(exprs, a, b)
                                 : LUNA_EXPR_NONE;
}

static LunaExpr ceil_natural(LunaExprs *exprs, LunaExpr a, LunaExpr b) {
  return is_natural(exprs, a, b) ? luna_expr_ceildiv(exprs, a, b)
                                 : LUNA_EXPR_NONE;
}

static LunaExpr mod_natural(LunaExprs *exprs, LunaExpr a, LunaExpr b) {
  return is_natural(exprs, a, b) ? luna_expr_mod(exprs, a, b) : LUNA_EXPR_NONE;
}

static LunaExpr max_natural(LunaExprs *exprs, LunaExpr a, LunaExpr b) {
  return is_natural(exprs, a, b) ? luna_expr_max(exprs, a, b) : LUNA_EXPR_NONE;
}

static LunaExpr min_natural(LunaExprs *exprs, LunaExpr a, LunaExpr b) {
  return is_natural(exprs, a, b) ? luna_expr_min(exprs, a, b) : LUNA_EXPR_NONE;
}

void luna_value_truncdiv(LunaShapeStep *step) { binary(step, divide_natural); }
void luna_value_ceildiv_unsigned(LunaShapeStep *step) {
  binary(step, ceil_natural);
}
void luna_value_truncmod(LunaShapeStep *step) { binary(step, mod_natural); }
void luna_value_max_unsigned(LunaShapeStep *step) { binary(step, max_natural); }
void luna_value_min_unsigned(LunaShapeStep *step) { binary(step, min_natural); }

//===----------------------------------------------------------------------===//
// Powers of 2: of constants alone
//===----------------------------------------------------------------------===//

static int64_t floor_log2(int64_t a) {
  int64_t log = 0;
  while (a >> 1 >> log > 0)
    ++log;
  return log;
}

static int64_t ceil_log2(int64_t a) {
  return floor_log2(a) + !luna_is_power_of_two(a);
}

static int64_t exp2_of(int64_t a) { return a < 62 ? INT64_C(1) << a : -1; }

static void unary(LunaShapeStep *step, int64_t (*function)(int64_t),
                  int64_t least) {
  for (uint32_t k = 0; k < result_count(step); ++k) {
    int64_t number = 0;
    if (luna_expr_is_const(step->exprs, luna_step_element(step, 0, k),
                           &number) &&
        number >= least && function(number) >= 0)
      luna_step_set_element(step, 0, k,
                            luna_step_const(step, function(number)));
  }
}

void luna_value_exp2(LunaShapeStep *step) { unary(step, exp2_of, 0); }
void luna_value_log2_floor(LunaShapeStep *step) { unary(step, floor_log2, 1); }
void luna_value_log2_ceil(LunaShapeStep *step) { unary(step, ceil_log2, 1); }

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

void luna_value_const(LunaShapeStep *step) {
  uint32_t count = luna_step_int_count(step, 0);
  for (uint32_t k = 0; k < count; ++k)
    luna_step_set_element(step, 0, k,
                          luna_step_const(step, luna_step_int(step, 0, k, 0)));
}

void luna_value_concat(LunaShapeStep *step) {
  uint32_t next = 0;
  for (uint32_t i = 0; i < step->op->operand_count; ++i)
    for (uint32_t k = 0; k < luna_step_element_count(step, i); ++k)
      luna_step_set_element(step, 0, next++, luna_step_element(step, i, k));
}

void luna_value_from_elements(LunaShapeStep *step) { luna_value_concat(step); }

// The sizes from operand 1's value on.
void luna_value_slice(LunaShapeStep *step) {
  int64_t start = 0;
  if (!luna_expr_is_const(step->exprs, luna_step_element(step, 1, 0), &start) ||
      start < 0)
    return;
  for (uint32_t k = 0; k < result_count(step); ++k)
    luna_step_set_element(step, 0, k,
                          luna_step_element(step, 0, (uint32_t)start + k));
}

void luna_value_dim(LunaShapeStep *step) {
  luna_step_set_element(
      step, 0, 0,
      luna_step_dim(step, 0, (uint32_t)luna_step_int(step, 0, 0, 0)));
}

void luna_value_tensor_dim(LunaShapeStep *step) {
  int64_t axis = 0;
  if (luna_expr_is_const(step->exprs, luna_step_element(step, 1, 0), &axis) &&
      axis >= 0)
    luna_step_set_element(step, 0, 0, luna_step_dim(step, 0, (uint32_t)axis));
}

// The element of operand 0 at constant indices.
void luna_value_extract(LunaShapeStep *step) {
  int64_t at = 0;
  for (uint32_t d = 0; d + 1 < step->op->operand_count; ++d) {
    int64_t index = 0, extent = 0;
    if (!luna_expr_is_const(step->exprs, luna_step_element(step, d + 1, 0),
                            &index) ||
        !luna_expr_is_const(step->exprs, luna_step_dim(step, 0, d), &extent) ||
        index < 0 || index >= extent)
      return;
    at = at * extent + index;
  }
  if (at < luna_step_element_count(step, 0))
    luna_step_set_element(step, 0, 0, luna_step_element(step, 0, (uint32_t)at));
}

//===----------------------------------------------------------------------===//
// affine.apply
//===----------------------------------------------------------------------===//

static LunaExpr apply(LunaExprs *exprs, int64_t code, LunaExpr a, LunaExpr b) {
  switch ((enum LunaAffineCode)code) {
  case LUNA_AFFINE_ADD:
    return luna_expr_add(exprs, a, b);
  case LUNA_AFFINE_MUL:
    return luna_expr_mul(exprs, a, b);
  case LUNA_AFFINE_MOD:
    return luna_expr_mod(exprs, a, b);
  case LUNA_AFFINE_FLOORDIV:
    return luna_expr_floordiv(exprs, a, b);
  case LUNA_AFFINE_CEILDIV:
    return luna_expr_ceildiv(exprs, a, b);
  case LUNA_AFFINE_CONST:
  case LUNA_AFFINE_OPERAND:
    break;
  }
  return LUNA_EXPR_NONE;
}

void luna_value_affine(LunaShapeStep *step) {
  enum { DEPTH = 32 };
  LunaExpr stack[DEPTH];
  uint32_t depth = 0, count = luna_step_int_count(step, 0);
  for (uint32_t i = 0; i < count; ++i) {
    int64_t code = luna_step_int(step, 0, i, 0);
    if (code >= LUNA_AFFINE_ADD && depth >= 2) {
      --depth;
      stack[depth - 1] =
          apply(step->exprs, code, stack[depth - 1], stack[depth]);
      continue;
    }
    int64_t number = luna_step_int(step, 0, ++i, 0);
    if (code >= LUNA_AFFINE_ADD || depth == DEPTH)
      return;
    stack[depth++] = code == LUNA_AFFINE_CONST
                         ? luna_step_const(step, number)
                         : luna_step_element(step, (uint32_t)number, 0);
  }
  if (depth == 1)
    luna_step_set_element(step, 0, 0, stack[0]);
}
