#include "loop_buffers.h"

#include "buffer_roots.h"
#include "loop_values.h"
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

// Returns the buffer that carries value `i`, initialised, after replacing the
// loop's argument by it.
static MlirValue carry_in(const LunaLoopValues *loop, intptr_t i) {
  MlirValue initial = luna_loop_init(loop, i);
  MlirValue argument = luna_loop_argument(loop, i);
  MlirValue carried = initial;
  MlirOperation alloc = alloc_of(initial);
  bool is_own = !mlirOperationIsNull(alloc) &&
                is_only_used_before(mlirOperationGetResult(alloc, 0), loop->op);
  if (!is_own) {
    carried = build_alloc_like(loop->op, mlirValueGetType(initial));
    luna_build_copy(loop->op, initial, carried);
    carried = as_type(loop->op, carried, mlirValueGetType(initial));
    mlirOperationSetOperand(loop->op, loop->first_operand + i, carried);
  }
  mlirValueReplaceAllUsesOfWith(argument, carried);
  return carried;
}

// Returns true if the iteration allocates `value`. Any other value may be a
// carried buffer that another copy overwrites.
static bool is_allocated_in(const LunaLoopValues *loop, MlirValue value) {
  MlirOperation alloc = alloc_of(value);
  MlirBlock body = mlirOperationGetBlock(loop->yield);
  return !mlirOperationIsNull(alloc) &&
         !mlirOperationIsNull(luna_ancestor_in_block(alloc, body));
}

static void carry_out(const LunaLoopValues *loop, const MlirValue *carried,
                      LunaArena *arena) {
  MlirValue *sources = LUNA_ARENA_ARRAY(arena, MlirValue, loop->count);
  for (intptr_t i = 0; i < loop->count; ++i) {
    sources[i] = (MlirValue){NULL};
    if (mlirValueIsNull(carried[i]))
      continue;
    MlirValue yielded = luna_loop_next(loop, i);
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
    MlirType type = mlirValueGetType(luna_loop_next(loop, i));
    luna_build_copy(loop->yield, sources[i], carried[i]);
    mlirOperationSetOperand(loop->yield, i,
                            as_type(loop->yield, carried[i], type));
  }
}

// Returns true if every carried buffer is coalesced already.
static bool is_coalesced(const LunaLoopValues *loop) {
  for (intptr_t i = 0; i < loop->count; ++i) {
    MlirValue initial = luna_loop_init(loop, i);
    MlirValue argument = luna_loop_argument(loop, i);
    MlirValue yielded = luna_loop_next(loop, i);
    if (luna_is_memref(mlirValueGetType(initial)) &&
        (!luna_same_value(initial, yielded) ||
         !mlirOpOperandIsNull(mlirValueGetFirstUse(argument))))
      return false;
  }
  return true;
}

// Returns true if `value` points to allocations, all of them outside the loop.
static bool is_outer_buffer(const LunaLoopValues *loop, const LunaRoots *roots,
                            MlirValue value) {
  LunaRootSet set = luna_roots_of(roots, value);
  MlirBlock block = mlirOperationGetBlock(loop->op);
  bool is_outer = set.count > 0;
  for (uint32_t i = 0; is_outer && i < set.count; ++i)
    is_outer = !mlirOperationEqual(
        luna_ancestor_in_block(luna_roots_alloc(roots, set.ids[i]), block),
        loop->op);
  return is_outer;
}

// Returns true if the turns only pass buffers on: as pointers.
static bool carries_pointers(const LunaLoopValues *loop,
                             const LunaRoots *roots) {
  for (intptr_t i = 0; i < loop->count; ++i) {
    MlirValue next = luna_loop_next(loop, i);
    if (luna_is_memref(mlirValueGetType(next)) &&
        !is_outer_buffer(loop, roots, next))
      return false;
  }
  return true;
}

typedef struct Coalescing {
  LunaArena arena;
  const LunaRoots *roots; // of the function as it was
  bool has_changed;
} Coalescing;

static bool coalesce_loop(MlirOperation op, void *data) {
  Coalescing *pass = data;
  if (!luna_is_loop(op))
    return true;
  LunaLoopValues loop = luna_loop_values(op);
  if (is_coalesced(&loop) || carries_pointers(&loop, pass->roots))
    return true;
  MlirValue *carried = LUNA_ARENA_ARRAY(&pass->arena, MlirValue, loop.count);
  for (intptr_t i = 0; i < loop.count; ++i) {
    MlirValue initial = luna_loop_init(&loop, i);
    bool is_buffer = luna_is_memref(mlirValueGetType(initial));
    carried[i] = is_buffer ? carry_in(&loop, i) : (MlirValue){NULL};
  }
  carry_out(&loop, carried, &pass->arena);
  pass->has_changed = true;
  return true;
}

static bool is_straight_or_coalesced(MlirOperation op, void *data) {
  (void)data;
  if (!luna_is_loop(op))
    return true;
  LunaLoopValues loop = luna_loop_values(op);
  return is_coalesced(&loop);
}

void luna_coalesce_loop_buffers(MlirOperation func) {
  if (luna_walk(func, is_straight_or_coalesced, NULL))
    return;
  // What a loop carries may be a new buffer of the loop around it, then.
  Coalescing pass = {.has_changed = true};
  while (pass.has_changed) {
    pass.has_changed = false;
    pass.roots = luna_roots_compute(func, &pass.arena);
    luna_walk(func, coalesce_loop, &pass);
  }
  luna_arena_destroy(&pass.arena);
}

// A loop that is not coalesced stops the walk.
static bool is_ready(MlirOperation op, void *data) {
  const LunaRoots *roots = data;
  LunaLoopValues loop;
  if (luna_is_loop(op))
    loop = luna_loop_values(op);
  if (!luna_is_loop(op) || is_coalesced(&loop) ||
      carries_pointers(&loop, roots))
    return true;
  luna_emit_error(op, "carries a buffer that its body allocates; run "
                      "luna-coalesce-loop-buffers first");
  return false;
}

bool luna_check_loop_buffers(MlirOperation func) {
  LunaArena arena = {0};
  bool is_ok =
      luna_walk(func, is_straight_or_coalesced, NULL) ||
      luna_walk(func, is_ready, (void *)luna_roots_compute(func, &arena));
  luna_arena_destroy(&arena);
  return is_ok;
}
