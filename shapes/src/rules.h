#ifndef LUNA_RULES_H
#define LUNA_RULES_H

// The functions that shape_rules.def names.

#include "shape_step.h"

// rules_common.c
void luna_forward_none(LunaShapeStep *step);
void luna_forward_same(LunaShapeStep *step);
void luna_forward_second(LunaShapeStep *step);
void luna_forward_broadcast(LunaShapeStep *step);
void luna_forward_broadcast3(LunaShapeStep *step);
void luna_forward_elementwise(LunaShapeStep *step);
void luna_forward_merge(LunaShapeStep *step);
void luna_backward_induction(LunaShapeStep *step);
void luna_backward_none(LunaShapeStep *step);
void luna_backward_same(LunaShapeStep *step);
void luna_backward_broadcast(LunaShapeStep *step);
void luna_backward_broadcast3(LunaShapeStep *step);

// rules_window.c
void luna_forward_conv(LunaShapeStep *step);
void luna_forward_depthwise(LunaShapeStep *step);
void luna_forward_transpose_conv(LunaShapeStep *step);
void luna_forward_pool(LunaShapeStep *step);
void luna_forward_resize(LunaShapeStep *step);
void luna_backward_conv(LunaShapeStep *step);
void luna_backward_depthwise(LunaShapeStep *step);
void luna_backward_transpose_conv(LunaShapeStep *step);
void luna_backward_pool(LunaShapeStep *step);
void luna_backward_resize(LunaShapeStep *step);

// rules_product.c
void luna_forward_argmax(LunaShapeStep *step);
void luna_forward_fft(LunaShapeStep *step);
void luna_forward_matmul(LunaShapeStep *step);
void luna_forward_reduce(LunaShapeStep *step);
void luna_forward_rfft(LunaShapeStep *step);
void luna_forward_destination(LunaShapeStep *step);
void luna_backward_fft(LunaShapeStep *step);
void luna_backward_matmul(LunaShapeStep *step);
void luna_backward_loops(LunaShapeStep *step);

// rules_move.c
void luna_forward_concat(LunaShapeStep *step);
void luna_forward_gather(LunaShapeStep *step);
void luna_forward_pad(LunaShapeStep *step);
void luna_forward_reshape(LunaShapeStep *step);
void luna_forward_slice(LunaShapeStep *step);
void luna_forward_tile(LunaShapeStep *step);
void luna_forward_transpose(LunaShapeStep *step);
void luna_backward_concat(LunaShapeStep *step);
void luna_backward_gather(LunaShapeStep *step);
void luna_backward_pad(LunaShapeStep *step);
void luna_backward_reshape(LunaShapeStep *step);
void luna_backward_scatter(LunaShapeStep *step);
void luna_backward_slice(LunaShapeStep *step);
void luna_backward_tile(LunaShapeStep *step);
void luna_backward_transpose(LunaShapeStep *step);

// rules_tensor.c
void luna_forward_collapse(LunaShapeStep *step);
void luna_forward_expand(LunaShapeStep *step);
void luna_forward_extract_slice(LunaShapeStep *step);
void luna_forward_open_extents(LunaShapeStep *step);
void luna_forward_splat(LunaShapeStep *step);
void luna_forward_tensor_pad(LunaShapeStep *step);
void luna_forward_tensor_reshape(LunaShapeStep *step);
void luna_backward_expand(LunaShapeStep *step);

// rules_value.c
void luna_value_none(LunaShapeStep *step);
void luna_value_same(LunaShapeStep *step);
void luna_value_add(LunaShapeStep *step);
void luna_value_affine(LunaShapeStep *step);
void luna_value_ceildiv(LunaShapeStep *step);
void luna_value_ceildiv_unsigned(LunaShapeStep *step);
void luna_value_concat(LunaShapeStep *step);
void luna_value_const(LunaShapeStep *step);
void luna_value_dim(LunaShapeStep *step);
void luna_value_exp2(LunaShapeStep *step);
void luna_value_extract(LunaShapeStep *step);
void luna_value_floordiv(LunaShapeStep *step);
void luna_value_from_elements(LunaShapeStep *step);
void luna_value_log2_ceil(LunaShapeStep *step);
void luna_value_log2_floor(LunaShapeStep *step);
void luna_value_max(LunaShapeStep *step);
void luna_value_max_unsigned(LunaShapeStep *step);
void luna_value_min(LunaShapeStep *step);
void luna_value_min_unsigned(LunaShapeStep *step);
void luna_value_mod(LunaShapeStep *step);
void luna_value_mul(LunaShapeStep *step);
void luna_value_slice(LunaShapeStep *step);
void luna_value_sub(LunaShapeStep *step);
void luna_value_tensor_dim(LunaShapeStep *step);
void luna_value_truncdiv(LunaShapeStep *step);
void luna_value_truncmod(LunaShapeStep *step);

/// Returns the size that two sizes broadcast to, if they do.
LunaExpr luna_broadcast_dims(LunaShapeStep *step, LunaExpr a, LunaExpr b);
/// Sets extents of result 0 that attribute `a` leaves dynamic from the operands
/// from `next` on, in order; the others are the attribute's.
void luna_set_mixed(LunaShapeStep *step, uint32_t a, uint32_t next);

#endif // LUNA_RULES_H
