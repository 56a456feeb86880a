#include "outline.h"

#include "host_cost.h"
#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===----------------------------------------------------------------------===//
// What the operator uses
//===----------------------------------------------------------------------===//

static bool is_inside(MlirOperation op, MlirValue value) {
  MlirOperation owner =
      mlirValueIsABlockArgument(value)
          ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
          : mlirOperationGetParentOperation(mlirOpResultGetOwner(value));
  while (!mlirOperationIsNull(owner)) {
    if (mlirOperationEqual(owner, op))
      return true;
    owner = mlirOperationGetParentOperation(owner);
  }
  return false;
}

static void capture(LunaOutline *outline, MlirValue value, int32_t access) {
  for (uint64_t i = 0; i < outline->captures.count; ++i) {
    LunaCapture *known = &outline->captures.items[i];
    if (luna_same_value(known->value, value)) {
      known->access |= access;
      return;
    }
  }
  LunaCapture *added =
      LUNA_VECTOR_ADD(&outline->run->arena, &outline->captures);
  added->value = value;
  added->access = access;
}

static bool visit_inner(MlirOperation op, void *data) {
  LunaOutline *outline = data;
  bool is_store = luna_op_is(op, LUNA_OP_MEMREF_STORE);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (is_inside(outline->op, operand))
      continue;
    bool is_target = is_store && i == 1;
    capture(outline, operand,
            !luna_is_memref(mlirValueGetType(operand)) ? 0
            : is_target                                ? LUNA_ACCESS_WRITE
                                                       : LUNA_ACCESS_READ);
  }
  return true;
}

LunaOutline luna_outline_of(LunaLowering *run, MlirOperation op) {
  LunaOutline outline = {.run = run, .op = op};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    capture(&outline, operand, luna_host_access(op, i));
  }
  luna_walk(op, visit_inner, &outline);
  return outline;
}

bool luna_is_constant(MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  return luna_op_is(op, LUNA_OP_ARITH_CONSTANT);
}

//===----------------------------------------------------------------------===//
// The types in which its function receives that
//===----------------------------------------------------------------------===//

static bool is_row_major(const int64_t *shape, const int64_t *strides,
                         intptr_t rank) {
  int64_t expected = 1;
  for (intptr_t i = rank; i-- > 0; expected *= shape[i])
    if (strides[i] != expected)
      return false;
  return true;
}

// Returns the memref type without memory space and with offset 0; one type for
// all that have these strides.
static MlirType plain_type(MlirType type) {
  int64_t strides[LUNA_RANK_MAX], shape[LUNA_RANK_MAX], origin = 0;
  intptr_t rank = mlirShapedTypeGetRank(type);
  luna_memref_strides(type, &origin, strides);
  for (intptr_t i = 0; i < rank; ++i)
    shape[i] = mlirShapedTypeGetDimSize(type, i);
  MlirAttribute layout = is_row_major(shape, strides, rank)
                             ? mlirAttributeGetNull()
                             : mlirStridedLayoutAttrGet(
                                   mlirTypeGetContext(type), 0, rank, strides);
  return mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), rank, shape,
                           layout, mlirAttributeGetNull());
}

// Returns the same with all sizes and strides open; a scalar has none.
static MlirType open_type(MlirType type) {
  int64_t open[LUNA_RANK_MAX], strides[LUNA_RANK_MAX];
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (rank == 0)
    return plain_type(type);
  for (intptr_t i = 0; i < rank; ++i) {
    open[i] = mlirShapedTypeGetDynamicSize();
    strides[i] = mlirShapedTypeGetDynamicStrideOrOffset();
  }
  return mlirMemRefTypeGet(
      mlirShapedTypeGetElementType(type), rank, open,
      mlirStridedLayoutAttrGet(mlirTypeGetContext(type), 0, rank, strides),
      mlirAttributeGetNull());
}

static bool is_not_memref_op(MlirOperation op, void *data) {
  (void)data;
  return !luna_op_in_dialect(op, LUNA_DIALECT_MEMREF);
}

// True if the sizes of the operator can be arguments: they are in the types of
// its memrefs alone, and in the boxes of these.
static bool can_take_sizes(const LunaOutline *outline) {
  MlirOperation op = outline->op;
  for (uint64_t i = 0; i < outline->captures.count; ++i) {
    const LunaCapture *captured = &outline->captures.items[i];
    MlirType type = mlirValueGetType(captured->value);
    if (luna_is_memref(type) &&
        (captured->access == 0 || mlirShapedTypeGetRank(type) > LUNA_BOX_RANK))
      return false;
  }
  return (luna_op_in_dialect(op, LUNA_DIALECT_LINALG) ||
          luna_op_is(op, LUNA_OP_MEMREF_COPY)) &&
         luna_walk(op, is_not_memref_op, NULL);
}

static void set_types(LunaOutline *outline, bool takes_sizes) {
  for (uint64_t i = 0; i < outline->captures.count; ++i) {
    LunaCapture *captured = &outline->captures.items[i];
    captured->type = mlirValueGetType(captured->value);
    if (luna_is_memref(captured->type))
      captured->type =
          takes_sizes ? open_type(captured->type) : plain_type(captured->type);
  }
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static LunaKernelValue *list_values(const LunaOutline *outline) {
  LunaKernelValue *values = LUNA_ARENA_ARRAY(
      &outline->run->arena, LunaKernelValue, outline->captures.count);
  for (uint64_t i = 0; i < outline->captures.count; ++i) {
    MlirValue value = outline->captures.items[i].value;
    values[i] = (LunaKernelValue){
        .value = value,
        .type = outline->captures.items[i].type,
    };
    if (luna_is_constant(value))
      values[i].constant = luna_attr(luna_defining_op(value), "value");
  }
  return values;
}

// Adds the record of the operator, with the types of its captures, to a set.
// Returns its index; `unique` is the record of an operator that has none.
static uint32_t add_record(const LunaOutline *outline, LunaRecordSet *set,
                           uint64_t unique) {
  LunaLowering *run = outline->run;
  LunaText record = {0};
  if (!luna_kernel_record(outline->op, list_values(outline),
                          outline->captures.count, &run->texts, &run->arena,
                          &record))
    luna_record_number(&record, unique); // it shares with none
  uint32_t index =
      luna_record_add(set, &run->arena, record.data, record.length);
  luna_text_deinit(&record);
  return index;
}

void luna_outline_note_sizes(LunaLowering *run, MlirOperation op) {
  LunaOutline outline = luna_outline_of(run, op);
  if (!can_take_sizes(&outline))
    return;
  set_types(&outline, false);
  uint32_t sized =
      add_record(&outline, &run->sized_records, run->sized_records.added);
  set_types(&outline, true);
  uint32_t open =
      add_record(&outline, &run->open_records, run->open_records.added);
  if (open == run->open_sizes.count)
    *LUNA_VECTOR_ADD(&run->arena, &run->open_sizes) =
        (LunaLoweringSizes){.first = sized};
  LunaLoweringSizes *sizes = &run->open_sizes.items[open];
  sizes->are_several |= sizes->first != sized;
}

// Returns true if some operator differs from this one in sizes alone.
static bool has_several_sizes(const LunaOutline *outline) {
  LunaLowering *run = outline->run;
  uint32_t open =
      add_record(outline, &run->open_records, run->open_records.added);
  return open < run->open_sizes.count &&
         run->open_sizes.items[open].are_several;
}

uint32_t luna_outline_kernel(LunaOutline *outline) {
  LunaLowering *run = outline->run;
  bool takes_sizes = run->has_size_arguments && can_take_sizes(outline);
  set_types(outline, takes_sizes);
  if (takes_sizes && !has_several_sizes(outline))
    set_types(outline, false);
  return add_record(outline, &run->kernel_records, run->kernels.count);
}
