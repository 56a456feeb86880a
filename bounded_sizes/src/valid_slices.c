// Slices of a computed size, and their insertion: loops over all that there may
// be, with computed places.

#include "valid_rules.h"

#include "luna-c/build_generic.h"
#include "luna-c/build_scalar.h"

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

// A slice whose sizes are constants, as upstream writes it for tosa.scatter:
// its type folds later.
static bool has_known_sizes(MlirOperation op) {
  int64_t counts[4], number; // of tensors, offsets, sizes and strides
  if (!luna_attr_ints(op, "operandSegmentSizes", counts, 4))
    return false;
  for (int64_t i = 0; i < counts[2]; ++i)
    if (!luna_constant_number(
            mlirOperationGetOperand(op, (intptr_t)(counts[0] + counts[1] + i)),
            &number))
      return false;
  return true;
}

// How many indices a slice may have at most.
static int64_t bound_of(const Slice *slice, int axis, int64_t extent) {
  int64_t first = 0;
  luna_constant_number(slice->offsets[axis], &first);
  if (first >= 0 && first < extent)
    extent -= first;
  return (extent - 1) / slice->strides[axis] + 1;
}

// The slice over its bound. What is dead is read from where there is something.
static MlirValue build_slice(LunaBuilder *b, MlirValue source,
                             const Slice *slice, const LunaShape *shape) {
  MlirValue at[LUNA_RANK_MAX];
  LunaGeneric generic = luna_generic(b, shape);
  luna_generic_result(&generic, luna_element_of(source));
  for (int d = 0; d < shape->rank; ++d) {
    MlirValue index = luna_scalar_with(
        b, "arith.muli", luna_generic_index(&generic, d), slice->strides[d]);
    at[d] = luna_scalar_add(b, index, slice->offsets[d]);
    at[d] = luna_scalar_clamp(b, at[d], 0, luna_extent(source, d) - 1);
  }
  return luna_generic_end(&generic, luna_scalar_extract(b, source, at));
}

// A slice of a known size of what is valid: in a program whose types are open
// it says that so much is; else it takes all of the valid dimension.
static bool follow_static(LunaValidLengths *lengths, MlirOperation op,
                          const LunaValidLength *valid, const Slice *slice) {
  int64_t first, size, bound = luna_extent(valid->value, valid->axis);
  bool is_known = luna_constant_number(slice->offsets[valid->axis], &first) &&
                  luna_constant_number(slice->sizes[valid->axis], &size);
  bool is_whole = is_known && first == 0 && size == bound &&
                  slice->strides[valid->axis] == 1;
  if (is_whole)
    luna_valid_set(lengths, mlirOperationGetResult(op, 0), valid, valid->axis);
  if (is_whole ||
      (lengths->has_open_types && !(is_known && first > bound - size)))
    return true;
  return luna_valid_refuse(lengths, valid, "a part of it is taken");
}

bool luna_valid_rule_extract_slice(LunaValidLengths *lengths,
                                   MlirOperation op) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirValue result = mlirOperationGetResult(op, 0);
  const LunaValidLength *valid = luna_valid_find(lengths, source);
  if (!valid && has_known_sizes(op))
    return true;
  int rank = luna_rank_of(source);
  int axis = luna_valid_open_axis(mlirValueGetType(result));
  LunaBuilder b = luna_builder_before(op, op);
  Slice slice;
  if (luna_rank_of(result) != rank || !read_slice(&b, op, rank, &slice))
    return luna_valid_refuse_axis(lengths, axis);
  if (valid && mlirShapedTypeHasStaticShape(mlirValueGetType(result)))
    return follow_static(lengths, op, valid, &slice);
  if (axis < 0 || (valid && valid->axis != axis))
    return luna_valid_refuse_axis(lengths, -1);
  LunaShape shape = luna_shape_of(result);
  shape.dims[axis] = bound_of(&slice, axis, luna_extent(source, axis));
  // A slice lies in its tensor.
  MlirValue count =
      luna_scalar_clamp(&b, slice.sizes[axis], 0, shape.dims[axis]);
  MlirValue made = build_slice(&b, source, &slice, &shape);
  luna_valid_set(
      lengths, made,
      &(LunaValidLength){.count = count, .stated = slice.sizes[axis]}, axis);
  luna_valid_replace(lengths, op, 0, made);
  return true;
}

// Every element of the result is one of the slice if it lies in what is valid
// of it.
static MlirValue build_insert(LunaBuilder *b, MlirValue source, MlirValue into,
                              const Slice *slice) {
  MlirValue at[LUNA_RANK_MAX], is_inside = {NULL};
  LunaGeneric generic = luna_generic_over(b, into);
  MlirValue old = luna_generic_input(&generic, into);
  luna_generic_result(&generic, luna_element_of(into));
  for (int d = 0; d < luna_rank_of(into); ++d) {
    MlirValue index =
        luna_scalar_sub(b, luna_generic_index(&generic, d), slice->offsets[d]);
    MlirValue inside = luna_scalar_compare(b, LUNA_LT, index, slice->sizes[d]);
    MlirValue behind =
        luna_scalar_compare(b, LUNA_GE, index, luna_scalar_index(b, 0));
    inside = luna_scalar(b, "arith.andi", inside, behind);
    is_inside =
        d == 0 ? inside : luna_scalar(b, "arith.andi", is_inside, inside);
    at[d] = luna_scalar_clamp(b, index, 0, luna_extent(source, d) - 1);
  }
  MlirValue chosen =
      luna_scalar_select(b, is_inside, luna_scalar_extract(b, source, at), old);
  return luna_generic_end(&generic, chosen);
}

bool luna_valid_rule_insert_slice(LunaValidLengths *lengths, MlirOperation op) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirValue into = mlirOperationGetOperand(op, 1);
  const LunaValidLength *valid = luna_valid_find(lengths, source);
  const LunaValidLength *target = luna_valid_find(lengths, into);
  LunaBuilder b = luna_builder_before(op, op);
  Slice slice;
  int rank = luna_rank_of(into);
  if (!valid && !target) // A slice of known sizes, whose type is still open.
    return true;
  if (luna_rank_of(source) != rank || !read_slice(&b, op, rank, &slice))
    return luna_valid_refuse(lengths, valid ? valid : target,
                             "this operator is not supported for it");
  if (valid)
    slice.sizes[valid->axis] = valid->count;
  MlirValue made = build_insert(&b, source, into, &slice);
  if (target)
    luna_valid_set(lengths, made, target, target->axis);
  luna_valid_replace(lengths, op, 0, made);
  return true;
}
