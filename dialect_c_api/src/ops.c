#include "luna-c/ops.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

MlirLogicalResult luna_emit_error(MlirOperation op, const char *format, ...) {
  char message[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  lunaEmitErrorWithNotes(op, message, NULL, 0);
  return mlirLogicalResultFailure();
}

//===----------------------------------------------------------------------===//
// Operators of the unit
//===----------------------------------------------------------------------===//

const LunaUnitOp *luna_unit_of(MlirOperation op) {
  int count = 0;
  if (!luna_op_in_dialect(op, LUNA_DIALECT_LUNA))
    return NULL;
  const LunaUnitOp *ops = luna_unit_ops(&count);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  for (int i = 0; i < count; ++i)
    if (mlirStringRefEqual(name, luna_str(ops[i].name)))
      return &ops[i];
  return NULL;
}

bool luna_op_is_unit(MlirOperation op) { return luna_unit_of(op) != NULL; }

bool luna_op_is_tiled(MlirOperation op) {
  const LunaUnitOp *unit = luna_unit_of(op);
  return unit && luna_unit_class(unit->unit_class)->tiling;
}

int luna_unit_operands(MlirOperation op,
                       MlirValue operands[LUNA_UNIT_OPERANDS_MAX]) {
  assert(luna_op_is_unit(op));
  int count = 0;
  const LunaUnitOperand *rows =
      luna_unit_class_operands(luna_unit_of(op)->unit_class, &count);
  int64_t sizes[LUNA_UNIT_OPERANDS_MAX];
  // Without segments, there is at most one optional operand.
  for (int i = 0; i < count; ++i)
    sizes[i] = rows[i].flag != LUNA_OPERAND_OPTIONAL ||
               mlirOperationGetNumOperands(op) == count;
  luna_attr_ints(op, "operandSegmentSizes", sizes, count);
  intptr_t next = 0;
  for (int i = 0; i < count; ++i)
    operands[i] =
        sizes[i] ? mlirOperationGetOperand(op, next++) : (MlirValue){NULL};
  return count;
}

intptr_t luna_unit_operand_index(MlirOperation op, LunaOperandRole role) {
  MlirValue operands[LUNA_UNIT_OPERANDS_MAX];
  int count = luna_unit_operands(op, operands);
  const LunaUnitOperand *rows =
      luna_unit_class_operands(luna_unit_of(op)->unit_class, &count);
  intptr_t index = 0;
  for (int i = 0; i < count; ++i) {
    if (rows[i].role == role)
      return mlirValueIsNull(operands[i]) ? -1 : index;
    index += !mlirValueIsNull(operands[i]);
  }
  return -1;
}

MlirValue luna_unit_operand(MlirOperation op, LunaOperandRole role) {
  intptr_t index = luna_unit_operand_index(op, role);
  return index < 0 ? (MlirValue){NULL} : mlirOperationGetOperand(op, index);
}

MlirValue luna_unit_output(MlirOperation op) {
  assert(luna_op_is_unit(op));
  return mlirOperationGetOperand(op, mlirOperationGetNumOperands(op) - 1);
}

MlirOperation luna_unit_set_operand(MlirOperation op, LunaOperandRole role,
                                    MlirValue value) {
  MlirContext context = mlirOperationGetContext(op);
  MlirValue operands[LUNA_UNIT_OPERANDS_MAX];
  int32_t segments[LUNA_UNIT_OPERANDS_MAX];
  intptr_t operand_count = 0;
  int row_count = luna_unit_operands(op, operands);
  const LunaUnitOperand *rows =
      luna_unit_class_operands(luna_unit_of(op)->unit_class, &row_count);
  for (int i = 0; i < row_count; ++i) {
    MlirValue operand = rows[i].role == role ? value : operands[i];
    segments[i] = !mlirValueIsNull(operand);
    if (segments[i])
      operands[operand_count++] = operand;
  }
  bool has_segments =
      !mlirAttributeIsNull(luna_attr(op, "operandSegmentSizes"));
  MlirNamedAttribute attributes[32];
  intptr_t attribute_count = 0;
  intptr_t old_count = mlirOperationGetNumAttributes(op);
  for (intptr_t i = 0; i < old_count && attribute_count < 31; ++i) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(op, i);
    if (!mlirStringRefEqual(mlirIdentifierStr(attribute.name),
                            luna_str("operandSegmentSizes")))
      attributes[attribute_count++] = attribute;
  }
  if (has_segments)
    attributes[attribute_count++] =
        luna_named(context, "operandSegmentSizes",
                   mlirDenseI32ArrayGet(context, row_count, segments));
  MlirOperation changed =
      luna_build_before(op, &(LunaOpSpec){.name = luna_unit_of(op)->name,
                                          .operands = operands,
                                          .operand_count = operand_count,
                                          .attributes = attributes,
                                          .attribute_count = attribute_count});
  mlirOperationDestroy(op);
  return changed;
}

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

bool luna_read_place(MlirOperation alloc, LunaPlacement *place) {
  MlirAttribute attribute = luna_attr(alloc, "luna.place");
  if (lunaAttributeIsAPlace(attribute)) {
    *place = lunaPlaceAttrGetValue(attribute);
    return true;
  }
  *place = (LunaPlacement){
      .id = -1, .offset_bytes = -1, .kind = luna_allocation_kind(alloc)};
  return false;
}

void luna_set_place(MlirOperation alloc, const LunaPlacement *place) {
  mlirOperationRemoveDiscardableAttributeByName(alloc, luna_str("luna.kind"));
  luna_set_attr(alloc, "luna.place",
                lunaPlaceAttrGet(mlirOperationGetContext(alloc), *place));
}

LunaAllocationKind luna_allocation_kind(MlirOperation alloc) {
  LunaAllocationKind kind = LUNA_ALLOCATION_TENSOR;
  MlirAttribute place = luna_attr(alloc, "luna.place");
  if (lunaAttributeIsAPlace(place))
    return lunaPlaceAttrGetValue(place).kind;
  MlirStringRef given = luna_attr_string(alloc, "luna.kind");
  if (given.data)
    lunaAllocationKindParse(given, &kind);
  return kind;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static MlirOperation first_label(MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (!mlirOperationIsNull(op) && !luna_op_is(op, LUNA_OP_LUNA_LABEL))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

MlirStringRef luna_label_of(MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = luna_body(op, r);
    if (mlirBlockIsNull(block))
      continue;
    MlirOperation label = first_label(block);
    if (!mlirOperationIsNull(label))
      return luna_attr_string(label, "name");
  }
  return luna_str("");
}

MlirStringRef luna_way_of(MlirOperation op, intptr_t region) {
  MlirBlock block = luna_body(op, region);
  MlirOperation label = {NULL};
  if (!mlirBlockIsNull(block))
    label = first_label(block);
  return mlirOperationIsNull(label) ? luna_str("")
                                    : luna_attr_string(label, "way");
}

//===----------------------------------------------------------------------===//
// Memories
//===----------------------------------------------------------------------===//

LunaMemoryKind luna_memory_of(MlirType type) {
  if (!luna_has_memory(type))
    return LUNA_MEMORY_SHARED;
  return lunaMemoryAttrGetKind(mlirMemRefTypeGetMemorySpace(type));
}

bool luna_has_memory(MlirType type) {
  return mlirTypeIsAMemRef(type) &&
         lunaAttributeIsAMemory(mlirMemRefTypeGetMemorySpace(type));
}

MlirType luna_byte_memref(MlirContext context, int64_t byte_count,
                          LunaMemoryKind kind) {
  return mlirMemRefTypeContiguousGet(mlirIntegerTypeGet(context, 8), 1,
                                     &byte_count,
                                     lunaMemoryAttrGet(context, kind));
}
