#ifndef LUNA_WEIGHT_ORDER_H
#define LUNA_WEIGHT_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "luna/machine.h"
#include "luna/weight_layout.h"
#include "mlir-c/IR.h"

/// How the weights of a convolution are packed.
typedef struct LunaWeightOrder {
  /// The machine's, or with blocks of rows; empty where they stay as they are.
  char text[LUNA_WEIGHT_LAYOUT_MAX + 1];
  int32_t layout[LUNA_WEIGHT_LAYOUT_WORDS];
  int32_t extents[LUNA_WEIGHT_AXES];
  bool is_depthwise; ///< weights are HWCM, else OHWI
} LunaWeightOrder;

/// Returns the order in which the machine's library reads the weights of `op`,
/// if it is a convolution of int8 in memref form whose launches can be calls
/// with all input channels each.
LunaWeightOrder luna_weight_order(const LunaMachine *machine, MlirOperation op);

/// Returns the bytes of packed weights.
int64_t luna_weight_order_bytes(const LunaWeightOrder *order);

/// Writes packed weights to `to`; `from` are those of the operator.
void luna_weight_order_pack(const LunaWeightOrder *order, const char *from,
                            char *to);

/// Says of an operator that its weights are packed.
void luna_weight_order_mark(const LunaWeightOrder *order, MlirOperation op);

#endif // LUNA_WEIGHT_ORDER_H
