#ifndef LUNA_OP_DESC_H
#define LUNA_OP_DESC_H

#include <stdbool.h>

#include "luna/runtime.h"
#include "luna/units.h"
#include "mlir-c/IR.h"

/// Reads a unit operator in memref form into its runtime descriptor.
///
/// Shapes and strides come from the memref types (the pointer includes dynamic
/// offsets), the tiling from the `tiling` attribute (zero without one). Emits
/// an error and returns false for a layout with dynamic strides or an element
/// type that the runtime does not support. Operands of an elementwise operator
/// or activation are sorted (luna_tensor_descs_sort).
bool luna_unit_desc_read(MlirOperation op, LunaUnitDesc *desc);

/// Reads the attributes alone, of an operator in either form; the operands'
/// descriptors are zero.
void luna_unit_desc_read_attributes(MlirOperation op, LunaUnitDesc *desc);

/// As luna_unit_desc_read, of an operator on tensors, all of them row-major;
/// emits nothing.
bool luna_unit_desc_read_tensors(MlirOperation op, LunaUnitDesc *desc);

/// Returns the tensor descriptor of operand `row` of `desc`.
LunaTensorDesc *luna_unit_desc_operand(LunaUnitDesc *desc,
                                       const LunaUnitOperand *row);

/// Reads a memref.copy into its runtime descriptor, sorted, wherever its ends
/// lie; the unit copies on chip alone. Returns false for dynamic strides; emits
/// nothing.
bool luna_copy_desc_read(MlirOperation op, LunaCopyDesc *desc);

/// Reads the target of a linalg.fill; the value is left as it is.
bool luna_fill_desc_read(MlirOperation op, LunaFillDesc *desc);

/// Reorders the dimensions of tensors that are gone through together so that
/// the strides of the last one, which is written, descend: its rows are as long
/// as they can be in any layout. Leaves row-major ones as they are, and ones of
/// which an operand is padded.
void luna_tensor_descs_sort(LunaTensorDesc *const *descs, int count);

/// Fills a tensor descriptor from a memref type of rank up to 4 (or any rank if
/// contiguous). Returns false for dynamic strides, unsupported elements, or
/// extents above 32 bits; emits nothing.
bool luna_tensor_desc_from_type(MlirType type, LunaTensorDesc *desc);

/// Reads the strides of a memref type, in elements, one for each dimension.
/// Returns false if one is dynamic, negative, or above 32 bits; the offset may
/// be dynamic, since the pointer carries it.
bool luna_static_strides(MlirType type, int64_t *strides);

/// Returns the runtime's LunaElementType of an MLIR element type, or -1.
int32_t luna_element_type_id(MlirType element);

#endif // LUNA_OP_DESC_H
