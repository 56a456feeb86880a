// Views: operators whose result is a memref of the same memory.

#include <string.h>

#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "validate_side.h"

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

// Adds the offset of a view in bytes; false if it is known only at run time.
static bool add_offset(const LunaPlace *source, MlirOperation op, ViewKind kind,
                       int64_t *bytes) {
  if (kind == VIEW_SAME || kind == VIEW_REORDER)
    return true;
  int64_t number = 0;
  if (kind == VIEW_BYTES) {
    if (!luna_constant_number(mlirOperationGetOperand(op, 1), &number))
      return false;
    *bytes += number;
    return true;
  }
  if (kind == VIEW_FROM_START)
    *bytes = source->base_bytes;
  MlirAttribute offsets = luna_attr(op, "static_offsets");
  intptr_t operand = 1;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(offsets); ++i) {
    number = mlirDenseI64ArrayGetElement(offsets, i);
    if (mlirShapedTypeIsDynamicStrideOrOffset(number) &&
        !luna_constant_number(mlirOperationGetOperand(op, operand++), &number))
      return false;
    *bytes += number * (kind == VIEW_SUBVIEW ? source->strides[i]
                                             : source->element_bytes);
  }
  return true;
}

// The term that identifies the part of the source that a view shows.
static LunaTerm window_of(LunaSide *side, const LunaPlace *source,
                          MlirOperation op, MlirType type) {
  enum { WORDS_MAX = 12 + 2 * LUNA_RANK_MAX };
  uint64_t words[WORDS_MAX] = {LUNA_TERM_SCALAR, source->window};
  uint32_t count = 2;
  uint64_t loops = luna_term_loops(side->terms, source->window);
  words[count++] = (uint64_t)(uintptr_t)mlirOperationGetName(op).ptr;
  words[count++] = (uint64_t)(uintptr_t)luna_tensor_like(
                       mlirValueGetType(mlirOperationGetOperand(op, 0)))
                       .ptr;
  static const char *const attributes[] = {"static_offsets", "static_sizes",
                                           "static_strides", "permutation"};
  for (int i = 0; i < 4; ++i)
    words[count++] = (uint64_t)(uintptr_t)luna_attr(op, attributes[i]).ptr;
  words[count++] = (uint64_t)luna_shaped_bytes(type);
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op) && count < WORDS_MAX;
       ++i) {
    LunaTerm term = luna_side_get(side, mlirOperationGetOperand(op, i)).term;
    words[count++] = term;
    loops |= luna_term_loops(side->terms, term);
  }
  return luna_term(side->terms, words, count, loops);
}

static const LunaPointer *view_place(LunaSide *side, const LunaPlace *source,
                                     MlirOperation op, ViewKind kind) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  int64_t offset = source->offset_bytes;
  if (source->window && kind == VIEW_SAME) {
    LunaPointer *same = LUNA_ARENA_ARRAY(side->arena, LunaPointer, 1);
    same->place = *source;
    return same;
  }
  if (!source->window && add_offset(source, op, kind, &offset)) {
    LunaPointer *seen = luna_side_point(side, type, source->memory, offset);
    if (seen) {
      seen->place.base_bytes = source->base_bytes;
      seen->place.freshness = source->freshness;
      seen->place.buffer_bytes = source->buffer_bytes;
    }
    return seen;
  }
  int64_t window_bytes = luna_shaped_bytes(type);
  if (window_bytes < 0)
    return NULL;
  LunaPointer *part = LUNA_ARENA_ARRAY(side->arena, LunaPointer, 1);
  part->place = *source;
  part->place.window = window_of(side, source, op, type);
  part->place.window_bytes = window_bytes;
  return part;
}

static const LunaPointer *view_pointer(LunaSide *side,
                                       const LunaPointer *source,
                                       MlirOperation op, ViewKind kind) {
  if (source->condition == LUNA_TERM_UNDEFINED)
    return view_place(side, &source->place, op, kind);
  const LunaPointer *a = view_pointer(side, source->sides[0], op, kind);
  const LunaPointer *b = view_pointer(side, source->sides[1], op, kind);
  return a && b ? luna_side_choose(side, source->condition, a, b) : NULL;
}

bool luna_side_view(LunaSide *side, MlirOperation op) {
  const LunaPointer *source =
      luna_side_get(side, mlirOperationGetOperand(op, 0)).pointer;
  const LunaPointer *result =
      source ? view_pointer(side, source, op, views[view_index(op)].kind)
             : NULL;
  if (!result) {
    luna_emit_error(op, "view of dynamic extents or strides cannot be "
                        "compared with the program");
    return false;
  }
  luna_side_set(side, mlirOperationGetResult(op, 0),
                (LunaMeaning){.pointer = result});
  return true;
}
