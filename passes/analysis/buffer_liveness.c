#include "buffer_liveness.h"

#include "buffer_roots.h"
#include "loop_values.h"
#include "luna-c/ops.h"
#include "luna/map.h"
#include "structure.h"
#include "touches.h"

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

bool luna_is_unused_name(MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  intptr_t number = mlirOpOperandGetOperandNumber(use);
  if (luna_is_loop(op)) {
    LunaLoopValues loop = luna_loop_values(op);
    return !luna_is_used(
        luna_loop_argument(&loop, number - loop.first_operand));
  }
  MlirOperation parent = mlirOperationGetParentOperation(op);
  if (luna_op_is(op, LUNA_OP_SCF_CONDITION))
    return !luna_is_used(
               mlirBlockGetArgument(luna_body(parent, 1), number - 1)) &&
           !luna_is_used(mlirOperationGetResult(parent, number - 1));
  if (!luna_op_is(op, LUNA_OP_SCF_YIELD))
    return false;
  if (luna_is_branch(parent))
    return !luna_is_used(mlirOperationGetResult(parent, number));
  LunaLoopValues loop = luna_loop_values(parent);
  return !luna_is_used(luna_loop_argument(&loop, number)) &&
         (!loop.is_for ||
          !luna_is_used(mlirOperationGetResult(parent, number)));
}

bool luna_merges_names(MlirOperation op) {
  static const LunaOpName names[] = {LUNA_OP_SCF_YIELD, LUNA_OP_SCF_CONDITION,
                                     LUNA_OP_LUNA_YIELD, LUNA_OP_ARITH_SELECT};
  return luna_is_loop(op) ||
         luna_op_is_any(op, names, sizeof names / sizeof names[0]);
}

bool luna_makes_view(MlirOperation op) {
  return luna_only_renames(op) && mlirOperationGetNumResults(op) > 0 &&
         luna_is_memref(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

bool luna_visit_accesses(MlirValue value,
                         bool (*visit)(MlirOperation op, void *data),
                         void *data) {
  bool goes_on = true;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       goes_on && !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (luna_merges_names(op))
      goes_on = luna_is_unused_name(use);
    else if (luna_makes_view(op))
      goes_on = luna_visit_accesses(mlirOperationGetResult(op, 0), visit, data);
    else
      goes_on = visit(op, data);
  }
  return goes_on;
}

//===----------------------------------------------------------------------===//
// Liveness
//===----------------------------------------------------------------------===//

// The accesses of a buffer, and what was looked at: blocks from their start on,
// what follows an op of control flow.
typedef struct Liveness {
  LunaArena arena;
  MlirValue buffer;
  LUNA_VECTOR(MlirOperation) accesses; // its allocation first
  LunaMap visited;
} Liveness;

static bool list_access(MlirOperation op, void *data) {
  Liveness *liveness = data;
  *LUNA_VECTOR_ADD(&liveness->arena, &liveness->accesses) = op;
  return true;
}

// Returns the first op of `block`, behind `after` if that is not null, that
// accesses the buffer or holds one that does; or a null op.
static MlirOperation first_access(const Liveness *liveness, MlirBlock block,
                                  MlirOperation after) {
  MlirOperation first = {NULL};
  for (uint64_t i = 0; i < liveness->accesses.count; ++i) {
    MlirOperation at =
        luna_ancestor_in_block(liveness->accesses.items[i], block);
    bool is_behind =
        !mlirOperationIsNull(at) &&
        (mlirOperationIsNull(after) || mlirOperationIsBeforeInBlock(after, at));
    if (is_behind &&
        (mlirOperationIsNull(first) || mlirOperationIsBeforeInBlock(at, first)))
      first = at;
  }
  return first;
}

typedef struct Overwrite {
  MlirValue buffer;
  uint64_t count;
} Overwrite;

static void count_overwrite(MlirValue value, LunaTouch touch, void *data) {
  Overwrite *overwrite = data;
  overwrite->count += touch == LUNA_TOUCH_OVERWRITE &&
                      luna_same_value(value, overwrite->buffer);
}

// Returns true if `op` ends the contents of the buffer: allocates it, or
// overwrites all of it and reads nothing of it.
static bool ends_contents(const Liveness *liveness, MlirOperation op) {
  Overwrite overwrite = {.buffer = liveness->buffer};
  uint64_t count = 0;
  for (uint64_t i = 0; i < liveness->accesses.count; ++i)
    count += mlirOperationEqual(liveness->accesses.items[i], op);
  luna_touches(op, count_overwrite, &overwrite);
  return luna_op_is(op, LUNA_OP_MEMREF_ALLOC) ||
         (count == 1 && overwrite.count == 1);
}

static bool is_live(Liveness *liveness, MlirBlock block, MlirOperation after);

static bool is_live_after(Liveness *liveness, MlirOperation flow) {
  uint64_t known = liveness->visited.keys.count;
  return luna_map_add(&liveness->visited, &liveness->arena,
                      luna_map_pointer(flow.ptr)) == known &&
         is_live(liveness, mlirOperationGetBlock(flow), flow);
}

static bool is_live_at_start(Liveness *liveness, MlirOperation flow,
                             intptr_t region) {
  MlirBlock block = luna_body(flow, region);
  if (mlirBlockIsNull(block))
    return is_live_after(liveness, flow);
  uint64_t known = liveness->visited.keys.count;
  return luna_map_add(&liveness->visited, &liveness->arena,
                      luna_map_pointer(block.ptr)) == known &&
         is_live(liveness, block, (MlirOperation){NULL});
}

// Returns true if control flow, or what runs after it, may read the buffer.
static bool is_live_into(Liveness *liveness, MlirOperation flow) {
  bool live =
      luna_op_is(flow, LUNA_OP_SCF_FOR) && is_live_after(liveness, flow);
  intptr_t regions =
      luna_is_branch(flow) ? mlirOperationGetNumRegions(flow) : 1;
  for (intptr_t r = 0; !live && r < regions; ++r)
    live = is_live_at_start(liveness, flow, r);
  return live;
}

// Returns true if what runs behind a block of `flow` may read the buffer.
static bool is_live_behind(Liveness *liveness, MlirOperation flow,
                           MlirBlock block) {
  if (!luna_is_control_flow(flow))
    return false; // the function
  bool is_while = luna_op_is(flow, LUNA_OP_SCF_WHILE);
  bool is_test = is_while && mlirBlockEqual(block, luna_body(flow, 0));
  if (is_test && is_live_at_start(liveness, flow, 1))
    return true;
  if (luna_is_loop(flow) && !is_test && is_live_at_start(liveness, flow, 0))
    return true;
  return (!is_while || is_test) && is_live_after(liveness, flow);
}

// Returns true if the contents of the buffer at a point of `block`, its start
// or behind an op, may be read.
static bool is_live(Liveness *liveness, MlirBlock block, MlirOperation after) {
  MlirOperation op = first_access(liveness, block, after);
  if (mlirOperationIsNull(op))
    return is_live_behind(liveness, mlirBlockGetParentOperation(block), block);
  return luna_is_control_flow(op) ? is_live_into(liveness, op)
                                  : !ends_contents(liveness, op);
}

bool luna_is_dead_behind(MlirValue buffer, MlirOperation op) {
  Liveness liveness = {.buffer = buffer};
  list_access(luna_defining_op(buffer), &liveness);
  bool is_dead = luna_visit_accesses(buffer, list_access, &liveness) &&
                 !is_live(&liveness, mlirOperationGetBlock(op), op);
  luna_arena_destroy(&liveness.arena);
  return is_dead;
}
