// Faults in the operands of operators: views, buffers, tilings, scratch.

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mutation_search.h"

enum { GRANULE_BYTES = 16, CHOICES_MAX = 2 };

// Fields of a tiling, in the order of LunaTiling.
enum { SCRATCH_BYTES = 7, SLOTS = 9, TILING_FIELDS };

typedef LunaMutationSearch Search;

static bool computes(MlirOperation op) {
  return luna_op_is_unit(op) || luna_op_in_dialect(op, LUNA_DIALECT_LINALG);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static void shift_view(Search *search, MlirOperation op) {
  int64_t shift = 0;
  if (!luna_op_is(op, LUNA_OP_MEMREF_VIEW) ||
      !luna_constant_number(mlirOperationGetOperand(op, 1), &shift))
    return;
  int64_t bytes =
      luna_shaped_bytes(mlirValueGetType(mlirOperationGetResult(op, 0)));
  int64_t room =
      luna_shaped_bytes(mlirValueGetType(mlirOperationGetOperand(op, 0)));
  const int64_t shifts[] = {shift + GRANULE_BYTES, shift - GRANULE_BYTES};
  for (int i = 0; i < 2; ++i)
    if (shifts[i] >= 0 && shifts[i] + bytes <= room &&
        luna_mutation_set_number(search, op, 1, shifts[i]))
      return;
}

static void take_other_operand(Search *search, MlirOperation op) {
  if (!computes(op))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (luna_is_memref(mlirValueGetType(mlirOperationGetOperand(op, i))))
      luna_mutation_redirect(search, op, i, CHOICES_MAX);
}

//===----------------------------------------------------------------------===//
// Buffers that are one
//===----------------------------------------------------------------------===//

// Puts the buffer of `value` over that of `other`, under its id.
static void merge(Search *search, MlirOperation op, MlirValue value,
                  MlirValue other) {
  if (mlirValueIsNull(value) || mlirValueIsNull(other))
    return;
  MlirOperation moved = luna_mutation_root(value);
  MlirOperation victim = luna_mutation_root(other);
  if (mlirOperationIsNull(moved) || mlirOperationIsNull(victim))
    return;
  LunaPlacement place = luna_mutation_place(victim);
  if (luna_mutation_id(moved) == place.id ||
      place.offset_bytes + luna_mutation_bytes(moved) >
          luna_attr_int(search->func, "luna.arena_bytes", 0) ||
      !luna_mutation_take(search, op))
    return;
  luna_mutation_move(search, luna_mutation_id(moved), place.id,
                     place.offset_bytes);
}

static void alias_scratch(Search *search, MlirOperation op) {
  if (!luna_op_is_unit(op))
    return;
  MlirValue scratch = luna_unit_operand(op, LUNA_ROLE_SCRATCH);
  merge(search, op, scratch, luna_unit_operand(op, LUNA_ROLE_INPUT));
  merge(search, op, scratch, luna_unit_output(op));
}

static void compute_in_place(Search *search, MlirOperation op) {
  if (luna_op_is_unit(op))
    merge(search, op, luna_unit_output(op),
          luna_unit_operand(op, LUNA_ROLE_INPUT));
}

// Two inputs of one operator.
static void share_id(Search *search, MlirOperation op) {
  if (!computes(op))
    return;
  for (intptr_t i = 0; i + 2 < mlirOperationGetNumOperands(op); ++i)
    if (luna_is_memref(mlirValueGetType(mlirOperationGetOperand(op, i))) &&
        luna_is_memref(mlirValueGetType(mlirOperationGetOperand(op, i + 1))))
      merge(search, op, mlirOperationGetOperand(op, i),
            mlirOperationGetOperand(op, i + 1));
}

//===----------------------------------------------------------------------===//
// Tilings and scratch
//===----------------------------------------------------------------------===//

// The last field is not there with one slot.
static bool read_tiling(MlirOperation op, int32_t fields[TILING_FIELDS]) {
  int64_t wide[TILING_FIELDS] = {0};
  if (!luna_op_is_tiled(op) ||
      (!luna_attr_ints(op, "tiling", wide, TILING_FIELDS) &&
       !luna_attr_ints(op, "tiling", wide, SLOTS)))
    return false;
  for (int i = 0; i < TILING_FIELDS; ++i)
    fields[i] = (int32_t)wide[i];
  return true;
}

static void set_tiling(MlirOperation op, const int32_t *fields) {
  luna_set_attr(op, "tiling",
                mlirDenseI32ArrayGet(mlirOperationGetContext(op),
                                     fields[SLOTS] > 1 ? TILING_FIELDS : SLOTS,
                                     fields));
}

// Fields that are tiles get each of these values.
static void break_tiling(Search *search, MlirOperation op) {
  static const int32_t values[] = {0, -1, 30000};
  int32_t fields[TILING_FIELDS];
  if (!read_tiling(op, fields))
    return;
  for (int field = 0; field < 6; ++field)
    for (int i = 0; i < 3; ++i)
      if (luna_mutation_take(search, op)) {
        fields[field] = values[i];
        set_tiling(op, fields);
        return;
      }
}

static void resize_tile(Search *search, MlirOperation op, bool grows) {
  int32_t fields[TILING_FIELDS];
  if (!read_tiling(op, fields))
    return;
  for (int field = 0; field < 6; ++field)
    if ((grows || fields[field] > 1) && luna_mutation_take(search, op)) {
      fields[field] = grows ? fields[field] * 2 : fields[field] / 2;
      set_tiling(op, fields);
      return;
    }
}

static void double_tile(Search *search, MlirOperation op) {
  resize_tile(search, op, true);
}

static void halve_tile(Search *search, MlirOperation op) {
  resize_tile(search, op, false);
}

static void remove_tiling(Search *search, MlirOperation op) {
  int32_t fields[TILING_FIELDS];
  if (read_tiling(op, fields) && luna_mutation_take(search, op))
    mlirOperationRemoveAttributeByName(op, luna_str("tiling"));
}

// More tiles in the same scratch.
static void add_slot(Search *search, MlirOperation op) {
  int32_t fields[TILING_FIELDS];
  if (!read_tiling(op, fields) || fields[SCRATCH_BYTES] == 0 ||
      !luna_mutation_take(search, op))
    return;
  fields[SLOTS] = fields[SLOTS] > 1 ? fields[SLOTS] + 1 : 2;
  set_tiling(op, fields);
}

// Both the buffer and what the tiling says of it.
static void halve_scratch(Search *search, MlirOperation op) {
  int32_t fields[TILING_FIELDS];
  if (!read_tiling(op, fields))
    return;
  MlirValue scratch = luna_unit_operand(op, LUNA_ROLE_SCRATCH);
  if (mlirValueIsNull(scratch))
    return;
  MlirType type = mlirValueGetType(scratch);
  int64_t count = mlirShapedTypeGetDimSize(type, 0) / 2;
  if (mlirShapedTypeGetRank(type) != 1 || count == 0 ||
      mlirOperationIsNull(luna_defining_op(scratch)) ||
      !luna_op_is(luna_defining_op(scratch), LUNA_OP_MEMREF_ALLOC) ||
      !luna_mutation_take(search, op))
    return;
  mlirValueSetType(scratch,
                   mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), 1,
                                     &count, mlirMemRefTypeGetLayout(type),
                                     mlirMemRefTypeGetMemorySpace(type)));
  fields[SCRATCH_BYTES] /= 2;
  set_tiling(op, fields);
}

static const LunaMutation rows[] = {
    {.name = "view-shifted", .visit = shift_view},
    {.name = "operand-exchanged", .visit = take_other_operand},
    {.name = "in-place", .visit = compute_in_place},
    {.name = "id-shared", .visit = share_id},
    {.name = "scratch-aliased", .visit = alias_scratch},
    {.name = "scratch-halved", .visit = halve_scratch},
    {.name = "tiling-illegal", .visit = break_tiling},
    {.name = "tiling-doubled", .visit = double_tile},
    {.name = "tiling-halved", .visit = halve_tile},
    {.name = "tiling-removed", .visit = remove_tiling},
    {.name = "slot-added", .visit = add_slot},
    {.name = "bare-in-place", .visit = compute_in_place, .is_bare = true},
    {.name = "bare-scratch-aliased", .visit = alias_scratch, .is_bare = true},
    {.name = "bare-scratch-halved", .visit = halve_scratch, .is_bare = true},
    {.name = "bare-tiling-illegal", .visit = break_tiling, .is_bare = true},
};

const LunaMutationTable luna_mutations_of_operators = {
    rows, sizeof rows / sizeof rows[0]};
