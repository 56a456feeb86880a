#include "loop_buffers.h"

#include "luna-c/ops.h"
#include "luna/arena.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structure.h"

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

static MlirValue build_alloc_like(MlirOperation before, MlirType like) {
  int64_t shape[LUNA_RANK_MAX];
  intptr_t rank = mlirShapedTypeGetRank(like);
  for (intptr_t i = 0; i < rank; ++i)
    shape[i] = mlirShapedTypeGetDimSize(like, i);
  MlirType type =
      mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(like), rank,
                                  shape, mlirMemRefTypeGetMemorySpace(like));
  return luna_build_alloc(before, type, NULL);
}

// `value` as `type`: itself, or a cast.
static MlirValue as_type(MlirOperation before, MlirValue value, MlirType type) {
  if (mlirTypeEqual(mlirValueGetType(value), type))
    return value;
  MlirOperation cast = luna_build_before(
      before, &(LunaOpSpec){.name = "memref.cast",
                            .location = mlirOperationGetLocation(before),
                            .operands = &value,
                            .operand_count = 1,
                            .results = &type,
                            .result_count = 1});
  return mlirOperationGetResult(cast, 0);
}

//===----------------------------------------------------------------------===//
// Finding the carried buffer
//===----------------------------------------------------------------------===//

// Returns the allocation behind `value`, through casts and region results, or a
// null op.
static MlirOperation alloc_of(MlirValue value) {
  MlirOperation op = luna_defining_op(value);
  while (!mlirOperationIsNull(op)) {
    if (luna_op_is(op, LUNA_OP_MEMREF_ALLOC))
      return op;
    if (luna_op_is(op, LUNA_OP_MEMREF_CAST)) {
      value = mlirOperationGetOperand(op, 0);
    } else if (luna_op_is(op, LUNA_OP_LUNA_REGION)) {
      MlirBlock body = luna_body(op, 0);
      value = mlirOperationGetOperand(mlirBlockGetTerminator(body),
                                      mlirOpResultGetResultNumber(value));
    } else {
      return (MlirOperation){NULL};
    }
    op = luna_defining_op(value);
  }
  return op;
}

// Finds the value that is `value` under another name at a use: the result of a
// view or select, or that which a terminator forwards. Returns false if there
// may be several.
static bool find_alias(MlirOpOperand use, MlirValue *alias) {
  MlirOperation owner = mlirOpOperandGetOwner(use);
  intptr_t number = mlirOpOperandGetOperandNumber(use);
  *alias = (MlirValue){NULL};
  if (luna_op_is(owner, LUNA_OP_LUNA_YIELD) ||
      luna_op_is(owner, LUNA_OP_SCF_YIELD)) {
    MlirOperation parent = mlirOperationGetParentOperation(owner);
    *alias = mlirOperationGetResult(parent, number);
    return !luna_is_loop(parent);
  }
  if (luna_op_is(owner, LUNA_OP_SCF_FOR)) {
    *alias = mlirOperationGetResult(owner, number - 3);
    return true;
  }
  if (luna_op_is(owner, LUNA_OP_SCF_CONDITION) ||
      luna_op_is(owner, LUNA_OP_SCF_WHILE))
    return false;
  if (mlirOperationGetNumResults(owner) == 1 &&
      luna_is_memref(mlirValueGetType(mlirOperationGetResult(owner, 0))))
    *alias = mlirOperationGetResult(owner, 0);
  return true;
}

// Returns true if all uses of `value` and of its aliases precede `loop` in its
// block, except the loop's own operands, which it counts.
static bool precedes(MlirValue value, MlirOperation loop, int *loop_uses) {
  MlirBlock block = mlirOperationGetBlock(loop);
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation owner = mlirOpOperandGetOwner(use);
    MlirValue alias;
    if (mlirOperationEqual(owner, loop)) {
      ++*loop_uses;
      continue;
    }
    MlirOperation ancestor = luna_ancestor_in_block(owner, block);
    bool leaves =
        mlirOperationIsNull(ancestor) && luna_op_is(owner, LUNA_OP_LUNA_YIELD);
    if (!leaves && (mlirOperationIsNull(ancestor) ||
                    !mlirOperationIsBeforeInBlock(ancestor, loop)))
      return false;
    if (!find_alias(use, &alias) ||
        (!mlirValueIsNull(alias) && !precedes(alias, loop, loop_uses)))
      return false;
  }
  return true;
}

static bool is_only_used_before(MlirValue value, MlirOperation loop) {
  int loop_uses = 0;
  return precedes(value, loop, &loop_uses) && loop_uses <= 1;
}

//===----------------------------------------------------------------------===//
// One loop
//===----------------------------------------------------------------------===//

typedef struct Loop {
  MlirOperation op;
  intptr_t first_operand;  // of the initial values
  MlirBlock header;        // whose arguments carry the values
  intptr_t first_argument; // of the carried values
  MlirOperation yield;     // passes them on to the next iteration
  intptr_t count;
} Loop;

static Loop describe(MlirOperation op) {
  bool is_for = luna_op_is(op, LUNA_OP_SCF_FOR);
  Loop loop = {.op = op, .first_operand = is_for ? 3 : 0};
  loop.header = luna_body(op, 0);
  loop.first_argument = is_for ? 1 : 0;
  loop.yield = mlirBlockGetTerminator(luna_body(op, is_for ? 0 : 1));
  loop.count = mlirBlockGetNumArguments(loop.header) - loop.first_argument;
  return loop;
}

// Returns the buffer that carries value `i`, initialised, after replacing the
// loop's argument by it.
static MlirValue carry_in(const Loop *loop, intptr_t i) {
  intptr_t operand = loop->first_operand + i;
  MlirValue initial = mlirOperationGetOperand(loop->op, operand);
  MlirValue argument =
      mlirBlockGetArgument(loop->header, loop->first_argument + i);
  MlirValue carried = initial;
  MlirOperation alloc = alloc_of(initial);
  bool is_own = !mlirOperationIsNull(alloc) &&
                is_only_used_before(mlirOperationGetResult(alloc, 0), loop->op);
  if (!is_own) {
    carried = build_alloc_like(loop->op, mlirValueGetType(initial));
    luna_build_copy(loop->op, initial, carried);
    carried = as_type(loop->op, carried, mlirValueGetType(initial));
    mlirOperationSetOperand(loop->op, operand, carried);
  }
  mlirValueReplaceAllUsesOfWith(argument, carried);
  return carried;
}

// Returns true if the iteration allocates `value`. Any other value may be a
// carried buffer that another copy overwrites.
static bool is_allocated_in(const Loop *loop, MlirValue value) {
  MlirOperation alloc = alloc_of(value);
  MlirBlock body = mlirOperationGetBlock(loop->yield);
  return !mlirOperationIsNull(alloc) &&
         !mlirOperationIsNull(luna_ancestor_in_block(alloc, body));
}

static void carry_out(const Loop *loop, const MlirValue *carried,
                      LunaArena *arena) {
  MlirValue *sources = LUNA_ARENA_ARRAY(arena, MlirValue, loop->count);
  for (intptr_t i = 0; i < loop->count; ++i) {
    sources[i] = (MlirValue){NULL};
    if (mlirValueIsNull(carried[i]))
      continue;
    MlirValue yielded = mlirOperationGetOperand(loop->yield, i);
    if (luna_same_value(yielded, carried[i]))
      continue;
    sources[i] = yielded;
    if (!is_allocated_in(loop, yielded)) {
      sources[i] = build_alloc_like(loop->yield, mlirValueGetType(yielded));
      luna_build_copy(loop->yield, yielded, sources[i]);
    }
  }
  for (intptr_t i = 0; i < loop->count; ++i) {
    if (mlirValueIsNull(sources[i]))
      continue;
    MlirType type = mlirValueGetType(mlirOperationGetOperand(loop->yield, i));
    luna_build_copy(loop->yield, sources[i], carried[i]);
    mlirOperationSetOperand(loop->yield, i,
                            as_type(loop->yield, carried[i], type));
  }
}

// Returns true if every carried buffer is coalesced already.
static bool is_coalesced(const Loop *loop) {
  for (intptr_t i = 0; i < loop->count; ++i) {
    MlirValue initial =
        mlirOperationGetOperand(loop->op, loop->first_operand + i);
    MlirValue argument =
        mlirBlockGetArgument(loop->header, loop->first_argument + i);
    MlirValue yielded = mlirOperationGetOperand(loop->yield, i);
    if (luna_is_memref(mlirValueGetType(initial)) &&
        (!luna_same_value(initial, yielded) ||
         !mlirOpOperandIsNull(mlirValueGetFirstUse(argument))))
      return false;
  }
  return true;
}

static bool coalesce_loop(MlirOperation op, void *data) {
  LunaArena *arena = data;
  if (!luna_is_loop(op))
    return true;
  Loop loop = describe(op);
  if (is_coalesced(&loop))
    return true;
  MlirValue *carried = LUNA_ARENA_ARRAY(arena, MlirValue, loop.count);
  for (intptr_t i = 0; i < loop.count; ++i) {
    MlirValue initial = mlirOperationGetOperand(op, loop.first_operand + i);
    bool is_buffer = luna_is_memref(mlirValueGetType(initial));
    carried[i] = is_buffer ? carry_in(&loop, i) : (MlirValue){NULL};
  }
  carry_out(&loop, carried, arena);
  return true;
}

void luna_coalesce_loop_buffers(MlirOperation func) {
  LunaArena arena = {0};
  luna_walk(func, coalesce_loop, &arena);
  luna_arena_destroy(&arena);
}
