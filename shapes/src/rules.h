#ifndef LUNA_RULES_H
#define LUNA_RULES_H

// The functions that shape_rules.def names.

#include "shape_step.h"

#define LUNA_FORWARD(name) void luna_forward_##name(LunaShapeStep *step)
#define LUNA_BACKWARD(name) void luna_backward_##name(LunaShapeStep *step)
#define LUNA_VALUE(name) void luna_value_##name(LunaShapeStep *step)

// rules_common.c
LUNA_FORWARD(none);
LUNA_FORWARD(same);
LUNA_FORWARD(second);
LUNA_FORWARD(broadcast);
LUNA_FORWARD(broadcast3);
LUNA_FORWARD(elementwise);
LUNA_FORWARD(merge);
LUNA_BACKWARD(induction);
LUNA_BACKWARD(none);
LUNA_BACKWARD(same);
LUNA_BACKWARD(broadcast);
LUNA_BACKWARD(broadcast3);

// rules_window.c
LUNA_FORWARD(conv);
LUNA_FORWARD(depthwise);
LUNA_FORWARD(transpose_conv);
LUNA_FORWARD(pool);
LUNA_FORWARD(resize);
LUNA_BACKWARD(conv);
LUNA_BACKWARD(depthwise);
LUNA_BACKWARD(transpose_conv);
LUNA_BACKWARD(pool);
LUNA_BACKWARD(resize);

// rules_product.c
LUNA_FORWARD(argmax);
LUNA_FORWARD(fft);
LUNA_FORWARD(matmul);
LUNA_FORWARD(reduce);
LUNA_FORWARD(rfft);
LUNA_FORWARD(destination);
LUNA_BACKWARD(fft);
LUNA_BACKWARD(matmul);
LUNA_BACKWARD(loops);

// rules_move.c
LUNA_FORWARD(concat);
LUNA_FORWARD(gather);
LUNA_FORWARD(pad);
LUNA_FORWARD(reshape);
LUNA_FORWARD(slice);
LUNA_FORWARD(tile);
LUNA_FORWARD(transpose);
LUNA_BACKWARD(concat);
LUNA_BACKWARD(gather);
LUNA_BACKWARD(pad);
LUNA_BACKWARD(reshape);
LUNA_BACKWARD(scatter);
LUNA_BACKWARD(slice);
LUNA_BACKWARD(tile);
LUNA_BACKWARD(transpose);

// rules_tensor.c
LUNA_FORWARD(collapse);
LUNA_FORWARD(expand);
LUNA_FORWARD(extract_slice);
LUNA_FORWARD(open_extents);
LUNA_FORWARD(splat);
LUNA_FORWARD(tensor_pad);
LUNA_FORWARD(tensor_reshape);
LUNA_BACKWARD(expand);

// rules_value.c
LUNA_VALUE(none);
LUNA_VALUE(same);
LUNA_VALUE(add);
LUNA_VALUE(affine);
LUNA_VALUE(ceildiv);
LUNA_VALUE(ceildiv_unsigned);
LUNA_VALUE(concat);
LUNA_VALUE(const);
LUNA_VALUE(dim);
LUNA_VALUE(exp2);
LUNA_VALUE(extract);
LUNA_VALUE(floordiv);
LUNA_VALUE(from_elements);
LUNA_VALUE(log2_ceil);
LUNA_VALUE(log2_floor);
LUNA_VALUE(max);
LUNA_VALUE(max_unsigned);
LUNA_VALUE(min);
LUNA_VALUE(min_unsigned);
LUNA_VALUE(mod);
LUNA_VALUE(mul);
LUNA_VALUE(slice);
LUNA_VALUE(sub);
LUNA_VALUE(tensor_dim);
LUNA_VALUE(truncdiv);
LUNA_VALUE(truncmod);

/// Returns the size that two sizes broadcast to, if they do.
LunaExpr luna_broadcast_dims(LunaShapeStep *step, LunaExpr a, LunaExpr b);
/// Sets extents of result 0 that attribute `a` leaves dynamic from the operands
/// from `next` on, in order; the others are the attribute's.
void luna_set_mixed(LunaShapeStep *step, uint32_t a, uint32_t next);

#endif // LUNA_RULES_H
