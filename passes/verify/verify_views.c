// Views: operators whose result is a memref of the same memory.

#include <string.h>

#include "luna-c/ops.h"
#include "luna/checked.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "verify_machine.h"

// How a view changes the place.
typedef enum ViewKind {
  VIEW_SAME,       // another type for the same elements in the same order
  VIEW_REORDER,    // the same elements in another order
  VIEW_SUBVIEW,    // offsets count in the strides of the source
  VIEW_FROM_START, // offset counts from the start of the buffer
  VIEW_BYTES,      // memref.view
} ViewKind;

static const struct {
  LunaOpName name;
  ViewKind kind;
} views[] = {
    {LUNA_OP_MEMREF_CAST, VIEW_SAME},
    {LUNA_OP_MEMREF_MEMORY_SPACE_CAST, VIEW_SAME},
    {LUNA_OP_MEMREF_COLLAPSE_SHAPE, VIEW_SAME},
    {LUNA_OP_MEMREF_EXPAND_SHAPE, VIEW_SAME},
    {LUNA_OP_MEMREF_TRANSPOSE, VIEW_REORDER},
    {LUNA_OP_MEMREF_SUBVIEW, VIEW_SUBVIEW},
    {LUNA_OP_MEMREF_REINTERPRET_CAST, VIEW_FROM_START},
    {LUNA_OP_MEMREF_VIEW, VIEW_BYTES},
};

enum { VIEW_COUNT = sizeof views / sizeof views[0] };

static int view_index(MlirOperation op) {
  for (int i = 0; i < VIEW_COUNT; ++i)
    if (luna_op_is(op, views[i].name))
      return i;
  return VIEW_COUNT;
}

bool luna_side_is_view(MlirOperation op) { return view_index(op) < VIEW_COUNT; }

// What is known of the offset of a view.
typedef enum Offset { OFFSET_KNOWN, OFFSET_OPEN, OFFSET_TOO_LARGE } Offset;

static Offset add_scaled(int64_t number, int64_t scale, int64_t *bytes) {
  int64_t distance = 0;
  return luna_checked_mul_signed(number, scale, &distance) &&
                 luna_checked_add_signed(*bytes, distance, bytes)
             ? OFFSET_KNOWN
             : OFFSET_TOO_LARGE;
}

// Adds the offset of a view in bytes, unless it is known only at run time.
static Offset add_offset(const LunaPlace *source, MlirOperation op,
                         ViewKind kind, int64_t *bytes) {
  if (kind == VIEW_SAME || kind == VIEW_REORDER)
    return OFFSET_KNOWN;
  int64_t number = 0;
  if (kind == VIEW_BYTES)
    return luna_constant_number(mlirOperationGetOperand(op, 1), &number)
               ? add_scaled(number, 1, bytes)
               : OFFSET_OPEN;
  if (kind == VIEW_FROM_START)
    *bytes = source->buffer->begin_bytes;
  MlirAttribute offsets = luna_attr(op, "static_offsets");
  intptr_t operand = 1;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(offsets); ++i) {
    number = mlirDenseI64ArrayGetElement(offsets, i);
    if (mlirShapedTypeIsDynamicStrideOrOffset(number) &&
        !luna_constant_number(mlirOperationGetOperand(op, operand++), &number))
      return OFFSET_OPEN;
    int64_t scale =
        kind == VIEW_SUBVIEW ? source->strides[i] : source->element_bytes;
    if (add_scaled(number, scale, bytes) == OFFSET_TOO_LARGE)
      return OFFSET_TOO_LARGE;
  }
  return OFFSET_KNOWN;
}

// The term that identifies the part of the source that a view shows.
static LunaTerm window_of(LunaSide *side, const LunaPlace *source,
                          MlirOperation op) {
  LunaRecord record = luna_record_window(side, source);
  luna_record_view(&record, op);
  return luna_record_finish(&record);
}

static const LunaPlace *refuse(LunaSide *side, MlirOperation op) {
  luna_side_fail(side, op,
                 "view of dynamic extents or strides, or beyond the largest "
                 "address, cannot be compared with the program");
  return NULL;
}

static const LunaPlace *view_place(LunaSide *side, const LunaPlace *source,
                                   void *data) {
  MlirOperation op = *(MlirOperation *)data;
  ViewKind kind = views[view_index(op)].kind;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  int64_t offset = source->offset_bytes;
  bool is_cast = luna_op_is(op, LUNA_OP_MEMREF_CAST);
  if (is_cast || (source->window && kind == VIEW_SAME))
    return source;
  Offset known =
      source->window ? OFFSET_OPEN : add_offset(source, op, kind, &offset);
  if (known == OFFSET_TOO_LARGE)
    return refuse(side, op);
  if (known == OFFSET_KNOWN) {
    const LunaPlace *seen = luna_side_point(side, type, source->buffer, offset);
    return seen ? seen : refuse(side, op);
  }
  int64_t window_bytes = luna_shaped_bytes(type);
  if (window_bytes < 0)
    return refuse(side, op);
  LunaPlace *part = LUNA_ARENA_ARRAY(side->arena, LunaPlace, 1);
  *part = *source;
  part->window = window_of(side, source, op);
  part->window_bytes = window_bytes;
  return part;
}

bool luna_side_view(LunaSide *side, MlirOperation op) {
  const LunaPointer *source = luna_side_pointer(side, op, 0);
  if (!source)
    return refuse(side, op) != NULL;
  const LunaPointer *result = luna_pointer_map(side, source, view_place, &op);
  if (!result)
    return false;
  luna_side_set(side, mlirOperationGetResult(op, 0),
                (LunaMeaning){.pointer = result});
  return true;
}
