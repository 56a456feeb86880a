#include "bound_shapes.h"

#include "luna-c/build_generic.h"
#include "luna-c/build_scalar.h"

// Slices of a computed size, and their insertion: loops over all that there may
// be, with computed places.

typedef struct Slice {
  MlirValue offsets[LUNA_RANK_MAX], sizes[LUNA_RANK_MAX];
  int64_t strides[LUNA_RANK_MAX];
} Slice;

// An offset, size or stride of a slice: constant, or the next operand.
static MlirValue slice_number(const LunaBuilder *b, MlirOperation op,
                              int64_t number, intptr_t *operand) {
  return number == mlirShapedTypeGetDynamicSize()
             ? mlirOperationGetOperand(op, (*operand)++)
             : luna_scalar_index(b, number);
}

// Reads a slice of as many dimensions as its tensor; false for one of other
// strides than those that are handled.
static bool read_slice(const LunaBuilder *b, MlirOperation op, int rank,
                       Slice *slice) {
  int64_t offsets[LUNA_RANK_MAX], sizes[LUNA_RANK_MAX];
  bool is_insert = luna_op_is(op, LUNA_OP_TENSOR_INSERT_SLICE);
  intptr_t operand = is_insert ? 2 : 1;
  if (!luna_attr_ints(op, "static_offsets", offsets, rank) ||
      !luna_attr_ints(op, "static_sizes", sizes, rank) ||
      !luna_attr_ints(op, "static_strides", slice->strides, rank))
    return false;
  for (int d = 0; d < rank; ++d)
    slice->offsets[d] = slice_number(b, op, offsets[d], &operand);
  for (int d = 0; d < rank; ++d)
    slice->sizes[d] = slice_number(b, op, sizes[d], &operand);
  for (int d = 0; d < rank; ++d)
    if (slice->strides[d] < 1 || (is_insert && slice->strides[d] != 1))
      return false;
  return true;
}

// What is dead is read from where there is something.
bool luna_bound_extract_slice(LunaBounder *bounder, MlirOperation op) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirValue result = mlirOperationGetResult(op, 0);
  int rank = luna_rank_of(source),
      axis = luna_open_axis(mlirValueGetType(result));
  LunaBuilder b = luna_builder_before(op, op);
  Slice slice;
  MlirValue at[LUNA_RANK_MAX];
  if (luna_find_live(bounder, source) || axis < 0 ||
      luna_rank_of(result) != rank || !read_slice(&b, op, rank, &slice))
    return luna_refuse_open(op, axis);
  LunaShape shape = luna_shape_of(result);
  int64_t extent = luna_extent(source, axis), first = 0;
  luna_constant_number(slice.offsets[axis], &first);
  if (first >= 0 && first < extent)
    extent -= first;
  shape.dims[axis] = (extent - 1) / slice.strides[axis] + 1;
  MlirValue zero = luna_scalar_index(&b, 0);
  MlirValue count = luna_scalar_max(&b, slice.sizes[axis], zero);
  LunaGeneric generic = luna_generic(&b, &shape);
  luna_generic_result(&generic, luna_element_of(source));
  for (int d = 0; d < rank; ++d) {
    MlirValue index = luna_scalar_with(
        &b, "arith.muli", luna_generic_index(&generic, d), slice.strides[d]);
    at[d] = luna_scalar_add(&b, index, slice.offsets[d]);
    at[d] = luna_scalar_clamp(&b, at[d], 0, luna_extent(source, d) - 1);
  }
  MlirValue made =
      luna_generic_end(&generic, luna_scalar_extract(&b, source, at));
  luna_add_live(bounder, made, axis, count);
  mlirValueReplaceAllUsesOfWith(result, made);
  return true;
}

// Every element of the result is one of the slice if it lies in what is live
// of it.
bool luna_bound_insert_slice(LunaBounder *bounder, MlirOperation op) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirValue into = mlirOperationGetOperand(op, 1);
  const LunaLive *live = luna_find_live(bounder, source);
  LunaBuilder b = luna_builder_before(op, op);
  Slice slice;
  int rank = luna_rank_of(into);
  MlirValue at[LUNA_RANK_MAX], is_inside = {NULL};
  if (!live || luna_find_live(bounder, into) || luna_rank_of(source) != rank ||
      !read_slice(&b, op, rank, &slice))
    return luna_refuse_open(op, live ? live->axis : -1);
  slice.sizes[live->axis] = live->count;
  LunaGeneric generic = luna_generic_over(&b, into);
  MlirValue old = luna_generic_input(&generic, into);
  luna_generic_result(&generic, luna_element_of(into));
  for (int d = 0; d < rank; ++d) {
    MlirValue index =
        luna_scalar_sub(&b, luna_generic_index(&generic, d), slice.offsets[d]);
    MlirValue inside = luna_scalar_compare(&b, LUNA_LT, index, slice.sizes[d]);
    MlirValue behind =
        luna_scalar_compare(&b, LUNA_GE, index, luna_scalar_index(&b, 0));
    inside = luna_scalar(&b, "arith.andi", inside, behind);
    is_inside =
        d == 0 ? inside : luna_scalar(&b, "arith.andi", is_inside, inside);
    at[d] = luna_scalar_clamp(&b, index, 0, luna_extent(source, d) - 1);
  }
  MlirValue chosen = luna_scalar_select(
      &b, is_inside, luna_scalar_extract(&b, source, at), old);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0),
                                luna_generic_end(&generic, chosen));
  return true;
}
