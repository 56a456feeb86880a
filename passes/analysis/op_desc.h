#ifndef LUNA_OP_DESC_H
#define LUNA_OP_DESC_H

#include <stdbool.h>

#include "luna/cost.h"
#include "luna/machine.h"
#include "luna/runtime.h"
#include "mlir-c/IR.h"

/// The classes of unit operators, one per function of the runtime API.
typedef enum LunaUnitClass {
  LUNA_UNIT_CONV2D,
  LUNA_UNIT_MATMUL,
  LUNA_UNIT_ELTWISE,
  LUNA_UNIT_POOL,
  LUNA_UNIT_TABLE,
} LunaUnitClass;

/// The runtime descriptor of one unit operator in memref form.
typedef struct LunaUnitDesc {
  LunaUnitClass unit_class;
  union {
    LunaConv2dDesc conv2d;
    LunaMatmulDesc matmul;
    LunaEltwiseDesc eltwise;
    LunaPoolDesc pool;
    LunaTableDesc table;
  } as;
} LunaUnitDesc;

/// Reads a unit operator in memref form into its runtime descriptor.
///
/// Shapes and strides come from the memref types (dynamic offsets are fine, the
/// pointer carries them), the tiling from the `tiling` attribute (zero without
/// one). The operator id is 0, buffer and content ids are LUNA_NO_ID: the
/// caller fills them in. Emits an error and gives false for a layout with
/// dynamic strides or an element type that the runtime does not know.
bool luna_unit_desc_read(MlirOperation op, LunaUnitDesc *desc);

/// Gives the tensor descriptors of `desc` in the order of the runtime call's
/// pointer arguments (absent ones have all extents 0). Returns how many.
int luna_unit_desc_operands(LunaUnitDesc *desc, LunaTensorDesc *operands[6]);

/// Gives the operand of `op` for each entry of luna_unit_desc_operands; a null
/// value for an absent one.
int luna_unit_operands(MlirOperation op, MlirValue operands[6]);

/// Gives the size of the descriptor in 32-bit words, and its first word.
int luna_unit_desc_words(const LunaUnitDesc *desc, const int32_t **words);

/// Gives the name of the runtime function, e.g. "luna_rt_conv2d".
const char *luna_unit_function(LunaUnitClass unit_class);

/// Gives the cost of the operator by the cost model.
LunaCost luna_unit_cost(const LunaMachine *machine, const LunaUnitDesc *desc);

/// Fills a tensor descriptor from a memref type of rank up to 4 (or any rank
/// if contiguous). False for dynamic strides, unknown elements, or extents
/// beyond 32 bits; emits nothing.
bool luna_tensor_desc_from_type(MlirType type, LunaTensorDesc *desc);

/// Gives the runtime's LunaElementType of an MLIR element type, or -1.
int32_t luna_element_type_id(MlirType element);

#endif // LUNA_OP_DESC_H
