#include "join_chains.h"

#include "draft_uses.h"
#include "join_turns.h"

typedef LunaSwapPair Pair;

// How far a chain led.
typedef struct Steps {
  uint32_t loops;     // that it led through
  uint32_t operators; // likewise
  uint32_t between;   // of these, before the last branch or loop
  bool has_failed;    // in a loop; the draft is to be destroyed then
} Steps;

typedef struct Swap {
  LunaArena arena;
  LunaSwapReach reach;
  bool rewrites;     // else only finds out whether it could
  bool is_kept;      // the value with which the chain begins
  uint32_t wanted;   // chains before the one wanted
  uint32_t replaced; // allocations
  uint32_t operators_max;
  Steps steps;
  LunaJoinEdge first;
  LunaOnlyNames only_names;
} Swap;

static uint32_t region_count(const LunaJoinEdge *edge) {
  return edge->branch->block_count;
}

static bool is_at(LunaOp *op, LunaBlock *block) {
  return op && op->block == block;
}

// True if the value yielded through an edge is an allocation of its region that
// may be replaced by another buffer.
static bool is_fresh(LunaValue *source, const LunaJoinEdge *edge,
                     LunaArena *arena) {
  LunaOp *op = source->op;
  return is_at(op, draft_join_block(edge)) && draft_is_alloc(op) &&
         draft_dies_at_join(source, edge, arena);
}

// Returns what is free once the free buffer holds the value.
static Pair take_free(Pair pair) {
  bool is_kept = pair.next;
  return is_kept ? (Pair){pair.free, pair.next, pair.free}
                 : (Pair){.value = pair.free, .free = pair.value};
}

static void replace_alloc(Swap *swap, LunaValue *alloc, LunaValue *buffer) {
  ++swap->replaced;
  draft_replace(alloc, buffer);
  draft_erase(alloc->op);
}

// True if nothing accesses `value` after the branch but through its result.
static bool dies_at(LunaValue *value, LunaJoinEdge edge, LunaArena *arena) {
  for (edge.region = 0; edge.region < region_count(&edge); ++edge.region)
    if (!draft_dies_at_join(value, &edge, arena))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// From operator to operator
//===----------------------------------------------------------------------===//

// Returns the last op of `block` that accesses `value` or holds one that does;
// a null op if there is none, or there may be later accesses elsewhere, except
// through `edge`, which may be NULL.
static LunaOp *last_access(Swap *swap, LunaValue *value, LunaBlock *block,
                           const LunaJoinEdge *edge) {
  LunaOp *last = NULL;
  LunaAccesses accesses = draft_accesses_of(value, edge, &swap->arena);
  for (uint64_t i = 0; i < accesses.count; ++i) {
    LunaOp *op = draft_ancestor(accesses.items[i], block);
    if (op && (!last || draft_is_before(last, op)))
      last = op;
  }
  bool is_last = accesses.is_complete && last;
  for (uint64_t i = 0; is_last && i < accesses.count; ++i)
    is_last = !draft_runs_after(accesses.items[i], last);
  return is_last ? last : NULL;
}

// True if `alloc` is an allocation of `block` behind the point where the pair
// was made: the free buffer can take its place as a whole.
static bool is_behind(LunaOp *alloc, LunaBlock *block, LunaValue *free) {
  LunaOp *maker = free->op;
  return is_at(alloc, block) && draft_is_alloc(alloc) &&
         alloc->results[0]->whole.role == LUNA_MODEL_TENSOR &&
         (!is_at(maker, block) || draft_is_before(maker, alloc));
}

// True if all accesses to `value`, except through `edge`, are in `block`.
static bool stays_in(Swap *swap, LunaValue *value, LunaBlock *block,
                     const LunaJoinEdge *edge) {
  LunaAccesses accesses = draft_accesses_of(value, edge, &swap->arena);
  bool stays = accesses.is_complete;
  for (uint64_t i = 0; stays && i < accesses.count; ++i)
    stays = draft_ancestor(accesses.items[i], block);
  return stays;
}

// Returns the allocation that `op` writes, if the free buffer can take its
// place; else a null value.
static LunaValue *written_by(Swap *swap, LunaOp *op, Pair pair,
                             const LunaJoinEdge *edge) {
  LunaBlock *block = op->block;
  const LunaUse *use = draft_output(op);
  LunaValue *output = use ? use->value : NULL;
  if (!output || !draft_same_type(output, pair.value) ||
      !is_behind(output->op, block, pair.free) ||
      !stays_in(swap, output, block, edge))
    return NULL;
  return output;
}

// The last operator of the block that accesses the value gets the free buffer
// for its output, which is the value then.
static bool swap_operator(Swap *swap, LunaOp *op, Pair *pair,
                          const LunaJoinEdge *edge) {
  if (!op || draft_is_flow(op))
    return false;
  LunaValue *output = written_by(swap, op, *pair, edge);
  if (!output)
    return false;
  replace_alloc(swap, output, pair->free);
  *pair = take_free(*pair);
  return true;
}

// A copy of the value to an allocation, by which it dies, gives it another
// name. The first value does not die.
static bool forward_copy(Swap *swap, LunaOp *op, Pair pair) {
  if (swap->is_kept || !draft_is_copy(op) || draft_operand(op, 0) != pair.value)
    return false;
  LunaValue *copy = written_by(swap, op, pair, NULL);
  if (!copy)
    return false;
  LunaAccesses accesses = draft_accesses_of(copy, NULL, &swap->arena);
  for (uint64_t i = 0; i < accesses.count; ++i)
    if (accesses.items[i] != op && !draft_runs_after(accesses.items[i], op))
      return false;
  draft_replace(copy, pair.value);
  draft_erase(op);
  draft_erase(copy->op);
  return true;
}

//===----------------------------------------------------------------------===//
// Branches that pass the value through
//===----------------------------------------------------------------------===//

static bool passes(LunaJoinEdge edge, LunaValue *value) {
  for (edge.region = 0; edge.region < region_count(&edge); ++edge.region)
    if (draft_join_source(&edge) == value)
      return true;
  return false;
}

static bool swap_branch(Swap *swap, LunaJoinEdge edge, Pair in, Pair *out);

// Every region of a branch writes its result to the free buffer.
static bool fill_free(Swap *swap, LunaJoinEdge edge, LunaValue *free) {
  LunaValue *result = edge.branch->results[edge.result];
  for (edge.region = 0; edge.region < region_count(&edge); ++edge.region) {
    LunaValue *source = draft_join_source(&edge);
    if (!is_fresh(source, &edge, &swap->arena))
      return false;
    if (swap->rewrites)
      replace_alloc(swap, source, free);
  }
  if (swap->rewrites)
    draft_replace(result, free);
  return true;
}

// A result of a branch within the region of `edge`.
static bool swap_inner(Swap *swap, const LunaJoinEdge *edge, Pair in,
                       Pair *out) {
  LunaValue *source = draft_join_source(edge);
  LunaJoinEdge inner = {.branch = source->op};
  if (!is_at(inner.branch, draft_join_block(edge)) ||
      !draft_is_branch(inner.branch) ||
      !draft_dies_at_join(source, edge, &swap->arena))
    return false;
  inner.result = source->number;
  *out = take_free(in);
  return passes(inner, in.value) ? dies_at(in.value, inner, &swap->arena) &&
                                       swap_branch(swap, inner, in, out)
                                 : fill_free(swap, inner, in.free);
}

// The allocation that a region yields: its operators exchange the two buffers
// until one of them writes it, or it is the one that is free at last.
static Pair swap_to_source(Swap *swap, const LunaJoinEdge *edge, Pair pair) {
  LunaBlock *block = draft_join_block(edge);
  LunaOp *op = last_access(swap, pair.value, block, edge);
  while (draft_join_source(edge) != pair.value &&
         swap_operator(swap, op, &pair, edge))
    op = last_access(swap, pair.value, block, edge);
  LunaValue *source = draft_join_source(edge);
  if (source == pair.value)
    return pair;
  replace_alloc(swap, source, pair.free);
  return take_free(pair);
}

// Executes the region of `edge` from `in` on; `out` is what it yields.
static bool swap_region(Swap *swap, const LunaJoinEdge *edge, Pair in,
                        Pair *out) {
  LunaValue *source = draft_join_source(edge);
  *out = in;
  if (source == in.value)
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
  for (edge.region = 0; edge.region < region_count(&edge); ++edge.region)
    if (!swap_region(swap, &edge, in, &pairs[edge.region]))
      return false;
  if (!swap->rewrites)
    return true;
  for (edge.region = 0; edge.region < region_count(&edge); ++edge.region) {
    LunaBlock *block = draft_join_block(&edge);
    draft_set_operand(block->last, edge.result, pairs[edge.region].value);
    draft_pass(block, pairs[edge.region].free);
    if (in.next)
      draft_pass(block, pairs[edge.region].next);
  }
  out->value = edge.branch->results[edge.result];
  out->free = draft_add_result(edge.branch, in.free);
  out->next = in.next ? draft_add_result(edge.branch, in.free) : NULL;
  return true;
}

//===----------------------------------------------------------------------===//
// From branch to branch
//===----------------------------------------------------------------------===//

// Returns true if each region passes `value` through or may write what it
// yields to another buffer.
static bool can_rewrite(Swap *swap, LunaJoinEdge edge, LunaValue *value) {
  Pair pair = {.value = value, .free = value}, out;
  bool rewrites = swap->rewrites;
  swap->rewrites = false;
  bool can = swap_branch(swap, edge, pair, &out);
  swap->rewrites = rewrites;
  return can;
}

// Returns true if the branch may pass on the pair instead of `value`.
static bool can_swap(Swap *swap, LunaJoinEdge edge, LunaValue *value) {
  return dies_at(value, edge, &swap->arena) && can_rewrite(swap, edge, value);
}

// Finds the branch of `block` that passes `value` through and ends it.
static bool find_next(Swap *swap, LunaValue *value, LunaBlock *block,
                      LunaJoinEdge *edge) {
  for (LunaUse *use = value->first_use; use; use = use->next) {
    LunaOp *yield = use->op;
    *edge = (LunaJoinEdge){
        .branch = draft_parent(yield),
        .result = use->number,
    };
    if (yield->kind == LUNA_MODEL_PASS && is_at(edge->branch, block) &&
        draft_is_branch(edge->branch) && can_swap(swap, *edge, value))
      return true;
  }
  return false;
}

static Pair follow(Swap *swap, Pair pair, LunaBlock *block);

// The last op that accesses the value makes what a loop carries of it: the loop
// carries the pair.
static bool swap_loop(Swap *swap, LunaOp *op, Pair *pair) {
  if (swap->reach < LUNA_SWAP_LOOPS || !op || draft_is_flow(op))
    return false;
  LunaSwapLoopOutcome outcome = draft_swap_through_loop(op, pair);
  swap->steps.has_failed |= outcome == LUNA_SWAP_LOOP_FAILED;
  if (outcome != LUNA_SWAP_LOOP_DONE)
    return false;
  ++swap->steps.loops;
  swap->steps.between = swap->steps.operators;
  return true;
}

// Sinks into each region of a branch that is the end of the value, and follows
// an operator.
static bool follow_operator(Swap *swap, Pair *pair, LunaBlock *block) {
  LunaOp *op = last_access(swap, pair->value, block, NULL);
  bool is_end = op && draft_is_branch(op);
  for (uint32_t r = 0; is_end && r < op->block_count; ++r)
    if (op->blocks[r])
      follow(swap, *pair, op->blocks[r]);
  if (forward_copy(swap, op, *pair) || swap_loop(swap, op, pair))
    return true;
  bool goes_on = !swap->steps.has_failed &&
                 swap->steps.operators < swap->operators_max &&
                 swap_operator(swap, op, pair, NULL);
  swap->steps.operators += goes_on;
  return goes_on;
}

// Follows the chain through `block`, where both buffers are its own.
static Pair follow(Swap *swap, Pair pair, LunaBlock *block) {
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

bool draft_swap_follow(LunaSwapPair *pair, LunaBlock *block) {
  Swap swap = {
      .reach = LUNA_SWAP_LOOPS, .rewrites = true, .operators_max = UINT32_MAX};
  *pair = follow(&swap, *pair, block);
  luna_arena_destroy(&swap.arena);
  return !swap.steps.has_failed;
}

//===----------------------------------------------------------------------===//
// The first branch of a chain
//===----------------------------------------------------------------------===//

// True if some region recomputes the value.
static bool recomputes(LunaJoinEdge edge, LunaValue *value) {
  for (edge.region = 0; edge.region < region_count(&edge); ++edge.region)
    if (draft_join_source(&edge) != value)
      return true;
  return false;
}

static bool starts_chain(Swap *swap, const LunaJoinEdge *edge) {
  LunaValue *value = draft_passed_through(edge->branch, edge->result);
  if (!value || !recomputes(*edge, value))
    return false;
  bool is_end = draft_is_only_name(value, &swap->only_names, &swap->arena) &&
                dies_at(value, *edge, &swap->arena);
  return is_end != swap->is_kept && can_rewrite(swap, *edge, value);
}

// Stops at the start of the chain that is wanted.
static bool find_first(LunaOp *op, void *data) {
  Swap *swap = data;
  uint32_t count = draft_is_branch(op) ? op->result_count : 0;
  for (uint32_t i = 0; i < count; ++i) {
    swap->first = (LunaJoinEdge){.branch = op, .result = i};
    if (starts_chain(swap, &swap->first) && swap->wanted-- == 0)
      return false;
  }
  return true;
}

static void rewrite_from_branch(Swap *swap) {
  LunaOp *branch = swap->first.branch;
  LunaBlock *block = branch->block;
  LunaValue *value = draft_passed_through(branch, swap->first.result);
  Pair pair = {.value = value, .free = draft_allocate(branch, value)};
  if (swap->is_kept)
    pair.next = draft_allocate(branch, value);
  swap->rewrites = true;
  swap_branch(swap, swap->first, pair, &pair);
  follow(swap, pair, block);
}

static void rewrite_from_loop(Swap *swap, LunaDraft *draft) {
  LunaBlock *block = NULL;
  Pair pair;
  swap->rewrites = true;
  swap->steps.has_failed = !draft_swap_loop(draft, swap->wanted, &pair, &block);
  if (swap->steps.has_failed)
    return;
  ++swap->steps.loops;
  follow(swap, pair, block);
}

//===----------------------------------------------------------------------===//
// All chains
//===----------------------------------------------------------------------===//

bool draft_has_chain(LunaDraft *draft, LunaChainStart start, uint32_t index) {
  if (start == LUNA_CHAIN_LOOP)
    return draft_has_swap_loop(draft, index);
  Swap swap = {.wanted = index, .is_kept = start == LUNA_CHAIN_KEPT};
  bool has_chain = !draft_walk(draft, find_first, &swap);
  luna_arena_destroy(&swap.arena);
  return has_chain;
}

// Returns the steps of the chain, and the allocations replaced.
static Steps rewrite(LunaDraft *draft, LunaChainStart start, uint32_t index,
                     LunaSwapReach reach, uint32_t operators_max,
                     uint32_t *replaced) {
  Swap swap = {.reach = reach,
               .wanted = index,
               .is_kept = start == LUNA_CHAIN_KEPT,
               .operators_max = operators_max};
  if (start == LUNA_CHAIN_LOOP)
    rewrite_from_loop(&swap, draft);
  else if (!draft_walk(draft, find_first, &swap))
    rewrite_from_branch(&swap);
  luna_arena_destroy(&swap.arena);
  *replaced = swap.replaced + swap.steps.loops;
  return swap.steps;
}

// Writes how many operators the chain is followed through, where the reach
// leaves some out. Returns false if another reach leads as far.
static bool find_operators_max(LunaDraft *draft, LunaChainStart start,
                               uint32_t index, LunaSwapReach reach,
                               uint32_t *operators_max) {
  *operators_max = UINT32_MAX;
  bool is_alone = reach == LUNA_SWAP_LOOPS_ALONE;
  if (!is_alone && reach != LUNA_SWAP_BETWEEN &&
      reach != LUNA_SWAP_LOOPS_BETWEEN)
    return true;
  uint32_t replaced;
  LunaDraft *copy = draft_clone(draft);
  Steps all = rewrite(copy, start, index, reach, UINT32_MAX, &replaced);
  draft_destroy(copy);
  *operators_max = is_alone ? 0 : all.between;
  return is_alone ? all.between > 0 : all.between < all.operators;
}

uint32_t draft_swap_chain(LunaDraft *draft, LunaChainStart start,
                          uint32_t index, LunaSwapReach reach) {
  uint32_t operators_max, replaced;
  if (!find_operators_max(draft, start, index, reach, &operators_max))
    return 0;
  Steps steps = rewrite(draft, start, index, reach, operators_max, &replaced);
  bool has_loops = reach < LUNA_SWAP_LOOPS || steps.loops > 0;
  return has_loops && !steps.has_failed ? replaced : 0;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static bool can_copy(Swap *swap, LunaJoinEdge edge, LunaValue *value) {
  for (edge.region = 0; edge.region < region_count(&edge); ++edge.region) {
    LunaValue *source = draft_join_source(&edge);
    if (source != value && !is_fresh(source, &edge, &swap->arena))
      return false;
  }
  return true;
}

static void copy_value(Swap *swap, LunaJoinEdge edge, LunaValue *value) {
  LunaValue *result = edge.branch->results[edge.result];
  LunaValue *buffer = draft_allocate(edge.branch, value);
  for (edge.region = 0; edge.region < region_count(&edge); ++edge.region) {
    LunaValue *source = draft_join_source(&edge);
    LunaOp *yield = draft_join_block(&edge)->last;
    if (source == value) {
      draft_copy(yield, value, buffer);
      draft_set_operand(yield, edge.result, buffer);
    } else {
      replace_alloc(swap, source, buffer);
    }
  }
  draft_replace(result, buffer);
}

bool draft_copy_at_join(LunaDraft *draft, uint32_t index) {
  Swap swap = {.wanted = index};
  bool can = !draft_walk(draft, find_first, &swap);
  if (can) {
    LunaValue *value =
        draft_passed_through(swap.first.branch, swap.first.result);
    can = can_copy(&swap, swap.first, value);
    if (can)
      copy_value(&swap, swap.first, value);
  }
  luna_arena_destroy(&swap.arena);
  return can;
}
