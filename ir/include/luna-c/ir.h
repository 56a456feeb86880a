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

#include "luna-c/op_names.h"
#include "luna/arena.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns a string reference to a C string.
static inline MlirStringRef luna_str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

/// Returns the full name, e.g. "luna.conv2d".
const char *luna_op_name(LunaOpName name);
/// Returns true if `op` has this name; false for a null op.
bool luna_op_is(MlirOperation op, LunaOpName name);
/// Returns true if `op` has one of `count` names, or of the names listed; false
/// for a null op.
bool luna_op_is_any(MlirOperation op, const LunaOpName *names, size_t count);
#define LUNA_OP_IS_ANY(op, ...)                                                \
  luna_op_is_any(op, (const LunaOpName[]){__VA_ARGS__},                        \
                 sizeof((const LunaOpName[]){__VA_ARGS__}) /                   \
                     sizeof(LunaOpName))
/// Returns true if `op` is an operation of the dialect; false for a null op.
bool luna_op_in_dialect(MlirOperation op, LunaDialectName dialect);
/// Returns true if `op` declares, reads or writes a variable of TOSA.
bool luna_op_is_variable(MlirOperation op);

//===----------------------------------------------------------------------===//
// Attributes: a wrong kind reads as absent
//===----------------------------------------------------------------------===//

/// Returns the attribute `name` of `op`, inherent or discardable, or null.
MlirAttribute luna_attr(MlirOperation op, const char *name);
/// Returns an integer attribute, or `absent`.
int64_t luna_attr_int(MlirOperation op, const char *name, int64_t absent);
/// Reads `count` entries of a dense i64 or i32 array attribute. Returns false
/// and leaves `values` unchanged if it is absent or of another length.
bool luna_attr_ints(MlirOperation op, const char *name, int64_t *values,
                    intptr_t count);
/// Returns a string attribute, or an empty reference (data NULL).
MlirStringRef luna_attr_string(MlirOperation op, const char *name);
/// Returns the symbol of a flat symbol reference, or an empty reference.
MlirStringRef luna_attr_symbol(MlirOperation op, const char *name);

/// Sets a discardable or inherent attribute.
void luna_set_attr(MlirOperation op, const char *name, MlirAttribute value);
/// Sets an i64 attribute.
void luna_set_int(MlirOperation op, const char *name, int64_t value);
/// Sets a string attribute.
void luna_set_string(MlirOperation op, const char *name, const char *value);

/// Returns the name that the location of `op` gives it, or a null string.
MlirStringRef luna_given_name(MlirOperation op);
/// Returns that name, else the kind of op it is, as func.call.
MlirStringRef luna_given_name_or_kind(MlirOperation op);

//===----------------------------------------------------------------------===//
// Values and types
//===----------------------------------------------------------------------===//

/// The maximum rank of a tensor or memref in a model. The pass adaptor refuses
/// types above it, so that shapes and strides fit arrays of this size.
enum { LUNA_RANK_MAX = 16 };

/// Returns true if the type is a memref.
static inline bool luna_is_memref(MlirType type) {
  return mlirTypeIsAMemRef(type);
}
/// Returns the memref type with another memory space (a null attribute for
/// none); shape, element type and layout stay.
MlirType luna_memref_with_space(MlirType type, MlirAttribute space);
/// Returns the memref type with contiguous row-major strides; shape, element
/// type and memory space are those of a memref or tensor type of static shape.
MlirType luna_memref_contiguous(MlirType like);
/// Returns the size of an element type in bytes (1 for i1), or 0 if it is not
/// supported.
int64_t luna_element_type_bytes(MlirType type);
/// Returns the size in bytes of a statically shaped tensor or memref (the
/// product of its extents; the layout is ignored), or -1 if a dimension is
/// dynamic, the element type is not supported, or on overflow.
int64_t luna_shaped_bytes(MlirType type);
/// Writes the offset and the strides of a memref type, in elements. Returns
/// false if one of them is dynamic or the layout is not strided. `strides` has
/// `rank` entries.
bool luna_memref_layout(MlirType type, int64_t *offset, int64_t *strides);
/// Returns the same, but leaves what is dynamic marked as such; false if the
/// layout is not strided.
bool luna_memref_strides(MlirType type, int64_t *offset, int64_t *strides);
/// Returns true if the memref type has contiguous row-major strides (any static
/// offset).
bool luna_memref_is_contiguous(MlirType type);
/// Returns true if the memref type has static strides and every byte from its
/// first element on is one of it: row-major, or its dimensions permuted.
bool luna_memref_is_dense(MlirType type);

/// Returns true if two values are the same.
static inline bool luna_same_value(MlirValue a, MlirValue b) {
  return a.ptr == b.ptr;
}
/// Returns the op that defines `value`, or a null op for a block argument.
MlirOperation luna_defining_op(MlirValue value);
/// Returns true if an operand of some op is `value`.
bool luna_is_used(MlirValue value);
/// Returns true if exactly one operand is `value`.
bool luna_is_used_once(MlirValue value);
/// Returns true if a result of `op` is used.
bool luna_has_uses(MlirOperation op);
/// Returns the value of the tosa.const or arith.constant that defines `value`,
/// or null.
MlirAttribute luna_constant_value(MlirValue value);
/// Returns true, and the number, if `value` is an integer or index constant
/// of arith.
bool luna_constant_number(MlirValue value, int64_t *number);
/// Returns the dimension in which `op` accesses an element at a constant index
/// that its tensor or memref does not have, and writes index and extent; -1 if
/// there is none. Knows tensor.extract and insert, memref.load and store.
intptr_t luna_index_outside(MlirOperation op, int64_t *index, int64_t *extent);

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// The op that luna_build creates. Leave what does not apply zero.
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

/// Creates an op without inserting it; the caller inserts or destroys it.
MlirOperation luna_build(const LunaOpSpec *spec);
/// Creates an op and inserts it before `before`, whose location it has where
/// `spec` gives none.
MlirOperation luna_build_before(MlirOperation before, const LunaOpSpec *spec);
/// Inserts an op of one result, without regions, before `before` and at its
/// location, and returns the result; the other with attributes.
MlirValue luna_build_value(MlirOperation before, const char *name,
                           MlirType type, intptr_t operand_count,
                           const MlirValue *operands);
MlirValue luna_build_value_with(MlirOperation before, const char *name,
                                MlirType type, intptr_t operand_count,
                                const MlirValue *operands,
                                intptr_t attribute_count,
                                const MlirNamedAttribute *attributes);
/// Inserts `op` before or after another op of a block.
void luna_insert_before(MlirOperation before, MlirOperation op);
void luna_insert_after(MlirOperation after, MlirOperation op);
/// Returns a named attribute.
MlirNamedAttribute luna_named(MlirContext context, const char *name,
                              MlirAttribute value);
/// Returns an i64, i32, string attribute.
MlirAttribute luna_i64_attr(MlirContext context, int64_t value);
MlirAttribute luna_i32_attr(MlirContext context, int32_t value);
MlirAttribute luna_string_attr(MlirContext context, const char *text);

/// Returns the only block of region `region` of `op`, which has that region; a
/// null block if it is empty.
MlirBlock luna_body(MlirOperation op, intptr_t region);

/// Returns the first function of a module that has a body, or a null op.
MlirOperation luna_first_function(MlirModule module);

/// Elements of a dimension: `count` from `first` on, `step` apart.
typedef struct LunaStrided {
  int64_t first, count, step;
} LunaStrided;

/// Creates the memref.subview of a memref of static layout that has these
/// elements of dimension `dim` and all of the others.
MlirValue luna_build_subview(MlirOperation before, MlirValue memref,
                             intptr_t dim, LunaStrided slice);

/// Creates a memref.alloc of `type` with `luna.kind` set to `kind`, unless that
/// is NULL.
MlirValue luna_build_alloc(MlirOperation before, MlirType type,
                           const char *kind);
/// Creates a memref.copy.
MlirOperation luna_build_copy(MlirOperation before, MlirValue from,
                              MlirValue to);
/// Creates an index constant.
MlirValue luna_build_index(MlirOperation before, int64_t value);
/// Creates a memref.reinterpret_cast of `memref` to a type of static layout.
MlirValue luna_build_reinterpret(MlirOperation before, MlirValue memref,
                                 MlirType type);
/// Creates a memref.view of `buffer` that starts at byte `shift` (an index).
MlirValue luna_build_view(MlirOperation before, MlirValue buffer,
                          MlirValue shift, MlirType type);

//===----------------------------------------------------------------------===//
// More results
//===----------------------------------------------------------------------===//

/// Appends `count` values to the terminator of `block`.
void luna_add_yields(LunaArena *arena, MlirBlock block, const MlirValue *values,
                     intptr_t count);

/// Replaces `op` by an op with `count` more results, of the types of `values`,
/// which its blocks already yield. Returns the new op.
MlirOperation luna_add_results(LunaArena *arena, MlirOperation op,
                               const MlirValue *values, intptr_t count);

/// Replaces `loop`, an scf.for or scf.while, by one that carries `count` more
/// values, at first `inits`: the last arguments of its blocks and its last
/// results. Its terminators are to get their next values by luna_add_yields.
/// Returns the new op.
MlirOperation luna_add_carried(LunaArena *arena, MlirOperation loop,
                               const MlirValue *inits, intptr_t count);

//===----------------------------------------------------------------------===//
// Walking
//===----------------------------------------------------------------------===//

/// Calls `visit` for every op under `root` (not `root` itself) in program
/// order, parents before their regions. What a luna.program holds is a record
/// and not visited. The op visited may be erased or moved by `visit` only if it
/// has no regions; ops may be inserted before it. Stops and returns false as
/// soon as `visit` returns false.
bool luna_walk(MlirOperation root, bool (*visit)(MlirOperation op, void *data),
               void *data);

/// Erases the operators under `root` whose results nobody uses, if they do
/// nothing else: those of arith, linalg, math, tensor and tosa.
void luna_erase_unused(MlirOperation root);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_IR_H
