#include "swap_chains.h"

#include "buffer_uses.h"
#include "luna-c/ops.h"
#include "luna/arena.h"
#include "structure.h"
#include "swap_loops.h"

typedef LunaSwapPair Pair;

typedef struct Swap {
  LunaArena arena;
  LunaSwapReach reach;
  bool rewrites;     // else only finds out whether it could
  bool is_kept;      // the value with which the chain begins
  uint32_t wanted;   // chains before the one wanted
  uint32_t replaced; // allocations
  uint32_t operators_max;
  LunaSwapSteps steps;
  LunaJoinEdge first;
  LunaOnlyNames only_names;
} Swap;

static intptr_t region_count(const LunaJoinEdge *edge) {
  return mlirOperationGetNumRegions(edge->branch);
}

static bool is_at(MlirOperation op, MlirBlock block) {
  return !mlirOperationIsNull(op) &&
         mlirBlockEqual(mlirOperationGetBlock(op), block);
}

static bool have_one_type(MlirValue a, MlirValue b) {
  return mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b));
}

// True if the value yielded through an edge is an allocation of its region that
// may be replaced by another buffer.
static bool is_fresh(MlirValue source, const LunaJoinEdge *edge,
                     LunaArena *arena) {
  MlirOperation op = luna_defining_op(source);
  return is_at(op, luna_join_block(edge)) &&
         luna_op_is(op, LUNA_OP_MEMREF_ALLOC) &&
         luna_dies_at_join(source, edge, arena);
}

// Returns what is free once the free buffer holds the value.
static Pair take_free(Pair pair) {
  bool is_kept = !mlirValueIsNull(pair.next);
  return is_kept ? (Pair){pair.free, pair.next, pair.free}
                 : (Pair){.value = pair.free, .free = pair.value};
}

static void replace_alloc(Swap *swap, MlirValue alloc, MlirValue buffer) {
  ++swap->replaced;
  mlirValueReplaceAllUsesOfWith(alloc, buffer);
  mlirOperationDestroy(luna_defining_op(alloc));
}

// True if nothing accesses `value` after the branch but through its result.
static bool dies_at(MlirValue value, LunaJoinEdge edge, LunaArena *arena) {
  for (edge.region = 0; edge.region < region_count(&edge); ++edge.region)
    if (!luna_dies_at_join(value, &edge, arena))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// From operator to operator
//===----------------------------------------------------------------------===//

// Returns the last op of `block` that accesses `value` or holds one that does;
// a null op if there is none, or there may be later accesses elsewhere, except
// through `edge`, which may be NULL.
static MlirOperation last_access(Swap *swap, MlirValue value, MlirBlock block,
                                 const LunaJoinEdge *edge) {
  MlirOperation last = {NULL};
  LunaAccesses accesses = luna_accesses_of(value, edge, &swap->arena);
  for (uint64_t i = 0; i < accesses.count; ++i) {
    MlirOperation op = luna_ancestor_in_block(accesses.items[i], block);
    if (!mlirOperationIsNull(op) &&
        (mlirOperationIsNull(last) || mlirOperationIsBeforeInBlock(last, op)))
      last = op;
  }
  bool is_last = accesses.is_complete && !mlirOperationIsNull(last);
  for (uint64_t i = 0; is_last && i < accesses.count; ++i)
    is_last = !luna_runs_after(accesses.items[i], last);
  return is_last ? last : (MlirOperation){NULL};
}

// True if `alloc` is an allocation of `block` behind the point where the pair
// was made: the free buffer can take its place as a whole.
static bool is_behind(MlirOperation alloc, MlirBlock block, MlirValue free) {
  MlirOperation maker = luna_defining_op(free);
  return is_at(alloc, block) && luna_op_is(alloc, LUNA_OP_MEMREF_ALLOC) &&
         luna_allocation_kind(alloc) == LUNA_ALLOCATION_TENSOR &&
         (!is_at(maker, block) || mlirOperationIsBeforeInBlock(maker, alloc));
}

// True if all accesses to `value`, except through `edge`, are in `block`.
static bool stays_in(Swap *swap, MlirValue value, MlirBlock block,
                     const LunaJoinEdge *edge) {
  LunaAccesses accesses = luna_accesses_of(value, edge, &swap->arena);
  bool stays = accesses.is_complete;
  for (uint64_t i = 0; stays && i < accesses.count; ++i)
    stays =
        !mlirOperationIsNull(luna_ancestor_in_block(accesses.items[i], block));
  return stays;
}

// Returns the allocation that `op` writes, if the free buffer can take its
// place; else a null value.
static MlirValue written_by(Swap *swap, MlirOperation op, Pair pair,
                            const LunaJoinEdge *edge) {
  MlirValue none = {NULL};
  MlirBlock block = mlirOperationGetBlock(op);
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue output = count > 0 ? mlirOperationGetOperand(op, count - 1) : none;
  if (mlirValueIsNull(output) || !have_one_type(output, pair.value) ||
      !is_behind(luna_defining_op(output), block, pair.free) ||
      !stays_in(swap, output, block, edge))
    return none;
  return output;
}

// The last operator of the block that accesses the value gets the free buffer
// for its output, which is the value then.
static bool swap_operator(Swap *swap, MlirOperation op, Pair *pair,
                          const LunaJoinEdge *edge) {
  if (mlirOperationIsNull(op) || luna_is_control_flow(op))
    return false;
  MlirValue output = written_by(swap, op, *pair, edge);
  if (mlirValueIsNull(output))
    return false;
  replace_alloc(swap, output, pair->free);
  *pair = take_free(*pair);
  return true;
}

// A copy of the value to an allocation, by which it dies, gives it another
// name. The first value does not die.
static bool forward_copy(Swap *swap, MlirOperation op, Pair pair) {
  if (swap->is_kept || mlirOperationIsNull(op) ||
      !luna_op_is(op, LUNA_OP_MEMREF_COPY) ||
      !luna_same_value(mlirOperationGetOperand(op, 0), pair.value))
    return false;
  MlirValue copy = written_by(swap, op, pair, NULL);
  if (mlirValueIsNull(copy))
    return false;
  LunaAccesses accesses = luna_accesses_of(copy, NULL, &swap->arena);
  for (uint64_t i = 0; i < accesses.count; ++i)
    if (!mlirOperationEqual(accesses.items[i], op) &&
        !luna_runs_after(accesses.items[i], op))
      return false;
  mlirValueReplaceAllUsesOfWith(copy, pair.value);
  mlirOperationDestroy(op);
  mlirOperationDestroy(luna_defining_op(copy));
  return true;
}

//===----------------------------------------------------------------------===//
// Branches that pass the value through
//===----------------------------------------------------------------------===//

static bool passes(LunaJoinEdge edge, MlirValue value) {
  for (edge.region = 0; edge.region < region_count(&edge); ++edge.region)
    if (luna_same_value(luna_join_source(&edge), value))
      return true;
  return false;
}

static bool swap_branch(Swap *swap, LunaJoinEdge edge, Pair in, Pair *out);

// Every region of a branch writes its result to the free buffer.
static bool fill_free(Swap *swap, LunaJoinEdge edge, MlirValue free) {
  MlirValue result = mlirOperationGetResult(edge.branch, edge.result);
  for (edge.region = 0; edge.region < region_count(&edge); ++edge.region) {
    MlirValue source = luna_join_source(&edge);
    if (!is_fresh(source, &edge, &swap->arena))
      return false;
    if (swap->rewrites)
      replace_alloc(swap, source, free);
  }
  if (swap->rewrites)
    mlirValueReplaceAllUsesOfWith(result, free);
  return true;
}

// A result of a branch within the region of `edge`.
static bool swap_inner(Swap *swap, const LunaJoinEdge *edge, Pair in,
                       Pair *out) {
  MlirValue source = luna_join_source(edge);
  LunaJoinEdge inner = {.branch = luna_defining_op(source)};
  if (!is_at(inner.branch, luna_join_block(edge)) ||
      !luna_is_branch(inner.branch) ||
      !luna_dies_at_join(source, edge, &swap->arena))
    return false;
  inner.result = mlirOpResultGetResultNumber(source);
  *out = take_free(in);
  return passes(inner, in.value) ? dies_at(in.value, inner, &swap->arena) &&
                                       swap_branch(swap, inner, in, out)
                                 : fill_free(swap, inner, in.free);
}

// The allocation that a region yields: its operators exchange the two buffers
// until one of them writes it, or it is the one that is free at last.
static Pair swap_to_source(Swap *swap, const LunaJoinEdge *edge, Pair pair) {
  MlirBlock block = luna_join_block(edge);
  MlirOperation op = last_access(swap, pair.value, block, edge);
  while (!luna_same_value(luna_join_source(edge), pair.value) &&
         swap_operator(swap, op, &pair, edge))
    op = last_access(swap, pair.value, block, edge);
  MlirValue source = luna_join_source(edge);
  if (luna_same_value(source, pair.value))
    return pair;
  replace_alloc(swap, source, pair.free);
  return take_free(pair);
}

// Executes the region of `edge` from `in` on; `out` is what it yields.
static bool swap_region(Swap *swap, const LunaJoinEdge *edge, Pair in,
                        Pair *out) {
  MlirValue source = luna_join_source(edge);
  *out = in;
  if (luna_same_value(source, in.value))
    return true;
  if (!is_fresh(source, edge, &swap->arena))
    return swap_inner(swap, edge, in, out);
  if (swap->rewrites)
    *out = swap_to_source(swap, edge, in);
  return true;
}

// Rewrites a branch, or finds out whether it can be: `out` is undefined then.
static bool swap_branch(Swap *swap, LunaJoinEdge edge, Pair in, Pair *out) {
  Pair *pairs = LUNA_ARENA_ARRAY(&swap->arena, Pair, region_count(&edge));
  intptr_t count = mlirValueIsNull(in.next) ? 1 : 2;
  for (edge.region = 0; edge.region < region_count(&edge); ++edge.region)
    if (!swap_region(swap, &edge, in, &pairs[edge.region]))
      return false;
  if (!swap->rewrites)
    return true;
  for (edge.region = 0; edge.region < region_count(&edge); ++edge.region) {
    MlirBlock block = luna_join_block(&edge);
    mlirOperationSetOperand(mlirBlockGetTerminator(block), edge.result,
                            pairs[edge.region].value);
    const MlirValue added[] = {pairs[edge.region].free,
                               pairs[edge.region].next};
    luna_add_yields(&swap->arena, block, added, count);
  }
  const MlirValue types[] = {in.free, in.free};
  MlirOperation larger =
      luna_add_results(&swap->arena, edge.branch, types, count);
  intptr_t first = mlirOperationGetNumResults(larger) - count;
  *out = (Pair){.value = mlirOperationGetResult(larger, edge.result),
                .free = mlirOperationGetResult(larger, first)};
  if (count > 1)
    out->next = mlirOperationGetResult(larger, first + 1);
  return true;
}

//===----------------------------------------------------------------------===//
// From branch to branch
//===----------------------------------------------------------------------===//

// Returns true if each region passes `value` through or may write what it
// yields to another buffer.
static bool can_rewrite(Swap *swap, LunaJoinEdge edge, MlirValue value) {
  Pair pair = {.value = value, .free = value}, out;
  bool rewrites = swap->rewrites;
  swap->rewrites = false;
  bool can = swap_branch(swap, edge, pair, &out);
  swap->rewrites = rewrites;
  return can;
}

// Returns true if the branch may pass on the pair instead of `value`.
static bool can_swap(Swap *swap, LunaJoinEdge edge, MlirValue value) {
  return dies_at(value, edge, &swap->arena) && can_rewrite(swap, edge, value);
}

// Finds the branch of `block` that passes `value` through and ends it.
static bool find_next(Swap *swap, MlirValue value, MlirBlock block,
                      LunaJoinEdge *edge) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation yield = mlirOpOperandGetOwner(use);
    *edge = (LunaJoinEdge){
        .branch = mlirOperationGetParentOperation(yield),
        .result = mlirOpOperandGetOperandNumber(use),
    };
    if (luna_op_is(yield, LUNA_OP_SCF_YIELD) && is_at(edge->branch, block) &&
        luna_is_branch(edge->branch) && can_swap(swap, *edge, value))
      return true;
  }
  return false;
}

static Pair follow(Swap *swap, Pair pair, MlirBlock block);

// The last op that accesses the value makes what a loop carries of it: the loop
// carries the pair.
static bool swap_loop(Swap *swap, MlirOperation op, Pair *pair) {
  if (swap->reach < LUNA_SWAP_LOOPS || mlirOperationIsNull(op) ||
      luna_is_control_flow(op))
    return false;
  LunaSwapLoopOutcome outcome = luna_swap_through_loop(op, pair);
  swap->steps.has_failed |= outcome == LUNA_SWAP_LOOP_FAILED;
  if (outcome != LUNA_SWAP_LOOP_DONE)
    return false;
  ++swap->steps.loops;
  swap->steps.between = swap->steps.operators;
  return true;
}

// Sinks into each region of a branch that is the end of the value, and follows
// an operator.
static bool follow_operator(Swap *swap, Pair *pair, MlirBlock block) {
  MlirOperation op = last_access(swap, pair->value, block, NULL);
  bool is_end = !mlirOperationIsNull(op) && luna_is_branch(op);
  for (intptr_t r = 0; is_end && r < mlirOperationGetNumRegions(op); ++r)
    if (!mlirBlockIsNull(luna_body(op, r)))
      follow(swap, *pair, luna_body(op, r));
  if (forward_copy(swap, op, *pair) || swap_loop(swap, op, pair))
    return true;
  bool goes_on = !swap->steps.has_failed &&
                 swap->steps.operators < swap->operators_max &&
                 swap_operator(swap, op, pair, NULL);
  swap->steps.operators += goes_on;
  return goes_on;
}

// Follows the chain through `block`, where both buffers are its own.
static Pair follow(Swap *swap, Pair pair, MlirBlock block) {
  LunaJoinEdge edge;
  bool goes_on = true;
  while (goes_on) {
    if (find_next(swap, pair.value, block, &edge)) {
      swap->steps.between = swap->steps.operators;
      goes_on = swap_branch(swap, edge, pair, &pair);
    } else {
      goes_on = swap->reach >= LUNA_SWAP_OPERATORS &&
                follow_operator(swap, &pair, block);
    }
  }
  return pair;
}

LunaSwapSteps luna_swap_follow(LunaSwapPair *pair, MlirBlock block,
                               LunaSwapReach reach, uint32_t operators_max) {
  Swap swap = {
      .reach = reach, .rewrites = true, .operators_max = operators_max};
  *pair = follow(&swap, *pair, block);
  luna_arena_destroy(&swap.arena);
  return swap.steps;
}

//===----------------------------------------------------------------------===//
// The first branch of a chain
//===----------------------------------------------------------------------===//

// True if some region recomputes the value.
static bool recomputes(LunaJoinEdge edge, MlirValue value) {
  for (edge.region = 0; edge.region < region_count(&edge); ++edge.region)
    if (!luna_same_value(luna_join_source(&edge), value))
      return true;
  return false;
}

static bool starts_chain(Swap *swap, const LunaJoinEdge *edge) {
  MlirValue value = luna_passed_through(edge->branch, edge->result);
  if (mlirValueIsNull(value) || !luna_is_memref(mlirValueGetType(value)) ||
      !recomputes(*edge, value))
    return false;
  bool is_end = luna_is_only_name(value, &swap->only_names, &swap->arena) &&
                dies_at(value, *edge, &swap->arena);
  return is_end != swap->is_kept && can_rewrite(swap, *edge, value);
}

// Stops at the start of the chain that is wanted.
static bool find_first(MlirOperation op, void *data) {
  Swap *swap = data;
  intptr_t count = luna_is_branch(op) ? mlirOperationGetNumResults(op) : 0;
  for (intptr_t i = 0; i < count; ++i) {
    swap->first = (LunaJoinEdge){.branch = op, .result = i};
    if (starts_chain(swap, &swap->first) && swap->wanted-- == 0)
      return false;
  }
  return true;
}

static void rewrite_chain(Swap *swap) {
  MlirOperation branch = swap->first.branch;
  MlirBlock block = mlirOperationGetBlock(branch);
  MlirValue value = luna_passed_through(branch, swap->first.result);
  MlirType type = mlirValueGetType(value);
  Pair pair = {.value = value, .free = luna_build_alloc(branch, type, NULL)};
  if (swap->is_kept)
    pair.next = luna_build_alloc(branch, type, NULL);
  swap->rewrites = true;
  swap_branch(swap, swap->first, pair, &pair);
  follow(swap, pair, block);
}

bool luna_has_swap_chain(MlirOperation func, uint32_t index) {
  Swap swap = {.wanted = index};
  bool has_chain = !luna_walk(func, find_first, &swap);
  luna_arena_destroy(&swap.arena);
  return has_chain;
}

// Returns the steps of the chain, and the allocations replaced.
static LunaSwapSteps rewrite(MlirOperation func, uint32_t index,
                             LunaSwapReach reach, uint32_t operators_max,
                             uint32_t *replaced) {
  Swap swap = {.reach = reach, .wanted = index, .operators_max = operators_max};
  if (!luna_walk(func, find_first, &swap))
    rewrite_chain(&swap);
  luna_arena_destroy(&swap.arena);
  *replaced = swap.replaced + swap.steps.loops;
  return swap.steps;
}

bool luna_swap_leaves_out(LunaSwapReach reach) {
  return reach == LUNA_SWAP_BETWEEN || reach == LUNA_SWAP_LOOPS_BETWEEN ||
         reach == LUNA_SWAP_LOOPS_ALONE;
}

bool luna_swap_operators_max(LunaSwapReach reach, LunaSwapSteps all,
                             uint32_t *operators_max) {
  bool is_alone = reach == LUNA_SWAP_LOOPS_ALONE;
  *operators_max = is_alone ? 0 : all.between;
  return is_alone ? all.between > 0 : all.between < all.operators;
}

uint32_t luna_swap_chain(MlirOperation func, uint32_t index,
                         LunaSwapReach reach) {
  uint32_t operators_max = UINT32_MAX, replaced = 0;
  if (luna_swap_leaves_out(reach)) {
    MlirOperation copy = mlirOperationClone(func);
    LunaSwapSteps all = rewrite(copy, index, reach, operators_max, &replaced);
    mlirOperationDestroy(copy);
    if (!luna_swap_operators_max(reach, all, &operators_max))
      return 0;
  }
  LunaSwapSteps steps = rewrite(func, index, reach, operators_max, &replaced);
  bool has_loops = reach < LUNA_SWAP_LOOPS || steps.loops > 0;
  return has_loops && !steps.has_failed ? replaced : 0;
}

//===----------------------------------------------------------------------===//
// Chains whose first value is read behind them
//===----------------------------------------------------------------------===//

bool luna_has_kept_chain(MlirOperation func, uint32_t index) {
  Swap swap = {.wanted = index, .is_kept = true};
  bool has_chain = !luna_walk(func, find_first, &swap);
  luna_arena_destroy(&swap.arena);
  return has_chain;
}

uint32_t luna_swap_kept_chain(MlirOperation func, uint32_t index) {
  Swap swap = {.reach = LUNA_SWAP_OPERATORS,
               .wanted = index,
               .is_kept = true,
               .operators_max = UINT32_MAX};
  if (!luna_walk(func, find_first, &swap))
    rewrite_chain(&swap);
  luna_arena_destroy(&swap.arena);
  return swap.replaced;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static bool can_copy(Swap *swap, LunaJoinEdge edge, MlirValue value) {
  for (edge.region = 0; edge.region < region_count(&edge); ++edge.region) {
    MlirValue source = luna_join_source(&edge);
    if (!luna_same_value(source, value) &&
        !is_fresh(source, &edge, &swap->arena))
      return false;
  }
  return true;
}

static void copy_value(Swap *swap, LunaJoinEdge edge, MlirValue value) {
  MlirValue result = mlirOperationGetResult(edge.branch, edge.result);
  MlirValue buffer =
      luna_build_alloc(edge.branch, mlirValueGetType(value), NULL);
  for (edge.region = 0; edge.region < region_count(&edge); ++edge.region) {
    MlirValue source = luna_join_source(&edge);
    MlirOperation yield = mlirBlockGetTerminator(luna_join_block(&edge));
    if (luna_same_value(source, value)) {
      luna_build_copy(yield, value, buffer);
      mlirOperationSetOperand(yield, edge.result, buffer);
    } else {
      replace_alloc(swap, source, buffer);
    }
  }
  mlirValueReplaceAllUsesOfWith(result, buffer);
}

bool luna_copy_at_join(MlirOperation func, uint32_t index) {
  Swap swap = {.wanted = index};
  bool can = !luna_walk(func, find_first, &swap);
  if (can) {
    MlirValue value = luna_passed_through(swap.first.branch, swap.first.result);
    can = can_copy(&swap, swap.first, value);
    if (can)
      copy_value(&swap, swap.first, value);
  }
  luna_arena_destroy(&swap.arena);
  return can;
}
