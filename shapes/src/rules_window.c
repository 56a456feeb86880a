// Windows that move over two or three dimensions of space: TOSA demands that
// the last one ends where the padded input does, so sizes can be computed both
// ways.

#include "rules.h"

typedef struct Window {
  LunaExpr input, kernel;
  int64_t pad, stride, dilation;
} Window;

// What the window leaves free: input + pads - 1 - (kernel - 1) * dilation.
static LunaExpr slack(LunaShapeStep *step, const Window *window) {
  LunaExpr reach =
      luna_expr_scale(step->exprs, window->kernel, -window->dilation,
                      window->dilation + window->pad - 1);
  return luna_expr_add(step->exprs, window->input, reach);
}

static LunaExpr count_windows(LunaShapeStep *step, const Window *window) {
  LunaExpr steps = luna_expr_floordiv(step->exprs, slack(step, window),
                                      luna_step_const(step, window->stride));
  return luna_expr_scale(step->exprs, steps, 1, 1);
}

static void require_window(LunaShapeStep *step, const Window *window) {
  LunaExpr free = slack(step, window);
  luna_step_require(step, LUNA_CONSTRAINT_AT_LEAST, free,
                    luna_step_const(step, 0));
  if (window->stride > 1)
    luna_step_require(step, LUNA_CONSTRAINT_DIVISIBLE, free,
                      luna_step_const(step, window->stride));
}

// Convolutions: attributes pad, stride, dilation; `first` is the first extent
// of space of the weight.
static Window conv_window(LunaShapeStep *step, uint32_t d, uint32_t first) {
  return (Window){.input = luna_step_dim(step, 0, 1 + d),
                  .kernel = luna_step_dim(step, 1, first + d),
                  .pad = luna_step_int(step, 0, 2 * d, 0) +
                         luna_step_int(step, 0, 2 * d + 1, 0),
                  .stride = luna_step_int(step, 1, d, 1),
                  .dilation = luna_step_int(step, 2, d, 1)};
}

static bool is_conv(LunaShapeStep *step, uint32_t *rank) {
  *rank = luna_step_int_count(step, 1) + 2;
  return luna_step_rank(step, 0) == *rank && luna_step_rank(step, 1) == *rank;
}

void luna_forward_conv(LunaShapeStep *step) {
  uint32_t rank;
  if (!is_conv(step, &rank))
    return;
  luna_step_set_rank(step, 0, rank);
  luna_step_set_dim(step, 0, 0, luna_step_dim(step, 0, 0));
  for (uint32_t d = 0; d + 2 < rank; ++d) {
    Window window = conv_window(step, d, 1);
    luna_step_set_dim(step, 0, 1 + d, count_windows(step, &window));
  }
  luna_step_set_dim(step, 0, rank - 1, luna_step_dim(step, 1, 0));
}

void luna_backward_conv(LunaShapeStep *step) {
  uint32_t rank;
  if (!is_conv(step, &rank))
    return;
  for (uint32_t d = 0; d + 2 < rank; ++d) {
    Window window = conv_window(step, d, 1);
    require_window(step, &window);
  }
  luna_step_require(step, LUNA_CONSTRAINT_EQUAL,
                    luna_step_dim(step, 0, rank - 1),
                    luna_step_dim(step, 1, rank - 1));
  luna_step_require(step, LUNA_CONSTRAINT_BROADCAST, luna_step_dim(step, 1, 0),
                    luna_step_dim(step, 2, 0));
}

void luna_forward_depthwise(LunaShapeStep *step) {
  uint32_t rank;
  if (!is_conv(step, &rank))
    return;
  luna_step_set_rank(step, 0, rank);
  luna_step_set_dim(step, 0, 0, luna_step_dim(step, 0, 0));
  for (uint32_t d = 0; d < 2; ++d) {
    Window window = conv_window(step, d, 0);
    luna_step_set_dim(step, 0, 1 + d, count_windows(step, &window));
  }
  luna_step_set_dim(step, 0, 3,
                    luna_expr_mul(step->exprs, luna_step_dim(step, 1, 2),
                                  luna_step_dim(step, 1, 3)));
}

void luna_backward_depthwise(LunaShapeStep *step) {
  uint32_t rank;
  if (!is_conv(step, &rank))
    return;
  for (uint32_t d = 0; d < 2; ++d) {
    Window window = conv_window(step, d, 0);
    require_window(step, &window);
  }
  luna_step_require(step, LUNA_CONSTRAINT_EQUAL, luna_step_dim(step, 0, 3),
                    luna_step_dim(step, 1, 2));
}

void luna_forward_transpose_conv(LunaShapeStep *step) {
  if (luna_step_rank(step, 0) != 4 || luna_step_rank(step, 1) != 4)
    return;
  luna_step_set_rank(step, 0, 4);
  luna_step_set_dim(step, 0, 0, luna_step_dim(step, 0, 0));
  for (uint32_t d = 0; d < 2; ++d) {
    int64_t stride = luna_step_int(step, 1, d, 1);
    int64_t pad =
        luna_step_int(step, 0, 2 * d, 0) + luna_step_int(step, 0, 2 * d + 1, 0);
    LunaExpr reach = luna_expr_scale(step->exprs, luna_step_dim(step, 0, 1 + d),
                                     stride, pad - stride);
    luna_step_set_dim(
        step, 0, 1 + d,
        luna_expr_add(step->exprs, reach, luna_step_dim(step, 1, 1 + d)));
  }
  luna_step_set_dim(step, 0, 3, luna_step_dim(step, 1, 0));
}

void luna_backward_transpose_conv(LunaShapeStep *step) {
  luna_step_require(step, LUNA_CONSTRAINT_EQUAL, luna_step_dim(step, 0, 3),
                    luna_step_dim(step, 1, 3));
}

// Pools: attributes kernel, pad, stride.
static Window pool_window(LunaShapeStep *step, uint32_t d) {
  return (Window){.input = luna_step_dim(step, 0, 1 + d),
                  .kernel = luna_step_const(step, luna_step_int(step, 0, d, 1)),
                  .pad = luna_step_int(step, 1, 2 * d, 0) +
                         luna_step_int(step, 1, 2 * d + 1, 0),
                  .stride = luna_step_int(step, 2, d, 1),
                  .dilation = 1};
}

void luna_forward_pool(LunaShapeStep *step) {
  if (luna_step_rank(step, 0) != 4)
    return;
  luna_step_copy_shape(step, 0, 0);
  for (uint32_t d = 0; d < 2; ++d) {
    Window window = pool_window(step, d);
    luna_step_set_dim(step, 0, 1 + d, count_windows(step, &window));
  }
}

void luna_backward_pool(LunaShapeStep *step) {
  luna_step_fill_rank(step, 0, 4);
  for (uint32_t d = 0; d < 2; ++d) {
    Window window = pool_window(step, d);
    require_window(step, &window);
  }
}

// Scale (numerator and denominator of y and x), offset, border.
typedef struct Scaling {
  int64_t numerator, denominator, offset, border;
} Scaling;

static bool read_scaling(LunaShapeStep *step, uint32_t d, Scaling *scaling) {
  const LunaExprs *exprs = step->exprs;
  return luna_expr_is_const(exprs, luna_step_element(step, 1, 2 * d),
                            &scaling->numerator) &&
         luna_expr_is_const(exprs, luna_step_element(step, 1, 2 * d + 1),
                            &scaling->denominator) &&
         luna_expr_is_const(exprs, luna_step_element(step, 2, d),
                            &scaling->offset) &&
         luna_expr_is_const(exprs, luna_step_element(step, 3, d),
                            &scaling->border);
}

static LunaExpr scaled_reach(LunaShapeStep *step, uint32_t d,
                             const Scaling *scaling) {
  return luna_expr_scale(
      step->exprs, luna_step_dim(step, 0, 1 + d), scaling->numerator,
      scaling->border - scaling->offset - scaling->numerator);
}

void luna_forward_resize(LunaShapeStep *step) {
  if (luna_step_rank(step, 0) != 4)
    return;
  luna_step_copy_shape(step, 0, 0);
  for (uint32_t d = 0; d < 2; ++d) {
    Scaling scaling;
    LunaExpr size = LUNA_EXPR_NONE;
    if (read_scaling(step, d, &scaling))
      size = luna_expr_floordiv(step->exprs, scaled_reach(step, d, &scaling),
                                luna_step_const(step, scaling.denominator));
    luna_step_set_dim(step, 0, 1 + d, luna_expr_scale(step->exprs, size, 1, 1));
  }
}

void luna_backward_resize(LunaShapeStep *step) {
  luna_step_fill_rank(step, 0, 4);
  for (uint32_t d = 0; d < 2; ++d) {
    Scaling scaling;
    if (read_scaling(step, d, &scaling) && scaling.denominator > 1)
      luna_step_require(step, LUNA_CONSTRAINT_DIVISIBLE,
                        scaled_reach(step, d, &scaling),
                        luna_step_const(step, scaling.denominator));
  }
}
