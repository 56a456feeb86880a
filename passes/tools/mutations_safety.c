// Faults that lose bytes: waits, starts, offsets, sizes, yields.

#include "mutation_search.h"

#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { YIELD_CHOICES_MAX = 3 };

static const MlirOperation no_op = {NULL};

static bool is_null(MlirOperation op) { return mlirOperationIsNull(op); }
static bool same(MlirOperation a, MlirOperation b) { return a.ptr == b.ptr; }

//===----------------------------------------------------------------------===//
// Reading the program
//===----------------------------------------------------------------------===//

// Returns true if a value starts where its allocation does.
static bool starts_at_root(MlirValue value) {
  for (;;) {
    MlirOperation op = luna_defining_op(value);
    if (is_null(op) || luna_op_is(op, LUNA_OP_MEMREF_ALLOC))
      return !is_null(op);
    if (luna_op_is(op, LUNA_OP_MEMREF_VIEW)) {
      MlirOperation shift = luna_defining_op(mlirOperationGetOperand(op, 1));
      if (is_null(shift) || luna_attr_int(shift, "value", -1) != 0)
        return false;
    } else if (!LUNA_OP_IS_ANY(op, LUNA_OP_MEMREF_COLLAPSE_SHAPE,
                               LUNA_OP_MEMREF_EXPAND_SHAPE)) {
      return false;
    }
    value = mlirOperationGetOperand(op, 0);
  }
}

// Ops that read all operands but the last and write the last one whole.
static bool is_transfer_or_compute(MlirOperation op) {
  return luna_op_is_unit(op) ||
         LUNA_OP_IS_ANY(op, LUNA_OP_MEMREF_COPY, LUNA_OP_LUNA_DMA_START);
}

static bool is_structured(MlirOperation op) {
  return mlirOperationGetNumRegions(op) > 0 &&
         !luna_op_in_dialect(op, LUNA_DIALECT_LINALG);
}

// Ops that access their operands; others rename or choose them.
static bool is_access(MlirOperation op) {
  return is_transfer_or_compute(op) ||
         luna_op_in_dialect(op, LUNA_DIALECT_LINALG) ||
         LUNA_OP_IS_ANY(op, LUNA_OP_MEMREF_LOAD, LUNA_OP_MEMREF_STORE);
}

// Returns true if one of the first `count` operands lies in an allocation.
static bool uses(MlirOperation op, intptr_t count, MlirOperation alloc) {
  for (intptr_t i = 0; !is_null(alloc) && i < count; ++i)
    if (same(luna_mutation_root(mlirOperationGetOperand(op, i)), alloc))
      return true;
  return false;
}

static bool touches(MlirOperation op, MlirOperation alloc) {
  return is_access(op) && uses(op, mlirOperationGetNumOperands(op), alloc);
}

// The operand that a transfer or unit operator writes: its last one.
static MlirValue written_operand(MlirOperation op) {
  return mlirOperationGetOperand(op, mlirOperationGetNumOperands(op) - 1);
}

static MlirOperation written_by(MlirOperation op) {
  if (!is_transfer_or_compute(op))
    return no_op;
  return luna_mutation_root(written_operand(op));
}

static bool reads(MlirOperation op, MlirOperation alloc) {
  return is_transfer_or_compute(op) &&
         uses(op, mlirOperationGetNumOperands(op) - 1, alloc);
}

static MlirOperation start_of(MlirOperation wait) {
  MlirOperation start = luna_defining_op(mlirOperationGetOperand(wait, 0));
  return !is_null(start) && luna_op_is(start, LUNA_OP_LUNA_DMA_START) ? start
                                                                      : no_op;
}

static MlirOperation next_of(MlirOperation op) {
  return mlirOperationGetNextInBlock(op);
}

//===----------------------------------------------------------------------===//
// Waits and starts
//===----------------------------------------------------------------------===//

static void delete_wait(LunaMutationSearch *search, MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_LUNA_DMA_WAIT) && !is_null(start_of(op)) &&
      luna_mutation_take(search, op))
    mlirOperationDestroy(op);
}

static void double_wait(LunaMutationSearch *search, MlirOperation op) {
  if (luna_op_is(op, LUNA_OP_LUNA_DMA_WAIT) && !is_null(start_of(op)) &&
      luna_mutation_take(search, op))
    luna_insert_after(op, mlirOperationClone(op));
}

// Behind what first touches the transfer's ends.
static void move_wait(LunaMutationSearch *search, MlirOperation op) {
  MlirOperation start = no_op;
  if (luna_op_is(op, LUNA_OP_LUNA_DMA_WAIT))
    start = start_of(op);
  if (is_null(start))
    return;
  MlirOperation source = luna_mutation_root(mlirOperationGetOperand(start, 0));
  MlirOperation target = luna_mutation_root(mlirOperationGetOperand(start, 1));
  for (MlirOperation next = next_of(op);
       !is_null(next) && !is_structured(next) && !is_null(next_of(next));
       next = next_of(next)) {
    bool writes_source = !is_null(source) && same(written_by(next), source);
    if (!writes_source && !touches(next, target))
      continue;
    if (luna_mutation_take(search, op))
      mlirOperationMoveAfter(op, next);
    return;
  }
}

static bool same_source(MlirOperation a, MlirOperation b) {
  MlirStringRef p =
      luna_attr_symbol(luna_defining_op(mlirOperationGetOperand(a, 0)), "name");
  MlirStringRef q =
      luna_attr_symbol(luna_defining_op(mlirOperationGetOperand(b, 0)), "name");
  return p.data != NULL && q.data != NULL && mlirStringRefEqual(p, q);
}

static bool is_start_into(MlirOperation op, MlirOperation alloc) {
  return luna_op_is(op, LUNA_OP_LUNA_DMA_START) && same(written_by(op), alloc);
}

// Returns true if the buffer held just this content before.
static bool repeats_content(MlirOperation start, MlirOperation alloc) {
  for (MlirOperation op = lunaOperationGetPrevInBlock(start); !is_null(op);
       op = lunaOperationGetPrevInBlock(op))
    if (is_start_into(op, alloc))
      return is_null(luna_defining_op(mlirOperationGetOperand(op, 0))) ||
             is_null(luna_defining_op(mlirOperationGetOperand(start, 0))) ||
             same_source(op, start);
  return false;
}

// A start and its wait go behind the operator that reads what they bring.
static void move_start(LunaMutationSearch *search, MlirOperation wait) {
  MlirOperation start = no_op;
  if (luna_op_is(wait, LUNA_OP_LUNA_DMA_WAIT))
    start = start_of(wait);
  if (is_null(start) ||
      mlirOperationGetBlock(start).ptr != mlirOperationGetBlock(wait).ptr)
    return;
  MlirOperation target = written_by(start);
  if (is_null(target) || repeats_content(start, target))
    return;
  for (MlirOperation next = next_of(wait);
       !is_null(next) && !is_structured(next) && !is_start_into(next, target);
       next = next_of(next)) {
    if (!reads(next, target))
      continue;
    if (luna_mutation_take(search, wait)) {
      mlirOperationMoveAfter(start, next);
      mlirOperationMoveAfter(wait, start);
    }
    return;
  }
}

//===----------------------------------------------------------------------===//
// Places and sizes
//===----------------------------------------------------------------------===//

// Returns true if moving what `writer` writes onto `victim` breaks the victim's
// first bytes.
static bool can_move_onto(const LunaMutationSearch *search,
                          MlirOperation writer, MlirOperation victim) {
  MlirOperation moved = written_by(writer);
  if (is_null(moved) || !starts_at_root(written_operand(writer)) ||
      luna_mutation_id(moved) == luna_mutation_id(victim) ||
      luna_mutation_bytes(moved) <= 0)
    return false;
  int64_t offset = luna_mutation_place(victim).offset_bytes;
  return luna_mutation_place(moved).offset_bytes != offset &&
         offset + luna_mutation_bytes(moved) <=
             luna_attr_int(search->func, "luna.arena_bytes", 0);
}

// Between the last write of an operand and this read of it, in one block,
// stands an op that writes another buffer: that buffer moves onto the operand.
static void move_onto(LunaMutationSearch *search, MlirOperation reader,
                      MlirValue operand) {
  MlirOperation victim = luna_mutation_root(operand), writer = no_op;
  if (is_null(victim) || !starts_at_root(operand))
    return;
  for (MlirOperation op = lunaOperationGetPrevInBlock(reader); !is_null(op);
       op = lunaOperationGetPrevInBlock(op)) {
    if (is_structured(op) || same(op, victim))
      return;
    if (same(written_by(op), victim))
      break;
    if (is_null(writer) && can_move_onto(search, op, victim))
      writer = op;
  }
  if (!is_null(writer) && luna_mutation_take(search, reader))
    luna_mutation_move(search, luna_mutation_id(written_by(writer)),
                       luna_mutation_id(written_by(writer)),
                       luna_mutation_place(victim).offset_bytes);
}

static void move_offset(LunaMutationSearch *search, MlirOperation op) {
  if (!is_transfer_or_compute(op))
    return;
  for (intptr_t i = 0; i + 1 < mlirOperationGetNumOperands(op); ++i)
    move_onto(search, op, mlirOperationGetOperand(op, i));
}

// Returns true if operand `index` of `op` must keep the type of a buffer: what
// is filled by a transfer, what leaves a region.
static bool needs_type(MlirOperation op, intptr_t index) {
  return luna_op_is(op, LUNA_OP_LUNA_DMA_START)
             ? index == 1
             : luna_op_is(op, LUNA_OP_LUNA_YIELD);
}

// Shrinks a staging buffer below the largest transfer into it. Transfers into
// the buffer itself go through a view from then on, and so do yields.
static void shrink_to(LunaMutationSearch *search, MlirOperation alloc,
                      int64_t bytes) {
  MlirValue value = mlirOperationGetResult(alloc, 0);
  MlirType old = mlirValueGetType(value);
  MlirType type = mlirMemRefTypeGet(mlirShapedTypeGetElementType(old), 1,
                                    &bytes, mlirAttributeGetNull(),
                                    mlirMemRefTypeGetMemorySpace(old));
  for (uint32_t i = 0; i < search->ops.count; ++i) {
    MlirOperation op = search->ops.items[i];
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
      if (needs_type(op, k) &&
          luna_same_value(mlirOperationGetOperand(op, k), value))
        mlirOperationSetOperand(
            op, k, luna_build_view(op, value, luna_build_index(op, 0), old));
  }
  mlirValueSetType(value, type);
}

static bool is_staging(MlirOperation op) {
  return luna_op_is(op, LUNA_OP_MEMREF_ALLOC) &&
         luna_allocation_kind(op) == LUNA_ALLOCATION_STAGING;
}

// Branches may each allocate a buffer: whether `alloc` is the first of its.
static bool is_first_of_buffer(const LunaMutationSearch *search,
                               MlirOperation alloc) {
  for (uint32_t i = 0; i < search->ops.count; ++i)
    if (is_staging(search->ops.items[i]) &&
        luna_mutation_id(search->ops.items[i]) == luna_mutation_id(alloc))
      return mlirOperationEqual(search->ops.items[i], alloc);
  return false;
}

static int64_t largest_start(const LunaMutationSearch *search,
                             MlirOperation alloc) {
  int64_t largest = 0;
  for (uint32_t i = 0; i < search->ops.count; ++i)
    if (is_start_into(search->ops.items[i], alloc)) {
      int64_t bytes = luna_shaped_bytes(
          mlirValueGetType(mlirOperationGetOperand(search->ops.items[i], 1)));
      largest = bytes > largest ? bytes : largest;
    }
  return largest;
}

static void shrink_staging(LunaMutationSearch *search, MlirOperation alloc) {
  if (!is_staging(alloc) || !is_first_of_buffer(search, alloc))
    return;
  int64_t largest = largest_start(search, alloc);
  if (largest <= 4 || !luna_mutation_take(search, alloc))
    return;
  for (uint32_t i = 0; i < search->ops.count; ++i)
    if (is_staging(search->ops.items[i]) &&
        luna_mutation_id(search->ops.items[i]) == luna_mutation_id(alloc))
      shrink_to(search, search->ops.items[i],
                largest > 32 ? largest - 16 : largest - 4);
}

//===----------------------------------------------------------------------===//
// Yields
//===----------------------------------------------------------------------===//

static void redirect_yield(LunaMutationSearch *search, MlirOperation yield) {
  if (!luna_op_is(yield, LUNA_OP_SCF_YIELD))
    return;
  MlirOperation branch = mlirOperationGetParentOperation(yield);
  if (!luna_is_branch(branch))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i) {
    MlirValue value = mlirOperationGetOperand(yield, i);
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(branch, i));
    if (luna_is_memref(mlirValueGetType(value)) && !mlirOpOperandIsNull(use) &&
        !is_null(luna_mutation_root(value)))
      luna_mutation_redirect(search, yield, i, YIELD_CHOICES_MAX);
  }
}

//===----------------------------------------------------------------------===//
// The kinds
//===----------------------------------------------------------------------===//

static const LunaMutation rows[] = {
    {.name = "wait-deleted", .visit = delete_wait},
    {.name = "wait-doubled", .visit = double_wait},
    {.name = "wait-moved", .visit = move_wait},
    {.name = "start-moved", .visit = move_start},
    {.name = "offset-moved", .visit = move_offset},
    {.name = "staging-shrunk", .visit = shrink_staging},
    {.name = "yield-redirected", .visit = redirect_yield},
    {.name = "bare-wait-deleted", .visit = delete_wait, .is_bare = true},
    {.name = "bare-wait-doubled", .visit = double_wait, .is_bare = true},
    {.name = "bare-wait-moved", .visit = move_wait, .is_bare = true},
    {.name = "bare-offset-moved", .visit = move_offset, .is_bare = true},
    {.name = "bare-staging-shrunk", .visit = shrink_staging, .is_bare = true},
};

const LunaMutationTable luna_mutations_of_safety = {rows, sizeof rows /
                                                              sizeof rows[0]};
