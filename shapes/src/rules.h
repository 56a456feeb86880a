#ifndef LUNA_RULES_H
#define LUNA_RULES_H

// The functions that shape_rules.def names, and a few more.

#include "shape_step.h"

#define LUNA_SHAPE_RULE(name, shape_class, forward, backward, value, ...)      \
  void luna_forward_##forward(LunaShapeStep *step);                            \
  void luna_backward_##backward(LunaShapeStep *step);                          \
  void luna_value_##value(LunaShapeStep *step);
#include "luna/shape_rules.def"
void luna_forward_merge(LunaShapeStep *step);
void luna_backward_induction(LunaShapeStep *step);

/// Returns the size that two sizes broadcast to, if they do.
LunaExpr luna_broadcast_dims(LunaShapeStep *step, LunaExpr a, LunaExpr b);
/// Sets extents of result 0 that attribute `a` leaves dynamic from the operands
/// from `next` on, in order; the others are the attribute's.
void luna_set_mixed(LunaShapeStep *step, uint32_t a, uint32_t next);

#endif // LUNA_RULES_H
