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
#include "luna/units.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Emits an error at `op`, formatted as by printf, and returns failure.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
MlirLogicalResult luna_emit_error(MlirOperation op, const char *format, ...);

//===----------------------------------------------------------------------===//
// Operators of the unit
//===----------------------------------------------------------------------===//

/// Returns the row of an operator of the LUNA unit, or NULL for any other op.
const LunaUnitOp *luna_unit_of(MlirOperation op);
/// Returns true if `op` is an operator of the LUNA unit.
bool luna_op_is_unit(MlirOperation op);
/// Returns true if `op` is an operator of the unit that is cut into launches:
/// it has a tiling, and may have a scratch.
bool luna_op_is_tiled(MlirOperation op);

/// Returns the index of the first operand of `op` with this role, or -1 if it
/// has none.
intptr_t luna_unit_operand_index(MlirOperation op, LunaOperandRole role);
/// Returns that operand, or a null value.
MlirValue luna_unit_operand(MlirOperation op, LunaOperandRole role);
/// Writes the operand of each row of luna_unit_class_operands, a null value if
/// it is absent. Returns the number of rows.
int luna_unit_operands(MlirOperation op,
                       MlirValue operands[LUNA_UNIT_OPERANDS_MAX]);
/// Returns the output operand of a unit operator: its last.
MlirValue luna_unit_output(MlirOperation op);
/// Replaces an operator in memref form by one with this optional operand, or
/// without one if the value is null. Returns it.
MlirOperation luna_unit_set_operand(MlirOperation op, LunaOperandRole role,
                                    MlirValue value);

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

/// Reads the place that a plan gives an allocation (`luna.place`). Returns
/// false, with id and offset -1 and the kind that luna_allocation_kind returns,
/// if it gives none.
bool luna_read_place(MlirOperation alloc, LunaPlacement *place);
/// Sets the place of an allocation; it tells the kind from now on.
void luna_set_place(MlirOperation alloc, const LunaPlacement *place);
/// Returns what an allocation is for: the kind of its place, or before it is
/// planned `luna.kind`, or LUNA_ALLOCATION_TENSOR.
LunaAllocationKind luna_allocation_kind(MlirOperation alloc);

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Returns the name of a branch or loop, that of the first `luna.label` in its
/// regions, or "" without one. Borrowed from the context.
MlirStringRef luna_label_of(MlirOperation op);
/// Returns the name that the first `luna.label` of a region gives to the way
/// through it, or an empty reference.
MlirStringRef luna_way_of(MlirOperation op, intptr_t region);

//===----------------------------------------------------------------------===//
// Memories
//===----------------------------------------------------------------------===//

/// Returns the memory of a memref type: that of its `#luna.memory`, or
/// LUNA_MEMORY_SHARED if it names none.
LunaMemoryKind luna_memory_of(MlirType type);
/// Returns true if a memref type names a `#luna.memory`.
bool luna_has_memory(MlirType type);
/// Returns `memref<BYTESxi8, #luna.memory<kind>>`.
MlirType luna_byte_memref(MlirContext context, int64_t byte_count,
                          LunaMemoryKind kind);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_OPS_H
