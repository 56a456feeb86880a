#include "carried_branches.h"

#include "buffer_roots.h"
#include "buffer_uses.h"
#include "forward_buffers.h"
#include "luna-c/ops.h"
#include "luna/map.h"
#include "structure.h"
#include "touches.h"

// A value that is to be in `buffer` once `maker` has run.
typedef struct Landing {
  LunaArena *arena;
  const LunaRoots *roots; // of the function as it is
  MlirOperation maker;
  MlirValue value, buffer;
  LunaMap names;                 // what it is called, by itself first
  LUNA_VECTOR(MlirValue) values; // those
  bool touches_old, touches_new;
} Landing;

typedef struct Pass {
  LunaArena arena;
  const LunaRoots *roots;
  bool has_operators;
} Pass;

static bool has_name(const Landing *landing, MlirValue value) {
  return luna_map_find(&landing->names, luna_map_pointer(value.ptr)) !=
         LUNA_MAP_ABSENT;
}

// Returns true if `value` may point to the buffer.
static bool may_be_buffer(const Landing *landing, MlirValue value) {
  LunaRootSet set = luna_roots_of(landing->roots, value);
  LunaRootSet wanted = luna_roots_of(landing->roots, landing->buffer);
  for (uint32_t i = 0; i < set.count; ++i)
    if (set.ids[i] == wanted.ids[0])
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Names of the value
//===----------------------------------------------------------------------===//

// Adds `value` and what it is called elsewhere. Returns false if it may be the
// value that a loop carries.
static bool add_names(Landing *landing, MlirValue value) {
  uint64_t known = landing->names.keys.count;
  if (luna_map_add(&landing->names, landing->arena,
                   luna_map_pointer(value.ptr)) < known)
    return true;
  *LUNA_VECTOR_ADD(landing->arena, &landing->values) = value;
  bool is_known = true;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       is_known && !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    MlirOperation parent = mlirOperationGetParentOperation(op);
    if (luna_op_is(op, LUNA_OP_SCF_YIELD))
      is_known =
          luna_is_branch(parent) &&
          add_names(landing, mlirOperationGetResult(
                                 parent, mlirOpOperandGetOperandNumber(use)));
    else if (luna_is_loop(op) || luna_op_is(op, LUNA_OP_SCF_CONDITION) ||
             luna_op_is(op, LUNA_OP_ARITH_SELECT))
      is_known = false;
    else if (luna_only_renames(op) && mlirOperationGetNumResults(op) == 1)
      is_known = add_names(landing, mlirOperationGetResult(op, 0));
  }
  return is_known;
}

// Returns true if nothing but the value makes a name of it the buffer.
static bool has_own_names(const Landing *landing) {
  for (uint64_t i = 1; i < landing->values.count; ++i) {
    LunaJoinEdge edge = {.branch = luna_defining_op(landing->values.items[i])};
    if (!luna_is_branch(edge.branch))
      continue;
    edge.result = mlirOpResultGetResultNumber(landing->values.items[i]);
    for (; edge.region < mlirOperationGetNumRegions(edge.branch);
         ++edge.region) {
      MlirValue source = luna_join_source(&edge);
      if (!has_name(landing, source) && may_be_buffer(landing, source))
        return false;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Whether the buffer is free
//===----------------------------------------------------------------------===//

static void touch(MlirValue value, void *data) {
  Landing *landing = data;
  if (has_name(landing, value))
    landing->touches_new = true;
  else if (may_be_buffer(landing, value))
    landing->touches_old = true;
}

static void find_touches(Landing *landing, MlirOperation op) {
  landing->touches_old = landing->touches_new = false;
  luna_touched_values(op, touch, landing);
}

// Returns true if `op` copies something else to all of the buffer.
static bool overwrites(const Landing *landing, MlirOperation op) {
  if (!luna_op_is(op, LUNA_OP_MEMREF_COPY) ||
      !luna_same_value(mlirOperationGetOperand(op, 1), landing->buffer))
    return false;
  MlirValue from = mlirOperationGetOperand(op, 0);
  return has_name(landing, from) || !may_be_buffer(landing, from);
}

// Returns true if behind the maker the buffer is first overwritten, by a copy
// of the block, and the value is not used from then on.
static bool is_free(Landing *landing) {
  MlirOperation op = mlirOperationGetNextInBlock(landing->maker);
  bool is_overwritten = false;
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    find_touches(landing, op);
    if (is_overwritten && landing->touches_new)
      return false;
    if (is_overwritten)
      continue;
    is_overwritten = overwrites(landing, op);
    if (!is_overwritten && landing->touches_old)
      return false;
  }
  return is_overwritten;
}

// Returns true if a loop is around `op` within the block of `alloc`.
static bool is_in_loop_behind(MlirOperation op, MlirOperation alloc) {
  MlirBlock home = mlirOperationGetBlock(alloc);
  bool is_in_loop = false;
  while (!mlirBlockEqual(mlirOperationGetBlock(op), home)) {
    op = mlirOperationGetParentOperation(op);
    is_in_loop |= luna_is_loop(op);
  }
  return is_in_loop;
}

// Returns true if the maker may leave the value, whose names are known, in the
// buffer.
static bool can_land(Landing *landing) {
  MlirOperation alloc = luna_defining_op(landing->buffer);
  return !mlirOperationIsNull(alloc) &&
         luna_op_is(alloc, LUNA_OP_MEMREF_ALLOC) &&
         mlirTypeEqual(mlirValueGetType(landing->buffer),
                       mlirValueGetType(landing->value)) &&
         is_in_loop_behind(landing->maker, alloc) && has_own_names(landing) &&
         is_free(landing);
}

//===----------------------------------------------------------------------===//
// What a branch passes through
//===----------------------------------------------------------------------===//

static bool land_result(Landing *landing) {
  LunaJoinEdge edge = {.branch = landing->maker,
                       .result = mlirOpResultGetResultNumber(landing->value)};
  if (!add_names(landing, landing->value) || !can_land(landing))
    return false;
  for (; edge.region < mlirOperationGetNumRegions(edge.branch); ++edge.region) {
    MlirValue source = luna_join_source(&edge);
    MlirOperation yield = mlirBlockGetTerminator(luna_join_block(&edge));
    if (luna_same_value(source, landing->buffer))
      continue;
    luna_build_copy(yield, source, landing->buffer);
    mlirOperationSetOperand(yield, edge.result, landing->buffer);
  }
  mlirValueReplaceAllUsesOfWith(landing->value, landing->buffer);
  return true;
}

//===----------------------------------------------------------------------===//
// What an operator computes for a branch to pass through
//===----------------------------------------------------------------------===//

// Finds the operator that first accesses the allocation, if it overwrites it.
// Returns the operand, or -1.
static intptr_t find_maker(Landing *landing) {
  MlirOperation op = luna_defining_op(landing->value);
  intptr_t operand = -1;
  do {
    op = mlirOperationGetNextInBlock(op);
    find_touches(landing, op);
  } while (!landing->touches_new);
  landing->maker = op;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (luna_same_value(mlirOperationGetOperand(op, i), landing->value)) {
      if (operand != -1 || luna_touch_of(op, i) != LUNA_TOUCH_OVERWRITE)
        return -1;
      operand = i;
    }
  return luna_is_control_flow(op) ? -1 : operand;
}

// Returns true if nothing behind the branch uses `value` itself.
static bool ends_at(MlirValue value, MlirOperation branch) {
  bool ends = true;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       ends && !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation at = luna_ancestor_in_block(mlirOpOperandGetOwner(use),
                                              mlirOperationGetBlock(branch));
    ends = mlirOperationEqual(at, branch) ||
           mlirOperationIsBeforeInBlock(at, branch);
  }
  return ends;
}

// Finds a buffer that the turn overwrites behind the branch, by a copy, and in
// which the value may be until then.
static bool find_carried(Landing *landing, MlirOperation branch) {
  for (MlirOperation op = mlirOperationGetNextInBlock(branch);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!luna_op_is(op, LUNA_OP_MEMREF_COPY))
      continue;
    landing->buffer = mlirOperationGetOperand(op, 1);
    if (can_land(landing))
      return true;
  }
  return false;
}

// The operator still writes the allocation, which is then copied.
static bool land_operator(Landing *landing, MlirOperation branch) {
  if (!add_names(landing, landing->value) || !ends_at(landing->value, branch))
    return false;
  intptr_t operand = find_maker(landing);
  if (operand == -1 || !find_carried(landing, branch))
    return false;
  mlirValueReplaceAllUsesOfWith(landing->value, landing->buffer);
  mlirOperationSetOperand(landing->maker, operand, landing->value);
  luna_build_copy(mlirOperationGetNextInBlock(landing->maker), landing->value,
                  landing->buffer);
  return true;
}

//===----------------------------------------------------------------------===//
// All branches
//===----------------------------------------------------------------------===//

// Stops at the first change: then values point elsewhere.
static bool visit_branch(MlirOperation op, void *data) {
  Pass *pass = data;
  intptr_t count = luna_is_branch(op) ? mlirOperationGetNumResults(op) : 0;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    MlirValue passed = luna_passed_through(op, i);
    if (!luna_is_memref(mlirValueGetType(result)) || !luna_is_used(result) ||
        mlirValueIsNull(passed) ||
        mlirOperationIsNull(luna_defining_op(passed)))
      continue;
    bool is_local =
        luna_op_is(luna_defining_op(passed), LUNA_OP_MEMREF_ALLOC) &&
        mlirBlockEqual(mlirOperationGetBlock(luna_defining_op(passed)),
                       mlirOperationGetBlock(op));
    Landing landing = {
        .arena = &pass->arena,
        .roots = pass->roots,
        .maker = op,
        .value = is_local ? passed : result,
        .buffer = passed,
    };
    if (is_local ? pass->has_operators && land_operator(&landing, op)
                 : land_result(&landing))
      return false;
  }
  return true;
}

// A copy of a buffer to itself.
static bool drop_copy(MlirOperation op, void *data) {
  (void)data;
  if (luna_op_is(op, LUNA_OP_MEMREF_COPY) &&
      luna_same_value(mlirOperationGetOperand(op, 0),
                      mlirOperationGetOperand(op, 1)))
    mlirOperationDestroy(op);
  return true;
}

static bool has_no_loop(MlirOperation op, void *data) {
  (void)data;
  return !luna_is_loop(op);
}

bool luna_coalesce_carried_branches(MlirOperation func, bool has_operators) {
  if (luna_walk(func, has_no_loop, NULL))
    return false;
  luna_forward_buffers(func);
  Pass pass = {.has_operators = has_operators};
  bool has_changed = false, is_done = false;
  while (!is_done) {
    pass.roots = luna_roots_compute(func, &pass.arena);
    is_done = luna_walk(func, visit_branch, &pass);
    has_changed |= !is_done;
  }
  luna_walk(func, drop_copy, NULL);
  luna_arena_destroy(&pass.arena);
  return has_changed;
}
