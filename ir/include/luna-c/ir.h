#ifndef LUNA_C_IR_H
#define LUNA_C_IR_H

//===-- luna-c/ir.h - reading and building IR from C ----------------------===//
//
// Thin helpers over the MLIR C API alone: checked attribute readers, names,
// shapes, walks, and a small op builder. luna-c/ops.h has what needs the
// dialect.
//
//===----------------------------------------------------------------------===//

#include <stdbool.h>
#include <stdint.h>

#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Gives a string reference to a C string.
static inline MlirStringRef luna_str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

/// Says whether `op` has this full name, e.g. "luna.conv2d".
bool luna_op_is(MlirOperation op, const char *name);
/// Says whether the name of `op` starts with `prefix`, e.g. "luna.".
bool luna_op_has_prefix(MlirOperation op, const char *prefix);

//===----------------------------------------------------------------------===//
// Attributes: wrong kinds read as absent
//===----------------------------------------------------------------------===//

/// Gives the attribute `name` of `op`, inherent or discardable, or null.
MlirAttribute luna_attr(MlirOperation op, const char *name);
/// Gives an integer attribute, or `absent`.
int64_t luna_attr_int(MlirOperation op, const char *name, int64_t absent);
/// Reads `count` entries of a dense i64 or i32 array attribute; false (and
/// `values` as they were) when it is absent or of another length.
bool luna_attr_ints(MlirOperation op, const char *name, int64_t *values,
                    intptr_t count);
/// Gives a string attribute, or an empty reference (data NULL).
MlirStringRef luna_attr_string(MlirOperation op, const char *name);
/// Gives the symbol of a flat symbol reference, or an empty reference.
MlirStringRef luna_attr_symbol(MlirOperation op, const char *name);

/// Sets a discardable or inherent attribute.
void luna_set_attr(MlirOperation op, const char *name, MlirAttribute value);
/// Sets an i64 attribute.
void luna_set_int(MlirOperation op, const char *name, int64_t value);
/// Sets a string attribute.
void luna_set_string(MlirOperation op, const char *name, const char *value);

//===----------------------------------------------------------------------===//
// Values and types
//===----------------------------------------------------------------------===//

/// The greatest rank of a tensor or memref in a model: the adaptor of our
/// passes refuses types beyond it, so that shapes and strides fit arrays of
/// this size.
enum { LUNA_RANK_MAX = 16 };

/// Says whether the type is a memref.
static inline bool luna_is_memref(MlirType type) {
  return mlirTypeIsAMemRef(type);
}
/// Gives the memref type with another memory space (a null attribute for
/// none); shape, element type and layout stay.
MlirType luna_memref_with_space(MlirType type, MlirAttribute space);
/// Gives the bytes of an element type (i1 counts one), 0 for an unknown one.
int64_t luna_element_type_bytes(MlirType type);
/// Gives the bytes of a statically shaped tensor or memref (the product of its
/// extents, layout ignored); -1 when a dimension is dynamic, the element type
/// is not supported, or it overflows.
int64_t luna_shaped_bytes(MlirType type);
/// Gives offset and strides of a memref type, both in elements; false when one
/// of them is dynamic or the layout is not strided. `strides` takes `rank`.
bool luna_memref_layout(MlirType type, int64_t *offset, int64_t *strides);
/// Says whether the memref type has contiguous row-major strides (any static
/// offset).
bool luna_memref_is_contiguous(MlirType type);

/// Says whether two values are the same.
static inline bool luna_same_value(MlirValue a, MlirValue b) {
  return a.ptr == b.ptr;
}
/// Gives the op that defines `value`, or a null op for a block argument.
MlirOperation luna_defining_op(MlirValue value);

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// What luna_build makes: fill in what applies, the rest zero.
typedef struct LunaOpSpec {
  const char *name;
  MlirLocation location;
  const MlirValue *operands;
  intptr_t operand_count;
  const MlirType *results;
  intptr_t result_count;
  const MlirNamedAttribute *attributes;
  intptr_t attribute_count;
  MlirRegion *owned_regions;
  intptr_t region_count;
} LunaOpSpec;

/// Makes an op that is in no block yet; the caller inserts or destroys it.
MlirOperation luna_build(const LunaOpSpec *spec);
/// Makes an op and inserts it before `before`.
MlirOperation luna_build_before(MlirOperation before, const LunaOpSpec *spec);
/// Makes an op and inserts it after `after`.
MlirOperation luna_build_after(MlirOperation after, const LunaOpSpec *spec);
/// Inserts `op` before or after another op of a block.
void luna_insert_before(MlirOperation before, MlirOperation op);
void luna_insert_after(MlirOperation after, MlirOperation op);
/// Gives a named attribute.
MlirNamedAttribute luna_named(MlirContext context, const char *name,
                              MlirAttribute value);
/// Gives an i64, i32, string attribute.
MlirAttribute luna_i64_attr(MlirContext context, int64_t value);
MlirAttribute luna_i32_attr(MlirContext context, int32_t value);
MlirAttribute luna_string_attr(MlirContext context, const char *text);

/// Gives the only block of a region of `op`; a null block if it is empty.
MlirBlock luna_body(MlirOperation op, intptr_t region);
/// Makes a memref.alloc of `type`; `kind` becomes its `luna.kind`, unless NULL.
MlirValue luna_build_alloc(MlirOperation before, MlirType type,
                           const char *kind);
/// Makes a memref.copy.
MlirOperation luna_build_copy(MlirOperation before, MlirValue from,
                              MlirValue to);
/// Makes an index constant.
MlirValue luna_build_index(MlirOperation before, int64_t value);
/// Makes a memref.view of the bytes of `buffer` from `shift` (an index) on.
MlirValue luna_build_view(MlirOperation before, MlirValue buffer,
                          MlirValue shift, MlirType type);

//===----------------------------------------------------------------------===//
// Walking
//===----------------------------------------------------------------------===//

/// Calls `visit` for every op under `root` (not `root` itself) in program
/// order, parents before their regions. The op visited may be erased or moved
/// by `visit` only if it has no regions; ops may be inserted before it. Stops
/// and gives false as soon as `visit` does.
bool luna_walk(MlirOperation root, bool (*visit)(MlirOperation op, void *data),
               void *data);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_IR_H
