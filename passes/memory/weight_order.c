#include "weight_order.h"

#include <string.h>

#include "luna-c/ops.h"
#include "luna/tiling.h"
#include "mlir-c/BuiltinAttributes.h"
#include "op_desc.h"

LunaWeightOrder luna_weight_order(const LunaMachine *machine,
                                  MlirOperation op) {
  LunaWeightOrder order = {0};
  LunaUnitDesc desc;
  if (!luna_op_is(op, LUNA_OP_LUNA_CONV2D) || !luna_unit_desc_read(op, &desc) ||
      !luna_tiling_pack(machine, &desc.as.conv2d))
    return order;
  luna_conv2d_packed_layout(machine, &desc.as.conv2d, order.text);
  memcpy(order.layout, desc.as.conv2d.weight_layout, sizeof order.layout);
  order.is_depthwise = desc.as.conv2d.kind == LUNA_CONV_DEPTHWISE;
  luna_conv2d_weights(&desc.as.conv2d, order.extents);
  return order;
}

int64_t luna_weight_order_bytes(const LunaWeightOrder *order) {
  return luna_weight_layout_count(order->layout, order->extents);
}

void luna_weight_order_pack(const LunaWeightOrder *order, const char *from,
                            char *to) {
  const int32_t *extents = order->extents;
  int32_t at[LUNA_WEIGHT_AXES];
  memset(to, 0, (size_t)luna_weight_order_bytes(order));
  for (at[0] = 0; at[0] < extents[0]; ++at[0])
    for (at[1] = 0; at[1] < extents[1]; ++at[1])
      for (at[2] = 0; at[2] < extents[2]; ++at[2])
        for (at[3] = 0; at[3] < extents[3]; ++at[3]) {
          int64_t tap = (int64_t)at[1] * extents[2] + at[2];
          int64_t taps = (int64_t)extents[1] * extents[2];
          int64_t place = order->is_depthwise
                              ? tap * extents[0] + at[0]
                              : (at[0] * taps + tap) * extents[3] + at[3];
          to[luna_weight_layout_index(order->layout, extents, at)] =
              from[place];
        }
}

void luna_weight_order_mark(const LunaWeightOrder *order, MlirOperation op) {
  MlirContext context = mlirOperationGetContext(op);
  const int64_t kernel[] = {order->extents[LUNA_WEIGHT_ROW],
                            order->extents[LUNA_WEIGHT_COLUMN]};
  luna_set_attr(op, "weight_kernel", mlirDenseI64ArrayGet(context, 2, kernel));
  luna_set_string(op, "weight_layout", order->text);
}
