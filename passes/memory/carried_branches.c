#include "carried_branches.h"

#include "buffer_roots.h"
#include "buffer_uses.h"
#include "luna-c/ops.h"
#include "luna/map.h"
#include "structure.h"

// A result of a branch that is to be in `buffer`.
typedef struct Landing {
  LunaArena *arena;
  const LunaRoots *roots; // of the function as it was
  LunaJoinEdge edge;
  MlirValue buffer;
  LunaMap names; // values that may be the result, which is the first
  LUNA_VECTOR(MlirValue) values; // those
  bool touches_old, touches_new;
} Landing;

typedef struct Pass {
  LunaArena arena;
  const LunaRoots *roots;
  bool changed;
} Pass;

static bool has_name(const Landing *landing, MlirValue value) {
  return luna_map_find(&landing->names, luna_map_pointer(value.ptr)) !=
         LUNA_MAP_ABSENT;
}

// Returns true if `value` may point to the buffer, as the function was.
static bool may_be_buffer(const Landing *landing, MlirValue value) {
  LunaRootSet set = luna_roots_of(landing->roots, value);
  LunaRootSet wanted = luna_roots_of(landing->roots, landing->buffer);
  for (uint32_t i = 0; i < set.count; ++i)
    if (set.ids[i] == wanted.ids[0])
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Names of the result
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

// Returns true if nothing but the result makes a name of it the buffer.
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

// Returns true if behind the branch the buffer is first overwritten, by a copy
// of the block, and the result is not used from then on.
static bool is_free(Landing *landing) {
  MlirOperation op = mlirOperationGetNextInBlock(landing->edge.branch);
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

static bool can_land(Landing *landing, MlirValue result) {
  MlirOperation alloc = luna_defining_op(landing->buffer);
  return luna_op_is(alloc, LUNA_OP_MEMREF_ALLOC) &&
         mlirTypeEqual(mlirValueGetType(landing->buffer),
                       mlirValueGetType(result)) &&
         is_in_loop_behind(landing->edge.branch, alloc) &&
         add_names(landing, result) && has_own_names(landing) &&
         is_free(landing);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static void land(const Landing *landing, MlirValue result) {
  LunaJoinEdge edge = landing->edge;
  for (; edge.region < mlirOperationGetNumRegions(edge.branch); ++edge.region) {
    MlirValue source = luna_join_source(&edge);
    MlirOperation yield = mlirBlockGetTerminator(luna_join_block(&edge));
    if (luna_same_value(source, landing->buffer))
      continue;
    luna_build_copy(yield, source, landing->buffer);
    mlirOperationSetOperand(yield, edge.result, landing->buffer);
  }
  mlirValueReplaceAllUsesOfWith(result, landing->buffer);
}

static bool visit_branch(MlirOperation op, void *data) {
  Pass *pass = data;
  intptr_t count = luna_is_branch(op) ? mlirOperationGetNumResults(op) : 0;
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (!luna_is_memref(mlirValueGetType(result)) || !luna_is_used(result))
      continue;
    Landing landing = {
        .arena = &pass->arena,
        .roots = pass->roots,
        .edge = {.branch = op, .result = i},
        .buffer = luna_passed_through(op, i),
    };
    if (mlirValueIsNull(landing.buffer) ||
        mlirOperationIsNull(luna_defining_op(landing.buffer)) ||
        !can_land(&landing, result))
      continue;
    land(&landing, result);
    pass->changed = true;
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

void luna_coalesce_carried_branches(MlirOperation func) {
  if (luna_walk(func, has_no_loop, NULL))
    return;
  Pass pass = {.changed = true};
  pass.roots = luna_roots_compute(func, &pass.arena);
  while (pass.changed) {
    pass.changed = false;
    luna_walk(func, visit_branch, &pass);
  }
  luna_walk(func, drop_copy, NULL);
  luna_arena_destroy(&pass.arena);
}
