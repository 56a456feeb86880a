#include "channel_scales.h"

#include <string.h>

#include "luna-c/ops.h"
#include "luna/finish.h"
#include "mlir-c/BuiltinAttributes.h"
#include "op_desc.h"
#include "structure.h"

// Returns the bytes of a constant table, alone or in the weights of its
// operator, or NULL.
static const char *table_bytes(const LunaGlobals *globals, MlirValue table) {
  MlirOperation view = luna_defining_op(table), offset = {NULL};
  bool is_part = luna_op_is(view, LUNA_OP_MEMREF_VIEW);
  if (is_part)
    offset = luna_defining_op(mlirOperationGetOperand(view, 1));
  MlirAttribute bytes = luna_globals_value(
      globals, is_part ? mlirOperationGetOperand(view, 0) : table);
  if (mlirAttributeIsNull(bytes) || mlirDenseElementsAttrIsSplat(bytes) ||
      (is_part && mlirOperationIsNull(offset)))
    return NULL;
  const char *data = mlirDenseElementsAttrGetRawData(bytes);
  return is_part ? data + luna_attr_int(offset, "value", 0) : data;
}

// Returns true if the multipliers and shifts of channels, if there are any, are
// constants that the unit's calls take.
static bool takes_channels(const LunaGlobals *globals, MlirOperation op,
                           const LunaRequantDesc *requant, int64_t channels) {
  if (!requant->per_channel || requant->mode != LUNA_REQUANT_MULTIPLIER)
    return true;
  MlirValue table = luna_unit_operand(op, LUNA_ROLE_TABLE);
  const char *bytes =
      mlirValueIsNull(table) ? NULL : table_bytes(globals, table);
  for (int64_t i = 0; bytes && i < channels; ++i) {
    int32_t multiplier, shift;
    memcpy(&multiplier, bytes + 4 * i, sizeof multiplier);
    memcpy(&shift, bytes + 4 * (channels + i), sizeof shift);
    if (!luna_finish_takes_channels(requant, &multiplier, &shift, 1))
      return false;
  }
  return bytes != NULL;
}

bool luna_takes_channels(const LunaGlobals *globals, MlirOperation op,
                         const LunaUnitDesc *desc) {
  return desc->unit_class == LUNA_UNIT_MATMUL
             ? takes_channels(globals, op, &desc->as.matmul.requant,
                              desc->as.matmul.output.dims[3])
             : takes_channels(globals, op, &desc->as.conv2d.requant,
                              desc->as.conv2d.output.dims[3]);
}
