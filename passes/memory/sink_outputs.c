#include "sink_outputs.h"

#include "buffer_roots.h"
#include "luna/arena.h"
#include "mlir-c/BuiltinAttributes.h"
#include "structure.h"

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

// Returns the name of the state variable of an argument, or an empty reference.
static MlirStringRef state_of(MlirOperation func, MlirValue argument) {
  MlirAttribute name = luna_func_argument_attr(
      func, mlirBlockArgumentGetArgNumber(argument), "luna.state");
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name))
    return mlirStringRefCreate(NULL, 0);
  return mlirStringAttrGetValue(name);
}

// Returns the memref that `value` is, or is a part of.
static MlirValue whole_of(MlirValue value) {
  MlirOperation op = luna_output_view(value);
  return mlirOperationIsNull(op) ? value : mlirOperationGetOperand(op, 0);
}

MlirOperation luna_output_view(MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  bool is_view = luna_op_is(op, LUNA_OP_MEMREF_SUBVIEW);
  return is_view ? op : (MlirOperation){NULL};
}

MlirValue luna_other_state_argument(MlirOperation func, MlirValue target) {
  MlirValue argument = whole_of(target);
  MlirBlock entry = luna_entry_block(func);
  MlirStringRef name = state_of(func, argument);
  intptr_t count = mlirBlockGetNumArguments(entry);
  for (intptr_t i = 0; name.data && i < count; ++i) {
    MlirValue other = mlirBlockGetArgument(entry, i);
    if (!luna_same_value(other, argument) &&
        mlirStringRefEqual(state_of(func, other), name))
      return other;
  }
  return (MlirValue){NULL};
}

static bool is_function_argument(MlirValue value) {
  return mlirValueIsABlockArgument(value) &&
         luna_op_is(
             mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)),
             LUNA_OP_FUNC_FUNC);
}

bool luna_is_output_copy(MlirOperation op) {
  return luna_op_is(op, LUNA_OP_MEMREF_COPY) &&
         is_function_argument(whole_of(mlirOperationGetOperand(op, 1))) &&
         !is_function_argument(mlirOperationGetOperand(op, 0));
}

void luna_keep_view_at(MlirOperation copy) {
  MlirOperation view = luna_output_view(mlirOperationGetOperand(copy, 1));
  if (mlirOperationIsNull(view))
    return;
  if (luna_is_used_once(mlirOperationGetResult(view, 0))) {
    mlirOperationMoveBefore(view, copy);
    return;
  }
  view = mlirOperationClone(view);
  luna_insert_before(copy, view);
  mlirOperationSetOperand(copy, 1, mlirOperationGetResult(view, 0));
}

//===----------------------------------------------------------------------===//
// Matching copies that can move into branches
//===----------------------------------------------------------------------===//

static void note_value(MlirValue value, void *data) {
  MlirValue *wanted = data;
  if (luna_same_value(value, *wanted))
    *wanted = (MlirValue){NULL};
}

static bool touches_value(MlirOperation op, MlirValue value) {
  MlirValue wanted = value;
  luna_touched_values(op, note_value, &wanted);
  return mlirValueIsNull(wanted);
}

// Returns the scf.if whose result is the source of `copy` and has no other use,
// if no op between them reads the old value of the stored state; else a null
// op.
static MlirOperation branch_of(MlirOperation func, MlirOperation copy) {
  MlirValue source = mlirOperationGetOperand(copy, 0);
  MlirOperation branch = luna_defining_op(source), none = {NULL};
  if (!luna_op_is(branch, LUNA_OP_SCF_IF) ||
      !mlirBlockEqual(mlirOperationGetBlock(branch),
                      mlirOperationGetBlock(copy)))
    return none;
  MlirOpOperand use = mlirValueGetFirstUse(source);
  if (!mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    return none;
  MlirValue old =
      luna_other_state_argument(func, mlirOperationGetOperand(copy, 1));
  for (MlirOperation op = mlirOperationGetNextInBlock(branch);
       !mlirValueIsNull(old) && !mlirOperationEqual(op, copy);
       op = mlirOperationGetNextInBlock(op))
    if (touches_value(op, old))
      return none;
  return branch;
}

//===----------------------------------------------------------------------===//
// Sinking
//===----------------------------------------------------------------------===//
// Returns the copy that fills `buffer` with `old` if the buffer is an
// allocation whose only other use is the yield; else a null op.
static MlirOperation unchanged_fill(MlirValue buffer, MlirValue old) {
  MlirOperation alloc = luna_defining_op(buffer), fill = {NULL};
  if (mlirValueIsNull(old) || !luna_op_is(alloc, LUNA_OP_MEMREF_ALLOC))
    return fill;
  int uses = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    ++uses;
    if (luna_op_is(user, LUNA_OP_MEMREF_COPY) &&
        luna_same_value(mlirOperationGetOperand(user, 0), old))
      fill = user;
  }
  return uses == 2 ? fill : (MlirOperation){NULL};
}

static void store_in_branch(MlirOperation func, MlirOperation yield,
                            intptr_t index, MlirValue target,
                            LunaArena *arena) {
  MlirValue value = mlirOperationGetOperand(yield, index);
  MlirOperation fill =
      unchanged_fill(value, luna_other_state_argument(func, target));
  intptr_t count = mlirOperationGetNumOperands(yield), kept_count = 0;
  MlirValue *kept = LUNA_ARENA_ARRAY(arena, MlirValue, count);
  for (intptr_t i = 0; i < count; ++i)
    if (i != index)
      kept[kept_count++] = mlirOperationGetOperand(yield, i);
  if (mlirOperationIsNull(fill))
    luna_keep_view_at(luna_build_copy(yield, value, target));
  luna_build_before(yield, &(LunaOpSpec){.name = "scf.yield",
                                         .operands = kept,
                                         .operand_count = kept_count});
  mlirOperationDestroy(yield);
  if (!mlirOperationIsNull(fill)) {
    mlirOperationDestroy(fill);
    mlirOperationDestroy(luna_defining_op(value));
  }
}

// Rebuilds the scf.if without its unused result `index`.
static void drop_result(MlirOperation branch, intptr_t index,
                        LunaArena *arena) {
  intptr_t count = mlirOperationGetNumResults(branch), kept_count = 0;
  MlirType *types = LUNA_ARENA_ARRAY(arena, MlirType, count);
  for (intptr_t i = 0; i < count; ++i)
    if (i != index)
      types[kept_count++] = mlirValueGetType(mlirOperationGetResult(branch, i));
  MlirRegion regions[] = {mlirRegionCreate(), mlirRegionCreate()};
  for (intptr_t r = 0; r < 2; ++r)
    mlirRegionTakeBody(regions[r], mlirOperationGetRegion(branch, r));
  MlirValue condition = mlirOperationGetOperand(branch, 0);
  MlirOperation smaller =
      luna_build_before(branch, &(LunaOpSpec){.name = "scf.if",
                                              .operands = &condition,
                                              .operand_count = 1,
                                              .results = types,
                                              .result_count = kept_count,
                                              .owned_regions = regions,
                                              .region_count = 2});
  for (intptr_t i = 0, k = 0; i < count; ++i)
    if (i != index)
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(branch, i),
                                    mlirOperationGetResult(smaller, k++));
  mlirOperationDestroy(branch);
}

static bool sink_copy(MlirOperation func, MlirOperation copy,
                      LunaArena *arena) {
  MlirOperation branch = branch_of(func, copy);
  if (mlirOperationIsNull(branch))
    return false;
  MlirValue target = mlirOperationGetOperand(copy, 1);
  intptr_t index =
      mlirOpResultGetResultNumber(mlirOperationGetOperand(copy, 0));
  mlirOperationDestroy(copy);
  for (intptr_t r = 0; r < 2; ++r)
    store_in_branch(func, mlirBlockGetTerminator(luna_body(branch, r)), index,
                    target, arena);
  drop_result(branch, index, arena);
  MlirOperation view = luna_output_view(target);
  if (!mlirOperationIsNull(view) && !luna_has_uses(view))
    mlirOperationDestroy(view);
  return true;
}

//===----------------------------------------------------------------------===//
// All copies, outermost first
//===----------------------------------------------------------------------===//

static void sink_in_block(MlirOperation func, MlirBlock block,
                          LunaArena *arena) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op);) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (luna_is_output_copy(op))
      sink_copy(func, op, arena);
    op = next;
  }
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    for (intptr_t r = 0;
         luna_op_is(op, LUNA_OP_SCF_IF) && r < mlirOperationGetNumRegions(op);
         ++r)
      if (!mlirBlockIsNull(luna_body(op, r)))
        sink_in_block(func, luna_body(op, r), arena);
}

void luna_sink_outputs(MlirOperation func) {
  LunaArena arena = {0};
  sink_in_block(func, luna_entry_block(func), &arena);
  luna_arena_destroy(&arena);
}
