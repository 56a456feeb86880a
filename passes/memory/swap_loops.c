#include "swap_loops.h"

#include "buffer_liveness.h"
#include "buffer_uses.h"
#include "loop_values.h"
#include "luna-c/ops.h"
#include "luna/arena.h"
#include "structure.h"
#include "swap_chains.h"
#include "swap_group.h"

// A value that a loop carries in one buffer, and the copy to it at the end of
// each turn.
typedef struct Site {
  uint32_t wanted; // sites before the one wanted
  LunaLoopValues loop;
  intptr_t index, left; // among those carried; those left
  MlirValue buffer;
  MlirOperation copy;
} Site;

//===----------------------------------------------------------------------===//
// Finding it
//===----------------------------------------------------------------------===//

static bool is_inside(MlirOperation op, MlirOperation loop) {
  MlirOperation at = luna_ancestor_in_block(op, mlirOperationGetBlock(loop));
  return !mlirOperationIsNull(at) && mlirOperationEqual(at, loop);
}

// Returns the last copy to the buffer among the ops of the body, or a null op.
static MlirOperation find_copy(const Site *site) {
  MlirOperation copy = {NULL};
  for (MlirOpOperand use = mlirValueGetFirstUse(site->buffer);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (luna_op_is(op, LUNA_OP_MEMREF_COPY) &&
        mlirOpOperandGetOperandNumber(use) == 1 &&
        mlirBlockEqual(mlirOperationGetBlock(op), site->loop.body) &&
        (mlirOperationIsNull(copy) || mlirOperationIsBeforeInBlock(copy, op)))
      copy = op;
  }
  return copy;
}

// Returns true if the buffer has no other name outside the loop, and is not
// accessed behind the copy in the turn.
static bool is_only_name(const Site *site) {
  bool is_only = true;
  for (MlirOpOperand use = mlirValueGetFirstUse(site->buffer);
       is_only && !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(op, site->loop.op) ||
        mlirOperationEqual(op, site->loop.yield) ||
        mlirOperationEqual(op, site->loop.exit))
      continue;
    MlirOperation at = luna_ancestor_in_block(op, site->loop.body);
    is_only = mlirOperationIsNull(at)
                  ? !luna_merges_names(op) && !luna_makes_view(op)
                  : mlirOperationEqual(at, site->copy) ||
                        mlirOperationIsBeforeInBlock(at, site->copy);
  }
  return is_only;
}

// Returns the number of the value that the loop leaves in the buffer, or -1.
static intptr_t find_left(const Site *site) {
  intptr_t left = mlirOperationGetNumResults(site->loop.op) - 1;
  while (left >= 0 &&
         !luna_same_value(luna_loop_left(&site->loop, left), site->buffer))
    --left;
  return left;
}

static bool find_value(Site *site, intptr_t index) {
  MlirOperation loop = site->loop.op;
  site->index = index;
  site->buffer = luna_loop_init(&site->loop, index);
  if (!luna_is_swappable(site->buffer) ||
      !luna_same_value(luna_loop_next(&site->loop, index), site->buffer) ||
      !mlirBlockEqual(mlirOperationGetBlock(luna_defining_op(site->buffer)),
                      mlirOperationGetBlock(loop)) ||
      !mlirOpOperandIsNull(
          mlirValueGetFirstUse(luna_loop_argument(&site->loop, index))))
    return false;
  site->copy = find_copy(site);
  site->left = site->loop.is_for ? index : find_left(site);
  return !mlirOperationIsNull(site->copy) && site->left >= 0 &&
         is_only_name(site);
}

// Returns true if the body has a branch that may pass the value through, and
// not too many of them.
static bool has_branches(MlirBlock body) {
  uint32_t count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    count += luna_is_branch(op) && mlirOperationGetNumResults(op) > 0;
  return count > 0 && count <= LUNA_SWAP_BRANCHES_MAX;
}

// Stops at the site that is wanted.
static bool find_site(MlirOperation op, void *data) {
  Site *site = data;
  if (!luna_is_loop(op))
    return true;
  site->loop = luna_loop_values(op);
  if (!has_branches(site->loop.body))
    return true;
  for (intptr_t i = 0; i < site->loop.count; ++i)
    if (find_value(site, i) && site->wanted-- == 0)
      return false;
  return true;
}

bool luna_has_swap_loop(MlirOperation func, uint32_t index) {
  Site site = {.wanted = index};
  return !luna_walk(func, find_site, &site);
}

//===----------------------------------------------------------------------===//
// Rewriting it
//===----------------------------------------------------------------------===//

// Has what an scf.while tests use `test`, what the turn does `inner`, and what
// follows the loop `outer`, but for the copy and the loop itself.
static void substitute(const Site *site, MlirValue test, MlirValue inner,
                       MlirValue outer) {
  for (MlirOpOperand use = mlirValueGetFirstUse(site->buffer), next;
       !mlirOpOperandIsNull(use); use = next) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    intptr_t number = mlirOpOperandGetOperandNumber(use);
    next = mlirOpOperandGetNextUse(use);
    MlirOperation at =
        luna_ancestor_in_block(op, mlirOperationGetBlock(site->loop.op));
    if (mlirOperationEqual(op, site->copy) ||
        mlirOperationEqual(op, site->loop.yield) ||
        mlirOperationEqual(op, site->loop.op))
      continue;
    if (!mlirOperationIsNull(luna_ancestor_in_block(op, site->loop.body)))
      mlirOperationSetOperand(op, number, inner);
    else if (is_inside(op, site->loop.op))
      mlirOperationSetOperand(op, number, test);
    else if (mlirOperationIsBeforeInBlock(site->loop.op, at))
      mlirOperationSetOperand(op, number, outer);
  }
}

// Returns true if all accesses are in the turn and before `op`, or in it.
static bool end_before(const LunaAccesses *accesses, MlirOperation op,
                       bool may_be_in_it) {
  bool end = accesses->is_complete;
  for (uint64_t i = 0; end && i < accesses->count; ++i) {
    MlirOperation at =
        luna_ancestor_in_block(accesses->items[i], mlirOperationGetBlock(op));
    end = !mlirOperationIsNull(at) &&
          (mlirOperationEqual(at, op) ? may_be_in_it
                                      : mlirOperationIsBeforeInBlock(at, op));
  }
  return end;
}

// Returns the op of the body around the first access, or a null op.
static MlirOperation first_access(const LunaAccesses *accesses,
                                  MlirBlock body) {
  MlirOperation first = {NULL};
  for (uint64_t i = 0; i < accesses->count; ++i) {
    MlirOperation at = luna_ancestor_in_block(accesses->items[i], body);
    if (mlirOperationIsNull(first) || mlirOperationIsBeforeInBlock(at, first))
      first = at;
  }
  return first;
}

// What is copied is an allocation of the turn, which the free buffer replaces:
// the value is dead then, whatever names it had.
static bool take_free(const Site *site, LunaSwapPair *pair, LunaArena *arena) {
  MlirValue source = mlirOperationGetOperand(site->copy, 0);
  MlirBlock body = site->loop.body;
  if (!luna_is_swappable(source) ||
      !mlirTypeEqual(mlirValueGetType(source), mlirValueGetType(pair->free)) ||
      !mlirBlockEqual(mlirOperationGetBlock(luna_defining_op(source)), body))
    return false;
  LunaAccesses accesses = luna_accesses_of(source, NULL, arena);
  LunaAccesses value = luna_accesses_of(pair->value, NULL, arena);
  LunaAccesses free = luna_accesses_of(pair->free, NULL, arena);
  MlirOperation first = first_access(&accesses, body);
  if (!end_before(&accesses, site->copy, true) ||
      !end_before(&value, site->copy, false) ||
      !end_before(&free, first, false))
    return false;
  mlirValueReplaceAllUsesOfWith(source, pair->free);
  mlirOperationDestroy(luna_defining_op(source));
  *pair = (LunaSwapPair){.value = pair->free, .free = pair->value};
  return true;
}

static MlirValue last_argument(MlirBlock block) {
  return mlirBlockGetArgument(block, mlirBlockGetNumArguments(block) - 1);
}

// Has the loop carry `pair`, at first; it is what the loop leaves then.
static bool rewrite(Site *site, LunaSwapPair *pair, LunaArena *arena) {
  mlirOperationSetOperand(site->loop.op, site->loop.first_operand + site->index,
                          pair->value);
  site->loop =
      luna_loop_values(luna_add_carried(arena, site->loop.op, &pair->free, 1));
  MlirOperation loop = site->loop.op;
  MlirBlock body = site->loop.body;
  LunaSwapPair test = {.value = luna_loop_argument(&site->loop, site->index),
                       .free = last_argument(site->loop.header)};
  LunaSwapPair turn = test;
  *pair = (LunaSwapPair){
      .value = mlirOperationGetResult(loop, site->left),
      .free =
          mlirOperationGetResult(loop, mlirOperationGetNumResults(loop) - 1),
  };
  if (!site->loop.is_for) {
    turn = (LunaSwapPair){.value = mlirBlockGetArgument(body, site->left),
                          .free = last_argument(body)};
    luna_add_yields(arena, site->loop.header, &test.free, 1);
  }
  substitute(site, test.value, turn.value, pair->value);
  if (luna_swap_follow(&turn, body, LUNA_SWAP_LOOPS, UINT32_MAX).has_failed)
    return false;
  if (!luna_same_value(mlirOperationGetOperand(site->copy, 0), turn.value) &&
      !take_free(site, &turn, arena))
    return false;
  mlirOperationDestroy(site->copy);
  mlirOperationSetOperand(site->loop.yield, site->index, turn.value);
  luna_add_yields(arena, body, &turn.free, 1);
  return true;
}

// Rewrites the loop and what follows it.
static bool rewrite_chain(MlirOperation func, uint32_t index,
                          LunaSwapReach reach, uint32_t operators_max,
                          LunaSwapSteps *steps) {
  Site site = {.wanted = index};
  LunaArena arena = {0};
  *steps = (LunaSwapSteps){.has_failed = luna_walk(func, find_site, &site)};
  if (!steps->has_failed) {
    MlirBlock block = mlirOperationGetBlock(site.loop.op);
    MlirType type = mlirValueGetType(site.buffer);
    LunaSwapPair pair = {.value = site.buffer,
                         .free = luna_build_alloc(site.loop.op, type, NULL)};
    steps->has_failed = !rewrite(&site, &pair, &arena);
    if (!steps->has_failed)
      *steps = luna_swap_follow(&pair, block, reach, operators_max);
  }
  luna_arena_destroy(&arena);
  return !steps->has_failed;
}

bool luna_swap_loop(MlirOperation func, uint32_t index, LunaSwapReach reach) {
  LunaSwapSteps steps;
  uint32_t operators_max = UINT32_MAX;
  if (luna_swap_leaves_out(reach)) {
    MlirOperation copy = mlirOperationClone(func);
    bool has_more = rewrite_chain(copy, index, reach, operators_max, &steps) &&
                    luna_swap_operators_max(reach, steps, &operators_max);
    mlirOperationDestroy(copy);
    if (!has_more)
      return false;
  }
  return rewrite_chain(func, index, reach, operators_max, &steps);
}

//===----------------------------------------------------------------------===//
// As part of a chain
//===----------------------------------------------------------------------===//

static MlirValue output_of(MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  return count > 0 ? mlirOperationGetOperand(op, count - 1) : (MlirValue){NULL};
}

// Returns the loop in the block of `op` that carries `buffer`, or a null op.
static MlirOperation carrier_of(MlirValue buffer, MlirOperation op,
                                intptr_t *operand) {
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation loop = mlirOpOperandGetOwner(use);
    *operand = mlirOpOperandGetOperandNumber(use);
    if (luna_is_loop(loop) &&
        mlirBlockEqual(mlirOperationGetBlock(loop), mlirOperationGetBlock(op)))
      return loop;
  }
  return (MlirOperation){NULL};
}

// Finds the loop that carries `buffer`, which only `op` accesses before it.
static bool find_behind(MlirValue buffer, MlirOperation op, Site *site) {
  intptr_t operand = 0;
  MlirOperation loop = carrier_of(buffer, op, &operand);
  if (mlirOperationIsNull(loop))
    return false;
  site->loop = luna_loop_values(loop);
  if (!has_branches(site->loop.body))
    return false;
  bool is_found = find_value(site, operand - site->loop.first_operand);
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer);
       is_found && !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation at = luna_ancestor_in_block(mlirOpOperandGetOwner(use),
                                              mlirOperationGetBlock(op));
    is_found =
        mlirOperationEqual(at, op) || !mlirOperationIsBeforeInBlock(at, loop);
  }
  return is_found;
}

// Has `op` write the free buffer, unless it copies the value.
static void take_over(MlirOperation op, LunaSwapPair *pair) {
  if (luna_op_is(op, LUNA_OP_MEMREF_COPY) &&
      luna_same_value(mlirOperationGetOperand(op, 0), pair->value)) {
    mlirOperationDestroy(op);
    return;
  }
  mlirOperationSetOperand(op, mlirOperationGetNumOperands(op) - 1, pair->free);
  *pair = (LunaSwapPair){.value = pair->free, .free = pair->value};
}

LunaSwapLoopOutcome luna_swap_through_loop(MlirOperation op,
                                           LunaSwapPair *pair) {
  Site site = {.wanted = 0};
  LunaArena arena = {0};
  MlirValue buffer = output_of(op);
  if (mlirValueIsNull(buffer) ||
      !mlirTypeEqual(mlirValueGetType(buffer), mlirValueGetType(pair->value)) ||
      !find_behind(buffer, op, &site))
    return LUNA_SWAP_LOOP_NONE;
  take_over(op, pair);
  bool is_rewritten = rewrite(&site, pair, &arena);
  luna_arena_destroy(&arena);
  if (!is_rewritten)
    return LUNA_SWAP_LOOP_FAILED;
  mlirOperationDestroy(luna_defining_op(buffer));
  return LUNA_SWAP_LOOP_DONE;
}
