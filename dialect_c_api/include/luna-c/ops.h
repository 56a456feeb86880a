#ifndef LUNA_C_OPS_H
#define LUNA_C_OPS_H

//===-- luna-c/ops.h - reading luna operators and memories from C ---------===//
//
// What depends on the dialect: diagnostics at an op, the operands of unit
// operators, and the memories of memrefs. The rest is luna-c/ir.h.
//
//===----------------------------------------------------------------------===//

#include <stdbool.h>
#include <stdint.h>

#include "luna-c/dialect.h"
#include "luna-c/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Emits an error at `op` as printf would and gives failure.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
MlirLogicalResult luna_emit_error(MlirOperation op, const char *format, ...);

/// Says whether `op` is an operator of the LUNA unit (conv2d … table).
bool luna_op_is_unit(MlirOperation op);

//===----------------------------------------------------------------------===//
// Operands of unit operators
//===----------------------------------------------------------------------===//

/// Gives the index of operand segment `segment` of an op with
/// operandSegmentSizes, or -1 when that optional operand is absent.
intptr_t luna_segment_index(MlirOperation op, intptr_t segment);

/// Segments of luna.conv2d and luna.matmul.
enum {
  LUNA_SEGMENT_INPUT = 0,
  LUNA_SEGMENT_WEIGHT = 1,
  LUNA_SEGMENT_BIAS = 2,
  LUNA_SEGMENT_TABLE = 3,
  LUNA_SEGMENT_SCRATCH = 4,
  LUNA_SEGMENT_OUTPUT = 5,
  LUNA_SEGMENT_COUNT = 6,
};

/// Gives the operand of a segment, or a null value.
MlirValue luna_segment_operand(MlirOperation op, intptr_t segment);
/// Gives the output operand of a unit operator: its last.
MlirValue luna_unit_output(MlirOperation op);

//===----------------------------------------------------------------------===//
// Memories
//===----------------------------------------------------------------------===//

/// Gives the memory kind of a memref type: that of its `#luna.memory`, or
/// LUNA_MEMORY_SHARED where it names no memory.
LunaMemoryKind luna_memory_of(MlirType type);
/// Says whether a memref type names a `#luna.memory` at all.
bool luna_has_memory(MlirType type);
/// Gives `memref<BYTESxi8, #luna.memory<kind>>`.
MlirType luna_byte_memref(MlirContext context, int64_t byte_count,
                          LunaMemoryKind kind);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_OPS_H
