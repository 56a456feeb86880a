#include "luna-c/ops.h"

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

bool luna_op_is_unit(MlirOperation op) {
  static const char *const names[] = {
      "luna.conv2d", "luna.matmul",     "luna.add",        "luna.sub",
      "luna.mul",    "luna.max_pool2d", "luna.avg_pool2d", "luna.table",
  };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    if (luna_op_is(op, names[i]))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Operands of unit operators
//===----------------------------------------------------------------------===//

intptr_t luna_segment_index(MlirOperation op, intptr_t segment) {
  int64_t sizes[LUNA_SEGMENT_COUNT];
  if (!luna_attr_ints(op, "operandSegmentSizes", sizes, LUNA_SEGMENT_COUNT) ||
      sizes[segment] == 0)
    return -1;
  intptr_t index = 0;
  for (intptr_t i = 0; i < segment; ++i)
    index += (intptr_t)sizes[i];
  return index;
}

MlirValue luna_segment_operand(MlirOperation op, intptr_t segment) {
  intptr_t index = luna_segment_index(op, segment);
  if (index < 0)
    return (MlirValue){NULL};
  return mlirOperationGetOperand(op, index);
}

MlirValue luna_unit_output(MlirOperation op) {
  return mlirOperationGetOperand(op, mlirOperationGetNumOperands(op) - 1);
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
