#include "join_chains.h"

#include "join_group.h"

static bool is_at(const LunaOp *op, const LunaBlock *block) {
  return op && op->block == block;
}

// Returns true if the value yielded through an edge is an allocation of its
// region that may be replaced by another buffer.
static bool is_fresh(const LunaUse *edge, LunaArena *arena) {
  LunaOp *op = edge->value->op;
  return is_at(op, edge->op->block) && draft_is_alloc(op) &&
         draft_dies_at_join(edge->value, edge, arena);
}

// Returns true if nothing accesses `value` after a branch but through its
// result.
static bool dies_at(LunaValue *value, const LunaValue *result,
                    LunaArena *arena) {
  for (uint32_t i = 0; i < draft_edge_count(result); ++i)
    if (!draft_dies_at_join(value, draft_edge(result, i), arena))
      return false;
  return true;
}

static void land(LunaChain *chain, LunaOp *before, LunaValue *value) {
  *LUNA_VECTOR_ADD(&chain->arena, &chain->copies) =
      draft_copy(before, value, chain->place);
}

//===----------------------------------------------------------------------===//
// From operator to operator
//===----------------------------------------------------------------------===//

// Returns the last op of `block` that accesses `value` or holds one that does;
// NULL if there is none, or there may be later accesses elsewhere, except
// through `edge`, which may be NULL.
static LunaOp *last_access(LunaChain *chain, LunaValue *value, LunaBlock *block,
                           const LunaUse *edge) {
  LunaOp *last = NULL;
  LunaAccesses accesses = draft_accesses_of(value, edge, &chain->arena);
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

// Returns true if all accesses to `value`, except through `edge`, are in
// `block`.
static bool stays_in(LunaChain *chain, LunaValue *value, LunaBlock *block,
                     const LunaUse *edge) {
  LunaAccesses accesses = draft_accesses_of(value, edge, &chain->arena);
  bool stays = accesses.is_complete;
  for (uint64_t i = 0; stays && i < accesses.count; ++i)
    stays = draft_ancestor(accesses.items[i], block);
  return stays;
}

// Returns the buffer that `op` writes, if that is as large as the place; else
// NULL.
static LunaValue *output_of(const LunaChain *chain, const LunaOp *op) {
  const LunaUse *use = draft_is_flow(op) ? NULL : draft_output(op);
  return use && use->value != chain->place &&
                 draft_same_type(use->value, chain->place)
             ? use->value
             : NULL;
}

// Returns the tensor that `op` writes, if that is allocated in its block behind
// the start of the chain, and may land; else NULL.
static LunaValue *written_by(LunaChain *chain, LunaOp *op,
                             const LunaUse *edge) {
  LunaBlock *block = op->block;
  LunaValue *output = output_of(chain, op);
  bool may_land = output && is_at(output->op, block) &&
                  draft_is_alloc(output->op) &&
                  output->whole.role == LUNA_MODEL_TENSOR &&
                  (!is_at(chain->start, block) ||
                   draft_is_before(chain->start, output->op)) &&
                  stays_in(chain, output, block, edge);
  return may_land ? output : NULL;
}

// Has `output`, which `op` writes, be in the place from there on.
static void land_output(LunaChain *chain, LunaOp *op, LunaValue *output) {
  for (LunaUse *use = output->first_use, *next; use; use = next) {
    next = use->next;
    if (draft_is_before(op, draft_ancestor(use->op, op->block)))
      draft_set_operand(use->op, use->number, chain->place);
  }
  land(chain, op->next, output);
}

// Returns true if `op` copies the place to `output`, which it is the first to
// access: another name of the value. The first value does not die by it.
static bool renames(LunaChain *chain, LunaOp *op, LunaValue *output) {
  if (chain->is_kept || !draft_is_copy(op) ||
      draft_operand(op, 0) != chain->place)
    return false;
  LunaAccesses accesses = draft_accesses_of(output, NULL, &chain->arena);
  for (uint64_t i = 0; i < accesses.count; ++i)
    if (accesses.items[i] != op && !draft_runs_after(accesses.items[i], op))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Branches that pass the value through
//===----------------------------------------------------------------------===//

static bool passes(const LunaValue *result, const LunaValue *value) {
  for (uint32_t i = 0; i < draft_edge_count(result); ++i)
    if (draft_source(result, i) == value)
      return true;
  return false;
}

// Has the regions of a branch yield the place, where all of them have landed.
static void yield_place(LunaChain *chain, LunaValue *result) {
  for (uint32_t i = 0; i < draft_edge_count(result); ++i)
    draft_set_operand(draft_edge(result, i)->op, result->number, chain->place);
  draft_replace(result, chain->place);
}

static bool land_branch(LunaChain *chain, LunaValue *result, LunaValue *value);

// A result of a branch within the region of `edge`, behind which nothing may
// read the value in the place; a first value that is kept is not there.
static bool land_inner(LunaChain *chain, const LunaUse *edge,
                       LunaValue *value) {
  LunaValue *inner = edge->value;
  bool is_kept = chain->is_kept && value != chain->place;
  return is_at(inner->op, edge->op->block) && draft_is_branch(inner->op) &&
         draft_dies_at_join(inner, edge, &chain->arena) &&
         ((is_kept && !passes(inner, value)) ||
          dies_at(value, inner, &chain->arena)) &&
         land_branch(chain, inner, value);
}

// The allocation that a region yields, and what its operators compute before.
static void land_source(LunaChain *chain, const LunaUse *edge,
                        LunaValue *value) {
  LunaBlock *block = edge->op->block;
  while (edge->value != value) {
    LunaOp *op = last_access(chain, value, block, edge);
    LunaValue *output = op ? written_by(chain, op, edge) : NULL;
    if (!output) {
      land(chain, block->last, edge->value);
      return;
    }
    land_output(chain, op, output);
    value = chain->place;
  }
}

static bool land_region(LunaChain *chain, const LunaUse *edge,
                        LunaValue *value) {
  if (edge->value == value)
    return true;
  if (!is_fresh(edge, &chain->arena))
    return land_inner(chain, edge, value);
  if (chain->rewrites)
    land_source(chain, edge, value);
  return true;
}

// Lands what a branch makes of `value`, or finds out whether it can.
static bool land_branch(LunaChain *chain, LunaValue *result, LunaValue *value) {
  for (uint32_t i = 0; i < draft_edge_count(result); ++i)
    if (!land_region(chain, draft_edge(result, i), value))
      return false;
  if (chain->rewrites)
    yield_place(chain, result);
  return true;
}

//===----------------------------------------------------------------------===//
// From branch to branch
//===----------------------------------------------------------------------===//

// Returns true if each region passes `value` through or computes another that
// can land.
static bool can_land(LunaChain *chain, LunaValue *result, LunaValue *value) {
  bool rewrites = chain->rewrites;
  chain->rewrites = false;
  bool can = land_branch(chain, result, value);
  chain->rewrites = rewrites;
  return can;
}

// Returns the result of the branch of `block` that passes the value through and
// ends it, or NULL.
static LunaValue *find_next(LunaChain *chain, LunaBlock *block) {
  for (LunaUse *use = chain->place->first_use; use; use = use->next) {
    LunaOp *branch = draft_parent(use->op);
    if (use->op->kind != LUNA_MODEL_PASS || !is_at(branch, block) ||
        !draft_is_branch(branch))
      continue;
    LunaValue *result = branch->results[use->number];
    if (result->first_use && dies_at(chain->place, result, &chain->arena) &&
        can_land(chain, result, chain->place))
      return result;
  }
  return NULL;
}

// Lands what `op`, the last one to access the value, computes from it. If a
// loop carries that, its turns land, too.
static bool follow_operator(LunaChain *chain, LunaOp *op) {
  LunaTurn turn;
  LunaValue *output = output_of(chain, op);
  bool is_loop = output && chain->reach >= LUNA_CHAIN_LOOPS &&
                 draft_find_turn_behind(output, op, &turn) &&
                 draft_may_swap_turn(&turn);
  output = is_loop ? output : written_by(chain, op, NULL);
  if (!output)
    return false;
  if (renames(chain, op, output)) {
    draft_replace(output, chain->place);
    draft_erase(op);
    draft_erase(output->op);
  } else if (is_loop || chain->operators < chain->operators_max) {
    land_output(chain, op, output);
    chain->operators += !is_loop;
  } else {
    return false;
  }
  if (is_loop) {
    ++chain->loops;
    chain->between = chain->operators;
    chain->has_failed |= !draft_land_turn(chain, &turn);
  }
  return !chain->has_failed;
}

// Goes on behind the last op that accesses the value; if that is a branch, in
// each of its regions.
static bool follow_last(LunaChain *chain, LunaBlock *block) {
  LunaOp *op = last_access(chain, chain->place, block, NULL);
  uint32_t count = draft_is_branch(op) ? op->block_count : 0;
  for (uint32_t r = 0; r < count; ++r)
    draft_chain_follow(chain, op->blocks[r]);
  return op && follow_operator(chain, op);
}

void draft_chain_follow(LunaChain *chain, LunaBlock *block) {
  bool goes_on = true;
  while (goes_on) {
    LunaValue *next = find_next(chain, block);
    if (next) {
      chain->between = chain->operators;
      goes_on = land_branch(chain, next, chain->place);
    } else {
      goes_on =
          chain->reach >= LUNA_CHAIN_OPERATORS && follow_last(chain, block);
    }
  }
}

//===----------------------------------------------------------------------===//
// The first branch of a chain
//===----------------------------------------------------------------------===//

typedef struct Search {
  LunaChain chain;
  uint32_t wanted;  // chains before the one wanted
  LunaValue *first; // the result of its first branch
  LunaOnlyNames only_names;
} Search;

// Returns the value from outside that a region passes through: the first if
// several do; NULL if none does.
static LunaValue *first_value(const LunaValue *result) {
  for (uint32_t i = 0; i < draft_edge_count(result); ++i) {
    const LunaUse *edge = draft_edge(result, i);
    if (!draft_ancestor(edge->value->op, edge->op->block))
      return edge->value;
  }
  return NULL;
}

// Returns true if some region recomputes the value.
static bool recomputes(const LunaValue *result, const LunaValue *value) {
  for (uint32_t i = 0; i < draft_edge_count(result); ++i)
    if (draft_source(result, i) != value)
      return true;
  return false;
}

static bool starts_chain(Search *search) {
  LunaArena *arena = &search->chain.arena;
  LunaValue *value = first_value(search->first);
  if (!value || !recomputes(search->first, value))
    return false;
  bool is_end = draft_is_only_name(value, &search->only_names, arena) &&
                dies_at(value, search->first, arena);
  return is_end != search->chain.is_kept &&
         can_land(&search->chain, search->first, value);
}

// Stops at the start of the chain that is wanted.
static bool find_first(LunaOp *op, void *data) {
  Search *search = data;
  uint32_t count = draft_is_branch(op) ? op->result_count : 0;
  for (uint32_t i = 0; i < count; ++i) {
    search->first = op->results[i];
    if (starts_chain(search) && search->wanted-- == 0)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// All of a chain
//===----------------------------------------------------------------------===//

// The place is a buffer that is the first value's at first, which is returned.
static LunaValue *start_at_branch(LunaChain *chain, LunaValue *result) {
  LunaValue *value = first_value(result);
  chain->start = result->op;
  chain->place = draft_allocate(chain->start, value);
  land_branch(chain, result, value);
  return value;
}

static LunaValue *start_at_loop(LunaChain *chain, const LunaTurn *turn) {
  chain->start = turn->loop;
  chain->place = turn->buffer;
  chain->loops = 1;
  chain->has_failed =
      !draft_may_swap_turn(turn) || !draft_land_turn(chain, turn);
  return chain->place;
}

static void swap_found(LunaChain *chain, LunaValue *result,
                       const LunaTurn *turn) {
  chain->rewrites = true;
  LunaValue *init =
      turn ? start_at_loop(chain, turn) : start_at_branch(chain, result);
  if (!chain->has_failed)
    draft_chain_follow(chain, chain->start->block);
  chain->has_failed =
      chain->has_failed ||
      !draft_exchange_chain(chain->place, init, chain->is_kept,
                            chain->copies.items, chain->copies.count);
}

// Writes what became of a chain, without its arena. Returns false if there is
// none.
static bool swap_chain(LunaDraft *draft, LunaChainStart start, uint32_t index,
                       LunaChain *chain) {
  LunaTurn turn;
  Search search = {.wanted = index, .chain = *chain};
  search.chain.is_kept = start == LUNA_CHAIN_KEPT;
  bool is_loop = start == LUNA_CHAIN_LOOP;
  bool is_found = is_loop ? draft_find_turn(draft, index, &turn)
                          : !draft_walk(draft, find_first, &search);
  if (is_found)
    swap_found(&search.chain, search.first, is_loop ? &turn : NULL);
  luna_arena_destroy(&search.chain.arena);
  *chain = search.chain;
  return is_found;
}

// Writes how many operators the chain is followed through, where the reach
// leaves some out. Returns false if another reach leads as far.
static bool find_operators_max(LunaDraft *draft, LunaChainStart start,
                               uint32_t index, LunaChain *chain) {
  bool is_alone = chain->reach == LUNA_CHAIN_LOOPS_ALONE;
  if (!is_alone && chain->reach != LUNA_CHAIN_LOOPS_BETWEEN)
    return true;
  LunaDraft *copy = draft_clone(draft);
  LunaChain all = *chain;
  swap_chain(copy, start, index, &all);
  draft_destroy(copy);
  chain->operators_max = is_alone ? 0 : all.between;
  return is_alone ? all.between > 0 : all.between < all.operators;
}

LunaJoinOutcome draft_swap_chain(LunaDraft *draft, LunaChainStart start,
                                 uint32_t index, LunaChainReach reach) {
  LunaChain chain = {.reach = reach, .operators_max = UINT32_MAX};
  LunaTurn turn;
  if (reach >= LUNA_CHAIN_LOOPS && !draft_find_turn(draft, 0, &turn))
    return LUNA_JOIN_NO_SITE;
  if (!find_operators_max(draft, start, index, &chain))
    return LUNA_JOIN_UNCHANGED;
  if (!swap_chain(draft, start, index, &chain))
    return LUNA_JOIN_NO_SITE;
  uint64_t count = chain.copies.count + chain.loops;
  bool is_other = reach < LUNA_CHAIN_LOOPS || chain.loops > 0;
  bool saves = count > (start == LUNA_CHAIN_KEPT ? 2 : 0);
  return is_other && !chain.has_failed && saves ? LUNA_JOIN_REWRITTEN
                                                : LUNA_JOIN_UNCHANGED;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

bool draft_copy_at_join(LunaDraft *draft, uint32_t index) {
  Search search = {.wanted = index};
  bool is_found = !draft_walk(draft, find_first, &search);
  if (is_found)
    draft_land_result(search.first);
  luna_arena_destroy(&search.chain.arena);
  return is_found;
}
