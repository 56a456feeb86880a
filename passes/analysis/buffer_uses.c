#include "buffer_uses.h"

#include "buffer_roots.h"
#include "luna/map.h"
#include "structure.h"

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

typedef struct Walk {
  LunaArena *arena;
  const LunaJoinEdge *edge;
  LunaMap names; // values whose uses were followed
  LunaAccesses accesses;
} Walk;

static void follow(Walk *walk, MlirValue value);

// A use by a terminator: what the parent makes of it.
static void follow_terminator(Walk *walk, MlirOperation terminator,
                              intptr_t number) {
  MlirOperation branch = mlirOperationGetParentOperation(terminator);
  const LunaJoinEdge *edge = walk->edge;
  if (!luna_is_branch(branch)) {
    walk->accesses.is_complete = false;
    return;
  }
  if (edge && mlirOperationEqual(branch, edge->branch) &&
      (number == edge->result ||
       !mlirBlockEqual(luna_body(branch, edge->region),
                       mlirOperationGetBlock(terminator))))
    return;
  follow(walk, mlirOperationGetResult(branch, number));
}

static void follow_use(Walk *walk, MlirOperation op, intptr_t number) {
  static const LunaOpName terminators[] = {LUNA_OP_SCF_YIELD,
                                           LUNA_OP_SCF_CONDITION};
  if (luna_op_is_any(op, terminators, 2)) {
    follow_terminator(walk, op, number);
    return;
  }
  if (luna_is_loop(op))
    walk->accesses.is_complete = false;
  if (!luna_only_renames(op))
    *LUNA_VECTOR_ADD(walk->arena, &walk->accesses) = op;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (luna_is_memref(mlirValueGetType(mlirOperationGetResult(op, i))))
      follow(walk, mlirOperationGetResult(op, i));
}

static void follow(Walk *walk, MlirValue value) {
  uint64_t known = walk->names.keys.count;
  if (luna_map_add(&walk->names, walk->arena, luna_map_pointer(value.ptr)) <
      known)
    return;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    follow_use(walk, mlirOpOperandGetOwner(use),
               mlirOpOperandGetOperandNumber(use));
}

LunaAccesses luna_accesses_of(MlirValue value, const LunaJoinEdge *edge,
                              LunaArena *arena) {
  Walk walk = {.arena = arena, .edge = edge, .accesses = {.is_complete = true}};
  follow(&walk, value);
  return walk.accesses;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

// Returns true if `op` runs after `branch` on some path that runs both, if no
// loop is around them that is not around both alike.
static bool runs_after(MlirOperation op, MlirOperation branch) {
  for (MlirOperation at = branch;; at = mlirOperationGetParentOperation(at)) {
    MlirOperation other = luna_ancestor_in_block(op, mlirOperationGetBlock(at));
    if (mlirOperationIsNull(other))
      continue;
    return !mlirOperationEqual(at, other) &&
           mlirOperationIsBeforeInBlock(at, other);
  }
}

static MlirBlock block_of(MlirValue value) {
  return mlirValueIsABlockArgument(value)
             ? mlirBlockArgumentGetOwner(value)
             : mlirOperationGetBlock(mlirOpResultGetOwner(value));
}

// Returns true if only branches are around `branch` within the block of
// `value`.
static bool runs_once_for(MlirValue value, MlirOperation branch) {
  MlirBlock block = block_of(value);
  while (!mlirBlockEqual(mlirOperationGetBlock(branch), block)) {
    branch = mlirOperationGetParentOperation(branch);
    if (mlirOperationIsNull(branch) || !luna_is_branch(branch))
      return false;
  }
  return true;
}

static bool is_within(MlirValue value, MlirOperation branch) {
  MlirOperation op = luna_defining_op(value);
  return !mlirOperationIsNull(op) &&
         mlirOperationEqual(
             luna_ancestor_in_block(op, mlirOperationGetBlock(branch)), branch);
}

bool luna_dies_at_join(MlirValue value, const LunaJoinEdge *edge,
                       LunaArena *arena) {
  if (!is_within(value, edge->branch) && !runs_once_for(value, edge->branch))
    return false;
  LunaAccesses accesses = luna_accesses_of(value, edge, arena);
  bool dies = accesses.is_complete;
  for (uint64_t i = 0; dies && i < accesses.count; ++i)
    dies = !runs_after(accesses.items[i], edge->branch);
  return dies;
}

bool luna_is_only_name(MlirValue value, LunaArena *arena) {
  MlirOperation op = luna_defining_op(value);
  if (mlirOperationIsNull(op) || !luna_is_branch(op))
    return !mlirOperationIsNull(op) && luna_op_is(op, LUNA_OP_MEMREF_ALLOC);
  LunaJoinEdge edge = {.branch = op,
                       .result = mlirOpResultGetResultNumber(value)};
  for (; edge.region < mlirOperationGetNumRegions(op); ++edge.region) {
    MlirValue source = mlirOperationGetOperand(
        mlirBlockGetTerminator(luna_body(op, edge.region)), edge.result);
    if (!luna_is_only_name(source, arena) ||
        !luna_dies_at_join(source, &edge, arena))
      return false;
  }
  return true;
}
