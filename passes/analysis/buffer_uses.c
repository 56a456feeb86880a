#include "buffer_uses.h"

#include "buffer_liveness.h"
#include "buffer_roots.h"
#include "structure.h"

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

MlirBlock luna_join_block(const LunaJoinEdge *edge) {
  return luna_body(edge->branch, edge->region);
}

MlirValue luna_join_source(const LunaJoinEdge *edge) {
  return mlirOperationGetOperand(mlirBlockGetTerminator(luna_join_block(edge)),
                                 edge->result);
}

MlirValue luna_passed_through(MlirOperation branch, intptr_t result) {
  LunaJoinEdge edge = {.branch = branch, .result = result};
  for (; edge.region < mlirOperationGetNumRegions(branch); ++edge.region) {
    MlirValue source = luna_join_source(&edge);
    MlirOperation op = luna_defining_op(source);
    if (mlirOperationIsNull(op) ||
        mlirOperationIsNull(luna_ancestor_in_block(op, luna_join_block(&edge))))
      return source;
  }
  return (MlirValue){NULL};
}

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

// Returns true if `block`, of a region of `parent`, runs only where the region
// of `edge` does not.
static bool is_elsewhere(const LunaJoinEdge *edge, MlirOperation parent,
                         MlirBlock block) {
  if (mlirOperationEqual(parent, edge->branch))
    return !mlirBlockEqual(luna_join_block(edge), block);
  MlirOperation around =
      luna_ancestor_in_block(edge->branch, mlirOperationGetBlock(parent));
  return !mlirOperationIsNull(around) && mlirOperationEqual(around, parent) &&
         mlirOperationIsNull(luna_ancestor_in_block(edge->branch, block));
}

// A use by a terminator: what the parent makes of it.
static void follow_terminator(Walk *walk, MlirOperation terminator,
                              intptr_t number) {
  MlirOperation branch = mlirOperationGetParentOperation(terminator);
  const LunaJoinEdge *edge = walk->edge;
  if (!luna_is_branch(branch)) {
    walk->accesses.is_complete = false;
    return;
  }
  bool is_edge = edge && mlirOperationEqual(branch, edge->branch) &&
                 number == edge->result;
  if (!is_edge &&
      !(edge && is_elsewhere(edge, branch, mlirOperationGetBlock(terminator))))
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

// Returns true if a loop carries the value under a name that nobody uses.
static bool is_dead_name(MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  return (luna_is_loop(op) ||
          luna_is_loop(mlirOperationGetParentOperation(op))) &&
         luna_merges_names(op) && luna_is_unused_name(use);
}

static void follow(Walk *walk, MlirValue value) {
  uint64_t known = walk->names.keys.count;
  if (luna_map_add(&walk->names, walk->arena, luna_map_pointer(value.ptr)) <
      known)
    return;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!is_dead_name(use))
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

bool luna_runs_after(MlirOperation op, MlirOperation other) {
  for (MlirOperation at = other;; at = mlirOperationGetParentOperation(at)) {
    MlirOperation around =
        luna_ancestor_in_block(op, mlirOperationGetBlock(at));
    if (!mlirOperationIsNull(around))
      return !mlirOperationEqual(at, around) &&
             mlirOperationIsBeforeInBlock(at, around);
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
    dies = !luna_runs_after(accesses.items[i], edge->branch);
  return dies;
}

static bool is_merge_of_only_names(MlirValue value, LunaOnlyNames *known,
                                   LunaArena *arena) {
  LunaJoinEdge edge = {.branch = luna_defining_op(value),
                       .result = mlirOpResultGetResultNumber(value)};
  bool is_only = true;
  for (; is_only && edge.region < mlirOperationGetNumRegions(edge.branch);
       ++edge.region) {
    MlirValue source = luna_join_source(&edge);
    is_only = luna_is_only_name(source, known, arena) &&
              luna_dies_at_join(source, &edge, arena);
  }
  return is_only;
}

bool luna_is_only_name(MlirValue value, LunaOnlyNames *known,
                       LunaArena *arena) {
  MlirOperation op = luna_defining_op(value);
  if (mlirOperationIsNull(op) || !luna_is_branch(op))
    return !mlirOperationIsNull(op) && luna_op_is(op, LUNA_OP_MEMREF_ALLOC);
  LunaMapKey key = luna_map_pointer(value.ptr);
  uint32_t index = luna_map_find(&known->values, key);
  if (index != LUNA_MAP_ABSENT)
    return known->items[index];
  bool is_only = is_merge_of_only_names(value, known, arena);
  luna_map_add(&known->values, arena, key);
  return *LUNA_VECTOR_ADD(arena, known) = is_only;
}
