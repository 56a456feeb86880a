#include <string.h>

#include "luna-c/dialect.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "verify_operators.h"

// The elements of a global, a splat expanded; NULL if it is not constant.
static const uint8_t *content_of(LunaSide *side, MlirOperation global,
                                 int64_t byte_count) {
  MlirAttribute value = luna_attr(global, "initial_value");
  MlirAttribute resource =
      mlirAttributeIsNull(value) ? value : lunaDenseElementsFromResource(value);
  if (!mlirAttributeIsNull(resource))
    value = resource;
  if (mlirAttributeIsNull(luna_attr(global, "constant")) ||
      mlirAttributeIsNull(value) || !mlirAttributeIsADenseElements(value))
    return NULL;
  const uint8_t *raw = mlirDenseElementsAttrGetRawData(value);
  MlirType element = mlirShapedTypeGetElementType(mlirAttributeGetType(value));
  bool is_packed =
      mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == 1;
  if (!mlirDenseElementsAttrIsSplat(value) && !is_packed)
    return raw;
  uint8_t *bytes = LUNA_ARENA_ARRAY(side->arena, uint8_t, byte_count);
  int64_t element_bytes = luna_element_type_bytes(element);
  for (int64_t i = 0; i < byte_count; i += element_bytes)
    if (is_packed)
      bytes[i] = mlirDenseElementsAttrGetBoolValue(value, (intptr_t)i);
    else
      memcpy(bytes + i, raw, (size_t)element_bytes);
  return bytes;
}

static void load(LunaSide *side, MlirOperation global) {
  MlirStringRef name = luna_attr_string(global, "sym_name");
  int64_t byte_count =
      luna_shaped_bytes(mlirTypeAttrGetValue(luna_attr(global, "type")));
  const uint8_t *bytes =
      byte_count > 0 ? content_of(side, global, byte_count) : NULL;
  if (!bytes)
    return;
  LunaTerm term = luna_term_bytes(side->terms, bytes, byte_count);
  *LUNA_VECTOR_ADD(side->arena, &side->constants) = (LunaConstant){name, term};
  // Names are unique objects of the context.
  uint32_t memory = luna_side_memory(side, name.data, byte_count);
  luna_state_set(side->arena, &side->state, memory,
                 luna_runs_of(side->arena, (LunaByte){term, 0}, byte_count));
}

void luna_constants_load(LunaSide *side) {
  for (MlirOperation op =
           mlirBlockGetFirstOperation(luna_body(side->symbols, 0));
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (luna_op_is(op, LUNA_OP_MEMREF_GLOBAL))
      load(side, op);
}
