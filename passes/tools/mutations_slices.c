// Faults in slices and views of buffers.

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mutation_search.h"

enum { CHOICES_MAX = 4, SHIFT = 1 };

typedef LunaMutationSearch Search;

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

// A memref.subview or memref.reinterpret_cast of static places.
typedef struct Slice {
  int64_t offsets[LUNA_RANK_MAX], sizes[LUNA_RANK_MAX], steps[LUNA_RANK_MAX];
  int64_t outer_offset, outer_strides[LUNA_RANK_MAX];
  intptr_t rank;
} Slice;

static bool read_slice(MlirOperation op, Slice *slice) {
  if (!luna_op_is(op, LUNA_OP_MEMREF_SUBVIEW))
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType result = mlirValueGetType(mlirOperationGetResult(op, 0));
  slice->rank = mlirShapedTypeGetRank(type);
  return mlirShapedTypeGetRank(result) == slice->rank &&
         luna_attr_ints(op, "static_offsets", slice->offsets, slice->rank) &&
         luna_attr_ints(op, "static_sizes", slice->sizes, slice->rank) &&
         luna_attr_ints(op, "static_strides", slice->steps, slice->rank) &&
         mlirOperationGetNumOperands(op) == 1 &&
         luna_memref_layout(type, &slice->outer_offset, slice->outer_strides);
}

// The op and the type of its result, after another offset or step.
static void write_slice(MlirOperation op, const Slice *slice) {
  MlirContext context = mlirOperationGetContext(op);
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirType old = mlirValueGetType(result);
  int64_t offset = slice->outer_offset, strides[LUNA_RANK_MAX];
  for (intptr_t d = 0; d < slice->rank; ++d) {
    offset += slice->offsets[d] * slice->outer_strides[d];
    strides[d] = slice->steps[d] * slice->outer_strides[d];
  }
  luna_set_attr(op, "static_offsets",
                mlirDenseI64ArrayGet(context, slice->rank, slice->offsets));
  luna_set_attr(op, "static_strides",
                mlirDenseI64ArrayGet(context, slice->rank, slice->steps));
  mlirValueSetType(
      result,
      mlirMemRefTypeGet(
          mlirShapedTypeGetElementType(old), slice->rank, slice->sizes,
          mlirStridedLayoutAttrGet(context, offset, slice->rank, strides),
          mlirMemRefTypeGetMemorySpace(old)));
}

static int64_t extent_of(MlirOperation op, intptr_t dim) {
  return mlirShapedTypeGetDimSize(
      mlirValueGetType(mlirOperationGetOperand(op, 0)), dim);
}

static void shift_slice(Search *search, MlirOperation op) {
  Slice slice;
  if (!read_slice(op, &slice))
    return;
  for (intptr_t d = 0; d < slice.rank; ++d)
    for (int64_t change = -1; change <= 1; change += 2) {
      int64_t first = slice.offsets[d] + change;
      int64_t last = first + (slice.sizes[d] - 1) * slice.steps[d];
      if (first < 0 || last >= extent_of(op, d) ||
          !luna_mutation_take(search, op))
        continue;
      slice.offsets[d] = first;
      write_slice(op, &slice);
      return;
    }
}

static void stretch_slice(Search *search, MlirOperation op) {
  Slice slice;
  if (!read_slice(op, &slice))
    return;
  for (intptr_t d = 0; d < slice.rank; ++d) {
    int64_t last = slice.offsets[d] + (slice.sizes[d] - 1) * slice.steps[d] * 2;
    if (slice.sizes[d] < 2 || last >= extent_of(op, d) ||
        !luna_mutation_take(search, op))
      continue;
    slice.steps[d] *= 2;
    write_slice(op, &slice);
    return;
  }
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

// Byte shifts of a memref.view: of it, and the largest that fits.
static bool read_view(MlirOperation op, int64_t *shift, int64_t *largest) {
  if (!luna_op_is(op, LUNA_OP_MEMREF_VIEW) ||
      !luna_constant_number(mlirOperationGetOperand(op, SHIFT), shift))
    return false;
  *largest =
      luna_shaped_bytes(mlirValueGetType(mlirOperationGetOperand(op, 0))) -
      luna_shaped_bytes(mlirValueGetType(mlirOperationGetResult(op, 0)));
  return true;
}

// Shifts a view by powers of two below `end`.
static void misalign_below(Search *search, MlirOperation op, int64_t end) {
  int64_t shift = 0, largest = 0;
  if (!read_view(op, &shift, &largest))
    return;
  for (int64_t step = 1; step < end; step *= 2)
    for (int sign = -1; sign <= 1; sign += 2)
      if (shift + sign * step >= 0 && shift + sign * step <= largest &&
          luna_mutation_set_number(search, op, SHIFT, shift + sign * step))
        return;
}

static void misalign_view(Search *search, MlirOperation op) {
  misalign_below(search, op, 16);
}

// Elements of several bytes that do not lie at a multiple of their size.
static void misalign_elements(Search *search, MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_MEMREF_VIEW))
    misalign_below(search, op,
                   luna_element_type_bytes(mlirShapedTypeGetElementType(
                       mlirValueGetType(mlirOperationGetResult(op, 0)))));
}

static void leave_buffer(Search *search, MlirOperation op) {
  int64_t shift = 0, largest = 0;
  if (!read_view(op, &shift, &largest))
    return;
  const int64_t shifts[] = {largest + 1, largest + 16, INT64_MAX,
                            INT64_MAX - 63, -16};
  for (int i = 0; i < 5; ++i)
    if (luna_mutation_set_number(search, op, SHIFT, shifts[i]))
      return;
}

static bool is_view_or_slice(MlirOperation op) {
  return LUNA_OP_IS_ANY(op, LUNA_OP_MEMREF_VIEW, LUNA_OP_MEMREF_SUBVIEW);
}

// Another part of the same buffer.
static void take_other_part(Search *search, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i), others[CHOICES_MAX];
    MlirOperation part = luna_defining_op(value);
    if (!is_view_or_slice(part))
      continue;
    uint32_t count = luna_mutation_alternatives(op, value, others, CHOICES_MAX);
    for (uint32_t k = 0; k < count; ++k)
      if (is_view_or_slice(luna_defining_op(others[k])) &&
          luna_mutation_set(search, op, i, others[k]))
        return;
  }
}

static const LunaMutation rows[] = {
    {.name = "slice-shifted", .visit = shift_slice},
    {.name = "slice-stretched", .visit = stretch_slice},
    {.name = "view-misaligned", .visit = misalign_view},
    {.name = "view-outside", .visit = leave_buffer, .is_wrong = true},
    {.name = "part-exchanged", .visit = take_other_part},
    {.name = "bare-view-misaligned",
     .visit = misalign_elements,
     .is_wrong = true,
     .is_bare = true},
    {.name = "bare-view-outside",
     .visit = leave_buffer,
     .is_wrong = true,
     .is_bare = true},
};

const LunaMutationTable luna_mutations_of_slices = {rows, sizeof rows /
                                                              sizeof rows[0]};
